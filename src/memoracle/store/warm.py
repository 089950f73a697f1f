"""The header of a semantic or procedural note: its title, its tags on line 2, the day it was last verified.

Pure: text in, text out. What is not the header stays as it is, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from memoracle.store import frontmatter

_TAGS = re.compile(r"(\s*#tags\s?[:：])(.*)", re.IGNORECASE)
_VERIFIED = re.compile(r"(\s*(?:>\s?)?(?:\*\*)?last_verified(?:\*\*)?\s?[:：]).*", re.IGNORECASE)
_FRONT = 12


def fresh_warm(title: str, tags: Sequence[str], day: date) -> str:
    """What a new note begins with."""
    said = f"#tags: {', '.join(tags)}".rstrip()
    return f"# {title}\n{said}\n> last_verified: {day.isoformat()}\n\n"


def with_tags(text: str, tags: Sequence[str]) -> str:
    """The text with these tags in its line of tags, behind those it has; a line is added where none is."""
    head, lines, end = _parts(text)
    for at, line in enumerate(lines[:_FRONT]):
        if found := _TAGS.fullmatch(line.removesuffix("\r")):
            held = [tag.lstrip("#") for tag in re.split(r"[\s,，、]+", found[2].strip()) if tag]
            missing = [tag for tag in tags if tag.casefold() not in {one.casefold() for one in held}]
            if missing:
                lines[at] = f"{found[1]} {', '.join([*held, *missing])}{end}"
            return head + "\n".join(lines)
    if not tags:
        return text
    title = next((at for at, line in enumerate(lines) if line.strip()), 0)
    behind = title + 1 if lines[title].startswith("# ") else 0
    lines.insert(behind, f"#tags: {', '.join(tags)}{end}")
    return head + "\n".join(lines)


def with_verified(text: str, day: date) -> str:
    """The text with that day as the one it was last verified on."""
    head, lines, end = _parts(text)
    tags = None
    for at, line in enumerate(lines[:_FRONT]):
        if found := _VERIFIED.fullmatch(line.removesuffix("\r")):
            lines[at] = f"{found[1]} {day.isoformat()}{end}"
            return head + "\n".join(lines)
        if _TAGS.fullmatch(line.removesuffix("\r")):
            tags = at
    title = next((at for at, line in enumerate(lines) if line.strip()), 0)
    behind = tags + 1 if tags is not None else title + 1 if lines[title].startswith("# ") else 0
    lines.insert(behind, f"> last_verified: {day.isoformat()}{end}")
    return head + "\n".join(lines)


def _parts(text: str) -> tuple[str, list[str], str]:
    """The header as it stands, the lines below it with their carriage returns, and such a return or nothing."""
    head = frontmatter.parse(text).head
    body = text[len(head) :]
    mark = "\ufeff" if not head and body.startswith("\ufeff") else ""
    end = "\r" if text.partition("\n")[0].endswith("\r") else ""
    return head + mark, body.removeprefix(mark).split("\n"), end
