"""Questions: evidence, best first, or a plain "not in memory"; and lists of what fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, OutsideRoot, StoreProblem
from memoracle.index.api import Index
from memoracle.model.record import OUTSIDE, Kind, Law, Status
from memoracle.model.search import (
    TOOL,
    AnswerShape,
    EvidenceSource,
    Filters,
    Hit,
    Note,
    Passage,
    Query,
    Recollection,
    Verdict,
)
from memoracle.model.value import replace, value
from memoracle.recall.evidence import (
    POOL,
    Proposal,
    activation_of,
    below_what_replaced_it,
    is_disowned,
    items_of,
    look_around,
    share,
    spread,
    unused_since,
    weigh,
    with_fates,
)
from memoracle.recall.freshness import BEHIND
from memoracle.recall.question import Question, Wants, read_question, shape_of, wants, windows
from memoracle.recall.verdict import LONGEST, is_frame, judge
from memoracle.registry import needed
from memoracle.store.layouts import NoteRole
from memoracle.text import normalise, telling_terms, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.inference.api import Embedder, Reranker
    from memoracle.root import Root


# The named recipes. Each proposes candidates in its own way; the rest of the pipeline is the same.


@value
class Models:
    """What understands a sentence, opened when it is first asked for; None where there is none."""

    embedder: Callable[[], Embedder | None]
    reranker: Callable[[], Reranker | None]


Recipe = Callable[[Question, Query, Index, datetime, Models], Proposal]


def quick(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """Every signal, vectors where there are any; nothing is read: less sure of itself, and sooner done."""
    from memoracle.recall.rank import Effort, propose

    return propose(question, query, index, now, _embedder(index, models), None, Effort())


def _embedder(index: Index, models: Models) -> Embedder | None:
    """None while most passages wait for their vectors: the few that have one would win by having it."""
    is_ready = index.has_vectors() and 2 * index.count_pending() <= index.frequencies(())[1]
    return models.embedder() if is_ready else None


def balanced(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """Every signal, vectors where there are any; then the best are read together with the question."""
    from memoracle.recall.rank import Effort, propose

    return propose(question, query, index, now, _embedder(index, models), models.reranker(), Effort())


def deep(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """The same over several times as many candidates: slower, for large stores and hard questions."""
    from memoracle.recall.rank import Effort, propose

    effort = Effort(
        ranked_whole=20_000,
        from_words=2000,
        from_vectors=1500,
        with_neighbours=600,
        closely_read=3000,
        rescored=600,
        read=40,
    )
    return propose(question, query, index, now, _embedder(index, models), models.reranker(), effort)


def openclaw(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """The published hybrid formula: 0.7 vector, 0.3 words, decay by age, MMR."""
    proposed: Proposal = needed("openclaw_recipe")(
        question, query, index, now, models.embedder() if index.has_vectors() else None
    )
    return proposed


RECIPES: Mapping[str, Recipe] = {"quick": quick, "balanced": balanced, "deep": deep, "openclaw": openclaw}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name."""
    try:
        return RECIPES[name]
    except KeyError:
        raise BadInput(f"no recipe is called `{name}`", f"known recipes: {', '.join(RECIPES)}") from None


# Runs a recipe: propose, weigh, judge, look around, pack. Every stage leaves a line in the trace.


def recollect(
    query: Query,
    index: Index,
    *,
    law: Law,
    now: datetime,
    recipe: str,
    models: Models,
    budget: int | None = None,
) -> Recollection:
    """The answer to a query, from the view alone."""
    question, shape = read_question(query.text), shape_of(query.text)
    wanted, is_wide = query.limit, shape is not AnswerShape.ANSWER and recipe != _PUBLISHED
    if is_wide:
        query = replace(query, limit=max(wanted, POOL // 2))
    trace = [Note(stage="parse", says=_asked(question))]
    proposal = recipe_named(recipe)(question, query, index, now, models)
    if recipe != _PUBLISHED and index.has_links():
        from memoracle.recall.linked import with_linked

        proposal = with_linked(question, query, proposal, index, now)
    proposal = with_fates(question, query, proposal, index, now)
    trace += [Note(stage=recipe, says=line) for line in proposal.says]
    weighed = _weigh(proposal, query, index, law, now, trace)
    is_of_days = is_wide or Wants.TIME in wants(query.text) or bool(windows(query.text, now.date()))
    ranked = one_of_each(below_what_replaced_it(weighed), query.text, by_day=is_of_days)
    # Who counts wants every mention, wherever it stands.
    ranked = share(spread(ranked) if is_wide and shape is not AnswerShape.COUNT else ranked, wanted)
    verdict = judge(proposal.confidence) if ranked else Verdict.NOT_IN_MEMORY
    if verdict is Verdict.FOUND and is_disowned(weighed[0]):
        verdict = Verdict.WEAK  # nobody stands behind what spoke for it
    trace.append(Note(stage="judge", says=f"{verdict.value}, confidence {proposal.confidence:.2f}"))
    hits = tuple(ranked[:wanted]) if verdict is not Verdict.NOT_IN_MEMORY else ()
    hits = tuple(map(_with_answer(query.text), look_around(hits, query, index, now)))
    pack = None
    if budget:
        from memoracle.recall.evidence import pack_evidence

        pack = pack_evidence(
            hits or ranked[:wanted], query.text, budget, is_timeline=shape is AnswerShape.TIMELINE
        )
    near = tuple(ranked[len(hits) : wanted if not hits else wanted + _NEAR])
    return Recollection(
        question=query.text,
        verdict=verdict,
        confidence=round(proposal.confidence, 4) if ranked else 0.0,
        shape=shape,
        hits=hits,
        near=near,
        pack=pack,
        trace=tuple(trace),
    )


_NEAR = 3
_PLACES = 12
"""How many hits a list, a count or a timeline has, unless somebody says otherwise."""
_PUBLISHED = "openclaw"  # a formula of others, as they published it


def _with_answer(question: str) -> Callable[[Hit], Hit]:
    """Names what of a note answers where nothing was read: what shares most words with the question."""
    asked = {*telling_terms(question)}

    def with_answer(hit: Hit) -> Hit:
        is_read = hit.answers or hit.passage.source is not EvidenceSource.NOTE
        items = () if is_read else items_of(hit.passage, asked, 1)
        return replace(hit, answers=items[0]) if items else hit

    return with_answer


def _asked(question: Question) -> str:
    return " | ".join(ask.text.strip() for ask in question.asks)


def _weigh(
    proposal: Proposal, query: Query, index: Index, law: Law, now: datetime, trace: list[Note]
) -> list[Hit]:
    moment = query.filters.as_of or now
    uses = index.uses_of([candidate.found.passage.ref for candidate in proposal.candidates])
    hits = []
    for candidate in proposal.candidates:
        ref = candidate.found.passage.ref
        used = [use for use in uses.get(ref, []) if use <= moment]
        alive = activation_of(candidate.found, used, law, moment)
        since = unused_since(candidate.found, alive, used, law)
        if since:
            says = f"{ref} is long unused, since {since.date()}: activation {alive:.2f}"
            trace.append(Note(stage="weigh", says=says))
        hits.append(weigh(candidate, alive, since))
    return sorted(
        hits, key=lambda hit: (-hit.score, hit.passage.path, hit.passage.first_line, hit.passage.ref)
    )


# One of each (near-duplicate detection). Two hits become one only where they say the same in the same words, but for
# marks, capitals and words that say nothing; another speaker, project or channel makes two. The others are named.

_WORDS = re.compile(r"[-+]?\w+(?:['’]\w+)*[+#]*")
_FILLERS = frozenset(
    "please pls ok okay well so oh hey hi hello thanks btw anyway just really 请 嗯 哦 啊 呢 吧 哈".split()
)
_ALIKE = 0.85
"""What share of a record's words its turn has to say."""


def one_of_each(ranked: Sequence[Hit], question: str, *, by_day: bool = False) -> list[Hit]:
    """The hits in their order, those that say the same as one; what says little by itself stands last.

    With `by_day`, what was said on two days stays two: who asks how often, or when, wants both.
    """
    asked = frozenset(telling_terms(question)) if ranked[1:] else frozenset()
    kept: list[Hit] = []
    for hit in ranked:
        for place, other in enumerate(kept):
            if (stands := _standing(other, hit, asked, by_day=by_day)) is not None:
                folded = hit if stands is other else other
                kept[place] = replace(stands, score=other.score, also=(*other.also, folded.passage))
                break
        else:
            kept.append(hit)
    return sorted(kept, key=lambda hit: is_frame(hit.passage))


def _standing(other: Hit, hit: Hit, asked: frozenset[str], *, by_day: bool) -> Hit | None:
    """The one of two that stands for both; None where they are two."""
    first, second = other.passage, hit.passage
    if other.fate or hit.fate or not _comparable(first, second):
        return None
    for record, turn in ((other, hit), (hit, other)):
        if _is_made_of(record.passage, turn.passage):
            words, said = (frozenset(terms(one.passage.text)) for one in (record, turn))
            if said & asked <= words:
                return record
            return turn if len(words & said) >= _ALIKE * len(words) else None
    if not _say_the_same(first, second, by_day=by_day):
        return None
    records = [one for one in (other, hit) if one.passage.source is EvidenceSource.RECORD]
    return records[0] if len(records) == 1 else max(other, hit, key=lambda one: len(_said(one.passage.text)))


def _comparable(first: Passage, second: Passage) -> bool:
    """Nobody's words are folded into another's, nor what has no standing into what has."""
    sources = {first.source, second.source}
    return (
        EvidenceSource.SCAN not in sources
        and first.status is second.status is Status.ACTIVE
        and (first.channel == second.channel or OUTSIDE.issuperset((first.channel, second.channel)))
        and (first.who == second.who or (len(sources) > 1 and not (first.who and second.who)))
        and first.project == second.project
    )


def _is_made_of(record: Passage, turn: Passage) -> bool:
    is_pair = record.where and turn.source is EvidenceSource.TURN
    return bool(is_pair) and record.where == f"{turn.path}#L{turn.first_line}"


def _say_the_same(first: Passage, second: Passage, *, by_day: bool) -> bool:
    held, theirs = _said(first.text), _said(second.text)
    if first.where and first.where == second.where:  # two records of one turn
        return set(held) <= set(theirs) or set(theirs) <= set(held)
    days = {one.at.date() for one in (first, second) if one.source is not EvidenceSource.NOTE and one.at}
    # “Today” of two days is not one.
    return held == theirs and (len(days) < 2 or not (by_day or windows(first.text, min(days))))


@lru_cache(maxsize=512)
def _said(text: str) -> tuple[str, ...]:
    """The words of a text in order, without those that say nothing; a very long one is the same as its equal alone."""
    every = tuple(_WORDS.findall(normalise(text))) if len(text) <= LONGEST else (text,)
    return tuple(word for word in every if word not in _FILLERS) or every


def recall(
    root: Root,
    question: str,
    *,
    limit: int | None = None,
    filters: Filters | None = None,
    now: datetime | None = None,
    recipe: str | None = None,
    budget: int | None = None,
) -> Recollection:
    """Evidence for a question, or a plain "not in memory". What is handed over is reinforced."""
    found = search(root, question, limit=limit, filters=filters, now=now, recipe=recipe, budget=budget)
    read_at = root.clock()
    handed = [passage for hit in found.hits for passage in (hit.passage, *hit.also)]
    used = [passage.ref for passage in handed if _can_be_reinforced(passage, read_at)]
    if used:
        # A memory that cannot be written still answers; it only learns nothing from it.
        with suppress(StoreProblem, OutsideRoot, OSError):
            root.store.note_use(used, by=root.actor, now=read_at)
    if root.view.is_damaged():
        from memoracle.store.mend import keep_damage_safe

        keep_damage_safe(root.store)
    return found


def search(
    root: Root,
    question: str,
    *,
    limit: int | None = None,
    filters: Filters | None = None,
    now: datetime | None = None,
    recipe: str | None = None,
    budget: int | None = None,
) -> Recollection:
    """The same evidence, leaving every file of memory as it was; reading secret ones leaves a line in the trail."""
    chosen, view = recipe or root.settings.recipe, root.view
    question = question.encode("utf-8", "ignore").decode()  # hosts cut a text in the middle of a character

    def answer() -> Recollection:
        usual = root.settings.limit
        places = limit or (usual if shape_of(question) is AnswerShape.ANSWER else max(usual, _PLACES))
        query = Query(text=question, filters=_narrowed(root, filters), limit=places)
        if chosen != "quick":
            view.embed_a_few()
        with view.index.snapshot():
            return recollect(
                query,
                view.index,
                law=root.decay,
                now=now or root.clock(),
                recipe=chosen,
                models=Models(embedder=view.embedder, reranker=root.open_reranker),
                budget=budget,
            )

    warnings = view.catch_up()
    was_behind = view.is_behind
    found = view.ask(answer)
    if view.is_behind:
        warnings += [] if was_behind else [BEHIND]
        if found.verdict is not Verdict.FOUND:
            found = replace(found, verdict=Verdict.NOT_READY)
    every = (*found.hits, *found.near)
    handed = (one for hit in every for one in (hit.passage, *hit.also, *hit.around, *hit.then))
    seen = [(passage.ref, passage.sensitivity) for passage in handed]
    told = (*root.log_reading("search", seen), *root.reader.warnings)
    return replace(found, warnings=(*found.warnings, *warnings, *view.complaints(), *told))


def count(root: Root, *, filters: Filters | None = None) -> int:
    """How many there are of what `list` gives."""
    root.view.catch_up()
    return root.view.ask(lambda: root.view.index.count_records(_narrowed(root, filters), root.clock()))


def list_records(root: Root, *, limit: int | None = None, filters: Filters | None = None) -> Sequence[Hit]:
    """Records that fit, newest first; of kinds that notes have, those notes."""
    root.view.catch_up()
    now = root.clock()
    found = root.view.ask(
        lambda: root.view.index.list_records(_narrowed(root, filters), limit or root.settings.limit, now)
    )
    root.log_reading("list", [(item.passage.ref, item.passage.sensitivity) for item in found])
    uses = root.view.index.uses_of([item.passage.ref for item in found])
    return [
        Hit(
            passage=item.passage,
            score=0.0,
            activation=round(activation_of(item, uses.get(item.passage.ref, []), root.decay, now), 6),
        )
        for item in found
    ]


def _narrowed(root: Root, filters: Filters | None) -> Filters:
    """Filters as this reader may use them; a kind that nobody knows is refused: it would find nothing, for ever."""
    unknown = (
        [kind for kind in filters.kinds if kind not in {*Kind, *NoteRole, "turn", TOOL}] if filters else []
    )
    if unknown and (lost := [kind for kind in unknown if kind not in root.view.index.kinds()]):
        from memoracle.errors import UnknownKind

        raise UnknownKind(lost[0], sorted(root.view.index.kinds() | set(Kind)))
    return root.reader.narrowed(filters)


def _can_be_reinforced(passage: Passage, now: datetime) -> bool:
    is_record = passage.source is EvidenceSource.RECORD
    is_kept = passage.status in {Status.ACTIVE, Status.ARCHIVED}
    return is_record and is_kept and passage.validity.holds_at(now)
