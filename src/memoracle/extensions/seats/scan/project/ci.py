"""Who builds a repository: continuous integration by the files it wants."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import Fact, listed
from memoracle.extensions.seats.scan.tree import ScanTree

_WORKFLOWS = ".github/workflows"
_SYSTEMS = {
    "circleci": (".circleci/config.yml",),
    "jenkins": ("Jenkinsfile",),
    "gitlab": (".gitlab-ci.yml",),
    "travis": (".travis.yml",),
    "bitbucket": ("bitbucket-pipelines.yml",),
    "azure": ("azure-pipelines.yml",),
    "drone": (".drone.yml",),
    "buildkite": (".buildkite/pipeline.yml",),
    "woodpecker": (".woodpecker.yml",),
}
_MOST = 100


def look(tree: ScanTree) -> list[Fact]:
    """The systems, and the workflows of those that have several."""
    facts: list[Fact] = []
    flows = [name for name in tree.names(_WORKFLOWS) if name.endswith((".yml", ".yaml"))]
    if flows:
        facts += listed(("systems",), ["github actions"], tree.at(_WORKFLOWS))
        facts += listed(("workflows",), flows[:_MOST], tree.at(_WORKFLOWS))
    for system, files in _SYSTEMS.items():
        if file := tree.first(*files):
            facts += listed(("systems",), [system], tree.at(file))
    if not facts:
        facts.append(Fact(path=("systems",), says=[], source=tree.root))
    return facts
