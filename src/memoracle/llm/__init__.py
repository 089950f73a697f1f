"""A language model, asked only where rules are undecided. Off unless the owner configured one.

| file | what it holds |
|---|---|
| `api.py` | the `Model` and `Purse` ports: what an answer is, and who pays for it |
| `endpoint.py` | any OpenAI-compatible `/v1/chat/completions` |
| `command.py` | a local command: the question on stdin, the answer on stdout |
| `ledger.py` | the arithmetic of a daily budget |
| `caller.py` | one run's calls: paid before they are made, stopped after three failures |
| `judge.py` | is a fragment worth keeping, and what does it say: the question, batch by batch |
| `answers.py` | the answer, checked item by item against the fragment it is about |
| `schema.py` | one item of it: types and ranges |
| `reading.py` | the JSON in what a model wrote |
| `grounding.py` | whether words stand in a fragment |
| `settle.py` | undecided fragments in, claims and whatever has to wait out |

Nothing here reads or writes a file, knows the time, or raises for what a model does. What leaves the
process goes to the configured endpoint or command and nowhere else, and has to be masked before.
"""
