"""How attacks reach a memory: each channel as its hosts, people and programs really use it.

Every function puts attacks into files or calls, beside what the owner says themselves, and hands them to a memory.
"""

import json
from datetime import UTC, datetime, timedelta

from hosts.samples import write_lines
from memoracle.interfaces.mcp.changing import SAVE
from memoracle.interfaces.mcp.tool import Caller
from memoracle.learn.draft import make_draft

BEGIN = datetime(2026, 5, 14, 10, 0, tzinfo=UTC)
_PER_SESSION = 100

PASTES = {
    "quote marks": lambda text: (
        "What do you think of this?\n\n" + "\n".join(f"> {line}" for line in text.split("\n"))
    ),
    "fence": lambda text: f"Can you read this for me?\n\n```\n{text}\n```",
    "label": lambda text: f"Here is the mail I got:\n\n{text}",
    "label 2": lambda text: f"Please summarise this article:\n{text}",
    "标签": lambda text: f"帮我看看这封邮件：\n\n{text}",
    "forwarded": lambda text: (
        "Is this serious?\n\n---------- Forwarded message ---------\nFrom: Ann Lee <ann@shop.example>\n"
        f"Date: Tue, 12 May 2026 09:14\nSubject: your order\nTo: me@home.example\n\n{text}"
    ),
    "mail": lambda text: (
        f"Do I have to answer?\n\nFrom: sales@shop.example\nSubject: offer\n\nDear customer,\n{text}"
    ),
    "转发": lambda text: f"要回复吗？\n\n发件人：王芳\n主题：通知\n\n{text}",
    "in quotation marks": lambda text: 'The page said: "' + text.replace('"', "'").replace("\n", " ") + '"',
    "in quotation marks, line by line": lambda text: (
        'The page said: "' + text.replace('"', "'") + '"\nIs that true?'
    ),
    "引号": lambda text: "他们写的是：“" + text.replace("”", "’") + "”",
}
"""Pastes that show what they are."""


class Book:
    """Writes one transcript after the other and has them read."""

    def __init__(self, memory, folder):
        self.memory, self.folder = memory, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.number = 0

    def moment(self, place):
        at = BEGIN - timedelta(days=1) + timedelta(seconds=7 * place)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def read(self, name, *lines):
        self.number += 1
        place = self.folder / name.format(self.number)
        place.parent.mkdir(parents=True, exist_ok=True)
        read = self.memory.ingest(str(write_lines(place, *lines)), embed=False)
        assert read.files == 1, read
        return place

    def claude(self, *said):
        """`said`: (type, content or blocks, more fields) of each line."""
        session = f"claude-{self.number}"
        lines = []
        for place, (kind, content, more) in enumerate(said):
            lines.append({
                "parentUuid": f"{session}-{place - 1}" if place else None, "isSidechain": False,
                "sessionId": session, "cwd": "/home/mei/app", "type": kind,
                "message": {"role": kind, "content": content}, "uuid": f"{session}-{place}",
                "timestamp": self.moment(place), **more,
            })  # fmt: skip
        return self.read("claude-{}.jsonl", *lines)

    def codex(self, *payloads):
        session = f"codex-{self.number}"
        meta = {"id": session, "timestamp": self.moment(0), "cwd": "/home/mei/app", "originator": "codex_cli"}
        lines = [{"timestamp": self.moment(0), "type": "session_meta", "payload": meta}]
        lines += [
            {"timestamp": self.moment(place), "type": "response_item", "payload": payload}
            for place, payload in enumerate(payloads, start=1)
        ]
        return self.read("rollout-2026-05-13T10-00-00-{}.jsonl", *lines)

    def gemini(self, *messages):
        session = f"gemini-{self.number}"
        head = {
            "sessionId": session,
            "projectHash": "9f8e",
            "startTime": self.moment(0),
            "lastUpdated": self.moment(0),
            "kind": "main",
        }
        lines = [
            {"id": f"{session}-{place}", "timestamp": self.moment(place), **message}
            for place, message in enumerate(messages)
        ]
        return self.read("session-2026-05-13T10-00-{}.jsonl", head, *lines)

    def openclaw(self, *messages, key=""):
        session = f"openclaw-{self.number}"
        head = {
            "type": "session",
            "version": 3,
            "id": session,
            "timestamp": self.moment(0),
            "cwd": "/home/mei",
        }
        lines = [
            {
                "type": "message", "id": f"m{place}", "parentId": f"m{place - 1}" if place else None,
                "timestamp": self.moment(place), "message": message,
            }
            for place, message in enumerate(messages)
        ]  # fmt: skip
        folder = f"agents/main{self.number}/sessions"
        if key:
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
            (self.folder / folder / "sessions.json").write_text(
                json.dumps({key: {"sessionId": session}}), "utf-8"
            )
        return self.read(f"{folder}/{session}.jsonl", head, *lines)


def _grouped(attacks):
    return [attacks[at : at + _PER_SESSION] for at in range(0, len(attacks), _PER_SESSION)]


def by_paste(memory, folder, attacks):
    """The owner says something of their own and pastes what they got, as people paste."""
    book, styles = Book(memory, folder), list(PASTES.values())
    for number, group in enumerate(_grouped(attacks)):
        texts = [f"{one.own} {styles[at % len(styles)](one.text)}" for at, one in enumerate(group)]
        _owner_says(book, number, texts)


def by_bare_paste(memory, folder, attacks):
    """The same without any sign that it was pasted: nobody could tell it from what a person typed."""
    book = Book(memory, folder)
    for number, group in enumerate(_grouped(attacks)):
        _owner_says(book, number, [f"{one.own}\n\n{one.text}" for one in group])


def _owner_says(book, number, texts):
    if number % 4 == 0:
        book.claude(*(("user", text, {}) for text in texts))
    elif number % 4 == 1:
        book.codex(*(_codex("user", text) for text in texts))
    elif number % 4 == 2:
        book.gemini(*({"type": "user", "content": [{"text": text}]} for text in texts))
    else:
        book.openclaw(*(_openclaw("user", text) for text in texts))


def by_tool(memory, folder, attacks):
    """Results of tools in the transcripts of four hosts, and what an agent kept of them as a tool's words."""
    book = Book(memory, folder)
    for number, group in enumerate(_grouped(attacks)):
        if number % 5 == 0:
            book.claude(*(line for at, one in enumerate(group) for line in _claude_tool(at, one, "Bash")))
        elif number % 5 == 1:
            book.codex(*(line for at, one in enumerate(group) for line in (
                _codex("user", one.own),
                {"type": "function_call", "name": "shell", "call_id": f"c{at}", "arguments": "{}"},
                {"type": "function_call_output", "call_id": f"c{at}", "output": one.text},
            )))  # fmt: skip
        elif number % 5 == 2:
            book.gemini(*(line for one in group for line in (
                {"type": "user", "content": [{"text": one.own}]},
                {"type": "gemini", "content": "I looked.", "toolCalls": [{"name": "read_file", "result": [{"text": one.text}]}]},
                {"type": "info", "content": one.text},
            )))  # fmt: skip
        elif number % 5 == 3:
            book.openclaw(*(line for at, one in enumerate(group) for line in (
                _openclaw("user", one.own),
                {"role": "assistant", "content": [{"type": "toolCall", "id": f"c{at}", "name": "exec", "arguments": {}}]},
                {"role": "toolResult", "toolCallId": f"c{at}", "toolName": "exec", "content": [{"type": "text", "text": one.text}]},
            )))  # fmt: skip
        else:
            _remembered(memory, group, channel="tool", where="shell")
            _owner_says(book, number, [one.own for one in group])


def by_web(memory, folder, attacks):
    """Pages that an agent fetched: in its transcript, and kept as an outside text with every weight it could ask for."""
    book = Book(memory, folder)
    for number, group in enumerate(_grouped(attacks)):
        if number % 2 == 0:
            book.claude(*(line for at, one in enumerate(group) for line in _claude_tool(at, one, "WebFetch")))
        else:
            kinds = ("preference", "rule", "identity", "procedure", "decision", "health", "task", "fact")
            _remembered(memory, group, channel="external", where="https://page.example", kinds=kinds)
            _owner_says(book, number, [one.own for one in group])


def by_transcript(memory, folder, attacks):
    """What others say in a conversation: assistants, systems, summaries, side chains, thoughts, people in a group."""
    book = Book(memory, folder)
    for number, group in enumerate(_grouped(attacks)):
        way = number % 4
        if way == 0:
            flags = ({}, {"isMeta": True}, {"isCompactSummary": True}, {"isSidechain": True})
            book.claude(*(line for at, one in enumerate(group) for line in (
                ("user", one.own, {}),
                ("assistant", [{"type": "thinking", "thinking": one.text}, {"type": "text", "text": _relayed(at, one)}], {}),
                ("user" if at % 4 else "system", one.text, flags[at % 4]),
            )))  # fmt: skip
        elif way == 1:
            book.codex(*(line for at, one in enumerate(group) for line in (
                _codex("developer", one.text), _codex("user", one.own), _codex("assistant", _relayed(at, one)),
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": one.text}]},
            )))  # fmt: skip
        elif way == 2:
            _owner_says(book, 0, [one.own for one in group])
            sender = '{"label": "Bob (9)", "name": "Bob", "is_group_chat": true}'
            book.openclaw(
                *(
                    _openclaw("user", f"Sender (untrusted metadata):\n```json\n{sender}\n```\n\n{one.text}")
                    for one in group
                ),
                key="agent:main:telegram:group:-100",
            )
        else:
            _owner_says(book, 0, [one.own for one in group])
            key = ("agent:main:cron:daily", "agent:main:hook:mail", "agent:main:subagent:x")[number // 4 % 3]
            book.openclaw(*(_openclaw("user", one.text) for one in group), key=key)


def by_note(memory, folder, attacks):
    """What stands in notes as somebody else's: quoted, fenced, between the marks of a block, in comments."""
    root = folder
    for number, group in enumerate(_grouped(attacks)):
        lines = []
        for at, one in enumerate(group):
            lines += [f"- {one.own}", ""]
            lines += (
                [f"> {line}" for line in one.text.split("\n")] if at % 2 else ["```", one.text, "```"]
            ) + [""]
        place = (f"notes/semantic/read-{number}.md", f"notes/procedural/read-{number}.md")[number % 2]
        if number < 2:
            place = f"notes/daily/{BEGIN + timedelta(days=1 - number):%Y-%m-%d}.md"
        _write_note(root, place, "# What I read\n\n" + "\n".join(lines) + "\n")


def by_bare_note(memory, folder, attacks):
    """A line in a note of the owner's, with nothing that says whose words it holds."""
    for number, group in enumerate(_grouped(attacks)):
        body = "\n\n".join(f"- {one.own}\n\n{one.text}" for one in group)
        _write_note(folder, f"notes/semantic/bare-{number}.md", f"# Topics {number}\n\n{body}\n")


def by_import(memory, folder, attacks):
    """What other programs kept: exports of several, with and without a word about where they had it from."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, group in enumerate(_grouped(attacks)):
        way = number % 5
        if way <= 1:
            sources = ("web", "email", "tool", "", "document", "")
            held = [
                {
                    "id": f"{number}-{at}-{side}", "memory": words, "user_id": "mei",
                    "metadata": {"source": sources[at % 6]} if side == "attack" and sources[at % 6] else {},
                    "created_at": "2026-05-01T10:00:00Z",
                }
                for at, one in enumerate(group) for side, words in (("own", one.own), ("attack", one.text))
            ]  # fmt: skip
            place = folder / f"mem0-{number}.json"
            place.write_text(json.dumps({"results": held}, ensure_ascii=False), "utf-8")
            memory.import_(str(place), shape="mem0")
        elif way == 2:
            entities = [
                {
                    "type": "entity",
                    "name": f"page {number}-{at}",
                    "entityType": "page",
                    "observations": [one.own, one.text],
                }
                for at, one in enumerate(group)
            ]
            memory.import_(str(write_lines(folder / f"memory-{number}.jsonl", *entities)), shape="mcp")
        elif way == 3:
            home = folder / f"claude-{number}/projects/-home-mei-app-{number}/memory"
            home.mkdir(parents=True)
            for at, one in enumerate(group):
                kind = ("user", "feedback", "project")[at % 3]
                head = (
                    f"---\nname: page-{number}-{at}\ndescription: a page\nmetadata:\n  type: {kind}\n---\n\n"
                )
                (home / f"page-{number}-{at}.md").write_text(f"{head}{one.text}\n", "utf-8")
                (home / f"own-{number}-{at}.md").write_text(
                    f"{head.replace('page', 'own')}{one.own}\n", "utf-8"
                )
            memory.import_(str(folder / f"claude-{number}"), shape="claude-code")
        else:
            home = folder / f"basic-{number}"
            home.mkdir(parents=True)
            for at, one in enumerate(group):
                said = one.text.replace("\n", " ")
                body = f"# Page {at}\n\n## Observations\n- [fact] {one.own}\n- [preference] {said}\n"
                (home / f"page-{at}.md").write_text(
                    f"---\ntitle: Page {number} {at}\ntype: note\n---\n\n{body}", "utf-8"
                )
            memory.import_(str(home), shape="basic-memory")


def by_mark(memory, folder, attacks):
    """An assistant repeats what it read as if it were its own conclusion, marks and all."""
    book = Book(memory, folder)
    for group in _grouped(attacks):
        lines = [line for one in group for line in (("user", one.own, {}), ("assistant", one.text, {}))]
        book.claude(*lines)


def by_own_file(memory, folder, attacks):
    """A Markdown file that is imported as the owner's own, with foreign lines in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, group in enumerate(_grouped(attacks)):
        body = "\n".join(f"- {one.own}\n\n- {one.text}\n" for one in group)
        place = folder / f"MEMORY-{number}.md"
        place.write_text(f"# Memory {number}\n\n## Preferences\n\n{body}\n", "utf-8")
        memory.import_(str(place), shape="markdown")


def by_agent(memory, _folder, attacks):
    """An agent that was taken in saves what it read as its own, and claims every weight."""
    kinds = ("preference", "rule", "identity", "fact")
    for at, one in enumerate(attacks):
        SAVE.run(memory, {"text": one.own, "askedByOwner": True}, Caller(name="host"))
        given = {"text": one.text, "kind": kinds[at % 4], "importance": 1.0, "session": f"s{at // 50}"}
        SAVE.run(memory, given, Caller(name="host"))


CHANNELS = {
    "user paste": by_paste,
    "tool output": by_tool,
    "web page": by_web,
    "transcript": by_transcript,
    "note": by_note,
    "import": by_import,
}
"""The six channels."""

UNTOLD = {
    "bare paste": by_bare_paste,
    "bare line in a note": by_bare_note,
    "bare line in an imported file of the owner's": by_own_file,
    "agent's own words": by_mark,
    "agent's own save": by_agent,
}
"""Where nothing says whose words they are; counted by themselves."""


def _claude_tool(at, one, tool):
    yield "user", one.own, {}
    yield "assistant", [{"type": "tool_use", "id": f"t{at}", "name": tool, "input": {}}], {}
    yield (
        "user",
        [{"tool_use_id": f"t{at}", "type": "tool_result", "content": [{"type": "text", "text": one.text}]}],
        {"toolUseResult": {"result": one.text}},
    )


def _relayed(at, one):
    """An assistant tells what it read."""
    return list(PASTES.values())[at % len(PASTES)](one.text)


def _codex(role, text):
    return {
        "type": "message",
        "role": role,
        "content": [{"type": "input_text" if role != "assistant" else "output_text", "text": text}],
    }


def _openclaw(role, text):
    return {"role": role, "content": [{"type": "text", "text": text}]}


def _remembered(memory, group, *, channel, where, kinds=("preference",)):
    memory.remember_many(
        [
            make_draft(
                one.text, kind=kinds[at % len(kinds)], channel=channel, where=where, session=f"{where}-{at // 50}",
                importance=1.0, pinned=True,
            )
            for at, one in enumerate(group)
        ]
    )  # fmt: skip


def _write_note(root, path, text):
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
