"""Tokens as their providers describe them, made at run time: prefix, alphabet, length, checksum.

Written from public descriptions of the formats, not from the rules under test, so that the two can disagree. A row
is a name and a form; `<A:36>` means thirty-six letters of alphabet A, and what stands between « and » is the secret
part when it is not all of it. A family of NAMED has no shape of its own: its row has a variable that it is kept in.
"""

import base64
import json
import random
import re
import string
import zlib

ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "a": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "L": string.ascii_letters,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "2": string.ascii_uppercase + "234567",
    "d": string.digits,
    "n": "123456789",
    "z": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    "Z": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "8": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}
UUID = "<h:8>-<h:4>-4<h:3>-a<h:3>-<h:12>"

BARE = {
    "1password-secret-key": "A3-<U:6>-<U:6>-<U:5>-<U:5>-<U:5>-<U:5>",
    "1password-service-account": "ops_eyJ<b:260>",
    "adafruit-io-key": "aio_<A:28>",
    "adobe-client-secret": "p8e-<A:32>",
    "age-secret-key": "AGE-SECRET-KEY-1<Z:58>",
    "airtable-api-key": "key<A:14>",
    "airtable-personal-token": "pat<A:14>.<h:64>",
    "akamai-client-token": "akab-<a:16>-<a:16>",
    "alibaba-access-key-id": "LTAI<A:20>",
    "amazon-mws-token": f"amzn.mws.{UUID}",
    "amazon-oauth-secret": "amzn1.oa2-cs.v1.<h:64>",
    "anthropic-admin-key": "sk-ant-admin01-<w:93>AA",
    "anthropic-api-key": "sk-ant-api03-<w:93>AA",
    "apify-token": "apify_api_<A:36>",
    "artifactory-api-key": "AKCp<A:69>",
    "artifactory-reference-token": "cmVmd<A:59>",
    "asana-personal-token": "1/<d:16>:<h:32>",
    "atlassian-api-token": "ATATT3<w:186>",
    "atlassian-user-token": "ATCTT3<w:186>",
    "authress-service-key": "sc_<a:10>.<a:4>.acc_<a:16>.<b:40>",
    "aws-access-key-id": "AKIA<2:16>",
    "aws-temporary-key-id": "ASIA<2:16>",
    "aws-bedrock-long-key": "ABSK<b:128>",
    "azure-ad-client-secret": "<A:3>8Q~<w:34>",
    "azure-devops-token": "<A:52>JQQJ99<A:18>AZDO<A:4>",
    "azure-storage-sas": "https://acct.blob.core.windows.net/c?sv=2022-11-02&se=2026-01-01&sig=«<A:43>%3D»",
    "azure-functions-key": "<b:44>AzFu<b:6>==",
    "baidu-api-key": "bce-v3/ALTAK-<A:21>/<h:40>",
    "bitbucket-app-password": "ATBB<A:32>",
    "bitbucket-server-token": "BBDC-<b:44>",
    "brevo-api-key": "xkeysib-<h:64>-<A:16>",
    "brevo-smtp-key": "xsmtpsib-<h:64>-<A:16>",
    "buildkite-user-token": "bkua_<h:40>",
    "cerebras-key": "csk-<a:48>",
    "circleci-personal-token": "CCIPAT_<A:22>_<h:40>",
    "circleci-project-token": "CCIPRJ_<A:22>_<h:40>",
    "clickhouse-cloud-key": "4b1d<A:38>",
    "clickup-token": "pk_<n:8>_<U:32>",
    "clojars-token": "CLOJARS_<h:60>",
    "cloudflare-origin-key": "v1.0-<h:24>-<h:146>",
    "cockroach-api-key": "CCDB1_<A:22>_<A:40>",
    "contentful-personal-token": "CFPAT-<w:43>",
    "coze-token": "pat_<A:64>",
    "crates-io-token": "cio<A:32>",
    "databricks-token": "dapi<h:32>",
    "defined-networking-token": "dnkey-<A:26>-<A:52>",
    "deno-deploy-token": "ddp_<A:36>",
    "digitalocean-oauth-token": "doo_v1_<h:64>",
    "digitalocean-personal-token": "dop_v1_<h:64>",
    "digitalocean-refresh-token": "dor_v1_<h:64>",
    "dingtalk-secret": "SEC<h:64>",
    "dingtalk-webhook": "https://oapi.dingtalk.com/robot/send?access_token=«<h:64>»",
    "discord-bot-token": "M<A:23>.G<A:5>.<w:38>",
    "discord-webhook": "https://discord.com/api/webhooks/<n:18>/«<w:68>»",
    "docker-access-token": "dckr_pat_<w:27>",
    "docker-organisation-token": "dckr_oat_<w:32>",
    "doppler-cli-token": "dp.ct.<A:43>",
    "doppler-personal-token": "dp.pt.<A:43>",
    "doppler-service-token": "dp.st.prd.<A:43>",
    "dropbox-short-lived-token": "sl.<w:135>",
    "duffel-live-token": "duffel_live_<w:43>",
    "duffel-test-token": "duffel_test_<w:43>",
    "dynatrace-token": "dt0c01.<U:24>.<U:64>",
    "easypost-key": "EZAK<A:54>",
    "easypost-test-key": "EZTK<A:54>",
    "elevenlabs-key": "sk_<h:48>",
    "facebook-app-token": "<n:15>|<w:27>",
    "facebook-page-token": "EAAC<A:160>",
    "fauna-key": "fnA<w:37>",
    "feishu-webhook": f"https://open.feishu.cn/open-apis/bot/v2/hook/«{UUID}»",
    "figma-token": "figd_<w:40>",
    "firebase-server-key": "AAAA<w:7>:<w:140>",
    "firecrawl-key": "fc-<h:32>",
    "fireworks-key": "fw_<A:24>",
    "flutterwave-encryption-key": "FLWSECK_TEST-<h:12>",
    "flutterwave-public-key": "FLWPUBK_TEST-<h:32>-X",
    "flutterwave-secret-key": "FLWSECK_TEST-<h:32>-X",
    "fly-access-token": "fo1_<w:43>",
    "fly-macaroon": "fm2_<b:120>",
    "frameio-token": "fio-u-<w:64>",
    "freemius-secret-key": "sk_<A:29>",
    "github-app-token": "ghu_<G>",
    "github-fine-grained-token": "github_pat_<A:22>_<A:59>",
    "github-oauth-token": "gho_<G>",
    "github-personal-token": "ghp_<G>",
    "github-refresh-token": "ghr_<A:76>",
    "github-server-token": "ghs_<G>",
    "gitlab-agent-token": "glagent-<w:50>",
    "gitlab-deploy-token": "gldt-<w:20>",
    "gitlab-feature-flag-token": "glffct-<w:20>",
    "gitlab-feed-token": "glft-<w:20>",
    "gitlab-job-token": "glcbt-<a:5>_<w:20>",
    "gitlab-mail-token": "glimt-<w:25>",
    "gitlab-oauth-secret": "gloas-<w:64>",
    "gitlab-personal-token": "glpat-<w:20>",
    "gitlab-personal-token-routable": "glpat-<w:27>.<a:2><a:7>",
    "gitlab-pipeline-token": "glptt-<h:40>",
    "gitlab-runner-registration": "GR1348941<w:20>",
    "gitlab-runner-token": "glrt-<w:20>",
    "gitlab-scim-token": "glsoat-<w:20>",
    "gitlab-session-cookie": "_gitlab_session=«<h:32>»",
    "gocardless-token": "live_<w:40>",
    "google-api-key": "AIza<w:35>",
    "google-chat-webhook": "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=AIza<w:35>&token=«<w:43>»",
    "google-client-secret": "GOCSPX-<w:28>",
    "google-hmac-key": "GOOG1E<U:55>",
    "google-oauth-token": "ya29.<w:120>",
    "google-refresh-token": "1//0<w:60>",
    "grafana-api-key": "eyJrIjoi<A:84>",
    "grafana-cloud-token": "glc_<b:80>",
    "grafana-service-token": "glsa_<A:32>_<h:8>",
    "groq-key": "gsk_<A:52>",
    "harness-token": "pat.<w:22>.<A:24>.<A:20>",
    "heroku-key-v2": "HRKU-AA<w:58>",
    "honeycomb-ingest-key": "hcaik_<a:58>",
    "hubspot-private-app": f"pat-na1-{UUID}",
    "huggingface-organisation-token": "api_org_<L:34>",
    "huggingface-token": "hf_<L:34>",
    "ifttt-webhook": "https://maker.ifttt.com/trigger/door/with/key/«<w:43>»",
    "infracost-key": "ico-<A:32>",
    "intra42-secret": "s-s4t2ud-<h:64>",
    "jenkins-api-token": "11<h:32>",
    "jina-key": "jina_<h:32><w:28>",
    "jwt": "<J>",
    "jwt-base64": "ZXlKaGJHY2lPaUp<A:120>",
    "klaviyo-key": "pk_<h:34>",
    "langfuse-secret": f"sk-lf-{UUID}",
    "langsmith-personal-key": "lsv2_pt_<h:32>_<h:10>",
    "langsmith-service-key": "lsv2_sk_<h:32>_<h:10>",
    "launchdarkly-sdk-key": f"sdk-{UUID}",
    "linear-api-key": "lin_api_<A:40>",
    "linear-oauth-token": "lin_oauth_<h:64>",
    "lob-live-key": "live_<h:35>",
    "lob-public-key": "test_pub_<h:31>",
    "mailchimp-key": "<h:32>-us<n:2>",
    "mailersend-key": "mlsn.<h:64>",
    "mailgun-private-key": "key-<h:32>",
    "mailgun-public-key": "pubkey-<h:32>",
    "mailgun-signing-key": "<h:32>-<h:8>-<h:8>",
    "mapbox-public-token": "pk.eyJ1Ijoi<A:52>.<w:22>",
    "mapbox-secret-token": "sk.eyJ1Ijoi<A:60>.<w:22>",
    "maxmind-licence": "<A:6>_<A:29>_mmk",
    "mollie-key": "live_<A:30>",
    "nats-user-seed": "SUA<2:55>",
    "neon-key": "napi_<a:60>",
    "netlify-token": "nfp_<A:36>",
    "newrelic-browser-key": "NRJS-<h:19>",
    "newrelic-insert-key": "NRII-<w:32>",
    "newrelic-user-key": "NRAK-<U:27>",
    "nomic-key": "nk-<w:43>",
    "nostr-secret-key": "nsec1<z:58>",
    "notion-old-token": "secret_<A:43>",
    "notion-token": "ntn_<d:11><A:35>",
    "npm-token": "npm_<P>",
    "nuget-key": "oy2<a:43>",
    "nvidia-key": "nvapi-<w:64>",
    "octopus-deploy-key": "API-<U:26>",
    "okta-token": "00<w:40>",
    "openai-legacy-key": "sk-<A:20>T3BlbkFJ<A:20>",
    "openai-project-key": "sk-proj-<w:74>T3BlbkFJ<w:74>",
    "openai-service-key": "sk-svcacct-<w:58>T3BlbkFJ<w:58>",
    "openrouter-key": "sk-or-v1-<h:64>",
    "openshift-token": "sha256~<w:43>",
    "packagist-token": "packagist_uut_<h:68>",
    "paypal-braintree-token": "access_token$production$<a:16>$<h:32>",
    "perplexity-key": "pplx-<A:48>",
    "pinecone-key": "pcsk_<A:6>_<A:63>",
    "plaid-access-token": f"access-sandbox-{UUID}",
    "planetscale-oauth-token": "pscale_oauth_<w:43>",
    "planetscale-password": "pscale_pw_<w:43>",
    "planetscale-token": "pscale_tkn_<w:43>",
    "posthog-personal-key": "phx_<A:43>",
    "postman-key": "PMAK-<h:24>-<h:34>",
    "prefect-key": "pnu_<A:36>",
    "pulumi-token": "pul-<h:40>",
    "pypi-token": "pypi-AgEIcHlwaS5vcmc<w:150>",
    "razorpay-key": "rzp_live_<A:14>",
    "readme-key": "rdme_<a:70>",
    "render-key": "rnd_<A:32>",
    "replicate-token": "r8_<A:37>",
    "resend-key": "re_<A:8>_<A:24>",
    "rubygems-key": "rubygems_<h:48>",
    "runpod-key": "rpa_<A:46>",
    "scaleway-access-key": "SCW<U:17>",
    "scalingo-token": "tk-us-<w:48>",
    "sendgrid-key": "SG.<w:22>.<w:43>",
    "sentry-dsn": "https://«<h:32>»@o<n:6>.ingest.sentry.io/<n:7>",
    "sentry-organisation-token": "sntrys_eyJpYXQiOjE<b:120>_<b:43>",
    "sentry-user-token": "sntryu_<h:64>",
    "settlemint-application-token": "sm_aat_<A:16>",
    "settlemint-personal-token": "sm_pat_<A:16>",
    "shippo-live-token": "shippo_live_<h:40>",
    "shippo-test-token": "shippo_test_<h:40>",
    "shopify-access-token": "shpat_<h:32>",
    "shopify-custom-token": "shpca_<h:32>",
    "shopify-private-token": "shppa_<h:32>",
    "shopify-shared-secret": "shpss_<h:32>",
    "sidekiq-url": "https://«<h:8>:<h:8>»@gems.contribsys.com/",
    "slack-app-token": "xapp-1-A<U:10>-<n:13>-<h:64>",
    "slack-bot-token": "xoxb-<n:12>-<n:12>-<A:24>",
    "slack-config-token": "xoxe.xoxp-1-<A:163>",
    "slack-legacy-token": "xoxs-<n:11>-<n:11>-<n:11>-<h:10>",
    "slack-refresh-token": "xoxe-1-<A:146>",
    "slack-user-token": "xoxp-<n:11>-<n:12>-<n:12>-<h:32>",
    "slack-webhook": "https://hooks.slack.com/services/«T<U:9>/B<U:9>/<A:24>»",
    "snyk-user-token": "snyk_uat.<A:8>.<w:60>",
    "sonarqube-project-token": "sqp_<h:40>",
    "sonarqube-user-token": "squ_<h:40>",
    "sourcegraph-token": "sgp_<h:16>_<h:40>",
    "square-access-token": "EAAA<w:60>",
    "square-secret": "sq0csp-<w:43>",
    "square-token": "sq0atp-<w:22>",
    "stripe-live-key": "sk_live_<A:99>",
    "stripe-restricted-key": "rk_live_<A:24>",
    "stripe-test-key": "sk_test_<A:24>",
    "stripe-webhook-secret": "whsec_<A:32>",
    "supabase-personal-token": "sbp_<h:40>",
    "supabase-secret-key": "sb_secret_<w:31>",
    "tailscale-auth-key": "tskey-auth-<A:12>CNTRL-<A:32>",
    "tavily-key": "tvly-dev-<A:32>",
    "teams-webhook": f"https://x.webhook.office.com/webhookb2/{UUID}@{UUID}/IncomingWebhook/«<h:32>/{UUID}»",
    "telegram-bot-token": "<n:10>:AA<w:33>",
    "telnyx-key": "KEY0<H:31>_<A:22>",
    "tencent-secret-id": "AKID<A:32>",
    "terraform-cloud-token": "<A:14>.atlasv1.<w:67>",
    "together-key": "tgp_v1_<w:43>",
    "trello-token": "ATTA<h:64><H:8>",
    "twilio-api-key": "SK<h:32>",
    "twitter-bearer-token": "AAAAAAAAAAAAAAAAAAAAAA<A:90>",
    "twitter-access-token": "<n:18>-<A:40>",
    "typeform-token": "tfp_<w:59>",
    "vault-batch-token": "hvb.<w:140>",
    "vault-old-token": "s.<A:24>",
    "vault-service-token": "hvs.<w:95>",
    "vercel-blob-token": "vercel_blob_rw_<A:16>_<A:30>",
    "volcengine-key": "AKLT<A:44>",
    "voyage-key": "pa-<w:43>",
    "wecom-webhook": f"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=«{UUID}»",
    "woocommerce-consumer-key": "ck_<h:40>",
    "woocommerce-consumer-secret": "cs_<h:40>",
    "xai-key": "xai-<A:80>",
    "yandex-api-key": "AQVN<w:36>",
    "yandex-cloud-key": "YCA<w:37>",
    "yandex-iam-token": "t1.<w:60>.<w:86>",
    "yandex-oauth-token": "y0_AgAAAA<w:50>",
    "zapier-webhook": "https://hooks.zapier.com/hooks/catch/<n:7>/«<a:12>»",
    "zhipu-key": "<h:32>.<A:16>",
    "bitcoin-extended-key": "xprv<8:107>",
    "bitcoin-wif-key": "<B>",
    "basic-auth-url": "https://deploy:«<A:20>»@git.example.org/team/app.git",
    "postgres-url": "postgresql://app:«<A:24>»@db.internal:5432/app",
    "redis-url": "redis://:«<A:32>»@cache:6379/0",
    "mongodb-url": "mongodb+srv://root:«<A:18>»@cluster0.x7y8.mongodb.net/test",
    "amqp-url": "amqp://worker:«<A:16>»@mq:5672/vhost",
    "apache-md5-hash": "deploy:«$apr1$<A:8>$<A:22>»",
    "bcrypt-hash": "«$2b$12$<A:53>»",
    "sha512-crypt-hash": "«$6$<A:16>$<A:86>»",
    "argon2-hash": "«$argon2id$v=19$m=65536,t=3,p=4$<A:22>$<A:43>»",
    "ldap-sha-hash": "{SSHA}«<b:40>»",
    "django-hash": "«pbkdf2_sha256$600000$<A:22>$<b:43>=»",
}

NAMED = {
    "adobe-client-id": ("ADOBE_CLIENT_ID", "<h:32>"),
    "adafruit-key": ("ADAFRUIT_IO_KEY", "<a:32>"),
    "alibaba-secret-key": ("ALIBABA_SECRET_KEY", "<A:30>"),
    "algolia-key": ("ALGOLIA_API_KEY", "<h:32>"),
    "asana-client-id": ("ASANA_CLIENT_ID", "<n:16>"),
    "asana-client-secret": ("ASANA_CLIENT_SECRET", "<h:32>"),
    "assemblyai-key": ("ASSEMBLYAI_API_KEY", "<h:32>"),
    "atlassian-old-token": ("JIRA_API_TOKEN", "<A:20><h:4>"),
    "aws-secret-access-key": ("AWS_SECRET_ACCESS_KEY", "<b:40>"),
    "azure-storage-key": ("AZURE_STORAGE_KEY", "<b:86>=="),
    "azure-openai-key": ("AZURE_OPENAI_API_KEY", "<h:32>"),
    "beamer-token": ("BEAMER_TOKEN", "b_<w:44>"),
    "binance-secret": ("BINANCE_SECRET_KEY", "<A:64>"),
    "bitbucket-client-id": ("BITBUCKET_CLIENT_ID", "<A:32>"),
    "bitbucket-client-secret": ("BITBUCKET_CLIENT_SECRET", "<w:64>"),
    "bittrex-key": ("BITTREX_ACCESS_KEY", "<h:32>"),
    "cloudflare-api-token": ("CLOUDFLARE_API_TOKEN", "<w:40>"),
    "cloudflare-global-key": ("CLOUDFLARE_GLOBAL_KEY", "<h:37>"),
    "codecov-token": ("CODECOV_TOKEN", UUID),
    "cohere-token": ("COHERE_API_KEY", "<A:40>"),
    "coinbase-token": ("COINBASE_ACCESS_TOKEN", "<A:64>"),
    "confluent-key": ("CONFLUENT_API_KEY", "<U:16>"),
    "confluent-secret": ("CONFLUENT_SECRET", "<b:64>"),
    "contentful-delivery-token": ("CONTENTFUL_DELIVERY_TOKEN", "<w:43>"),
    "datadog-api-key": ("DATADOG_API_KEY", "<h:32>"),
    "datadog-app-key": ("DATADOG_APP_KEY", "<h:40>"),
    "deepgram-key": ("DEEPGRAM_API_KEY", "<h:40>"),
    "deepl-key": ("DEEPL_AUTH_KEY", UUID + ":fx"),
    "discord-client-id": ("DISCORD_CLIENT_ID", "<n:18>"),
    "discord-client-secret": ("DISCORD_CLIENT_SECRET", "<w:32>"),
    "discord-public-key": ("DISCORD_API_TOKEN", "<h:64>"),
    "droneci-token": ("DRONECI_TOKEN", "<A:32>"),
    "dropbox-app-secret": ("DROPBOX_APP_SECRET", "<a:15>"),
    "dropbox-long-lived-token": ("DROPBOX_ACCESS_TOKEN", "<w:11>AAAAAAAAAA<w:43>"),
    "etherscan-key": ("ETHERSCAN_API_KEY", "<U:34>"),
    "etsy-token": ("ETSY_ACCESS_TOKEN", "<a:24>"),
    "facebook-app-secret": ("FACEBOOK_APP_SECRET", "<h:32>"),
    "fastly-token": ("FASTLY_API_TOKEN", "<w:32>"),
    "finicity-token": ("FINICITY_APP_KEY", "<h:32>"),
    "finicity-secret": ("FINICITY_CLIENT_SECRET", "<A:20>"),
    "finnhub-token": ("FINNHUB_TOKEN", "<a:20>"),
    "flickr-key": ("FLICKR_ACCESS_TOKEN", "<h:32>"),
    "freshbooks-token": ("FRESHBOOKS_ACCESS_TOKEN", "<h:64>"),
    "generic-api-key": ("SERVICE_API_KEY", "<A:32>"),
    "generic-client-secret": ("CLIENT_SECRET", "<w:40>"),
    "generic-hex-secret": ("APP_SECRET", "<h:64>"),
    "gitter-token": ("GITTER_TOKEN", "<h:40>"),
    "heroku-api-key": ("HEROKU_API_KEY", UUID),
    "hubspot-api-key": ("HUBSPOT_API_KEY", UUID),
    "infura-key": ("INFURA_PROJECT_SECRET", "<h:32>"),
    "intercom-token": ("INTERCOM_TOKEN", "<w:60>"),
    "jfrog-api-key": ("JFROG_API_KEY", "<A:73>"),
    "jfrog-identity-token": ("ARTIFACTORY_IDENTITY_TOKEN", "<A:64>"),
    "kraken-secret": ("KRAKEN_SECRET", "<b:86>=="),
    "kucoin-key": ("KUCOIN_ACCESS_KEY", "<h:24>"),
    "kucoin-secret": ("KUCOIN_SECRET_KEY", UUID),
    "launchdarkly-token": ("LAUNCHDARKLY_ACCESS_TOKEN", "<w:40>"),
    "linear-client-secret": ("LINEAR_CLIENT_SECRET", "<h:32>"),
    "linkedin-client-id": ("LINKEDIN_CLIENT_ID", "<a:14>"),
    "linkedin-client-secret": ("LINKEDIN_CLIENT_SECRET", "<A:16>"),
    "linode-token": ("LINODE_TOKEN", "<h:64>"),
    "looker-client-id": ("LOOKER_CLIENT_ID", "<a:20>"),
    "looker-client-secret": ("LOOKER_CLIENT_SECRET", "<a:24>"),
    "mattermost-token": ("MATTERMOST_ACCESS_TOKEN", "<a:26>"),
    "meraki-key": ("MERAKI_API_KEY", "<h:40>"),
    "messagebird-client-id": ("MESSAGEBIRD_CLIENT_ID", UUID),
    "messagebird-key": ("MESSAGEBIRD_API_KEY", "<A:25>"),
    "mistral-key": ("MISTRAL_API_KEY", "<A:32>"),
    "netlify-old-token": ("NETLIFY_AUTH_TOKEN", "<w:43>"),
    "newrelic-api-id": ("NEW_RELIC_USER_API_ID", "<h:64>"),
    "nytimes-key": ("NYTIMES_ACCESS_TOKEN", "<A:32>"),
    "okta-named-token": ("OKTA_API_TOKEN", "00<w:40>"),
    "plaid-client-id": ("PLAID_CLIENT_ID", "<h:24>"),
    "plaid-secret": ("PLAID_SECRET", "<h:30>"),
    "postmark-token": ("POSTMARK_SERVER_TOKEN", UUID),
    "privateai-token": ("PRIVATEAI_API_KEY", "<a:32>"),
    "rapidapi-key": ("RAPIDAPI_KEY", "<a:50>"),
    "rails-secret-key-base": ("SECRET_KEY_BASE", "<h:128>"),
    "rollbar-token": ("ROLLBAR_ACCESS_TOKEN", "<h:32>"),
    "sendbird-access-id": ("SENDBIRD_ACCESS_ID", UUID),
    "sendbird-token": ("SENDBIRD_API_TOKEN", "<h:40>"),
    "sentry-old-token": ("SENTRY_AUTH_TOKEN", "<h:64>"),
    "serpapi-key": ("SERPAPI_API_KEY", "<h:64>"),
    "shodan-key": ("SHODAN_API_KEY", "<A:32>"),
    "sidekiq-secret": ("BUNDLE_ENTERPRISE__CONTRIBSYS__COM", "<h:8>:<h:8>"),
    "snyk-token": ("SNYK_TOKEN", UUID),
    "sonar-token": ("SONAR_LOGIN", "<h:40>"),
    "spotify-secret": ("SPOTIFY_CLIENT_SECRET", "<h:32>"),
    "squarespace-token": ("SQUARESPACE_ACCESS_TOKEN", UUID),
    "sumologic-access-id": ("SUMO_ACCESS_ID", "su<A:12>"),
    "sumologic-access-key": ("SUMO_ACCESS_KEY", "<A:64>"),
    "tencent-secret-key": ("TENCENT_SECRET_KEY", "<A:32>"),
    "travis-token": ("TRAVIS_TOKEN", "<A:22>"),
    "twilio-auth-token": ("TWILIO_AUTH_TOKEN", "<h:32>"),
    "twitch-token": ("TWITCH_API_TOKEN", "<a:30>"),
    "twitter-access-secret": ("TWITTER_ACCESS_SECRET", "<A:45>"),
    "twitter-api-key": ("TWITTER_API_KEY", "<A:25>"),
    "twitter-api-secret": ("TWITTER_API_SECRET", "<A:50>"),
    "vercel-token": ("VERCEL_TOKEN", "<A:24>"),
    "vultr-key": ("VULTR_API_KEY", "<U:36>"),
    "wandb-key": ("WANDB_API_KEY", "<h:40>"),
    "wechat-secret": ("WECHAT_APP_SECRET", "<h:32>"),
    "wireguard-key": ("WIREGUARD_PRIVATE_KEY", "<b:43>="),
    "zendesk-secret": ("ZENDESK_SECRET_KEY", "<h:40>"),
}

_CLASS = re.compile(r"<([A-Za-z0-9])(?::(\d+))?>")
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def token(form, chance):
    """One token of a form: the text around it and the secret part."""
    made = _CLASS.sub(lambda found: _piece(found[1], int(found[2] or 0), chance), form)
    before, opens, rest = made.partition("«")
    if not opens:
        return made, made
    secret, _, after = rest.partition("»")
    return before + secret + after, secret


def _piece(letter, length, chance):
    if not length:
        return {"G": _github, "P": _npm, "J": _jwt, "B": _wif}[letter](chance)
    while True:
        letters = "".join(chance.choice(ALPHABETS[letter]) for _ in range(length))
        # A base64 text never begins or ends in a sign here, so that what is around it stays what it is.
        if letters[0].isalnum() and letters[-1].isalnum():
            return letters


def _base62(number, width):
    letters = ""
    while number:
        number, digit = divmod(number, 62)
        letters = _BASE62[digit] + letters
    return letters.rjust(width, "0")


def _github(chance):
    body = _piece("A", 30, chance)
    return body + _base62(zlib.crc32(body.encode()), 6)


_npm = _github


def _jwt(chance):
    def part(content):
        return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")

    head = part({"alg": chance.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"})
    body = part(
        {"sub": _piece("d", 10, chance), "name": _piece("L", 8, chance), "iat": chance.randrange(10**9)}
    )
    return f"{head}.{body}.{_piece('w', 43, chance)}"


def _wif(chance):
    from hashlib import sha256

    raw = b"\x80" + chance.randbytes(32) + b"\x01"
    raw += sha256(sha256(raw).digest()).digest()[:4]
    number, letters = int.from_bytes(raw, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        letters = ALPHABETS["8"][digit] + letters
    return letters


CARRIERS = {
    "prose": "I rotated it this morning, please use {} from now on.",
    "chinese": "麻烦帮我记一下，新的是{}，别发到群里。",
    "env": "PORT=8080\nVALUE={}\nDEBUG=true",
    "json": '{{"region": "eu", "value": "{}", "retries": 3}}',
    "yaml": "service:\n  value: {}\n  replicas: 2",
    "python": 'value = "{}"  # from the console',
    "curl": "curl -s -H 'X-Auth: {}' https://api.example.org/v1/items",
    "log": "2026-02-03T10:11:12Z INFO worker[71] started with {} in 12ms",
}
NAMED_CARRIERS = {
    "prose": "By the way, the {words} is {token}, keep it safe.",
    "chinese": "新的 {words} 是 {token}，别发到群里。",
    "env": "PORT=8080\n{name}={token}\nDEBUG=true",
    "export": 'export {name}="{token}"',
    "json": '{{"region": "eu", "{lower}": "{token}", "retries": 3}}',
    "yaml": "service:\n  {lower}: {token}\n  replicas: 2",
    "python": '{lower} = "{token}"',
    "log": "2026-02-03T10:11:12Z INFO config {lower}={token} loaded",
}


def samples(count, seed=0):
    """Family, carrier, text and secret part: `count` tokens of every family in every carrier."""
    for family, form in BARE.items():
        chance = random.Random(f"{family}{seed}")
        for _ in range(count):
            text, secret = token(form, chance)
            for carrier, frame in CARRIERS.items():
                yield family, carrier, frame.format(text), secret
    for family, (name, form) in NAMED.items():
        chance = random.Random(f"{family}{seed}")
        for _ in range(count):
            text, secret = token(form, chance)
            words = name.replace("_", " ").lower()
            for carrier, frame in NAMED_CARRIERS.items():
                said = frame.format(words=words, name=name, lower=name.lower(), token=text)
                yield family, carrier, said, secret


def survives(secret, text, least=12):
    """True when as many characters of a secret in a row are still in a text."""
    width = min(least, len(secret))
    return any(secret[place : place + width] in text for place in range(len(secret) - width + 1))
