"""Each platform's own place for caches."""

import os

import pytest

from memoracle.inference.bundled import default_cache_dir


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/x/memoracle"),
        ({"HOME": "/h"}, "linux", "/h/.cache/memoracle"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Caches/memoracle"),
        ({"LOCALAPPDATA": "/l"}, "win32", "/l/memoracle"),
    ],
)
def test_places(environ, platform, expected):
    """XDG wins where it is set."""
    assert default_cache_dir(environ, platform).replace(os.sep, "/") == expected
