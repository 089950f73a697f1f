"""The ports of a small model: `Embedder`, `Reranker`, `Tagger`, and what goes in and comes out.

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


class EmbeddingKind(StrEnum):
    """What a text is for. Some models put a different prefix before each kind; the bundled one does not."""

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

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`."""
        ...


@value
class Prefixes:
    """What stands before a question and before a passage; most models want nothing."""

    query: str = ""
    passage: str = ""

    def before(self, kind: EmbeddingKind) -> str:
        """The prefix for texts of this kind."""
        return self.query if kind is EmbeddingKind.QUERY else self.passage


NO_PREFIXES = Prefixes()
E5 = Prefixes(query="query: ", passage="passage: ")


# What the bundled model does besides.


@value
class Utterance:
    """Something somebody said, and what was said just before it (with its speaker)."""

    text: str
    who: str = ""
    when: str = ""
    """The day, YYYY-MM-DD, or nothing."""
    before: str = ""


class Reranker(Protocol):
    """Reads question and passage together, as a cross-encoder does.

    *Order.* Number i belongs to `passages[i]`. *Repetition.* It depends on the question and that passage alone, up to
    rounding. *Long texts* are read where they have most in common with
    the question, the turn before from its end. *Cost* grows with the tokens:
    how many passages, and how much of each, is the caller's choice. *Failure.* `EmbedderProblem` when it is opened.
    """

    @property
    def name(self) -> str:
        """Model, version and digest: numbers of two names are not compared."""
        ...

    def score(self, question: str, passages: Sequence[Utterance], *, tokens: int = 72) -> list[float]:
        """How far each passage answers: a logit, above 0 for more likely than not."""
        ...

    def changes(self, pairs: Sequence[tuple[Utterance, Utterance]], question: str = "") -> list[float]:
        """How far the second of each two statements stands in the place of the first: a logit, too.

        With a question: as what answers it. Without one: the first no longer holds.
        """
        ...


@value
class Prediction:
    """The likeliest of several labels, and how likely it is."""

    label: str
    probability: float


@value
class TaggedClaim:
    """One thing that a turn says: where, of which kind, about whom and for how long."""

    span: tuple[int, int]
    """The characters of the text in which it is said: the first, and the one after the last."""
    kind: Prediction
    about: Prediction
    until: Prediction


@value
class Tagged:
    """What a turn holds that is worth keeping; the claims mean something where `keep` is high."""

    keep: float
    """The probability that something should be kept."""
    alone: float
    """The probability that it is understood without what stands around it, where it was given without that."""
    stance: Prediction
    claims: tuple[TaggedClaim, ...]
    """In the order of the text, six at most; the whole text is one where none stands out."""


class Tagger(Protocol):
    """Says of turns what is worth keeping of them. Order, repetition and failure are those of `Reranker`."""

    @property
    def name(self) -> str:
        """Model, version and digest."""
        ...

    def tag(self, turns: Sequence[Utterance]) -> list[Tagged]:
        """One finding per turn, in the order of `turns`."""
        ...
