"""`memoracle mcp`: serve the memory to agents over the Model Context Protocol."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_scope
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.mcp.serve import serve
from memoracle.model.scope import Scope


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="streamable HTTP there, with a token (default: the standard streams)",
    )
    parser.add_argument(
        "--remote", action="store_true", help="allow an address that other machines can reach"
    )
    parser.add_argument(
        "--graph", action="store_true", help="also the nine tools of the knowledge-graph server"
    )
    parser.add_argument(
        "--agent-only",
        action="store_true",
        help="change nothing but what is an agent's own: for agents that read what strangers wrote",
    )
    parser.add_argument(
        "--audience",
        choices=("private", "group"),
        default="private",
        help="a group is served public records alone",
    )
    add_scope(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Serve until the client leaves."""
    scope = Scope(project=arguments.project, seat=arguments.seat, user=arguments.user, agent=arguments.agent)
    serve(
        session.root,
        http=arguments.http,
        remote=arguments.remote,
        graph=arguments.graph,
        scope=scope,
        agent_only=arguments.agent_only,
        audience=arguments.audience,
        say=session.say,
    )
    return 0
