"""What was taken for a conversation and is none, and what could not be read although it may be one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memoracle.errors import UnreadableSource
from memoracle.ingest.sources import Shape, Source
from memoracle.ingest.strangers import READ_HERE
from memoracle.model.report import Finding, Severity

_UNREAD = frozenset({"unreadable-file", "unreadable-folder", "unread-export", "nobody-speaks"})


def is_unread(finding: Finding) -> bool:
    """True when a finding means that words may have been missed, and not only that a file is something else."""
    return finding.code in _UNREAD and finding.line is None


def check_guesses(
    target: str, sources: Sequence[Source], known: Collection[str]
) -> tuple[list[Source], list[Finding]]:
    """The sources without JSON documents that only look like conversations; raises when no other is there.

    Such a document is recognised by single words, so before it is registered it is read once: somebody has to speak.
    """
    from memoracle.ingest.hearing import hear

    findings = []
    kept = []
    for one in sources:
        is_guess = one.shape is Shape.PLAIN_FILE and str(one.path) not in known
        if is_guess and not hear(str(one.path), one.shape.value, "").passages:
            findings.append(
                Finding(
                    code="nobody-speaks",
                    severity=Severity.WARNING,
                    path=str(one.path),
                    message="it is JSON, but nobody says anything in it that can be read",
                )
            )
        else:
            kept.append(one)
    if findings and not kept:
        raise UnreadableSource(
            f"nothing can be read in {target}: {findings[0].message}", f"what can be read: {READ_HERE}"
        )
    return kept, findings
