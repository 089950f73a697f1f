"""English: work and education."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, FOLKS, am, who
from memoracle.extract.words_en import CITIES
from memoracle.model.claim import Stance

JOB = (
    r"(?:(?:[a-z][\w-]{1,20} ){0,3}(?:engineer|developer|programmer|designer|nurse|doctor|physician|surgeon"
    r"|dentist|vet|veterinarian|teacher|professor|lecturer|tutor|researcher|scientist|analyst|consultant|manager"
    r"|director|architect|accountant|lawyer|attorney|paralegal|judge|chef|cook|baker|barista|waiter|waitress"
    r"|bartender|journalist|writer|author|editor|translator|interpreter|photographer|artist|musician|pianist"
    r"|composer|singer|actor|actress|dancer"
    r"|pilot|driver|mechanic|electrician|plumber|carpenter|farmer|gardener|florist|librarian|pharmacist|therapist"
    r"|psychologist|psychiatrist|physio|physiotherapist|midwife|paramedic|firefighter|police officer|soldier"
    r"|sailor|officer|economist|statistician|mathematician|physicist|chemist|biologist|geologist|historian"
    r"|philosopher|linguist|astronomer|banker|trader|broker|auditor|realtor|agent|salesperson|cashier|clerk"
    r"|secretary|administrator|sysadmin|admin|dba|devops|sre"
    r"|freelancer|contractor|entrepreneur|founder|co-?founder|ceo|cto|cfo|coo|vp|head|owner|partner|product owner"
    r"|scrum master|tester|qa|marketer|recruiter|specialist|technician|operator|welder|tailor|hairdresser|barber"
    r"|coach|trainer|instructor|social worker|nanny|babysitter|cleaner|janitor|receptionist|intern|apprentice"
    r"|postdoc|retiree|stay-at-home (?:mom|dad|parent|mum)|homemaker|housewife|beekeeper|brewer|jeweller|potter"
    r"|curator|archivist|diplomat|politician|priest|pastor|monk|notary|surveyor|urban planner|data scientist"
    r"|illustrator|animator|sculptor|painter|poet|novelist|copywriter|screenwriter|producer|director"
    r"|cinematographer|stylist|makeup artist|upholsterer|roofer|bricklayer|glazier|locksmith|blacksmith|butcher"
    r"|fishmonger|fisherman|forester|ranger|zookeeper|optician|optometrist|radiologist|cardiologist|dermatologist"
    r"|an[a]?esthetist|oncologist|neurologist|pediatrician|paediatrician|dietitian|nutritionist|caretaker"
    r"|caregiver|carer|superintendent|foreman|builder|mason|landscaper|logistician|dispatcher|courier|postman"
    r"|mail carrier|trucker|conductor|flight attendant|steward|stewardess|air traffic controller|machinist"
    r"|toolmaker|inspector|actuary|underwriter|bookkeeper|treasurer|controller|negotiator|mediator|lobbyist"
    r"|activist|minister|rabbi|imam|deacon|choreographer|dj|rapper|drummer|guitarist|violinist|cellist"
    r"|conservator|meteorologist|geographer|anthropologist|sociologist|archaeologist|ecologist|zoologist|botanist"
    r"|geneticist|microbiologist|pathologist|toxicologist|engineer|blogger|youtuber|streamer|podcaster|game dev"
    r"|dev|coder|swe|pm))"
)
_JOB_TAIL = (
    r"(?=[.!,]*$|[,.!;]| (?:at|in|of|to|when|turned|for|and|but|by|with|from|who|now|here|working|so|specialized"
    r"|specialising|specializing|these|since|based|on|myself|as) ?)"
)
_ORG = (
    r"(?P<object>(?:the |an? )?(?:(?-i:[A-Z][\w&.'-]{0,30})(?: (?:(?:of|and|de|for|&) )?"
    r"(?-i:[A-Z0-9][\w&.'-]{0,30})){0,5}|(?:small |local |big |large |tiny |startup |\w+ ){0,3}(?:startup|company"
    r"|bank|hospital|university|school|agency|firm|studio|lab|council|government|nonprofit|ngo|clinic|bakery"
    r"|restaurant|library|museum|airline|factory|start-up|ministry|charity|law firm|city council|shop|store|bookstore"
    r"|bookshop|hotel|newspaper|magazine|institute|foundation|importer|exporter|manufacturer|publisher|supplier"
    r"|retailer|warehouse|supermarket|airport|theatre|theater|consultancy|brewery|garage|kindergarten|nursery"
    r"|nursing home|call cent(?:er|re)|pharmacy|church|zoo|dealership|brand|chain)(?: (?:called|named) "
    r"(?-i:[A-Z])[\w&.'-]{0,30}(?: (?-i:[A-Z])[\w&.'-]{0,30}){0,3})?|google|microsoft|amazon|apple|facebook|meta"
    r"|netflix|ibm|intel|nvidia|oracle|siemens|bosch|openai|tesla|spotify|uber|stripe|shopify|airbnb))"
)
# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # work
    Pattern(
        name="work.left", predicate="works_at", stance=Stance.DENY, importance=0.8,
        regex=(
            rf"(?:I (?:no longer|don't|do not) work (?:at|for)|I (?:left|quit|resigned from|stopped working (?:at"
            rf"|for)|got (?:fired|laid off) (?:from|by|at)|was (?:fired|laid off) (?:from|by|at)|retired from)|I'm "
            rf"(?:no longer|not) (?:at|with|working (?:at|for))|I used to work (?:at|for)) (?!{CITIES}|(?:school|university)"
            rf"\b|(?:the|my) (?:MBA|PhD|MA|MSc)\b)(?:my (?:job|position|role) at )?{_ORG}(?: any ?more)?"
        ),
        examples=(("I no longer work for the city council.", "city council"), ("I quit Google last month", "Google"), ("I left Siemens in May", "Siemens")),
        counterexamples=("I left the file open", "I quit the app", "I no longer work on weekends"),
    ),
    Pattern(
        name="work.new", predicate="works_at", stance=Stance.CORRECT, importance=0.8,
        regex=(
            rf"(?:(?:I|I've|I have)(?: just| recently)? (?:joined|started (?:working )?at|started a new job at|got a "
            rf"(?:new )?job at|moved to (?=[^.]{{2,30}} as an?\b)|switched jobs? to|changed jobs? to|got hired (?:by"
            rf"|at)|been hired (?:by|at)|accepted (?:an offer|a job) (?:from|at))|now I'm (?:at|with)|now I work "
            rf"(?:at|for)|I now work (?:at|for)|I'm now (?:at|working (?:at|for)|with)|I'm starting (?:a new job )?at"
            rf"|(?<=now )I'm (?:at|with)) {_ORG}(?! (?:call|meeting|channel|server|project))"
        ),
        examples=(("I just joined Siemens", "Siemens"), ("I left Google, now I'm at Ferngrove", "Ferngrove"), ("I started working at a bakery", "bakery")),
        counterexamples=("I joined the call", "I started at the top of the list"),
    ),
    Pattern(
        name="work.employer", predicate="works_at",
        regex=(
            rf"(?:{who('(?:work|am working|am employed|have worked|have been working|worked)(?: remotely| full[- ]time| part[- ]time| (?:night|day|late|early|double|long|weekend) shifts| nights| weekends| shifts| as (?:an? )?[a-z -]{3,30})? (?:at|for)', '(?:works|is working|is employed)(?: remotely)? (?:at|for|by)', by_name=True)}"
            rf"|I'm (?:working|employed)(?: remotely| full[- ]time)? (?:at|for|by)|I've (?:been working|worked)"
            rf"(?: remotely)? (?:at|for)|working(?: remotely)? for|my (?:employer|company|workplace)(?: is|'s)"
            rf"(?: called| named)?|I do (?:marketing|sales|research|design|accounting|bookkeeping|consulting|support"
            rf"|hr|pr|logistics|it|qa|translations?) (?:for|at)|I'm with) {_ORG}"
        ),
        examples=(("I work at Helix Robotics as a firmware engineer.", "Helix Robotics"), ("My brother Anselm works at Siemens in Munich.", "Anselm | Siemens"), ("I work for a small startup", "small startup")),
        counterexamples=("I work through the list from the top", "I work for hours on this", "I work at night", "It works at scale", "I work with Python"),
    ),
    Pattern(
        name="work.small_at", predicate="works_at",
        regex=(
            r"(?:(?<=now )I'm at|I'm currently at|I work (?:at|for)) (?P<object>an? (?:[\w-]+ ){0,4}(?:startup"
            r"|company|agency|firm|studio|lab|bank|hospital|school|university|clinic|nonprofit|bakery)(?: (?:called"
            r"|named) [\w&.' -]{2,30})?)"
        ),
        stance=Stance.ASSERT,
        examples=(("I'm currently at a small design studio", "small design studio"),),
        counterexamples=("I'm at a loss",),
    ),
    Pattern(
        name="work.promoted", predicate="works_as", stance=Stance.CORRECT, importance=0.8,
        regex=(
            rf"(?:I(?:'ve| have)?(?: just| recently)? (?:been |got |was )?(?:promoted|moved up) to|I(?:'m| am) now "
            rf"(?:an? |the )(?={JOB})|I(?:'ve| have)?(?: just| recently)? (?:became|become) (?:an? |the )?"
            rf"(?={JOB})) (?P<object>[^\n.!?,]{{2,60}})"
        ),
        examples=(("I just got promoted to staff engineer!", "staff engineer"), ("I was promoted to team lead", "team lead")),
        counterexamples=("It was promoted to production", "I became confused"),
    ),
    Pattern(
        name="work.as", predicate="works_as",
        regex=(
            rf"(?:{who('(?:work|am working|am employed|freelance|worked)(?: (?:at|for) [^.!?,]{2,40}?)? as', '(?:works|is working)(?: (?:at|for) [^.!?,]{2,40}?)? as')}"
            rf"|I(?:'m| am){ADVERBS} (?:working|employed|freelancing|hired) as|I've (?:been )?(?:working|worked"
            rf"|freelancing)(?: (?:at|for) [^.!?,]{{2,40}}?)? as|my (?:job|profession|occupation|day job|job title"
            rf"|role|title|current role)(?: is|'s|:)(?: that of| being)?|I make a living as|by profession I'm"
            rf"|I'm trained as) (?:an? |the )?(?P<object>(?!to\b|not\b|on\b|at\b|in\b|very|so\b|safe|easy|hard"
            rf"|stressful|boring|done|expected|follows|intended|designed|usual|is\b)[a-z][^\n.!?,]{{2,60}})"
        ),
        examples=(("I've been freelancing as a translator for about six years", "translator"), ("My job is software engineer", "software engineer"), ("My sister works as a nurse", "sister | nurse")),
        counterexamples=("I work as expected", "My job is boring", "My job is to fix this"),
    ),
    Pattern(
        name="work.is_job", predicate="works_as",
        regex=rf"{am(rf'(?:an? |the |currently an? )(?P<object>(?!bit |big |fan |huge |lot |teapot|better |good |bad |terrible |great |decent |lousy |beginner )(?:(?:former|retired|senior|junior|lead|principal|staff|self-employed|freelance|part-time|full-time|first-year|second-year|third-year|final-year|first year|qualified|registered|chartered|licensed|trainee) )*{JOB})')}{_JOB_TAIL}",
        examples=(("I'm a paediatric nurse", "paediatric nurse"), ("I am a software engineer at a bank.", "software engineer"), ("my husband Iker is a pilot", "Iker | pilot")),
        counterexamples=("I'm a bit lost in this file.", "I'm a fan of engineer humour", "I'm a better cook than coder"),
    ),
    Pattern(
        name="work.label", predicate="works_as", first=True,
        regex=(
            r"(?:occupation|profession|job title|job|role|position)\s?[:=]\s?(?P<object>[a-zA-Z][\w /-]{2,40})"
            r"(?=[.!,]*$|[,;])"
        ),
        examples=(("Occupation: paralegal", "paralegal"),),
        counterexamples=("Job: 12 failed", "Role:"),
    ),
    Pattern(
        name="work.by_trade", predicate="works_as",
        regex=(
            rf"(?:I'm |an? )?(?P<object>{JOB}) by (?:trade|profession|training|day)\b|I moonlight as (?:an? )?"
            rf"(?P<object>[^\n.!?,]{{3,40}})|they promoted me to (?P<object>[^\n.!?,]{{3,40}}?)(?: on \w+day| today"
            rf"| yesterday| last \w+)?(?=[.!,]|$)|I'm on the (?!wrong|same|right|other)"
            rf"(?P<object>[\w -]{{3,30}} team)(?=[.!,]|$| at | in )|I (?P<object>(?:drive|fly|teach|sell|build|repair"
            rf"|fix|clean|paint|train|design|bake|grow) [\w -]{{3,40}}) for a living"
        ),
        examples=(("Plumber by trade.", "Plumber"), ("I moonlight as a wedding DJ.", "wedding DJ"), ("I'm on the payments team.", "payments team")),
        counterexamples=("I'm on the wrong team page?", "Side by side"),
    ),
    Pattern(
        name="work.notice", predicate="works_at", stance=Stance.DENY, importance=0.8,
        regex=(
            rf"I(?: just|'ve| have| recently)? (?:just )?(?:handed in my (?:notice|resignation)|gave (?:my )?notice"
            rf"|resigned|was let go|got let go|got laid off|got fired) (?:at|from|by) {_ORG}"
        ),
        examples=(("just handed in my notice at Deloitte", "Deloitte"),),
        counterexamples=("I gave notice of the change at noon",),
    ),
    Pattern(
        name="work.standing", predicate="works_as", importance=0.8,
        regex=(
            rf"{am(r'(?P<object>retired|self-employed|unemployed|between jobs|on (?:parental|maternity|paternity|sick|medical) leave|on sabbatical|freelancing|freelance|out of work|job hunting|semi-retired)')}"
            rf"(?= |[.!,]*$|[,.!;])"
        ),
        examples=(("I'm self-employed.", "self-employed"), ("My dad is retired", "dad | retired")),
        counterexamples=("I'm not retired",),
    ),
    Pattern(
        name="work.got_fired", predicate="works_as", object="unemployed", stance=Stance.CORRECT, importance=0.8,
        regex=(
            r"I(?:'ve| have)?(?: just| recently)? (?:lost my job|got (?:laid off|fired)|was (?:laid off|fired"
            r"|made redundant)|been (?:laid off|fired)|quit my job)(?=[.!,]*$|[,.!;]| (?:last|in|this|yesterday|and"
            r"|because|two|a|today|at the))"
        ),
        examples=(("I got laid off last week", "unemployed"), ("I lost my job", "unemployed")),
        counterexamples=("I lost my train of thought",),
    ),
    Pattern(
        name="work.company", predicate="works_at",
        regex=(
            r"(?:my|our) (?:company|startup|firm|team|business|agency) (?P<object>(?:has (?:about |around "
            r"|over )?\d[\d,.]* (?:employees|people|engineers|developers|customers|clients|offices)|(?:sells|makes"
            r"|builds|produces|develops|manufactures|specializes in|specialises in|does) (?!not\b|it\b|this|that"
            r"|n't)[\w])[^\n.!?]{0,80})"
        ),
        examples=(("Our company has 40 employees and sells garden tools", "has 40 employees and sells garden tools"),),
        counterexamples=("Our team does not agree",),
    ),
    Pattern(
        name="work.runs", predicate="works_as",
        regex=(
            r"I (?:run|own|manage|founded|co-founded|started|operate|lead|head|teach) (?P<object>(?:an? |my own |our "
            r"|the |the family )?(?:[\w'-]+ ){0,4}(?:bakery|shop|store|restaurant|cafe|café|company|business|startup"
            r"|agency|studio|farm|team|department|school|clinic|practice|consultancy|bookstore|bookshop|podcast"
            r"|newsletter|blog|salon|hotel|nonprofit|foundation|vineyard|brewery|gym|gallery|lab|research group"
            r"|channel|workshop|garage|pharmacy|kindergarten|food truck)\b(?: [^\n.!?,]{2,40})?|(?:chemistry|math"
            r"|maths|mathematics|physics|biology|english|history|music|art|yoga|piano|science|spanish|french|german"
            r"|geography|economics|philosophy|computer science|kindergarten|second grade|third grade|high school"
            r"|primary school|pe)\b[^\n.!?,]{0,60})"
        ),
        examples=(("I run a bakery in Ghent with my brother.", "bakery in Ghent with my brother"), ("I teach chemistry at a secondary school", "chemistry at a secondary school")),
        counterexamples=("I run the tests", "I started the server", "I manage state in Redux", "I own this bug"),
    ),
    Pattern(
        name="work.field", predicate="works_on",
        regex=(
            r"(?:(?:I (?:work|specialize|specialise|have a background|have worked)|I've worked|I'm (?:specialized"
            r"|specialising|specializing)|my background is) (?:mostly |mainly |primarily )?in|(?:I do "
            r"(?:my )?research|we're a team of \w+ working|my team (?:works|is working)|my research (?:is|focuses)) "
            r"(?:mostly |mainly |primarily )?on|I'm (?:responsible for|in charge of)) (?P<object>(?!it\b|this|that"
            r"|the (?:bug|fix|file|function|test|list|weekend|same|code|issue|problem|task|repo|project|parser"
            r"|feature)|my (?:laptop|machine|mac|phone|own)|an? (?:[^\n.!?,]{1,40}? )?(?:app|script|function|bug|fix"
            r"|problem|feature|pr|test|page|website|assignment|essay|issue|task|homework|parser|api|paper"
            r"|presentation|query|component|game|bot)\b|\w+day|weekends?|mondays|python|my\b|your|some|something|line"
            r"|figuring|fixing|getting|making|adding|implementing|batches|silence|pairs|parallel"
            r"|small)[a-z][^\n.!?,]{3,120})"
        ),
        examples=(("We're a team of five working on warehouse routing software.", "warehouse routing software"), ("I work in marketing", "marketing")),
        counterexamples=("I'm working on a bug", "I'm working on it", "I work on weekends"),
    ),
    # education
    Pattern(
        name="education.goes_to", predicate="studies_at",
        regex=(
            rf"(?:{who('(?:study|am studying|go to school|attend|am enrolled)(?: at| in)?', '(?:studies at|is studying at|attends|goes to)')}"
            rf"|I'm (?:studying|enrolled|an? (?:[\w-]+ )?(?:[\w-]+ )?(?:student|undergrad(?:uate)?|freshman|sophomore"
            rf"|junior|senior|phd candidate|phd|postdoc)) (?:at|in)|I go to (?=[^.]{{2,40}}(?:school|university"
            rf"|college|high))|I (?:got into|was accepted (?:to|at|into)|transferred to|got accepted (?:to|into))) "
            rf"(?:at )?(?P<object>(?:the )?(?:University of )?(?-i:[A-Z])[\w'.-]{{1,30}}(?: (?:(?:of|de|for"
            rf"|at) )?[\w'.-]{{2,30}}){{0,4}})"
        ),
        examples=(("my daughter goes to Elmwood primary school", "daughter | Elmwood primary school"), ("I study at TU Delft", "TU Delft"), ("I'm studying at Warwick", "Warwick")),
        counterexamples=("My dad goes to work at six", "I attend the standup"),
    ),
    Pattern(
        name="education.graduated", predicate="studied_at",
        regex=(
            r"(?:I(?:'ve| have)? (?:graduated(?: with [^.]{2,30})?|dropped out|got my (?:degree|phd|bachelor'?s?"
            r"|master'?s?)|studied|went to (?:school|college|university)|did my (?:phd|master'?s|bachelor'?s|degree"
            r"|studies|undergrad)|went)|I'm an? (?:graduate|alum(?:nus|na|ni)?)|my alma mater) (?:of|from|at|is|to"
            r"(?= (?:Harvard|Stanford|MIT|Oxford|Cambridge|Yale|Princeton|Berkeley|UCLA|Caltech|(?-i:[A-Z])\w+ "
            r"(?:University|College|School|State)|the University|college|university|(?:law|medical|business|art|film"
            r"|grad) school))) (?P<object>(?:the )?(?:(?-i:[A-Z])[^\n.!?,]{1,60}|(?:law|medical|business|high|art"
            r"|music|graduate|nursing|film|grad|med) school|college|university)(?: (?:in|after) [^\n.!?,]{2,30})?)"
        ),
        examples=(("I graduated from ETH in 2011.", "ETH in 2011"), ("I dropped out of law school after two semesters, it wasn't for me", "law school")),
        counterexamples=("I dropped out of the call",),
    ),
    Pattern(
        name="education.subject", predicate="studies",
        regex=(
            rf"(?:{who('(?:study|studied|major in|majored in|minored in|read)', '(?:studies|studied|is studying|majored in|majors in)')}"
            rf"|I'm (?:studying|majoring in|learning|reading)|I've (?:studied|been studying|been learning)|my major "
            rf"(?:is|was)|my degree is in|my field (?:of study )?is) (?P<object>(?!at\b|for\b|the\b|this|that|it\b"
            rf"|your|how|your|hard|by\b|a lot|to\b|from\b|in\b|through|about|more|all|why|my\b|ton|tons|last|on\b"
            rf"|with\b|every)[\w][^\n.!?,]{{3,120}})"
        ),
        examples=(("I studied marine biology in Bergen.", "marine biology in Bergen"), ("I'm studying computer science", "computer science")),
        counterexamples=("I studied the code", "I studied at ETH", "I read the docs", "I read your answer"),
    ),
    Pattern(
        name="education.degree", predicate="studies",
        regex=(
            r"(?:(?:I'm |I am )?(?:currently )?(?:doing|taking|pursuing|finishing|working (?:on|towards)|starting"
            r"|I did|I do)|I(?:'ve got|'ve| have|'m holding| hold| got| earned| did| completed|'m finishing)) (?:an? "
            r"|my )?(?:part-time |full-time |evening |online |night |weekend |double |joint |second |first )*(?:phd"
            r"|ph\.d\.?|doctorate|master'?s?|bachelor'?s?|mba|degree|bsc|msc|ba|ma|diploma|certificate|course"
            r"|bootcamp|minor|major|apprenticeship|postdoc)(?: degree| program(?:me)?| course)? (?:in|on) "
            r"(?P<object>[^\n.!?,]{3,120})"
        ),
        examples=(("I'm doing a part-time master's in statistics at Warwick", "statistics at Warwick"), ("I have a PhD in linguistics so you can skip the intro stuff.", "linguistics"), ("Currently taking an evening course in welding.", "welding")),
        counterexamples=("I have a class in Python that fails", "I have a degree of doubt"),
    ),
    Pattern(
        name="education.year", predicate="studies_at",
        regex=(
            rf"I'm (?:currently )?in (?:my )?(?:first|second|third|fourth|fifth|final|last|senior|junior|freshman|\d"
            rf"(?:st|nd|rd|th)) (?:year|semester|term)(?: of| at| in) (?P<object>[^\n.!?,]{{3,60}})|(?:I'm"
            rf"|{FOLKS} is) (?:currently )?in (?P<object>(?:high|middle|law|medical|med|business|art|grad|graduate"
            rf"|nursing) school|college|university|grad school|(?:\w+ )?grade)(?=[.!,]*$|[,.!;]| and | at | in )"
            rf"|I'm an? (?P<object>(?:[\w-]+ ){{0,3}}(?:student|undergrad(?:uate)?|freshman|sophomore|phd candidate))"
            rf"(?=[.!,]*$|[,.!;]| (?:and|but|so|who|from|here|in my))"
        ),
        examples=(("I'm in my second year of law school.", "law school"), ("I'm a medical student", "medical student")),
        counterexamples=("I'm in my first loop iteration?", "I'm in trouble"),
    ),
    Pattern(
        name="education.graduated_with", predicate="studies",
        regex=(
            r"I graduated(?: (?:in \d{4}|last year|recently|this year))?,? with (?:an? )?(?:degree|ba|bsc|ma|msc|phd"
            r"|bachelor'?s?|master'?s?|diploma|mba)(?: degree)? in (?P<object>[^\n.!?,]{3,60})"
        ),
        examples=(("I graduated in 2015 with a degree in design.", "design"),),
        counterexamples=("I graduated last year",),
    ),
    Pattern(
        name="education.exam", predicate="studies",
        regex=(
            r"(?:I'm|I've been) (?:studying|preparing|cramming|revising) for (?P<object>(?:the |my "
            r"|an? )?[\w -]{2,40}?(?:exam|exams|test|certification|certificate|gre|gmat|lsat|mcat|sat|toefl|ielts"
            r"|finals|boards|bar)\b)"
        ),
        examples=(("I'm studying for the bar exam.", "bar exam"),),
        counterexamples=("I'm preparing for the meeting",),
    ),
)
