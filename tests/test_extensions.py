"""Extensions behind one seam: each can be taken away without the core noticing, and anybody can add one."""

import json
import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

import memoracle
from golden.plain import Plain
from memoracle import registry
from memoracle.errors import MissingExtension
from support.processes import PYTHON, surroundings

SOURCE = Path(memoracle.__file__).parent
OURS = sorted(registry.OURS)
SAID = [
    {"role": "user", "content": "The garden club meets at the old mill."},
    {"role": "assistant", "content": "Noted."},
]
ASKED = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
]  # fmt: skip
STORY = (
    ("init",),
    ("remember", "the cat is called Miso"),
    ("remember", "the dentist is on Elm Street", "--json"),
    ("recall", "what is the cat called"),
    ("search", "dentist", "--json"),
    ("ingest", "said.jsonl"),
    ("consolidate",),
    ("context",),
    ("check",),
    ("status",),
    ("hook", "session-start", "--host", "claude-code"),
    ("mcp",),
    ("recall", "what is the name of the ship"),
)


def without(folder, *names):
    """A place to import the package from, whole but for some extensions."""
    shutil.copytree(
        SOURCE,
        folder / "memoracle",
        ignore=lambda here, found: {
            one for one in found if one == "__pycache__" or (one in names and Path(here).name == "extensions")
        },
    )
    return folder


class Place:
    """A home and a root in which commands of one copy of the package run."""

    def __init__(self, folder, *paths):
        folder.mkdir()
        self.folder = folder
        self.plain = Plain(folder)
        self.environment = surroundings(
            PYTHONPATH=os.pathsep.join(map(os.fspath, paths)),
            PYTHONDONTWRITEBYTECODE="1",
            HOME=str(folder),
            MEMORACLE_ROOTS=str(folder / "roots.json"),
            MEMORACLE_ROOT=str(folder / "root"),
            MEMORACLE_EMBEDDER="none",
            TZ="UTC",
        )
        (folder / "said.jsonl").write_text("".join(json.dumps(one) + "\n" for one in SAID))

    def run(self, *words, stdin=""):
        if words[0] == "mcp":
            stdin = "".join(json.dumps(one) + "\n" for one in ASKED)
        elif words[0] == "hook":
            stdin = json.dumps({"session_id": "s", "cwd": str(self.folder), "source": "startup"})
        done = subprocess.run(
            [PYTHON, "-m", "memoracle", *words],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=self.folder,
            env=self.environment,
        )
        return done.returncode, done.stdout, done.stderr

    def told(self, *words):
        """Exit status and both streams, without what differs from run to run."""
        status, out, err = self.run(*words)
        return status, self._same(out), self._same(err)

    def _same(self, text):
        """An extension may bring checks of its own, so how many ran is not told; nor at which minute the next job runs,
        nor how much of a long path has room.
        """
        same = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "<when>", self.plain(text))
        return re.sub(r"\b\d+ checks", "N checks", re.sub(r"said in \S+", "said in <place>", same))

    def story(self):
        return [(words, *self.told(*words)) for words in STORY]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What everything says where nothing is missing."""
    folder = tmp_path_factory.mktemp("whole")
    place = Place(folder / "place", without(folder / "site"))
    return place.story(), place.run("--help")[1]


@pytest.mark.long
@pytest.mark.parametrize("name", OURS)
def test_the_core_does_not_miss_it(tmp_path, whole, name):
    """Everything else works and says the same; the help page lacks its verbs alone."""
    place = Place(tmp_path / "place", without(tmp_path / "site", name))
    told, helped = whole
    assert place.story() == told
    status, out, err = place.run("--help")
    extension = registry.import_module(f"memoracle.extensions.{name}").EXTENSION
    lines = {f"  {verb.name:<14} {verb.help}" for verb in extension.verbs} | {f"{name}:", ""}
    assert (status, err) == (0, "")
    assert [one for one in helped.splitlines() if one not in lines] == [
        one for one in out.splitlines() if one
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", OURS)
def test_its_verbs_say_what_is_missing(tmp_path, name):
    """Exit 2, and the name of the extension."""
    place = Place(tmp_path / "place", without(tmp_path / "site", name))
    place.run("init")
    extension = registry.import_module(f"memoracle.extensions.{name}").EXTENSION
    for verb in extension.verbs:
        status, out, err = place.run(verb.name)
        assert (status, out) == (2, "")
        assert f"the extension {name} is not installed" in err
    for layout in extension.layouts:
        status, _, err = place.run("init", str(tmp_path / layout), "--layout", layout)
        assert (status, f"the extension {name} is not installed" in err) == (2, True)
        assert not (tmp_path / layout).exists()


@pytest.mark.long
def test_methods_say_what_is_missing(tmp_path):
    """From Python too, as an error of ours."""
    place = Place(tmp_path / "place", without(tmp_path / "site", *OURS))
    place.run("init")
    code = """
        import memoracle
        from memoracle.errors import MissingExtension
        with memoracle.open_memory() as memory:
            memory.remember("the cat is called Miso")
            for name in ("seats", "import_", "export", "sync", "scan_machine", "drift"):
                try:
                    getattr(memory, name)
                except MissingExtension as missing:
                    print(name, missing.extension)
            try:
                memory.nothing_like_it
            except AttributeError:
                print("unknown")
    """
    done = subprocess.run(
        [PYTHON, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
        env=place.environment,
    )
    assert done.stdout.split() == (
        "seats seats import_ exchange export exchange sync sync scan_machine seats drift seats unknown".split()
    ), done.stderr


@pytest.mark.long
def test_a_sealed_root_is_neither_read_nor_written_without_encryption(tmp_path):
    """It says what to install; sealed bytes are no words, and no words are put in clear beside them."""
    pytest.importorskip("pyrage")
    pytest.importorskip("cryptography")
    place = Place(tmp_path / "place", without(tmp_path / "site"))
    place.environment["MEMORACLE_PASSPHRASE"] = "six words that nobody says aloud"
    place.run("init")
    place.run("remember", "the cat is called Miso")
    identity = tmp_path / "identity"
    import pyrage

    key = pyrage.x25519.Identity.generate()
    identity.write_text(f"{key}\n")
    status, _, err = place.run("encrypt", "--recipient", str(key.to_public()))
    assert status == 0, err
    root = place.folder / "root"
    before = {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    bare = Place(tmp_path / "bare", without(tmp_path / "rest", "encryption"))
    bare.environment |= {"MEMORACLE_ROOT": str(root), "MEMORACLE_IDENTITY": str(identity)}
    for words in (
        ("recall", "cat"),
        ("remember", "the dog is called Bo"),
        ("check",),
        ("ingest", "said.jsonl"),
    ):
        status, out, err = bare.run(*words)
        assert (status, out) == (2, "")
        assert "the extension encryption is not installed" in err
    for event in ("session-start", "stop", "session-end"):
        assert bare.run("hook", event, "--host", "claude-code")[:2] == (0, "")
    after = {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    assert {path: after.get(path) for path in before} == before
    assert not [path for path, raw in after.items() if b"garden club" in raw or b"called Bo" in raw]


def outsider(folder):
    """Somebody else's package, as an installer leaves it."""
    package = folder / "lantern"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        textwrap.dedent('''
        """Lanterns."""

        from memoracle.registry import Extension, Verb

        EXTENSION = Extension(
            name="lantern",
            help="light",
            verbs=(Verb(name="light", help="light a lantern", method="lantern.work.light", module="lantern.work"),),
            checks=("lantern.work:look",),
            after_consolidation=("lantern.work:publish",),
            methods={"shine": "lantern.work:shine"},
            layouts={"lantern": "lantern.work:LAYOUT"},
        )
        ''')
    )
    (package / "work.py").write_text(
        textwrap.dedent('''
        """What a lantern does."""

        from memoracle.model.report import Done, Finding, Severity
        from memoracle.store.layouts import Sign, adopting

        LAYOUT = adopting(facts="lamp/facts.jsonl", signs=(Sign(any_of=("lamp",)),))


        def add_to_light(parser):
            parser.add_argument("room")


        def run_light(arguments, session):
            session.show({"lit": arguments.room}, f"{arguments.room} is lit")
            return 0


        def shine(root, brightly=False):
            """Shine."""
            return ("bright" if brightly else "dim", root.store.layout_name)


        def look(store):
            return [Finding(code="dark", severity=Severity.WARNING, path="", message="it is dark here")]


        def publish(store, *, dry_run):
            if not dry_run:
                store.volume.replace("notes/semantic/lamp.md", b"# Lamp\\n\\nThe lamp stands in the hall.\\n")
            return Done()
        ''')
    )
    about = folder / "lantern-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lantern\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[memoracle.extensions]\nlantern = lantern:EXTENSION\n")
    return folder


@pytest.mark.long
def test_anybody_can_add_one(tmp_path):
    """A verb, a method, a check, a file after each consolidation and a layout of somebody else."""
    place = Place(tmp_path / "place", outsider(tmp_path / "theirs"), SOURCE.parent)
    assert "lantern:\n  light          light a lantern\n" in place.run("--help")[1]
    place.run("init")
    assert place.run("light", "hall") == (0, "hall is lit\n", "")
    assert "it is dark here" in place.run("check")[1]
    place.run("remember", "the cat is called Miso")
    place.run("consolidate", "--force")
    assert "hall" in place.run("recall", "where does the lamp stand")[1]
    code = "import memoracle\nwith memoracle.open_memory() as memory: print(memory.shine(brightly=True))"
    done = subprocess.run(
        [PYTHON, "-c", code], capture_output=True, text=True, check=False, env=place.environment
    )
    assert done.stdout == "('bright', 'native')\n", done.stderr
    (tmp_path / "old" / "lamp").mkdir(parents=True)
    assert "(layout lantern)" in place.run("init", str(tmp_path / "old"))[1]
    assert place.run("--root", str(tmp_path / "old"), "remember", "the owl is called Hu")[0] == 0
    assert (tmp_path / "old/lamp/facts.jsonl").read_text().count("owl") == 1


@pytest.mark.parametrize("name", OURS)
def test_its_names_are_known(name):
    """What is missing can be named, and one that is there is imported without the others."""
    found = registry.import_module(f"memoracle.extensions.{name}").EXTENSION
    brought = {word for verb in found.verbs for word in (verb.name, *verb.aliases)}
    brought |= {*found.methods, *found.layouts, *found.points}
    assert brought == set(registry.OURS[name])
    assert set(found.points) <= registry.POINTS.keys()
    assert all(registry.named(one) for one in (*found.methods.values(), *found.points.values(), *found.tools))
    assert all(
        registry.named(one) for one in (*found.layouts.values(), *found.checks, *found.after_consolidation)
    )


def test_every_extension_is_listed():
    """No folder stands outside of the table."""
    assert [one.name for one in registry.built_in()] == OURS
    owners = [word for words in registry.OURS.values() for word in words]
    assert len(owners) == len(set(owners))
    assert registry.POINTS.keys() <= set(owners)


def test_a_name_of_ours_that_is_no_verb_is_not_called_missing():
    """`seats` is an attribute of a memory, and no verb."""
    assert registry.find_verb("seats") is None
    with pytest.raises(AttributeError):
        registry.method("encrypt")


def test_a_missing_one_is_told(monkeypatch):
    """By its name, and by what was wanted of it."""
    monkeypatch.setattr(registry, "_ours", lambda _: None)
    with pytest.raises(MissingExtension, match=r"the extension sync is not installed: `sync` is part of it"):
        registry.find_verb("sync")


@pytest.mark.parametrize(
    "words", [("recall", "cat"), ("remember", "x"), ("hook", "session-start"), ("hook", "stop")]
)
def test_a_cold_start_imports_none(memory, root, words):
    """On a root that needs none, no extension is loaded and none is looked for."""
    memory.remember("the cat is called Miso")
    memory.search("cat")
    done = subprocess.run(
        [PYTHON, "-X", "importtime", "-m", "memoracle", "--root", str(root), *words],
        input="{}",
        capture_output=True,
        text=True,
        check=False,
        env=surroundings(),
    )
    assert [line for line in done.stderr.splitlines() if "memoracle.extensions" in line] == []
    assert "memoracle.errors" in done.stderr
