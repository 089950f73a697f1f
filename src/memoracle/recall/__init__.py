"""From a question to evidence: a list of small stages over the view, with a trace.

answers.py     recall, search, list: the verbs
freshness.py   the view, in sync with the files whenever it is asked
linkgraph.py   what links where; linking.py by which rules
ask.py         what a question asks: its asks, the weight of its words, the answer it wants
when.py        the times it names, in both languages
signals.py     what speaks for a candidate
rank.py        candidates, signals, one linear score
feedback.py    what the best passages say besides
balanced.py    the default recipe: every ask ranked, exact names first
quick.py       words alone, without numpy
openclaw.py    the hybrid formula of a published design, as a recipe of its own
linked.py      what hangs on strong evidence by links
asserting.py   what of a passage is evidence: what it asserts, never what it asks
succession.py  what replaced what: outdated turns labelled, below what came after them
candidate.py   a passage on its way to becoming a hit
weigh.py       activation and importance, bounded
quoted.py      words from outside, between marks they cannot close
share.py       one outside session takes at most a third of an answer
verdict.py     is this evidence enough? found, weak, or not in memory
evidence.py    what was said around a hit
pack.py        evidence as text, never above its budget
recipes.py     the named recipes
pipeline.py    runs a recipe and keeps the trace
embedding.py   passages into vectors
"""
