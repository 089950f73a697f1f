"""English: what somebody does for a living, and what they learn or have learned, said more freely."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.patterns_en_career import JOB
from memoracle.extract.pieces_en import ADVERBS, KINFOLK, NAME, US, did, doing
from memoracle.extract.words_en import CITIES
from memoracle.model.claim import Stance

_MORE_JOBS = (
    r"(?:(?:[a-z][\w-]{1,20} ){0,3}(?:seamstress|tour guide|guide|teaching assistant|gp|lifeguard|usher|bouncer|consultant|joiner|plasterer|decorator"
    r"|labourer|apprentice|trainee|chemist|florist|grocer|greengrocer|publican|landlady|landlord|innkeeper|childminder|au pair|governor|head ?teacher|headmaster"
    r"|principal|dean|registrar|professor|lab tech|tech|sysop|maintainer|data engineer|ml engineer|quant|planner|buyer|merchandiser|estimator|fitter|rigger|scaffolder"
    r"|crane operator|miner|fisher|shepherd|vicar|chaplain|undertaker|funeral director|masseuse|masseur|beautician|osteopath|chiropractor|audiologist|sonographer"
    r"|radiographer|phlebotomist|hygienist|orderly|porter|concierge|housekeeper|maid|butler|sommelier|pastry chef|sous chef|line cook|server|waitron|host|croupier"
    r"|stagehand|roadie|sound engineer|luthier|piano tuner|tattooist|tattoo artist|model|stuntman|comedian|clown|magician|referee|jockey|athlete|footballer|swimmer"
    r"|runner|civil servant|councillor|mayor|bailiff|solicitor|barrister|paralegal|clerk|magistrate|warden|prison officer|customs officer|coastguard|marine|pilot"
    r"|air hostess|cabin crew|train driver|tram driver|taxi driver|lorry driver|bin man|street sweeper|window cleaner|dog walker|groomer|farrier|breeder|horticulturist"
    r"|arborist|tree surgeon|winemaker|vintner|brewmaster|distiller|roaster|cheesemaker|chocolatier|confectioner|glassblower|ceramicist|weaver|cobbler|shoemaker|watchmaker"
    r"|goldsmith|silversmith|bookbinder|printer|publisher|subtitler|proofreader|ghostwriter|columnist|reporter|correspondent|broadcaster|presenter|cameraman|gaffer|vfx artist"
    r"|level designer|community manager|support agent|sales rep|rep|account executive|evangelist|devrel|freelancer|solopreneur|indie hacker|full-time (?:mum|mom|dad|parent|carer)"
    r"|stay-at-home \w+|housewife|househusband|pensioner|volunteer|temp|contractor|[a-z]{3,12}(?:ologist|ographer|smith|keeper|worker|wright|monger)))\b"
)
_ANY_JOB = rf"(?:{JOB}|{_MORE_JOBS})"
_EMPLOYER = (
    rf"(?!{CITIES})(?:the |an? |our |my )?(?:(?-i:[A-Z])[\w&.'-]{{0,30}}(?: (?:(?:of|and|de|for|&) )?(?-i:[A-Z0-9])[\w&.'-]{{0,30}}){{0,4}}"
    rf"|(?:[\w'-]+ ){{0,3}}(?:start-?up|company|bank|hospital(?: group| trust)?|university|school|agency|firm|studio|lab|council|government|nonprofit|non-profit"
    rf"|ngo|clinic|bakery|restaurant|library|museum|airline|factory|ministry|charity(?: shop)?|shop|store|hotel|newspaper|magazine|institute|foundation|publisher"
    rf"|warehouse|supermarket|airport|theatre|theater|consultancy|brewery|garage|kindergarten|nursery|care home|nursing home|call cent(?:er|re)|pharmacy|church|zoo"
    rf"|dealership|fintech|insurer|insurance company|broker|data cent(?:er|re)|fire brigade|police|army|navy|air force|coastguard|post office|railway|civil service"
    rf"|nhs|co-op|cooperative|collective|think tank|law firm|surgery|vet practice|practice|ward|hospice|farm|vineyard|dairy|quarry|mine|shipyard|port|depot|plant"
    rf"|mill|refinery|power station|utility|telco|isp|game studio|publishing house|radio station|tv station|embassy|un|eu|city|town hall|food bank|shelter|youth club"
    rf"|sports club|golf club|gym|leisure centre|pool|stables|garden centre|diy store|hardware shop|bookshop|bookstore|record shop|café|cafe|pub|bar|salon|spa|market))\b"
)
_CRAFT = (
    r"(?:(?:[\w'-]+ ){0,3}(?:bakery|shop|store|restaurant|cafe|café|company|business|startup|agency|studio|farm|team|department|school|clinic|practice"
    r"|consultancy|bookstore|bookshop|salon|hotel|nonprofit|foundation|vineyard|brewery|gym|gallery|research group|workshop|garage|pharmacy|kindergarten"
    r"|food truck|stall|pub|bar|b&b|guest ?house|hostel|campsite|nursery|market garden|orchard|stables|kennels|cattery|print shop|dental practice|law firm"
    r"|chippy|takeaway|deli|butcher's|greengrocer's|tea ?room|kitchen|ward|office|branch|lab|choir|club|charity|food bank|playgroup|crèche|franchise|dealership"
    r"|etsy shop|online shop|web ?shop|record label|label|theatre|dance school|riding school|driving school|language school|cleaning business|property management \w+))\b"
)
_SUBJECT = (
    r"(?:(?:[\w-]+ ){0,2}(?:history|maths?|mathematics|physics|chemistry|biology|biostatistics|statistics|economics|law|medicine|nursing|philosophy|psychology|sociology"
    r"|linguistics|literature|english|french|german|spanish|italian|portuguese|japanese|mandarin|chinese|arabic|russian|welsh|gaelic|irish|dutch|swedish|norwegian|korean"
    r"|turkish|hebrew|latin|greek|sign language|engineering|computer science|cs|data science|informatics|architecture|design|fine art|art|music|theology|geography|geology"
    r"|politics|political science|journalism|business|accounting|accountancy|finance|marketing|education|pedagogy|biochem\w*|genetics|neuroscience|astronomy|astrophysics"
    r"|archaeology|anthropology|veterinary \w+|pharmacy|dentistry|midwifery|social work|agriculture|forestry|film|theatre|drama|photography|carpentry|welding|plumbing"
    r"|hairdressing|catering|robotics|electronics|analytics|cyber ?security|pottery|watercolou?rs?|guitar|piano|violin|cello|singing|sewing|bookkeeping|coding|programming))\b"
)
_DEGREE = (
    r"(?:phd|ph\.d|doctorate|doctoral degree|dphil|master'?s?(?: degree)?|mphil|msc|ma|mba|llm|llb|jd|md|bachelor'?s?(?: degree)?|bsc|ba|beng|meng|b\.?tech|m\.?tech|degree|diploma"
    r"|pgce|a-?levels?|gcses?|baccalaureate|ib|abitur|hnd|nvq|btec|foundation year|apprenticeship|bootcamp|traineeship|certificate|certification|cert|qualification|licen[cs]e"
    r"|residency|internship|postdoc|habilitation|undergrad(?:uate)?|studies|training|vocational training|night school|gap year|erasmus(?: year| semester)?|exchange(?: year| semester| term)?"
    r"|specialisation|specialization|nanodegree|mooc|coursera \w+|conversion course|evening (?:class|course)|night class|language course|correspondence course|access course)"
)
_NOT_CLASS = r"(?! (?:error|instance|method|expired|file|chain|bundle|object|component|is invalid|manager|renewal failed)\b)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="work.used_to_be", predicate="works_as", stance=Stance.DENY,
        regex=rf"(?:(?:I|we) )?used to (?:be (?:an? |the )?(?P<object>{_ANY_JOB})|work (?:at|for|in|as) (?P<object>[^\n.!?,]{{3,60}})|(?P<object>(?:run|own|manage|teach|drive) (?:an? |the |my )?[\w -]{{3,40}}))|(?:I|we) (?:was|were) an? (?P<object>{_ANY_JOB})(?: (?:for|until|till|before|at|in)\b[^\n.!?,]{{2,50}})|(?:I )?(?:retired from|gave up|stopped|quit) (?P<object>(?:teaching|nursing|consulting|freelancing|driving|acting|farming|the (?:police|army|force|civil service|family business))\b[^\n.!?,]{{0,30}})",
        examples=(("Used to be a librarian before the cuts.", "librarian"), ("I was a nurse for twelve years", "nurse"), ("I used to work in a call centre", "call centre")),
        counterexamples=("I used to be scared of regex", "I was a fool"),
    ),
    Pattern(
        name="work.here", predicate="works_as", first=True,
        regex=rf"(?:hi,? |hello,? |(?-i:[A-Z])[a-z]+ here,? )?(?:(?:an? )?(?P<object>(?!the\b|this|that|my|our|no\b){_ANY_JOB})(?: here\b(?! (?:is|are|was|has|does))|(?:, [\w -]{{3,30}})?,? that's me\b|, (?:mostly|mainly|self-employed|freelance|part-time|retired|specialis\w+|specializ\w+)\b| for (?:\w+|\d+) years\b| (?:at|with|for|in) (?:{_EMPLOYER})(?=[.,!]|$| (?:and|so|but|here)\b)|(?: and [\w ]{{3,20}})? by (?:trade|training|profession|day)\b)|(?:(?:\w+|\d+)(?: odd)? (?:years|months|decades|seasons)|half my life|most of my life|my whole (?:career|life)) (?:as )?(?:an? )?(?P<object>{_ANY_JOB}|(?:with|at|for|in) (?:the )?{_EMPLOYER}))",
        examples=(("bus driver here, route 14, so I know every pothole", "bus driver"), ("Data scientist at a hospital group, so privacy is a big thing for me.", "Data scientist"), ("Twenty years a midwife and I still cry every time.", "midwife")),
        counterexamples=("The driver here is broken", "Manager at the counter was rude", "Two years ago a nurse told me"),
    ),
    Pattern(
        name="work.am_job", predicate="works_as",
        regex=rf"(?:(?:in (?:the )?(?:summer|winter|season|evenings?|daytime|term time)|by day|by night|at weekends|on weekends|during the week|professionally|for a living|outside of this|otherwise|in real life|day to day),? )?(?:I'm|I am|we're|we are|I've been|{KINFOLK}(?: is|'s)|(?P<subject>(?-i:[A-Z][a-z]{{2,12}}))(?:'s| is) still){ADVERBS} (?:an? |the |both an? |their |working as an? |training as an? |employed as an? )(?P<object>(?!(?:bit|big|fan|huge|lot|better|good|bad|terrible|great|decent|lousy|beginner|slow|fast|quick|night|morning|worried|happy|proud|light|heavy|picky|single|reluctant|natural|born|bloody|human|rubber)\b){_ANY_JOB})(?=[.!,;]|$| (?:at|in|of|to|when|for|and|but|by|with|from|who|now|here|all|on|these|since|so|as|specialis\w+|specializ\w+|myself|turned)\b)",
        examples=(("In summer I'm a tour guide in Dubrovnik.", "tour guide"), ("I'm a substitute teacher all over the district.", "substitute teacher"), ("I'm a childminder.", "childminder")),
        counterexamples=("I'm a bit lost", "I'm a good host", "I'm Batman."),
    ),
    Pattern(
        name="work.living", predicate="works_as",
        regex=(
            rf"(?:I|we|{KINFOLK})(?: currently| mostly)? (?:earns?|makes?) (?:my|our|his|her|their|a) (?:money|living|keep|bread|crust) (?:as|by|from|with|in) (?:an? )?(?P<object>[^\n.!?,]{{3,50}})|(?:(?:I|we)|{KINFOLK}) (?P<object>(?:drives?|fl(?:y|ies)|teach(?:es)?|sells?|builds?|repairs?|fix(?:es)?|cleans?|paints?|trains?|designs?|bakes?|grows?|writes?|restores?|makes?|installs?|cuts?|counts?|chases?|walks?|do(?:es)?) [\w' -]{{3,40}}) for a living"
            rf"|(?P<object>(?-i:[A-Z])?[\w' -]{{3,40}}?)(?: is|'s| are) (?:my|our) (?:bread and butter|day job|livelihood|main income|trade|line of work|profession|main gig|job now)\b|(?:(?:my|our) )?(?:day job|main job|side job|side gig|side hustle|weekend job|second job|trade|line of work|current (?:job|role|position)|new job|title|occupation)(?: is|'s|\s?[:=])(?: now| still| being| as)? (?:an? )?(?P<object>(?!(?:to|not|boring|hard|easy|great|stressful|going|killing|done|fine|so|very|too|on|at the|missing|empty|required|wrong|keeping|the)\b)[^\n.!?,]{{3,60}})"
        ),
        examples=(("I earn my money as a seamstress.", "seamstress"), ("Translation is my bread and butter.", "Translation"), ("Day job: PhD student in glaciology, so lots of NetCDF.", "PhD student in glaciology"), ("My husband drives lorries for a living.", "husband | drives lorries")),
        counterexamples=("My day job is boring", "Title is missing", "This is my job"),
    ),
    Pattern(
        name="work.runs_own", predicate="works_as",
        regex=(
            rf"(?:(?:by day|these days|together|with my \w+),? )?(?:{US}|{KINFOLK}|(?:two|three|four|five|six) of us)(?:'ve| have)?(?: also| now| still| jointly| currently| help| helped)? (?:run|runs|running|own|owns|manage|manages|founded|co-founded|cofounded|operate|operates|lead|leads|head|heads|look after|took over|set up|opened|started|chair|chairs|direct|directs) "
            rf"(?P<object>(?:an? |my own |our own |our |the |my |the family |a family |their )?(?!(?:test|whole|same|wrong|dev|new dev|local|reading|book) ){_CRAFT}[^\n.!?,]{{0,50}})|(?:my|our) (?P<object>(?!nickname|name\b)(?:[\w'-]+ )?{_CRAFT} (?:is on|sells|makes|opened)\b[^\n.!?,]{{3,50}})"
        ),
        examples=(("By day I run a bakery, the app is for our orders.", "bakery"), ("We own a hardware shop, third generation.", "hardware shop"), ("three of us run a tiny web agency", "tiny web agency"), ("My flower stall is on the Saturday market.", "flower stall is on the Saturday market")),
        counterexamples=("I run the tests", "I started the server twice by accident.", "I own this bug"),
    ),
    Pattern(
        name="work.does", predicate="works_as",
        regex=(
            rf"(?:(?-i:[A-Z])\w+ here,? )?(?:I|we|{KINFOLK}){ADVERBS}(?: mainly| part-time| full-time)? (?P<object>(?:do(?:es)?|works?|working|pull) (?:the )?(?:night|day|early|late|split|twelve-hour|12-hour|rotating|back|weekend|graveyard)(?: and (?:night|day|weekend))? ?shifts?\b[^\n.!?,]{{0,40}}|(?:do|does) (?:the )?(?:ux|ui|design|seo|qa|hr|it|pr|payroll|accounts|accounting|bookkeeping|marketing|sales|support|tech support|devops|infra|security|data|logistics|procurement|research|consulting|nails|hair|gardening|catering|childcare|cleaning|social media|compliance|user research|front-?end|back-?end|embedded|mobile) (?:work |stuff )?(?:for|at|in|on) (?!(?:you|this|it)\b)[^\n.!?,]{{3,50}}"
            rf"|(?:give|gives|offer|teach|teaches) (?:[\w-]+ )?(?:[\w-]+ )(?:lessons|classes|courses|tuition|workshops|year \d+|reception|surfing|english|french|maths?|swimming|yoga|pilates)\b[^\n.!?,]{{0,40}}|sells? (?!(?:it|this|that|them|him|you)\b)[\w' -]{{3,40}} (?:on|at|via|through|from) (?:etsy|ebay|vinted|amazon|instagram|shopify|the (?:\w+ )?market|markets|fairs|craft fairs|a stall|my (?:own )?(?:site|shop|website))|(?:volunteers?|temps?|interns?|freelances?|subs?|substitutes?|moonlights?|consults?|contracts?|clerks?|coach(?:es)?) (?:at|for|with|as|in) [^\n.!?,]{{3,60}}"
            rf"|(?:maintains?|looks? after|administers?|supports?|owns?|oversees?|heads?|handles?|coordinates?|runs?) (?:the )(?!(?:tests?|build|script|code|server|loop|query|error|kids|dog|cat|house|same|following|risk|problem|bug|issue|world|show)\b)[\w' -]{{3,40}} (?:at|for) (?:our|my|the|an?) (?:[\w-]+ )?(?:council|company|school|university|hospital|bank|firm|lab|team|club|church|parish|department|ministry|agency|startup|institute|museum|charity|group|office|plant|district|city)\b)"
        ),
        examples=(("I work night shifts in a data centre.", "work night shifts in a data centre"), ("I sell handmade candles on Etsy.", "sell handmade candles on Etsy"), ("I maintain the payroll system at our council.", "maintain the payroll system at our council"), ("I give piano lessons from home.", "give piano lessons from home")),
        counterexamples=("I do it for you", "I run the tests at night", "I maintain that it works"),
    ),
    Pattern(
        name="work.with_employer", predicate="works_at",
        regex=(
            rf"(?:(?:I'm|I am|we're|{KINFOLK}(?: is|'s)|(?P<subject>(?-i:[A-Z][a-z]{{2,12}}))(?:'s| is))(?: (?:still|now|currently|also|back|employed|working|contracting|interning|temping)){{0,2}} (?:with|at|for|by) (?P<object>(?:the |an? |my |our )?(?:(?:[\w'-]+ ){{0,2}}(?:start-?up|company|bank|hospital|agency|firm|consultancy|fintech|insurer|council|nonprofit|charity|civil service|fire brigade|police|nhs|red cross|ministry|law firm|publisher|manufacturer|telco|ngo|university))\b(?! (?:website|site|page|counter|queue|right now|waiting))|(?<=with )(?:the )?(?!{CITIES})(?-i:[A-Z][\w&'-]{{1,20}}(?: [A-Z][\w&'-]{{1,20}}){{0,3}})(?= (?:now|since|these days)|[.!]*$))"
            rf"|(?:{did('joined|started (?:working |work |out )?(?:at|with|for)|got (?:a|my first|my) (?:new )?(?:job|position|post|gig|place) (?:at|with|in)|signed (?:on )?with|been hired by|got hired by|got taken on (?:at|by)|landed a job (?:at|with)|began (?:at|with)|am starting (?:at|with)|spent [a-z0-9]+ (?:years|months) (?:at|with)|worked [a-z0-9]+ (?:years|months) (?:at|for|with)')}|{KINFOLK}(?: has)?(?: just| recently| now)? (?:joined|started (?:work )?(?:at|with|for)|works (?:at|for|with|in)|got a (?:new )?(?:job|position) (?:at|with|in)|(?:is|'s) (?:starting|working) (?:at|for|with))"
            rf"|(?:before (?:this|that),? )?I spent [\w ]{{2,20}} (?:years|months) (?:at|with)|(?:my|our) (?:employer|company|workplace|firm)(?: is|'s|:)(?: called| now)?|(?:I|we)(?:'m| am| are|'re)?(?: currently| now| still)? (?:contract|contracting|freelance|freelancing|consult|consulting|intern|interning|volunteer|volunteering) (?:for|at|with)) (?P<object>{_EMPLOYER})(?! (?:call|meeting|channel|server|project|beta|mode)\b))"
        ),
        examples=(("My sister Anna just started at Siemens.", "Anna | Siemens"), ("Before this I spent four years at Deliveroo.", "Deliveroo"), ("I'm at a fintech, so never call the live bank endpoints.", "fintech"), ("My son just got a job at Deloitte.", "son | Deloitte")),
        counterexamples=("I'm at the airport, boarding in ten.", "I joined the call", "I'm with you", "I started at the top"),
    ),
    Pattern(
        name="work.role_change", predicate="works_as", stance=Stance.CORRECT, importance=0.8,
        regex=(
            rf"(?:they(?:'ve| have)? (?:made|named|appointed|promoted|hired) me(?: to| as)?|I(?:'ve| have)?(?: just| recently)? (?:been|was|got|were) (?:made|named|appointed|elected|promoted(?: to)?|hired as|moved (?:up )?to|transferred to|bumped up to)|I(?:'ve| have)? (?:just |recently )?(?:taken over(?: as)?|took over(?: as)?|moved into|stepped up (?:as|to)|stepped into|become|became)|I(?:'ll| will)(?: soon)? be) (?:an? |the |our )?"
            rf"(?P<object>(?:head|lead|chair|director|manager|partner|team lead|tech lead|treasurer|secretary|captain|supervisor|deputy|acting|principal|senior|staff|vp|cto|ceo|coo|cfo|editor|foreman|coordinator|shop steward|governor)\b[^\n.!?,]{{0,40}}|{_ANY_JOB}[^\n.!?,]{{0,20}}|[\w -]{{3,30}} (?:team|desk|department|account|accounts|portfolio|role|position|ward|shop|business|practice)\b[^\n.!?,]{{0,30}})"
            rf"|(?:I'm|I am)(?: now| currently| still| back)? (?:on|in|with|part of|leading|heading) (?:the |an? )(?P<object>(?!(?:wrong|same|right|other|home|away|winning|losing|opposing)\b)[\w -]{{3,30}} (?:team|squad|department|desk|group|crew|unit))(?=[.!,;]|$| (?:now|at|in|and|so|these|since|for|not)\b)|(?:I'm|I am) (?P<object>on call for [^\n.!?,]{{3,40}})"
        ),
        examples=(("They made me head of department this term.", "head of department this term"), ("I've taken over the press desk from Lothar", "press desk from Lothar"), ("I'm on the platform team now, not on web.", "platform team")),
        counterexamples=("I'm on the wrong team", "They made me laugh", "I became confused"),
    ),
    Pattern(
        name="work.terms", predicate="works_as",
        regex=rf"(?:{US}(?:'ve| have)? (?P<object>(?:work|worked|am working|been working)(?: fully| entirely| mostly| all)? (?:remote(?:ly)?|from home|part[- ]time|full[- ]time|freelance|four days a week|three days a week|\d+ (?:hours|days) a week|nights|weekends only|for myself|in (?:retail|hospitality|tech|finance|healthcare|education|publishing|insurance|logistics|construction|advertising|biotech|pharma|government|the public sector|academia|theatre|film|tv|radio|banking|sales|marketing|hr|it|procurement|real estate|agriculture|aviation|shipping|games|gaming|forestry|tourism|catering|social care|childcare|the nhs|policing|law|consulting|automotive|energy|telecoms?|manufacturing|robotics|journalism))\b[^\n.!?,]{{0,40}})|(?:most of my (?:hours|time|days|week|work)|my (?:days|work|time|week|hours)) (?:go(?:es)? into|(?:is|are) spent on|revolves around|is all about|consists of) (?P<object>(?!(?:this|it|that|debugging)\b)[^\n.!?,]{{3,70}})|(?:my|our) (?P<object>(?:team|group|department|squad|company|firm|start-?up|lab|employer|office) (?:builds|makes|develops|maintains|sells|runs|does|owns|handles|ships|works on|is responsible for|looks after|consists of|has \w+ (?:people|engineers|developers|devs|employees|members)|is (?:\w+ )?(?:people|engineers|strong)) ?(?!(?:not|n't|it|this|that)\b)[^\n.!?,]{{0,60}}))",
        examples=(("I've worked fully remote since 2019.", "worked fully remote"), ("Most of my hours go into a scheduler for hospital beds.", "scheduler for hospital beds")),
        counterexamples=("My time is up", "I worked in the garden"),
    ),
    # education
    Pattern(
        name="education.quit", predicate="studies_at", stance=Stance.DENY,
        regex=rf"(?:{did('quit|dropped out of|left|gave up|abandoned|paused|deferred|stopped|failed out of|flunked out of')} (?P<object>(?:my |the |an? )?(?:{_DEGREE}|uni(?:versity)?|college|school(?= at)|law school|med(?:ical)? school|grad school|high school|sixth form|course|programme|program|{_SUBJECT}(?= (?:degree|course|at|after)))\b[^\n.!?,]{{0,40}})|(?P<object>(?<=^)dropped {_SUBJECT}[^\n.!?,]{{0,30}}|(?<=I )dropped {_SUBJECT}[^\n.!?,]{{0,30}}))",
        examples=(("I quit the MBA, too expensive.", "MBA"), ("I dropped out of uni after three semesters.", "uni"), ("I left school at fifteen, never regretted it.", "school at fifteen")),
        counterexamples=("I dropped the table", "I left the room"),
    ),
    Pattern(
        name="education.did", predicate="studied_at",
        regex=(
            rf"(?:{did('did|do|completed|finished|got|earned|hold|have|passed|took|sat|received|obtained|wrote|started|began|am doing|was awarded|signed up for|enrolled (?:in|on)|enroll(?:ed)? in|aced|failed|take')}|(?:I|we)(?:'ve| have)(?: got)?|{doing('doing|taking|pursuing|finishing|completing|starting|studying for|working (?:on|towards)|preparing for|revising for|cramming for|enrolled (?:in|on)|halfway through|half-way through|part-way through|nearly done with|about to finish|signed up for|in the (?:first|second|third|fourth|final|last) year of|in my (?:first|second|third|fourth|final|last) year of')}|{KINFOLK}(?: is|'s)? (?:doing|did|has|got|passed|starting|started|finishing|just passed|just got|just finished|taking|took))"
            rf" (?P<object>(?:an? |my |the |our |his |her |both |)(?:(?!(?:new|bug|ssl|tls|https|broken|expired|self-signed|root|staging|wildcard|free|mit|driver|software|gpl|apache|bsd|jetbrains|class|let's|client|server|fishing|parking)\b)[\w'.+-]+ ){{0,4}}?{_DEGREE}(?:(?<!cert)|(?<= cert))\b{_NOT_CLASS}[^\n.!?,]{{0,60}}|grade \d [\w ]{{3,20}}|(?-i:[A-Z]\w+(?: [A-Z]\w+){{0,3}})(?= (?:this|last|next) (?:term|semester|year))|(?:an? |the )?(?:[\w-]+ ){{0,2}}(?:course|class|classes) (?:in|on) {_SUBJECT}[^\n.!?,]{{0,30}})"
        ),
        examples=(("I did my PGCE in Swansea.", "PGCE in Swansea"), ("Started an apprenticeship as a joiner.", "apprenticeship as a joiner"), ("I've an economics degree I have never used.", "economics degree I have never used"), ("I passed the AWS certification in June.", "AWS certification in June"), ("passed grade 6 violin", "grade 6 violin")),
        counterexamples=("I have a broken certificate", "certificate expired on staging", "I graduated from print debugging"),
    ),
    Pattern(
        name="education.at_school", predicate="studies_at",
        regex=(
            rf"(?:(?:I'm|I am|we're|{KINFOLK}(?: is|'s| are)|(?P<subject>(?-i:[A-Z][a-z]{{2,12}}))(?: is|'s)){ADVERBS} (?P<object>(?:at|in|off to|starting|finishing) (?:uni(?:versity)?|college|sixth form|law school|med(?:ical)? school|grad(?:uate)? school|art school|film school|business school|drama school|high school|middle school|primary(?: school)?|secondary(?: school)?|nursery|kindergarten|boarding school|year \d+|\w+ grade|grade \d+)\b[^\n.!?,]{{0,40}}|homeschooled|home-schooled|being homeschooled)"
            rf"|(?:I'll|I will|I'm|{KINFOLK}(?:'s| is| will be| will)|I)(?: just| be)? (?:starting|starts|started|start|going|goes|go|attends|attend|enrolled) (?:at|to) (?P<object>(?:the |an? )?(?:[\w'-]+ ){{0,4}}(?:school|university|uni|college|academy|kindergarten|nursery|polytechnic|conservatoire|conservatory|gymnasium|lycée|institute)\b[^\n.!?,]{{0,30}}))"
        ),
        examples=(("Our son is at uni in Leeds.", "son | at uni in Leeds"), ("Ravi is homeschooled.", "Ravi | homeschooled"), ("My eldest will be starting at the Waldorf school after the holidays.", "eldest | Waldorf school")),
        counterexamples=("I go to the gym", "I'm in a meeting"),
    ),
    Pattern(
        name="education.student", predicate="studies", first=True,
        regex=(
            r"(?:(?:I'm|I am|we're) )?(?:an? |both )?(?P<object>(?:(?:first|second|third|fourth|final)[- ]year |phd |masters? |grad(?:uate)? |undergrad |high[- ]school |medical |law |nursing |cs |exchange |mature |part-time |international |former )(?:[\w-]+ ){0,3}(?:students?|candidate|undergrad))\b(?: (?:here|at|in|from|of)\b[^\n.!?,]{0,50})?(?=[.!,;]|$| and )|(?P<object>(?-i:[A-Z])[\w. -]{1,30}) (?:grad|graduate|alum|alumna|alumnus|dropout),? (?:class of|here|since|from|\d{4})[^\n.!?]{0,20}|I was an? (?P<object>(?:exchange student|boarder|scholarship (?:kid|student)|fulbright scholar|erasmus student|visiting student)[^\n.!?,]{0,40})"
        ),
        examples=(("second-year CS student here", "second-year CS student"), ("Waterloo grad, class of 2015.", "Waterloo"), ("I was an exchange student in Osaka for a year.", "exchange student in Osaka")),
        counterexamples=("The student table is empty", "Undergrad life"),
    ),
    Pattern(
        name="education.learning", predicate="studies",
        regex=(
            rf"(?:{doing('learning|studying|teaching myself|self-teaching|brushing up(?: on)?|majoring in|minoring in|specialising in|specializing in|reading(?= (?:history|law|english|medicine|philosophy|maths|physics|classics|ppe))|taking up')}|{did('studied|majored in|minored in|taught myself|self-taught|read(?= (?:history|law|english|medicine|philosophy|maths|physics|classics|ppe) at)|graduated in|specialised in|specialized in|switched (?:my )?majors? to|changed (?:my )?(?:major|course) to')}|(?:we met when )?we were both reading|(?:I|we){ADVERBS} (?:study|take|learn)|(?:my|our) (?:major|minor|degree|subject|field|course|phd|masters?|thesis|dissertation)(?: is| was|'s|:)(?: now)?(?: in| on| about)?|{KINFOLK}(?: is|'s)? (?:studying|studies|studied|learning|reading|majoring in|doing)|I (?:switched|changed) majors?[:,] (?:it's|to)) (?:an? (?:evening |night )?class in )?(?P<object>{_SUBJECT}[^\n.!?,]{{0,50}})"
            rf"|{doing('writing')} (?:my|the) (?:[\w\']+ )?(?P<object>(?:thesis|dissertation) (?:on|about) [^\n.!?,]{{3,70}})|(?:{did('passed out of|graduated(?: from)?|got into|got accepted (?:to|into|at)|went to|studied at|trained at|was educated at|did my studies at|transferred to')}) (?P<object>(?!print|{NAME} (?:station|airport))(?:the )?(?:(?:University|College|Institute|School) of )?(?:(?-i:[A-Z])[\w.'-]+ ){{0,4}}(?:University|College|Uni|School|Academy|Polytechnic|Conservatoire|State|Tech|Institute|IIT \w+|MIT|ETH|TU \w+|Oxford|Cambridge|Harvard|Stanford|Yale|Princeton|Caltech|Imperial|LSE|UCL|Delft|Leiden|Uppsala|Bologna|Heidelberg|KTH|EPFL|Waterloo|McGill)\b[^\n.!?,]{{0,30}})|{did('graduated')} (?P<object>(?:last|this|in|with|top of|two|three|a year|years) (?:\w+)[^\n.!?,]{{0,30}})"
        ),
        examples=(("Learning British sign language because of my grandson.", "British sign language"), ("I'm writing my thesis on graph databases.", "thesis on graph databases"), ("I passed out of IIT Madras in 2016.", "IIT Madras in 2016"), ("I switched majors: it's biostatistics now, not biology.", "biostatistics")),
        counterexamples=("I'm learning a lot from this chat.", "I study the log", "Studies show that coffee helps."),
    ),
)
