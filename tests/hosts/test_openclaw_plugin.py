"""The plugin for OpenClaw: its own tests under Node, and what its package promises."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import memoracle
from memoracle.hosts.openclaw import install

FOLDER = Path(install.__file__).parent


@pytest.mark.long
def test_the_plugin_passes_its_own_tests():
    """Blocks, tools, a missing program, one that hangs, words that a shell would take for commands."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    tests = Path(__file__).with_name("openclaw_plugin.test.mjs")
    env = os.environ | {"PLUGIN": (FOLDER / "plugin/index.js").as_uri()}
    done = subprocess.run(
        [node, "--test", str(tests)], capture_output=True, text=True, timeout=60, env=env, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_both_manifests_say_the_same():
    """But for the memory slot, which a host reads from the manifest alone."""
    plain, slot = (
        json.loads((FOLDER / name / "openclaw.plugin.json").read_text()) for name in ("plugin", "memory_slot")
    )
    assert (plain.get("kind"), slot.pop("kind")) == (None, "memory")
    assert {**plain, "description": ""} == {**slot, "description": ""}


def test_the_plugin_has_the_version_of_the_package():
    """One version is told everywhere."""
    told = {
        json.loads((FOLDER / name / "package.json").read_text())["version"]
        for name in ("plugin", "memory_slot")
    }
    assert told == {memoracle.__version__}
