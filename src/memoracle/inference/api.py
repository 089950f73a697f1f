"""What an embedder is (the `Embedder` port), and the prefixes that some models want before a text.

Imports nothing that costs time to import: numpy is named
for the type checker only.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]


class EmbeddingKind(StrEnum):
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


# Which of the two bundled spaces a text belongs to.


class Space(StrEnum):
    """A bundled vector space."""

    ENGLISH = "english"
    MULTILINGUAL = "multilingual"


# A fifth: English notes quote a Chinese name now and then; Chinese notes are full of English terms.
_OTHER_SHARE = 0.2
_READ_UP_TO = 4000

_LATIN = re.compile("[A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"  # Han
)
_SPACED = re.compile(
    "[\u0370-\u0dff\u10a0-\u11ff\u1200-\u137f\u1c80-\u1c8f\u1f00-\u1fff"  # Greek, Cyrillic, Semitic, Indic, …
    "\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]+"  # hangul
)

_ENGLISH_WORDS = (
    "the of and to is in that it was for on with you we my what how did are this be have not at by from "
    "they he she his her our when where who why which does do has had will can should would i but or if as an"
)
_OTHER_WORDS = (
    "der und nicht ist ich das ein eine einen dem den mit auf für wir sie von zu wie mein haben wird auch",
    "el los las que y en es por una con del se lo mi está cómo",
    "le les et est une des pour dans pas je nous vous qui sur au du ce avec il",
    "di che è non sono della un per mi gli ho",
    "het een van niet ik dat op te voor zijn met wij",
    "w na nie się jest z że do jak co",
    "não um uma os com em o é foi eu",
    "ve bir bu için ile çok değil ben ne",
)
"""German, Spanish, French, Italian, Dutch, Polish, Portuguese, Turkish: what USE reads in Latin letters."""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_NOT_ENGLISH = frozenset(" ".join(_OTHER_WORDS).split()) - _ENGLISH


def space_of(text: str) -> Space:
    """The space a chunk with this text is embedded in. A text without words counts as English."""
    start = text[:_READ_UP_TO]
    words = _LATIN.findall(start)
    if not start.isascii():
        other = len(_UNSPACED.findall(start)) / 2 + len(_SPACED.findall(start))
        if other and other >= _OTHER_SHARE * (other + len(words)):
            return Space.MULTILINGUAL
    return Space.ENGLISH if _reads_as_english(words) else Space.MULTILINGUAL


def _reads_as_english(words: list[str]) -> bool:
    """Whether English function words are at least as many as those of other languages.

    One foreign word proves nothing (`Los Angeles`), so two different ones are asked for.
    """
    lowered = [word.lower() for word in words]
    foreign = [word for word in lowered if word in _NOT_ENGLISH]
    if len(set(foreign)) < 2:
        return True
    return len(foreign) <= sum(word in _ENGLISH for word in lowered)
