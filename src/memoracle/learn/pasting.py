"""Where somebody else's text begins inside a turn: a label before it, the head of a mail, a forwarding mark, a tag.

Looks at how people paste and never at what the text says. Where nothing marks a paste, length does: nobody can tell a
long text of several paragraphs from an article, so of such a turn only its short ends are its speaker's.
"""

from __future__ import annotations

import re

_NOUN = (
    r"(?:article|document|doc|e-?mail|mail|newsletter|text|paragraph|essay|transcript|logs?|output|readme|passage"
    r"|excerpt|story|letter|report|post|abstract|contents?|quote|lyrics|conversation|chat|thread|messages?|review"
    r"|resume|cv|page|web ?page|site|website|snippet|issue|ticket|comment|tweet|job description|error|stack ?trace"
    r"|traceback|response|reply|result|search result)"
)
_LABEL = re.compile(
    r"(?:^|.*\b)(?:here(?:'s| is| are)|this is|below is|attached is|look at|see|read|check|paste[ds]?|given|got"
    r"|received|found|summari[sz]e|translate|review|explain|analy[sz]e|proofread|rewrite|classify|reply to|answer)\b"
    r"(?: \w+){0,2}? ?(?:the |my |a |an |some |this |these |that |following ){0,2}"
    rf"(?:\w+ ){{0,3}}{_NOUN}\b[^.!?]{{0,60}}[:：]\s*$",
    re.IGNORECASE,
)
_SAYS = re.compile(
    rf"(?:^|.*\b)(?:the|this|that|a|an|their|his|her|its) (?:\w+ ){{0,2}}{_NOUN} "
    r"(?:said|says|read|reads|goes|went|was|is)\s?[:：]\s*$",
    re.IGNORECASE,
)
_LABEL_ZH = re.compile(
    r"(?:.*(?:这是|以下是|下面是|如下|帮我看|帮忙看|看看|看一下|读一下|翻译|总结|概括|分析|解释|润色|改写|收到|转发|贴一下|粘贴|原文|内容)"
    r".{0,20}|.{0,6}(?:邮件|文章|网页|新闻|内容|原文|公告|通知|聊天记录|日志|报错|文本|段落|帖子|评论|消息|短信).{0,8})[:：]\s*$"
)
_THIS_ZH = (
    r"(?:这|那|下面|以下|下列)[个篇封段条份则些]?.{0,6}"
    r"(?:邮件|文章|网页|新闻|内容|原文|公告|通知|聊天记录|日志|报错|文本|段落|帖子|评论|消息|短信)"
)
_POINTS = re.compile(
    rf"(?:^|.*\b)(?:this|that|these|those|following|attached|below)\b (?:\w+ ){{0,2}}{_NOUN}\b[^.!?:]{{0,60}}\?\s*$"
    r"|(?:please |pls |can you |could you |would you )?(?:summari[sz]e|translate|review|read|check|explain|analy[sz]e"
    r"|proofread|rewrite|classify|look at|reply to|answer|thoughts on)\b(?: \w+){0,2}?"
    r" (?:this|that|these|the following)\b"
    rf"(?: \w+){{0,2}}? ?{_NOUN}\b[^.!?:]{{0,60}}[.!?]?\s*$"
    rf"|.*{_THIS_ZH}[^。！？?：:]{{0,16}}(?:[?？]|吗|呢)\s*$"
    rf"|.{{0,6}}(?:看|读|总结|概括|翻译|分析|解释|润色|改写|回复).{{0,6}}{_THIS_ZH}[^。！？?：:]{{0,8}}[。！]?\s*$",
    re.IGNORECASE,
)
"""What points at a text that follows: asked about or asked for, without a colon."""
_DRAWN = re.compile(r"(?:[-=*_~—–]{3,}|[-*_](?: [-*_]){2,}|\"{3}|'{3})$")
_HEAD = re.compile(
    r"(?:\*{0,2})(?:from|sent|to|cc|date|subject|reply-to|发件人|收件人|抄送|发送时间|日期|时间|主题)"
    r"(?:\*{0,2})\s?[:：]\s?\S",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"-{2,}\s?(?:forwarded message|original message|original appointment|begin forwarded message|转发的?邮件"
    r"|原始邮件|转发信息)|begin forwarded message|fwd?:\s|转发[:：]|\[?forwarded from\b"
    r"|on .{4,80} wrote[:：]\s*$|在 ?.{4,80}写道[:：]\s*$",
    re.IGNORECASE,
)
_ENDS = (":", "：")
_TAG = re.compile(
    r"^[ \t]*<([A-Za-z][\w:.-]{0,60})(?:\s[^<>\n]{0,400})?>|<([a-z][\w:.-]{1,60})(?:\s[^<>\n]{0,200})?>",
    re.MULTILINE,
)
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "p", "li"})
_BYLINE = re.compile(
    r"(?:by [A-Z][\w.'-]+(?: [A-Z][\w.'-]+){1,3}\s*(?:$|[|·,-])"
    r"|(?:author|written by|published|posted|updated|source|via)\s?[:：]"
    r"|(?:作者|来源|原文链接|发布时间|发表于|编辑|记者|责任编辑)\s?[:：])"
    r"|\d{1,2} min(?:ute)?s? read\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6} \S|[一二三四五六七八九十]{1,2}、\S{2,30}$")
_LONG_TURN, _SHORT_PART = 600, 160
"""How much talk makes a turn of three paragraphs a text, and how much of its ends may be typed; a han weighs three."""
_LONG_LIST = 12
_ITEM = re.compile(r"\s*(?:[-*•+–]|\d{1,3}[.)、])\s")
_SPEECH = re.compile(r"\"[^\"\n]{2,4000}\"|“[^”\n]{2,4000}”|「[^」\n]{2,4000}」")
_STOP_INSIDE = re.compile(r"[.!?。！？；:：]\s?[^\s]")
_OPENS = re.compile(r"[:：,，]\s?([\"“「『])[^\"”」』\n]{0,2000}$")
_CLOSES = {'"': '"', "“": "”", "「": "」", "『": "』"}
_QUOTATION = re.compile(
    r"\"[^\"\n]{1,600}\"|“[^”\n]{1,600}”|「[^」\n]{1,600}」|『[^』\n]{1,600}』|‘[^’\n]{3,600}’(?!\w)"
)
_SHORT_QUOTATION = 3
_SENTENCE = re.compile(r"[.!?]\s+|[。！？]\s*")


def begins_another(line: str, after: str, *, is_last: bool = False) -> bool:
    """True when everything behind this line is somebody else's text; `after` is the line that follows.

    `is_last` says that the line ends its paragraph: what points at a text may be followed by it.
    """
    bare = line.strip()
    if _FORWARDED.match(bare[:160]):
        return True
    if after and (_DRAWN.match(bare) or (is_last and _POINTS.match(bare[-200:]))):
        return True
    if bare.endswith(_ENDS):
        end = bare[-200:]
        return bool(_LABEL.match(end) or _SAYS.match(end) or _LABEL_ZH.match(end))
    return bool(_HEAD.match(bare[:80]) and _HEAD.match(after.strip()[:80]))


def without_tagged(text: str) -> str:
    """The text without what stands in tags; one that opens a line and is never closed goes on to the end."""
    if "<" not in text:
        return text
    kept: list[str] = []
    done = 0
    for tag in _TAG.finditer(text):
        name = tag[1] or tag[2]
        if tag.start() < done or name.lower() in _VOID:
            continue
        close = text.rfind(f"</{name}>", tag.end())
        if close < 0 and tag[2]:
            continue
        kept.append(text[done : tag.start()])
        if close < 0:
            return "".join(kept)
        inside = text[tag.end() : close]
        if tag[2] and len(inside.split()) <= _SHORT_QUOTATION and len(inside) <= 40:
            kept.append(inside)  # a word in bold
        done = close + len(name) + 3
    return "".join([*kept, text[done:]])


def typed_part(paragraphs: list[list[str]]) -> list[list[str]]:
    """The paragraphs of a turn that can be its speaker's own, as far as their shape tells."""
    paragraphs = _without_long(paragraphs)
    for at, lines in enumerate(paragraphs):
        heads = len(paragraphs) > 1 and (
            _HEADING.match(lines[0]) or any(_BYLINE.match(one[:80]) for one in lines)
        )
        if heads and sum(map(_weight, paragraphs[at:])) > _SHORT_PART:
            before = at - 1 if at and _HEADING.match(paragraphs[at - 1][0]) else at
            return paragraphs[:before]
    if len(paragraphs) < 3 or sum(map(_weight, paragraphs)) <= _LONG_TURN:
        return paragraphs
    return [one for one in (paragraphs[0], paragraphs[-1]) if _weight(one) <= _SHORT_PART]


def _without_long(paragraphs: list[list[str]]) -> list[list[str]]:
    """Of a paragraph with more lines than anybody types, only the line at the turn's own beginning or end is left."""
    kept: list[list[str]] = []
    last = len(paragraphs) - 1
    for at, lines in enumerate(paragraphs):
        if len(lines) <= _LONG_LIST:
            kept.append(lines)
            continue
        ends = [*(lines[:1] if at == 0 else ()), *(lines[-1:] if at == last else ())]
        kept += [[line] for line in ends if _weight([line]) <= _SHORT_PART and not _ITEM.match(line)]
    return kept


def _weight(lines: list[str]) -> int:
    return sum(len(line) + 2 * sum(ch > "\u2e80" for ch in line) for line in lines)


def said_before(line: str) -> list[str]:
    """The sentences that stand on such a line before the one that leads over."""
    last = 0
    for match in _SENTENCE.finditer(line):
        last = match.end() if match.end() < len(line) else last
    return [line[:last].strip()] if last else []


def without_speech(line: str) -> str:
    """The line with quotations of more than one sentence emptied: their sentences would stand alone otherwise."""
    if not any(map(line.__contains__, _CLOSES)):
        return line
    return _SPEECH.sub(
        lambda match: f"{match[0][0]}…{match[0][-1]}" if _STOP_INSIDE.search(match[0][1:-1]) else match[0],
        line,
    )


def open_quotation(line: str, after: list[str]) -> tuple[str, int]:
    """What of a line stands before a quotation that ends on a later one, and how many lines that takes."""
    opened = _OPENS.search(line[-2000:]) if any(map(line.__contains__, _CLOSES)) else None
    if opened is None:
        return line, 0
    closing = _CLOSES[opened[1]]
    for number, later in enumerate(after, start=1):
        if closing in later:
            return line[: max(0, len(line) - 2000) + opened.start(1)] + "…", number
    return line, 0


def without_quotations(text: str) -> str:
    """The text with its quotations emptied, short ones (a name, a title) left standing."""
    return _QUOTATION.sub(
        lambda match: match[0] if _is_short(match[0]) else f"{match[0][0]}…{match[0][-1]}", text
    )


def _is_short(quotation: str) -> bool:
    inside = quotation[1:-1]
    return len(inside.split()) <= _SHORT_QUOTATION and len(inside) <= (40 if inside.isascii() else 8)
