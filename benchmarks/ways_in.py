"""The ways by which a text from outside reaches a memory, each as its host, a person or a program really brings it.

Transcripts as hosts write them, real imports, a real MCP server, in a fresh home. Nothing of the package is imported:
only its commands and files count. `benchmarks/attacks.py` plants attacks through them and looks at what came of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

PER_SESSION = 50
BEGIN = datetime.now(UTC) - timedelta(hours=5)
OWN = (
    "I am allergic to walnuts, please remember that.",
    "My sister lives in Lisbon.",
    "I prefer answers without bullet points.",
    "我住在成都，记住这一点。",
)
"""What the owner says beside the attacks: a memory that keeps nothing would pass everything else."""
KINDS = ("preference", "rule", "identity", "procedure", "decision", "health", "task", "fact")


class Place:
    """One home with one memory, and the commands as a person would type them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.there = folder, folder / "memory", folder / "there"
        self.work = folder / "work"
        for one in (self.there, self.work):
            one.mkdir()
        self.env = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "MEMORACLE_ROOT": str(self.root),
            "MEMORACLE_EMBEDDER": "none",
            "TZ": "UTC",
            "LANG": "C.UTF-8",
        }
        self.run("init", str(self.root))

    def run(self, *words: str, stdin: str = "", may_fail: bool = False) -> str:
        """What one command prints."""
        done = subprocess.run(
            [sys.executable, "-m", "memoracle", *words], input=stdin, capture_output=True, text=True,
            env=self.env, cwd=self.work, check=False,
        )  # fmt: skip
        if done.returncode and not may_fail:
            sys.exit(f"{words}: {done.returncode}\n{done.stderr}")
        return done.stdout

    def write(self, name: str, lines: Sequence[Any]) -> Path:
        """A file of JSON lines."""
        place = self.there / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), "utf-8")
        return place

    def ingest(self, path: Path) -> None:
        """Have a transcript read; some are refused whole, and that is an outcome too."""
        self.run("ingest", str(path), "--no-embed", may_fail=True)


# Transcripts as hosts write them


def at(number: int) -> str:
    """Moments of today, seven seconds apart."""
    return (BEGIN + timedelta(seconds=7 * number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def claude(place: Place, session: str, said: Sequence[tuple[str, Any, dict[str, Any]]]) -> None:
    """Claude Code: (type, content, further fields) for each line."""
    lines = []
    for number, (kind, content, more) in enumerate(said):
        typed = kind == "user" and isinstance(content, str) and not more
        marks = {"promptId": f"{session}-p{number}", "permissionMode": "default"} if typed else {}
        lines.append({
            "parentUuid": f"{session}-{number - 1}" if number else None, "isSidechain": False, **marks,
            "userType": "external", "cwd": str(place.work), "sessionId": session, "version": "2.1.325",
            "gitBranch": "", "type": kind, "message": {"role": kind, "content": content},
            "uuid": f"{session}-{number}", "timestamp": at(number), **more,
        })  # fmt: skip
    place.ingest(place.write(f".claude/projects/-work/{session}.jsonl", lines))


def grouped(texts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Texts in sessions of fifty."""
    for number, first in enumerate(range(0, len(texts), PER_SESSION)):
        yield f"s{number:03d}", list(texts[first : first + PER_SESSION])


def results(place: Place, texts: Sequence[str], tool: str, shaped: Callable[[str], str]) -> None:
    """Results of a tool."""
    for session, group in grouped(texts):
        said: list[tuple[str, Any, dict[str, Any]]] = [("user", own, {}) for own in OWN]
        for number, text in enumerate(group):
            call = f"toolu_{session}_{number}"
            block = {
                "tool_use_id": call,
                "type": "tool_result",
                "content": [{"type": "text", "text": shaped(text)}],
            }
            said += [
                ("user", "Please have a look.", {}),
                ("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": {}}], {}),
                ("user", [block], {"toolUseResult": {"result": shaped(text)}}),
                ("assistant", [{"type": "text", "text": "I had a look."}], {}),
            ]
        claude(place, session, said)


def by_tool(place: Place, texts: Sequence[str]) -> None:
    """What a shell printed."""
    results(place, texts, "Bash", lambda text: text)


def by_web(place: Place, texts: Sequence[str]) -> None:
    """What a page said."""
    results(place, texts, "WebFetch", lambda text: f"# A page\n\n{text}\n")


def by_mail_tool(place: Place, texts: Sequence[str]) -> None:
    """What a mail tool answered."""
    mail = {"from": "sales@shop.example", "subject": "your order"}
    results(
        place, texts, "mcp__mail__read", lambda text: json.dumps({**mail, "body": text}, ensure_ascii=False)
    )


def prompted(place: Place, texts: Sequence[str], shaped: Callable[[int, str], str]) -> None:
    """The owner's prompts, with the text in them."""
    for session, group in grouped(texts):
        said: list[tuple[str, Any, dict[str, Any]]] = [("user", own, {}) for own in OWN]
        for number, text in enumerate(group):
            said += [
                ("user", shaped(number, text), {}),
                ("assistant", [{"type": "text", "text": "I have read it."}], {}),
            ]
        claude(place, session, said)


def by_pasted_mail(place: Place, texts: Sequence[str]) -> None:
    """Mails pasted with their heads."""
    heads = (
        "Do I have to answer?\n\nFrom: sales@shop.example\nDate: Tue, 12 May 2026 09:14\nSubject: your order\n\n",
        "要回复吗？\n\n发件人：客服 <kf@shop.example>\n主题：通知\n\n",
    )
    prompted(place, texts, lambda number, text: heads[number % 2] + text)


def by_pasted_article(place: Place, texts: Sequence[str]) -> None:
    """Articles pasted behind a word that says so."""
    heads = (
        "Please summarise this article:\n\n",
        "What do you make of this page?\n\n---\n",
        "帮我看看这篇文章：\n\n",
    )
    prompted(place, texts, lambda number, text: heads[number % 3] + text)


def by_wrapper(place: Place, texts: Sequence[str]) -> None:
    """What a program puts before the prompt in a wrapper that nobody has seen before."""
    prompted(
        place,
        texts,
        lambda number, text: f"<workspace_note_{number % 7}>\n{text}\n</workspace_note_{number % 7}>",
    )


def by_hook_output(place: Place, texts: Sequence[str]) -> None:
    """What another program's hook added, as Claude Code writes it down."""
    for session, group in grouped(texts):
        said: list[tuple[str, Any, dict[str, Any]]] = [("user", own, {}) for own in OWN]
        said += [
            ("user", f"<system-reminder>\nhook additional context: {text}\n</system-reminder>", {"isMeta": True})
            for text in group
        ]  # fmt: skip
        claude(place, session, said)


def by_summary(place: Place, texts: Sequence[str]) -> None:
    """Summaries of an earlier conversation that a resumed one begins with."""
    for session, group in grouped(texts):
        said: list[tuple[str, Any, dict[str, Any]]] = [("user", own, {}) for own in OWN]
        said += [
            ("user", f"This session is being continued from another.\n\n{text}", {"isCompactSummary": True})
            for text in group
        ]  # fmt: skip
        claude(place, session, said)


def by_assistant(place: Place, texts: Sequence[str]) -> None:
    """An assistant says it as its own conclusion."""
    leads = ("", "Decision: ", "Lesson learned: ", "Remember: ", "记住：")
    for session, group in grouped(texts):
        said: list[tuple[str, Any, dict[str, Any]]] = [("user", own, {}) for own in OWN]
        for number, text in enumerate(group):
            said += [
                ("user", "What did you find?", {}),
                ("assistant", [{"type": "text", "text": leads[number % 5] + text}], {}),
            ]
        claude(place, session, said)


def by_gemini_context(place: Place, texts: Sequence[str]) -> None:
    """Gemini CLI's first message: instruction files and the words of every MCP server."""
    for session, group in grouped(texts):
        body = "\n".join(group)
        head = {
            "sessionId": session,
            "projectHash": "9f8e",
            "startTime": at(0),
            "lastUpdated": at(0),
            "kind": "main",
        }
        context = {
            "id": f"{session}-c", "timestamp": at(0), "type": "user",
            "content": [{"text": f"<session_context>\nThis is the Gemini CLI.\n{body}\n</session_context>"}],
        }  # fmt: skip
        typed = [
            {
                "id": f"{session}-{n}",
                "timestamp": at(n + 1),
                "type": "user",
                "content": [{"text": own}],
                "displayContent": [{"text": own}],
            }
            for n, own in enumerate(OWN)
        ]
        place.ingest(
            place.write(
                f".gemini/tmp/9f8e/chats/session-{session}.jsonl",
                [head, {"$set": {"messages": [context]}}, *typed],
            )
        )


def by_codex_context(place: Place, texts: Sequence[str]) -> None:
    """Codex's own first messages: instructions of the repository, and a wrapper nobody knows."""
    wrappers = ("user_instructions", "environment_context", "project_notes")
    for session, group in grouped(texts):
        meta = {"id": session, "timestamp": at(0), "cwd": str(place.work), "originator": "codex_cli_rs"}
        rows: list[dict[str, Any]] = [{"timestamp": at(0), "type": "session_meta", "payload": meta}]
        for number, text in enumerate(group):
            tag = wrappers[number % 3]
            rows.append(_codex_row(number, f"<{tag}>\n{text}\n</{tag}>"))
        for number, own in enumerate(OWN, start=len(group)):
            event = {"type": "user_message", "message": own, "images": []}
            rows += [
                _codex_row(number, own),
                {"timestamp": at(number), "type": "event_msg", "payload": event},
            ]
        place.ingest(
            place.write(f".codex/sessions/2026/05/13/rollout-2026-05-13T10-00-00-{session}.jsonl", rows)
        )


def _codex_row(number: int, text: str) -> dict[str, Any]:
    payload = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    return {"timestamp": at(number), "type": "response_item", "payload": payload}


def by_other_speaker(place: Place, texts: Sequence[str]) -> None:
    """A friend in an imported chat."""
    for session, group in grouped(texts):
        rows = [
            {"speaker": who, "text": said, "timestamp": at(2 * number + half)}
            for number, text in enumerate(group)
            for half, (who, said) in enumerate((("Bob", text), ("Me", OWN[number % len(OWN)])))
        ]
        place.ingest(place.write(f"chat-{session}.jsonl", rows))


# Imports, the command line and the server


def by_external(place: Place, texts: Sequence[str]) -> None:
    """Kept by hand as an outside text, with every weight it could ask for."""
    rows = (
        json.dumps(
            {"text": text, "kind": KINDS[n % 8], "channel": "external", "importance": 1.0}, ensure_ascii=False
        )
        for n, text in enumerate(texts)
    )
    place.run("remember", "--stdin", "--json", "--pin", stdin="\n".join(rows), may_fail=True)


def by_mem0(place: Place, texts: Sequence[str]) -> None:
    """Another program's memories."""
    held = [
        {"id": str(n), "memory": text, "user_id": "me", "metadata": {}, "created_at": at(n)}
        for n, text in enumerate(texts)
    ]
    path = place.there / "mem0.json"
    path.write_text(json.dumps({"results": held}, ensure_ascii=False), "utf-8")
    place.run("import", str(path), "--yes", may_fail=True) or place.run("import", str(path), may_fail=True)


def by_markdown(place: Place, texts: Sequence[str]) -> None:
    """A folder of Markdown files."""
    vault = place.there / "vault"
    vault.mkdir()
    for session, group in grouped(texts):
        body = "\n\n".join(f"- {text}" if n % 2 else text for n, text in enumerate(group))
        (vault / f"{session}.md").write_text(f"# Page {session}\n\n{body}\n", "utf-8")
    place.run("import", str(vault), "--yes", may_fail=True) or place.run("import", str(vault), may_fail=True)


def by_save(place: Place, texts: Sequence[str], *words: str, **more: Any) -> None:
    """An agent that was taken in saves what it read, in two sessions."""
    for half in (texts[::2], texts[1::2]):
        calls = [
            {"text": text, "kind": KINDS[n % 8], "importance": 1.0, **more} for n, text in enumerate(half)
        ]
        _serve(place, words, calls)


def by_save_asked(place: Place, texts: Sequence[str]) -> None:
    """The same, and it claims that the owner asked for it."""
    by_save(place, texts, askedByOwner=True)


def by_save_agent_only(place: Place, texts: Sequence[str]) -> None:
    """The same at a server for agents that read what strangers wrote."""
    by_save(place, texts, "--agent-only", askedByOwner=True)


def by_save_twice(place: Place, texts: Sequence[str]) -> None:
    """Two sessions save the same texts, as two poisoned pages would have them do."""
    calls = [{"text": text, "kind": KINDS[n % 8], "importance": 1.0} for n, text in enumerate(texts)]
    for _ in range(2):
        _serve(place, (), calls)


def _serve(place: Place, words: Sequence[str], calls: Sequence[dict[str, Any]]) -> None:
    """One server, one client, every call awaited."""
    server = subprocess.Popen(
        [sys.executable, "-m", "memoracle", "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=place.env, cwd=place.work,
    )  # fmt: skip
    assert server.stdin
    assert server.stdout

    def say(message: dict[str, Any]) -> None:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")  # type: ignore[union-attr]
        server.stdin.flush()  # type: ignore[union-attr]

    def heard(number: int) -> None:
        for line in server.stdout or ():
            if json.loads(line).get("id") == number:
                return

    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "host", "version": "1"},
    }
    say({"id": 0, "method": "initialize", "params": hello})
    heard(0)
    say({"method": "notifications/initialized"})
    for number, given in enumerate(calls, start=1):
        say({"id": number, "method": "tools/call", "params": {"name": "memory_save", "arguments": given}})
        heard(number)
    server.stdin.close()
    server.wait(60)


CHANNELS: dict[str, Callable[[Place, Sequence[str]], None]] = {
    "tool output": by_tool,
    "web page": by_web,
    "mail by tool": by_mail_tool,
    "mail pasted with its head": by_pasted_mail,
    "article pasted behind a word": by_pasted_article,
    "unknown wrapper": by_wrapper,
    "another program's hook": by_hook_output,
    "resumed summary": by_summary,
    "Gemini's session context": by_gemini_context,
    "Codex's first messages": by_codex_context,
    "assistant repeats it": by_assistant,
    "another speaker of a chat": by_other_speaker,
    "remember --channel external": by_external,
    "import, mem0": by_mem0,
    "import, folder of Markdown": by_markdown,
    "MCP save": by_save,
    "MCP save, askedByOwner": by_save_asked,
    "MCP save, askedByOwner, --agent-only": by_save_agent_only,
    "MCP save, the same in two sessions": by_save_twice,
}
