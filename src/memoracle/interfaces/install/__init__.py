"""Memoracle in a person's scheduler and in agents' hosts, without root. The only room that calls other programs.

entry.py     what is called, and how it is quoted
cron.py      a block of the person's crontab
systemd.py   a timer and a service of the person's own systemd
programs.py  calling a program and hearing what it says
change.py    what would be put where, shown as a diff

hosts.py     the hosts by name; claude_code.py, codex.py, gemini.py and openclaw.py say what each should have
openclaw_setup.py  where an OpenClaw keeps its things, and which keys it knows
wants.py     a member, an item, a table, a section, a whole file: what we want, and what of it is ours
moments.py   events, names and patience of the hosts
texts.py     the skill and the section that agents are taught from; plugin.py makes one folder of it all
shelves.py   files of a root that a host may search by itself
host.py      planned whole, copied, written down, done; putting.py and taking.py are its two halves
manifest.py  what was done to a host's files, so that it can be undone
json5.py     JSON5 with the place of every value; json_text.py toml_text.py marked.py change one place of a text
"""
