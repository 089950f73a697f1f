"""Names of services whose keys have no shape of their own, in small letters and without signs.

Thirty-two hex digits could be anything; `ALGOLIA_KEY=` says what they are.
"""

from __future__ import annotations

PROVIDERS = frozenset(
    """ably activecampaign adafruit adobe adyen airbrake airtable aiven akamai alchemy algolia alibaba aliyun
    amadeus amap amplitude anthropic apify appcenter appdynamics appsflyer appveyor appwrite artifactory
    asana assemblyai atlassian authzero autodesk azure baidu baserow beamer betterstack bigcommerce
    bilibili binance bintray bitbucket bitfinex bitly bitmex bittrex blazemeter braintree braze brevo
    browserstack bugsnag buildkite bybit calendly censys cerebras chargebee chartmogul circleci clarifai
    clearbit clickhouse clicksend clickup clockify cloudant cloudconvert cloudflare cloudinary
    cloudsmith coda codacy codeclimate codecov cohere coinbase coingecko coinmarketcap confluence
    confluent contentful convertkit coveralls crowdin crowdstrike customerio dashscope databricks
    datadog datarobot deepgram deepl deepseek digitalocean dingtalk directus discord disqus docusign
    doppler douyin droneci dropbox duffel dwolla dynatrace easypost elasticsearch elevenlabs etherscan
    etsy eventbrite facebook fastly fauna feishu figma finicity finnhub firebase firecrawl fireworks
    flickr flutterwave foursquare frameio freshbooks freshdesk freshsales fullstory gaode geoapify
    geocodio getresponse giphy gitea github gitlab gitter gocardless godaddy grafana grafbase
    graphhopper groq guardian gumroad hashicorp hasura helpscout heroku hetzner honeybadger honeycomb
    hotjar huaweicloud hubspot huggingface imagekit imgur influxdb infobip infracost infura instagram
    intercom ipinfo jamf jenkins jetbrains jfrog jina jira jotform jumpcloud kaggle klaviyo kraken
    kuaishou kucoin langfuse langsmith lark launchdarkly lemonsqueezy linear linkedin linode lob
    locationiq logdna loggly logzio lokalise looker magento mailchimp mailerlite mailersend mailgun
    mailjet mailtrap mandrill mapbox mattermost maxmind meilisearch meraki messagebird metabase minimax
    minio miro mistral mixpanel mongodb moonshot mux nasdaq neptune netlify newrelic newsapi nexmo ngrok
    notion nvidia nylas nytimes okta onelogin onesignal onfleet openai opencage openrouter opensea
    openweather openweathermap opsgenie optimizely oracle outlook packagecloud pagerduty pandadoc
    papertrail paypal perplexity pinata pinecone pinterest pipedream pipedrive pixabay plaid planetscale
    plausible plivo podio portainer posthog postman postmark prefect prismic privateai productboard
    pubnub pulumi pushbullet pusher pushover qcloud qdrant qianfan qiniu quandl quickbooks rapidapi
    razorpay rebrandly recaptcha reddit replicate resend retool ringcentral rockset rollbar rootly
    rubygems runpod salesforce samsara saucelabs scaleway scraperapi scrapingbee screenshotapi
    securitytrails segment sendbird sendgrid sendinblue sentry serpapi serper shippo shipstation shodan
    shopify shutterstock signalfx signalwire sinch sirv slack smartsheet snipcart snowflake snyk
    softlayer sonar sonarcloud sonarqube sonatype soundcloud sourcegraph sparkpost splunk spoonacular
    spotify squarespace statuscake statuspage storyblok strapi strava stripe stytch sumo sumologic
    supabase surveymonkey tableau tailscale tatum tavily taxjar telegr telegram telnyx tencent thinkific
    ticketmaster tiktok todoist toggl tomtom travis travisci trello tumblr twilio twitch twitter
    typeform unsplash upstash uptimerobot upyun urlscan vanta vercel vimeo virustotal voiceflow
    volcengine vonage vultr wakatime wandb weatherapi weatherbit weatherstack weaviate webex webflow
    wechat wecom weibo weixin wistia woocommerce wrike xero yandex yelp ynab youtube zendesk zeplin
    zerobounce zerotier zhipu zoho zoom zoominfo zulip""".split()
)
