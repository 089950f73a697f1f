"""Codex: its transcripts, and how it is set up."""
