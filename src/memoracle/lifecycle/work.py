"""What one phase of a consolidation hands to the next, as it is written down between them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memoracle.model.claim import Claim
from memoracle.model.fragment import Fragment
from memoracle.model.value import field, value


@value
class Work:
    """A run under way.

    `started` is the run's one "now": a run that is resumed counts from the same moment. `planned` holds
    record lines that are decided and may or may not have reached the files; writing them twice is once.
    `decided` names fragments that waited for a model and wait no longer once their claims are in the files.
    """

    operation: str
    started: datetime
    fragments: tuple[Fragment, ...] = ()
    claims: tuple[Claim, ...] = ()
    decided: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    is_all: bool = True
