"""Sentences to memories (information extraction, reconciliation, replay): claims from words, met with what is known."""
