"""The first four phases: what was said becomes what is known.

collect reads the transcripts behind their watermarks, screen drops what is not worth a thought,
extract makes claims of the rest, reconcile lets them meet what is known. The watermarks move only when
all of it is in the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from memoracle.learn.asking import asking_of
from memoracle.learn.draft import MOST_QUARANTINED, QUARANTINE_FULL, Drafted, Room
from memoracle.learn.evidence import said_of
from memoracle.learn.records import count_quarantined, said_before
from memoracle.learn.unit_of_work import PhaseOutcome, UnitOfWork, Work
from memoracle.model.claim import Claim, Fragment, Ruling
from memoracle.model.ids import RECORD_PREFIX, derived_id, idempotency_key
from memoracle.model.record import EVERLASTING, TRUST, Channel, Draft, Kind, Record
from memoracle.model.report import Step
from memoracle.model.search import Filters
from memoracle.model.value import replace
from memoracle.settings import owner_names
from memoracle.text import telling_terms

if TYPE_CHECKING:
    from memoracle.guard.guard import PolicyGuard
    from memoracle.learn.reconcile import Reconciled
    from memoracle.learn.tagging import Heard


# What a run sets apart: claims from pasted turns and claims that the guard does not trust.

PASTED = "pasted"
_DOUBT = "it read the sentence again and does not find this in it"


def quoted(claim: Claim) -> Claim:
    """A claim from a pasted turn: nobody knows whose words they are."""
    origin = replace(claim.draft.origin, channel=Channel.EXTERNAL, trust=TRUST[Channel.EXTERNAL])
    return replace(claim, draft=replace(claim.draft, origin=origin), apart=(PASTED,))


def at_home(draft: Draft) -> Draft:
    """The draft where it belongs: what was said in a project stays there, unless it is about a person."""
    from memoracle.learn.rules import is_about_project

    # What is said of the project itself belongs to it, in whatever words.
    is_its_own = draft.statement.subject == draft.scope.project
    if is_its_own or is_about_project(draft):
        return draft
    return replace(draft, scope=replace(draft.scope, project=""))


def guarded_claim(guard: PolicyGuard, claim: Claim) -> Claim | None:
    """The claim as it may be written, where it belongs, or set apart; None when it may not be kept."""
    draft = claim.draft
    guarded = guard.guard(draft if draft.origin.channel is Channel.AGENT else at_home(draft))
    if guarded.outcome.value == "refused":
        return None
    apart = (*claim.apart, *guarded.rules) if guarded.outcome.value == "quarantined" else claim.apart
    return replace(claim, draft=guarded.draft, apart=tuple(dict.fromkeys(apart)))


def quarantine_claims(
    unit: UnitOfWork, claims: Sequence[Claim], work: Work
) -> tuple[list[Record], list[Step]]:
    """What becomes of claims that are set apart: records that wait, and what is said about them."""
    wishes: dict[str, tuple[Drafted, datetime]] = {}
    for claim in claims:
        said = said_of(claim, work.started)
        draft = replace(claim.draft, idempotency=said.name)
        wish = Drafted(draft=draft, outcome="quarantined", rules=claim.apart)
        wishes.setdefault(derived_id(RECORD_PREFIX, work.started, PASTED, said.name), (wish, said.at))
    room = Room((wish for wish, _ in wishes.values()), partial(count_quarantined, unit.root))
    versions: list[Record] = []
    steps: list[Step] = []
    full = 0
    for record_id, (wish, at) in wishes.items():
        change = replace(unit.change(work), heard=at if at < work.started else None)
        record, is_new = room.set_apart(wish, unit.records.with_key, record_id=record_id, change=change)
        full += record is None
        if record is not None and is_new:
            versions.append(record)
            steps.append(Step(act="set apart", target=record_id, because=", ".join(wish.rules)))
    if full:
        because = f"{full} more of sessions of which {MOST_QUARANTINED} wait already"
        steps.append(Step(act="not kept", target=QUARANTINE_FULL, because=because))
    return versions, steps


_NEIGHBOURS = 30
_RECORDS = Filters(kinds=tuple(kind.value for kind in Kind))


def collect(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """The sentences of every turn that was not read before; secrets are masked before anything is noted."""
    from memoracle.guard.screening import is_pasted
    from memoracle.hosts.collect import collect as read_new
    from memoracle.hosts.reading import project_in
    from memoracle.learn.screen import fragments_of
    from memoracle.store.forgotten import look_forgotten, may_read, read_forgotten

    if (looked := look_forgotten(unit.root.store)).lost:  # nobody knows what must not be read
        return PhaseOutcome(work=work, counts={"turns": 0, "sentences": 0}, findings=looked.findings)
    transcripts = _transcripts(unit)
    found = read_new(transcripts, unit.watermarks, names=owner_names(unit.root.settings))
    if never := read_forgotten(unit.root.store):  # forgotten, and still in the hosts' own files
        names = {place: name for name, place, _ in transcripts}
        staying = tuple(
            turn for turn in found.turns if may_read(never, path=names.get(turn.path, turn.path))(turn)
        )
        gone = {"forgotten": len(found.turns) - len(staying)} if len(staying) < len(found.turns) else {}
        found = replace(found, turns=staying, dropped={**found.dropped, **gone})
    # Before the turn is cut into sentences: a key may stand on the lines after its name.
    hide = unit.root.guard.hide
    texts = [hide(turn.text) for turn in found.turns]
    if any(turn.text != text for turn, text in zip(found.turns, texts, strict=True)):
        texts = list(map(hide, texts))  # a value may be named only after it was mentioned first
    fragments = [
        fragment
        for turn, text in zip(found.turns, texts, strict=True)
        for fragment in fragments_of(replace(turn, text=text, project=project_in(turn)), is_pasted)
    ]
    dropped = {f"dropped: {why}": number for why, number in sorted(found.dropped.items())}
    return PhaseOutcome(
        work=replace(
            work, fragments=tuple(fragments), watermarks=dict(found.watermarks), is_all=found.is_all
        ),
        counts={"turns": found.read, "sentences": len(fragments), **dropped},
        findings=found.findings,
    )


def screen(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """What may be worth keeping; the reasons for the rest are counted."""
    from memoracle.hosts.collect import repeats
    from memoracle.learn.screen import screen as judge
    from memoracle.learn.tagging import weigh

    def judged_alone(fragment: Fragment) -> Fragment:
        one = judge(fragment)
        marked = one.channel is Channel.AGENT and one.ruling is Ruling.KEEP
        # What an agent marked, unless it read those words in this session: then they are not its own.
        if marked and repeats(one.where, one.text):
            return replace(one, ruling=Ruling.DROP, because="an agent repeats what it was shown")
        return one

    judged = list(map(judged_alone, work.fragments))
    heard: Mapping[str, Heard] = {}
    if judged and (tagger := unit.root.open_tagger()):
        unit.view.ensure()
        before = said_before(unit.root, list(dict.fromkeys(one.ref for one in judged)))
        judged, heard = weigh(judged, tagger, before)
    staying = tuple(one for one in judged if one.ruling is not Ruling.DROP)
    why = Counter(f"dropped: {one.because}" for one in judged if one.ruling is Ruling.DROP)
    kept = sum(one.ruling is Ruling.KEEP for one in staying)
    return PhaseOutcome(
        work=replace(work, fragments=staying, heard=heard),
        counts={"kept": kept, "undecided": len(staying) - kept, **dict(sorted(why.items()))},
    )


def extract(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """Claims by rules; what they leave undecided, and what they keep of health, safety and identity, sees a model.

    Without one the undecided waits. What the model does not find in its sentence becomes a question for the owner.
    """
    from memoracle.learn.ask_model import Settled
    from memoracle.learn.claims import claims_of

    made: list[Claim] = []
    undecided: list[Fragment] = []
    vital: list[tuple[Fragment, list[Claim]]] = []
    for fragment in work.fragments:
        found = claims_of(fragment, zone=unit.root.zone, heard=work.heard.get(fragment.id))
        made += map(quoted, found) if fragment.pasted else found
        if not found and fragment.ruling is Ruling.UNDECIDED and not fragment.pasted:
            undecided.append(fragment)
        if lasting := [one for one in found if one.draft.kind in EVERLASTING and not fragment.pasted]:
            vital.append((fragment, lasting))
    asking, begun = asking_of(unit.root), replace(work, fragments=(), heard={})
    asked = Settled() if unit.dry_run else asking.settle(undecided, now=work.started, kept=vital)
    passed = [
        one for claim in (*made, *asked.claims) if (one := guarded_claim(unit.root.guard, claim)) is not None
    ]
    return PhaseOutcome(
        work=replace(begun, claims=tuple(passed), decided=asked.done, doubted=asked.doubted),
        counts={
            "claims": len(passed),
            "from the model": len(asked.claims),
            "refused by policy": len(made) + len(asked.claims) - len(passed),
            "set apart": sum(bool(claim.apart) for claim in passed),
            "waiting for a model": len(undecided) if unit.dry_run else len(asked.waiting),
            "tokens": asked.spent,
        },
        findings=asked.problems,
    )


def reconcile(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """Claims beside what is known: new, confirmed, replaced, ended, or a question for the owner.

    Then what has become redundant is compressed, and every topic that needs one gets its summary.
    """
    from memoracle.learn.claims import read_statement
    from memoracle.learn.evidence import typed_claims
    from memoracle.learn.summaries import compress, plan_summaries, redundant_with

    records, change = unit.records, unit.change(work)
    typed = typed_claims(
        records.active(),
        lambda text, at: read_statement(text, at, unit.root.zone),
        since=unit.understood,
    )
    met, written = _meet(unit, work, (*work.claims, *typed))
    near = redundant_with(
        records.active(), unit.understood, lambda changed: _sharing(unit, changed, change.at)
    )
    packed = compress(near, change)
    written += unit.commit(packed.versions)
    summed = plan_summaries(records.active(), records.find, change, least=unit.root.settings.summary_trigger)
    written += unit.commit(summed.versions)
    if not unit.dry_run:
        asking_of(unit.root).finish(work.decided)
    # A record that somebody typed was not added: its words were read.
    theirs = {claim.record for claim in typed}
    said = [
        replace(step, act="read", because="what its words say has been spelled out")
        if step.act == "add" and step.target in theirs
        else step
        for step in met.steps
    ]
    steps = (*said, *packed.steps, *summed.steps)
    return PhaseOutcome(
        work=replace(work, claims=(), decided=(), doubted=()),
        counts={**Counter(step.act for step in steps), "lines written": written},
        steps=steps,
    )


def settle(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """Claims beside what is known, and no more than that: what a flush does of `reconcile`."""
    met, written = _meet(unit, work, work.claims, brief=True)
    asking_of(unit.root).finish(work.decided)
    return PhaseOutcome(
        work=replace(work, claims=(), decided=(), doubted=()),
        counts={**Counter(step.act for step in met.steps), "lines written": written},
        steps=met.steps,
    )


def _meet(
    unit: UnitOfWork, work: Work, claims: Sequence[Claim], *, brief: bool = False
) -> tuple[Reconciled, int]:
    """Let claims meet what is known, and write what came of it; what is set apart meets nothing."""
    from memoracle.learn.inbox import ask_to_withdraw
    from memoracle.learn.reconcile import reconcile as meet
    from memoracle.store.inbox import ask
    from memoracle.store.run_log import RunAct, log_run

    plain = [claim for claim in claims if not claim.apart]
    waiting, waits = quarantine_claims(unit, [claim for claim in claims if claim.apart], work)
    unit.view.ensure()
    met = meet(
        plain,
        unit.records,
        unit.change(work),
        law=unit.root.decay,
        uses=lambda record_id: unit.root.index.uses_of([record_id]).get(record_id, ()),
    )
    doubted = frozenset(map(idempotency_key, work.doubted))
    doubts = [
        ask_to_withdraw(one, by="the model", because=_DOUBT, since=work.started)
        for one in met.versions
        if doubted.intersection(one.keys)
    ]
    if not unit.dry_run:
        # The questions first: one about a record that is not there yet is moot, one that was not noted is lost.
        with unit.root.store.writing():
            log_run(
                unit.root.store,
                RunAct.FLUSH if brief else RunAct.MEET,
                operation=work.operation,
                at=work.started,
                understood=unit.understood,
                claims=work.claims,
            )
            ask(unit.root.store, [*met.items, *doubts], closed=met.closed, now=work.started)
    met = replace(met, steps=(*met.steps, *waits))
    return met, unit.commit(met.versions) + unit.commit(waiting)


def _sharing(unit: UnitOfWork, changed: Sequence[Record], now: datetime) -> set[str]:
    """The records that share words with these, as the view finds them."""
    unit.view.ensure()
    return {
        item.passage.ref
        for one in changed
        for item in unit.root.index.search_words(telling_terms(one.text), _RECORDS, _NEIGHBOURS, now)
    }


def _transcripts(unit: UnitOfWork) -> list[tuple[str, str, str]]:
    """Name, place and shape of every conversation that is there, or of its copy."""
    found = []
    for one in unit.root.store.sessions.by_path().values():
        if unit.only is not None and one.path not in unit.only:
            continue
        if place := unit.root.store.sessions.place_of(one):
            found.append((one.path, place, one.shape))
    return found
