"""The texts that an agent is taught from, with the command of this memory in them; see `interfaces/skill/`."""

from __future__ import annotations

import os
import shlex

from memoracle.interfaces.install.entry import Entry

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "skill")
_COMMAND = "{{memoracle}}"
_SEARCH = "{{search}}"
_UNCLEAR = {
    "{{unclear}}": {
        "": "the conversation's so far, else the owner's usual one",
        "en": "in English",
        "zh": "in Chinese",
    },
    "{{不明}}": {
        "": "沿用对话的，否则用户惯用的",
        "en": "用英文",
        "zh": "用中文",
    },
}
"""What to do when the owner's last messages do not tell their language, as the owner chose."""


def skill(entry: Entry) -> str:
    """The skill, as hosts load it from a folder of its name."""
    text = _filled("SKILL.md", entry)
    for mark, said in _UNCLEAR.items():
        text = text.replace(mark, said[entry.language])
    return text


def section(entry: Entry, search: str = "memory_search") -> str:
    """The section for a file that an agent always reads; `search` is what it calls the tool."""
    return _filled("AGENTS.md", entry).replace(_SEARCH, search)


def _filled(name: str, entry: Entry) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read().replace(_COMMAND, shlex.join(entry.calling()))
