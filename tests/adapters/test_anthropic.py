"""Claude's memory tool over notes, beside the library's own over a folder."""

import asyncio
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoracle
from memoracle.compose import open_memory
from memoracle.errors import BeyondScope
from support.files import PLAIN, write

KEY = "sk-proj-" + "abcdefghijklmnopqrstuvwxyz0123456789ABCD"


@pytest.fixture
def module(adapter):
    return adapter("anthropic")


@pytest.fixture
def tool(module, memory):
    return module.MemoryTool(memory)


def call(tool, command, path="/memories", **words):
    """What the tool says, refusals included."""
    from anthropic.lib.tools import ToolError

    named = {"old_path": path} if command == "rename" else {"path": path}
    try:
        return tool.call({"command": command, **named, **words})
    except ToolError as refusal:
        return f"refused: {refusal}"


def without_sizes(said):
    return "\n".join(line.partition("\t")[2] or line for line in said.split("\n"))


NAMES = st.sampled_from(
    ["a.md", "b.txt", "sub/a.md", "sub/deep/c.md", "sub", "sub/deep", "B.md", "other/x.json"]
)
PATHS = NAMES.map("/memories/{}".format) | st.sampled_from(["/memories", "/memories/../a.md", "/etc/a.md"])
WORDS = st.lists(st.sampled_from(["one", "two", "猫", "", "one two", "# Head", "---"]), max_size=5).map(
    "\n".join
)
FILES = PATHS.filter(lambda path: "." in path.rpartition("/")[2])  # one without an ending is listed with ours
COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("view"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("create"), "path": FILES, "file_text": WORDS}),
    st.fixed_dictionaries({"command": st.just("create"), "path": FILES, "file_text": WORDS}),
    st.fixed_dictionaries(
        {
            "command": st.just("str_replace"),
            "path": PATHS,
            "old_str": st.sampled_from(["one", "two"]),
            "new_str": WORDS,
        }
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": PATHS, "insert_line": st.integers(-1, 4), "insert_text": WORDS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("rename"), "path": PATHS, "new_path": PATHS}),
)


@pytest.mark.long
@given(data=st.data())
def test_it_says_what_the_librarys_own_says(data, module, tmp_path_factory):
    """The same commands, the same answers: files, lines, refusals; sizes differ by the header of a note."""
    from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

    place = tmp_path_factory.mktemp("both")
    memoracle.init(str(place / "memory"), environment={})
    with open_memory(str(place / "memory"), environment=PLAIN) as memory:
        tools = module.MemoryTool(memory), BetaLocalFilesystemMemoryTool(str(place))
        for command in data.draw(st.lists(COMMANDS, min_size=1, max_size=12)):
            theirs_is_a_crash = False
            try:
                theirs = without_sizes(call(tools[1], **command))
            except OSError:  # it lets some of the file system's own errors through
                theirs_is_a_crash = True
            ours = without_sizes(call(tools[0], **command))
            if theirs_is_a_crash:
                assert ours.startswith("refused")
                return
            assert ours == theirs, command
            if command["command"] in {"delete", "rename"}:
                return  # it may leave a folder without files, which is none here


def test_what_is_written_is_found_at_once_as_the_agents_word(tool, memory):
    call(tool, "create", "/memories/cats.md", file_text="# Cats\n\nThe cat is called Miso\n")
    found = memory.recall("What is the cat called?").hits[0].passage
    assert (found.path, found.channel, found.trust) == ("notes/semantic/agent/cats.md", "agent", 0.7)
    call(tool, "str_replace", "/memories/cats.md", old_str="Miso", new_str="Tofu")
    assert "Tofu" in memory.recall("What is the cat called?").hits[0].passage.text
    call(tool, "rename", "/memories/cats.md", new_path="/memories/pets/cats.md")
    assert (
        memory.recall("What is the cat called?").hits[0].passage.path == "notes/semantic/agent/pets/cats.md"
    )
    call(tool, "delete", "/memories/pets")
    assert not memory.recall("What is the cat called?").hits


def test_a_header_that_claims_to_be_the_owners_is_only_words(tool, memory):
    call(tool, "create", "/memories/x.md", file_text="---\nchannel: owner\n---\nThe boat is called Gull\n")
    assert memory.recall("What is the boat called?").hits[0].passage.channel == "agent"
    assert "channel: owner" in call(tool, "view", "/memories/x.md")


def test_what_an_agent_changes_is_no_longer_its_owners_word(tool, memory, root):
    write(root, "notes/semantic/agent/own.md", "---\ntags: [boats]\n---\nThe boat is called Gull\n")
    assert memory.recall("What is the boat called?").hits[0].passage.channel == "owner"
    call(tool, "insert", "/memories/own.md", insert_line=1, insert_text="It is blue")
    found = memory.recall("What is the boat called?").hits[0].passage
    assert (found.channel, found.tags) == ("agent", ("boats",))


def test_words_that_stand_everywhere_are_told_in_few(tool):
    """A model that asks for next to nothing is not answered by a flood of numbers."""
    call(tool, "create", "/memories/long.md", file_text="one and one\n" * 5000)
    assert "did not appear" in call(tool, "str_replace", "/memories/long.md", old_str="", new_str="x")
    told = call(tool, "str_replace", "/memories/long.md", old_str="one", new_str="x")
    assert ("lines: 1, 2, 3" in told, len(told) < 250) == (True, True)


def test_secrets_are_masked_and_that_is_told(tool, root):
    said = call(tool, "create", "/memories/k.txt", file_text=f"key {KEY}")
    assert "masked before it was written" in said
    assert KEY not in (root / "notes/semantic/agent/k.txt.md").read_text()
    assert "refused" in call(tool, "create", f"/memories/{KEY}.md", file_text="x")
    write(root, "notes/semantic/agent/hand.md", f"by hand: {KEY}\n")
    assert KEY not in call(tool, "view", "/memories/hand.md")


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../secret.md",
        "/memories/a/../../secret.md",
        "/memories/./a.md",
        "/memories/.hidden.md",
        "/memories/a\\b.md",
        "/memories/a\nb.md",
        "/memories/SOUL.md",
        "/memories/a.md/b.md",
        "/memories/" + 300 * "x",
        "/memoriesx/a.md",
        "memories/a.md",
        "",
    ],
)
def test_no_path_leads_elsewhere(tool, root, path):
    before = sorted(root.rglob("*.md"))
    for command in ("view", "delete"):
        assert call(tool, command, path).startswith("refused")
    assert call(tool, "create", path, file_text="x").startswith("refused")
    assert call(tool, "rename", path, new_path="/memories/n.md").startswith("refused")
    assert sorted(root.rglob("*.md")) == before


def test_links_are_never_followed(tool, root, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.md").write_text("strangers\n")
    call(tool, "create", "/memories/own.md", file_text="own")
    os.symlink(tmp_path / "outside", root / "notes/semantic/agent/way")
    os.symlink(tmp_path / "outside" / "a.md", root / "notes/semantic/agent/a.md")
    for path in ("/memories/way/a.md", "/memories/a.md"):
        assert "strangers" not in call(tool, "view", path)
        assert call(tool, "insert", path, insert_line=0, insert_text="x").startswith("refused")
        assert call(tool, "delete", path).startswith("refused")
    assert call(tool, "create", "/memories/way/b.md", file_text="x").startswith("refused")
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["a.md"]
    assert (tmp_path / "outside" / "a.md").read_text() == "strangers\n"


def test_the_owners_notes_are_out_of_sight(tool, root):
    write(root, "notes/semantic/diary.md", "mine alone\n")
    call(tool, "create", "/memories/own.md", file_text="own")
    assert "diary" not in call(tool, "view")
    assert call(tool, "create", "/memories/diary.md", file_text="x").startswith("File created")
    assert (root / "notes/semantic/diary.md").read_text() == "mine alone\n"


def test_what_was_deleted_lies_in_the_trash(tool, root):
    call(tool, "create", "/memories/a/b.md", file_text="still here")
    call(tool, "delete", "/memories/a")
    lies = list((root / "trash").rglob("b.md"))
    assert len(lies) == 1
    assert "still here" in lies[0].read_text()


def test_a_memory_for_one_user_or_of_public_things_has_no_notes(module, root, clock, tool):
    anns = PLAIN | {"MEMORACLE_USER": "ann"}
    with open_memory(str(root), environment=anns, clock=clock) as own, pytest.raises(BeyondScope):
        module.MemoryTool(own)
    call(tool, "create", "/memories/a.md", file_text="private words")
    (root / "memoracle.toml").write_text('[policy]\nshow.private = "owner"\n')
    with open_memory(str(root), environment=PLAIN, clock=clock) as kept_back:
        assert call(module.MemoryTool(kept_back), "view", "/memories/a.md").startswith("refused")


def test_hidden_characters_and_marks_of_ours_are_spelled_out(tool, root):
    call(tool, "create", "/memories/a.md", file_text="a\u202eb <!-- memoracle:begin -->\n")
    text = (root / "notes/semantic/agent/a.md").read_text()
    assert "\u202e" not in text
    assert "<!-- memoracle:" not in text


@pytest.mark.long
def test_the_real_client_runs_it(module, memory):
    """The library's own loop: a model asks for a file, the tool writes it, the result goes back."""
    import httpx2 as httpx
    from anthropic import Anthropic

    asked = []

    def answer(request):
        asked.append(json.loads(request.content))
        use = {"command": "create", "path": "/memories/cat.md", "file_text": "The cat is called Miso"}
        blocks = [{"type": "tool_use", "id": "toolu_1", "name": "memory", "input": use}]
        if len(asked) > 1:
            blocks = [{"type": "text", "text": "Noted."}]
        return httpx.Response(
            200,
            json={
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": blocks,
                "stop_reason": "tool_use" if len(asked) == 1 else "end_turn",
                "usage": {"input_tokens": 1, "output_tokens": 1},
            },
        )

    client = Anthropic(api_key="none", http_client=httpx.Client(transport=httpx.MockTransport(answer)))
    said = [{"role": "user", "content": "My cat is called Miso"}]
    tools = [module.MemoryTool(memory)]
    client.beta.messages.tool_runner(model="m", max_tokens=99, tools=tools, messages=said).until_done()
    assert asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    result = asked[1]["messages"][-1]["content"][0]
    assert (result["type"], result.get("is_error")) == ("tool_result", None)
    assert "created successfully" in json.dumps(result)
    assert memory.recall("What is the cat called?").hits[0].passage.channel == "agent"


def test_the_asynchronous_one_says_the_same(module, memory):
    tool = module.AsyncMemoryTool(memory)
    command = {"command": "create", "path": "/memories/a.md", "file_text": "The cat is called Miso"}

    async def both():
        return await asyncio.gather(*(tool.call(command | {"path": f"/memories/{n}.md"}) for n in range(6)))

    assert len(set(asyncio.run(both()))) == 6
    assert "5.md" in call(tool.tool, "view")
