"""From what was said to what it claims, by rules, in Chinese and English alike. No model, no files, no clock.

passages.py   the lines of a turn that its speaker said: no code, quotes, logs or pasted text
fences.py     lines of a note that it quotes or fences
pasting.py    where somebody else's text begins inside a turn
sentences.py  a turn becomes fragments, one sentence each
labels.py     statement, question, instruction or small talk
assertions.py what a text asserts, without questions and confessions of ignorance: speech_acts_en.py, speech_acts_zh.py
screen.py     whether a fragment is worth keeping: keep, drop or undecided, and why
matching.py   which patterns fit a sentence, and what they catch
claims.py     what a kept fragment claims: drafts with subject, predicate and object
typed.py      the claim of a record that somebody typed
objects.py    what a pattern caught, as it is written into a record
hedges.py     fact, or belief with a confidence
importance.py how much it matters
times.py      the time a sentence speaks of
expiry.py     when something temporary no longer holds
entities.py   who and what is named, with aliases
dated.py      relative days of a sentence with the date they mean beside them
links.py      what a text links to: link_tasks.py, link_places.py (files, commits, components, projects), link_urls.py,
              link_words.py (pages, keys); link_sources.py for whole notes and records, link_rules.py what is configured
pattern.py    what a pattern is           patterns_en.py  patterns_zh.py   patterns, with examples beside them
lexicon.py    what a lexicon is           lexicon_en.py   lexicon_zh.py    words that say how a sentence is meant
                                          times_en.py     times_zh.py      how a language names times
                                          entities_zh.py  Chinese names           script_zh.py  both Chinese scripts

Patterns and words are data: to teach a new way of saying something, add a row with its examples and
counterexamples. Nothing of this room but links, passages, fences, pasting and assertions is imported on the way to an
answer.
"""
