"""What differs from run to run, and only that, becomes a placeholder; the same thing has the same placeholder."""

import os
import re
import sys
import time

from memoracle import __version__

_ID = re.compile(r"(?<![A-Za-z0-9])((?:[a-z]{1,9}_)?)([0-7][0-9A-HJKMNP-TV-Z]{25})(?![A-Za-z0-9])")
_UUID = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])")
_HEX = re.compile(r"(?<![0-9a-zA-Z])((?:[a-z]_|m-)?)([0-9a-f]{12,128})(?![0-9a-zA-Z])")
_MARK = re.compile(r"(\[secret:[a-z0-9-]+:|-|keys/|\"stamp\": ?\")([0-9a-f]{8})(?=\]|\"|\.)")
_SEED_ID = re.compile(r"\b([a-z]_20\d{6}_)([0-9a-f]{6})\b")
_NANOSECONDS = re.compile(r"\b1[78]\d{17}\b")
_SPENT = "seconds|duration_seconds|consolidation_duration_seconds|p50_ms|p95_ms|max_ms|median_ms|ms|took_ms"
_DISK = "disk_bytes|disk_usage_bytes|disk_usage_percent|mtime_ns|inode|modified|changed|size_bytes|view_bytes"
_NUMBERS = (
    (re.compile(rf"(\\?\"(?:{_SPENT}|{_DISK})\\?\": ?)[0-9.e-]+"), r"\1<n>"),
    (re.compile(r"(\"durations\": ?)\{[^}]*\}"), r"\1<n>"),
    (re.compile(r"the disk is \d+ % full"), "the disk is <n> % full"),
    (re.compile(r"(on disk +)[\d.]+ [kMG]?B"), r"\1<n> MB"),
    (re.compile(r" +[\d.]+ ms\b"), " <n> ms"),
    (re.compile(r"(took |\(| in )[\d.]+ s\b"), r"\1<n> s"),
    (_NANOSECONDS, "<n>"),
)


class Plain:
    """One transcript's placeholders, numbered as things first appear."""

    def __init__(self, world):
        self._world = os.fspath(world)
        self._seen = {}

    def __call__(self, text):
        text = text.replace(self._world, "<world>").replace(os.path.dirname(sys.executable), "<bin>")
        text = text.replace(__version__, "<version>")
        text = _UUID.sub(lambda found: self._number("uuid", found[0]), text)
        text = _ID.sub(lambda found: found[1] + self._number("id", found[2]), text)
        text = _HEX.sub(self._hex, text)
        text = _MARK.sub(lambda found: found[1] + self._number("mark", found[2]), text)
        text = _SEED_ID.sub(lambda found: found[1] + self._number("short", found[2]), text)
        for pattern, instead in _NUMBERS:
            text = pattern.sub(instead, text)
        return _today().sub("<today>", text)

    def _hex(self, found):
        if set(found[2]) <= set("abcdef") or _NANOSECONDS.fullmatch(found[2]):
            return found[0]  # a word, or a moment
        return found[1] + self._number("hex", found[2])

    def _number(self, kind, thing):
        known = self._seen.setdefault(kind, {})
        return f"<{kind} {known.setdefault(thing, len(known) + 1)}>"


def _today():
    """A moment of the real day: the clock of the story stands in another year, so it came from the disk."""
    days = {time.strftime("%Y-%m-%d", time.localtime(time.time() - back)) for back in (0, 86_400)}
    return re.compile(rf"(?:{'|'.join(sorted(days))})(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?)?")
