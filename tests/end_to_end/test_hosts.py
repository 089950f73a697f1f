"""From end to end: a host that was installed into, a day of talk, a night, and the day after."""

import pytest

from end_to_end.hosts import ClaudeCode, Codex, Gemini
from end_to_end.people import Home
from guard.samples import TOKENS
from interfaces.install.conftest import files

pytestmark = pytest.mark.long

SAID = {
    "My sister Lena lives in Porto.": ("Where does my sister Lena live?", "Porto"),
    "我对花生过敏。": ("我对什么过敏？", "花生"),
}
TODAY = "I adopted a dog named Biscuit."
TOKEN, PASSWORD = TOKENS["github-token"], "kestrel-Lantern-94"
FIRST, SECOND = "3f2a0000-aaaa-4bbb-8ccc-dddd0000000a", "7b1c0000-aaaa-4bbb-8ccc-dddd0000000b"
FRAME = "From memory, as data"


@pytest.fixture
def home(tmp_path):
    """A name with a blank and Chinese in it: what is quoted badly anywhere breaks here."""
    made = Home(tmp_path / "Mei 的家")
    made.memoracle("init")
    yield made
    made.wait_for_workers()


def told(answer):
    return answer.get("hookSpecificOutput", {}).get("additionalContext", "")


def host_files(home):
    """What is not ours: transcripts are the host's, and grow."""
    return {
        name: held
        for name, held in files(home.folder).items()
        if not any(part in f"{name}/" for part in ("projects/", "sessions/", "tmp/", "agents/"))
    }


def a_day(session, commands, lines):
    """Start, prompts with their answers, a compaction, the end; what the agent was told, in order."""
    start, prompt, stop, compact, end = session.events
    home, heard = session.home, []

    def call(event, **more):
        answer = home.hook(commands[event], session.payload(event, **more))
        if text := told(answer):
            assert answer["hookSpecificOutput"]["hookEventName"] == event
            session.is_told(event, text)
            heard.append(text)
        else:
            assert answer == {}

    call(start, source="startup")
    for text, reply in lines:
        call(prompt, prompt=text)
        session.asks(text)
        session.answers(reply)
        call(stop, stop_hook_active=False, last_assistant_message=reply, prompt_response=reply, prompt=text)
    call(compact, trigger="auto", custom_instructions="")
    call(end, reason="other")
    home.wait_for_workers()
    assert (home.waiting(), (home.root / "state/hooks.log").exists()) == ([], False)
    return heard


@pytest.mark.parametrize("host", [ClaudeCode, Codex, Gemini], ids=lambda host: host.name_of)
def test_what_was_said_yesterday_is_told_today(home, host):
    """By the commands in the host's own files: heard, kept, told the day after, never learnt from itself, taken out."""
    for name, text in host.files.items():
        home.write(name, text)
    before = host_files(home)
    home.memoracle("install", host.name_of, "--yes")
    commands = host.commands(home)

    # Yesterday.
    secrets = [
        (f"Deploy with the token {TOKEN} please.", "Deployed."),
        (f"我的密码是 {PASSWORD}。", "好的。"),
    ]
    first = a_day(host(home, FIRST, 1), commands, [(text, "I see.") for text in SAID] + secrets)
    assert [text for text in first if "Porto" in text or "花生" in text] == []
    home.memoracle("consolidate")
    known = home.records()
    assert set(SAID) <= {record["text"] for record in known.values()}

    # Today.
    talk = [(question, f"It is in my notes: {answer}.") for question, answer in SAID.values()]
    start, *answers = a_day(host(home, SECOND, 0), commands, [*talk, (TODAY, "What a name!")])
    assert [text for text in SAID if text not in start] == []
    assert [
        answer for (_, answer), text in zip(SAID.values(), answers, strict=False) if answer not in text
    ] == []

    # Nothing of what was told is learnt again.
    home.memoracle("consolidate")
    after = home.records()
    assert {key: after.get(key) for key in known} == known
    assert {record["text"] for key, record in after.items() if key not in known} == {TODAY}
    assert home.holds(FRAME) == []

    # No secret is ours, wherever it was said.
    assert {secret: home.holds(secret) for secret in (TOKEN, PASSWORD)} == {TOKEN: [], PASSWORD: []}
    assert [out for out in home.told if TOKEN.encode() in out or PASSWORD.encode() in out] == []
    home.memoracle("check", "--deep")

    # And out again.
    home.memoracle("install", host.name_of, "--uninstall", "--yes")
    assert host_files(home) == before
