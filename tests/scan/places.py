"""Homes and repositories as people have them, made when a test needs them."""

import json
import random
import string


def secret(prefix="", length=40, seed=7):
    """Something that looks like a secret; made here so that none is ever kept."""
    letters = random.Random(f"{prefix}{seed}")
    return prefix + "".join(letters.choices(string.ascii_letters + string.digits, k=length))


# Twelve formats, put together from pieces: a prefix and what follows it.
PLANTED = {
    "OPENAI_API_KEY": secret("sk" + "-proj-", 48, 1),
    "ANTHROPIC_API_KEY": secret("sk" + "-ant-api03-", 80, 2),
    "GITHUB_TOKEN": secret("gh" + "p_", 36, 3),
    "SLACK_BOT_TOKEN": "xo" + "xb-" + "1234567890" + "-" + "1234567890123" + "-" + secret("", 24, 4),
    "AWS_SECRET_ACCESS_KEY": secret("", 40, 5),
    "AWS_ACCESS_KEY_ID": "AK" + "IA" + secret("", 16, 6).upper(),
    "STRIPE_SECRET_KEY": secret("sk" + "_live_", 24, 7),
    "GOOGLE_API_KEY": "AI" + "za" + secret("", 35, 8),
    "NPM_TOKEN": secret("np" + "m_", 36, 9),
    "DB_PASSWORD": secret("", 14, 10),
    "DATABASE_URL": "postgres://app:" + secret("", 18, 11) + "@db.internal:5432/app",
    "JWT": ".".join((secret("ey" + "J", 30, 12), secret("ey" + "J", 60, 13), secret("", 43, 14))),
}


def put(folder, path, text):
    """A file below a folder."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return place


def a_home(folder):
    """A home with everything a scanner looks at."""
    names = list(PLANTED)
    put(
        folder,
        ".env",
        "".join(f"export {name}='{PLANTED[name]}'\n" for name in names[:5]) + "PORT=3000\n# OLD=1\n",
    )
    put(folder, ".env.local", "".join(f"{name}={PLANTED[name]}\n" for name in (*names[5:8], names[0])))
    put(folder, ".env.example", "NOT_A_SECRET=changeme\n")
    put(folder, ".agents/secrets/team.env", "".join(f"{name}: {PLANTED[name]}\n" for name in names[8:]))
    put(folder, ".netrc", f"machine api.example.com login me password {secret('', 20, 20)}\n")
    put(folder, ".git-credentials", f"https://me:{secret('gh' + 'p_', 36, 21)}@git.example.com\n")
    put(folder, ".npmrc", f"//registry.example.com/:_authToken={secret('np' + 'm_', 36, 22)}\n")
    put(folder, ".aws/credentials", f"[default]\naws_secret_access_key = {secret('', 40, 23)}\n[work]\n")
    put(
        folder,
        ".docker/config.json",
        {"auths": {"https://hub.example.com/v1/": {"auth": secret("", 24, 24)}}},
    )
    put(
        folder,
        ".claude/.credentials.json",
        {"claudeAiOauth": {"accessToken": secret("sk" + "-ant-oat01-", 60, 25)}},
    )
    put(
        folder,
        ".gitconfig",
        "[user]\n\tname = Mei Lin\n\temail = mei@example.com\n[commit]\n\tgpgsign = true\n",
    )
    put(
        folder,
        ".config/gh/hosts.yml",
        f"github.com:\n    user: meilin\n    oauth_token: {secret('gh' + 'o_', 36, 26)}\n    git_protocol: ssh\n    scopes: repo, read:org\n",
    )
    put(folder, ".ssh/id_ed25519", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + secret("", 200, 27) + "\n")
    put(
        folder,
        ".ssh/id_ed25519.pub",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1 mei@laptop\n",
    )
    put(
        folder,
        ".openclaw/openclaw.json",
        '{\n // mine\n "channels": {"feishu": {"accounts": {"main": {"appSecret": "'
        + secret("", 32, 28)
        + '"}}, "groups": {"oc_1": {}, "oc_2": {}}}},\n "agents": {},\n}\n',
    )
    put(folder, ".openclaw/skills/memory/SKILL.md", "# memory\n")
    put(folder, ".openclaw/workspace-koder/AGENTS.md", "# koder\n")
    put(
        folder,
        ".clawseat/projects.json",
        {"projects": {"arena": {"repo_path": "/srv/arena", "status": "active"}}},
    )
    put(folder, ".gstack/VERSION", "2.1\n")
    put(folder, "code/tool/.git/HEAD", "ref: refs/heads/main\n")
    put(
        folder,
        "code/tool/.git/config",
        f'[remote "origin"]\n\turl = https://me:{secret("gh" + "p_", 36, 29)}@github.com/me/tool.git\n',
    )
    return folder


def planted():
    """Every value that no scan may keep."""
    return [
        *PLANTED.values(),
        *(
            secret("", 20, 20),
            secret("", 40, 23),
            secret("", 24, 24),
            secret("", 32, 28),
            secret("", 200, 27),
        ),
    ] + [
        secret(prefix, length, seed)
        for prefix, length, seed in (
            ("gh" + "p_", 36, 21),
            ("np" + "m_", 36, 22),
            ("sk" + "-ant-oat01-", 60, 25),
            ("gh" + "o_", 36, 26),
            ("gh" + "p_", 36, 29),
        )
    ]


REPOS = {
    "python": {
        "pyproject.toml": '[project]\nname = "arena"\nrequires-python = ">=3.11"\n[dependency-groups]\ndev = ["pytest>=8", "ruff"]\n'
        "[build-system]\nbuild-backend = 'hatchling.build'\n[tool.mypy]\nstrict = true\n[tool.pytest.ini_options]\n",
        "uv.lock": "version = 1\n",
        ".python-version": "3.12.4\n",
        "Dockerfile": "FROM python:3.12-slim\n",
        "compose.yaml": "services: {}\n",
        ".github/workflows/ci.yml": "on: push\n",
        ".env.example": "A_KEY=\nB_KEY=x\n" + "".join(f"K{n}=\n" for n in range(60)),
        "tests/test_a.py": "",
        "docs/index.md": "",
        "src/arena/__init__.py": "",
    },
    "pnpm": {
        "package.json": {
            "name": "shop",
            "packageManager": "pnpm@9.1.0",
            "engines": {"node": ">=20"},
            "scripts": {"test": "vitest run"},
            "dependencies": {"next": "14", "react": "18"},
            "devDependencies": {"vitest": "1", "@playwright/test": "1", "eslint": "9", "typescript": "5"},
        },
        "pnpm-lock.yaml": "lockfileVersion: 9\n",
        "pnpm-workspace.yaml": "packages:\n  - 'apps/*'\n  - \"packages/*\"\n",
        "apps/web/package.json": {"name": "@shop/web"},
        "packages/ui/package.json": {"name": "@shop/ui"},
        ".nvmrc": "v20.11.0\n",
        "vercel.json": "{}",
        ".prettierrc": "{}",
        ".gitlab-ci.yml": "",
    },
    "yarn": {
        "package.json": {"devDependencies": {"jest": "29", "cypress": "13"}},
        "yarn.lock": "",
        "netlify.toml": "",
    },
    "npm": {
        "package.json": {"scripts": {"test": "mocha"}, "devDependencies": {"mocha": "10"}},
        "package-lock.json": "{}",
    },
    "bun": {"package.json": {"name": "b"}, "bun.lockb": "", "tsconfig.json": "{}"},
    "go": {
        "go.mod": "module example.com/arena\n\ngo 1.22\n\ntoolchain go1.22.3\n",
        "internal/a/a_test.go": "package a\n",
        ".golangci.yml": "",
        ".circleci/config.yml": "",
        "fly.toml": "",
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "arena"\nedition = "2021"\nrust-version = "1.75"\n[workspace]\nmembers = ["crates/*"]\n',
        "crates/core/Cargo.toml": '[package]\nname = "arena-core"\n',
        "rust-toolchain.toml": '[toolchain]\nchannel = "1.78"\n',
        ".travis.yml": "",
        "rustfmt.toml": "",
    },
    "ruby": {
        "Gemfile": 'source "https://rubygems.org"\nruby "3.3.1"\ngem "rails"\ngem "rspec-rails"\ngem "rubocop"\n',
        "Gemfile.lock": "",
        ".ruby-version": "3.3.1\n",
        "Procfile": "web: rails s\n",
        "render.yaml": "",
        "Jenkinsfile": "",
    },
    "maven": {
        "pom.xml": "<project><properties><maven.compiler.release>21</maven.compiler.release></properties>"
        "<modules><module>core</module></modules><dependency>junit-jupiter</dependency></project>",
        "core/pom.xml": "<project/>",
        "mvnw": "",
        "bitbucket-pipelines.yml": "",
        "checkstyle.xml": "",
    },
    "gradle": {
        "build.gradle.kts": 'plugins { kotlin("jvm") version "2.0" }\nkotlin { jvmToolchain(17) }\n// kotest\n',
        "settings.gradle.kts": 'rootProject.name = "arena"\ninclude(":app", ":lib:core")\n',
        "app/build.gradle.kts": "",
        "lib/core/build.gradle.kts": "",
        "gradlew": "",
        "gradle/wrapper/gradle-wrapper.properties": "distributionUrl=https\\://services.gradle.org/distributions/gradle-8.7-bin.zip\n",
    },
}


def a_repo(folder, name):
    """A repository of that sort."""
    for path, text in REPOS[name].items():
        put(folder, path, text)
    return folder
