"""From a question to evidence: a list of small stages over the view, with a trace.

question.py   the words of a question: terms, names, quoted phrases
legs.py       the ways to propose candidates
weigh.py      relevance first; activation and importance as bounded factors
verdict.py    is this evidence enough? found, weak, or not in memory
pipeline.py   runs a recipe and keeps the trace
"""
