"""Tasks: `ARENA-228`, `GH#12`, `#12`; and what only looks like one. Pure, linear.

Names of standards, models, encodings and the like are never tasks unless a project registers them. A single letter
before the number is doubtful: it counts where the project uses it with another number, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.learn.link_places import Found
from memoracle.learn.link_rules import NEVER_TASKS, LinkRules
from memoracle.model.link import LinkType, entity

_TASK = re.compile(
    r"(?<![A-Za-z0-9_\-.#@$&+=~\\])([A-Z][A-Z0-9]{0,14})-(\d{1,7})(?![A-Za-z0-9_%]|-\d|\.\d|[–~]\d)"
)
_BRANCH = re.compile(
    r"(?<![A-Za-z0-9_])(?:features?|feat|fix|bugfix|hotfix|chore|release|tasks?|refactor|docs|test|users?/[a-z]{1,30})/\Z"
)
_GITHUB = re.compile(r"(?<![A-Za-z0-9_/\-.])GH(?:#|-)(\d{1,7})(?![A-Za-z0-9_]|-\d|\.\d)")
_BARE = re.compile(r"(?<![A-Za-z0-9_/&#?=\x00])#([1-9]\d{0,6})(?![A-Za-z0-9_]|[.\-]\d)")
_ISSUE = re.compile(
    r"(?:issues?|bugs?|tickets?|tasks?|stor(?:y|ies)|prs?|mrs?|pull requests?|merge requests?|fix(?:e[sd])?|close[sd]?"
    r"|resolve[sd]?|refs?|see|duplicates?|of|问题|任务|工单|需求|缺陷|合并请求|修复了?|关闭了?|见)[ \t]*[(（]?\Z",
    re.IGNORECASE,
)
_COLOUR = re.compile(
    r"colou?r|background|border|fill|stroke|shade|css|hex|theme|tint|palette|rgb|颜色|背景|边框|字色|主题|色|描边|填充",
    re.IGNORECASE,
)
_RANKED = re.compile(
    r"(?:rank(?:s|ed|ing)?|number|no\.|our|my|your|their|his|her|the|top|we're|still|now|排名|排行榜?上?是?|第|位列|榜上?是?)"
    r"[ \t]*(?:at|as|the)?[ \t]*\Z",
    re.IGNORECASE,
)
_LIKE_A_COLOUR = frozenset({3, 4, 6, 8})
_ALWAYS_A_COLOUR = frozenset({6, 8})
_NEAR = 28
_FEW = 100


def tasks(text: str, rules: LinkRules) -> Iterator[Found]:
    """Every task of a text."""
    for found in _GITHUB.finditer(text):
        yield _found(found, f"GH#{int(found[1])}")
    for found in _TASK.finditer(text):
        prefix, number = found[1], found[2]
        known = prefix in NEVER_TASKS or prefix.rstrip("0123456789") in NEVER_TASKS
        if prefix == "GH" or (known and prefix not in rules.prefixes):
            continue
        if text[found.start() - 1 : found.start()] == "/" and not _may_follow_a_slash(text, found.start()):
            continue
        doubtful = sum(map(str.isalpha, prefix)) == 1 and prefix not in rules.prefixes
        yield _found(found, f"{prefix}-{number}", doubt=prefix if doubtful else "")
    for found in _BARE.finditer(text):
        if _is_issue(text, found):
            yield _found(found, f"#{found[1]}")


def task_target(named: str) -> str:
    """The target of a task that a header names: capitals, one spelling."""
    plain = named.strip().upper()
    return entity("taskid", re.sub(r"\AGH-(?=\d+\Z)", "GH#", plain))


def _may_follow_a_slash(text: str, start: int) -> bool:
    """True in the name of a branch, and behind another task."""
    before = text[max(0, start - 48) : start]
    return bool(_BRANCH.search(before) or re.search(r"[A-Z]-\d{1,7}/\Z", before))


def _is_issue(text: str, found: re.Match[str]) -> bool:
    number = found[1]
    before = text[max(0, found.start() - _NEAR) : found.start()]
    if _ISSUE.search(before):
        return True
    if len(number) in _ALWAYS_A_COLOUR:
        return False
    if len(number) in _LIKE_A_COLOUR and _COLOUR.search(before + text[found.end() : found.end() + _NEAR]):
        return False
    return not (int(number) < _FEW and _RANKED.search(before))


def _found(found: re.Match[str], named: str, *, doubt: str = "") -> Found:
    return Found(
        start=found.start(),
        end=found.end(),
        type=LinkType.TASK,
        target=entity("taskid", named),
        doubt=doubt,
    )
