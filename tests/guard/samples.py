"""Secrets made at test time, so that nothing that looks alive stands in a file, and sentences without any."""

import random
import string

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def salt():
    return b"a salt for tests, thirty-two byt"


def made(prefix, length, letters=ALNUM, *, seed=7):
    """A token: its prefix and random letters, some of them digits."""
    chance = random.Random(f"{prefix}{length}{seed}")
    body = "".join(chance.choice(letters) for _ in range(length - 3))
    return prefix + body + "".join(chance.choice("0123456789") for _ in range(3))


def a_private_key(*, newline="\n", whole=True):
    """A PEM block of random letters; without its end when it is not whole."""
    lines = [made("", 64, seed=number) for number in range(6)]
    begin, end = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return newline.join([begin, *lines, *([end] if whole else [])])


TOKENS = {
    "openai-key": made("sk-proj-", 48),
    "anthropic-key": made("sk-ant-api03-", 80),
    "api-key": made("sk-", 32, HEX),
    "github-token": made("ghp_", 36),
    "github-token fine-grained": made("github_pat_", 70),
    "gitlab-token": made("glpat-", 20),
    "aws-key-id": made("AKIA", 16, string.ascii_uppercase + string.digits),
    "google-key": made("AIza", 35),
    "google-token": made("ya29.", 60),
    "slack-token": made("xoxb-", 40),
    "stripe-key": made("sk_live_", 24),
    "telegram-token": "7123456789:AA" + made("", 33),
    "discord-token": made("M", 23) + "." + made("", 6) + "." + made("", 38),
    "npm-token": made("npm_", 36),
    "pypi-token": made("pypi-AgEIcHlwaS5vcmc", 80),
    "huggingface-token": made("hf_", 34),
    "sendgrid-key": made("SG.", 22) + "." + made("", 43),
    "twilio-key": made("SK", 32, HEX),
    "digitalocean-token": made("dop_v1_", 64, HEX),
    "aliyun-key": made("LTAI5t", 18),
    "tencent-key": made("AKID", 32),
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJ" + made("", 30) + "." + made("", 43),
    "notion-token": made("ntn_", 46),
    "linear-key": made("lin_api_", 40),
    "databricks-token": made("dapi", 32, HEX),
    "shopify-token": made("shpat_", 32, HEX),
    "sentry-token": made("sntrys_", 60),
    "azure-secret": "abc8Q~" + made("", 34),
    "webhook": "https://open.feishu.cn/open-apis/bot/v2/hook/" + made("", 36),
    "groq-key": made("gsk_", 52),
    "hashicorp-token": made("hvs.", 90),
    "docker-token": made("dckr_pat_", 27),
    "age-key": made("AGE-SECRET-KEY-1", 58, string.ascii_uppercase + string.digits),
}
"""One token per type; what stands behind a blank in a name tells two of one type apart."""

NAMED = {
    "my password is {}": "hunter2",
    "Our wifi password is {}.": "swordfish",
    "the passcode for the garage is {}": "48213",
    "I changed my password to {} today": "Blue$Fish9",
    "log in as bob with password {} please": "s3cret-word",
    "password = '{}'": "correcthorse",
    'export API_KEY="{}"': "abcd1234efgh5678",
    "DB_PASSWORD={}": "pa55word!x",
    '{{"password": "{}"}}': "zebra-crossing-9",
    "aws_secret_access_key = {}": "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "12345678",
    "Authorization: Bearer {}": "abc.def.ghi123456789",
    "curl -u bob:{} https://example.com": "hunter22",
    "mysql --password {} -h db": "letmein99",
    "postgres://bob:{}@db.example.com:5432/app": "p%40ss/word"[:6] + "x9",
    "redis://:{}@localhost:6379/0": "r3dispass",
    "密码是 {}": "mima8888",
    "我的wifi密码是{}，别忘了": "Tr0ub4dor",
    "口令：{}": "open-sesame-5",
    "数据库密码改成了 {}": "newpass99",
    "口令是“{}”": "芝麻开门",
    "我的 token是 {}": "abcdef1234567890",
    "PIN: {}": "4821",
    "access_token={}&next=1": "a1b2c3d4e5f6g7h8",
}
"""Sentences with a gap, and the secret that belongs there."""

HARMLESS = (
    "- the release token is rotated weekly `01M7GRTZETE4C8SJ2KMSQ4RWDB`",
    "- works at GitHub `01M7GRTZETE4C8SJ2KMSQ4RWDB`",
    "the api key stands in mem_01M7GRTZETE4C8SJ2KMSQ4RWDB",
    "key: mem_01M7GRTZETE4C8SJ2KMSQ4RWDB",
    "saved:run_3f9c07d1a2b84e65",
    "password is required",
    "the password is too short",
    "my password is wrong",
    "The password must have 8 characters",
    "passwords: 12 or more characters",
    "I reset my password to regain access",
    "the token budget is 1800",
    "max_tokens=4096",
    "tokens: 128k context",
    "the session token is invalid",
    "token: str = None",
    "def login(user, password: str):",
    "password = getpass.getpass()",
    "password=password",
    "password = request.form['password']",
    "if password == confirm_password:",
    "password_file=/run/secrets/db",
    "API_KEY=$API_KEY",
    "api_key = os.environ['KEY']",
    "password: <your-password>",
    "password=********",
    "OPENAI_API_KEY=sk-your-key-here",
    "Forgot password: click here",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixed it",
    "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "the secret is out",
    "The secret ingredient is 3 cups of sugar",
    "The key is to practise; the key is under the mat",
    "tokenizer: bert-base-uncased-v2",
    "sk-learn is great, and so is task-force-alpha-2020",
    "He will pass: 90 %; passing grade: 85",
    "the pin is 2 cm long, in my opinion: 4 stars",
    "see https://example.com/a/b?c=d#e and http://localhost:8080/a@b",
    "git clone git@github.com:foo/bar.git over ssh://git@github.com:22/foo",
    "Bearer of bad news arrives",
    "secret_name: my-db-credentials",
    "密码是必填项",
    "密码不能为空，密码长度为8位",
    "密码：不少于 8 个字符",
    "我忘了密码，怎么办",
    "密钥管理服务是什么",
    "令牌桶算法，口令红包",
    "我的密码学老师是王老师",
    "令牌是什么意思",
)
