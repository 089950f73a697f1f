"""BLAS is asked to keep to one thread, and an owner's wish stands."""

import subprocess
import sys

from memoracle.inference.blas import keep_blas_calm


def test_only_unset_variables_are_set():
    """What the owner chose is kept."""
    environ = {"OPENBLAS_NUM_THREADS": "8"}
    keep_blas_calm(environ)

    assert environ == {"OPENBLAS_NUM_THREADS": "8", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def test_it_says_when_it_is_too_late():
    """In time before numpy is imported, too late after."""
    code = (
        f"import sys; sys.path[:] = {sys.path!r};"
        "from memoracle.inference.blas import keep_blas_calm as calm; a = calm(); import numpy; print(a, calm())"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.split() == ["True", "False"]
