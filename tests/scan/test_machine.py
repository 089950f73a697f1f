"""What scanners see of a machine, and what they leave unseen."""

import json

import pytest

from memoracle.errors import BadInput
from memoracle.extensions.seats.scan.homes import homes_of
from memoracle.extensions.seats.scan.machine import look as looking
from memoracle.extensions.seats.scan.machine.look import DEFAULT, SCANNERS, chosen
from memoracle.extensions.seats.scan.machine.surroundings import length_class

from .places import PLANTED, planted, put, secret
from .test_project import covered, leaves


@pytest.fixture
def seen(memory, home, root):
    """The documents of all scanners, by name."""
    environment = {
        "HTTPS_PROXY": f"http://me:{secret('', 12, 30)}@proxy.example.com:8080",
        "NO_PROXY": "localhost,.internal",
    }
    environment |= {
        "CLAWSEAT_PROJECT": "arena",
        "GITLAB_TOKEN": secret("", 20, 31),
        "EDITOR": "vi",
        "PWD": "/somewhere/else",
    }
    done = memory.scan_machine(only=SCANNERS, homes=[str(home)], environment=environment)
    assert not done.errors
    return {file.kind: json.loads((root / file.path).read_text(encoding="utf-8")) for file in done.files}


@pytest.mark.seed("S1.151")
def test_the_scanners_by_name():
    """Ten of them; five by default; a name nobody knows is refused."""
    assert (len(SCANNERS), chosen([]), chosen(["system", "system"])) == (10, DEFAULT, ("system",))
    with pytest.raises(BadInput):
        chosen(["credentials", "moods"])


@pytest.mark.seed("S1.153", "F-20", "C-18")
def test_credentials_are_known_by_name_place_and_fingerprint(seen, home):
    """Present, how long by class, and a fingerprint; the first place stands, the other is named."""
    keys = seen["credentials"]["keys"]
    assert set(keys) == {*PLANTED, "PORT", "GITLAB_TOKEN", "HTTPS_PROXY"}
    one = keys["OPENAI_API_KEY"]
    assert (one["source"], one["present"], one["length"], one["also_in"]) == (
        str(home / ".env"),
        True,
        "32-63",
        [str(home / ".env.local")],
    )
    assert (len(one["fingerprint"]), one["kind"], keys["PORT"]["kind"], keys["GITLAB_TOKEN"]["source"]) == (
        8,
        "secret",
        "setting",
        "environment",
    )


@pytest.mark.seed("F-20", "C-18")
def test_no_byte_of_a_secret_is_kept(seen, memory, root):
    """Twelve formats and the logins of programs: nothing under the root holds any of them, the view included."""
    memory.search("credential")
    everything = b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    assert [
        value
        for value in [*planted(), secret("", 12, 30), secret("", 20, 31)]
        if value.encode() in everything
    ] == []


def test_a_short_secret_has_no_fingerprint(memory, tmp_path):
    """All of its possible values could be tried."""
    put(tmp_path, ".env", "PIN=1234\nLONG_TOKEN=" + secret("", 30, 40) + "\nEMPTY=\n")
    memory.scan_machine(homes=[str(tmp_path)], environment={})
    keys = json.loads((tmp_path / "memory/machine/credentials.json").read_text())["keys"]
    assert ["fingerprint" in keys[name] for name in ("PIN", "LONG_TOKEN", "EMPTY")] == [False, True, False]
    assert keys["EMPTY"]["present"] is False


@pytest.mark.parametrize(
    ("length", "named"),
    [(0, "empty"), (7, "under 8"), (8, "8-15"), (31, "16-31"), (64, "64-127"), (500, "128 and more")],
)
def test_the_length_of_a_secret_is_a_class(length, named):
    """Never the number itself."""
    assert length_class("x" * length) == named


def test_fingerprints_are_the_roots_own(memory, home, tmp_path, clock):
    """The same secret in two memories has two fingerprints; a changed one has another."""
    from memoracle.compose import init, open_memory

    init(str(tmp_path / "other"), environment={})
    prints = []
    for place in ("memory", "other"):
        with open_memory(str(tmp_path / place), environment={}, clock=clock) as opened:
            opened.scan_machine(homes=[str(home)], environment={})
        held = json.loads((tmp_path / place / "machine/credentials.json").read_text())
        prints.append(held["keys"]["GITHUB_TOKEN"]["fingerprint"])
    assert prints[0] != prints[1]


def test_logins_are_hosts_and_presence(seen):
    """Who has a login here, and nothing of the login."""
    logins, oauth = seen["credentials"]["logins"], seen["credentials"]["oauth"]
    assert (
        logins["netrc"],
        logins["git_credentials"],
        logins["npm"],
        logins["docker"],
        logins["aws_profiles"],
    ) == (
        ["api.example.com"],
        ["git.example.com"],
        ["registry.example.com"],
        ["hub.example.com"],
        ["default", "work"],
    )
    assert (oauth["has_any"], oauth["claude_credentials_json"], oauth["claude_code_oauth_token_env"]) == (
        True,
        True,
        False,
    )
    assert seen["credentials"]["ssh"]["private_keys"] == ["id_ed25519"]


@pytest.mark.seed("S1.154")
def test_network_openclaw_github_and_context(seen, home):
    """Proxies without logins; an installation by names; identity, hosts, scopes and keys; the project at hand."""
    assert seen["network"]["proxies"] == {
        "https_proxy": {"host": "proxy.example.com", "has_login": True, "scheme": "http", "port": 8080}
    }
    claw = seen["openclaw"]
    assert (claw["home"], claw["skills"], claw["agents"], claw["feishu"]) == (
        str(home / ".openclaw"),
        ["memory"],
        ["workspace-koder"],
        {"groups": 2, "accounts": ["main"]},
    )
    hub = seen["github"]
    assert hub["git"] == {"name": "Mei Lin", "email": "mei@example.com", "signs_commits": True}
    assert hub["hosts"] == [
        {
            "host": "github.com",
            "has_token": True,
            "user": "meilin",
            "git_protocol": "ssh",
            "scopes": ["repo", "read:org"],
        }
    ]
    assert (hub["ssh"]["public_keys"][0]["type"], hub["ssh"]["public_keys"][0]["fingerprint"][:7]) == (
        "ssh-ed25519",
        "SHA256:",
    )
    assert seen["current_context"]["current_project"] == "arena"


def test_the_optional_scanners(seen, home):
    """The system, names of variables alone, two installations, repositories without their logins."""
    assert seen["environment"]["names"] == [
        "CLAWSEAT_PROJECT",
        "EDITOR",
        "GITLAB_TOKEN",
        "HTTPS_PROXY",
        "NO_PROXY",
        "PWD",
    ]
    assert (
        bool(seen["system"]["kernel"]),
        seen["gstack"]["version"],
        seen["clawseat"]["projects"][0]["name"],
    ) == (True, "2.1", "arena")
    assert seen["repos"]["repos"] == [
        {"path": str(home / "code/tool"), "branch": "main", "remote": "https://github.com/me/tool.git"}
    ]


def test_every_fact_has_its_evidence(seen):
    """A source and a trust for every leaf of every document."""
    for document in seen.values():
        told = {place for one in document["evidence"] for place in one["facts"]}
        frame = {"schema_version", "kind", "scanned_at", "source", "evidence"}
        facts = {name: said for name, said in document.items() if name not in frame}
        assert [leaf for leaf in leaves(facts) if not covered(leaf, told)] == []
        assert (document["schema_version"], bool(document["scanned_at"])) == (1, True)


@pytest.mark.seed("S1.155", "F-37")
def test_both_homes_are_looked_at_and_named(tmp_path):
    """The account's first, then a redirected HOME; the same folder counts once; a call may name another."""
    account, redirected = tmp_path / "account", tmp_path / "redirected"
    account.mkdir()
    redirected.mkdir()
    both = homes_of({"HOME": str(redirected)}, str(account))
    assert [(home.path, home.said_by) for home in both] == [
        (str(account), "the password database"),
        (str(redirected), "HOME"),
    ]
    (tmp_path / "link").symlink_to(account)
    assert len(homes_of({"HOME": str(tmp_path / "link")}, str(account))) == 1
    assert [home.path for home in homes_of({"HOME": str(redirected)}, str(account), [str(redirected)])] == [
        str(redirected)
    ]


@pytest.mark.seed("F-37")
def test_a_fact_says_which_home_it_is_of(memory, tmp_path):
    """The account's file stands, the other home's is named beside it."""
    for name in ("one", "two"):
        put(tmp_path / name, ".env", "API_KEY=" + secret("", 20, 50) + "\n")
    memory.scan_machine(homes=[str(tmp_path / "one"), str(tmp_path / "two")], environment={})
    key = json.loads((tmp_path / "memory/machine/credentials.json").read_text())["keys"]["API_KEY"]
    assert (key["source"], key["also_in"]) == (str(tmp_path / "one/.env"), [str(tmp_path / "two/.env")])


@pytest.mark.seed("S1.151")
def test_a_scanner_that_fails_hinders_no_other(memory, home, monkeypatch):
    """It is named without its words, and the others are kept."""
    from memoracle.extensions.seats.scan.machine import github

    def fails(_around):
        raise RuntimeError("the token is " + PLANTED["GITHUB_TOKEN"])

    monkeypatch.setattr(github, "look", fails)
    done = memory.scan_machine(homes=[str(home)], environment={})
    assert (dict(done.errors), [file.kind for file in done.files]) == (
        {"github": "RuntimeError while looking"},
        ["credentials", "network", "openclaw", "current_context"],
    )
    assert looking.DEFAULT == DEFAULT


def test_a_home_full_of_traps(memory, tmp_path):
    """Links out of it, endless files, odd names: nothing is followed, nothing breaks."""
    outside = put(tmp_path / "outside", "real.env", "STOLEN_KEY=" + secret("", 30, 60) + "\n")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".env").symlink_to(outside)
    (home / ".secrets").symlink_to("/proc/self")
    (home / ".env.big").write_bytes(b"A_KEY=" + b"x" * 3_000_000)
    (home / ".netrc").mkdir()
    (home / ".gitconfig").write_bytes(b"\xff[user]\nname = \x1b[31mred\n")
    done = memory.scan_machine(homes=[str(home)], environment={})
    held = json.loads((tmp_path / "memory/machine/credentials.json").read_text())
    assert (done.errors, held["keys"], len(done.unread) >= 2) == ({}, {}, True)


def test_no_piece_of_a_secret_passes_for_a_name(memory, tmp_path, root):
    """Keys over several lines, raw tokens with padding, passwords with odd signs in them."""
    pieces = [secret("", 40, 200 + number) for number in range(6)]
    begin, end = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
    put(
        tmp_path,
        ".env",
        f'A_KEY="{begin}\n{pieces[0]}=\n{pieces[1]}==\n{end}"\nB_KEY={begin}\n{pieces[2]}=x\n{end}\nC=1\nappSecret: "x"\n',
    )
    put(tmp_path, ".secrets/raw", f"{pieces[3]}==\n")
    put(tmp_path, ".secrets/lower", f"{pieces[4].lower()}=\n")
    put(
        tmp_path,
        ".git-credentials",
        f"https://me:p@ss{pieces[5]}@git.example.com/x\nhttps://me:p/{pieces[5]}@two.example.com\n",
    )
    memory.scan_machine(
        homes=[str(tmp_path)], environment={"HTTP_PROXY": f"http://me:1234/{pieces[5]}@proxy:80"}
    )
    held = json.loads((root / "machine/credentials.json").read_text())
    assert sorted(held["keys"]) == ["A_KEY", "B_KEY", "C", "appSecret"]
    assert held["logins"]["git_credentials"] == ["git.example.com", "two.example.com"]
    everything = b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    assert [
        piece
        for piece in (*pieces, pieces[4].lower())
        if piece.encode() in everything or piece[:12].encode() in everything
    ] == []


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://me:token@git.example.com/a/b.git", "https://git.example.com/a/b.git"),
        ("https://me:p@ss@git.example.com/a", "https://git.example.com/a"),
        ("https://me:p/ss@git.example.com/a", ""),
        ("https://me:12/34@git.example.com/a", ""),
        ("git@github.com:me/tool.git", "github.com:me/tool.git"),
        ("me:p@ss@host:path/x", "host:path/x"),
        ("https://host/@scope/x", "https://host/@scope/x"),
        ("../relative", "../relative"),
    ],
)
def test_addresses_lose_their_logins(address, kept):
    """Whatever signs a password has in it."""
    from memoracle.extensions.seats.scan.git import without_password

    assert without_password(address) == kept


def test_a_home_that_is_not_there(memory, tmp_path):
    """Documents say that nothing is there."""
    done = memory.scan_machine(homes=[str(tmp_path / "nowhere")], environment={})
    assert (done.errors, len(done.files), done.homes) == ({}, 5, ())
