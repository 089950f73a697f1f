"""English: appointments, plans, tasks, decisions and lessons."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, FOLKS, KIN, NAME
from memoracle.model.claim import Stance

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|thur|fri|sat|sun)\b)"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_WHEN = (
    rf"(?:(?:on |this |next |every |by |until |from |each |the |at |in |for |around |starting |coming )*(?:{_DAY}|tomorrow|tonight|today|noon|midnight|\d{{1,2}}(?::\d\d)? ?(?:am|pm|a\.m|p\.m|o'?clock)|\d{{1,2}}:\d\d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}|\d{{4}}-\d\d-\d\d"
    rf"|(?:this |next |coming )(?:week|month|weekend|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|quarter|{_MONTH})|(?:in |early |late |mid-?)+{_MONTH}|in (?:an?|one|two|three|four|five|six|\d+) (?:hours?|days?|weeks?|months?|years?)|every (?:day|week|month|year|morning|evening|night|other \w+)|day after tomorrow|end of (?:the )?(?:week|month|year|summer)|(?:weekday|weekend)s))"
)
_EVENT = (
    r"(?:(?:[\w'’&/-]+ ){0,4}(?:appointment|meeting|call|interview|exam|test|flight|train|dinner|lunch|breakfast|brunch|party|wedding|funeral|conference|standup|stand-up|sync|review|demo|deadline|presentation|surgery|operation|checkup|check-up|therapy|session|class|lesson|lessons|practice|rehearsal|concert|show|game|match|race|marathon|trip|vacation|holiday|holidays|visit|birthday|anniversary|graduation|ceremony|hearing|date|reservation|booking|viewing|inspection|delivery|yoga|gym|pilates|choir|book club|football|soccer|tennis|swimming|piano|training|workshop|webinar|retro|retrospective|planning|one-on-one|1:1|1-1|town hall|offsite|retreat|camp|school|shift|dentist|doctor|vet|haircut|pickup|move|launch|release|defense|defence|kickoff|ultrasound|scan|vaccination|blood test|physio|visa appointment|closing|parent-teacher \w+|recital|reunion|festival|tournament|bootcamp|orientation|onboarding|jury duty|court date|baby shower|housewarming))"
)
_LIFE = (
    r"(?:mov(?:e|ing)|travel(?:l?ing)?|visit(?:ing)?|run(?:ning)? (?:an?|the|my) (?:\w+ )?(?:half[- ])?(?:marathon|race|10k|5k|ultra)|buy(?:ing)?|marry(?:ing)?|get(?:ting)? (?:married|a (?:dog|cat|puppy|kitten|degree|master|phd|new (?:job|car|house)|tattoo|divorce|motorcycle|house|pet)|another (?:dog|cat|degree)|to [A-C][12]\b|engaged|certified)|retir(?:e|ing)|quit(?:ting)?|leav(?:e|ing) (?:my|the)|study(?:ing)?|learn(?:ing)?|apply(?:ing)?|start(?:ing)? (?:an?|my|physio\w*|therapy|school|college|university|grad|learning|working|law|medical|yoga|piano|the (?:new|masters?|phd))|open(?:ing)? (?:an?|my)|launch(?:ing)?|writ(?:e|ing) (?:an?|my) (?:\w+ )?(?:book|novel|memoir|thesis|screenplay)|adopt(?:ing)?|renovat(?:e|ing)|host(?:ing)?|attend(?:ing)?|tak(?:e|ing) (?:an?|the|up|some)? ?(?:[\w-]+ )?(?:trip|vacation|sabbatical|gap year|class|course|cruise|year off|exam|holiday|road trip|time off)|go(?:ing)? (?:to|on|back to|vegan|vegetarian|abroad|freelance|part-time|hiking|camping|skiing)|fly(?:ing)?|spend(?:ing)?|sell(?:ing)?|build(?:ing)? (?:an?|my|our) (?:\w+ )?(?:house|deck|shed|cabin|boat|extension|greenhouse|treehouse)|hav(?:e|ing) (?:an?|another) (?:baby|child|kid|party|wedding)|relocat(?:e|ing)|emigrat(?:e|ing)|switch(?:ing)? (?:to|careers|jobs)|chang(?:e|ing) (?:careers|jobs|majors)|hir(?:e|ing)|graduat(?:e|ing)|los(?:e|ing) (?:weight|\d)|sav(?:e|ing) (?:up|for)|propos(?:e|ing) to|hik(?:e|ing)|climb(?:ing)?|cycl(?:e|ing)|volunteer(?:ing)?|found(?:ing)?|publish(?:ing)?|train(?:ing)? for|swim(?:ming)?|(?:an?|our|my|the) (?:[\w'-]+ ){0,4}(?:trip|wedding|vacation|holiday|party|marathon|move|reunion|honeymoon|getaway|visit|surgery|sabbatical|road trip|book|novel|house|baby|motorcycle|car|cruise|tour|expedition|renovation|remodel|birthday|retreat|conference|race|degree|garden|podcast|startup|business|proposal))\b"
)
"""What people plan in their lives, and not in a file that is open now."""
_NOT_WORK = r"(?!(?:the (?:test|tests|build|code|server|function|loop|script|output|query|api|app|page|request|job)|this|that|it|my code|your)\b)"
_CHORE_NOT = r"(?!(?:know|see|understand|find out|figure|fix (?:this|the|it)|use|add|make|create|change|convert|implement|parse|write (?:an?|the|some) (?:function|script|test|regex|query|program|class|code)|get (?:the|this|all|a list)|check (?:if|whether|the|this)|be able|have (?:the|it|this)|do (?:this|it|that|the|some)|run|sort|filter|bump|escape|look at|look into|look up|debug|test|print|read|return|set|remove|delete|update|rename|replace|handle|avoid|pass|compare|think|say|admit|go now|sleep|ask you|tell you|install|import|export|refactor|merge|rebase|push|pull|compute|calculate|count|loop|iterate|restart|reload|wait|keep|specify|define|extract|generate|format|store|load|split|join|open|match|validate|ensure|somehow|display|show|render|start (?:the|over)|send (?:a )?(?:request|post|get)|access|connect|deploy this|reproduce|double)\b)"

PATTERNS: tuple[Pattern, ...] = (
    # lessons and decisions, marked ones first
    Pattern(
        name="lesson.marked", predicate="learned", whole=True, label_free=True,
        regex=r"(?:(?:key |main |big |another )?(?:note to self|lessons?(?: learned| learnt| from [\w ]{2,40})?|takeaway|gotcha|root cause|what (?:we|I) (?:learned|learnt)(?: from [\w ]{2,40})?|postmortem))(?: is| was| here)?(?: that)?\s?[:—–-]\s?(?P<object>[^\n]{4,300})",
        examples=(("Lesson learned: never run the migration during business hours.", "never run the migration during business hours"), ("What we learned from the launch: announce price changes early.", "announce price changes early")),
        counterexamples=("The lesson is over",),
    ),
    Pattern(
        name="lesson.turns_out", predicate="learned", whole=True,
        regex=r"(?:it )?turns out(?: that|,)? (?P<object>(?!(?:it|this|that|I|you|we|he|she) (?:was|were|is|are|am)? ?(?:my|right|wrong|fine|ok|not|a typo|the wrong|easy|forgot|had a typo)\b)[^\n]{8,300})",
        examples=(("Turns out the flaky test was caused by the timezone of the CI runner.", "the flaky test was caused by the timezone of the CI runner"),),
        counterexamples=("Turns out it was my typo",),
    ),
    Pattern(
        name="lesson.learned", predicate="learned", whole=True,
        regex=r"(?:(?:I|we)(?:'ve| have)? (?:just |finally )?(?:learned|learnt|discovered|found out|figured out|realized|realised)(?: the hard way| today| yesterday| recently| from this)?(?: that|,)|(?:it )?took (?:me|us) [\w ]{2,30} to (?:find out|figure out|realize|realise|discover|learn|understand)(?: that)?|(?:I|we) learned the hard way(?: that)?) (?P<object>(?!(?:it|this|that|he|she)\b|you (?:are|were|can't)|how to|about|a lot)[^\n]{6,300})",
        examples=(("I learned the hard way that the staging bucket has no versioning", "the staging bucket has no versioning"), ("It took me two days to find out that the SDK swallows exceptions.", "the SDK swallows exceptions")),
        counterexamples=("I learned a lot today", "I figured out how to do it", "I realized that it was wrong"),
    ),
    Pattern(
        name="lesson.trick", predicate="learned", whole=True,
        regex=r"(?P<object>(?:the )?(?:trick|fix|solution|workaround|answer|key|secret) (?:was|is|turned out to be) (?:to |that |adding |using |setting |disabling |clearing |restarting |upgrading |downgrading )[^\n]{4,160}|(?:it|that|this|[\w' -]{3,40}?) (?:finally |only )?(?:worked|works|started working|stopped (?:failing|crashing)) (?:after|once|only when|only after|when) (?:I|we|you) [^\n]{4,120})",
        examples=(("The trick was to clear the DNS cache first.", "The trick was to clear the DNS cache first"), ("It finally worked after I disabled IPv6.", "It finally worked after I disabled IPv6")),
        counterexamples=("The answer is 42", "It worked"),
    ),
    Pattern(
        name="lesson.root_cause", predicate="learned", whole=True,
        regex=r"(?P<object>(?:the )?(?:root |real |actual |underlying )?(?:cause|culprit)(?: of [\w' -]{2,60})? (?:was|is|turned out to be) (?!(?:unclear|unknown|not|still|probably not)\b)[^\n]{4,200}|(?:the )?[\w' -]{3,50} (?:was|were) caused by (?:the|an?) [^\n]{3,160})",
        examples=(("The root cause of the outage was an expired certificate on the proxy.", "The root cause of the outage was an expired certificate on the proxy"),),
        counterexamples=("The root cause is unclear", "The cause of this"),
    ),
    Pattern(
        name="decision.marked", predicate="decided", whole=True, label_free=True,
        regex=r"(?:(?:final |our |my |team )?(?:decision|decided|final call|verdict))(?: is| made| was| log| of the day)?\s?[:,—–-]\s?(?P<object>[^\n]{4,300})",
        examples=(("decision: no more feature flags in the mobile app", "no more feature flags in the mobile app"), ("ok final call, we're not migrating to kubernetes", "we're not migrating to kubernetes")),
        counterexamples=("Decision trees are fun",),
    ),
    Pattern(
        name="decision.decided", predicate="decided", whole=True,
        regex=r"(?:(?:after [^,]{3,80},? |in the end,? |finally,? |yesterday,? |today,? |so )?(?:I|we|the team|my (?:team|wife|husband) and I)(?: (?:all|both|just|now|finally|already|eventually|unanimously))?(?:'ve| have| has)?(?: (?:all|both|just|now|finally|already|eventually))?|after [^,]{3,80} (?:I|we)) (?:decided|agreed|settled|chosen|chose|opted|concluded|picked(?=[\w .-]{{2,40}} (?:over|for|as)\b)|voted|committed|resolved|made the decision)(?: that| to| on| for| against| not to| in favou?r of)? (?P<object>(?!(?:it|this|that|you|with you|them|him|her|the same|what|how|if|whether|yet|try|check|look|test|give (?:it|up|this)|your|to try|ask|start over|give you)\b)[^\n]{3,200})",
        examples=(("We decided to go with Postgres instead of Mongo.", "go with Postgres instead of Mongo"), ("I've settled on the blue tiles for the bathroom.", "the blue tiles for the bathroom"), ("We chose Stripe over Adyen because of the docs.", "Stripe over Adyen because of the docs")),
        counterexamples=("I agreed with you", "We have not decided yet", "What did we decide about the cache"),
    ),
    Pattern(
        name="decision.will_not", predicate="decided", whole=True,
        regex=r"(?P<object>we (?:will not|won't|will no longer|are not going to|aren't going to|are no longer going to|'re not going to) (?:support|use|build|ship|hire|migrate|adopt|sell|offer|renew|accept|launch|maintain|allow|renovate|move)\b[^\n]{3,120})",
        examples=(("We will not support Internet Explorer any more.", "We will not support Internet Explorer any more"),),
        counterexamples=("We won't know until later",),
    ),
    Pattern(
        name="decision.mind", predicate="decided", whole=True,
        regex=r"(?:I(?:'ve| have)? made up my mind|I've made my (?:decision|choice)|it's settled|it's decided|it's official|final answer|we(?:'ve| have) reached a decision)\s?[,:;.—–-]+\s?(?P<object>[^\n]{4,200})|I'm (?P<object>(?:taking|accepting|turning down|declining|quitting|leaving) (?:the|my) (?:job|offer|position|role)[^\n.!?]{0,80})",
        examples=(("I've made up my mind: Oslo it is", "Oslo it is"), ("I'm taking the job in Oslo.", "taking the job in Oslo")),
        counterexamples=("I'm taking the train",),
    ),
    Pattern(
        name="decision.going_with", predicate="decided", whole=True,
        regex=r"(?:(?:I|we)(?:'re| are|'m| am)? (?:going|gonna go) with|we(?:'ve| have) gone with|we went with|we're sticking with|we(?:'ll| will) go with) (?P<object>(?!(?:it|this|that|the (?:first|second|other|last|former|latter|flow)|option|you|your|him|her|them|my|me)\b)[^\n.!?]{2,120})",
        examples=(("We're going with Postgres for the new service", "Postgres for the new service"),),
        counterexamples=("I'm going with you", "We're going with the first option", "I'm going with my sister"),
    ),
    # plans
    Pattern(
        name="plan.cancelled", predicate="plans_to", stance=Stance.DENY,
        regex=r"(?:(?:I|we)(?:'ve| have)? (?:cancelled|canceled|dropped|abandoned|scrapped|given up(?: on)?|postponed|called off) (?:my |our |the )?(?:plans?|idea|goal)(?: to| of| for)?|(?:I'm|we're|I am|we are) (?:no longer|not) (?:planning|going) to|(?:I|we) no longer (?:plan|want|intend) to) (?P<object>(?!(?:do|use|fix|change|add|run|touch|lie|be able|get)\b)[^\n.!?]{3,120})",
        examples=(("We've cancelled our plan to renovate the kitchen.", "renovate the kitchen"), ("I'm no longer planning to move to Lisbon", "move to Lisbon")),
        counterexamples=("I'm not going to lie",),
    ),
    Pattern(
        name="plan.planning", predicate="plans_to",
        regex=rf"(?:{FOLKS} (?:is planning|plans|intends|is hoping) (?:to|on)|(?:I'm|we're|I am|we are|I've been|we've been)?{ADVERBS} ?(?:planning(?: to| on| for)?|hoping to|saving(?: up)? for|intending to|preparing (?:to|for)|training for|(?:seriously )?thinking (?:about|of)(?: maybe)?)(?: maybe)?|(?:I|we){ADVERBS} (?:plan|intend|hope|aim|dream)(?: on| of| to)) (?:{_NOT_WORK}(?P<object>{_LIFE}[^\n.!?]{{0,140}})|(?P<object>(?!(?:to|use|add|fix|change|refactor|do (?:this|that|it)|make|create|implement|test|see|hear|find|check|get (?:this|it|the)|run (?:it|this|the)|finish this)\b)[^\n.!?]{{3,100}}?{_WHEN}[^\n.!?]{{0,40}}))",
        examples=(("I'm planning to run the Valencia marathon in December.", "run the Valencia marathon in December"), ("I intend to quit my job in the autumn and take a sabbatical", "quit my job in the autumn and take a sabbatical"), ("Thinking about maybe learning the cello this year.", "learning the cello this year")),
        counterexamples=("I was thinking of the other function.", "I'm thinking about this bug", "I plan to refactor it", "I'm planning to use a list here", "Looking forward to hearing from you"),
    ),
    Pattern(
        name="plan.going_to", predicate="plans_to",
        regex=rf"(?:(?:I'm|we're|I am|we are){ADVERBS} (?:going to|about to)|(?:I|we)(?:'ll| will)|(?:I|we)(?= move| travel| fly| relocate| retire)|(?:next|this|in the) (?:week|month|year|spring|summer|autumn|fall|winter|weekend|\w+day),? (?:I|we)(?:'ll| will|'m going to|'re going to|'m| are|'re)(?: be)?|in {_MONTH},? (?:I|we)(?:'ll| will|'m going to|'re going to|'m| are|'re)(?: be)?) (?:(?P<object>(?!(?:start over|go (?:ahead|with|through|over)|buy it|run (?:it|this|the))\b){_LIFE}[^\n.!?]{{0,120}}?(?:{_WHEN}|\bsoon\b|\bsomeday\b)[^\n.!?]{{0,60}})|(?<=ll )(?P<object>{_LIFE}[^\n.!?]{{2,100}})(?<=\w)|(?<=to )(?P<object>{_LIFE}[^\n.!?]{{2,100}}))",
        examples=(("we're going to move to Lisbon next summer", "move to Lisbon next summer"), ("Next month I'll start physiotherapy for my shoulder.", "start physiotherapy for my shoulder")),
        counterexamples=("I'm going to try that", "I'm going to bed", "I'm going to keep pushing", "I'll take a look tomorrow?", "I'm about to run the tests"),
    ),
    Pattern(
        name="plan.travel", predicate="plans_to",
        regex=rf"(?:I'm|we're|I am|we are){ADVERBS} (?P<object>(?:moving|travell?ing|flying|going|relocating|heading|retiring|getting married|graduating|visiting|starting|running|hosting|launching|expecting|taking)\b(?! (?:to (?:bed|try|need|sleep|work on)|through|over|crazy|insane|nuts|on\b|the (?:code|tests?)|a (?:look|break)))(?=[^.]{{0,100}}(?:{_WHEN}|\b(?:soon|later this))\b)[^\n.!?]{{3,120}})",
        examples=(("I'm flying to Tokyo next week", "flying to Tokyo next week"), ("We're getting married in June", "getting married in June")),
        counterexamples=("I'm going through the code today", "I'm running the tests now"),
    ),
    Pattern(
        name="plan.goal", predicate="plans_to",
        regex=r"(?:(?:my|our)(?: main| big| long-term| ultimate| current| next)? (?:goal|aim|dream|plan|resolution|target|ambition)(?: for (?:this|next|the) \w+| this year)?(?: is|'s|:)(?: to| that)?|(?:I|we)(?:'d| would)? (?:really |eventually |someday |one day )*(?:want|like|love) to (?=(?:have (?:the|my|our)|finish|get|become|move|learn|visit|retire|lose|run|travel|buy|live|quit|start|publish|write a (?:book|novel|memoir)|climb|see the)\b[^.]{2,80}(?:by|before|within|this year|next year|someday|some day|one day|eventually|in (?:\d{4}|the (?:next|future))))(?:have)?) ?(?P<object>(?! |(?:fix|to fix|run this|run it|the bug|make it|use|fix|return|parse|be able|this|that|it|working|to (?:fix|parse|return|use|add))\b)[^\n.!?]{3,140})",
        examples=(("my goal is to get to B2 in Spanish before the wedding in june", "get to B2 in Spanish"), ("I want to have the book finished by the end of the year.", "book finished by the end of the year")),
        counterexamples=("My goal is to fix the bug", "I want to see the logs of the last run.", "I want to run this by hand"),
    ),
    # tasks
    Pattern(
        name="task.not_needed", predicate="has_to", stance=Stance.DENY,
        regex=r"(?:I|we) (?:no longer (?:need|have) to|(?:don't|do not) (?:need|have) to(?=[^.]{3,80} any ?more)) (?P<object>(?!worry|use|do\b|run|know)[^\n.!?,]{3,100}?)(?= any ?more|[.!,]|$)",
        examples=(("I don't need to pick up the parcel anymore, the neighbour got it.", "pick up the parcel"),),
        counterexamples=("I don't need to know", "I no longer have to worry"),
    ),
    Pattern(
        name="task.remind", predicate="has_to", label_free=True,
        regex=r"(?:(?:please |pls )?remind me(?: again)?(?: (?:tomorrow|later|tonight|on \w+|next \w+|at \w+|in \w+ \w+))?(?: to| about| that I (?:need|have) to)|(?:please )?(?:don't|do not) let me forget(?: to| about)?|(?:I |we )?(?:must|mustn't|can't|should) (?:not )?forget to|remember to|don't forget to|add (?:it )?to my (?:to-?do|task) list(?: to|:)?|note to self: (?=(?:call|buy|email|book|pay|send|renew|pick|order)\b)) (?P<object>(?!(?:close the file|use|include|add a|run|escape|import|return|skip|handle|check (?:for|the)|always|never|make|keep|it\b|this|that\b|bump)\b)[^\n.!?]{3,120})",
        examples=(("Remind me to water the tomatoes tomorrow.", "water the tomatoes tomorrow"), ("don't let me forget to send Clara the slides", "send Clara the slides")),
        counterexamples=("Remember to close the file handle", "Can you remind me what this does?"),
    ),
    Pattern(
        name="task.todo", predicate="has_to", label_free=True,
        regex=r"(?:todo|to-?do|action item|task|open task)(?: for (?:me|today|tomorrow|this week|later))?\s?[:—–-]\s?(?P<object>[^\n]{3,160})",
        examples=(("todo: rotate the staging certificates", "rotate the staging certificates"),),
        counterexamples=("Todo lists are great",),
    ),
    Pattern(
        name="task.have_to", predicate="has_to",
        regex=rf"(?:I|I've|(?P<subject>(?:my|our) {KIN}|{NAME})){ADVERBS}(?: also| really| still)? (?:have to|has to|need to|have got to|needs to|must|gotta|got to|ought to|am supposed to|'m supposed to|should really)(?: also| still| really)? {_CHORE_NOT}(?P<object>(?:call|email|renew|pay|buy|book|file|submit|finish|send|pick up|return (?:the|my) (?:book|parcel|car|keys)|cancel|schedule|visit|register|apply|sign|order|clean|wash|water|feed|take (?:the|my|him|her|out)|bring|prepare|pack|mail|post|go to|get (?:my|a (?:haircut|passport|visa|new))|see (?:the|a|my) (?:doctor|dentist|vet|lawyer|bank)|talk to|meet|write (?:a|the|my) (?:letter|report|essay|thesis|review|speech|cover letter|invoice)|hand in|turn in|study|practi[cs]e|complete|rotate|invoice|transfer|withdraw|vote|move out|repair|fix (?:the|my) (?:car|bike|roof|sink|fence|door|leak|boiler)|replace (?:the|my) (?:tyres?|tires?|battery|filter|passport|bulb)|drop off|pick|back up|contact|ring|reply to|respond to|review (?:the|\w+'s) (?:contract|budget|proposal|application|thesis|slides)|organi[sz]e|arrange|fill out|fill in|drive|collect|ship|print (?:the|my) (?:tickets|boarding)|grade|mow|paint|reschedule|confirm|update (?:my|the) (?:cv|resume|passport|address|insurance|will))\b[^\n.!?]{{2,120}})",
        examples=(("I have to renew my passport before June.", "renew my passport"), ("I still need to file my taxes, deadline is April 30.", "file my taxes"), ("I must call the insurance about the water damage this week", "call the insurance about the water damage this week")),
        counterexamples=("I need to know why", "I have to use the old API", "I need to look at the configuration first.", "We have to escape the quotes here, otherwise the shell eats them.", "I need the output as CSV."),
    ),
    Pattern(
        name="task.due", predicate="has_to",
        regex=rf"(?:my|our|the) (?P<object>(?:[\w'-]+ ){{0,4}}(?:report|assignment|essay|paper|thesis|homework|taxes|tax return|application|rent|invoice|slides|presentation|proposal|bill|project|form|manuscript|grant|dissertation) (?:is|are) due (?:by |on )?{_WHEN})",
        examples=(("My thesis is due on Friday", "thesis is due on Friday"),),
        counterexamples=("The error is due to a typo",),
    ),
    # schedule
    Pattern(
        name="schedule.moved", predicate="scheduled", stance=Stance.CORRECT,
        regex=rf"(?P<object>(?:my |our |the |tomorrow's |today's )?{_EVENT} (?:got |was |is |has been |is being )?(?:moved|rescheduled|pushed|postponed|shifted|delayed|brought forward|now)(?: back| up| forward)?(?: to| until| till| on| at)? (?:the )?{_WHEN}[^\n.!?]{{0,60}})",
        examples=(("The board meeting got moved to Friday afternoon.", "board meeting got moved to Friday afternoon"),),
        counterexamples=("The test got moved to utils.py",),
    ),
    Pattern(
        name="schedule.cancelled", predicate="scheduled", stance=Stance.DENY,
        regex=rf"(?P<object>(?:my |our |the |tomorrow's |today's ){_EVENT}(?: {_WHEN})?) (?:got |was |is |has been )(?:cancelled|canceled|called off)(?! by)",
        examples=(("My dentist appointment got cancelled", "dentist appointment"),),
        counterexamples=("The call was cancelled by the user agent test()",),
    ),
    Pattern(
        name="schedule.have", predicate="scheduled",
        regex=rf"(?:(?:I|we|{FOLKS})(?: also)?(?:'ve got| have got| have| has|'ve| got|'m having|'re having| attend|'ve booked| booked| have booked) (?:an? |my |our |the |another |some )?(?=[^.]{{0,80}}{_WHEN})(?P<object>(?!(?:seen|experience|some experience|an? (?:error|bug|question|problem))\b)(?![^.]{{0,60}}(?:fails|failing|that|which|error)\b){_EVENT}\b[^\n.!?]{{2,80}})|there'?s an? (?P<object>{_EVENT} {_WHEN}[^\n.!?]{{0,60}}))",
        examples=(("we have standup every day at 9:30", "standup every day at 9:30"), ("I have yoga on Thursdays", "yoga on Thursdays"), ("I have a dentist appointment tomorrow at 3pm", "dentist appointment tomorrow at 3pm")),
        counterexamples=("I have a test that fails on Mondays?", "I have a meeting", "I have never seen this error before."),
    ),
    Pattern(
        name="schedule.is_on", predicate="scheduled",
        regex=rf"(?:(?:my|our|the|{NAME}'s|mum's|mom's|dad's|(?:my|our) {KIN}'s) (?P<object>{_EVENT}(?: (?:to|with|for|in|at) [\w .'-]{{2,40}}?)? (?:is|starts|begins|leaves|takes place|departs|happens|will be|ends|opens|arrives)(?: (?:scheduled|booked|planned|set|happening|due|always|now))?(?: for)? {_WHEN}[^\n.!?]{{0,60}}))",
        examples=(("My flight to Oslo leaves on 14 April at 06:40.", "flight to Oslo leaves on 14 April at 06:40"), ("Mum's surgery is scheduled for the 21st.", "surgery is scheduled for the 21st")),
        counterexamples=("The test is on line 40", "Tomorrow is Wednesday.", "The call is on the wrong thread"),
    ),
    Pattern(
        name="schedule.bare", predicate="scheduled",
        regex=rf"(?P<object>(?!my name|what|when|is\b|are\b|can\b|do\b|run\b|set\b|write|make|add|book\b|schedule|cancel|move\b|create|plan\b|remind|the\b|this|that|it\b|a\b|if\b|every time|my\b|our\b|I\b|we\b|you\b|he\b|she\b|they\b|see\b|talk\b|let|good|great|nice|happy|have\b|thanks)(?:[\w'’&-]+ ){{0,3}}?{_EVENT}(?: with {NAME})? (?:is )?{_WHEN}[^\n.!?]{{0,60}})(?=[.!]*$|[.!] )",
        examples=(("Dentist appointment on Tuesday at 3pm.", "Dentist appointment on Tuesday at 3pm"), ("Team lunch tomorrow at noon", "Team lunch tomorrow at noon")),
        counterexamples=("Book me a table for two tonight at eight", "Cheers, see you tomorrow!", "run the test at 9:30"),
    ),
    Pattern(
        name="schedule.when_first", predicate="scheduled",
        regex=rf"{_WHEN},? (?:(?:I|we) have|(?:I've|we've)(?: got)?|there's|there is|(?:I'm|we're) (?:meeting|seeing|having)|is) (?P<object>(?:an? |my |our |the )?(?:{_EVENT}|(?:meeting|seeing) {NAME})[^\n.!?]{{0,80}})",
        examples=(("Tomorrow I have an exam", "exam"), ("On Friday we have a party at Anna's", "party at Anna's"), ("next week is the conference in Berlin", "conference in Berlin")),
        counterexamples=("Tomorrow is Wednesday.", "Today is a good day"),
    ),
    Pattern(
        name="schedule.someone_comes", predicate="scheduled",
        regex=rf"(?P<object>(?:the|my|our) (?:plumber|electrician|landlord|technician|cleaner|movers|painters|inspector|delivery|package|parcel|new (?:sofa|bed|fridge|car|desk|washing machine)|guests?|babysitter|contractor|auditors?|parents|in-laws|{KIN})(?: {NAME})? (?:is coming|are coming|comes|come|will come|arrives?|is arriving|are arriving|will arrive|lands?|gets? here|is due)\b[^\n.!?]{{0,40}}?{_WHEN}[^\n.!?]{{0,40}})",
        examples=(("My parents arrive on Saturday.", "parents arrive on Saturday"), ("The plumber is coming tomorrow at 8am", "plumber is coming tomorrow at 8am")),
        counterexamples=("The package comes with tests",),
    ),
    Pattern(
        name="schedule.away", predicate="scheduled",
        regex=rf"(?:I'm|we're|I'll be|we'll be|I am|I will be|my {KIN} is) (?P<object>(?:off|away|out of (?:the )?office|out of town|on (?:vacation|holiday|leave|call|pto|a business trip)|travell?ing|abroad|unavailable|busy|not available|working from home|in the office|in (?-i:[A-Z])\w+) (?!today|tonight)[^\n.!?]{{0,30}}?{_WHEN}[^\n.!?]{{0,40}})",
        examples=(("I'm off on Friday.", "off on Friday"), ("I'll be in Paris next week", "in Paris next week")),
        counterexamples=("I'm off today? ", "I'm busy"),
    ),
    Pattern(
        name="schedule.visit", predicate="scheduled",
        regex=rf"(?P<object>(?:my|our) (?:{KIN}|parents|in-laws|family|friends|grandparents)(?: {NAME})?(?: is| are|'s)? (?:visiting|coming|arriving|staying|leaving|flying in|moving in)\b[^\n.!?]{{0,60}}?{_WHEN}[^\n.!?]{{0,60}})",
        examples=(("My in-laws are visiting us from the 3rd to the 8th of May.", "in-laws are visiting us from the 3rd to the 8th of May"),),
        counterexamples=("My parents are visiting",),
    ),
    Pattern(
        name="schedule.meeting_person", predicate="scheduled",
        regex=rf"(?:I'm|we're|I am|we are) (?P<object>(?:meeting|seeing|having (?:lunch|dinner|coffee|drinks)|visiting|picking up)(?: with)? (?:my {KIN}|{NAME}|the (?:doctor|dentist|vet|lawyer|team|client|landlord|kids))[^\n.!?]{{0,40}}?{_WHEN}[^\n.!?]{{0,40}})",
        examples=(("I'm meeting Anna on Friday at 6pm", "meeting Anna on Friday at 6pm"),),
        counterexamples=("I'm seeing the error today? ",),
    ),
)

