"""What an embedder is (the `Embedder` port), and the prefixes that some models want before a text.

Imports nothing that costs time to import: numpy is named
for the type checker only.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]


class Kind(StrEnum):
    """What a text is for. Some models put a different prefix before each kind; the bundled two do not."""

    QUERY = "query"
    PASSAGE = "passage"


class Embedder(Protocol):
    """Texts in, vectors out.

    *Order.* Row i belongs to `texts[i]`; no texts give an array of shape (0, dims).
    *Shape.* float32, C-contiguous, every row of length 1, so a dot product is the cosine.
    *Repetition.* The vector of a text depends on the text and the kind, up to rounding, and not on the texts
    beside it: splitting or reordering a batch changes no more than the last bits.
    *Empty texts* get a vector as well, one that means nothing: leave them out.
    *Long texts* are read up to the model's own limit; whatever is longer is split by the caller.
    *Failure.* `EmbedderProblem` when weights or endpoint cannot be used, `MissingExtra` when a package is
    absent. Nothing is downloaded, and a text is sent out of the process by an endpoint embedder only.
    """

    @property
    def name(self) -> str:
        """Model, version and dims in one word. Vectors of two names never meet in one index."""
        ...

    @property
    def dims(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str], kind: Kind = Kind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`."""
        ...


@value
class Prefixes:
    """What stands before a question and before a passage; most models want nothing."""

    query: str = ""
    passage: str = ""

    def before(self, kind: Kind) -> str:
        """The prefix for texts of this kind."""
        return self.query if kind is Kind.QUERY else self.passage


E5 = Prefixes(query="query: ", passage="passage: ")
