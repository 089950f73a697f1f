"""Where a worker finds what subjects share: weights, and vectors that were computed before."""

from __future__ import annotations

import os

MODEL_VARIABLE = "MEMORACLE_BENCH_MINILM"
CACHE_VARIABLE = "MEMORACLE_BENCH_CACHE"


def shared_places() -> dict[str, str]:
    """The variables that tell a worker; a folder in them already is kept."""
    from memoracle.embed.cachedir import default_cache_dir
    from memoracle.embed.locate import find
    from memoracle.embed.minilm import PLACES

    weights = os.environ.get(MODEL_VARIABLE) or find(PLACES)
    cache = os.environ.get(CACHE_VARIABLE) or os.path.join(default_cache_dir(), "bench")
    return {CACHE_VARIABLE: cache} | ({MODEL_VARIABLE: weights} if weights else {})
