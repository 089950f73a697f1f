"""What people and agents write down themselves: notes of days and homes, the vocabulary of tags.

Every text passes the guard before it is written, and is durable when a function returns. Values become writes here,
under the store's lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.errors import BadInput, MemoracleError, RefusedByPolicy
from memoracle.extensions.notebook import editing, homes, vocabulary
from memoracle.extensions.notebook.editing import (
    bullet,
    fresh_warm,
    guarded,
    jot,
    jot_at,
    rewrite,
    with_tags,
    with_verified,
)
from memoracle.extensions.notebook.homes import (
    BY_NAME,
    DAILY,
    PROCEDURAL,
    SEMANTIC,
    Duplicate,
    Stated,
    fact_of,
    home_for,
    standing_in,
)
from memoracle.extensions.notebook.vocabulary import check_tag, frozen, nearest_tag, own_tag, read_reasons
from memoracle.model.value import value
from memoracle.store.chunks import split_lines
from memoracle.store.generated import generated_lines
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import LABELS, read_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from memoracle.root import Root

TYPES = {"W": "a fact of the world", "B": "something experienced", "O": "an opinion", "S": "an observation"}
_LONGEST_EVENT = 120
_DECISIONS = "decisions"
_HOMES = {
    NoteRole.SEMANTIC: SEMANTIC,
    NoteRole.PROCEDURAL: PROCEDURAL,
    NoteRole.DAILY: DAILY,
    NoteRole.HOT: "hot",
}


@value
class Written:
    """Lines that stand in a note now. `created` is False when they stood there, or in their home, already."""

    path: str
    line: int
    created: bool = True
    home: str = "daily"
    also: str = ""
    warnings: tuple[str, ...] = ()


@value
class Tag:
    """A tag: why it is in the vocabulary, how many notes carry it, and what to say when it is not in there."""

    name: str
    because: str = ""
    notes: int = 0
    known: bool = True
    hint: str = ""


def note(
    root: Root,
    text: str,
    *,
    type: str = "",  # noqa: A002 - the word people know
    confidence: float | None = None,
    entity: str = "",
    heading: str = "",
    day: date | None = None,
    to: str = "",
    tags: Sequence[str] = (),
    verified: bool = False,
) -> Written:
    """Add a line to the note of today, or `to` its home: infrastructure, decisions and so on."""
    if to:
        return _keep_in_home(root, text, to, heading=heading, tags=tags, verified=verified)
    return _note_of_day(
        root, text, type_=type, confidence=confidence, entity=entity, heading=heading, day=day
    )


def _note_of_day(
    root: Root,
    text: str,
    *,
    type_: str = "",
    confidence: float | None = None,
    entity: str = "",
    heading: str = "",
    day: date | None = None,
) -> Written:
    """Add a line to the note of today, or of another day, under a heading of its own time."""
    words = guarded(root.guard, {"text": text, "entity": entity, "heading": heading})
    item = bullet(_typed(words["text"], type_, confidence, words["entity"]))
    local = root.clock().astimezone(root.zone)
    topic = " ".join(words["heading"].replace("#", " ").split())
    title = (
        f"{local:%H:%M} {topic}" if day in {None, local.date()} else topic or f"Noted {local:%Y-%m-%d %H:%M}"
    )
    with root.store.writing():
        place = jot(root.store, day or local.date(), item, heading=title.strip())
    return Written(path=place.path, line=place.line, warnings=_warnings(root, text, entity, heading))


def close_day(
    root: Root, day: date | None = None, *, decisions: str = "", signal: str = "", left_open: str = ""
) -> Written:
    """Write or renew the four closing lines of a day; what is not given stays as it is."""
    given = {"Decisions": decisions, "Signal": signal, "Open": left_open}
    words = {name: " ".join(said.split()) for name, said in guarded(root.guard, given).items()}
    today = root.clock().astimezone(root.zone).date()
    with root.store.writing():
        place = editing.close_day(root.store, day or today, words | {LABELS[0]: today.isoformat()})
    return Written(path=place.path, line=place.line, warnings=_warnings(root, *given.values()))


def _keep_in_home(
    root: Root, text: str, to: str, *, heading: str = "", tags: Sequence[str] = (), verified: bool = False
) -> Written:
    """Add a line to its home; a fact that stands in a home already is not written a second time."""
    words = guarded(root.guard, {"text": text, "heading": heading})
    said = words["text"].strip()
    if root.guard.mask(to).types:
        raise RefusedByPolicy(("secret-in-a-name",))
    home = home_for(said) if to == "auto" else to
    if home == DAILY:
        return _note_of_day(root, text, heading=heading)
    if not said and not verified and not tags:
        raise BadInput("there is nothing to note", "give some text, --tags or --verified")
    path, title = _home(root, home)
    named = tuple(dict.fromkeys(map(check_tag, tags)))
    unknown = tuple(_unknown(root, named))
    today = root.clock().astimezone(root.zone).date()
    fresh = fresh_warm(title, named or own_tag(root.store, home), today)
    with root.store.writing():
        same, told = _compared(root, said, home)
        warnings = (*_warnings(root, text, heading), *unknown, *told)
        if same is None or same.path == path:
            day = today if verified else None
            rewrite(root.store, path, lambda held: _headed(held, named, day), fresh=fresh)
        if same is not None:
            return Written(path=same.path, line=same.line, created=False, home=home, warnings=warnings)
        line = _entered(root, path, said, home, words["heading"]) if said else 1
        also = _event(root, said, home) if said and home == _DECISIONS else ""
    return Written(path=path, line=line, home=home, also=also, warnings=warnings)


def duplicates(root: Root) -> list[Duplicate]:
    """The facts that stand in more than one note."""
    return homes.duplicates(list(_stated(root, *_HOMES)))


def tags(root: Root) -> tuple[list[Tag], str]:
    """The vocabulary and every tag in use; and what is wrong with the file."""
    reasons, problem = read_reasons(root.store)
    used = _used_tags(root)
    found = [
        Tag(name=name, because=why, notes=used.pop(name, 0)) for name, why in sorted((reasons or {}).items())
    ]
    for name, notes in sorted(used.items()):
        hint = "" if reasons is None else nearest_tag(name, reasons)
        found.append(Tag(name=name, notes=notes, known=reasons is None, hint=hint))
    return found, problem


def add_tag(root: Root, tag: str, *, because: str) -> Tag:
    """Put a tag into the vocabulary, with its reason."""
    words = guarded(root.guard, {"tag": tag, "because": because})
    with root.store.writing():
        vocabulary.add_tag(root.store, words["tag"], words["because"], used=_used_tags(root))
    name = check_tag(words["tag"])
    reasons, _ = read_reasons(root.store)
    return Tag(name=name, because=(reasons or {}).get(name, ""), notes=_used_tags(root).get(name, 0))


def _home(root: Root, name: str) -> tuple[str, str]:
    """The place and the title of a home: a known one, one that is there, or a new one."""
    folder, _, bare = name.rpartition("/")
    if folder not in {"", SEMANTIC, PROCEDURAL}:
        raise BadInput(f"`{name}` names no home", "NAME, semantic/NAME or procedural/NAME")
    known = BY_NAME.get(bare)
    role = folder or (known.role if known else "")
    if not role:
        places = {role: resolve(root.store.layout, role, name=bare) for role in (SEMANTIC, PROCEDURAL)}
        standing = root.store.notes.files(NoteRole.SEMANTIC, NoteRole.PROCEDURAL)
        role = next((one for one, path in places.items() if path in standing), SEMANTIC)
    title = known.title if known else bare.replace("-", " ")
    return resolve(root.store.layout, role, name=bare), title


def _compared(root: Root, said: str, home: str) -> tuple[Stated | None, list[str]]:
    """The line of a home that says the same already, and what to mention before a text is written."""
    if not said:
        return None, []
    known = list(standing_in(said, _stated(root, NoteRole.SEMANTIC, NoteRole.PROCEDURAL)))
    told = [f"{one.place} says nearly the same" for how, one in known if how == "near"]
    if same := next((one for how, one in known if how == "same"), None):
        return same, [f"it stands in {same.place} already"]
    if (better := home_for(said)) not in {home, DAILY}:
        told.append(f"this looks like something for `{better}`")
    return None, told


def _entered(root: Root, path: str, said: str, home: str, heading: str) -> int:
    """The line of a text that now stands in its home; a decision carries its day."""
    today = root.clock().astimezone(root.zone).date()
    item = bullet(f"{today.isoformat()}: {said}" if home == _DECISIONS else said)
    return jot_at(root.store, path, item, heading=heading or None).line


def _event(root: Root, said: str, home: str) -> str:
    """What happened, in the note of its day, with a link to the home of what was decided."""
    from memoracle.text import shorten

    local = root.clock().astimezone(root.zone)
    item = bullet(f"{shorten(said, _LONGEST_EVENT)} [[{home}]]")
    place = jot(root.store, local.date(), item, heading=f"{local:%H:%M} {BY_NAME[home].title}")
    return f"{place.path}#L{place.line}"


def _stated(root: Root, *roles: NoteRole) -> Iterator[Stated]:
    """The facts that notes of these roles state, line by line, as their owner wrote them."""
    for path, role in sorted(root.store.notes.files(*roles).items()):
        try:
            note = read_note(root.store.volume, path)
        except MemoracleError:
            continue  # `check` names it
        hidden = generated_lines(note.text)
        for at, line in enumerate(split_lines(note.text)):
            if at not in hidden and at + 1 >= note.body_line and (said := fact_of(line)):
                yield Stated(path=path, line=at + 1, role=_HOMES[role], text=said)


def _used_tags(root: Root) -> dict[str, int]:
    used: dict[str, int] = {}
    for path in root.store.notes.files(NoteRole.SEMANTIC, NoteRole.PROCEDURAL):
        for tag in read_note(root.store.volume, path).tags:
            used[tag.casefold()] = used.get(tag.casefold(), 0) + 1
    return used


def _unknown(root: Root, tags: Sequence[str]) -> Iterator[str]:
    reasons, _ = read_reasons(root.store)
    if reasons is not None:
        for tag in tags:
            if tag not in reasons:
                says = f"the tag `{tag}` is not in the vocabulary"
                if frozen(root.store.layout_name):
                    raise BadInput(says, nearest_tag(tag, reasons))
                yield f"{says}: {nearest_tag(tag, reasons)}"


def _warnings(root: Root, *texts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(told for text in texts for told in root.guard.warnings(text)))


def _typed(text: str, type_: str, confidence: float | None, entity: str) -> str:
    kind = type_.strip().upper()
    if kind and kind not in TYPES:
        raise BadInput(f"`{type_}` is no type of note", f"one of: {', '.join(TYPES)}")
    if confidence is not None and (kind != "O" or not 0 <= confidence <= 1):
        raise BadInput("a confidence from 0 to 1 goes with an opinion, type O")
    if not text.strip():
        raise BadInput("there is nothing to note", "give some text")
    sure = f"(c={confidence:g})" if confidence is not None else ""
    name = " ".join(entity.replace(":", " ").replace("：", " ").split()).lstrip("@")
    about = " ".join(one for one in (f"{kind}{sure}", f"@{name}" if name else "") if one)
    return f"{about}: {text.strip()}" if about else text


def _headed(text: str, tags: Sequence[str], day: date | None) -> str:
    tagged = with_tags(text, tags)
    return with_verified(tagged, day) if day else tagged
