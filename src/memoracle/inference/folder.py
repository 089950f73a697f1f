"""A model folder the owner has on disk, in the layout of Hugging Face and sentence-transformers.

A BERT type with safetensors runs on the code of the bundled model. Everything else
(multilingual-e5, say) needs an ONNX file in the folder and the extra `onnx`. Which of the two is
decided by the folder alone, so the same folder gives the same vectors on every machine.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable, MissingExtra
from memoracle.inference.api import E5, NO_PREFIXES, EmbeddingKind, Prefixes
from memoracle.inference.bert import Bert, BertEmbedder, BertShape, unit_rows
from memoracle.inference.tensors import open_tensors
from memoracle.inference.tokenizers import Vocabulary, WordPiece
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from memoracle.inference.api import Embedder, Vectors


_ONNX_FILES = ("model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx")
_EDGE = 1 << 16


@value
class _ModelFolder:
    """What a model folder says about itself."""

    path: str
    config: Mapping[str, Any]
    pool_first: bool
    max_tokens: int
    lower: bool
    prefixes: Prefixes

    @property
    def title(self) -> str:
        """The folder's own name."""
        return os.path.basename(os.path.normpath(self.path))

    def file(self, *names: str) -> str | None:
        """The first of `names` that the folder holds, as a path."""
        paths = (os.path.join(self.path, *name.split("/")) for name in names)
        return next((path for path in paths if os.path.isfile(path)), None)

    def stamp(self, weights: str, dims: int) -> str:
        """A name for an index: it changes with the weights, the pooling, the prefixes and the token limit."""
        import hashlib

        digest = hashlib.blake2b(digest_size=4)
        prefixes = [self.prefixes.query, self.prefixes.passage]
        said = [self.config, self.pool_first, self.max_tokens, self.lower, prefixes]
        digest.update(json.dumps(said, sort_keys=True).encode())
        # Both ends and the size tell weights apart without reading gigabytes.
        with open(weights, "rb") as file:
            digest.update(file.read(_EDGE))
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _EDGE))
            digest.update(file.read(_EDGE) + str(size).encode())
        return f"{self.title}@{digest.hexdigest()}:{dims}"


def open_folder(path: str, *, prefixes: Prefixes | None = None, workers: int = 1) -> Embedder:
    """The embedder in the folder `path`; `prefixes` overrules what the folder says of them."""
    folder = read_folder(path, prefixes)
    safetensors = folder.file("model.safetensors")
    vocabulary = folder.file("vocab.txt")
    if _is_bert(folder.config) and safetensors and vocabulary:
        shape = BertShape(
            heads=int(folder.config["num_attention_heads"]),
            eps=float(folder.config.get("layer_norm_eps", 1e-12)),
        )
        bert = Bert(open_tensors(safetensors).tensors, shape)
        words = WordPiece(Vocabulary.read(vocabulary), max_tokens=folder.max_tokens, lower=folder.lower)
        name = folder.stamp(safetensors, bert.dims)
        return BertEmbedder(
            name, bert, words, prefixes=folder.prefixes, pool_first=folder.pool_first, workers=workers
        )
    model, tokenizer = folder.file(*_ONNX_FILES), folder.file("tokenizer.json")
    if model and tokenizer:
        return _OnnxFolder(folder, model, tokenizer, threads=workers)
    raise EmbedderUnavailable(
        folder.title, "it holds neither BERT safetensors with vocab.txt nor model.onnx with tokenizer.json"
    )


def read_folder(path: str, prefixes: Prefixes | None = None) -> _ModelFolder:
    """What the small files of the folder say; missing ones mean the usual."""
    if not os.path.isdir(path):
        raise EmbedderUnavailable(path, "there is no such folder")
    modules = _read(path, "modules.json", default=[])
    if any(str(module.get("type", "")).endswith(".Dense") for module in modules):
        raise EmbedderUnavailable(path, "a dense layer after pooling is not supported")
    config = _read(path, "config.json")
    pooling = _read(path, "1_Pooling", "config.json")
    tokenizer = _read(path, "tokenizer_config.json")
    transformer = _read(path, "sentence_bert_config.json")
    limit = transformer.get("max_seq_length") or tokenizer.get("model_max_length") or 512
    return _ModelFolder(
        path=path,
        config=config,
        pool_first=bool(pooling.get("pooling_mode_cls_token")),
        # Positions of the RoBERTa family start at 2, so two of them are never used.
        max_tokens=int(min(limit, config.get("max_position_embeddings", 514) - 2, 8192)),
        lower=bool(tokenizer.get("do_lower_case", True)),
        prefixes=prefixes or _prefixes(path),
    )


def _prefixes(path: str) -> Prefixes:
    prompts = _read(path, "config_sentence_transformers.json").get("prompts") or {}
    query, passage = prompts.get("query", ""), prompts.get("passage", prompts.get("document", ""))
    if query or passage:
        return Prefixes(query=query, passage=passage)
    return E5 if "e5-" in os.path.basename(os.path.normpath(path)).lower() else NO_PREFIXES


def _is_bert(config: Mapping[str, Any]) -> bool:
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
    )


def _read(path: str, *names: str, default: Any = None) -> Any:
    try:
        with open(os.path.join(path, *names), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {} if default is None else default
    except (OSError, ValueError) as problem:
        raise EmbedderUnavailable(path, f"{names[-1]} cannot be read: {problem}") from problem


# A folder with an ONNX model, run by onnxruntime: the extra `onnx`.

_TEXTS_AT_ONCE = 32
_POOLED_OUTPUTS = ("sentence_embedding", "sentence_embeddings")


class _OnnxFolder:
    """The embedder of one such folder."""

    __slots__ = ("_inputs", "_output", "_pool_first", "_prefixes", "_session", "_tokenizer", "dims", "name")

    def __init__(self, folder: _ModelFolder, model: str, tokenizer: str, *, threads: int = 1) -> None:
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

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
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
