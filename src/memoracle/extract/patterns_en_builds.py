"""English: how projects stand and what they are made of, said more freely. A project is software, a book or a treehouse."""

from __future__ import annotations

from memoracle.extract.pattern import PROJECT, Pattern
from memoracle.extract.pieces_en import NAME, did, doing
from memoracle.extract.words_en import TECH, TIME

_PART = (
    r"(?:front-?end|back-?end|client|web client|server|api|gateway|database|db|prod(?:uction)?(?: db)?|staging|dev|stack|tech stack|infra(?:structure)?|hosting|auth|login|ci|cd|ci/cd|pipeline|queue|jobs?|workers?|cache|sessions?|search|storage|blobs?|logging|monitoring|metrics"
    r"|docs|documentation|repo|monorepo|codebase|core|system|framework|orm|runtime|build|build system|bundler|package manager|tests?|test suite|e2e tests|styling|css|ui|state management|payments?|billing|email|analytics|warehouse|etl|training|inference|model|firmware|app"
    r"|mobile app|ios app|android app|website|site|web ?shop|shop|blog|newsletter|dashboard|admin|cms|bot|cli|library|sdk|service|microservices?|plugin|extension|game|engine|script|tool|platform|product|prototype|mvp|project|version control|deployment|deploys|releases?|licen[cs]e|domain|default branch|main branch)"
)
_WORK = (
    r"(?:app|application|front-?end|back-?end|api|service|site|website|server|database|repo|codebase|pipeline|product|platform|dashboard|library|cli|monorepo|rewrite|migration|release|rollout|beta|feature|integration|module|mvp|prototype|game|bot|plugin|extension|refactor|redesign|thesis|dissertation|book|novel|memoir"
    r"|album|ep|film|documentary|podcast|newsletter|exhibition|quilt|blanket|sweater|jumper|cardigan|renovation|refurb|remodel|kitchen|bathroom|loft(?: conversion)?|attic conversion|extension|treehouse|shed|deck|patio|pond|garden|greenhouse|allotment|boat|van(?: conversion)?|camper(?: van)?|motorbike|model railway|dollhouse|garden room"
    r"|wedding|play|musical|school play|production|choir project|community garden|food bank|fundraiser|campaign|study|paper|grant|experiment|dataset|model|survey|translation|comic|graphic novel|children's book|cookbook|family tree|scrapbook|photo book|mural|sculpture|painting|costume|cosplay|robot|drone|synth|keyboard build|home lab|home server|smart home|startup|business plan|charity run|reading club|book club|seed library|repair café|repair cafe|festival|conference|course|workshop series|port|parser|compiler|script|tool|crawler|portal|shop|web ?shop|marketplace)"
)
_SUBJECT = rf"(?:(?:the|our|my|this) (?P<subject>(?:[\w.'&/-]+ ){{0,3}}{_WORK})(?: project| update)?|(?P<subject>(?!(?-i:I|It|This|That|He|She|They|We|You|The|There|What|Python|Java|Rust|Chrome|Windows|Linux|Today|Monday|Tuesday|Wednesday|Thursday|Friday|Dinner|Lunch|Everything|Nothing|Work|School)\b)(?-i:[A-Z][a-zA-Z]{{2,15}}(?: [A-Z][a-z]{{2,15}})?|v\d[\w.]*))|^(?P<subject>(?:[\w'-]+ ){{0,2}}{_WORK}))"
_STATE = r"(?:(?:now |still |currently |back )?in (?:beta|alpha|production|development|review|qa|maintenance mode|closed beta|open beta|private beta|public beta|early access|testing|limbo|the (?:testing|design|planning|final|editing) (?:phase|stage))|on (?:hold|ice|track|schedule|pause|v?\d[\w.]*)|at (?:v(?:ersion )?\d[\w.]*|\d+ ?(?:%|percent|words|pages)|(?:chapter|page|act|row|draft) \w+|[\d,]+ words)|paused|blocked\b[^\n.!?,]{0,40}|stalled|stuck (?:at|in|on) [^\n.!?,]{3,40}|shelved|parked|cancelled|canceled|dead|scrapped|abandoned|archived|deprecated|frozen|live|online|out|feature[- ]complete|finished|complete|half[- ](?:done|finished|written|built|way)|nearly (?:done|finished|there|ready)|almost (?:done|finished|ready)|about (?:half|a third|two thirds|\d+ ?(?:%|percent))[^\n.!?,]{0,20}|halfway[^\n.!?,]{0,20}|\d+ ?(?:%|percent) [^\n.!?,]{0,15}|(?:\w+ )?(?:days?|weeks?|months?) (?:behind|late|ahead)[^\n.!?,]{0,20}|(?:a )?(?:\w+ )?(?:behind|ahead of) schedule|over budget|under budget|ready (?:for|to) [^\n.!?,]{3,30}|going live[^\n.!?,]{0,20}|being (?:rewritten|migrated|retired|phased out|ported|rebuilt)[^\n.!?,]{0,30}|open[- ]source(?:d)?|switched off[^\n.!?,]{0,30}|shut down[^\n.!?,]{0,30}|sunset\b[^\n.!?,]{0,20}|delayed\b[^\n.!?,]{0,30}|due (?:on |in |by |at )?[^\n.!?,]{3,30})"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="project.due", predicate="deadline", subject=PROJECT,
        regex=(
            rf"(?:{_SUBJECT}|we|it)(?:'s| is| has been)?(?: now| only| officially| finally)? (?:launch(?:es|ing)?|ship(?:s|ping)?|releases?|go(?:es)?(?:ing)? live|start(?:s|ing)? beta|due|has to be (?:ready|done|finished|in)|needs to be (?:ready|done|finished)|must be (?:ready|done|finished)|is (?:scheduled|planned|slated|set) (?:for|to (?:launch|ship|go live))|opens|premieres|slip(?:s|ped)|moved|submits?|freezes?|gets (?:switched off|shut down|retired|released)|will (?:launch|ship|be (?:released|ready|done)))(?: (?:on|in|by|at|for|to|until|from|out|back))*(?: the| about)? (?P<object>(?:end of |beginning of |early |late |mid-?)?(?:the )?{TIME}[^\n.!?,]{{0,30}})"
            rf"|(?:the|our|my)(?: [\w-]+){{0,2}} (?:deadline|due date|launch date|release date|go-live|cut-?off|release|launch|submission|milestone)(?: (?:for|of) [\w ]{{2,30}}?)?(?:'s| is| has)?(?: (?:now|been|got|just))*(?: (?:slipped|moved|pushed|extended|postponed|brought forward|set|due|delayed|on|for|to|until|back|at|by))+ (?P<object>(?:the )?(?:end of |early |late )?{TIME}[^\n.!?,]{{0,30}})"
        ),
        examples=(("v2 ships on the 14th.", "v2 | 14th"), ("We launch on 9 September.", "project | 9 September"), ("The deadline slipped to the end of October.", "project | end of October")),
        counterexamples=("We start on it", "The app launches a browser", "We go live"),
    ),
    Pattern(
        name="project.stands", predicate="project_state", subject=PROJECT,
        regex=(
            rf"{_SUBJECT}(?:'s| is| are| was| has been| went| got| just went| gets| finally went)(?: (?:now|finally|currently|still|already|officially|about|basically|only)){{0,2}} (?P<object>{_STATE})(?=[.!,;:]|$| (?:and|but|since|until|till|because|so|now|for|on|at|as|with|by|after)\b)"
            rf"|(?:the|our|my) (?P<subject>(?:[\w'-]+ ){{1,3}}?)(?:idea|project|plan|rewrite|migration|app|version) (?:is|'s|got|was) (?P<object>dead|cancelled|canceled|on hold|on ice|off|scrapped|shelved|finished|done|live|back on)\b|(?:we're|we are|I'm|I am)(?: now| currently| still)? (?P<object>at v?\d[\w.]*(?: in (?:prod|production|beta|staging))?|on (?:sprint|version|draft|chapter|milestone) \w+|(?:\w+ )?(?:days|weeks|months) (?:behind|ahead of) schedule|in (?:phase|sprint|stage|week) \w+ of [^\n.!?,]{{3,40}}|\d+ (?:%|percent|words|pages) (?:in|into|done|through)[^\n.!?,]{{0,30}}|halfway through (?:the|our|my) (?:[\w-]+ )?{_WORK})\b"
            rf"|{did('(?P<object>(?:entered|reached|finished|completed|hit|passed|closed|started|kicked off|wrapped up) (?:phase|milestone|sprint|stage|chapter|round|draft|version|v)[ ]?[a-z0-9.]+[^.!?,]{0,50})')}|{did('abandoned|shelved|archived|scrapped|killed|retired|deprecated|open-sourced|shut down|rewrote|ported|mothballed|resurrected|relaunched')} (?:the |our |my )(?P<object>(?:[\w.-]+ ){{0,3}}?(?:{_WORK}|version|client|port|branch|fork|idea|project|prototype)\b[^\n.!?,]{{0,40}})"
        ),
        examples=(("Tern is two weeks behind schedule.", "Tern | two weeks behind schedule"), ("The loft conversion is about half done.", "loft conversion | half done"), ("Kitchen renovation's on hold till the permit comes.", "Kitchen renovation | on hold"), ("We're at v2.3 in production right now", "project | at v2.3 in production"), ("My novel's at chapter nine.", "novel | at chapter nine")),
        counterexamples=("Dinner is done", "The build is green.", "He is done", "Everything is live"),
    ),
    Pattern(
        name="project.made_of", predicate="built_with", subject=PROJECT,
        regex=(
            rf"(?:(?:our|the|my|this|all|their|we use|its) )?(?P<subject>(?:(?!we\b|it\b|I\b)[\w.'-]+ ){{0,3}}(?:{_PART}|{_WORK})|(?:project )?(?!(?-i:I|It|This|That|He|She|They|We|You|There|What|Next|Python|Flutter|Django|Rails|React)\b)(?-i:[A-Z][a-z]{{2,14}}))(?: code| layer| side| part| tests)?"
            rf"(?:(?=(?:'s| is| are| was) {TECH})(?:'s| is| are| was)|(?:'s| is| are| was)?(?: (?:now|still|all|mostly|entirely|currently|just|plain|pure|simply|always|actually|only|kept|stored|made|built|written|hosted|deployed|run|running|done|handled|coded|implemented|powered|generated|managed|set up|an?|in|on|with|by|using|via|through|from|over|uses?|runs?|lives?|sits?|goes|go|gets|speaks|needs|relies|depends|consists of|talks to|stands|at|top|of|to|our|own|small|single|self-hosted|vanilla|strict)){{1,7}}) (?P<object>{TECH}(?:[^\n.!?]{{0,60}}))"
            rf"|(?:prod |staging |main |our |the )?(?P<subject>{_PART}|{NAME})\s?:\s?(?P<object>{TECH}[^\n!?]{{0,80}})|it's (?P<object>(?:an? )?{TECH} (?:on|with|and|app|under|behind|plus) [^\n.!?]{{2,50}})"
        ),
        examples=(("training code uses PyTorch Lightning", "training | PyTorch Lightning"), ("auth is keycloak behind traefik, always has been", "auth | keycloak behind traefik"), ("Prod DB: Postgres 16 on RDS, eu-central-1.", "DB | Postgres 16 on RDS"), ("Larkspur is an Elixir app with LiveView.", "Larkspur | Elixir app with LiveView"), ("Staging lives on a Hetzner box in Falkenstein.", "Staging | Hetzner box in Falkenstein")),
        counterexamples=("What's the API written in?", "We use it everywhere", "The site is down"),
    ),
    Pattern(
        name="project.we_use", predicate="built_with", subject=PROJECT,
        regex=(
            rf"(?:we|our team|the team)(?:'re| are|'ve| have)?(?: now| currently| still| mostly| all| always| just)* (?:use|using|run|running|deploy(?: to| on| with)?|host(?: on)?|build with|write(?: everything)? in|develop in|test with|ship with|chose|picked|rely on|depend on|standardi[sz]ed on|moved to|switched to|migrated to|adopted)(?: everything| it all)?(?: on| in| with| to)? (?P<object>{TECH}(?: (?:for|with|on|as|and|in|behind|plus)\b[^\n.!?]{{2,60}})?)(?=[.!,;]|$)"
            rf"|(?:in|for) (?:this|our|the) (?:repo|project|codebase|monorepo|team)(?:,)? (?:you|we|everyone|one) (?P<object>(?:starts?|runs?|builds?|deploys?|tests?|uses?|formats?|lints?|releases?) (?!it\b|this)[^\n.!?]{{4,80}})|(?:our|the|my) (?P<about>(?:default |main |release |production )branch|licen[cs]e(?: of \w+)?|minimum \w+ version|test command|style guide|linter|formatter|ticket prefix|coding style|branching model|release cadence|(?:package|module) name|port) (?:is|'s|are) (?P<object>(?!(?:broken|missing|not|wrong|\w+ing|out|behind|ahead|protected|gone|too|a mess|unclear|expired|closed|open|blocked|in use|taken)\b)[\w@/.+-][^\n.!?,]{{1,40}})|(?P<subject>specs?|docs|designs?|migrations|tests|fixtures|secrets|configs?|adrs?|runbooks?|assets|translations) (?:are|is|live|lives|get|go|goes)(?: all| always)? (?:kept|stored|documented|in|under|into)(?: in| under)? (?P<object>(?:the )?[\w./-]+ (?:folder|directory|repo|bucket|vault|wiki|branch)\b[^\n.!?]{{0,40}})"
        ),
        examples=(("We chose Kotlin Multiplatform for the shared code.", "project | Kotlin Multiplatform for the shared code"), ("Our default branch is develop.", "project | default branch: develop"), ("Specs are kept in the docs folder, one per feature.", "Specs | docs folder"), ("In this repo you start everything with make dev.", "project | start everything with make dev")),
        counterexamples=("We use it everywhere", "The port is closed", "Our main branch is broken"),
    ),
    Pattern(
        name="project.figures", predicate="project_state", subject=PROJECT,
        regex=rf"{_SUBJECT}(?:,[^,\n]{{3,40}},)? (?:now |currently |already |still )?(?P<object>(?:has|have|serves|handles|indexes|processes|counts|gets|costs|reached|hit|passed|budget is|supports|covers|runs to) (?:about |around |over |roughly |some |nearly |almost |more than |only |just )*(?:\d[\d,.]*k?|two|three|four|five|six|seven|eight|nine|ten|a dozen|\w+ (?:hundred|thousand|million)) ?(?:daily |monthly |active |paying |beta |registered |open |weekly )*(?:users|customers|downloads|stars|contributors|documents|requests|orders|subscribers|tenants|installs|words|pages|chapters|members|volunteers|clients|players|sites|rows|records|languages|countries|gb|tb|euros?|pounds|dollars|million|thousand|k)\b[^\n.!?,]{{0,30}})|(?:the|our|my)? ?(?P<subject>(?:[\w'-]+ ){{0,2}}(?:wedding|project|renovation|kitchen|party|trip|film|launch|marketing|production|build)) (?P<object>budget(?: is|'s|:) \W?\d[^\n!?]{{1,50}})",
        examples=(("The app has about 3,000 daily users.", "app | has about 3,000 daily users"), ("Wedding budget is 9,000 all in, half already spent.", "Wedding | budget is 9,000 all in")),
        counterexamples=("The page has two columns", "The app has a bug"),
    ),
    Pattern(
        name="project.making", predicate="project_state", subject=PROJECT,
        regex=(
            rf"(?:{doing('building|making|writing|developing|creating|knitting|crocheting|sewing|quilting|restoring|renovating|converting|refurbishing|recording|filming|directing|producing|illustrating|translating|composing|designing|prototyping|hacking on|working on|setting up|organising|organizing|restoring|rebuilding|coding|putting together|doing up|planting|curating|editing|self-publishing')}|{did('set up|started|built|made|wrote|founded|launched|created|published')})(?: together)? (?P<object>(?:an? |my |our |the |another |my own |some )(?!(?:thesis|dissertation|bug|fix|mistake|function|test|class|list|query|regex|file|folder|branch|ticket|issue|cup|pot|sandwich|cake|dinner|call|note|mess|habit|point|server again|server twice|wrong)\b)(?:[\w'-]+ ){{0,4}}?{_WORK}\b(?! (?:error|bug|crash|again|twice|call|review|now\?))[^\n.!?,]{{0,70}})"
            rf"|(?:the|our|my) (?P<subject>(?:[\w'&-]+ ){{0,3}}(?:project|app|tool|start-?up|product|game|library|podcast|band|newsletter|boat|blog|play|book|novel|shop|café|cafe|zine|channel))(?: (?:this|next) year)?(?: is| was|'s| got| will be)(?: now| finally| going to be)? (?:called|named|titled|known as|renamed(?: to)?|codenamed) (?P<object>[\w][\w .'&-]{{1,40}})|(?:the|our|my) (?P<subject>(?:[\w-]+ ){{0,2}}(?:project|app|tool|start-?up|game|band|podcast|book|novel)) (?:finally |now )?has a (?:new )?(?:name|title)\s?[:,]\s?(?P<object>[\w][\w .'&-]{{1,40}})|(?:my|our) (?P<subject>thesis|dissertation|phd|paper|book|novel|research|documentary|podcast|talk) (?:is|'s|will be) (?:on|about) (?P<object>(?!(?:hold|track|fire|time|the (?:table|desk|laptop)|to|half|\d)\b)[^\n.!?]{{4,80}})|(?P<subject>(?:[\w'-]+ ){{0,2}}{_WORK}) (?:update|status|progress)\s?[:,]\s?(?P<object>[^\n]{{5,100}})"
        ),
        examples=(("I'm making a patchwork quilt for my granddaughter, needs to be ready by June.", "project | patchwork quilt for my granddaughter"), ("My thesis is on school meals in postwar Scotland.", "thesis | school meals in postwar Scotland"), ("The side project finally has a name: Kestrel.", "side project | Kestrel"), ("treehouse update: platform's up, walls next month", "treehouse | platform's up")),
        counterexamples=("I'm making a cup of tea", "I started the server twice by accident.", "The function is called parse", "I'm writing a test"),
    ),
)
