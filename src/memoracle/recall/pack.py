"""Evidence as text for a model: cited line by line, never above its budget.

Filled in rank order. What does not fit whole is shown as its best stretch, or left out. What came from outside or was
pasted is marked as quoted.
"""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.model.hit import Hit, Pack, Passage
from memoracle.recall.quoted import as_data, is_quoted
from memoracle.text import estimate_tokens, shorten, stretches, telling_terms

SNIPPET = 700
_LARGE_SHARE = 0.4


def pack_evidence(hits: Sequence[Hit], question: str, budget: int) -> Pack:
    """The best hits that fit into `budget` tokens."""
    lines: list[str] = []
    whole: list[str] = []
    spent = 0
    asked = set(telling_terms(question))
    for place, hit in enumerate(hits, start=1):
        label = f"[{place}] {_source(hit)} "
        full = f"{label}{_told(hit.passage, ' '.join(hit.passage.text.split()))}"
        cost = estimate_tokens(full + "\n")
        is_whole = cost <= budget - spent and (cost <= budget * _LARGE_SHARE or len(hits) == 1)
        if not is_whole:
            full = f"{label}{_told(hit.passage, best_stretch(hit.passage.text, asked))}"
            cost = estimate_tokens(full + "\n")
            if cost > budget - spent:
                continue
        lines.append(full)
        spent += cost
        if is_whole:
            whole.append(hit.passage.ref)
    text = "\n".join(lines)
    return Pack(text=text, tokens=estimate_tokens(text), refs=tuple(whole))


def best_stretch(text: str, asked: set[str]) -> str:
    """The part of a long text that shares most with the question, at most `SNIPPET` characters."""
    parts = stretches(text, size=SNIPPET)
    best = max(range(len(parts)), key=lambda n: (len(asked & set(telling_terms(parts[n]))), -n))
    return ("… " if best else "") + shorten(parts[best], SNIPPET) + (" …" if best + 1 < len(parts) else "")


def _told(passage: Passage, words: str) -> str:
    return as_data(words) if is_quoted(passage, words) else words


def _source(hit: Hit) -> str:
    passage = hit.passage
    when = passage.at.date().isoformat() if passage.at else ""
    unused = f"long unused since {hit.unused_since.date()}" if hit.unused_since else ""
    fate = hit.fate.says if hit.fate else ""
    return f"({', '.join(part for part in (passage.who, when, fate, unused, passage.cite) if part)})"
