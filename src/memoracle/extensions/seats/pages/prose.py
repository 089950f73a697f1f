"""Whether an edit of somebody else's text only cleans it up: the one thing a seat may do outside its place.

Pure and careful: an edit counts as prose only when every changed line is plain text in both versions and differs in
spelling, spacing, links, dates or hashes. Contract lines, field names, steps, code and template variables never do;
what cannot be told apart from them belongs to the owner.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from memoracle.model.value import value

_CONTRACT = re.compile(
    r"(?i)\b(?:must|shall|should|never|always|required?|only|if|when|unless|before|after|not|cannot|exit|refus\w*|forbid\w*|may)\b"
    r"|必须|不得|禁止|应当|只能|一律|如果|之前|之后|不要|不可"
)
_STEP = re.compile(r"^\s*(?:\d+[.)、]|[-*]\s+\[[ xX]\]|(?i:step|phase)\s+\w+)")
_FIELD = re.compile(r"^\s*[-*]?\s*[`\"']?[A-Za-z_][\w\-]*[`\"']?\s*[:=]|\w+_\w+|--\w")
_VARIABLE = re.compile(r"\{\{|\}\}|\$\{|\$[A-Z_]|<[A-Z_]+>|\{[a-z_]+\}")
_TABLE = re.compile(r"^\s*\|.*\|")
_CODE = re.compile(r"`[^`\n]*`?")
_MOVING = re.compile(r"https?://\S+|\b[0-9a-f]{7,40}\b|\b\d{4}-\d{2}-\d{2}\b|(?:[\w.\-]+/)+[\w.\-]+")
_WORD = re.compile(r"\w+")
_ALIKE = 0.6


@value
class ProseCheck:
    """The verdict on an edit, and each line that makes it more than a clean-up."""

    prose: bool
    changed: int
    because: tuple[str, ...] = ()


def check_edit(old: str, new: str) -> ProseCheck:
    """Whether one text became the other by cleaning up alone."""
    before, after = old.splitlines(), new.splitlines()
    fenced_before, fenced_after = _fenced(before), _fenced(after)
    reasons: list[str] = []
    changed = 0
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for act, i, j, k, m in matcher.get_opcodes():
        if act == "equal":
            continue
        changed += max(j - i, m - k)
        code = [n for n in range(i, j) if n in fenced_before] + [n for n in range(k, m) if n in fenced_after]
        reasons += [f"line {at + 1}: it is code" for at in code]
        left = [line for line in before[i:j] if line.strip()]
        right = [line for line in after[k:m] if line.strip()]
        if len(left) != len(right):
            reasons.append(f"line {k + 1}: text was added or taken away")
            continue
        for place, (one, other) in enumerate(zip(left, right, strict=True), start=k + 1):
            if (why := _why_not(one, other)) is not None:
                reasons.append(f"line {place}: {why}")
    return ProseCheck(prose=not reasons, changed=changed, because=tuple(dict.fromkeys(reasons)))


def _why_not(old: str, new: str) -> str | None:
    """Why a changed line is no clean-up; None when it is one."""
    if " ".join(old.split()) == " ".join(new.split()) and old.lstrip() == new.lstrip():
        return None if not _STEP.match(old) else "it is a step"
    if _CODE.findall(old) != _CODE.findall(new):
        return "it holds code"
    old, new = _CODE.sub("·", old), _CODE.sub("·", new)
    still_old, still_new = _MOVING.sub("·", old), _MOVING.sub("·", new)
    for pattern, why in _NEVER:
        if pattern.search(still_old) or pattern.search(still_new):
            return why
    if still_old == still_new or " ".join(still_old.split()) == " ".join(still_new.split()):
        return None  # only a link, a date, a path or a hash moved
    if _CONTRACT.search(old) or _CONTRACT.search(new):
        return "it reads like a rule"
    return None if _is_spelling(old, new) else "its words say something else"


def _is_spelling(old: str, new: str) -> bool:
    """True when every word became one much like it; numbers never change."""
    ours, theirs = _WORD.findall(old), _WORD.findall(new)
    if len(ours) != len(theirs):
        return "".join(ours).casefold() == "".join(theirs).casefold()
    return all(
        one.casefold() == other.casefold()
        or (
            not (one + other).isdigit() and not any(ch.isdigit() for ch in one + other) and _alike(one, other)
        )
        for one, other in zip(ours, theirs, strict=True)
    )


def _alike(one: str, other: str) -> bool:
    return len(one) > 2 and SequenceMatcher(None, one.casefold(), other.casefold()).ratio() >= _ALIKE


def _fenced(lines: list[str]) -> set[int]:
    """The lines inside code blocks, and those of a header."""
    inside: set[int] = set()
    fence = ""
    for at, line in enumerate(lines):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if at == 0 and line.strip() == "---":
            fence = "---"
            inside.add(at)
        elif fence == "---":
            inside.add(at)
            fence = "" if line.strip() == "---" else fence
        elif mark and not fence:
            fence = mark[1][:3]
            inside.add(at)
        elif fence:
            inside.add(at)
            fence = "" if mark and mark[1].startswith(fence) else fence
    return inside


_NEVER = (
    (_VARIABLE, "it holds a template variable"),
    (_STEP, "it is a step"),
    (_TABLE, "it is a table"),
    (_FIELD, "it names a field"),
)
