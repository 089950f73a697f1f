"""BLAS is asked to keep to one thread, and an owner's wish stands."""

import os
import subprocess
import sys

CODE = """
import os, sys
sys.path[:] = {path!r}
import memoracle
memoracle.init({root!r})
memoracle.open_memory({root!r}).close()
print("numpy" in sys.modules, *(os.environ[f"{{name}}_NUM_THREADS"] for name in ("OPENBLAS", "MKL", "OMP")))
"""


def test_one_thread_is_asked_for_before_numpy_is_imported(tmp_path):
    """Opening a memory sets what is unset, in time; what the owner chose is kept."""
    unset = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    code = CODE.format(path=sys.path, root=str(tmp_path / "root"))
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=unset | {"OPENBLAS_NUM_THREADS": "8"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout.split() == ["False", "8", "1", "1"]
