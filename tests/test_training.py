"""What is learnt from: well formed, divided by store, and none of it empty talk; and the one command that learns."""

import json
import subprocess
from collections import Counter
from hashlib import blake2b
from pathlib import Path

import pytest

stores = pytest.importorskip("training.stores", reason="the training folder is not part of this copy")
from training import __main__ as whole  # noqa: E402
from training import histories, labelled, labels  # noqa: E402

HERE = Path(stores.__file__).parent


def lines(pattern):
    """The rows of all files of this name, each with its place."""
    return [
        (f"{path.stem}:{number}", json.loads(line))
        for path in sorted(HERE.glob(pattern))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    ]


def label_problems(kept):
    """What is wrong with the labels of something kept."""
    fits = {
        "kind": kept["kind"] in labels.KINDS,
        "until": kept["until"] in labels.UNTIL,
        "about": kept["about"].partition(":")[0] in labels.ABOUT
        and (kept["about"].startswith("person:") or ":" not in kept["about"]),
    }
    return [name for name, is_well in fits.items() if not is_well]


def a_store(**changes):
    turn = {
        "id": "s1:1",
        "session": "s1",
        "speaker": "user",
        "date": "2026-01-01 10:00",
        "text": "I row.",
        "keep": [],
    }
    query = {
        "id": "q1",
        "category": "fact",
        "answerable": True,
        "gold": ["s1:1"],
        "answer": "rowing",
        "text": "sport?",
    }
    store = {
        "id": "x",
        "turns": [turn | changes.pop("turn", {})],
        "queries": [query | changes.pop("query", {})],
    }
    return store | changes


def test_every_written_store_can_be_learnt_from():
    """Spans stand in their turns, gold in its store, and whatever is unanswerable has none."""
    wrong = [(store["id"], one) for _, store in stores.read_stores() for one in stores.problems(store)]
    assert wrong == []
    assert len(list(stores.read_stores())) > 50


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {
                "turn": {
                    "keep": [
                        {"span": "swim", "kind": "skill", "until": "lasting", "about": "user", "says": "x"}
                    ]
                }
            },
            "span",
        ),
        (
            {
                "turn": {
                    "keep": [
                        {"span": "row", "kind": "sport", "until": "lasting", "about": "user", "says": "x"}
                    ]
                }
            },
            "kind",
        ),
        ({"turn": {"session": "s2"}}, "another session"),
        ({"query": {"gold": ["s1:2"]}}, "no turn"),
        ({"query": {"answerable": False}}, "category"),
        ({"query": {"category": "un-plan", "answerable": False}}, "go together"),
    ],
)
def test_what_is_wrong_is_said(change, says):
    """One sentence for each, with its place."""
    assert stores.problems(a_store()) == []
    assert says in " ".join(stores.problems(a_store(**change)))


def test_a_store_is_for_one_thing():
    """By its name alone, so that nobody moves it by looking."""
    names = [store["id"] for _, store in stores.read_stores()]
    assert len(names) == len(set(names))
    assert {stores.part_of(name) for name in names} == {"train", "choose", "measure"}


# Facts, turns, questions and readings


def test_the_labels_are_those_of_the_stores():
    """One list of kinds and of how long something holds, whoever wrote it down."""
    assert (set(labels.KINDS), set(labels.UNTIL)) == (stores.KINDS, stores.LASTS)
    for own in (labels.KINDS, labels.ABOUT, labels.STANCES, labels.UNTIL):
        assert len(own) == len(set(own))


def test_every_fact_can_be_learnt_from():
    """Said, asked for twice and nearly said, in both languages; no fact stands twice, also not to be measured by."""
    rows = lines("facts/*.jsonl")
    texts, asks = ("fact_en", "fact_zh", "near_en", "near_zh"), ("ask_en", "ask_zh")
    wrong = [
        place
        for place, row in rows
        if row.keys() != {*texts, *asks}
        or not all(row[name].strip() for name in texts)
        or any(len(row[name]) != 2 or not all(map(str.strip, row[name])) for name in asks)
        or row["fact_en"] == row["near_en"]
        or row["fact_zh"] == row["near_zh"]
    ]
    assert wrong == []
    assert [text for text, times in Counter(row["fact_en"] for _, row in rows).items() if times > 1] == []
    assert sum(place.startswith("measure:") for place, _ in rows) >= 200


def test_every_turn_can_be_learnt_from():
    """Labels from the lists, spans literal; about half of the turns hold nothing."""
    rows = lines("turns/*.jsonl")
    fields = {"lang", "prev", "prev_speaker", "speaker", "date", "text", "stance", "keep"}
    wrong = [
        place
        for place, row in rows
        if row.keys() != fields
        or row["lang"] not in {"en", "zh", "mixed"}
        or row["stance"] not in labels.STANCES
        or not row["text"].strip()
        or bool(row["prev"]) != bool(row["prev_speaker"])
    ]
    wrong += [
        f"{place}: {one}"
        for place, row in rows
        for one in row["keep"]
        if label_problems(one) or not one["span"] or one["span"] not in row["text"] or not one["says"]
    ]
    assert wrong == []
    assert 0.2 < sum(bool(row["keep"]) for _, row in rows) / len(rows) < 0.6
    assert {row["stance"] for _, row in rows} == set(labels.STANCES)
    assert {one["kind"] for _, row in rows for one in row["keep"]} == set(labels.KINDS)


HOW = {"replaces", "ends", "corrects", "moves", "done", "cancels", "back", "revives", "narrows"}


def test_every_timeline_says_what_changes_what():
    """Statements in their order; each names the earlier ones that it changes, each question those that answer it."""
    wrong = []
    for place, row in lines("changes/*.jsonl"):
        said = {one["id"]: one["date"] for one in row["statements"]}
        dates = list(said.values())
        changes = [(one["id"], change) for one in row["statements"] for change in one["changes"]]
        if dates != sorted(dates) or len(said) != len(row["statements"]):
            wrong.append(place)
        wrong += [place for by, change in changes if not 0 < change["id"] < by or change["how"] not in HOW]
        wrong += [place for one in row["questions"] if not {*one["now"], *one["past"]} <= said.keys()]
    assert wrong == []


def test_every_question_is_one_of_its_store():
    """Its id and its words stand there, and what is given beside it is another text; those of packs are not here."""
    asked = {
        (store["id"], query["id"]): query["text"]
        for _, store in stores.read_stores()
        for query in store["queries"]
    }
    here = {store for store, _ in asked}
    rows = lines("questions/*.jsonl")
    assert [place for place, row in rows if row.keys() != {"store", "id", "text", "other"}] == []
    ours = [(place, row) for place, row in rows if row["store"] in here]
    wrong = [place for place, row in ours if asked.get((row["store"], row["id"])) != row["text"]]
    wrong += [place for place, row in rows if not row["other"].strip() or row["other"] == row["text"]]
    assert wrong == []
    assert len(ours) > 1000
    assert len({(row["store"], row["id"]) for _, row in rows}) == len(rows)


def test_readings_hold_labels_and_no_words():
    """What we read in the turns of others, by the digest of the turn: their words stay with them."""
    rows = lines("readings/coding.jsonl")
    wrong = [
        place
        for place, row in rows
        if row.keys() != {"digest", "keep"} or len(bytes.fromhex(row["digest"])) != 12
    ]
    wrong += [
        place
        for place, row in rows
        for one in row["keep"]
        if one.keys() != {"begin", "end", "about", "kind", "until"}
        or label_problems(one)
        or not 0 <= one["begin"] < one["end"]
    ]
    assert wrong == []
    assert len({row["digest"] for _, row in rows}) == len(rows)


# Histories of coding agents

SPECSTORY = """# Ports

_**User**_

<ide_opened_file>a.py</ide_opened_file>Staging is on 8443, ask ann@example.org

---

_**Assistant**_

<think>hm</think>Noted.

---

_**User**_

/clear

_**User (sidechain)**_

Search the files.

_**User**_

请用中文回答
"""
AIDER = """# aider chat started at 2025-01-01
> Model: x
#### We use tabs here.

#### Always.
> Tokens: 1
Done.
> Applied edit
# aider chat started at 2025-01-02
#### Thanks a lot
"""


def test_what_was_typed_is_told_from_what_tools_added():
    """Commands, tags and talk between agents are no turns; a new session has nothing before it."""
    assert list(histories.typed("a.md", SPECSTORY)) == [
        ("a.md", "", "Staging is on 8443, ask ann@example.org"),
        ("a.md", "Noted.", "请用中文回答"),
    ]
    name = ".aider.chat.history.md"
    assert list(histories.typed(name, AIDER)) == [
        (f"{name}#1", "", "We use tabs here.\nAlways."),
        (f"{name}#2", "", "Thanks a lot"),
    ]


def test_labelled_turns_are_found_at_their_commit(monkeypatch, tmp_path, capsys):
    """Also when the file has gone since, masked, and only those that have labels; a clone that is missing is named."""
    clone = tmp_path / "ann+ports"
    path = clone / ".specstory" / "history" / "港口.md"
    path.parent.mkdir(parents=True)
    path.write_text(SPECSTORY, encoding="utf-8")

    def git(*words):
        who = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
        done = subprocess.run(["git", "-C", clone, *who, *words], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "with")
    commit = git("rev-parse", "HEAD")
    git("rm", "-qr", ".specstory")
    git("commit", "-qm", "without")
    text = "Staging is on 8443, ask <email>"
    label = {"digest": blake2b(text.encode(), digest_size=12).hexdigest(), "keep": []}
    table = {name: {"licence": "MIT", "commits": [commit]} for name in ("ann/ports", "ann/gone")}
    (tmp_path / "readings").mkdir()
    (tmp_path / "readings" / "coding.jsonl").write_text(json.dumps(label))
    (tmp_path / "histories.json").write_text(json.dumps(table))
    monkeypatch.setattr(histories, "_HERE", tmp_path)
    monkeypatch.setattr(labelled.sources, "HERE", tmp_path)
    (row,) = histories.rows(tmp_path)
    assert (row["source"], row["text"], row["prev"], row["lang"]) == ("ann/ports", text, "", "en")
    assert "ann+gone" in capsys.readouterr().out
    (tmp_path / "coding.jsonl").write_text(json.dumps(row))
    ((of, read, is_free),) = labelled.rows_of_labelled(tmp_path, None)
    assert (of, read["keep"], is_free) == ("coding ann/ports", [], True)


def test_every_history_is_pinned():
    """By whole commits, and with a licence."""
    table = json.loads((HERE / "histories.json").read_text(encoding="utf-8"))
    assert all(own["licence"] and own["commits"] for own in table.values())
    assert {len(bytes.fromhex(one)) for own in table.values() for one in own["commits"]} == {20}


# One command


@pytest.fixture
def ran(monkeypatch):
    """The commands that were run, none of them for real."""
    found = []
    monkeypatch.setattr(subprocess, "run", lambda words, **_: found.append(words[2:]))
    monkeypatch.setattr(whole.weights, "main", lambda words: found.append(["pack", *words]))
    return found


def test_one_command_does_it_all(ran, tmp_path):
    """Embed, read, changes, tag, pack: each is given what the one before it wrote."""
    out, work = tmp_path / "weights", tmp_path / "work"
    whole.main([*"--data data --stores packs --labelled turns --out".split(), str(out), "--work", str(work)])
    embed = str(work / "embed")
    assert [words[0] for words in ran] == [
        "training.embed",
        "training.read",
        "training.changes",
        "training.tag",
        "pack",
    ]
    assert ran[0] == ["training.embed", "--data", "data", "--out", embed, "--stores", "packs"]
    for words in ran[1:4]:
        assert words[words.index("--embed") + 1] == embed
        assert words[words.index("--stores") + 1] == "packs"
    assert [("--labelled" in words) for words in ran] == [False, False, False, True, False]
    read, tag = (
        str(work / name / f"{name}{shape}.safetensors")
        for name, shape in (("read", whole.READ), ("tag", whole.TAG))
    )
    change = str(work / "change" / "change.safetensors")
    assert ran[2][ran[2].index("--read") + 1] == read
    assert ran[4] == ["pack", embed, read, change, tag, "1", str(out)]


def test_weights_that_are_there_are_refused_at_once(ran, tmp_path):
    """Before minutes of learning, not after."""
    (tmp_path / "embed.safetensors").write_text("mine")
    with pytest.raises(SystemExit):
        whole.main(["--data", "data", "--out", str(tmp_path)])
    assert ran == []
