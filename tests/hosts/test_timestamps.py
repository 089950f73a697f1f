"""When something was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoracle.hosts.lines import read_moment


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-04-02T08:00:00.000Z", datetime(2026, 4, 2, 8, tzinfo=UTC)),
        ("2026-04-02T08:00:00+08:00", datetime(2026, 4, 2, tzinfo=UTC)),
        ("2026-04-02", datetime(2026, 4, 2, tzinfo=UTC)),
        (1775116800000, datetime(2026, 4, 2, 8, tzinfo=UTC)),
        (1775116800, datetime(2026, 4, 2, 8, tzinfo=UTC)),
        ("1775116800000", datetime(2026, 4, 2, 8, tzinfo=UTC)),
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:05 am on 1 June, 2023", datetime(2023, 6, 1, 0, 5, tzinfo=UTC)),
        ("2023/05/25 (Thu) 04:50", datetime(2023, 5, 25, 4, 50, tzinfo=UTC)),
        ("29.12.2023, 22:42:04", datetime(2023, 12, 29, 22, 42, 4, tzinfo=UTC)),
        ("March-15-2024", datetime(2024, 3, 15, tzinfo=UTC)),
        ("2024年04月02日 周二 07:46", datetime(2024, 4, 2, 7, 46, tzinfo=UTC)),
    ],
)
def test_moments_are_read(written, moment):
    """Every way in which hosts and data sets write a time is understood."""
    assert read_moment(written) == moment


@pytest.mark.parametrize(
    "written", [None, "", "yesterday", "2026-13-45", True, 10**40, float("nan"), {}, "99:99 on 8 Foo, 2023"]
)
def test_what_cannot_be_read_is_none(written):
    """No guess is made."""
    assert read_moment(written) is None
