"""Memoracle as other programs meet it: real processes with an environment of their own."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from unittest import mock

PYTHON = sys.executable
_QUICK = "/dev/shm" if os.path.isdir("/dev/shm") else None


def surroundings(**more):
    """An environment without the person's own memory in it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MEMORACLE_") or name == "MEMORACLE_ROOTS"
    }
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    kept["PATH"] = os.path.dirname(PYTHON) + os.pathsep + kept.get("PATH", "")
    kept["MEMORACLE_RESIDENT_MINUTES"] = "0"  # what a test starts ends with it
    return kept | more


def run(*words, stdin=b"", timeout=60, **options):
    """One run of the command line; text comes back as text."""
    finished = subprocess.run(
        [PYTHON, "-m", "memoracle", *map(os.fspath, words)],
        input=stdin,
        capture_output=True,
        timeout=timeout,
        check=False,
        env=options.pop("env", surroundings()),
        **options,
    )
    return finished.returncode, finished.stdout.decode(), finished.stderr.decode()


def start(code, *words, **options):
    """A Python process that runs `code` beside the test; it is told where to look by its arguments."""
    return subprocess.Popen(
        [PYTHON, "-c", code, *map(os.fspath, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=options.pop("env", surroundings()),
        **options,
    )


def run_here(*words, stdin=b"", timeout=60, env=None, cwd=None):
    """One run of the command line as `run` does it, inside the test's own process: the same streams, a tenth the time.

    For tests of what a command does. Those of starting, ending, waiting and of locks between processes take `run`.
    Descriptors, environment, folder and garbage collection are as before when it returns. What a hook or a worker does
    to its own process (a watch that ends it, a session, an alarm) is left out.
    """
    from memoracle.interfaces.cli import main

    kept_environment, kept_folder, collecting = dict(os.environ), os.getcwd(), gc.isenabled()
    kept_streams = sys.stdin, sys.stdout, sys.stderr
    for stream in kept_streams[1:]:
        stream.flush()
    kept_handles = [os.dup(number) for number in range(3)]
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile(dir=_QUICK)) for _ in range(3)]
        files[0].write(stdin)
        files[0].seek(0)
        for name in ("memoracle.interfaces.hooks.entry._watch", "os.setsid", "os.nice", "signal.alarm"):
            stack.enter_context(mock.patch(name))
        try:
            _set_environment(surroundings() if env is None else env)
            if cwd is not None:
                os.chdir(cwd)
            for number, file in enumerate(files):
                os.dup2(file.fileno(), number)
            sys.stdin, sys.stdout, sys.stderr = (
                os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False)
                for number in range(3)
            )
            was = signal.signal(signal.SIGALRM, _give_up)
            signal.setitimer(signal.ITIMER_REAL, timeout)
            try:
                status = main([os.fspath(word) for word in words])
            except SystemExit as ended:
                status = ended.code or 0
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, was)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            sys.stdin, sys.stdout, sys.stderr = kept_streams
            for number, handle in enumerate(kept_handles):
                os.dup2(handle, number)
                os.close(handle)
            os.chdir(kept_folder)
            _set_environment(kept_environment)
            (gc.enable if collecting else gc.disable)()
        said = []
        for file in files[1:]:
            file.seek(0)
            said.append(file.read().decode())
    return status, *said


class TookTooLong(BaseException):
    """No error that anybody expects: it ends what hangs."""


def _give_up(*_):
    raise TookTooLong


def _set_environment(wanted):
    os.environ.clear()
    os.environ.update(wanted)
    time.tzset()
