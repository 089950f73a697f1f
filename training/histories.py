"""What people typed to coding agents in public repositories, as far as `readings/coding.jsonl` holds labels of it.

SpecStory and aider leave their conversations in the repository; `histories.json` says which repositories are read, at
which commits (the newest first), and under which licence. What a tool added to a turn is taken away, what looks like
an address or a secret is masked, and the digest of what remains decides whether the turn is one of ours.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from training.clones import Clone

_HERE = Path(__file__).parent
_HISTORY = re.compile(r"\.specstory/history/.*\.md$|\.aider\.chat\.history\.md$")
_HAN = re.compile(r"[\u4e00-\u9fff]")

_MARK = re.compile(r"^_\*\*\s*\b(User\b)?([^\n]*?)\*\*_\s*$", re.MULTILINE)
_RULES = re.compile(r"(?:(?:\A|\n)---\s*)+\Z")
_STARTED = re.compile(r"^# aider chat started.*$", re.MULTILINE)
_TYPED = re.compile(r"((?:^#### .*\n\s*)+)", re.MULTILINE)

_BY_AGENT = (
    (r"(?s)<tool-use\b.*?</tool-use>|<think>.*?</think>|<details>.*?</details>", ""),
    (r"(?m)^(?:---|_\*{4}_|Cancelled|</?details>|</?tool-use.*>|</think>)\s*$", ""),
    (r"\n{3,}", "\n\n"),
)
_BY_TOOLS = (
    (r"(?s)<((?:command|local-command|ide|task|system)[-_]\w+)\b[^>]*>.*?</\1>", ""),
    (r"</?user_query>", ""),
    (r"(?m)^\[Image[^\]]*\]\s*$", ""),
)
_NOT_TYPED = re.compile(
    r"(?is)\[Request interrupted|This session is being continued|Base directory for this|Implement the following plan"
    r"|Implement the plan as specified|\[Image|\[Terminal |For the code present|Add file to the chat"
    r"|File editing session$|(?:@agent )?Try Again$|/[\w:.-]+(?:\s[^\n]*)?\Z|.{0,3}\Z|```.*```\Z"
)
_CALLED = r"(?i)((?:api[_-]?key|secret|passw(?:or)?d|pwd|token|密码|密碼|口令)\s*[\"']?\s*(?:is|[:=：是为])\s*[\"']?)"
_MIXED = r"(?<![A-Za-z0-9_+-])(?=[A-Za-z0-9_+/-]*\d)(?=[A-Za-z0-9_+/-]*[A-Za-z])(?![A-Za-z_/-]*/)"
"""Letters and digits in a row are a token; with three hyphens they are a name, unless they are a UUID."""
_SECRETS = (
    (r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}", "<email>"),
    (r"(?i)(\w+://)[^\s/@:]+:[^\s/@]+@", r"\1<credentials>@"),
    (r"(?i)(/Users/|/home/|[A-Z]:\\+Users\\+|/c/Users/|Users%5C)[^/\\\s\"'`:]+", r"\1<user>"),
    (_CALLED + r"[^\s\"'`,;，。]{6,}", r"\1<secret>"),
    (r"\b(sk|pk|rk|gh[pos]|xox[abp]|AKIA|AIza|eyJ|hf|glpat|npm|github_pat)[-_A-Za-z0-9.]{16,}", "<token>"),
    (
        _MIXED + r"(?:[0-9a-f-]{36}(?![\w+=-])|(?!(?:[A-Za-z0-9+]*[-_]){3})[A-Za-z0-9_+-]{32,}={0,2})",
        "<token>",
    ),
    (r"(?<!\d)(?:\+?86[- ]?)?1[3-9]\d{9}(?!\d)", "<phone>"),
)
_MACHINES = (  # masked after the cut: the digests were taken so
    (r"[\w.-]+@(?:(?:LAPTOP|DESKTOP)-\w+|[\w-]+-MacBook[\w-]*)", "<user>@<host>"),
    (r"\broot@[\w-]+(?=:/)", "root@<host>"),
    (r"(-Users-)\w+", r"\1<user>"),
    (r"\b(code_challenge|state)=[\w-]{20,}", r"\1=<token>"),
)


class Turn(NamedTuple):
    """Something said in a session, by a person or by the agent."""

    session: str
    is_typed: bool
    text: str


def specstory(path: str, text: str) -> Iterator[Turn]:
    """The turns of a file of SpecStory, each under a line that says whose it is."""
    _, *parts = _MARK.split(text)
    for user, mark, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if not (user and "sidechain" in mark):  # there an agent speaks to another
            yield Turn(path, bool(user), _RULES.sub("", body.strip()).strip())


def aider(path: str, text: str) -> Iterator[Turn]:
    """The turns of a file of aider, where people stand in headings and tools in quotations."""
    for number, session in enumerate(_STARTED.split(text)):
        for place, part in enumerate(_TYPED.split(session)):
            kept = re.sub(r"(?m)^#### |\s*$", "", part) if place % 2 else re.sub(r"(?m)^>.*\n?", "", part)
            yield Turn(f"{path}#{number}", place % 2 == 1, kept.strip())


def changed(text: str, rules: Sequence[tuple[str, str]]) -> str:
    """The text after all replacements, in their order."""
    for pattern, instead in rules:
        text = re.sub(pattern, instead, text)
    return text


def typed(path: str, text: str) -> Iterator[tuple[str, str, str]]:
    """Every turn that a person typed: its session, what the agent said before, and its text, nothing of it masked."""
    session, prev = "", ""
    for turn in (aider if path.endswith(".aider.chat.history.md") else specstory)(path, text):
        if turn.session != session:
            session, prev = turn.session, ""
        if not turn.is_typed:
            prev = changed(turn.text, _BY_AGENT).strip() or prev
        elif not _NOT_TYPED.match(own := changed(turn.text, _BY_TOOLS).strip()):
            yield session, prev, own
            prev = ""


def rows(clones: Path) -> Iterator[dict[str, str]]:
    """The labelled turns of all repositories, each once; what is not in the clones is said and left out."""
    labels = (_HERE / "readings" / "coding.jsonl").read_text(encoding="utf-8").splitlines()
    left = {json.loads(line)["digest"] for line in labels}
    for source, path, licence, history in _files(clones):
        for session, prev, own in typed(path, history):
            text = changed(changed(own, _SECRETS)[:1500], _MACHINES)
            digest = blake2b(text.encode(), digest_size=12).hexdigest()
            if digest in left:
                left.remove(digest)
                yield {
                    "lang": "zh" if _HAN.search(text) else "en",
                    "source": source,
                    "licence": licence,
                    "session": session,
                    "prev": changed(changed(prev, _SECRETS)[-300:], _MACHINES),
                    "speaker": "user",
                    "text": text,
                }


def _files(clones: Path) -> Iterator[tuple[str, str, str, str]]:
    """Every history with its repository, path and licence, as it stands in the newest commit that has it."""
    for source, own in json.loads((_HERE / "histories.json").read_text(encoding="utf-8")).items():
        try:
            clone = Clone(clones, source.replace("/", "+"))
        except FileNotFoundError as absent:
            print(f"left out: {absent}")
            continue
        places = {path: commit for commit in reversed(own["commits"]) for path in clone.names(commit=commit)}
        for path in sorted(filter(_HISTORY.search, places), reverse=True):
            try:
                raw = clone.read(path, places[path])
            except subprocess.CalledProcessError:  # a clone may lack large files
                print(f"left out: {path} of {source} cannot be read")
                continue
            yield source, path, own["licence"], raw.decode("utf-8", "replace").replace("\r\n", "\n")
