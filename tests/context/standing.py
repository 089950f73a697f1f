"""Standing records for tests: say what matters, get the rest for free."""

from memoracle.model.search import Standing
from support.build import a_passage
from support.clock import START


def one(text="the cat is called Miso", activation=1.0, **fields):
    """A record that stands, and how alive it is."""
    fields.setdefault("at", START)
    return Standing(passage=a_passage(text, **fields), activation=activation)
