"""Hosts as they are: what lies in a home before us, how each calls a hook, and how it writes down what was said."""

import json
import shlex
from datetime import datetime
from typing import ClassVar

from end_to_end.people import at
from interfaces.install.conftest import (
    CLAUDE_LIST,
    CLAUDE_SETTINGS,
    CODEX_CONFIG,
    CODEX_HOOKS,
    GEMINI_SETTINGS,
    RULES,
    hooks_of,
)
from memoracle.hosts.install import config_text as json5


class Session:
    """One session of a host: its transcript grows line by line."""

    def __init__(self, home, name, day):
        self.home, self.name, self.day = home, name, day
        self.count = 0
        self.last = None
        self.transcript = self.place()
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.begin()

    def put(self, line):
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")

    def moment(self):
        self.count += 1
        return at(self.day, self.count)

    def begin(self):
        """What stands at the head of a transcript."""

    def payload(self, event, **more):
        return {
            "session_id": self.name,
            "transcript_path": str(self.transcript),
            "cwd": str(self.home.project),
            "hook_event_name": event,
        } | more


class ClaudeCode(Session):
    """Lines of a tree; what hooks add comes back as attachments, and as reminders where it is shown to the model."""

    name_of = "claude-code"
    files: ClassVar = {".claude/settings.json": CLAUDE_SETTINGS, ".claude.json": CLAUDE_LIST}
    events = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")

    @staticmethod
    def commands(home):
        """The exec form: no shell sees these words."""
        hooks = hooks_of(json.loads((home.folder / ".claude/settings.json").read_text())).by_event
        return {event: [hook["command"], *hook["args"]] for event, hook in hooks.items()}

    def place(self):
        return self.home.folder / f".claude/projects/-code-app/{self.name}.jsonl"

    def line(self, kind, **more):
        uuid = f"{self.name}-{self.count + 1}"
        self.put(
            {"parentUuid": self.last, "isSidechain": False, "userType": "external", "cwd": str(self.home.project),
             "sessionId": self.name, "version": "2.1.230", "gitBranch": "main", "type": kind, **more,
             "uuid": uuid, "timestamp": self.moment()}
        )  # fmt: skip
        self.last = uuid

    def asks(self, text):
        self.line("user", message={"role": "user", "content": text})

    def answers(self, text):
        self.line("assistant", message={"id": f"msg_{self.count}", "role": "assistant", "model": "claude-x",
                                        "content": [{"type": "text", "text": text}]})  # fmt: skip

    def is_told(self, event, text):
        self.line("attachment", attachment={"type": "hook_additional_context", "content": [text], "hookName": event,
                                            "toolUseID": "t", "hookEvent": event})  # fmt: skip
        reminder = f"<system-reminder>\n{event} hook additional context: {text}\n</system-reminder>"
        self.line("user", message={"role": "user", "content": reminder}, isMeta=True)
        self.line(
            "user",
            message={"role": "user", "content": f"<user-prompt-submit-hook>{text}</user-prompt-submit-hook>"},
        )

    def payload(self, event, **more):
        return super().payload(event, permission_mode="default", **more)


class Codex(Session):
    """Envelopes by date; what hooks add comes back in the developer's name, and in older versions in the user's."""

    name_of = "codex"
    files: ClassVar = {
        ".codex/config.toml": CODEX_CONFIG,
        ".codex/hooks.json": CODEX_HOOKS,
        ".codex/AGENTS.md": RULES,
    }
    events = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")

    @staticmethod
    def commands(home):
        hooks = hooks_of(json.loads((home.folder / ".codex/hooks.json").read_text())).by_event
        return {event: ["/bin/sh", "-c", hook["command"]] for event, hook in hooks.items()}

    def place(self):
        moment = at(self.day, 0)
        folder = f".codex/sessions/{moment[:4]}/{moment[5:7]}/{moment[8:10]}"
        return self.home.folder / folder / f"rollout-{moment[:10]}T00-00-00-{self.name}.jsonl"

    def line(self, kind, payload):
        self.put({"timestamp": self.moment(), "type": kind, "payload": payload})

    def begin(self):
        self.line("session_meta", {"id": self.name, "timestamp": at(self.day, 0), "cwd": str(self.home.project),
                                   "originator": "codex_cli", "cli_version": "0.99.0", "source": "cli"})  # fmt: skip
        self.message("user", "<environment_context>\n  <cwd>/code/app</cwd>\n</environment_context>")

    def message(self, role, text):
        kind = "output_text" if role == "assistant" else "input_text"
        self.line(
            "response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        )

    def asks(self, text):
        self.message("user", text)
        self.line("event_msg", {"type": "user_message", "message": text, "kind": "plain"})

    def answers(self, text):
        self.message("assistant", text)

    def is_told(self, event, text):
        self.message("developer", text)
        self.message("user", text)

    def payload(self, event, **more):
        return super().payload(
            event, model="gpt-5", turn_id=f"{self.name}-t{self.count}", permission_mode="default", **more
        )


class Gemini(Session):
    """A log that is replayed; what hooks add comes back in the prompt, with its tags spelled out."""

    name_of = "gemini"
    files: ClassVar = {".gemini/settings.json": GEMINI_SETTINGS, ".gemini/GEMINI.md": RULES}
    events = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")
    injected = ()

    @staticmethod
    def commands(home):
        document = json5.read((home.folder / ".gemini/settings.json").read_text()).value
        return {event: ["bash", "-c", hook["command"]] for event, hook in hooks_of(document).by_event.items()}

    def place(self):
        return (
            self.home.folder
            / f".gemini/tmp/9f8e/chats/session-{at(self.day, 0)[:10]}T00-00-{self.name[:8]}.jsonl"
        )

    def begin(self):
        moment = at(self.day, 0)
        self.put(
            {
                "sessionId": self.name,
                "projectHash": "9f8e",
                "startTime": moment,
                "lastUpdated": moment,
                "kind": "main",
            }
        )

    def message(self, kind, content):
        moment = self.moment()
        self.put({"id": f"g{self.count}", "timestamp": moment, "type": kind, "content": content})

    def asks(self, text):
        self.message("user", [{"text": text}, *self.injected])
        self.injected = ()

    def answers(self, text):
        self.message("gemini", text)

    def is_told(self, event, text):
        escaped = text.replace("<", "&lt;").replace(">", "&gt;")
        block = {"text": f"<hook_context>{escaped}</hook_context>"}
        if event == "BeforeAgent":
            self.injected = (block,)
        else:
            self.message("user", [block])

    def payload(self, event, **more):
        return super().payload(event, timestamp=at(0, self.count), **more)


class OpenClaw(Session):
    """A tree of the file era, with the list of its sessions beside it."""

    name_of = "openclaw"
    files: ClassVar = {
        ".openclaw/openclaw.json": """{
  "meta": {"lastTouchedVersion": "2026.4.26"},
  "agents": {
    "defaults": {
      "workspace": "~/clawd", // mine
      "memorySearch": {"extraPaths": ["../team-docs"]},
    },
    "list": [{"id": "main"}],
  },
}
""",
        ".openclaw/cron/jobs.json": '{\n  "version": 1,\n  "jobs": [{"id": "mine", "name": "walk the dog", "enabled": true}]\n}\n',
        "clawd/AGENTS.md": RULES,
    }

    @staticmethod
    def config(home):
        return json5.read((home.folder / ".openclaw/openclaw.json").read_text()).value

    @staticmethod
    def nightly(home):
        """The command that the job tells the agent to run."""
        jobs = json.loads((home.folder / ".openclaw/cron/jobs.json").read_text())["jobs"]
        (job,) = [job for job in jobs if job["name"] == "Memory Consolidation"]
        return shlex.split(job["payload"]["text"].split("`")[1])

    def place(self):
        return self.home.folder / f".openclaw/agents/main/sessions/{self.name}.jsonl"

    def begin(self):
        self.put(
            {"type": "session", "version": 3, "id": self.name, "timestamp": at(self.day, 0), "cwd": "~/clawd"}
        )
        listed = {
            "agent:main:main": {"sessionId": self.name, "updatedAt": 1775120000000, "chatType": "direct"}
        }
        (self.transcript.parent / "sessions.json").write_text(json.dumps(listed))

    def message(self, role, text):
        moment = self.moment()
        key = f"{self.name[:4]}{self.count:04}"
        self.put({"type": "message", "id": key, "parentId": self.last, "timestamp": moment,
                  "message": {"role": role, "content": [{"type": "text", "text": text}]}})  # fmt: skip
        self.last = key

    def asks(self, text):
        head = 'Conversation info (untrusted metadata):\n```json\n{\n  "message_id": "41"\n}\n```\n\n'
        stamp = datetime.fromisoformat(at(self.day, self.count + 1)).strftime("%a %Y-%m-%d %H:%M GMT")
        self.message("user", f"{head}[{stamp}+0] {text}")

    def answers(self, text):
        self.message("assistant", f"[[reply_to_current]] {text}")

    def is_told(self, event, text):
        self.message("user", f"{text}\n\nWhat do you think?")
        self.message("toolResult", text)
