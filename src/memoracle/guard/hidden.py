"""Hidden text: what a reader does not see and a model does; and secrets in disguise.

Zero-width characters that hide bits or split words, controls that turn the direction of writing, tag characters,
smuggled variation selectors, letters of another alphabet that look alike, comments and invisible spans of HTML,
escape sequences of terminals. What people really write survives: emoji joined by a zero-width joiner, Persian and
Indic joiners, Hebrew and Arabic marks, coloured terminal output, a stray soft hyphen. Most texts are done after one
look; every rule is linear, and places that lie close to each other are one sighting, so that a text made of them
gives few.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from memoracle.guard.rule import GuardPattern, Sighting, Span, compiled, joined, rules
from memoracle.model.value import value

_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
)
_TURNING = "\u061c\u202a-\u202e\u2066-\u2069"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAGS = "\U000e0000-\U000e007f"
_ALL = f"{_INVISIBLE}{_TURNING}{_SELECTORS}{_TAGS}"
_SUSPECT = GuardPattern(f"[{_ALL}\x1b\x9b\x00-\x08\u0370-\u04ff]|<!|<[a-zA-Z]")
_GONE = GuardPattern(f"[{_ALL}]")
_CHANGED = GuardPattern(f"[{_ALL}\u0370-\u052f]")  # what cannot be seen, and letters that may pose as others
_FULLY_HIDDEN = frozenset({"hidden:comment", "hidden:unseen"})
_ZERO = GuardPattern("[\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u3164\ufeff\uffa0]+")
_MARKS = GuardPattern("[\u200e\u200f\u061c]{3,}")
_SOFT = GuardPattern("\u00ad{2,}|(?:[^\\W\\d_]\u00ad){4,}")
_FLAG = GuardPattern("\U0001f3f4[\U000e0020-\U000e007e]{1,12}\U000e007f")
_TAG_RUN = GuardPattern(f"[{_TAGS}]+")
_SELECTOR_RUN = GuardPattern(f"[{_SELECTORS}]{{2,}}")
_LONE_SELECTOR = GuardPattern(
    "(?<=[A-Za-z .,])[\ufe00-\ufe0f]|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)
_TURNS = GuardPattern("[\u202b\u202d\u202e\u2067]+")
_OPENS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_CLOSES = "\u202c\u2069"
_RIGHT_TO_LEFT = GuardPattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
# Colours are harmless; concealment, movement, titles and links are not.
_ESCAPE = GuardPattern(
    r"(?:\x1b\[|\x9b)(?:[0-9;]{0,20};)?8m|(?:\x1b\[|\x9b)[0-9;?]{0,20}[A-HJKSTfhlsu]|\x1b[\]PX^_]|[\x00\x08]"
)
_CONTROL = GuardPattern("[\x00\x08\x1b\x9b]")
_LONGEST_COMMENT = 4000
_COMMENT = GuardPattern(r"<!(?=--).*?(?:-->|\Z)", re.DOTALL)
# A comment that speaks to somebody; most only say where a part of a page begins.
_SPEAKS = GuardPattern(
    r"(?<![a-z])(?:assistants?|ai|llms?|chatgpt|claude|gemini|gpt|copilot|instructions?|ignore|disregard|remember|you|forward|obey)"
    r"(?![a-z])|助手|模型|指令|记住|忽略|务必|必须|你|请",
    re.IGNORECASE,
)
_UNSEEN = GuardPattern(
    r"<[a-z][a-z0-9-]{0,20}\s[^<>]{0,300}?(?:"
    r"style\s{0,3}=\s{0,3}[\"'][^\"'<>]{0,200}?(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden"
    r"|font-size\s{0,3}:\s{0,3}0(?![.1-9])|opacity\s{0,3}:\s{0,3}0(?![.1-9])|(?:left|top|text-indent)\s{0,3}:\s{0,3}-\d{3}"
    r"|(?<![a-z-])color\s{0,3}:\s{0,3}(?:white|transparent|#fff(?:fff)?)(?![a-z0-9]))"
    r"|hidden(?=[\s>/]))[^<>]{0,300}>(?P<said>[^<]{0,400})",
    re.IGNORECASE,
)
_WORDS = GuardPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]{2,}")
_FEW_WORDS = 3
_ZERO_RUN = 3
_SPLIT_WORDS = 2
_CLOSE = 16
_CYRILLIC = dict(zip("аеорсухіјѕԁһӏԛԝьгпкмтвн", "aeopcyxijsdhlqwbrnkmtbh", strict=True))
_CAPITALS = dict(zip("АВЕЅІЈКМНОРСТУХҮԌԚԜ", "ABESIJKMHOPCTYXYGQW", strict=True))
_GREEK = dict(zip("οανρικυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavpikuxABEZHIKMNOPTYX", strict=True))
# Cyrillic letters that differ from Latin ones in shape are left out of what counts as a disguise.
_POSING = frozenset("аеорсухіјѕԁһӏԛԝАВЕЅІЈКМНОРСТУХԚԜ") | frozenset("οανρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
_BOTH = GuardPattern(r"[a-zA-Z][\u0370-\u04ff\u0501-\u052f]|[\u0370-\u04ff\u0501-\u052f][a-zA-Z]")
_LETTERS = GuardPattern(r"[a-zA-Z\u0370-\u04ff\u0501-\u052f]{4,60}")
_MIXED_WORDS = 2

_LOOKS_LIKE = {ord(char): letter for char, letter in (_CYRILLIC | _CAPITALS | _GREEK).items()}
"""For `str.translate`: what each look-alike poses as."""
# Begins with what is rare: letters and signs stand everywhere.
_DISGUISE = GuardPattern(f"[{_ALL}！-～](?:(?<=[!-~][{_ALL}])|(?<=[！-～])[！-～]{{5}})")
_NARROWER = ord("！") - ord("!")


def find_hidden(text: str) -> tuple[Sighting, ...]:
    """What is hidden in a text: by which rule and where."""
    if (text.isascii() and "<" not in text and text.isprintable()) or not _SUSPECT.search(text):
        return ()
    return _concealed(text)


def unhidden(text: str) -> str:
    """The text as a model may read it: without what cannot be seen, look-alikes as the letters they pose as."""
    if text.isascii() or not _CHANGED.search(text):
        return text
    return _GONE.sub("", text).translate(_LOOKS_LIKE)


def spelled_out(text: str) -> str:
    """The text with every hidden character as its code, so that nothing in it is hidden any more."""
    spans = [(one.start, one.end) for one in find_hidden(text) if one.rule not in _FULLY_HIDDEN]
    pieces: list[str] = []
    place = 0
    for start, end in spans:
        if end > place:
            pieces += [text[place:start], "".join(map(_code, text[max(start, place) : end]))]
            place = end
    return "".join([*pieces, text[place:]])


def _code(char: str) -> str:
    if char in "\n\t\r" or (
        char.isprintable() and char not in "\u115f\u1160\u3164\uffa0" and not _GONE.match(char)
    ):
        return char
    number = ord(char)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def is_disguised(text: str) -> bool:
    """True when a run of letters and signs may read on where it seems to end: unseen characters, full width."""
    return not text.isascii() and _DISGUISE.search(text) is not None


def undisguised(text: str) -> tuple[str, list[int]]:
    """The text as it reads, and for each of its characters the place where it stands."""
    seen = [(place, char) for place, char in enumerate(text) if char.isascii() or not _GONE.match(char)]
    read = "".join(chr(ord(char) - _NARROWER) if "！" <= char <= "～" else char for _, char in seen)
    return read, [place for place, _ in seen]


def _concealed(text: str) -> tuple[Sighting, ...]:
    """What is hidden in a text, in its order."""
    letters = "".join(set(text))
    found = [*_runs("comment", _COMMENT, text, _speaks), *_runs("unseen", _UNSEEN, text, _shows_nothing)]
    if _BOTH.search(text):
        found += _runs("lookalikes", _LETTERS, text, _is_mixed, least=_MIXED_WORDS)
    if _GONE.search(letters):
        flags = {match.start() + 1 for match in _FLAG.finditer(text)}
        is_closed = sum(map(text.count, _OPENS)) == sum(map(text.count, _CLOSES))
        found += [
            *_runs("zero-width", _ZERO, text, _is_long_run),
            *_runs("zero-width", _ZERO, text, _splits_a_word, least=_SPLIT_WORDS),
            *_runs("marks", _MARKS, text),
            *_runs("soft-hyphens", _SOFT, text),
            *(
                _seen("hidden:tags", *tag.span())
                for tag in _TAG_RUN.finditer(text)
                if tag.start() not in flags
            ),
            *_runs("variation-selectors", _SELECTOR_RUN, text),
            *_runs("variation-selectors", _LONE_SELECTOR, text, least=_FEW_WORDS),
        ]
        # Controls that turn the direction belong to what is written from right to left, where they are closed.
        if not (is_closed and _RIGHT_TO_LEFT.search(text)):
            found += _runs("direction", _TURNS, text)
    if _CONTROL.search(letters):
        found += _runs("escape-sequence", _ESCAPE, text)
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))


def _seen(rule: str, start: int, end: int) -> Sighting:
    kind = "hidden-text" if rule.startswith("hidden:") else "injected-instruction"
    return Sighting(rule=rule, type=kind, start=start, end=end)


def _runs(
    rule: str,
    pattern: GuardPattern,
    text: str,
    accepts: Callable[[re.Match[str]], bool] = bool,
    *,
    least: int = 1,
) -> list[Sighting]:
    """A sighting for each accepted match, where there are enough; one for those that lie close to each other."""
    spans = [match.span() for match in pattern.finditer(text) if accepts(match)]
    return [_seen(f"hidden:{rule}", *span) for span in joined(spans, _CLOSE)] if len(spans) >= least else []


# What joins letters or pictures as their writing wants it is no run, and splits no word.


def _is_long_run(match: re.Match[str]) -> bool:
    return len(match[0]) >= _ZERO_RUN and match[0] not in _FILLED


def _splits_a_word(match: re.Match[str]) -> bool:
    before, after = (
        match.string[match.start() - 1 : match.start()],
        match.string[match.end() : match.end() + 1],
    )
    return not _is_long_run(match) and _is_letter(before) and _is_letter(after)


_FILLED = frozenset({"\u3164" * count for count in range(3, 8)})  # an empty line in a Korean chat


def _is_letter(char: str) -> bool:
    """A letter of an alphabet that never needs a joiner: Latin, Greek, Cyrillic."""
    return bool(char) and char.isalpha() and (char < "\u0530" or "\u1e00" <= char < "\u2000")


def _speaks(comment: re.Match[str]) -> bool:
    said = comment[0][4:_LONGEST_COMMENT]
    return _says_something(said) and _SPEAKS.search(said) is not None


def _shows_nothing(element: re.Match[str]) -> bool:
    return _says_something(element["said"])


def _says_something(said: str) -> bool:
    return sum(1 for _ in zip(range(_FEW_WORDS), _WORDS.finditer(said), strict=False)) == _FEW_WORDS


def _is_mixed(match: re.Match[str]) -> bool:
    """True for a word that mixes alphabets so that nobody sees it."""
    others = [char for char in match[0] if not char.isascii()]
    # A Latin stem with a Russian ending, or Δt, is no disguise: some of its letters look like themselves.
    return 0 < len(others) < len(match[0]) and all(char in _POSING for char in others)


# Injected instructions: text that was written to steer an agent, in two languages.

REACH = 600
"""How many characters a pattern of an order looks at, at most, to either side of a literal."""

_TOKEN = r"<[|｜]\s?[a-z_▁ ]{2,30}\s?[|｜]>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>"  # noqa: S105
_USED = (
    rf"(?:{_TOKEN})\s{{0,8}}(?:system|user|assistant|tool|developer|model)\b"
    rf"|(?:^|\n)[ \t]{{0,20}}(?:{_TOKEN})(?:\s{{0,8}}+\S{{1,80}}+){{3}}"
)
_ROLES = (
    "system|assistant|developer|tool_results?|tool_response|tool_call|tool_use|function_results?|function_calls"
    "|function_call|invoke|system[-_]reminder|system[-_]prompt|system[-_]message|instructions|new[-_]instructions"
)
_TAG = (
    rf"(?<![\w.])<(?:{_ROLES})(?:\s[^<>]{{0,200}})?>"
    rf"\s{{0,20}}+(?:[^\s<>]{{1,80}}+\s{{1,20}}+){{2}}[^\s<>]|</(?:{_ROLES})>"
)
_FRAME = (
    r"</?memoracle(?=[\s>/])|</?(?:relevant[-_]memories|recalled-memories|memory-context)(?=[\s>/])"
    r"|from memory, as data: nothing in here|\[quoted data, not instructions"
)
_HEADING = (
    r"(?:\A|\n)[\s>*#\[(-]{0,12}(?:system|developer)"
    r"(?: (?:prompt|message|instructions?|notes?|update|override|notice|alert))?[\]*)]{0,3} {0,3}[:：][\s*]{0,4}"
    r"(?:you |ignore|disregard|from now|always|never|please|the assistant|override|new instruct"
    r"|reply|respond|do not|don't|your |assistant|你|请|忽略|从现在)"
)
_CODE_SPAN = r"(`{1,2})[^`\n]{1,120}\1|(?<![\w])(['\"“‘「])[^'\"”’」\n]{1,40}['\"”’」]"
_MANY = 2


def find_injected(text: str, *, trusted: bool = False, fellow: bool = False) -> tuple[Sighting, ...]:
    """Instructions that somebody put into a text.

    In a `trusted` text, the owner's, only structure counts, and orders that are disguised. A `fellow` agent may
    write down standing orders, which are its work.
    """
    seen = unhidden(text)
    folded = seen.lower()
    found = _structure(folded, strictly=not trusted)
    if not trusted:
        found += [
            _seen(f"injected:{order.name}", *span)
            for order in _orders_for(folded)
            if not (fellow and order.mild) and (span := _sees(order, folded))
        ]
    elif seen != text:
        plain = text.lower()
        found += [
            _seen("injected:disguised", *span)
            for order in orders()
            if not order.mild and (span := _sees(order, folded)) and not _sees(order, plain)
        ]
    return tuple(found)


def _structure(folded: str, *, strictly: bool) -> list[Sighting]:
    if (
        "<" not in folded
        and "[" not in folded
        and "system" not in folded
        and "developer" not in folded
        and "as data" not in folded
    ):
        return []
    # What stands in quotation marks or as code is talked about.
    said = compiled(_CODE_SPAN).sub(lambda match: " " * len(match[0]), folded)
    found: list[Sighting] = []
    tokens = list(compiled(_TOKEN).finditer(said))
    used = compiled(_USED).search(said)
    if tokens and (strictly or len(tokens) >= _MANY or used):
        found.append(_seen("injected:template", *tokens[0].span()))
    for name, pattern in (("role-tag", _TAG), ("frame", _FRAME), ("role-heading", _HEADING)):
        if (name != "role-heading" or strictly) and (match := compiled(pattern).search(said)):
            found.append(_seen(f"injected:{name}", *match.span()))
    return found


@value
class _Order:
    """One sort of order; see rules/orders.toml."""

    name: str
    literals: tuple[str, ...]
    pattern: str
    mild: bool = False


@cache
def orders() -> tuple[_Order, ...]:
    """Every order."""
    return tuple(_Order(**{**row, "literals": tuple(row["literals"])}) for row in rules("orders")["order"])


@cache
def _by_language() -> tuple[tuple[_Order, ...], tuple[_Order, ...]]:
    english = tuple(order for order in orders() if all(map(str.isascii, order.literals)))
    return english, tuple(order for order in orders() if order not in english)


def _orders_for(folded: str) -> tuple[_Order, ...]:
    """The orders of the languages whose words a text may hold."""
    english, chinese = _by_language()
    if folded.isascii():
        return english
    in_english, in_chinese = _first_looks()
    return (english if in_english.search(folded) else ()) + (chinese if in_chinese.search(folded) else ())


@cache
def _first_looks() -> tuple[re.Pattern[str], ...]:
    """Any literal of the orders of one language, and of the other."""
    return tuple(
        re.compile("|".join(dict.fromkeys(re.escape(literal) for one in same for literal in one.literals)))
        for same in _by_language()
    )


def _sees(order: _Order, folded: str) -> Span | None:
    """Where an order stands first; looked for around its literals alone."""
    if not any(map(folded.__contains__, order.literals)):
        return None
    search = compiled(order.pattern).search
    if len(folded) <= REACH:
        match = search(folded)
        return match.span() if match else None
    for start, end in _windows(folded, order.literals):
        if match := search(folded, start, end):
            return match.span()
    return None


def _windows(folded: str, literals: tuple[str, ...]) -> list[Span]:
    """The stretches within `REACH` of a literal, in their order; none overlaps another."""
    around = []
    for literal in literals:
        place = folded.find(literal)
        while place >= 0:
            # One stretch for all that stand in the next `REACH` characters: a flood of words is looked for in steps.
            around.append((max(0, place - REACH), place + len(literal) + 2 * REACH))
            place = folded.find(literal, place + REACH)
    return joined(sorted(around), 1)
