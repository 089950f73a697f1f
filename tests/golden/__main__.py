"""`python -m tests.golden [--write] [CHAPTER …]`: compare the transcripts, or record them anew."""

import argparse
import difflib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def main():
    from golden.play import EXPECTED, Stage
    from golden.story import CHAPTERS

    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("chapter", nargs="*", help="verbs (default: all)")
    parser.add_argument("--write", action="store_true", help="record anew")
    parser.add_argument("--full", action="store_true", help="print whole differences")
    arguments = parser.parse_args()
    stage = Stage()
    differs = 0
    try:
        for chapter in arguments.chapter or CHAPTERS:
            path = EXPECTED / f"{chapter}.txt"
            before = path.read_text(encoding="utf-8") if path.exists() else ""
            after = stage.play(chapter)
            if before == after:
                continue
            differs += 1
            rows = list(
                difflib.unified_diff(
                    before.splitlines(), after.splitlines(), path.name, path.name, "expected", "now", 1, ""
                )
            )
            gone = sum(row.startswith("-") for row in rows[2:])
            came = sum(row.startswith("+") for row in rows[2:])
            print(f"{path.name}: {gone} lines fewer, {came} lines more")
            if arguments.full:
                print("\n".join(rows))
            if arguments.write:
                path.parent.mkdir(exist_ok=True)
                path.write_text(after, encoding="utf-8")
    finally:
        stage.close()
    print(
        f"{differs} of {len(arguments.chapter or CHAPTERS)} differ{' and were written' if arguments.write and differs else ''}"
    )
    return 1 if differs and not arguments.write else 0


if __name__ == "__main__":
    sys.exit(main())
