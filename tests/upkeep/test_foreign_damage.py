"""Damage in files that are not ours: told, and left alone."""

import json


def test_a_damaged_line_of_a_hosts_transcript_is_no_work_for_repair(memory, tmp_path):
    """`check` names it; `repair` mends what is ours and changes nothing of the host's."""
    chat = tmp_path / "chat.jsonl"
    said = {"role": "user", "content": "I live in Boston.", "timestamp": "2026-05-14T10:00:00Z"}
    chat.write_text(json.dumps(said) + '\n{"role": "user", "content": torn\n', "utf-8")
    before = chat.read_bytes()
    memory.ingest(str(chat), embed=False)
    memory.remember("the cat is called Miso")
    facts = f"{memory.store.root}/records/facts.jsonl"
    with open(facts, "a", encoding="utf-8") as file:
        file.write("{ torn\n")
    memory.search("cat")
    plan = memory.repair()
    assert "records/facts.jsonl" in {step.target for step in plan.steps}
    assert not any(step.target.startswith("/") for step in plan.steps)
    assert chat.read_bytes() == before
