"""Tokens of every documented family, made from descriptions of their formats and not from the rules."""

import random

import pytest

from memoracle.guard.rule import rules
from memoracle.guard.secrets import mask
from support.families import BARE, CARRIERS, NAMED, NAMED_CARRIERS, survives, token

from .samples import made, salt

# Fourteen letters behind a name that is no word for secrets, and a name that is only said in prose.
WEAK = {"linkedin-client-id", "sumologic-access-id", "sidekiq-secret"}


@pytest.mark.seed("F-20", "S1.226")
@pytest.mark.parametrize("family", BARE)
def test_a_token_is_masked_wherever_it_stands(family):
    """In prose of two languages, in settings, code, commands and logs: at most one token in twenty is lost."""
    chance = random.Random(family)
    lost = []
    for _ in range(20):
        text, secret = token(BARE[family], chance)
        lost += [
            frame for frame in CARRIERS.values() if survives(secret, mask(frame.format(text), salt).text)
        ]
    assert len(lost) <= len(CARRIERS), lost


@pytest.mark.seed("F-20", "S1.226")
@pytest.mark.parametrize("family", sorted(set(NAMED) - WEAK))
def test_a_token_without_a_shape_is_masked_by_its_name(family):
    """As a variable, a key, a field, and in a sentence that says what it is."""
    name, form = NAMED[family]
    chance = random.Random(family)
    lost = []
    for _ in range(20):
        text, secret = token(form, chance)
        for frame in NAMED_CARRIERS.values():
            words = name.replace("_", " ").lower()
            said = frame.format(words=words, name=name, lower=name.lower(), token=text)
            lost += [said] if survives(secret, mask(said, salt).text) else []
    assert len(lost) <= len(NAMED_CARRIERS), lost


@pytest.mark.parametrize("family", sorted(WEAK))
def test_a_weak_family_is_masked_in_settings(family):
    """Where nothing but its name gives it away, the name and the sign have to be written together."""
    name, form = NAMED[family]
    text, secret = token(form, random.Random(family))
    assert not survives(secret, mask(f"{name}={text}", salt).text)


def test_there_are_rules_for_many_families():
    """Rows and shapes; a prefix stands once."""
    held = rules("tokens")
    prefixes = [prefix for _, prefix, _, _ in held["prefixes"]]
    assert len(prefixes) == len(set(prefixes))
    assert (len(prefixes) + len(held["shape"]) >= 300, len(BARE) + len(NAMED) >= 350) == (True, True)


@pytest.mark.parametrize(
    "text",
    [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes the token refresh",
        "the key commit is 9fceb02d0ae598e95dc970b74767f19372d61af8",
        '"integrity": "sha512-' + made("", 86) + '=="',
        "docker pull app@sha256:" + made("", 64, "0123456789abcdef"),
        "RECORD,sha256=t-" + made("", 40) + ",1204",
        "etag: " + made("", 32, "0123456789abcdef"),
        "request id 550e8400-e29b-41d4-a716-446655440000 failed after the login",
        "cache_key = " + made("", 40, "0123456789abcdef"),
        "GITHUB_SHA=9fceb02d0ae598e95dc970b74767f19372d61af8",
        "API_KEY=YOUR_API_KEY",
        "api_key: xxxxxxxxxxxxxxxxxxxxxxxx",
        "token = <token>",
        "export TOKEN=$TOKEN",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "client_secret = os.environ['CLIENT_SECRET_V2_2024']",
        "private_key = Ed25519PrivateKey.generate()",
        "key = base64.urlsafe_b64decode(key)",
        "re_compile_pattern_with_some_long_name_2024",
        "the test_that_tokens_are_masked_in_every_field_2 fails",
        "see https://docs.example.org/api/v2/authentication/tokens-and-keys-2024",
        "password reset link sent; password manager recommended",
        "background: url(data:image/png;base64," + made("iVBORw0KGgo", 60) + ")",
        '<label for="password">Password</label>',
        '["username", "password", "email", "remember_me"]',
        'PasswordField("Confirm Password", validators=[EqualTo("password")])',
        "令牌刷新的提交是 9fceb02d0ae598e95dc970b74767f19372d61af8",
    ],
)
def test_what_only_looks_like_a_token_is_left_alone(text):
    """Hashes, digests, ids, placeholders, names in programs, pictures."""
    assert mask(text, salt).text == text


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "&token=",
        "token=token=",
        'password" value="',
        "<password>a",
        '"key","',
        "login a password ",
        "a:5432:b:",
        "auth: ",
        "kind: Secret\n a: aGVsbG8gd29ybGQx\n",
        "identified by '",
        "login('a','b",
        "mysql -u a ",
        "$ANSIBLE_VAULT;1.1;AES256\n1234567890abcdef",
        "Private-Lines: 1\nA",
        "<D>A",
        '"kty" "d":"',
        "seed phrase: abc def ",
        "a1b2c3d4e5f6g7 ",
        "KEY=a1b2c3d4e5f6g7h8",
        "token is ",
        "$2",
        "K1",
        "12345678901234567-",
        "</key><string>",
        "password value:",
    ],
)
def test_a_hostile_line_is_no_trouble(piece):
    """A megabyte of the beginning of something is read to its end."""
    text = (piece * (1_000_000 // len(piece) + 1))[:1_000_000]
    assert len(mask(text, salt).text) > 0
