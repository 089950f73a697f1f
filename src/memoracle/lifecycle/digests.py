"""Digests on disk: a generated block in the daily note of each day that needs one.

The caller holds the store's lock. `state/digests.json` says what each digest was made from; without it every
day is composed again, and a digest that says the same is not written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, tzinfo

from memoracle.lifecycle.digest import NAME, by_day, compose_digest, days_to_digest, made_from
from memoracle.model.hit import Passage
from memoracle.model.plan import Done, Step
from memoracle.model.standing import Standing
from memoracle.store.daily import fresh_daily, place_of_day
from memoracle.store.documents import read_document, write_document
from memoracle.store.generated import Put, put_block
from memoracle.store.store import Store

_FILE = "digests.json"


def publish_digests(
    store: Store,
    standing: Sequence[Standing],
    *,
    zone: tzinfo,
    only: date | None = None,
    dry_run: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> Done:
    """Bring the digests of all days that need it up to date, or of one day whether it needs it or not."""
    adopted = None if only else store.adopted()
    # The days before a directory was adopted were told by the program that kept it then, or by nobody.
    told = [one for one in standing if not adopted or one.passage.at is None or one.passage.at > adopted.at]
    days = by_day(told, zone)
    digested = _digested(store)
    due = {only: days.get(only, ())} if only else days_to_digest(days, digested)
    steps, findings = [], []
    noted: dict[str, str] = {}
    for day, passages in due.items():
        put = _put(store, day, passages, dry_run=dry_run, meanwhile=meanwhile)
        if put.finding:
            findings.append(put.finding)
            continue
        noted[day.isoformat()] = made_from(passages) if passages else ""
        if put.changed:
            because = f"{len(passages)} records of {day}" if passages else f"nothing of {day} is left"
            steps.append(Step(act="digest", target=put.path, because=because))
    if noted and not dry_run:
        kept = {day: key for day, key in {**digested, **noted}.items() if key}
        if kept != digested:
            write_document(store.volume, store.state_name(_FILE), dict(sorted(kept.items())))
    return Done(steps=tuple(steps), findings=tuple(findings))


def _put(
    store: Store, day: date, passages: Sequence[Passage], *, dry_run: bool, meanwhile: Callable[[], None]
) -> Put:
    def compose(_before: str, _owners: str) -> str:
        return compose_digest(passages) if passages else ""

    return put_block(
        store.volume,
        place_of_day(store, day),
        NAME,
        compose,
        fresh=fresh_daily(store.layout_name, day),
        dry_run=dry_run,
        meanwhile=meanwhile,
    )


def _digested(store: Store) -> Mapping[str, str]:
    held = read_document(store.volume, store.state_name(_FILE))
    return {day: key for day, key in held.items() if isinstance(key, str) and _is_day(day)}


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
