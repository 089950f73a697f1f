"""When to save what is worth keeping before a host compacts its context, and when a host has to compact. Pure.

Of two reserves the larger one counts. A flush happens once per compaction cycle, and also when a transcript has
grown large while its tokens are few. The window, the reserve and the margin come from the settings.
"""

from __future__ import annotations

from memoracle.model.value import value

RESERVE_FLOOR = 20_000
FORCED_BYTES = 2_000_000


@value
class Limits:
    """The numbers of a host's context."""

    window: int = 200_000
    reserve: int = 16_384
    soft: int = 4_000
    floor: int = RESERVE_FLOOR
    forced_bytes: int = FORCED_BYTES


@value
class Fired:
    """The last flush of a session: in which cycle, at how many tokens, at how many bytes of transcript."""

    cycle: int = 0
    tokens: int = 0
    size: int = 0
    by_size: bool = False


@value
class FlushCheck:
    """Whether to flush now, from how many tokens on, and why."""

    flush: bool
    threshold: int
    because: str


def effective_reserve(reserve: int, floor: int = RESERVE_FLOOR) -> int:
    """What is kept free: of a host's two numbers the larger one."""
    return max(reserve, floor)


def flush_threshold(limits: Limits) -> int:
    """From how many tokens on a flush is due; 0 or less means never."""
    return limits.window - effective_reserve(limits.reserve, limits.floor) - limits.soft


def check_flush(
    tokens: int, limits: Limits, *, size: int = 0, cycle: int | None = None, last: Fired | None = None
) -> FlushCheck:
    """Whether a flush is due; `last` is the flush before, of the same session."""
    threshold = flush_threshold(limits)

    def answer(flush: bool, because: str) -> FlushCheck:
        return FlushCheck(flush=flush, threshold=threshold, because=because)

    if threshold <= 0:
        return answer(False, f"a threshold of {threshold} turns it off")
    is_full, is_large = tokens >= threshold, size >= limits.forced_bytes
    if not is_full and not is_large:
        return answer(False, f"{tokens} tokens are fewer than {threshold}")
    if last is not None and not _is_new(tokens, size, cycle, last, limits):
        return answer(False, "this cycle has had its flush")
    if is_full:
        return answer(True, f"{tokens} tokens reach {threshold}")
    return answer(True, f"the transcript has {size} bytes, {limits.forced_bytes} or more")


def is_over(tokens: int, limits: Limits, last: Fired) -> bool:
    """True when a compaction has happened since the last flush: the tokens are fewer than what called for it."""
    return not last.by_size and tokens < min(last.tokens, flush_threshold(limits))


def _is_new(tokens: int, size: int, cycle: int | None, last: Fired, limits: Limits) -> bool:
    if cycle is not None:
        return cycle != last.cycle
    if last.by_size:
        # The transcript never shrinks: only its growth tells that time has passed.
        return size - last.size >= limits.forced_bytes or tokens >= flush_threshold(limits) > last.tokens
    return False
