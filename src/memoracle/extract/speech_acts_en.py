"""How English sentences ask, request, and say that something is not known. Read in small letters, save what a question carries.

Plain data for `assertions.py`: one expression for each act, bounded and linear.
"""

from __future__ import annotations

_WH = r"(?:what|who|whom|whose|which|where|when|why|how)"
_AUX = (
    r"(?:is|are|was|were|am|do|does|did|will|would|can|could|shall|should|may|might|must|has|have|had"
    r"|isn'?t|aren'?t|wasn'?t|weren'?t|don'?t|doesn'?t|didn'?t|won'?t|wouldn'?t|can'?t|couldn'?t|shouldn'?t|haven'?t|hasn'?t)"
)
_OPENERS = (
    r"(?:(?:hey|hi|hello|ok|okay|so|well|and|but|or|also|now|then|please|pls|sorry|btw|by the way|oh|um|hmm|yes|no"
    r"|yeah|sure|thanks|thank you|great|cool|anyway|actually|quick question|question|just|maybe|again)\b[\s,.:;!–—-]*)*"
)
ACTS = {
    # How a question begins, with or without its mark. “When I moved”, “What I like” begin statements.
    "asks": rf"{_OPENERS}(?:"
    rf"{_WH}(?:'s|’s|'re|'d|'ll)\s|{_WH}(?! (?:i|we|you|he|she|it|they)\b)(?:\s+\w+){{0,3}}?\s+{_AUX}\b"
    r"|how (?:many|much|long|often|far|old|big|come|about|to)\b|what (?:about|if|kind|sort|time|day|else)\b|which (?:of|one)\b"
    r"|(?:is|are|do|does|can|could|would|will|should|shall|am|may|might|isn'?t|aren'?t|don'?t|doesn'?t|won'?t|wouldn'?t"
    r"|can'?t|couldn'?t|shouldn'?t) (?:i|you|he|she|it|we|they|there|this|that|my|your|our|his|her|their|any\w*|someone)\b"
    r"|(?:did|have|has|had|was|were|didn'?t|haven'?t|hasn'?t|wasn'?t|weren'?t) (?:i|you|he|she|it|we|they|there|any\w*)\b"
    r"|any (?:ideas?|thoughts|suggestions?|recommendations?|tips|advice|clue|news|chance)\b"
    r"|(?:i(?:'m| am|’m| was|'ve been)? (?:just |really |also |still )?(?:wonder|wondering|curious)\b)"
    r"|i(?:'d| would|’d)? (?:just |really |also )?(?:want|need|like) to (?:know|ask|find out|hear)\b"
    rf"|(?:tell|show|give|remind|ask) (?:me|us)\b(?=\s+(?:{_WH}|if|whether|about|of|the|my|your|our|all|everything|again|more))"
    rf"|(?:find out|look up|figure out|work out|explain|check|see) (?:{_WH}|if|whether)\b"
    r"|(?:look up|search (?:for|my|your|the|in|memory)|look for|find (?:me|my|the|out|all|any))\b"
    r"|let me (?:know (?:what|who|which|where|when|why|how|if|whether)|check|search|look|see|find|recall|think)\b"
    r"|i(?:'ll|’ll| will|'m going to| am going to) (?:check|search|look|find out|see)\b"
    r"|(?:i'm |i am )?(?:searching|checking|looking (?:up|in|through))(?: in| through)? (?:my |the |your |our )?(?:memory|memories|notes|records)\b)",
    # Tags at the end of what is stated: “…, right?”
    "tag": r"(?:right|correct|no|yes|eh|huh|ok|okay|remember|you know|you see|isn'?t (?:it|he|she|that)|aren'?t (?:they|we|you)"
    r"|wasn'?t (?:it|he|she)|doesn'?t (?:it|he|she)|don'?t (?:i|we|you|they)|didn'?t (?:i|we|you|it|he|she|they))\W*$",
    "ignorance": rf"(?:\b(?:i|we) (?:really |honestly |just |still |also |actually )?(?:do not|don['’]?t|did not|didn['’]?t)"
    rf" (?:really |actually |currently )?know(?=\W*$|[,;.]| (?:that|this|it|about|anything|who|whom|whose|where|why|if|whether|which|your|yet|either)\b"
    rf"| (?:what|when|how)\b(?! to\b))"
    r"|\b(?:i|we) (?:do not|don['’]?t|can['’]?t|cannot|can not|could not|couldn['’]?t) (?:seem to )?(?:remember|recall|tell|say)"
    r"(?=\W*$| (?:that|this|it|what|who|whom|whose|which|where|when|why|how|if|whether|your|from|any)\b)"
    rf"|\b(?:i|we) (?:forgot|forget|have forgotten|['’]ve forgotten) {_WH}\b"
    r"|\b(?:can['’]?t|cannot|can not|could not|couldn['’]?t|did not|didn['’]?t|unable to|not able to|don['’]?t|failed to) (?:find|locate|see)"
    r" (?:that|this|it|any|anything|a record|information|your|an? (?:answer|entry|mention|note|match)|who|what|where|when|which)\b"
    r"|\b(?:do not|don['’]?t|does not|doesn['’]?t|have no|has no|had no|with no|without|there (?:is|are|was|were) no|there['’]s no|i see no"
    r"|found no|find no|no|haven['’]?t (?:any|got)|not have|lack) (?:have |hold |contain |find |see )?(?:any |that |this |the |a |an |enough |specific |further |more )*"
    r"(?:information|info|records?|details?|data|memory|memories|notes?|entry|entries|mention|knowledge|answer|results?|match(?:es)?|evidence|idea|clue)"
    r"(?=\W*$| (?:of|about|on|for|in|that|regarding|concerning|to|who|what|when|where|which|how|is|are|was|were|available|stored|saved|found)\b)"
    r"|\bdon['’]?t have\b.{1,80}\b(?:in (?:my |your |our |the )?(?:memory|notes|records)|on (?:file|record)|stored|saved|recorded|noted)\b"
    r"|\b(?:(?:is|are|was|were|it['’]s|that['’]s) not|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|not|never|nothing) (?:\w+ ){0,2}"
    r"(?:in|part of|stored in|recorded in|saved in|to be found in) (?:my |your |our |the )?(?:(?:long-term )?memory|memories|notes|records)\b"
    r"|\bnothing (?:is |was )?(?:known|found|stored|recorded|saved|noted)\b|\bnot_in_memory_db\b"
    r"|\b(?:you|the user) (?:haven['’]?t|have not|never|didn['’]?t|did not|hasn['’]?t|has not) (?:yet |ever |actually |previously )?"
    r"(?:told|tell|mentioned|mention|shared|share|said|say|given|give|provided|provide)\b"
    r"|\b(?:hasn['’]?t|haven['’]?t|has not|have not|was not|wasn['’]?t|were not|never) been (?:mentioned|recorded|stored|told|noted|saved|discussed)\b"
    r"|^\W*(?:i have )?(?:no idea|no clue|not sure|unknown|beats me|dunno|who knows)\b(?=\W*$| (?:what|who|where|when|which|how|if|whether|about|sorry))"
    r"|\b(?:i['’]?m|i am|we are|we['’]?re) not (?:sure|certain|aware)(?=\W*$| (?:of|what|who|where|when|which|how|if|whether|about)\b))",
    # What is offered or advised beside such a confession.
    "offer": rf"{_OPENERS}(?:you (?:can|could|may|might|should|would|will|'ll)\b|(?:if|once|when|unless|as soon as) you\b"
    r"|(?:tell|let|share|give|provide|check|try|ask|feel free|remind|consider|could you|would you|do you|shall i|want me|should i)\b"
    r"|i(?:'ll| will| can| could| would|'d|’ll|’d|'m happy| am happy|'m sorry| am sorry|'m afraid)\b|happy to\b|(?:i )?apologi[sz]e"
    r"|sorry\b|unfortunately\b\W*$|let's\b)",
    # Orders to an agent: evidence of nothing when they say no more than the question does.
    "request": rf"{_OPENERS}(?:(?:can|could|would|will) (?:you|u) |i(?:'d| would)? (?:want|need|like) (?:you|u) to |help me )?(?:write|create|make|build|generate|add|fix|run"
    r"|implement|refactor|update|change|rename|remove|delete|explain|describe|summari[sz]e|translate|rewrite|convert|calculate|solve|find|search"
    r"|show|list|give|tell|help|suggest|recommend|compare|analy[sz]e|plan|design|draft|open|read|check|review|test|deploy|commit|debug|look|go|continue|try)\b",
    "clauses": r"(?<=[,;:–—])\s+|\s+[-–—]\s+|\s+(?=(?:but|because|so|and) (?:i|my|we|our|you|can|could|do|does|is|are|what|who|where|when|how|he|she|they|it)\b)",
    "openers": _OPENERS,
    # The subject and verb of somebody who states something.
    "states": r"(?:(?:since|because|as|now that|given that|after|before|while|although|so|and|but|because)\s+)?(?:i|we|he|she|they|it|there|this|that|these|those"
    r"|my|our|his|her|their|the|i['’]\w+|we['’]\w+|he['’]s|she['’]s|they['’]\w+|it['’]s|there['’]s)\s+\S+",
    # Inside a question: “my dentist, Dr Okafor's colleague”, “my sister Ilse”, “where I live”.
    "carried": r"\b(?:my|our)\s+(?:[a-z-]+\s+){0,3}?[a-z-]+(?:,\s+(?:who|which|whose)\s+[^,?]{3,80}|,\s+(?:the |a |an )?[A-Z][^,?]{2,60}"
    r"|\s+[A-Z][a-z]+(?!['’]s\b)(?:\s+[A-Z][a-z]+)?)",
}
