"""Golden transcripts: what every verb says and writes, recorded once and compared at every change.

story.py       the chapters: commands of each verb, in a small script
play.py        plays a chapter in a world of its own: stdout, stderr, exit status, files that changed
plain.py       what differs from run to run becomes a placeholder
frozen/        a clock that stands still in every process of a story
served.py      MCP by hand: the list of tools and a call of each
expected/      one file per verb

`python -m tests.golden` compares; `--write` records anew and says what changed.
"""
