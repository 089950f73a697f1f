"""The forward pass of a BERT-type sentence encoder on numpy.

Reads the weights where they lie in the mapped file: nothing is copied, transposed or converted at load.
There is no padding: texts stand sorted by length, every dense layer sees one flat matrix of tokens, and
attention runs over runs of texts of equal length, which need no mask.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
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
    Tensors = dict[str, NDArray[Any]]


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


def encode(
    texts: Sequence[Ids],
    batches: Sequence[list[int]],
    forward: Callable[[list[Ids]], Vectors],
    *,
    dims: int,
    workers: int,
) -> Vectors:
    """One unit vector per list of ids, in their order, computed batch by batch."""
    out = np.empty((len(texts), dims), dtype=np.float32)
    done = spread(lambda places: forward([texts[place] for place in places]), batches, workers=workers)
    for places, vectors in zip(batches, done, strict=True):
        out[places] = vectors
    return unit_rows(out)


_TINY = np.float32(1e-12)


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """The rows of `rows` as float32, each scaled to length 1; a row of zeros stays zero."""
    found = np.array(rows, dtype=np.float32, order="C")
    found /= np.maximum(np.sqrt(np.einsum("ij,ij->i", found, found)), _TINY)[:, None]
    return found


def normalise_layer(x: Vectors, gain: Vectors, shift: Vectors, eps: float) -> Vectors:
    """Layer normalisation over the rows of `x`, in place; `x` is also what you get."""
    x -= x.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", x, x) / x.shape[1]
    x *= (1 / np.sqrt(spread + eps))[:, None]
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


# Enough rows for BLAS to reach full speed, few enough for the widest layer (6 MB) to stay in cache.
_TOKENS_AT_ONCE = 1024

# Up to here OpenBLAS takes 50 to 85 % of the time for weights @ tokensᵀ that it takes for tokens @ weightsᵀ.
_FEW_TOKENS = 48


@value
class BertShape:
    """What the weights do not say themselves."""

    heads: int
    eps: float
    pool_first: bool = False
    """Take the `[CLS]` token as the text's vector rather than the mean of all tokens."""


# Plain classes: this module is on the path of every question, and a dataclass costs most of a millisecond.
class _Dense:
    __slots__ = ("_bias", "_weight")

    def __init__(self, weights: _Weights, name: str) -> None:
        self._weight = weights[f"{name}.weight"]
        self._bias = weights[f"{name}.bias"]

    def __call__(self, x: Vectors) -> Vectors:
        y = (self._weight @ x.T).T if len(x) <= _FEW_TOKENS else x @ self._weight.T
        y += self._bias
        return y


class _Norm:
    __slots__ = ("_gain", "_shift")

    def __init__(self, weights: _Weights, name: str) -> None:
        self._gain = weights[f"{name}.weight"]
        self._shift = weights[f"{name}.bias"]

    def __call__(self, x: Vectors, eps: float) -> Vectors:
        return normalise_layer(x, self._gain, self._shift, eps)


class _Layer:
    __slots__ = ("after_all", "after_attention", "key", "merge", "narrow", "query", "value", "widen")

    def __init__(self, weights: _Weights, number: int) -> None:
        name = f"encoder.layer.{number}"
        self.query = _Dense(weights, f"{name}.attention.self.query")
        self.key = _Dense(weights, f"{name}.attention.self.key")
        self.value = _Dense(weights, f"{name}.attention.self.value")
        self.merge = _Dense(weights, f"{name}.attention.output.dense")
        self.after_attention = _Norm(weights, f"{name}.attention.output.LayerNorm")
        self.widen = _Dense(weights, f"{name}.intermediate.dense")
        self.narrow = _Dense(weights, f"{name}.output.dense")
        self.after_all = _Norm(weights, f"{name}.output.LayerNorm")


class Bert:
    """A loaded encoder: token ids in, unit vectors out."""

    __slots__ = ("_layers", "_norm", "_positions", "_shape", "_words", "dims")

    def __init__(self, tensors: Mapping[str, NDArray[Any]], shape: BertShape) -> None:
        weights = _Weights(tensors)
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._words = weights["embeddings.word_embeddings.weight"]
        self._positions = weights["embeddings.position_embeddings.weight"] + kind
        self._norm = _Norm(weights, "embeddings.LayerNorm")
        self._layers = [_Layer(weights, number) for number in range(weights.depth())]
        self._shape = shape
        self.dims = int(self._words.shape[1])

    def encode(self, texts: Sequence[Ids], *, workers: int = 1) -> Vectors:
        """One unit vector per list of ids, in their order, computed by `workers` threads."""
        shortest_first = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        batches = list(batched(texts, shortest_first, _TOKENS_AT_ONCE))
        return encode(texts, batches, self._forward, dims=self.dims, workers=workers)

    def _forward(self, texts: Sequence[Ids]) -> Vectors:
        """The pooled vectors of texts that stand in order of length."""
        runs = list(_runs(texts))
        x = self._embed(texts)
        for layer in self._layers:
            mixed = layer.merge(self._attend(layer, x, runs))
            mixed += x
            x = layer.after_attention(mixed, self._shape.eps)
            wide = layer.narrow(gelu(layer.widen(x)))
            wide += x
            x = layer.after_all(wide, self._shape.eps)
        return self._pool(x, runs)

    def _embed(self, texts: Sequence[Ids]) -> Vectors:
        words = [i for text in texts for i in text]
        positions = [i for text in texts for i in range(len(text))]
        x = np.zeros((_rows_for(len(words)), self.dims), dtype=np.float32)
        x[: len(words)] = self._words[words]
        x[: len(words)] += self._positions[positions]
        return self._norm(x, self._shape.eps)

    def _attend(self, layer: _Layer, x: Vectors, runs: Sequence[_Run]) -> Vectors:
        query, key, value = layer.query(x), layer.key(x), layer.value(x)
        width = self.dims // self._shape.heads
        query *= np.float32(width**-0.5)
        out = np.zeros((len(x), self.dims), dtype=np.float32)
        for run in runs:
            shape = (run.count, run.length, self._shape.heads, width)
            q, k, v = (part[run.rows].reshape(shape).transpose(0, 2, 1, 3) for part in (query, key, value))
            weights = q @ k.transpose(0, 1, 3, 2)
            weights -= weights.max(axis=3, keepdims=True)
            np.exp(weights, out=weights)
            seen = weights @ v
            seen /= weights.sum(axis=3, keepdims=True)
            out[run.rows].reshape(shape)[:] = seen.transpose(0, 2, 1, 3)
        return out

    def _pool(self, x: Vectors, runs: Sequence[_Run]) -> Vectors:
        out = np.empty((sum(run.count for run in runs), self.dims), dtype=np.float32)
        done = 0
        for run in runs:
            tokens = x[run.rows].reshape(run.count, run.length, self.dims)
            out[done : done + run.count] = tokens[:, 0] if self._shape.pool_first else tokens.mean(axis=1)
            done += run.count
        return out


@value
class _Run:
    """Neighbouring texts of one length, and the rows their tokens have in the flat matrix."""

    rows: slice
    count: int
    length: int


def _rows_for(tokens: int) -> int:
    """How many rows to compute: a question gets rows of zeros, because sixteen cost less than eleven."""
    return -(-tokens // 16) * 16 if tokens <= _FEW_TOKENS else tokens


def _runs(texts: Sequence[Ids]) -> Iterator[_Run]:
    start = 0
    for length, same in groupby(texts, key=len):
        count = sum(1 for _ in same)
        yield _Run(rows=slice(start, start + count * length), count=count, length=length)
        start += count * length


class BertEmbedder:
    """The embedder of such an encoder and its tokenizer."""

    __slots__ = ("_bert", "_prefixes", "_tokenizer", "_workers", "dims", "name")

    def __init__(
        self,
        name: str,
        bert: Bert,
        tokenizer: WordPiece,
        *,
        prefixes: Prefixes = NO_PREFIXES,
        workers: int = 1,
    ) -> None:
        self.name = name
        self.dims = bert.dims
        self._bert = bert
        self._tokenizer = tokenizer
        self._prefixes = prefixes
        self._workers = workers

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`."""
        prefix = self._prefixes.before(kind)
        ids = [self._tokenizer.encode(prefix + text) for text in texts]
        return self._bert.encode(ids, workers=self._workers)


class _Weights:
    """Tensors by the names Hugging Face gives them, with or without a `bert.` before."""

    __slots__ = ("_prefix", "_tensors")

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        self._tensors = tensors
        self._prefix = "" if "embeddings.word_embeddings.weight" in tensors else "bert."

    def __getitem__(self, name: str) -> Vectors:
        try:
            found = self._tensors[self._prefix + name]
        except KeyError:
            raise EmbedderUnavailable("bert", f"the weights have no `{name}`") from None
        return found if found.dtype == np.float32 else found.astype(np.float32)

    def depth(self) -> int:
        """How many layers there are."""
        depth = 0
        while f"{self._prefix}encoder.layer.{depth}.output.dense.weight" in self._tensors:
            depth += 1
        return depth


# The safetensors format: named arrays in one file, read by memory mapping.

_TYPES: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "F64": np.dtype("<f8"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "U64": np.dtype("<u8"),
    "U32": np.dtype("<u4"),
    "I8": np.dtype("i1"),
    "U8": np.dtype("u1"),
}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_LONGEST_HEADER = 16 * 1024 * 1024
_ALIGN = 64


def open_tensors(path: str) -> Tensors:
    """The arrays of the file at `path`, read-only and mapped; they keep the mapping alive."""
    try:
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _parse(mapped)
    except (OSError, ValueError, KeyError, TypeError, struct.error) as problem:
        because = f"{path} is no usable safetensors file: {problem}"
        raise EmbedderUnavailable(os.path.basename(path), because) from problem


def write_tensors(path: str, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Write `tensors` to a new file at `path` and fsync it; whoever calls makes it visible by a rename."""
    header: dict[str, Any] = {}
    place = 0
    for name, array in tensors.items():
        header[name] = {
            "dtype": _NAMES[array.dtype.newbyteorder("<")],
            "shape": list(array.shape),
            "data_offsets": [place, place + array.nbytes],
        }
        place += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % _ALIGN)
    with open(path, "xb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for array in tensors.values():
            file.write(np.ascontiguousarray(array).data)
        file.flush()
        os.fsync(file.fileno())


def _parse(mapped: mmap.mmap) -> Tensors:
    (length,) = struct.unpack_from("<Q", mapped)
    if length > min(_LONGEST_HEADER, len(mapped) - 8):
        raise ValueError("its header is longer than the file")
    header = json.loads(mapped[8 : 8 + length])
    if not isinstance(header, dict):
        raise TypeError("its header is no table")
    base = 8 + length
    return {name: _view(mapped, base, entry) for name, entry in header.items() if name != "__metadata__"}


def _view(mapped: mmap.mmap, base: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    dtype = _TYPES[entry["dtype"]]
    shape = tuple(int(n) for n in entry["shape"])
    start, end = entry["data_offsets"]
    size = int(np.prod(shape, dtype=np.int64))
    if start < 0 or end - start != size * dtype.itemsize or base + end > len(mapped):
        raise ValueError("an array lies outside the file")
    return np.ndarray(shape, dtype, buffer=mapped, offset=base + start)
