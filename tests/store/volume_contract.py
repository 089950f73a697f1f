"""What every volume has to do, as cases. `test_disk.py` runs them; another volume runs the same ones.

A subclass brings `volume(tmp_path)`: an empty volume, and `IN_A_PROCESS`: the lines that open the one whose `root` is
`sys.argv[1]` as `volume` in another process.
"""

import os
import subprocess
import sys
import threading
import time

import pytest

from memoracle.errors import ChangedUnderneath, OutsideRoot, RootLocked
from memoracle.model.ids import file_digest
from memoracle.store.volume import NO_LOOKS
from support.processes import PYTHON, surroundings

OUTSIDE = [
    "../x", "..", ".", "", "/etc/passwd", "a/../../x", "a/./b", "a//b", "a/", "/", "\0", "a\0b", "//etc/passwd",
]  # fmt: skip
WRITER = """
import sys
{opening}
who, many = sys.argv[2], int(sys.argv[3])
for number in range(many):
    with volume.locked("lock", timeout=60):
        held = int(volume.read("count") or b"0")
        lines = b"".join(b"%s %d %d\\n" % (who.encode(), number, part) for part in range(5))
        volume.append({{"a/one": lines, "b/two": lines}})
        volume.replace("count", b"%d" % (held + 1))
"""
KILLED = """
import sys
{opening}
for number in range(int(sys.argv[2]), 10_000):
    line = b"%d %s\\n" % (number, b"x" * 3_000)
    volume.append({{"one": line, "two": line, "three": line}})
    print(number, flush=True)
"""
HOLDER = """
import sys, time
{opening}
with volume.locked("lock", timeout=5):
    print("held", flush=True)
    time.sleep(60)
"""


class VolumeContract:
    """The promises of `store/volume.py`."""

    IN_A_PROCESS = ""

    @pytest.fixture
    def volume(self, tmp_path):
        raise NotImplementedError

    def start(self, script, volume, *words):
        return subprocess.Popen(
            [PYTHON, "-c", script.format(opening=self.IN_A_PROCESS), volume.root, *map(str, words)],
            stdout=subprocess.PIPE,
            env=surroundings(PYTHONPATH=os.pathsep.join(sys.path)),
        )

    # Names

    @pytest.mark.parametrize("name", OUTSIDE)
    def test_no_name_leaves_the_root(self, volume, name):
        """Upwards, absolute, empty, with a NUL: refused by every operation, and nothing is made."""
        for act in (
            lambda: volume.read(name),
            lambda: volume.stat(name),
            lambda: volume.has(name),
            lambda: list(volume.pieces(name)),
            lambda: volume.append({name: b"x\n"}),
            lambda: volume.append({"fine": b"x\n", name: b"x\n"}),
            lambda: volume.replace(name, b"x"),
            lambda: volume.create(name, b"x"),
            lambda: volume.overwrite(name, b"x"),
            lambda: volume.remove(name),
            lambda: volume.locked(name, timeout=0).__enter__(),
        ):
            with pytest.raises(OutsideRoot):
                act()
        assert list(volume.walk("", ("",), hidden=True)) == []

    # Reading

    def test_an_absent_file_is_empty_and_looks_like_nothing(self, volume):
        """Nothing there is no error, nor is a folder that is not there."""
        assert (volume.read("a/b"), list(volume.pieces("a/b")), volume.stat("a/b")) == (b"", [], None)
        assert (volume.looks("a/b"), volume.has("a/b"), volume.list("a").files) == (NO_LOOKS, False, ())
        with volume.opened("a/b") as file:
            assert file is None

    def test_a_part_of_a_file(self, volume):
        """From a place on, so many bytes, in pieces, or as a file to be sought in."""
        volume.append({"f": b"one\ntwo\nthree\n"})
        assert (volume.read("f", 4), volume.read("f", 4, most=3)) == (b"two\nthree\n", b"two")
        assert b"".join(volume.pieces("f", 8)) == b"three\n"
        with volume.opened("f") as file:
            file.seek(4)
            assert file.readline() == b"two\n"

    def test_looks_change_with_the_content(self, volume):
        """What was appended to, replaced or taken away does not look as before; what was read does."""
        volume.append({"f": b"one\n"})
        looks = [volume.looks("f")]
        assert volume.read("f") == b"one\n"
        assert volume.looks("f") == looks[0] == volume.stat("f").looks
        volume.append({"f": b"two\n"})
        looks.append(volume.looks("f"))
        volume.replace("f", b"one\nSIX\n")
        looks.append(volume.looks("f"))
        volume.remove("f")
        looks.append(volume.looks("f"))
        assert (len(set(looks)), looks[-1]) == (4, NO_LOOKS)

    def test_a_folder_lists_what_stands_in_it(self, volume):
        """Sorted names of files and folders; below it, the files with an ending."""
        for name in ("n/b.md", "n/a.md", "n/deep/c.md", "n/deep/d.json", "n/.hidden.md", "other/e.md"):
            volume.replace(name, name.encode())
        found = volume.list("n")
        assert ([one.name for one in found.files], list(found.folders)) == (
            [".hidden.md", "a.md", "b.md"],
            ["deep"],
        )
        assert [one.stat().size for one in found.files] == [12, 6, 6]
        assert list(volume.walk("n", (".md",))) == ["n/a.md", "n/b.md", "n/deep/c.md"]
        assert list(volume.walk("", ("hidden.md",), hidden=True)) == ["n/.hidden.md"]

    # Writing

    def test_where_lines_were_put(self, volume):
        """Every file says where its lines begin and end."""
        volume.append({"a": b"zero\n"})
        put = volume.append({"a": b"one\n", "deep/b": b"two\n"})
        assert (put["a"].begin, put["a"].end, put["deep/b"].begin) == (5, 9, 0)
        assert volume.read("a", put["a"].begin) == put["a"].last == b"one\n"

    def test_a_line_that_was_cut_short_swallows_nothing(self, volume):
        """What is appended behind half a line stands on a line of its own."""
        volume.replace("f", b"whole\nhalf a li")
        volume.append({"f": b"next\n"})
        assert volume.read("f") == b"whole\nhalf a li\nnext\n"

    def test_several_files_fail_as_one(self, volume):
        """When one of them cannot be appended to, all are as they were."""
        volume.append({"a": b"one\n"})
        volume.append({"c/d": b"one\n"})
        with pytest.raises(OutsideRoot):
            volume.append({"a": b"two\n", "b": b"two\n", "../c": b"two\n"})
        with pytest.raises(Exception):  # noqa: B017 - a folder stands there: each volume says it in its way
            volume.append({"a": b"two\n", "c": b"two\n"})
        assert (volume.read("a"), volume.read("c/d"), volume.read("b")) == (b"one\n", b"one\n", b"")

    def test_an_expected_digest_refuses_what_has_moved_on(self, volume):
        """Somebody else's content is not overwritten, and both digests are named."""
        volume.replace("f", b"read", expected=file_digest(b""))
        volume.replace("f", b"an editor's")
        for seen in (file_digest(b"read"), file_digest(b"")):
            with pytest.raises(ChangedUnderneath) as told:
                volume.replace("f", b"ours", expected=seen)
            assert (told.value.expected, told.value.found) == (seen, file_digest(b"an editor's"))
        volume.replace("f", b"ours", expected=file_digest(b"an editor's"))
        assert (volume.read("f"), list(volume.walk("", ("",), hidden=True))) == (b"ours", ["f"])

    def test_one_of_many_creates_a_file(self, volume):
        """The first one wins, and nobody's content is mixed."""
        made = []

        def create(number):
            if volume.create("deep/f", b"%d" % number):
                made.append(number)

        threads = [threading.Thread(target=create, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(made), volume.read("deep/f")) == (1, b"%d" % made[0])
        assert list(volume.walk("", ("",), hidden=True)) == ["deep/f"]

    def test_writing_over_in_place(self, volume):
        """Longer or shorter, the file holds what was written last."""
        for content in (b"a longer one\n", b"short\n", b"and longer again\n"):
            volume.overwrite("deep/f", content)
            assert volume.read("deep/f") == content

    def test_removing_twice_is_fine(self, volume):
        """Gone is gone."""
        volume.replace("f", b"x")
        volume.remove("f")
        volume.remove("f")
        assert not volume.has("f")

    def test_the_same_bytes_raw(self, volume):
        """In a volume in clear words and bytes are the same."""
        volume.replace("f", b"words\n")
        assert (volume.raw.read("f"), volume.is_sealed()) == (b"words\n", False)

    # Two at a time

    def test_two_processes_never_interleave(self, volume):
        """Under one lock no batch stands inside another one, and no count is lost."""
        writers = [self.start(WRITER, volume, who, 12) for who in ("ann", "bob")]
        assert [one.wait(60) for one in writers] == [0, 0]
        assert volume.read("count") == b"24"
        for name in ("a/one", "b/two"):
            lines = volume.read(name).decode().splitlines()
            batches = [lines[at : at + 5] for at in range(0, len(lines), 5)]
            assert len(batches) == 24
            assert all(
                [line.split()[2] for line in batch] == list("01234")
                and len({line.rsplit(" ", 1)[0] for line in batch}) == 1
                for batch in batches
            )
        assert volume.read("a/one") == volume.read("b/two")

    def test_readers_see_the_old_or_the_new_and_never_wait(self, volume):
        """A file that is replaced again and again is always whole."""
        contents = [bytes([65 + at]) * 200_000 for at in range(4)]
        volume.replace("f", contents[0])
        ended = threading.Event()

        def write():
            for at in range(60):
                volume.replace("f", contents[at % 4])
            ended.set()

        with volume.locked("lock", timeout=0):
            thread = threading.Thread(target=write)
            thread.start()
            while not ended.is_set():
                assert volume.read("f") in contents
            thread.join()

    def test_a_lock_is_held_by_one_and_freed_by_death(self, volume):
        """Whoever comes second is told; a killed holder leaves nothing behind."""
        holder = self.start(HOLDER, volume)
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(RootLocked, match=str(holder.pid)), volume.locked("lock", timeout=0.1):
            pass
        assert volume.is_locked("lock")
        holder.kill()
        holder.wait()
        begun = time.monotonic()
        with volume.locked("lock", timeout=5):
            assert time.monotonic() - begun < 1
        holder.stdout.close()
        assert not volume.is_locked("lock")

    def test_a_writer_that_is_killed_loses_nothing_acknowledged(self, volume):
        """What was acknowledged stands in every file; of the rest the files that come first may have more."""
        acknowledged = -1
        for pause in (0.05, 0.11, 0.17, 0.23):
            writer = self.start(KILLED, volume, acknowledged + 1)
            first = writer.stdout.readline()
            time.sleep(pause)
            writer.kill()
            told = [int(first), *map(int, writer.stdout.read().split())]
            writer.stdout.close()
            writer.wait()
            acknowledged = told[-1]
            numbers = {}
            for name in ("one", "two", "three"):
                lines = volume.read(name).split(b"\n")
                whole = [line for line in lines if line.endswith(b" " + b"x" * 3_000)]
                numbers[name] = [int(line.split()[0]) for line in whole]
                assert set(range(acknowledged + 1)) <= set(numbers[name])
            assert set(numbers["one"]) >= set(numbers["two"]) >= set(numbers["three"])
