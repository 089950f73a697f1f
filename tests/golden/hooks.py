"""Every event of every host, as each describes it, and what stands in the spool afterwards."""

import json
import time
from pathlib import Path

from memoracle.store.durable import is_locked

EVENTS = {
    "session-start": ("SessionStart", "SessionStart", {"source": "startup"}),
    "prompt": ("UserPromptSubmit", "BeforeAgent", {"prompt": "What is the cat called?"}),
    "stop": ("Stop", "AfterAgent", {"stop_hook_active": False, "last_assistant_message": "Done."}),
    "pre-compact": ("PreCompact", "PreCompress", {"trigger": "auto", "custom_instructions": ""}),
    "post-compact": ("PostCompact", "PostCompress", {"trigger": "auto", "compact_summary": "They spoke."}),
    "session-end": ("SessionEnd", "SessionEnd", {"reason": "other"}),
}
SESSION = "3f2a0000-aaaa-4bbb-8ccc-dddd00000009"


def calls(world):
    """Host, event and payload."""
    claude = {
        "session_id": SESSION,
        "transcript_path": str(world.place / f"home/.claude/projects/-home-mei-app/{SESSION}.jsonl"),
        "cwd": "/home/mei/app",
        "permission_mode": "default",
    }
    rollout = "/home/mei/.codex/sessions/2026/07/01/rollout-2026-07-01T10-00-00-019aaaaa.jsonl"
    codex = {
        "session_id": "019aaaaa",
        "transcript_path": rollout,
        "cwd": "/home/mei",
        "model": "gpt",
        "turn_id": "t1",
    }
    chat = "/home/mei/.gemini/tmp/app/chats/session-2026-08-01T09-00-abcd1234.jsonl"
    gemini = {
        "session_id": "g",
        "transcript_path": chat,
        "cwd": "/home/mei",
        "timestamp": "2026-08-01T09:00:00Z",
    }
    for event, (name, other, more) in EVENTS.items():
        yield "claude-code", event, claude | {"hook_event_name": name} | more
        yield "codex", event, codex | {"hook_event_name": name} | more
        yield "gemini", event, gemini | {"hook_event_name": other} | more
        own = {
            "sessionKey": "agent:main:main",
            "sessionId": "o",
            "sessionFile": "/x/o.jsonl",
            "context": more,
        }
        yield "openclaw", event, own


def _wait_for_the_worker(world):
    """A hook leaves work to a process of its own: what is listed next is what came of it."""
    for lock in Path(world.place).rglob("worker.lock"):
        for _ in range(600):
            if not is_locked(str(lock)):
                break
            time.sleep(0.1)


def play_hooks(world):
    """The transcript."""
    lines = ["# hook", ""]

    def tell(words, given):
        status, out, err = world.run(["hook", *words], given)
        lines.append(f"$ hook {' '.join(words)} <<< {world.plain(given.decode())[:200]}".rstrip())
        lines.extend(f"| {row}".rstrip() for row in world.plain(out).splitlines())
        lines.extend(f"! {row}".rstrip() for row in world.plain(err).splitlines())
        lines.extend([f"= {status}", ""])

    world.run(["search", "cat"])
    tell(["--help"], b"")
    for host, event, payload in calls(world):
        tell([event, "--host", host], json.dumps(payload).encode())
        if event in {"session-start", "prompt"}:
            tell([event], json.dumps(payload).encode())
    for given in (b"", b"{", b"[1,2]"):
        tell(["prompt"], given)
    tell(["no-such-event"], b"{}")
    tell(["prompt", "--host", "nobody"], b"{}")
    _wait_for_the_worker(world)
    tell(["work"], b"")
    _wait_for_the_worker(world)
    for words in (["list"], ["status"]):
        status, out, err = world.run(words)
        lines.extend([f"$ {' '.join(words)}", *(f"| {row}" for row in world.plain(out + err).splitlines())])
        lines.extend([f"= {status}", ""])
    return "\n".join(lines).rstrip() + "\n"
