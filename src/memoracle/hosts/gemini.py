"""Gemini CLI's chats: `tmp/<project>/chats/session-*.jsonl`, and the older single `.json`.

The log is replayed: an entry with a known id replaces what it said before, `$rewindTo` takes its target
and everything after it away, `$set` changes the header. `$set.messages` is what the model still sees
after a compression; its new entries are added, and nothing is taken away for it. What somebody typed
has a `displayContent`; what the host wrote in the user's name (its context, a command's output, an
editor's state) has none, so it is heard from outside. A chat from before that mark is judged by the
shape of the text.
"""

from __future__ import annotations

import os
from typing import Any

from memoracle.hosts.branches import BranchNode, RewindBefore, Step, digest
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.lines import Entry, Ids, kind_in, read_moment, string, words_of
from memoracle.model.claim import Role, SessionKind, Turn

HOST = "gemini"
_SPEAKERS = {"user": (Role.OWNER, "user"), "gemini": (Role.AGENT, "assistant")}
_LONGEST_PATH = 4096
_PIPED = "\n\n\n"  # what comes through a pipe ends its line and is put two lines before the prompt
_MOST_KNOWN = 1000
_REFERENCES = "--- Content from referenced files ---"


class GeminiReader:
    """Takes the lines, or the one document, of a chat."""

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        self._path = path
        name = path.replace("\\", "/").rsplit("/", 1)[-1]
        self._session = memo.get("session") or name.split(".", 1)[0]
        self._project = memo.get("project")
        self._kind = kind_in(memo) or SessionKind.INTERACTIVE
        self._last = memo.get("last", "")
        self._ids = Ids(memo.get("said", ""))
        self._has_marks = "marks" in memo
        self._typed = memo.get("typed", "").split()

    def memo(self) -> dict[str, str]:
        """What a later reading of the same file needs to know."""
        facts = {"session": self._session, "kind": self._kind.value}
        facts |= {"said": self._ids.memo(), "last": self._last}
        facts |= {"marks": "1", "typed": " ".join(self._typed[-_MOST_KNOWN:])} if self._has_marks else {}
        return facts | ({"project": self._project} if self._project else {})

    def skim(self, raw: bytes) -> tuple[Step, ...] | None:  # noqa: ARG002
        """None: any line may hold words."""
        return None

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when it is not a line of this host."""
        target = entry.get("$rewindTo")
        if isinstance(target, str):
            return (RewindBefore(target),)
        patch = entry.get("$set")
        if isinstance(patch, dict):
            self._has_marks = self._has_marks or isinstance(patch.get("messages"), list)
            return self._header(patch, line)
        if "sessionId" in entry or "messages" in entry:
            return self._header(entry, line)
        return self._message(entry, line) if isinstance(entry.get("type"), str) else None

    def _header(self, header: dict[str, Any], line: int) -> tuple[Step, ...]:
        self._session = string(header, "sessionId") or self._session
        self._project = (
            _folder(header) or self._project or _beside(self._path) or string(header, "projectHash")
        )
        if header.get("kind") == "subagent":
            self._kind = SessionKind.SUBAGENT
        messages = header.get("messages")
        if not isinstance(messages, list):
            return ()
        return tuple(
            step for message in messages if isinstance(message, dict) for step in self._message(message, line)
        )

    def _message(self, message: dict[str, Any], line: int) -> tuple[Step, ...]:
        speaker = _SPEAKERS.get(str(message.get("type")))
        if speaker is None:
            return ()
        role, name = speaker
        shown = words_of(message.get("displayContent"))
        self._has_marks = self._has_marks or bool(shown)
        words = shown or words_of(message.get("content"))
        text = clean(words.partition(_REFERENCES)[0])
        given = string(message, "id")
        if name == "user" and given:
            known = digest(given.encode())[:12]
            if shown:
                self._typed += [known] if known not in self._typed else []
            elif known in self._typed:
                return ()  # what the model is shown of it again, a command's expansion for instance
        # An entry is written again whenever its tools or its token count change.
        last = digest(f"{given}\0{text}".encode())
        if given and last == self._last:
            return ()
        self._last = last
        key = f"{self._session}:{given}" if given else self._ids.next(self._session, name, text)
        if self._kind is SessionKind.SUBAGENT and name == "user":
            role, name = Role.AGENT, "agent"
        elif name == "user" and (
            (self._has_marks and not shown) or is_wrapped(text) or _PIPED in shown.strip()
        ):
            role, name = Role.EXTERNAL, "host"
        turn = Turn(
            session=self._session,
            id=key,
            speaker=name,
            role=role,
            at=read_moment(message.get("timestamp")),
            text=text,
            path=self._path,
            line=line,
            session_kind=self._kind,
            host=HOST,
            project=self._project,
        )
        # The node carries the host's own id: that is what `$rewindTo` names.
        return (
            BranchNode(
                given or key, turn=turn if is_said(text) else None, follows=True, prompt=name == "user"
            ),
        )


def _folder(header: dict[str, Any]) -> str | None:
    folders = header.get("directories")
    if isinstance(folders, list) and folders and isinstance(folders[0], str):
        return folders[0]
    return None


def _beside(path: str) -> str | None:
    """The folder of the project whose chats these are, as the host notes it beside them."""
    folder = os.path.dirname(os.path.dirname(path))
    try:
        with open(os.path.join(folder, ".project_root"), encoding="utf-8") as file:
            named = file.read(_LONGEST_PATH).strip()
    except (OSError, ValueError):
        return None
    return named if os.path.isabs(named) else None


def document_entries(document: object) -> list[Entry]:
    """The entries of the older single-file form: its header, then its messages."""
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        return []
    header = {key: value for key, value in document.items() if key != "messages"}
    return [{"$set": header}, *(entry for entry in document["messages"] if isinstance(entry, dict))]
