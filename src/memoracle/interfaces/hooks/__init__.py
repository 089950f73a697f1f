"""Hooks: what agents' hosts call at the beginning of a session, at a prompt, at its end, around a compaction.

entry.py     the one door: reads the host's JSON, always ends with 0, says nothing but its JSON
payload.py   what a host said, in one shape; which host it is
telling.py   reading hooks: what an agent is told, in the host's own shape
noting.py    writing hooks: a line in the spool, and a worker if none is there
worker.py    drains the spool in a process of its own
markers.py   what an agent asks for in the last lines of a turn
turns.py     the last thing an agent said, from its transcript
place.py     where the root and its state are, without opening anything
"""
