"""What several tests of recall look into."""

import pytest

from memoracle.learn.draft import make_draft


@pytest.fixture
def shelf(memory):
    """A memory with a hundred ordinary things in it."""
    subjects = [
        "kitchen",
        "garden",
        "server",
        "invoice",
        "holiday",
        "piano",
        "bicycle",
        "library",
        "river",
        "market",
    ]
    verbs = ["needs", "likes", "opens", "moves", "keeps", "sends", "brings", "shows", "takes", "makes"]
    memory.remember_many([make_draft(f"the {s} {v} item {n}") for s in subjects for n, v in enumerate(verbs)])
    return memory
