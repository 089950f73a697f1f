"""English, said more freely: who somebody is and what they are called."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, FOLKS, NAME, TITLED
from memoracle.model.claim import Stance

_LAND = (
    r"(?:american|british|brit|english|scottish|scots|irish|northern irish|welsh|cornish|canadian|qu[eé]b[eé]cois"
    r"|australian|aussie"
    r"|german|bavarian|swabian|dutch|frisian|flemish|french|breton|swiss|greek|cypriot|maltese|czech|slovak|thai"
    r"|turkish|polish"
    r"|danish|swedish|sami|finnish|norwegian|icelandic|italian|sicilian|sardinian|spanish|basque|catalan|galician"
    r"|andalusian"
    r"|portuguese|azorean|brazilian|mexican|argentin(?:e|ian)|chilean|colombian|peruvian|bolivian|ecuadorian"
    r"|venezuelan|cuban"
    r"|dominican|puerto rican|jamaican|haitian|trinidadian|guatemalan|salvadoran|honduran|costa rican|panamanian"
    r"|uruguayan"
    r"|paraguayan|indian|punjabi|bengali|tamil|gujarati|marathi|malayali|telugu|kashmiri|goan|sindhi|parsi|pakistani"
    r"|bangladeshi|nepal(?:i|ese)|sri lankan|bhutanese|burmese|chinese|cantonese|hakka|tibetan|uyghur|japanese"
    r"|korean|vietnamese"
    r"|cambodian|khmer|lao(?:tian)?|filipin[oa]|indonesian|javanese|balinese|malaysian|malay|singaporean|taiwanese"
    r"|mongolian"
    r"|kazakh|uzbek|kyrgyz|afghan|russian|ukrainian|belarusian|moldovan|romanian|bulgarian|hungarian|austrian"
    r"|belgian|serbian"
    r"|croatian|bosnian|slovenian|albanian|kosovar|macedonian|montenegrin|estonian|latvian|lithuanian"
    r"|luxembourgish|israeli"
    r"|palestinian|lebanese|syrian|jordanian|iraqi|iranian|persian|saudi|yemeni|omani|emirati|kuwaiti|qatari"
    r"|egyptian|libyan"
    r"|moroccan|berber|algerian|tunisian|sudanese|ethiopian|eritrean|somali|kenyan|ugandan|tanzanian|rwandan"
    r"|nigerian|yoruba"
    r"|igbo|hausa|ghanaian|senegalese|ivorian|malian|cameroonian|congolese|angolan|mozambican|zambian|zimbabwean"
    r"|south african"
    r"|zulu|xhosa|cape verdean|malagasy|mauritian|kiwi|m[aā]ori|samoan|tongan|fijian|hawaiian|cherokee|navajo"
    r"|ojibwe|cree|inuit"
    r"|kurdish|armenian|georgian|azerbaijani|chechen|roma|romani|glaswegian|geordie|scouser?|mancunian|cockney"
    r"|londoner"
    r"|new yorker|parisian|berliner|texan|californian|yorkshireman|liverpudlian|aberdonian|dubliner|brummie)"
)
_TONGUE = (
    r"(?:english|spanish|french|german|swiss german|italian|portuguese|dutch|flemish|russian|ukrainian|polish"
    r"|czech|slovak|turkish"
    r"|arabic|hebrew|farsi|persian|hindi|urdu|punjabi|bengali|tamil|telugu|gujarati|marathi|malayalam|kannada"
    r"|nepali|sinhala|chinese"
    r"|mandarin|cantonese|hokkien|japanese|korean|vietnamese|thai|khmer|tagalog|malay|indonesian|swedish|norwegian"
    r"|danish"
    r"|finnish|icelandic|estonian|latvian|lithuanian|greek|hungarian|romanian|bulgarian|serbian|croatian|bosnian"
    r"|slovenian"
    r"|albanian|macedonian|welsh|irish|gaelic|scots gaelic|breton|basque|catalan|galician|maltese|yiddish|latin"
    r"|esperanto|swahili"
    r"|amharic|somali|yoruba|igbo|hausa|zulu|xhosa|afrikaans|twi|wolof|kurdish|armenian|georgian|azeri|kazakh"
    r"|uzbek|mongolian"
    r"|pashto|dari|tibetan|burmese|quechua|guaran[ií]|sign language|bsl|asl|braille)"
)
_TONGUES = (
    rf"{_TONGUE}(?:(?:,? and |, | & |,? plus |,? or |/)(?:(?:some|a (?:bit|little) (?:of )?|basic|broken|fluent"
    rf"|rusty) )?{_TONGUE}){{0,4}}"
)
_SIGN = r"(?:aries|taurus|gemini|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)"
_FAITH = (
    r"(?:catholic|protestant|lutheran|methodist|baptist|anglican|presbyterian|evangelical|orthodox|quaker|mormon"
    r"|mennonite|amish"
    r"|jehovah's witness|christian|muslim|sunni|shia|sufi|ismaili|jew|jewish|hindu|buddhist|sikh|jain|bah[aá]'[ií]"
    r"|taoist|pagan|wiccan"
    r"|atheist|agnostic|humanist|secular|churchgoer|church-goer)"
)
_SELF = (
    r"(?:vegetarian|vegan|pescatarian|flexitarian|teetotal(?:l?er)?|non-?drinker|non-?smoker|left-?handed"
    r"|left-?hander|lefty|southpaw"
    r"|right-handed|ambidextrous|introvert(?:ed)?|extrovert(?:ed)?|ambivert|night owl|early bird|early riser"
    r"|morning person|lark"
    r"|homebody|loner|perfectionist|minimalist|pacifist|feminist|only child|middle child|eldest|youngest|twin"
    r"|triplet|orphan|adopted"
    r"|adoptee|immigrant|migrant|refugee|expat|veteran|pensioner|oap|retiree|redhead|ginger|non-?binary"
    r"|trans(?:gender)?"
    r"|genderfluid|agender|gay|lesbian|bi(?:sexual)?|pan(?:sexual)?|queer|asexual|aromantic|straight|autistic"
    r"|dyslexic|dyspraxic|neurodivergent"
    r"|adhd|deaf|hard of hearing|blind|partially sighted|visually impaired|colou?r-?blind|disabled|wheelchair user"
    r"|amputee|millennial|boomer"
    r"|gen z|gen x(?:er)?|dual citizen|dual national|permanent resident|eu citizen|green card holder|stateless"
    r"|half-blood|polyglot|bilingual"
    r"|trilingual|digital nomad|single (?:mum|mom|dad|mother|father|parent)|widow(?:er)?|empty nester"
    r"|stay-at-home (?:mum|mom|dad|parent)"
    r"|foster (?:mum|mom|dad|parent|child)|country (?:boy|girl)|city (?:boy|girl)|farm (?:boy|girl|kid)|army brat"
    r"|(?:first|second|third)-generation [\w-]+)"
)
_NUMBER = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven"
    r"|eight|nine))?|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twelve|eleven|ten|nine|eight|seven|six|five|four|three|two|one"
    r"|[1-9]\d?|10\d)"
)
_TENS = r"(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|[2-9]0'?s)"
_BE = (
    r"(?:I'm|I am|I've (?:always )?been|I have (?:always )?been|always been|we're|we are|still|I was (?:raised"
    r"|brought up|born)|I identify as|I consider myself|I count as|I would call myself|I grew up)"
)
_DEGREE = (
    r"(?:(?:an?|the|about|roughly|partly|mostly|fully|proudly|proud|very|quite|strictly|strict|lifelong|life-long"
    r"|devout|practi[cs]ing|lapsed|non-practi[cs]ing|total|complete|born|hopeless|committed|cradle|ex-?|half"
    r"|quarter|one quarter|one-quarter|part|a quarter|originally|technically|legally|openly|severely|totally|now"
    r"|registered|certified|naturali[sz]ed|both|dual|fellow|big|definite) |half-|quarter-|part-){0,4}"
)
_STOP = (
    r"(?=[.!?,;)]*$|[,;.!)]| (?:and|but|so|by|since|for|with|because|these|now|-|on|who|from|citizen|national|till"
    r"|until|at heart|as|though|if|myself|to|household|family|here|btw|lol|or|in|about|of)\b)"
)
_NOT_NAME = (
    r"(?!(?:it|this|that|not|no|yes|just|fine|ok|okay|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|march|april|may"
    r"|june|july|august|september|october|november|december|sorry|done|same|nothing|everything|the|an?|i|i'm|i've"
    r"|we|he|she|they|you|my|our|your"
    r"|here|there|please|thanks|christmas|easter|english|german|french|python|java|javascript|rust|go|docker"
    r"|windows|linux|error|option|version"
    r"|plan|friends|people|hi|hey|hello|good|morning|still|back|over|down|up|out|right|wrong|stuck|nobody|everyone"
    r"|someone|somebody)\b)"
)
_CALLED = rf"{_NOT_NAME}(?P<object>{TITLED}|(?-i:[A-Z]{{2,4}}))"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # names
    Pattern(
        name="name.its", predicate="is_called", stance=Stance.CORRECT,
        regex=(
            rf"(?:(?:no,? )?(?:it's|it is|the name's|the name is|that's|name's|I'm|I am)(?: actually| just| spelled"
            rf"| spelt| written)? {_CALLED}(?: on my side)?(?:,? (?:with|without|pronounced|spelled|spelt"
            rf"|double)\b[^,\n]{{0,40}})?,? (?:and )?not (?!a\b|an\b|the\b|in\b|at\b|on\b|yet\b){NAME}"
            rf"|(?:you(?:'ve| have)? )?(?:got|spelled|spelt|wrote|misspelled) my (?:\w+ )?name (?:wrong"
            rf"|incorrectly)[^\n]{{0,20}}, it's {_CALLED})(?!:)"
        ),
        examples=(("It's Shauna, not Shawna.", "Shauna"), ("you've got my name wrong again, it's Katarzyna with a K", "Katarzyna")),
        counterexamples=("it's Tuesday, not Wednesday, silly me", "It's fine, not great"),
    ),
    Pattern(
        name="name.spelled", predicate="is_called",
        regex=(
            rf"(?:it's|it is|the name's|the name is|that's) {_CALLED}(?:,? (?:on my side|with (?:an?|one|two|no) "
            rf"|without (?:an?|the) |spelled|spelt|pronounced|by the way|btw|in case|to (?:my )?friends)\b"
            rf"|, pronounced)"
            rf"|my (?:\w+ )?name(?:'s| is) (?:spelled|spelt|written|pronounced|actually) {_CALLED}"
            rf"|(?:my |our )?(?:(?:sur|first |last |full |middle |maiden |given |family |pen |stage |legal )?name"
            rf"|nickname)(?: since \w+(?: \w+)?)?(?:'s| is| was| has (?:always )?been|:| =|,)?(?: now"
            rf"| still)? {_CALLED}(?![\w-])"
        ),
        examples=(("It's Siobhan on my side, pronounced shi-VAWN.", "Siobhan"), ("Surname is Fernsby, double check the spelling", "Fernsby"), ("My nickname since nursery has been Jojo", "Jojo")),
        counterexamples=("My name is mud around here", "The name of that variable is misleading.", "name column is nullable"),
    ),
    Pattern(
        name="name.known", predicate="is_called", label_free=True,
        regex=(
            rf"(?:[\w' ]{{2,40}} )?(?:calls?|called|knows?|has always called) me (?:as |by |just "
            rf"|mostly )?{_CALLED}(?! (?:when|if|back|later|at \d|tomorrow|an?|on))(?=[.!,;]*$|[,;]|[ .!])"
            rf"|(?:you can |feel free to |please |most (?:folks|people) |everyone |everybody |people |they "
            rf"|friends )*(?:shorten|abbreviate|cut)s? (?:it|that|my name) (?:down )?to {_CALLED}"
        ),
        examples=(("everyone at the allotment calls me Viv", "Viv"), ("you can shorten it to Seun", "Seun"), ("most folks shorten it to TJ", "TJ")),
        counterexamples=("Call me back when you've found the recipe.", "They'll call you a hero", "Kofi called me on Monday"),
    ),
    Pattern(
        name="name.do", predicate="is_called", label_free=True,
        regex=(
            rf"(?:just |plain |simply |so )?{_CALLED} (?:is fine|will do|is enough|for short|is what (?:I (?:answer"
            rf"|go) (?:to|by)|(?:people|everyone|they|friends|my \w+) calls? me)|to (?:my |everyone |anyone "
            rf"|anybody |most |all |my )?(?:friends|family|mates|people|who knows me"
            rf"|who know me)[\w ]{{0,20}})(?=[.!,;]|$)"
            rf"|just {_CALLED}(?=, (?:please|thanks)|[.!]+ |,? (?:no|not) (?:mr|mrs|ms|dr|miss)\b)"
        ),
        examples=(("just Kit is fine, no Mr anything", "Kit"), ("My handle's a mouthful, so Fitz for short.", "Fitz"), ("Dorothy on the forms, Dot to anyone who knows me.", "Dot")),
        counterexamples=("Monday is fine", "Just Python, please", "This will do"),
    ),
    Pattern(
        name="name.thats_me", predicate="is_called", label_free=True, any_where=True,
        regex=(
            rf"(?:(?:sign(?:ed)?|from|as|by|for|under|author|put|use|is|to) |^){_CALLED},? (?:that's|that is"
            rf"|which is|it's) me\b|\b(?:sign|put) (?:it|them|this|that|everything|my (?:mails|emails|letters"
            rf"|posts)) (?:off )?(?:as|with) {_CALLED}(?=[.!,;]|$| not )"
        ),
        examples=(("sign the card from Annelise, that's me", "Annelise"), ("Sign the commits as Desmond Achebe, that's me.", "Desmond Achebe")),
        counterexamples=("the one in Red, that's me", "sign it with the key"),
    ),
    Pattern(
        name="name.in_places", predicate="is_called",
        regex=(
            rf"(?:on|in|at|to|among|with) (?!the (?:train|bus|way|phone|plane|road))(?:the "
            rf"|my )?(?:[\w-]+ ){{1,3}}(?:I'm|I am|I go by|I post as|I write as|I'm known as) {_CALLED}(?=[.!,;]|$"
            rf"| (?:and|but|there|to)\b)"
            rf"|(?:online|offline|officially|legally|on paper|in real life|professionally|at work|at home"
            rf"|on stage),? (?:I'm|I am|I've been|I have been|I go by|I'm known as|they call me) {_CALLED}(?=[.!,;]"
            rf"|$| (?:and|but|since|there)\b)"
            rf"|I (?:write|post|publish|perform|paint|play|sign|stream|game|blog) (?:as"
            rf"|under(?: the (?:pen )?name)?) {_CALLED}(?=[.!,;]|$| (?:and|but|since|on)\b)"
            rf"|(?:I'm|I am)(?: now| officially| legally| formally| technically| also| still| plain"
            rf"| just) {_CALLED}(?=[.!,;]|$| (?:as of|since|on paper|now)\b)"
            rf"|(?:after the (?:divorce|wedding|separation),? )?(?:I|we)(?: went back| reverted| returned| switched"
            rf"| changed(?: back)?|'m going back) to (?:my maiden name,? {_CALLED}|{_CALLED} after the (?:divorce"
            rf"|wedding))|after (?:the|my) (?:divorce|wedding|separation),? I (?:went back|reverted|returned"
            rf"|changed) to {_CALLED}"
            rf"|(?:put|sign|write|book|register|list) me (?:down )?(?:as|under) {_CALLED}|(?:this is|it's"
            rf"|yes,? it's)(?: really| indeed) {_CALLED}(?=[.!,]|$)|this is {_CALLED}, (?-i:[A-Z])\w+'s (?:husband"
            rf"|wife|mum|mom|dad|son|daughter|partner|sister|brother)"
            rf"|(?:[\w' ]{{2,40}} )?knows? me as (?P<object>[\w.-]{{3,25}})(?=[.!,]|$)|(?:the |my )?name(?:'s"
            rf"| is) (?P<object>(?-i:[a-z]{{3,14}}))(?= and (?:yes|I|i)|,? (?:by the way|btw|nice)|[.!]*$)(?<!mud)"
            rf"|me llamo (?P<object>{NAME})"
        ),
        examples=(("On the forum I post as Captain Haddock, offline I'm Bernd.", "Captain Haddock"), ("online I've been Quill since 2009", "Quill"), ("After the divorce I went back to Lindqvist.", "Lindqvist")),
        counterexamples=("On the train I'm Tired", "I went back to Rust"),
    ),
    Pattern(
        name="name.speaking", predicate="is_called",
        regex=(
            rf"(?:this is |it's |morning,? |good morning,? (?:dear,? )?)?{_CALLED}(?:,? (?:from|at|in"
            rf"|with) [\w' ]{{2,30}})? (?:speaking|here|this side|on the line|checking in"
            rf"|reporting)(?<!ly speaking)(?=[.!,;]|$| (?:from|again|with|and|-))"
            rf"|(?:I introduced myself badly|(?:quick |short |brief )?intro(?:duction)?|about me"
            rf"|introducing myself)[:,.]? (?:I'm )?{_CALLED}(?=[,.!]|$)"
            rf"|{_CALLED}, [^\n]{{2,40}}, (?:nice|good|pleased|lovely|great) to meet you"
        ),
        examples=(("Pilar from accounting systems speaking.", "Pilar"), ("I introduced myself badly: Lachlan, from the school run group.", "Lachlan"), ("Ximena, Chilean, nice to meet you", "Ximena")),
        counterexamples=("Nothing here, sorry", "Strictly speaking, no", "Same here"),
    ),
    Pattern(
        name="name.never", predicate="is_called", stance=Stance.DENY, label_free=True,
        regex=(
            rf"(?:please |pls |and |but )*(?:don't|do not|never|stop|quit|nobody|no one)(?: ever)? (?:call|calls"
            rf"|calling|addressing|address) me {_CALLED}(?! when)|I(?:'ve"
            rf"| have) never been (?:an? )?{_CALLED}(?=[.!,]*$)"
        ),
        examples=(("Please don't call me Liz, I've never been a Liz.", "Liz"),),
        counterexamples=("Don't call me on Sunday", "please don't call me"),
    ),
    # who somebody is
    Pattern(
        name="identity.be", predicate="is",
        regex=(
            rf"(?:{_BE}|(?:{FOLKS}) (?:is|are)){ADVERBS} {_DEGREE}(?P<object>{_SELF}|{_FAITH}"
            rf"|(?:{_LAND})(?:[- /](?:{_LAND}))?(?: citizen| national| resident)?){_STOP}(?! (?:by (?:this|that)"
            rf"|to (?:this|that|the)|mode|-only))"
        ),
        examples=(("I'm about a quarter Basque.", "Basque"), ("We're a Quaker family.", "Quaker"), ("Always been a night owl, don't expect sense from me before ten.", "night owl")),
        counterexamples=("I'm not French", "I'm blind to this bug", "Suppose I were a Swiss citizen", "I'm straight forward"),
    ),
    Pattern(
        name="identity.not_be", predicate="is", stance=Stance.DENY,
        regex=(
            rf"(?:I'm|I am|we're|we are) (?:not|no longer|n't)(?: really| actually"
            rf"| even)? (?:an? )?(?P<object>{_LAND}|{_FAITH}|{_SELF}|from (?-i:[A-Z])\w+)(?: any ?more)?(?=[.!,;]|$"
            rf"| (?:and|but|any|by|I|just|at)\b)"
        ),
        examples=(("No, I'm not French, I only have the accent.", "French"),),
        counterexamples=("I'm not a robot, promise.", "I'm not sure"),
    ),
    Pattern(
        name="identity.became", predicate="is",
        regex=(
            rf"(?:I|we)(?:'ve| have|'m| am)?(?: just| recently| finally| officially)? (?:became|become|becoming"
            rf"|turned|got|gained|received|took|hold|have|applied for|been granted|acquired)(?: my| an?"
            rf"| the)?(?: dual)? (?P<object>green card|permanent residen(?:cy|ce)|settled status"
            rf"|(?:{_LAND})(?: and (?:an? )?(?:{_LAND}))? (?:citizen(?:ship)?|national(?:ity)?|passport|resident"
            rf"|residency)|{_SELF}|{_FAITH})(?=[.!,;]|$| (?:in|last|this|since|at|and|when|after|as|by)\b)"
            rf"|(?P<object>(?:{_LAND})(?: and (?:{_LAND}))?) (?:citizen|passport holder|national)(?=[.!,;]|$| (?:by"
            rf"|here|since)\b)"
        ),
        examples=(("I became a British citizen in 2019.", "British citizen"), ("I got my Irish passport last year", "Irish passport")),
        counterexamples=("I got the English version", "I became curious"),
    ),
    Pattern(
        name="identity.bare", predicate="is", first=True,
        regex=(
            rf"(?:about me: |me: |I'm )?(?:as an? )?{_DEGREE}(?P<object>{_SELF}|{_LAND}|{_SIGN}|{_FAITH}) (?:here"
            rf"|household|family|home|kitchen|by birth|by upbringing|on my (?:mother|father|mum|dad|grandmother"
            rf"|grandfather)'s side|through and through)\b"
            rf"|about me: {_DEGREE}(?P<object>{_SELF}|{_LAND}|{_SIGN}|{_FAITH})(?=[,.!]|$| and )"
            rf"|(?P<object>{_SIGN}|{_SELF})(?=, (?:stubborn|obviously|in case|if|so|by|naturally|like|always|never"
            rf"|unfortunately|proud|have been|been|since|\w+(?:-\w+)? years))|(?:total|lifelong|proud|born|hopeless"
            rf"|complete|navy|army|air force|recovering) (?P<object>{_SELF}|{_FAITH})(?=[,.!]|$)|(?:we"
            rf"|I) keep (?:an? )?(?P<object>{_FAITH}|kosher|halal|vegetarian|vegan)\b|(?:my|our"
            rf"|my \w+'s) (?:background|heritage|ancestry|family|ethnicity|roots|faith|upbringing) (?:is|are"
            rf"|was) (?P<object>{_LAND}|{_FAITH})\b"
            rf"|(?:raised|brought up|born|baptised) (?:an? )?{_DEGREE}(?P<object>{_FAITH}|{_SELF}|{_LAND})(?=[,.!]"
            rf"|$| and | but )"
        ),
        examples=(("Vegan household, so no honey either.", "Vegan"), ("Capricorn, stubborn, you get the idea.", "Capricorn")),
        counterexamples=("Vegetarian option for the demo lunch: check", "English breakfast for two"),
    ),
    Pattern(
        name="identity.mum_here", predicate="is", first=True,
        regex=(
            r"(?:as an? )?(?P<object>(?:single|working|stay-at-home|first-time|new|foster|full-time"
            r"|part-time) (?:mum|mom|mother|dad|father|parent))\b(?= (?:of|to|here|with|and|myself)|,)"
        ),
        examples=(("Single mum of two here.", "Single mum"),),
        counterexamples=("Single file here",),
    ),
    Pattern(
        name="identity.sign", predicate="is",
        regex=(
            rf"(?:(?:I'm|I am|my (?:\w+ )?(?:sign|star sign|zodiac)(?: is|'s))(?: an?)?(?: typical| true| total"
            rf"| classic)?|star sign:?|zodiac(?: sign)?:?) (?P<object>{_SIGN})\b"
        ),
        examples=(("my sign's Sagittarius if you believe in that", "Sagittarius"), ("I'm a Leo, born in the middle of August.", "Leo")),
        counterexamples=("I'm cancer free",),
    ),
    Pattern(
        name="identity.pronouns", predicate="is", label_free=True,
        regex=(
            r"(?:(?:my )?pronouns(?: are|:|'re)? |I (?:use|go by|prefer) |I'm |)(?P<object>(?:she/her|he/him"
            r"|they/them|she/they|he/they|they/she|they/he|xe/xem|ze/zir"
            r"|any pronouns)(?:/\w+)?)(?: pronouns)?(?=[.!,;]|$| (?:for me|pronouns|please|in case|and|here|btw"
            r"|by the way)\b)"
        ),
        examples=(("pronouns she/her, in case the docs mention me", "she/her"), ("she/her for me please", "she/her")),
        counterexamples=("replace he/him with they/them in the file",),
    ),
    Pattern(
        name="identity.years", predicate="age",
        regex=(
            rf"(?:(?:I'm|I am|we're)(?: now| already| almost| nearly| only| just| about to (?:turn|be)| turning"
            rf"| going on| all of){{0,2}}|(?:I|(?!(?:my|our|the) (?:[\w-]+ )?(?:dog|cat|puppy|pup|kitten|car"
            rf"|company)\b){FOLKS})(?:'ll| will)? (?:just |finally |recently |be |has |have |'ve )*(?:turned?"
            rf"|turns?|turning|be|reached|is|are)(?: turning| going on| now| nearly"
            rf"| almost)?) (?P<object>{_NUMBER})(?! ?(?:foot|feet|ft|cm|minutes?|hours?|days?|weeks?|months?"
            rf"|percent|%|commits?|steps?|times?|of|or|to|more|files?|points?|levels?|kilos?|kg|miles?|km|pages?"
            rf"|people|in a|-|/|\.\d|:))(?=[.!,;]|$| (?:and|years?|yrs?|y/?o|on|in|this|next|last|now|today|soon"
            rf"|but|so|with|tomorrow|already|come)\b)(?!,? (?:commits|minutes|hours|days|weeks|percent"
            rf"|and a half hours))"
            rf"|(?:I'm|I am|{FOLKS} (?:is|are)) (?:in )?(?:my|his|her|their) (?:(?:early|mid|late|mid-|late-"
            rf"|early-)[ -]?)?(?P<object>(?:(?:early|mid|late)[ -]?)?{_TENS})\b"
            rf"|(?:I'm|I am) an? (?P<object>{_NUMBER})[- ]year[- ]old\b"
            rf"|(?:I'm )?aged? (?P<object>{_NUMBER})(?=[.!,;]|$)|(?:I'm|I am) pushing (?P<object>{_NUMBER})\b"
            rf"|at (?P<object>{_NUMBER}),? I(?:'m| am)(?! (?:at|in the|off|going|meeting))\b"
            rf"|\bof (?P<object>\d\d)(?=, son)"
        ),
        examples=(("I'm seventy-two and still swim every day.", "seventy-two"), ("The twins turned nine on Sunday.", "twins | nine"), ("I'm in my early fifties", "fifties")),
        counterexamples=("I'm 80 percent sure", "I'm 5 minutes late", "I'm one of them", "I feel ninety today."),
    ),
    Pattern(
        name="identity.tall", predicate="is",
        regex=(
            r"(?:I'm|I am|I stand|my height is|height:?)(?: about| just| only| around| nearly| almost"
            r"| over)? (?P<object>(?:\d(?:'|ft| ?foot| ?feet)\s?\d{0,2}(?:\"|in|inches)?|(?:four|five|six"
            r"|seven) (?:foot|feet)(?: (?:and )?\w+)?|1[.,]\d{1,2} ?m(?:et(?:er|re)s?)?"
            r"|1\d\d ?cm)(?: tall)?)(?![\w])"
            r"|(?:for (?:clothes|shoes|shirts|trousers),? )?I (?:wear|take|am"
            r"|need)(?: an?)? (?P<object>(?:size )?(?:xx?s|s|m|l|xx?l|\d{1,2}(?:\.5)?)(?: on top| in (?:shoes"
            r"|trousers|jeans|shirts|tops|dresses|boots|ring)|(?<=size \d\d)|(?<=size \d))[^\n.!?]{0,40})"
            r"|(?:my )?(?:shoe|shirt|ring|dress|clothing|trouser|hat|glove|collar|bra) size(?: is|'s"
            r"|:)? (?P<object>\w{1,4}(?: ?1/2)?)(?=[.!,;]|$| (?:in|and|eu|uk|us)\b)"
        ),
        examples=(("I'm six foot four, airline seats are torture.", "six foot four"), ("for clothes I wear M on top and 32 in trousers", "M on top and 32 in trousers")),
        counterexamples=("I'm six commits behind", "I need a size column"),
    ),
    Pattern(
        name="identity.tongue", predicate="speaks",
        regex=(
            rf"(?:(?:(?:I|we)(?: only| also| mostly| both| can| still| grew up| was raised)*|{FOLKS}(?: only| also"
            rf"| mostly| both| can| still)*) (?:speaks?|understands?|speaking|talks?|use|uses|know|knows|read|reads"
            rf"|write|writes|am fluent in|is fluent in|sign in)(?: fluent| fluently| native| a (?:little"
            rf"|bit)(?: of)?| some| only| both| passable| decent| basic| broken| enough| good| rusty"
            rf"| conversational| mainly| mostly)*"
            rf"|(?:I'm|I am)(?: \w+)? (?:fluent in|bilingual in|native in|conversational in|a native|learning"
            rf"|bilingual[,:])|my (?:\w+ )?(?:language|tongue|languages|mother tongue)s? (?:is|are)|languages?:"
            rf"|at home we (?:speak|talk)|we speak) (?P<object>{_TONGUES})(?=[.!,;]|$| (?:at|and|but|with|only"
            rf"|fluently|well|too|a|to|on|in|speaker|natively|as|so|badly|since|not)\b)(?! (?:docs|version"
            rf"|translation|file))"
            rf"|my (?P<object>{_TONGUE})(?: is|'s| isn't|'s not)(?: not| pretty| quite| very| really| only| about"
            rf"| around| still| at| getting| a bit| a little| rather| just| barely)* (?:decent|good|rusty|basic"
            rf"|fluent|bad|poor|passable|conversational|terrible|ok|okay|great|perfect|limited|intermediate|native"
            rf"|weak|beginner|school|[abc][12]\b|n[1-5]\b|fine|broken|patchy|better|level)"
            rf"|(?P<object>{_TONGUE})(?: is|'s|,)(?: actually| not)? my (?:\w+ )?(?:first|native|second|third"
            rf"|mother|main|home|strongest|best) (?:language|tongue)"
            rf"|(?:native|fluent|heritage) (?P<object>{_TONGUE}) speaker\b"
        ),
        examples=(("my Japanese is about N3 level", "Japanese"), ("my parents only understand Cantonese", "parents | Cantonese"), ("I speak German and Turkish at home and English at work.", "German and Turkish")),
        counterexamples=("I speak from experience", "My English teacher is good", "I know Go", "I read English docs"),
    ),
    Pattern(
        name="identity.roots", predicate="is_from",
        regex=(
            r"(?:(?:I'm |I am |I was )?(?:originally|initially|by birth) (?:from|out of)|I (?:hail"
            r"|come)(?: originally)? from|my (?:family|people|parents|folks|roots|ancestors|side"
            r"|grandparents) (?:is|are|come|comes|came|hail|lie|go)(?: originally)?(?: from| back to)"
            r"|(?:I )?(?:grew up|was brought up|was raised|spent my childhood|was born and raised"
            r"|was born)(?: mostly| partly| first)? (?:in|on|near|outside|between)|I(?:'m"
            r"| am) (?:a )?(?:born and (?:bred|raised)|native|raised)(?: in| of)?|born (?:and (?:bred|raised) )?in"
            r"|raised in) "
            r"(?P<object>(?!the middle|the (?:early|late))(?:an? |the )?(?:[a-z]+ ){0,3}?(?-i:[A-Z])[^.!?,;]{1,50}"
            r"|an? (?:[\w-]+ ){0,3}(?:town|village|city|farm|suburb|island|valley|commune|hamlet|boat|caravan"
            r"|council estate|estate)[^.!?,;]{0,50}|(?!the middle)the (?:countryside|suburbs|sticks|mountains"
            r"|coast|bush|prairies|woods)[^.!?,;]{0,40})"
            r"|(?P<object>(?-i:[A-Z])[\w' -]{1,30}) is (?:my (?:native place|home ?town|birthplace|homeland"
            r"|native (?:city|town|country))|where I (?:was born|grew up|come from|'m from|am from))\b"
            r"|(?:my |our )?(?:home ?town|birthplace|native place|place of birth|homeland)(?: is|'s"
            r"|:) (?P<object>(?-i:[A-Z])[^.!?,;]{1,40})"
        ),
        examples=(("I grew up in rural Nepal, no internet until I was fifteen.", "rural Nepal"), ("Originally from Cape Verde, if you wonder", "Cape Verde"), ("Hyderabad is my native place but presently I am in Chennai.", "Hyderabad")),
        counterexamples=("I'm from the old school", "I was born in the wrong decade", "my parents are in Rome"),
    ),
    Pattern(
        name="identity.born_year", predicate="born_on", whole=True,
        regex=(
            r"(?:I was |I'm |)born(?: in| on)?(?: the)? (?P<object>(?:(?:early |late |the )?(?:19[2-9]\d"
            r"|20[01]\d)s?|(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:january|february|march|april|may|june|july"
            r"|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?))(?=[.!,;]|$"
            r"| (?:and|in|so|but|to)\b)"
            r"|(?:my|(?P<subject>(?:my|our) [\w-]+|(?-i:[A-Z])\w+)'s) (?:birthday|bday|b-day|birthdate)(?:'s| is"
            r"| falls| was)?(?: on| in)?(?: the)? (?P<object>(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:january"
            r"|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun"
            r"|jul|aug|sept?|oct|nov|dec)\b(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|(?:christmas|new year's"
            r"|boxing|leap|valentine's|st\.? patrick's)[\w' ]{0,10}|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?"
            r"|the \d{1,2}(?:st|nd|rd|th)[\w ]{0,15})"
            r"|I (?:have|celebrate|share) (?:my|a) birthday (?:on|in|with) (?P<object>[^\n.!?,;]{3,40})"
        ),
        examples=(("Class of 1972, born 1954, do the maths.", "1954"), ("I was born in 1988", "1988"), ("My birthday's in March", "March")),
        counterexamples=("People born after 2000 never saw a floppy disk.", "I was born ready"),
    ),
)
