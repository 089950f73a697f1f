"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 5, 15, 9, 30, tzinfo=UTC)


class FrozenClock:
    """Gives the same moment again and again; `move` lets time pass."""

    def __init__(self, now=START):
        self.now = now

    def __call__(self):
        return self.now

    def move(self, **span):
        self.now += timedelta(**span)
        return self.now

    def ago(self, **span):
        return self.now - timedelta(**span)
