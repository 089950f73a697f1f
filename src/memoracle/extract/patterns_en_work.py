"""English: how to reach somebody, and the state of projects."""

from __future__ import annotations

from memoracle.extract.pattern import PROJECT, Pattern
from memoracle.extract.pieces_en import KIN, NAME
from memoracle.model.claim import Stance

_WHOSE = rf"(?:my|our|the|(?P<subject>(?:my|our) {KIN}|{NAME})'s)"
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,40}){1,5}"
_PHONE = r"\+?\(?\d[\d() .-]{5,18}\d"
_URL = r"(?:https?://)?(?:www\.)?[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}(?:/[^\s,;]{0,100})?"
_PIECE = r"(?:project|app|application|frontend|front-end|backend|back-end|api|service|site|website|server|database|db|repo|repository|codebase|pipeline|stack|product|platform|dashboard|library|cli|mobile app|ios app|android app|monorepo|infra|infrastructure|staging|production|rewrite|migration|release|rollout|beta|feature|integration|module|mvp|prototype|game|bot|plugin|extension|refactor|redesign|launch|thesis|book)"
_THE_PIECE = rf"(?:(?:our|the|my) (?P<subject>(?:[\w.-]+ ){{0,3}}{_PIECE})|(?:project )?(?P<subject>{NAME}))"
_STATE = r"(?:(?:in|now in|still in|currently in|entering) (?:beta|alpha|production|development|review|qa|maintenance mode|closed beta|open beta|staging|early access|private beta|public beta|testing)|on hold|paused|blocked(?: (?:on|by) [^\n.!?]{2,60})?|(?:finished|done|complete|completed|shipped|released|launched|live|cancelled|canceled|delayed|deprecated|archived|abandoned|frozen|behind schedule|on track|ahead of schedule|feature[- ]complete|open source|open-sourced|merged)(?= (?:and|now|on|since|until|by|at|as|with|in|after)\b|[.!,;]|$)|(?:at|on) (?:version |v)\d[\w.]{0,12}|about (?:\d+|half|\w+) ?(?:%|percent)? (?:done|finished|complete)|\d+ ?(?:%|percent) (?:done|finished|complete)|delayed (?:until|to|by) [^\n.!?]{2,40})"

PATTERNS: tuple[Pattern, ...] = (
    # contact
    Pattern(
        name="contact.email", predicate="email",
        regex=rf"(?:{_WHOSE}(?: new| work| personal| private| main| current| business| university)*(?: e-?mail)(?: address)?(?: is|'s|:| (?:has )?changed to| was changed to)(?: now)?|(?:you can )?(?:reach|e-?mail|contact|write(?: to)?) me (?:at|on|via)|(?:write|e-?mail|mail) me:?) (?P<object>{_MAIL})",
        label_free=True,
        examples=(("My email is t.vandervelde@example.org.", "t.vandervelde@example.org"), ("Joanna's email is joanna@kettle.example, she does the invoices.", "Joanna | joanna@kettle.example")),
        counterexamples=("Add a user with the email alice@example.com", "The email field is empty"),
    ),
    Pattern(
        name="contact.new_number", predicate="phone", stance=Stance.CORRECT,
        regex=rf"(?:I've got|I have|I got|here's|this is) (?:my |a )?new (?:phone |mobile |cell )?number(?: is|,|:)? (?P<object>{_PHONE})|my new (?:phone |mobile |cell |work )?(?:number|phone)(?: is|'s|:) (?P<object>{_PHONE})",
        examples=(("I've got a new number: 555-0199, the old one is dead.", "555-0199"),),
        counterexamples=("I've got a new number of tests: 12",),
    ),
    Pattern(
        name="contact.phone", predicate="phone",
        regex=rf"(?:{_WHOSE}(?: new| work| home| personal| private| mobile| cell| office| current)*(?: phone number| mobile number| cell number| phone| number| mobile| cell| telephone| whatsapp)(?: is|'s|:)(?: now)?|(?:you can )?(?:reach|call|ring|text|phone|message) me (?:at|on|under|via)(?: (?:signal|whatsapp|telegram|my (?:cell|mobile|phone)))?:?|{_WHOSE} (?:new |mobile |cell |phone )*(?:number|phone|mobile|cell) (?:has )?changed to) (?P<object>{_PHONE})(?!\w|\.\d)",
        label_free=True,
        examples=(("you can reach me at +44 7700 900456", "+44 7700 900456"), ("My phone number is 555-0100", "555-0100")),
        counterexamples=("My number is 5", "call me at 5"),
    ),
    Pattern(
        name="contact.handle", predicate="handle",
        regex=r"(?:(?:my|our) (?P<about>github|twitter|x|instagram|insta|mastodon|discord|telegram|bluesky|linkedin|reddit|gitlab|slack|steam|twitch|youtube|tiktok|signal|wechat|skype|codeberg|huggingface|stack ?overflow|npm|pypi|threads)(?: handle| username| user ?name| account| user| id| name| profile| channel)?(?: is|'s|:)(?: called)?|(?:my|our) (?:user ?name|handle|nick)(?: (?:on|for) (?P<about>[\w ]{2,20}))?(?: is|'s|:)) (?P<object>@?[\w][\w.#/-]{1,60})(?! (?:broken|not|down|private|slow|suspended))(?=[\s.,!]*$|[,.!;]| and | but | if | on )",
        examples=(("my github handle is quietfern", "github: quietfern"),),
        counterexamples=("My username is not accepted",),
    ),
    Pattern(
        name="contact.handle_on", predicate="handle",
        regex=r"(?:I'm|I am|you(?:'ll| can) find me as|find me as|follow me(?: at| as)?) (?P<object>@[\w][\w.-]{1,40}|(?<=as )[\w][\w.-]{1,40}|(?<=me at )[\w][\w.-]{1,40}) on (?P<about>github|twitter|x|instagram|mastodon|discord|telegram|bluesky|linkedin|reddit|gitlab|slack|steam|twitch|youtube|tiktok|codeberg|threads)\b",
        label_free=True,
        examples=(("im @mossgarden on mastodon", "mastodon: @mossgarden"),),
        counterexamples=("I'm active on twitter?", "I'm stuck on github actions today @ work? "),
    ),
    Pattern(
        name="contact.website", predicate="website",
        regex=rf"{_WHOSE}(?: personal| company| new| own)*(?: web ?site| blog| home ?page| portfolio| web page| site| url)(?: is|'s|:)(?: now)?(?: at| here:?)? (?P<object>{_URL})",
        examples=(("Our website is https://fernandfold.example", "https://fernandfold.example"), ("My blog is at quiet.example/notes", "quiet.example/notes")),
        counterexamples=("Our website is slow", "My site is down."),
    ),
    # projects
    Pattern(
        name="project.deadline", predicate="deadline",
        regex=r"(?:(?:the|our|my) |project )(?:hard |final |new |submission |launch |release )?(?:deadline|due date|launch date|release date|go-live date)(?: (?:for|of) (?P<subject>[\w][\w .'-]{1,40}?))?(?: is|'s|:| was moved to| moved to| got moved to)(?: now| on| set for)* (?P<object>(?=[^\n]{0,40}(?:\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|week|month|january|february|march|april|may|june|july|august|september|october|november|december|christmas|q[1-4]|eod|noon))[^\n.!?,]{2,60})",
        subject=PROJECT,
        examples=(("The deadline for Project Heron is 3 May.", "Project Heron | 3 May"), ("Our deadline is next Friday", "project | next Friday")),
        counterexamples=("The deadline is tight", "What is the deadline?"),
    ),
    Pattern(
        name="project.deployed", predicate="deployed_on",
        regex=rf"(?:{_THE_PIECE} (?:(?:is|are|gets)(?: now| currently| still)? (?:deployed|hosted|running|self-hosted)(?: on| to| at| in| with)|runs(?: now)? (?:on|in)|(?<=repo )(?:lives|sits) (?:on|at)|(?<=repository )(?:lives|sits) (?:on|at))(?: the)?|we (?:deploy|host|run)(?: (?:everything|it|the \w+|our \w+))? (?:on|to|with|in)) (?P<object>fly\.io[^\n!?]{{0,40}}|(?-i:[A-Z])[^\n.!?]{{1,80}}|aws[^\n.!?]{{0,40}}|gcp|azure|heroku|vercel[^\n.!?]{{0,40}}|netlify|hetzner[^\n.!?]{{0,40}}|kubernetes|k8s|render|railway|cloudflare[^\n.!?]{{0,40}}|digital ?ocean|github pages|a (?:vps|raspberry pi|droplet|single vm|bare[- ]metal)[^\n.!?]{{0,40}})",
        subject=PROJECT,
        examples=(("The API is deployed on Fly.io in the Amsterdam region.", "API | Fly.io in the Amsterdam region"), ("We host everything on Hetzner", "project | Hetzner")),
        counterexamples=("The app is on the phone", "It runs on Linux?"),
    ),
    Pattern(
        name="project.built_with", predicate="built_with",
        regex=rf"(?:{_THE_PIECE} (?:is|are|was|were)(?: all| mostly| entirely| now)? (?:built|written|made|implemented|coded|powered|developed)(?: (?:with|in|on|using|by|on top of))|(?:our|my|the) (?:tech )?stack (?:is|consists of|:)|{_THE_PIECE} uses|we(?:'re| are)?(?: now| currently)? (?:use|using|build everything with|write everything in|develop in|program in)|(?:our|the|my) (?P<subject>(?:frontend|backend|front-end|back-end|api|server|app)) (?:is|runs on)(?: plain| pure)?) (?P<object>(?-i:[A-Z])[\w.+#-]{{1,30}}(?: \d[\w.]{{0,8}})?(?:(?:,| and|, and|/| with| on|) (?-i:[A-Z])[\w.+#-]{{1,30}}){{0,5}}|c\+\+|c#|python|rust|go|golang|typescript|javascript|java|kotlin|swift|php|ruby|elixir|react|vue|svelte\w*|angular|django|flask|fastapi|rails|laravel|next\.?js|postgres\w*|mysql|mongo\w*|redis)(?! (?:error|exception|version))(?=[.!,]*$|[,.!;]| (?:and|for|with|on|in|as|because|but|so|everywhere))",
        subject=PROJECT,
        examples=(("our frontend is built with SvelteKit and the backend is plain Go", "frontend | SvelteKit"), ("We use Postgres for everything", "project | Postgres")),
        counterexamples=("The function uses Python here?", "Python was created by Guido van Rossum.", "We use it everywhere"),
    ),
    Pattern(
        name="project.state", predicate="project_state",
        whole=True,
        regex=rf"(?!(?:dinner|lunch|food|breakfast|everything|everyone|nothing|laundry|work|school)\b)(?:{_THE_PIECE}|(?P<subject>(?:phase|sprint|milestone|stage|part|epic) (?:\w+)))(?: is| are|'s| was| has been| is now| went| got)(?: now| finally| currently| still| already| officially| about)? (?P<object>{_STATE})",
        subject=PROJECT,
        examples=(("Atlas is in beta now.", "Atlas | in beta"), ("Quick update: the payments rewrite is finished and went live on Monday.", "payments rewrite | finished")),
        counterexamples=("Dinner is done", "The test is done", "I am on hold", "He is done"),
    ),
    Pattern(
        name="project.put_on_hold", predicate="project_state", object="on hold",
        regex=r"(?:we|I)(?:'ve| have)?(?: just| now)? (?:put|placed) (?:the |our |my )?(?P<subject>[\w][\w .'-]{1,40}?) on (?:hold|ice|pause)\b",
        subject=PROJECT,
        examples=(("We've put the iOS app on hold until the new designer starts.", "iOS app | on hold"),),
        counterexamples=("We put the caller on speaker",),
    ),
    Pattern(
        name="project.shipped", predicate="project_state",
        regex=rf"(?:we|I)(?:'ve| have)?(?: just| finally)? (?P<object>(?:shipped|released|launched|open-sourced|deprecated|archived|sunset|finished|paused|cancelled|canceled|rolled out|rolled back) (?:the |our |my |version |v)?(?:[\w.-]+ ){{0,4}}?(?:{_PIECE}|v?\d+\.\d[\w.]*)\b[^\n.!?,]{{0,60}})",
        subject=PROJECT,
        examples=(("We released version 2.0 yesterday", "project | released version 2.0 yesterday"), ("We launched the new dashboard", "project | launched the new dashboard")),
        counterexamples=("I finished the test", "I paused the video"),
    ),
    Pattern(
        name="project.moved", predicate="deployed_on", stance=Stance.CORRECT,
        regex=rf"(?:{_THE_PIECE}(?: has| was| is| got)?(?: been| being)? (?:moved|migrated|switched|ported|transferred)(?: over)?(?: from [\w.-]{{2,30}})? to|we(?:'ve| have)?(?: just)? (?:moved|migrated|switched|ported)(?: (?:the |our )?(?P<subject>(?:[\w.-]+ ){{0,2}}{_PIECE}))?(?: over)?(?: from [\w.-]{{2,30}})? to) (?P<object>(?-i:[A-Z])[\w.+#-]{{1,30}}(?: (?-i:[A-Z0-9])[\w.+#-]{{1,30}}){{0,3}})(?! last (?:month|year|week))(?=[.!,]*$|[,.!;]| (?:and|for|with|on|because|but|so|in|from|yesterday|today|this))",
        subject=PROJECT,
        examples=(("The repo moved from GitLab to Codeberg", "repo | Codeberg"), ("We migrated the database to Postgres", "database | Postgres")),
        counterexamples=("The function moved to utils.py",),
    ),
    Pattern(
        name="project.launches", predicate="deadline", subject=PROJECT,
        regex=rf"(?:{_THE_PIECE}|project (?P<subject>{NAME})) (?:launches|ships|releases|goes live|starts|ends|is due|will (?:launch|ship|go live|be released)|is (?:scheduled|planned) (?:to (?:launch|ship|go live)|for))(?: on| in| by| at| for)? (?P<object>(?=[^\n]{{0,40}}(?:\d|monday|tuesday|wednesday|thursday|friday|tomorrow|week|month|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|spring|summer|autumn|fall|winter))[^\n.!?,]{{2,50}})",
        examples=(("Project Falcon launches on 1 June.", "Falcon | 1 June"),),
        counterexamples=("The app launches a browser",),
    ),
    Pattern(
        name="project.behind", predicate="project_state", subject=PROJECT,
        regex=r"we(?:'re| are) (?P<object>(?:(?:about )?[\w-]+ (?:days?|weeks?|months?) )?(?:behind schedule|ahead of schedule|on track|over budget|in (?:alpha|beta|production|code freeze|crunch)|feature[- ]complete|code[- ]frozen|live|in the (?:testing|design|planning|final) phase|at \d+ ?(?:%|percent)))\b(?: (?:on|with|for) (?P<subject>[\w][\w -]{1,30}))?",
        examples=(("We're three weeks behind schedule on Orion", "Orion | three weeks behind schedule"),),
        counterexamples=("We're behind you",),
    ),
    Pattern(
        name="project.server_at", predicate="located_in", subject=PROJECT,
        regex=r"(?:our|the|my) (?P<subject>(?:[\w-]+ ){0,2}(?:server|instance|dashboard|wiki|docs|documentation|repo|repository|registry|database|cluster|bucket|board|tracker|drive|grafana|jenkins|ci)) (?:is|are|lives|sits|runs|can be found)(?: now| hosted)? (?:at|on|under) (?P<object>(?:https?://)?[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}(?::\d{2,5})?(?:/[^\s,;]{0,100})?)(?!\.(?:py|js|ts)\b)",
        examples=(("The staging server is at staging.acme.example", "staging server | staging.acme.example"),),
        counterexamples=("The server is at fault",),
    ),
    Pattern(
        name="project.called", predicate="works_on",
        regex=r"(?:my|our)(?: new| current| side| main| open[- ]source| pet| hobby| thesis)* (?:project|app|startup|company|product|game|repo|library)(?: is|'s)? (?:called|named) (?P<object>[\"“]?[\w][\w .'-]{1,40}?[\"”]?)(?=[.!,]*$|[,.!;]| and | which | that )|I'm (?:building|developing|creating|making) (?P<object>(?:an? )(?:[\w-]+ ){0,4}(?:app|game|startup|platform|product|saas|compiler|engine|tool)\b[^\n.!?,]{0,60})",
        examples=(("My side project is called Heron", "Heron"), ("I'm building a note-taking app for nurses", "note-taking app for nurses")),
        counterexamples=("my test is called test_roundtrip", "The function is called parse_header"),
    ),
)
