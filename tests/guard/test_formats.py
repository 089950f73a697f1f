"""Secrets where programs keep them: files of many programs, each with secrets made at test time.

Written from how these programs write their files. A gap is «password:seed», or a form of `support.families` in the
same brackets; whatever fills it must be gone.
"""

import base64
import random
import re

import pytest

from memoracle.guard.secrets import mask
from support.families import survives, token

from .samples import salt

GAP = re.compile(r"«([^»]+)»")
WORDS = "otter maple violin harbor copper lantern meadow pepper quartz saddle timber walnut".split()

FORMATS = {
    ".env of Laravel": "APP_KEY=base64:«<b:43>»=\nDB_PASSWORD=«password»\nMAIL_PASSWORD=«password:2»\nPUSHER_APP_SECRET=«<h:20>»\n",
    ".env with quotes": "export DATABASE_PASSWORD=\"«password»\"\nJWT_SECRET='«<A:48>»'\n",
    ".npmrc": "registry=https://npm.example.org/\n//npm.example.org/:_authToken=«<A:40>»\n_auth=«login»\n",
    ".yarnrc.yml": "npmRegistries:\n  //npm.example.org:\n    npmAuthToken: «<A:36>»\n",
    ".pypirc": "[pypi]\nusername = mei\npassword = «password»\n",
    ".netrc": "machine api.example.org\n  login mei\n  password «password»\n",
    ".netrc in one line": "machine api.example.org login mei password «password»\n",
    ".pgpass": "db.example.org:5432:shop:mei:«password»\n*:*:*:root:«password:2»\n",
    ".my.cnf": "[client]\nuser=root\npassword=«password»\n",
    ".git-credentials": "https://mei:«<A:24>»@git.example.org\n",
    ".htpasswd": "mei:$apr1$«<A:8>$<A:22>»\nbob:{SHA}«<b:27>»=\n",
    "shadow": "root:«$6$<A:12>$<A:86>»:19000:0:99999:7:::\n",
    "proftpd.passwd": "mei:«$1$<A:8>$<A:22>»:1001:1001::/home/mei:/bin/false\n",
    ".dockercfg": '{"https://index.example.org/v1/": {"auth": "«login»", "email": "mei@example.org"}}',
    "docker config.json": '{"auths": {"registry.example.org": {"auth": "«login»"}}, "HttpHeaders": {}}',
    "kubeconfig": "users:\n- name: mei\n  user:\n    client-key-data: «<b:120>»\n    token: «<A:60>»\n",
    "kubernetes secret": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  username: cm9vdA==\n  db-main: «secret64»\n",
    "wp-config.php": "define('DB_NAME', 'blog');\ndefine('DB_PASSWORD', '«password»');\ndefine('AUTH_KEY', '«<A:30>»#k(«<A:30>»');\n",
    "db.php": '<?php\n$host = "localhost";\n$db_pass = "«password»";\n$link = mysqli_connect("localhost", "shop", "«password:2»", "shop");\n',
    "php array": "return ['host' => 'db', 'username' => 'root', 'password' => '«password»'];\n",
    "codeigniter database.php": "$db['default']['password'] = '«password»';\n",
    "filezilla sitemanager.xml": '<Server><Host>ftp.example.org</Host><User>mei</User><Pass encoding="base64">«secret64»</Pass></Server>',
    "filezilla recentservers.xml": "<Server><User>mei</User><Pass>«password»</Pass></Server>",
    ".bash_profile": 'export PATH=$PATH:~/bin\nexport AWS_SECRET_ACCESS_KEY="«<b:40>»"\nexport GITHUB_TOKEN=«ghp_<G>»\n',
    ".zsh_history": ": 1700000000:0;mysql -u root -p«password» shop\n: 1700000001:0;sshpass -p '«password:2»' ssh mei@host\n",
    "robomongo.json": '{"credentials": [{"databaseName": "shop", "userName": "mei", "userPassword": "«password»", "enabled": true}]}',
    "salesforce.js": "conn.login('mei@example.org', '«password»«<A:24>»', function (err, res) {});\n",
    "sftp.json": '{"host": "example.org", "username": "mei", "password": "«password»", "port": 22}',
    ".ftpconfig": '{"protocol": "sftp", "user": "mei", "pass": "«password»", "passphrase": "«password:2»"}',
    "dbeaver data-sources.xml": '<connection host="db" port="5432" user="mei" password="«<h:32>»" url="jdbc:postgresql://db/shop"/>',
    "webservers.xml of an IDE": '<fileTransfer host="example.org" port="22" password="«<h:28>»" username="mei" />',
    "mongoid.yml": "production:\n  sessions:\n    default:\n      username: mei\n      password: «password»\n",
    "rails secrets.yml": "production:\n  secret_key_base: «<h:128>»\n",
    "rails database.yml": "production:\n  adapter: postgresql\n  password: «password»\n",
    "hub config": "github.com:\n- user: mei\n  oauth_token: «<h:40>»\n  protocol: https\n",
    "gh hosts.yml": "github.com:\n    oauth_token: «gho_<G>»\n    user: mei\n",
    "heroku.json": '{"name": "shop", "env": {"HEROKU_API_KEY": "«<h:8>-<h:4>-4<h:3>-a<h:3>-<h:12>»"}}',
    "web.config": '<add name="db" connectionString="Server=db;Database=shop;User Id=sa;Password=«password»;" providerName="x" />',
    "app.config": '<appSettings><add key="SmtpPassword" value="«password»" /><add key="ApiSecret" value="«<A:32>»"/></appSettings>',
    "nuget.config": '<packageSourceCredentials><x><add key="ClearTextPassword" value="«password»" /></x></packageSourceCredentials>',
    "appsettings.json": '{"ConnectionStrings": {"Storage": "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=«<b:86>»==;EndpointSuffix=core.windows.net"}}',
    "service bus": "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«<b:43>»=",
    "terraform.tfvars": 'region = "eu-west-1"\ndb_password = "«password»"\nsecret_key = "«<b:40>»"\n',
    "terraform resource": 'resource "azurerm_vm" "x" {\n  admin_password = "«password»"\n}\n',
    "settings.py": "DEBUG = False\nSECRET_KEY = '«<A:25>»-$%=«<A:20>»'\nDATABASES = {'default': {'USER': 'mei', 'PASSWORD': '«password»'}}\n",
    "application.properties": "spring.datasource.username=mei\nspring.datasource.password=«password»\njwt.secret=«<A:48>»\n",
    "application.yml": "spring:\n  datasource:\n    password: «password»\nserver:\n  ssl:\n    key-store-password: «password:2»\n",
    "jdbc": 'String url = "jdbc:mysql://db:3306/shop?user=mei&password=«password»&useSSL=false";',
    "oracle jdbc": "jdbc:oracle:thin:scott/«password»@db.example.org:1521:shop",
    "jenkins credentials.xml": "<secret>{AQAAABAAAAAg«<b:43>»=}</secret>\n<username>mei</username>\n<password>{AQAAABAAAAAw«<b:43>»=}</password>",
    "maven settings.xml": "<server><id>nexus</id><username>mei</username><password>«password»</password></server>",
    "gradle.properties": "signing.keyId=24875D73\nsigning.password=«password»\nossrhPassword=«password:2»\n",
    "gradle signing": 'storePassword "«password»"\nkeyPassword "«password:2»"\n',
    "ansible vault": "$ANSIBLE_VAULT;1.1;AES256\n«<h:80>»\n«<h:80>»\n«<h:60>»\n",
    "ansible inventory": "web1 ansible_host=10.0.0.5 ansible_user=mei ansible_password=«password»\n",
    ".s3cfg": "[default]\naccess_key = «AKIA<2:16>»\nsecret_key = «<b:40>»\n",
    "aws credentials": "[default]\naws_access_key_id = «AKIA<2:16>»\naws_secret_access_key = «<b:40>»\naws_session_token = «FwoGZXIvYXdz<b:200>»\n",
    "aws pair in csv": "User name,Access key ID,Secret access key\nmei,«AKIA<2:16>»,«<b:40>»\n",
    "gcp service account": '{"type": "service_account", "private_key_id": "x", "private_key": "-----BEGIN PRIVATE KEY-----\\n«<b:64>»\\n«<b:64>»\\n-----END PRIVATE KEY-----\\n"}',
    "azure service principal": '{"appId": "x", "password": "«<A:3>8Q~<w:34>»", "tenant": "y"}',
    "openssh key": "-----BEGIN OPENSSH PRIVATE KEY-----\n«<b:70>»\n«<b:70>»\n-----END OPENSSH PRIVATE KEY-----\n",
    "pgp key": "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n«<b:64>»\n«<b:64>»\n=«<b:4>»\n-----END PGP PRIVATE KEY BLOCK-----\n",
    "putty key": "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n«<b:64>»\n«<b:64>»\nPrivate-MAC: x\n",
    "age key": "# created: 2026-01-01\n# public key: age1x\n«AGE-SECRET-KEY-1<Z:58>»\n",
    "wireguard": "[Interface]\nPrivateKey = «<b:43>»=\nAddress = 10.0.0.2/32\n[Peer]\nPresharedKey = «<b:43>»=\n",
    "jwk": '{"kty": "EC", "crv": "P-256", "x": "abc", "d": "«<w:43>»"}',
    "xml rsa key": "<RSAKeyValue><Modulus>xx</Modulus><P>«<b:86>»=</P><D>«<b:100>»</D></RSAKeyValue>",
    "esmtprc": 'hostname = smtp.example.org:587\nusername = "mei"\npassword = "«password»"\n',
    "msmtprc": "account default\nuser mei\npassword «password»\n",
    "wpa_supplicant": 'network={\n  ssid="home"\n  psk="«password»"\n}\n',
    "ventrilo.ini": "[Server]\nName=x\nAdminPassword=«password»\nPort=3784\n",
    "firefox logins.json": '{"logins": [{"hostname": "https://example.org", "encryptedUsername": "x", "encryptedPassword": "«<b:60>»=="}]}',
    "sql dump": "INSERT INTO users VALUES (1, 'mei', '«$2y$10$<A:53>»', 'mei@example.org');\n",
    "sql grant": "CREATE USER 'mei'@'%' IDENTIFIED BY '«password»';\nALTER USER mei WITH PASSWORD '«password:2»';\n",
    "redis.conf": "bind 127.0.0.1\nrequirepass «password»\nmasterauth «password:2»\n",
    "docker-compose.yml": "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: «password»\n      - MYSQL_ROOT_PASSWORD=«password:2»\n",
    "Dockerfile": "FROM alpine\nENV API_TOKEN=«<A:40>»\nARG NPM_TOKEN=«npm_<P>»\n",
    "github actions": "env:\n  SLACK_BOT_TOKEN: «xoxb-<n:12>-<n:12>-<A:24>»\n",
    "travis.yml": "deploy:\n  api_key:\n    secure: «<b:120>»=\n",
    "circleci": "environment:\n  CODECOV_TOKEN: «<h:8>-<h:4>-4<h:3>-a<h:3>-<h:12>»\n",
    "helm values": "auth:\n  rootPassword: «password»\n  replicationPassword: «password:2»\n",
    "java": 'props.setProperty("mail.password", "«password»");\nprivate static final String API_KEY = "«<A:32>»";\n',
    "go": 'cfg := Config{Password: "«password»", Token: "«<A:40>»"}\n',
    "csharp": 'var client = new Client(); client.Credentials = new NetworkCredential("mei", "«password»");\n',
    "ruby": "client = Twilio::REST::Client.new\nauth_token = '«<h:32>»'\nActiveRecord::Base.establish_connection(password: '«password»')\n",
    "node": "const knex = require('knex')({connection: {user: 'mei', password: '«password»'}});\n",
    "swift": 'let apiKey = "«<A:32>»"\nlet password: String = "«password»"\n',
    "kotlin": 'val clientSecret = "«<A:40>»"\n',
    "rust": 'const API_TOKEN: &str = "«<A:40>»";\n',
    "android strings.xml": '<string name="google_maps_key">«AIza<w:35>»</string>\n<string name="api_secret">«<A:32>»</string>',
    "plist": "<key>ApiKey</key>\n<string>«<A:32>»</string>\n",
    "curl": "curl -u mei:«password» -H 'X-Api-Key: «<A:32>»' https://api.example.org\n",
    "http log": '10.0.0.1 - - "GET /v1/items?access_token=«<A:40>»&page=2 HTTP/1.1" 200\n',
    "http headers": "GET / HTTP/1.1\nAuthorization: Basic «login»\nCookie: sessionid=«<a:32>»; theme=dark\n",
    "postman": '{"key": "apikey", "value": "«<A:32>»", "type": "string"}',
    "slack export": "mei: the staging db password is «password», and the api key: «<A:32>»\n",
    "ticket in Chinese": "数据库密码：«password»\n接口密钥：«<A:32>»\n",
    "ldap.conf": "binddn cn=admin,dc=example,dc=org\nbindpw «password»\n",
    "openvpn auth": "<auth-user-pass>\nmei\n«password»\n</auth-user-pass>\n",
    "snmp": "rocommunity public\ncreateUser mei SHA «password» AES «password:2»\n",
    "cisco": "username mei privilege 15 secret 5 «$1$<A:4>$<A:22>»\nenable secret 5 «$1$<A:4>$<A:22>»\n",
    "tomcat-users.xml": '<user username="mei" password="«password»" roles="manager-gui"/>',
    "rclone.conf": "[drive]\ntype = drive\nclient_secret = «GOCSPX-<w:28>»\npass = «<w:32>»\n",
    "seed phrase": "My wallet's recovery phrase is «words».\n",
}
LOST = {"openvpn auth", "snmp"}
"""Formats whose secrets nothing on their own line names; they are known losses."""


def filled(form, chance):
    """A file with its gaps filled, and what filled them."""
    secrets = []

    def fill(found):
        secret = made(found[1], chance)
        secrets.append(secret)
        return secret

    return GAP.sub(fill, form), secrets


def made(form, chance):
    """A password people would choose, a login in base64, twelve words, or a token of a form."""
    kind = form.partition(":")[0]
    if kind == "password":
        return f"{chance.choice(WORDS).title()}{chance.choice('!-_.')}{chance.randrange(1000, 9999)}{chance.choice(WORDS)}"
    if kind in {"login", "secret64"}:
        who = "mei:" if kind == "login" else ""
        return base64.b64encode(f"{who}{chance.choice(WORDS)}{chance.randrange(10**6)}".encode()).decode()
    if kind == "words":
        return " ".join(chance.choice(WORDS) for _ in range(12))
    return token(form, chance)[0]


@pytest.mark.seed("S1.226", "F-20")
@pytest.mark.parametrize("name", sorted(set(FORMATS) - LOST))
def test_a_file_gives_none_of_its_secrets_away(name):
    """Whatever program wrote it; ten files of each sort."""
    chance = random.Random(name)
    for _ in range(10):
        text, secrets = filled(FORMATS[name], chance)
        masked = mask(text, salt).text
        assert [secret for secret in secrets if survives(secret, masked)] == [], masked


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_file_with_placeholders_is_left_alone(name):
    """The same file as a template: its gaps hold what a reader is to replace."""
    text = GAP.sub("<your-value>", FORMATS[name])
    # What is half a secret around a gap is not a template of one.
    if "KEY BLOCK" in text or "KEY-----" in text or "KEY-1" in text:
        pytest.skip("the frame of a key is masked with whatever it holds")
    assert mask(text, salt).text == text
