"""The same verbs, in the same words, in Python and on the command line."""

import inspect
from importlib import import_module

import pytest

import memoracle
from memoracle.interfaces.cli import every_verb, load
from memoracle.memory import Memory

# Methods that are not verbs of their own: another form of one, or the end of using the object.
FORMS = {
    "read_as": "mcp",
    "work_in": "mcp",
    "remember_many": "remember",
    "guard": "remember",
    "verify_audit": "audit",
    "take_back": "trash",
    "close_day": "note",
    "restore": "reactivate",
    "duplicates": "note",
    "add_tag": "tags",
    "scan_project": "scan",
    "scan_diff": "scan",
    "close": None,
}


def behind(verb):
    if "." in verb.method:
        module, _, name = verb.method.rpartition(".")
        return getattr(import_module(module), name)
    return getattr(Memory, verb.method)


@pytest.mark.parametrize("verb", every_verb(), ids=lambda verb: verb.name)
def test_every_verb_has_its_counterpart_in_python(verb):
    """The method or function it names exists and says what it does."""
    assert (callable(behind(verb)), bool(inspect.getdoc(behind(verb)))) == (True, True)


@pytest.mark.parametrize("verb", every_verb(), ids=lambda verb: verb.name)
def test_every_verb_has_a_command_file(verb):
    """With its arguments and what it does."""
    assert all(map(callable, load(verb)))
    assert import_module(verb.module).__doc__


def test_every_method_is_a_verb():
    """Whatever Memory can do, the command line can do; a plan is the dry run of its verb."""
    verbs = {verb.method for verb in every_verb()}
    methods = {name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")}
    plans = {f"plan_{verb}" for verb in verbs}
    assert methods - verbs - plans - FORMS.keys() == set()


def test_names_are_told_apart():
    """No verb or alias is used twice."""
    names = [name for verb in every_verb() for name in (verb.name, *verb.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", [name for name in memoracle.__all__ if name != "__version__"])
def test_every_public_name_can_be_imported(name):
    """What the package promises is there."""
    assert getattr(memoracle, name).__module__.startswith("memoracle.")


def test_an_unknown_name_is_an_attribute_error():
    """As with any module."""
    with pytest.raises(AttributeError):
        _ = memoracle.nothing_like_it
    assert set(memoracle.__all__) <= set(dir(memoracle))
