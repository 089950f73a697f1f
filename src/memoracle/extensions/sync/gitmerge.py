"""Two histories of one memory become one, line by line.

Record files merge by git's own union. A conflict between notes is settled by keeping the lines of both sides, in an
order that does not depend on who merges, so that two machines which merge the same histories get the same bytes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence

from memoracle.extensions.sync.gitsync import Git, SyncProblem
from memoracle.model.value import value
from memoracle.store import sealed
from memoracle.store.chunks import split_lines
from memoracle.store.disk import DiskVolume
from memoracle.store.generated import owners_text
from memoracle.store.line import line_sum
from memoracle.store.notes import LABELS, closing_at, closing_lines, said_in


@value
class Merged:
    """How a conflict between two versions of a file was settled."""

    path: str
    how: str


def merge(git: Git, commit: str, message: str) -> list[Merged]:
    """Take another history in, line by line. The caller holds the root's lock, and everything is committed.

    Raises `SyncProblem`, with the files as they were, when git does not even begin.
    """
    said = git.ask(
        *git.identity(), "merge", "--quiet", "--no-edit", "--allow-unrelated-histories",
        "--no-ff" if not git.is_within(git.commit_at("HEAD"), commit) else "--ff-only",
        *("-X", "no-renames", "-m", message), commit,
    )  # fmt: skip
    if said.status == 0:
        return []
    if not git.is_merging():
        raise SyncProblem(
            f"git could not begin to merge: {said.err or said.text}", "what you have is committed here"
        )
    try:
        settled = [_settle(git, path, stages) for path, stages in _conflicts(git).items()]
        git.commit(message)
    except BaseException:
        git.ask("merge", "--abort")
        raise
    return settled


def _conflicts(git: Git) -> dict[str, dict[int, str]]:
    """The paths both sides changed, with the object of each stage: 1 before, 2 ours, 3 theirs."""
    found: dict[str, dict[int, str]] = {}
    for row in git.must("ls-files", "--unmerged", "-z").out.split(b"\0"):
        if row:
            about, _, path = row.partition(b"\t")
            _, blob, stage = about.decode().split()
            found.setdefault(path.decode("utf-8", "surrogateescape"), {})[int(stage)] = blob
    return found


def _settle(git: Git, path: str, stages: dict[int, str]) -> Merged:
    volume = DiskVolume(git.root)
    place = volume.path(path)
    blobs = sorted({blob for stage, blob in stages.items() if stage != 1})
    if len(blobs) == 1:  # changed here, gone there: what somebody wrote is kept
        volume.replace(path, _words(git, place, blobs[0]))
        return Merged(path=path, how="one side removed it, the other changed it: it is kept")
    contents = [_words(git, place, blob) for blob in blobs]
    if path.endswith((".md", ".jsonl", ".log", ".gitignore", ".gitattributes")):
        before = _words(git, place, stages[1]) if 1 in stages else b""
        both = _notes if path.endswith(".md") else _union
        volume.replace(path, both(git, before, contents))
        return Merged(path=path, how="both sides changed it: the lines of both are kept")
    volume.replace(path, contents[0])
    stem, ending = os.path.splitext(path)
    beside = f"{stem}.other-{blobs[1][:8]}{ending}"
    volume.replace(beside, contents[1])
    return Merged(path=path, how=f"both sides changed it: the other one is {beside}")


def _words(git: Git, place: str, blob: str) -> bytes:
    """What git keeps of a file, opened when it is sealed."""
    return sealed.opened(place, git.must("cat-file", "blob", blob).out, is_whole=False)


def _union(git: Git, before: bytes, sides: Sequence[bytes]) -> bytes:
    """Both sides' lines, where they differ one after the other."""
    where = sealed.scratch(os.path.join(git.root, "merge"))
    with tempfile.TemporaryDirectory(prefix="memoracle-", dir=where) as folder:
        paths = []
        for name, content in (("ours", sides[0]), ("base", before), ("theirs", sides[1])):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(content if not content or content.endswith(b"\n") else content + b"\n")
        return git.must("merge-file", "-p", "--union", *paths).out


def lines_lost(sides: Sequence[bytes], merged: Sequence[bytes]) -> list[bytes]:
    """The lines of both sides that stand nowhere after a merge."""
    held = {line_sum(line.removesuffix(b"\r")) for content in merged for line in content.split(b"\n")}
    found = dict.fromkeys(
        line.removesuffix(b"\r") for content in sides for line in content.split(b"\n") if line.strip()
    )
    return [line for line in found if line_sum(line) not in held]


def _notes(git: Git, before: bytes, sides: Sequence[bytes]) -> bytes:
    """The lines of two notes without what memory generated in them: that is written anew. Closing lines stay last."""
    base, _ = _opened(before)
    opened = [_opened(side) for side in sides]
    text = _union(git, base, [body for body, _ in opened])
    closings = [closing for _, closing in opened if closing]
    if not closings:
        return text
    told = [[said_in(line)[1] for line in closing] for closing in closings]
    values = {
        label: max(said) if label == LABELS[0] else "; ".join(dict.fromkeys(filter(None, said)))
        for label, said in zip(LABELS, zip(*told, strict=True), strict=True)
    }
    last = "".join(f"{line}\n" for line in closing_lines(values, closings[0]))
    return text.rstrip(b"\n") + b"\n\n" + last.encode()


def _opened(content: bytes) -> tuple[bytes, list[str]]:
    """A note's own text without its closing lines, and those."""
    try:
        lines = split_lines(owners_text(content.decode("utf-8")))
    except UnicodeDecodeError:
        return content, []
    at = closing_at(lines)
    if at is None:
        return "\n".join(lines).encode(), []
    return "\n".join(lines[:at]).rstrip("\n").encode() + b"\n", lines[at : at + len(LABELS)]
