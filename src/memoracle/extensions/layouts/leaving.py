"""Giving an adopted directory back: what is ours alone leaves it, records become the design's own lines.

First a plan, from the files as they are; then, in this order, what the design has no place for is copied out, files are
written, and our own places go. A kill in between leaves our places where they are, and leaving again ends it.
"""

from __future__ import annotations

import json
import os
import shutil
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, ChangedUnderneath, MemoracleError, Refused
from memoracle.interfaces.cli.session import Parser, Session, add_consent
from memoracle.interfaces.render import plain
from memoracle.model.adoption import Leaving
from memoracle.model.ids import file_digest
from memoracle.model.record import Anchor, Record, Status, is_foreign, newest
from memoracle.model.report import Step
from memoracle.model.value import replace
from memoracle.registry import needed
from memoracle.resolve import FILE
from memoracle.store.generated import owners_text
from memoracle.store.journal import read_records
from memoracle.store.layouts import COLLECTIONS
from memoracle.store.projected import ORIGINALS, projected_paths
from memoracle.store.roots import GIT_FILES
from memoracle.store.sessions import COPIES, FIRST
from memoracle.store.volume import read_document
from memoracle.times import write_time

if TYPE_CHECKING:
    from memoracle.root import Root
    from memoracle.store.store import Store

_SHELTER = ".memoracle"
_BEFORE = "before"
_CONVERSATIONS = "copies of conversations"
_KEPT = frozenset({Status.ACTIVE, Status.ARCHIVED, Status.QUARANTINED})


def leave(root: Root, *, to: str = "", dry_run: bool = False) -> Leaving:
    """Give the directory back. What the design has no place for goes `to` a new folder.

    Without one nothing is done where there is such a thing.
    """
    store = root.store
    root.reader.must_see_all()
    if store.layout_name == "native":
        raise BadInput(
            "this memory was made here; no other program kept it", "`memoracle export` writes it out"
        )
    if store.volume.is_sealed():
        raise Refused(
            "this memory is encrypted", "`memoracle decrypt` first: its own program reads plain files"
        )
    kept = os.path.realpath(os.path.expanduser(to)) if to else ""
    if kept and (os.path.exists(kept) or f"{kept}/".startswith(f"{store.root}/")):
        raise BadInput(f"{kept} is not a new folder outside the directory")
    root.view.catch_up()
    alive = {one.passage.ref: one.activation for one in root.index.standing(root.decay, root.clock())}
    with nullcontext() if dry_run else store.writing():
        found = {
            path: str(digest) for path, digest in read_document(store.volume, store.name("found")).items()
        }
        plan = _Plan(store, found, alive, root.clock(), root.index.uses_of)
        leaving = replace(plan.made(), kept=kept, dry_run=dry_run)
        if dry_run:
            return leaving
        if leaving.stays and not kept:
            many = ", ".join(f"{number:,} {what}" for what, number in leaving.stays.items())
            hint = "`--to FOLDER` says where they go; `--dry-run` shows all"
            raise Refused(f"the design has no place for {many}", hint)
        if kept:
            _keep(store, plan.changes, kept)
        for path, content in plan.changes.items():
            # What its own program wrote there meanwhile stays, and so do our places.
            if content is not None:
                store.volume.replace(path, content, expected=plan.seen[path])
            elif (now := file_digest(store.volume.read(path))) == plan.seen[path]:
                store.volume.remove(path)
            else:
                raise ChangedUnderneath(path, expected=plan.seen[path], found=now)
    store.close()
    shutil.rmtree(os.path.join(store.root, _SHELTER))
    os.unlink(os.path.join(store.root, FILE))
    return leaving


def _keep(store: Store, changes: Mapping[str, bytes | None], kept: str) -> None:
    """Our own places as they are, and every file that changes as it was before."""
    shutil.copytree(os.path.join(store.root, _SHELTER), os.path.join(kept, _SHELTER))
    for path in (FILE, *changes):
        if store.volume.has(path):
            place = os.path.join(kept, FILE if path == FILE else os.path.join(_BEFORE, path))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copyfile(store.place(path), place)
    os.sync()


class _Plan:
    """What every file becomes: its new content, or None where it goes."""

    def __init__(
        self,
        store: Store,
        found: Mapping[str, str],
        alive: Mapping[str, float],
        now: datetime,
        uses_of: Callable[[list[str]], Mapping[str, list[datetime]]],
    ) -> None:
        self._store, self._found, self._alive, self._now, self._uses_of = store, found, alive, now, uses_of
        self.changes: dict[str, bytes | None] = {}
        self.seen: dict[str, str] = {}
        """The digest of each file that changes, as it was read."""
        self._why: dict[str, str] = {}
        self._stays: Counter[str] = Counter()

    def made(self) -> Leaving:
        """The plan, with what differs from the day of adoption."""
        self._take_records()
        self._take_blocks()
        self._take_derived()
        self._take_ours()
        steps = [
            Step(act="remove" if content is None else "rewrite", target=path, because=self._why[path])
            for path, content in self.changes.items()
        ]
        steps += [
            Step(act="remove", target=one, because="it is ours alone") for one in (f"{_SHELTER}/", FILE)
        ]
        return Leaving(
            root=self._store.root,
            layout=self._store.layout_name,
            steps=tuple(steps),
            differs=tuple(self._differing()),
            stays=dict(+self._stays),
        )

    def _change(self, path: str, content: bytes | None, why: str) -> None:
        present = self._store.volume.read(path)
        if content != present:
            self.changes[path], self.seen[path], self._why[path] = content, file_digest(present), why

    # Records

    def _take_records(self) -> None:
        """Lines of the design's own program as they are; ours in its shape, each where it stands; no other version."""
        store = self._store
        held: dict[str, list[Record]] = {}
        for _, record in store.journal.all_versions():
            held.setdefault(record.id, []).append(record)
        standing = {one: newest(versions) for one, versions in held.items()}
        pairs = [(store.layout[name], store.layout[f"archived_{name}"]) for name in COLLECTIONS]
        shared = [(live, cold) for live, cold in pairs if not live.startswith(_SHELTER)]
        written: set[str] = set()
        put_away: dict[str, list[bytes]] = {}
        for live, cold in shared:
            for path in (live, cold):
                lines = [
                    *self._lines(path, path == cold, standing, written, put_away),
                    *put_away.pop(path, ()),
                ]
                if store.volume.has(path) or lines:
                    self._change(path, b"".join(lines), "records of ours become lines of the design")
        for one, record in standing.items():
            if one not in written and record.status in _KEPT:
                self._stays["records that the design has no place for"] += 1
        self._stays["earlier versions of records"] = sum(
            len({record.version for record in versions}) - 1 for versions in held.values()
        )
        if beside := store.layout.get("activation"):
            self._take_activations(beside, [standing[one] for one in written])

    def _lines(
        self,
        path: str,
        cold: bool,
        standing: Mapping[str, Record],
        written: set[str],
        put_away: dict[str, list[bytes]],
    ) -> Iterator[bytes]:
        content = self._store.volume.read(path)
        versions: dict[int, list[Record]] = {}
        seen = self._store.journal.as_adopted(path)
        for version in read_records(path, content).versions:
            versions.setdefault(version.line, []).append(seen(version.record))
        archive = self._store.layout[f"archived_{self._collection(path)}"]
        for number, raw in enumerate(content.splitlines(keepends=True), start=1):
            if number not in versions:
                yield raw  # nobody here could read it; it is theirs
                continue
            record = versions[number][-1]
            now = standing[record.id]
            if record.id in written:
                continue
            if is_foreign(record) and (record.status, record.statement) == (now.status, now.statement):
                written.add(record.id)
                yield raw
            elif now.status is (Status.ARCHIVED if cold else Status.ACTIVE):
                written.add(record.id)
                yield self._line(now)
            elif now.status is Status.ARCHIVED:
                written.add(record.id)
                put_away.setdefault(archive, []).append(self._line(now))

    def _collection(self, path: str) -> str:
        layout = self._store.layout
        return next(name for name in COLLECTIONS if path in {layout[name], layout[f"archived_{name}"]})

    def _line(self, record: Record) -> bytes:
        """The record as the design writes it, with what its line said beyond that."""
        share = self._alive.get(record.id, record.anchor.value)
        weight = replace(record.weight, anchor=Anchor(value=share, at=self._now))
        fields = needed("design_fields")(self._store.layout_name, replace(record, weight=weight))
        older = record.extra.get("older")
        more = {name: said for name, said in record.extra.items() if name not in {"older", "again"}}
        more |= older if isinstance(older, dict) else {}
        fields |= {name: said for name, said in more.items() if name not in fields or name == "source"}
        # The name its line had while both programs read it.
        return json.dumps(fields | {"id": record.id}, ensure_ascii=False).encode() + b"\n"

    def _take_activations(self, path: str, records: list[Record]) -> None:
        """In the design's own list: what it does not know yet, and what was used since."""
        store, adopted = self._store, self._store.adopted()
        content = store.volume.read(path)
        with suppress(ValueError, RecursionError):
            said: Any = json.loads(content or b"{}")
            if not isinstance(said, dict) or adopted is None:
                return
            used = self._uses_of([one.id for one in records])
            for one in records:
                last = max((at for at in used.get(one.id, ()) if at > adopted.at), default=None)
                if one.status is Status.ACTIVE and (last or (one.id not in said and not is_foreign(one))):
                    share = round(self._alive.get(one.id, one.anchor.value), 4)
                    said[one.id] = {"activation": share, "last_accessed": write_time(last or one.created)}
            if said != json.loads(content or b"{}"):
                text = json.dumps(said, ensure_ascii=False, indent=1 if b"\n" in content.strip() else None)
                self._change(path, text.encode(), "what was used or kept here since")

    # Everything else

    def _take_blocks(self) -> None:
        """Notes without what memory wrote into them; a note that held nothing else goes."""
        store = self._store
        for path in store.notes.files():
            if path.startswith(_SHELTER):
                self._stays["notes"] += 1
                continue
            raw = store.volume.read(path)
            text = raw.decode("utf-8", "replace")
            left = owners_text(text)
            is_ours = path not in self._found and all(
                line.startswith("#") for line in left.split("\n") if line.strip()
            )
            if is_ours:
                self._change(path, None, "nothing stands in it but what memory wrote")
            elif left != text and b"\xef\xbf\xbd" not in left.encode():
                ways = [left, left.rstrip("\n"), left.rstrip("\n") + "\n", left.rstrip("\n") + "\n\n"]
                as_found = [one for one in ways if file_digest(one.encode()) == self._found.get(path)]
                self._change(
                    path, (as_found or ways[2:])[0].encode(), "the block that memory wrote leaves it"
                )

    def _take_derived(self) -> None:
        """Documents that upkeep derived where there were none; those that replaced the design's own stay in date.

        The snapshot is read by people and agents: it is theirs again as it was.
        """
        volume, shown = self._store.volume, self._store.layout.get("snapshot")
        for path in projected_paths(self._store):
            before = (
                volume.read(f"{self._store.layout['archive']}/{ORIGINALS}/{path}") if path == shown else b""
            )
            if before and file_digest(before) == self._found.get(path):
                self._change(path, before, "what memory put in its place leaves it")
            if path not in self._found and self._store.volume.has(path) and path not in self.changes:
                self._change(path, None, "it was derived here, and did not stand there")

    def _take_ours(self) -> None:
        store = self._store
        for path in GIT_FILES:
            if path not in self._found and store.volume.has(path):
                self._change(path, None, "it came with the memory")
        for put_away in (store.layout["trash"], store.layout["quarantine"]):
            if put_away.startswith(_SHELTER):
                self._stays["files that were put away"] += sum(1 for _ in store.volume.walk(put_away, ("",)))
        folder = store.layout["sessions"]
        if folder.startswith(_SHELTER):
            self._stays[_CONVERSATIONS] += sum(1 for _ in store.volume.walk(folder, (".gz", ".zst")))
            return
        lists = {f"{folder}/{COPIES}", f"{folder}/{FIRST}"}
        for path in [*lists, *(one.copy for one in store.sessions.by_path().values())]:
            if path and path not in self._found and store.volume.has(path):
                self._stays[_CONVERSATIONS] += path not in lists
                self._change(path, None, "it is a copy that memory kept")

    def _differing(self) -> Iterator[Step]:
        """Files that are then not what they were, and why, as far as anybody knows."""
        volume = self._store.volume
        status = {self._store.layout.get(name) for name in ("health", "consolidation")}
        for path, digest in sorted(self._found.items()):
            content: bytes | None = None
            with suppress(MemoracleError):
                content = self.changes[path] if path in self.changes else volume.read(path)
            if content is not None and file_digest(content) == digest:
                continue
            why = "its own program, its owner or accepted upkeep changed it since"
            why = "every run writes there how it went" if path in status else self._why.get(path, why)
            if not content:
                why = "it is gone: its own program, its owner or accepted upkeep took it away"
            yield Step(act="differs", target=path, because=why)


# The verb.


def add_to_leave(parser: Parser) -> None:
    parser.add_argument("path", nargs="?", help="the directory (default: the memory that is meant here)")
    parser.word("--to", "FOLDER", "a new folder for what the design has no place for; `init` there reads it")
    add_consent(parser)


def run_leave(arguments: Namespace, session: Session) -> None:
    """Show what would be done, have consent, do it."""
    from memoracle.compose import locate
    from memoracle.interfaces.resident import server as resident
    from memoracle.store.roots import book_path, remove_root

    if arguments.path:
        session.root = locate(arguments.path, os.environ)
    plan = session.memory.leave(to=arguments.to, dry_run=True)
    if arguments.dry_run:
        session.show(plain(plan), _text(plan))
        return
    if not arguments.yes:
        session.say(_text(plan))
    session.ask(f"{plan.root} will be no memory of this program any more", agreed=arguments.yes)
    resident.stop(plan.root)
    done = session.memory.leave(to=arguments.to)
    with suppress(OSError, MemoracleError):  # it has left, whether or not a list can be written
        remove_root(book_path(os.environ, home=os.path.expanduser("~")), done.root)
    session.show(plain(done), _text(done))


def _text(plan: Leaving) -> str:
    lines = [f"{plan.root} (layout {plan.layout}) {'would be' if plan.dry_run else 'is'} given back"]
    lines += [f"  {step.act} {step.target}: {step.because}" for step in plan.steps]
    lines += [f"  differs from when it was adopted: {step.target}: {step.because}" for step in plan.differs]
    if not plan.differs:
        lines.append("  every file is what it was when it was adopted")
    where = f"goes to {plan.kept}" if plan.kept else "has no place there: name a folder with --to"
    lines += [f"  {number:,} {what}: {where}" for what, number in plan.stays.items()]
    return "\n".join(lines)
