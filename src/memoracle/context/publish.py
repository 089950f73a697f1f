"""The hot file and the snapshot, brought up to date on disk. The caller holds the store's lock.

Each function says what it changed, or would change in a dry run. Running it again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from memoracle.context.choose import Audience, HotPart, HotPlace, Placing, one_of
from memoracle.context.digest import publish_digests
from memoracle.context.hot import BLOCK, INDEX_ZH, Hot, HotLimits, compose_hot, settled, shown_in
from memoracle.context.outdated import ask_what_changed, changed_since
from memoracle.model.record import EVERYBODY, Scope
from memoracle.model.report import Done, Finding, Plan, Severity, Step
from memoracle.model.search import Passage, Standing, cited_in, short_id
from memoracle.model.value import replace
from memoracle.store.generated import blocks_in, put_block, with_block
from memoracle.store.inbox import read_inbox
from memoracle.store.layouts import NoteRole
from memoracle.store.notes import read_text
from memoracle.store.projected import put_documents
from memoracle.store.run_log import critical_now

if TYPE_CHECKING:
    from datetime import date

    from memoracle.root import Root
    from memoracle.settings import Settings
    from memoracle.store.store import Store


# The hot file, and the snapshot: the hot block as a document of its own, for one audience and one budget.

TITLE = "# Working memory\n"
_FRESH = "# Memory\n\n"


def limits_of(settings: Settings, tokens: int | None = None) -> HotLimits:
    """How large a hot file may be, as the settings have it."""
    return HotLimits(
        tokens=tokens or settings.hot_tokens,
        lines=settings.hot_lines,
        target_lines=settings.hot_target_lines,
        warn_lines=settings.hot_lines - settings.hot_lines // 10,
    )


def _as_snapshot(hot: Hot) -> Hot:
    title = "# 工作记忆\n" if f"\n## {INDEX_ZH}\n" in hot.text else TITLE
    return replace(hot, text=f"{title}{hot.text}\n" if hot.text else f"{TITLE}\nNothing is kept yet.\n")


def publish_hot(
    store: Store,
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    limits: HotLimits | None = None,
    open_items: int = 0,
    changed: Mapping[str, Passage] | None = None,
    dry_run: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> Done:
    """Bring the block of the hot file up to date, and the snapshot where the layout has one."""
    warnings: list[str] = []

    def composed(before: str, owners: str) -> Hot:
        return compose_hot(
            standing,
            now=now,
            zone=zone,
            present=cited_in(before),
            limits=limits,
            open_items=open_items,
            critical=critical_now(store),
            owners=owners,
            changed=changed,
        )

    def compose(before: str, owners: str) -> str:
        hot = composed(before, owners)
        warnings[:] = hot.warnings
        return settled(before, hot.text)

    place = hot_place(store)
    put = put_block(store.volume, place, BLOCK, compose, fresh=_FRESH, dry_run=dry_run, meanwhile=meanwhile)
    because = "what should be at hand has changed"
    steps = [Step(act="write", target=place, because=because)] if put.changed else []
    hint = "shorten your own text in it, unpin records, or raise `hot_tokens` and `hot_lines`"
    findings = [
        Finding(code="hot-file-large", severity=Severity.WARNING, path=place, message=says, hint=hint)
        for says in warnings
    ]
    findings += [put.finding] if put.finding else []
    if path := store.layout.get("snapshot"):
        before = store.volume.read(path).decode("utf-8", "replace")
        text = _among_owners(before, _as_snapshot(composed(before, TITLE)).text)
        done = put_documents(store, "snapshot", {path: text.encode()}, dry_run=dry_run)
        steps += done.steps
        findings += done.findings
    return Done(steps=tuple(steps), findings=tuple(findings))


_MADE = re.compile(r"## (?:🔴|🟠|📊|🏷️|📈|核心记忆|近期要点|索引|说明)")
"""Sections that the design's own program makes anew in every run."""


def _among_owners(before: str, text: str) -> str:
    """The document with the snapshot as its block; sections that people keep in it by hand stay before it."""
    found = next((one for one in blocks_in(before)[0] if one.name == BLOCK), None)
    if found is None:
        sections = re.split(r"(?m)^(?=## )", before)[1:]
        kept = [one.partition("\n---\n")[0].strip("\n") for one in sections if not _MADE.match(one)]
        before = "".join(f"{one}\n\n" for one in kept)
    elif settled(found.inside, text) == found.inside:
        return before
    return with_block(before, BLOCK, text)


def changes_among(root: Root, standing: Sequence[Standing], now: datetime) -> Mapping[str, Passage]:
    """What seems to stand in the place of what would be shown; asks about what was said since the last time."""
    shown = shown_before(root.store)
    if not shown:  # after an import: what would be the first to be shown
        first = compose_hot(standing, now=now, zone=root.zone, limits=limits_of(root.settings))
        shown = frozenset(map(short_id, first.ids))
    ask_what_changed(root, [one.passage for one in standing], shown, now)
    return changed_since(root, now)


def hot_place(store: Store) -> str:
    """Where the hot file stands; an owner who has it under its other spelling keeps that."""
    own = store.layout["hot"]
    found = list(store.notes.files(NoteRole.HOT))
    return own if own in found or not found else found[0]


def shown_before(store: Store) -> frozenset[str]:
    """The short names of the records that the hot file shows now."""
    return shown_in(read_text(store.volume, hot_place(store))[0])


# What memory shows to people on demand: the snapshot and the digests.


def snapshot(root: Root, *, audience: str = "private", budget: int | None = None) -> Hot:
    """What an agent should have before it at the start of a session, of what its reader may see; nothing is written."""
    reader = root.reader.told_to
    hot = compose_hot(
        [one for one in _standing(root, reader) if one.passage.sensitivity not in root.reader.withheld],
        now=root.clock(),
        zone=root.zone,
        audience=Audience.GROUP if root.reader.sees_public_alone else one_of(Audience, "audience", audience),
        limits=limits_of(root.settings, budget),
        present=shown_before(root.store),
        open_items=len(read_inbox(root.store).open) if reader == EVERYBODY else 0,
        owners=TITLE,
        projects=("", reader.project, *reader.also),
        changed=changed_since(root, root.clock()),
    )
    return _as_snapshot(hot)


def place_of(root: Root, record_id: str) -> HotPlace:
    """Where a record stands in the hot file, and why; or why it does not."""
    standing, shown = _standing(root, root.reader.told_to), shown_before(root.store)
    placing = Placing(standing, present=shown, now=root.clock(), zone=root.zone, projects=("",), talk=True)
    found = [placing.place(one) for one in standing if one.passage.ref == record_id]
    place = found[0] if found else HotPlace(part=None, because="this reader is told nothing of it")
    if place.part and (new := changed_since(root, root.clock()).get(record_id)):
        return HotPlace(part=place.part, because=f"{place.because}; what was said later is told: {new.cite}")
    if short_id(record_id) in shown:
        ended = HotPlace(part=HotPart.CHANGES, because="it was replaced, or has ended, in the last weeks")
        return place if place.part else ended
    waits = f"it would be under {place.part} ({place.because}): upkeep puts it there when there is room"
    return HotPlace(part=None, because=waits) if place.part else place


def digest(root: Root, day: date | None = None, *, dry_run: bool = False) -> Plan:
    """Write the digests of the days that need it into their notes, or of one day."""
    standing = _standing(root)
    with root.store.writing():
        done = publish_digests(root.store, standing, zone=root.zone, only=day, dry_run=dry_run)
    return Plan(verb="digest", steps=done.steps)


def _standing(root: Root, reader: Scope = EVERYBODY) -> Sequence[Standing]:
    root.view.catch_up()
    return root.view.ask(lambda: root.index.standing(root.decay, root.clock(), reader=reader))
