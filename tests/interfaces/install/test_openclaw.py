"""OpenClaw of both eras: JSON5 that keeps its comments, its search paths, its cron, never its memory slot."""

import json
import shlex
from pathlib import Path

import pytest

from memoracle.hosts.install import config_text as json5
from memoracle.hosts.install import selftest
from support.processes import PYTHON

from .conftest import OPENCLAW_CONFIG, files, write

OLD_CONFIG = """{
  "meta": {"lastTouchedVersion": "2026.4.26"},
  "agents": {
    "defaults": {
      "workspace": "~/clawd",
      "memorySearch": {"extraPaths": ["../team-docs"]},
      "systemPromptFiles": ["SOUL.md"]
    },
    "list": [{"id": "main"}]
  }
}
"""
JOBS = (
    '{\n  "version": 1,\n  "jobs": [\n    {"id": "mine", "name": "walk the dog", "enabled": true}\n  ]\n}\n'
)


def config(home):
    return json5.read((home / ".openclaw/openclaw.json").read_text()).value


@pytest.fixture
def older(home):
    """An OpenClaw of the file era."""
    write(home / ".openclaw/openclaw.json", OLD_CONFIG)
    write(home / ".openclaw/cron/jobs.json", JOBS)
    (home / "clawd").mkdir()
    return home


def test_comments_and_trailing_commas_survive(cli, furnished):
    """Every line that was there is still there, in its order."""
    cli("install", "openclaw")
    lines = iter((furnished / ".openclaw/openclaw.json").read_text().splitlines())
    assert all(line in lines for line in OPENCLAW_CONFIG.splitlines())


def test_the_server_is_listed(cli, furnished, root):
    """Under the key that OpenClaw reads."""
    cli("install", "openclaw")
    assert config(furnished)["mcp"]["servers"]["memoracle"] == {
        "command": PYTHON,
        "args": ["-P", "-m", "memoracle", "--root", str(root), "mcp"],
    }


@pytest.mark.seed("S2.114")
def test_its_own_search_finds_our_notes(cli, furnished, root):
    """If it is to: the host's memory_search is told where they are; no source of its is changed."""
    cli("install", "openclaw", "--search-paths")
    assert config(furnished)["memory"]["search"]["extraPaths"] == [f"{root}/MEMORY.md", f"{root}/notes"]


def test_the_older_key_is_used_where_the_older_config_has_it(cli, older, root):
    """A strict config would refuse the newer one."""
    cli("install", "openclaw", "--search-paths")
    held = config(older)
    paths = held["agents"]["defaults"]["memorySearch"]["extraPaths"]
    assert (paths, "memory" in held) == (["../team-docs", f"{root}/MEMORY.md", f"{root}/notes"], False)


@pytest.mark.parametrize(
    ("text", "is_new"),
    [
        ('{"meta": {"lastTouchedVersion": "2026.7.1"}}', False),
        ('{"meta": {"lastTouchedVersion": "2026.7.2"}}', True),
        ('{"meta": {"lastTouchedVersion": "2026.10.1-beta.2"}}', True),
        ('{"agents": {"entries": {"main": {}}}}', True),
        ('{"agents": {"list": []}}', False),
        ('{"memory": {"search": {}}}', True),
        ("{}", False),
    ],
)
def test_the_era_is_read_from_the_config(cli, furnished, text, is_new):
    """Its keys first, then its version; without either, its files."""
    write(furnished / ".openclaw/openclaw.json", text)
    cli("install", "openclaw", "--search-paths")
    held = config(furnished)
    assert (
        "search" in held.get("memory", {}),
        "memorySearch" in held.get("agents", {}).get("defaults", {}),
    ) == (
        is_new,
        not is_new,
    )


def test_an_openclaw_without_servers_gets_no_key_it_would_refuse(cli, furnished):
    """Older than `mcp.servers`: the commands of the skill do."""
    write(furnished / ".openclaw/openclaw.json", '{"meta": {"lastTouchedVersion": "2026.2.3"}}')
    done = cli("install", "openclaw")
    assert ("mcp" in config(furnished), "older than its `mcp.servers`" in done.out) == (False, True)


@pytest.mark.seed("S2.110")
def test_the_snapshot_is_put_before_the_agent_where_the_config_can(cli, older, root):
    """Appended to the system prompt's files; a config without the key is left without it."""
    cli("install", "openclaw")
    assert config(older)["agents"]["defaults"]["systemPromptFiles"] == ["SOUL.md", f"{root}/MEMORY.md"]


def test_no_key_for_prompt_files_is_invented(cli, furnished):
    """A strict config would not start with one."""
    cli("install", "openclaw")
    assert "systemPromptFiles" not in (furnished / ".openclaw/openclaw.json").read_text()


@pytest.mark.seed("S2.110")
def test_an_adopted_design_shows_its_own_snapshot(cli, older, tmp_path):
    """Where a layout has a snapshot file, that is the file."""
    place = tmp_path / "three layers"
    cli("init", "--layout", "memory-system", at=place)
    cli("install", "openclaw", at=place)
    assert f"{place}/layer1/snapshot.md" in config(older)["agents"]["defaults"]["systemPromptFiles"]


@pytest.mark.seed("S2.111")
def test_the_file_era_gets_a_job(cli, older, root):
    """A system event to the main session every night, beside the person's own jobs."""
    cli("install", "openclaw")
    mine, job = json.loads((older / ".openclaw/cron/jobs.json").read_text())["jobs"]
    assert (mine["id"], job["name"], job["schedule"], job["sessionTarget"], job["payload"]["kind"]) == (
        "mine",
        "Memory Consolidation",
        {"kind": "cron", "expr": "0 3 * * *"},
        "main",
        "systemEvent",
    )
    assert f"--root {root} consolidate --ingest openclaw`" in job["payload"]["text"]


@pytest.mark.seed("S2.111")
def test_the_job_is_known_by_its_id(cli, older):
    """The gateway writes its state into it and the person moves it to another hour: it is still one, and comes out."""
    cli("install", "openclaw")
    path = older / ".openclaw/cron/jobs.json"
    document = json.loads(path.read_text())
    document["jobs"][1] |= {"state": {"nextRunAtMs": 5}, "schedule": {"kind": "cron", "expr": "0 5 * * *"}}
    path.write_text(json.dumps(document))
    again = cli("install", "openclaw")
    assert (again.out.startswith("openclaw: nothing to change"), json.loads(path.read_text())) == (
        True,
        document,
    )
    cli("install", "openclaw", "--uninstall")
    assert json.loads(path.read_text()) == json.loads(JOBS)


@pytest.mark.seed("S2.111")
def test_the_era_of_tables_is_told_the_line(cli, furnished, root):
    """Its jobs are in a database, which only OpenClaw writes."""
    said = cli("install", "openclaw").out
    line = next(line for line in said.splitlines() if "openclaw cron add" in line)
    words = shlex.split(line.split("once: ")[1])
    assert words[:7] == ["openclaw", "cron", "add", "--name", "Memory Consolidation", "--cron", "0 3 * * *"]
    command = [PYTHON, "-P", "-m", "memoracle", "--root", str(root), "consolidate", "--ingest", "openclaw"]
    assert json.loads(words[8]) == command


def test_the_memory_slot_is_never_taken(cli, furnished, older):
    """Whoever holds it keeps it, also when nobody does."""
    for text in (OPENCLAW_CONFIG, OLD_CONFIG, "{}", '{"plugins": {"slots": {"memory": "none"}}}'):
        write(furnished / ".openclaw/openclaw.json", text)
        before = json5.read(text).value.get("plugins")
        cli("install", "openclaw")
        assert config(furnished).get("plugins") == before


@pytest.mark.seed("S2.113")
def test_agents_md_names_the_triggers(cli, furnished):
    """The past, preferences, people, projects, being asked to remember: in both languages, after the person's rules."""
    cli("install", "openclaw")
    text = (furnished / ".openclaw/workspace/AGENTS.md").read_text()
    words = (
        "the past|preferences|people and relations|projects and tasks|do you remember|help me recall".split(
            "|"
        )
    )
    words += "往事 偏好 人物和关系 项目和任务 还记得吗 帮我回忆".split()
    assert (text.startswith("# My rules\n"), [word for word in words if word not in text]) == (True, [])


def test_the_skill_stands_where_openclaw_looks_first(cli, furnished):
    """In the workspace, with metadata of its own."""
    import yaml

    cli("install", "openclaw")
    text = (furnished / ".openclaw/workspace/skills/memoracle/SKILL.md").read_text()
    about = yaml.safe_load(text.split("---\n")[1])
    assert (about["name"], about["metadata"]["openclaw"]["os"]) == ("memoracle", ["darwin", "linux"])


def test_other_places_are_followed(cli, home, monkeypatch, tmp_path):
    """State, config and workspace each have a variable."""
    write(tmp_path / "state/x", "")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("OPENCLAW_WORKSPACE_DIR", str(tmp_path / "desk"))
    monkeypatch.setenv("OPENCLAW_CONFIG_PATH", str(tmp_path / "oc.json"))
    cli("install", "openclaw")
    assert ((tmp_path / "oc.json").exists(), (tmp_path / "desk/AGENTS.md").exists(), files(home)) == (
        True,
        True,
        {},
    )


def test_a_memory_in_the_workspace_is_searched_already(cli, furnished):
    """Its files are OpenClaw's own: listing them again would find them twice."""
    place = furnished / ".openclaw/workspace"
    cli("init", "--layout", "openclaw", at=place)
    cli("install", "openclaw", "--search-paths", at=place)
    assert "extraPaths" not in (furnished / ".openclaw/openclaw.json").read_text()


@pytest.fixture
def program(tmp_path, monkeypatch):
    """An `openclaw` on the path that notes what it is told to do."""
    told = tmp_path / "told.txt"
    place = tmp_path / "bin" / "openclaw"
    place.parent.mkdir()
    place.write_text(f'#!/bin/sh\necho "$@" >> {told}\n', encoding="utf-8")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place.parent}:/usr/bin:/bin")
    return lambda: told.read_text(encoding="utf-8").splitlines() if told.exists() else []


def test_its_own_search_goes_on_undisturbed(cli, furnished, program):
    """What it searches is the scope of its index: untouched on the way in and on the way out, so nothing pauses."""
    before = config(furnished).get("memory")
    cli("install", "openclaw")
    assert config(furnished).get("memory") == before
    cli("install", "openclaw", "--uninstall")
    assert (config(furnished).get("memory"), program()) == (before, [])


def test_a_changed_scope_is_indexed_again(cli, furnished, program):
    """Whoever asks for search paths gets an index that fits them, and one that fits again when they go."""
    said = cli("install", "openclaw", "--search-paths").out
    assert (program(), "`openclaw memory index` was run" in said) == (["memory index"], True)
    cli("install", "openclaw", "--search-paths")
    assert program() == ["memory index"]
    cli("install", "openclaw")
    assert (program(), config(furnished)["memory"]["search"]["extraPaths"]) == (["memory index"] * 2, [])
    cli("install", "openclaw", "--search-paths")
    cli("install", "openclaw", "--uninstall")
    assert program() == ["memory index"] * 4


def test_without_the_program_the_step_is_told(cli, furnished, monkeypatch):
    """A person is told what to run, and why."""
    monkeypatch.setenv("PATH", "/nowhere")
    said = cli("install", "openclaw", "--search-paths").out
    assert "run `openclaw memory index`, until then that search pauses" in said


NATIVE = """{
  // mine
  "meta": {"lastTouchedVersion": "2026.9.6"},
  "plugins": {"entries": {"codex": {"enabled": false}}},
}
"""


@pytest.fixture
def native(furnished):
    """An OpenClaw that the plugin was tried with."""
    write(furnished / ".openclaw/openclaw.json", NATIVE)
    return furnished


def test_the_plugin_is_put_in_with_what_it_needs(cli, native, root):
    """A path, an entry with two grants, and no server that would offer the same tools again."""
    cli("install", "openclaw")
    held = config(native)
    (place,) = held["plugins"]["load"]["paths"]
    assert (Path(place).name, (Path(place) / "openclaw.plugin.json").is_file()) == ("plugin", True)
    assert held["plugins"]["entries"]["memoracle"] == {
        "enabled": True,
        "hooks": {"allowConversationAccess": True, "allowPromptInjection": True},
        "config": {"command": [PYTHON, "-P", "-m", "memoracle", "--root", str(root)]},
    }
    assert ("mcp" in held, "slots" in held["plugins"], "allow" in held["plugins"]) == (False, False, False)


def test_what_it_allows_is_said_before_anybody_agrees(cli, native):
    """Every grant, in the plan already; and that the workspace could be adopted, with the command."""
    done = cli("install", "openclaw", "--print")
    for said in (
        "this allows: its gateway",
        "allowConversationAccess",
        "allowPromptInjection",
        "memoracle_save",
    ):
        assert said in done.out
    assert "--layout openclaw" in done.out


def test_taking_it_out_leaves_every_byte(cli, native):
    """Also when it was put in twice, and once with the slot."""
    before = files(native / ".openclaw")
    cli("install", "openclaw")
    cli("install", "openclaw", "--memory-slot")
    assert config(native)["plugins"]["slots"] == {"memory": "memoracle"}
    assert [Path(one).name for one in config(native)["plugins"]["load"]["paths"]] == ["memory_slot"]
    cli("install", "openclaw")
    assert not config(native)["plugins"]["slots"]
    cli("install", "openclaw", "--uninstall")
    assert files(native / ".openclaw") == before


def test_who_holds_the_slot_keeps_it(cli, native):
    """And a list of allowed plugins is only longer by one."""
    text = NATIVE.replace(
        '{"entries"', '{"slots": {"memory": "memory-lancedb"}, "allow": ["codex"], "entries"'
    )
    write(native / ".openclaw/openclaw.json", text)
    done = cli("install", "openclaw", "--memory-slot")
    held = config(native)["plugins"]
    assert (held["slots"], held["allow"]) == ({"memory": "memory-lancedb"}, ["codex", "memoracle"])
    assert ("stays with `memory-lancedb`" in done.out, Path(held["load"]["paths"][0]).name) == (
        True,
        "plugin",
    )


def test_what_a_person_added_to_the_entry_stays(cli, native):
    """The time its hooks are given, say."""
    cli("install", "openclaw")
    place = native / ".openclaw/openclaw.json"
    place.write_text(
        place.read_text().replace('"allowPromptInjection"', '"timeoutMs": 9000, "allowPromptInjection"')
    )
    cli("install", "openclaw")
    assert config(native)["plugins"]["entries"]["memoracle"]["hooks"]["timeoutMs"] == 9000


def test_a_server_of_an_earlier_edition_gives_way(cli, native):
    """The plugin offers the same tools."""
    write(native / ".openclaw/openclaw.json", NATIVE.replace("2026.9.6", "2026.8.1"))
    cli("install", "openclaw")
    place = native / ".openclaw/openclaw.json"
    place.write_text(place.read_text().replace("2026.8.1", "2026.9.6"))
    cli("install", "openclaw")
    assert config(native)["mcp"] == {"servers": {}}


def test_the_plugin_is_tried_by_what_it_calls(cli, native, root, monkeypatch):
    """As it was put in, and with what a person added beside it: it is current, and its server is begun."""
    begun = []
    monkeypatch.setattr(
        selftest, "try_server", lambda listed, _machine: begun.append(listed["command"]) or ()
    )
    cli("install", "openclaw")
    place = native / ".openclaw/openclaw.json"
    for text in (
        place.read_text(),
        place.read_text().replace('"allowPrompt', '"timeoutMs": 9000, "allowPrompt'),
    ):
        place.write_text(text)
        done = cli("doctor", "openclaw")
        assert (done.status, "there and current" in done.out) == (0, True), done.out
    assert begun == [[PYTHON, "-P", "-m", "memoracle", "--root", str(root), "mcp"]] * 2


def test_setup_and_doctor_keep_what_was_asked_for(cli, native, monkeypatch):
    """The slot and the search paths: nothing is put in or taken out for want of a flag that they do not have."""
    monkeypatch.setattr(selftest, "try_server", lambda *_: ())
    cli("install", "openclaw", "--memory-slot", "--search-paths")
    before = files(native / ".openclaw")
    assert "has it already" in cli("setup", "--host", "openclaw").err
    assert files(native / ".openclaw") == before
    assert "there and current" in cli("doctor", "openclaw").out
