"""Names of services whose keys have no shape of their own, in small letters and without signs.

Thirty-two hex digits could be anything; `ALGOLIA_KEY=` says what they are.
"""

from __future__ import annotations

PROVIDERS = frozenset(
    """adafruit adobe adyen airtable akamai alchemy algolia alibaba aliyun amap amplitude appsflyer appveyor
    artifactory asana assemblyai atlassian authzero azure baidu beamer bigcommerce bilibili binance bintray
    bitbucket bitfinex bitly bittrex braintree braze browserstack bugsnag bybit cloudflare cloudinary cloudsmith
    codacy codeclimate codecov cohere coinbase coinmarketcap confluence confluent contentful coveralls dashscope
    datadog deepgram deepl deepseek digitalocean dingtalk discord docusign douyin droneci dropbox elevenlabs
    etherscan etsy eventbrite facebook fastly feishu figma finicity finnhub flickr foursquare freshbooks
    freshdesk gaode giphy gitea github gitlab gitter gocardless godaddy grafana guardian heroku hetzner
    honeybadger huaweicloud hubspot huggingface imgur infura instagram intercom ipinfo jfrog jira jumpcloud
    kaggle kraken kuaishou kucoin lark launchdarkly linear linkedin linode lob logdna loggly logzio looker
    magento mailchimp mailgun mailjet mapbox mattermost maxmind meraki messagebird minimax minio mistral
    mixpanel mongodb moonshot nasdaq neptune netlify newrelic ngrok notion nytimes okta openai opencage
    openweather openweathermap opsgenie oracle outlook pagerduty papertrail paypal pinterest plaid plivo postman
    postmark privateai pubnub pusher qcloud qianfan qiniu quandl quickbooks rapidapi razorpay recaptcha reddit
    replicate rollbar salesforce samsara saucelabs scaleway segment sendbird sendgrid sendinblue sentry serpapi
    serper shodan shopify shutterstock signalfx slack snowflake snyk sonar sonarqube sonatype soundcloud
    sourcegraph sparkpost splunk spotify squarespace statuspage stripe sumo sumologic supabase surveymonkey
    tableau tatum telegr telegram telnyx tencent tiktok todoist tomtom travis travisci trello tumblr twilio
    twitch twitter typeform unsplash upyun urlscan vercel vimeo virustotal volcengine vonage vultr wakatime
    wandb weatherapi webex webflow wechat wecom weibo weixin woocommerce xero yandex yelp youtube zendesk zhipu
    zoho zoom zoominfo""".split()
)
