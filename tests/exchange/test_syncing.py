"""Two machines and a place between them: commit, merge by lines, converge, and never push unasked."""

import os
import random
import shutil
import stat
import subprocess
import sys

import pytest

from guard.samples import TOKENS
from memoracle.compose import init, open_memory
from memoracle.extensions.sync import git as syncing
from memoracle.extensions.sync.gitmerge import merge
from memoracle.extensions.sync.gitsync import Git, GitUnavailable, NotPushed, SecretInTheWay, SyncProblem
from memoracle.model.record import Status
from support.files import PLAIN, contents, write
from support.stores import FACTS, standing, texts

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


@pytest.fixture(autouse=True)
def _nobodys_git(monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


def git(folder, *words):
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def opened(path):
    return open_memory(str(path), environment=PLAIN)


@pytest.fixture
def hub(tmp_path):
    """A bare repository between the machines."""
    place = tmp_path / "hub.git"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(place))
    return place


@pytest.fixture
def pair(tmp_path, hub):
    """Two memories that share six records."""
    init(str(tmp_path / "a"), environment={})
    with opened(tmp_path / "a") as a:
        ids = [a.remember(f"共享 {number}").id for number in range(6)]
        a.sync(init=True)
        git(tmp_path / "a", "remote", "add", "origin", str(hub))
        a.sync(push=True)
    git(tmp_path, "clone", "--quiet", str(hub), "b")
    return tmp_path / "a", tmp_path / "b", ids


def files(root):
    return contents(root, skip=("index", "state", ".git"))


@pytest.mark.seed("S4.089")
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_two_machines_converge_whatever_the_order(pair, order):
    """Edits of the same records, new ones, archived ones, folds, notes of the same day: both end with the same bytes."""
    roots = dict(zip("ab", pair[:2], strict=True))
    ids = pair[2]
    with opened(roots["a"]) as a, opened(roots["b"]) as b:
        a.edit(ids[0], text="edited in a")
        a.edit(ids[1], text="a first")
        a.archive(ids[2])
        a.remember("only in a")
        a.fold()
        write(roots["a"], "notes/daily/2026-05-02.md", "# 2026-05-02\n\n- met Mei\n")
        b.edit(ids[1], text="b first")
        b.edit(ids[1], text="b second")
        b.edit(ids[3], tags=["b"])
        b.remember("只在乙")
        b.fold()
        write(roots["b"], "notes/daily/2026-05-02.md", "# 2026-05-02\n\n- 见了老王\n")
        memories = {"a": a, "b": b}
        for name in (*order, *order):
            done = memories[name].sync(push=True)
            assert done.converged

        assert standing(a.store) == standing(b.store)
        assert "b second" in texts(a.store)
        assert files(roots["a"]) == files(roots["b"])
        note = (roots["a"] / "notes/daily/2026-05-02.md").read_text()
        assert ("met Mei" in note, "见了老王" in note, "<<<" in note) == (True, True, False)
        assert (a.check(deep=True).ok, b.check(deep=True).ok) == (True, True)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_long_exchange_converges(pair, seed):
    """Random acts on both machines, synchronised in random order; in the end both say and hold the same."""
    chance = random.Random(seed)
    ids = list(pair[2])
    with opened(pair[0]) as a, opened(pair[1]) as b:
        for step in range(14):
            memory, root = chance.choice([(a, pair[0]), (b, pair[1])])
            act = chance.randrange(6)
            alive = [i for i, r in standing(memory.store).items() if r.status is Status.ACTIVE]
            if act == 0 and alive:
                memory.edit(chance.choice(alive), text=f"改 {seed}-{step}")
            elif act == 1:
                ids.append(memory.remember(f"new {seed}-{step}").id)
            elif act == 2 and alive:
                memory.archive(chance.choice(alive))
            elif act == 3:
                memory.fold()
            elif act == 4 and len(alive) > 2:
                memory.forget([chance.choice(alive)])
            else:
                with (root / "MEMORY.md").open("a") as file:
                    file.write(f"- 行 {step}\n")
            if chance.random() < 0.4:
                assert memory.sync(push=True).converged
        for memory in (a, b, a, b):
            assert memory.sync(push=True).converged

        assert standing(a.store) == standing(b.store)
        assert files(pair[0]) == files(pair[1])
        assert (a.check(deep=True).ok, b.check(deep=True).ok) == (True, True)


def test_generated_blocks_do_not_meet(pair):
    """Two machines renewed the hot file: the owner's lines of both stay, and one block is written anew."""
    one, two, _ = pair
    with opened(one) as a, opened(two) as b:
        for memory, root, mine in ((a, one, "甲的话"), (b, two, "words of b")):
            hot = root / "MEMORY.md"
            hot.write_text(f"# Memory\n\n{mine}\n")
            memory.remember(f"I am allergic to {mine}", kind="health")
            memory.consolidate(phase="hot")
            assert "memoracle:begin" in hot.read_text()
        for memory in (a, b, a):
            assert memory.sync(push=True).converged
        a.consolidate(phase="hot")

    text = (one / "MEMORY.md").read_text()
    assert (text.count("memoracle:begin"), "甲的话" in text, "words of b" in text) == (1, True, True)


def test_the_same_conflict_settled_twice_is_settled_the_same(pair, tmp_path):
    """Two machines that merge each other without a third get the same bytes, so the next merge is quiet."""
    one, two, _ = pair
    git(one, "remote", "add", "other", str(two))
    git(two, "remote", "add", "other", str(one))
    write(one, "notes/semantic/tea.md", "# Tea\n\n绿茶\n")
    write(two, "notes/semantic/tea.md", "# Tea\n\nblack\n")
    with opened(one) as a, opened(two) as b:
        for memory in (a, b):
            memory.sync(remote="origin")
        a.sync(remote="other")
        git(one, "branch", "seen", "HEAD^1")
        git(one, "symbolic-ref", "HEAD", "refs/heads/main")
        b.sync(remote="other")

        assert files(one) == files(two)
        assert (one / "notes/semantic/tea.md").read_text().count("# Tea") == 1


def test_closing_lines_stay_the_last_four(pair):
    """Both machines closed the day: one closing, with what either said."""
    one, two, _ = pair
    day = "# 2026-05-02\n\n- {}\n\nUpdated: {}\nDecisions: {}\nSignal: none\nOpen: {}\n"
    write(one, "notes/daily/2026-05-02.md", day.format("met Mei", "2026-05-02", "use SQLite", "none"))
    write(two, "notes/daily/2026-05-02.md", day.format("见了老王", "2026-05-03", "周五发布", "报销"))
    with opened(one) as a, opened(two) as b:
        for memory in (a, b, a):
            memory.sync(push=True)

    assert files(one) == files(two)
    lines = (one / "notes/daily/2026-05-02.md").read_text().splitlines()
    assert {"- met Mei", "- 见了老王"} <= set(lines)
    assert (lines[-4], lines[-2:]) == ("Updated: 2026-05-03", ["Signal: none", "Open: 报销"])
    assert set(lines[-3].removeprefix("Decisions: ").split("; ")) == {"use SQLite", "周五发布"}


@pytest.mark.parametrize("keep", [False, True])
def test_kept_conversations_of_both_are_heard_and_places_stay_at_home(pair, tmp_path, keep):
    """A copy speaks on both machines; where the other's conversations lie is nobody's business, and not read."""
    one, two, _ = pair
    chats = [
        write(tmp_path, f"chat-{n}.md", f"User: I like tea number {n}.\n\nAssistant: ok\n") for n in range(2)
    ]
    with opened(one) as a, opened(two) as b:
        a.ingest(str(chats[0]), keep=keep, embed=False)
        b.ingest(str(chats[1]), keep=keep, embed=False)
        for memory in (a, b, a):
            assert memory.sync(push=True).converged

        for memory, own in ((a, chats[0]), (b, chats[1])):
            known = memory.store.sessions.by_path()
            assert {path for path, one in known.items() if one.here} == {str(own)}
            assert len(known) == (2 if keep else 1)
            heard = {hit.passage.text for hit in memory.search("tea number").hits}
            assert len({text for text in heard if "tea" in text}) == (2 if keep else 1)


@pytest.mark.seed("F-69")
def test_nothing_is_pushed_unasked(pair, hub):
    """It says how much is only here."""
    one, _, _ = pair
    before = git(hub, "rev-parse", "main")
    with opened(one) as a:
        a.remember("new")
        done = a.sync()

    assert (done.pushed, done.ahead, git(hub, "rev-parse", "main")) == (False, 1, before)


def test_a_dry_run_changes_nothing(pair, hub):
    """Neither files nor commits nor what is known of the other side."""
    one, two, _ = pair
    with opened(two) as b:
        b.remember("from b")
        b.sync(push=True)
    with opened(one) as a:
        a.remember("from a")
        before = (git(one, "for-each-ref"), files(one))
        plan = a.sync(push=True, dry_run=True)

    assert [step.act for step in plan.steps] == ["commit", "commit", "merge", "push"]
    assert (git(one, "for-each-ref"), files(one)) == before


@pytest.mark.parametrize("place", ["notes/semantic/hosts.md", "sessions/extra.jsonl", FACTS])
def test_a_secret_stops_everything(pair, place):
    """The place and the type are named, the secret is not, and nothing is committed."""
    one, _, _ = pair
    token = TOKENS["github-token"]
    before = git(one, "rev-parse", "HEAD")
    with (one / place).open("ab") if (one / place).exists() else open(os.devnull, "wb") as file:
        file.write(f"a line with {token}\n".encode())
    if not (one / place).exists():
        write(one, place, f"# Hosts\n\ntoken {token}\n")
    with opened(one) as a, pytest.raises(SecretInTheWay) as caught:
        a.sync()

    assert f"{place}#L" in str(caught.value)
    assert token not in str(caught.value)
    assert git(one, "rev-parse", "HEAD") == before


def test_masked_records_are_no_hindrance(pair):
    """What the guard masked can travel."""
    one, two, _ = pair
    with opened(one) as a, opened(two) as b:
        a.remember(f"the token is {TOKENS['github-token']}")
        a.remember("", key="db.password", value="hunter2-correct-horse")
        a.sync(push=True)
        b.sync()

        assert standing(a.store) == standing(b.store)


def test_what_was_erased_stays_erased(pair):
    """A line that a merge brings back is taken out again."""
    one, two, ids = pair
    with opened(one) as a, opened(two) as b:
        b.edit(ids[0], text="still called Tweety-4711")
        b.sync(push=True)
        a.forget([ids[0]])
        done = a.sync(push=True)
        b.sync()

        assert done.converged
        for memory, root in ((a, one), (b, two)):
            assert standing(memory.store)[ids[0]].status is Status.FORGOTTEN
            held = [path for path in files(root) if b"Tweety" in (root / path).read_bytes()]
            assert held == []


def test_markers_of_a_foreign_merge_are_set_aside(pair):
    """Somebody merged by hand without the attributes: both sides load, and the markers go to quarantine."""
    one, two, _ = pair
    with opened(two) as b:
        b.remember("from b")
        content = (two / FACTS).read_bytes()
        (two / FACTS).write_bytes(content.replace(b"\n", b"\n<<<<<<< HEAD\n", 1) + b"=======\n>>>>>>> x\n")
        b.sync(push=True)
    with opened(one) as a:
        done = a.sync()

        assert ("set aside", FACTS) in {(step.act, step.target) for step in done.steps}
        assert (done.converged, "from b" in texts(a.store)) == (True, True)
        assert b"<<<<" not in (one / FACTS).read_bytes()


def test_lines_that_a_merge_left_nowhere_are_brought_back(pair, monkeypatch):
    """A union that loses lines, here by attributes somebody took out and a side chosen whole, loses no memory."""
    one, two, _ = pair
    with opened(one) as a, opened(two) as b:
        a.remember("only in a")
        b.remember("only in b")
        b.sync(push=True)

        def careless(repository, commit, message):
            settled = merge(repository, commit, message)
            git(one, "checkout", "--quiet", commit, "--", FACTS)
            return settled

        monkeypatch.setattr(syncing, "merge", careless)
        done = a.sync()

        assert "bring back" in {step.act for step in done.steps}
        assert {"only in a", "only in b"} <= set(texts(a.store))


def test_a_note_that_one_side_removed_and_the_other_changed_stays(pair):
    """What somebody wrote is kept."""
    one, two, _ = pair
    with opened(one) as a, opened(two) as b:
        write(one, "notes/semantic/tea.md", "# Tea\n")
        a.sync(push=True)
        b.sync()
        (two / "notes/semantic/tea.md").unlink()
        b.sync(push=True)
        write(one, "notes/semantic/tea.md", "# Tea\n\n龙井\n")
        a.sync(push=True)
        b.sync()

    assert (two / "notes/semantic/tea.md").read_text() == "# Tea\n\n龙井\n"


def test_two_memories_that_were_born_apart_become_one(tmp_path, hub):
    """Each made a repository of its own; nothing of either is lost."""
    for name in ("a", "b"):
        init(str(tmp_path / name), environment={})
        with opened(tmp_path / name) as memory:
            memory.remember(f"from {name}")
            memory.sync(init=True)
            git(tmp_path / name, "remote", "add", "origin", str(hub))
            done = memory.sync(push=True)
    with opened(tmp_path / "b") as b:
        assert (done.pushed, texts(b.store)) == (True, ["from a", "from b"])


def test_only_a_memory_is_merged(pair, tmp_path):
    """A repository of something else is refused, and says what was kept."""
    one, _, _ = pair
    code = tmp_path / "code"
    write(code, "main.py", "print()\n")
    git(tmp_path, "init", "--quiet", "--initial-branch=main", "code")
    git(code, "add", "-A")
    git(code, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "x")
    git(one, "remote", "add", "code", str(code))
    with opened(one) as a, pytest.raises(SyncProblem, match="no memory; nothing was merged"):
        a.sync(remote="code")


def test_what_is_written_meanwhile_is_not_lost(pair, monkeypatch):
    """A record and a note that appear between commit and merge are committed before anything is merged."""
    one, two, _ = pair
    fetch = Git.fetch
    with opened(one) as a, opened(two) as b:
        b.remember("from b")
        b.sync(push=True)

        def busy(self, remote):
            a.remember("meanwhile")
            write(one, "notes/semantic/tea.md", "# Tea\n")
            return fetch(self, remote)

        monkeypatch.setattr(Git, "fetch", busy)
        done = a.sync()

        assert (done.committed, {"meanwhile", "from b"} <= set(texts(a.store))) == (3, True)
        assert git(one, "status", "--porcelain") == ""


def test_a_merge_that_somebody_began_is_left_to_them(pair):
    """Nothing is committed over it."""
    one, two, _ = pair
    for root, word in ((one, "甲"), (two, "b")):
        write(root, "notes/semantic/tea.md", f"# Tea\n\n{word}\n")
        git(root, "add", "-A")
        git(root, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "x")
    git(one, "fetch", "--quiet", str(two), "main")
    with pytest.raises(subprocess.CalledProcessError):
        git(one, "-c", "user.name=x", "-c", "user.email=x@example.org", "merge", "FETCH_HEAD")
    with opened(one) as a, pytest.raises(SyncProblem, match="a merge is under way"):
        a.sync()


def test_somebody_who_pushed_meanwhile_is_merged_first(pair, monkeypatch):
    """A push that comes too late is repeated after another merge."""
    one, two, _ = pair
    with opened(one) as a, opened(two) as b:
        a.remember("from a")
        b.remember("from b")
        fetch, calls = Git.fetch, []

        def slow(self, remote):
            said = fetch(self, remote)
            if not calls:
                calls.append(1)
                b.sync(push=True)
            return said

        monkeypatch.setattr(Git, "fetch", slow)
        done = a.sync(push=True)

        assert (done.pushed, {"from a", "from b"} <= set(texts(a.store))) == (True, True)


def test_a_side_that_takes_nothing_is_told(pair, hub):
    """Everything is committed here."""
    one, _, _ = pair
    git(hub, "config", "receive.maxInputSize", "1")
    with opened(one) as a:
        a.remember("new")
        with pytest.raises(NotPushed, match="maximum allowed size"):
            a.sync(push=True)

    assert git(one, "status", "--porcelain") == ""


def test_a_side_that_is_away_is_told(pair, hub):
    """What was committed stays committed."""
    one, _, _ = pair
    shutil.rmtree(hub)
    with opened(one) as a:
        a.remember("new")
        with pytest.raises(SyncProblem, match="origin does not answer") as caught:
            a.sync()

    assert "2 changed files are committed here" in caught.value.hint


def test_no_repository_needs_a_word(root, memory):
    """`--init` makes one, with the attributes that merge by lines; an owner's own lines there stay."""
    with pytest.raises(SyncProblem, match="no git repository of its own"):
        memory.sync()
    (root / ".gitattributes").write_text("*.png binary")
    memory.sync(init=True)

    assert (root / ".gitattributes").read_text() == "*.png binary\n*.jsonl merge=union\n"
    assert git(root, "ls-files", "state", "index") == ""


def test_a_memory_inside_another_repository_is_left_alone(tmp_path, root, memory):
    """Its commits are not ours to make."""
    git(tmp_path, "init", "--quiet")
    with pytest.raises(SyncProblem, match="of its own"):
        memory.sync()


def test_without_git_it_says_so(memory, monkeypatch):
    """And everything else works."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitUnavailable, match="not installed"):
        memory.sync()


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_merged_files_stay_their_owners(pair):
    """A merge writes with the modes of a memory."""
    one, two, _ = pair
    with opened(two) as b, opened(one) as a:
        b.remember("from b")
        b.sync(push=True)
        a.remember("from a")
        a.sync()

    assert stat.S_IMODE((one / FACTS).stat().st_mode) == 0o600


def test_a_link_from_elsewhere_is_only_words(pair):
    """A link that arrives through git becomes a plain file."""
    one, two, _ = pair
    (two / "notes/semantic").mkdir(parents=True, exist_ok=True)
    os.symlink("/etc/passwd", two / "notes/semantic/link.md")
    git(two, "add", "-A")
    git(two, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "x")
    git(two, "push", "--quiet")
    with opened(one) as a:
        a.sync()

    assert not (one / "notes/semantic/link.md").is_symlink()
