"""What an agent is given without asking: the hot file, the snapshot, and the files other designs expect.

choose.py       which records stand in the hot file, and in which part of it
fill.py         as many of them as a budget holds
hot.py          the generated block of MEMORY.md
snapshot.py     the same as a document of its own, for one audience
entities.py     pages of entities as documents
projections.py  documents that other designs read: activations, rankings, indexes, entities
publish.py      all of these brought up to date on disk
"""
