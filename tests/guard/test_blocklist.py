"""The privacy gate and the owner's blocklist: they fail closed."""

import os

import pytest

from memoracle.compose import open_memory
from memoracle.errors import PolicyBroken, PrivacyStop, RefusedByPolicy
from memoracle.extensions.sync.gitsync import SecretInTheWay
from memoracle.guard.blocklist import find_blocked, of_phrases, read_list
from memoracle.guard.guard import PolicyGuard
from memoracle.guard.modes import Policy
from memoracle.learn.policies import policy_check
from support.files import PLAIN, write

from .samples import TOKENS, salt


def listed(text):
    return read_list(text, "machine/privacy.md")


def blocks(line, text):
    return bool(find_blocked(text, listed(f"BLOCK: {line}").entries))


@pytest.mark.seed("S1.227", "S1.228")
@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Project Nightingale", "we met about project  nightingale today"),
        ("夜莺计划", "关于夜莺计划的会议"),
        ("Nightingale", "Night\u200bingale"),
        ("Nightingale", "Ｎightingale"),
        ('"cost (net)"', "the cost (net) is high"),
        (r"PRJ-\d{4}", "see prj-2041"),
        (r"1[3-9]\d{9}", "13812345678"),
        (r"internal-[a-z]+|codename .*rose", "the codename is rose, codename big rose"),
        (r"colou?r plan", "the color plan"),
    ],
)
def test_what_is_blocked_is_seen(line, text):
    """Whatever its case, its width and what is hidden in it; simple patterns too."""
    assert blocks(line, text)


@pytest.mark.parametrize(
    ("line", "text"), [("Nightingale", "a nightin gale"), (r"PRJ-\d{4}", "PRJ-12"), ('"a.c"', "abc")]
)
def test_other_words_are_not(line, text):
    """A phrase is literal."""
    assert not blocks(line, text)


@pytest.mark.seed("F-21", "S1.228")
@pytest.mark.parametrize(
    "text",
    [
        "BLOCK: (a+)+b",
        "BLOCK: [unclosed",
        "BLOCK: .*.*.*x",
        "BLOCK: a?b?c?d?e",
        "BLOCK: .*",
        "BLOCK: x",
        "BLOCK:",
        "BLOCK: back\\1reference",
        "- real names: Mei Lin",
        "# Privacy\n\nNothing here blocks anything.",
    ],
)
def test_a_list_that_cannot_be_understood_is_malformed(text):
    """A bad pattern is never taken for a word, and a list without entries for an empty one."""
    assert listed(text).problem


def test_problems_do_not_repeat_the_list():
    """They name the line."""
    problem = listed("BLOCK: fine words\nBLOCK: (secret-name)+").problem
    assert ("line 2" in problem, "secret-name" in problem) == (True, False)


def test_patterns_end_on_hostile_text():
    """Few repetitions, each of them bounded."""
    entries = listed(r"BLOCK: a*b.*c").entries
    assert find_blocked("a" * 50_000, entries) == ()


@pytest.mark.seed("S1.226")
@pytest.mark.parametrize(
    "text",
    [
        "my mail is mei.lin@example.com",
        "the file is at /home/mei/work/plan.md",
        r"look into C:\Users\mei\Desktop",
        "post to chat oc_" + "0a1b2c3d" * 4,
        f"token {TOKENS['github-token']}",
        "about Nightingale",
    ],
)
def test_what_goes_out_is_clean_of_private_data(text):
    """Personal data, private paths, chat ids, secrets and blocked words stop a query or a message."""
    guard = PolicyGuard(salt, Policy(never=("nightingale",)))
    with pytest.raises(PrivacyStop) as stopped:
        guard.must_go(text, action="sending")
    assert not any(word in str(stopped.value) for word in text.split() if len(word) > 6)


def test_an_ordinary_text_goes_out():
    """With nothing taken from it."""
    guard = PolicyGuard(salt, Policy(never=("nightingale",)))
    assert guard.gate("which version of SQLite has JSONB? see /usr/share/doc", outgoing=True) == ()


def a_memory(root, clock, toml="", privacy=None):
    (root / "memoracle.toml").write_text(toml)
    if privacy is not None:
        write(root, "machine/privacy.md", privacy)
    return open_memory(str(root), environment=PLAIN, clock=clock)


@pytest.mark.seed("S1.226", "S1.227")
def test_what_is_blocked_is_never_stored(root, clock):
    """By the settings or by the list; the receipt of refusal names neither."""
    with a_memory(root, clock, '[policy]\nnever = ["Nightingale"]\n', "BLOCK: PRJ-\\d{4}\n") as memory:
        for text in ("nightingale sings", "see PRJ-2041"):
            with pytest.raises(RefusedByPolicy, match="never-store:blocked"):
                memory.remember(text)
        assert memory.remember("the cat is called Miso").created


def break_missing(path):
    path.unlink()


def break_malformed(path):
    path.write_text("BLOCK: (a+)+\n")


def break_binary(path):
    path.write_bytes(b"\xff\xfe\x00")


def break_folder(path):
    path.unlink()
    path.mkdir()


def break_link(path):
    path.rename(path.with_name("elsewhere.md"))
    path.symlink_to(path.with_name("elsewhere.md"))


@pytest.mark.seed("F-21", "S1.227")
@pytest.mark.parametrize("damage", [break_missing, break_malformed, break_binary, break_folder, break_link])
def test_every_guarded_action_stops_when_the_list_cannot_be_read(root, clock, tmp_path, damage):
    """Writing, committing, exporting, importing, sending; reading goes on and says so."""
    with a_memory(root, clock, '[policy]\nprivacy_list = "required"\n', "BLOCK: Nightingale\n") as memory:
        memory.remember("the cat is called Miso")
        damage(root / "machine/privacy.md")
        for act in (
            lambda: memory.remember("the dog is called Rex"),
            lambda: memory.note("a line"),
            lambda: memory.buffer("add", "something"),
            lambda: memory.sync(init=True),
            lambda: memory.export(str(tmp_path / "out")),
            lambda: memory.import_(str(root)),
            lambda: memory.consolidate(force=True),
            memory.flush,
            lambda: policy_check(memory.root, "x"),
        ):
            with pytest.raises(PolicyBroken):
                act()
        found = memory.search("cat Miso")
        assert (
            len(found.hits),
            "nothing is written" in found.warnings[-1],
            bool(memory.policy().problem),
        ) == (1, True, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_list_nobody_may_read_stops_everything(root, clock):
    """Permissions are no way around it."""
    with a_memory(root, clock, "", "BLOCK: Nightingale\n") as memory:
        (root / "machine/privacy.md").chmod(0)
        with pytest.raises(PolicyBroken):
            memory.remember("x is y")


def test_without_a_list_the_built_in_patterns_hold(root, clock):
    """Nothing has to be configured."""
    with a_memory(root, clock) as memory:
        assert [one.type for one in policy_check(memory.root, f"x {TOKENS['github-token']}")] == [
            "github-token"
        ]
        assert policy_check(memory.root, "the cat is called Miso") == ()


def test_a_list_that_changes_is_read_again(root, clock):
    """A process that stays open follows its owner."""
    with a_memory(root, clock, "", "BLOCK: Nightingale\n") as memory:
        assert memory.remember("the lark sings").created
        write(root, "machine/privacy.md", "BLOCK: Nightingale\nBLOCK: the blackbird\n")
        with pytest.raises(RefusedByPolicy):
            memory.remember("the blackbird sings")


@pytest.mark.seed("S1.227")
def test_nothing_blocked_is_committed(root, clock):
    """A note that its owner wrote by hand stops the commit, by place and type."""
    with a_memory(root, clock, "", "BLOCK: Nightingale\n") as memory:
        write(root, "notes/semantic/birds.md", "# Birds\n\nThe nightingale sings at night.\n")
        with pytest.raises(SecretInTheWay, match=r"birds\.md#L3 \(blocked\)"):
            memory.sync(init=True)


@pytest.mark.seed("F-21")
def test_a_broken_policy_stops_writing_and_not_reading(root, clock):
    """Every write is refused with the reason; answers come with a warning."""
    with a_memory(root, clock) as memory:
        memory.remember("the cat is called Miso")
    with a_memory(root, clock, '[policy]\nsecret = "allow"\n') as memory:
        with pytest.raises(PolicyBroken, match="secret"):
            memory.remember("the dog is called Rex")
        found = memory.search("cat Miso")
        assert (len(found.hits), "nothing is written" in found.warnings[-1]) == (1, True)
        for act in (memory.pin, memory.archive):
            with pytest.raises(PolicyBroken):
                act(found.hits[0].passage.ref)
        assert "secret" in memory.status().warnings[-1]
        assert memory.forget([found.hits[0].passage.ref]).lines


def test_phrases_have_numbers_not_words():
    """What a rule is called gives nothing away."""
    assert [one.rule for one in of_phrases(("alpha beta", "gamma"))] == ["never:1", "never:2"]
