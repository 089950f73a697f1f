"""`Masking`: one text after the other without what the policy keeps out of files.

Secrets always; personal data by its mode; what the owner blocked. All of it is replaced by
`[secret:TYPE:FINGERPRINT]`. What is stored never is also masked here: a turn of a conversation cannot be refused.
"""

from __future__ import annotations

from memoracle.guard.known import Known
from memoracle.guard.modes import PERSONAL, Blocked, Policy, PolicyMode
from memoracle.guard.rule import Masked, Sighting
from memoracle.guard.secrets import Salt, fingerprint, mask, mask_named, masked_places
from memoracle.guard.values import is_placeholder


class Masking:
    """What is masked under one policy."""

    def __init__(
        self,
        salt: Salt,
        policy: Policy | None = None,
        blocked: tuple[Blocked, ...] = (),
        known: Known | None = None,
    ) -> None:
        self.salt = salt
        self._known = known
        self._blocked = blocked
        chosen = policy or Policy()
        self._personal = frozenset(kind for kind in PERSONAL if chosen.mode(kind) is not PolicyMode.ALLOW)

    @property
    def is_plain(self) -> bool:
        """True when secrets are all that is looked for."""
        return not self._personal and not self._blocked

    def learned(self) -> int:
        """How many secrets were recognised so far: a text may be masked otherwise once this has grown."""
        return self._known.learned if self._known else 0

    def text(self, text: str, *, keep_lines: bool = False) -> Masked:
        """The text without it. With `keep_lines` every line keeps its number."""
        hidden = mask(text, self.salt, keep_lines=keep_lines, known=self._known)
        return hidden if self.is_plain else self._more(text, hidden, keep_lines=keep_lines)

    def named(self, name: str, text: str) -> Masked:
        """The value of something with a name, masked when the name says that it is a secret."""
        hidden = mask_named(name, text, self.salt, known=self._known)
        return hidden if self.is_plain else self._more(text, hidden, keep_lines=False)

    def whole(self, text: str) -> Masked:
        """A text of which only its place says that it is a secret: nothing of it is left but a placeholder's words."""
        hidden = self.text(text)
        if is_placeholder(text) or [(one.start, one.end) for one in hidden.found] == [(0, len(text))]:
            return hidden
        every = Sighting(rule="named", type="api-key", start=0, end=len(text), fingerprint="")
        return _replaced(text, [every], self.salt(), keep_lines=False)

    def _more(self, text: str, hidden: Masked, *, keep_lines: bool) -> Masked:
        extra = outside_masks(text, [*self._persons(text), *self._phrases(text)])
        if not extra:
            return hidden
        return _replaced(text, [*hidden.found, *extra], self.salt(), keep_lines=keep_lines)

    def _phrases(self, text: str) -> tuple[Sighting, ...]:
        if not self._blocked:
            return ()
        from memoracle.guard.blocklist import find_blocked

        return find_blocked(text, self._blocked)

    def _persons(self, text: str) -> tuple[Sighting, ...]:
        if not self._personal:
            return ()
        from memoracle.guard.personal import find_personal

        return tuple(one for one in find_personal(text) if one.type in self._personal)


def outside_masks(text: str, found: list[Sighting]) -> list[Sighting]:
    """Those sightings that do not begin inside a mask."""
    if not found or "[secret:" not in text:
        return found
    is_inside = masked_places(text)
    return [one for one in found if not is_inside(one.start)]


def _replaced(text: str, found: list[Sighting], salt: bytes, *, keep_lines: bool) -> Masked:
    pieces: list[str] = []
    seen: list[Sighting] = []
    place = 0
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        start, end = max(one.start, place), max(one.end, place)
        if end <= place and seen:
            continue
        value = text[start:end]
        print_ = fingerprint(value, salt)
        pieces += [
            text[place:start],
            f"[secret:{one.type}:{print_}]",
            "\n" * value.count("\n") if keep_lines else "",
        ]
        seen.append(Sighting(rule=one.rule, type=one.type, start=start, end=end, fingerprint=print_))
        place = end
    return Masked(text="".join([*pieces, text[place:]]), found=tuple(seen))
