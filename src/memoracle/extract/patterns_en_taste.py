"""English: what somebody likes, dislikes, and wants done always or never."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, KIN, FOLKS, NAME, THING
from memoracle.model.claim import Stance

_NOT_LIKED = (
    r"(?!(?:it|this|that|these|those|you|your|how|what|the (?:way|idea|fact|look|sound|first|second|third|last|new|old|result|output|approach|other|latter|former|current|option|suggestion|name|version|change|color scheme you|one)|to (?:know|see|ask|be|have you|get|add|use|make|create|change|start|discuss|learn|understand|find|try|write|build|talk|hear|read|run|do|keep|move|go|set|share|think|say|point|thank|propose|suggest|test)|a (?:lot|function|regex|script|summary|list|test|short|quick|more)|some|an? \w+ (?:of|for|that)|when you|if|both|all of|him|her|them|one|me|everything|where|that's|seeing)\b)"
)
_LIKE = r"(?:like|love|enjoy|adore|appreciate|dig|have a (?:thing|soft spot|weakness|sweet tooth|passion) for)"
_FOND = r"(?:into|fond of|obsessed with|crazy about|passionate about|keen on|hooked on|addicted to|partial to|big on|an? (?:big |huge |massive |total |real |lifelong |diehard )?(?:fan of|sucker for|lover of|fan))"
_LIKES = r"(?:likes|loves|enjoys|adores|is into|is fond of|is obsessed with|is crazy about|is an? (?:big |huge )?fan of)"
_HATE = r"(?:hate|dislike|detest|loathe|can't stand|cannot stand|can not stand|can't bear|despise|really hate|don't like|do not like|don't enjoy|do not enjoy|don't care for|never liked|have never liked|'ve never liked|can't deal with|try to avoid)"
_NOT_FOND = r"(?:not (?:really |very |exactly |that |much )?(?:an? (?:big |huge |great )?(?:fan of|lover of)|much of a fan of|into|fond of|keen on|big on|crazy about)|sick of|allergic to (?=meetings))"
_HATES = r"(?:hates|dislikes|detests|loathes|can't stand|cannot stand|doesn't like|does not like|is not a (?:big )?fan of|isn't a fan of|never liked)"
_NOT_HATED = r"(?!(?:it\b(?! when)|when (?:this|that|it)|this|that|these|those|the (?:way|idea|fact|look|output|result|first|second|new|current)|how|what|you\b|your|to (?:say|ask|bother|interrupt|break|be)|waiting for (?:this|it)|myself|seeing this|my (?:life|code))\b)"
_DO = (
    r"(?:use|write|answer|reply|respond|run|add|keep|format|put|ask|commit|push|include|make|check|call|send|give|show|tell|explain|speak|talk|address|test|prefer|create|name|sign|start|end|begin|update|avoid|stick|follow|document|cite|link|confirm|wait|assume|treat|translate|summari[sz]e|open|close|schedule|book|order|remind|log|save|list|mention|say|do|set|leave|read|review|round|convert|quote|refer|provide|return|consult|notify|warn|let me|be\b|stop|skip|remove|take|double[- ]check|cc|bcc|deploy|merge|squash|rebase|pin|type|indent|lint|import|wrap|store|backup|back up|generate|suggest|recommend|propose|draft|cook|pick|choose|pack|lock|turn|drive|buy|mark|tag|prefix|capitali[sz]e|spell|comment|split|post|attach|delete|touch|change|edit|modify|rename|bother|interrupt|commit|mock|hard-?code|share|contact|guess|invent|apologi[sz]e|repeat|install|upgrade|mix|spend|agree|drop|truncate|email|message|invite|disturb|start)"
)

PATTERNS: tuple[Pattern, ...] = (
    # rules, before preferences: “I prefer that you always …”
    Pattern(
        name="rule.from_now_on", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?:from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future|henceforth|by default|as a (?:general )?rule|for all future \w+|for every future \w+|starting (?:today|now)),? (?:I(?:'d| would) (?:like|want|prefer) (?:you to |it if you |that you )|I want you to |please |pls |always |you should |you must |can you )*(?P<object>(?!never|don't|do not|no |not |I\b|it\b|the (?:function|test|build)|this|we're)(?:{_DO}|only|every|all|\w+ing)\b[^\n]{{2,300}})",
        examples=(("From now on, answer me in British English.", "answer me in British English"), ("Going forward please use metric units in everything.", "use metric units in everything")),
        counterexamples=("In the future cars will fly", "By default the parser drops blank lines"),
    ),
    Pattern(
        name="rule.from_now_on_not", predicate="wants_never", label_free=True, whole=True,
        regex=r"(?:from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future|henceforth|by default|as a (?:general )?rule),? (?:please |pls |always |I want you to |you should )*(?:never|don't|do not|no more|not) (?P<object>[^\n]{2,300})",
        examples=(("From now on, don't use emojis", "use emojis"),),
        counterexamples=("Going forward is hard",),
    ),
    Pattern(
        name="rule.always", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=rf"(?:please |pls |and |but |also |you (?:should|must|have to|need to) |I (?:want|need|expect) you to |I(?:'d| would) like you to |make sure (?:to|you) |be sure to )*always (?:please )?(?P<object>{_DO}\b[^\n]{{2,300}})",
        examples=(("Always run the linter before you commit anything.", "run the linter before you commit anything"), ("I want you to always answer in German", "answer in German")),
        counterexamples=("Always nice to talk to you!", "I always get the same stack trace here.", "It always returns None", "Always a pleasure"),
    ),
    Pattern(
        name="rule.never", predicate="wants_never", first=True, label_free=True, whole=True,
        regex=rf"(?:please |pls |and |but |also |you (?:should|must|may|can) |I (?:want|need) you to |I(?:'d| would) like you to )*(?:never ever|never|don't ever|do not ever|under no circumstances) (?P<object>(?!mind|know|again$|seen|give up|stop \w+ing|let (?:it|that|go)|be afraid)(?:{_DO}|work|go|come|put)\b[^\n]{{2,300}})",
        examples=(("never use emojis in commit messages", "use emojis in commit messages"), ("Don't ever book meetings before 10am.", "book meetings before 10am")),
        counterexamples=("Never mind, found it.", "I have never seen this error before.", "never again"),
    ),
    Pattern(
        name="rule.whenever", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?P<object>(?:whenever|every time|each time|any ?time|when(?:ever)?) (?:you|I (?:ask|say|send|mention|paste|give you|tell you|share|write)|we|there's|there is)[^,\n]{{2,120}},? (?:then |please |always |make sure (?:to|you) |you (?:should|must) |also )*(?:{_DO}|never|don't|do not)\b[^\n]{{2,200}})",
        examples=(("whenever you touch the billing module, add a test for it", "whenever you touch the billing module, add a test for it"), ("Every time you open a PR, link the ticket.", "Every time you open a PR, link the ticket")),
        counterexamples=("Whenever I start the server it crashes.", "every time I run it, the test fails"),
    ),
    Pattern(
        name="rule.do_whenever", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=rf"(?:please |pls |always )*(?P<object>{_DO} [^,.\n]{{2,120}}?,? (?:whenever|every time|each time|any ?time|at all times|by default|from now on|in (?:the )?future|going forward|in all (?:your|future|my) \w+|in every \w+ you \w+|for everything you \w+)\b[^\n]{{0,160}})",
        examples=(("Use British spelling from now on.", "Use British spelling from now on"), ("please ask me first every time you deploy", "ask me first every time you deploy")),
        counterexamples=("fix the crash that happens every time I start", "Run it again"),
    ),
    Pattern(
        name="rule.not_from_now", predicate="wants_never", label_free=True, whole=True,
        regex=r"(?:please |pls )*(?:don't|do not|no more|no|stop) (?P<object>[^\n]{3,160}?),? (?:from now on|going forward|in (?:the )?future|ever again|any ?more|ever|at all|in any (?:of )?(?:your|my) \w+)[.!]*$",
        examples=(("Please don't use semicolons in my TypeScript from now on", "use semicolons in my TypeScript"), ("No emojis in your replies, ever.", "emojis in your replies")),
        counterexamples=("I don't like coffee anymore", "Don't change the header in this file."),
    ),
    Pattern(
        name="rule.i_want_from_now", predicate="wants_always", whole=True, label_free=True,
        regex=r"(?:I (?:want|need|expect|would like)|I'd like|I'd prefer) (?P<object>(?:you to |that you |it if you |all |every |your |each |any |no |the (?:answers|code|comments|replies|output|commit) )(?=[^\n]{3,200}(?:from now on|going forward|in (?:the )?future|at all times|every time|whenever|always|by default))[^\n]{5,200})",
        examples=(("I want all code comments in English from now on.", "all code comments in English from now on"),),
        counterexamples=("I want this function to return early", "I want a regex that matches"),
    ),
    Pattern(
        name="rule.every_day", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?:every|each) (?:day|morning|evening|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|night|quarter)(?: at [\w: ]{1,8})?,? (?:please )?(?:send|give|remind|tell|check|show|summari[sz]e|prepare|post|email|ask|run|review|update|write)\b[^\n]{3,160})",
        examples=(("Every Friday send me a summary of open PRs.", "Every Friday send me a summary of open PRs"),),
        counterexamples=("Every day I run five miles",),
    ),
    Pattern(
        name="rule.when_you", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?P<object>(?:when|if) (?:you(?:'re| are)? (?:writ|generat|creat|answer|repl|respond|refactor|review|edit|commit|test|draft|suggest|format|quot|book|schedul|explain|translat|summari|refer|cit|name|deploy|recommend|cook|plan|order|touch|open|add|make|giv|work)\w*|I (?:ask|say|send|mention|paste|write|type|tell you))[^,\n]{{0,100}}, (?:please |always |then |it means |I mean |that means )*(?:{_DO}|never|don't|do not|[\w ]{{0,20}}?I mean|it means|that means)\b[^\n]{{2,200}})",
        examples=(("When you write SQL for me, use uppercase keywords.", "When you write SQL for me, use uppercase keywords"),),
        counterexamples=("When you run this, the tests fail", "If you see an error, it crashed"),
    ),
    Pattern(
        name="rule.in_all", predicate="wants_always", first=True, label_free=True, whole=True,
        regex=rf"(?:please |pls )*(?P<object>{_DO} [^,.\n]{{2,100}} (?:in|for|with|on|across) (?:all|every|each|any) (?:of )?(?:my|our|your|future|new)? ?(?:python |typescript |javascript |rust |java )?(?:code|projects?|repos?|files|commits?|commit messages|answers?|replies|responses?|messages?|documents?|emails?|PRs?|pull requests|scripts|summaries|reports|tickets|functions|texts?|letters)\b[^\n]{{0,60}})(?<!this file)",
        examples=(("Use type hints in all my Python code.", "Use type hints in all my Python code"),),
        counterexamples=("Fix the typo in all files", "Use a list comprehension here."),
    ),
    Pattern(
        name="rule.stop_ever", predicate="wants_never", first=True, label_free=True, whole=True,
        regex=r"(?:please |pls )?(?:stop|quit|no more) (?P<object>(?!the |it\b|this|that|here|now|running the)\w+ing\b[^\n]{2,200})",
        examples=(("Stop adding comments that just restate the code.", "adding comments that just restate the code"),),
        counterexamples=("Stop the server.", "stop it", "Stop running the tests"),
    ),
    Pattern(
        name="rule.ended", predicate="wants_always", stance=Stance.DENY, label_free=True, whole=True,
        regex=r"you (?:no longer (?:need|have) to|(?:don't|do not) (?:need|have) to(?=[^\n]{3,160} (?:any ?more|any longer|from now on|in (?:the )?future))) (?P<object>[^\n]{3,200})(?<!now)(?<!this time)",
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
        regex=rf"(?:my|our|(?P<subject>(?:my|our) {KIN}|{NAME})'s)(?: all[- ]time| absolute| current| new)? (?:favou?rite|go-to|preferred) (?!part|thing|bit|one)(?P<about>[\w' -]{{2,40}}?)(?: (?:of all time|ever|right now))?(?: is| are|'s| has (?:to be|always been)|:|, by far, is) {THING}",
        examples=(("My favourite tea is Lapsang Souchong", "tea: Lapsang Souchong"), ("My favorite color is blue.", "color: blue")),
        counterexamples=("My favourite part is the end?", "My favourite is that one"),
    ),
    Pattern(
        name="preference.is_favourite", predicate="favourite",
        regex=r"(?P<object>(?!it\b|this|that|here|what|which)[\w' -]{2,50}?) (?:is|are) (?:my|our)(?: all[- ]time| absolute)? favou?rite(?: (?P<about>[\w -]{2,30}))?[.!]*$",
        examples=(("Blue is my favourite colour", "colour: Blue"), ("Sushi is my favorite", "Sushi")),
        counterexamples=("This is my favourite", "It is my favourite part"),
    ),
    Pattern(
        name="preference.prefer", predicate="prefers",
        regex=rf"(?:(?:I|we){ADVERBS}(?: tend to)? prefer|(?:I'd|I would){ADVERBS} (?:rather (?:have|see|use|get|work with|read)|prefer)|{FOLKS}{ADVERBS} prefers|my preference is(?: for| to)?|I have a (?:strong )?preference for|I'd rather(?= \w+ing)) (?:to (?:have |use |get |work with |see )?|it when you |if you |that you |using |having |you to )?{_NOT_LIKED}(?!option|solution|the\b.{{0,40}}\b(?:here|now|option)|[^.]{{0,40}}\bhere\b|[^.]{{0,30}}(?:option|one)\b)(?!something|someone|anything|and\b)(?![^\n.!?,]{{0,40}}\b(?:it|this|these|those|they)\b)(?P<object>[^\n.!?]{{2,200}})",
        examples=(("I prefer tabs over spaces.", "tabs over spaces"), ("I'd rather have short answers with the code first.", "short answers with the code first"), ("My brother prefers trains", "brother | trains")),
        counterexamples=("I'd prefer the second option here.", "I prefer this one", "I prefer it that way"),
    ),
    Pattern(
        name="preference.started", predicate="prefers", stance=Stance.CORRECT,
        regex=r"(?:(?:I've|I have|I) (?:started|come|begun|grown|learned|learnt|began|came|grew)(?: to)?|I now|these days I|nowadays I) (?:(?<=started to )|(?<=come to )|(?<=grown to )|(?<=began to )|(?<=begun to )|(?<=started )|(?<=now )|(?<=learned to )|(?<=came to )|(?<=grew to ))(?:prefer(?:ring)?|like|love|liking|using|enjoy(?:ing)?) (?P<object>(?!the (?:wrong|code)|your|this|it\b)[^\n.!?]{2,100})|I(?:'ve| have)?(?: just| recently)? (?:switched|changed|gone over|moved over|migrated)(?: from [\w .+-]{2,30})?(?: over)? to (?P<object>(?!be\b|the (?:branch|other|main|new|old|tab|file|directory|folder|page)|(?:branch|another)\b|this|that|it\b|understand|think|get|see|realize|know|work|learn|build)[^\n.!?]{2,100})",
        examples=(("I've started to prefer ruff to flake8", "ruff to flake8"), ("I switched to Helix last month", "Helix last month")),
        counterexamples=("I started the server", "I switched to the main branch", "I've started to understand it"),
    ),
    Pattern(
        name="preference.always_choose", predicate="prefers",
        regex=r"(?:when it comes to [\w ]{2,30},? )?I (?:always|usually|generally|normally|typically|tend to|mostly) (?:go for|choose|pick|order|buy|drink|opt for|stick to|stick with|fly|wear|take|have|eat|book|get)(?! the same| an? error| this| stuck| it\b| lost| confused| back) (?P<object>(?!the (?:same|stack|error|wrong)|an? (?:error|exception|warning|timeout|traceback)|errors|none\b|null\b|\w+error|to\b|rid|problems)[^\n.!?]{2,80})",
        examples=(("When it comes to flights I always go for the aisle seat", "aisle seat"), ("I usually drink green tea", "green tea")),
        counterexamples=("I always get the same stack trace here.", "I usually get an error", "I always get TypeError here"),
    ),
    Pattern(
        name="preference.like", predicate="likes",
        regex=rf"(?:(?:I|we){ADVERBS} {_LIKE}|(?:I'm|I am|we're|we are|I've always been|I've been){ADVERBS} {_FOND}|{FOLKS}{ADVERBS} {_LIKES}) {_NOT_LIKED}(?:to (?=(?:cook|bake|hike|swim|travel|dance|sing|paint|draw|garden|camp|fish|ski|surf|climb|cycle|bike|jog|knit|sew|sail|play|watch|listen|drink|eat|walk|work out|sleep in|collect|photograph|tinker)\b))?(?!(?:the|these|those|your) (?:new |updated |revised )?(?:design|colors|answers?|repl(?:y|ies)|changes?|code|diff|explanations?|examples?|update|draft|poem|story)\b)(?!\w+ing (?:this|that|it|the (?:code|tests?|bug|file))\b)(?!(?:and|but|or|the results?|the options|being able)\b)(?![^\n.!?,]{{0,60}}\b(?:you|your|it|this|that|these|those|they|he|she)\b)(?P<object>[^\n.!?]{{2,200}})",
        examples=(("i really like dark mode everywhere", "dark mode everywhere"), ("Honestly I'm a big fan of Wes Anderson films", "Wes Anderson films"), ("I love hiking in the Lake District, we go twice a year.", "hiking in the Lake District"), ("My daughter loves dinosaurs", "daughter | dinosaurs")),
        counterexamples=("I like how this looks.", "I love it!", "I'd like a short summary of this article.", "I like to know why", "I like your answer", "I like the new design"),
    ),
    Pattern(
        name="preference.person", predicate="likes",
        regex=r"(?:I'm|I am) (?:definitely |really |very much )?(?:more of )?an? (?P<object>(?!very|busy|lazy|nice|simple|normal|regular|new|bad|good|real|logical)(?:[\w-]+ ){1,2}(?:person|guy|girl|gal|enthusiast|lover|nerd|buff|aficionado|geek|junkie|addict|fanatic))\b(?! (?:who|that) can)",
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
        regex=r"I (?:like|take|drink|have|want|eat|prefer) my (?P<object>(?:coffee|tea|steak|eggs|toast|pizza|whisky|whiskey|latte|espresso|burgers?|pasta|rice|curry|answers|code|reports|summaries|emails) [^\n.!?]{3,60})",
        examples=(("I like my coffee black.", "coffee black"),),
        counterexamples=("I like my code",),
    ),
    Pattern(
        name="preference.my_thing", predicate="likes",
        regex=r"(?P<object>(?!it\b|this|that\b|what|here|which|not|there)[\w' -]{2,50}?) (?:is|are) (?:totally |really |definitely |so |very much )?(?:my (?:thing|jam|passion|cup of tea|guilty pleasure|go-to)|my favou?rite thing)\b",
        examples=(("Jazz is totally my thing", "Jazz"),),
        counterexamples=("Horror movies are not my thing.", "This is my thing"),
    ),
    Pattern(
        name="preference.ended", predicate="likes", stance=Stance.DENY,
        regex=r"(?:I (?:don't|do not|no longer)(?: really)? (?:like|love|enjoy|want|prefer|drink|eat|use|play|care for)|I (?:stopped|quit|gave up|gave up on) (?:liking|enjoying|drinking|eating|playing|smoking)|I'm (?:no longer|not) (?:into|a fan of)|I've (?:gone off|stopped liking|lost interest in|given up)|I went off) (?P<object>(?!it\b|this|that)[^\n.!?]{2,60}?)(?: any ?more| any longer)(?=[.!,]*$|[,.!;]| )|(?:I no longer (?:like|love|enjoy|prefer|drink|eat|play)|I (?:stopped|quit|gave up|gave up on) (?:liking|enjoying|drinking|eating|playing|smoking)|I'm no longer (?:into|a fan of)|I've (?:gone off|stopped (?:liking|drinking|eating)|lost interest in)|I went off|I quit(?= (?:coffee|smoking|sugar|alcohol|drinking|caffeine))) (?P<object>(?!it\b|this|that)[^\n.!?,]{2,60})",
        examples=(("i dont like coffee anymore", "coffee"), ("I no longer enjoy running", "running"), ("I stopped drinking coffee last year", "coffee last year")),
        counterexamples=("I don't like coffee", "I stopped the server", "I don't want this anymore"),
    ),
    # dislikes
    Pattern(
        name="dislike.hate", predicate="dislikes",
        regex=rf"(?:(?:I|we){ADVERBS} ?{_HATE}|(?:I'm|I am){ADVERBS} {_NOT_FOND}|{FOLKS}{ADVERBS} {_HATES}|(?:really )?can't stand|not a (?:big |huge )?fan of) (?:it when |when |the fact that )?{_NOT_HATED}(?!(?:the|this|these) (?:bug|error|test|code|way)\b)(?!(?:this|that|the)\b[^.]{{0,20}}(?:bug|error|output|result))(?![^\n.!?]{{1,80}} any ?more)(?![^\n.!?,]{{0,60}}\b(?:you|your|it|this|these|those|they)\b)(?P<object>(?!to (?:use|add|change|make|write|put|have this))[^\n.!?]{{2,160}})",
        examples=(("I hate cilantro.", "cilantro"), ("can't stand phone calls, text me instead", "phone calls"), ("I'm not a fan of ORMs.", "ORMs"), ("My wife dislikes window seats.", "wife | window seats"), ("I never liked open offices, too loud for me", "open offices")),
        counterexamples=("I hate this bug.", "I don't like how this looks", "I hate it", "I hate to ask", "I don't like the output"),
    ),
    Pattern(
        name="dislike.not_my_thing", predicate="dislikes",
        regex=r"(?P<object>(?!it\b|this|that\b|what|here|which|there)[\w' -]{2,50}?) (?:is|are)(?: really| just| definitely)? (?:not|n't) (?:really )?(?:my (?:thing|jam|cup of tea|style)|for me)\b|(?P<object>(?!it|this|that|there)[\w' -]{2,50}?) (?:isn't|aren't)(?: really)? (?:my (?:thing|jam|cup of tea|style)|for me)\b|I find (?P<object>(?!it\b|this|that|the (?:code|output|error|docs|api)|these|your)[\w' -]{2,50}?) (?:unbearable|annoying|disgusting|boring|exhausting|tedious|awful|repulsive|insufferable|overrated|irritating|gross|stressful)\b|(?P<object>(?!it\b|this|that|these|the (?:error|bug|test|code))[\w' -]{2,50}?) (?:gives? me the creeps|makes? me (?:sick|anxious|nervous)|drives? me (?:crazy|nuts|mad))\b",
        examples=(("Horror movies are not my thing.", "Horror movies"), ("Jazz isn't my thing", "Jazz")),
        counterexamples=("This is not my thing", "That's not for me"),
    ),
)

