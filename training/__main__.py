"""Make the model: embed, read, tag, and a file of weights for each.

    python -m training --data FOLDER --out FOLDER [--stores FOLDER] [--labelled FOLDER] [--work FOLDER] [--version N]

Each step is a process of its own, so that it begins with an empty GPU; with `--work` what the steps wrote is kept.
`--data` is what `python -m training.gather` made.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from training import weights

READ, TAG = "4x1536", "4x384"
"""The shapes that are shipped: layers x inner numbers."""


def steps(options: argparse.Namespace, work: Path) -> list[list[str]]:
    """The four steps in their order, each as the words of its command."""
    data, stores = ["--data", str(options.data)], ["--stores", str(options.stores)] if options.stores else []
    labelled = ["--labelled", str(options.labelled)] if options.labelled else []
    embed, reader = ["--embed", str(work / "embed")], work / "read" / f"read{READ}.safetensors"
    return [
        ["training.embed", *data, "--out", str(work / "embed"), *stores],
        ["training.read", *data, *embed, "--out", str(work / "read"), *stores, "--shapes", READ],
        ["training.changes", *data, *embed, "--read", str(reader), "--out", str(work / "change"), *stores],
        ["training.tag", *data, *embed, "--out", str(work / "tag"), *stores, *labelled, "--shapes", TAG],
    ]


def make(options: argparse.Namespace, work: Path) -> None:
    """Run the steps, then pack what they wrote."""
    for words in steps(options, work):
        print("python -m", *words, flush=True)
        subprocess.run([sys.executable, "-m", *words], check=True)  # noqa: S603
    trained = (
        work / "embed",
        work / "read" / f"read{READ}.safetensors",
        work / "change" / "change.safetensors",
        work / "tag" / f"tag{TAG}.safetensors",
    )
    weights.main([*map(str, trained), options.version, str(options.out)])


def main(words: Sequence[str]) -> None:
    """Read the options; a folder that holds weights is refused before anything is learnt."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="what training.gather made")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the weights")
    parser.add_argument("--stores", type=Path, help="more written stores, as packs")
    parser.add_argument("--labelled", type=Path, help="labelled turns of others")
    parser.add_argument("--work", type=Path, help="where the steps write; a temporary folder if not given")
    parser.add_argument("--version", default="1", help="the number in the model's name")
    options = parser.parse_args(words)
    if found := sorted(options.out.glob("*.safetensors")):
        parser.error(f"{found[0]} is there already")
    options.out.mkdir(parents=True, exist_ok=True)
    if options.work:
        make(options, options.work)
        return
    with tempfile.TemporaryDirectory() as work:
        make(options, Path(work))


if __name__ == "__main__":
    main(sys.argv[1:])
