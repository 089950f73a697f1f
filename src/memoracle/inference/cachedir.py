"""Where derived files of this user go: unpacked weights and the memory of checks done.

Whatever lies here can be deleted at any time and is made again from the installed packages.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def default_cache_dir(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """The per-user cache folder of Memoracle on this platform; it need not exist yet."""
    env = os.environ if environ is None else environ
    if chosen := env.get("XDG_CACHE_HOME"):
        base = chosen
    elif platform == "win32":
        base = env.get("LOCALAPPDATA") or os.path.join(_home(env), "AppData", "Local")
    elif platform == "darwin":
        base = os.path.join(_home(env), "Library", "Caches")
    else:
        base = os.path.join(_home(env), ".cache")
    return os.path.join(base, "memoracle")


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")
