"""Information extraction by rules: from what was said to what it claims, in Chinese and English alike.

Slot filling over sentences (a claim is subject, predicate and object), named entities, time expressions, dialogue acts
and links. No model, no files of users, no clock.

passages.py   the lines of a turn that its speaker said: no code, quotes, logs or pasted text
fences.py     lines of a note that it quotes or fences
pasting.py    where somebody else's text begins inside a turn
sentences.py  a turn becomes fragments, one sentence each
assertions.py what a text asserts, without questions and confessions of ignorance
screen.py     what a sentence does, and whether it is worth keeping: keep, drop or undecided, and why
matching.py   which patterns fit a sentence, and what they catch
claims.py     what a kept fragment claims: drafts with subject, predicate, object, confidence, importance and expiry;
              the claim of a record that somebody typed
project_scope.py whether something is about a project or about the person who said it
times.py      the time a sentence speaks of: times_en.py, times_zh.py
dated.py      relative days of a sentence with the date they mean beside them
entities.py   who and what is named, with aliases
links.py      what a text links to: link_tasks.py, link_places.py (files, commits, components, projects), link_urls.py,
              link_words.py (pages, keys); link_sources.py for whole notes and records, link_rules.py what is configured
rules.py      the rules of a language as values: patterns and lexicon.py, words that say how a sentence is meant
tables.py     the tables of rules/, as compile_rules.py made them

Patterns and words are data (`rules/*.toml`): to teach a new way of saying something, add a row with its examples and
counterexamples. Nothing of this room but links, passages, fences, pasting and assertions is imported on the way to an
answer.
"""
