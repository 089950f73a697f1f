"""Consolidation: what was said becomes what is known, and what is known is kept in order.

run.py      the ten phases one after the other, the checkpoint between them, resuming
learn.py    collect, screen, extract, reconcile
flush.py    the first four over some transcripts, between two runs
alone.py    one process at a time
tidy.py     age, index, hot, digest, retain, health
books.py    every record with its history, read once in a run; the only way a phase writes records
tools.py    what a phase works with and what it gives back
"""
