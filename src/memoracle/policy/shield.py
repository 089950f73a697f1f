"""`PolicyGuard` under its earlier name, for rooms that still ask for it."""

from __future__ import annotations

from memoracle.policy.guard import PolicyGuard as Shield

__all__ = ["Shield"]
