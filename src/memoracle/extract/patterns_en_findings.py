"""English: what was decided and what was learned, said more freely."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_en import did

_WE = (
    r"(?:(?:after [^,\n]{3,60},? |in the end,? |finally,? |yesterday,? |today,? |last (?:week|night|month),? |at (?:the|today's|yesterday's) [\w-]{3,20},? )?(?:I|we|the (?:team|committee|board|family|group|partners|parents|company|management|council|jury"
    r"|client|customer|department|class|band|club|cooperative|residents|whole (?:team|family)|two of us|bosses|architects?|steering group|maintainers)|(?:my|our) (?:team|family|boss|manager|board|committee|landlord|client|school|council)|my [\w-]{3,15} and I|(?-i:[A-Z][a-z]+) and I|team|everyone|both of us|management)"
    r"(?:'ve| have| has|'re| are|'s)?(?: (?:all|both|just|now|finally|already|eventually|unanimously|jointly|officially|collectively)){0,2})"
)
_WORTH = r"(?!(?:it|this|that|you|them|him|her|the same|what|how|if|yet|try|check|look|test|poorly|badly|well|wisely|wrong|the wrong|the bill|the score|an argument|your|ask|a seat|down|in|so|one|something|up where|to try|whether)\b)"
_END = r"(?=[.!]*$|[.!] )"
_SETTLED = (
    r"(?:settled|decided|that's (?:settled|decided|final|agreed|been (?:decided|agreed|voted on|settled)|the (?:decision|verdict|final word|final decision|call|outcome|plan we agreed on)|official|that|set in stone)|it's (?:settled|decided|final|official|agreed)|final(?: answer| decision| word)?|end of (?:discussion|story|debate)|no (?:more )?(?:discussion|debate|going back)"
    r"|we(?:'ve| have)? (?:finally |all |both )?(?:agreed(?: on (?:that|it))?|decided|voted(?: on it)?|settled on (?:that|it))|that was (?:the )?(?:outcome|decision|result|verdict|agreed|decided|settled)[^\n.!?]{0,40}|agreed with [\w ]{2,20}|as agreed(?: with [\w ]{2,20})?|(?:the )?decision(?:'s| is) (?:made|final)|decision made|done deal|approved by [\w ]{3,30}|by (?:unanimous )?(?:vote|majority)|my mind is made up|no turning back)"
)
_COST = r"(?:(?:that |which |it )?(?:cost|took) (?:me|us) (?:an?|the|half|\d+|two|three|four|five|all|most of|ages|hours|days|weeks|forever|whole|nearly|almost|so|way|about)[^\n.!?]{0,50}|(?:I |we )?(?:only |just |finally )?(?:learned|learnt|found|figured|worked|realised|realized|discovered) (?:that|this|it|out)(?: out)?(?: (?:today|yesterday|the hard way|last \w+|the expensive way|too late|now|eventually|this \w+|after [\w ]{3,30}))*|that was (?:the|our|my) (?:whole |real |actual |entire )?(?:problem|mistake|culprit|cause|reason|bug|issue|fix|trick|catch)|lesson learn(?:ed|t)|that's (?:the|what) (?:lesson|I learned|we learned|I've learned|I took from it)|(?:it|that|which) (?:burned|bit|hurt|cost) (?:us|me)[^\n.!?]{0,30}|(?:I've|we've|I have) (?:finally |now |since )?(?:figured|found|worked) that out|never again|not again|won't (?:do|make|happen)(?: that| it)?(?: mistake)? again|live and learn|lesson for next time|now (?:I|we) know|don't (?:ask|repeat)[^\n.!?]{0,20})"
_MADE = r"(?:fix(?:ed|es)|solv(?:ed|es)|cur(?:ed|es)|sort(?:ed|s)(?: out)?|stopp(?:ed|s)|got rid of|unblocked|did the trick for|made|saved|halved|doubled|eliminated|prevented|resolved)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="decision.agreed", predicate="decided", whole=True,
        regex=(
            rf"{_WE} (?:decided|agreed|settled|settling|chosen|chose|opted|opting|concluded|voted|committed|resolved|elected|determined|made the (?:decision|call)|(?:came|come) down(?= on)|plumped(?= for)|(?:gone|went)(?= (?:for|with))|signed off|ruled|reached a decision|landed(?= on))(?: (?:that|to|on|for|with|in favou?r of|on the side of|it[:,]))? (?P<object>(?:against |not to |out )?{_WORTH}(?!(?:a (?:walk|run|swim|drive|ride|coffee|beer|curry|pizza)|bed|home|there|out for|shopping|well|off|viral|wrong|with (?:you|him|her|me|them|my|a friend)|(?:to )?the (?:beach|park|shops?|cinema|pub|zoo|museum|doctor|station|gym|office|lake|sea|pool)|to (?:the|bed|sleep|see|school|work|church|university|college|a (?:party|concert|wedding))|through|back|crazy|quiet|ahead|live|over|on (?:holiday|vacation|strike|a (?:walk|trip|date)))\b)[^\n]{{3,200}})(?<!yet)"
            rf"|{_WE} (?P<object>(?:approved|rejected|ruled out|turned down|signed off on|said (?:yes|no) to|vetoed|banned|adopted|fixed (?:the|our) (?:price|date|budget|scope|name)|set (?:the|our) (?:price|date|budget|limit|name) (?:at|to)|capped|named (?:the|our|it)|are keeping|'re keeping|are staying with|'re staying with|'re sticking (?:with|to)|'re dropping|'re ditching|'re switching to|'re standardi[sz]ing on|standardi[sz]ed on) {_WORTH}[^\n]{{3,160}})"
        ),
        examples=(("the committee decided to stop supporting the Perl client", "stop supporting the Perl client"), ("Team voted for Terraform over Pulumi.", "Terraform over Pulumi"), ("We decided against buying a car", "against buying a car"), ("The board signed off on the Lisbon office.", "the Lisbon office"), ("We said yes to being a foster family.", "said yes to being a foster family")),
        counterexamples=("I chose poorly, this soup is awful.", "I've chosen the wrong file, sorry.", "We went to the beach", "It decided to work again by itself."),
    ),
    Pattern(
        name="decision.sealed", predicate="decided", whole=True, first=True,
        regex=(
            rf"(?P<object>(?!(?:that|this|it|so|yes|ok|what|how|if|who|have|not)\b)[^\n?:]{{6,160}}?)[,;:]? (?:and )?(?:so )?{_SETTLED}{_END}|(?:[\w' ]{{0,30}}\b(?:is |was |got |has been |'s )?(?:settled|decided|agreed|official|final|verdict|decision)(?: it)?|(?:I|we)(?:'ve| have)? changed (?:my|our) minds?(?: again)?|(?:I|we)(?:'ve| have) (?:made (?:my|our) (?:choice|decision|minds? up)|made up (?:my|our) minds?)|change of plan|changed (?:my|our) minds?)\s?[:—–]\s?(?P<object>[^\n]{{4,200}})"
            rf"|(?:scratch that|change of plan|correction|on second thoughts?|never ?mind|actually)?[,:]? ?(?P<object>(?!(?:use|do|try|put|make|write|show|give|can|what|how|why|I)\b)[\w.+# -]{{2,40}} instead of [\w.+# -]{{2,40}}),? (?:settled|decided|final|agreed|it is|then|after all)\b[^\n.!?]{{0,20}}|(?P<object>no more [^\n.!?:,]{{3,60}})[:,] (?:from|as of|starting|that's|we|I)\b"
        ),
        examples=(("I'm writing the thesis in LaTeX, settled.", "I'm writing the thesis in LaTeX"), ("The dark theme will be the default, that's decided.", "The dark theme will be the default"), ("Our paper policy is settled: no AI generated figures.", "no AI generated figures"), ("Changed our minds: Portugal instead of Greece this summer.", "Portugal instead of Greece this summer")),
        counterexamples=("Final answer?", "It's decided", "Nothing is decided yet"),
    ),
    Pattern(
        name="decision.choice", predicate="decided", whole=True,
        regex=(
            rf"{did('picked|chose|selected|went with|gone with|going with|settled on|opted for|plumped for|stuck with')} (?P<object>{_WORTH}[^\n.!?]{{2,80}}? (?:because|over|instead of|rather than|in the end|for the|as (?:our|the|my)|, not)\b[^\n.!?]{{0,80}})|(?P<object>(?-i:[A-Z])[\w.+' -]{{2,40}}? (?:won(?: out)?|got the (?:job|contract|nod)|is (?:out|in|off the table)|beat (?-i:[A-Z])\w+|was (?:chosen|picked|selected|voted (?:in|down)|approved|rejected|dropped))),? (?:so|because|over|after|by|in the end)\b[^\n.!?]{{0,60}}"
            rf"|(?:I'm|we're|I am|we are)?(?: still)? ?leaning (?:towards?|to) (?P<object>{_WORTH}[^\n.!?,]{{2,60}})|(?P<object>(?:we'll|we will|we're going to|I'll|from (?:now|today|the \w+) on,? we(?:'ll)?) (?:store|keep|rent|use|host|build|write|run|ship|stay|go|hold|charge|paint|call|name|serve|outsource|hire|order)\b[^\n.!?]{{2,80}}, not [^\n.!?]{{2,60}})|(?P<object>the [\w -]{{3,30}} (?:is|'s|are) (?:going to|gonna) be (?:called|named|painted|held|in|on)\b[^\n.!?]{{2,60}}),? we (?:finally )?(?:agreed|decided)|the [\w -]{{2,30}} decision (?:got|was|has been) (?:reversed|overturned|revised|changed)[,;:]? (?P<object>[^\n.!?]{{4,80}})"
        ),
        examples=(("We picked Postgres because SQLite's locking bit us under load.", "Postgres because SQLite's locking bit us under load"), ("We'll store the blobs in S3, not in the DB.", "We'll store the blobs in S3, not in the DB"), ("Leaning towards Svelte, but nothing is carved in stone.", "Svelte")),
        counterexamples=("I picked it up", "We'll see, not sure"),
    ),
    # lessons
    Pattern(
        name="lesson.tail", predicate="learned", whole=True, first=True,
        regex=rf"(?P<object>(?!(?:that|this|it'?s? (?:me|done|late)|so|yes|ok|what|how|he|she|they|I'm|dinner|the film|the movie)\b)[^\n?]{{10,200}}?)[,;:.—–-] ?(?:and |but |so )?{_COST}{_END}",
        examples=(("rsync without the trailing slash copies the folder itself, cost me an evening", "rsync without the trailing slash copies the folder itself"), ("Their API has an undocumented rate limit of 3 per second, found that out today.", "Their API has an undocumented rate limit of 3 per second"), ("Behind the corporate proxy pip needs the custom CA, that was the whole problem.", "Behind the corporate proxy pip needs the custom CA")),
        counterexamples=("It took me all day", "Cost me an evening", "That was the problem"),
    ),
    Pattern(
        name="lesson.came_to", predicate="learned", whole=True,
        regex=(
            r"(?:(?:after|since|from) [^\n,.!?]{3,60},? )?(?:I|we)(?:'ve| have)?(?: (?:just|finally|now|since|also|slowly|painfully|only|recently|all)){0,2} (?:learned|learnt|discovered|found(?: out)?|figured out|worked out|realised|realized|noticed|understood|come to (?:see|realise|realize|learn|understand|accept)|came to (?:see|realise|realize|learn|understand)|taught myself|concluded|measured (?:it|this)|established|verified|confirmed)(?: (?:the hard way|today|yesterday|recently|last \w+|from (?:this|that|it|(?!the (?:news|paper|radio|tv))[\w ]{3,30})|over the years|in the end))?[:,]? (?P<object>(?:that |to |never to |not to |to always |never )(?!(?:it|this|that|he|she|you|they|the (?:bridge|road|shop|store|train)|the hard way|from|one|today|live with|love|code|drive|swim|read|my (?:sister|mum|mom|dad|friend))\b(?! (?:only|always|never))|I(?:'m| am| was| had| forgot)\b|it's late)[^\n]{8,240})"
            r"|(?:it|that)(?:'s| has)? (?:cost|took|taken) (?:me|us) [\w, ]{2,40} to (?:find out|figure out|realise|realize|discover|learn|understand|see|work out|notice)(?: that)? (?P<object>[^\n]{8,240})|(?:takeaways?|lessons?|moral)(?: from [^\n:,]{3,60})?\s?:\s?(?P<object>[^\n]{6,240})|(?:I |we )?(?:learned|learnt|found out) (?:this |that |it )?the (?:hard|expensive|painful) way\s?[:,—–-]?\s(?:that |to )?(?P<object>[^\n]{6,240})|what (?:I|we) (?:took away|learned|learnt|take away|know now|should have known|took)(?: from [^\n:,]{3,60})?(?: is| was)?(?: that)?\s?[:,—–-]?\s(?P<object>[^\n]{6,240})|(?:we|I)(?:'ve)? (?:measured|profiled|tested|benchmarked|bisected|traced) (?:it|this)\s?[:;,]\s?(?P<object>[^\n]{8,240})"
        ),
        examples=(("I've learned to double every estimate I give that client.", "to double every estimate I give that client"), ("We worked out that the blueberries only fruit when they're in peat.", "that the blueberries only fruit when they're in peat"), ("What I took away from the Rome disaster: book direct with the airline.", "book direct with the airline"), ("It cost me 200 quid to discover that airline vouchers expire in a year.", "airline vouchers expire in a year")),
        counterexamples=("I realise it's late, sorry.", "I learned to drive at 17", "I found it"),
    ),
)
