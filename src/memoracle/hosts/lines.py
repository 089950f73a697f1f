r"""Lines of a transcript that somebody else writes, perhaps at this moment.

A line ends at `\n` and nowhere else: U+2028 and form feeds are ordinary text inside JSON. Damage
costs the damaged line only and is told as a finding. Nothing here writes, locks or follows a host.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from memoracle.hosts.known_hosts import Host, Shape
from memoracle.model.value import value
from memoracle.store import sealed

if TYPE_CHECKING:  # a hook that looks at the end of a transcript waits for neither
    from pathlib import Path

    from memoracle.hosts.branches import Step
    from memoracle.hosts.tools import OpenCalls, ToolCall
    from memoracle.model.claim import Role, SessionKind, Turn

LONGEST_LINE = 64 * 1024 * 1024
LARGEST_DOCUMENT = 1024 * 1024 * 1024
_PIECE = 16 * 1024
_BOM = b"\xef\xbb\xbf"
_BLANKS = b"\0 \t\r\n"
UNPACK_ERRORS = (OSError, EOFError, zlib.error, ValueError)

Entry = dict[str, Any]


class JsonLine(NamedTuple):
    r"""One line without its end; `after` is the offset behind it, `ended` whether `\n` was there."""

    number: int
    raw: bytes
    after: int
    ended: bool


class Broken(NamedTuple):
    """Why a line could not be used."""

    code: str
    message: str


def split_lines(stream: IO[bytes], *, offset: int = 0, number: int = 1) -> Iterator[JsonLine]:
    """The lines of `stream` from where it stands; a line beyond `LONGEST_LINE` comes cut short."""
    while raw := stream.readline(LONGEST_LINE):
        offset += len(raw)
        kept = raw
        while not raw.endswith(b"\n") and len(kept) == LONGEST_LINE:
            raw = stream.readline(LONGEST_LINE)
            offset += len(raw)
            if len(raw) < LONGEST_LINE:
                break
        ended = raw.endswith(b"\n")
        yield JsonLine(number, kept[:-1] if ended and kept is raw else kept, offset, ended)
        number += 1


def parse(raw: bytes) -> tuple[Entry | None, Broken | None]:
    """The object on a line, what is wrong with the line, or both when it could be repaired."""
    if len(raw) >= LONGEST_LINE:
        return None, Broken("oversized-line", f"the line is longer than {LONGEST_LINE >> 20} MiB")
    flaw = None
    if b"\0" in raw:
        # A crash leaves blocks of zeros, sometimes before what was appended later.
        flaw = Broken("nul-bytes", "the line holds zero bytes, as a crash leaves them")
        raw = raw.strip(_BLANKS)
    raw = raw.removeprefix(_BOM)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text, flaw = raw.decode("utf-8", "replace"), Broken("bad-utf8", "the line is not valid UTF-8")
    if not text or text.isspace():
        return None, flaw
    try:
        entry = json.loads(text)
    except RecursionError:
        return None, Broken("too-deep", "the line nests too deeply to be read")
    except ValueError:
        return None, flaw or Broken("broken-line", "the line is not JSON")
    if not isinstance(entry, dict):
        return None, Broken("unknown-shape", "the line is not an object")
    return cast("Entry", entry), flaw


def mended(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be written again."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_packed(path: Path) -> bool:
    """True for a compressed copy."""
    return path.suffix in {".gz", ".zst"}


def open_bytes(path: Path) -> IO[bytes]:
    """The bytes of a plain file, unpacked when it is a compressed copy; pipes and devices are refused."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    if sealed.vault_of(str(path)) is not None:  # a copy that was kept in a sealed root
        import gzip

        content = BytesIO(sealed.read(str(path)))
        return cast("IO[bytes]", gzip.open(content, "rb")) if path.suffix == ".gz" else content
    if path.suffix == ".gz":
        import gzip

        return cast("IO[bytes]", gzip.open(path, "rb"))
    if path.suffix != ".zst":
        return path.open("rb")
    from memoracle.zstd import PackedFile

    return cast("IO[bytes]", PackedFile(path, "rb"))


def read_document(path: Path) -> tuple[bytes, Broken | None]:
    """The whole of a file, unpacked; or why that failed."""
    try:
        with open_bytes(path) as stream:
            content = stream.read(LARGEST_DOCUMENT + 1)
    except UNPACK_ERRORS as error:
        return b"", unreadable(error)
    if len(content) > LARGEST_DOCUMENT:
        return b"", Broken("too-large", f"the file is larger than {LARGEST_DOCUMENT >> 30} GiB")
    return content, None


def read_start(path: Path, length: int) -> bytes:
    """The first bytes of a file, unpacked; of a damaged archive, those before the damage."""
    start = b""
    with open_bytes(path) as stream:
        while len(start) < length:
            try:
                piece = stream.read(min(_PIECE, length - len(start)))
            except UNPACK_ERRORS:
                if start:
                    break
                raise
            if not piece:
                break
            start += piece
    return start


def unreadable(error: Exception) -> Broken:
    """Why a file could not be read."""
    return Broken("unreadable-file", f"could not be read: {error}")


# The words inside a message, whatever blocks its host stores it in.

_LONGEST_COUNTED = 40
_MOST_MISSES = 8
_TEXT_BLOCKS = ("text", "input_text", "output_text", None)


def words_of(content: object) -> str:
    """The text of a message: a string, a block or blocks; tools, pictures and thoughts are no text."""
    if isinstance(content, list):
        pieces = [words_of(block) for block in content if not isinstance(block, list)]
        return "\n".join(piece for piece in pieces if piece)
    if isinstance(content, dict) and content.get("type") in _TEXT_BLOCKS and not content.get("thought"):
        content = content.get("text")
    return mended(content) if isinstance(content, str) else ""


def blocks_of(content: object) -> list[Entry]:
    """The blocks of a message; none of a plain text."""
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def string(entry: dict[str, Any], *keys: str) -> str | None:
    """The first of these keys that holds a non-empty string."""
    for key in keys:
        found = entry.get(key)
        if isinstance(found, str) and found:
            return mended(found)
    return None


def table(entry: dict[str, Any], key: str) -> dict[str, Any]:
    """The object under a key, empty when there is none."""
    found = entry.get(key)
    return found if isinstance(found, dict) else {}


class Ids:
    """Stable ids for turns that their host gave none.

    Made from the session, the speaker and the words, so that a copy, a longer file or a file with
    damaged lines gives the same ids. Short words such as “continue” are counted where they repeat;
    long words that come again count once. `memo` carries the counts to a later reading.
    """

    def __init__(self, memo: str = "") -> None:
        self._counts: Counter[str] = Counter()
        for item in memo.split():
            key, _, count = item.partition(":")
            self._counts[key] = int(count) if count.isdecimal() and len(count) < 9 else 1

    def memo(self) -> str:
        """The counts, in one line."""
        return " ".join(f"{key}:{count}" for key, count in self._counts.items())

    def next(self, session: str, speaker: str, text: str, when: str = "") -> str:
        """The id of the next turn in which `speaker` says `text`."""
        said = hashlib.sha256(f"{session}\0{speaker}\0{when}\0{text}".encode("utf-8", "replace")).hexdigest()
        if len(text) > _LONGEST_COUNTED:
            return said[:24]
        short = said[:8]
        self._counts[short] += 1
        count = self._counts[short]
        return said[:24] if count == 1 else f"{said[:24]}-{count}"


class LineReader:
    """Understands the lines of one host, one after the other, and remembers what its header said.

    `skim` may answer for a line without parsing it; None asks for `take`. `take` gives None for a line
    that is not the host's. `steps` does not raise, whatever the line holds.
    """

    host = ""

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        from memoracle.hosts.tools import OpenCalls  # here: a hook reads single lines, and makes no turns
        from memoracle.model.claim import SessionKind

        self._path = path
        self._stem = path.replace("\\", "/").rsplit("/", 1)[-1].split(".", 1)[0]
        self._session = memo.get("session", "")
        self._project = memo.get("project")
        kind = memo.get("kind", "")
        self._kind = SessionKind(kind) if kind in set(SessionKind) else SessionKind.INTERACTIVE
        self._ids = Ids(memo.get("said", ""))
        self.calls = OpenCalls(memo.get("calls", ""), self._calls_on)
        self._has_marks = "marks" in memo

    def memo(self) -> dict[str, str]:
        """What a later reading of the same file needs to know."""
        facts = {"session": self._session, "kind": self._kind.value, "said": self._ids.memo()}
        facts |= {"marks": "1"} if self._has_marks else {}
        facts |= {"calls": waiting} if (waiting := self.calls.memo()) else {}
        return facts | ({"project": self._project} if self._project else {})

    def _calls_on(self, numbers: set[int]) -> OpenCalls:
        """The calls on lines that were read before: their words are kept nowhere but in the file."""
        from pathlib import Path

        reader = type(self)(self._path, {})
        with open_bytes(Path(self._path)) as stream:
            for line in islice(split_lines(stream), max(numbers)):
                if line.number in numbers:
                    reader.take(parse(line.raw.rstrip(b"\r"))[0] or {}, line.number)
        return reader.calls

    def skim(self, raw: bytes) -> tuple[Step, ...] | None:  # noqa: ARG002
        """None: any line may hold words."""
        return None

    def steps(self, entry: Entry, line: int, note: Callable[[Broken, int], None]) -> tuple[Step, ...] | None:
        """As `take`; a line that nobody foresaw is noted and costs itself alone."""
        try:
            return self.take(entry, line)
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001
            note(Broken("odd-line", f"the line could not be understood ({type(error).__name__})"), line)
            return ()

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when it is not a line of this host."""
        raise NotImplementedError

    def turn(
        self,
        key: str,
        who: tuple[Role, str],
        text: str,
        at: datetime | None,
        line: int,
        *,
        session: str = "",
        kind: SessionKind | None = None,
        agent: str | None = None,
        parent: str | None = None,
        last_line: int = 0,
    ) -> Turn:
        """What somebody said in this session."""
        from memoracle.model.claim import Turn

        return Turn(
            session=session or self._session,
            id=key,
            speaker=who[1],
            role=who[0],
            at=at,
            text=text,
            path=self._path,
            line=line,
            session_kind=kind or self._kind,
            host=self.host,
            project=self._project,
            agent=agent,
            parent=parent,
            last_line=last_line,
        )

    def tool_turn(
        self,
        key: str,
        call: ToolCall,
        content: object,
        at: datetime | None,
        line: int,
        *,
        failed: bool = False,
        code: object = None,
        session: str = "",
        kind: SessionKind | None = None,
    ) -> Turn | None:
        """A call with the result that stands on this line; None when there is nothing to keep of it."""
        from memoracle.hosts.tools import result_text
        from memoracle.model.claim import Role

        text = result_text(call, content, failed=failed, code=code)
        who = (Role.TOOL, "tool")
        return (
            self.turn(key, who, text, at, call.line, session=session, kind=kind, last_line=line)
            if text
            else None
        )


@value
class TranscriptFormat:
    """How one host keeps its conversations, and how they are known.

    `folders` are those of a home, `names` the files below them; `path` is in the name of a file wherever it lies. A
    line that is one of this host's has a `shape`; `signs` stand in one that is too long to be parsed.
    """

    host: Host
    reader: type[LineReader]
    folders: Callable[[Path, Mapping[str, str]], tuple[Path, ...]]
    names: tuple[tuple[str, Shape], ...]
    path: str
    shape: Callable[[Entry], Shape | None]
    signs: tuple[bytes, ...]


def folder_named(environment: Mapping[str, str], variable: str, home: Path) -> Path | None:
    """The folder that a variable names; `~` is the home that was given."""
    from pathlib import Path

    text = environment.get(variable, "")
    return home / text[2:] if text.startswith("~/") else Path(text) if text else None


class LineFinder:
    """The line on which each of several marks stands in a document, asked in their order."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._offset = 0
        self._line = 1
        self._misses = 0

    def line_of(self, mark: str) -> int:
        """The line of the next occurrence of `mark`, or the last line known when there is none."""
        if self._misses > _MOST_MISSES:  # a document that escapes its marks would be searched in vain
            return self._line
        found = self._content.find(mark.encode("utf-8", "replace"), self._offset)
        if found < 0:
            self._misses += 1
        else:
            self._line += self._content.count(b"\n", self._offset, found)
            self._offset = found
        return self._line


# When something was said, in any of the ways that hosts and data sets write it.

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s{0,2}([ap]m)?", re.IGNORECASE)
_DATES = (
    re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})"),
    re.compile(r"(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]"),
    re.compile(r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})"),
    re.compile(r"(?P<d>\d{1,2})\s(?P<name>[A-Za-z]{3,9})\.?,?\s(?P<y>\d{4})"),
    re.compile(r"(?P<name>[A-Za-z]{3,9})\.?[\s-](?P<d>\d{1,2})(?:st|nd|rd|th)?,?[\s-](?P<y>\d{4})"),
)


def read_moment(given: object) -> datetime | None:
    """The moment that is meant, in UTC."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        return _from_epoch(given)
    if not isinstance(given, str):
        return None
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        return _from_prose(given[:80].strip())
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        return None


def _from_epoch(number: float) -> datetime | None:
    # Seconds since 1970 stay below 1e11 until the year 5138; larger numbers are milliseconds.
    try:
        return datetime.fromtimestamp(number / 1000 if abs(number) > 1e11 else number, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _from_prose(text: str) -> datetime | None:
    if text.isdecimal() and 9 <= len(text) <= 14:
        return _from_epoch(int(text))
    found = next((match for pattern in _DATES if (match := pattern.search(text))), None)
    if found is None:
        return None
    parts = found.groupdict()
    month = int(parts["m"]) if parts.get("m") else _MONTHS.get(parts["name"][:3].lower(), 0)
    hour = minute = second = 0
    if clock := _CLOCK.search(text[: found.start()] + " " + text[found.end() :]):
        hour, minute, second = int(clock[1]), int(clock[2]), int(clock[3] or 0)
        if clock[4]:
            hour = hour % 12 + (12 if clock[4].lower() == "pm" else 0)
    try:
        return datetime(int(parts["y"]), month, int(parts["d"]), hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
