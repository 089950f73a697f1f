"""How records begin, change and end. Values in, values out; nothing here reads or writes files.

draft.py    words and flags become a Draft, or an error that says why not
admit.py    a Draft beside what is already known: new, the same, or back from the archive
revise.py   edit, pin, supersede, archive, restore: the next version of a record
undo.py     the versions that reverse an act
"""
