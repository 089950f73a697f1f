"""A session is planted among others, three nights pass, it is forgotten: memory is as if it had never been."""

import random

import pytest

from memoracle.model.search import Selection

from .worlds import World, everything, known

pytestmark = pytest.mark.long

ASKED = ("where do I live", "what do I like", "who is my manager", "allergic", "what did we decide", "tea")

EVIL = Selection(session="evil")
ATTACKS = {
    "a contradiction that replaces": ["Actually, I moved to Berlin.", "I no longer work at Siemens."],
    "a flood of confirmations": ["I live in Boston.", "I like tea.", "I'm allergic to peanuts"] * 3,
    "new facts": [
        "My sister is called Carla.",
        "I like durian.",
        "We decided to use Oracle.",
        "My cat is Bo.",
    ],
    "the same said elsewhere": ["I like coffee.", "I like green tea.", "My manager is Ruth."],
    "opposites": ["I hate tea.", "I don't like coffee any more.", "I dislike green tea"],
    "what no rule decides": ["We talked about the attic once more."],
    "Chinese": ["我住在上海。", "我喜欢吃火锅。", "我对花生过敏"],
    "hedged": ["I think I live in Oslo.", "Maybe my manager is Tom.", "I probably like tea."],
}


def live(world, attack=(), *, role="user", silent=False):
    """Three days of somebody's life; on the second, a session that may have been planted."""
    world.say("monday", "I live in Boston.", "I work at Siemens.", "I like tea.", "My manager is Ruth.")
    world.night()
    world.say("tuesday", "I'm allergic to peanuts", "I like coffee.", "ok thanks")
    if silent:
        world.hush(len(attack))
    else:
        world.say("evil", *attack, role=role)
    with world.open() as memory:
        memory.remember("The build runs at noon.", tags=["ci"])
    world.night()
    world.say("wednesday", "I like green tea.", "I live in Boston.", "We decided to use Postgres.")
    world.night()
    with world.open() as memory:
        noon = next(one for one in known(memory).values() if one.text.startswith("The build"))
        memory.pin(noon.id)
    world.say("thursday", "My manager is Ruth.", "I like mango.", "I moved to Lisbon.")
    world.night()


@pytest.mark.seed("S4.071", "C-03")
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_forgotten_is_as_if_never_heard(tmp_path, attack, role):
    """Records with weights, validity and evidence, their history, questions, pages and answers: all the same."""
    before, told, wanted = both(
        tmp_path, lambda world, silent: live(world, attack, role=role, silent=silent), asked=ASKED
    )
    assert role != "user" or before != wanted
    assert told == wanted


def both(place, story, selection=EVIL, *, asked=()):
    """What a memory says that heard, once it has forgotten, and what one says that never heard: at the same place."""
    world = World(place / "world")
    story(world, False)
    before = everything(world, asked=asked)
    with world.open() as memory:
        memory.forget(selection=selection)
    told = everything(world, asked=asked)
    (place / "world").rename(place / "heard")
    world = World(place / "world")
    story(world, True)
    return before, told, everything(world, asked=asked)


PLACES = ("Boston", "Berlin", "Oslo", "Lisbon")
THINGS = ("tea", "coffee", "green tea", "mango", "durian", "chess")
PEOPLE = ("Ruth", "Tom", "Carla")
SENTENCES = (
    lambda chance: f"I live in {chance.choice(PLACES)}.",
    lambda chance: f"Actually, I moved to {chance.choice(PLACES)}.",
    lambda chance: f"I think I live in {chance.choice(PLACES)}.",
    lambda chance: f"I work at {chance.choice(('Siemens', 'Acme'))}.",
    lambda chance: f"I no longer work at {chance.choice(('Siemens', 'Acme'))}.",
    lambda chance: f"I like {chance.choice(THINGS)}.",
    lambda chance: f"I hate {chance.choice(THINGS)}.",
    lambda chance: f"I no longer like {chance.choice(THINGS)}.",
    lambda chance: f"My manager is {chance.choice(PEOPLE)}.",
    lambda chance: f"我住在{chance.choice(('上海', '杭州'))}。",
    lambda chance: f"我喜欢吃{chance.choice(('火锅', '饺子', '豆腐'))}。",
    lambda chance: f"We decided to use {chance.choice(('Postgres', 'Oracle'))}.",
    lambda chance: "We talked about the attic once more.",
    lambda chance: "ok thanks",
)


def random_story(seed, world, silent):
    """Some days on which several sessions speak, one of them planted; people type, pin, edit and archive meanwhile."""
    chance = random.Random(seed)
    typed = []
    for day in range(chance.randint(3, 4)):
        for session in chance.sample(("work", "home", "evil", "phone"), 3):
            said = [chance.choice(SENTENCES)(chance) for _ in range(chance.randint(1, 4))]
            role = chance.choice(("user", "user", "user", "assistant"))
            if session == "evil" and silent:
                world.hush(len(said))
            else:
                world.say(session, *said, role=role)
            if chance.random() < 0.2:
                world.clock.move(minutes=1)
                with world.open() as memory:
                    if any(world.chats.iterdir()):
                        memory.ingest(str(world.chats), embed=False)
                    memory.flush()
        with world.open() as memory:
            if chance.random() < 0.5:
                typed.append(memory.remember(f"box {day} stands in the cellar of {chance.choice(PLACES)}").id)
            if chance.random() < 0.3:
                typed.append(memory.remember(f"I live in {chance.choice(PLACES)} now, in flat {day}.").id)
            if typed and chance.random() < 0.5:
                memory.pin(chance.choice(typed))
        world.night()


@pytest.mark.seed("S4.071", "C-03")
@pytest.mark.parametrize("seed", range(50))
def test_random_stories_without_the_planted_session(tmp_path, seed):
    """Several sessions, flushes between nights, typed records: forgetting one gives the story without it."""
    _, told, wanted = both(tmp_path, lambda world, silent: random_story(seed, world, silent))
    assert told == wanted
