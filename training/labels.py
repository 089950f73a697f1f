"""What a tagger may say: its labels, in the order of its heads."""

from __future__ import annotations

KINDS = (
    "identity preference dislike rule decision fact health relationship work plan task event skill location value"
).split()
ABOUT = ["user", "project", "world", "person"]
STANCES = "states corrects ends plans asks quotes jokes other".split()
UNTIL = ["lasting", "dated", "done"]
