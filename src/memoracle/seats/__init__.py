"""Seats own places: who may write where, what a page must be, and what is asked of all pages.

ownership.py   one writing seat per place; a foreign or unknown one is refused
draft.py       words become a page that may be written, or an error that says why not
reading.py     pages found on disk, by what they fit or by name
listing.py     pages that fit: project, kind, seat, status, since an instant
prose.py       whether an edit only cleans up text
record.py      a page as the JSON record other tools read
documents.py   the index files that clawseat's tools expect, derived from pages

`reading.py` alone reads files; everything else is pure. `seating.py` and `registering.py` turn them into writes;
`verbs.py` is `memory.seats`.
"""
