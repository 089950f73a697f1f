"""A folder with an ONNX model, run by onnxruntime: the extra `onnx`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable, MissingExtra
from memoracle.inference.api import Kind
from memoracle.inference.rows import unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from memoracle.inference.api import Vectors
    from memoracle.inference.folder import ModelFolder

_TEXTS_AT_ONCE = 32
_POOLED_OUTPUTS = ("sentence_embedding", "sentence_embeddings")


class OnnxFolder:
    """The embedder of one such folder."""

    __slots__ = ("_inputs", "_output", "_pool_first", "_prefixes", "_session", "_tokenizer", "dims", "name")

    def __init__(self, folder: ModelFolder, model: str, tokenizer: str, *, threads: int = 1) -> None:
        runtime = _extra("onnxruntime")
        tokenizers = _extra("tokenizers")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
            self._tokenizer = tokenizers.Tokenizer.from_file(tokenizer)
        except Exception as problem:  # both libraries raise their own, undeclared kinds
            raise EmbedderUnavailable(folder.title, str(problem)) from problem
        self._tokenizer.enable_truncation(folder.max_tokens)
        self._tokenizer.enable_padding(pad_id=int(folder.config.get("pad_token_id") or 0))
        self._inputs = [given.name for given in self._session.get_inputs()]
        outputs = [output.name for output in self._session.get_outputs()]
        self._output = next((name for name in _POOLED_OUTPUTS if name in outputs), outputs[0])
        self._pool_first = folder.pool_first
        self._prefixes = folder.prefixes
        self.dims = int(self._run(["dims"]).shape[1])
        self.name = folder.stamp(model, self.dims)

    def embed(self, texts: Sequence[str], kind: Kind = Kind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`."""
        prefix = self._prefixes.before(kind)
        out = np.empty((len(texts), self.dims), dtype=np.float32)
        # Texts of like length share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), _TEXTS_AT_ONCE):
            places = order[start : start + _TEXTS_AT_ONCE]
            out[places] = self._run([prefix + texts[place] for place in places])
        return unit_rows(out)

    def _run(self, texts: list[str]) -> NDArray[Any]:
        encoded = self._tokenizer.encode_batch(texts)
        mask = np.array([text.attention_mask for text in encoded], dtype=np.int64)
        given = {
            "input_ids": np.array([text.ids for text in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([text.type_ids for text in encoded], dtype=np.int64),
        }
        wanted = {name: given[name] for name in self._inputs if name in given}
        found: NDArray[Any] = self._session.run([self._output], wanted)[0]
        if found.ndim == 2:
            return found
        if self._pool_first:
            return np.asarray(found[:, 0])
        weight = mask[:, :, None].astype(np.float32)
        return np.asarray((found * weight).sum(axis=1) / weight.sum(axis=1))


def _extra(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra("onnx", package) from None
