"""Nights gone through again without some of what they heard: what memory would know, had it never heard it.

Every run notes what it was told (`store/run_log.py`), and what people did stands in the versions. From the first
moment that any of the forgotten words mattered, all of it happens again in its order, at its time, by the same rules:
claims meet what is known then, what is redundant is compressed, topics are summarised, age takes its share. The same
claim at the same moment has the same id, so what was not touched comes out as it is. Versions of runs that nobody
noted (an older program, another machine) are taken as acts: kept, unless they are plainly of the forgotten words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from memoracle.learn.evidence import AGAINST, FOR, said_at, typed_claims
from memoracle.learn.record_sets import RecordSet
from memoracle.learn.revise import archive_aged
from memoracle.model.claim import Claim
from memoracle.model.inbox import InboxItem
from memoracle.model.record import Anchor, Change, Kind, Record, Status, Validity, activation, reinforce
from memoracle.model.search import EvidenceSource, Passage, Selection, Standing, lies_in
from memoracle.model.value import field, fields, replace, value
from memoracle.store.run_log import RunAct, RunEntry, read_run_log
from memoracle.text import telling_terms
from memoracle.upkeep.retention import plan_ageing

if TYPE_CHECKING:
    from memoracle.root import Root

# What somebody did to a record, done again to the record as it would have stood. Pure.

_BOOKKEEPING = frozenset({"id", "version", "change", "created"})
_INSIDE = ("weight", "validity", "origin", "statement")


def rebased(act: Record, before: Record, held: Record) -> Record:
    """The version that an act makes of `held`, when it made `act` of `before`."""
    changed = {
        name: _merged(getattr(before, name), getattr(act, name), getattr(held, name))
        if name in _INSIDE
        else getattr(act, name)
        for name in fields(act)
        if name not in _BOOKKEEPING and getattr(act, name) != getattr(before, name)
    }
    for name in ("sources", "keys"):
        if name in changed:
            changed[name] = _listed(getattr(before, name), getattr(act, name), getattr(held, name))
    return replace(held, version=held.version + 1, change=act.change, **changed)


def said(record: Record) -> Record:
    """A version less what only says which line it is."""
    change = replace(record.change, writer="", sequence=0)
    return replace(record, version=0, change=change)


def _merged(before: Any, after: Any, held: Any) -> Any:
    changed = {
        name: getattr(after, name) for name in fields(after) if getattr(after, name) != getattr(before, name)
    }
    return replace(held, **changed)


def _listed(before: tuple[str, ...], after: tuple[str, ...], held: tuple[str, ...]) -> tuple[str, ...]:
    gone, new = set(before) - set(after), [one for one in after if one not in before]
    return tuple(dict.fromkeys([*(one for one in held if one not in gone), *new]))


_OURS = "consolidate"


@value
class Replayed:
    """What would be known: every version of every record, in order, and the questions that would have come up.

    `begun` is where the telling begins anew; None when nothing of the selection was ever heard. `unnoted` counts
    versions of runs that nobody noted: what came of those is kept or dropped whole.
    """

    histories: Mapping[str, Sequence[Record]]
    begun: datetime | None = None
    asked: tuple[InboxItem, ...] = ()
    closed: Mapping[str, datetime] = field(default_factory=dict)
    times: frozenset[datetime] = frozenset()
    unnoted: int = 0


class _Moment(NamedTuple):
    at: datetime
    number: float
    part: float = 0.0


def replay(root: Root, histories: Mapping[str, Sequence[Record]], gone: Selection) -> Replayed:
    """What these histories of a root's records would be without what the selection names; nothing is written."""
    return _Replay(root, histories, gone).run()


def is_gone_claim(claim: Claim, gone: Selection, at: datetime) -> bool:
    """True for a claim that the selection names."""
    return gone.fits_origin(claim.draft.origin, claim.draft.origin.observed or at)


class _Replay:
    def __init__(self, root: Root, histories: Mapping[str, Sequence[Record]], gone: Selection) -> None:
        self._root = root
        self._actual = histories
        self._meetings = read_run_log(root.store)
        self._gone = gone
        self._writer = root.store.noted_count()[0]
        self._used = root.view.ask(lambda: root.index.uses_of(list(histories)))
        self._records = RecordSet()
        self._histories: dict[str, list[Record]] = {}
        self._erased = {
            record_id
            for record_id, held in histories.items()
            if any(one.status is Status.FORGOTTEN for one in held)
        }
        self._starts: dict[str, _Moment] = {}
        self._actors: dict[str, str] = {}
        for one in self._meetings:
            self._starts.setdefault(one.operation, _Moment(one.at, one.after + 0.5))
        for held in histories.values():
            for version in held:
                self._actors.setdefault(version.change.operation, version.change.by)
        self._asked: dict[str, InboxItem] = {}
        self._closed: dict[str, datetime] = {}
        self._times: set[datetime] = set()
        self._unnoted = 0

    def run(self) -> Replayed:
        begun = self._beginning()
        if begun is None:
            return Replayed(histories=self._actual)
        acts: list[tuple[_Moment, Record, Record | None]] = []
        for record_id, held in self._actual.items():
            before: Record | None = None
            for version in held:
                when = self._moment(version)
                if when < begun:
                    self._take(version)
                elif self._is_act(version, before):
                    acts.append((when, version, before))
                    self._unnoted += version.change.verb == _OURS and record_id not in self._erased
                before = version
        acts.sort(key=lambda act: (act[0], act[1].change.sequence, act[1].version))
        place = 0
        for meeting in self._meetings:
            start = self._starts[meeting.operation]
            if start < begun:
                continue
            until = max(start, _Moment(meeting.at, meeting.after + 0.5))
            while place < len(acts) and acts[place][0] < until:
                self._do(*acts[place][1:])
                place += 1
            self._meet(meeting)
        for _, act, before in acts[place:]:
            self._do(act, before)
        if self._unnoted:
            self._summarise(Change(at=self._root.clock(), verb=_OURS, by=self._root.actor))
        return Replayed(
            histories=self._histories,
            begun=begun.at,
            asked=tuple(self._asked.values()),
            closed=self._closed,
            times=frozenset(self._times),
            unnoted=self._unnoted,
        )

    # When

    def _moment(self, version: Record) -> _Moment:
        change = version.change
        if change.operation in self._starts:
            return self._starts[change.operation]._replace(part=0.5)
        return _Moment(change.at, change.sequence if change.writer == self._writer else 0)

    def _beginning(self) -> _Moment | None:
        """The first moment at which any of it mattered."""
        touched = [
            self._starts[one.operation]
            for one in self._meetings
            if any(is_gone_claim(claim, self._gone, one.at) for claim in one.claims)
        ]
        for held in self._actual.values():
            before: Record | None = None
            for version in held:
                if self._is_gone(version, before):
                    touched.append(self._moment(version)._replace(part=0.0))
                    break
                before = version
        return min(touched, default=None)

    # Acts

    def _is_act(self, version: Record, before: Record | None) -> bool:
        """True for what is not worked out anew: what people did, erasures, and what hangs on erased records."""
        if version.change.operation not in self._starts or version.status is Status.FORGOTTEN:
            return True
        if before is None and version.status is Status.QUARANTINED:
            return True  # set apart by the guard: it met nothing
        successor = version.validity.superseded_by
        was = before.validity.superseded_by if before else None
        return successor is not None and successor != was and successor in self._erased

    def _is_gone(self, version: Record, before: Record | None) -> bool:
        """True for an act that put the forgotten words into memory, or plainly rests on them."""
        if version.status is Status.FORGOTTEN or not self._is_act(version, before):
            return False
        if before is None:
            # What memory made of others is worked out from them, not chosen.
            return version.kind is not Kind.SUMMARY and self._gone.fits_origin(
                version.origin, said_at(version)
            )
        if version.change.verb == _OURS:
            return self._rests_on_it(version, before)
        is_window = not (self._gone.session or self._gone.path or self._gone.channel)
        reworded = version.statement != before.statement and version.change.verb != "undo"
        if is_window and reworded:
            return self._gone.fits(session="", channel="", where="", at=version.change.at)
        return version.origin != before.origin and self._gone.fits_origin(version.origin, version.change.at)

    def _rests_on_it(self, version: Record, before: Record) -> bool:
        """True for a version of an unnoted run that cites the selection."""
        new = set(version.sources) - set(before.sources)
        session = self._gone.session
        if session and new & {FOR + session, AGAINST + session}:
            return True
        because = version.change.because
        if self._gone.path and any(
            lies_in(word, self._gone.path) for word in because.replace(";", " ").split()
        ):
            return True
        return bool(session) and f"session {session}" in because

    def _do(self, act: Record, before: Record | None) -> None:
        if act.status is Status.FORGOTTEN:
            self._take(act)
            return
        if self._is_gone(act, before):
            return
        held = self._records.find(act.id)
        # What somebody kept by hand, and memory had only heard before, stays though the hearing is gone.
        vouched = before is not None and act.origin != before.origin and act.change.verb == "remember"
        is_theirs = vouched and not self._gone.fits_origin(act.origin, act.change.at)
        if before is None or (held is None and is_theirs):
            self._take(self._own(act) if before else act)
            return
        if held is None or held.status is Status.FORGOTTEN or self._leads_nowhere(act, before):
            return
        if said(held) == said(before):
            self._take(replace(act, version=held.version + 1))
        else:
            self._take(self._linked(rebased(act, before, held)))

    def _own(self, act: Record) -> Record:
        """What somebody kept that memory had heard before: theirs alone, and new on that day."""
        at = act.change.at
        weight = replace(act.weight, anchor=Anchor(value=1.0, at=at))
        origin = replace(act.origin, observed=None)
        return replace(
            act, version=1, created=at, weight=weight, origin=origin, sources=(), validity=Validity()
        )

    def _leads_nowhere(self, act: Record, before: Record) -> bool:
        """True when the act puts something in a record's place that would not be there."""
        successor = act.validity.superseded_by
        if successor is None or successor == before.validity.superseded_by:
            return False
        return successor in self._actual and self._records.find(successor) is None

    def _linked(self, record: Record) -> Record:
        """A record that names no predecessor that would not be there."""
        replaced = tuple(
            one
            for one in record.validity.supersedes
            if one not in self._actual or self._records.find(one) is not None
        )
        return replace(record, validity=replace(record.validity, supersedes=replaced))

    # Runs

    def _meet(self, meeting: RunEntry) -> None:
        from memoracle.learn.claims import read_statement
        from memoracle.learn.reconcile import reconcile
        from memoracle.learn.summaries import compress, redundant_with

        at, operation = meeting.at, meeting.operation
        by = self._actors.get(operation, self._root.actor)
        change = Change(at=at, verb=_OURS, by=by, operation=operation)
        self._times.add(at)
        if meeting.act is RunAct.AGE:
            self._age(change)
            return
        is_night = meeting.act is RunAct.MEET
        claims = [one for one in meeting.claims if not one.apart and not is_gone_claim(one, self._gone, at)]
        if is_night:
            claims += typed_claims(
                self._records.active(),
                lambda text, said: read_statement(text, said, self._root.zone),
                since=meeting.understood,
            )
        met = reconcile(claims, self._records, change, law=self._root.decay, uses=self._uses)
        for item in met.items:
            self._asked.setdefault(item.id, item)
        self._closed |= dict.fromkeys(met.closed, at)
        self._take_all(met.versions)
        if is_night:
            near = redundant_with(self._records.active(), meeting.understood, self._sharing)
            self._take_all(compress(near, change).versions)
            self._summarise(change)

    def _summarise(self, change: Change) -> None:
        from memoracle.learn.summaries import plan_summaries

        known, least = self._records, self._root.settings.summary_trigger
        self._take_all(plan_summaries(known.active(), known.find, change, least=least).versions)

    def _sharing(self, changed: Sequence[Record]) -> set[str]:
        words = {term for one in changed for term in telling_terms(one.text)}
        active = self._records.active()
        return {one.id for one in active if not words.isdisjoint(telling_terms(one.text))}

    def _age(self, change: Change) -> None:
        root, standing = self._root, [self._alive(one, change.at) for one in self._records.active()]
        steps = plan_ageing(standing, root.decay, change.at, most_active=root.settings.max_active)
        self._take_all(archive_aged(steps, self._records.standing, root.store.adopted(), change)[0])

    def _alive(self, record: Record, at: datetime) -> Standing:
        law, weight = self._root.decay, record.weight
        half_life = law.half_life(record.kind.value, weight.importance)
        uses = [use for use in self._uses(record.id) if use <= at]
        anchor = reinforce(record.anchor, half_life, uses, law) if uses else record.anchor
        passage = Passage(
            ref=record.id,
            source=EvidenceSource.RECORD,
            text="",
            path="",
            first_line=0,
            last_line=0,
            kind=record.kind.value,
            status=record.status,
            pinned=record.pinned,
            importance=weight.importance,
            confidence=weight.confidence,
            validity=record.validity,
        )
        return Standing(passage=passage, activation=activation(anchor, half_life, at))

    def _uses(self, record_id: str) -> Sequence[datetime]:
        return self._used.get(record_id, ())

    def _take_all(self, versions: Sequence[Record]) -> None:
        for version in versions:
            self._take(version)

    def _take(self, version: Record) -> None:
        held = self._records.find(version.id)
        self._histories.setdefault(version.id, []).append(version)
        if held is None or held.status is not Status.FORGOTTEN:
            self._records.take(version)
