"""The room says what is in it; see `memoracle/store/__init__.py`."""

import re
from pathlib import Path

from memoracle import store

ROOM = Path(store.__file__).parent


def test_every_file_is_listed():
    """The room says what is in it, and nothing that is not."""
    listed = set(re.findall(r"(\w+)\.py", store.__doc__))
    assert listed == {path.stem for path in ROOM.glob("*.py")} - {"__init__"}
