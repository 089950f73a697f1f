"""The vocabulary of a memory: which tags its notes may carry, and why each is there. `tags.toml` in the root.

Without that file every tag is welcome; the design `v4` brings a frozen list of its own. A tag is added deliberately,
with a reason. One that is not in the vocabulary is mentioned, with the nearest that is; in `v4` it is not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from memoracle.errors import BadInput, MemoracleError
from memoracle.model.ids import file_digest
from memoracle.store.notes import VOCABULARY
from memoracle.store.store import Store

NEUTRAL = {
    "infrastructure": "addresses, ports, services",
    "preferences": "style, rules, habits",
    "projects": "what is being worked on",
    "decisions": "what was settled, and why",
    "lessons": "what went wrong, and what to do instead",
    "procedures": "how things are done",
    "people": "who is who",
    "tools": "programs and devices",
    "security": "what protects us",
    "review": "what was looked at again",
}
"""What a vocabulary begins with: nobody's own words."""

_FROZEN = {
    "v4": {
        "infrastructure": "tailscale tailnet docker synapse matrix coturn qdrant ubuntu systemd ufw fail2ban samba ssh"
        " networking gateway pm2",
        "preferences": "rules style workflow memory habits",
        "projects": "audit skills security review",
        "procedural": "deepseek puppeteer benchmark troubleshooting tasks checklist backup diagnostics",
        "lessons": "postmortem errors fixes anti-patterns",
    }
}
"""The tags of a design, by what they are about."""
_OF_HOME = {
    "infrastructure": "networking",
    "preferences": "habits",
    "projects": "tasks",
    "decisions": "rules",
    "lessons-learned": "postmortem",
    "procedures": "checklist",
}
"""What a home is tagged with where its own name is no tag."""

_TAG = re.compile(r"[^\W_][\w.\-/]{0,59}")
_TABLE = re.compile(r"\s*\[tags\]\s*(?:#.*)?")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")


def read_vocabulary(store: Store) -> tuple[frozenset[str] | None, str]:
    """The tags that `tags.toml` allows, None when there is no such file; and what is wrong with it."""
    reasons, problem = read_reasons(store)
    return None if reasons is None else frozenset(reasons), problem


def read_reasons(store: Store) -> tuple[dict[str, str] | None, str]:
    """The same, each tag with the reason it is there for."""
    try:
        written = _reasons(store.volume.read(VOCABULARY).decode("utf-8"))
        return frozen(store.layout_name) if written is None else written, ""
    except (ValueError, MemoracleError) as problem:
        return None, str(problem)


def frozen(layout: str) -> dict[str, str] | None:
    """The tags a design allows, each with what it is about; None where every tag is welcome."""
    rows = _FROZEN.get(layout)
    return rows and {tag: about for about, tags in rows.items() for tag in tags.split()}


def own_tag(store: Store, home: str) -> tuple[str, ...]:
    """What a new note of a home is tagged with."""
    reasons, _ = read_reasons(store)
    name = home.rpartition("/")[2].casefold()
    return next(
        ((one,) for one in (name, _OF_HOME.get(name, "")) if one and (reasons is None or one in reasons)), ()
    )


def check_tag(tag: str) -> str:
    """A tag as a vocabulary writes it, or an error."""
    bare = tag.strip().lstrip("#").casefold()
    if not _TAG.fullmatch(bare):
        raise BadInput(
            f"`{tag}` cannot be a tag", "use letters, digits, `.`, `_`, `-` and `/`, without spaces"
        )
    return bare


def nearest_tag(tag: str, known: Iterable[str]) -> str:
    """What to say about a tag that is not in the vocabulary: the nearest one, or how to add it."""
    from difflib import get_close_matches

    near = get_close_matches(tag.casefold(), sorted(known), n=1)
    if near:
        return f"did you mean `{near[0]}`?"
    return f'add `{_key(tag)} = "why"` to {VOCABULARY}, or take it out'


def add_tag(store: Store, tag: str, because: str, *, used: Iterable[str] = ()) -> bool:
    """Put a tag into the vocabulary; False when it is there. The caller holds the lock.

    A vocabulary that begins with this tag begins with those of the design, else with the neutral ones and those that
    notes carry already.
    """
    tag, reason = check_tag(tag), " ".join(because.split())
    if not reason:
        raise BadInput("a tag needs a reason", "--because says what it is for")
    place = VOCABULARY
    raw = store.volume.read(place)
    text = raw.decode("utf-8", "replace")
    try:
        known = _reasons(text)
    except ValueError as problem:
        raise BadInput(f"{VOCABULARY} cannot be read: {problem}", "mend it first") from None
    if known is not None and tag in known:
        return False
    if known is None:
        found = {one.casefold(): "in use when the vocabulary began" for one in used}
        given = frozen(store.layout_name)
        wanted = (
            given | {tag: reason}
            if given
            else NEUTRAL | {one: why for one, why in found.items() if one not in NEUTRAL} | {tag: reason}
        )
        changed = "# The tags of this memory, and why each is there.\n[tags]\n" + "".join(
            _line(*row) for row in wanted.items()
        )
    else:
        wanted = known | {tag: reason}
        changed = _with_line(text, _line(tag, reason))
    if _readable(changed) != wanted:
        raise BadInput(f"{VOCABULARY} has a shape that cannot be added to", f"add `{tag}` to it by hand")
    store.volume.replace(place, changed.encode(), expected=file_digest(raw))
    return True


def _reasons(text: str) -> dict[str, str] | None:
    if not text:
        return None
    import tomllib

    tags = tomllib.loads(text).get("tags")
    if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags):
        return {tag.casefold(): "" for tag in tags}
    if isinstance(tags, dict):
        return {tag.casefold(): why if isinstance(why, str) else "" for tag, why in tags.items()}
    raise ValueError("it holds no `tags`")


def _readable(text: str) -> Any:
    try:
        return _reasons(text)
    except ValueError:
        return None


def _with_line(text: str, line: str) -> str:
    """The text with one more line at the end of its table."""
    lines = text.splitlines(keepends=True)
    start = next((at for at, one in enumerate(lines) if _TABLE.fullmatch(one.rstrip("\r\n"))), None)
    if start is None:
        return text
    end = next((at for at in range(start + 1, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    while not lines[end - 1].strip():
        end -= 1
    if not lines[end - 1].endswith("\n"):
        lines[end - 1] += "\n"
    return "".join([*lines[:end], line, *lines[end:]])


def _line(tag: str, because: str) -> str:
    import json

    # A JSON text is a basic TOML text, once the one letter that only JSON leaves alone is spelled out.
    return f"{_key(tag)} = {json.dumps(because, ensure_ascii=False)}\n".replace("\x7f", "\\u007f")


def _key(tag: str) -> str:
    return tag if _PLAIN_KEY.fullmatch(tag) else f'"{tag}"'
