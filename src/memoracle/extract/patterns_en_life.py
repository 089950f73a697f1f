"""English: people and animals in somebody's life, work, education, places, and what they own and use."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, I_AM, I_HAVE, KIN, LOOSE_NAME, NAME, FOLKS, TITLED, am, who
from memoracle.model.claim import Stance

_JOB = (
    r"(?:(?:[a-z][\w-]{1,20} ){0,3}(?:engineer|developer|programmer|designer|nurse|doctor|physician|surgeon|dentist|vet|veterinarian|teacher|professor|lecturer|tutor|researcher|scientist|analyst|consultant|manager|director|architect|accountant|lawyer|attorney|paralegal|judge|chef|cook|baker|barista|waiter|waitress|bartender|journalist|writer|author|editor|translator|interpreter|photographer|artist|musician|pianist|composer|singer|actor|actress|dancer"
    r"|pilot|driver|mechanic|electrician|plumber|carpenter|farmer|gardener|florist|librarian|pharmacist|therapist|psychologist|psychiatrist|physio|physiotherapist|midwife|paramedic|firefighter|police officer|soldier|sailor|officer|economist|statistician|mathematician|physicist|chemist|biologist|geologist|historian|philosopher|linguist|astronomer|banker|trader|broker|auditor|realtor|agent|salesperson|cashier|clerk|secretary|administrator|sysadmin|admin|dba|devops|sre"
    r"|freelancer|contractor|entrepreneur|founder|co-?founder|ceo|cto|cfo|coo|vp|head|owner|partner|product owner|scrum master|tester|qa|marketer|recruiter|specialist|technician|operator|welder|tailor|hairdresser|barber|coach|trainer|instructor|social worker|nanny|babysitter|cleaner|janitor|receptionist|intern|apprentice|postdoc|retiree|stay-at-home (?:mom|dad|parent|mum)|homemaker|housewife|beekeeper|brewer|jeweller|potter|curator|archivist|diplomat|politician|priest|pastor|monk|notary|surveyor|urban planner|data scientist|blogger|youtuber|streamer|podcaster|game dev|dev|coder|swe|pm))"
)
_JOB_TAIL = r"(?=[.!,]*$|[,.!;]| (?:at|in|of|to|when|turned|for|and|but|by|with|from|who|now|here|working|so|specialized|specialising|specializing|these|since|based|on|myself|as) ?)"
_ORG = r"(?P<object>(?:the |an? )?(?:(?-i:[A-Z][\w&.'-]{0,30})(?: (?:(?:of|and|de|for|&) )?(?-i:[A-Z0-9][\w&.'-]{0,30})){0,5}|(?:small |local |big |large |tiny |startup |\w+ ){0,3}(?:startup|company|bank|hospital|university|school|agency|firm|studio|lab|council|government|nonprofit|ngo|clinic|bakery|restaurant|library|museum|airline|factory|start-up|ministry|charity|law firm|city council|shop|store|bookstore|bookshop|hotel|newspaper|magazine|institute|foundation)(?: (?:called|named) (?-i:[A-Z])[\w&.'-]{0,30}(?: (?-i:[A-Z])[\w&.'-]{0,30}){0,3})?|google|microsoft|amazon|apple|facebook|meta|netflix|ibm|intel|nvidia|oracle|siemens|bosch|openai|tesla|spotify|uber|stripe|shopify|airbnb))"
_PLACE = r"(?P<object>(?:the |an? )?(?:(?:small |little |tiny |quiet |suburb |suburbs |new |bigger |smaller |old |\w+-bedroom |tiny |big )*(?:village|town|city|suburbs?|countryside|farm|flat|apartment|house|cabin|neighbou?rhood|area|north|south|east|west|part|place|studio)(?: (?:near|outside|in|of|close to|just outside|called|with|by|on) [^.!?,]{2,40})?|(?-i:[A-Z])[^\s.!?,;]{1,30}(?:(?:,? (?:(?:of|de|am|upon|and|near|in|the) )?)(?-i:[A-Z])[^\s.!?,;]{1,30}){0,4}|(?-i:[a-z]{3,20})(?=[.!,]*$|,| now| and | with | since| for| atm)|[^\x00-\x7f]{2,12}))(?! (?:mode|branch|page|menu))"
_NOT_PLACE = r"(?!the (?:moment|middle|past|future|same|settings|file|repo|code|terminal|browser|office|meeting|loop|process|browser|world|dark|scheduler|shell|cloud|zone|weeds|same|src|lib|root|tests?)|a (?:loop|meeting|world|simulation|hurry|bubble)|fear|hope|peace|constant|this|that|my|your|there|here|terminal|debug|dark|charge|trouble|progress|general|particular|production|staging|it\b)"
_GADGET = (
    r"(?:(?:[\w.+'/-]+ ){0,4}(?:car|bike|bicycle|motorbike|motorcycle|scooter|truck|van|boat|yacht|laptop|macbook(?: (?:pro|air))?|thinkpad|mac mini|imac|pc|computer|desktop|phone|iphone|android|pixel|tablet|ipad|kindle|camera|lens|printer|router|nas|server|raspberry pi|watch|headphones|keyboard|monitor|guitar|piano|violin|cello|drum kit|telescope|drone|tv|projector|console|playstation|ps5|xbox|switch|house|apartment|flat|condo|cabin|cottage|farm|garden|allotment|studio|villa|caravan|rv|camper|tent|kayak|surfboard|skis|sewing machine|3d printer|espresso machine|oven|grill|bakery|shop|business|company|tesla|toyota|honda|skoda|bmw|audi|ford|volkswagen|vw|mercedes|subaru|mazda|volvo|gpu|rtx ?\d{4}\w*|steam deck|oculus|turntable|vineyard|greenhouse)\b(?: [\w.+/-]+){0,6})"
)
_TOOLS = r"(?:neovim|vim|emacs|vs ?code|visual studio code|pycharm|intellij|sublime|cursor|zed|helix|xcode|android studio|jupyter|obsidian|notion|linux|ubuntu|fedora|arch|debian|windows|macos|nixos|mint|manjaro|firefox|chrome|brave|safari|tmux|zsh|fish|bash|git|docker|podman|poetry|uv|pnpm|yarn|npm|bun|deno|postgres|mysql|sqlite|slack|discord|telegram|signal|whatsapp|outlook|gmail|fastmail|protonmail|1password|bitwarden|todoist|trello|jira|linear|figma|photoshop|lightroom|blender|ableton|spotify|an? (?:iphone|android|mac|pc|pixel|thinkpad|macbook|kindle|dvorak|colemak|mechanical|standing|split|vertical)[^.!?,]{0,40})"

PATTERNS: tuple[Pattern, ...] = (
    # relationships
    Pattern(
        name="relationship.name_is", predicate="",
        regex=rf"(?:my|our) (?P<role>{KIN})(?:'s name(?: is|'s)| is (?:called|named)|'s called|'s name's|, who is called|, called|, named| (?:is|was)(?= (?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?:[.!,]*$|,| and (?:he|she|they|I))(?<!an)(?<!ish)(?<!ese))) (?:is )?(?P<object>{TITLED}|{LOOSE_NAME})(?! (?:and|or) \w+ing)",
        examples=(("My wife's name is Ingrid.", "Ingrid"), ("my boss is called Farah and she wants the report", "Farah"), ("My sister is Anna", "Anna")),
        counterexamples=("My wife's name is on the form", "My boss is calling me", "My wife is German"),
    ),
    Pattern(
        name="relationship.names_are", predicate="",
        regex=rf"(?:(?:my|our) (?P<role>{KIN}s?)(?: are|' names are|'s names are|s' names are)(?: called| named)?|(?:{I_HAVE}|we have|we've got|(?:I|we)(?: just| recently|'ve| have)? (?:adopted|got|bought|rescued))(?: also)? (?:an? |two |three |four |five |\d )?(?:\w+ )?(?P<role>{KIN}s?|kids|children),?(?: (?:called|named|and (?:his|her|its|their) names? (?:is|are)|whose names? (?:is|are)))?) (?P<object>{NAME}(?:(?:,| and|, and) {NAME}){{0,4}})(?=[.!,]*$|[,.!;]| (?:who|and|is|are|he|she|they|in|at))",
        examples=(("I have two kids, Leo and Mathilda.", "Leo and Mathilda"), ("I have a dog named Biscuit", "Biscuit"), ("I have a sister called Ruth, she is a nurse", "Ruth")),
        counterexamples=("I have two files open and neither compiles.", "I have two cats",),
    ),
    Pattern(
        name="relationship.my_name", predicate="", any_where=True,
        regex=rf"\b(?:my|our) (?P<role>{KIN}),? (?P<object>(?!is\b|was\b|and\b|I\b|has\b|in\b)(?-i:[A-Z][a-zà-ÿ-]{{1,20}})(?: (?-i:[A-Z][a-zà-ÿ-]{{1,20}})){{0,2}})(?!'s (?:blog|friend))(?=[.!,]*$|[,.!;)]| [a-z])",
        examples=(("My brother Anselm works at Siemens in Munich.", "Anselm"), ("Our dog Biscuit just turned four!", "Biscuit"), ("We visited my sister Anna last week", "Anna")),
        counterexamples=("My friend I met there", "My dog is fine", "my boss Is angry"),
    ),
    Pattern(
        name="relationship.my_small_name", predicate="",
        regex=rf"(?:my|our) (?P<role>{KIN}) (?P<object>(?!food|name|age|life|job|house|car|work|school|company|phone|email|account|birthday|who|that|which|also|now|still|just|never|always|really|said|says|and|but|has|was|does|did|will|can|had|are|recently|currently)(?-i:[a-z]{{3,12}})) (?:is|was|has|just|will|and I)\b(?<!who is)(?<!that is)(?<!which is)(?<!also is)(?<!now is)(?<!still is)(?<!just is)",
        examples=(("my girlfriend noor is coming over tonight", "noor"),),
        counterexamples=("my wife is coming over", "my boss also is angry", "my dog food is empty"),
    ),
    Pattern(
        name="relationship.is_my", predicate="",
        regex=rf"(?P<object>{NAME})(?: is|'s| was)(?: also| actually| now)? (?:my|our) (?:new |dear |best |old )?(?P<role>{KIN})(?=[.!,]*$|[,.!;]| and | but | at | from | in | who | not )",
        examples=(("Karim is my business partner, not my cousin.", "Karim"), ("Anna is my sister", "Anna")),
        counterexamples=("This is my dog", "Who is my manager"),
    ),
    Pattern(
        name="relationship.status", predicate="marital_status", importance=0.8,
        regex=rf"(?:{I_AM}|I've been|we're|we are|{FOLKS} (?:is|are|got)){ADVERBS}(?: happily| recently| newly)? (?P<object>married|divorced|engaged|single|widowed|separated|in a relationship)\b(?=[.!,]*$|[,.!;]| (?:to|with|for|and|but|at|since|now|again|so))(?! with (?:this|the|work))",
        examples=(("I'm married", "married"), ("I'm single at the moment, so a table for one is fine.", "single")),
        counterexamples=("I'm single-threading this", "I'm separated from the repo by VPN"),
    ),
    Pattern(
        name="relationship.event", predicate="marital_status", stance=Stance.CORRECT, importance=0.8,
        regex=r"(?:(?:I|we)(?: just| recently|'ve just| have just)? got (?P<object>married|divorced|engaged|separated)|(?:I|we) (?:just |recently )?(?P<object>broke up|split up)(?= with|[.!,]|$| last| in ))",
        objects={"broke up": "single", "split up": "single"},
        examples=(("I got divorced last year.", "divorced"), ("We got married in June", "married")),
        counterexamples=("I got the answer",),
    ),
    Pattern(
        name="relationship.count", predicate="",
        regex=rf"(?:{I_HAVE}|we have|we've got)(?: also)? (?P<object>(?:an? |one |two |three |four |five |six |\d )(?:(?:older|younger|little|big|twin|young|small|baby|adopted|teenage|grown|\d-year-old|\w+-year-old|rescue|black|white|old) )?(?P<role>{KIN}s?|kids|children)(?: and (?:an? |one |two |three |\d )(?:\w+ )?(?:{KIN}s?|kids))?)(?=[.!,]*$|[,.!;]| (?:and|who|at|in|but|also|so|aged|of|from|with|now))",
        examples=(("i have three cats", "three cats"), ("I have a younger brother", "younger brother"), ("We have two kids", "two kids")),
        counterexamples=("I have two files open", "I have a child process", "I have a partner API key"),
    ),
    # work
    Pattern(
        name="work.left", predicate="works_at", stance=Stance.DENY, importance=0.8,
        regex=rf"(?:I (?:no longer|don't|do not) work (?:at|for)|I (?:left|quit|resigned from|stopped working (?:at|for)|got (?:fired|laid off) (?:from|by|at)|was (?:fired|laid off) (?:from|by|at)|retired from)|I'm (?:no longer|not) (?:at|with|working (?:at|for))|I used to work (?:at|for)) (?:my (?:job|position|role) at )?{_ORG}(?: any ?more)?",
        examples=(("I no longer work for the city council.", "city council"), ("I quit Google last month", "Google"), ("I left Siemens in May", "Siemens")),
        counterexamples=("I left the file open", "I quit the app", "I no longer work on weekends"),
    ),
    Pattern(
        name="work.new", predicate="works_at", stance=Stance.CORRECT, importance=0.8,
        regex=rf"(?:(?:I|I've|I have)(?: just| recently)? (?:joined|started (?:working )?at|started a new job at|got a (?:new )?job at|moved to (?=[^.]{{2,30}} as an?\b)|switched jobs? to|changed jobs? to|got hired (?:by|at)|been hired (?:by|at)|accepted (?:an offer|a job) (?:from|at))|now I'm (?:at|with)|now I work (?:at|for)|I now work (?:at|for)|I'm now (?:at|working (?:at|for)|with)|I'm starting (?:a new job )?at|(?<=now )I'm (?:at|with)) {_ORG}(?! (?:call|meeting|channel|server|project))",
        examples=(("I just joined Siemens", "Siemens"), ("I left Google, now I'm at Ferngrove", "Ferngrove"), ("I started working at a bakery", "bakery")),
        counterexamples=("I joined the call", "I started at the top of the list"),
    ),
    Pattern(
        name="work.employer", predicate="works_at",
        regex=rf"(?:{who('(?:work|am working|am employed|have worked|have been working|worked)(?: remotely| full[- ]time| part[- ]time)? (?:at|for)', '(?:works|is working|is employed)(?: remotely)? (?:at|for|by)', by_name=True)}|I'm (?:working|employed)(?: remotely| full[- ]time)? (?:at|for|by)|I've (?:been working|worked)(?: remotely)? (?:at|for)|working(?: remotely)? for|my (?:employer|company|workplace)(?: is|'s)(?: called| named)?|I'm with) {_ORG}",
        examples=(("I work at Helix Robotics as a firmware engineer.", "Helix Robotics"), ("My brother Anselm works at Siemens in Munich.", "Anselm | Siemens"), ("I work for a small startup", "small startup")),
        counterexamples=("I work through the list from the top", "I work for hours on this", "I work at night", "It works at scale", "I work with Python"),
    ),
    Pattern(
        name="work.small_at", predicate="works_at",
        regex=r"(?:(?<=now )I'm at|I'm currently at|I work (?:at|for)) (?P<object>an? (?:[\w-]+ ){0,4}(?:startup|company|agency|firm|studio|lab|bank|hospital|school|university|clinic|nonprofit|bakery)(?: (?:called|named) [\w&.' -]{2,30})?)",
        stance=Stance.ASSERT,
        examples=(("I'm currently at a small design studio", "small design studio"),),
        counterexamples=("I'm at a loss",),
    ),
    Pattern(
        name="work.promoted", predicate="works_as", stance=Stance.CORRECT, importance=0.8,
        regex=rf"(?:I(?:'ve| have)?(?: just| recently)? (?:been |got |was )?(?:promoted|moved up) to|I(?:'m| am) now (?:an? |the )(?={_JOB})|I(?:'ve| have)?(?: just| recently)? (?:became|become) (?:an? |the )?(?={_JOB})) (?P<object>[^\n.!?,]{{2,60}})",
        examples=(("I just got promoted to staff engineer!", "staff engineer"), ("I was promoted to team lead", "team lead")),
        counterexamples=("It was promoted to production", "I became confused"),
    ),
    Pattern(
        name="work.as", predicate="works_as",
        regex=rf"(?:{who('(?:work|am working|am employed|freelance|worked)(?: (?:at|for) [^.!?,]{2,40}?)? as', '(?:works|is working)(?: (?:at|for) [^.!?,]{2,40}?)? as')}|I(?:'m| am){ADVERBS} (?:working|employed|freelancing|hired) as|I've (?:been )?(?:working|worked|freelancing)(?: (?:at|for) [^.!?,]{{2,40}}?)? as|my (?:job|profession|occupation|day job|job title|role|title|current role)(?: is|'s|:)(?: that of| being)?|I make a living as|by profession I'm|I'm trained as) (?:an? |the )?(?P<object>(?!to\b|not\b|on\b|at\b|in\b|very|so\b|safe|easy|hard|stressful|boring|done|expected|follows|intended|designed|usual|is\b)[a-z][^\n.!?,]{{2,60}})",
        examples=(("I've been freelancing as a translator for about six years", "translator"), ("My job is software engineer", "software engineer"), ("My sister works as a nurse", "sister | nurse")),
        counterexamples=("I work as expected", "My job is boring", "My job is to fix this"),
    ),
    Pattern(
        name="work.is_job", predicate="works_as",
        regex=rf"{am(rf'(?:an? |the |currently an? )(?P<object>(?!bit |big |fan |huge |lot |teapot|better |good |bad |terrible |great |decent |lousy |beginner )(?:(?:former|retired|senior|junior|lead|principal|staff|self-employed|freelance|part-time|full-time|first-year|second-year|third-year|final-year|first year|qualified|registered|chartered|licensed|trainee) )*{_JOB})')}{_JOB_TAIL}",
        examples=(("I'm a paediatric nurse", "paediatric nurse"), ("I am a software engineer at a bank.", "software engineer"), ("my husband Iker is a pilot", "Iker | pilot")),
        counterexamples=("I'm a bit lost in this file.", "I'm a fan of engineer humour", "I'm a better cook than coder"),
    ),
    Pattern(
        name="work.standing", predicate="works_as", importance=0.8,
        regex=rf"{am(r'(?P<object>retired|self-employed|unemployed|between jobs|on (?:parental|maternity|paternity|sick|medical) leave|on sabbatical|freelancing|freelance|out of work|job hunting|semi-retired)')}(?= |[.!,]*$|[,.!;])",
        examples=(("I'm self-employed.", "self-employed"), ("My dad is retired", "dad | retired")),
        counterexamples=("I'm not retired",),
    ),
    Pattern(
        name="work.got_fired", predicate="works_as", object="unemployed", stance=Stance.CORRECT, importance=0.8,
        regex=r"I(?:'ve| have)?(?: just| recently)? (?:lost my job|got (?:laid off|fired)|was (?:laid off|fired|made redundant)|been (?:laid off|fired)|quit my job)(?=[.!,]*$|[,.!;]| (?:last|in|this|yesterday|and|because|two|a|today|at the))",
        examples=(("I got laid off last week", "unemployed"), ("I lost my job", "unemployed")),
        counterexamples=("I lost my train of thought",),
    ),
    Pattern(
        name="work.company", predicate="works_at",
        regex=r"(?:my|our) (?:company|startup|firm|team|business|agency) (?P<object>(?:has (?:about |around |over )?\d[\d,.]* (?:employees|people|engineers|developers|customers|clients|offices)|(?:sells|makes|builds|produces|develops|manufactures|specializes in|specialises in|does) (?!not\b|it\b|this|that|n't)[\w])[^\n.!?]{0,80})",
        examples=(("Our company has 40 employees and sells garden tools", "has 40 employees and sells garden tools"),),
        counterexamples=("Our team does not agree",),
    ),
    Pattern(
        name="work.runs", predicate="works_as",
        regex=r"I (?:run|own|manage|founded|co-founded|started|operate|lead|head|teach) (?P<object>(?:an? |my own |our |the |the family )?(?:[\w'-]+ ){0,4}(?:bakery|shop|store|restaurant|cafe|café|company|business|startup|agency|studio|farm|team|department|school|clinic|practice|consultancy|bookstore|bookshop|podcast|newsletter|blog|salon|hotel|nonprofit|foundation|vineyard|brewery|gym|gallery|lab|research group|channel|workshop|garage|pharmacy|kindergarten|food truck)\b(?: [^\n.!?,]{2,40})?|(?:chemistry|math|maths|mathematics|physics|biology|english|history|music|art|yoga|piano|science|spanish|french|german|geography|economics|philosophy|computer science|kindergarten|second grade|third grade|high school|primary school|pe)\b[^\n.!?,]{0,60})",
        examples=(("I run a bakery in Ghent with my brother.", "bakery in Ghent with my brother"), ("I teach chemistry at a secondary school", "chemistry at a secondary school")),
        counterexamples=("I run the tests", "I started the server", "I manage state in Redux", "I own this bug"),
    ),
    Pattern(
        name="work.field", predicate="works_on",
        regex=r"(?:(?:I (?:work|specialize|specialise|have a background|have worked)|I've worked|I'm (?:specialized|specialising|specializing)|my background is) (?:mostly |mainly |primarily )?in|(?:I do (?:my )?research|we're a team of \w+ working|my team (?:works|is working)|my research (?:is|focuses)) (?:mostly |mainly |primarily )?on|I'm (?:responsible for|in charge of)) (?P<object>(?!it\b|this|that|the (?:bug|fix|file|function|test|list|weekend|same|code|issue|problem|task|repo|project|parser|feature)|my (?:laptop|machine|mac|phone|own)|an? (?:[^\n.!?,]{1,40}? )?(?:app|script|function|bug|fix|problem|feature|pr|test|page|website|assignment|essay|issue|task|homework|parser|api|paper|presentation|query|component|game|bot)\b|\w+day|weekends?|mondays|python|my\b|your|some|something|line|figuring|fixing|getting|making|adding|implementing|batches|silence|pairs|parallel|small)[a-z][^\n.!?,]{3,120})",
        examples=(("We're a team of five working on warehouse routing software.", "warehouse routing software"), ("I work in marketing", "marketing")),
        counterexamples=("I'm working on a bug", "I'm working on it", "I work on weekends"),
    ),
    # education
    Pattern(
        name="education.goes_to", predicate="studies_at",
        regex=rf"(?:{who('(?:study|am studying|go to school|attend|am enrolled)(?: at| in)?', '(?:studies at|is studying at|attends|goes to)')}|I'm (?:studying|enrolled|an? (?:[\w-]+ )?(?:[\w-]+ )?(?:student|undergrad(?:uate)?|freshman|sophomore|junior|senior|phd candidate|phd|postdoc)) (?:at|in)|I go to (?=[^.]{{2,40}}(?:school|university|college|high))|I (?:got into|was accepted (?:to|at|into)|transferred to|got accepted (?:to|into))) (?:at )?(?P<object>(?:the )?(?:University of )?(?-i:[A-Z])[\w'.-]{{1,30}}(?: (?:(?:of|de|for|at) )?[\w'.-]{{2,30}}){{0,4}})",
        examples=(("my daughter goes to Elmwood primary school", "daughter | Elmwood primary school"), ("I study at TU Delft", "TU Delft"), ("I'm studying at Warwick", "Warwick")),
        counterexamples=("My dad goes to work at six", "I attend the standup"),
    ),
    Pattern(
        name="education.graduated", predicate="studied_at",
        regex=r"(?:I(?:'ve| have)? (?:graduated(?: with [^.]{2,30})?|dropped out|got my (?:degree|phd|bachelor'?s?|master'?s?)|studied|went to (?:school|college|university)|did my (?:phd|master'?s|bachelor'?s|degree|studies|undergrad)|went)|I'm an? (?:graduate|alum(?:nus|na|ni)?)|my alma mater) (?:of|from|at|is|to(?= (?:Harvard|Stanford|MIT|Oxford|Cambridge|Yale|Princeton|Berkeley|UCLA|Caltech|(?-i:[A-Z])\w+ (?:University|College|School|State)|the University|college|university|(?:law|medical|business|art|film|grad) school))) (?P<object>(?:the )?(?:(?-i:[A-Z])[^\n.!?,]{1,60}|(?:law|medical|business|high|art|music|graduate|nursing|film|grad|med) school|college|university)(?: (?:in|after) [^\n.!?,]{2,30})?)",
        examples=(("I graduated from ETH in 2011.", "ETH in 2011"), ("I dropped out of law school after two semesters, it wasn't for me", "law school")),
        counterexamples=("I dropped out of the call",),
    ),
    Pattern(
        name="education.subject", predicate="studies",
        regex=rf"(?:{who('(?:study|studied|major in|majored in|minored in|read)', '(?:studies|studied|is studying|majored in|majors in)')}|I'm (?:studying|majoring in|learning|reading)|I've (?:studied|been studying|been learning)|my major (?:is|was)|my degree is in|my field (?:of study )?is) (?P<object>(?!at\b|for\b|the\b|this|that|it\b|your|how|your|hard|by\b|a lot|to\b|from\b|in\b|through|about|more|all|why|my\b|ton|tons|last|on\b|with\b|every)[\w][^\n.!?,]{{3,120}})",
        examples=(("I studied marine biology in Bergen.", "marine biology in Bergen"), ("I'm studying computer science", "computer science")),
        counterexamples=("I studied the code", "I studied at ETH", "I read the docs", "I read your answer"),
    ),
    Pattern(
        name="education.degree", predicate="studies",
        regex=r"(?:(?:I'm |I am )?(?:currently )?(?:doing|taking|pursuing|finishing|working (?:on|towards)|starting|I did|I do)|I(?:'ve got|'ve| have|'m holding| hold| got| earned| did| completed|'m finishing)) (?:an? |my )?(?:part-time |full-time |evening |online |night |weekend |double |joint |second |first )*(?:phd|ph\.d\.?|doctorate|master'?s?|bachelor'?s?|mba|degree|bsc|msc|ba|ma|diploma|certificate|course|bootcamp|minor|major|apprenticeship|postdoc)(?: degree| program(?:me)?| course)? (?:in|on) (?P<object>[^\n.!?,]{3,120})",
        examples=(("I'm doing a part-time master's in statistics at Warwick", "statistics at Warwick"), ("I have a PhD in linguistics so you can skip the intro stuff.", "linguistics"), ("Currently taking an evening course in welding.", "welding")),
        counterexamples=("I have a class in Python that fails", "I have a degree of doubt"),
    ),
    Pattern(
        name="education.year", predicate="studies_at",
        regex=r"I'm (?:currently )?in (?:my )?(?:first|second|third|fourth|fifth|final|last|senior|junior|freshman|\d(?:st|nd|rd|th)) (?:year|semester|term)(?: of| at| in) (?P<object>[^\n.!?,]{3,60})|I'm (?:currently )?in (?P<object>(?:high|middle|law|medical|med|business|art|grad|graduate|nursing) school|college|university|grad school|(?:\w+ )?grade)(?=[.!,]*$|[,.!;]| and | at | in )|I'm an? (?P<object>(?:[\w-]+ ){0,3}(?:student|undergrad(?:uate)?|freshman|sophomore|phd candidate))(?=[.!,]*$|[,.!;]| (?:and|but|so|who|from|here|in my))",
        examples=(("I'm in my second year of law school.", "law school"), ("I'm a medical student", "medical student")),
        counterexamples=("I'm in my first loop iteration?", "I'm in trouble"),
    ),
    Pattern(
        name="education.graduated_with", predicate="studies",
        regex=r"I graduated(?: (?:in \d{4}|last year|recently|this year))?,? with (?:an? )?(?:degree|ba|bsc|ma|msc|phd|bachelor'?s?|master'?s?|diploma|mba)(?: degree)? in (?P<object>[^\n.!?,]{3,60})",
        examples=(("I graduated in 2015 with a degree in design.", "design"),),
        counterexamples=("I graduated last year",),
    ),
    Pattern(
        name="education.exam", predicate="studies",
        regex=r"(?:I'm|I've been) (?:studying|preparing|cramming|revising) for (?P<object>(?:the |my |an? )?[\w -]{2,40}?(?:exam|exams|test|certification|certificate|gre|gmat|lsat|mcat|sat|toefl|ielts|finals|boards|bar)\b)",
        examples=(("I'm studying for the bar exam.", "bar exam"),),
        counterexamples=("I'm preparing for the meeting",),
    ),
    # places
    # places
    Pattern(
        name="place.moved", predicate="lives_in", stance=Stance.CORRECT, importance=0.8,
        regex=rf"(?:(?:I|we|I've|we've|I have|we have|I'm|we're)(?: just| recently| finally)? (?:moved|relocated|immigrated|emigrated)(?: (?:back|over|out|away|here))?(?: from [\w ,]{{2,30}}?)? (?:to|into)|(?:I|we) now live in|I'm now (?:living|based) in|(?P<subject>(?:my|our) {KIN}(?: {NAME})?|{NAME})(?: just| recently| has)? (?:moved|relocated) to) {_NOT_PLACE}{_PLACE}",
        examples=(("we moved to Hangzhou last month", "Hangzhou"), ("I moved from Boston to Berlin", "Berlin"), ("I moved to Hangzhou", "Hangzhou")),
        counterexamples=("I moved to the next step", "We moved to the new API", "I moved the file to src"),
    ),
    Pattern(
        name="place.left", predicate="lives_in", stance=Stance.DENY,
        regex=rf"(?:I (?:no longer|don't|do not) live in|I'm no longer in|we (?:no longer|don't) live in|I'm (?:no longer|not) (?:living|based) in|I (?:moved|relocated) (?:away from|out of)|I used to live in) {_NOT_PLACE}{_PLACE}",
        examples=(("I don't live in Boston any more.", "Boston"), ("I no longer live in Paris", "Paris")),
        counterexamples=("I don't live in fear",),
    ),
    Pattern(
        name="place.lives", predicate="lives_in",
        regex=rf"(?:{who('(?:live|reside|have lived|have been living|am living|am based|stay)(?: alone| together| with [^.]{2,30}?)? (?:in|near|outside|just outside|close to|on)', '(?:live|lives|resides|is living|is based)(?: alone| together)? (?:in|near|outside)', by_name=True)}|(?:I'm|I am|we're|we are){ADVERBS} (?:living|based|located|residing)(?: \w+ly)? (?:in|near|out of|outside)|I've (?:lived|been living) in|my (?:home ?town|home|city|home city|place of residence)(?: is|'s)(?: in)?|(?<=, )living in|I live(?= closer to)|(?<=, )I'm in(?= (?-i:[A-Z])\w+ now)|I'm in(?= (?-i:[A-Z])\w+(?:, (?-i:[A-Z])\w+)? (?:now|these days|at the moment|currently))) {_NOT_PLACE}{_PLACE}",
        examples=(("I live in Rotterdam.", "Rotterdam"), ("im based in Nairobi, so utc+3", "Nairobi"), ("My parents live in a village near Cluj.", "parents | village near Cluj"), ("Anna lives in Paris", "Anna | Paris")),
        counterexamples=("I live for this kind of refactoring.", "I live in fear", "I live in the terminal", "it lives in utils.py"),
    ),
    Pattern(
        name="place.job_in", predicate="lives_in",
        regex=rf"I'm an? {_JOB} (?:(?:living|based) in|from|in (?!(?:Java|Python|Go|Rust|C|PHP|Ruby|Scala|Kotlin|Swift|React|Tech|HR|IT|Finance|Marketing)\b)) ?(?P<object>(?-i:[A-Z])[\w'-]{{2,20}}(?: (?-i:[A-Z])[\w'-]{{2,20}})?)(?=[.!,]*$|[,.!;]| and )",
        examples=(("I'm a nurse living in Leeds", "Leeds"), ("I'm a designer based in Porto.", "Porto")),
        counterexamples=("I'm a developer in Java",),
    ),
    Pattern(
        name="place.address", predicate="address",
        regex=rf"(?:(?:my|our)(?: new| home| current| postal| mailing| shipping| delivery| office)* address(?: is|'s|:)(?: now)?|I live at|we live at|(?P<subject>(?:my|our) {KIN}|{NAME})'s address is|mail (?:it )?to me at) (?P<object>(?=[^\n]{{0,80}}\d)(?!https?:|\d+\.\d+\.\d+)[\w][^\n!?@]{{5,100}}?)(?=[.!]*$|\. |; | - )",
        examples=(("My address is 14 Larkspur Lane, Bristol BS3 4QT.", "14 Larkspur Lane, Bristol BS3 4QT"),),
        counterexamples=("My address is 192.168.0.1", "My address is a@b.example"),
        whole=True,
    ),
    Pattern(
        name="place.zone", predicate="located_in",
        regex=r"(?:(?:I'm|we're|I am|we are) (?:in|on) (?:the )?|(?:my|our) time ?zone is )(?P<object>(?-i:(?:[A-Z][\w/]+ ){1,2})time(?: ?zone)?|(?-i:CET|CEST|PST|PDT|EST|EDT|GMT|UTC|IST|JST|BST|AEST)(?:[+-]\d{1,2})?|(?-i:[A-Z])\w+/(?-i:[A-Z])\w+)(?=[.!,]*$|[,.!;]| (?:time|and|so|now))",
        examples=(("I'm in the Pacific time zone.", "Pacific time zone"), ("My timezone is Europe/Berlin", "Europe/Berlin")),
        counterexamples=("I'm in time",),
    ),
    Pattern(
        name="place.house", predicate="address",
        regex=r"(?:my|our) (?:house|flat|apartment|home|place|studio) is (?:at|on) (?P<object>\d{1,5}\w? (?-i:[A-Z])[^\n.!?]{2,60})",
        whole=True,
        examples=(("Our house is at 22 Elm Street.", "22 Elm Street"),),
        counterexamples=("Our house is on fire",),
    ),
    Pattern(
        name="place.office", predicate="located_in",
        regex=r"(?:my|our|the) (?P<about>(?:new |main |head )?(?:office|headquarters|hq|studio|shop|lab|workshop|clinic|store|warehouse|school|gym|coworking space|parking spot|desk|storage unit)) (?:is|are|moved)(?: now| located| based)? (?:in|on|at|to) (?P<object>(?!fire\b|the (?:left|right|cloud|phone)|hold|a mess|work\b)[^\n.!?]{3,80})",
        examples=(("Our office is on the fourth floor of the Meridian building.", "office: fourth floor of the Meridian building"),),
        counterexamples=("Our office is on fire",),
    ),
    # possessions
    Pattern(
        name="possession.sold", predicate="owns", stance=Stance.DENY,
        regex=rf"(?:I|we)(?: just|'ve| have|'ve just)? (?:sold|got rid of|gave away|lost|scrapped|no longer (?:have|own|use)|stopped using|don't (?:have|own) (?=[^.]{{2,40}} any ?more)) (?:my|our|the)? ?(?P<object>{_GADGET})",
        examples=(("I sold my motorbike last week so the insurance can go.", "motorbike last week"), ("I no longer have a car", "car")),
        counterexamples=("I lost my place in the file", "I stopped using recursion"),
    ),
    Pattern(
        name="possession.stopped_tool", predicate="uses", stance=Stance.DENY,
        regex=rf"(?:I|we) (?:no longer use|stopped using|don't use|do not use|quit using|ditched|dropped|abandoned|moved away from) (?P<object>{_TOOLS})\b(?: any ?more)?",
        examples=(("I no longer use Vim", "Vim"), ("I stopped using Chrome", "Chrome")),
        counterexamples=("I stopped using the wrapper",),
    ),
    Pattern(
        name="possession.drive", predicate="owns",
        regex=rf"(?:(?:I|we){ADVERBS} (?:drive|own|ride|play(?= an? ))|(?:I|we)(?: just| recently| finally|'ve| have|'ve just)? (?:bought|purchased|ordered|leased|got)(?: myself| ourselves)?|I'm on(?= an?\b)|I'm the (?:proud )?owner of|(?:I|we)(?: also)?(?: have|'ve got| own| got)(?= (?:an?|my own|two|three)\b)|{FOLKS} (?:drives|owns|has)(?= an?\b)) (?:an? |my own |the |two |three )?(?P<object>(?!(?:an? )?(?:question|problem|issue|bug|flat tire|idea|look|feeling|class|function|file|list|error|suggestion|friend|meeting|ton|lot)\b|to\b)(?:new |used |old |red |blue |black |white |small |big |second-hand )*{_GADGET})(?<!server)(?<! switch)",
        examples=(("I drive a 2017 Skoda Octavia.", "2017 Skoda Octavia"), ("I've got a ThinkPad X1 running Fedora", "ThinkPad X1 running Fedora"), ("we have a cabin up in the Adirondacks with solar", "cabin up in the Adirondacks with solar")),
        counterexamples=("I drive to work", "I have a question about my phone", "I own this task", "I have two files open and neither compiles.", "I have a problem with the car class"),
    ),
    Pattern(
        name="possession.bought", predicate="owns",
        regex=r"(?:I|we)(?: just| recently| finally|'ve|'ve just| have| have just)? (?:bought|purchased|own|got myself|picked up|drive|ride) (?:an? |the |my )(?:new |used |second-hand )?(?P<object>(?-i:[A-Z])[\w-]{1,20}(?: (?-i:[A-Z0-9])[\w.-]{0,20}){1,3})",
        examples=(("I just bought a Canon R6.", "Canon R6"),),
        counterexamples=("I bought the book yesterday",),
    ),
    Pattern(
        name="possession.lost", predicate="owns", stance=Stance.DENY,
        regex=rf"(?:my|our) (?P<object>{_GADGET}) (?:got |was |has been )(?:stolen|totalled|totaled|scrapped|sold)\b",
        examples=(("My bike got stolen.", "bike"),),
        counterexamples=("My phone was charging",),
    ),
    Pattern(
        name="possession.switched", predicate="uses", stance=Stance.CORRECT,
        regex=rf"(?:I|we)(?:'ve| have)?(?: just| recently)? (?:switched|moved|migrated|changed)(?: over)?(?: from [\w .+-]{{2,30}})? to (?P<object>{_TOOLS}|(?:an? )?(?:iphone|android|mac|macos|pixel|kindle|linux))\b",
        examples=(("I've switched from Android to iPhone", "iPhone"), ("I switched to Neovim", "Neovim")),
        counterexamples=("I switched to the main branch",),
    ),
    Pattern(
        name="possession.my_is", predicate="owns",
        regex=r"(?:my|our) (?P<about>(?:main |work |home |personal |current |new |old |gaming |daily |primary |second )*(?:camera|car|laptop|computer|machine|phone|bike|keyboard|monitor|guitar|piano|tablet|watch|desktop|pc|workstation|router|printer|headphones|gpu|graphics card|rig|setup|vehicle|motorbike|tv|console|lens|dev machine|os|distro|nas)) (?:is|are)(?: now| still| currently)? (?P<object>(?:an? (?!bit|little|lot|mess|problem|nightmare|disaster)|(?=(?-i:[A-Z]))|(?=\d))[^\n.!?]{2,80})",
        examples=(("My camera is a Fuji X-T4, in case it matters for the lens advice.", "camera: Fuji X-T4"), ("my main machine is an M2 mac mini w/ 16 gigs of ram", "main machine: M2 mac mini w/ 16 gigs of ram")),
        counterexamples=("My laptop is slow", "My machine is a mess", "My phone is dead"),
    ),
    Pattern(
        name="possession.use", predicate="uses",
        regex=rf"(?:(?:I|we){ADVERBS} (?:use|run|daily[- ]drive)|I'm (?:on|using)|my (?:editor|shell|browser|os|ide|terminal|distro|operating system|note-taking app|password manager|text editor|package manager)(?: of choice)?(?: is|'s)) (?P<object>{_TOOLS})\b(?!.{{0,60}}\b(?:wrong|here|errors?|fails?|crash\w*|but|it (?:says|prints))\b)",
        examples=(("I use Neovim on all my machines.", "Neovim"), ("I'm on Fedora", "Fedora"), ("My editor is Helix", "Helix")),
        counterexamples=("I use the wrong branch, one sec.", "I'm using your last snippet", "I run git and it fails"),
    ),
)
