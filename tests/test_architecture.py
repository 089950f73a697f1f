"""The rooms and their arrows, read from the imports themselves; and what a cold start may not load."""

import ast
import json
import re
import subprocess
from collections import Counter
from functools import cache

import pytest

from memoracle.interfaces.cli import every_verb
from support.processes import PYTHON, surroundings
from support.source import SOURCE, module_of, nodes_of, tree_of, trees

# From the inside out. A room imports what stands before it; rooms of one line do not import each other.
RINGS = (
    ("model", "errors", "times", "lock", "tables", "text", "project", "registry", "resolve", "zstd"),
    ("store", "index", "inference", "guard", "settings"),
    ("root",),
    ("recall", "learn", "context", "hosts", "upkeep"),
    ("memory", "compose"),
    ("interfaces", "adapters", "__main__"),
    ("extensions",),
)
# Who may look sideways, and why.
SIDEWAYS = {
    ("model", "errors"),  # the innermost ring is one vocabulary
    ("model", "times"),
    ("model", "text"),
    ("registry", "model"),
    ("registry", "errors"),
    ("times", "errors"),
    ("text", "errors"),
    ("inference", "model"),
    ("store", "settings"),
    ("settings", "guard"),  # a setting names a policy mode
    ("recall", "learn"),  # a question is read with the words that sentences are
    ("learn", "context"),  # the last phases of a consolidation write the hot file and the digests,
    ("learn", "hosts"),  # the first reads transcripts,
    ("learn", "upkeep"),  # and between them records age and a health line is kept
    ("compose", "memory"),
    ("__main__", "interfaces"),
}
RING_OF = {part: ring for ring, parts in enumerate(RINGS) for part in parts}


def part_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports_of(path):
    """The parts of memoracle that a file imports, wherever in it the import stands."""
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where they point"
            modules = (
                [node.module] if node.module != "memoracle" else [f"memoracle.{n.name}" for n in node.names]
            )
        elif isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        else:
            continue
        for module in modules:
            steps = (module or "").split(".")
            if steps[0] == "memoracle" and len(steps) > 1 and steps[1] in RING_OF:
                yield steps[1], node.lineno


FILES = sorted(path for path in SOURCE.rglob("*.py") if path.name != "__init__.py" or path.parent != SOURCE)


@cache
def edges():
    """Which part imports which, and where."""
    return sorted(
        {
            (part_of(path), to, f"{path.relative_to(SOURCE)}:{line}")
            for path in FILES
            for to, line in imports_of(path)
            if part_of(path) not in {to, "root"}  # it names what it holds, for type checkers alone
            if (part_of(path), to)
            != ("memory", "extensions")  # so does it; see `test_extensions_are_not_imported`
        }
    )


def test_every_part_has_its_ring():
    """A new folder takes its place in the table first."""
    assert {part_of(path) for path in FILES} - RING_OF.keys() == set()


def test_imports_point_inward():
    """No room knows of a room outside it."""
    assert [e for e in edges() if RING_OF[e[1]] > RING_OF[e[0]]] == []


def test_neighbours_do_not_import_each_other():
    """Where one does, the table says why."""
    sideways = [edge for edge in edges() if RING_OF[edge[1]] == RING_OF[edge[0]] and edge[:2] not in SIDEWAYS]
    order = ("recall", "learn", "context", "hosts", "upkeep")  # each may import those before it
    left = {(one, other) for place, one in enumerate(order) for other in order[:place]}
    assert [edge for edge in sideways if edge[:2] not in left] == []


def test_extensions_are_not_imported():
    """The core finds them in the registry; what `Memory` offers of them is named for type checkers alone."""
    found = []
    for path in FILES:
        if part_of(path) != "extensions":
            tree = tree_of(path)
            found += [
                f"{path.relative_to(SOURCE)}: {node.module}"
                for node in (nodes_of(path) if part_of(path) != "memory" else tree.body)
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memoracle.extensions")
            ]
            found += [
                f"{path.relative_to(SOURCE)}: {node.value}"
                for node in nodes_of(path)
                if isinstance(node, ast.Constant) and str(node.value).startswith("memoracle.extensions.")
                if part_of(path) != "registry"
            ]
    assert found == []


@pytest.mark.seed("C-01")
def test_truth_and_view_never_meet():
    """`store` and `index` do not know of each other."""
    assert [edge for edge in edges() if set(edge[:2]) == {"store", "index"}] == []


def test_a_root_makes_nothing():
    """It names the types of what it holds; at run time it knows values alone."""
    tree = tree_of(SOURCE / "root.py")
    known = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert [name for name in known if name.startswith("memoracle.")] == ["memoracle.model.value"]


def test_only_composing_chooses_a_view():
    """Whoever asks a view knows `index/api.py`, never an implementation."""
    known = {f"memoracle.index.{name}" for name in ("api", "features", "graph", "sync")}
    chosen = [
        f"{path.relative_to(SOURCE)}: {node.module}"
        for path in FILES
        if part_of(path) not in {"index", "compose"}
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memoracle.index")
        if node.module not in known
    ]
    assert chosen == []


def test_nothing_imports_interfaces():
    """What people speak to is the outermost thing there is."""
    assert [
        edge for edge in edges() if edge[1] == "interfaces" and edge[0] not in {"__main__", "extensions"}
    ] == []


def test_the_model_is_made_of_values():
    """The words of the domain touch no files, no processes and no network."""
    forbidden = {"os", "io", "pathlib", "sqlite3", "socket", "subprocess", "shutil", "tempfile"}
    found = []
    for path in sorted((SOURCE / "model").glob("*.py")):
        for node in nodes_of(path):
            names = [n.name for n in node.names] if isinstance(node, ast.Import) else []
            found += [f"{path.name}: {name}" for name in names if name in forbidden and path.name != "ids.py"]
    assert found == []


def test_every_file_says_what_it_holds():
    """A module begins with its own description."""
    silent = [
        str(path.relative_to(SOURCE))
        for path in FILES
        if path.stat().st_size and not ast.get_docstring(tree_of(path))
    ]
    assert silent == []


# Start-up is a feature

HEAVY = ("asyncio", "pydantic", "rich", "importlib.metadata", "logging", "onnxruntime", "msgspec", "yaml")


def loaded_by(*words, said=""):
    """The modules that a run of the command line imports."""
    done = subprocess.run(
        [PYTHON, "-X", "importtime", "-m", "memoracle", *words],
        input=said,
        capture_output=True,
        text=True,
        check=False,
        env=surroundings(),
    )
    assert done.returncode in {0, 3}, done.stderr[-2000:]
    rows = [
        line.rpartition("|")[2].strip()
        for line in done.stderr.splitlines()
        if line.startswith("import time:")
    ]
    return set(rows)


def heavy_among(modules, names):
    return sorted(name for name in names if any(m == name or m.startswith(f"{name}.") for m in modules))


def test_help_loads_next_to_nothing():
    """The help page needs neither numpy nor SQLite nor any verb."""
    modules = loaded_by("--help")
    assert heavy_among(modules, (*HEAVY, "numpy", "sqlite3", "argparse", "memoracle.memory")) == []


@pytest.mark.parametrize("verb", ["recall", "search", "list", "remember", "status"])
def test_a_cold_verb_loads_nothing_heavy(memory, root, verb):
    """A recall imports numpy at most."""
    memory.remember("the cat is called Miso")
    memory.search("cat")
    words = {"list": [], "status": []}.get(verb, ["cat"])
    assert heavy_among(loaded_by("--root", str(root), verb, *words), HEAVY) == []


def test_remembering_needs_no_numpy(root):
    """Keeping something is a line in a file."""
    assert heavy_among(loaded_by("--root", str(root), "remember", "x"), ("numpy",)) == []


def test_a_hook_that_leaves_a_line_reads_no_records(root, tmp_path):
    """A host waits for it after every answer: it notes where the conversation has come to, and ends."""
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"type": "user", "message": {"role": "user", "content": "hello"}}\n')
    call = json.dumps({"session_id": "s", "transcript_path": str(talk), "cwd": str(tmp_path)})
    loaded = loaded_by("--root", str(root), "hook", "stop", "--host", "claude-code", said=call)
    assert "memoracle.store.spool" in loaded
    records = ("memoracle.model.record", "memoracle.text", "memoracle.memory", "argparse", "dataclasses")
    assert heavy_among(loaded, (*HEAVY, *records)) == []


def test_importing_the_package_costs_nothing():
    """Names are loaded on first use."""
    code = "import sys, memoracle; print([m for m in sys.modules if m.startswith('memoracle.')])"
    done = subprocess.run(
        [PYTHON, "-c", code], capture_output=True, text=True, check=True, env=surroundings()
    )
    assert done.stdout == "[]\n"


PROTOCOL = 3
"""A name that so many modules define is a protocol of theirs: it is enough that somebody asks a module for it."""
HELD_FOR_OTHERS = {
    "fitting": "tries one row of a table by its own examples; the product matches all rows at once",
}


@cache
def uses_of_all():
    return Uses()


class Uses:
    """Every way in which the package names something of itself."""

    def __init__(self):
        self.imported, self.modules, self.strings = set(), set(), set()
        self.attributes, self.names, self.aliases = {}, {}, {}
        for path in SOURCE.rglob("*.toml"):  # a row of a table names the function that checks what it finds
            self.strings |= set(
                re.findall("^check = '(.+)'$", path.read_text(encoding="utf-8"), re.MULTILINE)
            )
        for path in sorted(SOURCE.rglob("*.py")):
            module = module_of(path)
            for node in nodes_of(path):
                if isinstance(node, ast.ImportFrom):
                    self.imported |= {(node.module, one.name) for one in node.names}
                    self.modules |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
                    for one in node.names:
                        self.aliases.setdefault(f"{node.module}.{one.name}", set()).add(
                            one.asname or one.name
                        )
                elif isinstance(node, ast.Import):
                    self.modules |= {one.name for one in node.names}
                elif isinstance(node, ast.Attribute):
                    self.attributes.setdefault(node.attr, []).append((module, node.lineno, node.value))
                elif isinstance(node, ast.Name):
                    self.names.setdefault(node.id, []).append((module, node.lineno))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    self.strings |= {node.value, *node.value.rsplit(":", 1)}

    def reach(self, module, thing, *, shared):
        """True when something outside its own lines names a function or class of a module."""
        own = any(
            (where == module and not thing.lineno <= line <= thing.end_lineno)
            for where, line in self.names.get(thing.name, ())
        )
        called = {
            value.id for _, _, value in self.attributes.get(thing.name, ()) if isinstance(value, ast.Name)
        }
        return (
            own
            or (module, thing.name) in self.imported
            or thing.name in self.strings
            or not called.isdisjoint(self.aliases.get(module, ()))
            or (shared and thing.name in self.attributes)
        )

    def reach_method(self, module, method):
        """True when something outside its own lines asks anything for an attribute of that name."""
        found = [(where, line) for where, line, _ in self.attributes.get(method.name, ())]
        inside = [where == module and method.lineno <= line <= method.end_lineno for where, line in found]
        return not all(inside) or method.name in self.strings


def test_no_code_is_there_for_tests_alone():
    """Every function, class and method is used by the product: a proof of something that nobody calls proves nothing."""
    uses, things = uses_of_all(), (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    tops = [(module, one) for module, tree in trees().items() for one in tree.body if isinstance(one, things)]
    of_verbs = {
        f"{what}_{verb.name.replace('-', '_')}" for verb in every_verb() for what in ("add_to", "run")
    }
    often = {name for name, times in Counter(one.name for _, one in tops).items() if times >= PROTOCOL}
    dead = [
        f"{module}.{one.name}"
        for module, one in tops
        if not uses.reach(module, one, shared=one.name in often)
        and one.name not in HELD_FOR_OTHERS
        and not one.name.startswith("__")
        and one.name not in of_verbs
    ]
    dead += [
        f"{module}.{holder.name}.{one.name}"
        for module, holder in tops
        if isinstance(holder, ast.ClassDef) and _is_plain(holder)
        for one in holder.body
        if isinstance(one, things[:2]) and not one.name.startswith("__") and one.name not in HELD_FOR_OTHERS
        if not uses.reach_method(module, one)
    ]
    assert dead == [], dead


def _is_plain(holder):
    """False for a class whose methods some library calls: a handler of requests, a parser."""
    return not any(isinstance(base, ast.Attribute) for base in holder.bases)


def test_every_module_is_imported_or_named():
    """A file that nothing imports, and whose name stands in no table, is not part of the product."""
    uses = uses_of_all()
    rooms = {module for module in trees() if any(other.startswith(f"{module}.") for other in trees())}
    registered = {one.partition(":")[0] for one in uses.strings if one.startswith("memoracle.")}
    alone = [
        module
        for module in trees().keys() - rooms - {"memoracle", "memoracle.__main__"}
        if module not in uses.modules | registered and not {module, module.rpartition(".")[2]} & uses.strings
    ]
    assert sorted(alone) == []


def test_the_files_that_a_room_names_are_there():
    """The first words of a room lead nowhere else."""
    lost = [
        (module, name)
        for module, tree in trees().items()
        for name in re.findall(r"(?<![\w.])([\w/]+\.py)\b", ast.get_docstring(tree) or "")
        if (SOURCE.parent / module.replace(".", "/") / "__init__.py").exists()
        and not any((place / name).exists() for place in (SOURCE.parent / module.replace(".", "/"), SOURCE))
    ]
    assert lost == []


# Calls that open, list, look at, rename or remove files.
FILE_CALLS = {
    *(f"os.{name}" for name in (
        "open", "listdir", "scandir", "walk", "stat", "lstat", "access", "replace", "rename", "link", "symlink", "readlink",
        "unlink", "remove", "rmdir", "mkdir", "makedirs", "chmod", "truncate", "utime",
    )),
    *(f"os.path.{name}" for name in ("exists", "lexists", "isfile", "isdir", "islink", "getsize", "getmtime")),
    *(f"shutil.{name}" for name in ("copyfile", "rmtree", "move", "copytree")),
    "open",
}  # fmt: skip
# Files of `store` that may use them, and why. Everything else reaches a root through its volume.
ON_DISK = {
    "disk.py": "the volume that is a folder",
    "durable.py": "the volume that is a folder",
    "audit_trail.py": "asks the kernel which run of the machine this is",
    "records.py": "the keys of many records: SQLite, beside the view and derived as it is",
    "sealed.py": "whether there are keys, which is asked before anything can be opened",
    "machine_state.py": "whose a state is: told by folders of this machine, and by what a person keeps outside of the root",
    "roots.py": "the list of a person's roots, outside of all of them; a folder that is no memory yet",
    "spool.py": "the queue of this machine's hooks, which rename it under each other's locks",
    "store.py": "whether there is a folder at all",
    "sessions.py": "conversations stand where their hosts keep them, outside of the root",
}
# Whoever else uses what the folder is made of, and why.
BESIDE_THE_VOLUME = {
    "extensions/encryption": "seals whole folders, and reads keys, before anything can be opened",
    "extensions/exchange/exporting.py": "writes to a folder that is no memory",
    "upkeep/backup.py": "writes and reads archives, and makes a folder that becomes a memory",
    "hosts/lines.py": "reads conversations, and copies of them by their place",
    "extensions/exchange/imports": "reads what other programs keep",
}


def calls_of(tree):
    """The functions that a file calls by their full name, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            yield ast.unparse(node.func), node.lineno


def test_truth_is_reached_through_its_volume():
    """No module of the store touches files by itself, but those that have a reason; and each of these does."""
    found = {
        path.name: [(name, line) for name, line in calls_of(tree_of(path)) if name in FILE_CALLS]
        for path in (SOURCE / "store").glob("*.py")
    }
    assert {name: calls for name, calls in found.items() if calls and name not in ON_DISK} == {}
    assert [name for name in ON_DISK if name not in found or not found[name]] == []


def test_nobody_passes_by_the_volume():
    """What the folder is made of is used by the store alone, and by those who work on folders that are no memory."""
    paths = (f"memoracle.store.disk.{name}" for name in ("inside", "walk", "not_walked"))
    inner = {"memoracle.store.durable", *paths}
    beside = set()
    for path in FILES:
        where = str(path.relative_to(SOURCE))
        if where.startswith("store/"):
            continue
        named = {name for name, _ in calls_of(tree_of(path))} & {"sealed.read"}
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom):
                named |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)} & inner
        if named:
            beside.add(next((one for one in BESIDE_THE_VOLUME if where.startswith(one)), where))
    assert beside == set(BESIDE_THE_VOLUME)
