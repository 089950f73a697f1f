"""What a text asserts: without the sentences that only ask, only request, or only say that nothing is known.

Speech acts, told apart sentence by sentence in English and Chinese, by how a sentence begins and ends. A question is no
evidence for its own answer, and neither is "I don't know"; what stands beside them, or inside them ("my dentist, Dr
Okafor's colleague"), is. Pure; expressions are compiled at first use, because every answer passes here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain

from memoracle.model.value import value
from memoracle.tables import table
from memoracle.text import is_unspaced

_TABLE = os.path.join(os.path.dirname(__file__), "rules", "speech_acts.toml")
LONGEST = 4000
"""Of a longer text the rest counts as asserted: nobody asks that long."""


@value
class _Assertion:
    """What a text states, what its questions carry besides, whether it does nothing else, or confesses ignorance."""

    text: str
    carried: str = ""
    is_whole: bool = True
    confesses: bool = False


_NOTHING = _Assertion(text="", is_whole=False)
_BEGINNING = 200
_ENDS = re.compile(r"(?<=[.!?…])[\"”’)\]]*\s+|(?<=[。！？；])[”’」』）]*\s*|\n+")
_MARK = re.compile(r"[?？][\s\"'”’」』）)\]*_!！]*$")
_DECORATION = re.compile(r"^[\s>*_#•+–—\-\d.)\]\[“\"'‘「『(（]+")
_MAY_ASK = re.compile(
    r"[?？吗呢啥谁哪几没未忘请查找搜]|什么|多少|怎么|如何|不知|不清|不记|不确|不到|无法|告诉|帮我|是否|是不是|不在"
    r"|know|wonder|curious|remember|recall|forg[eo]t|memor|find|found|locate|idea|clue|sure|record|info|unknown|dunno|told|mention|tell"
    r"|show|search|look|any |explain|\b(?:what|who|where|when|why|how|which)"
    r"|(?:^|[.!,;:\n–—-]\W*|\b(?:and|so|but|or|ok|please) )(?:is|are|do|does|did|can|could|would|will|should"
    r"|have|has|had|was|were|am|give)\b"
)


def asserted(text: str) -> _Assertion:
    """What a text states: the whole of it where nothing is asked or confessed.

    >>> asserted("My dentist is Dr Okafor. When is my appointment?").text
    'My dentist is Dr Okafor.'
    >>> asserted("What is the name of my dentist?").text
    ''
    >>> asserted("When does my sister Ilse arrive?").carried
    'my sister Ilse'
    """
    if not _MAY_ASK.search(text[:LONGEST].lower()):
        return _Assertion(text=text)
    parts = list(_parts(text))
    if all(part.is_whole for part in parts):
        return _Assertion(text=text)
    return _Assertion(
        text="\n".join([part.text for part in parts if part.text]),
        carried=" ".join([part.carried for part in parts if part.carried]),
        is_whole=False,
        confesses=any(part.confesses for part in parts),
    )


def states(text: str) -> bool:
    """True when a text states anything; it is read no further than that."""
    return not _MAY_ASK.search(text[:LONGEST].lower()) or any(part.text for part in _parts(text))


def is_request(text: str) -> bool:
    """True for words that begin like an order to an agent: “Write a README …”, 帮我写…."""
    return _begins(text[:_BEGINNING], "request")


def _parts(text: str) -> Iterator[_Assertion]:
    """The sentences of a text, each as what it asserts."""
    confessed = False
    for sentence in _sentences(text[:LONGEST]):
        if confessed and _begins(sentence, "offer"):
            yield _NOTHING
        elif _holds(sentence, "ignorance"):
            confessed = True
            yield _Assertion(text=_beside(sentence, is_confession=True), is_whole=False, confesses=True)
        elif _MARK.search(sentence) or _begins(sentence, "asks"):
            carried = " ".join(one[0] for one in _table(sentence)("carried").finditer(sentence))
            yield _Assertion(text=_beside(sentence, is_confession=False), carried=carried, is_whole=False)
        else:
            yield _Assertion(text=sentence)
    if len(text) > LONGEST:
        yield _Assertion(text=text[LONGEST:])


def _sentences(text: str) -> Iterator[str]:
    begin = 0
    for end in chain(_ENDS.finditer(text), (None,)):
        sentence = text[begin : end.start() if end else len(text)].strip()
        begin = end.end() if end else begin
        if any(map(str.isalnum, sentence)):
            yield sentence


def _beside(sentence: str, *, is_confession: bool) -> str:
    """What a sentence states beside its question or confession."""
    clauses = [clause for clause in _table(sentence)("clauses").split(sentence) if clause.strip()]
    if not is_confession and len(clauses) > 1 and _begins(clauses[-1], "tag"):
        return " ".join(clauses[:-1]).rstrip(" ,;，；")
    if not is_confession and _MARK.search(sentence):
        clauses.pop()  # the mark makes it a question, however it begins
    kept = [clause.strip() for clause in clauses if _states(clause, is_confession=is_confession)]
    return " ".join(kept).rstrip(" ,;，；")


def _states(clause: str, *, is_confession: bool) -> bool:
    bare = _table(clause)("openers").sub("", _DECORATION.sub("", clause.lower()), count=1)
    if _holds(clause, "ignorance") or _begins(bare, "asks") or (is_confession and _begins(bare, "offer")):
        return False
    named = _DECORATION.sub("", clause)[:1].isupper() and len(clause.split()) > 1
    return named or _begins(bare, "states")


def _holds(text: str, act: str) -> bool:
    return any(table(act).search(text.lower()) for table in _tables(text))


def _begins(text: str, act: str) -> bool:
    """Chinese says at the end what English says at the beginning: there the expressions say where themselves."""
    bare = _DECORATION.sub("", text.lower())
    return any(
        table(act).search(bare) if table is _chinese else table(act).match(bare) for table in _tables(text)
    )


def _table(text: str) -> Callable[[str], re.Pattern[str]]:
    return _tables(text)[0]


def _tables(text: str) -> tuple[Callable[[str], re.Pattern[str]], ...]:
    return (_chinese, _english) if is_unspaced(text) else (_english,)


@lru_cache(maxsize=16)
def _english(act: str) -> re.Pattern[str]:
    return re.compile(table(_TABLE)["en"][act])


@lru_cache(maxsize=16)
def _chinese(act: str) -> re.Pattern[str]:
    return re.compile(table(_TABLE)["zh"][act])
