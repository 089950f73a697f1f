"""`memory_get`: one record by id, or lines of a file that belongs to this memory.

What is fetched counts as used: records that are handed over here are reinforced, as `recall` does it. Only files that
memory itself lists are read: records, notes, registered conversations.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, NotFound, OutsideRoot, StoreProblem, UnknownRecord
from memoracle.interfaces.mcp import tool as a
from memoracle.interfaces.mcp.tool import Caller, Tool, ToolAnswer, as_data, is_outside, minute
from memoracle.model.record import Record, Status
from memoracle.times import system_clock

if TYPE_CHECKING:
    from memoracle.memory import Memory

_DEPTHS = (1, 2)
_AT = re.compile(r"#L(\d{1,9})(?:-L(\d{1,9}))?$")
_LINES = 200
_MOST_CHARACTERS = 24_000
NOT_SHOWN = {
    Status.FORGOTTEN: "{} was erased",
    Status.QUARANTINED: "{} is set apart; only its owner sees it, with `memoracle inbox`",
    Status.WITHDRAWN: "{} was withdrawn; its owner can bring it back with `memoracle trash`",
}
"""What no client is shown, and what it is told of it."""


# A citation as it is shown: a conversation lies deep in its host's folders, and its file's name alone is nearly always
# enough to find it again.


def shortener(memory: Memory) -> Callable[[str], str]:
    """What makes a citation, or a path, as short as this memory can read back."""
    known, endings = memory.store.sessions.by_path(), dict[str, int]()
    for path in known:
        for depth in _DEPTHS:
            ending = _ending(path, depth)
            endings[ending] = endings.get(ending, 0) + 1

    def short(citation: str) -> str:
        path, mark, lines = citation.rpartition("#") if _AT.search(citation) else (citation, "", "")
        if path not in known:
            return citation
        found = next((one for depth in _DEPTHS if endings.get(one := _ending(path, depth)) == 1), path)
        return found + mark + lines

    return short


def _ending(path: str, depth: int) -> str:
    return "/".join(path.replace(os.sep, "/").rsplit("/", depth)[-depth:])


def _path_of(memory: Memory, shown: str) -> str:
    """The path that was shown shortened; what is no such ending of one path comes back as it is."""
    known, store = memory.store.sessions.by_path(), memory.store
    if not shown or shown in known or shown in store.journal.files() or store.notes.holds(shown):
        return shown
    fitting = [path for path in known if path.replace(os.sep, "/").endswith(f"/{shown}")]
    if len(fitting) > 1:
        raise BadInput(
            f"`{shown}` fits {len(fitting)} conversations", "search again: results cite one of them"
        )
    return fitting[0] if fitting else shown


def get(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """A record, or lines of a file."""
    if given.get("key"):
        return _fact(memory, given["key"], given.get("project", ""))
    reference = given.get("id") or given.get("path")
    if not reference or (given.get("id") and given.get("path")):
        raise BadInput("name one thing to get: `id` or `path`")
    if "id" in given and not _AT.search(reference):
        record = memory.show(reference)
        if record.status in NOT_SHOWN:
            raise NotFound(NOT_SHOWN[record.status].format(record.id))
        _note_use(memory, [record], caller)
        return ToolAnswer(document=record_document(memory, record))
    at = _AT.search(reference)
    path = reference[: at.start()] if at else reference
    start, last = (int(at[1]), int(at[2] or at[1])) if at else (1, _LINES)
    # What the call names goes before what the reference names.
    first, count = given.get("from", max(1, start)), given.get("lines", max(1, last - start + 1))
    numbered, used = _lines_of(memory, path, first, count)
    _note_use(memory, used, caller)
    return ToolAnswer(
        document={"path": path, **_cut(numbered, first, count), "ids": [one.id for one in used]}
    )


def _fact(memory: Memory, key: str, project: str) -> ToolAnswer:
    """A fact of the machine or a project by its key, with the file and path it stands at."""
    import json

    found = memory.seats.get(key, project=project)
    said = found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False)
    text = as_data(said, "system") if found.file else ""
    return ToolAnswer(
        document={"path": found.file, "text": text, "citation": found.evidence, "status": found.status.value}
    )


def record_document(memory: Memory, record: Record) -> dict[str, Any]:
    """A record as a client sees it."""
    from memoracle.interfaces.render import some

    place = memory.store.journal.place_of(record)
    channel = record.origin.channel.value
    observed = record.origin.observed or record.created
    return {
        "id": record.id,
        "citation": f"{place.path}#L{place.line}" if place else "",
        "text": as_data(record.text, channel),
        **some(record, "kind", "version", "status"),
        **some(record.weight, "importance", "confidence"),
        **some(record, "tags", "entities"),
        "project": record.scope.project,
        "at": minute(observed),
        "origin": channel,
        "who": record.origin.who,
        "where": shortener(memory)(record.origin.where),
        "supersedes": list(record.validity.supersedes),
        "supersededBy": record.validity.superseded_by or "",
        "quoted": is_outside(channel),
    }


def _note_use(memory: Memory, records: Sequence[Record], caller: Caller) -> None:
    now = system_clock()
    used = [one.id for one in records if one.status is Status.ACTIVE and one.validity.holds_at(now)]
    if used:
        # A memory that cannot be written still answers; it only learns nothing from it.
        with suppress(StoreProblem, OutsideRoot, OSError):
            memory.store.note_use(used, by=caller.name or "mcp", now=now)


def _lines_of(
    memory: Memory, path: str, first: int, count: int
) -> tuple[list[tuple[int, str]], list[Record]]:
    """The numbered lines that were asked for and all that follow, and the records among those asked for."""
    from memoracle.model.manifest import Role
    from memoracle.store.layouts import NoteTree, find_facts

    store, path = memory.store, _path_of(memory, path)
    if path in store.journal.files():
        records = list(_records_of(memory, path, first, count))
        lines = [(line, as_data(one.text, one.origin.channel.value)) for line, one in records]
        return lines, [one for _, one in records]
    if store.notes.holds(path) and may_read(memory, path):
        return list(enumerate(note_text(memory, path).split("\n"), start=1)), []
    is_talk = path in store.sessions.by_path()
    if is_talk or path in find_facts(NoteTree(store.volume), store.layout):
        passages = store.load(path, Role.TRANSCRIPT if is_talk else Role.FACTS).passages
        said = [
            (one.first_line, (f"{one.who}: " if is_talk else "") + as_data(one.text, one.channel))
            for one in passages
            if memory.root.reader.sees_passage(one)
        ]
        if said or not passages:
            return said, []
    raise NotFound("no file of this memory has that path")


def note_text(memory: Memory, path: str) -> str:
    """A note without its secrets, every line where it is; one reader among several sees what its owner wrote alone."""
    from memoracle.model.manifest import Role
    from memoracle.store.generated import generated_lines
    from memoracle.store.notes import read_note

    text = read_note(memory.store.volume, path).text
    if not memory.root.reader.sees_all:
        # What memory wrote into it was made of everybody's records.
        made = generated_lines(text)
        text = "\n".join("" if at in made else line for at, line in enumerate(text.split("\n")))
    lines = memory.root.guard.hide(text).split("\n")
    for one in memory.store.load(path, Role.NOTE).passages:
        if is_outside(one.channel) and one.first_line and one.last_line:
            # What moved in and reads like an order is quoted line by line, each where it is.
            for at in range(one.first_line - 1, min(one.last_line, len(lines))):
                lines[at] = as_data(lines[at], one.channel) if lines[at].strip() else lines[at]
    return "\n".join(lines)


def may_read(memory: Memory, path: str) -> bool:
    """True when the reader of this memory may see a note."""
    if memory.root.reader.sees_all:
        return True
    from memoracle.model.manifest import Role

    passages = memory.store.load(path, Role.NOTE).passages
    return bool(passages) and all(map(memory.root.reader.sees_passage, passages))


def _records_of(memory: Memory, path: str, first: int, count: int) -> Iterator[tuple[int, Record]]:
    """The records, as they stand now, that these lines of a record file are versions of."""
    from memoracle.store.line import readable

    for number, raw in enumerate(memory.store.volume.read(path).split(b"\n"), start=1):
        if first <= number < first + count:
            for _, version in readable(raw):
                with suppress(UnknownRecord):
                    standing = memory.show(version.id)
                    if standing.status not in NOT_SHOWN:
                        yield number, standing


def _cut(numbered: Sequence[tuple[int, str]], first: int, count: int) -> dict[str, Any]:
    """The lines of the span that fit, and where the next ones begin."""
    taken: list[str] = []
    spent = 0
    rest: dict[str, Any] = {"lines": count, "truncated": False}
    for number, line in numbered:
        if number < first:
            continue
        spent += len(line) + 1
        if number >= first + count or (spent > _MOST_CHARACTERS and taken):
            rest = {"lines": min(count, number - first), "truncated": True, "nextFrom": number}
            break
        taken.append(line[:_MOST_CHARACTERS])
    return {"text": "\n".join(taken), "from": first, **rest}


GET = Tool(
    name="memory_get",
    title="Get from memory",
    description=(
        "Fetch a record by id, or lines of a note or conversation by path or citation. It counts as used."
    ),
    takes=a.record(
        {
            "id": a.text("an id or citation", maxLength=2000),
            "path": a.text("path or path#Lx-Ly", maxLength=2000),
            "from": a.count("first line", most=999_999_999),
            "lines": a.count("default 200", most=2000),
            "key": a.text("a fact of machine or project, as dev_env.a.b", maxLength=500),
            "project": a.text("with key"),
        }
    ),
    run=get,
    meta={"anthropic/maxResultSizeChars": 100_000},
)
