"""From what was said to what it claims, by rules, in Chinese and English alike. No model, no files, no clock.

sentences.py  a turn becomes fragments: sentences, without code, quotes, logs and pasted text
labels.py     statement, question, instruction or small talk
screen.py     whether a fragment is worth keeping: keep, drop or undecided, and why
claims.py     what a kept fragment claims: drafts with subject, predicate and object
typed.py      the claim of a record that somebody typed
objects.py    what a pattern caught, as it is written into a record
hedges.py     fact, or belief with a confidence
importance.py how much it matters
times.py      the time a sentence speaks of
expiry.py     when something temporary no longer holds
entities.py   who and what is named, with aliases
vital.py      wording that makes a sentence health, safety or identity; cheap enough for every write
pattern.py    what a pattern is           patterns_en.py  patterns_zh.py   patterns, with examples beside them
lexicon.py    what a lexicon is           lexicon_en.py   lexicon_zh.py    words that say how a sentence is meant
                                          times_en.py     times_zh.py      how a language names times

Patterns and words are data: to teach a new way of saying something, add a row with its examples and
counterexamples. Nothing of this room is imported on the way to an answer.
"""
