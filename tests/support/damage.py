"""Small ways to hurt a record file, and what each should be called."""

import json

BOM = b"\xef\xbb\xbf"
A_TORN_LINE = b'{"schema":1,"id":"mem_0000000000000000000000TORN","version":1,"kind":"fa'


def last_line(content):
    return content.rstrip(b"\n").rsplit(b"\n", 1)[-1]


def without_newline(content, number=0):
    """Two lines run into one."""
    places = [place for place, byte in enumerate(content) if byte == 10]
    return content[: places[number]] + content[places[number] + 1 :]


def swapped(content):
    return b"".join(reversed(content.splitlines(keepends=True)))


HARMLESS = {
    "a line repeated": lambda c: c + last_line(c) + b"\n",
    "all lines twice, in another order": lambda c: swapped(c) + c,
    "lines reordered": swapped,
    "carriage returns": lambda c: c.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda c: BOM + c,
    "blank lines": lambda c: c.replace(b"\n", b"\n\n \n"),
    "the last newline is gone": lambda c: c.rstrip(b"\n"),
}
"""Changes that cost nothing and need no mending to be read."""

HURTFUL = {
    "a torn last line": (lambda c: c + A_TORN_LINE, "torn-line"),
    "a torn line in the middle": (lambda c: A_TORN_LINE + b"\n" + c, "broken-line"),
    "a line torn and glued to the next": (lambda c: A_TORN_LINE + c, "altered-line"),
    "garbage": (lambda c: bytes(range(128, 256)) + b"\n" + c, "broken-line"),
    "a tail of zero bytes": (lambda c: c + b"\0" * 4096, "torn-line"),
    "a line of zero bytes": (lambda c: b"\0" * 600 + b"\n" + c, "nul-line"),
    "a lost newline": (without_newline, "altered-line"),
    "conflict markers": (
        lambda c: b"<<<<<<< ours\n" + c + b"=======\n" + c + b">>>>>>> theirs\n",
        "conflict-marker",
    ),
    "deep JSON": (lambda c: c + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n", "broken-line"),
    "a huge number": (lambda c: c + b'{"a":' + b"9" * 100_000 + b"}\n", "broken-line"),
    "an 8 MB line": (lambda c: c + b'{"a":"' + b"x" * 8_000_000 + b'"}\n', "long-line"),
    "bad UTF-8": (lambda c: b'{"text":"\xff\xfe\xc0"}\n' + c, "broken-line"),
    "not a number": (lambda c: b'{"schema":1,"importance":NaN}\n' + c, "broken-line"),
    "a doubled key": (lambda c: b'{"id":"a","id":"b"}\n' + c, "broken-line"),
    "another program's line": (lambda c: b'{"what":"is this"}\n' + c, "broken-line"),
    "half a character": (lambda c: _edited(c, text="\ud800"), "broken-line"),
    "a text that is a number": (lambda c: _edited(c, text=7), "broken-line"),
    "a version beyond all bounds": (lambda c: _edited(c, version=10**30), "broken-line"),
    "a version below all bounds": (lambda c: _edited(c, version=-1), "broken-line"),
    "a running count that is text": (
        lambda c: _edited(c, change={"at": "2026-01-01", "verb": "x", "writer": "w_1", "sequence": "9"}),
        "broken-line",
    ),
    "an importance without end": (lambda c: _edited(c, importance=1e999), "broken-line"),
    "words that are a list": (lambda c: _edited(c, entities=[["nested"]]), "broken-line"),
}
"""Changes that leave bytes nobody can read; with each, the finding that names them."""


def _edited(content, **fields):
    """The content with one more line, signed like our own, that says something impossible."""
    from memoracle.store.line import line_sum

    line = json.loads(last_line(content)) | {"id": "mem_0000000000000000000000EDIT"} | fields
    line.pop("sum")
    body = json.dumps(line, separators=(",", ":")).replace("Infinity", "1e999").encode()[:-1]
    return content + body + b',"sum":"' + line_sum(body).encode() + b'"}\n'
