"""Programs that are given the MCP server and nothing else: where each keeps its list, and how it writes an entry.

A table of facts. `{home}` is the person's, `{config}` the folder of the XDG specification, `{applications}` where
programs with windows keep their settings: the same on Linux, `~/Library/Application Support` on macOS.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from memoracle.model.value import value


@value
class McpClient:
    """One program: its folder, the files that may hold its list (the first that is there), the list's place in it."""

    name: str
    title: str
    folder: str
    files: tuple[str, ...]
    """The last one is made when none is there."""
    path: tuple[str, ...] = ("mcpServers",)
    fields: Mapping[str, str | bool] = MappingProxyType({})
    """What an entry says beside its command."""
    is_one_list: bool = False
    """Whether the command and its arguments are one list."""
    plugin: str = ""
    """Where it loads the plugin that calls our hooks from, if it has one."""
    program: str = ""
    """What it is called on the PATH, where that is not its name."""
    left: str
    """What a person does afterwards."""


CLIENTS = {
    client.name: client
    for client in (
        McpClient(
            name="opencode",
            title="opencode",
            folder="{config}/opencode",
            files=("opencode.jsonc", "opencode.json"),
            path=("mcp",),
            fields={"type": "local", "enabled": True},
            is_one_list=True,
            plugin="plugin/memoracle.js",
            left="start it again; `opencode mcp list` shows the server",
        ),
        McpClient(
            name="cursor",
            title="Cursor",
            folder="{home}/.cursor",
            files=("mcp.json",),
            left="start it again and switch the server on where it lists MCP servers",
        ),
        McpClient(
            name="vscode",
            title="VS Code",
            program="code",
            folder="{applications}/Code/User",
            files=("mcp.json",),
            path=("servers",),
            fields={"type": "stdio"},
            left="`MCP: List Servers` starts it; VS Code asks once whether you trust it",
        ),
        McpClient(
            name="windsurf",
            title="Windsurf",
            folder="{home}/.codeium/windsurf",
            files=("mcp_config.json",),
            left="refresh the list of MCP servers in Cascade",
        ),
        McpClient(
            name="zed",
            title="Zed",
            folder="{config}/zed",
            files=("settings.json",),
            path=("context_servers",),
            left="the agent panel's settings show the server; Zed asks before it calls a tool",
        ),
        McpClient(
            name="claude-desktop",
            title="Claude Desktop",
            folder="{applications}/Claude",
            files=("claude_desktop_config.json",),
            left="quit it and start it again; it asks before it calls a tool",
        ),
    )
}
