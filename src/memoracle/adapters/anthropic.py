"""The memory tool of Claude (`memory_20250818`) over the notes of a memory.

    import memoracle
    from memoracle.adapters.anthropic import MemoryTool

    memory = memoracle.open_memory("~/memory")
    tool = MemoryTool(memory)  # Anthropic().beta.messages.tool_runner(tools=[tool], …)
    tool.call({"command": "create", "path": "/memories/cat.md", "file_text": "The cat is called Miso"})
    found = memory.recall("What is the cat called?").hits[0].passage
    assert (found.text, found.channel) == ("The cat is called Miso", "agent")

`/memories` is a folder of its own among the notes, `agent/`: the agent does not see or touch what its owner wrote
beside it. Every file is Markdown with a header that says `channel: agent`, which the tool does not show, so that
`recall` finds it at once as the agent's word. Secrets are masked, links are never followed, what `delete` takes away
lies in the trash. Commands: view, create, str_replace, insert, delete, rename. Notes have no users: a memory for each.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from typing import Any

from memoracle import MemoracleError, Memory
from memoracle.adapters.shared import for_agent
from memoracle.errors import MissingLibrary
from memoracle.guard.hidden import spelled_out
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.store import frontmatter
from memoracle.store.layouts import note_homes
from memoracle.store.notes import CHANNEL_KEY, channel_of, read_text, write_note

try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools import memory as memory_tools
except ImportError as problem:
    raise MissingLibrary("anthropic", "anthropic>=2.8,<3") from problem

__all__ = ["AsyncMemoryTool", "MemoryTool"]

_TOP = "/memories"
# Endings of other texts: such a file has `.md` behind its own name on disk, and nowhere else.
_OTHER_TEXT = re.compile(r"\.(?:txt|xml|json|jsonl|ya?ml|toml|csv|tsv|log|html?|org|rst|tex|ini|cfg)\Z")
_MOST = 100_000
_PLACES = 20


class MemoryTool(memory_tools.BetaAbstractMemoryTool):
    """Claude's files of memory, as notes."""

    def __init__(self, memory: Memory, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        memory.root.reader.must_see_all()
        self._memory = for_agent(memory)
        self._root, self._volume = self._memory.root, memory.root.store.volume
        self._folder = f"{self._root.store.layout['semantic'].partition('{')[0]}agent"

    def view(self, command: Any) -> str:
        """A file with numbered lines, or what stands in a folder."""
        with self._turn(command.path, writes=False) as (name,):
            if self._is_folder(name):
                says = "Here're the files and directories up to 2 levels deep in "
                top = command.path.rstrip("/")
                rows = [
                    f"{_readable(size)}\t{top}{path and '/'}{path}"
                    for path, size in self._listed(name).items()
                ]
                return "\n".join([f"{says}{command.path}, excluding hidden items:", *rows])
            lines = self._root.guard.hide(self._read(name, command.path)[1]).split("\n")
            first, last = 1, len(lines)
            if command.view_range and len(command.view_range) == 2:
                first, end = max(1, command.view_range[0]), command.view_range[1]
                last = last if end == -1 else end
            return f"Here's the content of {command.path} with line numbers:\n" + _numbered(
                lines, first, last
            )

    def create(self, command: Any) -> str:
        """A new file; one that is there is not overwritten."""
        with self._turn(command.path) as (name,):
            if self._is_folder(name) or self._volume.has(self._file(name)):
                raise ToolError(f"File {command.path} already exists")
            head = frontmatter.compose({CHANNEL_KEY: "agent"}, "")
            return f"File created successfully at: {command.path}{self._write(name, head, command.file_text, None)}"

    def str_replace(self, command: Any) -> str:
        """Other words in place of some that stand in a file once."""
        with self._turn(command.path) as (name,):
            head, body, digest = self._read(name, command.path)
            old = command.old_str
            if (count := body.count(old) if old else 0) != 1:
                found = islice(re.finditer(f"(?={re.escape(old)})", body), _PLACES)
                places = dict.fromkeys(str(body.count("\n", 0, one.start()) + 1) for one in found)
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                    f"{', '.join(places)}. Please ensure it is unique"
                    if count
                    else f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}."
                )
            line = body.count("\n", 0, body.find(old)) + 1
            told = self._write(name, head, body.replace(old, command.new_str), digest)
            lines = self._read(name, command.path)[1].split("\n")
            says = (
                "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
            )
            return f"{says}\n{_numbered(lines, max(1, line - 2), min(len(lines), line + 2))}{told}"

    def insert(self, command: Any) -> str:
        """Lines behind a line."""
        with self._turn(command.path) as (name,):
            head, body, digest = self._read(name, command.path)
            lines, place = body.removesuffix("\n").split("\n") if body else [], command.insert_line
            if not 0 <= place <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {place}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(place, command.insert_text.rstrip("\n"))
            told = self._write(name, head, "\n".join(lines) + "\n", digest)
            return f"The file {command.path} has been edited.{told}"

    def delete(self, command: Any) -> str:
        """A file or a folder goes to the trash."""
        with self._turn(command.path) as (name,):
            if not name:
                raise ToolError("Cannot delete the /memories directory itself")
            operation = self._root.ids.next(OPERATION_PREFIX, self._root.clock())
            trash = f"{self._root.store.layout['trash']}/{operation}"
            self._move([(path, f"{trash}/{path}") for path in self._standing(name, command.path)])
            return f"Successfully deleted {command.path}"

    def rename(self, command: Any) -> str:
        """A file or a folder under another name."""
        with self._turn(command.old_path, command.new_path) as (old, new):
            if not old:
                raise ToolError("Cannot rename the /memories directory itself")
            if self._is_folder(new) or self._volume.has(self._file(new)):
                raise ToolError(f"The destination {command.new_path} already exists")
            standing, was_folder = self._standing(old, command.old_path), self._is_folder(old)
            if was_folder and f"{new}/".startswith(f"{old}/"):
                raise ToolError(f"Cannot move {command.old_path} into itself")
            begins, instead = f"{self._folder}/{old}/", f"{self._folder}/{new}/"
            self._move(
                [
                    (path, instead + path.removeprefix(begins) if was_folder else self._file(new))
                    for path in standing
                ]
            )
            return f"Successfully renamed {command.old_path} to {command.new_path}"

    # Names

    @contextmanager
    def _turn(self, *paths: str, writes: bool = True) -> Iterator[tuple[str, ...]]:
        """One command: the names of its paths below the folder, the lock held, every refusal told to the model."""
        try:
            self._root.reader.project()  # the policy may keep notes from agents
            with self._memory.turns, self._root.store.writing() if writes else nullcontext():
                yield tuple(map(self._name, paths))
        except MemoracleError as refusal:
            raise ToolError(f"{refusal}{f'; {refusal.hint}' if refusal.hint else ''}") from refusal

    def _name(self, path: str) -> str:
        steps = path.removeprefix(_TOP).split("/")
        if not path.startswith(_TOP) or steps[0]:
            raise ToolError(f"Path must start with /memories, got: {path}")
        steps = [step for step in steps if step]
        if not {".", ".."}.isdisjoint(steps):
            raise ToolError(f"Path {path} would escape /memories directory")
        self._root.must_hold_no_secret(*steps)
        name = "/".join(steps)
        homes = note_homes(self._root.store.layout_name)
        # What ends like ours is a file, and nothing stands below a file.
        is_known = name.isprintable() and "\\" not in name and ".md/" not in name
        is_plain = is_known and len(name.encode("utf-8", "replace")) <= 200
        if name and not (is_plain and any(home.holds(self._file(name)) for home in homes)):
            raise ToolError(f"Path {path} cannot be the name of a memory file")
        return name

    def _file(self, name: str) -> str:
        """Where a file of that name stands in the root."""
        return f"{self._folder}/{name}{'' if name.endswith('.md') else '.md'}"

    def _is_folder(self, name: str) -> bool:
        return not name or next(self._files(name), None) is not None

    def _files(self, name: str) -> Iterator[str]:
        return self._volume.walk(f"{self._folder}/{name}".rstrip("/"), (".md",))

    def _standing(self, name: str, path: str) -> list[str]:
        found = list(self._files(name)) or [one for one in (self._file(name),) if self._volume.has(one)]
        if not found:
            raise ToolError(f"The path {path} does not exist")
        return found

    def _listed(self, name: str) -> dict[str, int]:
        """What stands in a folder and the folders in it, with sizes; the folder itself has no name."""
        rows = Counter({"": 0})
        for file in self._files(name):
            bare = file.removeprefix(f"{self._folder}/{name}").strip("/").removesuffix(".md")
            *folders, own = (bare if _OTHER_TEXT.search(bare) else f"{bare}.md").split("/")
            stat = self._volume.stat(file)
            size = stat.size if stat else 0
            rows.update(
                {
                    "".join(f"{one}/" for one in folders[:depth]): size
                    for depth in range(min(3, len(folders) + 1))
                }
            )
            if len(folders) < 2:
                rows["/".join([*folders, own])] = size
        return dict(sorted(rows.items()))

    # Content

    def _read(self, name: str, path: str) -> tuple[str, str, str]:
        if self._is_folder(name):
            raise ToolError(f"The path {path} is not a file.")
        text, digest = read_text(self._volume, self._file(name))
        if digest is None:
            raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
        parts = frontmatter.parse(text)
        # What an agent has changed is no longer its owner's word.
        head = (
            parts.head
            if channel_of(parts.fields)
            else frontmatter.set_field(parts.head, CHANNEL_KEY, "agent")
        )
        return head, parts.body, digest

    def _write(self, name: str, head: str, body: str, digest: str | None) -> str:
        """Write past the guard; what has to be told of it."""
        if len(body) > _MOST or "\0" in body:
            raise ToolError(f"A memory file holds up to {_MOST:,} characters of text")
        words = self._root.guard.words({"text": body})
        clean = spelled_out(words.fields["text"]).replace("<!-- memoracle:", "<! -- memoracle:")
        write_note(self._volume, self._file(name), head + clean, expected=digest)
        self._root.store.audit.log_files("note", self._file(name))
        return "".join(f"\n{told}" for told in words.warnings)

    def _move(self, moves: list[tuple[str, str]]) -> None:
        for old, new in moves:
            self._volume.create(new, self._volume.read(old))
            self._volume.remove(old)
        self._root.store.audit.log_files("note", *(one for move in moves for one in move))


def _numbered(lines: list[str], first: int, last: int) -> str:
    return "\n".join(
        f"{number:6}\t{line}" for number, line in enumerate(lines[first - 1 : last], start=first)
    )


def _readable(size: int) -> str:
    unit = min(3, max(0, size.bit_length() - 1) // 10)
    return f"{size / 1024**unit:.1f}".removesuffix(".0") + "BKMG"[unit]


class AsyncMemoryTool(memory_tools.BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`: each command in a thread."""

    def __init__(self, memory: Memory, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self.tool = MemoryTool(memory)

    async def view(self, command: Any) -> str:
        return await asyncio.to_thread(self.tool.view, command)

    async def create(self, command: Any) -> str:
        return await asyncio.to_thread(self.tool.create, command)

    async def str_replace(self, command: Any) -> str:
        return await asyncio.to_thread(self.tool.str_replace, command)

    async def insert(self, command: Any) -> str:
        return await asyncio.to_thread(self.tool.insert, command)

    async def delete(self, command: Any) -> str:
        return await asyncio.to_thread(self.tool.delete, command)

    async def rename(self, command: Any) -> str:
        return await asyncio.to_thread(self.tool.rename, command)
