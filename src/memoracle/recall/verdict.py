"""What of a passage is evidence, and whether it is enough (answerability): a calibrated confidence.

Evidence for a question is what a passage asserts, never what it asks.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from memoracle.model.search import EvidenceSource, Passage, Verdict
from memoracle.model.value import value
from memoracle.tables import table
from memoracle.text import is_unspaced, telling_terms, terms

if TYPE_CHECKING:
    from memoracle.recall.rank import RankedRows


def is_evidence(text: str, asked: frozenset[str]) -> bool:
    """False for what only asks, only says that nothing is known, only repeats the question, or only frames words."""
    if says_nothing(text):
        return False
    if states(text):
        return not (is_request(text) and asked.issuperset(telling_terms(text)))
    carried = asserted(text).carried
    return bool(carried) and not asked.issuperset(telling_terms(carried))


def terms_asked(question: str) -> frozenset[str]:
    """The terms of a question, for `is_evidence`."""
    return frozenset(terms(question))


def asserted_share(text: str, worth: Mapping[str, float]) -> float:
    """How much of what a text has in common with the asked terms it asserts, from 0 to 1."""
    said = asserted(text)
    if said.is_whole:
        return 1.0
    whole = _common(text, worth)
    told = said.text
    if said.carried and not worth.keys() >= set(telling_terms(said.carried)):
        told = f"{told}\n{said.carried}"
    if not whole:  # an answer that shares no word with its question; "I don't know, nice weather" is none
        return float(bool(told) and not said.confesses)
    return _common(told, worth) / whole


def _common(text: str, worth: Mapping[str, float]) -> float:
    present = set(terms(text))
    return sum(value for term, value in worth.items() if term in present)


FOUND = 0.45
WEAK = 0.25
CONSIDERED = 3
"""How many of the best passages are considered."""
_PRIORS = ("owner", "agent_asked", "agent_addressed", "asks", "follows_question", "opens")
_AROUND = ("window", "coverage", "feedback", "session_vector")
_WITH_VECTORS = (-3.15, 0.36, 3.25, 1.69)
_WORDS_ONLY = (-2.46, 0.34, 3.97, 1.24)
_USUAL_LEAD, _MOST_LEAD = 0.15, 0.6


def judge(confidence: float) -> Verdict:
    """How an answer with this confidence ends."""
    if confidence >= FOUND:
        return Verdict.FOUND
    return Verdict.WEAK if confidence >= WEAK else Verdict.NOT_IN_MEMORY


def confidence_of(
    ranking: RankedRows,
    shares: Sequence[float] = (1.0,) * CONSIDERED,
    *,
    is_small: bool,
    of_record: bool,
    read: float | None = None,
) -> float:
    """How likely it is that the store answers the ask; `shares` says how much the best passages assert of it.

    Where passages were read, `read` is what that says: more than their scores do.
    In a store of a few dozen passages there is no background to stand out from, and a record or a
    note says by itself what a conversation says in many turns: there, the share of the ask that
    the best passages carry is evidence enough.
    """
    if not len(ranking.rows):
        return 0.0
    best = [share * float(own) for share, own in zip(shares, ranking.own_coverage, strict=False)]
    carried = max(best)
    judged = _fitted(ranking, shares) if read is None else _having_read(ranking, read)
    if of_record or (is_small and read is None):
        return max(carried, judged)
    return max(judged, (carried + judged) / 2) if is_small else judged


_READ, _LOGIT, _LEAD_BESIDE = 1.34, 0.6, 7.5


def _having_read(ranking: RankedRows, read: float) -> float:
    """Whoever is named has to have said it: a reader of single passages does not see what the others said."""
    return _probability(_READ + _LOGIT * read + _LEAD_BESIDE * _lead(ranking))


def _fitted(ranking: RankedRows, shares: Sequence[float]) -> float:
    # Fitted on the best passage; where that one asks for a part of what it shares with the ask, the next may say more.
    asserting = next((place for place, share in enumerate(shares) if share == 1.0), len(shares) - 1)
    evidence = max(shares[place] * _strength(ranking, place) for place in range(asserting + 1))
    base, strength, speaker, unspaced = _WITH_VECTORS if "vector" in ranking.signals else _WORDS_ONLY
    logit = base + strength * evidence + speaker * _lead(ranking) + unspaced * ranking.is_unspaced
    return _probability(logit)


def _probability(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _strength(ranking: RankedRows, place: int) -> float:
    """The score of a passage without what says nothing about this ask.

    That somebody says it, or how; and, where it shares no word with the ask and answers no question, what others said
    around it: the turn after an unanswered question would else pass for its answer.
    """
    stands_alone = not ranking.own_coverage[place] and not _at(ranking, "follows_question", place)
    names = (*_PRIORS, *_AROUND) if stands_alone else _PRIORS
    return float(ranking.scores[place]) - sum(
        ranking.weights[name] * _at(ranking, name, place) for name in names
    )


def _at(ranking: RankedRows, name: str, place: int) -> float:
    return float(ranking.signals[name][place]) if name in ranking.signals else 0.0


def _lead(ranking: RankedRows) -> float:
    """By how much the named speaker covers the question better than the others do, beyond the usual."""
    named, others = ranking.signals.get("speaker_named"), ranking.signals.get("speaker_other")
    if named is None or others is None:
        return 0.0
    mine, theirs = ranking.own_coverage[named > 0], ranking.own_coverage[others > 0]
    if not len(mine) or not len(theirs):
        return 0.0
    lead = _best_three(mine.tolist()) - _best_three(theirs.tolist()) - _USUAL_LEAD
    return max(-_MOST_LEAD, min(_MOST_LEAD, lead))


def _best_three(values: list[float]) -> float:
    best = sorted(values)[-3:]
    return sum(best) / len(best)


# What a text asserts: without the sentences that only ask, only request, or only say that nothing is known.
#
# Speech acts, told apart sentence by sentence in English and Chinese, by how a sentence begins and ends. A question is
# no evidence for its own answer, and neither is "I don't know"; what stands beside them, or inside them ("my dentist,
# Dr Okafor's colleague"), is. Pure; expressions are compiled at first use, because every answer passes here.

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


def is_question(sentence: str) -> bool:
    """True for a sentence that asks, with its mark or without."""
    return bool(_MARK.search(sentence)) or _begins(sentence, "asks")


def is_request(text: str) -> bool:
    """True for words that begin like an order to an agent: “Write a README …”, 帮我写…."""
    return _begins(text[:_BEGINNING], "request")


def stated(text: str) -> str:
    """What a text states beside its questions and its orders of the moment; what is to last is stated.

    >>> stated("The port is 8077. Please restart it."), stated("给登录页加一个按钮。"), stated("Never push to main.")
    ('The port is 8077.', '', 'Never push to main.')
    """
    return "\n".join(part.text for part in _parts(text) if part.text and not _is_order(part.text))


def questions_in(text: str) -> int:
    """How many things are asked: “could you add a test?” asks nothing, “tell me which port it was” does.

    >>> questions_in("Who sings? Where?"), questions_in("Could you add a test?"), questions_in("告诉我端口是多少")
    (2, 0, 1)
    """
    return sum(
        (_begins(one, "order") and _begins(one, "wants")) or (is_question(one) and not _is_order(one))
        for one in _sentences(text)
    )


def asks_nothing(text: str) -> bool:
    """True for orders and remarks alone; a few words without a verb, as people search, ask.

    >>> asks_nothing("you edited the wrong file. Fix it"), asks_nothing("root cause of the failing checkouts")
    (True, False)
    """
    return not questions_in(text) and all(
        _is_order(one) or _begins(one, "remark") for one in _sentences(text)
    )


_MENTIONS = re.compile(r"^(?:[@#][^\s#]\S*\s*)+")


def _is_order(sentence: str) -> bool:
    sentence = _MENTIONS.sub("", sentence)
    return _begins(sentence, "order") and not (_begins(sentence, "lasts") or _begins(sentence, "wants"))


def _parts(text: str) -> Iterator[_Assertion]:
    """The sentences of a text, each as what it asserts."""
    confessed = False
    for sentence in _sentences(text[:LONGEST]):
        if confessed and _begins(sentence, "offer"):
            yield _NOTHING
        elif _holds(sentence, "ignorance"):
            confessed = True
            yield _Assertion(text=_beside(sentence, is_confession=True), is_whole=False, confesses=True)
        elif is_question(sentence):
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


# What frames words without saying any: headings, placeholders, empty fields and tasks, tags, contents, stubs of tools.

_MAY_FRAME = frozenset("<{#[(:：")
_LONGEST_FRAME = 200


@lru_cache(maxsize=1)
def _frames() -> dict[str, re.Pattern[str]]:
    return {
        "markup": re.compile(
            r"\A---\n.*?\n---(?=\n|\Z)|<(system-reminder|local-command-caveat|command-(?:name|message|args))>.*?</\1>"
            r"|<!--.*?-->|<[/!?]?[a-zA-Z][^<>]{0,1000}>|<%.*?%>|\{\{[^{}]{0,200}\}\}|!\[\[[^\]\n]{0,200}\]\]",
            re.DOTALL,
        ),
        # A task, a field, a short heading with nothing behind it, a line of contents, what a host says of itself.
        "empty": re.compile(
            r"[\W_]*(?:\[[ xX]?\]\W*|[^:：\n]{1,40}[:：][\W_]*|\[[^\]\n]*\]\(#[^)\n]*\)\W*|\[?toc\]?|table of contents"
            r"|tool use: \S*|\[request interrupted by user.*|\(no content\))?|\s*#{1,6}(?:\s+[^\s:：]{1,16}){0,4}\s*",
            re.IGNORECASE,
        ),
        "link": re.compile(r"[\W\d_]*(?:\[\[[^\]\n]+\]\]|\[[^\]\n]*\]\([^)\n]*\)|<?https?://\S+)\W*"),
        "licence": re.compile(
            r"permission is hereby granted, free|licensed under the apache license|without warrant(?:y|ies) of any"
            r"|all rights reserved|redistribution and use in source and binary",
            re.IGNORECASE,
        ),
    }


def says_nothing(text: str) -> bool:
    """True for what only frames words.

    >>> says_nothing("# Memory"), says_nothing("Mood: {{mood}}"), says_nothing("- [ ] call the dentist")
    (True, True, False)
    """
    if len(text) > LONGEST or _MAY_FRAME.isdisjoint(text) or not any(map(str.isalnum, text)):
        return False
    bare, marks = _frames()["markup"].subn(" ", text)
    return (marks > 0 and not any(map(str.isalpha, bare))) or all(map(_is_empty, bare.split("\n")))


def _is_empty(line: str) -> bool:
    return len(line) < _LONGEST_FRAME and bool(_frames()["empty"].fullmatch(line))


def is_frame(passage: Passage) -> bool:
    """True for a part of a note that is a licence, or a list of links and nothing else."""
    if passage.source is not EvidenceSource.NOTE:
        return False
    lines = [line for line in passage.text[:LONGEST].split("\n") if not _is_empty(line)]
    linked = sum(bool(_frames()["link"].fullmatch(line[:_LONGEST_FRAME])) for line in lines)
    return bool(_frames()["licence"].search(passage.text)) or linked == len(lines) > 1
