"""Evidence that is linked to strong evidence, or to a task, file or commit that the question names.

What nobody would find by its words is found by the way that leads there: a page that says `ARENA-228: see
[[retry-policy]]` brings the retry policy along. A linked passage scores a share of what it hangs on, so it follows it
and never overtakes it. A view without links pays one look-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.index.api import Index
from memoracle.model.hit import Passage, Source
from memoracle.model.link import ENTITY, PAGE, LinkType
from memoracle.model.query import Query
from memoracle.model.value import replace
from memoracle.recall.candidate import EXACT, Proposal, RankedCandidate
from memoracle.recall.question import Question
from memoracle.recall.verdict import is_evidence
from memoracle.text import telling_terms

if TYPE_CHECKING:
    from memoracle.index.api import LinkGraph

SHARE = 0.6
"""What is left of a score after one step."""
_STRONG = 3
_BROUGHT = 5
_AT_ONCE = 8
_PIECES = 40
_LEADING = frozenset({LinkType.WIKILINK, LinkType.SUPERSEDES, LinkType.EVIDENCE})
_SHARED = frozenset({LinkType.TASK, LinkType.COMMIT, LinkType.KEY})
_MAY_NAME = re.compile(r"\d|://|\[\[|\w\.\w|KEY")


def with_linked(
    question: Question, query: Query, proposal: Proposal, index: Index, now: datetime
) -> Proposal:
    """The proposal, with what is linked to its best and to what the question names."""
    if not index.has_links():
        return proposal
    with index.links(reader=query.filters.reader, public=query.filters.public) as links:
        reached = _reached(question, proposal.candidates, links)
        brought = []
        for node, (score, steps) in sorted(reached.items(), key=lambda one: (-one[1][0], one[0]))[:_BROUGHT]:
            if found := _passage_of(node, question, query, proposal.candidates, links, index, now):
                brought.append((found, score, SHARE**steps))
    return _joined(proposal, brought) if brought else proposal


def _reached(
    question: Question, candidates: tuple[RankedCandidate, ...], links: LinkGraph
) -> dict[str, tuple[float, int]]:
    """Pages and records within two steps, with the score they come to and how far away they are."""
    best = max((_own_score(one) for one in candidates), default=1.0)
    starts: dict[str, float] = {}
    for one in candidates[:_STRONG]:
        if node := _node_of(one.found.passage):
            starts[node] = best if one.exact else _own_score(one)
    reached: dict[str, tuple[float, int]] = {}

    def reach(node: str, score: float, steps: int) -> None:
        known = reached.get(node)
        if node not in starts and not node.startswith((ENTITY, PAGE)) and (not known or known[0] < score):
            reached[node] = (score, steps)

    for named in _named(question.text, links):
        sources = links.incoming(named, _AT_ONCE)
        for edge in sources:
            reach(edge.source, _share(best, 1), 1)
            starts.setdefault(edge.source, best)
    for node, score in list(starts.items())[: _STRONG + _AT_ONCE]:
        for edge in links.near(node, 4 * _AT_ONCE).edges:
            other = edge.target if edge.source == node else edge.source
            if edge.type in _LEADING:
                reach(other, _share(score, 1), 1)
            elif edge.type in _SHARED and edge.source == node:
                sharing = links.incoming(other, _AT_ONCE + 1)
                for mention in sharing if len(sharing) <= _AT_ONCE else ():
                    reach(mention.source, _share(score, 2), 2)
    return reached


def _named(text: str, links: LinkGraph) -> Iterable[str]:
    """The tasks, commits, files and the like that a question names."""
    if not _MAY_NAME.search(text):
        return []
    from memoracle.learn.links import find_links

    return dict.fromkeys(links.leads_to(link.target) for link in find_links(text) if not link.doubt)


def _passage_of(
    node: str,
    question: Question,
    query: Query,
    candidates: tuple[RankedCandidate, ...],
    links: LinkGraph,
    index: Index,
    now: datetime,
) -> RankedCandidate | None:
    """The piece of a page or the record that fits the question best; the page's first where none does."""
    rows = links.rows(node, _PIECES)
    known = [one for one in candidates if one.row in set(rows) or _node_of(one.found.passage) == node]
    if known:
        return max(known, key=lambda one: one.score)
    asked = set(telling_terms(question.text))
    found = {
        row: one
        for row, one in index.fetch(rows, query.filters, now).items()
        if is_evidence(one.passage.text, frozenset(asked))
    }
    if not found:
        return None
    row = max(found, key=lambda row: (len(asked.intersection(telling_terms(found[row].passage.text))), -row))
    return RankedCandidate(found=found[row], row=row, score=float("-inf"))


def _joined(proposal: Proposal, brought: list[tuple[RankedCandidate, float, float]]) -> Proposal:
    joined = {id(one): one for one in proposal.candidates}
    for candidate, score, leg in brought:
        lifted = max(candidate.score, score)
        joined[id(candidate)] = replace(
            candidate, score=lifted, legs={**candidate.legs, "linked": round(leg, 4)}
        )
    ordered = sorted(
        joined.values(),
        key=lambda one: (-one.score, one.found.passage.path, one.found.passage.first_line),
    )
    return replace(
        proposal, candidates=tuple(ordered), says=(*proposal.says, f"{len(brought)} brought along by links")
    )


def _node_of(passage: Passage) -> str:
    if passage.source is Source.RECORD:
        return passage.ref
    return passage.path.removesuffix(".md") if passage.source is Source.NOTE else ""


def _own_score(candidate: RankedCandidate) -> float:
    return candidate.score - (EXACT if candidate.exact else 0.0)


def _share(score: float, steps: int) -> float:
    return score * SHARE**steps if score > 0 else score - steps
