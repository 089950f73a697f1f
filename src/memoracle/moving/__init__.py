"""Moving: in from other programs, out to them, and between machines.

importing.py   what a source holds becomes records and notes, once, as one act
judge.py       whether a piece is new, here already, or something that changed
exporting.py   the standing records and the notes, written outside the root
shelves.py     which file of a target holds what, shape by shape
syncing.py     commit, merge, look, and push only when asked
secrets.py     what must not be committed
"""
