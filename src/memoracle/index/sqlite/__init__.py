"""The embedded view: one SQLite file that can be deleted at any time.

schema.sql      the whole view, readable in one sitting
connection.py   finding, opening and replacing the file; whose turn it is to change it
rows.py         passages and rows, both ways
writer.py       files in, rows out
chains.py       which passages stand beside each other
postings.py     where each term stands
columns.py      what ranking needs of every passage, in blocks
vectors.py      vectors by content, their sign bits in blocks
signs.py        the sign bits of a vector
arrays.py       the view as numpy arrays, for ranking
filters.py      filters as part of the query itself
lexical.py      search by words and by exact names
linking.py      links and pages in, rows out
links.py        what links to what, and what a name leads to
facets.py       lists, counts, and the dump that proves two views equal
view.py         SqliteIndex, which puts them together
"""
