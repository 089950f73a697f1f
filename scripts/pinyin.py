"""Make the tables that `recall/spelling.py` reads Chinese with.

    python scripts/pinyin.py Unihan_Readings.txt dict.txt

`pinyin.txt`: how the characters of GB 2312 are read, without tones, from the Unicode Character Database (Unihan.zip;
Debian: unicode-data): the customary reading, and those that are heard at least once in a thousand times.
`words_zh.txt`: the commonest words of two characters, names left out, from the dictionary of jieba 0.42.1 (MIT).
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

PLACE = Path(__file__).parent.parent / "src" / "memoracle" / "recall"
PINYIN = (
    "# Syllables without tones (v for ü), each with the characters of GB 2312 that are read so. From Unihan 15.0,"
    " kMandarin and kHanyuPinlu; changed: tones and rare readings left out. © 2022 Unicode, Inc.; LICENSES/Unicode.txt"
)
WORDS = (
    "# The 8,000 commonest words of two characters by their first one, names left out. From jieba 0.42.1, dict.txt,"
    " © 2013 Sun Junyi; LICENSES/jieba.txt"
)
RARE = 0.001
COMMON = 8000
LETTERS = bytes(
    byte for high in range(0xB0, 0xF8) for low in range(0xA1, 0xFF) for byte in (high, low)
).decode("gb2312", "ignore")


def readings(unihan: str) -> dict[str, str]:
    """The characters that are read as each syllable."""
    heard: dict[str, dict[str, int]] = defaultdict(dict)
    for line in unihan.splitlines():
        code, field, said = (*line.split("\t"), "", "")[:3]
        if field in {"kMandarin", "kHanyuPinlu"}:
            for syllable, times in re.findall(r"([^\s(]+)(?:\((\d+)\))?", said):
                counted = heard[chr(int(code.removeprefix("U+"), base=16))]
                counted[syllable] = counted.get(syllable, 0) + int(times or 1)
    found: dict[str, str] = defaultdict(str)
    for letter in LETTERS:
        least = RARE * sum(heard[letter].values())
        for syllable in dict.fromkeys(_plain(one) for one, times in heard[letter].items() if times >= least):
            found[syllable] += letter
    return found


def words(dictionary: str) -> dict[str, str]:
    """The second characters of common words by their first."""
    rows, every = [line.split() for line in dictionary.splitlines()], {*LETTERS}
    pairs = [
        (-int(times), word)
        for word, times, sort in rows
        if len(word) == 2 and every.issuperset(word) and not sort.startswith("nr")
    ]
    found: dict[str, str] = defaultdict(str)
    for _, word in sorted(pairs)[:COMMON]:
        found[word[0]] += word[1]
    return found


def _plain(syllable: str) -> str:
    letters = unicodedata.normalize("NFD", syllable).replace("u\u0308", "v")
    return "".join(one for one in letters if not unicodedata.combining(one))


def _write(name: str, head: str, lines: list[str]) -> None:
    (PLACE / name).write_text("\n".join((head, *lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    unihan, dictionary = (Path(path).read_text(encoding="utf-8") for path in sys.argv[1:])
    _write("pinyin.txt", PINYIN, [f"{one} {letters}" for one, letters in sorted(readings(unihan).items())])
    _write("words_zh.txt", WORDS, [f"{one}{letters}" for one, letters in sorted(words(dictionary).items())])
