"""Runs every example of the documentation for real and compares what it prints.

    python3 dev.py docs            compare
    python3 dev.py docs --write    put the real output into the pages

A `console` block is a shell session: lines after `$ ` are run one after another in a new folder, the
rest is what they must print. Ids, times and scores may differ; `…` stands for the rest of an output.
A `python` block must run to its end; the block after it, if it has no language, is what it prints.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = (
    "README.md",
    "docs/tutorial.md",
    "docs/format.md",
    "docs/coming-from-the-seeds.md",
    "docs/reference/python.md",
)
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
_ID = re.compile(r"\b(?:mem_[0-9A-Z]{26}|ask_[0-9a-f]{12})\b")
_ANY_ID = re.compile(r"\b(mem|op|w)_[0-9A-Z]{26}\b")
_LOOSE = (
    (_ANY_ID, r"\1_…"),
    (re.compile(r"`01[0-9A-Z]{24}`"), "`ID`"),
    (re.compile(r"\bask_[0-9a-f]{12}\b"), "ask_…"),
    (re.compile(r"\[secret:([a-z\-]+):[0-9a-f]{8}\]"), r"[secret:\1:…]"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.\-]+(Z|\+00:00|(?=  ))"), "TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "DATE"),
    (re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (TIME|DATE)"), r"\1"),
    (re.compile(r"pack, \d+ tokens"), "pack, N tokens"),
    (re.compile(r"(score|confidence|activation) -?[\d.]+"), r"\1 N"),
)


class Session:
    """One page's shell: a folder that goes along, and the ids that stand for the printed ones."""

    def __init__(self) -> None:
        self.home = os.path.realpath(tempfile.mkdtemp(prefix="memoracle-docs-"))
        self.folder = self.home
        self.ids: dict[str, str] = {}
        self.differences = 0

    def console(self, block: str) -> str:
        """The block again, with what its commands really print."""
        steps = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        return "".join(self._step(*step.partition("\n")[::2]) for step in steps)

    def _step(self, command: str, printed: str) -> str:
        real = command
        for shown, own in self.ids.items():
            real = real.replace(shown, own)
        if real.startswith("cd "):
            self.folder = os.path.join(self.folder, real[3:].strip())
            return f"$ {command}\n"
        done = subprocess.run(
            real,
            shell=True,
            cwd=self.folder,
            env=self.surroundings(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        output = done.stdout.replace(self.home, "/home/you")
        for shown, own in zip(_ID.findall(printed), _ID.findall(output), strict=False):
            self.ids.setdefault(shown, own)
        return f"$ {command}\n{self._settled(command, printed, output)}"

    def python(self, code: str, printed: str | None) -> str | None:
        """What the code really prints."""
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.folder,
            env=self.surroundings(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            self.tell("a python block", "", done.stderr)
        return None if printed is None else self._settled("a python block", printed, done.stdout)

    def surroundings(self) -> dict[str, str]:
        """The installed command first, a name that is always the same, and no other memory in sight."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMORACLE_")}
        beside = os.path.dirname(sys.executable)
        return kept | {
            "PATH": f"{beside}{os.pathsep}{kept.get('PATH', '')}",
            "MEMORACLE_ACTOR": "mei",
            # A memory made here is gone in a moment: it does not belong on its reader's own list.
            "MEMORACLE_ROOTS": os.path.join(self.home, ".roots.json"),
        }

    def _settled(self, what: str, printed: str, output: str) -> str:
        """The real output, under the ids that the page already has."""
        wanted, found = loose(printed), loose(output)
        if "…\n" in printed:
            wanted = wanted[: wanted.rindex("…")].rstrip(" \n")
            if found.startswith(wanted):
                return printed
        if wanted.rstrip("\n") != found.rstrip("\n"):
            self.tell(what, wanted, found)
        for shown, own in self.ids.items():
            output = output.replace(own, shown)
        return output

    def tell(self, what: str, wanted: str, found: str) -> None:
        """Name a difference."""
        self.differences += 1
        sys.stdout.write(f"\n$ {what}\n--- the page says\n{wanted}\n--- it prints\n{found}\n")


def main(words: list[str]) -> int:
    """Go through the pages; 0 when all of them tell the truth."""
    differences = 0
    for page in PAGES:
        path = os.path.join(HERE, page)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        session = Session()
        try:
            changed = _BLOCK.sub(replacer(session), text)
        finally:
            shutil.rmtree(session.home, ignore_errors=True)
        sys.stdout.write(f"{page}: {session.differences or 'no'} differences\n")
        differences += session.differences
        if "--write" in words and changed != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(changed)
    return 1 if differences and "--write" not in words else 0


def replacer(session: Session) -> Callable[[re.Match[str]], str]:
    """A function that gives each block with its real output."""

    def replace(block: re.Match[str]) -> str:
        language, inside, after = block[1], block[2], block[3]
        if language == "console":
            whole = block[0]
            return whole.replace(inside, session.console(inside), 1)
        printed = session.python(inside, after)
        return block[0] if after is None or printed is None else block[0].replace(after, printed, 1)

    return replace


def loose(text: str) -> str:
    """The text without what differs from run to run."""
    for pattern, stand_in in _LOOSE:
        text = pattern.sub(stand_in, text)
    return text.replace("by mei", "by SOMEBODY")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
