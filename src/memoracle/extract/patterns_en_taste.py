"""English: what somebody likes, dislikes, and wants done always or never."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, FOLKS, KIN, NAME, THING
from memoracle.model.claim import Stance

_NOT_LIKED = (
    r"(?!(?:yours|punishment|it|this|that|these|those|you|your|how|what|the (?:way|idea|fact|look|sound|first"
    r"|second|third|last"
    r"|new|old|result|output|approach|other|latter|former|current|option|suggestion|name|version|change"
    r"|color scheme you|one)|to (?:know|see|ask|be|have you|get|add|use|make|create|change|start|discuss|learn"
    r"|understand|find|try|write|build|talk|hear|read|run|do|keep|move|go|set|share|think|say|point|thank|propose"
    r"|suggest|test)|a (?:lot|function|regex|script|summary|list|test|short|quick|more)|some|an? \w+ (?:of|for"
    r"|that)|when you|if|both|all of|him|her|them|one|me|everything|where|that's|seeing)\b)"
)
_LIKE = (
    r"(?:like|love|enjoy|adore|appreciate|dig|have a (?:thing|soft spot|weakness|sweet tooth|passion) for)"
)
_FOND = (
    r"(?:into|fond of|obsessed with|crazy about|passionate about|keen on|hooked on|addicted to|partial to|big on|an? "
    r"(?:big |huge |massive |total |real |lifelong |diehard )?(?:fan of|sucker for|lover of))"
)
_LIKES = r"(?:likes|loves|enjoys|adores|is into|is fond of|is obsessed with|is crazy about|is an? (?:big |huge )?fan of)"
_HATE = (
    r"(?:hate|dislike|detest|loathe|can't stand|cannot stand|can not stand|can't bear|despise|really hate|don't like"
    r"|do not like|don't enjoy|do not enjoy|don't care for|never liked|have never liked|'ve never liked"
    r"|can't deal with|try to avoid)"
)
_NOT_FOND = (
    r"(?:not (?:really |very |exactly |that |much )?(?:an? (?:big |huge |great )?(?:fan of|lover of)|much of a fan of"
    r"|into|fond of|keen on|big on|crazy about)|sick of|allergic to (?=meetings))"
)
_HATES = (
    r"(?:hates|dislikes|detests|loathes|can't stand|cannot stand|doesn't like|does not like|is not a (?:big )?fan of"
    r"|isn't a fan of|never liked)"
)
_NOT_HATED = (
    r"(?!(?:up\b|it\b(?! when)|when (?:this|that|it)|this|that|these|those|the (?:way|idea|fact|look|output"
    r"|result|first"
    r"|second|new|current)|how|what|you\b|your|to (?:say|ask|bother|interrupt|break|be)|waiting for (?:this|it)"
    r"|myself|seeing this|my (?:life|code))\b)"
)
_DO = (
    r"(?:use|write|answer|reply|respond|run|add|keep|format|put|ask|commit|push|include|make|check|call|send|give"
    r"|show|tell|explain|speak|talk|address|test|prefer|create|name|sign|start|end|begin|update|avoid|stick"
    r"|follow|document|cite|link|confirm|wait|assume|treat|translate|summari[sz]e|open|close|schedule|book|order"
    r"|remind|log|save|list|mention|say|do|set|leave|read|review|round|convert|quote|refer|provide|return|consult"
    r"|notify|warn|let me|be\b|stop|skip|remove|take|double[- ]check|cc|bcc|deploy|merge|squash|rebase|pin|type"
    r"|indent|lint|import|wrap|store|backup|back up|generate|suggest|recommend|propose|draft|cook|pick|choose"
    r"|pack|lock|turn|drive|buy|mark|tag|prefix|capitali[sz]e|spell|comment|split|post|attach|delete|touch|change"
    r"|edit|modify|rename|bother|interrupt|commit|mock|hard-?code|share|contact|guess|invent|apologi[sz]e|repeat"
    r"|install|upgrade|mix|spend|agree|drop|truncate|email|message|invite|disturb|start)"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # rules, before preferences: “I prefer that you always …”
    Pattern(
        name="rule.from_now_on", predicate="wants_always", label_free=True, whole=True,
        regex=(
            rf"(?:from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future|henceforth|by default|as a "
            rf"(?:general )?rule|for all future \w+|for every future \w+|starting (?:today|now)),? (?:I(?:'d| would) "
            rf"(?:like|want|prefer) (?:you to |it if you |that you )|I want you to |please |pls |always |you should "
            rf"|you must |can you )*(?P<object>(?!never|don't|do not|no |not |I\b|it\b|the (?:function|test|build)"
            rf"|this|we're)(?:{_DO}|only|every|all|\w+ing)\b[^\n]{{2,300}})"
        ),
        examples=(("From now on, answer me in British English.", "answer me in British English"), ("Going forward please use metric units in everything.", "use metric units in everything")),
        counterexamples=("In the future cars will fly", "By default the parser drops blank lines"),
    ),
    Pattern(
        name="rule.from_now_on_not", predicate="wants_never", label_free=True, whole=True,
        regex=(
            r"(?:from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future|henceforth|by default|as a "
            r"(?:general )?rule),? (?:please |pls |always |I want you to |you should )*(?:never|don't|do not|no more"
            r"|not) (?P<object>[^\n]{2,300})"
        ),
        examples=(("From now on, don't use emojis", "use emojis"),),
        counterexamples=("Going forward is hard",),
    ),
    Pattern(
        name="rule.always", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            rf"(?:please |pls |and |but |also |you (?:should|must|have to|need to) |I (?:want|need|expect) you to |I"
            rf"(?:'d| would) like you to |make sure (?:to|you) |be sure to )*always (?:please )?"
            rf"(?P<object>{_DO}\b[^\n]{{2,300}})"
        ),
        examples=(("Always run the linter before you commit anything.", "run the linter before you commit anything"), ("I want you to always answer in German", "answer in German")),
        counterexamples=("Always nice to talk to you!", "I always get the same stack trace here.", "It always returns None", "Always a pleasure"),
    ),
    Pattern(
        name="rule.never", predicate="wants_never", first=True, label_free=True, whole=True,
        regex=(
            rf"(?:please |pls |and |but |also |you (?:should|must|may|can) |I (?:want|need) you to |I(?:'d"
            rf"| would) like you to )*(?:never ever|never|don't ever|do not ever|under no circumstances) (?P<object>"
            rf"(?!mind|know|again$|seen|give up|stop \w+ing|let (?:it|that|go)|be afraid)(?:{_DO}|work|go|come"
            rf"|put)\b[^\n]{{2,300}})"
        ),
        examples=(("never use emojis in commit messages", "use emojis in commit messages"), ("Don't ever book meetings before 10am.", "book meetings before 10am")),
        counterexamples=("Never mind, found it.", "I have never seen this error before.", "never again"),
    ),
    Pattern(
        name="rule.whenever", predicate="wants_always", label_free=True, whole=True,
        regex=(
            rf"(?P<object>(?:whenever|every time|each time|any ?time|when(?:ever)?) (?:you|I (?:ask|say|send|mention"
            rf"|paste|give you|tell you|share|write)|we|there's|there is)[^,\n]{{2,120}},? (?:then |please |always "
            rf"|make sure (?:to|you) |you (?:should|must) |also )*(?:{_DO}|never|don't|do not)\b[^\n]{{2,200}})"
        ),
        examples=(("whenever you touch the billing module, add a test for it", "whenever you touch the billing module, add a test for it"), ("Every time you open a PR, link the ticket.", "Every time you open a PR, link the ticket")),
        counterexamples=("Whenever I start the server it crashes.", "every time I run it, the test fails"),
    ),
    Pattern(
        name="rule.do_whenever", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            rf"(?:please |pls |always )*(?P<object>{_DO} [^,.\n]{{2,120}}?,? (?:whenever|every time|each time"
            rf"|any ?time|at all times|by default|from now on|in (?:the )?future|going forward|in all (?:your|future"
            rf"|my) \w+|in every \w+ you \w+|for everything you \w+)\b[^\n]{{0,160}})"
        ),
        examples=(("Use British spelling from now on.", "Use British spelling from now on"), ("please ask me first every time you deploy", "ask me first every time you deploy")),
        counterexamples=("fix the crash that happens every time I start", "Run it again"),
    ),
    Pattern(
        name="rule.not_from_now", predicate="wants_never", label_free=True, whole=True,
        regex=(
            r"(?:please |pls )*(?:don't|do not|no more|no|stop) (?P<object>[^\n]{3,160}?),? (?:from now on"
            r"|going forward|in (?:the )?future|ever again|any ?more|ever|at all|in any (?:of )?(?:your"
            r"|my) \w+)[.!]*$"
        ),
        examples=(("Please don't use semicolons in my TypeScript from now on", "use semicolons in my TypeScript"), ("No emojis in your replies, ever.", "emojis in your replies")),
        counterexamples=("I don't like coffee anymore", "Don't change the header in this file."),
    ),
    Pattern(
        name="rule.i_want_from_now", predicate="wants_always", whole=True, label_free=True,
        regex=(
            r"(?:I (?:want|need|expect|would like)|I'd like|I'd prefer) (?P<object>(?:you to |that you |it if you "
            r"|all |every |your |each |any |no |the (?:answers|code|comments|replies|output|commit) )(?=[^\n]{3,200}"
            r"(?:from now on|going forward|in (?:the )?future|at all times|every time|whenever|always"
            r"|by default))[^\n]{5,200})"
        ),
        examples=(("I want all code comments in English from now on.", "all code comments in English from now on"),),
        counterexamples=("I want this function to return early", "I want a regex that matches"),
    ),
    Pattern(
        name="rule.every_day", predicate="wants_always", label_free=True, whole=True,
        regex=(
            r"(?P<object>(?:every|each) (?:day|morning|evening|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
            r"|night|quarter)(?: at [\w: ]{1,8})?,? (?:please )?(?:send|give|remind|tell|check|show|summari[sz]e"
            r"|prepare|post|email|ask|run|review|update|write)\b[^\n]{3,160})"
        ),
        examples=(("Every Friday send me a summary of open PRs.", "Every Friday send me a summary of open PRs"),),
        counterexamples=("Every day I run five miles",),
    ),
    Pattern(
        name="rule.when_you", predicate="wants_always", label_free=True, whole=True,
        regex=(
            rf"(?P<object>(?:when|if) (?:you(?:'re| are)? (?:writ|generat|creat|answer|repl|respond|refactor|review"
            rf"|edit|commit|test|draft|suggest|format|quot|book|schedul|explain|translat|summari|refer|cit|name"
            rf"|deploy|recommend|cook|plan|order|touch|open|add|make|giv|work)\w*|I (?:ask|say|send|mention|paste"
            rf"|write|type|tell you))[^,\n]{{0,100}}, (?:please |always |then |it means |I mean |that means )*"
            rf"(?:{_DO}|never|don't|do not|[\w ]{{0,20}}?I mean|it means|that means)\b[^\n]{{2,200}})"
        ),
        examples=(("When you write SQL for me, use uppercase keywords.", "When you write SQL for me, use uppercase keywords"),),
        counterexamples=("When you run this, the tests fail", "If you see an error, it crashed"),
    ),
    Pattern(
        name="rule.in_all", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            rf"(?:please |pls )*(?P<object>{_DO} [^,.\n]{{2,100}} (?:in|for|with|on|across) (?:all|every|each|any) "
            rf"(?:of )?(?:my|our|your|future|new)? ?(?:python |typescript |javascript |rust |java )?(?:code|projects?"
            rf"|repos?|files|commits?|commit messages|answers?|replies|responses?|messages?|documents?|emails?|PRs?"
            rf"|pull requests|scripts|summaries|reports|tickets|functions|texts?|letters)\b[^\n]{{0,60}})"
            rf"(?<!this file)"
        ),
        examples=(("Use type hints in all my Python code.", "Use type hints in all my Python code"),),
        counterexamples=("Fix the typo in all files", "Use a list comprehension here."),
    ),
    Pattern(
        name="rule.you_must", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            r"(?P<object>you (?:must|have to|need to|should) (?:please )?(?:ask|check|confirm|consult|warn|notify"
            r"|tell|wait for|get (?:my|an)|show)\b[^\n]{2,100}\b(?:before|whenever|every time|when) (?:you|doing"
            r"|making|any|every|pushing|deleting|committing|deploying|running|sending|buying|changing"
            r"|anything)\b[^\n]{0,120})"
        ),
        examples=(("You must ask me before you push to main.", "You must ask me before you push to main"),),
        counterexamples=("You should check the docs first",),
    ),
    Pattern(
        name="rule.no_ever", predicate="wants_never", first=True, label_free=True, whole=True,
        regex=(
            r"no (?P<object>(?:emojis?|exclamation marks|jargon|small talk|abbreviations|semicolons|tabs|comments"
            r"|apologies|disclaimers|pleasantries|swearing|acronyms|em dashes|bullet points|tables|markdown|smileys"
            r"|filler)\b[^\n.!?]{0,60})[.!]*(?: ever\W*)?$"
        ),
        examples=(("No emojis in commit messages.", "emojis in commit messages"),),
        counterexamples=("No tests were found",),
    ),
    Pattern(
        name="rule.needs", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=(
            r"(?P<object>(?:every|each|all|any) (?:new )?(?:PR|pull request|commit|module|function|test|ticket"
            r"|release|change|file|class|endpoint|migration|answer|reply|report|email|invoice|meeting|script|page)s?"
            r"(?: [\w-]+){0,3} (?:needs?|must(?! have)|gets?|has to|have to|should|requires?|goes through|comes with"
            r"|ends? with|starts? with) [^\n]{3,120})|the (?:rule|convention|policy|standard)(?: around here| here"
            r"| in this repo| for us)? is (?:that )?(?P<object>(?!wrong|right|broken|simple|too|not\b"
            r"|a bit)[^\n]{4,120})|make (?:it )?a habit of (?P<object>\w+ing [^\n]{3,120})|I expect "
            r"(?P<object>[\w ]{3,40} (?:with|for|in|on) (?:each|every|all) [^\n]{3,60})|I want "
            r"(?P<object>[\w ]{3,40} (?:everywhere|throughout|across the board)\b[^\n]{0,60})"
        ),
        examples=(("Every PR description needs a ticket number.", "Every PR description needs a ticket number"), ("The rule around here is one class per file.", "one class per file"), ("I want metric units everywhere", "metric units everywhere")),
        counterexamples=("Every test passes", "All tests must have failed?", "The rule is wrong"),
    ),
    Pattern(
        name="rule.stop_ever", predicate="wants_never", first=True, label_free=True, whole=True,
        regex=(
            r"(?:please |pls )?(?:stop|quit|no more) (?P<object>(?!the |it\b|this|that|here|now"
            r"|running the)\w+ing\b[^\n]{2,200})"
        ),
        examples=(("Stop adding comments that just restate the code.", "adding comments that just restate the code"),),
        counterexamples=("Stop the server.", "stop it", "Stop running the tests"),
    ),
    Pattern(
        name="rule.ended", predicate="wants_always", stance=Stance.DENY, label_free=True, whole=True,
        regex=(
            r"you (?:no longer (?:need|have) to|(?:don't|do not) (?:need|have) to(?=[^\n]{3,160} (?:any ?more"
            r"|any longer|from now on|in (?:the )?future))) (?P<object>[^\n]{3,200})(?<!now)(?<!this time)"
        ),
        examples=(("You no longer need to ask before running the test suite.", "ask before running the test suite"),),
        counterexamples=("You need to ask first",),
    ),
    Pattern(
        name="rule.only_when", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?:please |pls )*(?P<object>only {_DO} [^\n]{{0,120}}(?:when|if|after|unless) I [^\n]{{2,80}})",
        examples=(("Only push when I ask you to.", "Only push when I ask you to"),),
        counterexamples=("Only push the first branch",),
    ),
    # preferences
    Pattern(
        name="preference.favourite", predicate="favourite",
        regex=(
            rf"(?:my|our|(?P<subject>(?:my|our) {KIN}|{NAME})'s)(?: all[- ]time| absolute| current| new)? "
            rf"(?:favou?rite|go-to|preferred) (?!part|thing|bit|one)(?P<about>[\w' -]{{2,40}}?)(?: (?:of all time"
            rf"|ever|right now))?(?: is| are|'s| has (?:to be|always been)|:|, by far, is) {THING}"
        ),
        examples=(("My favourite tea is Lapsang Souchong", "tea: Lapsang Souchong"), ("My favorite color is blue.", "color: blue")),
        counterexamples=("My favourite part is the end?", "My favourite is that one"),
    ),
    Pattern(
        name="preference.is_favourite", predicate="favourite",
        regex=(
            r"(?P<object>(?!it\b|this|that|here|what|which)[\w' -]{2,50}?) (?:is|are) (?:my|our)(?: all[- ]time"
            r"| absolute)? favou?rite(?: (?P<about>[\w -]{2,30}))?[.!]*$"
        ),
        examples=(("Blue is my favourite colour", "colour: Blue"), ("Sushi is my favorite", "Sushi")),
        counterexamples=("This is my favourite", "It is my favourite part"),
    ),
    Pattern(
        name="preference.prefer", predicate="prefers",
        regex=(
            rf"(?:(?:I|we){ADVERBS}(?: tend to)? prefer|(?:I'd|I would){ADVERBS} (?:rather (?:have|see|use|get"
            rf"|work with|read)|prefer)|{FOLKS}{ADVERBS} prefers|my preference is(?: for| to)?|I have a "
            rf"(?:strong )?preference for|I'd rather(?= \w+ing)) (?:to (?:have |use |get |work with |see )?"
            rf"|it when you |if you |that you |using |having |you to )?{_NOT_LIKED}(?!option|solution"
            rf"|the\b.{{0,40}}\b(?:here|now|option)|[^.]{{0,40}}\bhere\b|[^.]{{0,30}}(?:option|one)\b)(?!something"
            rf"|someone|anything|and\b)(?![^\n.!?,]{{0,40}}\b(?:tonight|today|it|this|these|those|they)\b)"
            rf"(?P<object>[^\n.!?]{{2,200}})"
        ),
        examples=(("I prefer tabs over spaces.", "tabs over spaces"), ("I'd rather have short answers with the code first.", "short answers with the code first"), ("My brother prefers trains", "brother | trains")),
        counterexamples=("I'd prefer the second option here.", "I prefer this one", "I prefer it that way"),
    ),
    Pattern(
        name="preference.started", predicate="prefers", stance=Stance.CORRECT,
        regex=(
            r"(?:(?:I've|I have|I) (?:started|come|begun|grown|learned|learnt|began|came|grew)(?: to)?|I now"
            r"|these days I|nowadays I) (?:(?<=started to )|(?<=come to )|(?<=grown to )|(?<=began to )|"
            r"(?<=begun to )|(?<=started )|(?<=now )|(?<=learned to )|(?<=came to )|(?<=grew to ))(?:prefer(?:ring)?"
            r"|like|love|liking|using|enjoy(?:ing)?) (?P<object>(?!the (?:wrong|code)|your|this|it\b)[^\n.!?]{2,100})"
            r"|I(?:'ve| have)?(?: just| recently)? (?:switched|changed|gone over|moved over|migrated)"
            r"(?: from [\w .+-]{2,30})?(?: over)? to (?P<object>(?!be\b|the (?:branch|other|main|new|old|tab|file"
            r"|directory|folder|page)|(?:branch|another)\b|this|that|it\b|understand|think|get|see|realize|know|work"
            r"|learn|build)[^\n.!?]{2,100})"
        ),
        examples=(("I've started to prefer ruff to flake8", "ruff to flake8"), ("I switched to Helix last month", "Helix last month")),
        counterexamples=("I started the server", "I switched to the main branch", "I've started to understand it"),
    ),
    Pattern(
        name="preference.always_choose", predicate="prefers",
        regex=(
            r"(?:when it comes to [\w ]{2,30},? )?I (?:always|usually|generally|normally|typically|tend to|mostly) "
            r"(?:go for|choose|pick|order|buy|drink|opt for|stick to|stick with|fly|wear|take|have|eat|book|get)"
            r"(?! the same| an? error| this| stuck| it\b| lost| confused| back) (?P<object>(?!the (?:same|stack|error"
            r"|wrong)|an? (?:error|exception|warning|timeout|traceback)|errors|none\b|null\b|\w+error|to\b|rid"
            r"|problems)[^\n.!?]{2,80})"
        ),
        examples=(("When it comes to flights I always go for the aisle seat", "aisle seat"), ("I usually drink green tea", "green tea")),
        counterexamples=("I always get the same stack trace here.", "I usually get an error", "I always get TypeError here"),
    ),
    Pattern(
        name="preference.like", predicate="likes",
        regex=(
            rf"(?:(?:I|we){ADVERBS} {_LIKE}|(?:I'm|I am|we're|we are|I've always been|I've been){ADVERBS} {_FOND}"
            rf"|{FOLKS}{ADVERBS} {_LIKES}) {_NOT_LIKED}(?:to (?=(?:cook|bake|hike|swim|travel|dance|sing|paint|draw"
            rf"|garden|camp|fish|ski|surf|climb|cycle|bike|jog|knit|sew|sail|play|watch|listen|drink|eat|walk"
            rf"|work out|sleep in|collect|photograph|tinker)\b))?(?!(?:the|these|those|your) (?:new |updated "
            rf"|revised )?(?:design|colors|answers?|repl(?:y|ies)|changes?|code|diff|explanations?|examples?|update"
            rf"|draft|poem|story)\b)(?!\w+ing (?:this|that|it|the (?:code|tests?|bug|file))\b)(?!(?:and|but|or"
            rf"|the results?|the options|being able)\b)(?![^\n.!?,]{{0,60}}\b(?:you|your|it|this|that|these|those"
            rf"|they|he|she)\b)(?P<object>[^\n.!?]{{2,200}})"
        ),
        examples=(("i really like dark mode everywhere", "dark mode everywhere"), ("Honestly I'm a big fan of Wes Anderson films", "Wes Anderson films"), ("I love hiking in the Lake District, we go twice a year.", "hiking in the Lake District"), ("My daughter loves dinosaurs", "daughter | dinosaurs")),
        counterexamples=("I like how this looks.", "I love it!", "I'd like a short summary of this article.", "I like to know why", "I like your answer", "I like the new design"),
    ),
    Pattern(
        name="preference.always_loved", predicate="likes",
        regex=(
            r"I(?:'ve| have) (?:always|long|never not) (?:loved|liked|enjoyed|adored|preferred|been (?:into"
            r"|fascinated by|fond of|drawn to|interested in|passionate about|obsessed with|a fan of)) (?!it\b|this"
            r"|that|you|how)(?P<object>[^\n.!?]{2,100})"
        ),
        examples=(("I've always loved trains.", "trains"),),
        counterexamples=("I've always loved it",),
    ),
    Pattern(
        name="preference.for_me", predicate="prefers",
        regex=r"(?P<object>[\w' -]{2,40} over [\w' -]{2,40}?)(?: for me|,? any ?day|,? every time|,? always)+[.!]*$",
        examples=(("Tea over coffee for me, always.", "Tea over coffee"),),
        counterexamples=("Composition over inheritance",),
    ),
    Pattern(
        name="preference.idiom", predicate="likes",
        regex=(
            r"(?:I |we )?can't get enough of (?P<object>(?!this|that|it\b|your)[^\n.!?]{2,60})|nothing beats "
            r"(?P<object>(?!this|that|it\b)[^\n.!?]{2,60})|(?:huge |big |massive |lifelong )"
            r"(?P<object>[\w .'-]{2,30}?) (?:fan|nerd|supporter|enthusiast) here\b|I've got a (?:soft spot|thing"
            r"|weakness) for (?P<object>[^\n.!?]{2,60})|(?:my|our) (?:son|daughter|kids?|wife|husband|dad|mum|mom"
            r"|partner|children) (?:is|are) (?:mad|crazy|nuts) about (?P<object>[^\n.!?]{2,60})|(?:been"
            r"|I've been) an? (?P<object>[\w .'-]{2,30}?) (?:fan|supporter|nerd) since\b"
        ),
        examples=(("can't get enough of kimchi", "kimchi"), ("Big Terry Pratchett fan here.", "Terry Pratchett"), ("I've got a soft spot for brutalist architecture.", "brutalist architecture")),
        counterexamples=("can't get enough of this", "Nothing beats that"),
    ),
    Pattern(
        name="preference.outgrown", predicate="likes", stance=Stance.DENY,
        regex=(
            r"I(?:'ve| have) (?:outgrown|gone off|lost interest in|grown out of|gotten over|fallen out of love with) "
            r"(?P<object>(?!it\b|this|that)[^\n.!?,]{2,60})|(?:I )?(?:gave|'ve given) up (?P<object>(?:running"
            r"|smoking|coffee|sugar|meat|alcohol|drinking|chess|golf|football|cycling|knitting|social media|facebook"
            r"|twitter)\b)"
        ),
        examples=(("I've outgrown heavy metal, to be honest.", "heavy metal"), ("Gave up running because of the hip", "running")),
        counterexamples=("I've outgrown it", "I gave up waiting"),
    ),
    Pattern(
        name="dislike.idiom", predicate="dislikes",
        regex=(
            r"(?:pet peeve|biggest pet peeve|my pet peeve is)\s?:?\s(?P<object>[^\n.!?]{3,80})|"
            r"(?:I )?never cared for (?P<object>[^\n.!?,]{2,60})|(?:zero|no) patience for (?P<object>[^\n.!?,]{2,60})"
            r"|I could do without (?P<object>(?!it\b|this|that)[^\n.!?,]{2,60})|(?P<object>(?!it\b|this|that|these"
            r"|the (?:error|bug|test|code|build))[\w' -]{2,50}?) (?:drives? me up the wall|makes? me gag|puts? me off"
            r"|makes? my skin crawl|tastes? like soap)\b|(?P<object>[\w' -]{2,40}) and I don't get along"
            r"|you won't catch me (?P<object>[^\n.!?]{4,60})|the thing I (?:hate|loathe|dislike|detest) most is "
            r"(?P<object>[^\n.!?]{3,60})"
        ),
        label_free=True,
        examples=(("Pet peeve: trailing whitespace.", "trailing whitespace"), ("Never cared for opera.", "opera"), ("Olives make me gag.", "Olives")),
        counterexamples=("This drives me up the wall", "No patience"),
    ),
    Pattern(
        name="preference.person", predicate="likes",
        regex=(
            r"(?:I'm|I am) (?:definitely |really |very much )?(?:more of )?an? (?P<object>(?!very|busy|lazy|nice"
            r"|simple|normal|regular|new|bad|good|real|logical)(?:[\w-]+ ){1,2}(?:person|guy|girl|gal|enthusiast"
            r"|lover|nerd|buff|aficionado|geek|junkie|addict|fanatic))\b(?! (?:who|that) can)"
        ),
        examples=(("I'm more of a tea person.", "tea person"), ("I'm a history buff", "history buff")),
        counterexamples=("I'm a very busy guy?", "I'm a person"),
    ),
    Pattern(
        name="preference.any_day", predicate="prefers", label_free=True,
        regex=r"(?:give me|I'll take|I'd take) (?P<object>[^\n.!?]{3,60}? over [^\n.!?]{2,40}?) any (?:day|time)\b",
        examples=(("Give me window seats over aisle any day.", "window seats over aisle"),),
        counterexamples=("Give me a list over there",),
    ),
    Pattern(
        name="preference.take_my", predicate="prefers",
        regex=(
            r"I (?:like|take|drink|have|want|eat|prefer) my (?P<object>(?:coffee|tea|steak|eggs|toast|pizza|whisky"
            r"|whiskey|latte|espresso|burgers?|pasta|rice|curry|answers|code|reports|summaries"
            r"|emails) [^\n.!?]{3,60})"
        ),
        examples=(("I like my coffee black.", "coffee black"),),
        counterexamples=("I like my code",),
    ),
    Pattern(
        name="preference.my_thing", predicate="likes",
        regex=(
            r"(?P<object>(?!it\b|this|that\b|what|here|which|not|there)[\w' -]{2,50}?) (?:is|are) (?:totally |really "
            r"|definitely |so |very much )?(?:my (?:thing|jam|passion|cup of tea|guilty pleasure|go-to(?! (?:for|person|guy)))"
            r"|my favou?rite thing)\b"
        ),
        examples=(("Jazz is totally my thing", "Jazz"),),
        counterexamples=("Horror movies are not my thing.", "This is my thing"),
    ),
    Pattern(
        name="preference.ended", predicate="likes", stance=Stance.DENY,
        regex=(
            r"(?:I (?:don't|do not|no longer)(?: really)? (?:like|love|enjoy|want|prefer|drink|eat|use|play|care for)"
            r"|I (?:stopped|quit|gave up|gave up on) (?:liking|enjoying|drinking|eating|playing|smoking)|I'm "
            r"(?:no longer|not) (?:into|a fan of)|I've (?:gone off|stopped liking|lost interest in|given up)"
            r"|I went off) (?P<object>(?!it\b|this|that)[^\n.!?]{2,60}?)(?: any ?more| any longer)(?=[.!,]*$|[,.!;]"
            r"| )|(?:I no longer (?:like|love|enjoy|prefer|drink|eat|play)|I (?:stopped|quit|gave up|gave up on) "
            r"(?:liking|enjoying|drinking|eating|playing|smoking)|I'm no longer (?:into|a fan of)|I've (?:gone off"
            r"|stopped (?:liking|drinking|eating)|lost interest in)|I went off|I quit(?= (?:coffee|smoking|sugar"
            r"|alcohol|drinking|caffeine))) (?P<object>(?!it\b|this|that|\w+ (?:months|years|weeks) ago)[^\n.!?,]{2,60})"
        ),
        examples=(("i dont like coffee anymore", "coffee"), ("I no longer enjoy running", "running"), ("I stopped drinking coffee last year", "coffee last year")),
        counterexamples=("I don't like coffee", "I stopped the server", "I don't want this anymore"),
    ),
    # dislikes
    Pattern(
        name="dislike.hate", predicate="dislikes",
        regex=(
            rf"(?:(?:I|we){ADVERBS} ?{_HATE}|(?:I'm|I am){ADVERBS} {_NOT_FOND}|{FOLKS}{ADVERBS} {_HATES}|"
            rf"(?:really )?can't stand|not a (?:big |huge )?fan of) (?:it when |when |the fact that )?{_NOT_HATED}(?!"
            rf"(?:the|this|these) (?:bug|error|test|code|way)\b)(?!(?:this|that|the)\b[^.]{{0,20}}(?:bug|error|output"
            rf"|result))(?![^\n.!?]{{1,80}} any ?more)(?![^\n.!?,]{{0,60}}\b(?:you|your|it|this|these|those|they)\b)"
            rf"(?P<object>(?!to (?:use|add|change|make|write|put|have this))[^\n.!?]{{2,160}})"
        ),
        examples=(("I hate cilantro.", "cilantro"), ("can't stand phone calls, text me instead", "phone calls"), ("I'm not a fan of ORMs.", "ORMs"), ("My wife dislikes window seats.", "wife | window seats"), ("I never liked open offices, too loud for me", "open offices")),
        counterexamples=("I hate this bug.", "I don't like how this looks", "I hate it", "I hate to ask", "I don't like the output"),
    ),
    Pattern(
        name="dislike.not_my_thing", predicate="dislikes",
        regex=(
            r"(?P<object>(?!it\b|this|that\b|what|here|which|there)[\w' -]{2,50}?) (?:is|are)(?: really| just"
            r"| definitely)? (?:not|n't) (?:really )?(?:my (?:thing|jam|cup of tea|style)|for me)\b|(?P<object>(?!it"
            r"|this|that|there)[\w' -]{2,50}?) (?:isn't|aren't)(?: really)? (?:my (?:thing|jam|cup of tea|style)"
            r"|for me)\b|I find (?P<object>(?!it\b|this|that|the (?:code|output|error|docs|api)|these"
            r"|your)[\w' -]{2,50}?) (?:unbearable|annoying|disgusting|boring|exhausting|tedious|awful|repulsive"
            r"|insufferable|overrated|irritating|gross|stressful)\b|(?P<object>(?!it\b|this|that|these|the (?:error"
            r"|bug|test|code))[\w' -]{2,50}?) (?:bores? me|annoys? me|irritates? me|grosses me out|gross me out"
            r"|stress(?:es)? me out|freaks? me out|gives? me the creeps|makes? me (?:sick|anxious|nervous)"
            r"|drives? me (?:crazy|nuts|mad))\b"
        ),
        examples=(("Horror movies are not my thing.", "Horror movies"), ("Jazz isn't my thing", "Jazz")),
        counterexamples=("This is not my thing", "That's not for me"),
    ),
)
