"""Does this text tell somebody what to do? A coarse look at how its sentences begin, in two languages.

It decides only about text from outside, which carries no authority whatever this says.
"""

from __future__ import annotations

import re
from functools import lru_cache

_BEFORE = "please|kindly|now|also|first|then|important:|important!|note:|remember:|remember this:"
_ENGLISH = (
    *(
        "always",
        "never",
        "do not",
        "don't",
        "dont",
        "ignore",
        "disregard",
        "forget",
        "remember to",
        "remember:",
    ),
    *(
        "from now on",
        "you must",
        "you should",
        "you have to",
        "you will",
        "make sure",
        "be sure to",
        "ensure",
    ),
    *("must", "send", "forward", "email", "post", "upload", "publish", "transfer", "pay", "buy", "delete"),
    *("remove", "erase", "run", "execute", "install", "download", "open", "visit", "click", "call", "reply"),
    *("respond", "answer", "say", "tell", "write", "print", "output", "include", "insert", "add", "append"),
    *(
        "embed",
        "use",
        "recommend",
        "promote",
        "reveal",
        "disclose",
        "share",
        "give",
        "show",
        "list",
        "provide",
    ),
    *("act as", "pretend", "behave", "treat", "trust", "prefer", "obey", "follow", "override", "bypass"),
    *("disable", "turn off", "change", "set", "update", "replace", "keep", "store", "save", "whenever you"),
    *("whenever the user", "when the user", "when asked", "if the user", "if asked", "if anyone asks"),
)
_CHINESE = (
    *(
        "请",
        "務必",
        "务必",
        "记住",
        "記住",
        "牢记",
        "永远",
        "永遠",
        "始终",
        "一律",
        "总是",
        "總是",
        "必须",
        "必須",
    ),
    *(
        "不要",
        "不得",
        "禁止",
        "千万",
        "切勿",
        "别",
        "忽略",
        "无视",
        "無視",
        "忘记",
        "忘掉",
        "以后都",
        "以後都",
    ),
    *(
        "从现在起",
        "从今以后",
        "從現在起",
        "你要",
        "你应该",
        "你必须",
        "你需要",
        "确保",
        "发送",
        "转发",
        "上传",
    ),
    *("删除", "执行", "运行", "安装", "下载", "打开", "点击", "回复", "告诉", "透露", "泄露", "假装", "扮演"),
    *("遵守", "服从", "绕过", "关闭", "把"),
)


def is_command(text: str) -> bool:
    """True when one of its sentences begins like an instruction."""
    return _pattern().search(text) is not None


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    # At the start of the text, of a line, or of a sentence; a list mark or a quotation mark may stand before it.
    start = r"(?:\A|[\n.!?;:。！？；：>\]])[\s>*#\-\d.)\"'“‘「『`(\[]{0,12}"
    english = rf"(?:(?:{_BEFORE}),? ){{0,3}}(?:{'|'.join(map(re.escape, _ENGLISH))})(?!\w)"
    return re.compile(rf"{start}(?:{english}|{'|'.join(_CHINESE)})", re.IGNORECASE)
