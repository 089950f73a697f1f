"""Reading hooks: what an agent is told at the start of a session or at a prompt, in the host's own shape.

Nothing is written but a line in the spool: which records were handed over, or that the view has fallen behind. Without
anything to tell, nothing is said.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memoracle.interfaces.hooks.entry import NAMES, HookEvent, HookHost, HookPlace, Payload

if TYPE_CHECKING:
    from memoracle.context.pack import Context

# What the hosts cut off: characters of one output string, tokens of one output.
_MOST_CHARACTERS = {
    HookHost.CLAUDE_CODE: 9_500,
    HookHost.GEMINI: 30_000,
    HookHost.OPENCLAW: 30_000,
    HookHost.CODEX: 9_500,
}
_MOST_TOKENS = {HookHost.CODEX: 2_300}
_RESUMED = "resume"
_LOOKED_AT = 16 << 20
# A block as it stands in a transcript, its quotes escaped once or more; behind what the host folded away it is gone.
_BLOCK = re.compile(rb'<memoracle kind=\\*"context\\*"[^>\n]{0,200}after=\\*"(?:start|compact|reset)\\*"')
_FOLDED = re.compile(rb'"compact_boundary"|"isCompactSummary":\s?true|"type":\s?"compacted"')
_AFTER = {"compact": "compact", "clear": "reset"}


def tell(
    event: HookEvent, payload: Payload, place: HookPlace, environment: Mapping[str, str], now: str
) -> str:
    """The JSON to print; empty when there is nothing to tell."""
    if payload.is_subagent or (event is HookEvent.PROMPT and not is_question(payload.prompt)):
        return ""
    if payload.source == _RESUMED and event is HookEvent.SESSION_START and _stands_in(payload.transcript):
        return ""
    from memoracle.errors import ViewUnavailable

    try:
        made = _made(event, payload, place, environment)
    except ViewUnavailable:
        _ask_for_work(place, environment, now)
        raise
    from memoracle.recall.freshness import BEHIND

    if BEHIND in made.warnings:
        _ask_for_work(place, environment, now)
    if event is HookEvent.PROMPT and made.ids:
        _leave_receipt(made.ids, place, now)
    return shaped(made.text, payload.host, event) if made.text else ""


def _stands_in(transcript: str) -> bool:
    """True when a session that goes on has the start block before it still."""
    try:
        with open(transcript, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOOKED_AT))
            said = file.read(_LOOKED_AT)
    except (OSError, ValueError):
        return False
    folded = [one.end() for one in _FOLDED.finditer(said)]
    return _BLOCK.search(said, folded[-1] if folded else 0) is not None


def shaped(text: str, host: HookHost, event: HookEvent) -> str:
    """What is told, as this host wants to hear it."""
    told = (
        {"prependContext": text}
        if host is HookHost.OPENCLAW
        else {"hookSpecificOutput": {"hookEventName": NAMES[host][event], "additionalContext": text}}
    )
    return json.dumps(told, ensure_ascii=False)


def is_question(prompt: str) -> bool:
    """False for “ok”, a command of the host, or what a host put there by itself."""
    from memoracle.hosts.hygiene import clean, noise_of

    words = clean(prompt)
    return not words.startswith("/") and noise_of(words) is None


def _made(event: HookEvent, payload: Payload, place: HookPlace, environment: Mapping[str, str]) -> Context:
    from memoracle.compose import open_memory

    is_prompt = event is HookEvent.PROMPT
    most = _MOST_CHARACTERS[payload.host]
    folder = "" if payload.host is HookHost.OPENCLAW else payload.folder or os.getcwd()
    with open_memory(place.root, environment=environment, hurry=True, via="hook") as memory:
        memory.work_in(folder)
        settings = memory.root.settings
        budget = settings.hook_prompt_tokens if is_prompt else settings.hook_tokens
        budget = min(budget, _MOST_TOKENS.get(payload.host, budget))
        while True:
            made = memory.context(
                _asked(payload.prompt) if is_prompt else None,
                audience="group" if payload.is_group else "private",
                budget=budget,
                after="prompt" if is_prompt else _AFTER.get(payload.source, "start"),
            )
            if len(made.text) <= most:
                return made
            budget = budget * most // len(made.text)


def _asked(prompt: str) -> str:
    from memoracle.hosts.hygiene import clean

    return clean(prompt)


def _ask_for_work(place: HookPlace, environment: Mapping[str, str], now: str) -> None:
    """Have the view brought level by a process that has the time."""
    from memoracle.interfaces.hooks.capture import start_worker
    from memoracle.store.spool import FOLDER, Spool, SpoolEntry

    spool = Spool(os.path.join(place.state_place, FOLDER))
    if not spool.has_worker():
        spool.add(SpoolEntry(event="catch-up", at=now), safely=False)
        start_worker(place.root, environment)


def _leave_receipt(ids: tuple[str, ...], place: HookPlace, now: str) -> None:
    from memoracle.store.spool import FOLDER, Spool, SpoolEntry

    # No worker for this alone: the next hook that needs one brings it along.
    Spool(os.path.join(place.state_place, FOLDER)).add(
        SpoolEntry(event="used", at=now, refs=ids), safely=False
    )
