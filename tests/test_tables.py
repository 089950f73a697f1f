"""Tables in TOML: parts are put in place, and what was parsed is kept beside the file until the file changes."""

import json
import os

import pytest

from memoracle import tables


@pytest.fixture(autouse=True)
def fresh():
    """No table of another test is remembered."""
    tables.table.cache_clear()
    yield
    tables.table.cache_clear()


def read(path):
    tables.table.cache_clear()
    return tables.table(str(path))


def test_parts_stand_in_for_text_and_for_each_other():
    """In strings, lists and tables, earlier parts in later ones."""
    made = tables.parsed(
        "[parts]\na = 'x'\nb = '«a»y'\n[[row]]\npattern = '(«b»)'\nliterals = ['«a»']\nleast = 3\n"
    )
    assert made == {"row": [{"pattern": "(xy)", "literals": ["x"], "least": 3}]}


def test_a_part_that_is_missing_is_an_error():
    """No pattern is used with a hole in it."""
    with pytest.raises(KeyError):
        tables.parsed("row = '«nothing»'")


def test_what_was_parsed_is_kept_until_the_file_changes(tmp_path, monkeypatch):
    """The second reading parses nothing; a changed file is parsed again, even at the same size and time."""
    path = tmp_path / "one.toml"
    path.write_text("row = 'a'")
    assert read(path) == {"row": "a"}
    with monkeypatch.context() as patched:
        patched.setattr(tables, "parsed", None)
        assert read(path) == {"row": "a"}
    seen = path.stat()
    path.write_text("row = 'b'")
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert read(path) == {"row": "b"}


@pytest.mark.parametrize("held", ["", "torn", "1 9 0\n{", '1 9 0\n{"row": "other"}'])
def test_a_damaged_copy_is_made_anew(tmp_path, held):
    """What lies there counts only when it is whole and of this very file."""
    path = tmp_path / "one.toml"
    path.write_text("row = 'a'")
    copy = tmp_path / "compiled" / "one.json"
    copy.parent.mkdir()
    copy.write_text(held)
    assert read(path) == {"row": "a"}
    assert json.loads(copy.read_text().partition("\n")[2]) == {"row": "a"}


def test_nothing_is_kept_where_nothing_may_be_written(tmp_path):
    """Where a folder is somebody else's, the table is the same."""
    path = tmp_path / "one.toml"
    path.write_text("row = 'a'")
    (tmp_path / "compiled").write_text("no folder")
    assert read(path) == {"row": "a"}


def test_a_part_may_be_given_something():
    """What is given stands in the part, and may hold parts itself; a line that begins with | goes on."""
    made = tables.parsed(
        "row = '''\n«who⟨am «name»⟩⟨is⟩»\n    |x{2}'''\n[parts]\nname = '[A-Z]{1,9}'\nwho = '(?:I «$1»|he «$2»)'\n"
    )
    assert made == {"row": "(?:I am [A-Z]{1,9}|he is)|x{2}"}


def test_a_copy_is_of_all_its_files(tmp_path):
    """What is made of several files is made anew when one of them changes."""
    files = [tmp_path / "a.toml", tmp_path / "b.toml"]
    for file in files:
        file.write_text("x")
    sources = [str(file) for file in files]
    assert tables.kept(str(tmp_path / "both"), sources, lambda: 1) == 1
    assert tables.kept(str(tmp_path / "both"), sources, lambda: 2) == 1
    files[1].write_text("y")
    assert tables.kept(str(tmp_path / "both"), sources, lambda: 3) == 3
