"""Lines of other designs are read as records, completely and always the same way."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.extensions.layouts.older import OURS, upgrade
from memoracle.model.record import Anchor, Channel, Kind, Sensitivity
from memoracle.store import line
from memoracle.store.line import DamagedLine, decode, encode

LINES = (Path(__file__).parent / "data" / "older.jsonl").read_bytes().splitlines()
TRIPLE, FACT, BELIEF, SUMMARY, KEYED, PAGE = (json.loads(raw) for raw in LINES)
FIRST = datetime(2026, 2, 4, 10, 30, tzinfo=UTC)


@pytest.mark.seed("S0.030")
def test_a_triple_keeps_its_id_words_and_activation():
    """A vm-oracle fact is a fact with subject, predicate and object, and reads as a sentence."""
    record = upgrade(TRIPLE)

    assert record.id == TRIPLE["id"]
    assert record.kind is Kind.FACT
    assert record.text == "deployment project started on 2026-05-15"
    assert (record.statement.subject, record.statement.predicate, record.statement.object) == (
        "deployment project",
        "started_on",
        "2026-05-15",
    )
    assert record.weight.anchor == Anchor(value=1.0, at=datetime(2026, 5, 15, 14, 30, tzinfo=UTC))


@pytest.mark.seed("S0.031")
def test_what_the_user_stated_is_the_owners_word():
    """`user-stated` comes from the owner; any other source is worth no more than an agent's word."""
    stated, inferred = upgrade(TRIPLE), upgrade({**TRIPLE, "source": "inferred"})

    assert (stated.origin.channel, stated.origin.trust, stated.change.by) == (
        Channel.OWNER,
        1.0,
        "user-stated",
    )
    assert inferred.origin.channel is Channel.AGENT


@pytest.mark.seed("S2.020")
def test_a_stated_fact_keeps_its_importance_entities_and_place():
    """A memory-system fact knows the session and line it came from."""
    record = upgrade(FACT)

    assert (record.kind, record.text, record.entities) == (Kind.HEALTH, "用户对花生过敏", ("用户",))
    assert (record.weight.importance, record.weight.confidence) == (1.0, 1.0)
    assert record.weight.anchor == Anchor(value=0.95, at=FIRST)
    assert (record.origin.session, record.origin.where) == ("session_abc123", "session_abc123#L15")
    assert record.origin.channel is Channel.OWNER


@pytest.mark.seed("S2.021")
def test_a_belief_keeps_its_confidence_and_basis():
    """What was inferred stays inferred, with the reason."""
    record = upgrade(BELIEF)

    assert (record.kind, record.weight.confidence, record.extra["basis"]) == (
        Kind.BELIEF,
        0.6,
        BELIEF["basis"],
    )
    assert record.origin.channel is Channel.AGENT


@pytest.mark.seed("S2.022")
def test_a_summary_keeps_its_source_facts():
    """The facts a summary was made from are its sources."""
    record = upgrade(SUMMARY)

    assert (record.kind, record.sources) == (Kind.SUMMARY, ("f_20260204_001", "f_20260204_002"))


@pytest.mark.seed("S2.023")
@pytest.mark.parametrize(("prefix", "kind"), [("f", Kind.FACT), ("b", Kind.BELIEF), ("s", Kind.SUMMARY)])
def test_the_prefix_of_an_id_tells_the_kind(prefix, kind):
    """`f_`, `b_` and `s_` decide, whatever else the line holds."""
    fields = {**FACT, "content": "用户住在杭州", "id": f"{prefix}_20260204_a1b2c3"}
    assert upgrade(fields).kind is kind


@pytest.mark.seed("S4.060")
def test_a_keyed_record_keeps_key_value_version_and_source():
    """A record of the openclaw guide loses none of its fields."""
    record = upgrade(KEYED)

    assert (record.id, record.version, record.kind) == ("mem_8f3c", 4, Kind.PREFERENCE)
    assert (record.text, record.statement.key, record.statement.value) == (
        "editor.theme: dark",
        "editor.theme",
        "dark",
    )
    assert (record.scope.user, record.weight.confidence) == ("usr_123", 0.91)
    assert (record.origin.where, record.change.by) == ("msg_9981", "chat_turn")
    assert record.origin.observed == record.validity.confirmed == datetime(2026, 1, 10, 9, 20, 11, tzinfo=UTC)
    assert record.weight.anchor == Anchor(value=1.0, at=record.validity.confirmed)
    assert record.extra["embedding_ref"] == "vec_77ad"


@pytest.mark.seed("S4.061")
@pytest.mark.parametrize(
    ("ttl", "expires"),
    [
        (None, None),
        (3600, datetime(2026, 1, 10, 10, 20, 11, tzinfo=UTC)),
        ("30d", datetime(2026, 2, 9, 9, 20, 11, tzinfo=UTC)),
        ("2026-12-31T00:00:00Z", datetime(2026, 12, 31, tzinfo=UTC)),
    ],
)
def test_a_time_to_live_becomes_an_expiry(ttl, expires):
    """It runs from the last confirmation."""
    assert upgrade({**KEYED, "ttl": ttl}).validity.expires == expires


@pytest.mark.seed("S4.061")
@pytest.mark.parametrize(
    ("level", "means"),
    [
        ("low", Sensitivity.PRIVATE),
        ("public", Sensitivity.PUBLIC),
        ("high", Sensitivity.SECRET),
        ("cosmic", Sensitivity.SECRET),
        (None, Sensitivity.PRIVATE),
    ],
)
def test_an_unknown_sensitivity_is_handled_with_the_greatest_care(level, means):
    """Nothing becomes more public by being adopted."""
    assert upgrade({**KEYED, "sensitivity": level}).sensitivity is means


@pytest.mark.seed("S1.083")
def test_a_page_record_keeps_title_body_project_and_evidence():
    """A clawseat record is read with its author, project and what it replaces."""
    record = upgrade(PAGE)

    assert (record.id, record.kind) == ("decision-arena-1a2b3c4d", Kind.DECISION)
    assert record.text == "Use SQLite\n\nThe index is rebuilt from files."
    assert (record.scope.project, record.origin.who, record.change.by) == ("arena", "memory", "memory")
    assert record.validity.supersedes == ("decision-arena-00000000",)
    assert record.extra["evidence"] == PAGE["evidence"]
    assert record.created == datetime(2026, 5, 9, 2, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "kind"),
    [("finding", Kind.FINDING), ("issue", Kind.FINDING), ("reflection", Kind.LESSON), ("runtime", Kind.FACT)],
)
def test_kinds_we_lack_are_read_as_their_nearest_and_remembered(given, kind):
    """The foreign word stays on the record."""
    record = upgrade({**PAGE, "kind": given})

    assert record.kind is kind
    assert given in {record.kind.value, record.extra.get("older", {}).get("kind")}


def test_shared_knowledge_belongs_to_every_project():
    """`_shared` is no project of its own."""
    assert upgrade({**PAGE, "project": "_shared"}).scope.project == ""


def test_people_whose_name_cannot_be_a_file_name_stay_apart():
    """A mail address as user id neither fails nor makes the memory everybody's."""
    ann, bob = (upgrade({**KEYED, "user_id": f"{who}@example.org"}) for who in ("ann", "bob"))

    assert ann.scope.user
    assert ann.scope.user != bob.scope.user
    assert ann.extra["user_id"] == "ann@example.org"


def test_a_later_touch_moves_the_anchor():
    """A score that was last written in March does not age from February."""
    touched = upgrade({**FACT, "last_accessed": "2026-03-01T00:00:00Z"})

    assert touched.weight.anchor == Anchor(value=0.95, at=datetime(2026, 3, 1, tzinfo=UTC))


@pytest.mark.parametrize("fields", [TRIPLE, FACT, BELIEF, SUMMARY, KEYED, PAGE])
def test_the_same_line_gives_the_same_record(fields):
    """Reading is a function of the line alone."""
    assert upgrade(fields) == upgrade(json.loads(json.dumps(fields)))


@pytest.mark.parametrize("raw", LINES)
def test_an_adopted_record_survives_being_written_in_our_format(raw):
    """Encoded and decoded again it is the same record, now with a checksum."""
    adopted = decode(raw)
    ours = decode(encode(adopted.record).rstrip(b"\n"))

    assert (ours.record, adopted.signed, ours.signed) == (adopted.record, False, True)


@given(
    st.sampled_from([TRIPLE, FACT, BELIEF, SUMMARY, KEYED, PAGE]),
    st.dictionaries(
        st.sampled_from(sorted(OURS - {"sum", "schema"}))
        | st.text(st.characters(codec="utf-8"), min_size=1, max_size=8),
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(st.characters(codec="utf-8"), max_size=8),
        max_size=4,
    ),
)
def test_no_unknown_field_is_lost(fields, added):
    """Whatever else a line holds is found again after it was rewritten in our format."""
    unknown = {name: value for name, value in added.items() if name not in fields}
    try:
        record = upgrade({**fields, **unknown})
    except ValueError:
        return  # one of them was a field of that design, with a bad value
    again = decode(encode(record).rstrip(b"\n")).record.extra

    kept = {**again, **again.get("older", {})}
    read = {
        "version",
        "importance",
        "confidence",
        "entities",
        "source",
        "type",
        "score",
        "updated",
        "sensitivity",
    }
    assert {name: kept.get(name) for name in unknown if name not in read} == {
        name: value for name, value in unknown.items() if name not in read
    }


def test_the_reserved_names_cover_every_field_of_our_lines():
    """A foreign field can never stand where one of ours is read."""
    assert line._KNOWN <= OURS


@pytest.mark.seed("S0.036")
@pytest.mark.parametrize(
    "bad",
    [
        {**TRIPLE, "activation": 7},
        {**TRIPLE, "activation": True},
        {**TRIPLE, "activation": "high"},
        {**TRIPLE, "id": ""},
        {**TRIPLE, "id": None},
        {**TRIPLE, "id": 12},
        {**TRIPLE, "id": "two\nlines"},
        {**TRIPLE, "created": None},
        {**TRIPLE, "created": "yesterday"},
        {**TRIPLE, "created": "0001-01-01T00:00:00+14:00"},
        {**TRIPLE, "subject": " "},
        {**TRIPLE, "source": 5},
        {**TRIPLE, "object": "\ud800"},
        {**FACT, "importance": -0.1},
        {**FACT, "content": ["x"]},
        {**FACT, "entities": "user"},
        {**KEYED, "version": 0},
        {**KEYED, "version": True},
        {**KEYED, "ttl": "soon"},
        {**KEYED, "ttl": 1e300},
        {**KEYED, "source": {"kind": 3}},
        {**PAGE, "schema_version": 2},
        {**PAGE, "confidence": ["high"]},
        {**PAGE, "ts": "0"},
        {"hello": "world"},
        {},
    ],
)
def test_bad_values_are_refused_as_damage(bad):
    """A line nobody can vouch for is set aside, with a reason; it never becomes a strange record."""
    with pytest.raises(ValueError):
        upgrade(bad)
    with pytest.raises(DamagedLine):
        decode(json.dumps(bad).encode())


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=5,
    ),
    st.sampled_from([TRIPLE, FACT, BELIEF, SUMMARY, KEYED, PAGE]),
    st.data(),
)
def test_any_value_is_read_or_refused(value, fields, data):
    """Whatever stands in a field, the outcome is a record that can be written, or a ValueError."""
    name = data.draw(st.sampled_from(sorted(fields)))
    try:
        record = upgrade({**fields, name: value})
    except ValueError:
        return
    assert decode(encode(record).rstrip(b"\n")).record.id == record.id
