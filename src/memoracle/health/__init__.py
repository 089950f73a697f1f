"""Is the memory whole, and is it well? Reads everything back, says what is wrong, proposes how to mend it.

maintenance.py  status, check, repair, fold: the verbs
wellbeing.py how it is, safe repairs, canaries
tending.py   upkeep that is due, one process at a time (heartbeat.py: whether anything is)
auditing.py  the audit trail, proved or read
inspecting.py  everything that is kept of one thing
check.py     one Report from all probes of the files
repair.py    findings become a plan; damage is set aside, never dropped
small_files.py lists, registries and this machine's own notes, each read back
status.py    what a memory holds, in a glance
look.py      one look at everything: how the memory is
measure.py   its numbers, and the levels at which they worry
hygiene.py   nine checks of notes
ground.py    folders, small files, whether it can be written, whether it is tended
checks.py    what a check says: an id, a grade, one sentence
links.py     what the hot file links to
shelf.py     the notes as the checks look at them
tidy.py      safe repairs of notes
report.py    `health.json`
probe.py     canaries: questions whose answer is known
matching.py  whether a text says what was expected, however it writes its dates
"""
