"""What seems to have changed since: records at hand in whose place stands something that was said later.

A small model says so, so nothing is ended by it. The later word is told instead of the earlier one, both are found, and
who forgets the later one has the earlier one back. What it said of two statements is kept by their names in
`state/changes.json`: a night asks only about what is new.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.context.choose import stays
from memoracle.context.hot import own_words
from memoracle.model.predicates import OWNER, Family, predicate_named
from memoracle.model.record import Sensitivity, Status
from memoracle.model.search import EvidenceSource, Filters, Passage, short_id
from memoracle.model.value import replace
from memoracle.store.volume import read_document, write_document
from memoracle.text import normalise, telling_terms

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.index.api import Index
    from memoracle.root import Root

_CHANGES = "changes.json"
_TOLD = Filters(withheld=(Sensitivity.SECRET,))
_RARE, _LEAST, _MOST_SURE = 40, 0.1, 0.75
"""One statement in so many is taken to change a given one: from which probability on the later word is told in the
place of the earlier one grows with how much was said, from the second of these to the third."""
_BESIDE = 0.3
"""The same for what nothing takes the place of: the later word stands beside it."""
_NEAR = 0.35
"""The least cosine of two statements on one matter."""
_APART = frozenset(
    {Family.PLACE, Family.WORK, Family.EDUCATION, Family.POSSESSION, Family.HEALTH, Family.NAME}
)
"""Matters that are not each other: who changes the job has not moved."""
_BOTH = 2
_NEAREST, _SPARE = 6, 16
"""So many may have changed what was said: what lies nearest to it."""


def ask_what_changed(root: Root, standing: Sequence[Passage], shown: Collection[str], now: datetime) -> None:
    """Read what was said after the records that were shown and lies near them, as far as that was not done before."""
    from memoracle.recall.reading import statement

    reranker, embedder = root.open_reranker(), root.view.embedder()
    if reranker is None or embedder is None or embedder.name not in root.index.ranking().spaces():
        return
    held = _held(root)
    known: dict[str, float] = held["pairs"] if held.get("model") == reranker.name else {}
    alive = {one.ref: one for one in standing if one.status is Status.ACTIVE}
    told_otherwise = {names.split(" ")[0] for names, share in known.items() if share >= _LEAST}
    looked_at = [one for ref, one in alive.items() if ref in told_otherwise or short_id(ref) in shown]
    pairs = dict(root.view.ask(lambda: list(_pairs(root.index, looked_at, embedder.name, now))))
    new = {names: pair for names, pair in pairs.items() if names not in known}
    asked = {names: pair for names, pair in new.items() if _may_change(*pair)}
    logits = reranker.changes([(statement(old), statement(later)) for old, later in asked.values()])
    said = {names: round(1 / (1 + math.exp(-logit)), 2) for names, logit in zip(asked, logits, strict=True)}
    kept = {names: known[names] for names in pairs if names in known} | dict.fromkeys(new, 0.0) | said
    many = root.index.ranking().passages().count
    sure = round(min(_MOST_SURE, max(_LEAST, many / (many + _RARE))), 2)
    if (document := {"model": reranker.name, "sure": sure, "pairs": dict(sorted(kept.items()))}) != held:
        write_document(root.store.volume, root.store.state_name(_CHANGES), document)


def changed_since(root: Root, now: datetime) -> Mapping[str, Passage]:
    """By the id of a record what seems to stand in its place now: the newest of what was said later."""
    held = _held(root)
    least = held.get("sure", 1.0)
    likely = [
        (*names.split(" "), share)
        for names, share in held.get("pairs", {}).items()
        if share >= min(least, _BESIDE)
    ]
    if not likely:
        return {}
    seen = root.reader.narrowed(replace(_TOLD, reader=root.reader.told_to))
    refs = list({ref for old, new, _ in likely for ref in (old, new)})
    named = root.view.ask(lambda: root.index.rows_named(refs, seen, len(refs), now))
    by_ref = {one.passage.ref: one.passage for one in named.values()}
    kept = {ref for ref, one in by_ref.items() if stays(one)}
    sure = [(old, new) for old, new, share in likely if share >= (_BESIDE if old in kept else least)]
    by_ref = {ref: one for ref, one in by_ref.items() if _may_stand_for(one)}
    found: dict[str, Passage] = {}
    for old, ref in sure:
        new, before = by_ref.get(ref), found.get(old)
        if new and (before is None or _age(before) < _age(new)):
            found[old] = new
    return found


def _on_one_matter(old: Passage, new: Passage) -> bool:
    """True where both name one thing, or where records may be of one sort and no guess is forbidden."""
    shared = set(telling_terms(old.text)) & set(telling_terms(new.text))
    if any(len(term) > 1 and "我" not in term for term in shared):
        return True
    matters, others = _matters(old), _matters(new)
    is_guessed = not stays(old) and new.source is EvidenceSource.RECORD
    return is_guessed and (not matters or not others or matters == others)


def _matters(passage: Passage) -> Collection[str]:
    known = predicate_named(passage.predicate)
    return _APART.intersection({known.family} if known else passage.tags)


def _held(root: Root) -> dict[str, Any]:
    """What was said before; nothing where it cannot be read, as it can be asked for again."""
    held = read_document(root.store.volume, root.store.state_name(_CHANGES))
    pairs = held.get("pairs")
    is_sound = (
        isinstance(pairs, dict)
        and isinstance(held.get("sure"), int | float)
        and all(
            len(names.split(" ")) == _BOTH and isinstance(share, int | float)
            for names, share in pairs.items()
        )
    )
    return held if is_sound else {}


def _age(passage: Passage) -> tuple[object, ...]:
    return (passage.at, passage.source is EvidenceSource.RECORD, passage.ref)


def _may_stand_for(passage: Passage) -> bool:
    """True for a standing record, and for what the owner said in words of their own."""
    if passage.source is EvidenceSource.RECORD:
        return passage.status is Status.ACTIVE
    return own_words(passage) == passage.text


def _may_change(old: Passage, new: Passage) -> bool:
    """False for the same words again, and for what is told of somebody else: a brother's dentist is his."""
    from memoracle.learn.entities import person_in

    if set(telling_terms(old.text)) == set(telling_terms(new.text)):
        return False
    name = (new.subject if new.source is EvidenceSource.RECORD else person_in(new.text)).strip().casefold()
    return not name or name in {OWNER, old.subject.strip().casefold()} or name in old.text.casefold()


def _pairs(
    index: Index, shown: Sequence[Passage], space: str, now: datetime
) -> Iterator[tuple[str, tuple[Passage, Passage]]]:
    """Each of these with what the same person said later nearest to it."""
    import numpy as np

    from memoracle.recall.reading import follows

    arrays, filters = index.ranking(), _TOLD
    days, allowed = arrays.passages().day, arrays.allowed(filters, now)
    rows = index.rows_named([one.ref for one in shown], filters, len(shown), now)
    vectors = arrays.vectors(space, list(rows))
    for row, own in vectors.items():
        old = rows[row].passage
        near, _ = arrays.nearness(space, own[0])
        later = np.flatnonzero(allowed & (days >= days[row]) & (near >= _NEAR))
        first = later[np.argsort(-near[later], kind="stable")[:_SPARE]].tolist()
        said: dict[str, Passage] = {}
        for one in index.fetch(first, filters, now).values():
            new, words = one.passage, normalise(one.passage.text)
            is_other = words != normalise(old.text) and new.where != old.where and new.project == old.project
            if not is_other or not follows(old, new):
                continue
            # A record says again what its turn says.
            is_record = new.source is EvidenceSource.RECORD
            if (words in said and is_record) or (words not in said and len(said) < _NEAREST):
                said[words] = new
        yield from ((f"{old.ref} {new.ref}", (old, new)) for new in said.values() if _on_one_matter(old, new))
