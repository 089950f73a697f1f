"""The reference says everything the code can do: verbs, options, settings, errors, exits, findings."""

import ast
import re
from pathlib import Path

import pytest

from memoracle.errors import MemoracleError
from memoracle.interfaces.cli import every_verb, load
from memoracle.interfaces.cli.session import MEANING, Parser
from memoracle.model.value import fields
from memoracle.settings import Settings
from seed_plugin import COLLECTED
from support.source import SOURCE, nodes_of

PROJECT = Path(__file__).parent.parent
REFERENCE = PROJECT / "docs" / "reference"

pytestmark = pytest.mark.skipif(not REFERENCE.exists(), reason="there is no reference here")


def read(name):
    return (REFERENCE / f"{name}.md").read_text(encoding="utf-8")


def section(page, title):
    """The part of a page under one heading."""
    found = re.search(rf"^## `?{re.escape(title)}`?\b.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def rows(page):
    """The first cell of every table row, without its marks."""
    cells = re.findall(r"^\|([^|\n]*)\|", page, re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"[\w.\-]+", cell.replace("*", ""))}


def options_of(verb):
    parser = Parser(prog=verb.name)
    load(verb)[0](parser)
    actions = [*parser._actions, *(inner for _, act in acts_of(parser) for inner in act._actions)]
    return {option for action in actions for option in action.option_strings} - {"-h", "--help", "--json"}


@pytest.mark.parametrize("verb", every_verb(), ids=lambda verb: verb.name)
def test_every_verb_has_its_heading(verb):
    """In docs/reference/verbs.md, with its other names."""
    text = section(read("verbs"), verb.name)
    assert (bool(text), [alias for alias in verb.aliases if alias not in text]) == (True, [])


@pytest.mark.parametrize("verb", every_verb(), ids=lambda verb: verb.name)
def test_every_option_is_explained(verb):
    """Under its verb, or among the filters that several verbs share."""
    page = read("verbs")
    text = page.partition("\n## ")[0] + section(page, verb.name)
    for twin in re.findall(r"^Arguments as of \[`([\w\-]+)`\]", text, re.MULTILINE):
        text += section(page, twin)
    told = set(re.findall(r"--[\w\-]+", text))
    assert options_of(verb) - told == set()


def test_every_option_has_help():
    """The reference is made of it: an option without a word of help would be named and not explained."""
    silent = []
    for verb in every_verb():
        parser = Parser(prog=verb.name)
        load(verb)[0](parser)
        parsers = [parser, *(act for _, act in acts_of(parser))]
        silent += [
            (verb.name, *action.option_strings)
            for one in parsers
            for action in one._actions
            if action.option_strings and not action.help
        ]
    assert silent == []


def acts_of(parser):
    """The parsers of the words behind a verb, at any depth."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for name, act in action.choices.items():
                yield name, act
                yield from acts_of(act)


def test_no_verb_is_documented_that_does_not_exist():
    """What left the code left the reference."""
    headings = set(re.findall(r"^## `?([a-z][a-z\-]*)`?", read("verbs"), re.MULTILINE))
    assert headings - {verb.name for verb in every_verb()} == set()


@pytest.mark.parametrize("name", list(fields(Settings)))
def test_every_setting_has_its_row(name):
    """In docs/reference/settings.md."""
    assert name in rows(read("settings"))


def family(error):
    yield error
    for child in error.__subclasses__():
        yield from family(child)


def error_codes():
    """The code of every error class in the source, wherever it is defined: its name, with hyphens."""
    above = {}
    for path in SOURCE.rglob("*.py"):
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                above[node.name] = {getattr(base, "id", "") for base in node.bases}
    known = {"MemoracleError"}
    while new := {name for name, bases in above.items() if bases & known} - known:
        known |= new
    return {"error"} | {re.sub("(?<!^)(?=[A-Z])", "-", name).lower() for name in known - {"MemoracleError"}}


def test_every_error_code_has_its_row():
    """In docs/reference/errors.md, with the exit status it really has."""
    page = read("errors").splitlines()
    statuses = {}
    for error in family(MemoracleError):
        statuses.setdefault(error.code, set()).add(error.status)
    wrong = []
    for code in sorted(error_codes()):
        line = next((row for row in page if re.match(rf"\|\s*\*?`{code}`\*?(?: \(`\w+`\))?\s*\|", row)), "")
        if not line or any(f"| {status} |" not in line for status in statuses.get(code, ())):
            wrong.append((code, line))
    assert wrong == []


@pytest.mark.parametrize("status", sorted(MEANING))
def test_every_exit_has_its_row(status):
    """In docs/reference/errors.md."""
    assert re.search(rf"^\| `?{status}`? \|", read("errors"), re.MULTILINE)


# Which argument carries the code of a finding, for each function that makes one.
MAKERS = {
    "Finding": None,
    "Damage": None,
    "DamagedLine": 0,
    "notice": 1,
    "_error": 0,
    "_warning": 0,
    "_finding": 0,
}


def finding_codes():
    """Every code that a call in the source gives to a finding."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in nodes_of(path):
            if (
                not isinstance(node, ast.Call)
                or not isinstance(node.func, ast.Name)
                or node.func.id not in MAKERS
            ):
                continue
            place = MAKERS[node.func.id]
            values = [word.value for word in node.keywords if word.arg == "code"]
            values += node.args[place : place + 1] if place is not None else []
            found |= {value.value for value in values if isinstance(value, ast.Constant)}
    return {code for code in found if isinstance(code, str) and re.fullmatch(r"[a-z][a-z0-9\-]+", code)}


def test_every_finding_code_has_its_row():
    """In docs/reference/errors.md."""
    assert (
        sorted((finding_codes() | {"nul-line", "conflict-marker", "torn-line"}) - rows(read("errors"))) == []
    )


def anchors(page):
    """What a link may name on a page: its headings as addresses, and its own marks."""
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    found = {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
    return found | set(re.findall(r'<a id="([^"]+)"', text))


def test_links_between_pages_lead_somewhere():
    """Every relative link of a page names a file that exists, and a part of it that is there."""
    pages = [*(PROJECT / "docs").rglob("*.md"), PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"]
    lost = []
    for path in sorted(pages):
        for target, part in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", path.read_text(encoding="utf-8")):
            if "://" in target or (not target and not part):
                continue
            leads = path.parent / target if target else path
            if not leads.exists() or (part and leads.suffix == ".md" and part not in anchors(leads)):
                lost.append(f"{path.relative_to(PROJECT)} → {target}#{part}")
    assert lost == []


def test_generated_pages_are_up_to_date(monkeypatch):
    """Verbs and errors in the reference are what the code says of itself."""
    monkeypatch.syspath_prepend(str(PROJECT / "scripts"))
    import reference

    stale = [path.name for path, text in reference.fresh().items() if path.read_text("utf-8") != text]
    assert stale == [], "run `python scripts/reference.py`"


def test_conformance_is_up_to_date(request, monkeypatch):
    """docs/conformance.md says what the marks of the tests say."""
    monkeypatch.syspath_prepend(str(PROJECT / "scripts"))
    import conformance

    found = request.config.stash[COLLECTED]
    if found.files != set((PROJECT / "tests").rglob("test_*.py")) or found.is_part:
        proofs = conformance.proofs()  # only some tests were chosen: all of them have to be looked at
    else:
        proofs = found.proofs
    held = (PROJECT / "docs" / "conformance.md").read_text(encoding="utf-8")
    assert held == conformance.fresh_page(proofs), "run `python scripts/conformance.py`"
