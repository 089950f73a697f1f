"""Addresses on the web, and the one spelling of each. Pure, linear."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.learn.link_places import Found
from memoracle.model.link import LinkType, entity

_STOPS = r"\s<>\"'`|\\^\x00" + "“”‘’"
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u303f"
_LETTERS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
# Round brackets belong to an address when they close in it; wide letters when they begin a step of its path.
_URL = re.compile(
    rf"(?<![A-Za-z0-9])[Hh][Tt][Tt][Pp][Ss]?://(?=[A-Za-z0-9\[])"
    rf"(?:[^{_STOPS}{_WIDE}()\[\]{{}}]|\([^{_STOPS}{_WIDE}()\[\]]{{0,200}}\)|(?<=[/=])[{_LETTERS}]++|\[[0-9a-fA-F:.]{{2,60}}\])++"
)
_TRAILING = ".,;:!?*_~…"
_PORTS = {"http": ":80", "https": ":443"}


def urls(text: str) -> Iterator[Found]:
    """Every web address."""
    for found in _URL.finditer(text):
        address = found[0].rstrip(_TRAILING)
        if address[address.index("://") + 3 :]:
            yield Found(
                start=found.start(),
                end=found.start() + len(address),
                type=LinkType.URL,
                target=entity("url", normal_url(address)),
            )


def normal_url(address: str) -> str:
    """One spelling: small letters in scheme and host, no password, no usual port, no fragment."""
    scheme, _, rest = address.partition("://")
    scheme = scheme.lower()
    rest = rest.partition("#")[0]
    end = min((at for at in map(rest.find, "/?") if at >= 0), default=len(rest))
    host = rest[:end].rpartition("@")[2].lower().removesuffix(_PORTS.get(scheme, ":"))
    path = rest[end:]
    return f"{scheme}://{host}{path if path.startswith('/') else '/' + path}"
