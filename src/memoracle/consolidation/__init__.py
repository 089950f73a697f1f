"""Consolidation: what was said becomes what is known, and what is known is kept in order.

run.py      the ten phases one after the other, the checkpoint between them, resuming
learn.py    collect, screen, extract, reconcile
apart.py    claims that are set apart for their owner
flush.py    the first four over some transcripts, between two runs
alone.py    one process at a time
tidy.py     age, index, hot, digest, retain, health
books.py    every record with its history, read once in a run; the only way a phase writes records
shelf.py    records as they stand, in memory
replay.py   nights gone through again without some of what they heard
forgetting.py  a session, a channel, a path or some days taken out, and all that came of them
forget.py   the verbs that take out: withdraw, trash, forget
answering.py  the inbox, its answers, the weekly review
asking.py   the model a memory may ask, behind its day's budget
rebase.py   what people did between two nights, done again on what stands then
tools.py    what a phase works with and what it gives back
"""
