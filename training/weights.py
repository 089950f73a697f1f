"""Writes what the product reads: the weight files of the bundled model, and the numbers that prove it is read right.

Needs numpy alone. What was trained comes as float arrays under Hugging Face's names, `embed`, `read`, `change` and
`tag` each with their own: `embeddings.…`, `encoder.layer.N.…`, and the heads as `head.…`:

* read: `head.0` [384, 384], GELU, `head.1` [1, 384], on the state of `[CLS]`
* change: the same, on the first layers of `read`: what it has in common with that is not written again
* tag: `head.keep`, `head.alone` [1, 384] and `head.stance` [labels, 384] on the state of `[CLS]`; `head.token`
  [3, 384] on every state (outside, begins a claim, goes on with it); `head.kind`, `head.about`, `head.until`
  [labels, 768] on the state of `[CLS]` beside the mean of a claim's states

The table of words is that of `embed`; where another use brings one, it has to be the same.
"""

from __future__ import annotations

import json
import os
import re
import struct
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoracle.inference.tensors import METADATA, TYPES, digest_without, open_tensors
from training.labels import ABOUT, KINDS, STANCES, UNTIL

USES = ("embed", "read", "change", "tag")
WORDS = "embeddings.word_embeddings.weight"
_PARTS = ("embeddings.", "encoder.", "head.")
_NOT_WANTED = ("embeddings.position_ids", WORDS)
_KEPT_AS_FLOATS = ("embeddings.token_type_embeddings.weight",)
_NAMES = {dtype: name for name, dtype in TYPES.items()}
_ALIGN = 64

Arrays = Mapping[str, NDArray[Any]]


def pack(
    folder: str, *, words: Sequence[str], uses: Mapping[str, Arrays], metadata: Mapping[str, Any]
) -> dict[str, str]:
    """Write a file for each use into `folder`, where none of them may be yet; their digests are returned.

    `metadata` holds `version`, `labels` (by head), `heads` and `eps`; what is no string becomes JSON. The vocabulary
    and the table of words stand in the file of `embed`; the others name its digest.
    """
    if missing := {"version", "labels", "heads", "eps"} - metadata.keys():
        raise ValueError(f"the metadata lack {sorted(missing)}")
    table = uses["embed"][WORDS]
    if len(words) != len(table) or len(set(words)) != len(words):
        raise ValueError(f"{len(set(words))} different words for {len(table)} rows")
    if bad := [word for word in words if not word or "\n" in word or "\r" in word]:
        raise ValueError(f"words that cannot stand on a line: {bad[:5]!r}")
    _must_fit(uses["tag"], metadata["labels"])
    for use in USES:
        if WORDS in uses[use] and not np.array_equal(uses[use][WORDS], table):
            raise ValueError(f"{use} has a table of words of its own")
    said = {name: one if isinstance(one, str) else json.dumps(one) for name, one in metadata.items()}
    labels = {"labels": said.pop("labels")}
    shared = {
        "vocabulary": np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        **_bytes_of(WORDS, table),
    }
    digests: dict[str, str] = {}
    for use in USES:
        tensors: dict[str, NDArray[Any]] = dict(shared) if use == "embed" else {}
        for name, array in uses[use].items():
            is_shared = use == "change" and _is_same(array, uses["read"].get(name))
            if name.startswith(_PARTS) and name not in _NOT_WANTED and not is_shared:
                tensors |= _bytes_of(f"{use}.{name}", array, floats=name in _KEPT_AS_FLOATS)
        own = {} if use == "embed" else {"words": digests["embed"]}
        own |= {"read": digests["read"]} if use == "change" else {}
        more = labels if use == "tag" else {}
        digests[use] = write_tensors(
            os.path.join(folder, f"{use}.safetensors"), tensors, {**said, **own, **more}
        )
    return digests


def _is_same(array: NDArray[Any], other: NDArray[Any] | None) -> bool:
    """True for what becomes the same bytes, give or take one."""
    if other is None or array.shape != other.shape:
        return False
    own, others = (np.asarray(one, dtype=np.float32) for one in (array, other))
    return bool(np.abs(own - others).max() <= np.abs(others).max() / 100)


def _must_fit(tag: Arrays, labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse heads that have another number of answers than there are labels."""
    wanted = {"keep": 1, "token": 3, **{name: len(own) for name, own in labels.items()}}
    for name, rows in wanted.items():
        head = tag.get(f"head.{name}.weight")
        if head is not None and len(head) != rows:
            raise ValueError(f"tag.head.{name} has {len(head)} rows where {rows} are meant")


def quantise(matrix: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows as bytes, symmetric and rounded to nearest, and what each row has to be multiplied by."""
    floats = np.asarray(matrix, dtype=np.float32)
    scale = (np.abs(floats).max(axis=1) / np.float32(127)).astype(np.float32)
    divided = floats / np.where(scale > 0, scale, 1)[:, None]
    return np.rint(divided).clip(-127, 127).astype(np.int8), scale


def dequantised(tensors: Arrays) -> dict[str, NDArray[np.float32]]:
    """The floats that the product computes with, under the same names: what a reference has to be made from."""
    return {
        name: array.astype(np.float32) * tensors[f"{name}.scale"][:, None]
        if f"{name}.scale" in tensors
        else np.asarray(array, dtype=np.float32)
        for name, array in tensors.items()
        if not name.endswith(".scale") and name != "vocabulary"
    }


def _bytes_of(name: str, array: NDArray[Any], *, floats: bool = False) -> dict[str, NDArray[Any]]:
    if array.ndim != 2 or floats:
        return {name: np.asarray(array, dtype=np.float32)}
    rows, scale = quantise(array)
    return {name: rows, f"{name}.scale": scale}


def write_tensors(path: str, tensors: Arrays, metadata: Mapping[str, str] | None = None) -> str:
    """Write a safetensors file to `path`, which must not exist, and fsync it; its digest is returned.

    With metadata the digest stands among them: of the whole file, with zeros in its own place.
    """
    # Widest items first: every array then starts where its type may.
    ordered = sorted(tensors.items(), key=lambda item: -item[1].itemsize)
    blank = "0" * 64
    header: dict[str, Any] = {METADATA: {"digest": blank, **metadata}} if metadata is not None else {}
    place = 0
    for name, array in ordered:
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
        for _, array in ordered:
            file.write(np.ascontiguousarray(array).data)
        file.flush()
        digest = digest_without(path, blank)
        if metadata is not None:
            file.seek(8 + text.index(blank.encode()))
            file.write(digest.encode())
        file.flush()
        os.fsync(file.fileno())
    return digest


def write_reference(
    path: str,
    *,
    digests: Mapping[str, str],
    embed: Sequence[tuple[str, Sequence[float]]],
    read: Sequence[tuple[str, Mapping[str, str], float]],
    change: Sequence[tuple[str, Mapping[str, str], Mapping[str, str], float]],
    tag: Sequence[tuple[Mapping[str, str], Mapping[str, Any]]],
) -> None:
    """Write `tests/inference/reference.json` from what another program computed with the same, dequantised weights.

    `embed`: texts with their unit vectors (the first eight numbers are kept). `read`: a question, the fields of an
    `Utterance`, the logit. `change`: a question, the fields of an earlier and of a later one, the logit. `tag`: the
    fields of an `Utterance`, and `keep` and `alone` (probabilities), `stance` (label and probability) and `claims`,
    each with `span` (characters), `kind`, `about` and `until`.
    """
    document = {
        "digests": dict(digests),
        "embed": [
            {"text": text, "vector": [round(float(number), 6) for number in vector[:8]]}
            for text, vector in embed
        ],
        "read": [
            {"question": question, "passage": dict(passage), "logit": round(float(logit), 5)}
            for question, passage, logit in read
        ],
        "change": [
            {"question": question, "old": dict(old), "new": dict(new), "logit": round(float(logit), 5)}
            for question, old, new, logit in change
        ],
        "tag": [{"turn": dict(turn), "says": dict(says)} for turn, says in tag],
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)
        file.write("\n")


def named(name: str) -> str:
    """A parameter of a head as the product calls it: what stands between its two layers has no number there."""
    return re.sub(r"^head\.2\.", "head.1.", name)


def gathered(embed: str, **files: str) -> dict[str, dict[str, NDArray[Any]]]:
    """The arrays of the trained files, under the names that `pack` wants."""
    found: dict[str, dict[str, NDArray[Any]]] = {"embed": dict(open_tensors(embed).tensors)}
    for use, path in files.items():
        found[use] = {
            named(name.removeprefix("bert.")): array for name, array in open_tensors(path).tensors.items()
        }
    return found


def main(words: Sequence[str]) -> None:
    """EMBED READ CHANGE TAG VERSION OUT: the embedder's folder, the files of the others, a number, what to fill."""
    embed, read, change, tag, version, out = words
    with open(os.path.join(embed, "vocab.txt"), encoding="utf-8") as file:
        vocabulary = file.read().splitlines()
    labels = {"kind": KINDS, "about": ABOUT, "stance": STANCES, "until": UNTIL}
    metadata = {"version": version, "labels": labels, "heads": "12", "eps": "1e-12"}
    uses = gathered(os.path.join(embed, "model.safetensors"), read=read, change=change, tag=tag)
    print(pack(out, words=vocabulary, uses=uses, metadata=metadata))


if __name__ == "__main__":
    main(sys.argv[1:])
