"""Is this value a secret? Placeholders, plain words and names in code are not."""

from __future__ import annotations

import re
from itertools import pairwise

_HOLES = re.compile(
    r"""\[secret:|^<|<[^>]*>$|^\$[A-Za-z_(]|\$\{|\{\{|\{[A-Za-z_]*\}|^%[A-Za-z_]+%$|^![a-z]+\b|%\(?[sd]|\.\.\.|…|\*{3,}|•{3,}|x{4}|X{4}"""
)
_HOLE_WORDS = (
    *(
        "changeit",
        "change-me",
        "change_me",
        "replace",
        "not-a-real",
        "not_a_real",
        "notreal",
        "insert your",
        "put-your",
    ),
    *("your-", "your_", "your ", "-your", "_your", "placeholder", "redacted", "changeme", "dummy", "sample-"),
    *(
        "sample_",
        "insert-",
        "insert_",
        "goes-here",
        "goes_here",
        "goeshere",
        "todo",
        "fake-",
        "fake_",
        "getenv",
    ),
    *(
        "os.environ",
        "process.env",
        "secret.",
        "secrets.",
        "vault:",
        "vault.",
        "config.",
        "config[",
        "settings.",
    ),
    *("self.", "this.", "args.", "params.", "options.", "env.", "env["),
    *(f"my{joint}{what}" for joint in "-_" for what in ("api", "secret", "token", "key", "pass")),
)
_HOLE_ENDS = (
    "example",
    *(f"test{joint}{what}" for joint in ("", "-", "_") for what in ("key", "token", "secret")),
)
_FILLERS = re.compile(
    r"(?i)x{5}|EXAMPLE|(?:akia|asia)fake|not[-_]a[-_]real|\*{3}|\.\.\.|…|your[-_]|[-_]here|placeholder|redacted|insert[-_]"
)
_WORDS = frozenset(
    """about absent accepted access again all already also always and any anything are ask asked at
    authenticated available bad bearer because been before being below between blank bool boolean
    boring both but bytes call can cannot case changed char check checked chosen clear click
    compromised confirm correct correctly could default defined deprecated different disabled does
    done easy either email empty enabled encoded encrypted enough enter entered equal error exactly
    expired expires exposed false field fine first five for forgotten four from generated given gone
    good guessable hard hashed have hello here hidden how identical important incorrect input
    insecure inside integer into invalid issued just kept known last leaked letters like locked
    login long longer lost made masked match matched meant mine minimum missing more must name
    needed never new nil none not nothing null number obvious old one only optional our out over
    part pass passed passwd password phrase please policy present private protected public random
    ready really recovery refresh rejected required reset revoked right rotated safe salted same
    saved secret secure sent set shared short should shown similar six so some something soon split
    stale still stolen stored str string strong stuff such taken text than that the their them then
    there they this three to todo token too trivial true two type unchanged undefined unique unknown
    unset unused updated used user username valid value verified very visible was weak weaker well
    what when where which with within without word wrong yes you your yours""".split()
)
_STANDARDS = re.compile(
    r"(?:hmac-?)?(?:sha-?\d{1,3}|md5|argon2(?:id?)?|bcrypt|scrypt|pbkdf2|oauth2?|base64|utf-?8|aes-?\d*|rsa-?\d*|ed25519|x509"
    r"|2fa|v\d+|http/?\d|level\d|step\d)\W*",
    re.IGNORECASE,
)
_NAME_IN_CODE = re.compile(r"[A-Za-z_][A-Za-z_]*\d{0,2}(?:[._][A-Za-z_]+\d{0,2})*\W*")
_CODE = re.compile(r"[A-Za-z_][\w.]*[\[(]")
_VOWELS = re.compile(r"[aeiouyAEIOUY]")
_WORD_EDGE = re.compile(r"[^A-Za-z0-9]+")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{5}|[BCDFGHJKLMNPQRSTVWXZ]{5}")
_TURNS = re.compile(r"(?=[a-z][A-Z]|[A-Z][a-z]|[0-9][A-Za-z]|[A-Za-z][0-9])")
_HARD = re.compile(
    r"(?!nstr|ngth|ghts)[bcdfghjklmnpqrstvwxz]{4}|q[^u]|[jv][bcdfghjklmnpqrstvwxz]|x[bdfghjklmnqrsvwz]",
    re.IGNORECASE,
)
_DIGITS_TWICE = re.compile(r"[0-9][A-Za-z]{1,7}[0-9]")
_ALPHABET = re.compile(
    "abcd|" + "|".join("abcdefghijklmnopqrstuvwxyz"[place : place + 5] for place in range(1, 22)),
    re.IGNORECASE,
)
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SPELLED = frozenset(
    """api aws cdn cfg cmd cpp crypt css ctx db dns dst fs gcp gpg grpc hmac html http https jdbc js json jwt kms ldap
    mgr mysql pg pgp php ptr pwd rpc rsa sdk smtp sql src ssh ssl std str sys tcp tls ts udp uri url utf vm vpc xml
    yml""".split()
)
_SECRET_WORD = re.compile(
    r"password|passwd|secret|token|credential|(?:^|[_\-. ])(?:key|hash|pass|pwd|auth)(?:$|[_\-. ])"
)
_PATTERN = re.compile(
    r"\[[^\]\n]{0,40}[a-z0-9]-[a-z0-9][^\]\n]{0,40}\]|\\[dwsbS]|\(\?[:P<i!=]|\.\*|\[\^[^\]]{1,20}\]|\{\d+,?\d*\}$"
)
_REFERENCE = re.compile(r"[a-z][a-z0-9+.-]{1,12}:/")
_EXPRESSION = re.compile(
    r"[$@]?[A-Za-z_][\w$]*(?:(?:\?\.|!?\.|->|::)[A-Za-z_$][\w$]*|\[[^\]]{0,40}\])+[!?;,)\]]*"
)
_CONSTANT = re.compile(r"0x[0-9a-fA-F]{1,10}[;,)]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_BENDS = ("ed", "ing", "able", "ible", "ly", "ful", "less")


def is_placeholder(value: str) -> bool:
    """True for what stands where a secret would: `<your-key>`, `****`, `$TOKEN`, `xxxx`, or a mask of ours."""
    if len(set(value.removeprefix("-"))) <= 2:
        return True
    begin = value[:200]
    folded = begin.lower()
    if any(word in folded for word in _HOLE_WORDS) or folded.removesuffix("\n").endswith(_HOLE_ENDS):
        return True
    return _HOLES.search(begin) is not None


def is_filler(token: str) -> bool:
    """True for a token that only shows what one looks like: `ghp_xxxx…`, `sk-your-key-here`."""
    return len(set(token[-12:])) <= 2 or _FILLERS.search(token) is not None


def is_random(body: str) -> bool:
    """True for letters that no word, name or path is made of."""
    parts = _WORD_EDGE.split(body)
    longest = max(parts, key=len)
    if len(longest) < 8 and not (len(parts) > 3 and sum(map(str.isalpha, parts)) <= len(parts) // 3):
        return False
    if sum(map(str.isdigit, body)) >= 2 and any(len(part) >= 6 and _has_both(part) for part in parts):
        return True
    if body.replace("-", "").replace(":", "").isdigit():
        return True
    letters = sum(map(str.isalpha, body))
    if len(_TURNS.findall(longest)) * 14 >= len(longest) * 5 and len(longest) >= 10:
        return True
    return bool(_CONSONANTS.search(body)) or len(_VOWELS.findall(body)) * 5 < letters


def is_of_words(value: str) -> bool:
    """True for a name in a program: its letters stand in pieces that can be said aloud; the alphabet is no word."""
    if _DIGITS_TWICE.search(value) or _ALPHABET.search(value):
        return False
    pieces = _PIECES.findall(value)
    letters = sum(map(len, pieces))
    spoken = sum(len(piece) for piece in pieces if len(piece) >= 2 and _is_spoken(piece))
    return spoken * 10 >= letters * 8 and letters * 2 >= len(pieces) * 7


def _is_spoken(piece: str) -> bool:
    if piece.lower() in _SPELLED:
        return True
    vowels = len(_VOWELS.findall(piece))
    return vowels * 6 >= len(piece) and _HARD.search(piece) is None


def _has_both(part: str) -> bool:
    return not part.isalpha() and not part.isdigit()


def is_plain_word(value: str) -> bool:
    """True for what people write behind “the password is”: `required`, `wrong`, `SHA-256`."""
    word = value.strip(".,;:!?()'\"").lower()
    if word in _WORDS or _STANDARDS.fullmatch(word):
        return True
    return word.isalpha() and word.isascii() and word.endswith(_BENDS)


def is_of_code(value: str) -> bool:
    """True for what stands where a value would in a program: a pattern, a constant's name, a path, an expression."""
    if _PATTERN.search(value) or _CONSTANT.fullmatch(value):
        return True
    if value.startswith("/") and value.count("/") > 1 and not value.endswith("="):
        return True
    if _REFERENCE.match(value) and "@" not in value:
        return True
    if not _EXPRESSION.fullmatch(value):
        return False
    return any(sign in value for sign in ("?.", "::", "->")) or _names_itself(value)


def _names_itself(value: str) -> bool:
    """True for words that only say what would stand there: `delete_branch_password`, `fakehashedsecret`."""
    folded = value.lower()
    return _SECRET_WORD.search(folded) is not None and re.sub(r"[\s_.\-?!\[\]\"'()+]", "", folded).isalpha()


def is_strong(value: str, least: int = 8) -> bool:
    """Letters and digits together, or signs among them, and enough of them: no word of a sentence."""
    if len(value) < least or is_placeholder(value) or is_plain_word(value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def is_key(value: str, *, quoted: bool) -> bool:
    """Strong, and not the name of something in a program."""
    if " " in value or is_of_code(value):
        return False
    if not is_strong(value):
        return quoted and is_scrambled(value)
    if quoted:
        return not is_of_words(value) or _digits(value) > 2
    is_name = _NAME_IN_CODE.fullmatch(value) is not None and len(value) < 32 and _digits(value) < 3
    return not is_name and _CODE.match(value) is None and not is_of_words(value)


def is_password(value: str, *, quoted: bool, ends: bool) -> bool:
    """Anything of four characters that is neither a placeholder, nor a word of prose, nor a name in code.

    `ends` says that nothing follows on the line: then even a plain word may be meant as the password.
    """
    if len(value) < 4 or is_placeholder(value) or is_plain_word(value) or is_of_code(value):
        return False
    if _names_itself(value):
        return False
    if quoted:
        return " " not in value
    if value.startswith(("/", "./", "~/", "../")) or _CODE.match(value):
        return False
    if (
        _digits(value)
        or not value.replace("_", "").replace(".", "").replace("-", "").replace("'", "").isalpha()
    ):
        return True
    return ends and value.isalpha() and value.isascii()


def is_scrambled(value: str) -> bool:
    """True for letters alone that turn from small to capital as in no name: `hfCnuVcYOgiRjlDEmAoRbN`."""
    if len(value) < 16 or not value.isalpha() or not value.isascii() or is_placeholder(value):
        return False
    turns = sum(one.isupper() != two.isupper() for one, two in pairwise(value))
    return turns * 4 >= len(value) and not is_of_words(value)


def _digits(value: str) -> int:
    return sum(char.isdigit() for char in value)
