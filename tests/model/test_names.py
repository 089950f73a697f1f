"""Which names may become names on disk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.errors import InvalidName
from memoracle.model.record import Scope, check_name


@pytest.mark.parametrize("name", ["arena", "M2.0-C", "a", "花生", "builder_2", "2026"])
def test_ordinary_names_pass(name):
    """Letters of any script, digits, dots, dashes and underscores."""
    assert check_name("project", name) == name


@pytest.mark.seed("F-25")
@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../../x",
        "a/b",
        "a\\b",
        "/etc",
        "a..b",
        ".hidden",
        "-flag",
        "_x",
        "trailing.",
        "with space",
        "new\nline",
        "nul\0",
        "a:b",
        "cafe\u0301",
        "zero\u200bwidth",
        "right\u202eleft",
        "CON",
        "nul.txt",
        "lpt1",
        "x" * 201,
        "é" * 101,
        "\ud800",
        "*",
        "~",
    ],
)
def test_names_that_could_mean_something_else_are_refused(name):
    """Nothing that walks upwards, hides, has two spellings, or is reserved somewhere."""
    with pytest.raises(InvalidName):
        check_name("project", name)


def test_a_scope_checks_its_names():
    """A project with a path for a name is refused where it is said."""
    with pytest.raises(InvalidName):
        Scope(project="../other")


@given(st.text(max_size=60))
def test_an_accepted_name_is_one_plain_step(name):
    """Whatever is accepted is a single file name that stays where it is put."""
    try:
        accepted = check_name("seat", name)
    except InvalidName:
        return
    assert "/" not in accepted
    assert ".." not in accepted
    assert accepted[0] not in "._-~"
    assert len(accepted.encode()) <= 200
