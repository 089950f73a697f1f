"""A message handed to the command its owner named: the words on stdin, no shell, nothing of them among its arguments.

Off unless `MEMORACLE_SEND` names a command. What is sent has passed the privacy gate; this only carries it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_PATIENCE_S = 30.0


def transport_of(environment: Mapping[str, str]) -> Callable[[str], bool] | None:
    """The command that carries messages, as `MEMORACLE_SEND` names it; no file can."""
    chosen = environment.get("MEMORACLE_SEND", "none")
    if chosen in {"", "none"}:
        return None
    import shlex

    try:
        words = shlex.split(chosen.removeprefix("command:")) if chosen.startswith("command:") else []
    except ValueError:
        words = []
    if not words:
        raise BadSetting(
            "send", "it is neither `none` nor `command:` and a command line", where="MEMORACLE_SEND"
        )
    return _sender(words)


def _sender(words: Sequence[str]) -> Callable[[str], bool]:
    """A transport: True when the command took a message and ended well."""

    def send(message: str) -> bool:
        from subprocess import DEVNULL, TimeoutExpired, run

        try:
            done = run(  # noqa: S603 - the owner named it
                list(words),
                input=message.encode("utf-8", "replace"),
                stdout=DEVNULL,
                stderr=DEVNULL,
                timeout=_PATIENCE_S,
                check=False,
                start_new_session=True,
            )
        except (OSError, ValueError, TimeoutExpired):
            return False
        return done.returncode == 0

    return send
