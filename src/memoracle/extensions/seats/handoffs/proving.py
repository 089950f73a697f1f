"""Claims held against this memory: files, records, lines of notes and pages."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.extensions.seats.files_cited import cited_text, is_of_records
from memoracle.extensions.seats.handoffs import claims
from memoracle.extensions.seats.handoffs.evidence import Looks
from memoracle.extensions.seats.model import MISSING
from memoracle.learn.records import show
from memoracle.model.value import to_plain

if TYPE_CHECKING:
    from memoracle.extensions.seats.handoffs.claims import Verification
    from memoracle.root import Root


def verify(root: Root, response: Any) -> Verification:
    """Hold the claims of a response against evidence anywhere in this memory."""
    return claims.verify(
        response,
        Looks(
            document=partial(_document, root),
            record=partial(_plain_record, root),
            lines=partial(_lines, root),
        ),
    )


def _document(root: Root, path: str) -> Any:
    try:
        content = _lines(root, path)
        return MISSING if content is MISSING else json.loads(content)
    except (ValueError, RecursionError):
        return MISSING


def _plain_record(root: Root, reference: str) -> Any:
    try:
        record = show(root, reference)
    except MemoracleError:
        return MISSING
    return {**to_plain(record), "text": record.text, "status": record.status.value}


def _lines(root: Root, cited: str) -> Any:
    found = cited_text(root.store, cited)
    if found is None or (is_of_records(root.store, cited) and not _stands(root, found)):
        return MISSING
    return found


def _stands(root: Root, lines: str) -> bool:
    """True when each of these lines of a record file is the version of its record that stands."""
    for line in lines.splitlines():
        try:
            held = json.loads(line)
            record = _plain_record(root, str(held["id"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            return False
        if record is MISSING or record["status"] not in {"active", "archived"}:
            return False
        if held.get("version", record["version"]) != record["version"]:
            return False
    return True
