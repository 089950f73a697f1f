"""A text without its secrets: found, replaced, told apart from what only looks like one."""

import re

import pytest

from memoracle.guard.secrets import fingerprint, mask, mask_named

from .samples import HARMLESS, NAMED, TOKENS, a_private_key, made, salt

PLACEHOLDER = re.compile(r"\[secret:[a-z-]+:[0-9a-f]{8}\]")


@pytest.mark.seed("F-20")
@pytest.mark.parametrize("kind", TOKENS)
def test_a_providers_token_is_masked(kind):
    """Wherever it stands in a text, and nothing else of the text."""
    token = TOKENS[kind]
    masked = mask(f"用这个 {token}, ok?", salt)
    secret = token.rpartition("/hook/")[2] if "/hook/" in token else token
    assert (secret in masked.text, masked.types) == (False, (kind.partition(" ")[0],))
    assert PLACEHOLDER.sub("", masked.text) == f"用这个 {token.removesuffix(secret)}, ok?"


@pytest.mark.parametrize("sentence", NAMED)
def test_what_a_name_gives_away_is_masked(sentence):
    """In code, on the command line, in addresses and in prose, in both languages; the words around it stay."""
    before, after = sentence.format("\0").split("\0")
    masked = mask(sentence.format(NAMED[sentence]), salt)
    assert PLACEHOLDER.sub("\0", masked.text) == f"{before}\0{after}"


@pytest.mark.parametrize("sentence", HARMLESS)
def test_an_ordinary_sentence_is_left_alone(sentence):
    """Hashes, ids, placeholders, code without a value, and talk about passwords."""
    assert mask(sentence, salt).text == sentence


@pytest.mark.parametrize("newline", ["\n", "\\n", "\r\n", '\\n" +\n "'])
@pytest.mark.parametrize("whole", [True, False])
def test_a_private_key_is_masked_as_one(newline, whole):
    """Its lines may end in a spelled-out escape, and its end may be missing."""
    masked = mask(f"here: {a_private_key(newline=newline, whole=whole)}", salt)
    assert re.fullmatch(r"here: \[secret:private-key:[0-9a-f]{8}\]", masked.text)


def test_the_rest_of_a_private_key_is_masked():
    """Its beginning stood in another message."""
    tail = a_private_key().partition("\n")[2]
    assert re.fullmatch(r"and: \[secret:private-key:[0-9a-f]{8}\] ok", mask(f"and: {tail} ok", salt).text)


def test_lines_keep_their_numbers_when_asked():
    """What follows a key of many lines is still cited by its own line."""
    masked = mask(f"one\n{a_private_key()}\nlast", salt, keep_lines=True)
    assert masked.text.split("\n").index("last") == 1 + len(a_private_key().split("\n"))


def test_the_same_secret_looks_the_same():
    """In any sentence; another one looks different, and so does the same one under another salt."""
    token = TOKENS["github-token"]
    one, two = mask(token, salt), mask(f"GITHUB_TOKEN={token}", salt)
    assert one.found[0].fingerprint == two.found[0].fingerprint == fingerprint(token, salt())
    assert mask(made("ghp_", 36, seed=8), salt).text != one.text
    assert mask(token, lambda: b"another salt").text != one.text


def test_masking_twice_is_masking_once():
    """A mask is no secret."""
    for text in (*TOKENS.values(), *(sentence.format(value) for sentence, value in NAMED.items())):
        once = mask(text, salt).text
        assert mask(once, salt).text == once


def test_a_sighting_holds_no_value():
    """Rule, type and place; the value is nowhere in it."""
    token = TOKENS["stripe-key"]
    assert token not in repr(mask(token, salt))[repr(mask(token, salt)).index("found=") :]


@pytest.mark.parametrize(
    ("name", "text", "is_secret"),
    [
        ("db_password", "hunter2", True),
        ("dbPassword", "swordfish", True),
        ("wifi 密码", "12345678", True),
        ("api_key", "abcd1234efgh", True),
        ("password", "required", False),
        ("password_policy", "at least 8 letters", False),
        ("favourite colour", "blue42", False),
        ("token budget", "1800", False),
    ],
)
def test_a_name_tells_what_its_value_is(name, text, is_secret):
    """A value alone may look like nothing."""
    assert (mask_named(name, text, salt).text != text) is is_secret


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "password=",
        "sk-",
        "eyJ",
        "eyJa.",
        "://a:",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END RSA PRIVATE KEY-----",
        "password for a is ",
        "密码",
        "a1b2c3d4",
        "ghp_" + "a" * 30 + " ",
        'secret="',
        "bearer ",
        "--password ",
        "pin for ",
        "M.M.M.",
        "\\n",
    ],
)
def test_a_hostile_line_is_read_in_time_that_grows_with_it(piece):
    """Two megabytes of the beginning of something."""
    text = (piece * (2_000_000 // len(piece) + 1))[:2_000_000]
    assert len(mask(text, salt).text) > 0


def test_the_salt_is_asked_for_only_when_it_is_needed():
    """A memory without secrets has no salt."""

    def nobody():
        raise AssertionError

    assert mask("the cat is called Miso, and its token is a bell", nobody).found == ()
