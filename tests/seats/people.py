"""Pages as seats write them, in few words."""

FIRM = [{"trust": "high", "source_url": "records/facts.jsonl#L1"}]


def write(memory, seat="planner", title="Use one file", body="It is simple.", **how):
    """A page of a seat, with what a finding needs."""
    kind = how.pop("kind", "decision")
    if kind == "finding":
        how.setdefault("evidence", FIRM)
    return memory.seats.write_page(
        kind=kind, project=how.pop("project", "arena"), seat=seat, title=title, body=body, **how
    )
