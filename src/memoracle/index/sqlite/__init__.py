"""The embedded view: one SQLite file that can be deleted at any time.

schema.sql      the whole view, readable in one sitting
connection.py   finding, opening and replacing the file
rows.py         passages and rows, both ways
writer.py       files in, rows out
lexical.py      search by words and by exact names
facets.py       lists, counts, and the dump that proves two views equal
view.py         SqliteIndex, which puts them together
"""
