"""English, said more freely: what somebody likes, prefers and cannot stand."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, FOLKS, NAME
from memoracle.model.claim import Stance

_NOW = (
    r"(?![^\n.!?]{0,120}\b(?:tonight|today|right now|this time|this one|this once|for now|at the moment"
    r"|in this (?:file|case|function|one)|the (?:second|first|third|other|last) (?:one|option|version"
    r"|paragraph))\b)"
)
_THAT = (
    r"(?!(?:it|this|that|these|those|there|here|you|your|he|she|they|we|which|what|who|how|nothing|everything"
    r"|something|my (?:life|code|day|branch|guess)|the (?:bug|error|test|tests|code|build|output|result|answer"
    r"|docs|first|second|last|third|log|logs|diff|film|movie|weather))\b)"
)
_NP = rf"{_THAT}(?P<object>(?:[\w'&+#./-]+,? ){{0,6}}?[\w'&+#./-]+)"
_WHAT = rf"{_THAT}(?P<object>[^\n.!?;]{{2,140}})"
_SURE = (
    r"(?: (?:really|absolutely|totally|always|still|just|simply|honestly|seriously|definitely|actually|properly"
    r"|genuinely|truly|so|such|all|also|never|usually|mostly|do|quite|rather|kinda|both|only)){0,3}"
)
_ONE = (
    rf"(?:I|we|{FOLKS}|(?P<subject>(?!(?:It|This|That|They|He|She|You|Users|People|Everybody|Everyone|Nobody|Who"
    rf"|What|The|Suppose|Someone|Kids|Children|API)\b){NAME})(?= (?:\w+s|can't|cannot|won't|never \w+s|really \w+s"
    rf"|absolutely \w+s)\b))"
)
_LOVE = (
    r"(?:loves?|likes?|adores?|enjoys?|devours?|treasures?|cherish(?:es)?|lives? for|swears? by"
    r"|cannot get enough of|can't get enough of|can't live without|couldn't live without|can't do without"
    r"|can never resist|can't resist|gets? excited about|geeks? out (?:over|about)|collects?|(?:is|are|am|'m|'re"
    r"|'ve become|'ve always been|have always been|has always been|'ve been) (?:an? )?(?:mad about|mad for|mad on"
    r"|crazy about|nuts about|obsessed with|hooked on|into|really into|big on|keen on|fond of|partial to"
    r"|passionate about|addicted to|all about|a sucker for|sucker for|happiest (?:when|with|in|on)|devoted to"
    r"|fascinated by|drawn to|converted to|sold on|(?:big |huge |massive |total |lifelong |die-hard |avid "
    r"|long-time )?(?:fan of|lover of|fan)))"
)
_PREFER = (
    r"(?:prefers?|favou?rs?|would (?:much |far |always |still )?(?:rather|sooner|prefer)|'d (?:much |far |always "
    r"|still )?(?:rather|sooner|prefer)|(?:am|is|'m|'s) (?:(?:much |far |way |a lot )?(?:more|most) (?:comfortable"
    r"|productive|at home|into|of an?)|happier|better off|better) (?:with|in|on|using|at)?|lean(?:s)? (?:towards?"
    r"|to)|gravitates? (?:towards?|to)|sticks? (?:to|with)|(?:always|usually|normally|generally|invariably|mostly"
    r"|tend to) (?:go|goes|opt|plump|reach) for|(?:always|usually|normally|generally|invariably) (?:choose|chooses"
    r"|pick|picks|order|orders|buy|buys|take|takes|have|has|drink|drinks|use|uses|wear|wears|sit|sits|book|books"
    r"|fly|flies|read|reads|listen|listens))"
)
_HATE = (
    r"(?:hates?|dislikes?|detests?|loathes?|despises?|dreads?|resents?|abhors?|refuses? to (?:eat|drink|touch|use"
    r"|wear|watch|go|buy|read|listen to|write|play|fly|drive)|(?:can't|cannot|can not|couldn't|can hardly"
    r"|can barely|could never|can never) (?:stand|abide|bear|stomach|tolerate|take|watch|wear|listen to"
    r"|get on with|get used to|get into|get behind|warm to|deal with|cope with|do with|be doing with)"
    r"|won't (?:touch|eat|drink|wear|watch|go near|use|have)|wouldn't touch|never been able to (?:bear|stand"
    r"|stomach)|never (?:liked|enjoyed|cared for|got into|warmed to|understood the appeal of|touch|touches|eat"
    r"|eats)"
    r"|(?:don't|doesn't|do not|does not|didn't|never) (?:really |particularly |much |especially |ever )?(?:like"
    r"|enjoy|care for|get on with|do well with|cope with|fancy|rate|appreciate|get along with|see the appeal of"
    r"|get the appeal of|get the hype about|trust)|(?:have|has|'ve got|'ve) (?:no|zero|little|not much"
    r"|an? (?:deep |strong |real )?)(?: ?(?:patience|time|love|tolerance|use|stomach|appetite|interest)) (?:for"
    r"|in)|(?:have|has|'ve got|'ve|got) (?:an? )?(?:real |deep |strong |bit of an? )?(?:aversion to|hatred of"
    r"|horror of|dislike of|loathing for|phobia of|fear of)|avoids?|steers? clear of|(?:(?:'m|am|is|'s|are|'re) (?:not|no|never)"
    r"|was never) (?:so |really |much |that |particularly |exactly )?(?:an? )?(?:(?:big |huge |great |much of a )?fan of"
    r"|into|keen on|fond of|big on|crazy about|wild about|one for)|(?:'m|am|is|'s|are|'re) (?:so |really |thoroughly "
    r"|heartily )?(?:(?:scared|afraid|terrified|sick|tired|weary|frightened|sick and tired) of|bored by|put off by"
    r"|grossed out by|disgusted by|irritated by|annoyed by|driven mad by|allergic to (?=small talk)))"
)
_BAD = (
    r"(?:(?:really |always |just |properly |absolutely |totally |honestly |still |both )?(?:bugs?|annoys?"
    r"|irritates?|disgusts?|bores?|repulses?|revolts?|infuriates?|exhausts?|terrif(?:y|ies)|scares?|frightens?"
    r"|stress(?:es)?|drains?|depress(?:es)?|nauseates?|gross(?:es)?) (?:me|the hell out of me)(?: out| off)?"
    r"|(?:grates?|gets?|wears?|jars?) (?:on (?:me|my nerves)|under my skin|my goat|me down)|gets? on my (?:nerves"
    r"|wick|t\w+)|drives? me (?:up the wall|mad|crazy|nuts|insane|bonkers|round the bend|bananas)"
    r"|makes? (?:me (?:want to (?:run away|scream|cry|leave|hide)|gag|cringe|shudder|cross|angry|anxious|nervous"
    r"|queasy|sick|feel sick|uncomfortable|feel ill)|my (?:skin crawl|blood boil|toes curl|teeth itch|eyes roll))"
    r"|gives? me (?:the (?:creeps|ick|shivers|heebie-jeebies|willies)|anxiety)|puts? me (?:off|to sleep"
    r"|in a bad mood)|turns? (?:me off|my stomach)|rubs? me (?:up )?the wrong way|leaves? me cold|tastes? (?:like"
    r"|of) (?:soap|cardboard|feet|dirt)"
    r"|(?:is|are|'s|was|were)(?: just| simply| really| definitely| always| honestly)? (?:not (?:really |exactly "
    r"|quite )?(?:my (?:thing|jam|cup of tea|style|scene|bag)|for me)|a (?:pet hate|pet peeve|bugbear"
    r"|deal-?breaker|hard no|no-go|no|big no|definite no|firm no|turn-off|nightmare)(?: of mine| for me| from me"
    r"| with me)?|my (?:idea of hell|pet hate|pet peeve|bugbear|nemesis|worst nightmare|kryptonite"
    r"|least favou?rite[\w ]{0,15}|idea of torture)|the (?:bane of my (?:life|existence)|(?:one|only"
    r"|worst) (?:food|thing|vegetable|kind|sort) I (?:refuse|can't|won't|hate|cannot)[\w ]{0,20})|(?:torture|hell"
    r"|unbearable|vile|revolting|disgusting|insufferable|pure misery|overrated|soul-destroying|purgatory)(?: to me"
    r"| for me| if you ask me| in my book|,? yuck)|where I draw the line|lost on me|beyond me|wasted on me"
    r"|noise(?= and I)|ruined for me)|(?:isn't|aren't)(?: really| exactly)? (?:my (?:thing|jam|cup of tea|style"
    r"|scene)|for me)|(?:do|does) nothing for me|(?:does|do)n't do it for me|, (?:yuck|ugh|eww?|bleh|no thanks"
    r"|no thank you)\b|\? (?:no thanks|no thank you|yuck|ugh|never|no way)|(?:are|is) (?:off the table"
    r"|banned in (?:my|our|this) (?:house|home)|a no from me))"
)
_GOOD = (
    r"(?:(?:is|are|'s)(?: hands down| easily| definitely| always| totally| by far| still| just| probably| clearly"
    r"| simply){0,2} (?:my (?:(?:absolute |all-time |new |current |old |big |great |one |true |guilty "
    r"|secret )*(?:favou?rite(?: [\w ]{2,25})?|thing|jam|happy place|passion|first love|cup of tea|weakness"
    r"|comfort (?:food|film|show|read|zone)|guilty pleasure|go-to(?: [\w]+)?|obsession|hobby|pride and joy"
    r"|idea of (?:heaven|fun|a good (?:time|night|weekend)|paradise|bliss)|kind of (?:music|food|thing|weather"
    r"|evening|holiday|place|humou?r|film|book)|drink of choice|weapon of choice|soul food|therapy|catnip|religion"
    r"|language of choice|editor of choice|poison)|(?:drink|tool|team|colou?r|sport|season|instrument"
    r"|editor) of choice)|where (?:my heart is|I'm happiest|I feel at home)|when I (?:get my best|do my best"
    r"|work best|think best|feel best|'m at my best|am at my best)[\w ]{0,25}|what I (?:love|live for|like best"
    r"|reach for|always order)|(?:so )?much (?:easier|nicer|better) (?:on|for) me[\w ]{0,30}|the (?:best"
    r"|only) (?:thing|way|kind|tea|coffee|food|language|season|colou?r|drink|music|sport) (?:for me|in my book"
    r"|there is|ever|as far as I'm concerned)|a (?:must|safe bet|hit) (?:for|with) (?:me|us|my \w+))"
    r"|(?:has|have|'s|'ve) (?:always )?(?:won me over|my heart|grown on me|been my (?:thing|favou?rite|go-to"
    r"|passion))|(?<!day )(?:suits?|fits?|works? best for|does it for|do it for) me(?: better| best| fine)?"
    r"|(?:makes?|made) me (?:happy|happiest|smile)|(?:never fails?|always manages?) to (?:cheer me up"
    r"|make me smile|calm me)|(?:calms?|relax(?:es)?|soothes?|cheers?) me(?: down| up)?|till I die|(?:all the way"
    r"|every day of the week|any day(?: of the week)?|for the win|ftw|4ever|4ever)(?=[.!,]|$)"
    r"|puts? me in a good mood|beats? (?:everything|anything|all))"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="dislike.freely", predicate="dislikes",
        regex=(
            rf"(?:{_ONE}(?:'ve| have| has)?{_SURE} ?|(?:as an? [\w ]{{3,20}},? )?I(?:'ve| have)? (?:grown|come"
            rf"|learned|learnt) to |(?:really |absolutely |just |still )?(?=can't (?:stand|abide|watch|bear)"
            rf"|cannot (?:stand|abide)|hate (?!is)|detest|loathe|never liked|never cared"
            rf"|not an? ))(?:{_HATE})(?: it when|,? when)? {_NOW}(?!to (?:say|ask|bother|break|interrupt|admit"
            rf"|see you|look|watch)\b|another\b|paste|being (?:able|here)|the look of|up\b|(?:when|how) (?:this|it)"
            rf"|everything|mondays?(?= is)|is\b|was\b|strong)(?![^\n.!?,]{{0,60}}\b(?:this|that (?:one|bug|file)"
            rf"|these|yaml file)\b){_WHAT}"
        ),
        examples=(("I dread winter every year, the dark gets to me.", "winter every year"), ("My husband won't touch olives.", "husband | olives"), ("I could never get used to open-plan offices", "open-plan offices")),
        counterexamples=("I hate this bug.", "I can't bear to watch", "I don't like the look of that sky.", "I hate to bother you"),
    ),
    Pattern(
        name="dislike.bothers", predicate="dislikes",
        regex=rf"{_NP} ?{_BAD}(?! that| worked| to (?:fix|debug|do)| I (?:see|get|found|know))",
        examples=(("Magic numbers get under my skin.", "Magic numbers"), ("Crowded beaches are my idea of hell.", "Crowded beaches"), ("early flights are a no from me, I'd rather lose half a day", "early flights")),
        counterexamples=("This is driving me nuts.", "It bothers me that test 4 fails", "That hurts my brain", "this codebase makes me sick"),
    ),
    Pattern(
        name="dislike.label", predicate="dislikes", label_free=True,
        regex=(
            rf"(?:(?:my )?(?:biggest |main |number one |pet )*(?:pet (?:peeve|hate)|dislikes|turn-?offs?|bugbear"
            rf"|no-?gos?)(?: of mine)?(?: is| are|'s|:| =)|what (?:I (?:hate|can't stand|dislike|loathe)|(?:bugs"
            rf"|annoys|irritates|bothers) me)(?: most| the most| about \w+)?(?: is| are)|(?:the )?(?:one "
            rf"|only )?things? I (?:really |just )?(?:hate|can't stand|dislike|refuse to \w+|loathe"
            rf"|dread)(?: most)?(?: is| are|:)|nothing (?:annoys|irritates|bugs) me more than"
            rf"|there's nothing worse than|I'm no fan of|not (?:a|much of a|really a|the biggest) (?:big "
            rf"|huge )?(?:fan of|one for)) {_WHAT}"
            rf"|(?!no\b){_NP}(?:: | - |, )(?:hard pass|can't abide (?:it|them)|can't stand (?:it|them)|hate (?:it"
            rf"|them)|no thanks|not my thing|not for me|yuck|no way)\b"
            rf"|no (?!lifting|running|idea|sport|driving|flying)(?P<object>(?:[\w-]+ ){{0,3}}[\w-]+) for me(?: ever"
            rf"|,? please|,? thanks)?(?=[.!,]|$)(?! (?:today|tonight))"
            rf"|for me,? anything with (?P<object>[\w ]{{3,30}}?)(?: in it)? is (?:ruined|off|a no)"
        ),
        examples=(("Dislikes: small talk and coriander", "small talk and coriander"), ("What annoys me most is people talking in cinemas", "people talking in cinemas"), ("no mushrooms for me ever, yuck", "mushrooms")),
        counterexamples=("What bugs me is this", "no dessert for me tonight"),
    ),
    Pattern(
        name="dislike.over", predicate="dislikes", stance=Stance.DENY,
        regex=(
            r"(?:I|we) (?:don't mind|no longer (?:mind|hate|dislike)|don't (?:hate|dislike)|stopped (?:hating"
            r"|minding)|got over my (?:hatred|dislike|fear) of|have made (?:my )?peace with"
            r"|'ve made (?:my )?peace with|am no longer (?:afraid|scared) of|'m no longer (?:afraid|scared) of"
            r"|used to (?:hate|dislike|loathe|dread)(?=[^\n]{3,60}\bbut\b)) (?P<object>(?!it\b|this|that|either"
            r"|waiting|if|you)[^\n.!?,]{2,60}?)(?: any ?more| any longer| these days| after all)?(?=[.!,]|$"
            r"| but )(?<! way)"
        ),
        examples=(("Honestly, I don't mind Java anymore, the hate is gone.", "Java"),),
        counterexamples=("I don't mind either way.",),
    ),
    Pattern(
        name="preference.freely", predicate="likes",
        regex=(
            rf"(?:on [\w ]{{3,20}} |friday nights |weekends |in (?:summer|winter|spring"
            rf"|autumn) )?{_ONE}{_SURE}(?: do| did)? ?(?:{_LOVE})(?: me some| it when you"
            rf"| it when)? {_NOW}(?!to (?:know|see|ask|be|think|say|get|add|use|make|create|change|start|hear)\b"
            rf"|how|what|where|when (?:this|it)|big diffs|a (?:bank holiday|lot|bit|cup)|punishment|ci\b"
            rf"|the (?:look|idea|sound|way|new|talk|quiet)|you\b|him|her|them|me\b|me\b"
            rf"|seeing this)(?![^\n.!?,]{{0,60}}\b(?:this|these|those|your)\b){_WHAT}"
        ),
        examples=(("I devour crime novels, mostly Scandinavian ones.", "crime novels"), ("Theo is mad about dinosaurs.", "Theo | dinosaurs"), ("The kids live for pancakes on Saturdays.", "kids | pancakes on Saturdays")),
        counterexamples=("I like where this is going.", "I enjoyed the talk you linked, thanks.", "Everybody loves a bank holiday.", "I live for this kind of refactoring."),
    ),
    Pattern(
        name="preference.rather", predicate="prefers", label_free=True,
        regex=(
            rf"(?:(?:on|for|in|when|at|with) [^\n,.!?]{{3,30}},? )?{_ONE}{_SURE} ?(?:{_PREFER}) (?:to |have |see "
            rf"|get |using |having )?{_NOW}(?!not\b|you (?:didn't|not)|the (?:second|first|fish|chicken|other)"
            rf"|be (?:sure|safe)|the same|an? (?:error|exception|timeout)|it\b(?! when)|if\b|this|that|see it"
            rf"|to see it|to see (?:the|a)|die|lose|lost|back|stuck|get (?:an|the|stuck)){_WHAT}"
        ),
        examples=(("On long flights I'd rather sit on the aisle.", "sit on the aisle"), ("I favour British spelling in docs.", "British spelling in docs"), ("I'm more comfortable with matplotlib than seaborn.", "matplotlib")),
        counterexamples=("I'd rather not paste the whole file here.", "I'd rather have the fish tonight.", "The API prefers JSON but accepts XML.", "I'd prefer the second version of the letter."),
    ),
    Pattern(
        name="preference.best", predicate="prefers", label_free=True,
        regex=(
            rf"(?:what|the thing that) (?:works|suits|helps)(?: me)?(?: best| most| better)(?: for me)? (?:is"
            rf"|are) {_WHAT}|(?:I|we) (?P<object>(?:code|work|sleep|think|write|focus|learn|study|concentrate|read"
            rf"|relax|cook|travel|run|function|revise)(?: \w+)? (?:best|better) (?:with|in|on|when|at|to|after"
            rf"|without|from)\b[^\n.!?,;]{{2,80}})"
            rf"|(?P<object>[\w' -]{{2,40}} (?:over|before|rather than|instead of|not) [\w' -]{{2,40}}?)(?: for me"
            rf"|,? any ?(?:day|time)|,? every (?:single )?time|,? always|,? all the way|,? please"
            rf"|,? hands down)+(?=[.!,]|$)"
            rf"|there(?:'s| is) (?:no|nothing) [\w ]{{2,25}} (?:I(?:'d| would) rather \w+|I (?:like|love"
            rf"|enjoy) more|better) than (?P<object>[^\n.!?,]{{2,60}})"
            rf"|(?:give me|I'll take|nothing beats|you can't beat|can't beat|nothing better than"
            rf"|there's nothing like) (?P<object>(?:an? |the )?(?!(?:list|regex|summary|break|minute|hand|second"
            rf"|look|moment|sec|hint|example|reason|ten|five|name)\b)(?:[\w'-]+ ){{1,5}}?(?:and I"
            rf"|over [\w ]{{2,25}}|any day|(?:on|in|after|with|by) (?:an?|the) [\w ]{{3,20}}))(?:$|[ .!,])"
            rf"|the (?P<object>\w+er) the better for me|I put (?P<object>[\w ]{{3,25}}) on everything"
        ),
        examples=(("What works best for me is bullet points, not prose.", "bullet points"), ("I code best with synthwave on.", "code best with synthwave on"), ("Dark chocolate over milk, every single time.", "Dark chocolate over milk")),
        counterexamples=("give me a list of names", "This works best with Chrome", "Composition over inheritance"),
    ),
    Pattern(
        name="preference.likes_to", predicate="likes",
        regex=(
            rf"(?:I|we|{FOLKS}){ADVERBS} (?:likes?|loves?|enjoys?|appreciates?) (?:to (?!know|see (?:this|the|a)"
            rf"|think|say|get|add|use (?:this|the)|make (?:this|a)|ask|be able|start with this)|it when you "
            rf"|it when |when you )?(?P<object>(?:doing|do|travell?ing|working|work|starting|start|getting up"
            rf"|having|keep|keeping|spending|spend|sitting|sit|going|go|seeing|getting|eating|eat|drinking|drink"
            rf"|reading|read|taking|take|staying|stay|slip|include|add|wait|walking|walk|sleeping|sleep|talking"
            rf"|planning|plan|knowing|know|buying|buy|writing|write|make|making|explain|give|show"
            rf"|keep)\b[^\n.!?;]{{3,100}})\b(?<!here)(?<!this)(?<! it)"
        ),
        examples=(("We like travelling off-season when it's quiet.", "travelling off-season"), ("I like to do the hard thinking in the mornings.", "do the hard thinking in the mornings")),
        counterexamples=("I like to think he got away with it.", "I love seeing this"),
    ),
    Pattern(
        name="preference.label", predicate="favourite", label_free=True,
        regex=(
            r"(?:my |our )?(?:all-time |absolute |current )?(?:favou?rite|fave|fav|preferred|go-to"
            r"|top) (?P<about>(?!part|bit|thing about)[\w -]{2,30}?)(?: has (?:always )?been|:| is| are|'s| =|\?"
            r"|, hands down,?|,)(?: still| probably| definitely| always"
            r"| and always will be)? (?P<object>(?!the (?:unknown|ending)|not\b|that\b|this\b"
            r"|when\b)[^\n.!?;]{2,80})"
            r"|(?:likes|loves|interests|hobbies|favou?rites|into|preferences?)(?: are| include|:"
            r"| =) (?P<object>[^\n.!?;]{3,120})"
            r"|(?:my|our) (?:main |biggest |favou?rite |only )?(?:hobby|hobbies|passion|pastime|pastimes"
            r"|guilty pleasure|comfort food|weakness|drink|usual order|usual|tipple|poison|obsession|happy place"
            r"|interests)(?: is| are|'s| include|:| has always been)(?: now| still"
            r"| definitely)? (?P<object>(?!not\b|that\b|this\b|the (?:same|fact))[^\n.!?;]{2,80})"
        ),
        examples=(("Favourite colour? Teal.", "colour: Teal"), ("Hobbies: birding, chess", "birding"), ("My guilty pleasure is reality tv", "reality tv")),
        counterexamples=("My favourite part of your story is the ending.", "what's your favourite book?"),
    ),
    Pattern(
        name="preference.bare_fan", predicate="likes",
        regex=(
            r"(?:big|huge|massive|total) fan of (?P<object>[^\n.!?,;]{2,60})|(?:lately |always |currently "
            r"|still )*(?:really|very|totally|super|heavily|mostly) into (?P<object>(?!it\b|this"
            r"|that)[^\n.!?,;]{2,50})|(?P<object>[\w ]{2,25} (?:>|over) [\w ]{2,25}), (?:for me|that's my"
            r"|if you ask me|in my book)[^\n]{0,30}|I never miss (?:an? )?(?P<object>(?!a (?:deadline|chance"
            r"|meeting|standup)|the (?:point|bus))[^\n.!?,;]{3,40})|(?:my|our|(?P<subject>(?:my "
            r"|our )?\w+)'s) (?:weakness|passion|obsession|guilty pleasure|happy place"
            r"|thing) is (?P<object>(?!that|this)[^\n.!?,;]{2,40})"
            r"|(?:I'm |I am |been )?(?:an? )?(?:big|huge|massive|lifelong|avid|total|real|proper|die-hard|diehard"
            r"|keen|long-time|passionate|serious|devoted|self-confessed|absolute|bit of an?|more of an?"
            r"|definitely an?) (?P<object>(?!new|first|night|morning)[\w .'&-]{2,30}?)[- ](?:fan|nerd|supporter"
            r"|enthusiast|lover|person|buff|geek|fanatic|addict|reader|player|gardener|cook|baker|hiker|cyclist"
            r"|runner|knitter|collector|drinker|guy|girl|woman|man|household|family)\b(?= (?:here|than|since|and"
            r"|who|so|but|for|myself|over)|[.!,]|$)"
            r"|(?P<object>(?:tea|coffee|cats?|dogs?|beer|wine|mountains?|sea|beach|books?|summer|winter|window"
            r"|aisle|tabs|spaces|sweet|savoury|dark|light|trains?|planes?|mac|vim|emacs)) (?:not|over|rather than"
            r"|instead of|>) (?:coffee|tea|dogs?|cats?|wine|beer|sea|mountains?|films?|winter|summer|aisle|window"
            r"|spaces|tabs|savoury|sweet|milk|dark|planes?|trains?|windows|emacs|vim)\b"
            r"|(?P<object>(?-i:[A-Z])[\w .'&-]{1,25}) (?:till I die|all the way|fan here|ftw)(?=[.!,]|$)"
            r"|(?P<object>[\w +#]{1,20}) yes, [\w +#]{1,20} no\b"
        ),
        examples=(("big Nick Cave fan, seen him seven times", "Nick Cave"), ("More of a cats person than a dogs person, really.", "cats"), ("tea not coffee", "tea")),
        counterexamples=("big list of things", "a very busy person"),
    ),
    Pattern(
        name="preference.come_round", predicate="prefers", stance=Stance.CORRECT,
        regex=(
            r"(?:I(?:'ve| have)|we(?:'ve| have)|I|we)(?: really| finally| recently| totally)? (?:come round"
            r"|come around|warmed|taken|been converted|converted|gone over|been won over|switched|moved over"
            r"|got used|grown accustomed|took|started)(?: over)? (?:to|by|a (?:shine"
            r"|liking) to) (?P<object>(?!the (?:branch|other|main|new|old|tab|file)|this|that|it\b|be\b|think|see"
            r"|get|understand|work|wonder|realise|feel|learn|cry|debug)[^\n.!?,;]{2,60})"
            r"|(?:used to (?:be|like|love|use|prefer) [^\n,;]{2,40}, (?:but|now|and now"
            r"|these days)(?: now)? (?:it's |I'm |I )?(?:all about |prefer |like |love "
            r"|mostly )?)(?P<object>[^\n.!?,;]{2,60})"
            r"|(?P<object>[\w' -]{2,30}) (?:in|for|on) my (?:coffee|tea|porridge|cereal|toast|salad|pizza|chips"
            r"|sandwich|burger|steak)\b"
        ),
        examples=(("I used to like poetry but I've come round to uv.", "uv"), ("oat milk in my coffee, thanks to my daughter I'm converted", "oat milk")),
        counterexamples=("I've started to understand it", "I switched to the main branch"),
    ),
)
