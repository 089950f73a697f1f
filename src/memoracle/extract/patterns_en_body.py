"""English, said more freely: health, and what must never happen."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import FOLKS, KIN, NAME, TITLED, WHO
from memoracle.model.claim import Stance

_ILLNESS = (
    r"(?:(?:type (?:1|2|one|two)|chronic|severe|mild|seasonal|high|low|clinical|rheumatoid|atrial|generali[sz]ed"
    r"|bipolar|early|late|acute|bad|awful|terrible|occasional|frequent|social|post-?natal|lactose|gluten|fructose"
    r"|histamine|ulcerative) ){0,2}"
    r"(?:diabetes|prediabetes|asthma|epilepsy|migraines?|cluster headaches|hypertension|high blood pressure"
    r"|low blood pressure|blood pressure|cholesterol|(?:osteo)?arthritis|osteoporosis"
    r"|depression|anxiety|panic attacks|adhd|autism|asperger'?s|ocd|ptsd|c-ptsd|bipolar(?: disorder)?"
    r"|schizophrenia|anorexia|bulimia|co?eliac(?: disease)?|crohn'?s(?: disease)?|colitis|ibs|ibd"
    r"|diverticulitis|gastritis|gerd|acid reflux|reflux|ulcers?|lupus|eczema|psoriasis|rosacea|vitiligo|insomnia"
    r"|an[a]?emia|cancer|leuk[a]?emia|lymphoma|melanoma|hay ?fever"
    r"|tinnitus|vertigo|m[eé]ni[eè]re'?s|glaucoma|cataracts?|macular degeneration|scoliosis|sciatica"
    r"|h[a]?emophilia|parkinson'?s|alzheimer'?s|dementia|ms|multiple sclerosis|me/cfs|cfs|chronic fatigue"
    r"|fibromyalgia|endometriosis|pcos|gout|(?:sleep )?apn[o]?ea|arrhythmia|a-?fib|heart (?:condition|disease"
    r"|murmur|failure)|angina|tachycardia|dyslexia|dyspraxia|dyscalculia|hepatitis|hiv"
    r"|long covid|(?:lactose|gluten|fructose|histamine) intolerance|slipped dis[ck]s?|herniated dis[ck]|rsi"
    r"|carpal tunnel(?: syndrome)?|tennis elbow|frozen shoulder|plantar fasciitis|tendonitis|bursitis"
    r"|gallstones|kidney stones|kidney disease|cystic fibrosis|sickle cell(?: disease)?|narcolepsy|tourette'?s"
    r"|agoraphobia|claustrophobia|arachnophobia|hypothyroidism|hyperthyroidism|hashimoto'?s|graves'? disease"
    r"|thyroid (?:problem|condition|disease)|raynaud'?s|pots|ehlers[- ]danlos|eds|hypermobility|astigmatism"
    r"|nerve damage|neuropathy|restless legs(?: syndrome)?|copd|emphysema|bronchitis|sinusitis|thrombosis|dvt"
    r"|varicose veins|hernia|incontinence|menopause|stammer|stutter|hearing loss|(?:\w+ )?intolerance"
    r"|(?:\w+ ){0,2}(?:syndrome|disorder|allergy|allergies|phobia))"
)
_PART = (
    r"(?:back|knees?|hips?|shoulders?|neck|wrists?|ankles?|feet|foot|hands?|thumbs?|fingers?|eyes?|ears?|heart"
    r"|kidneys?|liver|lungs?|thyroid|stomach|gut|gallbladder|appendix|tonsils|spleen|womb|ovary|prostate|breast"
    r"|spine|disc|elbow|jaw|teeth|tooth|legs?|arms?|colon|bladder|pancreas|valve|retina|hearing|eyesight|sight"
    r"|vision|memory|joints|achilles)"
)
_SIDE = r"(?:left |right |lower |upper |both |other )?"
_DRUG = (
    r"(?:\w{2,}(?:pril|olol|profen|azepam|zolam|dipine|triptan|traline|lukast|semide|thiazide|parin|gliptin"
    r"|glutide|gliflozin|zepine|phenidate|tidine|codone|tirizine|atadine|statin|sartan|formin|cillin|thyroxine"
    r"|prazole|oxetine|pram|azole|mycin|mab|nib|pine|done|zine|fenac|oxaban|grel|gabalin|bital)"
    r"|insulin|warfarin|aspirin|paracetamol|ibuprofen|codeine|morphine|tramadol|lithium|methotrexate|prednisolone"
    r"|prednisone|steroids|hrt|testosterone|estrogen|oestrogen|the pill|birth control|antidepressants?"
    r"|antihistamines?|antibiotics|blood thinners?|beta[- ]blockers?|statins|chemo(?:therapy)?|immunosuppressants"
    r"|blood pressure (?:tablets|pills|meds|medication)|ssris?|ozempic|wegovy|mounjaro|humira|eliquis|xarelto"
    r"|ventolin|xanax|zoloft|prozac|lexapro|wellbutrin|ritalin|adderall|concerta|vyvanse|elvanse|gabapentin"
    r"|melatonin|valium|iron tablets|vitamin d|folic acid|water tablets|inhalers?|painkillers|sleeping pills"
    r"|epilepsy meds|heart meds|meds)"
)
_DOSE = r"\d+(?:[.,]\d+)? ?(?:mg|mcg|µg|micrograms?|milligrams?|ml|units?|iu)"
_FOOD = (
    r"(?:gluten|dairy|milk|lactose|cow's milk|cheese|yoghurt|cream|butter|meat|pork|beef|lamb|chicken|poultry|fish"
    r"|salmon|tuna|seafood|shellfish|prawns|shrimp|crab|mussels|oysters|nuts?|tree nuts|peanuts?|almonds|cashews"
    r"|hazelnuts|walnuts|pistachios|sesame|tahini"
    r"|eggs?|sugar|alcohol|caffeine|coffee|wheat|barley|rye|soya?|tofu|legumes|lentils|beans|chickpeas|kiwis?"
    r"|strawberries|apples|bananas|mango(?:es)?|avocados?|celery|mustard|onions?|garlic|peppers|tomato(?:es)?"
    r"|mushrooms?|aubergines?|citrus|grapefruit|oranges|lemon|pineapple|chocolate|honey|salt|spicy food|fried food"
    r"|raw fish|raw eggs|red meat|liquorice|msg|sulphites|red wine|wine|gelatine|"
    r"penicillin|amoxicillin|ibuprofen|aspirin|codeine|sulfa(?: drugs)?|nsaids|latex|nickel|pollen|birch"
    r"|dust(?: mites)?|mould|mold|cats?|cat hair|dogs?|dog hair|horses|feathers|wool|bee stings|wasp stings|bees"
    r"|wasps|perfume|fragrance|adhesive|plasters|iodine|contrast dye|anaesthetic|morphine|grass|ragweed|hazel"
    r"|sunscreen)"
)
_NO_CODE = (
    r"(?! (?:in|on|of|with) (?:this|the|my|that) (?:code|function|class|file|if|loop|repo|build|test|query))"
)
_DANGER = (
    r"(?:production|prod|money|payments?|pay|transfers?|card|cards|bank|account number|iban|password|passcode"
    r"|passphrase|pin|credentials|secrets?|tokens?|api keys?|private keys?|keys?|seed phrase|addresses"
    r"|home address|where (?:we|i|she|he|they) lives?|location|whereabouts|court order|restraining order"
    r"|ex-husband|ex-wife|ex|stalker|stranger|strangers"
    r"|personal (?:data|information|details)|medical|patient|patients|legal advice|health data|salary|diagnosis"
    r"|bleach|ammonia|acid|gas|gas tap|stove|hob|candles?|fire|fireplace|oven|iron|heater|boiler|fuse box|breaker"
    r"|panel|mains|wiring|socket|battery|batteries|laser|valve|press|machine|saw|blade|reactor|crane|lift|ladder"
    r"|scaffold|chemicals?|solvent|fumes|medication|medicine|meds|dose|doses|insulin|pills|tablets|aspirin"
    r"|penicillin|ibuprofen|morphine|latex|peanuts?|nuts|shellfish|grapes|raisins|chocolate|onions?|lilies|xylitol"
    r"|epipen|inhaler"
    r"|force[- ]push|rm -rf|drop(?:s|ping)? (?:the |a |any )?(?:databases?|tables?|schema)|truncate|wipe|backups?"
    r"|delete anything|deletes? (?:backups|anything|photos|files|records|the)|irreplaceable|kill switch|degrees"
    r"|git reset|hard reset|resin|safety|online|burgled|away|social security|ssn|credit card|passport|unlock"
    r"|front door|back door|garage|alarm|safe|gun|knife|knives|scissors|matches|lighter|pool|pond|bath|stairs"
    r"|balcony|window|windows|car seat|rear-facing|seat ?belt|helmet|pick-?up|pick up|school run|alone|unattended"
    r"|unsupervised|customer data|user data|pii|emails? of|photos? of|children's|kids'|children|kids?|baby|toddler"
    r"|toddlers|daughter|son|grandchildren|grandson|dog|cat|logs|logged|prod database|live (?:system|server"
    r"|database)|mother|mum|wire transfers?|contracts?|invest|trades?|orders? over|purchases?|allerg\w+"
    r"|anaphyla\w+|drive|drives|driving|alcohol|blood)"
)
_NEVER = (
    r"(?:must|may|should|can|shall)(?: absolutely| under any circumstances)? (?:never|not)(?: ever)?|mustn't"
    r"|may never|(?:is|are|'re|am|'m) (?:never to|not to|forbidden to|not allowed|never allowed|strictly forbidden"
    r"|prohibited)|(?:isn't|aren't) allowed"
)
_FOR_NOW = (
    r"(?![^\n]{0,160}\b(?:yet|for now|this time|right now|until (?:i|we|he|she|they|lunch)\b|today|tonight"
    r"|in this (?:file|function|one)|says the|in the (?:film|game|movie|book|story|show)|that draft|i guess|mogwai"
    r"|eclipse|node_modules))"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="health.my_illness", predicate="has_condition", any_where=True,
        regex=(
            rf"\b(?:my|(?:my|our) (?P<subject>{KIN})'s) (?!blood pressure|cholesterol)(?P<object>(?:sleep "
            rf"|heart )?{_ILLNESS})\b(?! (?:test|class|code|example|app|tracker|meme|about|over|when"
            rf"|levels are fine|(?:is|are) back to))"
        ),
        examples=(("parallax effects trigger my vertigo", "vertigo"), ("I sleep with a CPAP machine for my sleep apnoea.", "sleep apnoea"), ("got my ADHD diagnosis at 44, explains a lot", "ADHD")),
        counterexamples=("my anxiety about the deploy", "Fix my migraine test"),
    ),
    Pattern(
        name="health.have", predicate="has_condition",
        regex=(
            rf"(?:(?:I|we)(?:'ve| have| do have| also have| still have| get| suffer| struggle| live| deal| battle"
            rf"| am prone| was born| also get| often get| sometimes get| used to have|'m prone|'m living|'m dealing"
            rf"|'m struggling|'ve struggled|'ve lived|'ve battled|'ve had|'ve got|'ve been living|'ve been dealing"
            rf"|'ve suffered| have had| have struggled|'ve always had| was told I have|'ve developed| developed"
            rf"| got| may have)|{WHO}(?:'s got| has| has had| suffers| lives| got| gets| struggles| was told (?:she"
            rf"|he) has| was born| developed| is living| is prone))(?: from| with| to| of)?(?: really| quite"
            rf"| pretty)?(?: an?| some| the| terrible| bad| severe| mild| rather)?(?: case of| form of"
            rf"| touch of)? (?P<object>(?:[\w-]+ )?{_ILLNESS}(?: in [\w ]{{3,25}})?)(?![\w-]){_NO_CODE}(?! (?:just "
            rf")?from reading)"
        ),
        examples=(("I have RSI in both wrists, that's why I dictate", "RSI in both wrists"), ("Grandad has dementia and wanders at night.", "Grandad | dementia"), ("I'm prone to migraine, so charts always with a dark background.", "migraine")),
        counterexamples=("I have a headache just from reading this diff.", "I have a question", "If I had diabetes"),
    ),
    Pattern(
        name="health.head", predicate="has_condition",
        regex=(
            rf"(?:the |bad |severe |chronic |mild |both )?(?P<object>{_ILLNESS}) (?:in (?:my|the|both"
            rf"|one) {_SIDE}{_PART}|(?:never stops|is back|flares? up|is acting up|is playing up|means (?:I|that I)"
            rf"|keeps me|makes it|runs in (?:my|our|the) family|since (?:childhood|birth|\w+ \d{{4}}|\d{{4}}|I was)"
            rf"|here\b|sufferer|patient|diagnosis))"
            rf"|(?:because of|thanks to|due to|with|given) (?:an?|the|my|both)(?: \w+)? (?P<object>(?:bad|dodgy"
            rf"|weak|torn|broken|frozen|replaced|artificial|bum|stiff|sore|injured|failing"
            rf"|poor) (?:{_SIDE})(?:{_PART})|{_ILLNESS})\b"
            rf"|(?P<object>(?:bad|dodgy|weak|slipped|torn|frozen|two slipped|trapped) (?:{_PART}|discs?|nerve"
            rf"|cartilage|ligament))(?=,|[.!]*$| and )|(?P<object>(?:breast |skin |bowel |lung "
            rf"|prostate )?(?:cancer|stroke|heart attack) survivor)|(?:my"
            rf"|the) (?P<object>{_SIDE}{_PART}) (?:never recovered|has never been (?:right|the same)|gives out"
            rf"|plays up|gave out)|(?P<object>dialysis|chemo(?:therapy)?|radiotherapy|physio"
            rf"|infusions?) (?:\w+ times? a week|twice a week|once a (?:week|month)|every \w+|on \w+days)"
        ),
        examples=(("Tinnitus in the left ear, so no audio alerts please.", "Tinnitus"), ("Arthritis in both thumbs means jars are my enemy.", "Arthritis"), ("Dialysis three times a week, that's my life these days.", "Dialysis")),
        counterexamples=("Asthma is common", "The build is healthy again.", "dependency has a chronic maintenance problem"),
    ),
    Pattern(
        name="health.part", predicate="has_condition",
        regex=(
            rf"(?:I|we|{FOLKS})(?:'ve| have| has|'s)?(?: got| had)? (?:an?|one|two) (?P<object>(?:bad|dodgy|weak"
            rf"|torn|broken|trapped|slipped|frozen|artificial|bum|titanium|metal|prosthetic|fused|glass|dislocated"
            rf"|fractured|transplanted|donated|single|lazy|stiff|curved|herniated|replacement"
            rf"|new) (?:{_SIDE}){_PART}(?: valve| replacement)?|pacemaker|stent|stoma|insulin pump|cochlear implant"
            rf"|hearing aids?|guide dog|heart condition|metal plate in [\w ]{{3,20}}|pin in [\w ]{{3,20}}|shunt"
            rf"|port|iud|catheter|feeding tube|peanut allergy|nut allergy)\b{_NO_CODE}"
            rf"|(?:I |{FOLKS} |I've |we )?(?:just |recently |has )?(?:had|having|am having|is having|am getting"
            rf"|have had|got)(?: to have)? (?:my |an? |the |his |her |both )(?P<object>(?:{_SIDE}(?:{_PART}"
            rf"|pacemaker|stent|stoma)) (?:replaced|removed|out|operated on|fused|rebuilt|repaired|fitted|put in"
            rf"|done|scraped|amputated))\b"
            rf"|(?:my|both my) (?P<object>{_SIDE}{_PART}) (?:is|are) (?:shot|bad|dodgy|wrecked|arthritic|fused"
            rf"|artificial|titanium|prosthetic|weak|going|failing|poor|terrible|gone|useless|deaf|blind"
            rf"|made of titanium)(?=[.!,;]|$| (?:and|since|after|so|from|from birth)\b)"
            rf"|I(?:'m| am) (?P<object>(?:partially |completely |totally |half |nearly |almost |legally "
            rf"|profoundly |going )?(?:deaf|blind) (?:in (?:one|my|the) [\w ]{{2,12}}|from birth"
            rf"|since [\w ]{{3,20}}))|(?:who's|who is|who has) been (?P<object>blind|deaf|disabled|paraly[sz]ed"
            rf"|diabetic) (?:from|since)\b"
        ),
        examples=(("Had my left hip replaced in 2021.", "left hip replaced"), ("I've got a dodgy knee", "dodgy knee"), ("dad had a pacemaker put in in march", "dad | pacemaker")),
        counterexamples=("My back is killing me after the move", "My feet hurt after all that walking."),
    ),
    Pattern(
        name="health.state", predicate="has_condition",
        regex=(
            rf"(?:(?:I'm|I am|we're|I've been|{FOLKS} is|{FOLKS} has been|I'm now"
            rf"|I'm currently) )?(?:an? )?(?P<object>(?:\d{{1,2}}|\w+) (?:weeks|months) pregnant|(?:\w+ )?(?:months"
            rf"|weeks) postpartum|type (?:1|2|one|two) diabetic|insulin[- ]dependent|immuno-?compromised"
            rf"|immunosuppressed|in remission|in recovery|(?:a )?recovering (?:alcoholic|addict)|prediabetic"
            rf"|wheelchair[- ]bound|hard of hearing|anaemic|anemic|a?synaesthetic|prone to (?:fainting|nosebleeds"
            rf"|migraines?|seizures|panic attacks|sunburn|infections)|breastfeeding|perimenopausal|menopausal"
            rf"|lactose[- ]intolerant|gluten[- ]intolerant|gluten[- ]free|dairy[- ]free|on dialysis|on chemo"
            rf"|on oxygen|on blood thinners|housebound|bedridden|celiac|coeliac|epileptic|asthmatic|haemophiliac"
            rf"|hemophiliac|colou?r-?blind|short-sighted|near-sighted|long-sighted)(?=[.!,;]|$| (?:and|so|but|since"
            rf"|for|with|because|after|here|now|at|these|from|which|as)\b)"
        ),
        examples=(("22 weeks pregnant and nothing fits.", "22 weeks pregnant"), ("I'm in remission since May", "in remission")),
        counterexamples=("Gluten-free bread recipe for a visit", "If I were diabetic, would this cake be all right?"),
    ),
    Pattern(
        name="health.react", predicate="allergic_to",
        regex=(
            rf"(?:it's |it is )?(?P<object>(?!it\b|this\b|that\b|you\b|which\b|what\b|the (?:code|build|test"
            rf"|bug)\b)(?:[\w'-]+ ){{0,3}}[\w'-]+)(?: always| really| just| also)? (?:gives?|bring|brings|brought"
            rf"|makes?|made|sends?|sent|triggers?|sets? off|causes?|closes?|puts?|lands?) (?:me|my (?:throat|tongue"
            rf"|lips|face|skin|eyes|airways|asthma|eczema|migraines?|hands))(?: up)? (?:out in |into |to "
            rf"|straight to |in )?(?:an? |the |my )?(?:hives|rash|rashes|spots|blisters|migraines?|vertigo"
            rf"|anaphyla\w+|reaction|swell(?: up)?|close up|closes? up|itch|wheeze|itchy|hospital|er\b|a&e"
            rf"|asthma attack|(?:stomach |belly )?cramps|sneez\w+|break out|puff up|flare|stop breathing|vomit"
            rf"|throw up|faint|dizzy|go numb|allergies|seizure|burn|heartburn)"
            rf"|it's (?P<object>{_FOOD}|[\w' -]{{3,30}}?) (?:that )?I(?:'m| am)? (?:react|allergic) to\b|I (?:react"
            rf"|am reacting)(?: badly| violently| strongly)? to (?P<object>(?!this|that|it\b|the (?:code"
            rf"|change))[\w' -]{{3,40}})"
            rf"|(?P<object>(?:[\w'-]+ ){{0,2}}[\w'-]+) (?:could|can|would|might|will|nearly|almost) (?:kill|killed"
            rf"|hospitali[sz]e) me\b(?! if)"
        ),
        examples=(("Shellfish makes my throat close up, so that's out.", "Shellfish"), ("latex brings me out in hives.", "latex"), ("It's latex I react to, not the plaster glue like I said.", "latex"), ("Heights give me vertigo, always have.", "Heights")),
        counterexamples=("this codebase makes me sick", "It gives me migraines", "You made me laugh"),
    ),
    Pattern(
        name="health.allergy_free", predicate="allergic_to",
        regex=(
            rf"(?:(?:I'm|I am|{FOLKS} (?:is|are)|{NAME} is)(?: \w+ly| also| very| quite| so| both| apparently"
            rf"| terribly){{0,2}} (?:allergic|intolerant|sensitive|hypersensitive|anaphylactic) to|(?:(?:my"
            rf"|our) )?(?:food |drug |known )?allerg(?:y|ies|ic)(?: to)?(?: is| are|:| =)|I(?:'ve"
            rf"| have)(?: got)? (?:an? )?(?:\w+ ){{0,2}}allerg(?:y|ies) to"
            rf"|allergy alert:?) (?P<object>(?:\w+ )?{_FOOD}\b[^\n.!?;]{{0,60}})"
            rf"|(?:I'm|I am|I've|I have|{FOLKS} has|{FOLKS} is)(?: got)? (?:an? )?(?:\w+ )?(?P<object>{_FOOD})(?: "
            rf"|-)(?:allerg(?:y|ic|ies)|intoleran(?:t|ce))\b|(?P<object>{_FOOD}) allergy(?=[.!,;]|$| (?:here|in|so"
            rf"|and|since)\b)"
        ),
        examples=(("Apparently I'm also allergic to kiwi", "kiwi"), ("Nut allergy here, quite serious", "Nut")),
        counterexamples=("I'm allergic to meetings lol", "Allergic reactions can appear", "I'm allergic to Mondays"),
    ),
    Pattern(
        name="health.not_after_all", predicate="allergic_to", stance=Stance.DENY,
        regex=(
            rf"(?:(?:it )?turns out (?:that )?)?(?:I'm|I am|{FOLKS}(?: is|'s)) (?:not|no longer|n't)(?: actually"
            rf"| really| even)? (?:allergic|intolerant|sensitive) to (?!an? (?:bit|little)|hard work"
            rf"|work)(?P<object>[^\n.!?,]{{2,40}}?)(?: after all| any ?more)?(?=[.!,;]|$)"
        ),
        examples=(("Turns out I'm not allergic to nuts after all, the retest was clean.", "nuts"),),
        counterexamples=("Turns out I was just hungry lol",),
    ),
    Pattern(
        name="health.off_food", predicate="cannot_eat",
        regex=(
            rf"(?:(?:I|we|{FOLKS})(?: really| just| also| still)?(?: can't| cannot| can not| mustn't| must not"
            rf"| shouldn't| don't| do not| doesn't| does not| won't|'m not allowed(?: to)?|'m off|'m avoiding"
            rf"| avoid| am off| gave up| had to give up| have to avoid| has to avoid| need to avoid| stay off"
            rf"| stay away from| steer clear of| have cut out|'ve cut out| cut out| no longer| never)(?: eat| eats"
            rf"| drink| drinks| have| touch| tolerate| digest| do| handle| process| any| all){{0,2}}|no|zero"
            rf"|strictly no|absolutely no|(?:can't|cannot) (?:have|eat|drink|do|tolerate|touch))(?: any| more"
            rf"| of)? (?P<object>{_FOOD}(?:(?:,| or| and|, or) {_FOOD}){{0,3}})(?=[.!,;]|$| (?:for me|please|pls"
            rf"|and|because|since|so|for|on|due|any ?more|at all|after|in my|either|doctor|thanks|or"
            rf"|either)\b)(?! (?:today|tonight|in the fridge|left))"
            rf"|(?P<object>{_FOOD}) (?:doesn't|don't|does not|do not) (?:agree|sit well) with (?:me|my \w+)"
            rf"|(?P<object>{_FOOD}) and (?:me|I) (?:don't|do not) (?:get (?:along|on)|mix)"
            rf"|(?P<object>{_FOOD}) (?:is|are) (?:off the menu|serious for me|out for me|a no for me)|(?:I'm"
            rf"|I am) on an? (?P<object>(?:low[- ]\w+|gluten[- ]free|dairy[- ]free|keto\w*|diabetic|salt[- ]free"
            rf"|sugar[- ]free|renal|fodmap|low[- ]fodmap|mediterranean|elimination|halal|kosher|liquid|soft"
            rf"|bland)(?: \w+)?) diet"
        ),
        examples=(("31, qa at a bank, two cats, no dairy pls", "dairy"), ("I can't do onions since the op", "onions")),
        counterexamples=("no milk in the fridge", "We're out of milk.", "No eggs today"),
    ),
    Pattern(
        name="health.on_drug", predicate="takes_medicine",
        regex=(
            rf"(?:(?:(?:I'm|I am|I've been|I was put|they put me|they've put me|{FOLKS} is"
            rf"|{FOLKS} has been)(?: still| now| back| currently)? on|(?:I|we|{FOLKS})(?: still| now| also| always"
            rf"| only)? (?:take|takes|need|needs|use|uses|inject|injects|have|swallow|started|start)|I'm taking"
            rf"|I am taking|been taking|taking|on|prescribed|I was prescribed|I've been prescribed)(?: an?| my"
            rf"| some| daily| low-dose| the| strong| regular"
            rf"| nightly){{0,2}} (?P<object>(?:{_DOSE}(?: of)? )?{_DRUG}(?: {_DOSE})?|{_DOSE} (?:of )?\w{{4,25}}"
            rf"|(?-i:[A-Za-z])\w{{4,25}} {_DOSE}))(?![\w-])(?! (?:class|tutorial|test|for this|ok|with coffee"
            rf"|good))"
            rf"|my (?:\w+ )?(?:meds|medication|medicine|tablets|pills|prescription|inhaler|drops|injection)s? (?:is"
            rf"|are|was|were)(?: now| called)? (?P<object>(?!in\b|on\b|at\b|late\b|gone\b)\w{{4,25}}(?: {_DOSE})?)"
        ),
        examples=(("I'm on warfarin so they check my blood every month.", "warfarin"), ("on levothyroxine 75 mcg every morning", "levothyroxine 75 mcg"), ("my bp tablets are amlodipine 5mg only", "amlodipine 5mg")),
        counterexamples=("Is ibuprofen ok with coffee?", "I take the train", "I'm on it", "I need coffee"),
    ),
    Pattern(
        name="health.quit", predicate="has_condition", importance=0.8, whole=True,
        regex=(
            r"(?:(?:I|we)(?:'ve| have)?(?: finally| just)? )?(?P<object>(?:quit|stopped|gave up"
            r"|given up) (?:smoking|drinking|vaping|alcohol|cigarettes|booze|weed)|(?:don't|do not|no longer"
            r"|never) (?:smoke|vape|drink(?= any| alcohol|[.!]*$)))\b(?![^\n]{0,8}\bcoffee)"
            r"|(?:I'm|I am|I've been) (?P<object>(?:an? )?(?:ex-smoker|former smoker|smoker|heavy smoker"
            r"|non-smoker|smoke-free|sober|teetotal|dry|off (?:the )?(?:cigarettes|booze|drink|alcohol)))(?=[.!,;]"
            r"|$| (?:for|since|now|and)\b)"
        ),
        examples=(("I quit smoking eight months ago.", "quit smoking"), ("I don't smoke any more, quit in 2018.", "don't smoke")),
        counterexamples=("I quit the app", "I don't drink coffee"),
    ),
    Pattern(
        name="health.blood_group", predicate="blood_type",
        regex=(
            r"(?:(?:my|our|the) )?blood (?:type|group)(?: is|'s|:| =)? (?P<object>(?-i:AB|A|B|O|0) ?(?:rh ?)?(?:\+"
            r"|-|−|positive|negative|pos\b|neg\b))|(?:I'm|I am) (?P<object>(?-i:AB|A|B|O) ?(?:positive|negative"
            r"|pos\b|neg\b))"
        ),
        examples=(("blood group O negative", "O negative"), ("I'm O negative", "O negative")),
        counterexamples=("blood_type being unused", "I'm a negative person"),
    ),
    # safety
    Pattern(
        name="safety.must_not", predicate="must_never", label_free=True, whole=True,
        regex=(
            rf"(?P<object>(?!i'd|it never|i never|i have never)(?=[^\n]{{0,200}}\b{_DANGER}\b)(?:I'm not to"
            rf"|(?:[^\n,;:.!?]{{2,60}}?) (?:{_NEVER})) [^\n]{{3,200}}){_FOR_NOW}"
        ),
        examples=(("The laser must never be enabled with the lid open.", "The laser must never be enabled with the lid open"), ("the dog must not get grapes or chocolate, sitters keep forgetting", "the dog must not get grapes or chocolate, sitters keep forgetting")),
        counterexamples=("You must never feed a mogwai after midnight.", "The tests must not fail", "You must be joking."),
    ),
    Pattern(
        name="safety.dont", predicate="must_never", label_free=True, whole=True,
        regex=(
            rf"(?=[^\n]{{0,200}}\b{_DANGER}\b){_FOR_NOW}(?:please |pls |and |but |you "
            rf"|remember,? )*(?P<object>(?:never|don't (?:you )?ever|do not ever|don't you dare"
            rf"|under no circumstances|never ever|at no point) (?!would|mind|again|seen|knew|know|had|been|touched"
            rf"|rains?)[^\n]{{3,200}}"
            rf"|(?:absolutely |strictly )?no [^\n]{{3,80}}(?:, ever\b|\bever,|, I mean it|matter of safety"
            rf"|in my working tree|near the)[^\n]{{0,80}}|don't let (?:anyone|anybody|strangers|him|her|people"
            rf"|the) [^\n]{{3,120}}|(?:don't|do not|mustn't) [^\n]{{3,140}}(?:absolutely never|no matter what|ever"
            rf"|whatever|under any circumstances|for anyone|to anyone|with anyone|anybody|court order|at any time"
            rf"|at all|in any case|without (?:asking|my)|unless I|full stop|period|irreplaceable|it's dangerous"
            rf"|I mean it)\b[^\n]{{0,80}})"
        ),
        examples=(("Never upload the children's photos anywhere public.", "Never upload the children's photos anywhere public"), ("Do not delete backups, no matter what happens.", "Do not delete backups, no matter what happens")),
        counterexamples=("Don't delete that draft yet, I'm still reading.", "Never mind, the door is open", "Don't worry about the kids"),
    ),
    Pattern(
        name="safety.allowed", predicate="must_never", label_free=True, whole=True,
        regex=(
            rf"(?=[^\n]{{0,200}}\b{_DANGER}\b){_FOR_NOW}(?P<object>(?:nobody|no one|no-one"
            rf"|only [^\n,]{{2,50}}? (?:is|are|may|can) (?:allowed|permitted)?|only [\w ]{{2,40}} (?:may|can)"
            rf"|you(?:'re| are) (?:never|not|forbidden|not allowed|strictly forbidden)(?: allowed"
            rf"| ever)? to) ?(?!knows?|else knows|cares?|answers?|has time)[\w-]+ [^\n]{{3,160}})"
        ),
        examples=(("Nobody touches the breaker panel while the press is live.", "Nobody touches the breaker panel while the press is live"), ("You are forbidden to run rm -rf outside the build folder.", "You are forbidden to run rm -rf outside the build folder")),
        counterexamples=("Nobody knows the password", "Only the tests fail"),
    ),
    Pattern(
        name="safety.ask_first", predicate="must_never", label_free=True, whole=True,
        regex=(
            r"(?P<object>(?:(?:any|all|every) )?(?:payments?|transfers?|purchases?|orders?|spending|anything"
            r"|bookings?|invoices|trades?|deletions?|deploys? to (?:prod|production)|changes to (?:prod"
            r"|production))(?: [\w ]{0,20})?(?: above| over| beyond| more than| costing| from"
            r"| exceeding) [^\n]{1,40} (?:needs?|requires?|must|has to|have to|goes? through"
            r"|waits? for) [^\n]{2,100})"
            r"|(?P<object>[^\n,;.!?]{3,50} (?:stays?|remains?|is|are|must stay|must remain|rides?|has to stay"
            r"|is to stay|is kept|are kept) [^\n,;.!?]{2,40}(?: at all times|,? no exceptions|, always"
            r"|, no matter what| whenever)\b(?=[^\n]{0,100}\b(?:floods?|dangerous|whoever|lab|kids?|baby|gas"
            r"|locked|shut|closed|off|seat|helmet|safety|fire|door|key|explo\w+|burn\w*|poison\w*|toxic|injur\w+"
            r"|kill\w*)\b)[^\n]{0,80})"
            r"|(?P<object>[^\n,;.!?]{3,50} (?:stays|remains|must stay|has to stay|is kept) (?:shut|closed|locked"
            r"|off|unplugged|rear-facing|out of reach|switched off)\b[^\n]{0,100})"
            r"|(?P<object>the (?:baby|toddler|kids?|children) [^\n]{5,60}(?:no exceptions|always|at all times"
            r"|whoever)[^\n]{0,40})"
        ),
        examples=(("Payments above 200 euros need my OK, every single one.", "Payments above 200 euros need my OK, every single one"), ("The red valve stays shut at all times, opening it floods the lab.", "The red valve stays shut at all times, opening it floods the lab")),
        counterexamples=("The store is closed on Sundays", "Payments are broken"),
    ),
    Pattern(
        name="safety.in_need", predicate="emergency_contact", label_free=True, whole=True,
        regex=(
            rf"(?:(?:my |our |the )?(?:emergency|ice) (?:contact|number|person)(?: is|'s|:"
            rf"| for \w+ is)? (?P<object>[^\n]{{3,80}})|(?:(?:in|for) (?:an |any |case of )?(?:an )?emergenc(?:y"
            rf"|ies)|(?:should|if) (?:anything|something)(?: ever| bad)? happens? to me|if I(?:'m"
            rf"| am)? (?:ever )?(?:collapse|faint|pass out|have a seizure|unconscious|unresponsive|don't answer"
            rf"|text you [^\n,]{{3,30}}|say [^\n,]{{3,30}}|go missing)[^\n,]{{0,30}}),? (?:please |you )?(?:(?:call"
            rf"|ring|contact|phone|reach|notify|text|tell|alert|ask|get hold of|get|try|dial) )?(?P<object>(?:my "
            rf"|our )?(?:{KIN} )?(?:{TITLED}|999|911|112|000|an ambulance|{KIN})[^\n]{{0,80}}))(?<!says)(?<!says\.)"
        ),
        examples=(("emergency contact: daughter-in-law Femi", "daughter-in-law Femi"), ("In an emergency get hold of Mrs. Petrov next door, she has the spare key.", "Mrs. Petrov next door, she has the spare key")),
        counterexamples=("In an emergency, break the glass, the sign says.", "Emergency: the site is down", "Emergency services are great"),
    ),
)
