"""Tokens that are known by their shape: parts of fixed length, a mark in the middle, the address they belong to."""

from __future__ import annotations

import re

from memoracle.policy.rule import Rule, Span
from memoracle.policy.values import is_filler, is_random

_A = "A-Za-z0-9"
_W = r"A-Za-z0-9_\-"
# A token begins where no letter or digit stands before it, or behind an escaped line end in quoted code.
EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"


def _is_mixed(text: str, match: re.Match[str]) -> Span | None:
    """The match, when it is no placeholder, no digest of a file, and not words joined by hyphens."""
    token = match[0]
    if text[max(0, match.start() - 4) : match.start()] in {"256=", "384-", "512-", "512="}:
        return None
    parts = re.split(r"[-_.=/]", token)
    has_digits = sum(char.isdigit() for char in token) >= 2 or is_random(token[3:])
    is_long = max(map(len, parts)) >= 12 or len(token) >= 60
    return match.span() if has_digits and is_long and not is_filler(token) else None


def _is_random(_: str, match: re.Match[str]) -> Span | None:
    """The first group, when it is neither a placeholder nor words."""
    return match.span(1) if not is_filler(match[1]) and is_random(match[1]) else None


def _is_no_filler(_: str, match: re.Match[str]) -> Span | None:
    return None if is_filler(match[1]) else match.span(1)


def _is_wallet_key(_: str, match: re.Match[str]) -> Span | None:
    """A private key of a wallet carries its own checksum."""
    from memoracle.policy.checksums import has_base58_sum

    return match.span(1) if has_base58_sum(match[1]) else None


def _shape(name: str, kind: str, pattern: str, *literals: str) -> Rule:
    return Rule(name=name, type=kind, pattern=pattern, literals=literals, check=_is_random)


SHAPES = (
    Rule(
        name="sk-key",
        type="api-key",
        pattern=rf"{EDGE}sk[-_][{_W}]{{20,}}+",
        literals=("sk-", "sk_"),
        check=_is_mixed,
    ),
    Rule(
        name="jwt",
        type="jwt",
        pattern=rf"(?<![{_W}])(eyJ[{_W}]{{8,}}+\.eyJ[{_W}]{{4,}}+(?:\.[{_W}]*+)?)",
        literals=("eyJ",),
    ),
    Rule(
        name="sendgrid-key",
        type="sendgrid-key",
        pattern=rf"(?<![{_W}])(SG\.[{_W}]{{16,}}+(?:\.[{_W}]{{8,}}+)?)",
        literals=("SG.",),
        check=_is_random,
    ),
    Rule(
        name="slack-token",
        type="slack-token",
        pattern=rf"{EDGE}((?:xox|XOX)[abceoprsABCEOPRS]-(?:[0-9]{{3,}}-){{1,4}}[{_A}]{{4,}}+)",
        literals=("xox", "XOX"),
        check=_is_no_filler,
    ),
    Rule(
        name="telegram-token",
        type="telegram-token",
        pattern=rf"(?<![0-9])([0-9]{{8,10}}:[{_W}]{{33,38}}+)",
        literals=(":AA", ":AE", ":AF", ":AG", ":AH"),
    ),
    Rule(
        name="discord-token",
        type="discord-token",
        pattern=rf"(?<![{_W}.])([MNO][{_W}]{{22,28}}+\.[{_W}]{{6,7}}+\.[{_W}]{{27,}}+)",
        literals=(".",),
    ),
    Rule(
        name="twilio-key",
        type="twilio-key",
        pattern=rf"{EDGE}((?:SK|AC)[0-9a-z]{{32}})(?![{_A}])",
        literals=("SK", "AC"),
    ),
    Rule(
        name="zhipu-key",
        type="zhipu-key",
        pattern=rf"(?<![{_A}])([0-9a-f]{{32}}\.[{_A}]{{16}})(?![{_A}])",
        literals=(".",),
    ),
    Rule(
        name="airtable-token",
        type="airtable-token",
        pattern=rf"{EDGE}(pat[{_A}]{{14}}\.[0-9a-f]{{40,}}+)",
        literals=("pat",),
    ),
    Rule(
        name="mailchimp-key",
        type="mailchimp-key",
        pattern=r"(?<![0-9a-z])([0-9a-z]{32}-us[0-9]{1,2})(?![0-9a-z])",
        literals=("-us",),
    ),
    Rule(
        name="azure-secret",
        type="azure-secret",
        pattern=rf"(?<![{_A}_~.-])([{_A}_~.]{{3}}[0-9]Q~[{_A}_~.-]{{31,34}})",
        literals=("Q~",),
    ),
    Rule(
        name="azure-signature",
        type="azure-signature",
        pattern=r"[?&;]sig=([A-Za-z0-9%+/=]{40,}+)",
        literals=("sig=",),
    ),
    Rule(
        name="terraform-token",
        type="terraform-token",
        pattern=rf"(?<![{_A}])([{_A}]{{14}}\.atlasv1\.[{_W}]{{40,}}+)",
        literals=(".atlasv1.",),
    ),
    Rule(
        name="openai-legacy-key",
        type="openai-key",
        pattern=rf"(?<![{_A}])([{_A}]{{20}}T3BlbkFJ[{_A}]{{20,}}+)",
        literals=("T3BlbkFJ",),
    ),
    Rule(
        name="slack-webhook",
        type="webhook",
        pattern=r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{20,}+)",
        literals=("hooks.slack.com",),
    ),
    Rule(
        name="discord-webhook",
        type="webhook",
        pattern=rf"discord(?:app)?\.com/api/webhooks/[0-9]{{5,25}}/([{_W}]{{20,}}+)",
        literals=("/api/webhooks/",),
    ),
    Rule(
        name="feishu-webhook",
        type="webhook",
        pattern=rf"/open-apis/bot/(?:v2/)?hook/([{_W}]{{16,}}+)",
        literals=("/open-apis/bot/",),
    ),
    Rule(
        name="feishu-token",
        type="feishu-token",
        pattern=rf"(?<![{_A}-])([tu]-[a-z0-9][{_W}.]{{30,}}+)",
        literals=("t-", "u-"),
        check=_is_mixed,
    ),
    Rule(
        name="wecom-webhook",
        type="webhook",
        pattern=rf"/cgi-bin/webhook/send\?key=([{_W}]{{16,}}+)",
        literals=("/cgi-bin/webhook/",),
    ),
    Rule(
        name="onepassword-key",
        type="onepassword-key",
        pattern=rf"{EDGE}(A3-[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}})",
        literals=("A3-",),
    ),
    _shape("okta-token", "okta-token", rf"SSWS[ \t]{{1,3}}+(00[{_W}]{{40}})", "SSWS"),
    _shape("okta-bare", "okta-token", rf"(?<![{_W}.])(00[{_W}]{{40}})(?![{_W}])", "00"),
    _shape("airtable-key", "airtable-key", rf"(?<![{_W}])(key[{_A}]{{14}})(?![{_W}])", "key"),
    _shape(
        "asana-token",
        "asana-token",
        r"(?<![0-9])([0-2]/[0-9]{15,18}(?:/[0-9]{15,18})?:[0-9a-f]{32})",
        "0/",
        "1/",
        "2/",
    ),
    _shape(
        "authress-key",
        "authress-key",
        rf"{EDGE}((?:sc|ext)_[{_A}]{{5,30}}\.[{_A}]{{4,6}}\.acc[_-][{_A}-]{{10,32}}\.[{_A}+/_=-]{{30,}}+)",
        ".acc",
    ),
    _shape("zapier-webhook", "webhook", rf"/hooks/catch/[0-9]{{3,12}}/([{_A}]{{6,}}+)", "/hooks/catch/"),
    _shape("ifttt-webhook", "webhook", rf"/with/key/([{_W}]{{16,}}+)", "/with/key/"),
    _shape("dingtalk-webhook", "webhook", r"/robot/send\?access_token=([0-9a-f]{32,}+)", "/robot/send"),
    _shape("teams-webhook", "webhook", rf"/IncomingWebhook/([0-9a-f]{{32}}/{_UUID})", "/IncomingWebhook/"),
    _shape("teams-workflow", "webhook", rf"[?&]sig=([{_W}]{{30,}}+)", "sig="),
    _shape(
        "google-chat-webhook",
        "webhook",
        rf"/messages\?key=[{_W}]{{20,60}}+&token=([{_W}%]{{20,}}+)",
        "&token=",
    ),
    _shape(
        "make-webhook", "webhook", r"hook\.[a-z0-9]{2,8}\.(?:make|integromat)\.com/([a-z0-9]{24,}+)", "hook."
    ),
    _shape("pipedream-webhook", "webhook", r"//([0-9a-f]{30,40})\.m\.pipedream\.net", ".m.pipedream.net"),
    _shape(
        "facebook-app-token",
        "facebook-token",
        rf"(?<![0-9])([0-9]{{15,16}}(?:\||%7C)[{_W}]{{27,40}})",
        "|",
        "%7C",
    ),
    _shape("firebase-key", "google-key", rf"(?<![{_A}])(AAAA[{_W}]{{7}}:[{_W}]{{130,}}+)", "AAAA"),
    _shape(
        "harness-token",
        "harness-token",
        rf"(?<![{_A}])([ps]at\.[{_W}]{{22}}\.[{_A}]{{24}}\.[{_A}]{{20}})",
        "pat.",
        "sat.",
    ),
    _shape(
        "infisical-token",
        "infisical-token",
        rf"(?<![{_A}])(st\.[{_A}]{{8,}}+[{_A}.-]{{20,}}+\.[0-9a-f]{{32}}\.[0-9a-f]{{32}})",
        "st.",
    ),
    _shape("jenkins-token", "jenkins-token", r"(?<![0-9A-Za-z])(11[0-9a-f]{32})(?![0-9A-Za-z])", "11"),
    _shape("jenkins-secret", "jenkins-secret", r"\{(AQAAABAAAA[A-Za-z0-9+/=]{16,}+)\}", "{AQAAABAAAA"),
    _shape(
        "lob-key",
        "lob-key",
        r"(?<![A-Za-z0-9])((?:live|test)_(?:pub_)?[0-9a-f]{31,36})(?![A-Za-z0-9])",
        "live_",
        "test_",
    ),
    _shape(
        "mollie-key",
        "mollie-key",
        rf"(?<![{_A}_])((?:live|test)_[{_A}]{{30,35}})(?![{_A}])",
        "live_",
        "test_",
    ),
    _shape(
        "gocardless-token",
        "gocardless-token",
        rf"(?<![{_A}_])((?:live|sandbox)_[{_W}]{{40}})(?![{_W}])",
        "live_",
        "sandbox_",
    ),
    _shape(
        "mailgun-signing-key",
        "mailgun-key",
        r"(?<![0-9a-z])([0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8})(?![0-9a-z-])",
        "-",
    ),
    _shape("maxmind-key", "maxmind-key", rf"(?<![{_A}])([{_A}]{{6}}_[{_A}]{{29}}_mmk)", "_mmk"),
    _shape("clickup-token", "clickup-token", r"(?<![A-Za-z0-9])(pk_[0-9]{5,12}_[A-Z0-9]{32})", "pk_"),
    _shape("klaviyo-key", "klaviyo-key", r"(?<![A-Za-z0-9])(pk_[0-9a-f]{34})(?![A-Za-z0-9])", "pk_"),
    _shape(
        "azure-devops-token",
        "azure-token",
        rf"(?<![{_A}])([{_A}]{{52}}JQQJ99[{_A}]{{18}}AZDO[{_A}]{{4}})",
        "AZDO",
    ),
    _shape(
        "azure-marked-key",
        "azure-key",
        rf"(?<![{_A}+/])([{_A}+/]{{33,76}}(?:AzFu|AzCa|AzSe|AIoT|\+AS[tb]|\+AEh|ACDb|\+ACR|APIM|AAAB|ACOG)[{_A}+/]{{5,44}}={{0,2}})",
        "AzFu",
        "AzCa",
        "AzSe",
        "AIoT",
        "+ASt",
        "+ASb",
        "+AEh",
        "ACDb",
        "+ACR",
        "APIM",
        "ACOG",
    ),
    _shape("sentry-dsn", "sentry-dsn", r"//([0-9a-f]{32})@[a-z0-9.-]{0,40}(?:sentry|ingest)", "sentry"),
    _shape("twilio-key", "twilio-key", r"(?<![A-Za-z0-9])(SK[0-9A-F]{32})(?![A-Za-z0-9])", "SK"),
    _shape(
        "twitter-bearer",
        "twitter-token",
        r"(?<![A-Za-z0-9])(A{20,25}[A-Za-z0-9%]{60,}+)",
        "AAAAAAAAAAAAAAAAAAAA",
    ),
    _shape(
        "twitter-token", "twitter-token", rf"(?<![0-9A-Za-z])([0-9]{{15,20}}-[{_A}]{{35,45}})(?![{_A}])", "-"
    ),
    _shape(
        "vault-token",
        "hashicorp-token",
        rf"(?<![{_W}.])(s\.(?=[A-Za-z]{{0,23}}[0-9])[{_A}]{{24}})(?![{_A}.(])",
        "s.",
    ),
    _shape(
        "uptimerobot-key",
        "uptimerobot-key",
        r"(?<![A-Za-z0-9])([um][0-9]{6,10}-[0-9a-f]{24,32})(?![0-9a-f])",
        "-",
    ),
    _shape(
        "discord-webhook-canary",
        "webhook",
        rf"/api/v[0-9]{{1,2}}/webhooks/[0-9]{{5,25}}/([{_W}]{{20,}}+)",
        "/webhooks/",
    ),
    _shape(
        "bitwarden-token",
        "bitwarden-token",
        rf"(?<![0-9])(0\.{_UUID}\.[{_A}]{{20,}}+:[{_A}+/=]{{20,}}+)",
        "0.",
    ),
    _shape("sanity-token", "sanity-token", rf"(?<![{_A}])(sk[{_A}]{{150,}}+)", "sk"),
    _shape("mongodb-atlas-key", "mongodb-key", rf"mdb_sa_(?:id|sk)_([{_W}]{{20,}}+)", "mdb_sa_"),
    _shape("gitlab-session", "gitlab-token", r"_gitlab_session=([0-9a-f]{32})", "_gitlab_session="),
    _shape("pagerduty-key", "pagerduty-key", rf"(?<![{_A}])(u\+[{_A}_-]{{18}})(?![{_A}])", "u+"),
    _shape(
        "digest-of-password",
        "password-hash",
        r"(\$(?:apr1|1|5|6|y|gy|7|P|S|H|2[abxy]|argon2(?:id?|d)|scrypt|pbkdf2[a-z0-9-]{0,12}|bcrypt-sha256|sha1|md5)\$[A-Za-z0-9./,=$+-]{12,}+)",
        "$1$",
        "$5$",
        "$6$",
        "$y$",
        "$2",
        "$apr1$",
        "$P$",
        "$S$",
        "$H$",
        "$argon2",
        "$pbkdf2",
        "$scrypt",
        "$7$",
        "$gy$",
        "$sha1$",
        "$bcrypt",
        "$md5$",
    ),
    _shape(
        "digest-in-braces",
        "password-hash",
        r"\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[A-Z0-9-]{0,10}|ARGON2)\}([A-Za-z0-9+/=$.]{16,}+)",
        "{SHA",
        "{SSHA",
        "{MD5}",
        "{SMD5}",
        "{CRYPT}",
        "{PBKDF2",
        "{ARGON2}",
    ),
    _shape(
        "digest-of-framework",
        "password-hash",
        r"((?:pbkdf2_sha(?:1|256|512)|pbkdf2:sha(?:1|256|512):[0-9]{1,9}|scrypt:[0-9]{1,9}:[0-9]{1,4}:[0-9]{1,4}|SCRAM-SHA-256|bcrypt_sha256|argon2)\$[A-Za-z0-9+/=$:.,-]{24,}+)",
        "pbkdf2",
        "scrypt:",
        "SCRAM-SHA-256$",
        "bcrypt_sha256$",
        "argon2$",
    ),
    _shape(
        "softlayer-key",
        "softlayer-key",
        r"softlayer\.com/(?:soap|xmlrpc)/v3(?:\.1)?/([a-z0-9]{64})",
        "softlayer.com/",
    ),
    Rule(
        name="wallet-key",
        type="wallet-key",
        pattern=r"(?<![A-Za-z0-9])([5KLc9][1-9A-HJ-NP-Za-km-z]{50,51})(?![A-Za-z0-9])",
        literals=("5", "K", "L", "c", "9"),
        check=_is_wallet_key,
    ),
)
