"""Measuring Memoracle, and its peers beside it: `python -m benchmarks NAME …`, not part of the installed package.

cli.py          run, scorecard, latency and extract as commands; `memoracle bench` calls it
packs.py        what is asked of which turns
subject.py      the port behind which everything measured stands, and Memoracle behind it
peers/          the others
worker.py       a subject in a process of its own, and this side of the pipe
vectors.py      one cache of vectors for everybody, paid for by everybody
run.py          packs through subjects, and the table
scorecard.py    the same against every peer as one page, losses first
scores.py       pure numbers
latency.py      recall over a large synthetic memory, warm and cold
labelled.py     the rules of extraction on labelled turns

Every other file is a measurement of its own. Data stays where it lies; nothing of it is copied into the project.
"""
