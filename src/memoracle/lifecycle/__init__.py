"""How records begin, change and end.

remembering.py, records.py, changing.py  the verbs of records
jotting.py, buffering.py, flushing.py    notes by hand, the working buffer, whether a flush is due
policies.py  the policy in force, and what it would do to a text

All others take values and give values; only `digests.py` and `retain.py` touch files.

draft.py    words and flags become a Draft, or an error that says why not
admit.py    a Draft beside what is already known: new, the same, or back from the archive
quarantine.py  what is set apart, asked about and put into use; room.py how much of it may wait
revise.py   edit, pin, supersede, archive, restore: the next version of a record
undo.py     the versions that reverse an act
reconcile.py  claims meet what is known (known.py, said.py, desk.py); settle.py, confirm.py, deny.py, timeline.py decide
evidence.py, hysteresis.py, sameness.py  what speaks for a record, what is firm, what is the same
beliefs.py  confidence gained and lost; inbox.py questions for the owner and their answers
summaries.py, compress.py, entities.py  many facts in one line, the same said twice, pages
digest.py   the digest of a day; digests.py brings them up to date on disk
retain.py   what has grown old moves to the archive
homes.py    which note a fact belongs to, and which stand in two
review.py   what the last seven days suggest
schedule.py when each job of upkeep is due
"""
