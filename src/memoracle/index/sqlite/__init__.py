"""The embedded view: one SQLite file that can be deleted at any time.

schema.sql      the whole view, readable in one sitting
connection.py   finding, opening and replacing the file; whose turn it is to change it; vectors by content
passages.py     passages and rows, both ways; filters as part of the query
writer.py       files in, rows out
postings.py     the inverted index, search by words and by exact names, and what ranking needs of every passage
ranking.py      the view as numpy arrays
links.py        what links to what, and what a name leads to
records.py      lists, counts, versions, and the dump that proves two views equal
view.py         SqliteIndex, which puts them together
"""
