"""A question in the store's own spelling (spelling correction): its terms are the dictionary.

Slips of the fingers at Damerau–Levenshtein distance one; and what an input method for Chinese makes of a sound: another
character (会意 for 会议), a name left in pinyin (zhang wei for 张伟), sounds that many do not tell apart (zh and z, n
and l, ing and in). What the store holds as it was typed is never touched.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from memoracle.errors import EmbedderProblem
from memoracle.index.api import Ranking
from memoracle.model.value import replace
from memoracle.recall.question import Ask, Question, without_asking
from memoracle.text import is_stop, is_unspaced, stem

_Known: TypeAlias = Callable[[list[str]], Mapping[str, tuple[int, int]]]
_Rank: TypeAlias = Callable[[str], int | None]


def spelt_as_kept(question: Question, arrays: Ranking, names: Collection[str]) -> Question:
    """The question in the store's own spelling; as it is, where the vocabulary of the model cannot be read."""
    from memoracle.inference.bundled import rank_of_word

    with suppress(EmbedderProblem):
        return respelt(question, arrays.terms, rank_of_word, names)
    return question


def respelt(question: Question, known: _Known, rank: _Rank, names: Collection[str]) -> Question:
    """The question with words that nobody uses as the store spells them, else as everybody does.

    `known` says which terms the store holds, and how many passages each; `rank` how ordinary a word is, None for one
    that is not; `names` are those of its speakers. A word that the store holds is right, an ordinary one almost always:
    only the name of a speaker is put in its place. What is quoted, and what is no plain word, stays as it is.
    """
    text = " ".join(ask.text for ask in question.asks)
    quoted = " ".join(question.phrases)
    words = dict.fromkeys(word for word in _SPELT.findall(text) if word.lower() not in quoted)
    telling = {word: term for word in words if not is_stop(term := stem(word.lower()))}
    held = known(list(telling.values()))
    strange = [word for word, term in telling.items() if term not in held]
    better = _written(text, quoted, known, rank)
    for word in strange[:_MOST_MISSPELT]:
        if word not in " ".join(better) and (meant := _meant(word.lower(), known, rank, names)):
            better[word] = meant.capitalize() if word[0].isupper() else meant
    if is_unspaced(text):
        better |= _sounding(text, quoted, known)
    if not better:
        return question
    wrong = re.compile(
        "|".join(rf"\b{one}\b" if one.isascii() else one for one in sorted(better, key=len, reverse=True)),
        re.ASCII,
    )

    def spell(ask: Ask) -> Ask:
        return replace(ask, text=wrong.sub(lambda match: better[match[0]], ask.text))

    return replace(question, asks=tuple(map(spell, question.asks)))


# Slips of the fingers: words at Damerau–Levenshtein distance one.

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SWAPPED, _MISSING, _OTHER = range(3)
_MOST_MISSPELT = 4
"""So many strange words are looked at: each takes about a millisecond."""
_LONG = 6
_SPELT = re.compile(r"(?<![\w/.:@#+~'’-])(?:[A-Z][a-z]{3,23}|[a-z]{4,23})(?![\w/:@#+~-]|\.\w)", re.ASCII)


def _meant(word: str, known: _Known, rank: _Rank, names: Collection[str]) -> str:
    """What a word that the store does not hold was meant to be; empty where that cannot be told."""
    edits = _edits(word)
    if found := [one for one in edits if one in names and (len(word) >= _LONG - 1 or edits[one] < _OTHER)]:
        return min(found, key=lambda one: (edits[one], one))
    if rank(word) is not None:
        return ""
    likely = [one for one, edit in edits.items() if len(word) >= _LONG or edit < _OTHER]
    stems = {one: stem(one) for one in likely}
    held = known(list(stems.values()))
    if found := [one for one in likely if stems[one] in held]:
        return min(found, key=lambda one: (edits[one], -held[stems[one]][1], rank(one) is None, one))
    ordinary = {one: place for one in likely if edits[one] < _OTHER and (place := rank(one)) is not None}
    return min(ordinary, key=lambda one: (edits[one], ordinary[one]), default="")


def _edits(word: str) -> dict[str, int]:
    """Every word one slip of the fingers away, and which sort of slip it was; the first letter is mostly right."""
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    swapped = [a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1]
    swapped += [a + a[-1] + b for a, b in cuts if a] + [a + b[1:] for a, b in cuts if a and b[:1] == a[-1]]
    missing = [a + one + b for a, b in cuts if a for one in _LETTERS]
    other = [a + b[1:] for a, b in cuts if a and b] + [
        a + one + b[1:] for a, b in cuts if b for one in _LETTERS
    ]
    found = dict.fromkeys(other, _OTHER) | dict.fromkeys(missing, _MISSING) | dict.fromkeys(swapped, _SWAPPED)
    found.pop(word, None)
    return found


# Sounds: the characters of a syllable, and of the syllables that are taken for it.

_PINYIN = re.compile(
    r"(?<![\w/.:@#+~'’-])[A-Z]?[a-z]{1,17}(?: [A-Z]?[a-z]{1,17})*(?![\w/:@#+~-]|\.\w)", re.ASCII
)
_SYLLABLES = re.compile(r"(?:(?:[zcs]h|[b-df-hj-np-tw-z])?[aeiouv]{1,3}(?:ng?|r(?![aeiouv]))?){1,4}")
_HAN = re.compile("[一-龥]{2,}")
_LONGEST_NAME = 4
_ORDINARY = 5000
"""Words of a lower rank are English, whatever else they spell; names like “zhang” and “beijing” have a higher one."""
_MOST_OPEN = 6
"""So many characters of a question are looked at; more of them belong to what the store knows nothing of."""
_COHESION = 0.2
"""The share of the passages with the rarer character of a pair that hold the pair: with less, two words met there."""
_ALONE = frozenset(
    "不没要会能想去来上下里外前后先再又最每各第几多少大老新好用做写看说叫找买卖吃喝住离按向比跟为因当等所从往由以"
)
"""Characters that are words by themselves."""
_PRICE, _FUZZY_PRICE = 0.6, 0.8


@lru_cache(maxsize=1)
def _sounds() -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    """The characters of each syllable, of all that sound like it, and the syllables of each character."""
    with open(os.path.join(os.path.dirname(__file__), "pinyin.txt"), encoding="utf-8") as file:
        exact = dict(line.split() for line in file.read().splitlines()[1:])
    fuzzy: dict[str, str] = {}
    read: dict[str, list[str]] = {}
    for syllable, letters in exact.items():
        fuzzy[_blurred(syllable)] = fuzzy.get(_blurred(syllable), "") + letters
        for letter in letters:
            read.setdefault(letter, []).append(syllable)
    return exact, fuzzy, read


@lru_cache(maxsize=1)
def _ordinary() -> frozenset[str]:
    """The commonest words of two characters: like ordinary words of English, they are almost always right."""
    with open(os.path.join(os.path.dirname(__file__), "words_zh.txt"), encoding="utf-8") as file:
        return frozenset(line[0] + letter for line in file.read().splitlines()[1:] for letter in line[1:])


@lru_cache(maxsize=1024)
def _blurred(syllable: str) -> str:
    """A syllable without what many do not tell apart.

    >>> _blurred("zhang"), _blurred("ning"), _blurred("song")
    ('zan', 'lin', 'song')
    """
    return re.sub(r"(?<=^[zcs])h|(?<=[aei]n)g$", "", re.sub(r"^n(?=.)", "l", syllable))


def _cohesion(pairs: Collection[str], known: _Known) -> dict[str, float]:
    """How much each pair of characters that the store holds is one word there."""
    held = known(list(pairs))
    single = known(list({letter for pair in held for letter in pair}))
    return {pair: held[pair][1] / min(single[letter][1] for letter in pair) for pair in held}


def _written(text: str, quoted: str, known: _Known, rank: _Rank) -> dict[str, str]:
    """What is typed in pinyin and the store has in characters."""
    found: dict[str, str] = {}
    left = _MOST_MISSPELT
    for match in _PINYIN.finditer(text):
        words = match[0].split()
        likely = [word for word in words if _SYLLABLES.fullmatch(word.lower()) and not is_stop(word.lower())]
        if not likely or match[0].lower() in quoted:
            continue
        held = known([stem(word.lower()) for word in likely])
        strange = [word in likely and stem(word.lower()) not in held for word in words]
        english = [(rank(word.lower()) or _ORDINARY) < _ORDINARY and text.isascii() for word in words]
        begin = 0
        while begin < len(words):
            for end in range(min(len(words), begin + _LONGEST_NAME), begin, -1):
                if left > 0 and all(strange[begin:end]) and not all(english[begin:end]):
                    left -= 1
                    if meant := _characters(words[begin:end], known):
                        found[" ".join(words[begin:end])] = meant
                        begin = end - 1
                        break
            begin += 1
    return found


def _characters(words: Sequence[str], known: _Known) -> str:
    """The characters that the store has for some words in pinyin; empty where it has none."""
    exact, fuzzy, _ = _sounds()
    for sounds, blur in ((exact, str), (fuzzy, _blurred)):
        options: list[list[str]] = [[]]
        for word in words:
            spelt = word.lower().replace("lue", "lve").replace("nue", "nve")
            options = [
                [*before, *map(blur, cut)]
                for before in options
                for cut in _cut(spelt, exact, _LONGEST_NAME - len(before))
            ]
        best = max(
            (_best([sounds[one] for one in cut], known) for cut in options if len(cut) > 1),
            default=(0.0, ""),
        )
        if best[1]:
            return best[1]
    return ""


def _cut(word: str, syllables: Collection[str], most: int) -> Iterator[list[str]]:
    """Every way to cut a word into at most so many syllables; all ways would be millions for a few words."""
    if not word:
        yield []
    for end in range(1, min(6, len(word)) + 1) if most else ():
        if word[:end] in syllables:
            yield from ([word[:end], *rest] for rest in _cut(word[end:], syllables, most - 1))


def _best(options: Sequence[str], known: _Known) -> tuple[float, str]:
    """The sequence of one character each whose every pair is a word of the store, and how much it is."""
    held = known(list({letter for letters in options for letter in letters if not is_stop(letter)}))
    places = [[letter for letter in letters if letter in held] for letters in options]
    paths = {letter: (1.0, letter) for letter in places[0]}
    for letters in places[1:]:
        one = _cohesion([before + letter for before in paths for letter in letters], known)
        longer: dict[str, tuple[float, str]] = {}
        for pair, share in one.items():
            reached = (min(share, paths[pair[0]][0]), paths[pair[0]][1] + pair[1])
            if share >= _COHESION and reached > longer.get(pair[1], (0.0, "")):
                longer[pair[1]] = reached
        paths = longer
    return max(paths.values(), default=(0.0, ""))


def _sounding(text: str, quoted: str, known: _Known) -> dict[str, str]:
    """Runs of characters with pairs that the store does not hold, written with those of the same sound that it does."""
    telling = "".join(" " if is_stop(letter) else letter for letter in without_asking(text))
    runs = [run for run in dict.fromkeys(_HAN.findall(telling)) if run not in quoted]
    held = {*known([run[place : place + 2] for run in runs for place in range(len(run) - 1)])}
    found: dict[str, str] = {}
    left = _MOST_OPEN
    for run in runs:
        if not any(is_open := _open(run, held)):
            continue
        is_open = _open(run, held | _ordinary())
        left -= sum(is_open)
        if any(is_open) and left >= 0 and (meant := _decoded(run, is_open, known)) != run:
            found[run] = meant
    return found


def _open(run: str, words: Collection[str]) -> list[bool]:
    """Which characters may be wrong: those that make a word neither with the one before nor with the one behind."""
    pairs = [False, *(run[place : place + 2] in words for place in range(len(run) - 1)), False]
    return [
        not (before or behind or letter in _ALONE)
        for letter, (before, behind) in zip(run, pairwise(pairs), strict=True)
    ]


def _decoded(run: str, is_open: Sequence[bool], known: _Known) -> str:
    """The likeliest characters behind a run (Viterbi): others of the same sound where they make words of the store."""
    exact, fuzzy, read = _sounds()
    price: list[dict[str, float]] = []
    for letter, may in zip(run, is_open, strict=True):
        of = read.get(letter, []) if may else []
        near = {one: _FUZZY_PRICE for syllable in of for one in fuzzy[_blurred(syllable)]}
        price.append(near | {one: _PRICE for syllable in of for one in exact[syllable]} | {letter: 0.0})
    held = known(list({one for options in price for one in options if not is_stop(one)}))
    pairs = {
        a + b
        for here, there in pairwise(price)
        for a in here
        for b in there
        if a in held and b in held and (not (here[a] and there[b]) or here[a] == there[b] == _PRICE)
    }
    worth = {pair: share for pair, share in _cohesion(pairs, known).items() if share >= _COHESION}
    useful = {letter for pair in worth for letter in pair}
    paths = {"": (0.0, "")}
    for options in price:
        reached: dict[str, tuple[float, str]] = {}
        for letter, cost in options.items():
            if not cost or letter in useful:
                score, before = max(
                    (score + (1 + worth[end + letter] if end + letter in worth else 0.0), before)
                    for end, (score, before) in paths.items()
                )
                reached[letter] = (score - cost, before + letter)
        paths = reached
    return max(paths.values(), key=lambda path: (path[0], path[1] == run))[1]
