"""Files that are taken in together give the rows that they give one by one, in every table."""

import json
import sqlite3

import pytest

from hosts.samples import claude_line
from memoracle.index.sqlite import view

ENGLISH = (
    "I moved to Lisbon in May.|Is the invoice export red again?|We keep two cats, Miso and Otis!|ok".split(
        "|"
    )
)
CHINESE = "我昨天搬到了里斯本。|导出又失败了吗？|我们养了两只猫，叫味噌和奥蒂斯。|好的".split("|")


def plain(texts, *, copies):
    """Eleven conversations; every third holds the turns of the first once more, when there are copies."""
    for number in range(11):
        session = "s0" if copies and number % 3 == 0 else f"s{number}"
        yield [
            {
                "id": str(turn),
                "session": session,
                "speaker": ["Ana", "Bo", f"Guest {number}"][turn % 3],
                "date": f"2026-03-0{1 + turn % 4} 09:0{turn % 10}",
                "text": f"{text} {session} {'word' * (turn % 3)}{turn}",
            }
            for turn, text in enumerate(texts * 5)
        ]


def tools():
    """Seven sessions of a coding agent with long output."""
    for number in range(7):
        output = "\n".join(
            f"line {line} of {number}: Error E{line:04} in src/cart_{line}.ts" for line in range(200)
        )
        call = claude_line("c1", "u1", "", type="assistant")
        use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f"npm test {number}"}}
        call["message"] = {"id": "m1", "role": "assistant", "content": [use]}
        result = claude_line("r1", "c1", "")
        result["message"]["content"] = [{"type": "tool_result", "tool_use_id": "t1", "content": output}]
        said = claude_line("a1", "r1", f"The cart fails {number} times.", type="assistant")
        lines = [claude_line("u1", None, f"Run the tests of cart {number}."), call, result, said]
        own = {name: f"{number}-{name}" for name in ("u1", "c1", "r1", "a1")}
        yield [
            line
            | {
                "uuid": own[line["uuid"]],
                "parentUuid": own.get(line["parentUuid"]),
                "sessionId": f"run-{number}",
            }
            for line in lines
        ]


CORPORA = {
    "english": list(plain(ENGLISH, copies=False)),
    "chinese": list(plain(CHINESE, copies=False)),
    "copies": list(plain([*ENGLISH, *CHINESE], copies=True)),
    "tools": list(tools()),
}


def rows(memory):
    """Every row of every table, whatever was put there first."""
    memory.rebuild_index()
    connection = sqlite3.connect(memory.index._file)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}
    connection.close()
    # Of a file that was written a moment ago the time is not trusted, and not noted.
    return found | {"files": [row[:4] + row[5:] for row in found["files"]]}


@pytest.mark.parametrize("name", CORPORA)
def test_files_taken_in_together_give_the_rows_of_files_taken_in_one_by_one(
    memory, tmp_path, monkeypatch, name
):
    """Terms, sessions and speakers have the same numbers, and of copies the same one stands."""
    for number, lines in enumerate(CORPORA[name]):
        path = tmp_path / "chats" / f"{number}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
        memory.ingest(str(path), embed=False)
    together = rows(memory)
    assert len(together["passages"]) > 2 * len(CORPORA[name])
    for most in (1, 3):
        monkeypatch.setattr(view, "_AT_ONCE", most)
        assert rows(memory) == together
    monkeypatch.setattr(view, "_TOGETHER", ())
    assert rows(memory) == together
