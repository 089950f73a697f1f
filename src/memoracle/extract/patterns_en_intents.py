"""English: what somebody means to do and what they still have to do, said more freely."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, KINFOLK, US, doing
from memoracle.extract.words_en import TIME
from memoracle.model.claim import Stance

_NOT_NOW = (
    r"(?!(?:use|try|fix|change|add|refactor|do (?:this|that|it|the same|so)|make (?:it|this|that|sure)|implement|test|see|hear|find|check|get (?:this|it|that|the|there|some sleep|you)"
    r"|run (?:it|this|the|that)|finish this|understand|know|parse|print|debug|call it|be (?:able|honest|back|clear|done|home|there|fair)|keep|let|figure|work (?:on|out)|show|ask|say|tell|have (?:it|this|the|a look)"
    r"|look|paste|copy|click|bed|sleep|lie|kill|need|want|take (?:it|this|a look|a break)|go (?:now|ahead|back to (?:bed|sleep)|crazy)|help|avoid|convert|sort|return|restart|rerun|push|pull|commit|merge|rebase|revert|wait|think|read|rename|delete|remove"
    r"|explain|stop (?:here|now)|replace|skip|give (?:it|up|you)|put (?:it|this)|pass|send (?:it|this)|write (?:it|this|that|a function|a test|tests)|something|anything|eat|cook (?:it|this)|wing|pretend)\b)"
)
_WILL = (
    r"(?:adopt|apply (?:for|to)|attend|become|begin|build|buy|climb|convert the|cycle|donate|emigrate|enrol|expand|extend|finish (?:my|the) (?:book|novel|thesis|degree|phd|course|quilt|album)|fly|found|get (?:married|a|an|my|our|the|another|two|into|back into|rid of|certified|fit|chickens|bees)"
    r"|give up|go (?:to|on|back|abroad|vegan|freelance|part[- ]time|self-employed|travelling|traveling)|grow|hire|hike|host|insulate|interrail|join|launch|learn|leave|lose|marry|migrate|move|open|organi[sz]e|paint|phase out|plant|publish|quit|re-?do|release|relocate|remodel|renovate|rent|replace (?:the|our) (?:kitchen|bathroom|car|boiler|roof|windows)"
    r"|restore|retire|retrain|rewrite|run (?:an?|the|my|for)|sail|save|sell|semi-retire|set up|ship|sign up|spend|split|start|stop|study|submit|sunset|swim|switch|take (?:up|part|the|a|an|on|early|my|our|time)|teach|train|travel|turn|upgrade|visit|volunteer|walk|write|open-?source|deprecate|drop support|raise|celebrate|propose|have (?:kids|a baby|another|children)|return to|drive (?:to|through|across|down)|bring|put (?:up|in|solar|the)|knock|cut down|make (?:my own|our own|a (?:film|record|quilt|documentary|podcast))|compete|enter|audition|photograph|record|perform|install|fit|go)"
)
_CHORE = (
    r"(?:answer|apply (?:for|to)|arrange|assemble|back up|bake|book|bring|buy|call|cancel|change (?:my|the|our) (?:tyres|tires|address|bulb|sheets|bank|password|filter)|chase|check in|clean|clear|collect|complete|confirm|contact|cook|deliver|descale|dig|draft|drive|drop|e-?mail|empty|feed|file|fill|finish (?:the|my|off|writing|reading|marking|packing)"
    r"|fix (?:the|my) (?:car|bike|roof|sink|fence|door|leak|boiler|tap|gate|shed|zip|toilet|light|dishwasher|gutter|shelf)|get (?:my|the|our|a|an|some|him|her|rid) [^\n.!?]{3,60}|give (?:\w+ ){0,3}(?:back|notice|a ring|a lift)|grade|hand in|hang|hoover|invite|invoice|iron|mail|make an? (?:appointment|cake|dentist|reservation|costume|payment)|mark|measure|meet|mend|mow|order|organi[sz]e|pack|paint|pay|phone|pick|plan (?:the|my|our) [^\n.!?]{3,60}|plant|post|prepare|print|proofread|prune|put (?:out|up|in for|together)"
    r"|register|renew|rent|repair|replace (?:the|my|our)|reply|report|reschedule|reserve|respond|return|review (?:the|my|our|\w+'s) (?:contract|budget|proposal|application|thesis|slides|paper|offer|lease|cv|essay|draft|pr|pull request)|ring|rotate|scan|schedule|see (?:the|a|my) (?:doctor|dentist|vet|lawyer|bank|gp|accountant|notary|physio)|sell|send|service|settle|ship|shop|sign|sort|submit|sweep|switch (?:bank|energy|provider|insurance)|take (?:the|my|our|him|her|out|back|in)|talk to|tell|text|thank|tidy|transfer|unpack|update (?:my|the|our) (?:cv|resume|résumé|passport|address|insurance|will|website|portfolio|linkedin|calendar|budget)|vacuum|visit|vote|wash|water|wax|weed|withdraw|wrap|write (?:to|up|back|an?|the|my|our) (?:[\w-]+ ){0,2}(?:letter|report|essay|thesis|review|speech|cover letter|invoice|card|cards|reference|proposal|abstract|obituary|eulogy|minutes|application|postmortem|post-mortem|\w+@?)|decide (?:on|whether|about)|declare|defrost|do (?:my|the|our) (?:taxes|tax return|laundry|shopping|dishes|homework|ironing|expenses|accounts|invoices|paperwork|washing|bins|vat return))\b"
)
_NOT_CODE = r"(?![^\n]{0,60}\b(?:function|regex|loop|variable|array|string|json|endpoint|exception|stack ?trace|query|null|pointer|css|div|compiler|parameter|argument|syntax|callback)\b)(?!\w+ (?:you|this|it|that|him|them|out this|the (?:code|function|script|output|server|cache|bug|error|app|page|tests?|build|file|log|logs|config|repo|branch|commit|pr)\b))"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="plan.one_day", predicate="plans_to",
        regex=(
            rf"(?:(?:one day|some ?day|eventually|one of these days|at some point|sooner or later|in a (?:few|couple of) years|when I(?:'m| am) (?:old|retired|\d+)|once [^\n.,!?]{{3,50}}|after (?:my|the|our|maternity|graduation|school|finals|uni|christmas|easter) ?[^\n.,!?]{{0,30}}|by (?:the (?:end|time)[^\n.,!?]{{3,40}}?|summer|christmas|next \w+|\d{{4}}|spring|autumn)|in 20\d\d|next (?:year|summer|spring|autumn|month|winter|season|term))(?: soon)?,? (?:{US})(?:'ll| will|'m going to|'re going to|'d like to|'d love to| want to| hope to| plan to| intend to| shall|'m|'re| am| are))"
            rf" (?P<object>{_NOT_NOW}(?:{_WILL}|be (?:out of|moving|living|starting|doing|going|opening|teaching|off to)|moving|starting|going|opening|doing an?|taking|retiring|getting|having)\b[^\n.!?]{{2,100}})"
            rf"|(?:I'll|we'll|I will|we will|I'm going to|we're going to|I shall) (?P<object>{_NOT_NOW}{_WILL}\b[^\n.!?]{{1,60}}?(?:one day|some ?day|eventually|in 20\d\d|next (?:year|summer|spring|autumn|month|winter|season|term)|this (?:year|summer|spring|autumn|winter)|by (?:summer|christmas|spring|autumn|the end of the year|\d{{4}})|(?:in|by|before|this) {TIME}|when (?:I|we) (?:retire|finish|graduate|move))\b[^\n.!?]{{0,40}})"
        ),
        examples=(("One day I'll write a book about debugging.", "write a book about debugging"), ("After maternity leave I plan to go back to nursing part-time.", "go back to nursing part-time"), ("I'll move to Wales next year.", "move to Wales next year")),
        counterexamples=("One day I'll understand regex", "I'll take a look tomorrow"),
    ),
    Pattern(
        name="plan.thats_it", predicate="plans_to", first=True, whole=True,
        regex=(
            rf"(?P<object>(?!(?:that|this|it|so|yes|ok)\b)[^\n.!?:]{{5,100}}?),? (?:that's|that is|is) (?:the|my|our) (?:goal|plan|dream|aim|ambition|target|idea|resolution|hope|next (?:big )?(?:goal|adventure|project|trip))(?=[.!]*$|,| (?:for|now|this))|(?:on )?(?:my |our |the )?(?:plans?|goals?|resolutions?|bucket list|roadmap|ambition|dream)(?: for [\w ]{{3,20}}| this \w+| next \w+)?\s?[:=]\s?(?P<object>[^\n]{{5,120}})"
            rf"|(?:we're|I'm|we are|I am) off (?P<object>to (?!(?:bed|work|sleep|lunch|the (?:shops?|gym|office|toilet|loo|kitchen)|a meeting|school|dinner|get|make|see)\b)[^\n.!?]{{2,40}}?(?:(?:in|on|for|this|next) ){{0,2}}{TIME}[^\n.!?]{{0,50}})|(?:now )?(?:we're|I'm|we are) (?:now )?aiming (?P<object>for [^\n.!?]{{3,60}})|(?P<object>(?:interrail\w*|road trip|backpacking|honeymoon|city break|weekend away|cruise|camping|hiking)\b[^\n.!?]{{3,60}}(?:{TIME}|after \w+)[^\n.!?]{{0,40}})"
        ),
        examples=(("Berlin marathon next year, that's the goal.", "Berlin marathon next year"), ("we're off to Iceland in February to see the lights", "to Iceland in February to see the lights")),
        counterexamples=("That's the plan", "I'm off to bed", "we're off to the shops"),
    ),
    # tasks
    Pattern(
        name="task.done", predicate="has_to", stance=Stance.DENY, whole=True,
        regex=r"(?P<object>(?!(?:it|this|that)\b)[^\n.!?]{3,60}?(?:'s| is| are| has been| have been|) ?(?:paid|done|sent|booked|ordered|renewed|posted|sorted|filed|returned|finished|cancelled|signed|submitted|handed in|fixed)),? (?:so )?(?:please )?(?:you can )?(?:strike|cross|tick|take|scratch|knock|remove) (?:that|it|this|that one) off(?: (?:my|the|our) (?:list|to-?dos?|to-?do list))?",
        label_free=True,
        examples=(("Rent's paid, strike that off the list.", "Rent's paid"),),
        counterexamples=("Strike that", "It's done"),
    ),
    Pattern(
        name="task.listed", predicate="has_to", label_free=True, first=True,
        regex=(
            r"(?:reminder (?:for|to) (?:me|myself|self)|note for me|(?:put|add|stick|pop|write|jot)(?: (?:this|it|that))?(?: down)?(?: on| to| onto| in)? (?:my|the|our) (?:list|to-?dos?|to-?do list|task list|tasks|shopping list|agenda|backlog)|on (?:my|the|our) (?:list|plate|to-?do list|agenda)(?: (?:today|this week|for [\w ]{3,15}|tomorrow|still))?|(?:my|our) (?:to-?dos?|to-?do list|tasks?|homework|chores|errands|list)(?: (?:for|this|today|tomorrow)[\w ]{0,15})?(?: is| are|'s)?|(?:still )?(?:open|outstanding|pending|to do|to-?do|left to do|missing)(?: (?:today|this week|tomorrow|on my side|from me))?|action items? for me|before I forget|for my list|must do|next (?:up|on my list)|homework|errands?|shopping list|chores?)\s?(?::|,|—|–|-|(?<=is)|(?<=are))\s?(?P<object>(?!\s|(?:empty|long|endless|full|done|growing|getting|too|not|what|how|the following)\b)[^\n]{3,140})"
            r"|(?:put|add|stick|pop|get) (?P<object>[\"'“]?[^\n.!?]{2,60}?[\"'”]?) (?:on|to|onto) (?:my|our|the) (?:shopping |grocery |to-?do |task |packing |reading )?(?:list|to-?dos?|agenda)\b"
        ),
        examples=(("Reminder for me: cancel the trial before it bills.", "cancel the trial"), ("add to my todos: revision timetable for biology", "revision timetable for biology"), ('put "order flour" on my list for the shop', "order flour"), ("My to-do for this week is booking an eye test.", "booking an eye test")),
        counterexamples=("My list is empty", "Put the kettle on, love.", "Add a user to the table"),
    ),
    Pattern(
        name="task.must", predicate="has_to",
        regex=(
            rf"(?:(?:(?:I|we|I've|we've|{KINFOLK})(?:'ve| have)?{ADVERBS}|^(?:still |really |also )?|^(?:\w+ ){{1,3}}[:,] (?:I|we)(?: still)?) ?(?:have to|has to|need to|needs to|must|gotta|got to|ought to|am supposed to|'m supposed to|should(?: really)?|had better|'d better|can't forget to|mustn't forget to|haven't yet managed to|keep forgetting to|still have to|am meant to|'m meant to|want to remember to|will have to|'ll have to|'ll need to)(?: also| still| really| finally| quickly| urgently)? (?!know|see\b)"
            rf"{_NOT_CODE}(?P<object>{_CHORE}[^\n.!?]{{0,100}}))(?<!that)(?<! it)(?<! this)(?<!now)"
        ),
        examples=(("gotta return the drill to Hamza", "return the drill to Hamza"), ("We really have to sort out the will this year.", "sort out the will this year"), ("must buy a birthday present for Lena by Saturday", "buy a birthday present for Lena by Saturday"), ("I need to get my flu shot booked.", "get my flu shot booked")),
        counterexamples=("I have to say, well done.", "I need to return this value", "I have to check the logs", "I've got to go.", "Users have to confirm their email."),
    ),
    Pattern(
        name="task.needs_doing", predicate="has_to",
        regex=(
            rf"(?:my|our|the|(?:my|our) [\w-]+'s)? ?(?P<object>(?!(?:code|function|test|tests|it|this|that|he|she|we|they|model|query)\b)(?:[\w'-]+ ){{0,3}}[\w'-]+ (?:still )?(?:needs?|wants?|could do with|requires?) (?:an? )?(?:renewing|paying|servicing|booking|washing|watering|replacing|returning|cleaning|mending|repairing|posting|marking|grading|signing|filing|painting|mowing|ordering|collecting|picking up|sorting|feeding|walking|descaling|emptying|ironing|packing|sharpening|tuning|changing|trimming|pruning|insulating|service|new (?:battery|tyres|tires|filter)|(?:to be|to get) (?:paid|booked|sent|returned|renewed|serviced|filed|submitted|signed|ordered|collected|posted|finished|picked up|repaired|cleaned|in by))\b[^\n.!?]{{0,40}})"
            rf"|(?P<object>(?:my|our|the|an?) (?:[\w'-]+ ){{0,3}}[\w'-]+ (?:has to|have to|must|ought to|should|needs to) (?:be (?:paid|booked|sent|returned|renewed|serviced|filed|submitted|signed|ordered|collected|posted|finished|done|in|out|ready|handed in|repaired|delivered|shipped)|go out|go back|get (?:paid|sent|signed))\b[^\n.!?]{{0,20}}(?:by|before|this|next|on|until|within) (?:the )?{TIME}[^\n.!?]{{0,40}})"
        ),
        examples=(("my passport needs renewing this month", "passport needs renewing this month"), ("The boiler needs servicing", "boiler needs servicing"), ("The forms have to be signed by Friday", "forms have to be signed by Friday")),
        counterexamples=("Sourdough needs time.", "The model needs more training data.", "This needs fixing"),
    ),
    Pattern(
        name="task.until", predicate="has_to",
        regex=(
            r"(?:I|we)(?:'ve got| have got|'ve| have|'ve only got| only have) (?:until|till|by) (?:the )?(?:end of )?[\w ]{2,20} to (?P<object>(?!see|know)[^\n.!?]{4,80})|(?:I|we)(?:'ve got| have got|'ve| have) (?P<object>(?:\w+ )?(?:\d+|an?|two|three|four|five|some|a stack of|a pile of) [\w' -]{3,40}(?:to (?:mark|grade|finish|send|pay|write|sign|return|review|submit|pack|hand in|deliver|prepare|answer|read)|in need of \w+ing|left to \w+)\b[^\n.!?]{0,50})|there's an? (?P<object>[\w' -]{3,40} (?:I|we) (?:still )?(?:have|need) to (?:answer|pay|send|finish|return|sign|file|deal with|submit|prepare|review|fix|reply to)[^\n.!?]{0,40})"
            r"|(?:(?:my|our|the) )?(?P<object>(?:[\w'-]+ ){0,3}(?:report|assignment|essay|paper|homework|tax(?:es)?|tax return|application|rent|invoices?|slides|presentation|proposal|bills?|form|manuscript|grant|coursework|registration|expenses|expense report|vat return|library books?|payment|deposit|rsvp|grades)(?: \w+)?(?:'s| is| are) (?:still )?(?:due|overdue|open|outstanding|unpaid|not done)\b(?! to\b)[^\n.!?]{0,50})"
        ),
        examples=(("I've got until Saturday to return the shoes.", "return the shoes"), ("I've got 28 essays in need of marking by Wednesday.", "28 essays in need of marking by Wednesday"), ("My tax return is due at the end of May and I haven't even started.", "tax return is due at the end of May")),
        counterexamples=("I have until now to see it", "The error is due to a typo"),
    ),
    Pattern(
        name="task.owe", predicate="has_to",
        regex=(
            rf"(?:I|we)(?:'ll)?(?: still| also)? owe (?P<object>(?!(?:you|it|him|her|them|an|a lot)\b|you\b)[^\n.!?]{{4,60}})|(?:I|we)(?:'ve| have)?(?: also)? promised (?P<object>(?!(?:you|myself|that|not|it|to be|never)\b)[^\n.!?]{{5,80}})|(?:I|we)(?:'ve| have)? (?:told|said to) (?P<object>{KINFOLK[len('(?P<subject>'):-1]} (?:I'd|we'd|I would|we would) [^\n.!?]{{4,80}})|(?:I|we)(?: still)? (?:haven't|have not)(?: yet| even)? (?P<object>(?:booked|paid|sent|renewed|filed|called|answered|replied|ordered|bought|returned|submitted|registered|signed|packed|finished (?:the|my)|started (?:the|my|on)|cancelled|picked up|arranged|applied|written (?:the|my) (?:report|essay|speech|thank-you))\b[^\n.!?]{{3,60}})(?= yet|[.!,]|$)"
            rf"|(?P<object>(?-i:[A-Z])?[\w' #,-]{{4,80}}?),? (?:got|was|is|has been|were) assigned to me\b|(?P<object>[\w' -]{{4,80}}?),? (?:that|that one|this|this one)(?:'s| is) on me\b|(?P<object>[\w' -]{{4,60}}?) (?:is|are)(?: still)? (?:on my (?:plate|list|to-?do list)|my (?:job|task|responsibility) (?:this|next|for)\b)|(?:it's|it is) (?:my (?:job|turn)|up to me|on me|down to me) to (?P<object>[^\n.!?]{{4,80}})|{doing('supposed to|responsible for|on the hook for')} (?P<object>(?:{_CHORE}|bringing|organising|organizing|buying|booking|cooking|driving|collecting|the (?:cake|food|drinks|slides|minutes|snacks|catering|tickets))\b[^\n.!?]{{2,60}})"
        ),
        examples=(("I still owe the committee a cake for Saturday", "committee a cake for Saturday"), ("The flaky login test got assigned to me.", "flaky login test"), ("I haven't booked the dentist yet", "booked the dentist")),
        counterexamples=("You owe me one.", "I owe you one", "I promised myself"),
    ),
)
