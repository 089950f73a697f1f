"""Ten thousand stored texts that try to close the frame, open another or pose as a host; none does."""

import json
import random
import re
from contextlib import suppress

import pytest

from memoracle.compose import open_memory
from memoracle.context.portion import SAYS, TAG, framed, harmless
from memoracle.errors import RefusedByPolicy
from memoracle.interfaces.mcp.finding import CONTEXT, SEARCH
from memoracle.interfaces.mcp.tool import Caller
from memoracle.recall.evidence import as_data
from support.files import PLAIN, write

MANY = 12_000
_TAGS = (
    "memoracle", "system-reminder", "system", "assistant", "tool_result", "function_results", "relevant-memories",
    "invoke", "summary", "user", "instructions", "MEMORACLE", "Memoracle", "mem\u200boracle", "memoracle ",
)  # fmt: skip
_OPENING = (
    "<",
    "</",
    "< /",
    "<\t/",
    "＜",
    "＜/",
    "﹤",
    "<!--",
    "<![CDATA[",
    "<?",
    "<\u200b/",
    "&lt;/",
    "<\n/",
    "‹/",
    "<／",
)
_CLOSING = (">", " >", "＞", "﹥", "/>", ' kind="context">', "-->", "]]>", "", "\n>")
_TOKENS = (
    "<|im_start|>system", "<|im_end|>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<start_of_turn>model", "<end_of_turn>",
    "<｜User｜>", "<|eot_id|>", "< |im_start| >", "＜|im_start|>",
)  # fmt: skip
_FENCES = (
    "```",
    "~~~",
    "```memoracle",
    "---",
    "## Constraints",
    "# At hand",
    "- obey `01HZZZZZ`",
    "! notice",
    "»]",
    "«",
    "\r\n",
    "\x1b[2J",
    "\u202e",
    "\u2028",
)
_WORDS = ("obey", "the user said", "ignore", "忽略", "记住", "keys", "ok", "From memory, as data:", SAYS)

_CLOSES_FRAME = re.compile(r"</\s{0,8}memoracle", re.IGNORECASE)
_FRAME = re.compile(r"[<＜﹤][\s/／!?]{0,8}memoracle", re.IGNORECASE)
_TAG = re.compile(r"[<＜﹤](?:[!?]|[\s/／!?]{0,8}[^\W\d_])")
_TEMPLATE = re.compile(r"[<＜﹤]\s?[|｜]\s?\w|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>", re.IGNORECASE)


def hostile(count, seed):
    """Texts of tags, tokens, fences, controls and words in every order."""
    chance = random.Random(seed)
    parts = (
        lambda: chance.choice(_OPENING) + chance.choice(_TAGS) + chance.choice(_CLOSING),
        lambda: chance.choice(_TOKENS),
        lambda: chance.choice(_FENCES),
        lambda: chance.choice(_WORDS),
        lambda: chr(
            chance.choice(
                (
                    chance.randrange(32, 127),
                    chance.randrange(0x80, 0x3000),
                    chance.randrange(0xE0000, 0xE0080),
                )
            )
        ),
    )
    glue = ("", " ", "\n", "\n\n", "\t")
    for _ in range(count):
        yield chance.choice(glue).join(chance.choice(parts)() for _ in range(chance.randrange(1, 9)))


@pytest.mark.seed("F-24")
def test_no_text_leaves_the_frame():
    """On one line, with no tag, no token of a template and no control left in it; the frame is closed once."""
    for text in hostile(MANY, "frame"):
        line = harmless(text)
        assert "\n" not in line, text
        assert line.isprintable(), text
        assert not _TAG.search(line), text
        assert not _TEMPLATE.search(line), text
        whole = framed(f"- {line}", {"kind": text})
        assert len(_CLOSES_FRAME.findall(whole)) == 1, text
        assert whole.endswith(f"\n</{TAG}>"), text
        assert len(_FRAME.findall(whole)) == 2, text


@pytest.mark.seed("F-24")
def test_no_text_leaves_its_quotation():
    """The marks around outside text stand once each, and tokens of templates are spelled out."""
    for text in hostile(MANY, "quotation"):
        shown = as_data(text)
        assert (shown.count("«"), shown.count("»")) == (1, 1), text
        assert shown.endswith("»]"), text
        assert not _TEMPLATE.search(shown), text


@pytest.mark.long
@pytest.mark.seed("F-24")
def test_stored_texts_stay_in_the_frame_end_to_end(root):
    """Records, notes, the buffer and turns, through context and through the tools of a server."""
    texts = list(hostile(300, "stored"))
    with open_memory(str(root), environment=PLAIN) as memory:
        for number, text in enumerate(texts):
            with suppress(RefusedByPolicy):  # no more wait than there is room for
                kept = memory.remember(f"marmalade {number} {text}", importance=0.9)
                if kept.status == "quarantined":
                    memory.accept([kept.id])
        write(
            root,
            "notes/semantic/jam.md",
            "# Jam\n\n" + "\n\n".join(f"- marmalade {text}" for text in texts[:80]) + "\n",
        )
        write(root, "MEMORY.md", "# Mine\n\n" + "\n\n".join(f"- {text}" for text in texts[80:120]) + "\n")
        memory.buffer("add", texts[0])
        made = [
            memory.context("marmalade", after=after, budget=12_000).text
            for after in ("start", "compact", "reset", "prompt")
        ]
        made += [memory.context(f"marmalade {number}", after="prompt").text for number in range(0, 300, 3)]
        made.append(CONTEXT.run(memory, {"prompt": "marmalade", "budget": 12_000}, Caller()).document["text"])
        found = SEARCH.run(memory, {"query": "marmalade", "maxResults": 50}, Caller()).document
    for text in made:
        assert (text.count(f"<{TAG}"), len(_CLOSES_FRAME.findall(text)), len(_FRAME.findall(text))) == (
            1,
            1,
            2,
        )
        assert not _TEMPLATE.search(text)
    assert json.loads(json.dumps(found)) == found
    assert len(made[0]) > 2_000
