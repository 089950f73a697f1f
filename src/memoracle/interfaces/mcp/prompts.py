"""Prompts: what a person calls by name in their host, as in `/remember`, and what the agent is then asked to do.

Each is written in English and in Chinese; the words it is called with say which, and without any the system does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from memoracle.model.value import value

_HAN = re.compile(r"[\u4e00-\u9fff]")
_ONE_WORD = re.compile(r"\S{1,12}")
# Claude Code splits what stands behind a command at its spaces, and hands over one word for each argument.
_CUT = "If that is the beginning only, take all that I wrote behind the command."
_CUT_ZH = "如果这只是开头，请以我在命令后面写的全部内容为准。"


@value
class Prompt:
    """One prompt: its argument, and what is said with it and without."""

    name: str
    description: str
    argument: str
    meaning: str
    english: str
    english_alone: str
    chinese: str
    chinese_alone: str

    @property
    def listed(self) -> dict[str, Any]:
        """The prompt as `prompts/list` tells it."""
        argument = {"name": self.argument, "description": self.meaning, "required": False}
        return {"name": self.name, "description": self.description, "arguments": [argument]}

    def said(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What `prompts/get` gives: one message of the user's."""
        words = str(given.get(self.argument) or "").strip()
        if _HAN.search(words) if words else _speaks_chinese():
            asked, alone, cut = self.chinese, self.chinese_alone, _CUT_ZH
        else:
            asked, alone, cut = self.english, self.english_alone, _CUT
        parts = [asked, words, *([cut] if _ONE_WORD.fullmatch(words) else [])]
        text = "\n\n".join(parts) if words else alone
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return {"description": self.description, "messages": [message]}


def _speaks_chinese() -> bool:
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return spoken.startswith("zh")


PROMPTS = (
    Prompt(
        name="remember",
        description="Keep something in memory / 记住一件事",
        argument="text",
        meaning="what to keep; without it, what of this conversation will matter later",
        english=(
            "Keep what follows in long-term memory. Look with memory_search whether it is known: what changed is "
            "replaced by memory_update, what is new is saved by memory_save, one self-contained statement per call, "
            "with names and absolute dates, in my words. Tell me in one line what was kept and what waits for me."
        ),
        english_alone=(
            "Keep what of this conversation will matter later: facts, decisions, plans, corrections and lessons that "
            "I stated. Look with memory_search what is known; replace what changed with memory_update, save what is "
            "new with memory_save, one self-contained statement per call, with names and absolute dates. No secrets, "
            "small talk or tool output. Tell me in a short list what was kept."
        ),
        chinese=(
            "请把下面的内容记入长期记忆。先用 memory_search 看是否已有：有变化的用 memory_update 取代，新的用 "
            "memory_save 保存；每次一条完整的陈述，写明人名和具体日期，用我的原话。"
            "最后用一句话告诉我记下了什么、什么还要我确认。"
        ),
        chinese_alone=(
            "请把这次对话里以后有用的内容记入长期记忆：我说过的事实、决定、计划、更正和教训。"
            "先用 memory_search 看已有什么，有变化的用 memory_update 取代，新的用 memory_save 保存；"
            "每次一条完整的陈述，写明人名和具体日期。不要记密码、闲聊和工具输出。最后列出记下了什么。"
        ),
    ),
    Prompt(
        name="recall",
        description="Ask memory / 查记忆",
        argument="question",
        meaning="what to look for; without it, what there is to know for this conversation",
        english=(
            "Answer this from long-term memory. Use memory_search, with other words too if the first try finds "
            "little, and memory_get for what you rely on. Answer shortly, cite every statement, say what is outdated "
            "or uncertain, and if memory does not have it, say so and do not guess."
        ),
        english_alone=(
            "Call memory_context and tell me shortly what memory has for what we are doing, with citations; then "
            "memory_search what is missing. Say plainly what memory does not have."
        ),
        chinese=(
            "请根据长期记忆回答下面的问题。用 memory_search 查，找不到就换个说法再查；要引用的内容用 memory_get 取出。"
            "回答要简短，每句注明出处，说明哪些已经过时或不确定；记忆中没有就直说，不要猜。"
        ),
        chinese_alone=(
            "请调用 memory_context，简短告诉我记忆里有哪些与现在的事有关，并注明出处；缺的再用 memory_search 查。"
            "记忆中没有的就直说。"
        ),
    ),
    Prompt(
        name="review",
        description="Settle what memory has not decided / 整理待定的记忆",
        argument="about",
        meaning="only what concerns this",
        english=(
            "Call memory_review and settle what it hands out by the rules it gives, as far as it concerns what "
            "follows; leave the rest. Keep only what I really said; ask me where you are not sure. Go on until "
            "nothing of it waits, then tell me what was kept, dropped and put to me."
        ),
        english_alone=(
            "Call memory_review and settle what it hands out by the rules it gives. Keep only what I really said and "
            "what will matter later; ask me where you are not sure. Go on until nothing waits, then tell me what was "
            "kept, dropped and put to me."
        ),
        chinese=(
            "请调用 memory_review，按它给出的规则处理与下面内容有关的条目，其余不动。只保留我确实说过的；拿不准就问我。"
            "处理完后告诉我保留了什么、放弃了什么、哪些要我确认。"
        ),
        chinese_alone=(
            "请调用 memory_review，按它给出的规则逐批处理。只保留我确实说过、以后有用的；拿不准就问我。"
            "全部处理完后告诉我保留了什么、放弃了什么、哪些要我确认。"
        ),
    ),
)
