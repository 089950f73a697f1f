"""Pieces that English patterns are built from. Every run is bounded, so that every pattern stays linear."""

from __future__ import annotations

from memoracle.extract.lexicon_en import ENGLISH

ADVERBS = (
    r"(?: (?:really|currently|also|still|now|just|always|mostly|usually|absolutely|totally|generally|personally"
    r"|already|only|so|quite|much"
    r"|definitely|truly|particularly|especially|do|very much|have always|'ve always|recently|happily|originally"
    r"|presently|mainly|primarily|both|all|never|finally|eventually)){0,3}"
)
NAME = r"(?-i:[A-Z][\w'-]{0,30}(?: (?:(?:de|van|von|der|la|del|da|bin|al) ){0,2}[A-Z][\w'-]{0,30}){0,3})"
"""A name with its capitals."""
LOOSE_NAME = r"(?-i:[A-Z][\w'-]{0,30}(?: [A-Z][\w'-]{0,30}){0,3}|[a-z][a-z'-]{2,20})"
"""A name, or one small word where only a name can stand."""
TITLED = rf"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?{NAME}"
KIN = "(?:" + "|".join(words for words, _ in ENGLISH.kin) + ")"
FOLK = rf"(?:{KIN}|parents|in-laws|grandparents|family|kids|children|boss)"
_HOME = (
    r"(?:mum|mom|dad|mother|father|gran|grandma|granny|nana|nan|nonna|oma|opa|grand-?dad|grandpa|hubby|(?:the|our|my) "
    r"(?:kids|children|twins|triplets|baby|boys|girls|little one|eldest|youngest|missus|wife|husband|dog|cat|puppy|pup))"
)
"""People and animals of a household, as they are named at home."""
FOLKS = rf"(?P<subject>(?:my|our) {FOLK}(?: {NAME})?|{_HOME}\b)"
"""Somebody of the speaker's life."""
WHO = rf"(?P<subject>(?:my|our) {FOLK}(?: {NAME})?|{_HOME}\b|{NAME})"
"""Somebody of the speaker's life, or any name: only for wordings that are said of acquaintances."""
I_AM = r"(?:I'm|I am)"
I_HAVE = r"(?:I've got|I've|I have got|I have|I got)"
THING = r"(?P<object>[^\s.!?][^\n]{0,200}?)(?=[.!?]*$|[.!?]\s)"
"""Whatever stands up to the end of its sentence; `objects.clean` finds where it ends."""
SENTENCE = r"(?P<object>[^\s][^\n]{2,400})"


def who(first: str, third: str, *, by_name: bool = False) -> str:
    """The speaker with one form of a verb, or somebody of their life with the other."""
    return rf"(?:(?:I|we|me){ADVERBS} {first}|{WHO if by_name else FOLKS}{ADVERBS} {third})"


def am(rest: str, *, by_name: bool = False) -> str:
    """“I am …” or “my sister is …”."""
    speaker = r"(?:I'm|I am|we're|we are|I've been|I have been)"
    return rf"(?:{speaker}{ADVERBS} {rest}|{WHO if by_name else FOLKS}(?: is|'s| has been){ADVERBS} {rest})"


_LEFT_OUT = r"(?:(?:just|recently|finally|also|already|once|currently|still|now|mostly|then) ){0,2}"
US = r"(?:I|we|(?:my|our) [\w-]{2,20} and I|the (?:two|three|four) of us|both of us)"
"""The speaker, alone or with somebody."""
KINFOLK = (
    rf"(?P<subject>(?:my|our) (?:{FOLK}|folks|gran|nan|nana|grandad|granddad|eldest|youngest|little one|better half|ex"
    rf"|team|lab|mate)(?: {NAME})?|(?:gran|grandma|grandpa|granddad|grandad|nan|nana|mum|mom|dad)(?=[ ']))"
)
"""Somebody of the speaker's life, also as families call them: “Gran”, “my folks”."""
ENDS = r"(?=[.!,;:)]*$|[,;.!(]| [-–—] | (?:and|but|so|because|since|now|these days|at the moment|right now|though|where|which|who)\b)"
"""Where an object that is one name ends."""


def did(verbs: str) -> str:
    """The speaker with a verb in the past or perfect; at the very beginning the subject may be left out."""
    return rf"(?:{US}(?:'ve| have|'d| had)?{ADVERBS}(?: (?:finally|eventually|since|once|then))? (?:{verbs})|^{_LEFT_OUT}(?:{verbs}))"


def doing(verbs: str) -> str:
    """The speaker with “am … -ing”; at the very beginning “I am” may be left out."""
    return (
        rf"(?:(?:I'm|we're|I am|we are|I've been|we've been|I'll be|we'll be|I was|we were){ADVERBS} (?:{verbs})"
        rf"|^{_LEFT_OUT}(?:{verbs}))"
    )
