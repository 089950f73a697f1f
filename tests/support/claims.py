"""Claims and what is known, in memory: say what matters, get the rest for free."""

from memoracle.learn.reconcile import reconcile
from memoracle.learn.record_sets import slot_of
from memoracle.model.claim import Claim, Stance
from memoracle.model.predicates import NO_LONGER, OWNER, predicate_named
from memoracle.model.record import Change, Kind, Status, newest
from memoracle.store.line import decode, encode
from support.build import a_draft, days
from support.clock import START

MEETS = {Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED}


def day(number):
    """A moment so many days after the start."""
    return START + days(number)


def a_claim(predicate, what, *, on=0, stance="assert", hedged=False, subject=OWNER, **fields):
    """Somebody said this on that day, in a session of its own unless one is named."""
    rule = predicate_named(predicate)
    kind = Kind.BELIEF if hedged else rule.kind if rule else Kind.FACT
    fields.setdefault("session", f"s{on}")
    fields.setdefault("where", f"chats/{fields['session']}.jsonl#L1")
    fields.setdefault("importance", rule.importance if rule else 0.5)
    draft = a_draft(
        fields.pop("text", f"{subject} {predicate} {what}".strip()),
        kind=kind.value,
        subject=subject,
        predicate=predicate,
        object=what,
        observed=day(on),
        **fields,
    )
    return Claim(draft=draft, stance=Stance(stance), because="a test")


def a_run(on):
    """What a consolidation of that day writes into every version."""
    return Change(at=day(on), verb="consolidate", by="test", operation=f"op_{on}")


class Shelf:
    """Everything known, version by version; written lines are read back."""

    def __init__(self, *records):
        self.versions = {}
        self.items = {}
        self.closed = set()
        self.take(records)

    def take(self, records):
        for record in records:
            held = self.versions.setdefault(record.id, [])
            assert record.version == len(held) + 1, "versions follow each other"
            held.append(decode(encode(record)[:-1]).record)

    def standing(self, record_id):
        return newest(self.versions[record_id])

    def all(self):
        return [self.standing(one) for one in sorted(self.versions)]

    def in_slot(self, subject, predicate):
        slot = subject, predicate.removeprefix(NO_LONGER)
        return [one for one in self.all() if slot_of(one.statement) == slot and one.status in MEETS]

    def with_key(self, key):
        found = [one for one in self.all() if key in one.keys]
        order = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
        return min(found, key=lambda one: order.get(one.status, 2), default=None)

    def hear(self, *claims, on=100, **how):
        """Reconcile these claims on that day, and keep what follows."""
        done = reconcile(claims, self, a_run(on), **how)
        self.take(done.versions)
        self.items |= {item.id: item for item in done.items}
        self.closed |= set(done.closed)
        return done

    def says(self, predicate, subject=OWNER):
        """The objects of the active records of a slot, surest first."""
        active = [one for one in self.in_slot(subject, predicate) if one.status is Status.ACTIVE]
        active = [one for one in active if one.statement.predicate == predicate]
        return [
            one.statement.object for one in sorted(active, key=lambda one: (-one.weight.confidence, one.text))
        ]

    def one(self, what, **fields):
        """The newest record with this object and these fields."""
        found = [one for one in self.all() if one.statement.object == what]
        found = [one for one in found if all(getattr(one, name) == want for name, want in fields.items())]
        return max(found, key=lambda one: (one.created, one.id))
