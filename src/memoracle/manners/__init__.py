"""How an agent behaves towards its operator, where code can carry it.

minding.py    the verbs; the others are pure
language.py   which language a reply is in
intake.py     whether a request must be clarified first, and the one question to ask (requests.py: the rules)
drift.py      whether work has left a project's goal, and the card that says so (north_star.py: the goal)
key_facts.py  what of a turn must be stored before it may be compacted away
stored.py     whether memory says the same
finished.py   entries of a hot file that are done, and the stubs they leave
"""
