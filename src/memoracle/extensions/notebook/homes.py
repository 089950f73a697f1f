"""One home for each class of fact: which note a text belongs to, and which facts stand in two. Pure.

Addresses, ports and services live in infrastructure; tastes and rules in preferences; decisions with their reason in
decisions; post-mortems in lessons-learned; how-to in procedural notes; what happened in the note of its day. An event
may name the home of what was decided: a line that links somewhere is no second home.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations

from memoracle.learn.evidence import dates, folded, is_same, looks_alike, negations
from memoracle.model.value import value
from memoracle.text import is_stop, is_unspaced, terms

DAILY = "daily"
SEMANTIC, PROCEDURAL = "semantic", "procedural"
_NEAR = 0.75
_SHORTEST = 8
_RARE = 4
_CROWD = 40


@value
class NoteDestination:
    """A class of fact: the note it lives in, which folder that stands in, and the words that give it away."""

    name: str
    role: str
    title: str
    words: str


HOMES = (
    NoteDestination(
        name="lessons-learned",
        role=PROCEDURAL,
        title="Lessons learned",
        words=r"lessons?\b|learned that|post-?mortem|root cause|never again|should have\b|mistake|anti-?pattern"
        r"|next time\b"
        r"|教训|复盘|根因|踩坑|吸取|下次(?:要|记得|别)|事后总结|反模式",
    ),
    NoteDestination(
        name="decisions",
        role=SEMANTIC,
        title="Decisions",
        words=r"\bwe (?:have )?decided|\bdecided (?:to|on|against|that)|\bdecision\b"
        r"|\bwe (?:will )?(?:chose|choose|settled on|go with)\b"
        r"|(?:我们|最终|最后|已经?)?决定(?!性)|拍板|选定|敲定|定下来",
    ),
    NoteDestination(
        name="infrastructure",
        role=SEMANTIC,
        title="Infrastructure",
        words=r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\bports?\b|\blistens? on|\bhost(?:name|ed)?\b|\bservers?\b|\bendpoint"
        r"|\bdns\b|\bdatabase (?:is|runs)"
        r"|\bruns on\b|\bdeployed (?:to|on|at)|https?://|\blocalhost\b|:\d{2,5}\b"
        r"|端口|服务器|主机|域名|部署在|地址是|数据库(?:在|是|用)|运行在|内网|网关",
    ),
    NoteDestination(
        name="procedures",
        role=PROCEDURAL,
        title="Procedures",
        words=r"\bhow to\b|\bsteps?\b.{0,20}:|\bfirst\b.{0,60}\bthen\b|^to \w+.{0,60}\brun\b|^run `"
        r"|\bcommand (?:is|to)\b|`[^`]{2,80}`"
        r"|步骤|如何|怎么(?!样)|首先.{0,40}(?:然后|再)|命令是|先.{1,30}再",
    ),
    NoteDestination(
        name="preferences",
        role=SEMANTIC,
        title="Preferences",
        words=r"\bprefers?\b|\blikes?\b|\bloves?\b|\bdislikes?\b|\bhates?\b|\balways\b|\bnever\b"
        r"|\bfavou?rite\b|\bplease (?:use|don't|do not)|\bstyle\b|\bhabit"
        r"|喜欢|偏好|讨厌|习惯|风格|总是|从不|不要|请(?:用|不要|别)|最爱",
    ),
    NoteDestination(
        name="projects",
        role=SEMANTIC,
        title="Projects",
        words=r"\bproject\b|\bmilestone|\broadmap\b|\brelease\b|\bdeadline\b|项目|里程碑|路线图|上线|截止",
    ),
)
BY_NAME = {home.name: home for home in HOMES}


@value
class Stated:
    """One line of a note: where it stands, in a note of which role, and what it says."""

    path: str
    line: int
    role: str
    text: str

    @property
    def place(self) -> str:
        """Where it stands, as it is cited."""
        return f"{self.path}#L{self.line}"


@value
class Duplicate:
    """A fact that stands in several places; `how` is `same` or `near`. `home` is where it belongs."""

    how: str
    home: str
    lines: tuple[Stated, ...]


_LINK = re.compile(r"\[\[|\]\(")
_LEAD = re.compile(
    r"\s{0,12}(?:[-*+•]|\d{1,3}[.)](?!\d))?\s*(?:[WBOS](?:\(c=[\d.]{1,6}\))?\s?(?:@[^:：]{1,60})?[:：]\s*)?"
)
_ABOUT = re.compile(r"\s{0,12}(?:#|(?:>\s?)?(?:\*\*)?last_(?:verified|updated))", re.IGNORECASE)
"""A heading, a line of tags, the day a note was last verified."""
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}\s?[:：]\s*")


def home_for(text: str) -> str:
    """The name of the note a text belongs to; what only happened belongs to its day."""
    for home in HOMES:
        if _pattern(home.name).search(text):
            return home.name
    return DAILY


def fact_of(line: str) -> str:
    """What a line states, without its bullet, its type and its date; empty for one that links to its home."""
    if _LINK.search(line) or _ABOUT.match(line):
        return ""
    said = _LEAD.sub("", line, count=1)
    return _DATED.sub("", said, count=1).strip()


def standing_in(text: str, lines: Iterable[Stated]) -> Iterator[tuple[str, Stated]]:
    """The lines that state the same as a text, or nearly, and which of the two."""
    for one in lines:
        if how := _compared(fact_of(text) or text, one.text):
            yield how, one


def duplicates(lines: Sequence[Stated]) -> list[Duplicate]:
    """The facts that stand in more than one place. Two days may tell the same; a day and a home may not."""
    said = [one for one in lines if len(one.text) >= _SHORTEST]
    groups: dict[str, list[Stated]] = {}
    for one in said:
        groups.setdefault(folded(one.text), []).append(one)
    found = [_duplicate("same", held) for held in groups.values() if _matters(held)]
    firsts = [held[0] for held in groups.values()]
    pairs = [
        (one, other)
        for one, other in _candidates(firsts)
        if _matters((one, other)) and _compared(one.text, other.text) == "near"
    ]
    found += [_duplicate("near", pair) for pair in pairs]
    return sorted(found, key=lambda one: (one.how != "same", one.lines[0].place))


def _compared(one: str, other: str) -> str:
    if is_same(one, other):
        return "same"
    is_near = (
        looks_alike(one, other, least=_NEAR)
        and negations(one) == negations(other)
        and dates(one) == dates(other)
        # One says all that the other says: a word put in place of another makes another fact.
        and (_units(one) <= _units(other) or _units(other) <= _units(one))
    )
    return "near" if is_near else ""


def _units(text: str) -> frozenset[str]:
    """The words and single characters of a text that say something."""
    return frozenset(
        term for term in terms(text) if not is_stop(term) and not (len(term) > 1 and is_unspaced(term))
    )


def _candidates(lines: Sequence[Stated]) -> Iterator[tuple[Stated, Stated]]:
    """Pairs that share one of their rarest terms: every near pair does, and few others."""
    own = [{term for term in terms(one.text) if not is_stop(term)} for one in lines]
    holders: dict[str, list[int]] = {}
    for at, said in enumerate(own):
        for term in said:
            holders.setdefault(term, []).append(at)
    rarest = {term for said in own for term in sorted(said, key=lambda one: (len(holders[one]), one))[:_RARE]}
    pairs = {
        pair for term in rarest if len(holders[term]) <= _CROWD for pair in combinations(holders[term], 2)
    }
    for first, second in sorted(pairs):
        yield lines[first], lines[second]


def _matters(lines: Sequence[Stated]) -> bool:
    return len({one.path for one in lines}) > 1 and any(one.role != DAILY for one in lines)


def _duplicate(how: str, lines: Sequence[Stated]) -> Duplicate:
    ordered = sorted(lines, key=lambda one: (one.role == DAILY, one.path, one.line))
    return Duplicate(how=how, home=home_for(ordered[0].text), lines=tuple(ordered))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(BY_NAME[name].words, re.IGNORECASE)
