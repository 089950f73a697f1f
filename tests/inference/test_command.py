"""A model behind a local command."""

import os
import sys

import pytest

from memoracle.errors import ModelUnavailable
from memoracle.inference.chat import Command
from memoracle.text import estimate_tokens


def python(code, **options):
    return Command([sys.executable, "-c", code], **options)


def is_alive(pid):
    """Whether a process runs; one that has ended and was not fetched does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def test_the_question_goes_in_and_the_answer_comes_out():
    """Both on pipes, as UTF-8, counted by estimate."""
    reply = python("import sys; sys.stdout.write(sys.stdin.read().upper())").complete(
        "be brief", "茶 tea", most_tokens=9
    )
    assert reply.text == "BE BRIEF\n\n茶 TEA\n\nAT MOST 9 TOKENS.\n"
    assert reply.tokens == 2 * estimate_tokens(reply.text)


def test_a_long_question_and_a_long_answer_do_not_wait_for_each_other():
    """Neither pipe fills up and blocks the other."""
    code = "import sys\nsys.stdout.write('x' * 300000); sys.stdout.flush()\nprint(len(sys.stdin.read()))"
    said = python(code).complete("s", "p" * 400_000, most_tokens=9).text
    assert said.endswith("400023\n")


def test_words_are_never_read_by_a_shell(tmp_path):
    """A fragment that looks like a command line is data; so are the arguments."""
    reply = Command(["echo", "$(touch x); *"]).complete("s", "$(touch y)", most_tokens=9)
    assert (reply.text, list(tmp_path.iterdir())) == ("$(touch x); *\n", [])


def test_a_command_that_does_not_listen():
    """It may answer without reading the question."""
    assert python("print('good')").complete("s", "p" * 1_000_000, most_tokens=9).text == "good\n"


def test_a_command_that_fails_says_why():
    """Its status and the beginning of its complaint."""
    with pytest.raises(ModelUnavailable, match="status 3 no such model"):
        python("import sys; sys.exit((sys.stderr.write('no such model'), 3)[1])").complete(
            "s", "p", most_tokens=9
        )


def test_a_program_that_is_not_there():
    """Unavailable, not a traceback."""
    with pytest.raises(ModelUnavailable, match="No such file"):
        Command(["/no/such/program"]).complete("s", "p", most_tokens=9)


def parent(path, then, **options):
    """A command that leaves the pid of its child in a file, and goes on as it is told."""
    return Command(["sh", "-c", f'sleep 60 & echo $! > "{path}"; {then}'], **options)


@pytest.mark.parametrize(("then", "patience"), [("sleep 60", 1.0), ("yes", 60.0), ("yes >&2", 60.0)])
def test_a_command_that_takes_too_long_or_says_too_much_is_ended_with_its_children(tmp_path, then, patience):
    """Nothing of it is left running."""
    with pytest.raises(ModelUnavailable) as caught:
        parent(tmp_path / "pid", then, timeout_s=patience).complete("s", "p", most_tokens=9)
    assert (caught.value.may_have_cost, _settles_dead(int((tmp_path / "pid").read_text()))) == (True, True)


def test_children_that_are_left_behind_are_ended(tmp_path):
    """The answer counts, although a child still holds the pipe."""
    reply = parent(tmp_path / "pid", "echo good", timeout_s=60.0).complete("s", "p", most_tokens=9)
    assert (reply.text, _settles_dead(int((tmp_path / "pid").read_text()))) == ("good\n", True)


def _settles_dead(pid):
    """Whether a killed process is gone; the kernel may take a moment to see to it."""
    for _ in range(10_000):
        if not is_alive(pid):
            return True
        os.sched_yield()
    return False


@pytest.mark.parametrize("words", [[], [""]])
def test_no_program_is_no_command(words):
    """An empty command line is refused when it is named."""
    with pytest.raises(ModelUnavailable):
        Command(words)


def test_its_name():
    """The program, without its folder or its arguments."""
    assert Command(["/usr/bin/llm", "-m", "secret"]).name == "command:llm"
