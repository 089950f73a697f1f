"""Per-user entries without root: real programs called `crontab` and `systemctl`, a home of its own."""

import os
import shlex
import stat
import subprocess

import pytest

from memoracle.errors import BadInput
from memoracle.hosts.install.plan import entry_for
from memoracle.hosts.install.schedulers import cron_line, systemd_words
from support.processes import PYTHON, run_here, surroundings

CRONTAB = """#!/bin/sh
# A crontab that keeps its table in a file.
table="$HOME/table"
echo "$@" >> "$HOME/calls"
case "$1" in
  -l) if [ -f "$table" ]; then cat "$table"; else echo "no crontab for somebody" >&2; exit 1; fi ;;
  -) cat > "$table" ;;
  *) exit 2 ;;
esac
"""
SYSTEMCTL = """#!/bin/sh
echo "$@" >> "$HOME/calls"
exit ${SYSTEMCTL_STATUS:-0}
"""
BROKEN = "#!/bin/sh\necho 'you are not allowed to use this program' >&2\nexit 1\n"


@pytest.fixture
def home(tmp_path):
    place = tmp_path / "home"
    place.mkdir()
    return place


@pytest.fixture
def machine(home, tmp_path, root):
    """Runs `install` on a machine that has these programs and no others."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("cat", "sh"):
        os.symlink(f"/bin/{name}", programs / name)

    def put(name, text):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)

    def call(*words, at=root, **more):
        env = surroundings(HOME=str(home), **more) | {"PATH": str(programs)}
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            env.pop(name, None) if name not in more else None
        return run_here("--root", at, "install", "--yes", *words, env=env)

    call.put = put
    return call


def table(home):
    path = home / "table"
    return path.read_text() if path.exists() else None


# cron


@pytest.mark.seed("F-10", "S0.104", "S0.122")
def test_cron_gets_one_block_of_the_persons_own(machine, home, root):
    """No root, no system directory: one line between two markers, in the crontab of who asks, and what it says is mailed."""
    machine.put("crontab", CRONTAB)
    status, out, err = machine("cron")
    lines = table(home).splitlines()
    assert (status, lines[0], lines[2]) == (0, f"# >>> memoracle {root}", f"# <<< memoracle {root}")
    assert lines[1] == f"*/15 * * * * {PYTHON} -P -m memoracle --root {root} tend --heartbeat"
    assert ("cron: installed" in out, f"+{lines[1]}" in err) == (True, True)


def test_what_others_wrote_stays_as_it_is(machine, home):
    """In and out again: every byte of the rest is the same, and a copy is kept."""
    machine.put("crontab", CRONTAB)
    before = "# my own\nMAILTO=me@example.org\n0 5 * * 1 tar czf /backup.tgz /home\n\n# 最后一行\n"
    (home / "table").write_text(before)
    machine("cron")
    assert table(home).startswith(before)
    machine("cron", "--uninstall")
    copies = [path.read_text() for path in sorted((home / ".local/state/memoracle").iterdir())]
    assert (table(home), before in copies) == (before, True)


def test_installing_twice_is_installing_once(machine, home):
    """The second time there is nothing to change, and the crontab is not written."""
    machine.put("crontab", CRONTAB)
    machine("cron")
    first = table(home)
    (home / "calls").unlink()
    _, out, _ = machine("cron")
    assert (table(home), (home / "calls").read_text(), out) == (
        first,
        "-l\n-l\n",
        "cron: nothing to change\n",
    )


def test_an_old_entry_is_brought_up_to_date_in_place(machine, home, root):
    """Another interpreter, another line: the block changes where it stands."""
    machine.put("crontab", CRONTAB)
    machine("cron")
    wanted = table(home) + "5 5 * * * after\n"
    (home / "table").write_text(
        f"# >>> memoracle {root}\n0 3 * * * old\n# <<< memoracle {root}\n5 5 * * * after\n"
    )
    machine("cron")
    assert table(home) == wanted


def test_two_roots_have_two_entries(machine, home, tmp_path):
    """Taking one out leaves the other."""
    machine.put("crontab", CRONTAB)
    other = tmp_path / "another memory"
    run_here("--root", other, "init")
    machine("cron")
    first = table(home)
    machine("cron", at=other)
    machine("cron", "--uninstall", at=other)
    assert table(home) == first


@pytest.mark.parametrize("words", [["--dry-run"], ["--print"], ["--dry-run", "--uninstall"]])
def test_looking_changes_nothing(machine, home, words):
    """A dry run reads the crontab, printing does not even do that."""
    machine.put("crontab", CRONTAB)
    status, _, _ = machine("cron", *words)
    calls = (home / "calls").read_text() if (home / "calls").exists() else ""
    assert (status, table(home), calls) == (0, None, "" if "--print" in words else "-l\n")


def test_a_dry_run_shows_the_difference(machine, root):
    """As a diff on stdout."""
    machine.put("crontab", CRONTAB)
    _, out, _ = machine("cron", "--dry-run")
    assert f"+# >>> memoracle {root}" in out


def test_a_machine_without_cron_is_told_the_line(machine):
    """A clear error, and what to add by hand."""
    status, _, err = machine("cron")
    assert (status, "there is no `crontab` program" in err, "tend --heartbeat" in err) == (
        1,
        True,
        True,
    )


def test_a_crontab_that_cannot_be_read_is_never_overwritten(machine, home):
    """Only "no crontab" means an empty one."""
    machine.put("crontab", BROKEN)
    status, _, err = machine("cron")
    assert (status, "not allowed" in err, table(home)) == (1, True, None)


def test_half_a_block_is_left_alone(machine, home, root):
    """Somebody edited it: nothing is guessed."""
    machine.put("crontab", CRONTAB)
    text = f"# >>> memoracle {root}\n0 5 * * * mine\n"
    (home / "table").write_text(text)
    status, _, err = machine("cron", "--uninstall")
    assert (status, "not whole" in err, table(home)) == (1, True, text)


def test_a_missing_root_is_not_scheduled(machine, home, tmp_path):
    """There has to be a memory to tend."""
    machine.put("crontab", CRONTAB)
    assert (machine("cron", at=tmp_path / "nowhere")[0], table(home)) == (1, None)


@pytest.mark.parametrize(
    "name", ["a b", "it's", '"q"', "$HOME", "`id`", "100%", "记忆", "a\\b", "a;b&c", "#x", "-x"]
)
def test_the_line_runs_whatever_the_root_is_called(tmp_path, name):
    """The shell hands over exactly this root, after cron has taken its percent signs."""
    entry = entry_for(str(tmp_path / name), PYTHON)
    command = cron_line(entry).split(" ", 5)[5].replace(r"\%", "%")
    show = command.replace(shlex.quote(PYTHON), "printf '%s\\n'", 1)
    said = subprocess.run(["/bin/sh", "-c", show], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == list(entry.words[1:])


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\0b", "\x7f"])
def test_a_name_that_no_line_can_carry_is_refused(name):
    """A line break would be another entry."""
    with pytest.raises(BadInput):
        entry_for(f"/tmp/{name}", PYTHON)


def test_the_installed_line_really_tends(machine, home, root):
    """What stands in the crontab, run by a shell as cron would run it."""
    machine.put("crontab", CRONTAB)
    machine("cron")
    command = table(home).splitlines()[1].split(" ", 5)[5]
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "MEMORACLE_RECIPE": "quick"}
    done = subprocess.run(["/bin/sh", "-c", command], env=env, cwd="/", timeout=120, check=False)
    assert ((root / "state" / "jobs.json").exists(), done.returncode in {0, 1}) == (True, True)


# systemd


@pytest.mark.seed("F-10", "S0.122")
def test_systemd_gets_a_timer_and_a_service(machine, home):
    """Of the person's own, enabled at once."""
    machine.put("systemctl", SYSTEMCTL)
    status, out, err = machine("systemd")
    units = {path.suffix: path.read_text() for path in (home / ".config/systemd/user").iterdir()}
    timer = next(path.name for path in (home / ".config/systemd/user").iterdir() if path.suffix == ".timer")
    assert (status, set(units), "installed" in out, "+OnCalendar=*:0/15" in err) == (
        0,
        {".service", ".timer"},
        True,
        True,
    )
    assert (home / "calls").read_text() == f"--user daemon-reload\n--user enable --now {timer}\n"
    assert f'ExecStart="{PYTHON}" "-P" "-m" "memoracle" "--root"' in units[".service"]


def test_systemd_twice_is_once_and_out_is_out(machine, home):
    """Nothing of ours is left, and others' units stay."""
    machine.put("systemctl", SYSTEMCTL)
    folder = home / ".config/systemd/user"
    folder.mkdir(parents=True)
    (folder / "other.timer").write_text("[Timer]\n")
    machine("systemd")
    assert machine("systemd")[1] == "systemd: nothing to change\n"
    machine("systemd", "--uninstall")
    assert [path.name for path in folder.iterdir()] == ["other.timer"]
    assert machine("systemd", "--uninstall")[1] == "systemd: nothing to take out\n"


def test_the_place_of_units_follows_xdg(machine, home, tmp_path):
    """XDG_CONFIG_HOME is asked first."""
    machine.put("systemctl", SYSTEMCTL)
    machine("systemd", XDG_CONFIG_HOME=str(tmp_path / "config"))
    assert (len(list((tmp_path / "config/systemd/user").iterdir())), (home / ".config").exists()) == (
        2,
        False,
    )


@pytest.mark.parametrize("program", [None, "#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n"])
def test_without_a_running_systemd_the_units_wait(machine, home, program):
    """They are written, and what is left to do is said."""
    if program:
        machine.put("systemctl", program)
    status, out, _ = machine("systemd")
    assert (
        status,
        len(list((home / ".config/systemd/user").iterdir())),
        "systemctl --user daemon-reload" in out,
    ) == (
        0,
        2,
        True,
    )


def test_a_unit_that_is_not_ours_is_never_touched(machine, home):
    """Whoever wrote it keeps it."""
    machine.put("systemctl", SYSTEMCTL)
    machine("systemd")
    path = next((home / ".config/systemd/user").glob("*.service"))
    path.write_text("[Service]\nExecStart=/bin/true\n")
    status, _, err = machine("systemd", "--uninstall")
    assert (status, "is not ours" in err, path.read_text()) == (1, True, "[Service]\nExecStart=/bin/true\n")


def test_systemd_expands_nothing():
    """Percent and dollar are doubled, quotes and backslashes escaped."""
    assert systemd_words(["/a b/$x", '100%"\\']) == '"/a b/$$x" "100%%\\"\\\\"'


def test_backups_are_their_owners_alone(machine, home):
    """A crontab may hold secrets."""
    machine.put("crontab", CRONTAB)
    (home / "table").write_text("TOKEN=x\n")
    machine("cron")
    (copy,) = (home / ".local/state/memoracle").iterdir()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_json_tells_the_same(machine):
    """One document with the diff in it."""
    import json

    machine.put("crontab", CRONTAB)
    document = json.loads(machine("cron", "--json")[1])
    assert (document["what"], document["done"], "tend --heartbeat" in document["diff"]) == (
        "cron",
        True,
        True,
    )
