"""English: who somebody is, what they are called, their health, and what must never happen to them."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, FOLKS, I_AM, KIN, LOOSE_NAME, NAME, THING, TITLED, am, who
from memoracle.model.claim import Stance

_NATION = (
    r"(?:american|british|english|scottish|irish|welsh|canadian|australian|german|dutch|french|swiss|greek|czech"
    r"|slovak|thai|turkish|turk|polish|danish|dane|swedish|swede|finnish|finn|norwegian"
    r"|icelandic|italian|spanish|portuguese|brazilian|mexican|argentin(?:e|ian)|chilean|colombian|peruvian"
    r"|venezuelan|cuban|indian|pakistani|bangladeshi|nepali|sri lankan|chinese|japanese|korean|vietnamese"
    r"|filipino|filipina"
    r"|indonesian|malaysian|singaporean|taiwanese|hong konger|mongolian|russian|ukrainian|belarusian|romanian"
    r"|bulgarian|hungarian|austrian|belgian|serbian|croatian|bosnian|slovenian|albanian|estonian|latvian"
    r"|lithuanian"
    r"|israeli|palestinian|lebanese|syrian|iraqi|iranian|persian|saudi|egyptian|moroccan|algerian|tunisian"
    r"|nigerian|ghanaian|kenyan|ethiopian|south african|new zealander|kiwi|european|african|asian|latina|latino"
    r"|kurdish|armenian|georgian)"
)
_TRAIT = (
    r"(?:vegetarian|vegan|pescatarian|left-handed|right-handed|introvert|extrovert|night owl|early bird"
    r"|morning person|atheist|christian|muslim|jewish|jew|hindu|buddhist|sikh|catholic|protestant"
    r"|agnostic|non-?binary|trans|transgender|gay|lesbian|bisexual|bi|queer|straight|asexual|deaf|blind"
    r"|hard of hearing|colou?r-?blind|immigrant|expat|veteran|feminist|minimalist|perfectionist|teetotal(?:er)?"
    r"|orphan|only child|native (?:english |spanish |german |\w+ )?speaker|kosher|halal"
    r"|adhd|autistic|dyslexic|neurodivergent|night person|dog person|cat person|homebody|parent|(?:single )?"
    r"(?:mother|father|mom|mum|dad)(?: of \w+)?|grandmother|grandfather|refugee)"
)
_ILL = (
    r"(?:(?:(?:type|stage) ?(?:[12i]{1,2}|one|two) |lactose |gluten |fructose |histamine |chronic |severe |mild "
    r"|seasonal |bad |high |low |clinical "
    r"|celiac |coeliac |rheumatoid |atrial |generali[sz]ed |mild |heart |kidney |liver |thyroid |bipolar |sleep "
    r"|panic |eating |autoimmune |food |pollen |peanut |nut )*"
    r"(?:diabetes|asthma|epilepsy|migraines?|hypertension|blood pressure|cholesterol|arthritis|depression|anxiety"
    r"|adhd|add|autism|asperger'?s|ocd|ptsd|celiac|coeliac|crohn'?s|ibs|ibd|lupus|eczema|psoriasis|insomnia"
    r"|an[a]?emia|cancer"
    r"|leuk[a]?emia|disease|disorder|syndrome|hay fever|tinnitus|vertigo|glaucoma|cataracts?|scoliosis|sciatica"
    r"|h[a]?emophilia|parkinson'?s|alzheimer'?s|dementia|ms|multiple sclerosis|fibromyalgia|endometriosis|pcos"
    r"|gout|apn[o]?ea|arrhythmia|fibrillation|dyslexia"
    r"|pacemaker|prosthesis|tachycardia|gastritis|gerd|reflux|ulcers?|hepatitis|hiv|covid|long covid|intolerance"
    r"|intolerant|(?:slipped|herniated) dis[ck]|bad (?:knee|back|hip|shoulder)s?|heart murmur|(?:back|knee|neck"
    r"|joint|nerve|chest|hip|shoulder) pain|pain|alcoholism|stutter|hearing loss|(?:trouble|difficulty"
    r"|problems) sleeping|kidney stones|cystic fibrosis|sickle cell|narcolepsy|tourette'?s|agoraphobia"
    r"|claustrophobia|vertigo|rosacea|carpal tunnel))"
)
_NO_NAME = (
    r"(?!(?:batman|superman|groot|spartacus|legion|error|warning|same|nothing|everyone|everything|not"
    r"|self-employed|retired|sorry|done|ready|back|here|good|fine|ok|okay|not|so|very|just|glad|happy|sad|tired"
    r"|lost|stuck|sure"
    r"|looking|trying|using|going|having|getting|working|writing|new|all|also|still|now|only|currently|really|free"
    r"|busy|late|home|alone|aware|afraid|curious|interested|confused|thinking|wondering|running|learning|planning"
    r"|hoping|ceo|cto|admin|root|online|offline|javascript|python|windows|linux|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday|excited|married|single|pregnant|vegetarian|vegan|christian|muslim|jewish|hindu|buddhist"
    r"|catholic|gay|trans|deaf|blind|dyslexic|autistic|diabetic|allergic|worried|hungry|sick|certain|able|about"
    r"|against|originally|formerly|born|raised|recently|always|never|an?|the|in|on|at|from|with|by|for|to|of|my|your|his|her)\b)"
)
_FOODS = r"(?:eat|drink|have|tolerate|digest|consume|take)"
_DOSE = r"(?:\d+(?:\.\d+)? ?(?:mg|mcg|ml|g|units?|iu|µg) (?:of )?)?"
_DRUG_HINT = (
    r"(?:\w{2,}(?:pril|olol|profen|azepam|zolam|dipine|triptan|traline|lukast|semide|thiazide|parin|gliptin"
    r"|glutide|zepine|phenidate|tidine|codone|tirizine|atadine|statin|sartan|formin|cillin|thyroxine|prazole"
    r"|oxetine|azole|mycin)|insulin|medication|meds|pills?|blood thinners?|antidepressants?|antihistamines?"
    r"|statins?|beta[- ]blockers?|birth control|the pill|vitamin \w+|iron|aspirin|steroids|supplements?|lithium"
    r"|xanax|zoloft|prozac|ritalin|adderall|advil|tylenol|inhaler|lexapro|wellbutrin|melatonin|methotrexate"
    r"|prednisone|warfarin|eliquis|ozempic|humira|creatine|hormones|levothyroxine|gabapentin|tramadol|paracetamol"
    r"|naproxen|epipen)"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # name
    Pattern(
        name="name.is", predicate="is_called",
        regex=(
            rf"(?:(?:my|our) (?:full |first |last |middle |real |given |legal |family |maiden |sur)?(?:name|nickname)"
            rf"|the name)(?:'s| is| was)(?: now| actually| still)? (?P<object>{TITLED}|{LOOSE_NAME}(?=[\s.,!]*$| and "
            rf"| but |,))(?! (?:on|in|for) the)"
        ),
        examples=(("My name is Anna.", "Anna"), ("my name is tobias", "tobias"), ("My full name is Henrik Aaltonen and I write it so", "Henrik Aaltonen")),
        counterexamples=("My name is not important.", "My name is on the list.", "my name is misspelled in the header file"),
    ),
    Pattern(
        name="name.called", predicate="is_called",
        regex=(
            rf"(?:(?:please |just |you can |you may |you could |everyone |everybody |people |friends |my friends "
            rf"|they |they all |most people |you should |(?:everyone|everybody|people|folks|friends|colleagues) (?:at"
            rf"|in|from) \w+ )?(?:calls? me|refer to me as)|I (?:go|am going|usually go) by|I'm (?:called|named)"
            rf"|I am (?:called|named)|they call me) (?:just )?(?P<object>{TITLED}|(?!crazy|old|back|later|when|if"
            rf"|maybe|stupid|paranoid|lazy|now|on|at|in|tomorrow|today|picky){LOOSE_NAME}(?=[\s.,!]*$|,| not "
            rf"| instead))(?! (?:when|if|back|later|at|tomorrow))"
        ),
        label_free=True,
        examples=(("you can call me Jules", "Jules"), ("I'm called Max", "Max"), ("I go by Tobi", "Tobi")),
        counterexamples=("Call me back at 5.", "call me when you are done", "Call me crazy but this works"),
    ),
    Pattern(
        name="name.i_am", predicate="is_called",
        regex=(
            rf"(?:I'm|I am|(?:this is|it's)(?= (?-i:[A-Z]\w+(?: [A-Z]\w+)?) (?:here|from|speaking)\b)) {_NO_NAME}"
            rf"(?!{_NATION}\b)(?P<object>(?-i:[A-Z][a-zà-ÿ'-]{{1,20}}"
            rf"(?: [A-Z][a-zà-ÿ'-]{{1,20}}){{0,2}}))(?=[.!]*$|,| and I'm| and I | from | here\b| btw| by the way|! "
            rf"| - )(?!'s)(?<!\bAI)"
        ),
        examples=(("I'm Priyanka, first time using this", "Priyanka"), ("So I'm Marisol, I'm 41", "Marisol"), ("I am Anna", "Anna"), ("This is Marcus from accounting", "Marcus")),
        counterexamples=("It's Shia Labeouf.", "I'm German.", "I'm Vegan", "I'm Canadian, so yes", "I'm Sorry", "I'm Christian and proud"),
    ),
    Pattern(
        name="name.i_am_small", predicate="is_called",
        regex=(
            rf"I'm {_NO_NAME}(?!{_NATION}\b)(?P<object>(?-i:[a-z]{{3,15}})) (?=I'm (?:an?|from|\d)|from \w+ and "
            rf"|and I'm (?:an?|from|\d))"
        ),
        examples=(("hey im dana im a vet in perth", "dana"),),
        counterexamples=("im happy im a vet",),
    ),
    Pattern(
        name="name.changed", predicate="is_called", stance=Stance.CORRECT,
        regex=(
            rf"I(?:'ve| have)?(?: just| legally| recently)? changed my (?:last |first |sur)?name(?: from {NAME})? to "
            rf"(?P<object>{NAME})"
        ),
        examples=(("I changed my name to Robin last year.", "Robin"),),
        counterexamples=("I changed my name in the settings to lower case",),
    ),
    Pattern(
        name="name.label", predicate="is_called", first=True,
        regex=rf"(?:(?:full |first |last )?name|nickname)\s?[:=]\s?(?P<object>{TITLED})(?=[.!,]*$|[,;]| and | - )",
        examples=(("Name: Ikechukwu Obi", "Ikechukwu Obi"),),
        counterexamples=("Name: required field", "File name: Report"),
    ),
    Pattern(
        name="name.here", predicate="is_called", first=True,
        regex=(
            rf"{_NO_NAME}(?P<object>(?-i:[A-Z][a-z]{{1,15}}(?: [A-Z][a-z]{{1,15}})?)) here(?=[,.!]| from\b| again\b"
            rf"| with\b|$)|(?:address|refer to) me (?:as|by) (?P<object>{TITLED})|(?:my parents|they) (?:named"
            rf"|christened|baptised) me (?P<object>{NAME})|(?:everyone|everybody|people|most people|friends"
            rf"|half the office)[\w ]{{0,20}} knows? me as (?P<object>{NAME})"
        ),
        label_free=True,
        examples=(("Mira here, joining from the design side", "Mira"), ("Address me as Dr. Amankwah, please", "Dr. Amankwah")),
        counterexamples=("Not here, over there", "Error here, see line 4", "Same here."),
    ),
    Pattern(
        name="name.not_anymore", predicate="is_called", stance=Stance.DENY,
        regex=(
            rf"(?:nobody|no one) calls me (?P<object>{NAME}) any ?more|I (?:don't|no longer) go by (?P<object>{NAME})"
            rf"(?: any ?more)?"
        ),
        examples=(("Nobody calls me Bobby anymore", "Bobby"),),
        counterexamples=("Nobody calls me anymore",),
    ),
    # identity
    Pattern(
        name="identity.age", predicate="age",
        regex=(
            rf"(?:(?:I'm|I am|I just turned|I turned|I'll be|I'm turning|I am turning)(?: now| already| almost"
            rf"| nearly)? (?P<object>\d{{1,3}})(?=[.!,]*$|,| and | years| yrs| y/?o| now| today| soon| last| this"
            rf"| in | on )(?! (?:minutes|hours|days|weeks|percent))|(?:I'm|I am) an? "
            rf"(?P<object>\d{{1,3}})[- ]years?[- ]old|(?:{FOLKS}) (?:is|turned|just turned|turns) "
            rf"(?P<object>\d{{1,3}}) years old)(?: years old| y/?o| yrs old)?"
        ),
        examples=(("I'm 34 and I was born in Bergen.", "34"), ("I am 29 years old", "29")),
        counterexamples=("I'm 5 minutes late", "I'm 90% sure", "I am 3 commits behind"),
    ),
    Pattern(
        name="identity.birthday", predicate="born_on", whole=True,
        regex=(
            rf"(?:(?:my|(?P<subject>(?:my|our) {KIN}(?: {NAME})?|{NAME})'s) (?:birthday|birth date|date of birth|dob"
            rf"|bday)(?: is|'s|:)(?: on)?(?: the)?|I was born(?: on)?(?: the)?(?= (?:\d{{1,2}}|(?-i:[A-Z])\w+ \d))"
            rf"|born on) (?P<object>[^.!?]{{0,40}}\d[^.!?,]{{0,20}}(?:, \d{{4}})?)"
        ),
        examples=(("My birthday is on 9 November.", "9 November"), ("I was born on May 5, 1990.", "May 5, 1990"), ("Anna's birthday is May 5", "Anna | May 5")),
        counterexamples=("My birthday is coming up",),
    ),
    Pattern(
        name="identity.born_in", predicate="is_from",
        regex=(
            rf"(?:{who('was born(?: and raised)? in', 'was born(?: and raised)? in')}|I grew up(?: mostly)? in"
            rf"|I was raised in) (?P<object>(?-i:[A-Z])[^.!?]{{1,60}}|\d{{4}}|an? (?:[\w-]+ ){{0,2}}(?:town|village"
            rf"|city|farm|family|suburb|island)[^.!?]{{0,60}})"
        ),
        examples=(("I was born in Tromsø.", "Tromsø"), ("I grew up in Leeds", "Leeds")),
        counterexamples=("I was born in the wrong decade",),
    ),
    Pattern(
        name="identity.from", predicate="is_from",
        regex=(
            rf"(?:{am('(?:originally |a native )?from')}|I(?: originally)? come(?: originally)? from|(?:I|my family) "
            rf"(?:hails?|came)(?: originally)? from|I was born in) (?P<object>(?-i:[A-Z])[^.!?]{{1,60}})"
        ),
        examples=(("I'm originally from Lagos but grew up in Leeds", "Lagos"), ("I come from Portugal", "Portugal")),
        counterexamples=("I'm from the old school when it comes to loops", "I'm from time to time lost"),
    ),
    Pattern(
        name="identity.speaks", predicate="speaks",
        regex=(
            rf"(?:{who('(?:can |fluently )?speak(?: fluent| fluently| native| a little| a bit of| some| only| both)?', 'speaks(?: fluent| only| both)?')}"
            rf"|(?:my|our) (?:native|first|mother|second) (?:language|tongue)(?: is|'s)|{I_AM}{ADVERBS} (?:fluent"
            rf"|native|bilingual) in) (?P<object>(?-i:[A-Z])[^.!?]{{2,60}})"
        ),
        examples=(("I speak Portuguese and Catalan", "Portuguese and Catalan"), ("My native language is Dutch", "Dutch")),
        counterexamples=("I speak to the team every day",),
    ),
    Pattern(
        name="identity.nation", predicate="is",
        regex=(
            rf"{am(rf'(?:an? )?(?P<object>(?:half[- ])?{_NATION}(?:[- ](?:American|Canadian|British|Australian))?(?: citizen| national)?)')}"
            rf"(?=[.!,]*$|,| and | but | by | so | citizen| national|, )"
        ),
        examples=(("I am a Canadian citizen", "Canadian citizen"), ("I'm Brazilian.", "Brazilian")),
        counterexamples=("I'm Sorry about that", "I'm English-only in this file"),
    ),
    Pattern(
        name="identity.trait", predicate="is",
        regex=(
            rf"{am(rf'(?:an? |the )?(?P<object>(?:strict |lifelong |devout |practicing |practising |big |total |committed |proud )*{_TRAIT})')}"
            rf"(?=[.!,]*$|[,.!;]| and | but | so | by | since | for | with | because | these| now| -)"
        ),
        examples=(("I'm a vegetarian, have been since college.", "vegetarian"), ("I am left-handed", "left-handed"), ("I'm vegan, by the way", "vegan")),
        counterexamples=("I'm not a vegetarian", "I'm a bit lost", "I'm blind to this bug"),
    ),
    Pattern(
        name="identity.my_is", predicate="is",
        regex=(
            r"(?:my|our) (?P<about>pronouns|gender|nationality|citizenship|religion|zodiac sign|star sign|mbti"
            r"(?: type)?|personality type|ethnicity|sexual orientation|faith|height|shoe size|clothing size"
            r"|eye colou?r|hair colou?r|native country|mother tongue|first language) (?:is|are|'s) (?P<object>(?!none"
            r"|not|set|wrong|off|missing|null|irrelevant|private)[^\n!?,]{1,40}?)(?=[.!]*$|[,;]| and | but | so )"
        ),
        examples=(("My pronouns are they/them.", "pronouns: they/them"), ("My shoe size is 42", "shoe size: 42")),
        counterexamples=("My religion is none of your business, ok?", "My height is set by the parent div"),
    ),
    Pattern(
        name="identity.first_language", predicate="speaks",
        regex=(
            r"(?P<object>(?-i:[A-Z])[a-z]{3,15}) is (?:not )?my (?:first|native|second|third|mother) (?:language"
            r"|tongue)"
        ),
        examples=(("Spanish is my first language.", "Spanish"),),
        counterexamples=("Python is my first choice",),
    ),
    Pattern(
        name="identity.and_trait", predicate="is",
        regex=rf"(?:I'm|I am) [^\n.!?]{{2,40}}? and (?:an? )?(?P<object>{_TRAIT})(?=[.!,]*$|[,.!;])",
        examples=(("I'm tall and left-handed.", "left-handed"),),
        counterexamples=("I'm tired and lost",),
    ),
    Pattern(
        name="identity.label", predicate="born_on", first=True, whole=True,
        regex=(
            r"(?:dob|date of birth|born|birthday|birth date)\s?[:=]?\s(?:on )?(?P<object>\d{1,4}[./ -](?:\d{1,2}"
            r"|[a-z]{3,9})[./ -]\d{2,4}|(?:\d{1,2} )?(?:january|february|march|april|may|june|july|august|september"
            r"|october|november|december)(?: \d{1,2})?(?:,? \d{4})?)(?=[.!,]*$)"
        ),
        examples=(("DOB 14/02/1988", "14/02/1988"), ("Birthday: 9 November", "9 November")),
        counterexamples=("Born to run",),
    ),
    Pattern(
        name="identity.passport", predicate="is",
        regex=(
            rf"I (?:hold|have|carry)(?: both)? an? (?P<object>{_NATION}(?: and (?:an? )?{_NATION})?) (?:passport"
            rf"|citizenship)"
        ),
        examples=(("I hold both a Chilean and a Swiss passport.", "Chilean and a Swiss"),),
        counterexamples=("I have a passport check in the code",),
    ),
    Pattern(
        name="identity.my_language", predicate="speaks",
        regex=(
            r"my (?P<object>(?:english|spanish|french|german|italian|portuguese|dutch|russian|polish|turkish|arabic"
            r"|hebrew|hindi|chinese|mandarin|cantonese|japanese|korean|swedish|norwegian|danish|finnish|greek"
            r"|czech)) (?:is|isn't) (?:pretty |quite |very |really |only |a bit |not )*(?:decent|good|rusty|basic"
            r"|fluent|bad|poor|passable|conversational|terrible|ok|okay|great|perfect|limited|intermediate|native"
            r"|weak)"
        ),
        examples=(("My Spanish is decent", "Spanish"),),
        counterexamples=("My English teacher is good",),
    ),
    Pattern(
        name="identity.raised", predicate="is_from",
        regex=r"I'm (?:born and (?:bred|raised) in|born in|raised in) (?P<object>(?-i:[A-Z])[^.!?,]{1,40})",
        examples=(("Born and bred in Kerry, though you can't hear it", "Kerry"),),
        counterexamples=("I'm born for this",),
    ),
    Pattern(
        name="identity.turning", predicate="age",
        regex=r"I'm turning (?P<object>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)\b",
        examples=(("Turning forty-one in June", "forty-one"),),
        counterexamples=("Turning left",),
    ),
    Pattern(
        name="identity.as_a", predicate="is",
        regex=rf"as an? (?P<object>{_TRAIT})(?: person| man| woman)?,? I",
        examples=(("as a left-handed person i find these shortcuts painful", "left-handed"),),
        counterexamples=("as a rule I commit often",),
    ),
    Pattern(
        name="identity.not", predicate="is", stance=Stance.DENY,
        regex=(
            rf"(?:{I_AM} (?:no longer|not) (?:an? )?(?P<object>{_TRAIT})(?: any ?more| any longer)?|I (?:stopped"
            rf"|quit) being (?:an? )?(?P<object>{_TRAIT}))(?=[.!,]*$|[,.!;]| and | but | because )"
        ),
        examples=(("I'm no longer vegan.", "vegan"), ("I stopped being a vegetarian", "vegetarian")),
        counterexamples=("I'm no longer sure",),
    ),
    # health
    Pattern(
        name="health.allergy", predicate="allergic_to",
        regex=(
            rf"{am('(?:severely |highly |deathly |badly |mildly |very |extremely |deadly |slightly )*allergic to', by_name=True)} "
            rf"(?!(?:meetings?|mondays?|work|hard work|bullshit|nonsense|bad \w+|drama|mornings?|stupidity|fun|change"
            rf"|semicolons|java\w*|php|xml|regex\w*)\b){THING}"
        ),
        examples=(("I'm allergic to peanuts.", "peanuts"), ("my son is allergic to cashews so keep that in mind", "son | cashews"), ("Anna is allergic to shellfish", "Anna | shellfish")),
        counterexamples=("Am I allergic to anything?", "I'm not allergic to nuts", "I'm allergic to this bug"),
    ),
    Pattern(
        name="health.allergy_noun", predicate="allergic_to",
        regex=(
            rf"(?:{who('have', 'has')}|I've got|I suffer from|I've had) (?:an? )?(?:(?:severe|bad|serious|mild|slight"
            rf"|nasty) )?(?:allergy to {THING}|(?P<object>(?!no\b|any\b|my\b|some\b|many\b|food\b)[\w-]+"
            rf"(?: [\w-]+)?) allerg(?:y|ies)\b)"
        ),
        examples=(("I have a severe allergy to bee stings", "bee stings"), ("I have a peanut allergy", "peanut")),
        counterexamples=("I have no allergies",),
    ),
    Pattern(
        name="health.allergies_are", predicate="allergic_to",
        regex=(
            rf"(?:my|(?P<subject>(?:my|our) {KIN}|{NAME})'s) allerg(?:y|ies)(?: is| are|:|'s)(?: to)? (?!\w+ing\b|bad"
            rf"|worse|back|not|really|so\b|very|acting|terrible|awful){THING}"
        ),
        examples=(("My allergies are pollen and dust", "pollen and dust"),),
        counterexamples=("My allergies are killing me",),
    ),
    Pattern(
        name="health.not_allergic", predicate="allergic_to", stance=Stance.DENY,
        regex=(
            rf"{am('(?:not|no longer)(?: actually| really)? allergic to')} (?!an? (?:bit|little)|hard work|work"
            rf"|change){THING}"
        ),
        examples=(("I'm not allergic to nuts anymore", "nuts"),),
        counterexamples=("I'm allergic to nuts",),
    ),
    Pattern(
        name="health.diagnosed", predicate="has_condition",
        regex=(
            rf"(?:{am('(?:recently |just )?diagnosed with')}|(?:I was|I got|{FOLKS} (?:was|got))(?: recently"
            rf"| just)? diagnosed with|I've been(?: recently)? diagnosed with) {THING}"
        ),
        examples=(("I've been diagnosed with type 1 diabetes when I was eleven", "type 1 diabetes"), ("My mother was diagnosed with asthma", "mother | asthma")),
        counterexamples=("The bug was diagnosed with strace",),
    ),
    Pattern(
        name="health.has", predicate="has_condition",
        regex=(
            rf"(?:{who('(?:have|suffer from|live with|deal with|struggle with)(?: had| been living with)?', '(?:has|suffers from|lives with)')}"
            rf"|I've(?: got| had| always had)|I've been living with) (?:an? |the )?(?P<object>{_ILL})(?![\w-])(?! "
            rf"(?:in|on|of) (?:this|the|my) (?:code|function|class|file|if|loop))"
        ),
        examples=(("I have asthma.", "asthma"), ("I've had chronic migraine for ten years", "chronic migraine"), ("My dad has Parkinson's", "dad | Parkinson's")),
        counterexamples=("I have a condition in this if statement", "I have a question about generics"),
    ),
    Pattern(
        name="health.is", predicate="has_condition",
        regex=am(r"(?:an? )?(?P<object>(?:type (?:1|2|one|two) )?(?:diabetic|asthmatic|epileptic|lactose intolerant"
        r"|lactose-intolerant|gluten intolerant|gluten-intolerant|coeliac|celiac|pregnant|immunocompromised"
        r"|hypertensive|an[a]?emic|insulin[- ]dependent|claustrophobic|colou?r-?blind|deaf in [\w ]{2,20}"
        r"|blind in [\w ]{2,20}))") + r"\b",
        examples=(("I'm diabetic", "diabetic"), ("I think I might be lactose intolerant.", "lactose intolerant"), ("My wife is pregnant", "wife | pregnant")),
        counterexamples=("I'm not diabetic",),
    ),
    Pattern(
        name="health.cannot_eat", predicate="cannot_eat",
        regex=(
            rf"(?:{who(rf'''(?:can't|cannot|can not|must not|mustn't|shouldn't|am not allowed to|don't|do not) {_FOODS}''', rf'''(?:can't|cannot|can not|must not|mustn't|doesn't|does not|shouldn't) {_FOODS}''', by_name=True)}"
            rf"|{I_AM}(?: not| n't)? (?:unable|not able|not allowed) to {_FOODS}) (?P<object>(?!it\b|this|that|the "
            rf"|an? (?:look|seat|break)|access|time|any(?:thing)?\b|much|enough|to\b|the\b|one\b)(?:gluten|dairy|milk"
            rf"|lactose|meat|pork|beef|fish|seafood|shellfish|nuts?|peanuts?|eggs?|sugar|alcohol|caffeine|coffee"
            rf"|wheat|soy|spicy|raw|red meat|sweets|salt|cheese|bread|grapefruit|sushi|chicken|lamb|onions?|garlic"
            rf"|mushrooms?|tomatoes|citrus|chocolate|honey|solid|fried|ibuprofen|aspirin|penicillin"
            rf"|nsaids)[\w ,-]{{0,60}})"
        ),
        examples=(("I can't eat gluten", "gluten"), ("I don't eat pork", "pork"), ("My wife doesn't drink alcohol", "wife | alcohol")),
        counterexamples=("I can't have this function return None", "I don't eat lunch at the desk"),
    ),
    Pattern(
        name="health.medicine", predicate="takes_medicine",
        regex=(
            rf"(?:{who('(?:take|am taking|am on)', '(?:takes|is taking|is on)')}|I'm(?: taking| on)|I've been "
            rf"(?:taking|on)|I was prescribed|I've been prescribed|I need to take) (?:daily |my |some |a (?:low "
            rf"|high )?dose of )?(?P<object>\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?|iu|µg) (?:of )?\w{{3,30}}|{_DRUG_HINT}"
            rf"(?: \d+ ?(?:mg)?)?)\b(?=[.!,]*$|[,.!;]| (?:every|each|daily|for|twice|once|in the|at night|at bed|now"
            rf"|and|because|as|before|after|with|right|since|per|a day|when|to (?:treat|help|manage|control)))"
        ),
        examples=(("I take 20 mg of lisinopril every morning for my blood pressure", "20 mg of lisinopril"), ("I'm on insulin", "insulin"), ("I take metformin twice a day", "metformin")),
        counterexamples=("I take the train every morning", "I'm on it.", "I'm on vacation", "I take notes in class", "I'm taking a break"),
    ),
    Pattern(
        name="health.no_medicine", predicate="takes_medicine", stance=Stance.DENY,
        regex=(
            rf"(?:I (?:no longer|don't|do not) take|I (?:stopped|quit) (?:taking|using)|I'm (?:no longer|not) "
            rf"(?:taking|on)|I came off(?: the| my)?|I'm off|I was taken off) (?:my |the )?"
            rf"(?P<object>{_DOSE}{_DRUG_HINT})\b"
            rf"(?=[.!,]*$|[,.!;]| (?:any|since|for|now|because|in|last|this|as|after|on))"
        ),
        examples=(("I no longer take metformin, the doctor stopped it.", "metformin"), ("I stopped taking ibuprofen", "ibuprofen")),
        counterexamples=("I no longer take the bus", "I'm off today"),
    ),
    Pattern(
        name="health.blood", predicate="blood_type",
        regex=(
            r"(?:(?:my|the|our) )?blood (?:type|group)(?: is|'s|:) (?P<object>(?:AB|A|B|O|0) ?(?:rh ?)?(?:\+|-|−"
            r"|positive|negative|pos\b|neg\b)?)"
        ),
        examples=(("Blood type is O negative, in case the form asks.", "O negative"), ("My blood type is AB+", "AB+")),
        counterexamples=("Blood type is a column of the table",),
    ),
    Pattern(
        name="health.reaction", predicate="allergic_to",
        regex=(
            rf"(?P<object>(?!it\b|this|that|you|they|which|what|the (?:code|build|test))[\w' -]{{2,40}}?) (?:gives?"
            rf"|give) (?:me|(?P<subject>(?:my|our) {KIN})) (?:hives|a rash|rashes|migraines|asthma|anaphyla\w+"
            rf"|a reaction|stomach (?:aches?|pains?|cramps)|heartburn|headaches)|(?P<object>(?!it\b|this|that|you"
            rf"|which|what)[\w' -]{{2,40}}?) (?:makes?|make) (?:me|(?P<subject>(?:my|our) {KIN})) (?:break out|swell"
            rf"|itch|ill|violently ill|throw up|wheeze)|I(?:'m| am) (?:sensitive|intolerant|hypersensitive) to "
            rf"(?P<object>(?!your|this|that|the (?:tone|issue))[^\n.!?,]{{2,40}})|I (?:break out|get hives|get a rash"
            rf"|swell up|get sick) (?:from|when I (?:eat|touch|drink)|if I (?:eat|touch|drink)|after eating) "
            rf"(?P<object>[^\n.!?,]{{2,40}})"
        ),
        examples=(("Peanuts give me hives.", "Peanuts"), ("Shellfish makes me break out", "Shellfish"), ("I'm intolerant to fructose", "fructose")),
        counterexamples=("This gives me headaches", "It makes me ill", "The build gives me headaches"),
    ),
    Pattern(
        name="health.event", predicate="has_condition",
        regex=(
            rf"(?:{who('(?:had|have had|suffered|survived|had to have|am recovering from|am having|am getting|need|broke|tore|sprained|injured|fractured)', '(?:had|has had|suffered|survived|is recovering from|is having|broke)')}"
            rf"|I'm (?:recovering from|getting|having|scheduled for)|I've had|I just had) (?:an? |my |the )?"
            rf"(?P<object>(?:[\w-]+ ){{0,3}}(?:surgery|heart attack|stroke|seizures?|miscarriage|transplant|bypass"
            rf"|concussion|operation|c-section|chemo(?:therapy)?|dialysis|hip replacement|knee replacement|stent"
            rf"|panic attacks?|wrist|ankle|arm|leg|collarbone|rib|ribs|acl|meniscus|slipped disc|kidney stones?"
            rf"|nervous breakdown|burnout))(?=[.!,]*$|[,.!;]| (?:last|in|two|three|a|on|when|and|this|next|years?|\d"
            rf"|because|after|while|at))"
        ),
        examples=(("I had a heart attack two years ago.", "heart attack"), ("I'm recovering from knee surgery", "knee surgery"), ("I broke my ankle in May", "ankle")),
        counterexamples=("I had a crash in the parser", "I broke the build"),
    ),
    Pattern(
        name="health.aid", predicate="has_condition",
        regex=(
            rf"{who('(?:wear|use|carry|have|rely on|need)', '(?:wears|uses|carries|has|needs)')} (?:an? |my )?"
            rf"(?P<object>hearing aids?|wheelchair|pacemaker|insulin pump|prosthetic \w+|prosthesis"
            rf"|cochlear implants?|epi-?pens?|inhaler|cpap(?: machine)?|cane|crutches|stoma|colostomy bag"
            rf"|contact lenses|(?:reading )?glasses|service dog|guide dog|walker|braces(?= on my))\b(?! (?:class"
            rf"|component|widget))"
        ),
        examples=(("I wear hearing aids.", "hearing aids"), ("I carry an EpiPen in my left jacket pocket.", "EpiPen")),
        counterexamples=("I use a walker class", "I need braces around this"),
    ),
    Pattern(
        name="health.sober", predicate="has_condition",
        regex=(
            r"(?:I'm|I am|I've been|I have been) (?P<object>sober|in recovery|clean|in remission|cancer[- ]free"
            r"|in therapy|on dialysis|fully vaccinated|hard of hearing|legally blind|going through menopause"
            r"|trying to conceive|undergoing \w+)(?= (?:for|since|after|from|now|and|with)\b|[.!,]*$|[,.!;])"
        ),
        examples=(("I've been sober for three years", "sober"), ("I'm in remission", "in remission")),
        counterexamples=("I'm in production", "I'm sober enough to code"),
    ),
    Pattern(
        name="health.label", predicate="allergic_to", first=True, whole=True,
        regex=r"(?:food )?allerg(?:y|ies)\s?[:=]\s?(?! *(?:none|no\b|n/a))(?P<object>\w[^\n.!?]{2,80})",
        examples=(("Allergies: shellfish, latex.", "shellfish, latex"),),
        counterexamples=("Allergies: none",),
    ),
    Pattern(
        name="health.keep_off", predicate="cannot_eat",
        regex=(
            r"(?:I (?:have|need) to (?:stay off|avoid|stay away from|cut out|keep away from)|I've been told to "
            r"(?:stay off|avoid|stay away from|keep away from|cut out)|I'm not allowed(?: to (?:eat|drink|have))?|"
            r"(?:I )?can't (?:do|handle|tolerate|digest|stomach)) (?P<object>(?:gluten|dairy|milk|lactose|meat|pork"
            r"|beef|fish|seafood|shellfish|nuts?|peanuts?|eggs?|sugar|alcohol|caffeine|coffee|wheat|soy|spicy"
            r"(?: food)?|raw \w+|red meat|sweets|salt|grapefruit|citrus|chocolate|fried food|ibuprofen|aspirin"
            r"|penicillin)\b[^\n.!?,]{0,40})|(?P<object>[\w' -]{2,30}) (?:doesn't|don't|does not"
            r"|do not) agree with me\b(?! on)|(?P<object>[\w' -]{2,30}) (?:brings? me out in (?:hives|a rash|spots)"
            r"|could kill me|sends? me to (?:hospital|the hospital|the er))"
        ),
        examples=(("I have to stay off gluten, doctor's orders.", "gluten"), ("Dairy doesn't agree with me.", "Dairy"), ("Penicillin brings me out in hives.", "Penicillin")),
        counterexamples=("I have to avoid this bug", "They don't agree with me on this", "I can't handle errors here"),
    ),
    Pattern(
        name="health.with_my", predicate="has_condition",
        regex=(
            rf"(?:with|because of|due to|given|since) my (?P<object>{_ILL})(?![\w-])|(?P<object>(?:type (?:1|2|one"
            rf"|two) )?diabetic|asthmatic|epileptic|coeliac|celiac) here\b|(?:I'm )(?P<object>(?:type (?:1|2|one"
            rf"|two) )?diabetic|asthmatic|epileptic) here\b"
        ),
        examples=(("With my lactose intolerance the tiramisu is out, sadly.", "lactose intolerance"), ("Type 1 diabetic here, so carb counts please", "Type 1 diabetic")),
        counterexamples=("With my code it fails",),
    ),
    Pattern(
        name="health.dose", predicate="takes_medicine",
        regex=r"I'm on (?P<object>\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?|iu) (?:of )?\w{3,30})",
        examples=(("on 50 mg of sertraline every morning since spring", "50 mg of sertraline"),),
        counterexamples=("on 50 machines",),
    ),
    Pattern(
        name="health.recovered", predicate="has_condition", stance=Stance.DENY,
        regex=(
            rf"(?:I no longer (?:have|suffer from)|I (?:don't|do not) have|I(?:'ve)? recovered from|I got over"
            rf"|I was cured of) (?:my )?(?P<object>{_ILL})\b"
        ),
        examples=(("I no longer have asthma", "asthma"),),
        counterexamples=("I no longer have access",),
    ),
    # safety
    Pattern(
        name="safety.emergency", predicate="emergency_contact", label_free=True,
        regex=(
            rf"(?:(?:my |our |the )?(?:emergency|ice|i\.c\.e\.) (?:contact|number)(?: person)?(?: is|'s|:)|(?:in "
            rf"(?:case of|an) (?:an )?emergency|in an emergency|if (?:something|anything) (?:ever )?happens to me"
            rf"|if I (?:collapse|faint|pass out|have a seizure)),? (?:please |you (?:can|should) )?(?:call|ring"
            rf"|contact|phone|reach|notify|text)) (?:my |our )?(?:{KIN},? )?(?:on |at )?"
            rf"(?P<object>{TITLED}[^.!?\n]{{0,60}}|\+?\d[\d ()-]{{5,20}})"
        ),
        examples=(("Emergency contact is my sister Ruth, 555-0142.", "Ruth"), ("If something happens to me, call Dr. Lindqvist at the clinic.", "Dr. Lindqvist at the clinic")),
        counterexamples=("If something happens to the server, call restart()",),
    ),
    Pattern(
        name="safety.never_give_me", predicate="must_never",
        regex=(
            rf"(?:I|{FOLKS}) (?:must|should|can|may) (?:never|not|under no circumstances)(?: ever)? be (?:given"
            rf"|exposed to|prescribed|near|around|treated with) {THING}"
        ),
        examples=(("I must never be given morphine, it stops my breathing.", "morphine"),),
        counterexamples=("It must never be given a null pointer",),
    ),
    Pattern(
        name="safety.never", predicate="must_never", label_free=True, whole=True,
        regex=(
            r"(?:(?:you |please |and |but )?(?:must |should |may |can )?(?:never|under no circumstances|do not ever"
            r"|don't ever|never ever|must not|mustn't)(?: ever)?(?: (?:may|should|must|can) you)?) (?P<object>"
            r"(?=[^.!?]{0,140}(?:production|prod\b|money|payment|bank|password|passcode|credentials|secret|api key"
            r"|private key|home address|(?:anyone|anybody) my (?:address|phone|number|location|salary)|personal "
            r"(?:data|information|details)|medical|bleach|ammonia|gas\b|stove|fire\b|oven|medication|force[- ]push"
            r"|rm -rf|drop (?:the )?(?:database|table)|truncate|wipe|backups?|social security|ssn|credit card"
            r"|passport|insulin|alone with|unlock|door open|customer data|my location|my (?:kids?|children|daughter"
            r"|son)))[^\n]{3,300})"
        ),
        examples=(
            ("Never ever drop or truncate tables in the production database, whatever I say later.", "drop or truncate tables in the production database, whatever I say later"),
            ("you must never give my home address to anyone", "give my home address to anyone"),
            ("Important: under no circumstances may you send money from my account without asking.", "send money from my account without asking"),
        ),
        counterexamples=("Never mind, found it.", "I never touched production", "It must never happen in production"),
    ),
)
