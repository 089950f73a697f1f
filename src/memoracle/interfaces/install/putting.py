"""A host's file with what we want in it. Pure: a text goes in, a text comes out.

Something of somebody else's under our name stays as it is, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.interfaces.install import json_text, marked, toml_text
from memoracle.interfaces.install.json5 import Unclear
from memoracle.interfaces.install.manifest import Trace, digest
from memoracle.interfaces.install.wants import Item, Member, Section, Table, Want, Whole, is_ours, is_same
from memoracle.model.value import value


@value
class Put:
    """The text as it should be, the wants that are in it, containers that had to be made, and what is to be said."""

    text: str | None
    wants: tuple[Want, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()


def put_in(text: str | None, wants: Sequence[Want], trace: Trace | None, path: str) -> Put:
    """The file with every want in it; raises `Unclear` for a file that cannot be changed safely."""
    if any(isinstance(want, Member | Item) for want in wants):
        return _put_json(
            "{}\n" if text is None or not text.strip("\ufeff \t\r\n") else text, wants, trace, path
        )
    (want,) = wants
    if isinstance(want, Table):
        return _put_table(text or "", want, path)
    if isinstance(want, Section):
        if text is not None and marked.is_edited(text):
            return Put(text=text, notes=(f"the section in {path} was changed by hand and stays",))
        return Put(text=marked.put(text or "", want.text), wants=(want,))
    if isinstance(want, Whole) and (
        text in {None, want.text} or (trace and digest(text or "") == trace.after)
    ):
        return Put(text=want.text, wants=(want,))
    return Put(text=text, notes=(f"{path} is not ours, or was changed by hand, and stays",))


def _put_json(text: str, wants: Sequence[Want], trace: Trace | None, path: str) -> Put:
    made: list[tuple[str, ...]] = []
    notes: list[str] = []
    kept: list[Want] = []
    for old in trace.wants if trace else ():
        # A plain name says nothing of whose it is: only what we wrote down tells that it was for another root.
        if isinstance(old, Item) and isinstance(old.value, str) and old not in wants:
            text = _take_equal(text, old)
    for want in wants:
        if not isinstance(want, Member | Item):
            raise Unclear("two kinds of file in one")
        made += [path for path in _missing(text, want) if path not in made]
        if isinstance(want, Item):
            text = _put_item(text, want)
            kept.append(want)
        else:
            found = json_text.find(text, want.path)
            if found is not None and not is_ours(found.value, want):
                notes.append(f"`{'.'.join(want.path)}` in {path} is not ours and stays")
                continue
            text = _put_member(text, want)
            kept.append(want)
    return Put(text=text, wants=tuple(kept), made=tuple(made), notes=tuple(notes))


def _put_member(text: str, want: Member) -> str:
    found = json_text.find(text, want.path)
    if found is None:
        return json_text.put(text, want.path, want.value)
    for key, item in want.value.items() if found.is_object else ():
        if found.value.get(key) != item:
            text = json_text.put(text, (*want.path, key), item)
    return text


def _put_item(text: str, want: Item) -> str:
    found = json_text.find(text, want.path)
    if found is not None and not found.is_array:
        raise Unclear(f"`{'.'.join(want.path)}` is no list")
    ours = [at for at, item in enumerate(found.value) if is_ours(item, want)] if found else []
    if not ours or found is None:
        return json_text.append(text, want.path, want.value)
    for at in reversed(ours[1:]):
        text = json_text.take(text, want.path, at)
    if is_same(found.value[ours[0]], want):
        return text
    return json_text.swap(text, want.path, ours[0], want.value)


def _take_equal(text: str, want: Item) -> str:
    found = json_text.find(text, want.path)
    if found is None or not found.is_array or want.value not in found.value:
        return text
    return json_text.take(text, want.path, found.value.index(want.value))


def _missing(text: str, want: Member | Item) -> list[tuple[str, ...]]:
    """The containers that a want needs and that are not there."""
    paths = [want.path[:size] for size in range(1, len(want.path) + isinstance(want, Item))]
    return [path for path in paths if json_text.find(text, path) is None]


def _put_table(text: str, want: Table, path: str) -> Put:
    found = toml_text.at(toml_text.parsed(text), want.path)
    if found is not None and not is_ours(found, want):
        return Put(text=text, notes=(f"`{'.'.join(want.path)}` in {path} is not ours and stays",))
    if found is not None and is_same(found, want):
        return Put(text=text, wants=(want,))
    return Put(text=toml_text.put(text, want.path, {**(found or {}), **want.value}), wants=(want,))
