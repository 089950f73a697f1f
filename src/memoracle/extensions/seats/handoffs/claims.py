"""A response's claims, each held against its evidence. One that does not hold fails them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoracle.extensions.seats.handoffs.evidence import Looks, Mismatch, Reason, weigh
from memoracle.model.value import value

LEGACY = "legacy_schema_no_evidence"
_STATEMENT = 80


@value
class ClaimResult:
    """One claim, and what of its evidence does not hold."""

    index: int
    statement: str
    verified: bool
    mismatches: tuple[Mismatch, ...] = ()


@value
class Verification:
    """What all claims of a response come to. `all_verified` is None when it claims nothing."""

    all_verified: bool | None
    claim_results: tuple[ClaimResult, ...] = ()
    reason: str = ""


def verify(response: Any, looks: Looks) -> Verification:
    """Hold every claim of a response against its evidence."""
    claims = response.get("claims", ()) if isinstance(response, Mapping) else ()
    if not isinstance(claims, list | tuple):
        return Verification(all_verified=False, reason=Reason.CLAIMS_NOT_LIST.value)
    if not claims:
        return Verification(all_verified=None, reason=LEGACY)
    results = tuple(_result(index, claim, looks) for index, claim in enumerate(claims))
    return Verification(all_verified=all(one.verified for one in results), claim_results=results)


def _result(index: int, claim: Any, looks: Looks) -> ClaimResult:
    if not isinstance(claim, Mapping):
        return ClaimResult(
            index=index, statement="", verified=False, mismatches=(Mismatch(reason=Reason.CLAIM_NOT_DICT),)
        )
    statement = " ".join(str(claim.get("statement", "")).split())[:_STATEMENT]
    evidence = claim.get("evidence")
    if not isinstance(evidence, list) or not evidence:
        found: tuple[Mismatch, ...] = (Mismatch(reason=Reason.NO_EVIDENCE),)
    else:
        found = tuple(one for piece in evidence if (one := weigh(piece, looks)))
    return ClaimResult(index=index, statement=statement, verified=not found, mismatches=found)
