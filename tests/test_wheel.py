"""What people install: the wheel, built here and tried in an environment without the checkout."""

import base64
import hashlib
import json
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from support.processes import surroundings

pytest.importorskip("hatchling")
pytestmark = pytest.mark.long

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "src" / "memoracle"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built without the network: the tool that builds is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of programs of a fresh environment: the wheel is installed, its dependencies are borrowed from ours."""
    home = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    command = [home / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(command, check=True, env=surroundings())
    # A path in a .pth file is searched, but the .pth files there are not read: our editable package stays unseen.
    (next(home.glob("lib/python*/site-packages")) / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin"


def call(installed, folder, *words, embedder="none"):
    """One command, far from the checkout."""
    done = subprocess.run(
        [installed / "memoracle", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=surroundings(HOME=str(folder), MEMORACLE_EMBEDDER=embedder),
    )
    return done.returncode, done.stdout, done.stderr


def test_the_wheel_holds_the_package_and_nothing_beside_it(wheel):
    """Every file of the source, tables and texts as well; no tests, no benchmarks, no peers."""
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    source = {
        str(path.relative_to(PACKAGE.parent))
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == source
    assert [name for name in names if {"bench", "benchmarks", "peers"} & set(name.split("/"))] == []
    assert {Path(name).suffix for name in names} >= {".py", ".sql", ".md", ".typed", ".safetensors"}


def test_the_wheel_carries_its_model_and_stays_small(wheel):
    """The weights are in it, named in its record with their digest, and all of it is at most 40 MB."""
    inside = zipfile.ZipFile(wheel)
    record = inside.read(next(name for name in inside.namelist() if name.endswith("/RECORD"))).decode()
    sizes = []
    for use in ("embed", "read", "tag"):
        name = f"memoracle/inference/weights/{use}.safetensors"
        digest = base64.urlsafe_b64encode(hashlib.sha256(inside.read(name)).digest()).decode().rstrip("=")
        sizes.append(inside.getinfo(name).file_size)
        assert f"{name},sha256={digest},{sizes[-1]}" in record.splitlines()
    assert (sum(sizes) <= 40e6, wheel.stat().st_size <= 40e6) == (True, True)


def test_nothing_of_the_workshop_is_published(wheel):
    """Extras are for people who use it; its own address is there."""
    inside = zipfile.ZipFile(wheel)
    about = inside.read(next(name for name in inside.namelist() if name.endswith("/METADATA"))).decode()
    extras = {line.partition(": ")[2] for line in about.splitlines() if line.startswith("Provides-Extra")}

    assert not extras & {"dev", "test", "lint", "bench"}
    assert "Project-URL: Homepage, https://github.com/memoracle/memoracle" in about


def test_the_command_works_without_the_checkout(installed, tmp_path):
    """Remember, recall, and the version that the package says."""
    from memoracle import __version__

    root = str(tmp_path / "memory")
    assert call(installed, tmp_path, "--version")[:2] == (0, f"memoracle {__version__}\n")
    assert call(installed, tmp_path, "init", root)[0] == 0
    assert call(installed, tmp_path, "--root", root, "remember", "the cat is called Miso")[0] == 0
    status, out, err = call(
        installed, tmp_path, "--root", root, "recall", "What is the cat called?", "--json"
    )
    assert status == 0, err
    assert "Miso" in json.dumps(json.loads(out))


def test_vectors_work_without_anything_else(installed, tmp_path):
    """The bundled model embeds what was remembered, and a question with other words, in another language, finds it."""
    root = str(tmp_path / "memory")
    call(installed, tmp_path, "init", root)
    for text in ("I am allergic to peanuts", "the car needs new tyres", "妈妈下个月来上海"):
        call(installed, tmp_path, "--root", root, "remember", text)
    status, out, err = call(installed, tmp_path, "--root", root, "embed", "--json", embedder="bundled")
    assert (status, json.loads(out)["embedded"] >= 3) == (0, True), err
    asked = ("recall", "我对什么食物过敏？", "--json")
    _, out, _ = call(installed, tmp_path, "--root", root, *asked, embedder="bundled")
    assert "peanuts" in out
    assert call(installed, tmp_path, "--root", root, "check", embedder="bundled")[0] == 0


def test_rules_and_texts_are_found_where_they_are_installed(installed, tmp_path):
    """Extraction and the guard read their tables from the wheel."""
    root = str(tmp_path / "memory")
    call(installed, tmp_path, "init", root)
    said = {"id": "1", "session": "s", "speaker": "user", "date": "2026-03-04", "text": "My name is Ada"}
    (tmp_path / "said.jsonl").write_text(json.dumps(said) + "\n", encoding="utf-8")
    assert call(installed, tmp_path, "--root", root, "ingest", str(tmp_path / "said.jsonl"))[0] == 0
    assert call(installed, tmp_path, "--root", root, "consolidate")[0] == 0
    assert "Ada" in call(installed, tmp_path, "--root", root, "list")[1]


def test_the_benchmarks_are_elsewhere_and_it_says_where(installed, tmp_path):
    """One sentence and a hint, no traceback."""
    status, _, err = call(installed, tmp_path, "bench", "run", "--peers")
    assert (status, "Traceback" in err) == (2, False)
    assert "not part of the installed package" in err
    assert "https://github.com/memoracle/memoracle" in err
