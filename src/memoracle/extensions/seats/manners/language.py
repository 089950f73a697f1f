"""Which language a reply is in: the one that most of the operator's last three messages are written in. Pure.

Where these cannot tell, the owner's choice counts, then what the owner wrote before, then the locale of the machine.

Letters are counted. What stays in its original language in any case is not: code, commands, paths, addresses, names
of files and of functions, abbreviations.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from memoracle.model.value import value

CHINESE, ENGLISH = "zh", "en"
LAST = 3
_SHARE = 0.7
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
_LEAST = 5
_MOST = 20_000
_ASIDE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)"  # code in fences
    r"|`[^`\n]*`"
    r"|\b[a-z][a-z0-9+.-]{1,20}://[^\s，。；）]+|\bwww\.[^\s，。；）]+"
    r"|[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{1,60}"
    r"|^[ \t]*(?:\$|>>>|%)[ \t][^\n]*"  # a command with its prompt
    r"|(?<![\w])(?:~|\.{1,2}|[\w.@+-]{1,100})?(?:/[\w.@+-]{1,100}){1,40}/?"
    r"|(?<![\w-])--?[A-Za-z][\w-]{0,60}"
    r"|\b\w{1,80}\.(?:py|ts|tsx|js|md|json|toml|ya?ml|sh|sql|txt|go|rs|rb|java|kt|csv|log)\b"
    r"|\b\w{0,80}(?:_\w{1,80}|\d\w{0,80})\b"  # names with an underscore or a digit
    r"|\b[a-z]{1,40}(?:[A-Z][a-z]{0,40}){1,10}\b|\b(?:[A-Z][a-z]{1,40}){2,10}\b"  # likeThis, LikeThis
    r"|\b[A-Z]{2,12}s?\b"
    r"|\b\w{1,60}\(\)",
    re.DOTALL | re.MULTILINE | re.ASCII,
)


@value
class Choice:
    """A language, why it is that one, and what was counted."""

    language: str
    because: str
    chinese: int
    english: int
    letters: int


def choose(messages: Sequence[str], *, default: str = ENGLISH, current: str = "", last: int = LAST) -> Choice:
    """The language of a reply to these messages, the newest last; `current` is that of the conversation so far.

    More than 70 % Chinese letters: Chinese. More than 70 % English: English. Mixed, or too little to tell: the
    conversation goes on in its language, and a new one is in the default.
    """
    counted = [_letters(message) for message in messages[-last:]]
    chinese, english, total = (sum(one[place] for one in counted) for place in range(3))
    made = {"chinese": chinese, "english": english, "letters": total}
    otherwise = current or default
    if total < _LEAST:
        return Choice(language=otherwise, because="there is too little to tell", **made)
    if chinese > _SHARE * total:
        return Choice(language=CHINESE, because=f"{chinese} of {total} letters are Chinese", **made)
    if english > _SHARE * total:
        return Choice(language=ENGLISH, because=f"{english} of {total} letters are English", **made)
    return Choice(language=otherwise, because="languages are mixed", **made)


def usual(said: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language to begin in when nobody chose one: what the owner has been writing, else the locale's."""
    return choose(said, default=_of_locale(environment), last=len(said)).language


def _of_locale(environment: Mapping[str, str]) -> str:
    named = next((held for name in _LOCALES if (held := environment.get(name))), "")
    return CHINESE if named.casefold().startswith("zh") else ENGLISH


def _letters(message: str) -> tuple[int, int, int]:
    """Chinese, English and all letters of a message."""
    said = _ASIDE.sub(" ", message[:_MOST])
    letters = [char for char in said if char.isalpha()]
    chinese = sum("CJK UNIFIED" in unicodedata.name(char, "") for char in letters)
    english = sum(char.isascii() for char in letters)
    return chinese, english, len(letters)
