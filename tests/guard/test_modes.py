"""Policy as data: what a table and variables may say, and what is in force."""

import pytest

from memoracle.errors import PolicyBroken, RefusedByPolicy
from memoracle.guard.guard import PolicyGuard
from memoracle.guard.modes import CHOICES, PERSONAL, Policy, PolicyMode, read_policy
from memoracle.guard.screening import Masking, ScreeningOutcome, guard
from memoracle.model.record import Channel, Sensitivity
from memoracle.settings import load_settings
from support.build import a_draft, a_record

from .samples import TOKENS, a_private_key, salt

PHONE = "call me at +1 415 555 0132"
MAIL = "write to mei.lin@example.com"


def policy_of(table, **environment):
    return read_policy(table, environment, where="memoracle.toml")


def guarded(text, policy, **fields):
    return guard(a_draft(text, **fields), Masking(salt, policy), policy)


def test_every_class_has_a_stance_of_its_own():
    """The built-in one is the first choice, and the policy of nobody has no source."""
    assert {name: Policy().choice(name) for name in CHOICES} == {
        name: one[0] for name, one in CHOICES.items()
    }
    assert policy_of({}).sources == {}
    named = {*(f"channel.{one}" for one in Channel), *(f"sensitivity.{one}" for one in Sensitivity)}
    assert named == {name for name in CHOICES if name.startswith(("channel.", "sensitivity."))}


@pytest.mark.seed("S4.070")
@pytest.mark.parametrize(
    ("stance", "outcome"),
    [
        ("off", ScreeningOutcome.ACCEPTED),
        ("allow", ScreeningOutcome.ACCEPTED),
        ("mask", ScreeningOutcome.MASKED),
        ("refuse", ScreeningOutcome.REFUSED),
        ("never-store", ScreeningOutcome.REFUSED),
    ],
)
def test_personal_data_is_allowed_masked_or_never_stored(stance, outcome):
    """Three classes; a mask leaves the words around it."""
    found = guarded(MAIL, policy_of({"mail": stance}))
    assert found.outcome is outcome
    assert ("mei.lin" in found.draft.statement.text) is (outcome is ScreeningOutcome.ACCEPTED)
    assert found.draft.statement.text.startswith("write to ")


@pytest.mark.seed("S4.070")
def test_a_secret_may_be_never_stored():
    """Instead of masked; never allowed."""
    found = guarded(f"the key is {TOKENS['github-token']}", policy_of({"secret": "never-store"}))
    assert (found.outcome, found.rules[-1]) == (ScreeningOutcome.REFUSED, "never-store:secret")


@pytest.mark.parametrize(
    "table",
    [
        {"secret": "allow"},
        {"secret": "off"},
        {"hidden": "allow"},
        {"injected": "mask"},
        {"phone": "sometimes"},
        {"phone": 1},
        {"telephone": "mask"},
        {"channel": "tool"},
        {"channel": {"radio": "allow"}},
        {"sensitivity": {"secret": "mask"}},
        {"never": "a phrase"},
        {"never": ["x"]},
        {"never": [3]},
        {"never": ["long " * 100]},
        {"privacy_list": "maybe"},
        [],
        "mask",
    ],
)
def test_a_table_that_makes_no_sense_is_broken(table):
    """Below the floor, unknown, or of the wrong type: what was meant is anybody's guess."""
    assert policy_of(table).broken


@pytest.mark.parametrize(
    "variable", ["MEMORACLE_POLICY_SECRET", "MEMORACLE_POLICY_HIDDEN", "MEMORACLE_POLICY_INJECTED"]
)
def test_no_variable_goes_below_the_floor(variable):
    """Nor does a flag: there is none."""
    assert policy_of({}, **{variable: "allow"}).broken


def test_a_misspelt_variable_is_broken():
    """It was meant to protect something."""
    assert "MEMORACLE_POLICY_PHNE" in policy_of({}, MEMORACLE_POLICY_PHNE="mask").broken


def test_a_variable_goes_before_the_file_and_each_part_knows_its_source():
    """In either direction above the floor."""
    chosen = policy_of(
        {"phone": "refuse", "mail": "mask"}, MEMORACLE_POLICY_PHONE="off", MEMORACLE_POLICY_ID_CN="mask"
    )
    assert (chosen.mode("phone"), chosen.mode("mail"), chosen.mode("id-cn")) == (
        PolicyMode.ALLOW,
        PolicyMode.MASK,
        PolicyMode.MASK,
    )
    assert dict(chosen.sources) == {
        "phone": "MEMORACLE_POLICY_PHONE",
        "mail": "memoracle.toml",
        "id-cn": "MEMORACLE_POLICY_ID_CN",
    }


def test_a_broken_phrase_is_not_repeated():
    """An error message is no place for what somebody blocked."""
    assert "z" * 50 not in policy_of({"never": ["z" * 500]}).broken


@pytest.mark.parametrize(
    ("stance", "outcome"),
    [("quarantine", ScreeningOutcome.QUARANTINED), ("never-store", ScreeningOutcome.REFUSED)],
)
def test_a_channel_may_be_set_apart_or_closed(stance, outcome):
    """All that comes through it; the others are as before."""
    policy = policy_of({"channel": {"tool": stance}})
    assert guarded("the sea is wide", policy, channel="tool").outcome is outcome
    assert guarded("the sea is wide", policy, channel="agent").outcome is ScreeningOutcome.ACCEPTED


def test_a_sensitivity_may_be_never_stored():
    """Some owners want nothing secret in a memory at all."""
    policy = policy_of({"sensitivity": {"secret": "never-store"}})
    found = guarded("the safe is behind the mirror", policy, sensitivity="secret")
    assert (found.outcome, found.rules) == (ScreeningOutcome.REFUSED, ("never-store:sensitivity.secret",))


def test_hidden_text_may_be_refused():
    """Instead of set apart."""
    found = guarded("a\u202eb", policy_of({"hidden": "never-store"}))
    assert (found.outcome, found.rules) == (ScreeningOutcome.REFUSED, ("hidden:direction",))


def test_the_last_door_masks_personal_data_too():
    """In every field, by policy."""
    guard = PolicyGuard(salt, policy_of({"mail": "mask"}))
    record = a_record(MAIL, entities=("mei.lin@example.com",))
    assert "mei.lin" not in str(guard.screen(record))


def test_the_view_learns_no_personal_data_of_a_broken_policy():
    """Nobody knows what it would have masked."""
    assert "mei.lin" not in PolicyGuard(salt, policy_of({"mail": "?"})).hide(MAIL)


def test_a_mask_is_not_masked_again():
    """Its own digits look like a number to some."""
    masking = Masking(salt, policy_of(dict.fromkeys(PERSONAL, "mask")))
    once = masking.text(f"{MAIL}, {PHONE}").text
    assert (masking.text(once).text, once.count("[secret:")) == (once, 2)


@pytest.mark.parametrize("keep_lines", [True, False])
def test_lines_keep_their_numbers_when_asked(keep_lines):
    """Beside personal data, too: what follows a key of many lines is still cited by its own line."""
    text = f"{MAIL}\n{a_private_key()}\nlast"
    masked = Masking(salt, policy_of({"mail": "mask"})).text(text, keep_lines=keep_lines).text
    assert (masked.count("[secret:"), text.splitlines()[1] in masked) == (2, False)
    assert masked.count("\n") == (text.count("\n") if keep_lines else 2)


@pytest.mark.seed("F-21")
def test_a_broken_policy_refuses_every_draft_and_edit():
    """It fails closed, and says why."""
    guard = PolicyGuard(salt, policy_of({"secret": "allow"}))
    for act in (
        lambda: guard.guard(a_draft("x")),
        lambda: guard.words({"text": "x"}),
        lambda: guard.admit(a_record("x")),
        lambda: guard.clean_copy(b"x"),
        lambda: guard.gate("x"),
    ):
        with pytest.raises(PolicyBroken, match="secret"):
            act()


def test_an_edit_cannot_bring_in_what_is_never_stored():
    """`words` refuses where `guard` would."""
    with pytest.raises(RefusedByPolicy, match="never-store:mail"):
        PolicyGuard(salt, policy_of({"mail": "refuse"})).words({"text": MAIL})


def test_settings_carry_the_policy(tmp_path):
    """A broken one is no error of reading settings."""
    (tmp_path / "memoracle.toml").write_text(
        'limit = 5\n[policy]\nphone = "mask"\n[policy.channel]\ntool = "quarantine"\n'
    )
    chosen = load_settings(str(tmp_path), {}).settings
    assert (chosen.limit, chosen.policy.mode("phone"), chosen.policy.mode("channel.tool")) == (
        5,
        "mask",
        "quarantine",
    )
    (tmp_path / "memoracle.toml").write_text('limit = 5\n[policy]\nphone = "loud"\n')
    assert "phone" in load_settings(str(tmp_path), {}).settings.policy.broken


@pytest.fixture
def levels(root, clock):
    """A memory with one record of each sensitivity, and how it is opened anew under a policy."""
    from memoracle.compose import open_memory
    from support.files import PLAIN

    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        ids = {
            level: memory.remember(f"the {level} garden", sensitivity=level).id
            for level in ("public", "private", "secret")
        }

    def seen(toml, via):
        (root / "memoracle.toml").write_text(toml)
        with open_memory(str(root), environment=PLAIN, clock=clock, via=via) as memory:
            found = {hit.passage.ref for hit in memory.search("garden").hits}
            named = {
                level
                for level, one in ids.items()
                if memory.root.reader.sees(memory.store.journal.versions(one)[0])
            }
            told = {level for level in ids if f"the {level} garden" in memory.context("garden").text}
            return {level for level, one in ids.items() if one in found}, named, told

    return seen


@pytest.mark.parametrize(
    ("toml", "via", "found", "told"),
    [
        ("", "mcp", {"public", "private", "secret"}, {"public", "private"}),
        ('[policy.show]\nsecret = "owner"\n', "mcp", {"public", "private"}, {"public", "private"}),
        ('[policy.show]\nsecret = "owner"\nprivate = "owner"\n', "mcp", {"public"}, {"public"}),
        ('[policy.show]\nprivate = "owner"\nsecret = "owner"\n', "hook", {"public"}, {"public"}),
        (
            '[policy.show]\nprivate = "owner"\nsecret = "owner"\n',
            "cli",
            {"public", "private", "secret"},
            {"public", "private"},
        ),
        ('[policy.show]\nprivate = "everybody"\n', "mcp", {"public"}, {"public"}),
        (
            '[policy.show]\nprivate = "everybody"\n',
            "cli",
            {"public", "private", "secret"},
            {"public", "private"},
        ),
    ],
)
def test_what_a_policy_keeps_from_agents_is_not_there_for_them(levels, toml, via, found, told):
    """Found, named or told unasked; their owner sees all of it. While it is broken only what is public is handed over."""
    assert levels(toml, via) == (found, found, told)


def test_a_policy_that_grows_stricter_holds_for_what_is_there(root, clock):
    """The view is made anew: what was kept before is shown masked."""
    from memoracle.compose import open_memory
    from support.files import PLAIN, write

    write(
        root,
        "notes/semantic/people.md",
        "# People\n\nMei Lin writes from mei.lin@example.com to the garden club.\n",
    )
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.remember("the garden club answers at club@example.com")
        assert "club@example.com" in str(memory.search("garden club").hits)
    (root / "memoracle.toml").write_text('[policy]\nmail = "mask"\n')
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        shown = str(memory.search("garden club").hits)
        assert ("example.com" in shown, shown.count("[secret:mail:") >= 2) == (False, True)
