"""`memoracle project`: the projects of this root."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.exits import DONE
from memoracle.interfaces.cli.parser import add_act, add_because
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.seat import Project
from memoracle.text import visible


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="list|add|retire")
    listing = add_act(acts, "list", "projects that are worked on")
    listing.add_argument("--all", action="store_true", help="also those that are retired")
    add = add_act(acts, "add", "register a project, or bring one back")
    add.add_argument("name")
    add.add_argument("--repo", default="", metavar="PATH", help="where its repository stands")
    add_because(add)
    retire = add_act(acts, "retire", "let a project rest; its pages stay")
    retire.add_argument("name")
    add_because(retire)


def run(arguments: Namespace, session: Session) -> int:
    """List, add or retire."""
    memory = session.memory
    if arguments.act == "list":
        found = [one for one in memory.seats.registry().projects if one.is_active or arguments.all]
        session.show({"items": plain(found)}, "\n".join(map(_line, found)) or "no projects")
        return DONE
    if arguments.act == "add":
        project = memory.seats.add_project(
            arguments.name, repo_path=arguments.repo, because=arguments.because
        )
    else:
        project = memory.seats.retire_project(arguments.name, because=arguments.because)
    session.show(project, _line(project))
    return DONE


def _line(project: Project) -> str:
    return f"{project.name:<20} {project.status:<8} {project.pages:>5} pages  {visible(project.repo_path)}".rstrip()
