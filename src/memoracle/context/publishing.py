"""What memory shows to people on demand: the snapshot and the digests.

Values become writes here, under the store's lock. The nightly run brings the same files up to date by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.context.choose import Audience
from memoracle.context.digest import publish_digests
from memoracle.context.hot import Limits
from memoracle.context.publish import compose_snapshot, shown_before
from memoracle.errors import BadInput
from memoracle.model.record import EVERYBODY, Scope
from memoracle.model.report import Plan
from memoracle.store.inbox import read_inbox

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from memoracle.context.hot import Hot
    from memoracle.model.hit import Standing
    from memoracle.root import Root


def snapshot(root: Root, *, audience: str = "private", budget: int | None = None) -> Hot:
    """What an agent should have before it at the start of a session, of what its reader may see; nothing is written."""
    settings, reader = root.settings, root.reader.told_to
    limits = Limits(
        tokens=budget or settings.hot_tokens,
        lines=settings.hot_lines,
        target_lines=settings.hot_target_lines,
    )
    return compose_snapshot(
        [one for one in _standing(root, reader) if one.passage.sensitivity not in root.reader.withheld],
        now=root.clock(),
        zone=root.zone,
        audience=Audience.GROUP if root.reader.sees_public_alone else _audience(audience),
        limits=limits,
        present=shown_before(root.store),
        open_items=len(read_inbox(root.store).open) if reader == EVERYBODY else 0,
        projects=("", reader.project, *reader.also),
    )


def digest(root: Root, day: date | None = None, *, dry_run: bool = False) -> Plan:
    """Write the digests of the days that need it into their notes, or of one day."""
    standing = _standing(root)
    with root.store.writing():
        done = publish_digests(root.store, standing, zone=root.zone, only=day, dry_run=dry_run)
    return Plan(verb="digest", steps=done.steps)


def _standing(root: Root, reader: Scope = EVERYBODY) -> Sequence[Standing]:
    root.view.catch_up()
    return root.view.ask(lambda: root.index.standing(root.decay, root.clock(), reader=reader))


def _audience(name: str) -> Audience:
    try:
        return Audience(name)
    except ValueError:
        raise BadInput(f"`{name}` is no audience", "one of: private, group") from None
