"""Measuring Memoracle, and its peers beside it, on packs of conversations and questions.

packs.py        what is asked of which turns
subject.py      the port behind which everything measured stands
product.py      Memoracle itself, through its public door
peers/          the others
transcript.py   a space as the plain file that `ingest` reads
worker.py  remote.py      a subject in a process of its own, and this side of the pipe
charged.py  places.py     one cache of vectors for everybody, paid for by everybody
run.py          packs through subjects
metrics.py  scores.py     pure numbers
measure.py      memory and disk
table.py        the document for people
latency.py      recall over a large synthetic memory, warm and cold
labelled.py     turns, and what should be kept of them
extraction.py   pure numbers again: what was kept beside what should have been
extracting.py   the rules over labelled turns, and the table

Data stays where it lies; nothing of it is copied into the project.
"""
