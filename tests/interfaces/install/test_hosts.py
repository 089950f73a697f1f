"""Every host alike: twice is once, out is out, what people wrote stays, nothing is changed by looking."""

import json
import os
import pty
import shutil
import stat
import subprocess
import threading
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from memoracle.hosts.install import config_text
from memoracle.hosts.install.apply import manifest_path
from memoracle.hosts.install.mcp_clients import CLIENTS
from memoracle.hosts.install.plan import Machine, entry_for, wishes_of
from memoracle.hosts.known_hosts import HOSTS
from support.files import contents
from support.processes import PYTHON, surroundings

from .conftest import APPLICATIONS, files, write

CONFIGS = {
    "claude-code": [".claude/settings.json", ".claude.json"],
    "codex": [".codex/config.toml", ".codex/hooks.json", ".codex/AGENTS.md"],
    "gemini": [".gemini/settings.json", ".gemini/GEMINI.md"],
    "openclaw": [".openclaw/openclaw.json", ".openclaw/workspace/AGENTS.md"],
    "opencode": [".config/opencode/opencode.jsonc"],
    "cursor": [".cursor/mcp.json"],
    "vscode": [f"{APPLICATIONS}/Code/User/mcp.json"],
    "windsurf": [".codeium/windsurf/mcp_config.json"],
    "zed": [".config/zed/settings.json"],
    "claude-desktop": [f"{APPLICATIONS}/Claude/claude_desktop_config.json"],
}
ALL = [(host, name) for host, names in CONFIGS.items() for name in names]
every_host = pytest.mark.parametrize("host", [*HOSTS, *CLIENTS])


@every_host
def test_it_goes_in_and_comes_out_to_the_byte(cli, furnished, host):
    """Files as they were, and no folder left behind."""
    before = files(furnished)
    done = cli("install", host)
    between = files(furnished)
    out = cli("install", host, "--uninstall")
    assert (done.status, out.status, between != before, files(furnished)) == (0, 0, True, before)


@every_host
@pytest.mark.seed("S1.216")
def test_installing_twice_is_installing_once(cli, furnished, host):
    """The second time there is nothing to change, no copy is made, and out is still out."""
    before = files(furnished)
    cli("install", host)
    once, kept = files(furnished), sorted((furnished / ".local/state/memoracle").iterdir())
    again = cli("install", host)
    assert (files(furnished), sorted((furnished / ".local/state/memoracle").iterdir())) == (once, kept)
    assert again.out.startswith(f"{host}: nothing to change\n")
    cli("install", host, "--uninstall")
    assert files(furnished) == before


@every_host
@pytest.mark.parametrize("words", [["--dry-run"], ["--print"], ["--dry-run", "--uninstall"]])
def test_looking_changes_nothing(cli, furnished, root, host, words):
    """No file of anybody's, not even a manifest."""
    before, own = contents(furnished), contents(root)
    assert (cli("install", host, *words).status, contents(furnished), contents(root)) == (0, before, own)


@every_host
def test_the_difference_is_shown_first(cli, furnished, root, host):
    """On stderr when it is done, on stdout when it is only asked for; every line of it if that is wanted."""
    dry = cli("install", host, "--dry-run", "--diff").out
    done = cli("install", host, "--diff")
    assert (f"{root}" in dry, "+++ " in dry, "+++ " in done.err, "installed" in done.out) == (True,) * 4


@every_host
def test_otherwise_a_screen_says_what_goes_where(cli, furnished, root, host):
    """Each file and what is put into it, and for which memory; nothing longer than a screen."""
    dry = cli("install", host, "--dry-run").out
    done = cli("install", host)
    assert (dry.splitlines()[0].startswith(f"{host}: the memory at {root}"), dry in done.err) == (True, True)
    assert all(str(furnished / name) in dry for name in CONFIGS[host])
    assert len(dry.splitlines()) < 12
    assert "the server" in dry


def test_a_file_that_was_made_empty_is_empty_again(cli, furnished):
    """Some programs make their list before there is anything in it."""
    path = write(furnished / CONFIGS["windsurf"][0], "")
    cli("install", "windsurf")
    assert json.loads(path.read_text())["mcpServers"]["memoracle"]
    cli("install", "windsurf", "--uninstall")
    assert path.read_bytes() == b""


PLUGIN = ".config/opencode/plugin/memoracle.js"


@pytest.mark.parametrize(
    ("client", "system", "place"),
    [
        ("opencode", "linux", ".config/opencode/opencode.json"),
        ("opencode", "darwin", ".config/opencode/opencode.json"),
        ("cursor", "darwin", ".cursor/mcp.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("windsurf", "darwin", ".codeium/windsurf/mcp_config.json"),
        ("zed", "darwin", ".config/zed/settings.json"),
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
    ],
)
def test_each_program_has_its_list_where_its_system_keeps_it(home, root, client, system, place):
    """As their documentation says, on Linux and on macOS."""
    machine = Machine(environment={}, home=str(home), now=None, system=system)
    target, *plugin = wishes_of(client, entry_for(str(root), PYTHON), machine, insist=False).targets
    assert target.path == str(home / place)
    assert [one.path for one in plugin] == [str(home / PLUGIN)] * (client == "opencode")


def test_entries_have_the_form_each_program_reads(cli, furnished, root):
    """One list for opencode, a type for VS Code, a command and arguments for the rest; beside what was there."""
    for name in CLIENTS:
        cli("install", name)
    words = [PYTHON, "-P", "-m", "memoracle", "--root", str(root), "mcp"]
    plain = {"command": PYTHON, "args": words[1:]}
    read = {name: config_text.read((furnished / CONFIGS[name][0]).read_text()).value for name in CLIENTS}
    assert read["opencode"]["mcp"]["memoracle"] == {"type": "local", "enabled": True, "command": words}
    assert read["vscode"]["servers"]["memoracle"] == {"type": "stdio", **plain}
    assert read["zed"]["context_servers"]["memoracle"] == plain
    assert {
        read[name]["mcpServers"]["memoracle"] == plain for name in ("cursor", "windsurf", "claude-desktop")
    } == {True}
    assert ("files" in read["opencode"]["mcp"], "files" in read["vscode"]["servers"]) == (True, True)


@every_host
def test_a_copy_of_everything_is_kept(cli, furnished, host):
    """Readable by its owner alone."""
    originals = [(furnished / name).read_bytes() for name in CONFIGS[host]]
    copies = [Path(path) for path in cli("install", host, "--json").json["backups"]]
    kept = [path.read_bytes() for path in copies]
    assert sorted(kept) == sorted(originals)
    assert {stat.S_IMODE(os.stat(path).st_mode) for path in copies} == {0o600}


@every_host
def test_copies_go_where_a_file_is_again_what_it_was(cli, furnished, host):
    """And stay, named, where others changed it since: how it was before is nowhere else."""
    cli("install", host)
    (first, *_) = [furnished / name for name in CONFIGS[host]]
    cli("install", host, "--uninstall")
    state = furnished / ".local/state/memoracle"
    assert [*state.glob("*.bak")] == []
    before = first.read_bytes()
    cli("install", host)
    first.write_bytes(first.read_bytes() + b"\n")
    told = cli("install", host, "--uninstall", "--json").json
    kept = [path for path in state.glob("*.bak") if path.read_bytes() == before]
    assert len(kept) == 1
    assert any(str(kept[0]) in note for note in told["notes"])


@pytest.mark.parametrize(("host", "name"), ALL)
def test_line_ends_and_byte_order_marks_stay(cli, furnished, host, name):
    """A file of Windows stays one: no bare line feed, the mark first, and out to the byte."""
    path = furnished / name
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    before = files(furnished)
    cli("install", host)
    now = path.read_bytes()
    assert (now.startswith(b"\xef\xbb\xbf"), b"memoracle" in now) == (True, True)
    assert now.count(b"\n") == now.count(b"\r\n")
    cli("install", host, "--uninstall")
    assert files(furnished) == before


@pytest.mark.parametrize(("host", "name"), ALL)
def test_a_link_stays_a_link(cli, furnished, tmp_path, host, name):
    """Settings that live in somebody's dotfiles are changed there."""
    path, kept = furnished / name, tmp_path / "dotfiles" / name.replace("/", "-")
    kept.parent.mkdir()
    path.rename(kept)
    path.symlink_to(kept)
    before = kept.read_bytes()
    cli("install", host)
    assert (path.is_symlink(), b"memoracle" in kept.read_bytes()) == (True, True)
    cli("install", host, "--uninstall")
    assert (path.is_symlink(), kept.read_bytes()) == (True, before)


@pytest.mark.parametrize(("host", "name"), ALL)
def test_a_read_only_file_is_left_alone(cli, furnished, host, name):
    """Somebody locked it; what to paste is said, and no other file is changed either."""
    (furnished / name).chmod(0o444)
    before = contents(furnished)
    done = cli("install", host)
    assert (done.status, "read-only" in done.err, "memoracle" in done.err.split("add this yourself")[1]) == (
        1,
        True,
        True,
    )
    assert contents(furnished) == before


@pytest.mark.seed("F-38")
@pytest.mark.parametrize(
    ("host", "name", "broken"),
    [
        ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": [}'),
        ("claude-code", ".claude/settings.json", '{"hooks": {}, "hooks": {}}'),
        ("claude-code", ".claude/settings.json", '{"hooks": "none"}'),
        ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        ("claude-code", ".claude.json", "[]"),
        ("claude-code", ".claude.json", '{"a": 1} trailing'),
        ("claude-code", ".claude.json", '{"a": "no end'),
        ("codex", ".codex/config.toml", "model = \n"),
        ("codex", ".codex/config.toml", "mcp_servers = 3\n"),
        ("codex", ".codex/config.toml", "mcp_servers = { docs = { command = 'x' } }\n"),
        ("codex", ".codex/AGENTS.md", "<!-- memoracle:begin 0123456789ab -->\nhalf\n"),
        ("gemini", ".gemini/settings.json", "{,}"),
        ("openclaw", ".openclaw/openclaw.json", "{ agents: { "),
        ("openclaw", ".openclaw/openclaw.json", '{ mcp: { $include: "./mcp.json5" } }'),
    ],
)
def test_what_cannot_be_read_is_never_overwritten(cli, furnished, host, name, broken):
    """The error says why and what to paste; every file is as it was."""
    write(furnished / name, broken)
    before = contents(furnished)
    done = cli("install", host)
    assert (done.status, "cannot be changed safely" in done.err, contents(furnished)) == (1, True, before)
    assert "memoracle" in done.err.split("add this yourself:")[1]


@every_host
def test_other_encodings_are_refused(cli, furnished, host):
    """Not UTF-8: not touched."""
    path = furnished / CONFIGS[host][0]
    path.write_bytes(path.read_text().encode("utf-16"))
    before = contents(furnished)
    assert (cli("install", host).status, contents(furnished)) == (1, before)


@every_host
def test_a_host_that_is_not_there_is_not_made(cli, home, host):
    """Nothing is created for an agent that nobody has; what it would be is printed all the same."""
    done = cli("install", host)
    assert (done.status, "keeps nothing at" in done.err, files(home)) == (1, True, {})
    assert "memoracle" in cli("install", host, "--print").out


@every_host
def test_an_empty_home_of_a_host_is_furnished_and_cleared(cli, home, host):
    """Files that we made go away again, folders too."""
    (home / CONFIGS[host][0]).parent.mkdir(parents=True)
    before = files(home)
    cli("install", host)
    assert len(files(home)) > len(before)
    cli("install", host, "--uninstall")
    assert files(home) == before


@every_host
def test_without_its_manifest_it_still_comes_out(cli, furnished, home, root, host):
    """Entries are known by what they call; what people have beside them stays."""
    cli("install", host)
    os.unlink(manifest_path(str(home / ".local/state/memoracle"), host))
    assert cli("install", host, "--uninstall").status == 0
    left = b"".join(held or b"" for held in files(furnished).values())
    shared = [path for path in (home / ".local/share").rglob("*") if path.is_file()]
    assert (str(root).encode() in left, shared) == (False, [])


def test_what_people_changed_meanwhile_stays(cli, furnished):
    """Their entries, their comments, their order; ours are gone."""
    cli("install", "claude-code")
    path = furnished / ".claude/settings.json"
    path.write_text(
        path.read_text().replace('"model": "opus"', '"model": "sonnet", // mine\n  "theme": "dark"')
    )
    cli("install", "claude-code", "--uninstall")
    from .conftest import CLAUDE_SETTINGS

    assert path.read_text() == CLAUDE_SETTINGS.replace(
        '"model": "opus"', '"model": "sonnet", // mine\n  "theme": "dark"'
    )


@pytest.mark.parametrize(
    ("host", "name", "add"),
    [
        ("codex", ".codex/config.toml", '\n[projects."/home/me/new"]\ntrust_level = "trusted"\n'),
        ("codex", ".codex/AGENTS.md", "\nOne more rule.\n"),
        ("gemini", ".gemini/GEMINI.md", "\n还有一条。\n"),
        ("openclaw", ".openclaw/openclaw.json", "// the end\n"),
        ("openclaw", ".openclaw/workspace/AGENTS.md", "\nOne more rule.\n"),
    ],
)
def test_what_people_add_at_the_end_stays(cli, furnished, host, name, add):
    """Everything but ours, byte for byte."""
    before = (furnished / name).read_text()
    cli("install", host)
    with (furnished / name).open("a") as file:
        file.write(add)
    cli("install", host, "--uninstall")
    assert (furnished / name).read_text() == before + add


def test_a_host_may_rewrite_its_file(cli, furnished):
    """Claude Code writes its list anew all the time; our entry is found in it, and nothing else goes."""
    path = furnished / ".claude.json"
    before = json.loads(path.read_text())
    cli("install", "claude-code")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"numStartups": 13}))
    cli("install", "claude-code", "--uninstall")
    assert json.loads(path.read_text()) == before | {"numStartups": 13}


@every_host
def test_another_root_takes_the_place_of_the_first(cli, furnished, root, tmp_path, host):
    """One memory per host: entries are brought up to date where they stand, and come out to the byte."""
    before = files(furnished)
    cli("install", host)
    shape = {name: held and held.count(b"\n") for name, held in files(furnished).items()}
    other = tmp_path / "another memory"
    cli("init", at=other)
    cli("install", host, at=other)
    held = b"".join(text or b"" for text in files(furnished).values())
    assert (f"{root}".encode() + b'"' in held, str(other).encode() in held) == (False, True)
    assert {name: text and text.count(b"\n") for name, text in files(furnished).items()} == shape
    cli("install", host, "--uninstall", at=other)
    assert files(furnished) == before


def test_what_people_add_to_our_entry_stays_theirs(cli, furnished):
    """A longer timeout or a variable is no reason to write the entry anew."""
    cli("install", "claude-code")
    settings, listing = furnished / ".claude/settings.json", furnished / ".claude.json"
    settings.write_text(settings.read_text().replace('"timeout": 3', '"timeout": 9'))
    listing.write_text(listing.read_text().replace('"type": "stdio"', '"env": {"A": "b"}, "type": "stdio"'))
    before = files(furnished)
    again = cli("install", "claude-code")
    assert (files(furnished), again.out.split("\n")[0]) == (before, "claude-code: nothing to change")


def test_something_else_under_our_name_stays(cli, furnished):
    """A server that somebody calls memoracle and that is not ours is theirs, and that is said."""
    mine = '{"type": "http", "url": "https://memory.example.org"}'
    path = write(furnished / ".claude.json", f'{{"mcpServers": {{"memoracle": {mine}}}}}')
    done = cli("install", "claude-code")
    assert (done.status, "is not ours and stays" in done.out, mine in path.read_text()) == (0, True, True)
    cli("install", "claude-code", "--uninstall")
    assert path.read_text() == f'{{"mcpServers": {{"memoracle": {mine}}}}}'


@pytest.mark.parametrize(("host", "name"), [("codex", ".codex/AGENTS.md"), ("gemini", ".gemini/GEMINI.md")])
def test_a_section_that_was_changed_by_hand_stays(cli, furnished, host, name):
    """Prose is somebody's once they touched it: neither a second installation nor the way out overwrites it."""
    cli("install", host)
    path = furnished / name
    path.write_text(path.read_text().replace("## Memory (Memoracle)", "## Memory, my way"))
    edited = path.read_text()
    again = cli("install", host)
    out = cli("install", host, "--uninstall")
    assert (path.read_text(), "by hand" in again.out, "by hand" in out.out) == (edited, True, True)


def test_a_skill_that_was_changed_by_hand_stays(cli, furnished):
    """And the folder it is in."""
    cli("install", "claude-code")
    path = furnished / ".claude/skills/memoracle/SKILL.md"
    path.write_text("my own words\n")
    cli("install", "claude-code")
    cli("install", "claude-code", "--uninstall")
    assert path.read_text() == "my own words\n"


def test_half_an_installation_is_finished_and_undone(cli, furnished, monkeypatch):
    """The manifest is written first: a kill between two files loses no way back."""
    from memoracle.hosts.install import apply as host

    before, real, calls = files(furnished), host._apply, []

    def dies(plan):
        calls.append(plan)
        if len(calls) == 2:
            raise KeyboardInterrupt
        real(plan)

    monkeypatch.setattr(host, "_apply", dies)
    with suppress(KeyboardInterrupt):
        cli("install", "codex")
    monkeypatch.setattr(host, "_apply", real)
    assert (len(calls), files(furnished) != before) == (2, True)
    cli("install", "codex")
    cli("install", "codex", "--uninstall")
    assert files(furnished) == before


def test_a_file_that_changes_meanwhile_is_not_overwritten(cli, furnished, monkeypatch):
    """Between reading and writing, the host wrote: nothing of that is lost."""
    from memoracle.hosts.install import apply as host

    path = furnished / ".claude.json"
    real = host.write_manifest

    def meanwhile(*given):
        path.write_text('{"numStartups": 99}')
        real(*given)

    monkeypatch.setattr(host, "write_manifest", meanwhile)
    assert (cli("install", "claude-code").status, path.read_text()) == (6, '{"numStartups": 99}')


def test_secrets_are_not_shown_in_the_difference(cli, furnished):
    """What stands beside our entry may be one."""
    token = "ghp_" + "a1B2" * 9
    write(furnished / ".claude.json", f'{{\n  "token": "{token}",\n  "mcpServers": {{}}\n}}\n')
    done = cli("install", "claude-code", "--dry-run", "--diff")
    assert ("mcpServers" in done.out, token in done.out, token in done.err) == (True, False, False)


@pytest.mark.parametrize("name", ["a b", "it's", '"q"', "`id`", "100%", "记忆", "a\\b", "a;b&c", "#x"])
def test_commands_carry_any_root(tmp_path, name):
    """JSON and TOML give back exactly the words; a line gives them to a shell as they are."""
    import shlex
    from datetime import UTC, datetime

    from memoracle.hosts.install import config_text as toml_text

    entry = entry_for(str(tmp_path / name), PYTHON)
    machine = Machine(environment={}, home=str(tmp_path), now=datetime.now(UTC))
    wishes = wishes_of("codex", entry, machine, insist=False)
    table, hooks = wishes.targets[0].wants[0], wishes.targets[1].wants
    parsed = tomllib.loads(toml_text.written(table.path, table.value))["mcp_servers"]["memoracle"]
    assert (parsed["command"], *parsed["args"]) == entry.calling("mcp")
    assert tuple(shlex.split(hooks[0].value["hooks"][0]["command"])) == entry.calling(
        "hook", "session-start", "--host", "codex"
    )


def test_names_that_hosts_expand_are_refused(cli, furnished, tmp_path):
    """A dollar would become a variable's value."""
    other = tmp_path / "$HOME"
    cli("init", at=other)
    before = contents(furnished)
    assert (cli("install", "gemini", at=other).status, contents(furnished)) == (2, before)


@every_host
@pytest.mark.seed("S4.072")
def test_memory_grants_itself_nothing(cli, furnished, host):
    """No permission, trust or approval is written into a host; who asked before is asked again."""
    before = files(furnished)
    cli("install", host)
    for name, held in files(furnished).items():
        if held is not None and name.endswith((".json", ".toml")):
            words = [b"permission", b'"allow', b"trust", b"approv", b"alwaysAllow", b"autoApprove", b"bypass"]
            was = before.get(name) or b""
            assert [held.count(word) for word in words] == [was.count(word) for word in words]


@every_host
@pytest.mark.seed("S2.114")
def test_only_files_that_are_meant_for_it_are_touched(cli, furnished, host):
    """Configuration, rules, skills: nothing of a host's own program, database or sessions."""
    for name in (".openclaw/state/openclaw.sqlite", ".claude/projects/x/s.jsonl", ".codex/sessions/r.jsonl"):
        write(furnished / name, "theirs")
    before = files(furnished)
    cli("install", host)
    now = files(furnished)
    changed = {name for name in now if now[name] != before.get(name, b"?") and now[name] is not None}
    allowed = {*CONFIGS[host], *(name for name in now if name.endswith("skills/memoracle/SKILL.md")), PLUGIN}
    assert changed <= allowed


def test_json_tells_the_same(cli, furnished):
    """One document with the difference, the copies and the notes."""
    told = cli("install", "codex", "--json").json
    assert (told["what"], told["done"], "mcp_servers.memoracle" in told["diff"], len(told["backups"])) == (
        "codex",
        True,
        True,
        3,
    )


@every_host
def test_a_memory_that_is_gone_can_be_taken_out(cli, furnished, root, host):
    """Its entries would fail at every prompt."""
    before = files(furnished)
    cli("install", host)
    shutil.rmtree(root)
    assert (cli("install", host, "--uninstall").status, files(furnished)) == (0, before)


@pytest.mark.parametrize(
    ("words", "typed", "status"), [([], b"n\n", 5), ([], b"y\n", 0), (["--yes"], b"", 0)]
)
def test_a_terminal_is_asked(furnished, root, words, typed, status):
    """After the difference was shown; no is no."""
    mine, theirs = pty.openpty()
    before = files(furnished)
    os.write(mine, typed)
    # A terminal reads what it is shown; without that a long difference would fill it and stop the command.
    threading.Thread(target=_drain, args=(mine,), daemon=True).start()
    done = subprocess.run(
        [PYTHON, "-m", "memoracle", "--root", str(root), "install", "codex", *words],
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
        env=surroundings(HOME=str(furnished)),
    )
    os.close(theirs)
    assert (done.returncode, files(furnished) == before) == (status, status != 0)


def _drain(handle):
    with suppress(OSError):
        while os.read(handle, 65536):
            pass


def test_files_that_we_made_ourselves_need_no_copy(cli, home):
    """Nothing of anybody's is in them."""
    (home / ".codex").mkdir()
    cli("install", "codex")
    assert cli("install", "codex", "--uninstall", "--json").json["backups"] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".claude/settings.json", '{"enabledPlugins": ["a"], "permissions": {"allow": 3}}'),
        (".claude/settings.json", '{"permissions": []}'),
        (".codex/config.toml", "plugins = true\nhooks = 3\n"),
        (".codex/config.toml", 'plugins = ["a"]\n[hooks]\nstate = 1\n'),
    ],
)
def test_settings_of_another_shape_keep_nobody(cli, furnished, name, text):
    """What a host refuses or will have later is not ours to judge: looking at it says nothing of a plugin."""
    write(furnished / name, text)
    done = cli("setup", "--dry-run")
    assert (done.status, "claude-code    gets it" in done.out, "codex          gets it" in done.out) == (
        0,
        True,
        True,
    )
