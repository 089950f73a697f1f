"""Memories of other programs, as imported items and notes."""
