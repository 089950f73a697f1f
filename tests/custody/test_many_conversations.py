"""A folder of many conversations: the lists about them are read a few times, not once for each."""

import os
import subprocess
import sys

COUNTING = """
import collections, os, sys
opened = collections.Counter()
def note(event, given):
    if event == "open" and isinstance(given[0], (str, bytes)):
        opened[os.path.basename(os.fsdecode(given[0]))] += 1
sys.addaudithook(note)
from memoracle.interfaces.cli import main
assert main(sys.argv[1:]) == 0
lists = ("sources.jsonl", "sources.twin.jsonl", "copies.jsonl", "transcripts.json", "never.jsonl", "never.json", "own.json")
print("OPENED", max(opened[name] for name in lists))
"""


def opened(root, folder):
    """How often the list that was opened most was opened, by the command itself."""
    words = ("--root", str(root), "ingest", str(folder), "--no-embed")
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, *words], capture_output=True, text=True, check=True, env=os.environ
    )
    return int(done.stdout.rsplit("OPENED ", 1)[1])


def test_the_lists_are_read_as_often_for_many_as_for_few(run, root, chat, tmp_path):
    """Counted in opened files: four times as many conversations, and one more forgotten among them."""
    for number in range(40):
        chat(f"few{number}", f"The box {number} is on the shelf", folder="few")
    for number in range(160):
        chat(f"many{number}", f"The jar {number} is in the cellar", folder="many")
    few = opened(root, tmp_path / "few")
    assert run(root, "forget", "--session", "few7", "--yes")[0] == 0
    many = opened(root, tmp_path / "many")
    assert max(few, many) <= 12
