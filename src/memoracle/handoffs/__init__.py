"""Work between seats: claims that can be checked, tasks that are given, seen and given back.

claims.py     a response's claims, each held against its evidence
evidence.py   what one piece of evidence says about an expected value
payload.py    a decision that somebody else must take, checked against its published schema
refusals.py   why a task cannot be given to a seat now
queue.py      what of a seat's tasks is pending, queued, done
chain.py      the four-step check, the close-out of a plan, the rehearsal of a chain
condense.py   routing state in a few lines: ids, receipts, owners
message.py    the words that a transport outside would send, with their prefix and footer

handing.py    the verbs: what the others decide becomes files
sending.py    a message handed to the command its owner named

All but the last two are pure: values in, values out.
"""
