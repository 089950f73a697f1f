"""Answers of several members become one: each hit names its owner, each member says how it answered.

A member is a place of somebody: a seat, a project, a root. One that is not there is said to be missing and keeps
nobody else from answering.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from memoracle.model.report import Finding
from memoracle.model.search import Hit, Recollection, Verdict
from memoracle.model.value import field, value


class FederationStanding(StrEnum):
    """How one member answered."""

    FOUND = "found"
    WEAK = "weak"
    NOTHING = "not_in_memory_db"
    NOT_READY = "not_ready"
    MISSING = "not_in_federated_kb"


@value
class FederationMember:
    """Whom a question is put to. Empty parts mean everybody there."""

    root: str
    project: str = ""
    seat: str = ""

    @property
    def name(self) -> str:
        """Its address for people."""
        own = f"{self.seat or '*'}@{self.project or '*'}"
        return f"{own} {self.root}" if self.root else own


@value
class FederatedReply:
    """What a member said: an answer, or that it is not there."""

    member: FederationMember
    found: Recollection | None = None
    because: str = ""


@value
class Owned:
    """A hit, and whose it is."""

    hit: Hit
    seat: str
    project: str
    root: str


@value
class Federation:
    """The answer of all members together."""

    question: str
    status: FederationStanding
    confidence: float
    hits: tuple[Owned, ...] = ()
    members: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()


_ORDER = {Verdict.FOUND: 0, Verdict.WEAK: 1, Verdict.NOT_READY: 2, Verdict.NOT_IN_MEMORY: 3}


def gather(
    question: str, replies: Sequence[FederatedReply], *, limit: int, findings: Sequence[Finding] = ()
) -> Federation:
    """The best evidence of all members, firm answers before weak ones; a passage counts once."""
    members: dict[str, str] = {}
    missing: list[str] = []
    ranked: list[tuple[int, float, str, str, Owned]] = []
    warnings: list[str] = []
    for reply in replies:
        if reply.found is None:
            members[reply.member.name] = FederationStanding.MISSING.value
            missing.append(f"{reply.member.name}: {reply.because}")
            continue
        found = reply.found
        members[reply.member.name] = found.verdict.value
        warnings += found.warnings
        for hit in found.hits:
            owned = Owned(hit=hit, seat=hit.passage.seat, project=hit.passage.project, root=reply.member.root)
            ranked.append((_ORDER[found.verdict], -hit.score, reply.member.root, hit.passage.ref, owned))
    ranked.sort(key=lambda row: row[:4])
    once = {(row[2], row[3]): row[4] for row in reversed(ranked)}
    best = [row[4] for row in ranked if once.pop((row[2], row[3]), None) is not None]
    answers = [reply.found for reply in replies if reply.found]
    verdicts = {found.verdict for found in answers}
    status = (
        FederationStanding.FOUND
        if Verdict.FOUND in verdicts
        else FederationStanding.WEAK
        if Verdict.WEAK in verdicts
        else FederationStanding.NOT_READY
        if Verdict.NOT_READY in verdicts
        else FederationStanding.NOTHING
        if answers
        else FederationStanding.MISSING
    )
    return Federation(
        question=question,
        status=status,
        confidence=max((found.confidence for found in answers), default=0.0),
        hits=tuple(best[:limit]),
        members=members,
        missing=tuple(missing),
        findings=tuple(findings),
        warnings=tuple(dict.fromkeys(warnings)),
    )
