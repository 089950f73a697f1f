"""Writes the plugins for the hosts' markets: `plugins/memoracle` (Claude Code, Codex), `plugins/gemini`, and a market.

They hold what `memoracle install` puts into a host, in the hosts' own forms, and call the `memoracle` on the PATH with
the person's own memory; their texts stand in `plugins.toml`. `--check` compares and changes nothing.
"""

from __future__ import annotations

import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

from memoracle import __version__
from memoracle.hosts.install.plan import ConfigEntry, pretty, section, skill
from memoracle.hosts.known_hosts import CODEX, GEMINI, HookEvent, Host

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
ENTRY = ConfigEntry(root="", python="")
SERVER = {"memoracle": {"command": "memoracle", "args": ["mcp"]}}


def hook_line(event: HookEvent, name: str) -> str:
    """A hook as a line: nothing where the program is not there."""
    host = ["--host", name] if name else []
    call = shlex.join(["memoracle", "hook", event.value, *host, "--plugin"])
    return f"command -v memoracle >/dev/null 2>&1 && exec {call}; exit 0"


def hooks(host: Host, name: str, second: int) -> str:
    """The file of hooks; `second` is how many of its units the host counts in one."""
    table: dict[str, Any] = {}
    for event, (called, seconds) in host.hooks.items():
        hook = {"type": "command", "command": hook_line(event, name), "timeout": seconds * second}
        table[called] = [{"hooks": [hook]}]
    return pretty({"description": "Memoracle at the moments that matter", "hooks": table})


def files() -> dict[str, str]:
    """Every file by its path in the project."""
    texts = tomllib.loads((HERE / "plugins.toml").read_text(encoding="utf-8"))
    says, home, author = texts["about"], texts["home"], texts["author"]
    about = {"name": "memoracle", "version": __version__, "description": says}
    more = {"author": author, "homepage": home, "repository": home, "license": "MIT", "keywords": ["memory"]}
    market = {
        "name": "memoracle",
        "owner": author,
        "metadata": {"description": "Memoracle, for Claude Code and Codex"},
        "plugins": [{"name": "memoracle", "source": "./plugins/memoracle", "description": says}],
    }
    codex = {
        "skills": "./skills/",
        "mcpServers": "./.mcp.json",
        "hooks": "./hooks/hooks.json",
        "interface": {
            "displayName": "Memoracle",
            "shortDescription": "Long-term memory on this machine",
            "developerName": author["name"],
            "category": "Productivity",
            "composerIcon": "./assets/icon.svg",
            "logo": "./assets/icon.svg",
        },
    }
    made = {
        "memoracle": {
            ".claude-plugin/plugin.json": pretty({**about, **more}),
            ".codex-plugin/plugin.json": pretty({**about, **more, **codex}),
            ".mcp.json": pretty({"mcpServers": SERVER}),
            # Which of the two calls shows in what it says.
            "hooks/hooks.json": hooks(CODEX, "", 1),
            "skills/memoracle/SKILL.md": skill(ENTRY),
        },
        "gemini": {
            "gemini-extension.json": pretty({**about, "mcpServers": SERVER, "contextFileName": "GEMINI.md"}),
            "hooks/hooks.json": hooks(GEMINI, GEMINI.name, 1000),
            "GEMINI.md": section(ENTRY),
        },
    }
    for name, command in texts["commands"].items():
        head = f"---\ndescription: {command['says']}\nargument-hint: {command['hint']}\n---\n\n"
        made["memoracle"][f"commands/{name}.md"] = head + command["asks"].format("$ARGUMENTS")
        prompt = command["asks"].format("{{args}}")
        made["gemini"][f"commands/{name}.toml"] = (
            f'description = "{command["says"]}"\nprompt = """\n{prompt}"""\n'
        )
    found = {".claude-plugin/marketplace.json": pretty(market)}
    for plugin, held in made.items():
        held |= {
            "README.md": texts["readme"].format(about=says, **texts[plugin]),
            "LICENSE": (PROJECT / "LICENSE").read_text(encoding="utf-8"),
            "assets/icon.svg": texts["icon"],
        }
        found |= {f"plugins/{plugin}/{name}": text for name, text in held.items()}
    return found


def stale() -> list[str]:
    """The files that are not as they should be, and those that should not be there."""
    wanted = files()
    there = {str(path.relative_to(PROJECT)) for path in (PROJECT / "plugins").rglob("*") if path.is_file()}
    differ = {
        name
        for name, text in wanted.items()
        if not (PROJECT / name).is_file() or (PROJECT / name).read_text(encoding="utf-8") != text
    }
    return sorted(differ | (there - wanted.keys()))


def main(words: list[str]) -> int:
    """Write them, or say which are stale."""
    wanted, old = files(), stale()
    for name in old if "--check" not in words else ():
        place = PROJECT / name
        if name in wanted:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(wanted[name], encoding="utf-8")
        else:
            place.unlink()
    sys.stdout.write("".join(f"{name}\n" for name in old))
    return int("--check" in words and bool(old))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
