"""English: how to reach somebody, and the state of projects."""

from __future__ import annotations

from memoracle.extract.pattern import PROJECT, Pattern
from memoracle.extract.pieces_en import KIN, NAME
from memoracle.model.claim import Stance

_WHOSE = (
    rf"(?:my|our|(?P<subject>(?:my|our) {KIN}|(?:my|our|the) (?:landlord|doctor|dentist|plumber|vet|lawyer|accountant"
    rf"|school|office|babysitter|electrician|clinic|bank)|{NAME})'s)"
)
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,40}){1,5}"
_PHONE = r"\+?\(?\d[\d() .-]{5,18}\d"
_URL = r"(?:https?://)?(?:www\.)?[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}(?:/[^\s,;]{0,100})?"
_PIECE = (
    r"(?:project|app|application|frontend|front-end|backend|back-end|api|service|site|website|server|database|db|repo"
    r"|repository|codebase|pipeline|stack|product|platform|dashboard|library|cli|mobile app|ios app|android app"
    r"|monorepo|infra|infrastructure|staging|production|rewrite|migration|release|rollout|beta|feature|integration"
    r"|module|mvp|prototype|game|bot|plugin|extension|refactor|redesign|launch|thesis|book)"
)
_THE_PIECE = rf"(?:(?:our|the|my) (?P<subject>(?:[\w.-]+ ){{0,3}}{_PIECE})|(?:project )?(?P<subject>{NAME}))"
_STATE = (
    r"(?:(?:in|now in|still in|currently in|entering) (?:beta|alpha|production|development|review|qa|maintenance mode"
    r"|closed beta|open beta|staging|early access|private beta|public beta|testing)|on hold|paused|blocked(?: (?:on"
    r"|by) [^\n.!?]{2,60})?|(?:finished|done|complete|completed|shipped|released|launched|live|cancelled|canceled"
    r"|delayed|deprecated|archived|abandoned|frozen|behind schedule|on track|ahead of schedule|feature[- ]complete"
    r"|open source|open-sourced|merged|approved|rejected|rolled back|rolled out|cancelled|scrapped)(?= (?:and|now|on"
    r"|since|until|by|at|as|with|in|after)\b|[.!,;]|$)|(?:at|on) (?:version |v)\d[\w.]{0,12}|about (?:\d+|half|\w+) ?"
    r"(?:%|percent)? (?:done|finished|complete)|\d+ ?(?:%|percent) (?:done|finished|complete)|delayed (?:until|to"
    r"|by) [^\n.!?]{2,40})"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # contact
    Pattern(
        name="contact.email", predicate="email",
        regex=(
            rf"(?:{_WHOSE}(?: new| work| personal| private| main| current| business| university)*(?: e-?mail)"
            rf"(?: address)?(?: is|'s|:| (?:has )?changed to| was changed to)(?: now)?|(?:you can )?(?:reach|e-?mail"
            rf"|contact|write(?: to)?) me (?:at|on|via)|(?:write|e-?mail|mail) me:?) (?P<object>{_MAIL})"
        ),
        label_free=True,
        examples=(("My email is t.vandervelde@example.org.", "t.vandervelde@example.org"), ("Joanna's email is joanna@kettle.example, she does the invoices.", "Joanna | joanna@kettle.example")),
        counterexamples=("Add a user with the email alice@example.com", "The email field is empty"),
    ),
    Pattern(
        name="contact.mail_label", predicate="email", first=True, label_free=True,
        regex=(
            rf"(?:e-?mail|mail)(?: address)?\s?[:=]\s?(?P<object>{_MAIL})|(?:invoices|mail|letters|applications"
            rf"|questions)(?: for (?:us|me))? (?:go|should go) to (?P<object>{_MAIL})|(?:write|mail) (?:to )?"
            rf"(?P<object>{_MAIL})(?= not|,|[.!]*$)|{_WHOSE} (?:e-?mail|mail) is (?P<object>{_MAIL})"
        ),
        examples=(("Email: ada.k@fastmail.example", "ada.k@fastmail.example"), ("Invoices for us go to billing@northwind.example.", "billing@northwind.example")),
        counterexamples=("Add alice@example.com to the fixture",),
    ),
    Pattern(
        name="contact.phone_label", predicate="phone", label_free=True,
        regex=(
            rf"(?:phone|tel|mobile|cell|whatsapp|signal)(?: number| only)?(?: pls| please)?\s?[:=]\s?"
            rf"(?P<object>{_PHONE})|(?:ping|text|call|reach) me on (?:signal|whatsapp|telegram),? "
            rf"(?P<object>{_PHONE})|the number you'll (?:get|reach) me on is (?P<object>{_PHONE})|I'm on "
            rf"(?P<object>{_PHONE})|my (?P<subject>\w+) can be reached (?:on|at) (?P<object>{_PHONE})"
            rf"|my extension is (?P<object>\d{{2,6}})"
        ),
        examples=(("ping me on signal, 0171 555 0133", "0171 555 0133"), ("WhatsApp only pls: +91 98765 43210", "+91 98765 43210")),
        counterexamples=("I'm on 12 of 40", "phone: missing"),
    ),
    Pattern(
        name="contact.handle_label", predicate="handle", label_free=True, first=True,
        regex=(
            r"(?P<about>insta|instagram|twitter|mastodon|github|telegram|discord|bluesky|linkedin|slack)\s?:\s?"
            r"(?P<object>@[\w][\w.#/-]{2,40}|[\w.#/-]{3,40}(?=[.!]*$))|DMs open\s?:\s?(?P<object>@[\w.-]{2,40})|on "
            r"(?P<about>slack|github|discord|mastodon|twitter|telegram|instagram) you'll find me (?:under|as) "
            r"(?P<object>@?[\w][\w.-]{1,40}\w)|my handle(?: over)? on (?P<about>\w+) is "
            r"(?P<object>@?[\w][\w.-]{1,40})|(?P<about>telegram|discord|slack|signal|reddit)[^\n.!?]{0,30}, username "
            r"(?P<object>@?[\w][\w.-]{1,40})|(?P<object>(?:github|gitlab|linkedin|codeberg|twitter)\.(?:com"
            r"|org)/[\w/-]{2,40}),? that's me"
        ),
        examples=(("Insta: @ceramics.by.june", "Insta: @ceramics.by.june"), ("On Slack you'll find me under dora.m.", "Slack: dora.m")),
        counterexamples=("github: error 404 again",),
    ),
    Pattern(
        name="contact.blog_at", predicate="website",
        regex=(
            rf"I (?:blog|write|post|publish) at (?P<object>{_URL})|(?:my |our )?site's (?:up|live|now) at "
            rf"(?P<object>{_URL})"
        ),
        examples=(("I blog at tidepool.example.org.", "tidepool.example.org"),),
        counterexamples=("I write at night",),
    ),
    Pattern(
        name="contact.new_number", predicate="phone", stance=Stance.CORRECT,
        regex=(
            rf"(?:I've got|I have|I got|here's|this is) (?:my |a )?new (?:phone |mobile |cell )?number(?: is|,|:)? "
            rf"(?P<object>{_PHONE})|my new (?:phone |mobile |cell |work )?(?:number|phone)(?: is|'s|:) "
            rf"(?P<object>{_PHONE})"
        ),
        examples=(("I've got a new number: 555-0199, the old one is dead.", "555-0199"),),
        counterexamples=("I've got a new number of tests: 12",),
    ),
    Pattern(
        name="contact.phone", predicate="phone",
        regex=(
            rf"(?:{_WHOSE}(?: new| work| home| personal| private| mobile| cell| office| current)*(?: phone number"
            rf"| mobile number| cell number| phone| number| mobile| cell| telephone| whatsapp)(?: is|'s|:)(?: now)?|"
            rf"(?:you can )?(?:reach|call|ring|text|phone|message) me (?:at|on|under|via)(?: (?:signal|whatsapp"
            rf"|telegram|my (?:cell|mobile|phone)))?:?|{_WHOSE} (?:new |mobile |cell |phone )*(?:number|phone|mobile"
            rf"|cell) (?:has )?changed to) (?P<object>{_PHONE})(?!\w|\.\d)"
        ),
        label_free=True,
        examples=(("you can reach me at +44 7700 900456", "+44 7700 900456"), ("My phone number is 555-0100", "555-0100")),
        counterexamples=("My number is 5", "call me at 5"),
    ),
    Pattern(
        name="contact.handle", predicate="handle",
        regex=(
            r"(?:(?:my|our) (?P<about>github|twitter|x|instagram|insta|mastodon|discord|telegram|bluesky|linkedin"
            r"|reddit|gitlab|slack|steam|twitch|youtube|tiktok|signal|wechat|skype|codeberg|huggingface"
            r"|stack ?overflow|npm|pypi|threads)(?: handle| username| user ?name| account| user| id| name| profile"
            r"| channel)?(?: is|'s|:)(?: called)?|(?:my|our) (?:user ?name|handle|nick)(?: (?:on|for) "
            r"(?P<about>[\w ]{2,20}))?(?: is|'s|:)) (?P<object>@?[\w][\w.#/-]{1,60})(?! (?:broken|not|down|private"
            r"|slow|suspended))(?=[\s.,!]*$|[,.!;]| and | but | if | on )"
        ),
        examples=(("my github handle is quietfern", "github: quietfern"),),
        counterexamples=("My username is not accepted",),
    ),
    Pattern(
        name="contact.handle_on", predicate="handle",
        regex=(
            r"(?:you(?:'ll| can) )?(?:find|follow) me on (?P<about>github|twitter|x|instagram|mastodon|discord"
            r"|telegram|bluesky|linkedin|reddit|gitlab|codeberg|youtube|tiktok) (?:as|at|under|:) ?"
            r"(?P<object>@?[\w][\w.-]{1,40})|(?:I'm|I am|you(?:'ll| can) find me as|find me as|follow me(?: at"
            r"| as)?) (?P<object>@[\w][\w.-]{1,40}|(?<=as )[\w][\w.-]{1,40}|(?<=me at )[\w][\w.-]{1,40}) on "
            r"(?P<about>github|twitter|x|instagram|mastodon|discord|telegram|bluesky|linkedin|reddit|gitlab|slack"
            r"|steam|twitch|youtube|tiktok|codeberg|threads)\b"
        ),
        label_free=True,
        examples=(("im @mossgarden on mastodon", "mastodon: @mossgarden"),),
        counterexamples=("I'm active on twitter?", "I'm stuck on github actions today @ work? "),
    ),
    Pattern(
        name="contact.website", predicate="website",
        regex=(
            rf"{_WHOSE}(?: personal| company| new| own)*(?: web ?site| blog| home ?page| portfolio| web page| site"
            rf"| url)(?: is|'s|:)(?: now)?(?: at| here:?)? (?P<object>{_URL})"
        ),
        examples=(("Our website is https://fernandfold.example", "https://fernandfold.example"), ("My blog is at quiet.example/notes", "quiet.example/notes")),
        counterexamples=("Our website is slow", "My site is down."),
    ),
    # projects
    Pattern(
        name="project.deadline", predicate="deadline",
        regex=(
            r"(?!my due date)(?:(?:the|our|my) |project )(?:hard |final |new |submission |launch |release )?(?:deadline|due date"
            r"|launch date|release date|go-live date)(?: (?:for|of) (?P<subject>[\w][\w .'-]{1,40}?))?(?: is|'s|:"
            r"| was moved to| moved to| got moved to)(?: now| on| set for)* (?P<object>(?=[^\n]{0,40}(?:\d|monday"
            r"|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|week|month|january|february|march|april|may"
            r"|june|july|august|september|october|november|december|christmas|q[1-4]|eod|noon))[^\n.!?,]{2,60})"
        ),
        subject=PROJECT,
        examples=(("The deadline for Project Heron is 3 May.", "Project Heron | 3 May"), ("Our deadline is next Friday", "project | next Friday")),
        counterexamples=("The deadline is tight", "What is the deadline?"),
    ),
    Pattern(
        name="project.deployed", predicate="deployed_on",
        regex=(
            rf"(?:{_THE_PIECE} (?:(?:is|are|gets)(?: now| currently| still)? (?:deployed|hosted|running|self-hosted)"
            rf"(?: on| to| at| in| with)|runs(?: now)? (?:on|in)|(?<=repo )(?:lives|sits) (?:on|at)|(?<=repository )"
            rf"(?:lives|sits) (?:on|at))(?: the)?|we (?:deploy|host|run)(?: (?:everything|it|the \w+|our \w+))? (?:on"
            rf"|to|with|in)) (?P<object>fly\.io[^\n!?]{{0,40}}|(?-i:[A-Z])[^\n.!?]{{1,80}}|aws[^\n.!?]{{0,40}}|gcp"
            rf"|azure|heroku|vercel[^\n.!?]{{0,40}}|netlify|hetzner[^\n.!?]{{0,40}}|kubernetes|k8s|render|railway"
            rf"|cloudflare[^\n.!?]{{0,40}}|digital ?ocean|github pages|a (?:vps|raspberry pi|droplet|single vm"
            rf"|bare[- ]metal)[^\n.!?]{{0,40}})"
        ),
        subject=PROJECT,
        examples=(("The API is deployed on Fly.io in the Amsterdam region.", "API | Fly.io in the Amsterdam region"), ("We host everything on Hetzner", "project | Hetzner")),
        counterexamples=("The app is on the phone", "It runs on Linux?"),
    ),
    Pattern(
        name="project.built_with", predicate="built_with",
        regex=(
            rf"(?:{_THE_PIECE} (?:is|are|was|were)(?: all| mostly| entirely| now)? (?:built|written|made|implemented"
            rf"|coded|powered|developed)(?: (?:with|in|on|using|by|on top of))|(?:our|my|the) (?:tech )?stack (?:is"
            rf"|consists of|:)|{_THE_PIECE} uses|we(?:'re| are)?(?: now| currently)? (?:use|using"
            rf"|build everything with|write everything in|develop in|program in)|(?:our|the|my) (?P<subject>"
            rf"(?:frontend|backend|front-end|back-end|api|server|app)) (?:is|runs on)(?: plain| pure)?) (?P<object>"
            rf"(?-i:[A-Z])[\w.+#-]{{1,30}}(?: \d[\w.]{{0,8}})?(?:(?:,| and|, and|/| with| on|) "
            rf"(?-i:[A-Z])[\w.+#-]{{1,30}}){{0,5}}|c\+\+|c#|python|rust|go|golang|typescript|javascript|java|kotlin"
            rf"|swift|php|ruby|elixir|react|vue|svelte\w*|angular|django|flask|fastapi|rails|laravel|next\.?js"
            rf"|postgres\w*|mysql|mongo\w*|redis)(?! (?:error|exception|version))(?=[.!,]*$|[,.!;]| (?:and|for|with"
            rf"|on|in|as|because|but|so|everywhere))"
        ),
        subject=PROJECT,
        examples=(("our frontend is built with SvelteKit and the backend is plain Go", "frontend | SvelteKit"), ("We use Postgres for everything", "project | Postgres")),
        counterexamples=("The function uses Python here?", "Python was created by Guido van Rossum.", "We use it everywhere"),
    ),
    Pattern(
        name="project.state", predicate="project_state",
        whole=True,
        regex=(
            rf"(?!(?:dinner|lunch|food|breakfast|everything|everyone|nothing|laundry|work|school)\b)(?:{_THE_PIECE}|"
            rf"(?P<subject>(?:phase|sprint|milestone|stage|part|epic) (?:\w+)))(?: is| are|'s| was| has been| is now"
            rf"| went| got)(?: now| finally| currently| still| already| officially| about)? (?P<object>{_STATE})"
        ),
        subject=PROJECT,
        examples=(("Atlas is in beta now.", "Atlas | in beta"), ("Quick update: the payments rewrite is finished and went live on Monday.", "payments rewrite | finished")),
        counterexamples=("Dinner is done", "The test is done", "I am on hold", "He is done"),
    ),
    Pattern(
        name="project.put_on_hold", predicate="project_state", object="on hold",
        regex=(
            r"(?:we|I)(?:'ve| have)?(?: just| now)? (?:put|placed) (?:the |our |my )?"
            r"(?P<subject>[\w][\w .'-]{1,40}?) on (?:hold|ice|pause)\b"
        ),
        subject=PROJECT,
        examples=(("We've put the iOS app on hold until the new designer starts.", "iOS app | on hold"),),
        counterexamples=("We put the caller on speaker",),
    ),
    Pattern(
        name="project.shipped", predicate="project_state",
        regex=(
            rf"(?:we|I)(?:'ve| have)?(?: just| finally)? (?P<object>(?:shipped|released|launched|open-sourced"
            rf"|deprecated|archived|sunset|finished|paused|cancelled|canceled|rolled out|rolled back) (?:the |our "
            rf"|my |version |v)?(?:[\w.-]+ ){{0,4}}?(?:{_PIECE}|v?\d+\.\d[\w.]*)\b[^\n.!?,]{{0,60}})"
        ),
        subject=PROJECT,
        examples=(("We released version 2.0 yesterday", "project | released version 2.0 yesterday"), ("We launched the new dashboard", "project | launched the new dashboard")),
        counterexamples=("I finished the test", "I paused the video"),
    ),
    Pattern(
        name="project.moved", predicate="deployed_on", stance=Stance.CORRECT,
        regex=(
            rf"(?:(?:our|the|my) (?P<subject>(?:[\w.-]+ ){{0,3}}{_PIECE})(?: has| was| is| got)?(?: been"
            rf"| being)? (?:moved|migrated|switched|ported|transferred)"
            rf"(?: over)?(?: from [\w.-]{{2,30}})? to|we(?:'ve| have)?(?: just)? (?:moved(?= (?:the|our) )"
            rf"|migrated|switched|ported)"
            rf"(?: (?:the |our )?(?P<subject>(?:[\w.-]+ ){{0,2}}{_PIECE}))?(?: over)?(?: from [\w.-]{{2,30}})? to) "
            rf"(?P<object>(?!(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|january|february|march|april|june"
            rf"|july)(?-i:[A-Z])[\w.+#-]{{1,30}}(?: (?-i:[A-Z0-9])[\w.+#-]{{1,30}}){{0,3}})(?! last (?:month"
            rf"|year|week))(?=[.!,]*$|[,.!;]| (?:and|for|with|on|because|but|so|in|from|yesterday|today|this|last))"
        ),
        subject=PROJECT,
        examples=(("The repo moved from GitLab to Codeberg", "repo | Codeberg"), ("We migrated the database to Postgres", "database | Postgres")),
        counterexamples=("The function moved to utils.py",),
    ),
    Pattern(
        name="project.launches", predicate="deadline", subject=PROJECT,
        regex=(
            rf"(?!(?:school|class|college|work|summer|winter|christmas|dinner|lunch|university|ramadan|lent|the "
            rf"(?:train|bus|flight|plane|show|movie|game|concert))\b)(?:{_THE_PIECE}|project (?P<subject>{NAME})|"
            rf"(?P<subject>(?:sprint|phase|milestone) \w+)) (?:launches|ships|releases|goes live|starts|ends|is due"
            rf"|will (?:launch|ship|go live|be released)|is (?:scheduled|planned) (?:to (?:launch|ship|go live)|for))"
            rf"(?: on| in| by| at| for)? (?P<object>(?=[^\n]{{0,40}}(?:\d|monday|tuesday|wednesday|thursday|friday"
            rf"|tomorrow|week|month|january|february|march|april|may|june|july|august|september|october|november"
            rf"|december|q[1-4]|spring|summer|autumn|fall|winter))[^\n.!?,]{{2,50}})"
        ),
        examples=(("Project Falcon launches on 1 June.", "Falcon | 1 June"),),
        counterexamples=("The app launches a browser",),
    ),
    Pattern(
        name="project.behind", predicate="project_state", subject=PROJECT,
        regex=(
            r"we(?:'re| are) (?P<object>(?:(?:about )?[\w-]+ (?:days?|weeks?|months?) )?(?:behind schedule"
            r"|ahead of schedule|on track|over budget|in (?:alpha|beta|production|code freeze|crunch)"
            r"|feature[- ]complete|code[- ]frozen|live|in the (?:testing|design|planning|final) phase|at \d+ ?(?:%"
            r"|percent)))\b(?: (?:on|with|for) (?P<subject>[\w][\w -]{1,30}))?"
        ),
        examples=(("We're three weeks behind schedule on Orion", "Orion | three weeks behind schedule"),),
        counterexamples=("We're behind you",),
    ),
    Pattern(
        name="project.server_at", predicate="located_in", subject=PROJECT,
        regex=(
            r"(?:our|the|my) (?P<subject>(?:[\w-]+ ){0,2}(?:server|instance|dashboard|wiki|docs|documentation|repo"
            r"|repository|registry|database|cluster|bucket|board|tracker|drive|grafana|jenkins|ci)) (?:is|are|lives"
            r"|sits|runs|can be found)(?: now| hosted)? (?:at|on|under) (?P<object>(?:https?://)?[\w-]{1,60}"
            r"(?:\.[\w-]{1,60}){1,5}(?::\d{2,5})?(?:/[^\s,;]{0,100})?)(?!\.(?:py|js|ts)\b)"
        ),
        examples=(("The staging server is at staging.acme.example", "staging server | staging.acme.example"),),
        counterexamples=("The server is at fault",),
    ),
    Pattern(
        name="project.pushed", predicate="deadline", stance=Stance.CORRECT, subject=PROJECT,
        regex=(
            rf"we(?:'ve| have)?(?: just| now)? (?:pushed|moved|postponed|delayed|rescheduled|brought)(?: back"
            rf"| forward)? (?:the |our )(?P<subject>(?:[\w.-]+ ){{0,3}}(?:{_PIECE}|deadline|launch|release date))"
            rf"(?: back| forward)? (?:to|until|till|by) (?P<object>(?=[^\n]{{0,40}}(?:\d|monday|tuesday|wednesday"
            rf"|thursday|friday|week|month|january|february|march|april|may|june|july|august|september|october"
            rf"|november|december|q[1-4]|spring|summer|autumn|fall|winter))[^\n.!?,]{{2,50}})"
        ),
        examples=(("We pushed the release to October.", "release | October"),),
        counterexamples=("We pushed the branch to origin",),
    ),
    Pattern(
        name="project.called", predicate="project_state",
        regex=(
            r"(?:my|our)(?: new| current| side| main| open[- ]source| pet| hobby| thesis)* (?:project|app|startup"
            r"|company|product|game|repo|library)(?: is|'s)? (?:called|named) "
            r"(?P<object>[\"“]?[\w][\w .'-]{1,40}?[\"”]?)(?=[.!,]*$|[,.!;]| and | which | that )|I'm (?:building"
            r"|developing|creating|making) (?P<object>(?:an? )(?:[\w-]+ ){0,4}(?:app|game|startup|platform|product"
            r"|saas|compiler|engine|tool)\b[^\n.!?,]{0,60})"
        ),
        examples=(("My side project is called Heron", "Heron"), ("I'm building a note-taking app for nurses", "note-taking app for nurses")),
        counterexamples=("my test is called test_roundtrip", "The function is called parse_header"),
    ),
)
