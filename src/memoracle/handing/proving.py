"""Claims held against this memory: files, records, lines of notes and pages."""

from __future__ import annotations

import json
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.handing.desk import Desk
from memoracle.handoffs.claims import Verification, verify
from memoracle.handoffs.evidence import MISSING, Looks
from memoracle.model.plain import to_plain
from memoracle.store.cited import cited_text


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
        return MISSING if found is None else found
