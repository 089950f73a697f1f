"""English: what stands in somebody's calendar, said more freely: appointments, habits of the week, terms that end."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, KIN, KINFOLK, NAME, did
from memoracle.extract.words_en import AT, DAY, HOUR, TIME
from memoracle.model.claim import Stance

_EVENT = (
    r"(?:appointments?|meetings?|calls?|interviews?|exams?|flights?|trains?|ferry|dinner|lunch|breakfast|brunch|coffee|drinks|party|wedding|funeral|conference|stand-?ups?"
    r"|sync|reviews?|demo|deadline|presentation|surgery|operation|check-?up|therapy|sessions?|class(?:es)?|lessons?|practice|rehearsals?|concert|gig|show|match|race"
    r"|marathon|trip|vacation|holidays?|visit|birthday|anniversary|graduation|ceremony|hearing|reservation|booking|viewing|inspection|delivery|yoga|pilates|choir|book club"
    r"|football|tennis|swimming|piano|training|workshop|webinar|retro|planning|one-on-ones?|1:1s?|town hall|offsite|retreat|camp|shifts?|dentist|doctor|vet|gp|haircut"
    r"|pick-?up|move|launch|release|defen[sc]e|kick-?off|ultrasound|scan|mri|ct|x-ray|vaccination|jab|booster|blood test|physio|closing|recital|reunion|festival|tournament"
    r"|bootcamp|orientation|onboarding|jury duty|court date|baby shower|housewarming|viva|mot|service|boiler service|due date|payday|pay day|bins?|bin day|recycling|rota"
    r"|half-?term|inset day|sports day|parents' evening|school play|nativity|open day|open house|market|barbecue|bbq|picnic|christening|baptism|bar mitzvah|first communion"
    r"|confirmation|quiz|pub quiz|audition|casting|opening|exhibition|fair|sale|auction|agm|board|committee|council|works council|office hours|maintenance window|code freeze"
    r"|freeze|sprint|cut-?off|submission|chemo|chemotherapy|radiotherapy|dialysis|round|treatment|procedure|colonoscopy|endoscopy|smear|mammogram|eye test|hearing test|driving test"
    r"|theory test|audit|exercise class|zumba|spin|ballet|karate|judo|scouts|brownies|cubs|playgroup|nursery|mass|service|evensong|bible study|shabbat dinner|iftar|lease|rent|nap"
    r"|tutorial|lecture|seminar|lab|office|backup|backups|cron job|job|batch|newsletter|podcast|broadcast|stream|finals|semifinal|derby|fixture|regatta|swim meet|parade|vernissage)"
)
_WORLDLY = r"(?!(?:the )?(?:world cup|olympics|sun|moon|eclipse|election|super bowl|oscars|eurovision|stock|lesson \d|log|season|series|film|movie|episode|game|store|shops?|museum|line|loop|timer|test|page|chapter|movie|server|their|his|her|your|it|this|that|there|what|when|which|who|how|today|tomorrow|school's closed)\b)"
_NP = r"(?:[\w'’&/-]+ ){0,4}?"
_TAIL = r"[^\n.!?]{0,60}"
_DAYS = rf"(?:{DAY}(?:(?:,| and|, and| or| &| to|-) {DAY}){{0,4}})"
_RECURS = (
    rf"(?:(?:on |every |each |all |most )?(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)?|(?:every|each) (?:other |second |third |single )?(?:{DAY}|week|fortnight|month|quarter|morning at|evening at|night at|day at)"
    rf"|(?:on )?(?:the )?(?:first|second|third|fourth|last) {DAY} (?:of|in) (?:the|every|each) month|fortnightly|weekly|twice a week|once a week|once a month|(?:at|on) weekends|on weekdays|(?:monday|tuesday|wednesday|thursday|friday) (?:to|through|till) (?:tuesday|wednesday|thursday|friday|saturday|sunday))"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="schedule.off", predicate="scheduled", stance=Stance.DENY,
        regex=(
            rf"(?:my|our|the|(?:{DAY})'s|tomorrow's|tonight's|today's|next week's|this week's|no)? ?(?P<object>(?:{DAY} )?{_NP}{_EVENT}(?: (?:with|on|at|for|in) [\w' ]{{2,30}}?)?)(?:'s| is| are| was| has been| have been| got)(?: now| just| all)? (?:cancelled|canceled|called off|off|scrapped|not happening)(?: (?:this|next|until|till|on|due|because)\b[^\n.!?]{{0,40}})?(?=[.!,;]|$)"
            rf"|{did('cancelled|canceled|called off')} (?:my|our|the) (?P<object>{_NP}{_EVENT}\b[^\n.!?,]{{0,40}})|no (?P<object>{_NP}{_EVENT} (?:this|next|on|tomorrow|tonight)\b[^\n.!?,]{{0,20}})"
        ),
        examples=(("The Saturday barbecue is cancelled.", "Saturday barbecue"), ("We cancelled the dentist appointment", "dentist appointment"), ("No choir this Thursday", "choir this Thursday")),
        counterexamples=("The job was cancelled by the runner", "No lunch today"),
    ),
    Pattern(
        name="schedule.falls_on", predicate="scheduled",
        regex=(
            rf"{_WORLDLY}(?:my|our|the|(?:my|our) [\w-]{{2,20}}'s|{NAME}'s|mum's|mom's|dad's|gran's)? ?(?P<object>(?:new )?{_NP}{_EVENT}(?:,? [\w'-]+,?)?(?: (?:with|for|to|in|at|of|on|round|slot) [\w .'-]{{1,40}}?)?(?: \w{{3,5}})?(?:'s| is| are| will be| starts?| begins?| ends?| finish(?:es)?| falls?| takes place| kicks (?:off|in)| runs?| opens?| closes?| leaves?| departs?| arrives?| lands?| meets?| happens?| is due| comes up| goes (?:out|off)| go out| expires?| is up| resumes?| has been (?:moved|set|booked|scheduled|pushed)| (?:got|was) (?:moved|set|booked|scheduled|pushed))"
            rf"(?: (?:booked|scheduled|planned|set|due|now|always|back|happening|out|moved|pushed|arranged|pencilled in|confirmed|to|for))* {AT}(?:the )?(?:{TIME}|(?<=at ){HOUR}\b){_TAIL})"
        ),
        examples=(("My viva is on 22 May.", "viva is on 22 May"), ("Code freeze starts on 18 December.", "Code freeze starts on 18 December"), ("The MOT's due end of March.", "MOT's due end of March"), ("Rehearsals start 5 January, always Mondays", "Rehearsals start 5 January"), ("Standup's at half nine every weekday.", "Standup's at half nine every weekday")),
        counterexamples=("Their store opens at nine I guess", "The log starts at 03:14", "Lesson 3 starts on page 40."),
    ),
    Pattern(
        name="schedule.meets", predicate="scheduled",
        regex=(
            rf"{_WORLDLY}(?:my|our|the)? ?(?P<object>(?:[\w'-]+ ){{1,4}}?(?:meets?|rehearses?|practises|practices|trains|naps?|goes out|go out|gets emptied|gets collected|is collected|are collected|come round|comes round|comes|sees me|closes|opens|is closed|are closed|is open|is off|is shut|has (?:swimming|football|ballet|piano|choir|judo|karate|gymnastics|therapy|physio|training|practice|scouts|band|drama|tutoring)) {AT}(?:{_RECURS}|{HOUR} (?:to|till|until) {HOUR}|{DAY} (?:morning|afternoon|evening|night)){_TAIL})"
        ),
        examples=(("works council meets first Thursday of the month", "works council meets first Thursday of the month"), ("My shop is closed on Mondays.", "shop is closed on Mondays"), ("the baby naps from one to three, every day", "baby naps from one to three")),
        counterexamples=("She comes in the evening", "The bakery opens at noon"),
    ),
    Pattern(
        name="schedule.habit", predicate="scheduled",
        regex=(
            rf"(?:(?:during|in) [\w ]{{3,20}},? )?(?:I|we|{KINFOLK}){ADVERBS} (?P<object>(?:(?:don't|do not|never|can't|doesn't|only) )?(?:work|works|teach|teaches|train|trains|swim|swims|play|plays|do|does|have|has|'ve got|hold|holds|host|go to|goes to|attend|attends|meet|meets|take|takes|see|sees|run|runs|sing|sings|rehearse|volunteer|cook|shop|fast|stream|record|drop off|pick up|visit|call|ring|ship|deploy|release|am off|'m off|am on call|'m on call|am in the office|'m in the office|work from home|babysit|walk|host|commute|climb|box|dance|row|practise|practice)\b(?! it\b| this\b| that\b)[^\n.!?]{{0,50}}?(?:{_RECURS}|(?<=work ){HOUR} (?:to|till|until) {HOUR}){_TAIL})"
            rf"|{_RECURS},? (?:(?:I|we) (?P<object>(?:have|teach|train|swim|play|do|go to|work|meet|run|host|am|visit|look after)\b[^\n.!?]{{3,60}})|(?:I'm|we're|is|are|I've got|we've got) (?P<object>(?!(?:off limits|when|the worst|hard|my least|my favourite|my favorite)\b)[^\n.!?]{{3,60}}))"
            rf"|{DAY} is (?P<object>[\w' ]{{3,25}} (?:day|night|evening|morning))\b|(?:I|we) never (?:take|do|accept|have) (?P<object>(?:meetings|calls|appointments)(?! that)[^\n.!?]{{3,40}})|(?:the )?(?:new )?(?:rota|schedule|timetable|roster) has (?:me|us) (?P<object>[^\n.!?]{{3,60}})"
        ),
        examples=(("I don't work Wednesdays.", "don't work Wednesdays"), ("I hold office hours Tuesdays 1 to 3.", "hold office hours Tuesdays 1 to 3"), ("Wednesday is bin day, green one every other week.", "bin day"), ("Every third week I'm on call.", "on call")),
        counterexamples=("I run it every time", "I work on it", "Monday is the worst"),
    ),
    Pattern(
        name="schedule.label", predicate="scheduled", first=True, whole=True,
        regex=(
            rf"{_WORLDLY}(?P<object>(?!(?:re|note|todo|fyi|update|error|log|lesson|on|at|from|in|after|before|since|I|we|I'm|we're|it|you|he|she|they|thanks|see)\b)(?:[\w'’&/-]+ ){{0,4}}{_EVENT}(?: with (?:the |my )?[\w'-]+(?: [\w'-]+)?)?\s?(?::|,|—|–|-)\s?{AT}(?:{TIME})(?:[ ,]+(?:{AT})?{HOUR})?{_TAIL})(?=[.!]*$)(?<=\w)"
        ),
        examples=(("Band practice: Wednesdays 7pm", "Band practice: Wednesdays 7pm"), ("Weekly sync with Ola, Mondays at 10.", "Weekly sync with Ola, Mondays at 10"), ("Algorithms exam: 14 July, 9 am, hall 3.", "Algorithms exam: 14 July, 9 am, hall 3")),
        counterexamples=("Thanks, see you tomorrow", "Lesson 4: today we learn"),
    ),
    Pattern(
        name="schedule.noun_when", predicate="scheduled", first=True,
        regex=rf"(?P<object>(?:the |my |our )?(?!(?:see|meet|call|book|find|what|when|is|are|can|do|set|make|show|schedule|remind|move|plan|no|good|great|last|cancel|talk|let|it|I|we|they|was)\b)(?:[\w'’&-]+ ){{0,3}}?(?:{_EVENT})(?: (?:with|for|at|to|in|and) [\w' -]{{2,40}}?)? (?:(?:on|at|this|next|in|from|every|starting) ){{0,2}}(?:{TIME})(?:[ ,]+(?:at |from |around )?{HOUR})?(?: at [\w' ]{{2,30}})?)(?=[.!]*$|,)",
        examples=(("Coffee with Ruth tomorrow at eleven.", "Coffee with Ruth tomorrow at eleven"), ("Vet appointment for Biscuit on Friday", "Vet appointment for Biscuit on Friday")),
        counterexamples=("Find a train to York on Saturday morning.", "Call me tomorrow"),
    ),
    Pattern(
        name="schedule.comes_by", predicate="scheduled",
        regex=rf"(?P<object>(?:the|my|our) (?!(?:test|build|package|parser|error|exception|code|response|page|request|data|value|result)\b)(?:[\w'-]+ ){{0,2}}?[\w'-]+?(?: {NAME})?(?:'s| is| are|'re| will be)? (?:coming(?: round| over| by| to)?|visiting|arriving|popping (?:in|by|round)|dropping (?:in|by)|staying|flying in|being (?:delivered|installed|collected|fitted)|getting (?:delivered|installed|fitted|collected)|moving (?:in|out))\b[^\n.!?]{{0,50}}?(?:{AT})?(?:{TIME}|(?<=at ){HOUR}\b){_TAIL})",
        examples=(("The landlord's coming round tomorrow at four to look at the damp.", "landlord's coming round tomorrow at four to look at the damp"), ("Our new sofa is being delivered on Friday", "new sofa is being delivered on Friday")),
        counterexamples=("The package is coming along", "The train is coming"),
    ),
    Pattern(
        name="schedule.term", predicate="scheduled",
        regex=rf"(?P<object>(?:my |our |the |{KIN}'s )?(?:[\w'-]+ ){{0,3}}(?:lease|contract|subscription|passport|visa|licen[cs]e|insurance|warranty|mortgage|tenancy|permit|membership|mot|tax disc|guarantee|notice period|probation|trial|certificate|season ticket|rail ?card|sick note)(?: (?:on|for|with|at) [\w' ]{{2,30}}?)?(?:'s| is)? ?(?:ends?|expires?|runs? out|runs?|renews?|lapses?|is up|starts?|is due|due|up|valid) (?:for renewal )?(?:on|in|at|by|until|till|to|next|this|from|for)? ?(?:the )?{TIME}{_TAIL})",
        examples=(("The lease on the rack ends on 31 March.", "lease on the rack ends on 31 March"), ("My passport expires in June", "passport expires in June")),
        counterexamples=("certificate expired on staging", "The token expires after 15 minutes."),
    ),
)
