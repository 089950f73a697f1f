"""The model that comes along: one small encoder for English and Chinese, with four uses.

*embed* turns a text into a vector, *read* says how far a passage answers a question, *change* whether a statement
stands in the place of an earlier one, *tag* what a turn holds that is worth keeping. Each stands in a file of bytes,
which is mapped and opened in milliseconds. The others share the vocabulary and the table of words of *embed*; who
changes only them changes no vector.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable, WeightsMismatch
from memoracle.inference.api import Prediction, Tagged, TaggedClaim, Utterance
from memoracle.inference.bert import Bert, BertEmbedder, BertShape, Dense, Encoded, EqualRun, gelu
from memoracle.inference.tensors import digest_without, open_tensors
from memoracle.inference.tokenizers import Tokens, Vocabulary, WordPiece

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memoracle.inference.api import Vectors
    from memoracle.inference.tensors import TensorFile

WEIGHTS = os.path.join(os.path.dirname(__file__), "weights")
_USES = ("embed", "read", "change", "tag")
_MAX_TOKENS = 256
_POPULATE_READ = 22
"""MADV_POPULATE_READ, which `mmap` does not name yet."""


class _Model:
    """One use, opened."""

    __slots__ = ("bert", "labels", "name", "tokenizer")

    def __init__(
        self,
        use: str,
        words: TensorFile,
        own: TensorFile,
        tokenizer: WordPiece,
        below: tuple[str, TensorFile] | None = None,
    ) -> None:
        said = own.metadata
        if own is not words and said["words"] != words.metadata["digest"]:
            raise ValueError("it was made for another table of words")
        tensors = {**words.tensors, **own.tensors}
        if below:  # what this use has in common with another stands in that one's file alone
            name, file = below
            if said[name] != file.metadata["digest"]:
                raise ValueError(f"it was made for another file of `{name}`")
            shared = {f"{use}.{key.removeprefix(f'{name}.')}": one for key, one in file.tensors.items()}
            tensors = {**shared, **tensors}
        shape = BertShape(heads=int(said["heads"]), eps=float(said["eps"]))
        self.bert = Bert(tensors, shape, prefix=f"{use}.")
        self.labels: Mapping[str, list[str]] = json.loads(said.get("labels", "{}"))
        self.name = f"memoracle-{said['version']}@{said['digest'][:8]}:{self.bert.dims}"
        self.tokenizer = tokenizer


_tensors = cache(open_tensors)


@cache
def _words(folder: str) -> tuple[TensorFile, WordPiece]:
    file = _tensors(_path(folder, "embed"))
    return file, WordPiece(Vocabulary(file.tensors["vocabulary"].tobytes()), max_tokens=_MAX_TOKENS)


@cache
def _open(folder: str, use: str) -> _Model:
    try:
        words, tokenizer = _words(folder)
        own = words if use == "embed" else _tensors(_path(folder, use))
        below = ("read", _tensors(_path(folder, "read"))) if use == "change" else None
        return _Model(use, words, own, tokenizer, below)
    except (KeyError, ValueError) as problem:
        raise EmbedderUnavailable("memoracle", f"{folder} holds another model: {problem!r}") from problem


def _path(folder: str, use: str) -> str:
    return os.path.join(folder, f"{use}.safetensors")


_WORKERS = min(2, os.cpu_count() or 1)
"""Threads that read the candidates of a question, or embed: the other cores are the owner's."""


def open_embedder(folder: str = WEIGHTS, *, workers: int = _WORKERS) -> BertEmbedder:
    """The embedder; batches of many texts are shared among `workers` threads."""
    model = _open(folder, "embed")
    return BertEmbedder(model.name, model.bert, model.tokenizer, workers=workers)


def open_reranker(folder: str = WEIGHTS, *, workers: int = _WORKERS) -> _BundledReranker:
    """What says how far passages answer a question."""
    return _BundledReranker(_open(folder, "read"), _open(folder, "change"), workers=workers)


def open_tagger(folder: str = WEIGHTS, *, workers: int = 1) -> _BundledTagger:
    """What says of turns what they hold."""
    return _BundledTagger(_open(folder, "tag"), workers=workers)


def populate() -> None:
    """Have the weights that answer questions in this process's own table of pages: a fork leaves them to be found."""
    for use in ("embed", "read", "change"):
        mapped: Any = next(iter(_tensors(_path(WEIGHTS, use)).tensors.values())).base
        with suppress(OSError, ValueError):  # an older kernel
            mapped.madvise(_POPULATE_READ)


def rank_of_word(word: str) -> int | None:
    """The place of an ordinary word in the vocabulary, the commonest first; None for what has to be cut in pieces."""
    return _words(WEIGHTS)[1].vocabulary.id_of(word)


def verify(folder: str = WEIGHTS) -> None:
    """Read the files whole; raise `WeightsMismatch` when the bytes of one are not those that were packed."""
    for path in (_path(folder, use) for use in _USES):
        said = open_tensors(path).metadata.get("digest", "")
        if (found := digest_without(path, said)) != said:
            raise WeightsMismatch(path, expected=said, found=found)


# Reading: question and passage together.

_QUESTION, _BEFORE_PASSAGE, _SAID_BY, _PASSAGE = 40, 12, 16, 72
_OF_CHANGE, _STATEMENT = 32, 48
_BEFORE_TURN, _WHO, _TURN = 32, 8, 192
_LONGEST_PASSAGE = 400
"""With what stands before it, an input stays within the 512 positions there are."""
_TAIL = 400
_READ_UP_TO = 6000
_COMMON = 2300
"""Ids below are marks and the commonest words of English: they count little when a stretch is chosen."""
_WORTH_LITTLE = 0.2


class _BundledReranker:
    """The bundled `Reranker`."""

    __slots__ = ("_change", "_read", "_tokenizer", "_workers", "name")

    def __init__(self, read: _Model, change: _Model, *, workers: int) -> None:
        self.name = f"{read.name}+{change.name}"
        self._read, self._change = (
            (one.bert, one.bert.head("head.0"), one.bert.head("head.1")) for one in (read, change)
        )
        self._tokenizer = read.tokenizer
        self._workers = workers

    def score(self, question: str, passages: Sequence[Utterance], *, tokens: int = _PASSAGE) -> list[float]:
        """How far each passage answers the question (a logit), of each the best `tokens` tokens (400 at most)."""
        cut, tokens = self._tokenizer, min(tokens, _LONGEST_PASSAGE)
        question_ids = cut.cut(question, _QUESTION)
        asked = [cut.cls, *question_ids, cut.sep]
        inputs = [
            Encoded(ids=[*asked, *self._passage(one, question_ids, tokens)], first=len(asked))
            for one in passages
        ]
        return self._judged(inputs, *self._read)

    def changes(self, pairs: Sequence[tuple[Utterance, Utterance]], question: str = "") -> list[float]:
        """How far the second of two statements stands in the place of the first (a logit)."""
        cut = self._tokenizer
        asked = [cut.cls, *cut.cut(question, _OF_CHANGE), cut.sep]
        inputs = [
            Encoded(
                ids=[
                    *asked,
                    *cut.cut(_told(new), _STATEMENT),
                    cut.sep,
                    *cut.cut(_told(old), _STATEMENT),
                    cut.sep,
                ],
                first=len(asked),
            )
            for old, new in pairs
        ]
        return self._judged(inputs, *self._change)

    def _judged(self, inputs: Sequence[Encoded], bert: Bert, first: Dense, last: Dense) -> list[float]:
        def judge(firsts: Vectors, _: Sequence[EqualRun], scratch: Vectors) -> Vectors:
            return last(gelu(first(firsts, scratch)), scratch)[:, 0]

        out = np.empty(len(inputs), dtype=np.float32)
        for places, logits in bert.each_batch(inputs, judge, only_first=True, workers=self._workers):
            out[places] = logits
        return [float(logit) for logit in out]

    def _passage(self, one: Utterance, question: Sequence[int], tokens: int) -> list[int]:
        cut = self._tokenizer
        before = _last(cut, one.before, _BEFORE_PASSAGE)
        stop = [cut.id_of(".")] if before else []
        when = f" ({one.when})" if one.when else ""
        said_by = cut.cut(f"{one.who}{when}:", _SAID_BY) if one.who else []
        text = best_stretch(question, cut.cut(one.text[:_READ_UP_TO], _READ_UP_TO), tokens)
        return [*before, *stop, *said_by, *text, cut.sep]


def _told(one: Utterance) -> str:
    return f"{one.who}: {one.text}" if one.who else one.text


def best_stretch(question: Sequence[int], text: Sequence[int], size: int) -> Sequence[int]:
    """The stretch of a long text that has most in common with the question; of equals the first."""
    if len(text) <= size:
        return text
    worth = {one: _WORTH_LITTLE if one < _COMMON else 1.0 for one in question}
    starts = range(0, len(text) - size // 2, size // 2)
    shared = [sum(worth[one] for one in set(text[start : start + size]) & worth.keys()) for start in starts]
    start = starts[shared.index(max(shared))]
    return text[start : start + size]


def _last(tokenizer: WordPiece, text: str, most: int) -> list[int]:
    """The last ids of a text; of an endless one only the end is looked at."""
    ids = tokenizer.cut(text[-_TAIL:], _TAIL)
    return ids[-most:]


# Tagging: a turn, and the turn before it.

_OF_CLAIM = ("kind", "about", "until")
_OUTSIDE, _BEGIN = 0, 1
_MOST_CLAIMS = 6


class _BundledTagger:
    """The bundled `Tagger`."""

    __slots__ = ("_bert", "_labels", "_of_claim", "_of_token", "_of_turn", "_tokenizer", "_workers", "name")

    def __init__(self, model: _Model, *, workers: int) -> None:
        self.name = model.name
        self._bert = model.bert
        self._labels = model.labels
        self._of_turn = self._bert.head("head.keep", "head.alone", "head.stance")
        self._of_token = self._bert.head("head.token")
        self._of_claim = self._bert.head(*(f"head.{name}" for name in _OF_CLAIM))
        self._tokenizer = model.tokenizer
        self._workers = workers

    def tag(self, turns: Sequence[Utterance]) -> list[Tagged]:
        """What each turn holds."""
        texts = [self._tokenizer.locate(turn.text, _TURN) for turn in turns]
        inputs = [self._encoded(turn, text) for turn, text in zip(turns, texts, strict=True)]
        found: list[Any] = [None] * len(turns)
        for places, measured in self._bert.each_batch(inputs, self._measure, workers=self._workers):
            for place, (of_turn, of_tokens, states) in zip(places, measured, strict=True):
                # The text's tokens are the last ones but the closing mark.
                own = slice(len(states) - 1 - len(texts[place].ids), len(states) - 1)
                spans = _runs_of_claims(of_tokens[own].argmax(axis=1), len(texts[place].ids))
                said = [states[own][start:end].mean(axis=0) for start, end in spans]
                both = [np.concatenate([states[0], one]) for one in said]
                keep, alone = (1 / (1 + np.exp(-of_turn[:2]))).tolist()
                found[place] = Tagged(
                    keep=keep,
                    alone=alone,
                    stance=_likeliest(self._labels["stance"], of_turn[2:]),
                    claims=self._claims(both, spans, texts[place]),
                )
        return found

    def _encoded(self, turn: Utterance, text: Tokens) -> Encoded:
        cut = self._tokenizer
        first = [cut.cls, *_last(cut, turn.before, _BEFORE_TURN), cut.sep]
        who = cut.cut(f"{turn.who}:", _WHO) if turn.who else []
        return Encoded(ids=[*first, *who, *text.ids, cut.sep], first=len(first))

    def _measure(
        self, states: Vectors, runs: Sequence[EqualRun], scratch: Vectors
    ) -> list[tuple[Vectors, Vectors, Vectors]]:
        """Of each input the logits of the turn, those of its tokens, and their states."""
        starts = [start for run in runs for start in run.starts]
        lengths = [run.length for run in runs for _ in range(run.count)]
        of_turn, of_tokens = self._of_turn(states[starts], scratch), self._of_token(states, scratch)
        return [
            (of_turn[number], of_tokens[start : start + length], states[start : start + length])
            for number, (start, length) in enumerate(zip(starts, lengths, strict=True))
        ]

    def _claims(
        self, both: Sequence[Vectors], spans: Sequence[tuple[int, int]], text: Tokens
    ) -> tuple[TaggedClaim, ...]:
        if not both:
            return ()
        rows = self._of_claim(np.stack(both), np.empty(self._of_claim.size, dtype=np.float32))
        found = []
        for row, (start, end) in zip(rows, spans, strict=True):
            chosen, place = {}, 0
            for name in _OF_CLAIM:
                labels = self._labels[name]
                chosen[name] = _likeliest(labels, row[place : place + len(labels)])
                place += len(labels)
            found.append(TaggedClaim(span=(text.spans[start][0], text.spans[end - 1][1]), **chosen))
        return tuple(found)


def _runs_of_claims(marks: Sequence[int], size: int) -> list[tuple[int, int]]:
    """The tokens of each claim, the first and the one after the last; the whole text where none is marked."""
    found: list[tuple[int, int]] = []
    for place, mark in enumerate(marks):
        if mark == _BEGIN or (mark != _OUTSIDE and (not found or found[-1][1] < place)):
            found.append((place, place + 1))
        elif mark != _OUTSIDE:
            found[-1] = (found[-1][0], place + 1)
    return found[:_MOST_CLAIMS] or ([(0, size)] if size else [])


def _likeliest(labels: Sequence[str], logits: Vectors) -> Prediction:
    shares = np.exp(logits - logits.max())
    best = int(shares.argmax())
    return Prediction(label=labels[best], probability=float(shares[best] / shares.sum()))
