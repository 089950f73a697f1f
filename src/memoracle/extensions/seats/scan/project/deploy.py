"""Where a repository is put: containers, platforms, infrastructure, by the files they want."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import Fact, listed
from memoracle.extensions.seats.scan.tree import ScanTree

_COMPOSE = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
_PLATFORMS = {
    "netlify": ("netlify.toml",),
    "vercel": ("vercel.json", ".vercel/project.json"),
    "heroku": ("Procfile", "app.json"),
    "render": ("render.yaml", "render.yml"),
    "fly": ("fly.toml",),
    "railway": ("railway.json", "railway.toml"),
    "app engine": ("app.yaml",),
    "serverless": ("serverless.yml", "serverless.yaml"),
    "cloudflare": ("wrangler.toml", "wrangler.jsonc", "wrangler.json"),
    "kubernetes": ("k8s", "kubernetes", "kustomization.yaml"),
    "helm": ("Chart.yaml", "charts", "helm"),
    "terraform": ("main.tf", "terraform"),
}


def look(tree: ScanTree) -> list[Fact]:
    """Which files say it, and which platforms they mean."""
    dockerfiles = [name for name in tree.names() if name == "Dockerfile" or name.startswith("Dockerfile.")]
    compose = tree.first(*_COMPOSE)
    facts = [
        Fact(
            path=("dockerfile",),
            says=bool(dockerfiles),
            source=tree.at(dockerfiles[0] if dockerfiles else ""),
        ),
        Fact(path=("compose",), says=bool(compose), source=tree.at(compose)),
        Fact(
            path=("procfile",),
            says=tree.has("Procfile"),
            source=tree.at("Procfile" if tree.has("Procfile") else ""),
        ),
    ]
    if dockerfiles:
        facts += listed(("platforms",), ["docker"], tree.at(dockerfiles[0]))
    for platform, files in _PLATFORMS.items():
        if file := next((one for one in files if tree.has(one) or tree.has_folder(one)), ""):
            facts += listed(("platforms",), [platform], tree.at(file))
    return facts
