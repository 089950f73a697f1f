"""Asking across seats, projects and roots: every answer names its owner, and what is missing is said.

lookup.py      a dotted key in facts, in the order in which sources are believed
shelves.py     the documents that keys are looked up in
flatten.py     every value of a document with its path, to search in
gather.py      answers of several members as one, each with whose it is
peers.py       what peers delivered, as sources
synthesis.py   pages of several seats on one topic, cited and never copied

`shelves.py` alone reads files; everything else is pure. `federating.py` puts them together.
"""
