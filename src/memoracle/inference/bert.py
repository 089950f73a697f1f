"""The forward pass of a BERT-type sentence encoder on numpy.

Reads the weights where they lie in the mapped file, floats or bytes: nothing is copied, transposed or
converted at load. There is no padding: texts stand sorted by length, every dense layer sees one flat matrix
of tokens, and attention runs over runs of texts of equal length, which need no mask.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.api import NO_PREFIXES, EmbeddingKind, Prefixes
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from memoracle.inference.api import Vectors
    from memoracle.inference.tokenizers import WordPiece

    Ids = Sequence[int]


# Arithmetic on rows that every embedder shares, and batches over several threads.

Work = TypeVar("Work")
Done = TypeVar("Done")


def spread(do: Callable[[Work], Done], batches: Iterable[Work], *, workers: int) -> Iterator[Done]:
    """`do` of every batch, in the order of `batches`, by at most `workers` threads."""
    pending = list(batches)
    if workers <= 1 or len(pending) <= 1:
        yield from map(do, pending)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(workers, len(pending))) as pool:
        yield from pool.map(do, pending)


def batched(texts: Sequence[Ids], places: Iterable[int], tokens_at_once: int) -> Iterator[list[int]]:
    """The places of all texts in groups of about so many tokens."""
    batch: list[int] = []
    tokens = 0
    for place in places:
        length = len(texts[place])
        if batch and tokens + length > tokens_at_once:
            yield batch
            batch, tokens = [], 0
        batch.append(place)
        tokens += length
    if batch:
        yield batch


_TINY = np.float32(1e-12)


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """The rows of `rows` as float32, each scaled to length 1; a row of zeros stays zero."""
    found = np.array(rows, dtype=np.float32, order="C")
    found /= np.maximum(np.sqrt(np.einsum("ij,ij->i", found, found)), _TINY)[:, None]
    return found


def normalise_layer(x: Vectors, gain: Vectors, shift: Vectors, eps: float) -> Vectors:
    """Layer normalisation over the rows of `x`, in place; `x` is also what you get."""
    x -= np.add.reduce(x, axis=1, keepdims=True) * np.float32(1 / x.shape[1])
    variance = np.einsum("ij,ij->i", x, x) / x.shape[1]
    x *= (1 / np.sqrt(variance + eps))[:, None]
    x *= gain
    x += shift
    return x


# The GELU of BERT, in place, on numpy alone.

_C0, _C1, _C2 = np.float32(7.97507572e-01), np.float32(3.70060079e-02), np.float32(-3.51594689e-04)

# Beyond |x| = 4.7 the polynomial would turn round; held still there, tanh is 1 to the last bit anyway.
_CAP = np.float32(4.7 * 4.7)

# Values that fit a core's own cache together with their scratch space.
_BLOCK = 64 * 1024


def gelu(x: Vectors) -> Vectors:
    """x·Φ(x) for every element of the matrix `x`, written over `x`."""
    rows = max(1, _BLOCK // x.shape[1])
    scratch = np.empty_like(x[:rows])
    for start in range(0, len(x), rows):
        part = x[start : start + rows]
        u = scratch[: len(part)]
        np.multiply(part, part, out=u)
        np.minimum(u, _CAP, out=u)
        p = u * _C2
        p += _C1
        p *= u
        p += _C0
        p *= part
        np.tanh(p, out=p)
        part *= np.float32(0.5)
        p *= part
        part += p
    return x


# Enough rows for BLAS to reach full speed, few enough for the widest layer (3 MB) to stay in cache, and for sixteen
# candidates of a question to be two batches.
_TOKENS_AT_ONCE = 512

# Up to here OpenBLAS takes 50 to 85 % of the time for weights @ tokensᵀ that it takes for tokens @ weightsᵀ.
_FEW_TOKENS = 48

# Products of up to a million multiplications OpenBLAS computes without copying both sides first: for a short question
# this takes 15 to 30 % off with AVX-512, and with AVX2 adds 3 to 8 %.
_SMALL_PRODUCT = 1_000_000
_SHORT_QUESTION = 16

_WORDS = "embeddings.word_embeddings.weight"
_BYTES = np.dtype(np.int8)
_AS_IT_LIES = (np.dtype(np.float32), _BYTES)


@value
class BertShape:
    """What the weights do not say themselves."""

    heads: int
    eps: float


# Plain classes: this module is on the path of every question, and a dataclass costs most of a millisecond.
class _Weights:
    """Tensors by the names Hugging Face gives them, all with the same prefix; the table of words may do without."""

    __slots__ = ("_prefix", "_tensors")

    def __init__(self, tensors: Mapping[str, NDArray[Any]], prefix: str) -> None:
        self._tensors = tensors
        self._prefix = prefix

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array as it lies in the file when it holds floats or bytes; any other type as floats."""
        found = self._tensors.get(self._prefix + name)
        if found is None and name.startswith(_WORDS):
            found = self._tensors.get(name)
        if found is None:
            raise EmbedderUnavailable("bert", f"the weights have no `{self._prefix}{name}`")
        return found if found.dtype in _AS_IT_LIES else found.astype(np.float32)

    def matrix(self, name: str) -> tuple[NDArray[Any], Vectors | None]:
        """A matrix, and what its rows have to be multiplied by when they are bytes."""
        found = self[name]
        return found, self[f"{name}.scale"] if found.dtype == _BYTES else None

    def count(self, name: str) -> int:
        """How many of a numbered kind there are: `encoder.layer.{}.…`."""
        number = 0
        while self._prefix + name.format(number) in self._tensors:
            number += 1
        return number


class _Table:
    """A matrix of which single rows are wanted: they become floats when they are looked up."""

    __slots__ = ("_rows", "_scale", "dims")

    def __init__(self, weights: _Weights, name: str) -> None:
        self._rows, self._scale = weights.matrix(name)
        self.dims = int(self._rows.shape[1])

    def __getitem__(self, places: NDArray[np.intp]) -> Vectors:
        rows = self._rows[places].astype(np.float32, copy=False)
        if self._scale is not None:
            rows *= self._scale[places, None]
        return rows


class Dense:
    """One linear layer, or several that read the same input, as one product.

    Bytes become floats in a scratch buffer just before they are used, and the scale of a row is applied to the
    product: that is faster than reading floats from memory, and nothing is kept.
    """

    __slots__ = ("_bias", "_parts", "_scale", "size")

    def __init__(self, weights: _Weights, *names: str) -> None:
        matrices = [weights.matrix(f"{name}.weight") for name in names]
        self._parts = [matrix for matrix, _ in matrices]
        scales = [scale for _, scale in matrices if scale is not None]
        self._scale = _joined(scales) if scales else None
        self._bias = _joined([weights[f"{name}.bias"] for name in names])
        self.size = sum(part.size for part in self._parts)

    def __call__(self, x: Vectors, scratch: Vectors) -> Vectors:
        if len(x) <= _SHORT_QUESTION:
            y = self._in_blocks(np.ascontiguousarray(x.T), scratch).T
        else:
            weight = self._floats(scratch)
            y = (weight @ x.T).T if len(x) <= _FEW_TOKENS else x @ weight.T
        if self._scale is not None:
            y *= self._scale
        y += self._bias
        return y

    def _in_blocks(self, columns: Vectors, scratch: Vectors) -> Vectors:
        """The product, some rows of the weights at a time."""
        inner, tokens = columns.shape
        y = np.empty((len(self._bias), tokens), dtype=np.float32)
        step = max(16, _SMALL_PRODUCT // (inner * tokens) // 16 * 16)
        row = 0
        for part in self._parts:
            for start in range(0, len(part), step):
                block = part[start : start + step]
                if self._scale is not None:
                    floats = scratch[: block.size].reshape(block.shape)
                    np.copyto(floats, block)
                    block = floats
                np.matmul(block, columns, out=y[row : row + len(block)])
                row += len(block)
        return y

    def _floats(self, scratch: Vectors) -> Vectors:
        """All rows of the weights."""
        if len(self._parts) == 1 and self._scale is None:
            return self._parts[0]
        found = scratch[: self.size].reshape(len(self._bias), -1)
        row = 0
        for part in self._parts:
            np.copyto(found[row : row + len(part)], part)
            row += len(part)
        return found


def _joined(parts: Sequence[Vectors]) -> Vectors:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class _Norm:
    __slots__ = ("_gain", "_shift")

    def __init__(self, weights: _Weights, name: str) -> None:
        self._gain = weights[f"{name}.weight"]
        self._shift = weights[f"{name}.bias"]

    def __call__(self, x: Vectors, eps: float) -> Vectors:
        return normalise_layer(x, self._gain, self._shift, eps)


class _Layer:
    __slots__ = ("after_all", "after_attention", "look", "merge", "narrow", "widen")

    def __init__(self, weights: _Weights, number: int) -> None:
        name = f"encoder.layer.{number}"
        self.look = Dense(weights, *(f"{name}.attention.self.{part}" for part in ("query", "key", "value")))
        self.merge = Dense(weights, f"{name}.attention.output.dense")
        self.after_attention = _Norm(weights, f"{name}.attention.output.LayerNorm")
        self.widen = Dense(weights, f"{name}.intermediate.dense")
        self.narrow = Dense(weights, f"{name}.output.dense")
        self.after_all = _Norm(weights, f"{name}.output.LayerNorm")


@value
class Encoded:
    """Token ids of one input, and how many of them are its first part (what stands after is of the other type)."""

    ids: Ids
    first: int


class Bert:
    """A loaded encoder: token ids in, the states of the last layer out."""

    __slots__ = ("_kinds", "_layers", "_norm", "_positions", "_shape", "_spare", "_weights", "_words", "dims")

    def __init__(
        self, tensors: Mapping[str, NDArray[Any]], shape: BertShape, *, prefix: str | None = None
    ) -> None:
        """`prefix` stands before the names of the tensors; without one it is none or `bert.`, as it is found."""
        if prefix is None:
            prefix = "" if _WORDS in tensors else "bert."
        self._weights = weights = _Weights(tensors, prefix)
        self._kinds = weights["embeddings.token_type_embeddings.weight"]
        self._words = _Table(weights, _WORDS)
        self._positions = _Table(weights, "embeddings.position_embeddings.weight")
        self._norm = _Norm(weights, "embeddings.LayerNorm")
        depth = weights.count("encoder.layer.{}.output.dense.weight")
        self._layers = [_Layer(weights, number) for number in range(depth)]
        self._shape = shape
        self._spare: list[Vectors] = []
        self.dims = self._words.dims

    def head(self, *names: str) -> Dense:
        """Linear layers that stand on the states, side by side."""
        return Dense(self._weights, *names)

    def vectors(self, texts: Sequence[Ids], *, pool_first: bool = False, workers: int = 1) -> Vectors:
        """One unit vector per list of ids: the mean of its states, or its first state."""
        pool = _first if pool_first else _mean
        out = np.empty((len(texts), self.dims), dtype=np.float32)
        inputs = [Encoded(ids=ids, first=len(ids)) for ids in texts]
        for places, found in self.each_batch(inputs, pool, only_first=pool_first, workers=workers):
            out[places] = found
        return unit_rows(out)

    def each_batch(
        self,
        inputs: Sequence[Encoded],
        do: Callable[[Vectors, Sequence[EqualRun], Vectors], Done],
        *,
        only_first: bool = False,
        workers: int = 1,
    ) -> Iterator[tuple[list[int], Done]]:
        """The places of each batch, and what `do` makes of its states, its runs and the scratch buffer.

        With `only_first` there is one state per input, that of its first token: the last layer computes no other.
        """
        shortest_first = sorted(range(len(inputs)), key=lambda place: len(inputs[place].ids))
        batches = list(batched([one.ids for one in inputs], shortest_first, _TOKENS_AT_ONCE))

        def run(places: list[int]) -> Done:
            scratch = self._borrow()
            try:
                return do(*self._forward([inputs[place] for place in places], scratch, only_first), scratch)
            finally:
                self._spare.append(scratch)

        return zip(batches, spread(run, batches, workers=workers), strict=True)

    def _borrow(self) -> Vectors:
        """A scratch buffer that no other thread is using."""
        try:
            return self._spare.pop()
        except IndexError:
            sizes = (part.size for layer in self._layers for part in (layer.look, layer.widen, layer.narrow))
            return np.empty(max(sizes, default=0), dtype=np.float32)

    def _forward(
        self, inputs: Sequence[Encoded], scratch: Vectors, only_first: bool
    ) -> tuple[Vectors, list[EqualRun]]:
        """The states of inputs that stand in order of length, and the runs they form."""
        eps = self._shape.eps
        runs = list(_runs([one.ids for one in inputs]))
        x = self._embed(inputs)
        for number, layer in enumerate(self._layers, start=1):
            firsts = only_first and number == len(self._layers)
            seen = self._attend(layer.look(x, scratch), runs, firsts=firsts)
            if firsts:
                x = x[[start for run in runs for start in run.starts]]
                runs = [EqualRun(rows=slice(0, len(x)), count=len(x), length=1)]
            mixed = layer.merge(seen, scratch)
            mixed += x
            x = layer.after_attention(mixed, eps)
            wide = layer.narrow(gelu(layer.widen(x, scratch)), scratch)
            wide += x
            x = layer.after_all(wide, eps)
        return x, runs

    def _embed(self, inputs: Sequence[Encoded]) -> Vectors:
        words = np.array([i for one in inputs for i in one.ids])
        positions = np.concatenate([np.arange(len(one.ids)) for one in inputs])
        firsts = np.repeat([one.first for one in inputs], [len(one.ids) for one in inputs])
        x = np.zeros((_rows_for(len(words)), self.dims), dtype=np.float32)
        used = x[: len(words)]
        used += self._words[words]
        used += self._positions[positions]
        used += self._kinds[(positions >= firsts).astype(np.intp)]
        return self._norm(x, self._shape.eps)

    def _attend(self, looked: Vectors, runs: Sequence[EqualRun], *, firsts: bool) -> Vectors:
        """What each token sees, or each first token; `looked` holds queries, keys and values side by side."""
        heads, width = self._shape.heads, self.dims // self._shape.heads
        rows = sum(run.count for run in runs) if firsts else len(looked)
        out = np.zeros((rows, self.dims), dtype=np.float32)
        done = 0
        for run in runs:
            parts = looked[run.rows].reshape(run.count, run.length, 3, heads, width).transpose(2, 0, 3, 1, 4)
            query, key, value = parts[0, :, :, :1] if firsts else parts[0], parts[1], parts[2]
            weights = (query * np.float32(width**-0.5)) @ key.transpose(0, 1, 3, 2)
            weights -= weights.max(axis=3, keepdims=True)
            np.exp(weights, out=weights)
            seen = weights @ value
            seen /= weights.sum(axis=3, keepdims=True)
            tokens = 1 if firsts else run.length
            size = run.count * tokens
            out[done : done + size].reshape(run.count, tokens, heads, width)[:] = seen.transpose(0, 2, 1, 3)
            done += size
        return out


def _mean(x: Vectors, runs: Sequence[EqualRun], _: Vectors) -> Vectors:
    means = [x[run.rows].reshape(run.count, run.length, -1).mean(axis=1) for run in runs]
    return np.concatenate(means)


def _first(x: Vectors, *_: object) -> Vectors:
    return x


@value
class EqualRun:
    """Neighbouring inputs of one length, and the rows their tokens have in the flat matrix."""

    rows: slice
    count: int
    length: int

    @property
    def starts(self) -> range:
        """The rows of their first tokens."""
        return range(self.rows.start, self.rows.stop, self.length)


def _rows_for(tokens: int) -> int:
    """How many rows to compute: a question gets rows of zeros, because 12 cost less than 11, and 32 less than 26."""
    step = 16 if tokens > _SHORT_QUESTION and tokens % 16 > 8 else 4
    return -(-tokens // step) * step if tokens <= _FEW_TOKENS else tokens


def _runs(texts: Sequence[Ids]) -> Iterator[EqualRun]:
    start = 0
    for length, same in groupby(texts, key=len):
        count = sum(1 for _ in same)
        yield EqualRun(rows=slice(start, start + count * length), count=count, length=length)
        start += count * length


class BertEmbedder:
    """The embedder of such an encoder and its tokenizer."""

    __slots__ = ("_bert", "_pool_first", "_prefixes", "_tokenizer", "_workers", "dims", "name")

    def __init__(
        self,
        name: str,
        bert: Bert,
        tokenizer: WordPiece,
        *,
        prefixes: Prefixes = NO_PREFIXES,
        pool_first: bool = False,
        workers: int = 1,
    ) -> None:
        self.name = name
        self.dims = bert.dims
        self._bert = bert
        self._tokenizer = tokenizer
        self._prefixes = prefixes
        self._pool_first = pool_first
        self._workers = workers

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`."""
        prefix = self._prefixes.before(kind)
        ids = [self._tokenizer.encode(prefix + text) for text in texts]
        return self._bert.vectors(ids, pool_first=self._pool_first, workers=self._workers)
