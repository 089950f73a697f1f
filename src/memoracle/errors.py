"""Everything that can go wrong, as one family.

Each takes facts and makes its own sentence. Its code is its name with hyphens: `UnknownRecord` is `unknown-record`.
Both are stable (`docs/reference/errors.md`). The names leave `MemoryError` and `IndexError` to Python.
"""

from __future__ import annotations


class MemoracleError(Exception):
    """Something Memoracle could not do, said in one sentence."""

    code = "error"
    status = 1
    """What the command line exits with; `docs/reference/errors.md` says what each number means."""
    says = "{}"
    hint: str | None = None

    def __init_subclass__(cls) -> None:
        if "code" not in cls.__dict__:
            cls.code = "".join(f"-{ch.lower()}" if ch.isupper() else ch for ch in cls.__name__).lstrip("-")

    def __init__(self, fact: str, hint: str | None = None) -> None:
        """Without a `says` of its own, an error is given the whole sentence."""
        if hint is not None:
            self.hint = hint
        super().__init__(self.says.format(fact))


class NotFound(MemoracleError):
    """What was asked for is not in this memory."""

    status = 3


class UnknownRecord(NotFound):
    """No record answers to this reference."""

    hint = "`memoracle list` prints ids; a unique prefix is enough"
    says = "no record answers to `{}`"


class AmbiguousReference(NotFound):
    """A short reference fits several records."""

    hint = "give more characters of the id"

    def __init__(self, reference: str, candidates: list[str]) -> None:
        shown = ", ".join(candidates[:3])
        super().__init__(f"`{reference}` fits {len(candidates)} records: {shown}")


class NothingToUndo(NotFound):
    """There is no change that `undo` could reverse."""

    status = 1
    hint = "erased records cannot come back; `memoracle history ID` shows what happened"
    says = "nothing to undo: {}"


class UnknownQuestion(NotFound):
    """No question in the inbox answers to this reference."""

    hint = "`memoracle inbox` prints the questions that wait"
    says = "no question that waits answers to `{}`"


class UnknownEntity(NotFound):
    """Nothing is known under this name."""

    hint = "`memoracle entity` lists the names"
    says = "nothing is known of `{}`"


class UnknownPage(NotFound):
    """No page answers to this reference."""

    hint = "`memoracle page list` prints ids and paths; a unique beginning of an id is enough"
    says = "no page answers to `{}`"


class NoRoot(NotFound):
    """There is no memory at this place."""

    status = 1
    hint = "`memoracle init` makes one; `--root PATH` or MEMORACLE_ROOT names another"

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"no memory at {path}")


class BadInput(MemoracleError):
    """What was given cannot be used; nothing was changed."""

    status = 2


class UnreadableSource(BadInput):
    """Nothing of what was named can be read: it is empty, or of a kind that nobody here reads."""


class UnknownKind(BadInput):
    """A filter names a kind that nothing has and nothing can have."""

    def __init__(self, kind: str, known: list[str]) -> None:
        super().__init__(f"`{kind}` is not a kind", f"one of: {', '.join(known)}")


class InvalidDraft(BadInput):
    """This cannot be kept as a record."""


class InvalidName(BadInput):
    """A name of a project, seat or file that is not allowed."""

    def __init__(self, what: str, name: str, because: str) -> None:
        super().__init__(
            f"`{name}` cannot be the name of a {what}: {because}",
            "use letters, digits, `.`, `_` and `-`, starting with a letter or digit",
        )


class InvalidTime(BadInput):
    """A date or time that could not be read."""

    hint = "write 2026-05-15 or 2026-05-15T09:30:00Z"
    says = "`{}` is not a time"


class BadSetting(BadInput):
    """A setting that is unknown or has a value it cannot have."""

    def __init__(self, name: str, because: str, *, where: str) -> None:
        super().__init__(
            f"setting `{name}` in {where}: {because}", "docs/reference/settings.md lists every setting"
        )


class UnknownLayout(BadInput):
    """A layout nobody has described."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"no layout is called `{name}`", f"known layouts: {', '.join(known)}")


class Refused(MemoracleError):
    """Memoracle will not do this."""

    status = 5


class OutsideRoot(Refused):
    """A path that would leave the root."""

    hint = "files of a memory are plain files inside its root; links are never followed"

    def __init__(self, path: str, because: str) -> None:
        super().__init__(f"{path} is outside the memory: {because}")


class NeedsConsent(Refused):
    """An act that erases, or writes outside the root, and that nobody at a terminal could be asked about."""

    status = 2
    hint = "say --yes in the call itself; an answer from a pipe does not count, and nothing was changed"

    def __init__(self, act: str) -> None:
        self.act = act
        super().__init__(f"{act}. Without a terminal that needs --yes")


class Declined(Refused):
    """Somebody at the terminal was asked, and did not agree."""

    says = "{}: you did not agree, and nothing was changed"


class CannotChange(Refused):
    """A record in a state that does not allow this change."""

    def __init__(self, record_id: str, verb: str, because: str) -> None:
        super().__init__(f"cannot {verb} {record_id}: {because}")


class RefusedByPolicy(Refused):
    """A draft that the guard does not let through; it is named by its rule, never by its words."""

    def __init__(self, rules: tuple[str, ...]) -> None:
        self.rules = rules
        self.hint = _REASONS.get(rules[-1]) if rules else None
        super().__init__(f"policy does not keep this: {', '.join(rules)}")


class PolicyBroken(Refused):
    """A policy or a privacy list that cannot be read: nothing is written or sent until it is mended."""

    hint = (
        "mend the `[policy]` table of memoracle.toml, or the privacy list; `memoracle policy show` tells more, and "
        "`memoracle repair` accepts that a list is gone. Reading works"
    )
    says = "nothing is written while the policy cannot be read: {}"


class PrivacyStop(Refused):
    """The privacy gate stopped an action; places and types are named, never the words."""

    hint = "take it out and repeat; there is no override"

    def __init__(self, action: str, places: list[tuple[int, str]]) -> None:
        said = ", ".join(f"line {line} ({kind})" for line, kind in places[:5])
        more = f" and {len(places) - 5} more" if len(places) > 5 else ""
        super().__init__(f"{action} was stopped: {said}{more}")


class BeyondScope(Refused):
    """A verb that reads or changes everything, in a memory that is open for one reader among several."""

    hint = "open the memory without `user`, `agent`, `project` and `seat` to work on all of it"

    def __init__(self) -> None:
        super().__init__("this memory is open for one reader, and this would reach what is somebody else's")


_REASONS = {
    "other-scope": "this memory is open for one reader: leave the scope out, or name the reader's own",
    "never-store:blocked": "it holds something that you blocked; `memoracle policy show` says where your list is",
    "quarantine-full": "too much of this session waits in quarantine: look at `memoracle inbox`, then accept or reject",
    "owner-only": "only the owner's own words become a preference, a rule or an identity; remember it yourself",
    "secret-in-a-name": "the name of a user, agent, project, seat or file cannot be a secret",
}


class Conflict(MemoracleError):
    """Somebody else changed it meanwhile."""

    status = 6


class VersionConflict(Conflict):
    """An edit of a version that has moved on."""

    hint = "read it again with `memoracle show`, then repeat the change"

    def __init__(self, record_id: str, *, expected: int, found: int) -> None:
        self.record, self.expected, self.found = record_id, expected, found
        super().__init__(f"{record_id} is at version {found}, not {expected}")


class ChangedUnderneath(Conflict):
    """A file that changed between reading and writing."""

    hint = "nothing was overwritten; read the file again"

    def __init__(self, path: str, *, expected: str, found: str) -> None:
        self.expected, self.found = expected, found
        super().__init__(f"{path} changed meanwhile (expected {expected[:12]}, found {found[:12]})")


class StoreProblem(MemoracleError):
    """The files of the memory could not be read or written."""


class RootLocked(StoreProblem):
    """Another process has been writing for too long."""

    hint = "nothing was written; wait for that process or stop it"

    def __init__(self, path: str, *, holder: str, waited: float) -> None:
        super().__init__(f"{path} has been locked by {holder} for more than {waited:g} s")


class AlreadyRunning(StoreProblem):
    """The same upkeep runs already; two of them would only do the same work twice."""

    hint = "wait until it is done; nothing is lost by waiting"
    says = "`{}` is running already"


class WriteFailed(StoreProblem):
    """The disk refused; the store is as it was."""

    hint = "nothing was kept of this write and nothing earlier was harmed; free the disk and repeat"

    def __init__(self, path: str, because: str) -> None:
        super().__init__(f"could not write {path}: {because}")


class ReadOnlyRoot(WriteFailed):
    """The folder does not allow writing."""

    hint = "reading still works; give yourself write permission or name another --root"


class Locked(StoreProblem):
    """A sealed memory whose keys are not open."""

    hint = "`memoracle unlock` opens it for this session"

    def __init__(self, root: str, because: str = "its keys are not open") -> None:
        super().__init__(f"the memory at {root} is locked: {because}")


class KeysLost(StoreProblem):
    """Sealed files without the file that says how they are sealed."""

    hint = "bring the `keys` folder back from a backup or another machine; the sealed files are untouched"
    says = "{} is missing or cannot be read, and parts of this memory are sealed"


class UnreadableFile(StoreProblem):
    """A file that exists and cannot be read."""

    def __init__(self, path: str, because: str) -> None:
        super().__init__(f"could not read {path}: {because}")


class NeverListDamaged(StoreProblem):
    """The list of what was forgotten cannot be read in full, so nobody knows what must not be read again."""

    hint = "bring it back from a copy, or `memoracle repair`; then forget again what it named"

    def __init__(self, path: str, lost: int) -> None:
        super().__init__(
            f"{path} cannot be read in full ({lost} of what was forgotten is not known); "
            "no conversation is read or copied until it is mended"
        )


class ViewUnavailable(MemoracleError):
    """The view can be neither opened nor rebuilt."""

    hint = "delete the index folder; it is rebuilt from the files"

    def __init__(self, path: str, because: str) -> None:
        super().__init__(f"the index at {path} is not available: {because}")


class EmbedderProblem(MemoracleError):
    """Text could not be turned into vectors."""


class WeightsMismatch(EmbedderProblem):
    """Model weights that are not the ones we know."""

    hint = "install memoracle again"

    def __init__(self, path: str, *, expected: str, found: str) -> None:
        super().__init__(f"{path} has SHA-256 {found[:12]}…, expected {expected[:12]}…")


class EmbedderUnavailable(EmbedderProblem):
    """An embedder that cannot be used here."""

    hint = "recall works without it, by words alone"

    def __init__(self, name: str, because: str) -> None:
        super().__init__(f"the embedder {name} is not available: {because}")


class ModelProblem(MemoracleError):
    """A language model could not be asked."""


class ModelUnavailable(ModelProblem):
    """A language model that gave no answer. `may_have_cost`: it may have worked for nothing."""

    hint = "nothing is lost: what rules cannot decide waits; `memoracle pending` shows it"

    def __init__(self, name: str, because: str, *, may_have_cost: bool = False) -> None:
        self.may_have_cost = may_have_cost
        super().__init__(f"the model {name} is not available: {because}")


class NotDelivered(MemoracleError):
    """Something was written whose receipt could not be; the same call again completes it."""

    status = 7

    def __init__(self, path: str, because: str, again: str) -> None:
        super().__init__(f"{path} is written, and its receipt is not: {because}", f"again: {again}")


class MissingExtra(MemoracleError):
    """A part of Memoracle that was not installed."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f"this needs {package}, which is not installed", f"pip install 'memoracle[{extra}]'")


class MissingLibrary(MemoracleError, ImportError):
    """An agent library whose adapter was asked for, and that is not installed."""

    def __init__(self, library: str, wanted: str) -> None:
        super().__init__(f"this adapter needs {library}, which is not installed", f"pip install '{wanted}'")


class MissingExtension(BadInput):
    """A part of Memoracle that was taken away, or never came along."""

    def __init__(self, extension: str, because: str) -> None:
        self.extension = extension
        super().__init__(
            f"the extension {extension} is not installed: {because}",
            "install memoracle whole: pip install --force-reinstall memoracle",
        )
