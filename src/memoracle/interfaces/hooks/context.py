"""Reading hooks: what an agent is told at the start of a session or at a prompt, in the host's own shape.

Nothing is written but a line in the spool: which records were handed over, or that the view has fallen behind. Without
anything to tell, nothing is said.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.hosts.known_hosts import OPENCLAW, HookEvent, Host
from memoracle.interfaces.hooks.entry import HookCall, Payload, end_of

if TYPE_CHECKING:
    from memoracle.context.pack import Context

_RESUMED = "resume"
_LOOKED_AT = 16 << 20
# A block as it stands in a transcript, its quotes escaped once or more; behind what the host folded away it is gone.
_BLOCK = re.compile(rb'<memoracle kind=\\*"context\\*"[^>\n]{0,200}after=\\*"(?:start|compact|reset)\\*"')
_BEGINS, _ENDS = re.compile(rb'<memoracle kind=\\*"context\\*"'), b"</memoracle>"
_CITED = re.compile(rb"`([^`\s]{4,400})`")
_FOLDED = re.compile(rb'"compact_boundary"|"isCompactSummary":\s?true|"type":\s?"compacted"')
_AFTER = {"compact": "compact", "clear": "reset"}


def tell(call: HookCall) -> str:
    """The JSON to print; empty when there is nothing to tell."""
    payload, is_prompt = call.payload, call.event is HookEvent.PROMPT
    is_resumed = payload.source == _RESUMED and not is_prompt
    if payload.is_subagent or (is_resumed and _BLOCK.search(_standing(payload.transcript)[0])):
        return ""
    asked = _question(payload.prompt, payload.host) if is_prompt else None
    if is_prompt and not asked:
        return ""
    from memoracle.errors import ViewUnavailable

    try:
        made = _made(call, asked)
    except ViewUnavailable:
        _ask_for_work(call)
        raise
    from memoracle.recall.freshness import BEHIND

    if BEHIND in made.warnings:
        _ask_for_work(call)
    if is_prompt and made.ids and not call.is_trial:
        from memoracle.store.spool import SpoolEntry

        # No worker for this alone: the next hook that needs one brings it along.
        call.place.spool.add(SpoolEntry(event="used", at=call.now, refs=made.ids), safely=False)
    return shaped(made.text, payload.host, call.event) if made.text else ""


def _standing(transcript: str) -> tuple[bytes, int]:
    """What a session has before it still: its transcript behind what the host folded away, and the line that begins."""
    said = end_of(transcript, _LOOKED_AT)
    folded = [one.end() for one in _FOLDED.finditer(said)]
    begin = folded[-1] if folded else 0
    before = 0
    with suppress(OSError):
        before = os.path.getsize(transcript) - len(said)
    # Of an endless transcript the lines are not counted: then only what was told counts as standing.
    return said[begin:], 0 if before else said.count(b"\n", 0, begin) + 1


def told_already(transcript: str) -> frozenset[str]:
    """What the agent has before it, as it is cited: what earlier blocks told, and every line of its own session."""
    said, first = _standing(transcript)
    # Cut once and never looked over again: a transcript holds what others said, be it a beginning a million times.
    blocks = (piece.partition(_ENDS) for piece in _BEGINS.split(said)[1:])
    cited = {
        one[1].decode("utf-8", "replace")
        for block, end, _ in blocks
        if end and b"\n" not in block
        for one in _CITED.finditer(block)
    }
    own = os.path.abspath(transcript)
    lines = range(first, first + said.count(b"\n") + 1) if first and said else ()
    return frozenset(cited | {f"{own}#L{number}" for number in lines})


def _present(payload: Payload) -> frozenset[str]:
    """What is not told again at a prompt."""
    told = told_already(payload.transcript) if payload.transcript else frozenset()
    return told | frozenset(re.findall(_CITED.pattern.decode(), payload.told))


def shaped(text: str, host: Host, event: HookEvent) -> str:
    """What is told, as this host wants to hear it."""
    told = (
        {"prependContext": text}
        if host is OPENCLAW
        else {"hookSpecificOutput": {"hookEventName": host.hooks[event][0], "additionalContext": text}}
    )
    return json.dumps(told, ensure_ascii=False)


def _question(prompt: str, host: Host) -> str:
    """What somebody asks; empty for “ok”, a command of the host, or what a host put there by itself."""
    from memoracle.hosts.hygiene import clean, noise_of

    words = clean(prompt)
    if host is OPENCLAW:
        from memoracle.hosts.openclaw.transcript import unwrap

        words = unwrap(words).text
    return "" if words.startswith("/") or noise_of(words) else words


def _made(call: HookCall, asked: str | None) -> Context:
    from memoracle.compose import open_memory

    payload, is_prompt = call.payload, asked is not None
    most = payload.host.most_characters
    folder = "" if payload.host is OPENCLAW else payload.folder or os.getcwd()
    with open_memory(call.place.root, environment=call.environment, hurry=True, via="hook") as memory:
        memory.work_in(folder)
        settings = memory.root.settings
        budget = settings.hook_prompt_tokens if is_prompt else settings.hook_tokens
        budget = min(budget, payload.host.most_tokens or budget)
        while True:
            made = memory.context(
                asked,
                audience="group" if payload.is_group else "private",
                budget=budget,
                after="prompt" if is_prompt else _AFTER.get(payload.source, "start"),
                attended=payload.is_attended,
                present=_present(payload) if is_prompt else (),
            )
            if len(made.text) <= most:
                return made
            budget = budget * most // len(made.text)


def _ask_for_work(call: HookCall) -> None:
    """Have the view brought level by a process that has the time."""
    from memoracle.interfaces.hooks.capture import start_worker
    from memoracle.store.spool import SpoolEntry

    if not call.is_trial and not call.place.spool.has_worker():
        call.place.spool.add(SpoolEntry(event="catch-up", at=call.now), safely=False)
        start_worker(call.place.root, call.environment)
