"""An OpenClaw installation: its home, skills, extensions, agents and chat accounts by name, groups by number."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import MEDIUM, Fact, listed
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

_HOMES = (".openclaw", ".clawdbot")
_CONFIGS = ("openclaw.json", "clawdbot.json")
_CONTRACTS = ("WORKSPACE_CONTRACT.toml", "AGENTS.md", "AGENT.md", "SOUL.md")
_MOST = 200


def look(around: Around) -> list[Fact]:
    """The first installation that is found."""
    for tree in _places(around):
        if facts := _installation(tree):
            return facts
    source = around.trees[0].at(_HOMES[0]) if around.trees else "environment"
    return [Fact(path=("installed",), says=False, source=source)]


def _places(around: Around) -> list[ScanTree]:
    named = around.environment.get("OPENCLAW_STATE_DIR", "")
    given = [ScanTree(named)] if named.startswith("/") else []
    return [
        *given,
        *(ScanTree(tree.at(name)) for tree in around.trees for name in _HOMES if tree.has_folder(name)),
    ]


def _installation(tree: ScanTree) -> list[Fact]:
    names = tree.names()
    if not names:
        return []
    here = tree.root
    facts = [
        Fact(path=("installed",), says=True, source=here),
        Fact(path=("home",), says=words(here), source=here),
        *listed(("skills",), _folders(tree, "skills"), tree.at("skills")),
        *listed(("extensions",), _folders(tree, "extensions"), tree.at("extensions")),
        *listed(("agents",), _agents(tree, names), here, MEDIUM),
    ]
    if config := tree.first(*_CONFIGS):
        facts += _configured(tree, config)
    return facts


def _configured(tree: ScanTree, config: str) -> list[Fact]:
    held, source = tree.json(config), tree.at(config)
    facts = [
        Fact(path=("config", "path"), says=words(source), source=source),
        *listed(("config", "sections"), sorted(map(words, held))[:_MOST], source),
        *listed(("channels",), sorted(map(words, table(held, "channels")))[:_MOST], source),
    ]
    feishu = table(held, "channels", "feishu")
    if feishu:
        accounts = sorted(map(words, table(feishu, "accounts")))
        # The ids of chats are private: how many there are is enough to know that one came or went.
        facts += listed(("feishu", "accounts"), accounts[:_MOST], source)
        facts.append(Fact(path=("feishu", "groups"), says=len(table(feishu, "groups")), source=source))
    return facts


def _folders(tree: ScanTree, folder: str) -> list[str]:
    return [name for name in tree.names(folder)[:_MOST] if tree.has_folder(f"{folder}/{name}")]


def _agents(tree: ScanTree, names: list[str]) -> list[str]:
    workspaces = [name for name in names if name.startswith("workspace-") and tree.has_folder(name)]
    named = [
        name
        for name in _folders(tree, "agents")
        if any(tree.has(f"agents/{name}/{contract}") for contract in _CONTRACTS)
        or tree.has_folder(f"agents/{name}/sessions")
    ]
    return [*workspaces, *named][:_MOST]
