"""A host's file without what we put into it. Pure but for reading the copy that was kept.

A file that nobody touched since goes back to its bytes of before. In one that somebody changed, our entries go and
everything else stays.
"""

from __future__ import annotations

import os

from memoracle.interfaces.install import json5, json_text, marked, toml_text
from memoracle.interfaces.install.manifest import Trace, digest
from memoracle.interfaces.install.putting import Put
from memoracle.interfaces.install.wants import Item, Member, Section, Table, Whole, is_ours


def take_out(text: str | None, trace: Trace) -> Put:
    """The file as it should be once we are gone; raises `Unclear`."""
    if text is None:
        return Put(text=None)
    if trace.after and digest(text) == trace.after:
        if trace.created:
            return Put(text=None)
        before = _copy(trace)
        if before is not None:
            return Put(text=before)
    left, notes = _without(text, trace)
    return Put(text=left, notes=tuple(notes))


def _without(text: str, trace: Trace) -> tuple[str | None, list[str]]:
    notes: list[str] = []
    is_json = False
    for want in reversed(trace.wants):
        if isinstance(want, Whole):
            if text == want.text:
                return None, []
            return text, [f"{trace.path} was changed by hand and stays"]
        if isinstance(want, Section):
            if marked.is_edited(text):
                notes.append(f"the section in {trace.path} was changed by hand and stays")
            else:
                text = marked.take(text)
        elif isinstance(want, Table):
            found = toml_text.at(toml_text.parsed(text), want.path)
            text = toml_text.take(text, want.path) if found is not None and is_ours(found, want) else text
        else:
            is_json = True
            text = (
                _take_item(text, want) if isinstance(want, Item) else _take_member(text, want, trace, notes)
            )
    if is_json:
        for path in sorted(trace.made, key=len, reverse=True):
            left = json_text.find(text, path)
            if left is not None and left.value in ({}, []):
                text = json_text.take(text, path)
    if trace.created and (json5.read(text).value == {} if is_json else not text.strip("\ufeff \t\r\n")):
        return None, notes
    return text, notes


def _take_member(text: str, want: Member, trace: Trace, notes: list[str]) -> str:
    found = json_text.find(text, want.path)
    if found is None:
        return text
    if not is_ours(found.value, want):
        notes.append(f"`{'.'.join(want.path)}` in {trace.path} is no longer ours and stays")
        return text
    return json_text.take(text, want.path)


def _take_item(text: str, want: Item) -> str:
    found = json_text.find(text, want.path)
    if found is None or not found.is_array:
        return text
    for at in reversed([at for at, item in enumerate(found.value) if is_ours(item, want)]):
        text = json_text.take(text, want.path, at)
    return text


def _copy(trace: Trace) -> str | None:
    """What was there before, when its copy is still whole."""
    if not trace.before or not os.path.isfile(trace.backup):
        return None
    with open(trace.backup, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    return text if digest(text) == trace.before else None
