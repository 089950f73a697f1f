"""Homes, repositories, and the facts found in them."""

import pytest

from memoracle.extensions.seats.scan.project.look import look_at_project

from .places import a_home, a_repo


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return a_home(folder)


@pytest.fixture
def repo(tmp_path):
    """Makes a repository of a sort."""

    def make(name):
        folder = tmp_path / "repos" / name
        folder.mkdir(parents=True)
        return a_repo(folder, name)

    return make


@pytest.fixture
def told(repo):
    """What a repository of a sort tells, by kind."""

    def look(name):
        seen = look_at_project(str(repo(name)), project="arena", depth="deep", at="2026-11-15T00:00:00Z")
        return {kind: document["data"] for kind, document in seen.documents.items()}

    return look
