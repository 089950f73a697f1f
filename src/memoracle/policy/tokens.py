"""Provider tokens: what they begin with, what follows, and how much of it at least.

Lengths are lower bounds on purpose: a token that was cut off, or that its provider has made longer since,
is still worth hiding.
"""

from __future__ import annotations

import re

from memoracle.policy.rule import Rule, Span
from memoracle.policy.values import is_filler

_A = "A-Za-z0-9"
_W = r"A-Za-z0-9_\-"
_X = "a-fA-F0-9"
# A token begins where no letter or digit stands before it, or behind an escaped line end in quoted code.
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"

_PREFIXED: tuple[tuple[str, str, str, int], ...] = (
    ("adafruit-key", "aio_", _A, 28),
    ("age-key", "AGE-SECRET-KEY-1", _A, 50),
    ("aliyun-key", "LTAI", _A, 12),
    ("anthropic-key", "sk-ant-", _W, 20),
    ("apify-token", "apify_api_", _A, 30),
    ("artifactory-key", "AKCp", _A, 60),
    ("atlassian-token", "ATATT3", _W + "=", 40),
    ("atlassian-token", "ATCTT3", _W + "=", 40),
    ("atlassian-token", "ATBB", _A, 24),
    ("aws-key-id", "AKIA", "A-Z0-9", 16),
    ("aws-key-id", "ASIA", "A-Z0-9", 16),
    ("aws-key-id", "ABIA", "A-Z0-9", 16),
    ("aws-key-id", "ACCA", "A-Z0-9", 16),
    ("baidu-key", "bce-v3/ALTAK-", _W + "/", 20),
    ("brevo-key", "xkeysib-", _W, 60),
    ("buildkite-token", "bkua_", _X, 32),
    ("circleci-token", "CCIPAT_", _W, 30),
    ("clojars-token", "CLOJARS_", _A, 50),
    ("cloudflare-key", "v1.0-", "a-f0-9-", 100),
    ("contentful-token", "CFPAT-", _W, 40),
    ("databricks-token", "dapi", "a-f0-9-", 32),
    ("deno-token", "ddp_", _A, 30),
    ("digitalocean-token", "dop_v1_", _X, 40),
    ("digitalocean-token", "doo_v1_", _X, 40),
    ("digitalocean-token", "dor_v1_", _X, 40),
    ("dingtalk-secret", "SEC", "a-f0-9", 60),
    ("docker-token", "dckr_pat_", _W, 20),
    ("docker-token", "dckr_oat_", _W, 20),
    ("doppler-token", "dp.pt.", _A, 40),
    ("doppler-token", "dp.st.", _A + "._-", 40),
    ("dropbox-token", "sl.", _W, 100),
    ("duffel-token", "duffel_live_", _W + "=", 40),
    ("dynatrace-token", "dt0c01.", _A + ".", 60),
    ("e2b-key", "e2b_", _X, 36),
    ("facebook-token", "EAACEdEose0cBA", _A, 20),
    ("figma-token", "figd_", _W, 36),
    ("fireworks-key", "fw_", _A, 22),
    ("flutterwave-key", "FLWSECK-", _A, 30),
    ("flutterwave-key", "FLWSECK_TEST-", _A, 12),
    ("fly-token", "fo1_", _W, 40),
    ("fly-token", "fm1a_", _A + "+/=_", 60),
    ("fly-token", "fm2_", _A + "+/=_", 60),
    ("frameio-token", "fio-u-", _W + "=", 60),
    ("github-token", "ghp_", _A, 30),
    ("github-token", "gho_", _A, 30),
    ("github-token", "ghu_", _A, 30),
    ("github-token", "ghs_", _A, 30),
    ("github-token", "ghr_", _A, 30),
    ("github-token", "github_pat_", _A + "_", 22),
    ("gitlab-token", "glpat-", _W + ".", 18),
    ("gitlab-token", "gldt-", _W, 18),
    ("gitlab-token", "glrt-", _W, 18),
    ("gitlab-token", "glcbt-", _W, 18),
    ("gitlab-token", "glptt-", _W, 18),
    ("gitlab-token", "glft-", _W, 18),
    ("gitlab-token", "glsoat-", _W, 18),
    ("gitlab-token", "glimt-", _W, 18),
    ("gitlab-token", "glagent-", _W, 18),
    ("gitlab-token", "gloas-", _W, 18),
    ("gitlab-token", "GR1348941", _W, 18),
    ("google-key", "AIza", _W, 30),
    ("google-token", "ya29.", _W + ".", 20),
    ("google-secret", "GOCSPX-", _W, 20),
    ("google-token", "1//0", _W, 40),
    ("grafana-token", "glsa_", _A + "_", 30),
    ("grafana-token", "glc_", _A + "+/=", 32),
    ("groq-key", "gsk_", _A, 40),
    ("hashicorp-token", "hvs.", _W, 24),
    ("hashicorp-token", "hvb.", _W, 24),
    ("hashicorp-token", "hvr.", _W, 24),
    ("heroku-key", "HRKU-", _W, 30),
    ("huggingface-token", "hf_", _A, 28),
    ("huggingface-token", "api_org_", _A, 28),
    ("infracost-key", "ico-", _A, 30),
    ("langsmith-key", "lsv2_pt_", _A + "_", 30),
    ("langsmith-key", "lsv2_sk_", _A + "_", 30),
    ("linear-key", "lin_api_", _A, 30),
    ("linear-key", "lin_oauth_", _A, 30),
    ("mailgun-key", "key-", "a-f0-9", 32),
    ("mapbox-key", "sk.eyJ", _W + ".", 40),
    ("netlify-token", "nfp_", _A, 32),
    ("newrelic-key", "NRAK-", _A, 24),
    ("newrelic-key", "NRII-", _W, 28),
    ("newrelic-key", "NRJS-", _A, 16),
    ("notion-token", "ntn_", _A, 40),
    ("notion-token", "secret_", _A, 40),
    ("npm-token", "npm_", _A, 30),
    ("nvidia-key", "nvapi-", _W, 50),
    ("onepassword-token", "ops_eyJ", _A + "+/=_-", 100),
    ("openai-key", "sk-proj-", _W, 20),
    ("openai-key", "sk-svcacct-", _W, 20),
    ("openai-key", "sk-admin-", _W, 20),
    ("openrouter-key", "sk-or-v1-", _X, 40),
    ("openshift-token", "sha256~", _W, 40),
    ("perplexity-key", "pplx-", _A, 40),
    ("pinecone-key", "pcsk_", _A + "_", 40),
    ("planetscale-token", "pscale_tkn_", _W + ".=", 30),
    ("planetscale-token", "pscale_pw_", _W + ".=", 30),
    ("planetscale-token", "pscale_oauth_", _W + ".=", 30),
    ("posthog-key", "phx_", _A, 40),
    ("postman-key", "PMAK-", _A + "-", 50),
    ("prefect-key", "pnu_", _A, 34),
    ("pulumi-token", "pul-", _X, 36),
    ("pypi-token", "pypi-", _W, 40),
    ("readme-key", "rdme_", _A, 60),
    ("render-key", "rnd_", _A, 28),
    ("replicate-token", "r8_", _A, 32),
    ("resend-key", "re_", _A + "_", 30),
    ("rubygems-key", "rubygems_", _X, 40),
    ("scalingo-token", "tk-us-", _W, 40),
    ("sentry-token", "sntrys_", _A + "+/=_", 40),
    ("sentry-token", "sntryu_", _X, 40),
    ("shippo-token", "shippo_live_", _X, 36),
    ("shopify-token", "shpat_", _X, 30),
    ("shopify-token", "shpca_", _X, 30),
    ("shopify-token", "shppa_", _X, 30),
    ("shopify-token", "shpss_", _X, 30),
    ("slack-token", "xapp-", _A + "-", 20),
    ("slack-token", "xoxa-", _A + "-", 16),
    ("slack-token", "xoxb-", _A + "-", 16),
    ("slack-token", "xoxc-", _A + "-", 16),
    ("slack-token", "xoxd-", _A + "%+/=-", 16),
    ("slack-token", "xoxe-", _A + "-", 16),
    ("slack-token", "xoxe.xox", _A + "-", 16),
    ("slack-token", "xoxo-", _A + "-", 16),
    ("slack-token", "xoxp-", _A + "-", 16),
    ("slack-token", "xoxr-", _A + "-", 16),
    ("slack-token", "xoxs-", _A + "-", 16),
    ("sonar-token", "sqp_", _X, 36),
    ("sonar-token", "squ_", _X, 36),
    ("sonar-token", "sqa_", _X, 36),
    ("sourcegraph-token", "sgp_", _A + "_", 36),
    ("square-token", "sq0atp-", _W, 20),
    ("square-token", "sq0csp-", _W, 40),
    ("stripe-key", "sk_live_", _A, 10),
    ("stripe-key", "rk_live_", _A, 10),
    ("stripe-key", "sk_test_", _A, 10),
    ("stripe-key", "rk_test_", _A, 10),
    ("stripe-key", "whsec_", _A + "+/=", 24),
    ("supabase-key", "sbp_", _X, 36),
    ("supabase-key", "sb_secret_", _W, 20),
    ("tailscale-key", "tskey-", _W, 20),
    ("tavily-key", "tvly-", _W, 24),
    ("tencent-key", "AKID", _A, 28),
    ("typeform-token", "tfp_", _W + ".=", 50),
    ("vercel-token", "vercel_blob_rw_", _A + "_", 30),
    ("vercel-token", "vcp_", _A, 40),
    ("volcengine-key", "AKLT", _A, 40),
    ("voyage-key", "pa-", _W, 40),
    ("xai-key", "xai-", _A, 60),
    ("yandex-key", "AQVN", _W, 34),
    ("zuplo-key", "zpka_", _A + "_", 40),
)


def _is_mixed(_: str, match: re.Match[str]) -> Span | None:
    """The match, when it is no placeholder and not words joined by hyphens."""
    token = match[0]
    parts = re.split(r"[-_.=/]", token)
    has_digits = sum(char.isdigit() for char in token) >= 2
    is_long = max(map(len, parts)) >= 12 or len(token) >= 60
    return match.span() if has_digits and is_long and not is_filler(token) else None


def _is_random(_: str, match: re.Match[str]) -> Span | None:
    """The first group, when it is no placeholder."""
    return None if is_filler(match[1]) else match.span(1)


_SHAPED = (
    Rule(
        name="sk-key",
        type="api-key",
        pattern=rf"{_EDGE}sk[-_][{_W}]{{20,}}+",
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
        pattern=rf"{_EDGE}(SK[0-9a-f]{{32}})(?![{_A}])",
        literals=("SK",),
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
        pattern=rf"{_EDGE}(pat[{_A}]{{14}}\.[0-9a-f]{{40,}}+)",
        literals=("pat",),
    ),
    Rule(
        name="mailchimp-key",
        type="mailchimp-key",
        pattern=r"(?<![0-9a-f])([0-9a-f]{32}-us[0-9]{1,2})(?![0-9])",
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
)


def _prefixed(name: str, prefix: str, letters: str, least: int) -> Rule:
    # A prefix that is long or holds a sign of its own is telling wherever it stands.
    edge = "" if len(prefix) >= 5 and not prefix.isalnum() else _EDGE
    pattern = rf"{edge}{re.escape(prefix)}[{letters}]{{{least},}}+"
    return Rule(name=f"{name}:{prefix}", type=name, pattern=pattern, literals=(prefix,), check=_is_token)


def _is_token(_: str, match: re.Match[str]) -> Span | None:
    return None if is_filler(match[0]) else match.span()


def token_rules() -> tuple[Rule, ...]:
    """Every rule of this file, the most telling first."""
    return (*(_prefixed(*row) for row in _PREFIXED), *_SHAPED)
