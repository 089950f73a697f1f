"""Whether what was said in a project is about the project or about the person who said it. Pure, in both languages.

A rule of one project must not be told in another, and an allergy must be told in all of them. Who somebody is, their
health and their family go everywhere; rules, decisions and what names code stay where they were said, unless the words
say that they hold for every project. Where it is in doubt, it stays.
"""

from __future__ import annotations

from memoracle.extract.pattern import compiled
from memoracle.model.predicates import Family, predicate_named
from memoracle.model.record import Draft, Kind

_EVERYWHERE = compiled(
    r"\b(?:in|for|across|on) (?:all|every|any|each)(?: of)?(?: (?:my|our|the|your|other))? "
    r"(?:projects?|repos?|repositor(?:y|ies)|codebases?)\b|\b(?:every|any)where\b"
    r"|\b(?:regardless|independent(?:ly)?|no matter) (?:of )?(?:which |what |the )?(?:project|repo)"
    r"|(?:所有|全部|每个|每一个|任何|各个|一切)的?(?:项目|仓库|代码库|工程)|(?:不管|无论)(?:是?哪个|什么)(?:项目|仓库)|到处都|在哪都"
)
_HERE = compiled(
    r"\b(?:this|the current|our|the) (?:repo|repository|codebase|code base|monorepo|project|branch"
    r"|workspace|package)\b"
    r"|(?:这个|这|本|该|当前|我们的?)(?:项目|仓库|代码库|工程|分支|代码)"
)
_CODE = compiled(
    r"\b(?:repos?|repositor(?:y|ies)|code ?base|monorepo|pull requests?|prs?|merge requests?|git"
    r"|github|gitlab|rebase"
    r"|commits?|committing|ci|ci/cd|pipelines?|lint(?:er|ing|s)?|unit tests?|integration tests?"
    r"|test suite|tests|vitest|jest"
    r"|pytest|playwright|cypress|deploy(?:s|ed|ments?|ing)?|staging|migrations?|database|db"
    r"|postgres\w*|mysql|sqlite|mongo\w*"
    r"|redis|kafka|docker\w*|kubernetes|k8s|terraform|npm|pnpm|yarn|bun|pip|poetry|cargo|gradle"
    r"|maven|makefile|webpack|vite"
    r"|eslint|prettier|ruff|mypy|typescript|javascript|python|rust|golang|kotlin|react|svelte"
    r"|django|flask|fastapi|rails"
    r"|apis?|endpoints?|back-?end|front-?end|servers?|modules?|dependenc(?:y|ies)|refactor\w*"
    r"|docstrings?|type hints?"
    r"|(?:the|this|our|source|clean|in|to|of|production) code|code (?:review|style)s?|comments?"
    r"|env(?:ironment)? variables?"
    r"|feature flags?|localhost|changelog|readme|scripts?|cli|sdk|indent\w*|tabs|build(?:s| command"
    r"| script| step)?|compiler?"
    r"|functions?|variables?|class names?|branch(?:es)?|main|master|release branch|flaky)\b"
    r"|`[^`]+`|(?:^|\s)--?[a-z][\w-]+|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[\w.-]+:\d{2,5}\b"
    r"|\b[\w/-]+\.(?:py|tsx?|jsx?|go|rs|java|md|json|ya?ml|toml|sql|sh|css|html|vue|rb|cpp|lock)\b"
    r"|代码|仓库|分支|提交|合并|部署|测试|构建|编译|数据库|接口|端口|服务器|脚本|依赖|上线|发版|流水线|缩进|注释|函数|变量|前端|后端|环境变量"
)
_MANNER = compiled(
    r"\b(?:answer|answers|reply|replies|respond|responses?|talk|speak|call me|address me|tone"
    r"|emojis?|small ?talk|greet\w*"
    r"|in (?:english|chinese|german|french|spanish|japanese|korean|mandarin))\b"
    r"|回答|回复|称呼|叫我|说中文|中文|英文|语气|表情|简短|简洁|寒暄"
)
_PERSONALLY = compiled(
    r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|myself|(?:the )?(?:user|owner)(?:'s)?)\b|我(?!们)|用户|主人"
)
_PERSON = frozenset({Family.IDENTITY, Family.NAME, Family.HEALTH, Family.RELATIONSHIP, Family.EDUCATION})
_PROJECT = frozenset(
    {Family.PROJECT, Family.DECISION, Family.LESSON, Family.SAFETY, Family.TASK, Family.OTHER}
)
_PERSONS_KINDS = frozenset({Kind.IDENTITY, Kind.HEALTH, Kind.RELATIONSHIP})
_PROJECTS_KINDS = frozenset(
    {Kind.DECISION, Kind.LESSON, Kind.PROCEDURE, Kind.FINDING, Kind.SAFETY, Kind.TASK}
)


def is_about_project(draft: Draft) -> bool:
    """True when what was said while working on a project belongs to it; false when it goes with the person."""
    text, known = draft.statement.text, predicate_named(draft.statement.predicate)
    family = known.family if known else None
    is_persons = family in _PERSON if family else draft.kind in _PERSONS_KINDS
    if _EVERYWHERE.search(text) or is_persons:
        return False
    if _HERE.search(text) or _CODE.search(text) or family is Family.PROJECT:
        return True
    if family is Family.RULE or (family is None and draft.kind is Kind.RULE):
        return not _MANNER.search(text)
    is_projects = family in _PROJECT if family else draft.kind in _PROJECTS_KINDS
    return is_projects and not _PERSONALLY.search(text)
