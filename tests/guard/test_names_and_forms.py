"""Secrets as people write them down, in other languages and other forms, and lines that only look like them."""

import string

import pytest

from support.processes import run_here

from .samples import HEX, made
from .test_mentions import holds

KEY = made("", 28)
WORD = "Xk29" + "vLq8"
SMALLS = string.ascii_lowercase + string.digits
SMALL = made("q7", 24, SMALLS)
DIGITS = made("", 40, HEX)

WRITTEN = {
    **{
        f"{name}: {WORD}": WORD
        for name in (
            *(
                "пароль",
                "mot de passe ",
                "contraseña",
                "パスワード",
                "비밀번호",
                "senha",
                "Passwort",
                "parola",
            ),
            *("hasło", "wachtwoord", "密码", "口令", "şifre", "salasana", "heslo"),
        )
    },
    f"mot de passe du wifi : {WORD}": WORD,
    f"La contraseña es {WORD}": WORD,
    f"パスワードは{WORD}": WORD,
    f"口令 {WORD}": WORD,
    "验证码是 482913": "482913",
    "验证码 482913": "482913",
    f"密钥：{KEY}": KEY,
    f"令牌是 {KEY}": KEY,
    f"api key - {KEY}": KEY,
    f"api key – {KEY}": KEY,
    f"api key — {KEY}": KEY,
    f"api key\n{KEY}": KEY,
    f"the token you need:\n```\n{KEY}\n```": KEY,
    f'SERVICE_TOKEN ::= "{KEY}"': KEY,
    f'SERVICE_TOKEN :::= "{KEY}"': KEY,
    f'$serviceToken .= "{KEY}"': KEY,
    f'var serviceToken string = "a=b{KEY}"': KEY,
    "curl -u elastic:P@ssw0rd$1 https://localhost:9200": "P@ssw0rd$1",
    f'curl -u ":{WORD}!t" https://localhost:9200': WORD,
    f"curl --user kevin:'{KEY}' -iX PATCH": KEY,
    f'curl -u "{KEY}:" https://localhost': KEY,
    f"user / pass: admin / {WORD}": WORD,
    f"creds: admin:{WORD}": WORD,
    f"login admin {WORD}": WORD,
    f"pw {WORD}": WORD,
    f"apikey,{KEY}": KEY,
    "passphrase: correct horse battery staple": "correct horse battery staple",
    "recovery code 7F3K-9QLM": "7F3K-9QLM",
    "recovery codes: 1a2b-3c4d 5e6f-7a8b": "5e6f-7a8b",
    "otp 482913": "482913",
    "Your verification code is 482913": "482913",
    f"acme token - '{KEY}'": KEY,
    # a name that nobody listed, and a value that stands apart
    f"quintaline '{KEY}'": KEY,
    f"quintaline {KEY}": KEY,
    f"quintaline: {SMALL}": SMALL,
    f'  quintaline: "{SMALL}"': SMALL,
    f"quintaline={SMALL}": SMALL,
    f"quintaline - '{SMALL}'": SMALL,
    f"quintaline '{DIGITS}'": DIGITS,
    f"quintaline: {SMALL[:14]} / someone@mail.org": SMALL[:14],
    f"quintaline = '{KEY}', '{DIGITS}'": DIGITS,
    f"quintaline '{KEY}' '{SMALL}'": SMALL,
    f"quintaline {DIGITS} quintaline {SMALL}": DIGITS,
    f"we call quintaline '{SMALL}' from now on": SMALL,
    f"quintalinekey id - '{KEY}'": KEY,
    f"<secret>{{quintaline {WORD}t7}}</secret>": WORD,
    f"api_keys:\n  - '{SMALL}'\n  - '{KEY}'": KEY,
    f"wpa-psk {made('', 64, HEX)}": made("", 64, HEX),
    # what scanners' descriptions of formats allow
    made("", 32, SMALLS) + "-us11": made("", 32, SMALLS),
    made("SK", 32, SMALLS): made("SK", 32, SMALLS),
    made("AC", 32, SMALLS): made("AC", 32, SMALLS),
    "XOXB-" + "123456789012-" + made("", 24, SMALLS).upper(): made("", 24, SMALLS).upper(),
    "xoxp-" + "523423-" + "234243-" + "qwex1": "523423-" + "234243-" + "qwex1",
    "sq0csp-" + made("", 20) + "\\" + made("", 22): made("", 22),
    "glpat-" + "plainWords_in" + "_them2ok": "plainWords_in" + "_them2ok",
    "ibm_iam_pwd " + made("", 44): made("", 44),
    "ibm_iam_key :: " + made("", 44): made("", 44),
    'cloudant_key = "' + "abcdefghij" * 2 + 'wxyz"': "abcdefghij" * 2 + "wxyz",
    "//npm.shop.example/:_authToken= npm_" + WORD: WORD,
    'if (password !== "' + WORD + '") {': WORD,
    f"mailgun '{KEY}'": KEY,
    f"sendbird: {made('', 40)}": made("", 40),
    "BUNDLE_ENTERPRISE__CONTRIBSYS__COM: " + "cafebabe:" + "deadbeef": "cafebabe:" + "deadbeef",
    "cfk_" + made("", 40): "cfk_" + made("", 40),
    "shpss_" + made("", 32): "shpss_" + made("", 32),
    "ghs_12345_eyJhbGciOiJSUzI1NiJ9." + made("eyJ", 60) + "." + made("", 43): made("eyJ", 60),
    "glagent-" + made("", 50): "glagent-" + made("", 50),
    f"eth private key {made('', 64, '0123456789abcdef')}": made("", 64, "0123456789abcdef"),
    "apiVersion: v1\nkind: secret\ndata:\n  extra: " + "YWRtaW46cGFz" + "c3dvcmQ=": "YWRtaW46cGFzc3dvcmQ=",
    'letters_key: "' + "hfCnuVcYOgi" + 'RjlDEmAoRbN"': "hfCnuVcYOgi" + "RjlDEmAoRbN",
}
"""A text, and what must not be left of it."""

ORDINARY = (
    "- We moved to Denver. `01M7G7N9STJ390HVXA1D495HCD`",
    "see mem_01M7G7N9STJ390HVXA1D495HCD for it",
    "gpg --keyserver hkp://keys.gnupg.net --recv-keys DD792F5973C6DE52C432CBDAC77ABFA00DDBF2B7",
    "gpg:                using RSA key 647F28654894E3BD457199BE38DBBDC86092693E",
    "const password = result.groups?.password;",
    'DeleteBranchPassword: "delete_branch_password",',
    'ApplicationPasswordAdmin: "application_password_admin",',
    'DeleteProductionBranchPassword: "delete_production_branch_password",',
    'command = append(command, "--token="+inputs["token"].Value)',
    'TokenPermissions: "/api/2.0/permissions/authorization/tokens/permissionLevels",',
    'Your response must be in JSON format, for example: ["keyword1", "keyword2"]."""',
    'the string "Base64HighEntropyString" is flagged as a secret when',
    '"hashed_secret": "bc9160bc0ff062e1b2d21d2e59f6ebaba104f051",',
    "gcloud secrets versions access --project trufflehog-testing --secret detectors5 latest",
    'const SECRET = "[-_.~a-z0-9]{40}";',
    'r"cloudinary://[0-9]+:([A-Za-z0-9-_.]+)@[a-z]+"',
    '"client_key_passphrase_env_var": "MTLS_KEY_PASSPHRASE",',
    'const uri = "mongodb://username:REPLACE_WITH_PASSWORD@localhost:27017/db"',
    "postgres://postgres:postgres@localhost:5432/db",
    "mysql://mysql:mysql@127.0.0.1/db",
    "mongodb://mongodb:mongodb@localhost/",
    '"2": "password=changeit"',
    'export REPLICATE_API_TOKEN="r8-not-a-real-token"',
    "// Example) AKIAIOSFODNN7EXAMPLE",
    "'AKIAFAKEAKIAFAKEAKIA'",
    "private http: HttpHealthIndicator,",
    "constructor(private unhandledExceptionsBus: UnhandledExceptionBus) {",
    "declare const StripeConstructor: StripeCallableConstructor;",
    "// ServerContextKey is a context key. It can be used in HTTP",
    "export import AccountTokenCreateParams = V2Namespace2.Core.AccountTokenCreateParams;",
    "| JSON key | `exposeDockerAPIOnTCP2375` |",
    '"identitytoken": "9cbaf023786cd7..."',
    "example: Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6...",
    "ansible_password: !vault |",
    "POSTGRES_PASSWORD=se://myapp/postgres/password",
    "smtp_sasl_password_maps = hash:/etc/postfix/sasl_passwd",
    "docker buildx build --secret id=aws,src=$HOME/.aws/credentials .",
    "writing new private key to '/home/debian/pki-falcot/pki/easy-rsa-5515.0PwyXl/tmp.g1c6u6'",
    "$ python3 -m pip install --user https://github.com/ansible/ansible/archive/devel.tar.gz",
    "FS_IOC_REMOVE_ENCRYPTION_KEY_ALL_USERS      = 0xc0406619",
    'req.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")',
    "docker service ps va8ew30grofhjoychbr6iot8c",
    'ServiceID: "9mnpnzenvg8p8tdbtq4wvbkcz"',
    "github 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "password - required for login",
    "PASS: TestLogin",
    "--- PASS: TestConfig/with_2_users (0.00s)",
    "psql ${PGPASSWORD:?PGPASSWORD_1 has to be set}",
    "password: [paste your 1st password here]",
    "ansible-playbook --ask-vault-pass site.yml",
    "ansible-playbook --ask-become-pass site.yml -vvv",
    'SecretID: "fpjqlhnwb19zds35k8wn80lq9"',
    "site_key kewkjuyxt8z2u1k9c4q7l0d3p   2 days ago",
    "Repository Key: ecc457614c9fc399da523a5f4e24fe306a0a6ee1cc79a10e4555b3c6ab02f71e",
    "commit 83db48f6a9b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5",
    '"latest": "565a9d68a73f6706862bfe8409a7f659776d4d60a8d096eb4a3cbce6999cc2a1"',
    "Digest: sha256:565a9d68a73f6706862bfe8409a7f659776d4d60a8d096eb4a3cbce6999cc2a1",
    "onetrust: 65425fb0-7b36-4317-9f10-7b3e08039af0",
    "session: x7d8k2m4n6p8q1r3s5t7u9v1",
    "answer: msg_01XFDUDYJgAACzvnptvVoYEL",
    "pod nginx-7d9c8b6f5-x2x4z",
    "Let me modify the `createTableBootstrap3` function",
    '"CompareAndSwapUintptrMethod": hammerCompareAndSwapUintptr32Method,',
    'query:     "%D0%A4%D0%BE%D1%82%D0%BA%D0%B8",',
    "The `GraphQLISODateTime` is used by default",
    "- Option `fixed-cidr-v6` is optional",
    "docker buildx history export qu2gsuo8ejqrwdfii23xkkckt",
    'const months = "JanFebMarAprMayJunJulAugSepOctNovDec"',
    "the passphrase is stored in the vault",
    "log in as root on server1",
    "error code 404 and status code 50012",
    "Das Passwort ist falsch",
    "le mot de passe est obligatoire",
    "la contraseña es incorrecta",
    "* 따라서 **인증서와 암호화** 처리는 **HTTP 이전**에 수행됩니다.",
    "The verification code is invalid",
    "我的验证码收不到",
)
"""Fingerprints of public keys, ids, digests, results of tests, placeholders, names, paths, patterns, references, and talk about passwords."""


def test_what_people_write_down_is_masked(root, tmp_path):
    """All of it in one file of conversation, by the command; nothing of it is on disk afterwards."""
    for text in WRITTEN:
        status, out, err = run_here("--root", root, "policy", "test", text, "--json")
        assert "mask" in out or "refus" in out, (text, status, out, err)


@pytest.mark.parametrize("text", WRITTEN)
def test_no_byte_of_it_reaches_the_disk(memory, root, text):
    """Remembered, it leaves nothing under the root."""
    memory.remember(f"{text}\n")
    assert holds(root, WRITTEN[text]) == []


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_line_stays_as_it_is(memory, text):
    """What is kept is what was said."""
    kept = memory.remember(text)
    assert (memory.show(kept.id).statement.text, kept.warnings) == (text, ())
