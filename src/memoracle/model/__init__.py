"""The words of the domain: plain values, no files, no clock, no settings.

record.py      Record, Draft, Kind, Status: what is kept
origin.py      who said it, where, through which channel
scope.py       whose memory it is: user, agent, project, seat
validity.py    when it holds, what it replaces
change.py      what happened to make this version
activation.py  how alive a record is at a moment
ids.py         sortable ids, content keys
names.py       which names may become files
vital.py       wording that makes a statement health, safety or identity; cheap enough for every write
query.py       a question and its filters
hit.py         an answer with its evidence
plan.py        proposed changes, each with its reason
report.py      findings of a check
turn.py        one thing said in a conversation
cite.py        how a generated line names its record
ledger.py      what a model has cost today
pending.py     what waits for a model, and why
"""
