"""The verbs of seats as methods of `memory.seats`: pages, the registry, facts by key, work between seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.memory import Deferred, verb

if TYPE_CHECKING:
    from memoracle.extensions.seats.federation import federating
    from memoracle.extensions.seats.handoffs import following, handing, proving
    from memoracle.extensions.seats.pages import registering, seating
    from memoracle.memory import HasTurns, Turns
    from memoracle.root import Root
else:
    federating = Deferred("memoracle.extensions.seats.federation.federating")
    following = Deferred("memoracle.extensions.seats.handoffs.following")
    handing = Deferred("memoracle.extensions.seats.handoffs.handing")
    proving = Deferred("memoracle.extensions.seats.handoffs.proving")
    registering = Deferred("memoracle.extensions.seats.pages.registering")
    seating = Deferred("memoracle.extensions.seats.pages.seating")


class Seats:
    """Seats of one memory: each writes in its own place, all read everywhere."""

    def __init__(self, memory: HasTurns) -> None:
        self._memory = memory

    @property
    def root(self) -> Root:
        """What the verbs work with."""
        return self._memory.root

    @property
    def turns(self) -> Turns:
        """The lock of the memory."""
        return self._memory.turns

    write_page = verb(lambda: seating.write_page)
    pages = verb(lambda: seating.pages)
    page = verb(lambda: seating.show_page)
    close_page = verb(lambda: seating.close_page)
    index_pages = verb(lambda: seating.index_pages)
    has_pages = verb(lambda: seating.has_pages)
    log_decision = verb(lambda: seating.log_decision)
    decisions = verb(lambda: seating.decisions)
    registry = verb(lambda: registering.registry)
    add_seat = verb(lambda: registering.add_seat)
    retire_seat = verb(lambda: registering.retire_seat)
    add_project = verb(lambda: registering.add_project)
    retire_project = verb(lambda: registering.retire_project)
    get = verb(lambda: federating.get)
    get_file = verb(lambda: federating.get_file)
    find_facts = verb(lambda: federating.find_facts)
    holdings = verb(lambda: federating.holdings)
    federate = verb(lambda: federating.federate)
    synthesize = verb(lambda: federating.synthesize)
    verify = verb(lambda: proving.verify)
    deliver = verb(lambda: handing.deliver)
    dispatch = verb(lambda: handing.dispatch)
    acknowledge = verb(lambda: handing.acknowledge)
    complete = verb(lambda: handing.complete)
    consume = verb(lambda: handing.consume)
    handoffs = verb(lambda: following.handoffs)
    check_handoff = verb(lambda: following.check_handoff)
    audit_closeout = verb(lambda: following.audit_closeout)
    rehearse = verb(lambda: handing.rehearse)
    rehearsal = verb(lambda: following.rehearsal)
    condense = verb(lambda: following.condense)
    send_decision = verb(lambda: handing.send_decision)
