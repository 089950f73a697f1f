"""What makes a view old: raise a number when the same passage gives other rows."""

from __future__ import annotations

FEATURES = 5
"""The numbers that `features.py` reads from a passage, and how they are stored."""

LINKS = 1
"""The rules by which links are found, and how they are stored."""
