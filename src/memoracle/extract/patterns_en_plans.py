"""English: appointments, plans, tasks, decisions and lessons."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, FOLKS, KIN, NAME
from memoracle.model.claim import Stance

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|thur|fri|sat|sun)\b)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WHEN = (
    rf"(?:(?:on |this |next |every |by |until |from |each |the |at |in |for |around |starting |coming )*(?:{_DAY}"
    rf"|tomorrow|tonight|today|\d{{1,2}}(?= (?:tomorrow|today|tonight|on|this|next)\b)|noon|midnight|\d{{1,2}}"
    rf"(?::\d\d)? ?(?:am|pm|a\.m|p\.m|o'?clock)|\d{{1,2}}:\d\d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b|\d{{1,2}}(?:st"
    rf"|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}|\d{{4}}-\d\d-\d\d"
    rf"|(?:this |next |coming )(?:week|month|weekend|year|morning|afternoon|evening|spring|summer|autumn|fall"
    rf"|winter|quarter|{_MONTH})|(?:in |early |late |mid-?)+{_MONTH}|in (?:an?|one|two|three|four|five|six|\d+) "
    rf"(?:hours?|days?|weeks?|months?|years?)|every (?:day|week|month|year|morning|evening|night|other \w+)"
    rf"|day after tomorrow|end of (?:the )?(?:week|month|year|summer)|(?:weekday|weekend)s))"
)
_EVENT = (
    r"(?:(?:[\w'’&/-]+ ){0,4}(?:appointment|meeting|call|interview|exam|test|flight|train|dinner|lunch|breakfast"
    r"|brunch|party|wedding|funeral|conference|standup|stand-up|sync|review|demo|deadline|presentation|surgery"
    r"|operation|checkup|check-up|therapy|session|class|lesson|lessons|practice|rehearsal|concert|show|game|match"
    r"|race|marathon|trip|vacation|holiday|holidays|visit|birthday|anniversary|graduation|ceremony|hearing|date"
    r"|reservation|booking|viewing|inspection|delivery|yoga|gym|pilates|choir|book club|football|soccer|tennis"
    r"|swimming|piano|training|workshop|webinar|retro|retrospective|planning|one-on-one|1:1|1-1|town hall|offsite"
    r"|retreat|camp|school|shift|dentist|doctor|vet|haircut|pickup|move|launch|release|defense|defence|kickoff"
    r"|ultrasound|scan|vaccination|blood test|physio|visa appointment|closing|parent-teacher \w+|recital|reunion"
    r"|festival|tournament|bootcamp|orientation|onboarding|jury duty|court date|baby shower|housewarming))"
)
_LIFE = (
    r"(?:mov(?:e|ing)|travel(?:l?ing)?|visit(?:ing)?|run(?:ning)? (?:an?|the|my) (?:\w+ )?(?:half[- ])?"
    r"(?:marathon|race|10k|5k|ultra)|buy(?:ing)?|marry(?:ing)?|get(?:ting)? (?:married|a (?:dog|cat|puppy|kitten"
    r"|degree|master|phd|new (?:job|car|house)|tattoo|divorce|motorcycle|house|pet)|another (?:dog|cat|degree)"
    r"|to [A-C][12]\b|engaged|certified)|retir(?:e|ing)|quit(?:ting)?|leav(?:e|ing) (?:my|the)|study(?:ing)?"
    r"|learn(?:ing)?|apply(?:ing)?|start(?:ing)? (?:an?|my|physio\w*|therapy|school|college|university|grad"
    r"|learning|working|law|medical|yoga|piano|the (?:new|masters?|phd))|open(?:ing)? (?:an?|my)|launch(?:ing)?"
    r"|writ(?:e|ing) (?:an?|my) (?:\w+ )?(?:book|novel|memoir|thesis|screenplay)|adopt(?:ing)?|renovat(?:e|ing)"
    r"|host(?:ing)?|attend(?:ing)?|tak(?:e|ing) (?:an?|the|up|some)? ?(?:[\w-]+ )?(?:trip|vacation|sabbatical"
    r"|gap year|class|course|cruise|year off|exam|holiday|road trip|time off)|go(?:ing)? (?:to|on|back to|vegan"
    r"|vegetarian|abroad|freelance|part-time|hiking|camping|skiing)|fly(?:ing)?|spend(?:ing)?|sell(?:ing)?|build"
    r"(?:ing)? (?:an?|my|our) (?:\w+ )?(?:house|deck|shed|cabin|boat|extension|greenhouse|treehouse)|hav(?:e"
    r"|ing) (?:kids|children)|hav(?:e|ing) (?:an?|another) (?:baby|child|kid|party|wedding)|relocat(?:e|ing)"
    r"|emigrat(?:e|ing)|switch(?:ing)? (?:to|careers|jobs)|chang(?:e|ing) (?:careers|jobs|majors)|hir(?:e|ing)"
    r"|graduat(?:e|ing)|los(?:e|ing) (?:weight|\d)|sav(?:e|ing) (?:up|for)|propos(?:e|ing) to|hik(?:e|ing)|climb"
    r"(?:ing)?|cycl(?:e|ing)|volunteer(?:ing)?|found(?:ing)?|publish(?:ing)?|train(?:ing)? for|swim(?:ming)?|"
    r"(?:an?|our|my|the) (?:[\w'-]+ ){0,4}(?:trip|wedding|vacation|holiday|party|marathon|move|reunion|honeymoon"
    r"|getaway|visit|surgery|sabbatical|road trip|book|novel|house|baby|motorcycle|car|cruise|tour|expedition"
    r"|renovation|remodel|birthday|retreat|conference|race|degree|garden|podcast|startup|business|proposal))\b"
)
"""What people plan in their lives, and not in a file that is open now."""
_NOT_WORK = (
    r"(?!(?:the (?:test|tests|build|code|server|function|loop|script|output|query|api|app|page|request|job)|this|that"
    r"|it|my code|your)\b)"
)
_CHORE_NOT = (
    r"(?!(?:know|see|understand|find out|figure|fix (?:this|the|it)|use|add|make|create|change|convert|implement"
    r"|parse|write (?:an?|the|some) (?:function|script|test|regex|query|program|class|code)|get (?:the|this|all"
    r"|a list)|check (?:if|whether|the|this)|be able|have (?:the|it|this)|do (?:this|it|that|the|some)|run|sort"
    r"|filter|bump|escape|look at|look into|look up|debug|test|print|read|return|set|remove|delete|update|rename"
    r"|replace|handle|avoid|pass|compare|think|say|admit|go now|sleep|ask you|tell you|install|import|export|refactor"
    r"|merge|rebase|push|pull|compute|calculate|count|loop|iterate|restart|reload|wait|keep|specify|define|extract"
    r"|generate|format|store|load|split|join|open|match|validate|ensure|somehow|display|show|render|start (?:the"
    r"|over)|send (?:a )?(?:request|post|get)|access|connect|deploy this|reproduce|double)\b)"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # lessons and decisions, marked ones first
    Pattern(
        name="lesson.marked", predicate="learned", whole=True, label_free=True,
        regex=(
            r"(?:(?:key |main |big |another )?(?:note to self|lessons?(?: learned| learnt| from [\w ]{2,40})?"
            r"|takeaway|gotcha|root cause|what (?:we|I) (?:learned|learnt)(?: from [\w ]{2,40})?|postmortem))(?: is"
            r"| was| here)?(?: that)?\s?[:,—–-]\s?(?P<object>[^\n]{4,300})"
        ),
        examples=(("Lesson learned: never run the migration during business hours.", "never run the migration during business hours"), ("What we learned from the launch: announce price changes early.", "announce price changes early")),
        counterexamples=("The lesson is over",),
    ),
    Pattern(
        name="lesson.turns_out", predicate="learned", whole=True,
        regex=(
            r"(?:it )?turn(?:s|ed) out(?: that|,)? (?P<object>(?!(?:he|she|they|he's|she's|they're|I'm not|in the|nice|the butler)\b|(?:it|this|that|I|you|we|he|she) (?:was|were|is|are"
            r"|am)? ?(?:my|just|right|wrong|fine|ok|not|hungry|a typo|the wrong|easy|forgot|had a typo)\b)[^\n]{8,300})"
        ),
        examples=(("Turns out the flaky test was caused by the timezone of the CI runner.", "the flaky test was caused by the timezone of the CI runner"),),
        counterexamples=("Turns out it was my typo",),
    ),
    Pattern(
        name="lesson.learned", predicate="learned", whole=True,
        regex=(
            r"(?:(?:I|we)(?:'ve| have)? (?:just |finally )?(?:learned|learnt|discovered|found out|figured out"
            r"|realized|realised)(?: the hard way| today| yesterday| recently| from this)?(?: that|,)|(?:it )?took "
            r"(?:me|us) [\w ]{2,30} to (?:find out|figure out|realize|realise|discover|learn|understand)(?: that)?|"
            r"(?:I|we) learned the hard way(?: that)?) (?P<object>(?!(?:it|this|that|he|she|from)\b|you (?:are|were|can't)"
            r"|how to|about|a lot)[^\n]{6,300})"
        ),
        examples=(("I learned the hard way that the staging bucket has no versioning", "the staging bucket has no versioning"), ("It took me two days to find out that the SDK swallows exceptions.", "the SDK swallows exceptions")),
        counterexamples=("I learned a lot today", "I figured out how to do it", "I realized that it was wrong"),
    ),
    Pattern(
        name="lesson.trick", predicate="learned", whole=True,
        regex=(
            r"(?P<object>(?:the )?(?:trick|fix|solution|workaround|answer|key|secret|problem|issue|bug|mistake|catch"
            r"|reason) (?:was|turned out to be) (?:to |that |adding |using |setting |disabling |clearing |restarting "
            r"|upgrading |downgrading )[^\n]{4,160}|(?:it|that|this|[\w' -]{3,40}?) (?:finally |only )?(?:worked"
            r"|works|started working|stopped (?:failing|crashing)) (?:after|once|only when|only after|when) (?:I|we"
            r"|you) [^\n]{4,120})"
        ),
        examples=(("The trick was to clear the DNS cache first.", "The trick was to clear the DNS cache first"), ("It finally worked after I disabled IPv6.", "It finally worked after I disabled IPv6")),
        counterexamples=("The answer is 42", "It worked"),
    ),
    Pattern(
        name="lesson.next_time", predicate="learned", whole=True, label_free=True,
        regex=(
            r"(?P<object>next time,? (?:I|we) (?:should|must|need to|have to|will|'ll|won't|shouldn't"
            r"|have got to) [^\n]{5,160}|(?:I|we) (?:should|shouldn't) (?:have"
            r"|not have) [^\n]{5,160}, lesson learned)|(?:I|we)(?:'ve| have)? (?:figured out|found out"
            r"|finally understood|know now|found) (?:why|the (?:reason|cause|problem|culprit|issue|bug))\s?[:—–-]\s?"
            r"(?P<object>[^\n]{5,200})"
        ),
        examples=(("Next time I should test on staging first.", "Next time I should test on staging first"), ("I figured out why: the proxy strips the header.", "the proxy strips the header")),
        counterexamples=("Next time is better", "I figured out why"),
    ),
    Pattern(
        name="lesson.idiom", predicate="learned", whole=True, label_free=True,
        regex=(
            r"(?:moral of the story|learned (?:this |it )?the hard way|in hindsight|postmortem takeaway"
            r"|experience tells me)\s?[:,]?\s(?:that |to )?(?P<object>[^\n]{6,200})|(?P<object>what "
            r"(?:finally )?fixed it(?: in the end)? was [^\n]{4,160})|(?:it )?dawned on me that "
            r"(?P<object>[^\n]{6,200})|(?:I )?figured out why [^\n:]{2,40}:\s?(?P<object>[^\n]{5,200})|"
            r"(?P<object>it wasn't [\w ]{2,30} after all, [^\n]{5,160})|"
            r"(?P<object>the trick with [\w' -]{2,40} is [^\n]{5,160})"
        ),
        examples=(("Moral of the story: read the changelog before upgrading.", "read the changelog before upgrading"), ("What fixed it in the end was pinning numpy below 2.", "What fixed it in the end was pinning numpy below 2")),
        counterexamples=("In hindsight yes", "It dawned on me"),
    ),
    Pattern(
        name="lesson.root_cause", predicate="learned", whole=True,
        regex=(
            r"(?P<object>(?:the )?(?:root |real |actual |underlying )?(?:cause|culprit)(?: of [\w' -]{2,60})? (?:was"
            r"|is|turned out to be) (?!(?:unclear|unknown|not|still|probably not)\b)[^\n]{4,200}|"
            r"(?:the )?[\w' -]{3,50} (?:was|were) caused by (?:the|an?) [^\n]{3,160})"
        ),
        examples=(("The root cause of the outage was an expired certificate on the proxy.", "The root cause of the outage was an expired certificate on the proxy"),),
        counterexamples=("The root cause is unclear", "The cause of this"),
    ),
    Pattern(
        name="decision.marked", predicate="decided", whole=True, label_free=True,
        regex=(
            r"(?:(?:final |our |my |team )?(?:decision|decided|final call|verdict))(?: is| made| was| log"
            r"| of the day)?\s?[:,—–-]\s?(?P<object>[^\n]{4,300})"
        ),
        examples=(("decision: no more feature flags in the mobile app", "no more feature flags in the mobile app"), ("ok final call, we're not migrating to kubernetes", "we're not migrating to kubernetes")),
        counterexamples=("Decision trees are fun",),
    ),
    Pattern(
        name="decision.decided", predicate="decided", whole=True,
        regex=(
            r"(?:(?:after [^,]{3,80},? |in the end,? |finally,? |yesterday,? |today,? |so )?(?:I|we|the team|my "
            r"(?:team|wife|husband) and I)(?: (?:all|both|just|now|finally|already|eventually|unanimously))?(?:'ve"
            r"| have| has)?(?: (?:all|both|just|now|finally|already|eventually))?|after [^,]{3,80} (?:I|we)) "
            r"(?:decided|agreed|settled|chosen|chose|opted|concluded|picked(?=[\w .-]{2,40} (?:over|for|as)\b)"
            r"|voted|committed|resolved|made the decision)(?: that| to(?! not)| on| for| in favou?r of)? "
            r"(?P<object>(?:against |not to )?(?!(?:it|this|that|you|with you|them|him|her|the same|poorly|badly|wisely|the wrong|on it|on that|what|how|if|whether|yet|try|check|look"
            r"|test|give (?:it|up|this)|your|to try|ask|start over|give you|in\b|the bill|down)\b)[^\n]{3,200})"
        ),
        examples=(("We decided to go with Postgres instead of Mongo.", "go with Postgres instead of Mongo"), ("I've settled on the blue tiles for the bathroom.", "the blue tiles for the bathroom"), ("We chose Stripe over Adyen because of the docs.", "Stripe over Adyen because of the docs")),
        counterexamples=("I agreed with you", "We have not decided yet", "What did we decide about the cache"),
    ),
    Pattern(
        name="decision.will_not", predicate="decided", whole=True,
        regex=(
            r"(?P<object>we (?:will not|won't|will no longer|are not going to|aren't going to|are no longer going to"
            r"|'re not going to) (?:support|use|build|ship|hire|migrate|adopt|sell|offer|renew|accept|launch|maintain"
            r"|allow|renovate|move)\b[^\n]{3,120})"
        ),
        examples=(("We will not support Internet Explorer any more.", "We will not support Internet Explorer any more"),),
        counterexamples=("We won't know until later",),
    ),
    Pattern(
        name="decision.mind", predicate="decided", whole=True,
        regex=(
            r"(?:I(?:'ve| have)? made up my mind|I've made my (?:decision|choice)|it's settled|it's decided"
            r"|it's official|final answer|we(?:'ve| have) reached a decision)\s?[,:;.—–-]+\s?(?P<object>[^\n]{4,200})"
            r"|I'm (?P<object>(?:taking|accepting|turning down|declining|quitting|leaving) (?:the|my) (?:job|offer"
            r"|position|role)[^\n.!?]{0,80})"
        ),
        examples=(("I've made up my mind: Oslo it is", "Oslo it is"), ("I'm taking the job in Oslo.", "taking the job in Oslo")),
        counterexamples=("I'm taking the train",),
    ),
    Pattern(
        name="decision.going_with", predicate="decided", whole=True,
        regex=(
            r"(?:(?:I|we)(?:'re| are|'m| am)? (?:going|gonna go) with|we(?:'ve| have) gone with|we went with"
            r"|we're sticking with|we(?:'ll| will) go with) (?P<object>(?!(?:it|this|that|the (?:first|second|other"
            r"|last|former|latter|flow)|option|you|your|him|her|them|my|me)\b)[^\n.!?]{2,120})"
        ),
        examples=(("We're going with Postgres for the new service", "Postgres for the new service"),),
        counterexamples=("I'm going with you", "We're going with the first option", "I'm going with my sister"),
    ),
    # plans
    Pattern(
        name="plan.cancelled", predicate="plans_to", stance=Stance.DENY,
        regex=(
            r"(?:(?:I|we)(?:'ve| have)? (?:cancelled|canceled|dropped|abandoned|scrapped|given up(?: on)?|postponed"
            r"|called off) (?:my |our |the )?(?:plans?|idea|goal)(?: to| of| for)?|(?:I'm|we're|I am|we are) "
            r"(?:no longer|not) (?:planning|going) to|(?:I|we) no longer (?:plan|want|intend) to) (?P<object>(?!(?:do"
            r"|use|fix|change|add|run|touch|lie|be able|get)\b)[^\n.!?]{3,120})"
        ),
        examples=(("We've cancelled our plan to renovate the kitchen.", "renovate the kitchen"), ("I'm no longer planning to move to Lisbon", "move to Lisbon")),
        counterexamples=("I'm not going to lie",),
    ),
    Pattern(
        name="plan.planning", predicate="plans_to",
        regex=(
            rf"(?:{FOLKS} (?:is planning|plans|intends|is hoping) (?:to|on)|(?:I'm|we're|I am|we are|I've been"
            rf"|we've been)?{ADVERBS} ?(?:planning(?! permission)(?: to| on| for)?|hoping to|saving(?: up)? for|intending to"
            rf"|preparing (?:to|for)|training for|(?:seriously )?thinking (?:about|of)(?: maybe)?)(?: maybe)?|(?:I"
            rf"|we){ADVERBS} (?:plan|intend|hope|aim|dream)(?: on| of| to)) (?:{_NOT_WORK}"
            rf"(?P<object>{_LIFE}[^\n.!?]{{0,140}})|(?P<object>(?!(?:to|use|add|fix|change|refactor|do (?:this|that"
            rf"|it)|make|create|implement|test|see|hear|find|check|get (?:this|it|the)|run (?:it|this|the)"
            rf"|finish this)\b)[^\n.!?]{{3,100}}?{_WHEN}[^\n.!?]{{0,40}}))"
        ),
        examples=(("I'm planning to run the Valencia marathon in December.", "run the Valencia marathon in December"), ("I intend to quit my job in the autumn and take a sabbatical", "quit my job in the autumn and take a sabbatical"), ("Thinking about maybe learning the cello this year.", "learning the cello this year")),
        counterexamples=("I was thinking of the other function.", "I'm thinking about this bug", "I plan to refactor it", "I'm planning to use a list here", "Looking forward to hearing from you"),
    ),
    Pattern(
        name="plan.going_to", predicate="plans_to",
        regex=(
            rf"(?:(?:I'm|we're|I am|we are){ADVERBS} (?:going to|about to)|(?:I|we)(?:'ll| will)|(?:I|we)(?= move"
            rf"| travel| fly| relocate| retire)|(?:next|this|in the) (?:week|month|year|spring|summer|autumn|fall"
            rf"|winter|weekend|\w+day),? (?:I|we)(?:'ll| will|'m going to|'re going to|'m| are|'re)(?: be)?"
            rf"|in {_MONTH},? (?:I|we)(?:'ll| will|'m going to|'re going to|'m| are|'re)(?: be)?) (?:(?P<object>(?!"
            rf"(?:start over|go (?:ahead|with|through|over)|buy (?:it|that|this)|run (?:it|this"
            rf"|the))\b){_LIFE}[^\n.!?]{{0,120}}?"
            rf"(?:{_WHEN}|\bsoon\b|\bsomeday\b)[^\n.!?]{{0,60}})|(?<=ll )(?P<object>(?!buy (?:it|that"
            rf"|this)){_LIFE}[^\n.!?]{{2,100}})(?<=\w)|"
            rf"(?<=to )(?P<object>{_LIFE}[^\n.!?]{{2,100}}))"
        ),
        examples=(("we're going to move to Lisbon next summer", "move to Lisbon next summer"), ("Next month I'll start physiotherapy for my shoulder.", "start physiotherapy for my shoulder")),
        counterexamples=("I'm going to try that", "I'm going to bed", "I'm going to keep pushing", "I'll take a look tomorrow?", "I'm about to run the tests"),
    ),
    Pattern(
        name="plan.time_first", predicate="plans_to",
        regex=(
            rf"(?:(?:next|this|in the) (?:week|month|year|spring|summer|autumn|fall|winter|weekend)|in {_MONTH}"
            rf"|after (?:graduation|the wedding|christmas|easter|new year)),? (?:I|we)(?:'ll be|'ll| will be| will"
            rf"|'m going to|'re going to|'m| am| are|'re|'d like to| want to| plan to) (?P<object>(?!running the"
            rf"|going to (?:try|test)){_LIFE}[^\n.!?]{{0,120}})"
        ),
        examples=(("Next year I'm going back to school.", "going back to school"),),
        counterexamples=("Next week I'm testing it",),
    ),
    Pattern(
        name="plan.want", predicate="plans_to",
        regex=(
            r"(?:I|we)(?: really| also| finally| still)? want to (?P<object>(?:quit (?:smoking|drinking|my|sugar"
            r"|coffee|social)|stop (?:smoking|drinking|eating|biting)|learn (?!how\b|about\b|more\b|why\b|what\b|the "
            r"(?:difference|basics)\b)|lose (?:weight|\d)|get (?:fit|in shape|healthier|better at|a (?:dog|cat|puppy"
            r"|degree|tattoo|new job))|become an?|improve my (?:\w+ )?(?:health|fitness|english|german|french|spanish"
            r"|sleep|diet|posture|grades)|move to|retire|start (?:a (?:family|business|podcast|blog|garden)|my own)"
            r"|write a (?:book|novel|memoir)|buy an? (?:\w+ )?(?:house|flat|apartment|car|boat)|travel|visit|climb"
            r"|adopt|run an? (?:half[- ])?(?:marathon|10k|5k)|save (?:up )?(?:for|money|\d)|have (?:kids|children"
            r"|a baby)|change (?:careers|jobs)|go back to (?:school|university|college))\b[^\n.!?]{0,100})"
        ),
        examples=(("I want to quit smoking.", "quit smoking"), ("I want to learn Portuguese this year.", "learn Portuguese this year")),
        counterexamples=("I want to learn how closures work", "I want to see the logs", "I want to move the file"),
    ),
    Pattern(
        name="plan.travel", predicate="plans_to",
        regex=(
            rf"(?:I'm|we're|I am|we are){ADVERBS} (?P<object>(?:moving|travell?ing|flying|going|relocating|heading"
            rf"|retiring|getting married|graduating|visiting|starting|running|hosting|launching|expecting|taking)\b"
            rf"(?! (?:to (?:bed|try|need|sleep|work on)|through|over|crazy|insane|nuts|on\b|the (?:code|tests?)|a "
            rf"(?:look|break)))(?=[^.]{{0,100}}(?:{_WHEN}|\b(?:soon|later this))\b)[^\n.!?]{{3,120}})"
        ),
        examples=(("I'm flying to Tokyo next week", "flying to Tokyo next week"), ("We're getting married in June", "getting married in June")),
        counterexamples=("I'm going through the code today", "I'm running the tests now"),
    ),
    Pattern(
        name="plan.goal", predicate="plans_to",
        regex=(
            r"(?:(?:my|our)(?: main| big| long-term| ultimate| current| next)? (?:goal|aim|dream|plan|resolution"
            r"|target|ambition)(?: for (?:this|next|the) \w+| this year)?(?: is|'s|:)(?: to| that)?|(?:I|we)(?:'d"
            r"| would)? (?:really |eventually |someday |one day )*(?:want|like|love) to (?=(?:have (?:the|my|our)"
            r"|finish|get|become|move|learn|visit|retire|lose|run|travel|buy|live|quit|start|publish|write a (?:book"
            r"|novel|memoir)|climb|see the)\b[^.]{2,80}(?:by|before|within|this year|next year|someday|some day"
            r"|one day|eventually|in (?:\d{4}|the (?:next|future))))(?:have)?) ?(?P<object>(?! |(?:fix|to fix"
            r"|run this|run it|the bug|make it|use|fix|return|parse|be able|this|that|it|working|to (?:fix|parse"
            r"|return|use|add))\b)[^\n.!?]{3,140})"
        ),
        examples=(("my goal is to get to B2 in Spanish before the wedding in june", "get to B2 in Spanish"), ("I want to have the book finished by the end of the year.", "book finished by the end of the year")),
        counterexamples=("My goal is to fix the bug", "I want to see the logs of the last run.", "I want to run this by hand"),
    ),
    # tasks
    Pattern(
        name="task.not_needed", predicate="has_to", stance=Stance.DENY,
        regex=(
            r"(?:I|we) (?:no longer (?:need|have) to|(?:don't|do not) (?:need|have) to(?=[^.]{3,80} any ?more)) "
            r"(?P<object>(?!worry|use|do\b|run|know)[^\n.!?,]{3,100}?)(?= any ?more|[.!,]|$)"
        ),
        examples=(("I don't need to pick up the parcel anymore, the neighbour got it.", "pick up the parcel"),),
        counterexamples=("I don't need to know", "I no longer have to worry"),
    ),
    Pattern(
        name="task.todo", predicate="has_to", label_free=True,
        regex=(
            r"(?:to[- ]?do|action item|task|open task)(?: for (?:me|today|tomorrow|this week|later))?\s?[:—–-]\s?"
            r"(?P<object>[^\n]{3,160})"
        ),
        examples=(("todo: rotate the staging certificates", "rotate the staging certificates"),),
        counterexamples=("Todo lists are great",),
    ),
    Pattern(
        name="task.have_to", predicate="has_to",
        regex=(
            rf"(?:(?:I|I've|(?P<subject>(?:my|our) {KIN}|{NAME}(?<!s))){ADVERBS}(?: also| really| still)? |(?:still )?(?="
            rf"(?:gotta|got to|need to|have to) ))(?:have to|has to|need to|have got to|needs to|must|gotta|got to"
            rf"|ought to|am supposed to|'m supposed to|should really)(?: also| still| really)? {_CHORE_NOT}"
            rf"(?P<object>(?:call|answer|reply|drop|check in|tell|ask|invite|thank|congratulate|email|renew|pay|buy"
            rf"|book|file|submit|finish|send|pick up|return (?:the|my) (?:book|parcel|car|keys)|cancel|schedule|visit"
            rf"|register|apply|sign|order|clean|wash|water|feed|take (?:the|my|him|her|out)|bring|prepare|pack|mail"
            rf"|post|go to|get (?:my|a (?:haircut|passport|visa|new))|see (?:the|a|my) (?:doctor|dentist|vet|lawyer"
            rf"|bank)|talk to|meet|write (?:a|the|my) (?:letter|report|essay|thesis|review|speech|cover letter"
            rf"|invoice)|hand in|turn in|study|practi[cs]e|complete|rotate|invoice|transfer|withdraw|vote|move out"
            rf"|repair|fix (?:the|my) (?:car|bike|roof|sink|fence|door|leak|boiler)|replace (?:the|my) (?:tyres?"
            rf"|tires?|battery|filter|passport|bulb)|drop off|pick|back up|contact|ring|reply to|respond to|review "
            rf"(?:the|\w+'s) (?:contract|budget|proposal|application|thesis|slides)|organi[sz]e|arrange|fill out"
            rf"|fill in|drive|collect|ship|print (?:the|my) (?:tickets|boarding)|grade|mow|paint|reschedule|confirm"
            rf"|update (?:my|the) (?:cv|resume|passport|address|insurance|will))\b[^\n.!?]{{2,120}})"
        ),
        examples=(("I have to renew my passport before June.", "renew my passport"), ("I still need to file my taxes, deadline is April 30.", "file my taxes"), ("I must call the insurance about the water damage this week", "call the insurance about the water damage this week")),
        counterexamples=("I need to know why", "I have to use the old API", "I need to look at the configuration first.", "We have to escape the quotes here, otherwise the shell eats them.", "I need the output as CSV."),
    ),
    Pattern(
        name="task.idiom", predicate="has_to",
        regex=(
            r"(?:on my plate|still open|still to do|my todos?)\s?:\s?(?P<object>[^\n.!?]{4,100})|I have yet to "
            r"(?P<object>(?:book|call|file|pay|renew|send|buy|finish|answer|submit|write|cancel|order"
            r"|sign)\b[^\n.!?]{3,80})|I owe (?P<object>(?-i:[A-Z])\w+ (?!an apology)[^\n.!?]{3,60})|I promised "
            r"(?P<object>(?-i:[A-Z])\w+ [^\n.!?]{3,80})|I've been asked to (?P<object>(?:prepare|write|give|review"
            r"|organise|organize|present|send|submit|finish)\b[^\n.!?]{3,80})|add (?P<object>[\w ,'-]{2,60}?) to "
            r"(?:the|my|our) (?:shopping|grocery|packing|to-?do|task) list"
        ),
        label_free=True,
        examples=(("I owe Benedikt forty euros.", "Benedikt forty euros"), ("I have yet to book the hotel in Ljubljana.", "book the hotel in Ljubljana"), ("Add milk and AA batteries to the shopping list.", "milk and AA batteries")),
        counterexamples=("I have yet to see it fail", "I owe you one", "Add a user to the list"),
    ),
    Pattern(
        name="task.due", predicate="has_to",
        regex=(
            rf"(?:my|our|the) (?P<object>(?:[\w'-]+ ){{0,4}}(?:report|assignment|essay|paper|thesis|homework|taxes"
            rf"|tax return|application|rent|invoice|slides|presentation|proposal|bill|project|form|manuscript|grant"
            rf"|dissertation) (?:is|are) due (?:by |on )?{_WHEN})"
        ),
        examples=(("My thesis is due on Friday", "thesis is due on Friday"),),
        counterexamples=("The error is due to a typo",),
    ),
    # schedule
    Pattern(
        name="schedule.moved", predicate="scheduled", stance=Stance.CORRECT,
        regex=(
            rf"(?P<object>(?:my |our |the |tomorrow's |today's )?{_EVENT} (?:got |was |is |has been |is being )?"
            rf"(?:moved|rescheduled|pushed|postponed|shifted|delayed|brought forward|now)(?: back| up| forward)?"
            rf"(?: to| until| till| on| at)? (?:the )?{_WHEN}[^\n.!?]{{0,60}})"
        ),
        examples=(("The board meeting got moved to Friday afternoon.", "board meeting got moved to Friday afternoon"),),
        counterexamples=("The test got moved to utils.py",),
    ),
    Pattern(
        name="schedule.cancelled", predicate="scheduled", stance=Stance.DENY,
        regex=(
            rf"(?P<object>(?:my |our |the |tomorrow's |today's ){_EVENT}(?: {_WHEN})?) (?:got |was |is |has been )"
            rf"(?:cancelled|canceled|called off)(?! by)"
        ),
        examples=(("My dentist appointment got cancelled", "dentist appointment"),),
        counterexamples=("The call was cancelled by the user agent test()",),
    ),
    Pattern(
        name="schedule.have", predicate="scheduled",
        regex=(
            rf"(?:(?:I|we|{FOLKS})(?: also)?(?:'ve got| have got| have| has|'ve| got|'m having|'re having| attend"
            rf"|'ve booked| booked| have booked) (?:an? |my |our |the |another |some )?(?=[^.]{{0,80}}{_WHEN})"
            rf"(?P<object>(?!(?:seen|experience|some experience|an? (?:error|bug|question|problem))\b)(?![^.]{{0,60}}"
            rf"(?:fails|failing|that|which|error)\b){_EVENT}\b[^\n.!?]{{2,80}})|there'?s an? "
            rf"(?P<object>{_EVENT} {_WHEN}[^\n.!?]{{0,60}}))"
        ),
        examples=(("we have standup every day at 9:30", "standup every day at 9:30"), ("I have yoga on Thursdays", "yoga on Thursdays"), ("I have a dentist appointment tomorrow at 3pm", "dentist appointment tomorrow at 3pm")),
        counterexamples=("I have a test that fails on Mondays?", "I have a meeting", "I have never seen this error before."),
    ),
    Pattern(
        name="schedule.is_on", predicate="scheduled",
        regex=(
            rf"(?:(?:my|our|the|{NAME}'s|mum's|mom's|dad's|(?:my|our) {KIN}'s) (?P<object>{_EVENT}(?: (?:to|with|for"
            rf"|in|at) [\w .'-]{{2,40}}?)? (?:is|starts|begins|leaves|takes place|departs|happens|will be|ends|opens"
            rf"|arrives)(?: (?:scheduled|booked|planned|set|happening|due|always|now))?"
            rf"(?: for)? {_WHEN}[^\n.!?]{{0,60}}))"
        ),
        examples=(("My flight to Oslo leaves on 14 April at 06:40.", "flight to Oslo leaves on 14 April at 06:40"), ("Mum's surgery is scheduled for the 21st.", "surgery is scheduled for the 21st")),
        counterexamples=("The test is on line 40", "Tomorrow is Wednesday.", "The call is on the wrong thread"),
    ),
    Pattern(
        name="schedule.bare", predicate="scheduled",
        regex=(
            rf"(?P<object>(?!my name|what|when|is\b|are\b|can\b|do\b|run\b|set\b|write|make|add|book\b|schedule"
            rf"|cancel|move\b|create|plan\b|remind|the\b|this|that|it\b|a\b|if\b|every time|my\b|our\b|I\b|we\b|you\b"
            rf"|he\b|she\b|they\b|see\b|talk\b|let|good|great|nice|happy|have\b|thanks)(?:[\w'’&-]+ ){{0,3}}?{_EVENT}"
            rf"(?: with (?:the |my )?[\w'-]{{2,20}}(?: [\w'-]{{2,20}})?)? (?:is |was moved to |starts "
            rf"|begins )?{_WHEN}[^\n.!?]{{0,60}})(?=[.!]*$|[.!] )"
        ),
        examples=(("Dentist appointment on Tuesday at 3pm.", "Dentist appointment on Tuesday at 3pm"), ("Team lunch tomorrow at noon", "Team lunch tomorrow at noon")),
        counterexamples=("Book me a table for two tonight at eight", "Cheers, see you tomorrow!", "run the test at 9:30"),
    ),
    Pattern(
        name="schedule.when_first", predicate="scheduled",
        regex=(
            rf"{_WHEN},? (?:(?:I|we) have|(?:I've|we've)(?: got)?|there's|there is|(?:I'm|we're) (?:meeting|seeing"
            rf"|having)|is) (?P<object>(?:an? |my |our |the )?(?:{_EVENT}|(?:meeting|seeing) {NAME})[^\n.!?]{{0,80}})"
        ),
        examples=(("Tomorrow I have an exam", "exam"), ("On Friday we have a party at Anna's", "party at Anna's"), ("next week is the conference in Berlin", "conference in Berlin")),
        counterexamples=("Tomorrow is Wednesday.", "Today is a good day"),
    ),
    Pattern(
        name="schedule.someone_comes", predicate="scheduled",
        regex=(
            rf"(?P<object>(?:the|my|our) (?:plumber|electrician|landlord|technician|cleaner|movers|painters|inspector"
            rf"|delivery|package|parcel|new (?:sofa|bed|fridge|car|desk|washing machine)|guests?|babysitter"
            rf"|contractor|auditors?|parents|in-laws|{KIN})(?: {NAME})? (?:is coming|are coming|comes|come|will come"
            rf"|arrives?|is arriving|are arriving|will arrive|lands?|gets? here"
            rf"|is due)\b[^\n.!?]{{0,40}}?{_WHEN}[^\n.!?]{{0,40}})"
        ),
        examples=(("My parents arrive on Saturday.", "parents arrive on Saturday"), ("The plumber is coming tomorrow at 8am", "plumber is coming tomorrow at 8am")),
        counterexamples=("The package comes with tests",),
    ),
    Pattern(
        name="schedule.away", predicate="scheduled",
        regex=(
            rf"(?:I'm|we're|I'll be|we'll be|I am|I will be|my {KIN} is) (?P<object>(?:off(?! to)|away|out of "
            rf"(?:the )?office|out of town|on (?:vacation|holiday|leave|call|pto|a business trip)|travell?ing|abroad"
            rf"|unavailable|busy|not available|working from home|in the office|in (?-i:[A-Z])\w+) (?!today"
            rf"|tonight)[^\n.!?]{{0,30}}?{_WHEN}[^\n.!?]{{0,40}})"
        ),
        examples=(("I'm off on Friday.", "off on Friday"), ("I'll be in Paris next week", "in Paris next week")),
        counterexamples=("I'm off today? ", "I'm busy"),
    ),
    Pattern(
        name="schedule.visit", predicate="scheduled",
        regex=(
            rf"(?P<object>(?:my|our) (?:{KIN}|parents|in-laws|family|friends|grandparents)(?: {NAME})?(?: is| are"
            rf"|'s)? (?:visiting|coming|arriving|staying|leaving|flying in"
            rf"|moving in)\b[^\n.!?]{{0,60}}?{_WHEN}[^\n.!?]{{0,60}})"
        ),
        examples=(("My in-laws are visiting us from the 3rd to the 8th of May.", "in-laws are visiting us from the 3rd to the 8th of May"),),
        counterexamples=("My parents are visiting",),
    ),
    Pattern(
        name="schedule.meeting_person", predicate="scheduled",
        regex=(
            rf"(?:I'm|we're|I am|we are) (?P<object>(?:meeting|seeing|having (?:lunch|dinner|coffee|drinks)|visiting"
            rf"|picking up)(?: with)? (?:my {KIN}|{NAME}|the (?:doctor|dentist|vet|lawyer|team|client|landlord"
            rf"|kids))[^\n.!?]{{0,40}}?{_WHEN}[^\n.!?]{{0,40}})"
        ),
        examples=(("I'm meeting Anna on Friday at 6pm", "meeting Anna on Friday at 6pm"),),
        counterexamples=("I'm seeing the error today? ",),
    ),
)
