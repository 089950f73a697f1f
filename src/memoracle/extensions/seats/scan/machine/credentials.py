"""Which secrets there are, where they lie, and whether they changed. Never one of their values.

Reads `.env` files and secret folders of the homes, the variables whose names speak of secrets, and the files in which
programs keep their logins. The first place where a name is met stands; the others are named beside it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from memoracle.extensions.seats.scan.dotenv import is_template, settings_of
from memoracle.extensions.seats.scan.fact import MEDIUM, Fact
from memoracle.extensions.seats.scan.machine.hosts import login_facts
from memoracle.extensions.seats.scan.machine.keys import key_facts
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import ScanTree

FOLDERS = (
    ".secrets",
    ".credentials",
    ".config/secrets",
    ".agents/secrets",
    ".clawseat/secrets",
    ".openclaw/secrets",
)
_OAUTH = {
    "claude_credentials_json": (".claude/.credentials.json", ".config/claude/.credentials.json"),
    "codex_auth_json": (".codex/auth.json",),
    "gemini_oauth_json": (".gemini/oauth_creds.json",),
}
_TOKEN = "CLAUDE_CODE_OAUTH_TOKEN"  # noqa: S105 - the name of a variable
_MOST_FILES = 200
_DEEPEST = 2
_ENVIRONMENT = "environment"
_NO_SECRETS = frozenset({"PWD", "OLDPWD"})
"""The folders a shell stands in: their names only sound like a password's."""


def look(around: Around) -> list[Fact]:
    """Names, places, presence and fingerprints."""
    facts = [*_keys(around), *_oauth(around)]
    for tree in around.trees:
        facts += [*login_facts(tree), *key_facts(tree)]
    if not any(fact.path[0] == "keys" for fact in facts):
        facts.append(Fact(path=("keys",), says={}, source=_ENVIRONMENT))
    return facts


def _keys(around: Around) -> list[Fact]:
    first: dict[str, Fact] = {}
    also: dict[str, list[str]] = {}
    for name, said, source in _sighted(around):
        if name in first:
            if source != first[name].source and source not in also.setdefault(name, []):
                also[name].append(source)
            continue
        kind = "secret" if around.is_secret(name, said) else "setting"
        seen = {"source": source, "kind": kind, **around.sight(said)}
        first[name] = Fact(path=("keys", name), says=seen, source=source)
    for name, sources in also.items():
        first[name].says["also_in"] = sources
    return [first[name] for name in sorted(first)]


def _sighted(around: Around) -> Iterator[tuple[str, str, str]]:
    """Every name with its value and the place it stands in."""
    for tree in around.trees:
        for path in _files(tree):
            yield from ((name, said, tree.at(path)) for name, said in settings_of(tree.text(path)))
    for name, said in sorted(around.environment.items()):
        if name.isidentifier() and name not in _NO_SECRETS and around.is_secret(name, said):
            yield name, said, _ENVIRONMENT


def _files(tree: ScanTree) -> Iterator[str]:
    """The `.env` files of a home, then those in folders of secrets."""
    names = [name for name in tree.names() if name == ".env" or name.startswith(".env.")]
    yield from (name for name in names[:_MOST_FILES] if not is_template(name))
    for folder in FOLDERS:
        yield from sorted(_below(tree, folder, _DEEPEST))[:_MOST_FILES]


def _below(tree: ScanTree, folder: str, deeper: int) -> Iterator[str]:
    for name in tree.names(folder, _MOST_FILES):
        path = f"{folder}/{name}"
        if tree.has(path):
            yield path
        elif deeper and tree.has_folder(path) and not os.path.islink(tree.at(path)):
            yield from _below(tree, path, deeper - 1)


def _oauth(around: Around) -> list[Fact]:
    found = {}
    for name, places in _OAUTH.items():
        found[name] = next(
            (tree.at(place) for tree in around.trees for place in places if tree.has(place)), ""
        )
    has_token = bool(around.environment.get(_TOKEN))
    facts = [
        Fact(path=("oauth", name), says=bool(source), source=source or around.trees[0].at(_OAUTH[name][0]))
        for name, source in found.items()
        if source or around.trees
    ]
    facts.append(Fact(path=("oauth", "claude_code_oauth_token_env"), says=has_token, source=_ENVIRONMENT))
    has_any = has_token or any(found.values())
    return [*facts, Fact(path=("oauth", "has_any"), says=has_any, source=_ENVIRONMENT, trust=MEDIUM)]
