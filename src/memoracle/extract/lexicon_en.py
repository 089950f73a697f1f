"""The words that say how an English sentence is meant."""

from __future__ import annotations

from memoracle.extract.lexicon import Lexicon

_KIN = {
    "spouse": "wife|husband|spouse|hubby|missus|better half|other half",
    "partner": "partner|girlfriend|boyfriend|fianc[eé]e?|gf|bf",
    "mother": "mother|mom|mum|mam|mummy|mommy|mama",
    "father": "father|dad|daddy|papa",
    "manager": "(?:(?:team|line|product|project|engineering|shift|store|floor|department|direct|new) )?(?:boss|manager|supervisor)"
    "|(?:team|tech|shift) lead(?:er)?|advisor|adviser|pm|head ?teacher|headmaster|headmistress",
    "child": "(?:(?:older|oldest|younger|youngest|elder|eldest|little|middle|baby|first|second|only|newborn) )?"
    "(?:son|daughter|child|kid|baby|girl|boy|stepson|stepdaughter)|(?:son|daughter|kid|stepson|stepdaughter)s|children"
    "|twins|triplets|eldest|oldest|youngest|firstborn|little one",
    "sibling": "(?:(?:older|oldest|younger|youngest|elder|eldest|little|big|twin|half|step|kid|baby) ?-?)?"
    "(?:sister|brother|sibling)s?|twin",
    "relative": "(?:great-)?(?:grandmother|grandma|grandfather|grandpa)|granny|gran|nan|nana|grand-?dad|(?:great-)?(?:aunt|uncle)"
    "|auntie|cousin|niece|nephew|goddaughter|godson|godchild|grandchild|grandkid|son-in-law|daughter-in-law|stepsister"
    "|stepbrother|half-sister|half-brother|ex-partner|ex"
    "|mother-in-law|father-in-law|sister-in-law|brother-in-law|grandson|granddaughter|godmother|godfather"
    "|stepmother|stepfather|stepmom|stepdad|ex-wife|ex-husband",
    "friend": "(?:best |good |close |closest |oldest |old |childhood |dear |pen ?|school ?|uni )?(?:friend|mate|pal)|bestie|buddy"
    "|roommate|flatmate|housemate|lodger"
    "|neighbou?r",
    "colleague": "colleague|coworker|co-worker|teammate|co-?founder|business partner|assistant|intern|mentor",
    "pet": "(?:pet )?(?:dog|cat|puppy|kitten|hamster|rabbit|parrot|bird|horse|fish|turtle|tortoise|goldfish"
    "|guinea pig|snake|lizard|gecko|ferret|bunny|golden retriever|labrador|beagle|poodle|corgi"
    "|german shepherd|pup|hound|lab|retriever|spaniel|terrier|collie|dachshund|greyhound|whippet|husky|pug|bulldog"
    "|chihuahua|mutt|tabby|tomcat|budgie|parakeet|cockatiel|canary|pony|donkey|goat|hen|chicken|axolotl|iguana)s?",
}

ENGLISH = Lexicon(
    language="en",
    bounded=True,
    remember=(
        r"(?<!you )(?<!I )(?<!can't )(?<!cannot )(?<!don't )(?<!to )remember(?= that| this|:|,| I| we| my| our)(?!, remember)",
        r"(?:please|pls|(?<!ll )(?<!will )always|just|but|also) remember(?! to | when| how| why| what| the time"
        r"|,? I'm always)",
        r"(?<!i )(?<!we )(?<!'ll )(?<!will )(?:don'?t forget|do not forget|never forget)(?! to )",
        r"(?<!will )(?<!'ll )(?<!'ll also )(?<!definitely )(?<!i )(?<!to )(?<!would )(?:keep (?:it |this "
        r"|that )?in mind|bear in mind)",
        r"(?<!'ll )(?<!will )(?<!definitely )(?:make a note|take note)|note to self|please note|note that"
        r"|note this|for the record",
        r"from now on|from here on|going forward|in the future,? (?:please|always|never|use|don't)",
        r"for future reference|for next time|henceforth",
        r"(?:save|store|keep|add|put|write|commit) (?:this|that|it|the following) (?:to|in|into) (?:your |the "
        r"|my )?(?:memory|memories|notes)",
        r"memori[sz]e(?: this| that|:| my| the| our)|(?:add|save|store|commit)(?: this| that)? to (?:your |the )?memory|store this memory",
        r"(?:keep|store|save|hold|log)(?: on to)? (?:it|this|that|these|my [\w' -]{2,40}|the [\w' -]{2,40}|this [\w]+)(?: somewhere| forever| safe"
        r"| for me| for (?:the|later)[\w ]{0,20}){0,2}(?=:|,? (?:somewhere|forever))|please keep(?: this| that| it)? forever|keep it for the \w+",
        r"(?:make|take) a mental note|(?:i want|i'd like|i would like) (?:it|this|that) remembered|i want you to remember|(?:just )?so you have it"
        r"|(?:can|could) you (?:store|save|remember|note) that|you'll want to (?:know|remember) this",
        r"(?<!you )(?<!i )(?<!, )(?<!to )remember (?:the|who|where|which|what) (?=[^?]{3,80}$)(?![^:]{0,40}\b(?:time|day|days|song|movie|film|old)\b)",
        r"(?:write|jot|note) (?:this|that|it) down|jot down that|(?:don'?t lose|store|save|log|hang on to"
        r"|hold on to|file|record) (?:this|that)(?: one| for me| for later)?(?=[:,]| the| my| our)"
        r"|save for later|put on (?:file|record)|(?:one|something) for your (?:memory|notes)|for your notes"
        r"|note it|noted for later|worth remembering",
    ),
    important=(
        r"(?:this is|it'?s|it is) (?:very |really |super |extremely )?important(?= that|,| to (?:know|note|remember))",
        r"(?:very |super )?important(?: note)?(?=:)",
        r"(?:it'?s |it is )?crucial(?:ly)?(?=:| that| to know)|key (?:fact|point|detail|info)(?=:)",
        r"fyi|heads[ -]up(?=[:,])|(?:n\.?b\.?|note|reminder|fact)(?=:)",
    ),
    aside=(r"by the way|btw|incidentally|side note|as an aside|unrelated,? but|random(?:ly)?,? but",),
    kidding=(
        r"(?:just|only|i'?m|i was) (?:kidding|joking)|jk|kidding|lol jk|not really lol|not seriously|/s",
    ),
    lead_ins=(
        r"(?:(?:can|could|would|will) you )?(?:please |pls |just |also |always )*"
        r"(?:remember|memori[sz]e|note|don'?t forget|do not forget|never forget|keep in mind|bear in mind"
        r"|make a note|take note|be aware|know)(?: of)?(?: this| the following| it| down)?(?: that|:|,|(?= (?:I"
        r"|my|we|our)\b))",
        r"(?:please |pls )?(?:store this memory|add to memory|make a mental note(?: for me)?|(?:please )?keep (?:it|this|that)? ?(?:somewhere|forever)"
        r"|just so you have it|i want you to remember(?: that)?|i want it remembered that)(?=[:, ])|fair warning(?=[:,])",
        r"(?:for (?:the record|future reference|next time|context|background|your (?:information|reference)))",
        r"(?:important(?:ly)?|note|nb|n\.b\.|ps|p\.s\.|fyi|heads[ -]up|reminder|fact|context|background|info"
        r"|update|correction|tl;?dr)"
        r"(?: note)?(?=[:,]| -)",
        r"(?:it'?s |it is |this is |what'?s )?(?:very |really |also |most )?important(?: is)?(?: to (?:know|note"
        r"|remember|me))?(?: that|:|,)",
        r"(?:fyi|psa|heads[ -]up)(?= (?:I|I'm|I've|I'll|we|we're|we've|my|our|the)\b)",
        r"(?:I )?just (?:so you know|wanted to (?:let you know|say|mention|add)|fyi)(?: that)?",
        r"(?:I(?:'d| would)? (?:want|like) (?:you )?to (?:know|remember|note)) that",
        r"(?:write|jot|note) (?:this|that|it) down(?: somewhere)?(?=[:,])|jot down that|(?:don'?t lose|store|save"
        r"|log|hang on to|hold on to|file|record) (?:this|that)(?: one)?(?: for me| for later)?(?=[:,]| the| my"
        r"| our)"
        r"|save for later(?=[:,])|put on (?:file|record) that|(?:one|something) for your (?:memory|notes)(?=[:,])"
        r"|note it(?: pls| please)?(?=[:,])",
        r"you should (?:know|remember|note)(?: that)?|let me (?:tell you|mention|add)(?: that)?",
        r"(?:I should|I forgot to|I wanted to|should|also,? I should) (?:mention|say|add|note)(?: that)?",
        r"(?:by the way|btw|incidentally|side note|as an aside|on (?:a|another) side note)(?: though)?",
        r"(?:save|store|keep|add|put|write|commit) (?:this|that|it|the following) (?:to|in|into) (?:your |the |my )?"
        r"(?:memory|memories|notes)(?:, please| please)?(?=[:.,-]| that)(?: that)?",
        r"a bit about (?:me|myself)(?=[:,])|about me(?=[:,])|(?:a )?quick (?:note|update|intro|fact|one"
        r"|correction)(?: about me)?(?=[:,])",
    ),
    openers=(
        r"(?:well|so|ok|okay|oh|ah|um|uh|hmm|hm|yeah|yep|yes|yup|sure|great|cool|thanks|thank you"
        r"|thx|alright|anyway|anyways|also|plus|and|but|then|now|listen|haha|lol|wow|hey|hi|hello|hey there|hi there"
        r"|hello there|good (?:morning|afternoon|evening)|honestly|frankly|basically|actually|luckily|fortunately"
        r"|unfortunately|sadly"
        r"|apparently|obviously|personally|in fact|to be honest|tbh|sorry|wait|oops|exactly|indeed|of course"
        r"|as you know|like i said|as i said|as i mentioned|as mentioned|besides|meanwhile|finally|first(?:ly)?"
        r"|second(?:ly)?"
        r"|lastly|currently|at the moment|right now|nowadays|these days|recently|lately|generally|usually|overall"
        r"|additionally|furthermore|however"
        r"|because|since|although|though|for me|in my case|one more thing|another thing|good to know|interesting|got it"
        r"|scratch that|never ?mind|correction|on second thought|my bad|my mistake|let me correct that|to clarify"
        r"|to be clear)"
        r"(?=[\s,.:;!—–]|-(?!\w)|$)",
        r"(?:no|nope|nah|right|good|nice|true|still|look|see|man|ugh|yay|damn|argh|phew)(?=[,.:;!—–-])",
        r"[-*•–—]+\s|\d{1,2}[.)]\s",
    ),
    tails=(
        r"\s*[,;:(–—]\s.*",
        r"\s*[;(–—].*",
        r",\s?(?:but|and|so|because|which|who|where|though|although|since|if|when|while|not|if possible|please"
        r"|thanks|too|right|you know|as)\b.*",
        r"\s(?:because|since|although|though|but|which|whereas|while|so that|so|unless|until|if|as (?:it|I|we"
        r"|they|he|she)|when(?:ever)?|after|before|than)\b.*",
        r"\s(?:and|or) (?:I|I'm|I've|I'd|I'll|we|we're|my|our|he|she|they|it|it's|the|then|that|this|you|please"
        r"|also|currently|now|so|will|have|had|has|am|was|want|need|work|live|love|like)\b.*",
        r"\s(?:that|who|whom|where) (?:I|we|he|she|it|they|is|are|was|has|have|can|will)\b.*",
        r"\s(?:right now|at the moment|these days|nowadays|currently|as well|too|though|actually|btw|by the way"
        r"|lol|haha|please"
        r"|you know|I guess|I think|or something|or so|and stuff|etc|anymore|any more|any longer|already|instead|today"
        r"|now|again|yet|lately|recently|in general|for now|by far|for sure|as of (?:now|today|this \w+)|thanks"
        r"|thank you)$",
        r"\s(?:for|since) (?:about |almost |nearly |over |more than |the (?:last|past) |around |at least )*(?:\d+"
        r"|a|an|one|two|three|four|five|six|seven|eight"
        r"|nine|ten|many|some|several|the|quite|few|couple) ?(?:a few |few |couple (?:of )?|last |past |more )?"
        r"(?:years?|months?|weeks?|days?|decades?|while|time|now)\b.*",
        r"\s(?:for|since) (?:years|months|weeks|ages|decades|a while|forever|childhood|\d{4}|last \w+|high school"
        r"|college)\b.*",
    ),
    hedges=(
        (r"probably|most likely|i'?m pretty sure|i'?m fairly sure|pretty sure|almost certainly", 0.7),
        (
            r"i believe|i think|i guess|i suppose|i reckon|i feel like|it seems|seems like|seemingly|apparently"
            r"|likely|looks like",
            0.6,
        ),
        (
            r"i assume|if i(?:'m| am) not mistaken|if i remember (?:correctly|right)|iirc|as far as i know|afaik"
            r"|presumably|supposedly",
            0.6,
        ),
        (r"thinking (?:about|of)|considering|toying with", 0.5),
        (
            r"maybe|perhaps|possibly|i'?m not sure|not sure if|not (?:entirely|totally|completely|100%) sure"
            r"|kind of|sort of|i'?m leaning",
            0.4,
        ),
        (
            r"(?:i|we|he|she|they|it) (?:might|may|could) (?!have to\b)|might be|may be|could be|there'?s a chance",
            0.4,
        ),
        (r"i doubt|no idea (?:if|whether)|who knows", 0.3),
    ),
    corrections=(
        r"actually|correction|i meant|i mean,? (?:i|my|it)|scratch that|i was wrong|i misspoke|my mistake|my bad"
        r"|let me correct"
        r"|on second thought|i(?:'ve| have)? changed my mind|i take (?:it|that) back|to correct myself|that'?s "
        r"(?:wrong|not right|incorrect)"
        r"|that was wrong|it'?s not \w+,? it'?s|rather than what i said|ignore what i said|forget what i said"
        r"|instead of what i said"
        r"|no longer .{1,40}, now|not anymore, now|sorry, (?:i|my|it)|wait, (?:i|my|it|no)|typo",
        r"(?<=, )not (?!sure|only|just|that|too|yet|really|so\b|a (?:big|huge)|because)[\w' -]{2,30}[.!]{0,3}$",
    ),
    hypothetical=(
        r"if (?:i(?! remember)|we|you(?! (?:wonder|believe|ask me|must know|were wondering|want to know|care|have the choice|ever need))"
        r"|he|she|they|it|someone|somebody|there|my|our|the|a|an|one|this|that)",
        r"what if|suppose|supposing|imagine|assuming|let'?s (?:say|assume|pretend|imagine)|say (?:i|we) (?:have"
        r"|had|am|were)",
        r"hypothetical(?:ly)?|in theory|theoretically|i wish|if only|as if|as though|would have|could have|should have",
        r"(?:i|we)(?:'d| would) (?:be|have|go|do|say|never|buy|live|work|move|pick|choose|use|take|get|probably"
        r"|rather (?!not\b|you\b))",
        r"pretend(?:ing)?|even if|whether|should i|were i|had i",
        r"i (?:used to )?(?:dream(?:ed|t)? (?:about|of|that)|had a dream)",
        r"(?:in|from) (?:the|a|my|this) (?:dream|movie|film|novel|story|book|game|show|series|episode|song|scenario)",
    ),
    quoting=(
        r"(?:he|she|they|it|who|someone|somebody|everyone|people) "
        r"(?:said|says|say|told|tells|wrote|writes|claims|claimed|thinks|thought|asked|asks|replied|mentioned"
        r"|believes|posted|tweeted|goes?|goes like|reads)",
        r"(?:the|this|my) \w+(?: \w+)? (?:said|says|wrote|writes|claims|claimed|replied|posted|tweeted|goes like"
        r"|reads)(?!(?: that)? (?:i|i'm|i've|my|we)\b)",
        r"(?-i:[A-Z][a-z]+) (?:said|says|told|wrote|writes|claims|claimed|asked|asks|replied|mentioned|posted|tweeted)",
        r"according to|as the saying goes|and i quote|unquote|the quote|lyrics?|in the song|line from",
        r"for example|for instance|e\.g\.|such as \"|example:|sample (?:text|sentence|input|output)|lorem ipsum",
        r"(?:translate|proofread|rephrase|paraphrase|rewrite|summari[sz]e|correct|edit|fix) (?:this|the following"
        r"|the sentence|my (?:sentence|grammar|text|email|message|letter))",
        r"(?:the |this |an? )?(?:error|log|output|message|stack ?trace|traceback|warning|exception|prompt|email"
        r"|ticket|docs?|readme|article|paragraph|sentence|text|review text|book|sign|label|form) (?:says?|said"
        r"|reads?|goes|states?|claims?)",
        r"(?:error|log|output|message|review|input|text|prompt|sentence|example|caption|title|subject|quote)"
        r"(?: text| message)?(?: is| was)?:",
        r"how (?:do|would) (?:you|i|we) say",
    ),
    fiction=(
        r"pretend (?:to be|that|you|you're|i|i'm)|role-?play(?:ing)?|act (?:as|like) (?:a|an|my|the|if)|you are "
        r"(?:a|an|now) (?-i:[A-Za-z])",
        r"(?:write|compose|draft|create|generate|tell|make) (?:me |us )?(?:up )?(?:a|an|another|some|the) (?:\w+ ){0,4}"
        r"(?:story|poem|song|novel|script|dialogue|monologue|scene|fanfic\w*|haiku|sonnet|limerick|lyrics|persona"
        r"|test)",
        r"(?:in|for) my (?:novel|story|book|screenplay|fanfic\w*|short story|campaign|game|d&d \w+)|my "
        r"(?:character|protagonist|oc|npc|paladin|wizard)",
        r"(?:once upon a time|knock,? knock|in character|as a character|fictional|fan ?fiction|the (?:protagonist"
        r"|narrator|hero|villain|main character))",
        r"(?:translate|proofread|rephrase|paraphrase|rewrite|summari[sz]e|correct the grammar|check the grammar"
        r"|analy[sz]e the (?:text|sentence|sentiment)|classify|parse)"
        r"(?: \w+){0,6}(?: following| sentence| text| email| message| paragraph| quote| into \w+| to \w+)? ?:",
        r"(?:translate|proofread|rephrase|paraphrase|rewrite) (?:this|that|these|the following|the sentence|the text)",
        r"(?:test (?:data|case|fixture|input|string|user)|mock data|dummy (?:data|text)|seed data|example (?:user"
        r"|data|dialog(?:ue)?|conversation)|sample (?:user|data|dialog(?:ue)?|conversation))",
        r"(?:here'?s|here is|here are|this is|below is|below are|i got|i received|consider|given|read|review"
        r"|look at|check) (?:an?|the|my|some|this|these|two|three|following)"
        r" (?:[\w'-]+ ){0,4}(?:email|e-mail|message|text|review|letter|sentence|paragraph|passage|article"
        r"|transcript|conversation|story|post|tweet|prompt|resume|cv|abstract|snippet|excerpt|dialogue|example"
        r"|input|bio|comment|feedback|complaint)s?(?: [^:.!?]{0,40})?:",
        r"what would you (?:say|reply|answer|recommend) (?:if|to (?:a|someone))",
    ),
    small_talk=(
        r"hi|hiya|hello|hey|yo|sup|howdy|greetings|good (?:morning|afternoon|evening|night|day)|morning|evening|gm|gn",
        r"there|everyone|all|friend|buddy|claude|chatgpt|assistant|again|so much|very much|a lot|for (?:that|this"
        r"|your help|the help|everything|now)",
        r"how are you(?: doing)?(?: today)?|how'?s it going|what'?s up|nice to (?:meet|see) you|how do you do"
        r"|long time no see",
        r"thanks|thank you|thx|ty|tysm|cheers|much appreciated|appreciate (?:it|that)|i appreciate (?:it|that"
        r"|your help)|many thanks",
        r"ok|okay|k|kk|sure|yes|yep|yeah|yup|no|nope|nah|right|correct|fine|good|great|cool|nice|perfect|awesome"
        r"|excellent|amazing"
        r"|wonderful|lovely|fantastic|brilliant|sweet|neat|done|got it|gotcha|understood|noted|makes sense"
        r"|sounds good|looks good"
        r"|lgtm|alright|all right|of course|no problem|no worries|np|you'?re welcome|never ?mind|whatever|exactly"
        r"|agreed|true|i see|oh|wow|haha+|lol|lmao|hmm+|uh|um"
        r"|that'?s (?:it|all|great|perfect|right|correct|fine|good|awesome|cool)|it works|works|works now"
        r"|that works|that worked|go on|go ahead|continue|next|please|proceed|stop|wait|ping|test"
        r"|i'?m (?:fine|good|ok|okay|well|great|doing (?:well|good|great|fine))(?:,? thanks)?|not bad|same here|me too",
        r"bye|goodbye|good ?night|see (?:you|ya)(?: later| soon| tomorrow| around)?|later|take care|ttyl|have a "
        r"(?:good|great|nice) (?:one|day|night|evening|weekend)|cya",
        r"happy (?:birthday|new year|holidays|monday|friday)|merry christmas|congrats|congratulations|good luck"
        r"|sorry|my bad|oops|i'?m (?:back|here)|let'?s go|let'?s (?:start|begin|do (?:it|this))",
    ),
    questions=(
        r"(?:what|how|why)(?:'s|'re|'d|'ll|s)?(?= |$)(?! (?:we|i|you) (?:learned|learnt|need|want|found|really)"
        r"| a (?:day|mess|week|relief|shame)| matters)",
        r"(?:who|whom|whose|which|where|when)(?:'s|'re|'d|'ll)? (?:is|are|was|were|do|does|did|will|would|can"
        r"|could|should|has|have|had|one|of|to|else|exactly|\w+ (?:is|are|should|would|do|does|did|can)|the hell)",
        r"(?!did (?:my|an?|the) (?:[\w'-]+ ){0,3}(?:masters?|master's|phd|bachelor'?s|degree|pgce|bootcamp|exchange|internship|course"
        r"|apprenticeship|erasmus|a-?levels|training|residency|marathon)\b)"
        r"(?:do|does|did|is|are|was|were|am|can|could|would|will|shall|should|may|might|must|has|have|had|isn'?t"
        r"|aren'?t|wasn'?t|don'?t|doesn'?t|didn'?t|can'?t|couldn'?t|won'?t|wouldn'?t|shouldn'?t|haven'?t|hasn'?t)"
        r" (?:i|you|he|she|it|we|they|the|this|that|these|those|there|my|your|our|his|her|their|its|anyone"
        r"|anybody|someone|everyone|a|an|any|all|(?-i:[A-Z])\w+)",
        r"any (?:idea|thoughts|suggestions|recommendations|tips|advice|chance|way|ideas)|mind (?:if|telling)|i"
        r"(?:'m| am) (?:wondering|curious)|i (?:was )?wonder(?:ing)?",
        r"how about|what about|how come|so what|and what|or (?:should|is|do|does)",
    ),
    question_ends=(r"right|correct|no|yes|huh|eh|isn'?t it|don'?t you|do you|or not|or what",),
    imperatives=(
        r"(?:please|pls|kindly|go ahead and|try to|be sure to|make sure(?: to| that| you)?|feel free to)[, ]+"
        r"(?!remember|note|always|never|don'?t forget)\w+",
        r"(?:can|could|would|will) you (?:please |also |just |maybe )?\w+",
        r"i(?:'d| would)? (?:want|need|like) (?:you|u) to",
        r"i(?:'d| would) like (?:to (?:know|see|hear|understand|learn (?:how|about|more)|ask|get|create|make"
        r"|build|write|have|find|do|use|add|change)|a|an|some|the|you|your)",
        r"i(?:'m| am)? (?:want|need|looking for|trying) (?:a|an|some|to (?:create|make|write|build|generate|find"
        r"|know|understand|see|get|fix|add|implement|convert|sort|parse|compute|calculate|check|use|run)|help|the"
        r"|your)",
        r"(?:let'?s|lets|let me|let us|allow me)",
        r"(?:(?:just|now|then|next|first|also|maybe|only) )?(?:fix|write|create|make|build|generate|add|remove"
        r"|delete|update|change|edit|modify|refactor|rename|move|copy|implement|debug|test|run|rerun|execute"
        r"|install|deploy|commit|push|merge|revert|rebase|check|verify"
        r"|review|explain|describe|summari[sz]e|translate|rewrite|rephrase|paraphrase|proofread|convert|calculate"
        r"|compute|solve|find|search|look|show|list|give|tell|help|suggest|recommend|compare|analy[sz]e|plan"
        r"|design|draft"
        r"|compose|send|open|close|start|stop|restart|continue|try|use|set|turn|put|take|get|fetch|download"
        r"|upload|read|print|log|parse|format|sort|filter|count|extract|replace|insert|append|split|join|combine"
        r"|optimi[sz]e"
        r"|improve|simplify|shorten|expand|clean|document|comment|annotate|port|migrate|upgrade|downgrade"
        r"|configure|enable|disable|connect|mock|stub|wrap|extend|cancel|undo|redo|ignore|skip|repeat|call|book(?! club)"
        r"|order|buy|play|pause|imagine"
        r"|pretend|act|answer|respond|reply|ask|choose|pick|guess|think|consider|assume|suppose|include|exclude"
        r"|provide|outline|brainstorm|teach|quiz|walk|break|keep going|see|apply|confirm|reset|clear|wait|go|do"
        r"|don'?t|do not|keep|leave|bring|save|store|return|ensure|pull|sync|bump|drop|scan|investigate|figure"
        r"|paste|attach)"
        r"(?= |:|,|\.|!|$)",
    ),
    standing=(
        r"always|never|from now on|from here on|every time|each time|any ?time|whenever|going forward|in "
        r"(?:the )?future|in all (?:cases|my projects|our repos?)"
        r"|by default|as a rule|at all times|under no circumstances|no matter what|ever(?! since)|all (?:my|our) "
        r"(?:answers|replies|projects|repos?|code)|henceforth|by policy|in general",
    ),
    temporary=(
        (r"right now|at the moment|for now|today|tonight|this (?:morning|afternoon|evening)", 12),
        (r"tomorrow", 48),
        (r"this week|this weekend|the next few days|for a few days|these days", 240),
        (r"this month|temporarily|for the time being|the next few weeks|for a few weeks", 840),
    ),
    kin=tuple((words, predicate) for predicate, words in _KIN.items()),
    first_person=(
        r"i|i'm|i’m|i've|i’ve|i'd|i’d|i'll|i’ll|im|ive|my|mine|me|we|we're|we’re|we've|our|ours|us|myself",
    ),
    not_names=frozenset(
        """
        i you he she it we they this that these those there here who what which where when why how the a an my your his her
        its our their everyone everybody someone somebody anyone nobody people one all some any none most many both each
        today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march april june
        july august september october november december christmas easter morning tonight now then also but and so or if because since while although
        yes no ok okay well oh hey hi hello thanks please sorry sure maybe perhaps actually honestly unfortunately
        not just really very still already only even never always sometimes often usually currently
        nothing everything something anything god life work time home code data python java javascript typescript rust docker
        error warning info debug note todo fixme user assistant system human ai claude chatgpt gpt gemini copilot
        google microsoft amazon apple openai
        we've we're i'm i've i'd i'll it's that's there's he's she's they're you're let's what's who's here's we'll it'll they've you've
        let lets make use using looking trying going getting great good nice cool
        """.split()
    ),
    agent_markers=(
        (r"(?:final |agreed |design |key )?decisions?(?: made)?|decided", "decided"),
        (
            r"lessons?(?: learn(?:ed|t))?|learned|takeaway|key takeaway|root cause|gotcha|postmortem|insight",
            "learned",
        ),
        (r"todo|to-do|action item|follow[- ]up|next step", "has_to"),
    ),
    breaks=r"(?<=[\w\)\"”])(?:\s*;\s+|,?\s+(?:and|but|so|plus)\s+(?=(?:also |now |currently |then )?(?:I|I'm|I’m|I've|I’ve|I'll|I'd|my|our|we|we're|we’re|we've)\b)|,\s+(?=(?:I|I'm|I’m|I've|I’ve|my|our|we|we're|we’re|we've)\s)|\s+also\s+(?=(?:pls|please|never|always)\s))",
    joints=r"[,;:]\s+|\s+(?=I'm an? )|\s+(?:and|but|so|because|since|also|plus|while|now|then)\s+|\s[-–—]+\s|[!.]\s+",
    spellings=(
        (r"\bi'?m gonna\b", "I'm going to"),
        (r"^(?:gonna|going to) (?=\w)", "I'm going to "),
        (
            r"^(?=(?:just |recently |finally |never )?(?:got (?:married|divorced|engaged|laid off|fired|promoted"
            r"|an? (?:new )?(?:job|dog|cat|puppy|kitten))"
            r"|moved (?:to|into|back)|joined|quit my|graduated|dropped out|studied|grew up|did my|majored|decided"
            r"(?! ?[:,-])|settled on|chose|learned|learnt|figured out|found out|came off"
            r"|stopped (?:taking|drinking|eating|smoking|using)|switched to|sold (?:my|the)|bought an?"
            r"|signed up for|handed in my|liked|cared for)\b)",
            "I ",
        ),
        (
            r"^(?=(?:currently |recently |also |happily )?(?:born (?:in|on|and)|raised in|diagnosed with"
            r"|employed (?:at|by|as)|retired|divorced|married|self-employed"
            r"|allergic to|based in|hoping to|planning to|saving up|training for|studying|working (?:at|for|as)"
            r"|living (?:in|with)|doing (?:an?|my)|taking an?|turning \w+"
            r"|(?:type [12] )?diabetic|pregnant|sober (?:for|since)|vegan|vegetarian|lactose|on \d+ ?mg"
            r"|originally from|out of (?:the )?office)\b)",
            "I'm ",
        ),
        (
            r"^(?:still )?(?=(?:have|need|got) to (?:renew|call|book|pay|file|buy|send|finish|return|pick|drop|answer|reply|email|submit|cancel|order|water)\b)",
            "I ",
        ),
        (r"^(mum|mom|dad|wife|husband|boss)(?='s name\b| (?:is|has|had|was)\b)", r"my \1"),
        (r"\b[Ii]m\b", "I'm"),
        (r"\bive\b", "I've"),
        (r"\bid\b(?= (?:rather|prefer|like|love))", "I'd"),
        (r"^(?:it )?(?:looks|seems|sounds|feels) like (?=(?:I|I'm|I'll|I've|we|we'll|we're|my|our)\b)", ""),
        (r"\b(do|does|did|is|are|was|ca|wo|should|could|would)nt\b", r"\1n't"),
        (
            r"\b(?:i think|i believe|i guess|i suppose|i reckon|i assume|i suspect|i feel like|it seems(?: like)?|^pretty sure|i'm "
            r"(?:pretty|fairly|quite|almost) sure|if i remember (?:correctly|right)|iirc|afaik|as far as i know)"
            r"(?: that)?,? ",
            "",
        ),
        (
            r",? (?:i think|i believe|i guess|i suppose|iirc|afaik|actually|btw|by the way|tbh|to be honest"
            r"|please|pls|lol|haha)(?=[.,!]|$)",
            "",
        ),
        (r"\b(I|we) (?:might|may|could)(?: well)? be\b", r"\1 am"),
        (r"\b(he|she|it|[A-Z]\w+) (?:might|may|could)(?: well)? be\b", r"\1 is"),
        (r"\b(I|we) (?:might|may) (?=(?:have|need|move|go|prefer|like)\b)", r"\1 "),
        (
            r"\b(?:probably|maybe|perhaps|possibly|apparently|most likely|presumably|supposedly|kind of|sort of"
            r"|kinda|honestly|literally|basically|actually|obviously)\b,? ",
            "",
        ),
        (
            r"\bmy (?:doctor|gp|dentist|therapist|psychiatrist|allergist|cardiologist|physician|specialist) "
            r"(?:told me|said|says|thinks|confirmed)(?: that)? (?=i\b|i'm|i've|my)",
            "",
        ),
        (r"  +", " "),
    ),
    empty_objects=frozenset(
        """
        it this that these those them him her you me us one ones both all everything something anything nothing none either neither
        so here there now not very too much more most less same different other another such what how why when where who which
        both of them all of them a lot lot idea thing things stuff way ways point case something else anything else to be sure back
        yes no ok okay good great fine nice cool done ready right wrong true false first last next new old
        """.split()
    )
    | frozenset(
        {
            "that one",
            "this one",
            "the first one",
            "the second one",
            "second one",
            "first one",
            "a lot",
            "to",
            "of",
        }
    ),
    empty_starts=(
        r"(?:it|this|that|these|those|them|him|her|you|your|how|what|why|where|whatever|which|to be (?:able|sure"
        r"|honest)|the (?:way|idea|fact|first|second|third|last|new|old|other|same|above|result|output|look"
        r"|approach|option|version|change|answer|suggestion|sound|second option|latter|former))",
    ),
)
