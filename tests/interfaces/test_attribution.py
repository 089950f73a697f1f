"""Generated texts say whose a fact is: the owner's own leads, what is about others stands under their names."""

import json
import re
from datetime import UTC, datetime

import pytest

from support.files import write

OWN = ("I am allergic to shellfish.", "I live in Porto.", "I have to renew my passport.")
OTHERS = {
    "My sister Ilse moved to Ghent in October.": "Ilse",
    "My son is allergic to nuts.": "son",
    "我妹妹小雨对花生过敏。": "小雨",
    "My friend Joe plans to move to Berlin.": "Joe",
    "My brother is a vegetarian.": "brother",
    "妈妈有高血压。": "妈妈",
}


@pytest.fixture
def heard(cli, tmp_path):
    """Memory after a conversation in which the owner spoke of themselves and of others."""
    at = datetime.now(UTC).isoformat()
    lines = [{"role": "user", "content": one, "timestamp": at} for one in (*OTHERS, *OWN)]
    path = write(tmp_path, "chat.jsonl", "\n".join(map(json.dumps, lines)))
    assert cli("ingest", path).status == cli("consolidate").status == 0


def parts(text):
    """The lines of each part of a generated text, by its heading."""
    found, heading = {}, ""
    for line in text.split("\n"):
        if named := re.fullmatch(r"## (.+)|\*\*(.+)\*\*", line):
            heading = named[1] or named[2]
        elif line.startswith("- "):
            found.setdefault(heading, []).append(line)
    return found


def test_others_stand_under_their_names(cli, root, heard):
    """In the hot file, the snapshot and the context; health first, and early."""
    for shown in ((root / "MEMORY.md").read_text("utf-8"), cli("snapshot").out, cli("context").out):
        told = parts(shown)
        people = told.pop("People and things")
        for said, name in OTHERS.items():
            (line,) = [one for one in people if said in one]
            assert line.startswith((f"- {name}: ", f"- {name}"))
            assert not any(said in one for lines in told.values() for one in lines)
        for said in OWN:
            assert not any(said in one for one in people)
            assert sum(said in one for lines in told.values() for one in lines) == 1
        assert [one for one in told["Constraints"] if "shellfish" not in one] == []
        assert [*parts(shown)].index("People and things") == [*parts(shown)].index("Constraints") + 1
        assert {name for name in ("小雨", "son", "妈妈") if any(name in one for one in people[:3])} == {
            "小雨", "son", "妈妈"
        }  # fmt: skip


def test_a_line_names_whom_it_is_about(cli, root):
    """Where the words do not: kept by an agent or a program as subject, predicate and object."""
    kept = ("--subject", "Ilse", "--predicate", "works_at", "--object", "Acme")
    cli("remember", "works at Acme since spring", *kept)
    cli("consolidate")
    for shown in ((root / "MEMORY.md").read_text("utf-8"), cli("context", "who works at Acme").out):
        assert "- Ilse: works at Acme since spring" in shown
    cli("digest")
    days = "".join(path.read_text("utf-8") for path in root.glob("notes/daily/*.md"))
    assert "- Ilse: works at Acme since spring" in days


def test_the_owners_own_name_is_the_owner(cli, root):
    """What is said of them by name is their own."""
    cli(
        "remember",
        "My name is Mei",
        "--kind",
        "identity",
        "--subject",
        "user",
        "--predicate",
        "is_called",
        "--object",
        "Mei",
    )
    cli(
        "remember",
        "Mei is allergic to nuts",
        "--kind",
        "health",
        "--subject",
        "Mei",
        "--predicate",
        "allergic_to",
        "--object",
        "nuts",
    )
    cli("consolidate")
    told = parts((root / "MEMORY.md").read_text("utf-8"))
    assert ("Mei is allergic to nuts" in str(told["Constraints"]), "People and things" in told) == (
        True,
        False,
    )


@pytest.mark.parametrize("channel", ["person", "document", "tool", "external"])
def test_what_others_said_is_not_told_unasked(cli, root, channel):
    """Another person's words and brought-in texts are found by whoever asks."""
    cli(
        "remember",
        "Ilse lives in Ghent",
        "--channel",
        channel,
        "--subject",
        "Ilse",
        "--predicate",
        "lives_in",
        "--object",
        "Ghent",
    )
    cli("consolidate")
    for shown in (
        (root / "MEMORY.md").read_text("utf-8"),
        cli("context", "where does Ilse live").out,
        cli("snapshot").out,
    ):
        assert "Ghent" not in shown
    assert "Ghent" in cli("recall", "where does Ilse live").out


def test_however_many_others_there_are_the_owner_leads(cli, root, tmp_path):
    """A chat full of friends does not fill the hot file."""
    names = (
        "Ann",
        "Bob",
        "Cem",
        "Dan",
        "Eva",
        "Fay",
        "Gus",
        "Hal",
        "Ida",
        "Jim",
        "Kai",
        "Lea",
        "Mia",
        "Ned",
        "Ola",
        "Pia",
    )
    at = datetime.now(UTC).isoformat()
    said = [
        f"My friend {name} {does}."
        for name in names
        for does in ("lives in Ghent", "likes chess", "works at Acme")
    ]
    lines = [{"role": "user", "content": one, "timestamp": at} for one in (*said, *OWN)]
    cli("ingest", write(tmp_path, "chat.jsonl", "\n".join(map(json.dumps, lines))))
    cli("consolidate")
    told = parts((root / "MEMORY.md").read_text("utf-8"))
    assert len(told["People and things"]) <= 15
    assert all(any(said in one for lines in told.values() for one in lines) for said in OWN)
