"""Hand-offs and deliveries as verbs: what `handoffs/` decides becomes files, in the order that a crash forgives.

desk.py       what every act works with: the queue, the transport behind the gate, who is speaking
proving.py    claims held against this memory
giving.py     dispatch, acknowledge, consume
returning.py  complete, deliver, a decision for somebody else
looking.py    the four-step check, the close-out audit, rehearsals, condensing

The classes build on each other in this order. Nothing is sent from here unless the owner named a command for it, and
then only past the privacy gate.
"""

from __future__ import annotations

from memoracle.handing.looking import Look as Handing

__all__ = ["Handing"]
