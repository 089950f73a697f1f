"""The policy in force, and what it would do to a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.guard.explain import InForce, PolicyVerdict, Sight
    from memoracle.root import Root


def policy(root: Root) -> InForce:
    """The policy in force, where each part comes from, and what is wrong with it."""
    from memoracle.guard.explain import in_force

    lost = privacy_lines_lost(root)
    return in_force(root.guard.policy, root.guard.blocklist(), path=root.store.layout["privacy"], lost=lost)


def privacy_lines_lost(root: Root, *, note: bool = True) -> int:
    """How many lines the privacy list has lost; new ones are noted, where that is wanted and can be."""
    from memoracle.store.privacy import lines_lost, note_unseen
    from memoracle.store.volume import NO_LOOKS

    listed = root.guard.blocklist()
    if listed.problem and root.store.volume.looks(root.store.layout["privacy"]) != NO_LOOKS:
        return 0  # nobody can tell, and everything waits for it anyway
    if note:
        note_unseen(root.store, listed.lines)
    return lines_lost(root.store, listed.lines)


def policy_test(
    root: Root, text: str, *, channels: Sequence[str] = (), kind: str = "fact"
) -> Sequence[PolicyVerdict]:
    """What would happen to a text, channel by channel, and by which rule; nothing is written."""
    return root.guard.explain(text, channels, kind)


def policy_check(root: Root, text: str, *, outgoing: bool = False) -> Sequence[Sight]:
    """What the privacy gate would stop in a text before a guarded action; nothing: it may pass."""
    from memoracle.guard.explain import sights

    return sights(text, root.guard.gate(text, outgoing=outgoing))
