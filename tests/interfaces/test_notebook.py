"""`context`, `recover`, `note`, `buffer` and `tags` on the command line, as an agent's shell calls them."""

import json
import subprocess

import pytest

from support.files import contents
from support.processes import PYTHON, run, surroundings


def test_context_is_one_framed_text(cli, made):
    """For people the text, for programs its size, its parts and the records in it."""
    shown = cli("context", "what", "is", "the", "cat", "called?")
    document = cli("context", "cat", "--json", "--after", "compact", "--budget", "300").json
    assert shown.out.startswith('<memoracle kind="context" audience="private" after="start" at="')
    assert shown.out.endswith("</memoracle>\n")
    assert (document["ids"], document["tokens"] <= 300) == ([made], True)
    assert [part["name"] for part in document["parts"]] == ["hot"]


def test_nothing_to_hand_over_is_said(cli):
    """An empty text for programs, a sentence for people."""
    assert (cli("context").out, cli("context", "--json").json["text"]) == ("nothing to hand over\n", "")


def test_a_group_sees_nothing_private(cli, made):
    """From the shell too."""
    assert "Miso" not in cli("context", "cat", "--audience", "group").out


def test_a_note_from_a_pipe(cli, root):
    """Several lines are one item."""
    done = cli("note", "--stdin", "--json", stdin="第一行\nsecond line\n".encode())
    text = (root / done.json["path"]).read_text()
    assert "- 第一行\n  second line\n" in text
    assert text.split("\n")[done.json["line"] - 1] == "- 第一行"


def test_a_day_is_closed(cli, root):
    """With a last word before it."""
    done = cli("note", "went home", "--close", "--decisions", "use SQLite", "--open", "ask Mei", "--json")
    text = (root / done.json["path"]).read_text()
    assert "- went home\n\nUpdated: " in text
    assert text.endswith("Decisions: use SQLite\nSignal: none\nOpen: ask Mei\n")


def test_duplicates_are_listed(cli, root):
    """As items, with their places."""
    for name in ("a", "b"):
        path = root / f"notes/semantic/{name}.md"
        path.write_text(f"# {name}\n#tags: {name}\n\n- the printer stands in the cellar\n")
    (item,) = cli("note", "--duplicates", "--json").json["items"]
    assert (item["how"], len(item["lines"])) == ("same", 2)
    assert "notes/semantic/a.md#L4" in cli("note", "--duplicates").out


def test_a_warning_goes_to_stderr(cli):
    """A wrong home is mentioned beside the data."""
    done = cli("note", "the server listens on port 80", "--to", "preferences")
    assert ("looks like something for `infrastructure`" in done.err, done.out.startswith("noted: ")) == (
        True,
        True,
    )


@pytest.mark.parametrize(
    "words",
    [
        ["note"],
        ["note", "x", "--decisions", "y"],
        ["note", "x", "--tags", "y"],
        ["note", "x", "--verified"],
        ["note", "x", "--date", "soon"],
        ["note", "x", "--type", "Q"],
        ["note", "x", "--to", "../../etc/passwd"],
        ["buffer", "add"],
        ["buffer", "show", "text"],
        ["buffer", "rotate", "--defer"],
        ["buffer", "explode"],
        ["tags", "add", "garden"],
        ["tags", "add", "two words", "--because", "x"],
        ["tags", "list", "garden"],
        ["context", "--budget", "0"],
        ["context", "--audience", "everyone"],
        ["recover", "--after", "start"],
    ],
)
def test_bad_calls_change_nothing(cli, root, words):
    """Exit 2, and not a byte of the root is different."""
    cli("buffer", "add", "x")
    before = contents(root)
    assert (cli(*words).status, contents(root)) == (2, before)


@pytest.mark.seed("S3.020")
def test_the_buffer_from_one_process_to_the_next(root):
    """Written by one, read after a reset by another."""
    env = surroundings(TZ="UTC")
    assert run("--root", root, "buffer", "add", "迁移做到一半", env=env)[0] == 0
    status, out, _ = run("--root", root, "recover", "--json", env=env)
    assert (status, "迁移做到一半" in json.loads(out)["text"]) == (0, True)


@pytest.mark.seed("S3.001")
def test_the_way_to_a_context_loads_little(root):
    """No numpy where nothing is asked; no event loop, no network, no YAML on the way that hooks take."""
    code = (
        "import sys\n"
        "from memoracle.interfaces.cli import main\n"
        "main(['--root', sys.argv[1], 'context', *sys.argv[2:]])\n"
        "print([name for name in ('numpy', 'asyncio', 'socket', 'urllib.request', 'yaml') if name in sys.modules])"
    )
    for asked, loaded in ((), "[]"), (("cat",), "['numpy']"):
        done = subprocess.run(
            [PYTHON, "-c", code, str(root), *asked],
            capture_output=True,
            text=True,
            check=True,
            env=surroundings(),
        )
        assert done.stdout.splitlines()[-1] == loaded
