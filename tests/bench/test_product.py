"""The real product behind the port: a fresh root, a plain transcript, ids that come back."""

from benchmarks.packs import pack_of
from benchmarks.remote import Remote
from benchmarks.run import run

from .samples import PACK


def test_the_product_is_measured_through_its_public_door():
    """Turn ids survive ingest and search, so that gold can be found."""
    document = run("memoracle", [], [pack_of(PACK, "tiny")], Remote, lambda _: None)

    assert (document["mean"]["recall@5"], document["mean"]["answer_in_context@2000"]) == (1.0, 1.0)
