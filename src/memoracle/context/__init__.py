"""What an agent is given without asking: the hot file, the snapshot, and the files other designs expect.

briefing.py     context and recover: what an agent is told at the moments that matter
publishing.py   snapshot and digest on demand
choose.py       which records stand in the hot file, and in which part of it
days.py         when what is told was meant to be: relative days as dates, plans whose day has passed
fill.py         as many of them as a budget holds
hot.py          the generated block of MEMORY.md
snapshot.py     the same as a document of its own, for one audience
entities.py     pages of entities as documents
projections.py  documents that other designs read: activations, rankings, indexes, entities
pack.py         the context pack: what an agent should see first, within a budget
deduplicate.py  one sentence stands once, whether a record, a turn or a note says it
own.py          what of a passage may be told unasked: its owner's own words
pages.py        notes as lines of a pack
fitting.py      what of memory has enough to do with a prompt to be told with it
relevant.py     what a prompt brings along, as lines of a pack
portion.py      as many lines of each section as a budget holds
frame.py        the marks around a pack, which nothing stored can close
publish.py      all of these brought up to date on disk
"""
