"""A model for real hosts, on 127.0.0.1: it answers by script, streams as the real ones do, and keeps what it was asked.

It speaks Anthropic Messages, OpenAI Responses, OpenAI chat and Gemini. A prompt with a line `CALL tool {"some": "json"}`
has the tool called whose name ends so, and its output repeated; any other prompt is answered by a fixed sentence, which
teaches nobody anything.
"""

from __future__ import annotations

import gzip
import html
import itertools
import json
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

ANSWER = "Understood."
REPEATED = "The tool said:"
_CALL = re.compile(r'^\s*CALL (\S+) (\{.*\})"?\s*$', re.MULTILINE)
_BLOCK = re.compile(r'<memoracle kind="context".*?</memoracle>', re.DOTALL)
_FINDER = "ToolSearch"
_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Asked:
    """One request to the model: what came since it last spoke, and which tools it is offered."""

    said: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    """Tools that a search among tools has brought."""


@dataclass(frozen=True)
class Reply:
    """Words, or a call of a tool."""

    text: str = ""
    tool: str = ""
    given: dict = field(default_factory=dict)


def reply_to(asked: Asked) -> Reply:
    """What the script says."""
    scripted = [found for text in asked.said for found in _CALL.finditer(text)]
    if scripted and (not asked.outputs or asked.found):
        name, given = (
            scripted[-1][1],
            json.loads(scripted[-1][2].replace('\\"', '"')),
        )  # opencode quotes a prompt
        offered = [one for one in (*asked.tools, *asked.found) if one.endswith(name)]
        if offered:
            return Reply(tool=offered[0], given=given)
        if _FINDER in asked.tools and not asked.outputs:
            return Reply(tool=_FINDER, given={"query": name, "max_results": 5})
    return Reply(text=f"{REPEATED} {' '.join(asked.outputs)}" if asked.outputs else ANSWER)


def words(content) -> str:
    """The text of a message in any of the formats."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(words, content)))
    if isinstance(content, dict):
        return words(content.get("text") or content.get("content") or content.get("parts") or "")
    return ""


def _name(kind: str) -> str:
    return f"{kind}_{next(_NUMBERS):08d}"


def _event(document, name: str = "") -> str:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {document if isinstance(document, str) else json.dumps(document)}\n\n"


def _typed_events(documents) -> str:
    return "".join(_event(one, one["type"]) for one in documents)


# Anthropic Messages


def _anthropic_asked(body: dict) -> Asked:
    messages = body.get("messages", [])
    last = max((at for at, one in enumerate(messages) if one["role"] == "assistant"), default=-1)
    blocks = [
        {"type": "text", "text": block} if isinstance(block, str) else block
        for one in messages[last + 1 :]
        for block in (one["content"] if isinstance(one["content"], list) else [one["content"]])
    ]
    results = [block for block in blocks if block.get("type") == "tool_result"]
    parts = [part for one in results for part in (one.get("content") or ()) if isinstance(part, dict)]
    scripts = messages if results else messages[last + 1 :]
    return Asked(
        said=tuple(words(one["content"]) for one in scripts if one["role"] == "user"),
        outputs=tuple(words(one.get("content")) for one in results),
        tools=tuple(one.get("name", "") for one in body.get("tools", ())),
        found=tuple(part["tool_name"] for part in parts if part.get("type") == "tool_reference"),
    )


def _anthropic(body: dict, reply: Reply) -> tuple[dict, str]:
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 5,
    }
    text = {"type": "text", "text": reply.text}
    tool = {"type": "tool_use", "id": _name("toolu"), "name": reply.tool, "input": reply.given}
    stop = "tool_use" if reply.tool else "end_turn"
    message = {
        "id": _name("msg"), "type": "message", "role": "assistant", "model": body.get("model", ""), "usage": usage,
        "content": [tool if reply.tool else text], "stop_reason": stop, "stop_sequence": None,
    }  # fmt: skip
    delta = (
        {"type": "input_json_delta", "partial_json": json.dumps(reply.given)}
        if reply.tool
        else {"type": "text_delta", "text": reply.text}
    )
    empty = tool | {"input": {}} if reply.tool else text | {"text": ""}
    return message, _typed_events([
        {"type": "message_start", "message": message | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ])  # fmt: skip


# OpenAI Responses


def _responses_asked(body: dict) -> Asked:
    items = body.get("input", [])
    spoke = (at for at, one in enumerate(items) if one.get("role") == "assistant")
    fresh = items[max(spoke, default=-1) + 1 :]
    return Asked(
        said=tuple(words(one.get("content")) for one in fresh if one.get("role") == "user"),
        outputs=tuple(
            words(one.get("output")) for one in fresh if str(one.get("type", "")).endswith("_call_output")
        ),
        tools=tuple(_spaces(body)),
    )


def _spaces(body: dict) -> dict[str, str]:
    """The tools by name, each with the namespace it is offered in."""
    found: dict[str, str] = {}
    for one in body.get("tools", ()):
        if one.get("type") == "namespace":
            found |= {inner["name"]: one["name"] for inner in one.get("tools", ())}
        elif one.get("name"):
            found[one["name"]] = ""
    return found


def _responses(body: dict, reply: Reply) -> tuple[dict, str]:
    if reply.tool:
        item = {
            "type": "function_call", "id": _name("fc"), "call_id": _name("call"), "status": "completed",
            "name": reply.tool, "arguments": json.dumps(reply.given),
        }  # fmt: skip
        if space := _spaces(body)[reply.tool]:
            item["namespace"] = space
        first = item
    else:
        part = {"type": "output_text", "text": reply.text, "annotations": []}
        item = {
            "type": "message", "id": _name("msg"), "role": "assistant", "status": "completed", "content": [part],
        }  # fmt: skip
        first = item | {"content": []}
    usage = {
        "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "total_tokens": 15,
        "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    whole = {
        "id": _name("resp"), "object": "response", "created_at": 1, "status": "completed",
        "model": body.get("model"), "output": [item], "usage": usage,
    }  # fmt: skip
    delta = {
        "type": "response.output_text.delta",
        "item_id": item["id"],
        "output_index": 0,
        "content_index": 0,
    }
    return whole, _typed_events([
        {"type": "response.created", "response": whole | {"status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": first},
        *([] if reply.tool else [delta | {"delta": reply.text}]),
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ])  # fmt: skip


# OpenAI chat


def _chat_asked(body: dict) -> Asked:
    messages = body.get("messages", [])
    last = max(
        (at for at, one in enumerate(messages) if one["role"] == "assistant" and not one.get("tool_calls")),
        default=-1,
    )
    fresh = messages[last + 1 :]
    return Asked(
        said=tuple(words(one.get("content")) for one in fresh if one["role"] == "user"),
        outputs=tuple(words(one.get("content")) for one in fresh if one["role"] == "tool"),
        tools=tuple(one.get("function", {}).get("name", "") for one in body.get("tools") or ()),
    )


def _chat(body: dict, reply: Reply) -> tuple[dict, str]:
    common = {"id": _name("chatcmpl"), "created": 1, "model": body.get("model")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    called = {"name": reply.tool, "arguments": json.dumps(reply.given)}
    calls = [{"index": 0, "id": _name("call"), "type": "function", "function": called}]
    said = {"tool_calls": calls} if reply.tool else {"content": reply.text}
    end = "tool_calls" if reply.tool else "stop"

    def piece(delta: dict, finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _event(common | {"object": "chat.completion.chunk", "choices": [choice]})

    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": None, **said},
        "finish_reason": end,
    }
    closing = _event(common | {"object": "chat.completion.chunk", "choices": [], "usage": usage})
    return (
        common | {"object": "chat.completion", "choices": [choice], "usage": usage},
        piece({"role": "assistant", "content": ""})
        + piece(said)
        + piece({}, end)
        + closing
        + _event("[DONE]"),
    )


# Gemini


def _gemini_asked(body: dict) -> Asked:
    contents = body.get("contents", [])
    last = max(
        (
            at
            for at, one in enumerate(contents)
            if one.get("role") == "model" and not any("functionCall" in part for part in one["parts"])
        ),
        default=-1,
    )
    parts = [part for one in contents[last + 1 :] if one.get("role") != "model" for part in one["parts"]]
    return Asked(
        said=tuple(part["text"] for part in parts if "text" in part),
        outputs=tuple(json.dumps(part["functionResponse"]) for part in parts if "functionResponse" in part),
        tools=tuple(
            one["name"] for tool in body.get("tools") or () for one in tool.get("functionDeclarations", ())
        ),
    )


# What its own questions (which model, who speaks next) want to read.
_GEMINI_JSON = {
    "reasoning": "x", "model_choice": "flash", "next_speaker": "user", "complexity_reasoning": "x",
    "complexity_score": 10,
}  # fmt: skip


def _gemini(body: dict, reply: Reply) -> tuple[dict, str]:
    part = {"functionCall": {"name": reply.tool, "args": reply.given}} if reply.tool else {"text": reply.text}
    if "application/json" in json.dumps(body.get("generationConfig", {})):
        part = {"text": json.dumps(_GEMINI_JSON)}
    whole = {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "scripted",
    }
    return whole, _event(whole)


_FORMATS = (
    (re.compile(r"/messages$"), _anthropic_asked, _anthropic),
    (re.compile(r"/responses$"), _responses_asked, _responses),
    (re.compile(r"/chat/completions$"), _chat_asked, _chat),
    (re.compile(r":(?:streamG|g)enerateContent$"), _gemini_asked, _gemini),
)
_COUNTS = re.compile(r"/count_tokens$|:countTokens$")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_):
        """Nothing: what was asked is kept whole."""

    def do_HEAD(self):
        self._send({})

    def do_GET(self):
        self._send({"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []})

    def do_POST(self):
        body = json.loads(self._read() or b"{}")
        path = self.path.partition("?")[0]
        if _COUNTS.search(path):
            self._send({"input_tokens": 10, "totalTokens": 10})
            return
        for pattern, read, write in _FORMATS:
            if pattern.search(path):
                asked = read(body)
                self.server.model.requests.append(Request(path, body, asked))
                whole, events = write(body, reply_to(asked))
                streams = body.get("stream") or ":stream" in path
                self._send(events if streams else whole)
                return
        self._send({})

    def _read(self) -> bytes:
        if "chunked" in self.headers.get("transfer-encoding", ""):
            pieces = []
            while size := int(self.rfile.readline().partition(b";")[0] or b"0", 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            raw = b"".join(pieces)
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        return gzip.decompress(raw) if self.headers.get("content-encoding") == "gzip" else raw

    def _send(self, content: dict | str) -> None:
        raw = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        kind = "text/event-stream" if isinstance(content, str) else "application/json"
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(raw)


@dataclass(frozen=True)
class Request:
    """A request as it came."""

    path: str
    body: dict
    asked: Asked

    @property
    def text(self) -> str:
        """The whole of it, to look for words in: every string as the model reads it."""
        return "\n".join(_strings(self.body))

    def blocks(self) -> list[str]:
        """What memory tells in it; Gemini spells out the tags of hooks."""
        return _BLOCK.findall(html.unescape(self.text))

    @property
    def tools(self) -> tuple[str, ...]:
        """What the model may call."""
        return self.asked.tools


def _strings(document) -> Iterator[str]:
    if isinstance(document, str):
        yield document
    elif isinstance(document, list | dict):
        for one in document.values() if isinstance(document, dict) else document:
            yield from _strings(one)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ScriptedModel


class ScriptedModel:
    """The server and what it was asked; a context."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._server.shutdown()
        self._server.server_close()
