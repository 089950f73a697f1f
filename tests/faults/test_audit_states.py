"""What a power cut may leave of the audit trail: told, never taken for tampering, and gone on from."""

import shutil

import pytest

from faults.test_crash_states import Recorder, after_each_cut
from memoracle.compose import init, open_memory
from memoracle.store.audit_proof import verify
from support.files import PLAIN, copy_root
from support.stores import a_store, keep

pytestmark = pytest.mark.long


def another_run(monkeypatch):
    """The machine was off in between."""
    for place in ("audit_trail", "audit_proof"):
        monkeypatch.setattr(f"memoracle.store.{place}.boot", lambda: "another run")


@pytest.mark.seed("S4.074")
@pytest.mark.parametrize("first", [True, False], ids=["a-new-trail", "an-old-trail"])
@pytest.mark.parametrize("act", ["remember", "forget", "note"])
def test_no_state_that_a_power_cut_may_leave_is_taken_for_tampering(tmp_path, monkeypatch, act, first):
    """Lost, torn and zero-filled ends: no problem, before and after the next write, and acknowledged acts stand."""
    base, root = tmp_path / "base", tmp_path / "memory"
    init(str(base), environment={})
    with open_memory(str(base), environment=PLAIN) as memory:
        kept = memory.remember("stands").id
        memory.remember("its neighbour")
    shutil.rmtree(base / "index", ignore_errors=True)
    if first:
        (base / "events.jsonl").unlink()
        (base / "state/audit.json").unlink()
    copy_root(base, root)
    with open_memory(str(root), environment=PLAIN) as memory, monkeypatch.context() as patch:
        recorder = Recorder(patch, root)
        if act == "remember":
            for text in ("a first", "a second"):
                memory.remember(text)
                recorder.acknowledge(text)
        elif act == "forget":
            memory.forget([kept])
        else:
            memory.note("rain")
            memory.remember("after the rain")
    calls = [call for call in recorder.calls if "/index" not in str(call[1])]
    another_run(monkeypatch)
    checked = 0
    for _ in after_each_cut(base, root, calls):
        store = a_store(root)
        assert verify(store).problems == ()
        keep(store, "afterwards")
        found = verify(store)
        assert found.problems == ()
        assert [event.act for event in store.audit.read()][-1] == "remember"
        checked += 1
    assert checked > 10
