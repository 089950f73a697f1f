"""English: where somebody lives, where things are, and what belongs to whom."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import ADVERBS, ENDS, KINFOLK, US, did, doing
from memoracle.extract.words_en import CITIES
from memoracle.model.claim import Stance

_CAP = (
    r"(?!(?-i:CI|QA|IT|HR|UI|UX|AI|ML|API|VS|PR|OK|TV|A&E|IDE|Python|Java|Rust|Go|Git|Docker|Excel|Slack|Safari|Chrome|React|Word"
    r"|Zoom|Teams|God|Christmas|January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Wonderland|Heaven|Narnia|Minecraft|Vim|Linux|Windows)\b)"
    r"(?-i:[A-ZÀ-Þ])[\w'.-]{1,24}(?:,? (?:(?:of|de|del|am|upon|on|near|the|and|an der|la|le) )?(?-i:[A-ZÀ-Þ])[\w'.-]{1,24}){0,4}"
)
"""A place by its capital letter."""
_NOWHERE = (
    r"(?!(?:the )?(?:moment|middle|past|future|same|settings|files?|repo|code|terminal|browser|meeting|loop|process|world|dark|shell|weeds"
    r"|src|root|tests?|hope|fear|reality|denial|strange|times?|interesting|peace|constant|this|that|it|there|here|debug|charge|trouble"
    r"|progress|general|particular|production|staging|moon|edge|dream|bubble|simulation|glass|love|line|page|train|bus|phone|call"
    r"|shower|bath|kitchen|queue|mood|zone|clear|fence|verge|brink|toilet|loo|hurry|rush|border|coffee|takeaway|instant|ramen|caffeine|air)\b"
    r"|an? (?:hurry|rush|meeting|loop|bubble|world|simulation|dream|call|bit|mess)\b)"
)
_WHERE = (
    r"(?:in|near|at|on|by|outside|just outside|above|behind|between|opposite|next to|next door to|close to|across from"
    r"|around the corner from|over|under|off|with|beside|off the)"
)
_DIRECTION = r"(?: (?:out|up|down|over|back|right|here|alone|together|way out|still|now|upstairs|downstairs|happily|rurally))?"
_ADDRESS = (
    r"(?:\d{1,5}\w?,? (?:(?-i:[A-ZÀ-Þ])[\w'.-]{1,20} ){1,3}(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Drive|Dr|Close|Way|Court|Ct|Square"
    r"|Place|Terrace|Crescent|Gardens|Row|Hill|Mews|Boulevard|Blvd|Parade|Quay|Walk|Grove)\b|(?-i:[A-ZÀ-Þ])[\w'.-]{2,24}"
    r"(?:straße|strasse|str\.|weg|gasse|platz|allee|laan|straat|gatan|vej|utca)? \d{1,4}\w?\b|(?:Calle|Rue|Via|Rua|Ulica|Avenida|Carrer) "
    r"[\w' ]{2,30} \d{1,4})"
)
_SPOT = (
    r"(?:(?:new |main |head |spare |old |other |backup |little |home |branch |second |front |back |christmas |support |design |sales |dev"
    r" |winter |summer |garden |house |car |office |server |storage |fuse )*(?:office|headquarters|hq|studio|shop|lab|workshop|clinic|store"
    r"|warehouse|gym|desk|unit|team|box|rack|things|decorations|stall|allotment|plot|stopcock|meter|passport|passports|documents"
    r"|papers|will|router|boiler|first[- ]aid kit|toolbox|ladder|tent|bikes?|boat|shed|garage|school|nursery|surgery|practice|church"
    r"|hall|factory|venue|cabin|cottage|caravan|holiday (?:home|flat|house)|lock-up|locker|parking (?:space|spot)|server room))"
)
_LOCAL = r"(?:village|town|city|suburbs?|countryside|farm(?:house)?|flat|apartment|house|cabin|cottage|bungalow|bedsit|studio|loft|houseboat|boat|caravan|van|island|estate|granny flat|terrace|hamlet|annexe?|care home|narrowboat|barge|yurt|tiny house|dorm|student halls|commune|houseshare|flatshare)"
_STUFF = (
    r"(?:air ?fryer|heat pump|solar panels?|stair ?lift|gas hob|induction hob|hob|wood ?stove|wood burner|fireplace|dishwasher|washing machine"
    r"|dryer|tumble dryer|freezer|fridge|oven|microwave|thermomix|kitchenaid|bread (?:maker|machine)|slow cooker|instant pot|pressure cooker"
    r"|espresso machine|coffee machine|sous vide|wok|grill|smoker|bbq|barbecue|pizza oven|robot (?:vacuum|mower|hoover)|hoover|vacuum|roomba"
    r"|treadmill|rowing machine|exercise bike|peloton|hot tub|sauna|trampoline|wheelchair|walking frame|hearing aids?|cargo bike|e-?bikes?|bikes?"
    r"|bicycle|tandem|motorbike|motorcycle|vespa|scooter|moped|car|van|camper(?: ?van)?|caravan|motorhome|truck|pick-?up|tractor|trailer|boat"
    r"|dinghy|kayak|canoe|paddle ?board|surfboard|skis|snowboard|tent|piano|keyboard|cello|violin|viola|guitar|ukulele|bass|banjo|accordion|flute"
    r"|clarinet|saxophone|trumpet|drum kit|harp|organ|synth|record player|turntable|record collection|vinyl(?: records)?|records|camera|lens|lenses"
    r"|drone|telescope|binoculars|tripod|microscope|projector|tv|telly|playstation|ps[45]|xbox|switch|steam deck|gaming pc|laptops?|macbook|thinkpad"
    r"|chromebook|desktop|pc|mac|imac|mac mini|ipad|iphone|pixel|galaxy|kindle|kobo|e-?reader|tablet|phone|smart ?watch|garmin|fitbit|apple watch"
    r"|monitors?|ultrawide|standing desk|desk|headset|headphones|airpods|mechanical keyboard|trackball|mouse|webcam|printer|3d printer|scanner|nas"
    r"|synology|home server|home lab|homelab|server rack|raspberry pis?|gpus?|a100s?|h100s?|rtx ?\d{4}|4090|3090|router|vr headset|oculus|quest"
    r"|soldering iron|oscilloscope|lathe|kiln|loom|spinning wheel|sewing machine|overlocker|knitting machine|potter's wheel|table saw|chainsaw|drill"
    r"|lawn ?mower|greenhouse|polytunnel|shed|allotment|garden|orchard|vineyard|beehives?|hives?|hens|chickens|chicken coop|pond|pool|garage|balcony"
    r"|house|flat|apartment|cottage|cabin|holiday (?:home|house|flat)|timeshare|bungalow|houseboat|farm|land|plot|domains?|season ticket|rail ?card"
    r"|bus pass|museum pass|annual pass|membership|national trust (?:card|membership)|library card|blue badge|parking permit|subscription|licen[cs]e"
    r"|licen[cs]es|netflix account|spotify account|shares|bitcoin|generator|electric car|ev|wallbox|charger|dash ?cam|cast[- ]iron pans?|stand mixer"
    r"|mixer|blender|juicer|typewriter|fountain pens?|stamp collection|coin collection|collection of [\w ]{3,30}|aquarium|fish tank|terrarium)"
)
_MAKES = (
    r"(?:dacia|golf|vw|volkswagen|polo|passat|tesla|toyota|yaris|corolla|prius|honda|civic|jazz|skoda|octavia|fabia|bmw|audi|ford|fiesta|focus|fiat"
    r"|panda|mercedes|subaru|mazda|volvo|renault|clio|zoe|peugeot|citro[eë]n|berlingo|opel|vauxhall|corsa|nissan|leaf|micra|kia|hyundai|ioniq|seat"
    r"|ibiza|mini|land rover|defender|jeep|suzuki|lexus|porsche|polestar|cupra|vespa|brompton|yamaha|kawasaki|harley|ducati|triumph|piaggio|prusa"
    r"|bambu|ender|synology|qnap|thinkpad|macbook|framework|xps|surface|chromebook|samsung|galaxy|iphone|pixel|fairphone|oneplus|xiaomi|nokia|huawei"
    r"|ipad|kindle|kobo|remarkable|garmin|fitbit|canon|nikon|fuji\w*|sony|leica|olympus|lumix|gopro|dji|steinway|fender|gibson|martin|taylor|roland|korg"
    r"|moog|bernina|singer|brother|juki|janome|miele|bosch|dyson|thermomix|kitchenaid|weber|le creuset|sage|gaggia|delonghi|rancilio|logitech|razer|keychron"
    r"|lg|dell|hp|lenovo|asus|acer|switch|playstation|ps[45]|xbox|steam deck|quest|sonos|bose|sennheiser|airpods|raspberry pi|rtx|nuc)"
)
_A = (
    r"(?:an? |one |two |three |four |five |six |\d+ |some |the |my own |our own |both an? |several |another )"
)
_MINOR = r"(?:[\w'-]+ ){0,3}?"
_TOOL = (
    r"(?:neovim|nvim|vim|emacs|vs ?code|vscodium|pycharm|intellij|webstorm|goland|rider|sublime(?: text)?|cursor|zed|helix|xcode|android studio|jupyter\w*"
    r"|rstudio|matlab|obsidian|notion|logseq|roam|evernote|onenote|apple notes|bear|joplin|org-mode|anki|zotero|scrivener|ubuntu|fedora(?: \w+)?|arch(?: linux)?"
    r"|debian|windows(?: \d+)?|macos|nixos|linux(?: mint)?|mint|manjaro|pop!?_?os|opensuse|gentoo|freebsd|firefox|chrome|brave|safari|vivaldi|edge|arc|tmux|zsh"
    r"|fish|bash|nushell|alacritty|kitty|wezterm|ghostty|iterm2?|proton(?: ?mail)?|fastmail|outlook|gmail|thunderbird|1password|bitwarden|keepass\w*|todoist"
    r"|things|ticktick|trello|lightroom|darktable|capture one|photoshop|gimp|affinity|blender|fusion|freecad|ableton|logic(?: pro)?|reaper|garageband|davinci resolve"
    r"|ynab|goodnotes|procreate|google (?:docs|calendar|sheets|photos)|nextcloud|dropbox|onedrive|icloud|home assistant|pi-?hole|truenas|unraid|proxmox|i3|sway|hyprland|gnome|kde)"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="place.lives_about", predicate="lives_in",
        regex=(
            rf"(?:{US}{ADVERBS} (?:live|rent|stay|flat-share|have lived|lived|grew up [\w ]{{2,30}} and still live){_DIRECTION} {_WHERE}"
            rf"|{doing(f'(?:living|renting|residing|house-sitting|putting up|lodging|camping out)(?: an? [a-z]{{2,10}})?{_DIRECTION}')} {_WHERE}"
            rf"|{KINFOLK}(?: still| now| both| all)? (?:live|lives|has lived|have lived|rents|resides){_DIRECTION} {_WHERE}) {_NOWHERE}"
            rf"(?P<object>(?!my (?:laptop|head|inbox|own)\b|(?:two|three|\d+) (?:cats|dogs|kids)\b)[^\n.!?]{{3,100}})"
        ),
        examples=(("I live out in the countryside, 8 Mbit on a good day.", "countryside"), ("My folks still live out in Cluj.", "folks | Cluj"), ("We live above the bakery in Hove", "bakery in Hove")),
        counterexamples=("We live in strange times.", "I live for this", "People who live in glass houses"),
    ),
    Pattern(
        name="place.am_in", predicate="lives_in",
        regex=(
            rf"(?:(?:I'm|we're|I am|we are)(?: all)?(?: (?:up|down|out|over|based|here|still|back|currently|now|located))*(?: out)?"
            rf"|{KINFOLK}(?:'s| is| are)(?: (?:up|down|out|over|based|still|living|now)){{0,2}}) in (?P<object>{_CAP}|the (?:{_CAP} care home|suburbs|sticks|countryside|midlands|highlands))"
            rf"(?! (?:next|this|on|for|until|till|from|with|mode|time|tomorrow|today)\b){ENDS}(?!, (?:next|this|until|tomorrow|back on)\b)"
        ),
        examples=(("I'm in Montevideo, so mornings only overlap a little", "Montevideo"), ("My sister's in Perth, so calls are hard.", "sister | Perth"), ("I'm up in Tromsø, no sun until late January.", "Tromsø")),
        counterexamples=("I'm in Paris next week", "I'm in VS Code", "I'm in the middle of a rebase", "Dad's in the shower."),
    ),
    Pattern(
        name="place.split", predicate="lives_in",
        regex=rf"(?:(?:I|we)(?:'m| am|'re)? )?(?:split(?:ting)?|divid(?:e|ing)|shar(?:e|ing)) (?:my|our) (?:time|year|week|life|weeks) between (?P<object>[^\n.!?,]{{5,60}})|(?:I|we) (?:go back and forth|commute|shuttle|move) between (?P<object>{_CAP}[^\n.!?,]{{0,40}})",
        examples=(("I split my time between Oslo and Malaga.", "Oslo and Malaga"),),
        counterexamples=("I split the file between two modules",),
    ),
    Pattern(
        name="place.home_is", predicate="lives_in",
        regex=(
            rf"(?:home|(?:my|our) (?:home(?: base| town|town)?|base|place|house|flat|apartment|current city|city|location|whereabouts))(?: is|'s| has been| =|:)(?: now| still| currently)?"
            rf"(?: in| at| near| outside)? {_NOWHERE}(?P<object>{_CAP}|an? (?:[\w-]+ ){{0,3}}{_LOCAL}\b[^\n.!?,]{{0,50}}|(?:near|behind|opposite|next to) [^\n.!?,]{{3,50}})"
            rf"|(?:location|city|based|residence|hometown|lives in|base)\s?[:=]\s?(?P<object>{_CAP})|(?P<object>{_CAP})(?: \([^)]{{2,40}}\))? is (?:where (?:I|we) (?:live|am based|are based|ended up|settled|am|are|landed|stay)|home(?=[.!,]*$|,| (?:now|these days|for me|to me|at the moment)))"
            rf"|it's (?P<object>{_CAP}) where (?:I|we) live|{doing('writing|calling|joining|dialling in|dialing in|tuning in|logging in|speaking')} from (?P<object>{_CAP})"
        ),
        examples=(("Home is Taipei these days.", "Taipei"), ("Location: Vilnius", "Vilnius"), ("Halifax is where we ended up.", "Halifax"), ("I'm writing from Wellington, where I've lived all my life.", "Wellington")),
        counterexamples=("Home at last.", "Home is where the heart is", "My place is a mess"),
    ),
    Pattern(
        name="place.settled", predicate="lives_in", stance=Stance.CORRECT,
        regex=(
            rf"(?:{did('settled(?: down)?|ended up|put down roots|resettled|washed up')} in|{did('moved|relocated|upped sticks|emigrated|migrated')}(?: (?:down|up|out|over|back|across|permanently|here)){{0,2}}(?: from {_CAP})? to"
            rf"|{did('swapped|traded|left')} {_CAP}(?: behind)? for|(?:{KINFOLK}|(?P<subject>(?!(?-i:Rails|React|Python|Django|Vue|Node|Angular|Rust|Swift|Java|Kotlin|Git\w*|Google|Apple|Windows|Linux|Debian|Ubuntu)\b)(?-i:[A-Z][a-z]{{1,12}})))(?:'s| has| have)?(?: just| recently| now| finally)? (?:settled in|(?:moved|relocated|emigrated)(?: (?:down|up|out|over|back|across))? to)) "
            rf"{_NOWHERE}(?P<object>{_CAP}|(?:an?|the) (?:[\w-]+ ){{0,3}}{_LOCAL}\b[^\n.!?,]{{0,50}})"
        ),
        examples=(("We finally settled in Trondheim.", "Trondheim"), ("We swapped London for a village in Devon.", "village in Devon"), ("Our son has settled in Melbourne.", "son | Melbourne"), ("relocated to Austin for the wife's job", "Austin")),
        counterexamples=("My heart moved to my throat on that ride.", "Rails moved to version 6", "I moved the file to src"),
    ),
    Pattern(
        name="place.left_city", predicate="lives_in", stance=Stance.DENY,
        regex=rf"{did('left|moved (?:away from|out of)|escaped')} (?P<object>{CITIES})(?! (?:for|to|at \d|station|airport|yesterday|this morning)\b)",
        examples=(("I left London, too expensive.", "London"),),
        counterexamples=("I left Siemens in May", "We left Paris at 6"),
    ),
    Pattern(
        name="place.rents", predicate="lives_in",
        regex=(
            rf"{did('bought|got|rented|found|took|rent|have|bagged|moved into|share')} (?P<object>(?:an? |our |my )?(?:[\w-]+ ){{0,3}}(?:flat|apartment|house|farmhouse|cottage|bungalow|bedsit|room|place|studio|desk|office|townhouse|condo|duplex|houseboat)"
            rf" (?:in|near|outside|above|on|off|by|close to|just outside) (?!the (?:game|film)|hold\b)[^\n.!?,]{{3,60}})"
        ),
        examples=(("I rent a desk in a shared office near the harbour.", "desk in a shared office near the harbour"), ("got a flat in Leith now", "flat in Leith")),
        counterexamples=("I got a room key", "I found a house on hold"),
    ),
    Pattern(
        name="place.works_from", predicate="located_in",
        regex=r"(?:I|we)(?: mostly| usually| mainly| always| now)? work (?:from|out of) (?P<object>(?:the|my|our|an?) (?!(?:left|right|top|bottom|start|assumption|command|same)\b)[^\n.!?,]{3,50})",
        examples=(("I work from the attic, it's 35 degrees there in summer.", "attic"),),
        counterexamples=("I work from the command line", "I work from home"),
    ),
    Pattern(
        name="place.thing_is", predicate="located_in",
        regex=(
            rf"(?:my|our|the) (?P<about>{_SPOT})(?:'s| is| are| sits?| stands?| lives?| hides?| has moved| moved|(?: is| are) (?:kept|stored|located|based|housed|hidden))(?: now| right| out| over| up| down| still| always| directly){{0,2}} "
            rf"(?P<object>(?:in|on|at|above|behind|under|next to|opposite|near|between|below|to|inside|beside|plot) (?!(?:main\b|fire|hold|trouble|order|charge|sight|use|stock|good|bad|a mess|a state|the (?:way|left|right|fritz|cloud|phone|same|move|middle|photo|picture|loop|diff)|progress|line|it|this|that|work|time|risk|fault|sale|a meeting|a call|staging|sync|place|need|danger|pieces|version|beta|production|testing|review)\b)[^\n.!?,]{{2,70}})"
        ),
        examples=(("The support team sits in Manila.", "support team: in Manila"), ("The server rack is in our basement.", "server rack: in our basement"), ("Our office sits right above the station in Basel.", "office: above the station in Basel")),
        counterexamples=("The box is in the middle", "Our office is on fire", "The team is in a meeting"),
    ),
    Pattern(
        name="place.post", predicate="address", whole=True, label_free=True,
        regex=(
            rf"(?:(?:deliveries|parcels|packages|post|mail|letters|orders|shipments|invoices) (?:go|goes|should go|can go|are to go|come)|(?:deliver|ship|send|post)\b[^\n.!?]{{2,40}}?) to (?P<object>{_ADDRESS}[^\n!?]{{0,60}})"
            rf"|(?P<object>{_ADDRESS}[^\n!?:]{{0,40}}?)(?:,|:)? (?:that's (?:home|me|us|where|my|our)|is (?:home|my (?:home )?address|our address|where))|(?:(?:home |postal |delivery |shipping |mailing )?address|addr|we live at|I live at|I'm at)\s?[:=]?\s(?P<object>{_ADDRESS}[^\n!?]{{0,60}})"
            rf"|(?:(?:my|our) )?(?:post ?code|zip(?: code)?|plz)(?: is|'s|:)? (?P<object>(?=[A-Z0-9 -]{{0,8}}\d)[A-Z0-9][A-Z0-9 -]{{3,9}})\b"
        ),
        examples=(("Deliveries go to Lindenstraße 8, second courtyard.", "Lindenstraße 8, second courtyard"), ("Address: Calle Mayor 7, 3B, Zaragoza", "Calle Mayor 7, 3B, Zaragoza"), ("postcode M14 5RQ", "M14 5RQ")),
        counterexamples=("The address is 0x7fff", "Deliver the patch to main", "zip the folder"),
    ),
    # possessions
    Pattern(
        name="possession.none", predicate="owns", stance=Stance.DENY, whole=True,
        regex=(
            rf"(?P<object>(?:I|we)(?: (?:don't|do not|no longer|never)(?: even)? (?:have|own|had|owned|drive|use)| haven't(?: got| had| worn| owned)?| have no|'ve no|'ve never owned)(?: an?y?| any| the)? (?:[\w-]+ )?(?:{_STUFF}|{_MAKES}|contact lenses|smartphone|credit card|driver'?s licen[cs]e|driving licen[cs]e)\b(?! number| charger| app)[^\n.!?,]{{0,40}})"
            rf"|{did('gave|sold|donated|binned|scrapped|pawned|got rid of|parted with|flogged')} (?P<object>(?:my|our|the|all my|all our|both my) {_MINOR}(?:{_STUFF}|{_MAKES})\b[^\n.!?,]{{0,30}})"
        ),
        examples=(("We don't have a car, we sold it when we moved to the city.", "We don't have a car"), ("Gave my record collection away, all 900 of them.", "my record collection away")),
        counterexamples=("I don't have a clue", "I don't have the phone number"),
    ),
    Pattern(
        name="possession.own", predicate="owns",
        regex=(
            rf"(?:(?:I|we){ADVERBS} (?:own|drive|ride|lease)(?!\s(?:up|it|this|that)\b)|{did('bought|inherited|picked up|treated myself to|ordered|purchased|acquired|splashed out on|invested in|snagged|was given|were given|got myself|got ourselves')}|(?:^|I'm |I am |we're )(?:the )?(?:proud |happy )?owners? of"
            rf"|{KINFOLK} (?:drives|owns|rides|bought|inherited|got|just got|just bought)) (?P<object>(?:{_A}|my (?:grand\w+|gran|mum|dad|uncle|aunt)'s |(?:grandma|grandpa|granddad|mum|dad|nan)'s )(?!(?:question|problem|bug|lot|bit|coffee|sandwich|ticket to|lunch|few|pizza|beer|drink|book|gift|present|wrong|same|shop|store|business|company|bakery|restaurant|café|cafe|pub|farm|salon|studio|agency|hotel|(?:[\w-]+ ){{1,2}}(?:shop|store|business|company|bakery|restaurant|café|cafe|pub|salon|agency|hotel))\b)"
            rf"(?:{_MINOR}(?:{_STUFF}|{_MAKES})\b(?! (?:error|problem|issue|book|magazine))|(?<=own )(?:an? )?(?-i:[A-Z])\w+|(?<=drive a )[\w-]+ (?-i:[A-Z])\w+)[^\n.!?,]{{0,60}})"
        ),
        examples=(("I inherited a piano I can't play.", "piano I can't play"), ("We drive a used Dacia now.", "used Dacia"), ("Proud owner of three beehives.", "three beehives"), ("Picked up a secondhand cello last week.", "secondhand cello last week")),
        counterexamples=("I own up, it was me who ate it.", "I bought a sandwich", "I own a bakery"),
    ),
    Pattern(
        name="possession.my_thing_is", predicate="owns",
        regex=(
            rf"(?:(?:my|our)|^|ours is the|mine is the) ?(?P<about>(?:(?:main|work|home|personal|current|new|old|gaming|daily|primary|second|other|dev|company|family|desktop|travel|e-)[ -]?)*(?:mouse|sewing machine|oven|hob|mixer|bike|car|van|telly|tv|e-reader|boiler|camera|laptop|computer|machine|phone|keyboard|monitor|guitar|piano|violin|cello|tablet|watch|desktop|pc|workstation|router|printer|headphones|gpu|graphics card|rig|vehicle|motorbike|scooter|console|lens|os|distro|nas|daily driver|editor|browser|shell|terminal|ide|tent|boat|telescope|3d printer|espresso machine|coffee machine|bass|amp|skis|board|racket|set ?up|server|phone contract))"
            rf"(?: is|'s|\s?[:=])(?: now| still| currently| just)? (?P<object>(?!(?:an? )?(?:bit|little|lot|mess|problem|nightmare|disaster|joke|brick|pain|piece of|ringing|dead|broken|slow|down|off|on|in|at|being|not|full|charging|fine|ok|ready|up|back|out|too|so|very|frozen|stuck|missing|crashing|running out)\b)(?:an? [^\n.!?]{{3,60}}|(?-i:[A-Z])[\w.-]+[^\n.!?]{{0,60}}|(?:{_TOOL}|{_MAKES})\b[^\n.!?]{{0,40}}))"
        ),
        examples=(("My sewing machine is a Bernina 1008, it'll outlive me.", "sewing machine: Bernina 1008"), ("phone's a Pixel 8", "phone: Pixel 8"), ("daily driver: Fedora Silverblue", "daily driver: Fedora Silverblue")),
        counterexamples=("Phone's ringing, back in a sec.", "My laptop is slow", "Machine is down"),
    ),
    Pattern(
        name="possession.works_with", predicate="uses",
        regex=(
            rf"(?:(?:I|we){ADVERBS} (?:commute (?:on|by|in)|cook (?:on|with)|shoot (?:with|on)|game on|code (?:on|in)|develop on|write (?:on|in)|work (?:on|with)|print (?:on|with)|record (?:on|with|into)|bake (?:in|with)|run on|listen on|read on|cycle (?:on)?|get around (?:on|by|in)|play on|sew on|film (?:on|with)) (?:an? |my |our |one |two |)(?P<object>{_MINOR}(?:{_STUFF}|{_MAKES}|{_TOOL})\b[^\n.!?,]{{0,40}})"
            rf"|(?:I|we){ADVERBS} (?:keep|take|do|write|manage|track|store|organi[sz]e|edit|sync|draw|plan|read) (?:all |most of |everything |every |nearly )*(?:my|our|the)? ?[\w -]{{2,30}}? (?:in|with|on|via|using) (?P<object>{_TOOL})\b|for [\w ]{{3,25}},? (?:it's|I use|we use|I'm on|I rely on|there's) (?P<object>{_TOOL})\b"
            rf"|(?:(?:I'm|I am) an? |^(?:long-?time |happy |heavy |daily |die-?hard )?)(?P<object>{_TOOL}) (?:user|person|guy|girl|diehard|addict)\b|(?:my|our|the) (?:nas|server|laptop|box|desktop|work machine|machine|pc|homelab|home server|pi|raspberry pi) runs (?P<object>{_TOOL}\b[^\n.!?]{{0,40}}))"
        ),
        examples=(("I commute on an e-bike.", "e-bike"), ("I keep all my notes in Obsidian.", "Obsidian"), ("Emacs user since 1998, org-mode and all.", "Emacs"), ("We cook on a gas hob, no induction.", "gas hob")),
        counterexamples=("I work on it", "I write in the margin", "I keep it in mind"),
    ),
    Pattern(
        name="possession.swapped", predicate="owns", stance=Stance.CORRECT,
        regex=(
            rf"{did('traded|swapped|exchanged|upgraded|replaced|switched')} (?:my |our |the )?(?:[\w'-]+ ){{1,4}}(?:in )?(?:for|with|to) (?P<object>(?:an? |the |my )?{_MINOR}(?:{_STUFF}|{_MAKES})\b[^\n.!?,]{{0,40}})"
            rf"|(?:my|our|the) (?P<object>new {_MINOR}(?:{_STUFF}|{_MAKES})) (?:has )?(?:arrived|came|turned up|was delivered|is here)\b"
        ),
        examples=(("Finally traded the Golf in for an e-bike.", "e-bike"), ("the new desk arrived", "new desk")),
        counterexamples=("I swapped the loop for a map", "The new page arrived"),
    ),
)
