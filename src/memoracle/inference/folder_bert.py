"""A folder with a BERT-type model, run on numpy like the bundled English one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.inference.api import Kind
from memoracle.inference.bert import Bert, BertShape
from memoracle.inference.safetensors import open_tensors
from memoracle.inference.vocabulary import Vocabulary
from memoracle.inference.wordpiece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.inference.api import Vectors
    from memoracle.inference.folder import ModelFolder


class BertFolder:
    """The embedder of one such folder."""

    __slots__ = ("_bert", "_prefixes", "_tokenizer", "_workers", "dims", "name")

    def __init__(self, folder: ModelFolder, weights: str, vocabulary: str, *, workers: int = 1) -> None:
        shape = BertShape(
            heads=int(folder.config["num_attention_heads"]),
            eps=float(folder.config.get("layer_norm_eps", 1e-12)),
            pool_first=folder.pool_first,
        )
        self._bert = Bert(open_tensors(weights), shape)
        self._tokenizer = WordPiece(
            Vocabulary.read(vocabulary), max_tokens=folder.max_tokens, lower=folder.lower
        )
        self._prefixes = folder.prefixes
        self._workers = workers
        self.dims = self._bert.dims
        self.name = folder.stamp(weights, self.dims)

    def embed(self, texts: Sequence[str], kind: Kind = Kind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`."""
        prefix = self._prefixes.before(kind)
        ids = [self._tokenizer.encode(prefix + text) for text in texts]
        return self._bert.encode(ids, workers=self._workers)
