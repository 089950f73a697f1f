"""English, said more freely: what is wanted always or never."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.model.claim import Stance

_ONCE = (
    r"(?![^\n]{0,200}\b(?:this time|this one|this once|for now|right now|today|tonight|tomorrow|at the moment"
    r"|in this (?:function|file|paragraph|case|one|sentence)|that function|that one|this release|yet|here and now"
    r"|just once|next time)\b)"
    r"(?![^\n]{0,200}\b(?:they|he|she|it|docs?|teacher|sign|manual|article|chess|film|game|novel) (?:say|says|said"
    r"|teach|told|warns?)\b)"
)
_DO = (
    r"(?:use|write|answer|reply|respond|run|add|keep|format|put|ask|commit|push|include|make|check|call|send|give"
    r"|show|tell|explain|speak|talk|address|test|create|name|sign|start|end|begin|update|avoid|stick to|stick with"
    r"|follow|document|cite|link|confirm|assume|treat|translate"
    r"|summari[sz]e|open|close|schedule|book|order|remind|log|save|list|mention|say|do|set|leave|read|review|round"
    r"|convert|quote|refer|provide|return|notify|warn|be|stop|skip|take|double[- ]check|cc|copy|deploy|merge"
    r"|squash|rebase|pin|type|indent|lint|wrap|store|back up|generate|suggest|recommend"
    r"|propose|draft|cook|pick|choose|pack|lock|turn|buy|mark|tag|prefix|capitali[sz]e|spell|comment|split|post"
    r"|attach|sort|group|print|greet|loop in|ping|message|text|prefer|go for|cut|drop|limit|restrict|flag|work"
    r"|label|measure|count|prioriti[sz]e|reproduce|explain|lead with|spare me|shorten|number|date|bring|feed|water"
    r"|wash|serve|cross-check|verify)"
)
_STYLE = (
    r"(?:answers?|replies|reply|responses?|explanations?|summar(?:y|ies)|messages?|mails?|emails?|comments?|code"
    r"|commits?|commit messages?|variable names|names|dates?|times?|units?|numbers|prices|recipes|lists?|tone"
    r"|language|spelling|headings?|titles?|tests?|prs?|pull requests|docs|documentation|docstrings|jokes|texts?"
    r"|letters?|it|things|sentences|paragraphs|examples|diffs|branches|logs|functions|files|migrations|secrets"
    r"|config|measurements|temperatures|amounts|invoices|reports|slides|charts|tables|reminders|notifications"
    r"|meetings|calls|english|format|formatting|style|text|copy|branch names|ui strings|output|queries|suggestions"
    r"|recommendations|feedback|plans|portions|meals|menus)"
)
_STANDING = (
    r"(?:always|never|without exception|no exceptions|every (?:single )?time|each time|at all times|by default"
    r"|from now on|from here on(?: out)?|from today(?: on)?|going forward|in (?:the )?future|as a rule"
    r"|on principle|whenever|unless I (?:ask|say|tell|request|explicitly|mention)[^\n]{0,40}|unless (?:told|asked"
    r"|stated|specified) otherwise|unless I say otherwise|even (?:if|when) I [^\n]{3,60}|everywhere"
    r"|across the board|in this (?:repo|repository|codebase|project|chat|conversation|house|household|team|dataset"
    r"|shop|kitchen|class|company|family)|in (?:our|my) (?:repo|repos|codebase|projects?|code|docs|setup|team"
    r"|house|company|shop|class|household)|in all (?:user-facing|my|our|your|future|the)? ?[\w-]+"
    r"|for all [\w -]{3,30}|around here|with me\b|no matter what|that goes for [\w ]{3,30}|please and thank you"
    r"|at any time|for everything|full stop|period|throughout|permanently|until further notice|if (?:you're"
    r"|you are) (?:not sure|unsure|in doubt|guessing)|when (?:in doubt|unsure)|nowhere else|and nothing else"
    r"|not (?:negotiable|optional)|as (?:our|a|the) (?:standard|convention|policy)|that's (?:how (?:we"
    r"|I) [\w ]{3,20}|the (?:rule|convention|policy|law)(?: here)?))"
)
_ARTEFACT = (
    r"(?:code|comments?|commits?|commit messages?|line length|lines?|column names|columns|table names|tables"
    r"|branch(?:es| names)?|variables?|variable names|functions?|function names|files?|file names|filenames"
    r"|classes|class names|tests?|test names|docs|docstrings|dates?|timestamps?|times|money|amounts|prices|secrets"
    r"|logs?|log messages|metrics?|metric names|endpoints?|urls?|routes|errors?|error messages|configs?|env vars"
    r"|imports|dependencies|versions|migrations|indentation|indents?|quotes|strings|types|prs?|pull requests?"
    r"|pr titles|changelogs?|releases?|tags|tickets?|issues?|apis?|queries|sql|css|html|json|yaml|keys|ids"
    r"|constants|enums|packages|modules|components|hooks|styles|scripts|fixtures|mocks|spelling|language|units"
    r"|encoding|line endings|tabs|spaces|meetings|standups?|reviews|deploys?|deployments|shoes|phones|screens"
    r"|homework|bedtime|dinner|snacks|class snacks|meals|towels|bins|recycling|visitors|guests|sundays|mondays"
    r"|fridays|weekends|evenings|mornings|lunch breaks?)"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="rule.standing", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            rf"{_ONCE}(?:please |pls |kindly |and |also |but |just |then )*(?P<object>(?:always "
            rf"|only )?{_DO} (?!it (?:again|now)|going|me (?:a|an|the"
            rf"|ten) )[^\n]{{2,160}}?\b{_STANDING}(?![\w])[^\n]{{0,100}})"
        ),
        examples=(("Write comments in English even if I talk to you in Polish.", "Write comments in English even if I talk to you in Polish"), ("Keep your answers short unless I ask for more.", "Keep your answers short unless I ask for more"), ("Use British English in all user-facing text.", "Use British English in all user-facing text")),
        counterexamples=("Keep it short this time.", "Add a docstring to each of these.", "Use a list comprehension in that function."),
    ),
    Pattern(
        name="rule.artefact", predicate="wants_always", label_free=True, whole=True,
        regex=(
            rf"{_ONCE}(?P<object>(?:(?:all|every|each|our|my|any|new"
            rf"|your) )?(?:[\w-]+ ){{0,2}}?{_ARTEFACT}(?: in [\w -]{{3,20}}| for [\w -]{{3,20}})? (?:are|is|go|goes"
            rf"|must|have to|has to|should|need to|needs? to|get|gets|start|starts|end|ends|stay|stays|use|uses"
            rf"|live|lives|come|comes|belong|belongs|always|never|only)\b [^\n]{{2,120}}?\b(?:{_STANDING}"
            rf"|here, [\w ]{{3,20}}|that's how [\w ]{{3,30}}|, never [\w ]{{3,30}}|, not [\w ]{{3,30}}, ever"
            rf"|off limits|only)(?![\w])[^\n]{{0,100}})"
            rf"|(?P<object>(?:all|every|each|any|no) (?:new )?(?:[\w-]+ ){{0,2}}?{_ARTEFACT} (?:must(?! have)"
            rf"|has to|have to|needs?(?: to)?|should|gets?|starts? with|ends? with|begins? with|goes? (?:through"
            rf"|into|in|past|to)|comes? with|is to|are to|may|carry|carries|requires?|use|uses) (?!be a|a (?:lock"
            rf"|fix|hand|bit))[^\n]{{2,140}})"
            rf"|(?P<object>(?:{_ARTEFACT}|species|[\w-]+ names|[\w-]+s) always (?:in|with|by|as|on|under|before"
            rf"|after|at|from|go(?:es)? in) [^\n]{{2,80}})"
        ),
        examples=(("Column names are snake_case here, no exceptions.", "Column names are snake_case here, no exceptions"), ("All metric names start with app_, that's how Grafana finds them.", "All metric names start with app_, that's how Grafana finds them"), ("species always by Latin names in this dataset", "species always by Latin names in this dataset")),
        counterexamples=("Every function in this module is over 100 lines, wow.", "The build is green.", "Every test passes", "Visitors must sign in at reception."),
    ),
    Pattern(
        name="rule.we_do", predicate="wants_always", whole=True, label_free=True,
        regex=(
            rf"{_ONCE}(?P<object>(?:in (?:our|this|my) [\w-]+,? )?(?:we|I)(?: only| always| never"
            rf"| don't ever)? (?:use|write|pin|squash|rebase|merge|review|commit|deploy|name|keep|put|store|log"
            rf"|test|tag|indent|format|never \w+|always \w+|don't \w+|do not \w+|eat|take (?:our )?shoes|speak"
            rf"|serve)\b (?!the wrong|`|this|that|it\b)[^\n]{{2,100}}?(?:, always|,? no exceptions|, stick to that"
            rf"|, never|, so (?:please )?(?:do|stick)|,? (?:in|across) (?:this|our|all our|every) (?:repo"
            rf"|repository|codebase|project|house|household|team|company|shop|repos|projects)|, as a rule"
            rf"|, full stop|, period|,? always exact)\b[^\n]{{0,80}})"
            rf"|(?P<object>we (?:write|use|allow|accept|have|want|do|permit|ship|merge|add"
            rf"|tolerate) no (?:[\w-]+ ){{0,2}}[\w-]+ (?:for|in|on|without|at|inside|outside|after"
            rf"|before)\b[^\n]{{2,100}})"
            rf"|(?P<object>(?:nothing|no [\w -]{{3,30}}) (?:gets|is|goes|may be|can be|leaves|ships"
            rf"|enters) (?:merged|shipped|deployed|committed|pushed|published|sent|released|changed|in(?:to)?|out"
            rf"|live|past|without|eaten|thrown)\b[^\n]{{3,100}})"
        ),
        examples=(("We pin versions in requirements, always exact.", "We pin versions in requirements, always exact"), ("We write no mocks for the DB layer since mocks hid a real bug", "We write no mocks for the DB layer since mocks hid a real bug"), ("nothing gets merged on a red pipeline.", "nothing gets merged on a red pipeline")),
        counterexamples=("We use it in this test", "nothing is broken"),
    ),
    Pattern(
        name="rule.no_in", predicate="wants_never", first=True, label_free=True, whole=True,
        regex=(
            rf"{_ONCE}(?:please |pls |strictly |absolutely |and |but )*no (?!idea|words|problem|worries|clue|need"
            rf"|rush|one|way|longer|matter|doubt|luck|drama|changes|tests? (?:were|was|found|ran)|kids|children"
            rf"|data|output|errors?)(?P<object>(?:[\w-]+ ){{0,3}}?(?:emojis?|statements?|comments?|code|jargon"
            rf"|abbreviations?|acronyms?|semicolons?|tabs|mocks?|globals?|any types?|files?|commits?|meetings?"
            rf"|calls?|messages?|phones?|screens?|shoes|tv|work|sugar coating|small talk|apologies|disclaimers"
            rf"|exclamation marks|filler|fluff|markdown|bullet points|tables|headings|pleasantries|flattery|links"
            rf"|ads|puns|slang|swearing|dependencies|frameworks?|libraries|magic numbers|wildcards?|force pushes"
            rf"|merges|deploys?|releases?|abbreviations|dashes|spoilers|surprises|politics|religion|sweets|snacks"
            rf"|dogs|smoking|visitors|notifications|reminders|alerts|prints?|todos|one-liners|lambdas|ternaries"
            rf"|inheritance|singletons|guesses|guessing|made-up \w+)\b(?: (?:in|on|at|for|with|after|before|during"
            rf"|under|from|to|without|between|anywhere|ever|please|unless|when|outside|inside)\b[^\n]{{2,100}}"
            rf"|[^\w\n][^\n]{{0,100}}|$))"
            rf"|unless I (?:say|tell you|ask) otherwise[:,] (?P<object>[^\n]{{3,120}})"
        ),
        examples=(("no print statements in library code, use the logger", "print statements in library code, use the logger"), ("unless I say otherwise: no new files", "no new files")),
        counterexamples=("no idea", "No no no, revert that."),
    ),
    Pattern(
        name="rule.when_then", predicate="wants_always", label_free=True, whole=True,
        regex=(
            rf"{_ONCE}(?P<object>(?:whenever|every time|each time|any ?time|before (?:you|anybody|anyone|any|every"
            rf"|each|a|we)|after (?:you|every|each|any)|if you(?:'re| are)? (?:not sure|unsure|in doubt|guessing"
            rf"|don't know|do not know|can't|see|find|need|ever|want to|touch|change)|if in doubt|when in doubt"
            rf"|when(?:ever)? (?:you|I (?:ask|say|send|mention|paste|plan|write|talk|share|cook|book|travel)"
            rf"|something|someone|anything|we)|for (?:travel|recipes|code|dates|flights|meals|shopping|emails"
            rf"|anything \w+|every \w+|each \w+|all \w+))(?! (?:run|start|open|click"
            rf"|press) )[^,\n]{{0,90}}, (?:please |always |then |first |just |also |it |you (?:must|should"
            rf"|have to) |make sure (?:to|you) |[\w ]{{0,30}}, )*(?:{_DO}|never|don't|do not|goes|ask"
            rf"|loop)\b[^\n]{{2,140}})(?<!fails)(?<!freezes)(?<!crashes)"
        ),
        examples=(("Whenever something concerns the API contract, loop in Ben.", "Whenever something concerns the API contract, loop in Ben"), ("Each time I plan a ride, check the weather first.", "Each time I plan a ride, check the weather first"), ("Before anybody touches the schema, it goes past Ines.", "Before anybody touches the schema, it goes past Ines")),
        counterexamples=("Every time I open that file my editor freezes.", "Whenever you're ready.", "When I click save nothing happens."),
    ),
    Pattern(
        name="rule.label", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            r"(?:(?:general |house |golden |standing |new |my |our |the |one |team |ground |simple |basic "
            r"|hard )*(?:rules?|convention|policy|guideline|standing order|ground rule|house rule"
            r"|standing instruction)(?: for you| here| for this \w+| around here| number \w+| of mine)?(?: is|:|,"
            r"| -)(?: that| to)? (?P<object>(?!wrong|right|broken|simple|too|not\b|in\b|of\b|a bit"
            r"|no-)[^\n]{3,160})"
            r"|(?P<object>(?:commit messages?|comments?|code style|style|spelling|dates?|units?|indentation"
            r"|branch names|naming|variable names|line length|quotes|docstrings|tests|language|tone|format"
            r"|answers?|replies|emails?|subject lines?|currency|timestamps|imports|PRs?|PR titles): (?!error"
            r"|missing|null|true|false|\d+ (?:of|total|passed|failed))[a-z][^\n]{3,120}))"
        ),
        examples=(("General rule for you: don't apologise, just fix it.", "don't apologise, just fix it"), ("Commit messages: imperative mood, lower case, no trailing dot.", "Commit messages: imperative mood, lower case, no trailing dot"), ("House rule: shoes off at the door", "shoes off at the door")),
        counterexamples=("Firewall rule 12 blocks port 443.", "The eslint rule no-unused-vars fires on line 8.", "Tests: 12 passed"),
    ),
    Pattern(
        name="rule.style", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            rf"{_ONCE}(?:please |pls |kindly |just |also )*(?P<object>(?:keep|write|make|give|format|phrase|send"
            rf"|put) (?:me )?(?:your|all|my|the|all your|all my|every|any) (?:[\w-]+ )?(?:answers|replies|responses"
            rf"|explanations|summaries|messages|mails|emails|comments|commit messages|commits|docstrings|dates"
            rf"|units|reminders|lists|tone|variable names|branch names) (?:short|brief|concise|simple|formal"
            rf"|informal|friendly|neutral|polite|plain|in|as|to|under|below|free of|at|with|without|lower ?case"
            rf"|metric|small|to the point|crisp|bulleted)\b[^\n]{{0,100}}"
            rf"|(?:answer|reply|respond|speak|write|talk) (?:to me )?(?:only |always |just )?in (?:english|german"
            rf"|french|spanish|dutch|polish|italian|portuguese|chinese|japanese|british english|american english"
            rf"|plain english|full sentences|bullet points|simple (?:words|language|english)|welsh|turkish|russian"
            rf"|my language|lower ?case)(?: only| please|,? please)?(?=[.!,]|$| (?:even|unless|and|when|because"
            rf"|so))[^\n]{{0,80}}"
            rf"|(?:scratch|drop|forget) the [\w -]{{3,30}} (?:rule|convention|habit),? [^\n]{{3,100}})"
        ),
        examples=(("Please keep your answers under ten lines", "keep your answers under ten lines"), ("answer in German, please", "answer in German")),
        counterexamples=("keep it short this time", "Translate the error strings into Portuguese for this release.", "Shorten the last sentence a bit."),
    ),
    Pattern(
        name="rule.needs_free", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            rf"{_ONCE}(?P<object>(?:anything|everything|whatever) (?:touching|in|that|with|over|about|for|new"
            rf"|public|on|to do with) [^\n,]{{2,40}} (?:needs?|must|goes|gets|requires?|has to)\b [^\n]{{2,80}}"
            rf"|(?:todo |public |private |new |schema |db |database |api |breaking |config |all )+(?:[\w-]+) (?:get"
            rf"|gets|must|carry|need|needs|have to|go|goes|only)\b [^\n]{{3,100}}"
            rf"|(?:at|by) the (?:end|start|beginning|top|bottom) of (?:every|each|any"
            rf"|all) [^\n,]{{3,30}},? (?:please )?{_DO}\b[^\n]{{2,100}}"
            rf"|always (?!nice|good|a\b|the\b|been|have|had|was|is|get|great|fun|love"
            rf"|happy)[\w./-]+(?: [\w./-]+){{0,3}}, never [^\n]{{2,60}}"
            rf"|(?:don't|do not|no) (?:(?:send|ring|call|text|message|book|schedule|ping|wake"
            rf"|disturb) (?:me )?[^\n]{{0,40}}?|(?:appointments?|meetings?|calls?|reminders?|messages?) )(?:before"
            rf"|after|between|during|on (?:sundays|saturdays|weekends|mondays|fridays)|at weekends|past) (?!this"
            rf"|that|we\b|I\b|you\b|he\b|she\b)[^\n]{{2,60}}"
            rf"|[\w -]{{3,40}} only ever (?:through|via|in|with|by|on|after|from|as|at) [^\n]{{3,60}})"
        ),
        examples=(("Anything touching billing needs two approvals.", "Anything touching billing needs two approvals"), ("public functions get a docstring, private ones don't", "public functions get a docstring, private ones don't"), ("Don't send me reminders after nine in the evening.", "Don't send me reminders after nine in the evening")),
        counterexamples=("Don't merge until Kofi has had a look", "Always the same with that ticket machine.", "Everything I touch today breaks."),
    ),
    Pattern(
        name="rule.lifted", predicate="wants_always", stance=Stance.DENY, label_free=True, whole=True,
        regex=(
            r"(?P<object>you (?:can|may) [^\n,]{3,80} again\b[^\n]{0,60})(?=$|[.!,])|(?:forget|drop|ignore|scrap"
            r"|lift|cancel|scratch) (?:the|my|that) (?P<object>(?:[\w'-]+ ){0,4}(?:rule|ban|restriction|convention"
            r"|requirement|policy|instruction|limit))\b[^\n]{0,80}|(?P<object>(?:the|my) [\w' -]{2,40} (?:rule|ban"
            r"|restriction|convention|policy) (?:no longer applies|is (?:off|over|gone|lifted|dropped|history)))"
            r"|you (?:don't|do not|needn't) (?:have to |need to )?(?P<object>[^\n]{3,80}) (?:any ?more"
            r"|any longer)\b"
        ),
        examples=(("You can talk about politics with me again, forget the ban.", "You can talk about politics with me again, forget the ban"), ("the no-emoji rule is off", "the no-emoji rule is off")),
        counterexamples=("you can run it", "The rule is wrong"),
    ),
    Pattern(
        name="rule.off_limits", predicate="wants_never", label_free=True, whole=True,
        regex=(
            rf"{_ONCE}(?P<object>(?!this|that|it\b|which)[\w' -]{{3,40}} (?:are|is) (?:off[- ]limits|taboo|sacred"
            rf"|non-negotiable|not negotiable|a no-go|banned|out of bounds|strictly optional|mandatory|compulsory"
            rf"|not up for discussion)\b[^\n]{{0,80}})"
            rf"|(?P<object>(?:work on|commit to|push to|deploy (?:to|on|from)|touch|edit|change|use|write"
            rf"|merge) [^\n,;]{{3,50}} only\b(?:[;,.!][^\n]{{0,80}}|$))|(?:I'm [\w ]{{3,30}}: "
            rf"|[\w ]{{3,20}}, )?(?P<object>never (?:ring|call|text|phone|message|disturb|interrupt|wake|ping|email"
            rf"|book|schedule|put|add|use|send|give|show|tell|ask) (?:me|us|my|anything|any|the|in|on|a|an"
            rf"|it)\b[^\n]{{3,120}}(?<!again))"
        ),
        examples=(("Sundays are off limits, no work messages.", "Sundays are off limits, no work messages"), ("Work on feature branches only; main is protected.", "Work on feature branches only; main is protected")),
        counterexamples=("This is off limits", "never mind the noise", "Only push the first branch"),
    ),
)
