"""The command line inside the test's own process: words in, status and both streams out."""

import io
import json
import sys
from dataclasses import dataclass

import pytest

from memoracle.interfaces.cli import main


@dataclass(frozen=True)
class Ran:
    """What one call did."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON document on stdout; anything else there is an error."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1
        return json.loads(self.out)


@pytest.fixture
def cli(root, capsys, monkeypatch):
    """Runs one command on the test's root; recall goes by words alone."""
    monkeypatch.setenv("MEMORACLE_RECIPE", "quick")

    def run(*words, stdin=b"", at=root):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        before = ["--root", str(at)] if at else []
        status = main([*before, *map(str, words)])
        said = capsys.readouterr()
        return Ran(status=status, out=said.out, err=said.err)

    return run


@pytest.fixture
def made(cli):
    """The id of a record that is there."""
    return cli("remember", "the cat is called Miso", "--json").json["id"]
