"""Files of a package are found without running the package."""

import sys

from memoracle.inference.bundled import WeightPlace, find


def test_a_package_is_not_imported(tmp_path, monkeypatch):
    """A package whose import would fail still tells where its data lies."""
    data = tmp_path / "explosive" / "data"
    data.mkdir(parents=True)
    (tmp_path / "explosive" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    places = [
        WeightPlace(package="no_such_package", within="x"),
        WeightPlace(package="explosive", within="data"),
    ]

    assert find(places) == str(data)
    assert "explosive" not in sys.modules


def test_nothing_found_is_none(tmp_path, monkeypatch):
    """A package without the file, a plain module, and no package at all."""
    (tmp_path / "plain_module.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert (
        find(
            [
                WeightPlace(package=name, within="data")
                for name in ("plain_module", "numpy", "no_such_package")
            ]
        )
        is None
    )
