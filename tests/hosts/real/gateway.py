"""OpenClaw's gateway on 127.0.0.1, and a chat service in which people write to it: a Bot API of Telegram's form."""

from __future__ import annotations

import itertools
import json
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OWNER, GUEST, GROUP = 111, 222, -333
_PEOPLE = {OWNER: "Ada", GUEST: "Mallory"}
PATIENCE = 180.0
_NUMBERS = itertools.count(1)
BOT = {"id": 900, "is_bot": True, "first_name": "Helper", "username": "helper_bot", "can_join_groups": True}


class _Api(BaseHTTPRequestHandler):
    """Answers every call of a bot; what it says in chats is kept."""

    protocol_version = "HTTP/1.1"
    server: Chats

    def log_message(self, *_):
        """Nothing: what is sent is kept."""

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        name = self.path.partition("?")[0].rpartition("/")[2]
        given = json.loads(raw) if raw[:1] == b"{" else {}
        answer = json.dumps({"ok": True, "result": self._result(name, given)}).encode()
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    do_GET = do_POST  # noqa: N815

    def _result(self, name: str, given: dict) -> object:
        if name == "getMe":
            return BOT
        if name == "getUpdates":
            with suppress(queue.Empty):
                return [self.server.updates.get(timeout=1)]
            return []
        if name == "getChat":
            return {"id": given.get("chat_id"), "type": "group", "title": "Harbour club"}
        if name in {"sendMessage", "editMessageText"}:
            self.server.said.put((int(given["chat_id"]), given.get("text", "")))
            return {"message_id": next(_NUMBERS), "date": int(time.time()), "chat": {"id": given["chat_id"]}}
        return True


class Chats(ThreadingHTTPServer):
    """The service; a context, like the model."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Api)
        self.updates: queue.Queue[dict] = queue.Queue()
        self.said: queue.Queue[tuple[int, str]] = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def write(self, sender: int, text: str, *, group: bool = False) -> None:
        """Somebody writes to the bot, alone with it or in the group; wait until it has answered there."""
        chat = {"id": GROUP, "type": "group", "title": "Harbour club"}
        if not group:
            chat = {"id": sender, "type": "private", "first_name": _PEOPLE[sender]}
        author = {"id": sender, "is_bot": False, "first_name": _PEOPLE[sender]}
        number = next(_NUMBERS)
        message = {
            "message_id": number, "date": int(time.time()), "chat": chat, "from": author, "text": text,
        }  # fmt: skip
        while not self.said.empty():
            self.said.get()  # what is left of an earlier answer
        self.updates.put({"update_id": number, "message": message})
        while self.said.get(timeout=PATIENCE)[0] != chat["id"]:
            pass

    @property
    def settings(self) -> dict:
        """What stands in OpenClaw's config about it."""
        return {
            "enabled": True, "botToken": "900:scratch", "apiRoot": f"http://127.0.0.1:{self.server_port}",
            "dmPolicy": "open", "allowFrom": ["*"], "groupPolicy": "open", "joinIntro": False,
            "groups": {"*": {"requireMention": False}}, "streaming": {"mode": "off"},
        }  # fmt: skip


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Gateway:
    """The running gateway of one home; a context."""

    def __init__(self, words, env, folder) -> None:
        self.log = folder / "gateway.log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [*map(str, words), "gateway", "run"],
                env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def __enter__(self):
        try:
            self.wait(r"\] ready")
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait(self, pattern: str, seconds: float = PATIENCE) -> None:
        """Until the log says so."""
        until = time.monotonic() + seconds
        while not re.search(pattern, re.sub(r"\x1b\[\d*m", "", self.log.read_text("utf-8", "replace"))):
            said = self.log.read_text("utf-8", "replace")[-3000:]
            assert time.monotonic() < until, said
            assert self._process.poll() is None, said
            time.sleep(0.1)

    def __exit__(self, *_) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
