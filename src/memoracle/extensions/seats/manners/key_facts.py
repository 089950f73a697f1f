"""What of a turn must be stored before the conversation may be compacted: its key facts, by rules. Pure.

Decisions and what was handed out, acceptance, confirmations, root causes; in both languages.
"""

from __future__ import annotations

import re

_RULES = {
    "decision": re.compile(
        r"\b(?:decided|we(?:'ll| will| shall)|let'?s (?:use|go|take|keep)|go(?:ing)? with|chose|settled on|agreed)\b"
        r"|决定|定下|选(?:择|定|用)|采用|改用|就用|统一用",
        re.IGNORECASE,
    ),
    "dispatch": re.compile(
        r"\b(?:dispatched|assigned|handed (?:over )?to|delegated)\b|派(?:给|发)|分派|交给|指派|转给",
        re.IGNORECASE,
    ),
    "acceptance": re.compile(
        r"\b(?:approved|accepted|signed off|merged|passed|rejected)\b|验收|通过了?|批准|合并了?|驳回",
        re.IGNORECASE,
    ),
    "confirmation": re.compile(
        r"\bconfirm(?:ed|s)?\b|\bthat'?s right\b|\bverified\b|确认|核实|没错", re.IGNORECASE
    ),
    "root-cause": re.compile(
        r"\broot cause\b|\b(?:was|is) caused by\b|\bthe (?:bug|problem|reason) (?:was|is)\b|\bturned out\b"
        r"|根因|根本原因|原因(?:是|在于)|问题出在|原来是",
        re.IGNORECASE,
    ),
}
_QUESTION = ("?", "？")
_SHORTEST = 4


def key_facts(text: str) -> list[tuple[str, str]]:
    """The sentences of a turn that carry a key fact, each with its sort; questions carry none."""
    found = []
    for sentence in (
        one.strip(" \t-*>") for one in re.split(r"(?<=[.!?。！？])(?:\s+|(?<=[。！？]))|\n+", text)
    ):
        if len(sentence) < _SHORTEST or sentence.endswith(_QUESTION):
            continue
        kind = next((kind for kind, rule in _RULES.items() if rule.search(sentence)), "")
        if kind:
            found.append((kind, sentence))
    return found
