"""Sealed roots: what is sealed, what changed bytes cost, and who can open it."""

import json
import os
import subprocess
import time

import pytest

from memoracle.compose import open_memory
from memoracle.errors import BadInput, KeysLost, Locked
from memoracle.extensions.encryption import encrypting, unlocked, vaults
from memoracle.extensions.encryption.seal import NoMemoryFolder, WrongKey
from memoracle.store import durable, sealed
from memoracle.store.disk import DiskVolume
from memoracle.store.spool import Spool, SpoolEntry
from support.files import PLAIN
from support.processes import PYTHON, surroundings

from .conftest import pyrage, raw_bytes

WORD = "Quetzalcoatlus"


def opened(root):
    return open_memory(str(root), environment=PLAIN)


@pytest.fixture
def filled(root):
    """A root in clear with a record, a note and a document."""
    with opened(root) as memory:
        memory.remember(f"the {WORD} nests in Kyoto")
        memory.remember("the vault is blue", sensitivity="secret")
        memory.recall(WORD)
    (root / "notes/semantic/birds.md").write_text(f"# Birds\n\nThe {WORD} is large.\n")
    return root


@pytest.mark.seed("S4.074", "F-27")
def test_no_word_is_left_in_any_file(filled, seal):
    """Records, notes, receipts and state are sealed; the view is gone from the disk; answers are the same."""
    seal(filled)
    held = raw_bytes(filled)
    assert [path for path, raw in held.items() if WORD.encode() in raw] == []
    assert not (filled / "index").exists()
    with opened(filled) as memory:
        assert [hit.passage.path for hit in memory.search(WORD).hits] == [
            "records/facts.jsonl",
            "notes/semantic/birds.md",
        ]


def test_a_line_stays_a_line(filled, seal):
    """A sealed record file has as many lines as before, and an append adds to its end alone."""
    seal(filled)
    before = (filled / "records/facts.jsonl").read_bytes()
    with opened(filled) as memory:
        receipt = memory.remember("one more")
    after = (filled / "records/facts.jsonl").read_bytes()
    assert (after.startswith(before), after.count(b"\n"), receipt.line) == (True, 3, 3)


def test_sealing_and_opening_gives_the_same_bytes(filled, seal):
    """Decrypting brings every file back as it was."""
    before = {path: raw for path, raw in raw_bytes(filled).items() if not path.startswith("index/")}
    seal(filled)
    encrypting.decrypt(str(filled), environment={})
    assert {path: raw for path, raw in raw_bytes(filled).items() if path != "state/sealed.json"} == before


def test_the_same_words_give_the_same_bytes(filled, seal):
    """A file that is written anew changes only where its words changed, so that git merges it by lines."""
    seal(filled)
    path = str(filled / "records/facts.jsonl")
    before = durable.read_raw(path)
    volume = DiskVolume(str(filled))
    volume.replace("records/facts.jsonl", volume.read("records/facts.jsonl"))
    assert durable.read_raw(path) == before


# Damage


@pytest.mark.seed("F-27")
def test_every_changed_byte_of_a_line_is_seen(filled, seal, reopen):
    """Whatever byte of a sealed line changes: that line is damage, the other one still loads."""
    seal(filled)
    path = filled / "records/facts.jsonl"
    whole = path.read_bytes()
    first = whole.index(b"\n")
    for at in range(0, first, 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        reopen(filled)
        with opened(filled) as memory:
            records = [record.statement.text for _, record in memory.store.journal.all_versions()]
            damage = memory.store.journal.damage_in("records/facts.jsonl")
        assert (records, [piece.line for piece in damage]) == (["the vault is blue"], [1]), at
    path.write_bytes(whole)


def test_repair_sets_a_broken_line_aside_and_keeps_the_rest(filled, seal):
    """As with any damage: the bytes go to quarantine, nothing else is touched."""
    seal(filled)
    path = filled / "records/facts.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    with opened(filled) as memory:
        memory.repair()
        assert len(list(memory.store.journal.all_versions())) == 1
    assert whole[:40] in sealed.read(str(filled / "quarantine/lines.jsonl"))


def test_a_line_cannot_be_moved_to_another_folder_or_root(filled, seal):
    """A receipt is no record: seals are bound to where they stand."""
    seal(filled)
    line = (filled / "records/facts.jsonl").read_bytes().split(b"\n")[0]
    month = next((filled / "usage").iterdir())
    month.write_bytes(line + b"\n")
    assert sealed.read(str(month)) == line + b"\n"  # still shut: damage there


def test_a_torn_sealed_line_swallows_nothing(filled, seal):
    """What a crash left of a sealed line is fenced off; what comes after is whole."""
    seal(filled)
    path = filled / "records/facts.jsonl"
    path.write_bytes(path.read_bytes() + b"sealed1.0badc0de.AAAA")
    with opened(filled) as memory:
        memory.remember("after the crash")
        texts = [record.statement.text for _, record in memory.store.journal.all_versions()]
    assert texts[-1] == "after the crash"


def test_what_lies_in_clear_is_read_and_reported(filled, seal):
    """A note that a person put there answers like the others; `check` names it, `encrypt` seals it."""
    seal(filled)
    (filled / "notes/semantic/new.md").write_text("# New\n\nThe Gharial waits.\n")
    with opened(filled) as memory:
        assert len(memory.search("Gharial").hits) == 1
        named = [one.path for one in memory.check().findings if one.code == "not-sealed"]
    seal(filled, recipients=())
    assert named == ["notes/semantic/new.md"]
    assert b"Gharial" not in (filled / "notes/semantic/new.md").read_bytes()


# Locked, wrong, lost


def test_a_locked_root_answers_nothing_and_changes_nothing(filled, seal):
    """Every reader and writer is told `locked`, and no byte moves."""
    seal(filled)
    encrypting.lock(str(filled), environment={})
    before = raw_bytes(filled)
    with pytest.raises(Locked):
        opened(filled)
    with pytest.raises(Locked):
        DiskVolume(str(filled)).append({"records/facts.jsonl": b"{}\n"})
    with pytest.raises(Locked):
        sealed.read(str(filled / "notes/semantic/birds.md"))
    assert raw_bytes(filled) == before


def test_locking_reaches_a_process_that_lives_on(filled, seal):
    """A memory that was open before `lock` cannot read or write after it."""
    seal(filled)
    with opened(filled) as memory:
        memory.search(WORD)
        encrypting.lock(str(filled), environment={})
        with pytest.raises(Locked):
            memory.remember("too late")
        with pytest.raises(Locked):
            memory.search(WORD)


def test_a_process_that_lives_on_follows_when_its_root_is_sealed(filled, seal):
    """Opened in clear before, it writes sealed lines after, and makes no view on disk again."""
    with opened(filled) as memory:
        memory.search(WORD)
        seal(filled)
        memory.remember("the Wobbegong rests")
        assert len(memory.search("Wobbegong").hits) == 1
    assert [path for path, raw in raw_bytes(filled).items() if b"Wobbegong" in raw] == []


def test_a_wrong_key_changes_nothing_and_says_what_opens(filled, seal, tmp_path):
    """Another identity opens nothing; the error names the ways that would."""
    seal(filled)
    encrypting.lock(str(filled), environment={})
    other = tmp_path / "other.txt"
    other.write_text(str(pyrage.x25519.Identity.generate()))
    before = raw_bytes(filled, beside=())
    with pytest.raises(WrongKey) as caught:
        encrypting.unlock(str(filled), environment={}, identity=str(other))
    assert ("age1" in caught.value.hint, raw_bytes(filled, beside=())) == (True, before)


@pytest.mark.long
def test_the_passphrase_opens_and_another_does_not(filled, seal, runtime):
    """A passphrase is one of the ways, beside an age key."""
    seal(filled, passphrase="correct horse battery")
    encrypting.lock(str(filled), environment={})
    with pytest.raises(WrongKey):
        encrypting.unlock(str(filled), environment={}, passphrase="wrong horse battery")
    encrypting.unlock(str(filled), environment={}, passphrase="correct horse battery")
    assert not sealed.is_locked(str(filled))


def test_the_recovery_key_is_shown_before_it_is_needed_and_opens(filled, seal, tmp_path):
    """It is handed over once, stands nowhere under the root, and opens when all else is lost."""
    shown = []
    done = seal(filled, recovery=True, show=shown.append)
    assert shown == [done.recovery_key]
    assert [path for path, raw in raw_bytes(filled, beside=()).items() if shown[0].encode() in raw] == []
    encrypting.lock(str(filled), environment={})
    paper = tmp_path / "paper.txt"
    paper.write_text(shown[0])
    encrypting.unlock(str(filled), environment={}, identity=str(paper))
    with opened(filled) as memory:
        assert len(memory.search(WORD).hits) == 2


def test_lost_keys_are_said_and_never_taken_for_damage(filled, seal):
    """Without `keys/memory.json` nothing is set aside or written over; bringing it back brings all back."""
    seal(filled)
    public = filled / "keys/memory.json"
    kept = public.read_bytes()
    public.unlink()
    before = raw_bytes(filled)
    with pytest.raises(KeysLost):
        opened(filled)
    with pytest.raises(KeysLost):
        seal(filled)
    after = {path: raw for path, raw in raw_bytes(filled).items() if path in before}
    assert {path for path in before if after[path] != before[path]} <= {"state/write.lock"}
    public.write_bytes(kept)
    with opened(filled) as memory:
        assert len(memory.search(WORD).hits) == 2


# What somebody without the key may try


def _changed(root, **fields):
    path = root / "keys/memory.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_sealing_cannot_be_turned_off_without_the_key(filled, seal, identity):
    """A public file that says `off`, as it may arrive from a shared copy, has nothing written in clear."""
    seal(filled)
    _changed(filled, mode="off")
    with pytest.raises(Locked):
        opened(filled)
    with pytest.raises(Locked):
        DiskVolume(str(filled)).replace("notes/semantic/new.md", b"# Fresh words\n")
    with pytest.raises(WrongKey):
        encrypting.unlock(str(filled), environment={}, identity=identity[0])


@pytest.mark.parametrize("fields", [{"mode": "sensitive", "classes": ["secret"]}, {"inbox": "age1other"}])
def test_no_other_rule_can_be_brought_in_without_the_key(filled, seal, fields):
    """Mode, inbox and ways are vouched for by the key."""
    seal(filled)
    _changed(filled, **fields)
    with pytest.raises(WrongKey):
        opened(filled)


def test_no_way_can_be_added_without_the_key(filled, seal):
    """Or the next key would be wrapped for a stranger."""
    seal(filled)
    stranger = str(pyrage.x25519.Identity.generate().to_public())
    _changed(filled, ways={"friend": stranger})
    with pytest.raises(WrongKey):
        seal(filled, recipients=(), rekey=True)
    assert not list((filled / "keys").glob("*.friend.age"))


def test_what_was_turned_off_with_the_key_holds_elsewhere_once_confirmed(filled, seal, identity):
    """Decrypted on one machine, the other one asks for the key once and goes on in clear."""
    seal(filled)
    encrypting.decrypt(str(filled), environment={})
    (filled / "state/sealed.json").write_text('{"mode": "all"}')  # what the other machine knew
    vaults._vaults.clear()
    with pytest.raises(Locked):
        opened(filled)
    encrypting.unlock(str(filled), environment={}, identity=identity[0])
    with opened(filled) as memory:
        assert len(memory.search(WORD).hits) == 2


def test_a_public_file_that_is_gone_has_nothing_written_in_clear(filled, seal):
    """This machine knows that the root is sealed, whatever a shared copy took away."""
    seal(filled)
    (filled / "keys/memory.json").unlink()
    with pytest.raises(KeysLost):
        DiskVolume(str(filled)).replace("notes/semantic/new.md", b"# Fresh words\n")


# Keys


def test_ways_come_and_go_without_touching_what_is_sealed(filled, seal, tmp_path):
    """A second key opens it; taken out, it does not; no data file changes."""
    seal(filled)
    before = raw_bytes(filled)
    second = pyrage.x25519.Identity.generate()
    path = tmp_path / "second.txt"
    path.write_text(str(second))
    told, _ = encrypting.add_way(str(filled), environment={}, recipient=str(second.to_public()))
    encrypting.unlock(str(filled), environment={}, identity=str(path))
    encrypting.remove_way(str(filled), told.ways[-1].name, environment={})
    with pytest.raises(WrongKey):
        encrypting.unlock(str(filled), environment={}, identity=str(path))
    assert raw_bytes(filled) == before


def test_the_last_way_cannot_be_removed(filled, seal):
    """Or nobody could ever open it again."""
    seal(filled)
    (way,) = encrypting.keys(str(filled), environment={}).ways
    with pytest.raises(BadInput):
        encrypting.remove_way(str(filled), way.name, environment={})


def test_a_new_key_seals_everything_anew(filled, seal, reopen):
    """After `rekey` the old key opens nothing that lies there; the words are the same."""
    seal(filled)
    (old,) = vaults.vault_at(str(filled)).sealer().ring.keys
    before = {path: sealed.read(str(filled / path)) for path in raw_bytes(filled)}
    seal(filled, recipients=(), rekey=True)
    reopen(filled)
    assert [path for path, raw in raw_bytes(filled).items() if old.encode() in raw] == []
    assert {path: sealed.read(str(filled / path)) for path in raw_bytes(filled)} == before


def test_sealing_needs_a_way_to_open_it_again(root, runtime):
    """Nothing is sealed for nobody."""
    with pytest.raises(BadInput):
        encrypting.encrypt(str(root), environment={}, recovery=False)
    assert not (root / "keys").exists()


# Open keys


def test_open_keys_lie_in_memory_alone(filled, seal, runtime, monkeypatch):
    """A runtime folder on a disk is not used; where nothing lives in memory, unlocking is refused."""
    seal(filled)
    where, _ = unlocked.find(encrypting.vaults.vault_at(str(filled)).public.root)
    assert where.startswith(runtime)
    monkeypatch.setattr(unlocked, "_MOUNTS", os.devnull)
    with pytest.raises(NoMemoryFolder):
        unlocked.keep(vaults.vault_at(str(filled)).sealer().ring, until=None)


def test_open_keys_are_their_owners_alone(filled, seal, runtime):
    """The folder is 0700, the file 0600; a key that others could have read or placed is not believed."""
    seal(filled)
    where, _ = unlocked.find(vaults.vault_at(str(filled)).public.root)
    modes = os.stat(where).st_mode & 0o777, os.stat(os.path.dirname(where)).st_mode & 0o777
    os.chmod(where, 0o644)
    assert (modes, sealed.is_locked(str(filled))) == ((0o600, 0o700), True)


def test_keys_let_go_of_themselves(filled, seal, identity, monkeypatch):
    """With a limit, the root is locked when it is over, for processes that live on too."""
    seal(filled)
    encrypting.unlock(str(filled), environment={}, identity=identity[0], seconds=60)
    assert not sealed.is_locked(str(filled))
    later = time.time() + 61
    monkeypatch.setattr(time, "time", lambda: later)
    assert sealed.is_locked(str(filled))


def test_an_identity_in_the_environment_opens_for_one_process(filled, seal, identity, monkeypatch):
    """Where nobody can type: the path of an identity file, nothing is held anywhere."""
    seal(filled)
    encrypting.lock(str(filled), environment={})
    monkeypatch.setenv("MEMORACLE_IDENTITY", identity[0])
    with opened(filled) as memory:
        assert len(memory.search(WORD).hits) == 2
    assert unlocked.find(vaults.vault_at(str(filled)).public.root) is None


def test_without_a_folder_in_memory_the_view_is_each_processs_own(filled, seal, identity, monkeypatch):
    """No view is written to a disk then."""
    seal(filled)
    encrypting.lock(str(filled), environment={})
    monkeypatch.setenv("MEMORACLE_IDENTITY", identity[0])
    monkeypatch.setattr(unlocked, "_MOUNTS", os.devnull)
    with opened(filled) as memory:
        assert (len(memory.search(WORD).hits), memory.index.is_kept) == (2, False)


# Hooks


def test_what_a_hook_leaves_while_locked_is_sealed_and_not_lost(filled, seal, reopen):
    """It is posted to the root's public key: the hook cannot read it back, the worker can."""
    seal(filled)
    encrypting.lock(str(filled), environment={})
    spool = Spool(str(filled / "state/spool"))
    spool.add(SpoolEntry(event="stop", at="2026-11-15T10:00:00Z", session=WORD))
    assert WORD.encode() not in (filled / "state/spool/queue.jsonl").read_bytes()
    reopen(filled)
    with spool.working():
        assert [entry.session for entry in spool.take(first=True)] == [WORD]


# Sensitive records alone


@pytest.mark.seed("S4.074")
def test_sensitive_records_alone(filled, seal):
    """Lines of the chosen classes and what is kept about them are sealed; the rest stays readable."""
    seal(filled, mode="sensitive")
    held = raw_bytes(filled)
    lines = held["records/facts.jsonl"].splitlines()
    assert (WORD.encode() in lines[0], lines[1].startswith(b"sealed1.")) == (True, True)
    assert WORD.encode() in held["notes/semantic/birds.md"]
    with opened(filled) as memory:
        memory.remember("the Numbat is hidden", sensitivity="secret")
        memory.remember("the Kakapo is not")
        memory.consolidate(force=True)
        memory.check(deep=True)
        texts = {record.statement.text for _, record in memory.store.journal.all_versions()}
    assert {"the vault is blue", "the Numbat is hidden", "the Kakapo is not"} <= texts
    held = raw_bytes(filled)
    hidden = [path for path, raw in held.items() if b"Numbat" in raw or b"vault is blue" in raw]
    assert (hidden, b"Kakapo" in held["records/facts.jsonl"]) == ([], True)


def test_private_records_too(filled, seal):
    """`--class private` beside secret."""
    seal(filled, mode="sensitive", classes=("secret", "private"))
    assert all(line.startswith(b"sealed1.") for line in (filled / "records/facts.jsonl").read_bytes().split())


def test_from_sensitive_to_all_and_back(filled, seal):
    """A mode can be changed at any time."""
    seal(filled, mode="sensitive")
    seal(filled, mode="all", recipients=())
    everything = (filled / "notes/semantic/birds.md").read_bytes()
    seal(filled, mode="sensitive", recipients=())
    assert (WORD.encode() in everything, WORD in (filled / "notes/semantic/birds.md").read_text()) == (
        False,
        True,
    )


# Roots in clear


def test_a_root_in_clear_loads_no_cipher(filled):
    """Nothing of encryption is imported where nothing is encrypted."""
    code = (
        "import sys\nfrom memoracle.compose import open_memory\n"
        "m = open_memory(sys.argv[1])\nm.remember('x y z')\nm.search('x')\n"
        "print([n for n in sys.modules if n.startswith(('cryptography', 'pyrage'))])"
    )
    env = surroundings(MEMORACLE_EMBEDDER="none")
    said = subprocess.run(
        [PYTHON, "-c", code, str(filled)], env=env, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"
