"""Claims: each is held against its evidence, and nothing is true because nothing was looked at."""

import json

import pytest

from memoracle.extensions.seats.handoffs.claims import verify
from memoracle.extensions.seats.handoffs.evidence import Looks, digest, same
from memoracle.extensions.seats.model import MISSING
from support.files import write

FACTS = {"machine/network.json": {"data": {"proxy": {"http": "none", "ports": [80, 443]}, "a.b": 1}}}
PAGES = {
    "projects/arena/builder/plan.md": "# Plan\n\nShip in May.\nThe port is 8080.\n",
    "projects/arena/builder/plan.md#L4": "The port is 8080.",
}
LOOKS = Looks(
    document=lambda path: FACTS.get(path, MISSING),
    record=lambda name: {
        "r1": {"text": "the cat is Miso", "status": "active"},
        "r2": {"status": "superseded"},
    }.get(name, MISSING),
    lines=lambda cited: PAGES.get(cited, MISSING),
)


def result(**evidence):
    """What one claim with one piece of evidence comes to: True, or the reason why not."""
    (one,) = verify({"claims": [{"statement": "so it is", "evidence": [evidence]}]}, LOOKS).claim_results
    return one.verified or one.mismatches[0].reason.value


@pytest.mark.seed("S1.113", "F-34")
@pytest.mark.parametrize(
    ("evidence", "outcome"),
    [
        ({"file": "machine/network.json", "path": "proxy.http", "expected_value": "none"}, True),
        ({"file": "machine/network.json", "path": "data.proxy.ports.1", "expected_value": 443}, True),
        ({"file": "machine/network.json", "path": "a.b", "expected_value": 1}, True),
        ({"file": "machine/network.json", "path": "proxy.http", "expected_value": "None"}, "mismatch"),
        ({"file": "machine/network.json", "path": "proxy.ports.1", "expected_value": "443"}, "mismatch"),
        ({"file": "machine/network.json", "path": "a.b", "expected_value": True}, "mismatch"),
        ({"file": "machine/network.json", "path": "proxy.https", "expected_value": None}, "path_not_found"),
        ({"file": "machine/network.json", "path": "proxy.https"}, "no_expected_value"),
        ({"file": "machine/network.json", "path": "proxy.http"}, "no_expected_value"),
        ({"file": "machine/nothing.json", "path": "x", "expected_value": 1}, "file_not_found"),
        ({"record": "r1", "expected_value": "the cat is Miso"}, True),
        ({"record": "r1", "content_hash": digest("the cat is Miso")}, True),
        ({"record": "r1", "content_hash": digest("the cat is Mia")}, "hash_mismatch"),
        ({"record": "r1", "expected_value": "the cat"}, "mismatch"),
        ({"record": "r2", "expected_value": "x"}, "not_standing"),
        ({"record": "r3", "expected_value": "x"}, "record_not_found"),
        ({"page": "projects/arena/builder/plan.md#L4", "expected_value": "port is 8080"}, True),
        ({"page": "projects/arena/builder/plan.md#L9", "expected_value": "port"}, "path_not_found"),
        ({"page": "projects/arena/builder/plan.md", "expected_value": ""}, "mismatch"),
        ({"page": "projects/arena/builder/plan.md", "expected_value": "  "}, "mismatch"),
        ({"page": "projects/arena/builder/none.md", "expected_value": "x"}, "file_not_found"),
        ({"page": "projects/arena/builder/plan.md#L4", "sha256": digest("The port is 8080.")}, True),
        (
            {"page": "projects/arena/builder/plan.md#L4", "sha256": digest("The port is 8081.")},
            "hash_mismatch",
        ),
        ({"expected_value": "x"}, "bad_evidence"),
        ({"record": "r1", "expected_value": "the cat is Miso", "normalise": ["magic"]}, "bad_evidence"),
    ],
)
def test_one_piece_of_evidence(evidence, outcome):
    """The place must exist, something must be expected of it, and it must say exactly that."""
    assert result(**evidence) == outcome


@pytest.mark.parametrize(
    ("found", "expected", "rules", "outcome"),
    [
        ("443", 443, ["number"], True),
        ("1,000", 1000.0, ["number"], True),
        ("443", 443, [], False),
        ("a  b\n", "a b", ["whitespace"], True),
        ("a  b", "a b", [], False),
        ("Miso", "miso", ["case"], True),
        (True, 1, [], False),
        (1, 1.0, [], True),
        ([1, 2], [1, 2], [], True),
        ([1, 2], [True, 2], [], False),
        ({"a": [0]}, {"a": [False]}, [], False),
        ({"a": 1}, {"a": 1, "b": 2}, [], False),
        (443, 10**400, ["number"], False),
        (2**53, 2**53 + 1, ["number"], False),
        ("٣", 3, ["number"], True),
        ("x", 4, ["number"], False),
    ],
)
def test_normalisation_is_explicit(found, expected, rules, outcome):
    """Numbers, blanks and case count as they are written unless the evidence says otherwise."""
    assert same(found, expected, rules) is outcome


@pytest.mark.seed("S1.113")
@pytest.mark.parametrize(
    ("response", "all_verified", "reason"),
    [
        ({}, None, "legacy_schema_no_evidence"),
        ({"answer": "yes", "claims": []}, None, "legacy_schema_no_evidence"),
        ("words", None, "legacy_schema_no_evidence"),
        ({"claims": "x"}, False, "claims_not_list"),
        ({"claims": {"a": 1}}, False, "claims_not_list"),
    ],
)
def test_responses_that_claim_nothing(response, all_verified, reason):
    """Nothing claimed is not the same as everything proved."""
    checked = verify(response, LOOKS)
    assert (checked.all_verified, checked.reason) == (all_verified, reason)


@pytest.mark.seed("S1.113")
def test_one_bad_claim_fails_them_all():
    """The good one is still told as good; a statement is cut at 80 characters."""
    good = {"statement": "x" * 200, "evidence": [{"record": "r1", "expected_value": "the cat is Miso"}]}
    checked = verify({"claims": [good, "no claim", {"statement": "bare"}]}, LOOKS)
    told = [(one.verified, [m.reason.value for m in one.mismatches]) for one in checked.claim_results]
    assert checked.all_verified is False
    assert told == [(True, []), (False, ["claim_not_dict"]), (False, ["no_evidence"])]
    assert len(checked.claim_results[0].statement) == 80


@pytest.mark.seed("S1.112")
def test_evidence_anywhere_in_memory(memory, root):
    """A machine fact, a project's fact, a record, a page's line: all from the files themselves."""
    write(root, "machine/network.json", json.dumps({"data": {"proxy": "none"}}))
    write(root, "projects/arena/builder/plan.md", "# Plan\n\nShip in May.\n")
    kept = memory.remember("the cat is called Miso")
    response = {
        "claims": [
            {
                "statement": "all of it",
                "evidence": [
                    {"file": "machine/network.json", "path": "proxy", "expected_value": "none"},
                    {"record": kept.id, "expected_value": "the cat is called Miso"},
                    {"page": "projects/arena/builder/plan.md#L3", "expected_value": "Ship in May."},
                ],
            }
        ]
    }
    assert memory.seats.verify(response).all_verified is True


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "state/salt", "memoracle.toml", "index/x", "events.jsonl"]
)
def test_nothing_outside_or_of_memorys_own_is_evidence(memory, path):
    """A claim cannot be used to ask what other files hold."""
    checked = memory.seats.verify(
        {"claims": [{"statement": "", "evidence": [{"page": path, "expected_value": "root"}]}]}
    )
    assert checked.claim_results[0].mismatches[0].reason == "file_not_found"


@pytest.mark.seed("F-34")
def test_a_line_of_a_record_counts_while_it_stands(memory):
    """A citation as recall gives it is evidence; the line of a version that was replaced is none."""
    kept = memory.remember("the cat is called Miso")
    (hit,) = memory.search("cat Miso").hits
    piece = {"page": hit.passage.cite, "expected_value": "the cat is called Miso"}
    claims = {"claims": [{"statement": "", "evidence": [piece]}]}
    before = memory.seats.verify(claims).all_verified
    memory.edit(kept.id, text="the cat is called Mia")
    assert (before, memory.seats.verify(claims).all_verified) == (True, False)


def test_a_secret_cannot_be_asked_for(memory, root):
    """A note is compared as it would be shown: whoever guesses a token learns nothing."""
    token = "ghp_" + "a1B2" * 9
    write(root, "notes/semantic/keys.md", f"# Keys\n\nthe token is {token}\n")
    piece = {"page": "notes/semantic/keys.md", "expected_value": token}
    assert memory.seats.verify({"claims": [{"statement": "", "evidence": [piece]}]}).all_verified is False
