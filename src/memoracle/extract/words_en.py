"""English word classes that several patterns share: cities, times, techniques. Data only."""

from __future__ import annotations

CITIES = (
    r"(?:London|Paris|Berlin|Madrid|Barcelona|Rome|Milan|Naples|Lisbon|Porto|Dublin|Cork|Galway|Belfast|Edinburgh|Glasgow"
    r"|Manchester|Leeds|Bristol|Liverpool|Oxford|Cambridge|York|Brighton|Cardiff|Vienna|Graz|Zurich|Zürich|Geneva|Basel"
    r"|Bern|Munich|München|Hamburg|Cologne|Frankfurt|Stuttgart|Leipzig|Dresden|Amsterdam|Rotterdam|Utrecht|Brussels"
    r"|Antwerp|Ghent|Copenhagen|Oslo|Bergen|Stockholm|Gothenburg|Malmö|Helsinki|Tampere|Tallinn|Riga|Vilnius|Warsaw|Krakow"
    r"|Kraków|Gdansk|Prague|Brno|Budapest|Bucharest|Cluj|Sofia|Athens|Belgrade|Zagreb|Ljubljana|Kyiv|Lviv|Istanbul|Ankara"
    r"|Moscow|Tbilisi|Cairo|Casablanca|Lagos|Accra|Nairobi|Kampala|Kigali|Cape Town|Johannesburg|Dubai|Doha|Beirut|Haifa"
    r"|Tel Aviv|Tehran|Karachi|Lahore|Mumbai|Delhi|Bangalore|Bengaluru|Hyderabad|Chennai|Pune|Kolkata|Dhaka|Colombo"
    r"|Kathmandu|Bangkok|Hanoi|Singapore|Jakarta|Manila|Kuala Lumpur|Hong Kong|Taipei|Shanghai|Beijing|Shenzhen|Hangzhou"
    r"|Chengdu|Seoul|Busan|Tokyo|Osaka|Kyoto|Sydney|Melbourne|Brisbane|Perth|Adelaide|Auckland|Wellington|New York|Brooklyn"
    r"|Boston|Chicago|Seattle|Portland|San Francisco|Oakland|Los Angeles|San Diego|Denver|Austin|Dallas|Houston|Atlanta"
    r"|Miami|Philadelphia|Pittsburgh|Detroit|Minneapolis|Toronto|Montreal|Vancouver|Calgary|Ottawa|Halifax|Mexico City"
    r"|Monterrey|Guadalajara|Bogotá|Bogota|Medellín|Medellin|Lima|Quito|Santiago|Buenos Aires|Montevideo|São Paulo"
    r"|Rio de Janeiro|Recife|Havana|California|Texas|Florida|Ohio|Oregon|Bavaria|Scotland|Wales|England|Ireland|France"
    r"|Germany|Spain|Portugal|Italy|Greece|Sweden|Norway|Denmark|Finland|Iceland|Poland|Austria|Switzerland|Belgium"
    r"|the Netherlands|Turkey|Israel|Egypt|Morocco|Nigeria|Ghana|Kenya|South Africa|India|Pakistan|China|Japan|Korea"
    r"|Vietnam|Thailand|Indonesia|Australia|New Zealand|Canada|Mexico|Brazil|Argentina|Chile|Peru|Colombia)\b"
)
"""Names that are places, for where an employer could stand as well."""

DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|thur|thurs|fri|sat|sun|weekdays?|weekends?)\b"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|march|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
HOUR = (
    r"(?:(?:half|quarter|ten|five|twenty)(?: (?:past|to))? )?(?:\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.?|p\.m\.?|o'?clock|h)?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|lunchtime|dawn)"
)
_DATE = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)(?: (?:of )?{MONTH})?|\d{{1,2}} (?:of )?{MONTH}|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?"
    rf"|\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}\.?(?:\d{{2,4}})?)"
)
_NTH = r"(?:first|second|third|fourth|last|1st|2nd|3rd|other|next)"
TIME = (
    rf"(?:{DAY}|{_DATE}|tomorrow|tonight|today|(?:this|next|coming|every|each|every other|early|late|mid|end of|the end of"
    rf"|beginning of|the start of)[ -](?:the )?(?:{DAY}|{MONTH}|day|week|month|year|weekend|morning|afternoon|evening|night|spring"
    rf"|summer|autumn|fall|winter|term|semester|quarter|third \w+|second \w+)|(?:the )?{_NTH} {DAY}|{MONTH}(?: \d{{4}})?"
    rf"|(?:the )?week of \S+|{HOUR} (?:to|till|until|[-–]) {HOUR}|q[1-4]\b|christmas|easter|new year|half[- ]term"
    rf"|in (?:an?|one|two|three|four|five|six|\d+) (?:hours?|days?|weeks?|months?)|\d{{1,2}}:\d\d|\d{{1,2}} ?(?:am|pm)\b"
    rf"|in (?:20\d\d)|(?:spring|summer|autumn|fall|winter)\b|weekly|fortnightly|biweekly|daily|monthly|half (?:\w+)(?= every))"
)
"""Any time that a calendar could hold."""
AT = r"(?:(?:is|are|'s) )?(?:(?:on|at|by|from|in|for|until|till|around|about|always|every|each|starting|this|next) ){0,3}"
"""What stands before a time."""

TECH = (
    r"(?:python|rust|go|golang|typescript|javascript|java|kotlin(?: multiplatform)?|swift(?:ui)?|php|ruby|elixir|erlang|scala|haskell"
    r"|ocaml|clojure|c|c\+\+|c#|f#|zig|nim|lua|perl|cobol|fortran|r|julia|matlab|dart|flutter|react(?: native)?|vue|svelte(?:kit)?"
    r"|angular|solid(?:js)?|astro|next\.?js|nuxt|remix|gatsby|htmx|tailwind(?: css)?|bootstrap|django|flask|fastapi|rails"
    r"|laravel|symfony|spring(?: boot)?|express|nest(?:\.?js)?|phoenix|liveview|node(?:\.?js)?|deno|bun|\.net|asp\.net|blazor"
    r"|postgres(?:ql)?|mysql|mariadb|sqlite|mongo(?:db)?|redis|valkey|cassandra|clickhouse|duckdb|dynamodb|firestore|firebase"
    r"|supabase|elastic(?:search)?|opensearch|meilisearch|qdrant|pgvector|kafka|rabbitmq|nats|celery|sidekiq|temporal|airflow"
    r"|dagster|dbt|spark|snowflake|bigquery|redshift|pytorch(?: lightning)?|tensorflow|jax|keras|sklearn|scikit-learn|pandas"
    r"|polars|numpy|huggingface|graphql|grpc|rest|trpc|openapi|docker|podman|kubernetes|k8s|k3s|nomad|terraform|pulumi|ansible"
    r"|helm|argo ?cd|jenkins|github actions|gitlab(?: ci)?|circleci|buildkite|nginx|caddy|traefik|envoy|haproxy|apache|keycloak"
    r"|auth0|okta|cognito|clerk|stripe|aws|gcp|azure|heroku|vercel|netlify|render|railway|fly(?:\.io)?|hetzner|digital ?ocean"
    r"|cloudflare|linode|ovh|lambda|ecs|eks|rds|s3|minio|wordpress|wagtail|drupal|ghost|shopify|squarespace|wix|hugo|jekyll"
    r"|sphinx|mkdocs|docusaurus|unity|unreal|godot|bevy|pygame|arduino|esp32|raspberry pi|electron|tauri|qt|gtk|vite|webpack"
    r"|esbuild|turborepo|nx|bazel|cmake|gradle|maven|poetry|uv|pnpm|yarn|npm|pytest|jest|vitest|playwright|cypress|selenium"
    r"|storybook|figma|canva|airtable|notion|latex|typst|overleaf|excel|google sheets|home assistant|zigbee|mqtt|sentry|datadog"
    r"|grafana|prometheus|honeycomb|linear|jira|trello|sqlalchemy|prisma|drizzle|alembic|flyway|liquibase|jellyfin|nextcloud)"
    r"(?:[ -]?v?\d[\w.]*)?(?![\w-])"
)
"""What software is built with and runs on."""
