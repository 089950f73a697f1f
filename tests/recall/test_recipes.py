"""What every recipe owes its owner: it finds what is there, names what is not, and keeps to the filters."""

import pytest

from memoracle.errors import BadInput
from memoracle.model.record import Scope
from memoracle.model.search import Filters, Verdict

RECIPES = ["quick", "balanced", "openclaw"]
each_recipe = pytest.mark.parametrize("recipe", RECIPES)


def met(found):
    """What a recipe met, best first, whether or not it was judged to be enough."""
    return [hit.passage.text for hit in found.hits or found.near]


SMALL = [
    ("The cat is called Miso", "What is the cat called?"),
    ("The cat is called Miso", "Miso"),
    ("我对花生过敏", "花生"),
    ("error E4021 means the disk is full", "E4021"),
    ("she lives in Hangzhou", "where does she live"),
]


@pytest.mark.parametrize(("kept", "asked"), SMALL)
@pytest.mark.parametrize("recipe", ["quick", "balanced"])
def test_the_only_thing_known_is_found(memory, kept, asked, recipe):
    """A small memory is sure of what it holds."""
    memory.remember(kept)
    found = memory.search(asked, recipe=recipe)
    assert (found.verdict is not Verdict.NOT_IN_MEMORY, met(found)[:1]) == (True, [kept])


def test_a_chinese_question_is_answered(memory):
    """The words that ask do not count against what is known."""
    memory.remember("我对花生过敏")
    assert memory.search("我对什么过敏？", recipe="balanced").verdict is not Verdict.NOT_IN_MEMORY


@pytest.mark.parametrize("recipe", ["quick", "balanced"])
@pytest.mark.parametrize("asked", ["which item does the piano keep?", "the vault code QX-7734", "QX-7734"])
def test_one_of_a_hundred_things_is_found(shelf, asked, recipe):
    """So is a larger one."""
    shelf.remember("the vault code is QX-7734")
    assert shelf.search(asked, recipe=recipe).verdict is not Verdict.NOT_IN_MEMORY


@pytest.mark.parametrize("recipe", ["quick", "balanced"])
def test_what_has_nothing_to_do_with_it_is_no_evidence(memory, recipe):
    """The empty hot file and an unrelated fact are not handed over beside the answer."""
    memory.remember("The cat is called Miso")
    memory.remember("invoices go to the accountant in March")
    found = memory.search("What is the cat called?", recipe=recipe)
    assert [hit.passage.text for hit in found.hits] == ["The cat is called Miso"]


@each_recipe
@pytest.mark.seed("S1.112")
@pytest.mark.parametrize("asked", ["submarine zeppelin", "潜水艇", "", "???"])
def test_what_is_not_known_is_said_so(shelf, asked, recipe):
    """`not_in_memory_db`, and no hits."""
    found = shelf.search(asked, recipe=recipe)
    assert (found.verdict, found.hits) == (Verdict.NOT_IN_MEMORY, ())


@each_recipe
@pytest.mark.seed("F-42", "S4.024")
@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        ("我对花生过敏", "花生"),
        ("the build breaks with ERR_TLS_CERT_ALTNAME_INVALID", "ERR_TLS_CERT_ALTNAME_INVALID"),
        ("the schema lives in src/index/schema.sql", "schema.sql"),
        ("call getUserName before rendering", "getusername"),
        ("ask O'Brien about the lease", "O’Brien"),
    ],
)
def test_the_right_thing_comes_first(shelf, kept, asked, recipe):
    """Chinese words, error codes, file names, functions and names."""
    shelf.remember(kept)
    assert met(shelf.search(asked, recipe=recipe))[:1] == [kept]


@each_recipe
@pytest.mark.seed("F-04")
def test_an_exact_name_is_never_outweighed(shelf, clock, recipe):
    """A record named by its id comes first, however many words another one shares with the question."""
    weak = shelf.remember("nothing in common", importance=0.0, channel="external")
    clock.move(days=400)
    shelf.remember("quokka marmalade gondola trombone saffron lantern", importance=1.0)
    found = shelf.search(f"{weak.id} quokka marmalade gondola trombone saffron lantern", recipe=recipe)
    assert met(found)[:1] == ["nothing in common"]


@each_recipe
@pytest.mark.seed("S4.088")
def test_nothing_slips_past_the_filters(memory, clock, recipe):
    """Neither hits nor near misses come from another project, an ended record or a later day."""
    memory.remember("alpha common", project="arena")
    memory.remember("beta common", project="other")
    memory.archive(memory.remember("gamma common", project="arena").id)
    memory.supersede(memory.remember("delta common", project="arena").id, "epsilon common", project="arena")
    then = clock.now
    clock.move(days=1)
    memory.remember("zeta common", project="arena")
    arena = Scope(project="arena")
    now = memory.search("common", recipe=recipe, filters=Filters(scope=arena))
    before = memory.search("common", recipe=recipe, filters=Filters(scope=arena, as_of=then))
    firsts = [{text.split()[0] for text in met(found)} for found in (now, before)]
    assert firsts == [{"alpha", "epsilon", "zeta"}, {"alpha", "epsilon", "gamma"}]


@each_recipe
def test_as_of_never_shows_the_future(memory, clock, recipe):
    """As of then, an edited record says what it said then."""
    made = memory.remember("the port is 5432")
    then = clock.now
    clock.move(days=1)
    memory.edit(made.id, text="the port is 6000")
    found = memory.search("port", recipe=recipe, filters=Filters(as_of=then))
    assert [text for text in met(found) if "port" in text] == ["the port is 5432"]


@each_recipe
@pytest.mark.seed("S0.044", "F-45")
def test_a_faded_record_is_told(memory, clock, recipe):
    """Old is not unknown: to any question that it answers."""
    memory.remember("perhaps she prefers oolong", kind="belief", importance=0.0, entities=["Mei"])
    clock.move(days=28)
    plain, wide, named = (
        [text for text in met(memory.search(asked, recipe=recipe, filters=filters)) if "oolong" in text]
        for asked, filters in (("oolong", Filters()), ("oolong", Filters(wide=True)), ("Mei", Filters()))
    )
    assert plain == wide == named == ["perhaps she prefers oolong"]


@each_recipe
@pytest.mark.parametrize(
    "asked", ['"', "'; DROP TABLE", "NEAR(a, 3)", "a AND NOT b", "*", "\\", "a\0b", "🙈", "x" * 5000]
)
def test_no_question_breaks_anything(shelf, asked, recipe):
    """Whatever is asked, there is an answer or a plain no."""
    assert shelf.search(asked, recipe=recipe).verdict in set(Verdict)


def test_an_unknown_recipe_is_said_so(memory):
    """The error lists the known ones."""
    with pytest.raises(BadInput, match="no recipe is called"):
        memory.search("x", recipe="nothing")
