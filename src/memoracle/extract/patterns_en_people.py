"""English, said more freely: people and animals of somebody's life, and how to reach them."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import KIN, NAME, TITLED
from memoracle.model.claim import Stance

_MAIL = r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,40}){1,5}"
_PHONE = r"\+?\(?\d[\d() .-]{5,18}\d"
_URL = r"(?:https?://)?(?:www\.)?[\w-]{2,60}\.(?:[\w-]{2,60}\.){0,3}[a-z]{2,10}(?:/[^\s,;]{0,100})?"
_HANDLE = r"(?:@[\w][\w.#-]{1,40}|(?=[\w.-]{0,40}[\d_#.-])[\w][\w.#-]{1,40}\w|(?-i:[a-z]{4,30}))"
_NET = (
    r"(?:insta(?:gram)?|twitter|mastodon|github|gitlab|codeberg|telegram|discord|bluesky|linkedin|slack|signal"
    r"|reddit|tiktok"
    r"|twitch|youtube|facebook|whatsapp|threads|snapchat|skype|steam|matrix|irc|npm|pypi|etsy|ravelry|strava"
    r"|goodreads"
    r"|letterboxd|stack ?overflow|hacker news|venmo|paypal|vinted|ebay|zoom|teams|wechat|line|viber|x)"
)
_PRO = (
    r"(?:gp|doctor|dentist|therapist|counsell?or|psychiatrist|physio(?:therapist)?|midwife|nurse|cardiologist"
    r"|optician"
    r"|coach|trainer|lawyer|solicitor|accountant|landlord|landlady|babysitter|nanny|childminder|cleaner|carer|vet"
    r"|tutor"
    r"|teacher|professor|pastor|priest|vicar|rabbi|imam|hairdresser|barber|plumber|electrician|builder|mechanic"
    r"|gardener"
    r"|estate agent|agent|editor|go-to(?: person)?|counterpart|client|tenant|contact|point of contact|case ?worker"
    r"|social worker|instructor|key worker|designer|architect|tech support|admin|product owner|scrum master|reviewer)"
)
_ROLE = (
    rf"(?:(?:new|old|closest|best|favou?rite|former|ex|late|long-time|oldest|only|other|\w+ing"
    rf"|[\w-]+) ){{0,2}}(?P<role>{KIN})"
)
_SOMEBODY = (
    rf"(?:(?:my|our|the) (?:[\w-]+ ){{0,2}}?(?:{KIN}|{_PRO}|shop|school|office|surgery|clinic|practice|bank|club"
    rf"|church|nursery|hotel|garage|company|studio|team|restaurant|choir|pharmacy|helpdesk|reception|hospital)|mum"
    rf"|mom|dad|gran|grandma|{TITLED})"
)
_NO_NAME_END = r"(?=[.!,;)]*$|[.!,;)]| (?-i:[a-z]))"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # people
    Pattern(
        name="relationship.is_our", predicate="",
        regex=(
            rf"(?P<object>{TITLED})(?:,? (?:next door|upstairs|downstairs|(?:on|in|from|at|across) (?:the |my "
            rf"|our )?[\w' ]{{2,20}}))?"
            rf"(?: is|'s| was| has been| have been|'s been| became)(?: also| now| still| actually| basically)? "
            rf"(?:(?:my|our|mum's|mom's|dad's|my \w+'s) {_ROLE})(?![\w-])(?! (?:account|process|node|branch|project"
            rf"|class))"
        ),
        examples=(("Beto is my cousin on my mother's side.", "Beto"), ("Wendell is my walking buddy from the cardiac group", "Wendell"), ("Colin next door has been our neighbour for twenty years.", "Colin")),
        counterexamples=("This is my dog", "It's my boss calling", "Git is my friend process"),
    ),
    Pattern(
        name="relationship.professional", predicate="colleague",
        regex=(
            rf"(?P<object>{TITLED})(?:,? (?:next door|(?:on|in|from|at) (?:the )?[\w ]{{2,20}}))?(?: is|'s"
            rf"| has been)(?: still| now)? (?:my|our) "
            rf"(?:[\w-]+ ){{0,2}}?(?P<about>{_PRO})\b(?! (?:account|app|page|node|key|class|config))"
            rf"|(?:my|our) (?P<about>(?:[\w-]+ ){{0,2}}?{_PRO})(?:'s| is)(?: now| still| called"
            rf"| named)? (?P<object>{TITLED})(?=[.!,;]*$|[,;]| (?:now|and|from|at)\b)"
        ),
        examples=(("Dr. Popescu has been our family GP for ages.", "GP: Dr. Popescu"), ("My landlord is Herr Vogt", "landlord: Herr Vogt")),
        counterexamples=("Copilot is my editor config", "My doctor is very good"),
    ),
    Pattern(
        name="relationship.role_is", predicate="",
        regex=(
            rf"(?:my|our) {_ROLE}(?:'s| is| was| are)(?: now| still| called| named)? (?!(?:German|French|Italian"
            rf"|Irish|English|Polish|Indian|Chinese|Spanish|Dutch|American|Canadian|Catholic|Muslim|Jewish|Vegan"
            rf"|I)\b)"
            rf"(?P<object>{TITLED})(?<!ese)(?<!ish)(?=[.!,;]*$|[,;]| (?:now|and (?:he|she|they|I|we|my|it)|but"
            rf"|as of|these days|by the way)\b)"
        ),
        examples=(("My PM is Olga now, Steve left.", "Olga"), ("My head teacher is Mrs. Adeyemi.", "Mrs. Adeyemi")),
        counterexamples=("My wife is German", "My boss is Not amused here"),
    ),
    Pattern(
        name="relationship.apposed", predicate="", any_where=True,
        regex=(
            rf"(?P<object>{NAME})(?:,| -| –|,? (?:who|he|she)(?:'s| is)) (?:my|our) {_ROLE}{_NO_NAME_END}"
        ),
        examples=(("that barking in the voice note is Biscuit, my beagle", "Biscuit"), ("I work nights with Ngozi, she's my closest colleague on the ward.", "Ngozi")),
        counterexamples=("Thanks, my friend", "Ok, my boss is here"),
    ),
    Pattern(
        name="relationship.named", predicate="", any_where=True,
        regex=(
            rf"\b(?:an?|the|my|our|new|two|three) (?:[\w-]+ ){{0,2}}?(?P<role>{KIN})(?:'s| is| are"
            rf"|,)?(?: who is)? (?:called|named|by the name of|(?:and )?(?:his|her|its|their) names?(?:'s| is"
            rf"| are)) "
            rf"(?P<object>{NAME}(?:(?:,| and|, and) {NAME}){{0,3}}){_NO_NAME_END}"
        ),
        examples=(("the kids have a tortoise named Sheldon", "Sheldon"), ("We lost our old dog in May; the new pup's called Pepper.", "Pepper")),
        counterexamples=("a child process named Worker_3:", "the kid is called home"),
    ),
    Pattern(
        name="relationship.called_child", predicate="",
        regex=(
            rf"(?:we|I)(?:'ve| have)? (?:called|named|are calling|christened) (?:our|my"
            rf"|the) (?:[\w-]+ )?(?P<role>{KIN}) (?P<object>{NAME})"
            rf"|(?P<object>{NAME}) is what we (?:called|named) (?:our|my|the) (?P<role>{KIN})"
        ),
        examples=(("We called our daughter Isolde after my great-aunt.", "Isolde"),),
        counterexamples=("We called our manager yesterday",),
    ),
    Pattern(
        name="relationship.of_another", predicate="",
        regex=(
            rf"(?P<subject>{NAME})'s (?P<role>{KIN})(?:'s| is)(?: called| named|) (?P<object>{NAME})(?=[.!,;]*$"
            rf"|[,;]| (?:and|now)\b)"
        ),
        examples=(("Jasper's boyfriend is called Kwame.", "Jasper | Kwame"),),
        counterexamples=("Jasper's boss is angry",),
    ),
    Pattern(
        name="relationship.and_i", predicate="partner",
        regex=(
            rf"(?P<object>{NAME}) and I (?:have been|'ve been|are|were|are finally|just became"
            rf"|have) (?:\w+ly )?(?:together|married|an item|a couple|dating|seeing each other|going out"
            rf"|living together|in a relationship|engaged|expecting)"
            rf"|(?:I'm|I am|I've been|I have been|we're)(?: currently| now)? (?:seeing|dating|going out with"
            rf"|living with|in love with|engaged to|married to) (?:someone,? (?:called |named |(?:his|her"
            rf"|their) name(?:'s| is) ))?(?P<object>{NAME})(?![\w-])"
            rf"|(?:I )?(?:got|moved in|am moving in|am back) (?:together|in|back together) with (?P<object>{NAME})"
        ),
        examples=(("Mei and I have been together for seven years.", "Mei"), ("I'm seeing someone, his name's Bram.", "Bram")),
        counterexamples=("Mei and I have been pairing", "I'm seeing double"),
    ),
    Pattern(
        name="relationship.terms", predicate="relative", whole=True,
        regex=(
            rf"(?P<object>(?:my|our) {KIN}(?: {NAME})? and I (?:are|aren't|haven't been|have been|don't|no longer"
            rf"|hardly|rarely|never) (?:\w+ )?(?:estranged|close|twins|speak(?:ing)?|on speaking terms|in touch"
            rf"|talk(?:ing)?|get on|get along|best friends)\b)"
            rf"|(?P<object>(?:my|our) {KIN}(?: {NAME})?) (?:live|lives|has moved in|have moved in|moved in"
            rf"|stays)(?: permanently)? (?:with (?:us|me)|next door|upstairs|downstairs)\b"
            rf"|(?!it\b|this|that|he\b|she\b|who)(?P<object>{NAME}) (?:lives|stays|has moved in"
            rf"|moved in) with (?:us|me)\b"
        ),
        examples=(("My brother and I are estranged, have been since the inheritance.", "My brother and I are estranged"), ("my mother-in-law lives with us", "my mother-in-law"), ("Nonna Lucia lives with us upstairs.", "Nonna Lucia")),
        counterexamples=("My boss and I are busy", "It lives with us"),
    ),
    Pattern(
        name="relationship.shares", predicate="friend",
        regex=(
            rf"(?:I|we) (?:share|rent|split) (?:an?|the|our|my) (?:flat|house|room|apartment|office|place|studio"
            rf"|allotment)(?: \w+)? with (?:my \w+ )?(?P<object>{NAME})"
            rf"|I (?:live|lodge|room|flatshare) with (?!(?:Python|Windows|Git)\b)(?P<object>{NAME})(?=[.!,]*$|[,;]"
            rf"| and )"
        ),
        examples=(("I share the flat with Tomasz, a chef.", "Tomasz"),),
        counterexamples=("I share the file with everyone",),
    ),
    Pattern(
        name="relationship.alone", predicate="marital_status", importance=0.8,
        regex=(
            r"(?:(?:I'm|I am|I've been) (?:an? )?(?:happily |recently |newly |long )?(?P<object>widow(?:er|ed)?"
            r"|bachelor(?:ette)?|divorc[eé]e|spinster|unmarried|a newlywed|newlywed|childless|childfree|separated"
            r"|single)(?= since| for| and| with|[.!,;]|$)"
            r"|I (?P<object>never married|never had (?:kids|children))\b|(?:I(?:'ve got| have)|we(?:'ve got| have)"
            r"|) ?(?P<object>no (?:kids|children|siblings|brothers or sisters|pets))(?=[.!,;]| and | but "
            r"| of my own|$)"
            r"|(?:we're|we are|I'm) (?P<object>expecting(?: (?:a baby|twins|our (?:first|second|third)(?: child)?"
            r"|a (?:boy|girl)))?)(?=[.!,;]| in | and |$)"
            r"|(?:my|our) (?P<object>divorce) (?:is|was|came through|went through|got))"
        ),
        examples=(("I've been a widow since 2016.", "widow"), ("No kids, and none planned.", "No kids"), ("We're expecting twins in June", "expecting twins")),
        counterexamples=("We're expecting an error", "I'm single-threading this", "no kids menu here"),
    ),
    Pattern(
        name="relationship.parent_of", predicate="child",
        regex=(
            r"(?:I'm |I am |)(?:an? )?(?:(?:proud|single|new|happy|exhausted|tired|busy|working|stay-at-home"
            r"|foster|first-time) )*"
            r"(?:mum|mom|mother|dad|father|parent|uncle|aunt|auntie|gran|grandma|grandmother|grandad|grandpa"
            r"|grandfather|nan|godmother|godfather|stepmum|stepdad) (?:of|to) "
            r"(?P<object>(?:an? |one |two |three |four |five |six |\d |twin |teenage |little |small |boy-girl "
            r"|(?:\w+-)?year-old )*(?:twins?|triplets|boys?|girls?|kids?|children|sons?|daughters?|teenagers?"
            r"|toddlers?|little ones|one|two|three|four|five|six|\d))\b"
            r"|(?:we|I)(?: currently)? (?P<object>(?:foster|adopted|are adopting|am adopting"
            r"|are fostering) (?:an? |two |three |four )?(?:\w+ )?(?:siblings|kids|children|child|baby|boy|girl"
            r"|brothers|sisters|teenager|teen|cats?|dogs?|greyhounds?))"
        ),
        examples=(("Mum of twins here, send help", "twins"), ("proud uncle of triplets since tuesday", "triplets"), ("We foster two siblings, aged six and eight.", "foster two siblings")),
        counterexamples=("Father of modern computing", "I adopted the pattern"),
    ),
    Pattern(
        name="relationship.bare_count", predicate="", first=False,
        regex=(
            r"(?P<object>(?:one|two|three|four|five|\d|an?)(?: (?:rescue|old|young|grown|teenage|small|little"
            r"|elderly|adopted|black|ginger|grown-up))? (?P<role>cats?|dogs?|rabbits|hens|chickens|parrots?"
            r"|horses?|kids|children|daughters?|sons?|sisters?|brothers?|siblings|puppy|kitten))"
            r"(?=[.!]*$|,| and (?:an?|one|two|three|no) )(?<!a kid)"
        ),
        examples=(("31, qa at a bank, two cats, no dairy pls", "two cats"),),
        counterexamples=("two cats are fighting", "two files"),
    ),
    Pattern(
        name="relationship.lost", predicate="pet", stance=Stance.DENY,
        regex=(
            rf"(?:we|I) (?:had to (?:put|have)|put|just put) (?:my |our |old |poor "
            rf"|dear )*(?P<object>{NAME}) (?:down|to sleep|put down|put to sleep)\b"
            rf"|(?:my|our) (?:[\w-]+ )?(?:dog|cat|rabbit|horse|hamster|pony|parrot|puppy"
            rf"|kitten),? (?P<object>{NAME}),? (?:died|passed away|is no longer with us|crossed the rainbow bridge)"
            rf"|(?P<object>{NAME}) (?:passed away|crossed the rainbow bridge|is no longer with us)\b"
        ),
        examples=(("we had to put old Bruno down in March", "Bruno"),),
        counterexamples=("we had to put the server down",),
    ),
    Pattern(
        name="relationship.bereaved", predicate="", stance=Stance.DENY,
        regex=(
            rf"(?:we|I)(?:'ve| have)?(?: just| recently)? lost (?P<object>(?:my"
            rf"|our) (?:[\w-]+ )?(?P<role>{KIN})(?: {NAME})?)(?=[.!,;]| (?:in|last|to|this|two|three|when|a|on|and"
            rf"|after|years?)\b|$)"
            rf"|(?P<object>(?:my|our) (?:late )?(?P<role>{KIN})(?: {NAME})?) (?:died|passed away|passed|is dead"
            rf"|has died|is no longer with us)(?=[.!,;]| (?:in|last|of|from|this|two|three|when|a|on|and|after"
            rf"|years?|at)\b|$)"
        ),
        examples=(("I lost my husband in 2019.", "husband"), ("My dad passed away last spring", "dad")),
        counterexamples=("I lost my place", "My branch died"),
    ),
    Pattern(
        name="relationship.plural", predicate="",
        regex=(
            rf"(?P<object>{NAME}(?:,? (?:and|&) {NAME}|, {NAME}){{1,3}}) are (?:my"
            rf"|our) (?:[\w-]+ ){{0,2}}(?P<role>{KIN}s?|(?:band|team|class|room|house|flat)mates|parents"
            rf"|grandparents|in-laws)(?![\w-])|(?:my|our) (?:late|dear|poor|old|dearest|beloved|ex"
            rf"|former) (?P<role>{KIN}),? (?P<object>{NAME})|(?:I )?(?:got|have) (?:my|a|our) (?:first |new "
            rf"|second )(?P<object>(?P<role>grandson|granddaughter|grandchild|nephew|niece|great-grandson|baby"
            rf"|puppy|kitten))(?! (?:monitor|name))"
        ),
        examples=(("My late father Ernesto was a tailor.", "Ernesto"), ("Got my first grandson in April", "grandson")),
        counterexamples=("Rust and Go are my tools",),
    ),
    Pattern(
        name="relationship.split", predicate="partner", stance=Stance.DENY,
        regex=(
            rf"(?:I )?(?:broke up|split up|split|parted ways|am no longer) with (?P<object>(?:my )?(?:{NAME}"
            rf"|girlfriend|boyfriend|partner))(?![\w-])"
        ),
        examples=(("I broke up with Tomasz in May", "Tomasz"),),
        counterexamples=("I split with the comma",),
    ),
    # contact
    Pattern(
        name="contact.mail_of", predicate="email", label_free=True,
        regex=(
            rf"(?:(?:{_SOMEBODY})(?:'s|s')? |(?:my|our|new|work|private|personal|school|business|billing|main"
            rf"|contact|support|the) |)(?:[\w-]+ ){{0,3}}?(?:e-?mail|mail|address|inbox|account|contact|post"
            rf"|invoices?|questions|applications|office|one)?(?: address| account)?"
            rf"(?: for [\w ]{{3,25}})?(?: is| are|'s|:| go(?:es)? to| to|,| -| =| now| at| works best"
            rf"| via)+ (?P<object>{_MAIL})(?![^\n]{{0,60}}\b(?:fixture|regex|test|fails?|error|invalid|bounces?"
            rf"|bounced|column|row)\b)"
            rf"|(?:use|put|take) (?P<object>{_MAIL}) (?:as|for) (?:my|our|the|all|everything|anything|work|invoices"
            rf"|contact)\b[^\n]{{0,40}}"
            rf"|(?P<object>{_MAIL})(?: is|'s| was|,)(?: now| still)? (?:my|our|mine|the (?:best|right|new|one)"
            rf"|where (?:you|to)|for (?:work|private|invoices|everything|anything)|that's (?:me|us|mine))\b"
            rf"|(?:you can |please |just )*(?:write|mail|e-?mail|reach|contact|send)(?: (?:it|them|that|everything"
            rf"|stuff|invoices))?(?: to)? (?:me|{_SOMEBODY}) (?:at|on|via|under|to) (?P<object>{_MAIL})"
        ),
        examples=(("New address: d.moreau@pm.me, the gmail is dead.", "d.moreau@pm.me"), ("The school office is office@hillcrest.example.", "office@hillcrest.example"), ("Use hello@paperkite.studio as our contact in the footer.", "hello@paperkite.studio")),
        counterexamples=("Add alice@example.com to the fixture", "The regex should match foo@bar.example but not foo@bar.", "git config user.email bot@ci.example", "example of user@domain.tld"),
    ),
    Pattern(
        name="contact.phone_of", predicate="phone", label_free=True,
        regex=(
            rf"(?:(?:{_SOMEBODY})(?:'s|s')? |(?:my|our|the|new|work|home|office"
            rf"|private) )?(?!(?:\w+ ){{0,3}}(?:customer|account|order|vat|tax|reference|ref|serial|policy|member"
            rf"|membership|flyer|card|booking|ticket|invoice|case|passport|iban|id|part|model|version|line|room|lot"
            rf"|batch|emergency) (?:number|line))(?:[\w-]+ ){{0,2}}?(?:number|mobile|cell|phone|landline|fax|tel"
            rf"|telephone|direct line|line|hotline|extension|whatsapp)(?: number)?"
            rf"(?: is|'s|:|,| -| =| now| has changed to| changed to| for \w+| at work| at home"
            rf"| ends? in [\d ]{{2,8}}, full number){{0,2}} (?P<object>{_PHONE})(?![\w%])"
            rf"|(?:{_SOMEBODY})(?: {NAME})?(?:'s [\w-]+)?(?: is|'s| can be reached| is reachable| answers| picks up"
            rf"|,)(?: best)? (?:on|at|under|via) (?P<object>{_PHONE})(?![\w%])"
            rf"|(?:my|our) (?:[\w-]+ ){{0,2}}?(?:{KIN}"
            rf"|{_PRO})(?: is)?,? [^\n\d]{{2,30}}, (?P<object>{_PHONE})(?![\w%])"
            rf"|I'm (?:on|at) (?P<object>{_PHONE}|ext(?:ension|\.)? \d{{2,6}})(?![\w%])|(?:my "
            rf"|ask for )?(?:ext(?:ension|\.)?) (?:is )?(?P<object>\d{{2,6}})(?=[.!,]|$)|(?:you can |just "
            rf"|please )*(?:call|ring|text|phone|reach|try|get|catch)(?: or \w+)? (?:me|us|{_SOMEBODY}) (?:on|at"
            rf"|under|via|:) ?(?P<object>{_PHONE})(?![\w%])"
            rf"|(?P<object>{_PHONE})(?: is|'s|,) (?:my|our|the|that's) (?:[\w'-]+ ){{0,3}}(?:number|mobile|cell"
            rf"|phone|landline|line|me|us|mine)\b"
        ),
        examples=(("The shop's number is 0161 496 0733.", "0161 496 0733"), ("mum's mobile 0421 555 019", "0421 555 019"), ("Our plumber Baz is on 07700 900230.", "07700 900230")),
        counterexamples=("invalid phone number: 555-ABCD", "The number is 12", "My phone is dying"),
    ),
    Pattern(
        name="contact.handle_of", predicate="handle", label_free=True,
        regex=(
            rf"(?:(?:my|our|{NAME}'s) )?(?P<about>{_NET})(?: (?:handle|username|user ?name|user|name|id|account"
            rf"|nick|tag|profile|channel))?(?: is|'s|:| =|,)? (?:under |as )?(?P<object>@[\w][\w.#-]{{1,40}}"
            rf"|(?=[\w.-]{{0,40}}[_#])[\w][\w.#-]{{1,40}})(?![\w/])"
            rf"|(?:(?:my|our|{NAME}'s) )?(?P<about>{_NET}) (?:handle|username|user ?name|nick|tag)(?: is|'s|:"
            rf"| =) (?P<object>{_HANDLE})(?![\w/])"
            rf"|(?:my|our|{NAME}'s) (?:handle|username|user ?name|nick|nickname|tag|account|screen name"
            rf"|gamertag)(?: is|'s|:) (?P<object>{_HANDLE}"
            rf"|(?-i:[A-Z])[\w.-]{{2,30}})(?: on (?P<about>{_NET}))?(?![\w/])"
            rf"|(?:I'm|I am|we're|you'll find (?:me|us)|you can find (?:me|us)|find (?:me|us)|follow (?:me|us)"
            rf"|add me|dm me|(?:my|our) {KIN}(?:'s| is)|{NAME}(?:'s| is))(?: on| over on)? (?P<about>{_NET}) (?:as"
            rf"|under|at|:|is) ?(?P<object>{_HANDLE})(?![\w/])"
            rf"|(?:I'm|I am|we're|find (?:me|us)|follow (?:me|us)|add me|dm me|add us)(?: as| at"
            rf"| under)? (?P<object>{_HANDLE}) on (?P<about>{_NET})(?![\w-])"
        ),
        examples=(("discord is BlueHeron#2231", "discord: BlueHeron#2231"), ("GitLab handle: hnadar", "GitLab: hnadar"), ("My sister's on Telegram as lulu_in_lagos", "Telegram: lulu_in_lagos"), ("I'm kwok_dev on GitHub", "GitHub: kwok_dev")),
        counterexamples=("github is down", "discord is annoying", "handle the error in the caller", "I'm new on GitHub"),
    ),
    Pattern(
        name="contact.site_of", predicate="website", label_free=True,
        regex=(
            rf"(?:my|our|here's my|here's our|{NAME}'s) (?:[\w-]+ ){{0,2}}?(?:site|website|blog|shop|store|page"
            rf"|homepage|portfolio|profile|channel|newsletter|podcast|webshop|docs|repo|github|linkedin|instagram"
            rf"|etsy|cv|calendar|booking link|link)"
            rf"(?: is| lives| sits|'s|:| is at| has moved| moved| at| to| up| now"
            rf"| for [\w ]{{2,20}})+:? ?(?P<object>(?=[^\s]{{0,80}}[a-z]\.[a-z]){_URL})(?![^\n]{{0,40}}\b(?:down"
            rf"|broken|slow|error|fails?|404|500)\b)"
            rf"|(?:I|we) (?:stream|post|write|blog|publish|sell|upload|host|share|put \w+)(?: [\w]+){{0,3}} (?:on"
            rf"|at|under|to) (?P<object>{_URL})"
            rf"|(?P<object>{_URL}) is (?:my|our) (?:[\w-]+ ){{0,2}}(?:site|website|blog|shop|store|page|portfolio"
            rf"|profile|channel|podcast)"
        ),
        examples=(("my blog lives at birdingwithwalt.example", "birdingwithwalt.example"), ("i stream on twitch.tv/solderqueen", "twitch.tv/solderqueen"), ("Our web shop is brambletea.example.", "brambletea.example")),
        counterexamples=("website is down again", "my site is slow", "Check out https://news.ycombinator.com/item"),
    ),
    Pattern(
        name="contact.reach", predicate="handle", label_free=True,
        regex=(
            rf"(?:(?:you'll|you can|you will)(?: best| always| usually| only)? (?:reach|get|find|catch|contact)"
            rf"|best (?:to )?(?:reach|contact|get|catch)|(?:reach|contact) me(?= (?:on|via|by|through)\b)"
            rf"|(?:always |please |only )+(?:reach|contact|message|text)|I'm (?:best reached|easiest to reach"
            rf"|reachable|only reachable|best contacted)) ?(?:me|us)?(?: best| only| always)? (?:on|via|by|through"
            rf"|over|at) (?P<object>(?:{_NET}|e-?mail|mail|phone|text|sms|post|letter|landline|pager|radio|fax"
            rf"|imessage)\b[^\n.!?]{{0,40}})"
            rf"|(?:the )?(?:best|quickest|easiest|fastest|only|surest|safest) (?:way|time|place|channel|number"
            rf"|thing) to (?:reach|get|contact|catch|call|ring|find|get hold of)(?: hold of)? (?:me|us"
            rf"|{_SOMEBODY})(?: by \w+| during \w+)?(?: is|'s|:)(?: via| on| by)? (?P<object>[^\n]{{2,80}})"
        ),
        examples=(("You'll reach me on Signal, not WhatsApp.", "Signal"), ("The quickest way to reach us is #ops-night on Slack.", "#ops-night on Slack"), ("Best time to get me by phone is between six and eight.", "between six and eight")),
        counterexamples=("You can reach the server on port 80", "Feel free to reach out.", "the best way to get there is by bus"),
    ),
    Pattern(
        name="contact.post", predicate="handle", label_free=True, whole=True,
        regex=(
            r"(?:[\w' ]{0,40}?(?:goes|go|sent|send|write|is|to|at|:) )?(?:to )?(?:(?:my|our"
            r"|the) )?(?P<object>(?:po|p\.o\.) box \d[\w -]{0,40}(?:, [\w ]{2,30})?)"
        ),
        examples=(("Post goes to P.O. Box 77, Reykjavik.", "P.O. Box 77, Reykjavik"),),
        counterexamples=("post goes through fine",),
    ),
)
