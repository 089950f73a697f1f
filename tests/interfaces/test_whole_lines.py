"""What is told of a note, the hot file and the buffer is what stands there: whole lines, or cut with an ellipsis."""

import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.compose import init, open_memory
from memoracle.interfaces.cli import main
from memoracle.store.layouts import layout_named
from support.files import PLAIN, contents, write
from support.layouts import LAYOUTS

SAID = (
    "qdrant moved to port 6340. The client was changed.",
    "latency > 300 ms means trouble",
    "Alice - design lead - left on Friday",
    "预算是 5000. 下周付款。",
    "temperature was -5 - 3 degrees",
    "W release 6.0 is out * 300 users",
    "O(c=0.7) the user likes dark mode.",
    "会议在 3. 楼 - 靠窗那间",
    "版本 1.2) 已经发布 + 12 个修复",
    "use a + b > c, not 4) x",
)
_LINE = re.compile(r"- (.*) `([^`]*)#L(\d+)`")
_MARK = re.compile(r"\s*(?:[-*+>•]|\d{1,3}[.)])\s+(?=\S)")


def told(text):
    """Each told line with the file and the line it names."""
    return [(said[1], said[2], int(said[3])) for said in map(_LINE.fullmatch, text.split("\n")) if said]


def stands(said, line):
    """True when the told words are that line without its list marker, whole or cut at the end."""
    plain = " ".join(said.replace("&lt;", "<").replace("&#91;", "[").split())
    bare = _MARK.match(line)
    own = {" ".join(one.split()) for one in (line, line[bare.end() :] if bare else line)}
    return plain in own or (plain.endswith("…") and any(one.startswith(plain[:-1]) for one in own))


def owners(root):
    """Every file with its digest, but for the view and the state of this machine."""
    return {
        path: digest
        for path, digest in contents(root).items()
        if not {"index", "state"} & set(path.split("/"))
    }


@pytest.mark.parametrize("marker", ["", "- ", "  * ", "3. ", "12) "])
def test_no_word_of_a_note_is_changed(cli, root, marker):
    """Only the marker of a list goes; the same signs inside a line are the owner's own."""
    today = datetime.now(UTC).date()
    body = "\n\n".join(marker + one for one in SAID)
    for place in (f"notes/daily/{today}.md", "MEMORY.md", "notes/working-buffer.md"):
        write(root, place, f"# {today}\n\n{body}\n")
        for words in (["context", "--budget", "9000"], ["recover", "--budget", "9000"]):
            lines = told(cli(*words).out)
            assert {path for _, path, _ in lines} == {place}
            assert sorted(said.replace("&lt;", "<") for said, _, _ in lines) == sorted(SAID)
        write(root, place, "# Nothing\n")


@given(
    st.lists(
        st.text(st.characters(categories=["L", "N", "P", "S"], include_characters=" "), min_size=1),
        max_size=6,
    )
)
def test_a_told_line_is_a_line_of_its_file(tmp_path_factory, lines):
    """Whatever stands in a line: it is told whole, cut at its end, or not at all."""
    root = tmp_path_factory.mktemp("told")
    init(str(root), environment={})
    with open_memory(str(root), environment=PLAIN) as memory:
        for path in ("MEMORY.md", "notes/working-buffer.md"):
            write(root, path, "# A title\n\n" + "\n\n".join(lines) + "\n")
        for shown in (memory.context().text, memory.recover().context.text):
            for said, path, number in told(shown):
                assert stands(said, (root / path).read_text("utf-8").split("\n")[number - 1])


@pytest.mark.parametrize("name", list(LAYOUTS))
def test_recover_leaves_every_file_as_it_was(tmp_path, capsys, name):
    """It reads: a buffer that its owner heads differently keeps its heading, and has no second one."""
    root = tmp_path / "adopted"
    assert main(["init", str(root), "--layout", name]) == 0
    write(root, layout_named(name)["buffer"], "# 工作缓冲区\n\n- [ ] 检查 6340. 端口\n")
    write(root, "MEMORY.md", "# Memory\n\nThe owner's own line.\n")
    before = owners(root)
    capsys.readouterr()
    assert main(["--root", str(root), "recover", "--json"]) == 0
    assert "检查 6340. 端口" in json.loads(capsys.readouterr().out)["text"]
    assert owners(root) == before


def test_an_item_leaves_the_owners_heading(cli, root):
    """The moments go below it."""
    write(root, "notes/working-buffer.md", "# 工作缓冲区\n\n- first\n")
    cli("buffer", "add", "second")
    lines = (root / "notes/working-buffer.md").read_text("utf-8").split("\n")
    assert (lines[0], lines[3:]) == ("# 工作缓冲区", ["", "- first", "- second", ""])
