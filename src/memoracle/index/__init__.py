"""The view (a secondary index): derived from the files, deleted at will, rebuilt to the same answers."""
