"""Gemini CLI: its transcripts, and how it is set up."""
