"""English: people and animals in somebody's life, places, and what they own and use."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.patterns_en_career import JOB
from memoracle.extract.pieces_en import ADVERBS, FOLKS, I_AM, I_HAVE, KIN, LOOSE_NAME, NAME, TITLED, who
from memoracle.model.claim import Stance

_PLACE = (
    r"(?P<object>(?:the |an? )?(?:(?:small |little |tiny |quiet |suburb |suburbs |new |bigger |smaller |old "
    r"|\w+-bedroom |tiny |big )*(?:village|town|city|suburbs?|countryside|farm|flat|apartment|house|cabin"
    r"|neighbou?rhood|area|north|south|east|west|part|place|studio)(?: (?:near|outside|in|of|close to|just outside"
    r"|called|with|by|on) [^.!?,]{2,40})?|(?-i:[A-Z])[^\s.!?,;]{1,30}(?:(?:,? (?:(?:of|de|am|upon|and|near|in"
    r"|the) )?)(?-i:[A-Z])[^\s.!?,;]{1,30}){0,4}|(?-i:[a-z]{3,20})(?=[.!,]*$|,| now| and | with | since| for| atm)"
    r"|[^\x00-\x7f]{2,12}))(?! (?:mode|branch|page|menu))"
)
_NOT_PLACE = (
    r"(?!the (?:moment|middle|past|future|same|settings|file|repo|code|terminal|browser|office|meeting|loop|process"
    r"|browser|world|dark|scheduler|shell|cloud|zone|weeds|same|src|lib|root|tests?)|a (?:loop|meeting|world"
    r"|simulation|hurry|bubble)|fear|reality|denial|heaven|hope|peace|constant|this|that|my|your|there|here"
    r"|terminal|debug|dark|charge"
    r"|trouble|progress|general|particular|production|staging|it\b)"
)
_GADGET = (
    r"(?:(?:[\w.+'/-]+ ){0,4}(?:car|bike|bicycle|motorbike|motorcycle|scooter|truck|van|boat|sailboat|yacht|canoe"
    r"|pickup|moped|e-?bike|tractor|laptop|macbook(?: (?:pro|air))?|thinkpad|mac mini|imac|pc|computer|desktop"
    r"|phone|iphone|android|pixel|tablet|ipad|kindle|camera|lens|printer|router|nas|server|raspberry pi|watch"
    r"|headphones|keyboard|monitor|guitar|piano|violin|cello|drum kit|telescope|drone|tv|projector|console"
    r"|playstation|ps5|xbox|switch|house|apartment|flat|condo|cabin|cottage|farm|garden|allotment|studio|villa"
    r"|caravan|rv|camper|tent|kayak|surfboard|skis|sewing machine|3d printer|espresso machine|oven|grill|bakery"
    r"|shop|business|company|tesla|toyota|honda|skoda|bmw|audi|ford|volkswagen|vw|mercedes|subaru|mazda|volvo|gpu"
    r"|rtx ?\d{4}\w*|steam deck|oculus|turntable|vineyard|greenhouse)\b(?: [\w.+/-]+){0,6})"
)
_TOOLS = (
    r"(?:neovim|vim|emacs|vs ?code|visual studio code|pycharm|intellij|sublime|cursor|zed|helix|xcode|android studio"
    r"|jupyter|obsidian|notion|linux|ubuntu|fedora|arch|debian|windows|macos|nixos|mint|manjaro|firefox|chrome|brave"
    r"|safari|tmux|zsh|fish|bash|git|docker|podman|poetry|uv|pnpm|yarn|npm|bun|deno|postgres|mysql|sqlite|slack"
    r"|discord|telegram|signal|whatsapp|outlook|gmail|fastmail|protonmail|1password|bitwarden|todoist|trello|jira"
    r"|linear|figma|photoshop|lightroom|blender|ableton|spotify|an? (?:iphone|android|mac|pc|pixel|thinkpad|macbook"
    r"|kindle|dvorak|colemak|mechanical|standing|split|vertical)[^.!?,]{0,40})"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # relationships
    Pattern(
        name="relationship.name_is", predicate="",
        regex=(
            rf"(?:my|our) (?P<role>{KIN})(?:'s name(?: is|'s)| is (?:called|named)|'s called|'s name's"
            rf"|, who is called|, called|, named| (?:is|was)(?= (?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?:[.!,]*$|,| and "
            rf"(?:he|she|they|I))(?<!an)(?<!ish)(?<!ese))) (?:is )?(?P<object>{TITLED}|{LOOSE_NAME})(?! (?:and"
            rf"|or) \w+ing)"
        ),
        examples=(("My wife's name is Ingrid.", "Ingrid"), ("my boss is called Farah and she wants the report", "Farah"), ("My sister is Anna", "Anna")),
        counterexamples=("My wife's name is on the form", "My boss is calling me", "My wife is German"),
    ),
    Pattern(
        name="relationship.names_are", predicate="",
        regex=(
            rf"(?:(?:my|our) (?P<role>{KIN}s?)(?: are|' names are|'s names are|s' names are)(?: called| named)?|"
            rf"(?:{I_HAVE}|we have|we've got|(?:I|we)(?: just| recently|'ve| have)? (?:adopted|got|bought|rescued))"
            rf"(?: also)? (?:an? |two |three |four |five |\d )?(?:\w+ )?(?P<role>{KIN}s?|kids|children),?(?: "
            rf"(?:called|named|and (?:his|her|its|their) names? (?:is|are)|whose names? (?:is|are)))?) "
            rf"(?P<object>{NAME}(?:(?:,| and|, and) {NAME}){{0,4}})(?=[.!,]*$|[,.!;]| (?:who|and|is|are|he|she|they"
            rf"|in|at))"
        ),
        examples=(("I have two kids, Leo and Mathilda.", "Leo and Mathilda"), ("I have a dog named Biscuit", "Biscuit"), ("I have a sister called Ruth, she is a nurse", "Ruth")),
        counterexamples=("I have two files open and neither compiles.", "I have two cats"),
    ),
    Pattern(
        name="relationship.my_name", predicate="", any_where=True,
        regex=(
            rf"\b(?:my|our) (?P<role>{KIN}),? (?P<object>(?!is\b|was\b|and\b|I\b|has\b|in\b)"
            rf"(?-i:[A-Z][a-zà-ÿ-]{{1,20}})(?: (?-i:[A-Z][a-zà-ÿ-]{{1,20}})){{0,2}})(?!'s (?:blog|friend))(?=[.!,]*$"
            rf"|[,.!;)]| [a-z])"
        ),
        examples=(("My brother Anselm works at Siemens in Munich.", "Anselm"), ("Our dog Biscuit just turned four!", "Biscuit"), ("We visited my sister Anna last week", "Anna")),
        counterexamples=("My friend I met there", "My dog is fine", "my boss Is angry"),
    ),
    Pattern(
        name="relationship.my_small_name", predicate="",
        regex=(
            rf"(?:my|our) (?P<role>{KIN}) (?P<object>(?!food|name|age|life|job|house|car|work|school|company|phone"
            rf"|email|account|birthday|who|that|which|also|now|still|just|never|always|really|said|says|and|but|has"
            rf"|was|does|did|will|can|had|are|recently|currently)(?-i:[a-z]{{3,12}})) (?:is|was|has|just|will"
            rf"|and I)\b(?<!who is)(?<!that is)(?<!which is)(?<!also is)(?<!now is)(?<!still is)(?<!just is)"
        ),
        examples=(("my girlfriend noor is coming over tonight", "noor"),),
        counterexamples=("my wife is coming over", "my boss also is angry", "my dog food is empty"),
    ),
    Pattern(
        name="relationship.is_my", predicate="",
        regex=(
            rf"(?P<object>{NAME})(?: is|'s| was)(?: also| actually| now)? (?:my|our) (?:new |dear |best |old )?"
            rf"(?P<role>{KIN})(?=[.!,]*$|[,.!;]| and | but | at | from | in | who | not )"
        ),
        examples=(("Karim is my business partner, not my cousin.", "Karim"), ("Anna is my sister", "Anna")),
        counterexamples=("This is my dog", "Who is my manager"),
    ),
    Pattern(
        name="relationship.report_to", predicate="manager",
        regex=(
            rf"I (?:report|answer)(?: directly)? to (?P<object>{NAME})|(?P<object>{NAME}) is my (?:skip-level"
            rf"|line manager|supervisor)"
        ),
        examples=(("I report to Henrietta.", "Henrietta"),),
        counterexamples=("I report to the console",),
    ),
    Pattern(
        name="relationship.tied", predicate="spouse", importance=0.8,
        regex=(
            rf"(?P<object>{NAME}) and I (?:tied the knot|got married|are married|married|got hitched)|my "
            rf"(?:better half|other half),? (?P<object>{NAME})|I married (?P<object>{NAME})|I've been married to "
            rf"(?P<object>{NAME})|I'm (?:married|engaged) to (?P<object>{NAME})"
        ),
        examples=(("Marit and I tied the knot in 2018.", "Marit"), ("I've been married to Tom for ten years.", "Tom")),
        counterexamples=("I'm married to this idea",),
    ),
    Pattern(
        name="relationship.answers_to", predicate="pet",
        regex=(
            rf"(?:the|our|my) (?:dog|cat|puppy|kitten|parrot|hamster|rabbit) (?:answers to|goes by|is called"
            rf"|is named) (?P<object>{NAME})"
        ),
        examples=(("The dog answers to Biscuit.", "Biscuit"),),
        counterexamples=("The cat is called a pet",),
    ),
    Pattern(
        name="relationship.girls", predicate="child",
        regex=(
            rf"(?:I've got|I have|we have|we've got) (?:an?|two|three|four|\d) (?:boys?|girls?|little ones),? "
            rf"(?P<object>{NAME}(?:(?:,| and|, and) {NAME}){{0,4}})"
        ),
        examples=(("I've got two girls, Lena and Pia.", "Lena and Pia"),),
        counterexamples=("I have two girls in my class",),
    ),
    Pattern(
        name="relationship.been_my", predicate="",
        regex=rf"(?P<object>{NAME}) has been my (?P<role>{KIN}|best mate|mate)(?= since| for|[.!,])",
        examples=(("Ollie has been my best friend since primary school.", "Ollie"),),
        counterexamples=("It has been my pleasure",),
    ),
    Pattern(
        name="relationship.status", predicate="marital_status", importance=0.8,
        regex=(
            rf"(?:{I_AM}|I've been|we're|we are|{FOLKS} (?:is|are|got)){ADVERBS}(?: happily| recently| newly)? "
            rf"(?P<object>married(?! to (?:this|that|the|my (?:job|work)))|divorced|engaged(?! in)|single|widowed"
            rf"|separated|in a relationship)\b(?=[.!,]*$|[,.!;]| "
            rf"(?:to|with|for|and|but|at|since|now|again|so))(?! with (?:this|the|work))"
        ),
        examples=(("I'm married", "married"), ("I'm single at the moment, so a table for one is fine.", "single")),
        counterexamples=("I'm single-threading this", "I'm separated from the repo by VPN"),
    ),
    Pattern(
        name="relationship.event", predicate="marital_status", stance=Stance.CORRECT, importance=0.8,
        regex=(
            r"(?:(?:(?:I|we)(?: just| recently|'ve just| have just)? )?(?:just )?got (?P<object>married|divorced"
            r"|engaged(?! in)|separated)|(?:I|we) (?:just |recently )?(?P<object>broke up|split up)(?= with|[.!,]"
            r"|$| last"
            r"| in ))"
        ),
        objects={"broke up": "single", "split up": "single"},
        examples=(("I got divorced last year.", "divorced"), ("We got married in June", "married")),
        counterexamples=("I got the answer",),
    ),
    Pattern(
        name="relationship.born", predicate="", importance=0.8,
        regex=(
            rf"(?P<object>(?:my|our) (?P<role>(?:first |second |third |little |baby )?(?:son|daughter|baby|child"
            rf"|twins))(?: {NAME})? was born\b[^\n.!?]{{0,40}})"
        ),
        examples=(("My daughter was born last night!", "daughter was born last night"),),
        counterexamples=("My daughter was bored",),
    ),
    Pattern(
        name="relationship.count", predicate="",
        regex=(
            rf"(?:{I_HAVE}|we have|we've got)(?: also)? (?P<object>(?:an? |one |two |three |four |five |six |\d )(?:"
            rf"(?:older|younger|little|big|twin|young|small|baby|adopted|teenage|grown|\d-year-old|\w+-year-old"
            rf"|rescue|black|white|old) )?(?P<role>{KIN}s?|kids|children)(?: and (?:an? |one |two |three |\d )"
            rf"(?:\w+ )?(?:{KIN}s?|kids))?)(?=[.!,]*$|[,.!;]| (?:and|who|at|in|but|also|so|aged|of|from|with|now))"
        ),
        examples=(("i have three cats", "three cats"), ("I have a younger brother", "younger brother"), ("We have two kids", "two kids")),
        counterexamples=("I have two files open", "I have a child process", "I have a partner API key"),
    ),
    # places
    # places
    Pattern(
        name="place.moved", predicate="lives_in", stance=Stance.CORRECT, importance=0.8,
        regex=(
            rf"(?:(?:I|we|I've|we've|I have|we have|I'm|we're)(?: just| recently| finally)? (?:moved|relocated"
            rf"|immigrated|emigrated)(?: (?:back|over|out|away|here))?(?: from [\w ,]{{2,30}}?)? (?:to|into)|(?:I"
            rf"|we) now live in|I'm now (?:living|based) in|(?P<subject>(?:my|our) {KIN}(?: {NAME})?)(?: just"
            rf"| recently| has)? (?:moved|relocated) to) {_NOT_PLACE}{_PLACE}"
        ),
        examples=(("we moved to Hangzhou last month", "Hangzhou"), ("I moved from Boston to Berlin", "Berlin"), ("I moved to Hangzhou", "Hangzhou")),
        counterexamples=("I moved to the next step", "We moved to the new API", "I moved the file to src"),
    ),
    Pattern(
        name="place.left", predicate="lives_in", stance=Stance.DENY,
        regex=(
            rf"(?:I (?:no longer|don't|do not) live in|I'm no longer in|we (?:no longer|don't) live in|I'm "
            rf"(?:no longer|not) (?:living|based) in|I (?:moved|relocated) (?:away from|out of)"
            rf"|I used to live in) {_NOT_PLACE}{_PLACE}"
        ),
        examples=(("I don't live in Boston any more.", "Boston"), ("I no longer live in Paris", "Paris")),
        counterexamples=("I don't live in fear",),
    ),
    Pattern(
        name="place.lives", predicate="lives_in",
        regex=(
            rf"(?:{who('(?:live|reside|have lived|have been living|am living|am based|stay)(?: alone| together| with [^.]{2,30}?)? (?:in|near|outside|just outside|close to|on)', '(?:live|lives|resides|is living|is based)(?: alone| together)? (?:in|near|outside)', by_name=True)}"
            rf"|(?:I'm|I am|we're|we are){ADVERBS} (?:living|based|located|residing|staying)(?: \w+ly| temporarily)? "
            rf"(?:in|near|out of|outside)|I've (?:lived|been living) in|my (?:home ?town|home|city|home city"
            rf"|place of residence)(?: is|'s)(?: in)?|(?<=, )living in|I live(?= closer to)|(?<=, )I'm in(?= "
            rf"(?-i:[A-Z])\w+ now)|I'm in(?= (?-i:[A-Z])\w+(?:, (?-i:[A-Z])\w+)? (?:now|these days|at the moment"
            rf"|currently))) {_NOT_PLACE}{_PLACE}"
        ),
        examples=(("I live in Rotterdam.", "Rotterdam"), ("im based in Nairobi, so utc+3", "Nairobi"), ("My parents live in a village near Cluj.", "parents | village near Cluj"), ("Anna lives in Paris", "Anna | Paris")),
        counterexamples=("I live for this kind of refactoring.", "I live in fear", "I live in the terminal", "it lives in utils.py"),
    ),
    Pattern(
        name="place.job_in", predicate="lives_in",
        regex=(
            rf"I'm an? {JOB} (?:(?:living|based) in|from|in (?!(?:Java|Python|Go|Rust|C|PHP|Ruby|Scala|Kotlin|Swift"
            rf"|React|Tech|HR|IT|Finance|Marketing)\b)) ?(?P<object>(?-i:[A-Z])[\w'-]{{2,20}}(?: "
            rf"(?-i:[A-Z])[\w'-]{{2,20}})?)(?=[.!,]*$|[,.!;]| and )"
        ),
        examples=(("I'm a nurse living in Leeds", "Leeds"), ("I'm a designer based in Porto.", "Porto")),
        counterexamples=("I'm a developer in Java",),
    ),
    Pattern(
        name="place.address", predicate="address",
        regex=(
            rf"(?:(?:my|our)(?: new| home| current| postal| mailing| shipping| delivery| office)* address(?: is|'s|:)"
            rf"(?: now)?|I live at|we live at|(?P<subject>(?:my|our) {KIN}|{NAME})'s address is|mail "
            rf"(?:it )?to me at) (?P<object>(?=[^\n]{{0,80}}\d)(?!https?:|\d+\.\d+\.\d+)[\w][^\n!?@]{{5,100}}?)"
            rf"(?=[.!]*$|\. |; | - )"
        ),
        examples=(("My address is 14 Larkspur Lane, Bristol BS3 4QT.", "14 Larkspur Lane, Bristol BS3 4QT"),),
        counterexamples=("My address is 192.168.0.1", "My address is a@b.example"),
        whole=True,
    ),
    Pattern(
        name="place.zone", predicate="located_in",
        regex=(
            r"(?:(?:I'm|we're|I am|we are) (?:in|on) (?:the )?|(?:my|our) time ?zone is )(?P<object>(?-i:"
            r"(?:[A-Z][\w/]+ ){1,2})time(?: ?zone)?|(?-i:CET|CEST|PST|PDT|EST|EDT|GMT|UTC|IST|JST|BST|AEST)"
            r"(?:[+-]\d{1,2})?|(?-i:[A-Z])\w+/(?-i:[A-Z])\w+)(?=[.!,]*$|[,.!;]| (?:time|and|so|now))"
        ),
        examples=(("I'm in the Pacific time zone.", "Pacific time zone"), ("My timezone is Europe/Berlin", "Europe/Berlin")),
        counterexamples=("I'm in time",),
    ),
    Pattern(
        name="place.house", predicate="address",
        regex=(
            r"(?:my|our) (?:house|flat|apartment|home|place|studio) is (?:at|on) (?P<object>\d{1,5}\w? "
            r"(?-i:[A-Z])[^\n.!?]{2,60})"
        ),
        whole=True,
        examples=(("Our house is at 22 Elm Street.", "22 Elm Street"),),
        counterexamples=("Our house is on fire",),
    ),
    Pattern(
        name="place.office", predicate="located_in",
        regex=(
            r"(?:my|our|the) (?P<about>(?:new |main |head )?(?:office|headquarters|hq|studio|shop|lab|workshop|clinic"
            r"|store|warehouse|school|gym|coworking space|parking spot|desk|storage unit)) (?:is|are|moved)(?: now"
            r"| located| based)? (?:in|on|at|to) (?P<object>(?!fire\b|the (?:left|right|cloud|phone)|hold|a mess"
            r"|work\b)[^\n.!?]{3,80})"
        ),
        examples=(("Our office is on the fourth floor of the Meridian building.", "office: fourth floor of the Meridian building"),),
        counterexamples=("Our office is on fire",),
    ),
    # possessions
    Pattern(
        name="possession.sold", predicate="owns", stance=Stance.DENY,
        regex=(
            rf"(?:I|we)(?: just|'ve| have|'ve just)? (?:sold|got rid of|gave away|lost|scrapped|no longer (?:have|own"
            rf"|use)|stopped using|don't (?:have|own) (?=[^.]{{2,40}} any ?more)) (?:my|our|the)? ?"
            rf"(?P<object>{_GADGET})"
        ),
        examples=(("I sold my motorbike last week so the insurance can go.", "motorbike last week"), ("I no longer have a car", "car")),
        counterexamples=("I lost my place in the file", "I stopped using recursion"),
    ),
    Pattern(
        name="possession.stopped_tool", predicate="uses", stance=Stance.DENY,
        regex=(
            rf"(?:I|we) (?:no longer use|stopped using|don't use|do not use|quit using|ditched|dropped|abandoned"
            rf"|moved away from) (?P<object>{_TOOLS})\b(?: any ?more)?"
        ),
        examples=(("I no longer use Vim", "Vim"), ("I stopped using Chrome", "Chrome")),
        counterexamples=("I stopped using the wrapper",),
    ),
    Pattern(
        name="possession.drive", predicate="owns",
        regex=(
            rf"(?:(?:I|we){ADVERBS} (?:drive|own|ride|play(?= an? ))|(?:I|we)(?: just| recently| finally|'ve| have"
            rf"|'ve just)? (?:bought|purchased|ordered|leased|got)(?: myself| ourselves)?|I'm on(?= an?\b)|I'm the "
            rf"(?:proud )?owner of|(?:I|we)(?: also)?(?: have|'ve got| own| got)(?= (?:an?|my own|two|three)\b)"
            rf"|{FOLKS} (?:drives|owns|has)(?= an?\b)) (?:an? |my own |the |two |three )?(?P<object>(?!(?:an? )?"
            rf"(?:company(?=[.!]*$)|question|problem|issue|bug|flat tire|idea|look|feeling|class|function|file"
            rf"|list|error|suggestion"
            rf"|friend|meeting|ton|lot|(?:[\w-]+ ){{0,3}}(?:shop|business|company|bakery|farm|vineyard|studio))\b|to\b)(?:new |used |old |red |blue |black |white |small |big "
            rf"|second-hand )*{_GADGET})(?<!server)(?<! switch)"
        ),
        examples=(("I drive a 2017 Skoda Octavia.", "2017 Skoda Octavia"), ("I've got a ThinkPad X1 running Fedora", "ThinkPad X1 running Fedora"), ("we have a cabin up in the Adirondacks with solar", "cabin up in the Adirondacks with solar")),
        counterexamples=("I drive to work", "I have a question about my phone", "I own this task", "I have two files open and neither compiles.", "I have a problem with the car class"),
    ),
    Pattern(
        name="possession.bought", predicate="owns",
        regex=(
            r"(?:I|we)(?: just| recently| finally|'ve|'ve just| have| have just)? (?:bought|purchased|own|got myself"
            r"|picked up|drive|ride) (?:an? |the |my )(?:new |used |second-hand )?(?P<object>(?-i:[A-Z])[\w-]{1,20}"
            r"(?: (?-i:[A-Z0-9])[\w.-]{0,20}){1,3})"
        ),
        examples=(("I just bought a Canon R6.", "Canon R6"),),
        counterexamples=("I bought the book yesterday",),
    ),
    Pattern(
        name="possession.lost", predicate="owns", stance=Stance.DENY,
        regex=rf"(?:my|our) (?P<object>{_GADGET}) (?:got |was |has been )(?:stolen|totalled|totaled|scrapped|sold)\b",
        examples=(("My bike got stolen.", "bike"),),
        counterexamples=("My phone was charging",),
    ),
    Pattern(
        name="possession.switched", predicate="uses", stance=Stance.CORRECT,
        regex=(
            rf"(?:I|we)(?:'ve| have)?(?: just| recently)? (?:switched|moved|migrated|changed)(?: over)?"
            rf"(?: from [\w .+-]{{2,30}})? to (?P<object>{_TOOLS}|(?:an? )?(?:iphone|android|mac|macos|pixel|kindle"
            rf"|linux))\b"
        ),
        examples=(("I've switched from Android to iPhone", "iPhone"), ("I switched to Neovim", "Neovim")),
        counterexamples=("I switched to the main branch",),
    ),
    Pattern(
        name="possession.my_is", predicate="owns",
        regex=(
            r"(?:my|our) (?P<about>(?:main |work |home |personal |current |new |old |gaming |daily |primary "
            r"|second )*(?:camera|car|laptop|computer|machine|phone|bike|keyboard|monitor|guitar|piano|tablet|watch"
            r"|desktop|pc|workstation|router|printer|headphones|gpu|graphics card|rig|setup|vehicle|motorbike|tv"
            r"|console|lens|dev machine|os|distro|nas)) (?:is|are)(?: now| still| currently)? (?P<object>(?:an? "
            r"(?!bit|little|lot|mess|problem|nightmare|disaster)|(?=(?-i:[A-Z]))|(?=\d))[^\n.!?]{2,80})"
        ),
        examples=(("My camera is a Fuji X-T4, in case it matters for the lens advice.", "camera: Fuji X-T4"), ("my main machine is an M2 mac mini w/ 16 gigs of ram", "main machine: M2 mac mini w/ 16 gigs of ram")),
        counterexamples=("My laptop is slow", "My machine is a mess", "My phone is dead"),
    ),
    Pattern(
        name="possession.use", predicate="uses",
        regex=(
            rf"(?:(?:I|we){ADVERBS} (?:use|run|daily[- ]drive)|I'm (?:on|using)|my (?:editor|shell|browser|os|ide"
            rf"|terminal|distro|operating system|note-taking app|password manager|text editor|package manager)"
            rf"(?: of choice)?(?: is|'s)) (?P<object>{_TOOLS})\b(?!.{{0,60}}\b(?:wrong|here|errors?|fails?|crash\w*"
            rf"|but|it (?:says|prints))\b)"
        ),
        examples=(("I use Neovim on all my machines.", "Neovim"), ("I'm on Fedora", "Fedora"), ("My editor is Helix", "Helix")),
        counterexamples=("I use the wrong branch, one sec.", "I'm using your last snippet", "I run git and it fails"),
    ),
)
