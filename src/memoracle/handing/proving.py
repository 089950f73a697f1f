"""Claims held against this memory: files, records, lines of notes and pages."""

from __future__ import annotations

import json
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.handing.desk import Desk
from memoracle.handoffs.claims import Verification, verify
from memoracle.handoffs.evidence import Looks
from memoracle.model.dotted import MISSING
from memoracle.model.plain import to_plain
from memoracle.store.cited import cited_text, is_of_records


class Prove(Desk):
    """Claims held against this memory."""

    def verify(self, response: Any) -> Verification:
        """Hold the claims of a response against what memory holds."""
        return verify(response, Looks(document=self._document, record=self._plain_record, lines=self._lines))

    def _document(self, path: str) -> Any:
        try:
            content = self._lines(path)
            return MISSING if content is MISSING else json.loads(content)
        except (ValueError, RecursionError):
            return MISSING

    def _plain_record(self, reference: str) -> Any:
        try:
            record = self._record(reference)
        except MemoracleError:
            return MISSING
        return {**to_plain(record), "text": record.text, "status": record.status.value}

    def _lines(self, cited: str) -> Any:
        found = cited_text(self._store, cited)
        if found is None or (is_of_records(self._store, cited) and not self._stands(found)):
            return MISSING
        return found

    def _stands(self, lines: str) -> bool:
        """True when each of these lines of a record file is the version of its record that stands."""
        for line in lines.splitlines():
            try:
                held = json.loads(line)
                record = self._plain_record(str(held["id"]))
            except (ValueError, KeyError, TypeError, RecursionError):
                return False
            if record is MISSING or record["status"] not in {"active", "archived"}:
                return False
            if held.get("version", record["version"]) != record["version"]:
                return False
        return True
