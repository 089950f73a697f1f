"""Memories of other programs in, pieces and sheets out.

recognise.py     which reader understands a source, and where hosts keep theirs
piece.py         Piece (something that becomes a record), Sheet (a note), Holding (all of a source)
blocks.py        Markdown cut into list items and paragraphs, with their sections and comments
memory_file.py   MEMORY.md and its kin, with OpenClaw's inline metadata
roots.py         directories of the five designs, and of Memoracle itself
pages.py         clawseat's records, one JSON document each
auto_memory.py   Claude Code's auto-memory and Codex's memories
basic_memory.py  folders of basic-memory: observations and relations
mem0.py          exports of mem0
graph.py         the `memory.jsonl` of the reference MCP server

Everything is opened read-only, links are never followed, and a reader never raises for what a file holds: what cannot
be used becomes a finding at its line. Guarding, recognising what is there already and writing are the caller's.
"""
