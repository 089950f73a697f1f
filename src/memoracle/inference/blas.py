"""Keeping BLAS to one thread.

OpenBLAS starts a thread per core and lets them spin while they wait. On a machine that does anything
else, a question's small products then take twice to a hundred times as long (measured on two shared
cores). More cores are put to use by `spread`, one whole batch each.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import MutableMapping

_SETTINGS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def keep_blas_calm(environ: MutableMapping[str, str] = os.environ) -> bool:
    """Ask for one BLAS thread, unless the owner asked for another number; True when it is in time.

    BLAS reads these variables once, when numpy is first imported: call this at the very start of a program.
    """
    for setting in _SETTINGS:
        environ.setdefault(setting, "1")
    return "numpy" not in sys.modules
