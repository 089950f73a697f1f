"""What a kept fragment claims: at most six drafts, those of rules with subject, predicate and object (S2.079).

The words are kept as they were said, without “please remember that”. Only what the owner says in their
own sessions becomes a preference, a rule or an identity; an agent's marked line becomes what its mark says. What no
rule has a slot for, and the tagger hears, is kept as a sentence.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from memoracle.learn.entities import names_of, person_in, tells_of_a_thing
from memoracle.learn.matching import Found, matches, says_nothing, shortened
from memoracle.learn.passages import without_quotations
from memoracle.learn.rules import PROJECT, compiled, has, joined, lexicons_for, lowest, without_start
from memoracle.learn.screen import (
    CLEAR,
    DARK,
    HEARD,
    agent_mark,
    is_bare_wish,
    is_marked,
    label,
    screen,
    sentences,
    without_questions,
    without_wish,
)
from memoracle.learn.times import LATE, dated, names_last_day, recurs, resolve
from memoracle.model.claim import Claim, Fragment, Label, Ruling, Stance
from memoracle.model.predicates import NO_LONGER, OWNER, PREDICATES, Family, predicate_named, vital_kind
from memoracle.model.record import UNCLEAR, Channel, Draft, Kind, Statement, Validity, Weight
from memoracle.model.value import replace

if TYPE_CHECKING:
    from memoracle.inference.api import TaggedClaim
    from memoracle.learn.tagging import Heard

MOST_CLAIMS = 6
NOTED = "noted"
CERTAIN = 1.0
_LEAST, _MOST = 0.3, 0.8
"""Between these lies the confidence of what is hedged."""
REMEMBER, IMPORTANT, ASIDE = 0.5, 0.3, -0.2
"""What signals add to a predicate's importance; the strongest alone counts (S2.030–033)."""
GRACE = timedelta(hours=12)
"""How long an appointment holds after its time."""
_TEMPORARY = frozenset({Family.PLACE, Family.PROJECT, Family.OTHER, Family.POSSESSION, Family.WORK})
_FEWEST_LETTERS = 5
_LASTING = frozenset({Family.PREFERENCE, Family.DISLIKE, Family.RULE, Family.IDENTITY, Family.NAME})
_NOT_THEIRS = frozenset(
    {
        Family.RULE,
        Family.SAFETY,
        Family.DECISION,
        Family.LESSON,
        Family.TASK,
        Family.PLAN,
        Family.PROJECT,
        Family.OTHER,
    }
)
"""What a person says to somebody, or of work that is shared, is no fact about that person."""
_PLAIN = frozenset({Kind.FACT, Kind.RELATIONSHIP, Kind.EVENT})
_SINCE_ITS_TIME = frozenset(
    {Family.PLACE, Family.WORK, Family.EDUCATION, Family.RELATIONSHIP, Family.POSSESSION}
)

_GREETING = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|ok(?:ay)?|thanks|thank you"
    r"|你好|您好|嗨|早上好|晚上好|谢谢)"
    r"(?: there| again| everyone| all)?(?:[,，!！.。~～]+\s*| - )"
)
_LONGEST_TYPED = 600
# Agents write of their owner in the third person. “My wife's” words have first and third person side by
# side in every pattern, so a stand-in takes the owner's place there, and gives it back afterwards.
_OWNER_NAMED = r"(?:the )?user(?='s\b| )|(?:该)?用户"
_NOBODY_NAMED = (
    r"(?:lives|moved|works|likes|loves|prefers|hates|dislikes|studies|owns|speaks|drives|is|was|has) \S"
)
_STAND_IN = "My buddy"
_STAND_IN_SUBJECT = "buddy"


def claims_of(fragment: Fragment, *, zone: tzinfo = UTC, heard: Heard | None = None) -> list[Claim]:
    """What the fragment claims: of the owner when they speak, of a person under their own name."""
    judged = screen(fragment)
    if judged.ruling is not Ruling.KEEP:
        return []
    if judged.channel is Channel.AGENT:
        return _marked_by_agent(judged, zone)
    text = without_wish(without_quotations(judged.text))
    speaker = judged.who.strip() if judged.channel is Channel.PERSON else OWNER
    instructing = judged.label is Label.INSTRUCTION and not is_marked(judged.text)
    found = [*matches(text, instructing=True), *(() if instructing else matches(text))]
    if judged.channel is Channel.PERSON:
        # What they say of themselves; their orders, plans and projects are not kept.
        found = [
            one
            for one in found
            if one.subject != PROJECT
            and PREDICATES[one.predicate.removeprefix(NO_LONGER)].family not in _NOT_THEIRS
        ]
    if _stands_in(text):
        found = [
            one
            for one in found
            if one.subject or PREDICATES[one.predicate.removeprefix(NO_LONGER)].kind is not Kind.IDENTITY
        ]
    first: dict[tuple[str, str], Found] = {}
    for one in found:
        first.setdefault((one.predicate, one.object), one)
    claims = [_claim(judged, one, speaker, zone) for one in first.values()]
    # Between friends “remember to …” is advice; only the owner can ask their own memory to keep something.
    if not claims and is_marked(judged.text) and speaker == OWNER and _worth_noting(judged):
        draft = _draft(judged, OWNER, NOTED, shortened(said_plainly(judged.text)), zone)
        claims = [Claim(draft=draft, because=NOTED)]
    if not claims and heard and (heard.clear >= DARK or _question_of(judged, heard)):
        claims = [_heard_claim(judged, heard, speaker, zone)]
    return claims[:MOST_CLAIMS]


# What the tagger hears: the sentence itself, with the kind of the weightiest thing that it says.

_KINDS = {
    "health": (Kind.HEALTH, Family.HEALTH),
    "rule": (Kind.RULE, Family.RULE),
    "decision": (Kind.DECISION, Family.DECISION),
    "identity": (Kind.IDENTITY, Family.IDENTITY),
    "relationship": (Kind.RELATIONSHIP, Family.RELATIONSHIP),
    "preference": (Kind.PREFERENCE, Family.PREFERENCE),
    "dislike": (Kind.PREFERENCE, Family.DISLIKE),
    "plan": (Kind.PLAN, Family.PLAN),
    "task": (Kind.TASK, Family.TASK),
    "event": (Kind.EVENT, Family.SCHEDULE),
    "work": (Kind.FACT, Family.WORK),
    "location": (Kind.FACT, Family.PLACE),
    "skill": (Kind.FACT, Family.EDUCATION),
    "value": (Kind.FACT, Family.OTHER),
    "fact": (Kind.FACT, Family.OTHER),
}
"""Weightiest first: what a record is, and its tag, by the tagger's kinds."""
_LIKELY = {"health": 0.5, "rule": 0.6, "identity": 0.7}
"""From which probability on a kind is right in more than half of the cases; it is a fact below."""
_ALONE = 0.6
"""How likely it has to be the same to who reads only the record: “my phone fell in the canal” hurts nobody."""
_OF_THINGS = frozenset({Family.OTHER, Family.SCHEDULE, Family.PROJECT, Family.PLACE, Family.POSSESSION})
"""What a thing may have as well as its owner: what hurts, what is liked and who works are the speaker's."""
_WEIGHTS = {
    Kind.HEALTH: 1.0,
    Kind.IDENTITY: 0.9,
    Kind.FACT: 0.5,
    Kind.EVENT: 0.4,
    Kind.PREFERENCE: 0.8,
    Kind.RELATIONSHIP: 0.8,
    Kind.PLAN: 0.6,
    Kind.TASK: 0.6,
}
CHANGED = 0.8
"""What a change of job, home or company is worth (S2.030)."""
_FADES = timedelta(days=60)
"""How long something passing holds that names no day."""
_SHORT_ANSWER, _LONG_ANSWER = 24, 90
_LAST_QUESTION = compiled(r"(?:^|[.!?]\s+|[。！？\n]\s*|: ?)([^.:!?。！？\n`/\\|<>{}$=]{3,90}[?？])\s*$")
"""A plain one, without who asked: no command and no address is taken over."""


def _heard_claim(fragment: Fragment, heard: Heard, speaker: str, zone: tzinfo) -> Claim:
    """The sentence as one claim; a short answer with the question it answers."""
    order = list(_KINDS)
    weightiest = min(heard.claims, key=lambda claim: order.index(_kind_of(claim, heard)))
    named = _kind_of(weightiest, heard)
    kind, family = _KINDS[named]
    words = heard.text or fragment.text
    # A hedge counts in its own sentence: “I think it rains. I am Kwabena.” leaves no doubt about the name.
    told = zip(heard.claims, heard.said, strict=True)
    sureness = max(confidence(said) for claim, said in told if _kind_of(claim, heard) == named)
    text = said_plainly(words)
    if kind is Kind.IDENTITY and _stands_in(words):
        kind, speaker = Kind.FACT, ""
    span = resolve(words, fragment.at, zone) if fragment.at else None
    is_past = span is not None and fragment.at is not None and span.last < fragment.at
    is_over = is_past or weightiest.until.label == "done"
    if kind is Kind.PLAN and is_past:
        kind, family = Kind.EVENT, Family.SCHEDULE
    is_owners = fragment.channel is Channel.OWNER
    if asked := _question_of(fragment, heard):
        text = f"“{asked}” – “{text}”"
        is_owners &= kind is Kind.HEALTH  # half of it are another's words: no rule or identity by saying yes
    is_things = weightiest.about.label == "user" and family in _OF_THINGS and tells_of_a_thing(text)
    draft = Draft(
        statement=Statement(
            text=dated(text, fragment.at, zone),
            subject="" if is_things else _subject(fragment, words, weightiest.about.label, speaker),
        ),
        kind=Kind.BELIEF if sureness < CERTAIN else kind if is_owners or kind in _PLAIN else Kind.FACT,
        entities=names_of(words, () if speaker == OWNER else (speaker,)),
        tags=(family.value,) if asked or heard.clear >= CLEAR else (family.value, UNCLEAR),
        weight=Weight(
            importance=max(0.0, min(1.0, _worth(kind, family, words, is_over) + signal(words))),
            confidence=sureness,
        ),
        origin=fragment.origin,
        scope=fragment.scope,
        validity=_heard_validity(fragment.at, words, family, weightiest.until.label, zone),
        sources=(fragment.where,) if fragment.where else (),
        idempotency=f"{fragment.id}:{HEARD}",
    )
    return Claim(draft=draft, because=HEARD)


def _worth(kind: Kind, family: Family, words: str, is_over: bool) -> float:
    """What it is worth by itself: what changed in somebody's life more than a fact, what has been as much as one."""
    is_change = family in _SINCE_ITS_TIME and any(has(words, one, one.changes) for one in lexicons_for(words))
    if is_change and kind in _PLAIN:
        return CHANGED
    return _WEIGHTS[Kind.FACT] if kind is Kind.EVENT and is_over else _WEIGHTS.get(kind, 0.7)


def _stands_in(text: str) -> bool:
    """“I'm Tom, covering for Ana today”: who sits in for the owner does not become the owner."""
    return any(has(text, lexicon, lexicon.standing_in) for lexicon in lexicons_for(text))


def _question_of(fragment: Fragment, heard: Heard) -> str:
    """The plain question that a short or an unclear sentence answers; empty where there is none."""
    longest = _SHORT_ANSWER if heard.clear >= CLEAR else _LONG_ANSWER
    size = len(said_plainly(heard.text or fragment.text).encode())
    found = _LAST_QUESTION.search(heard.before) if fragment.ordinal == 0 and size < longest else None
    return found[1].strip() if found else ""


def _kind_of(claim: TaggedClaim, heard: Heard) -> str:
    """Its kind; what stands for ever only where that is likely, in its conversation and without it."""
    named, alone = claim.kind.label, heard.kinds
    is_likely = claim.kind.probability >= _LIKELY.get(named, 0.0)
    is_doubted = named in _LIKELY and alone is not None and alone.get(named, 0.0) < _ALONE
    return "fact" if not is_likely or (is_doubted and not vital_kind(heard.text)) else named


def _subject(fragment: Fragment, words: str, about: str, speaker: str) -> str:
    """Whose it is: the speaker's, the project's, or that of the person it tells of; nobody's where none is."""
    if about == "project":
        return fragment.project or PROJECT
    if about == "person":
        return person_in(words)
    # “My father is in hospital” is taken for the speaker's own now and then: the words say better whose it is.
    return person_in(words, "openings") or speaker if about == "user" else ""


def _heard_validity(said: datetime | None, words: str, family: Family, until: str, zone: tzinfo) -> Validity:
    if said is None or until != "dated" or recurs(words):
        return Validity(since=said)
    span = resolve(words, said, zone)
    if span is not None and span.last >= said:
        return Validity(since=said, expires=span.last + (LATE if names_last_day(words) else GRACE))
    if span is not None and span.last < said and family is Family.SCHEDULE:
        return Validity(since=said)
    passes = family not in {Family.HEALTH, Family.RULE, Family.IDENTITY, Family.DECISION}
    return Validity(since=said, expires=said + _FADES if passes else None)


def said_plainly(text: str) -> str:
    """What it tells without greetings and “please remember that”; the words themselves stay as they are."""
    kept = without_questions(without_wish(text.strip()))
    for lexicon in lexicons_for(kept):
        for _ in range(3):
            before = kept
            kept = without_start(kept, lexicon, lexicon.lead_ins)
            if greeting := compiled(_GREETING).match(kept):
                kept = kept[greeting.end() :]
            if kept == before:
                break
    return kept if any(ch.isalnum() for ch in kept) else text.strip()


def _claim(fragment: Fragment, found: Found, speaker: str, zone: tzinfo) -> Claim:
    subject = found.subject or speaker
    if subject == PROJECT:
        subject = fragment.project or PROJECT
    pattern, text = found.pattern, fragment.text
    draft = _draft(
        fragment,
        subject,
        found.predicate,
        found.object,
        zone,
        base=pattern.importance,
        sure=pattern.confidence,
    )
    stance = pattern.stance
    if stance is Stance.ASSERT and any(has(text, one, one.corrections) for one in lexicons_for(text)):
        stance = Stance.CORRECT
    return Claim(draft=draft, stance=stance, because=pattern.name)


def _worth_noting(fragment: Fragment) -> bool:
    """A mark needs something to keep: “remember this!” alone has nothing, and an instruction is done, not kept."""
    plain = said_plainly(fragment.text)
    lexicons = lexicons_for(plain)
    wished = any(has(fragment.text, lexicon, lexicon.remember) for lexicon in lexicons)
    if (
        is_bare_wish(plain)
        or any(says_nothing(plain, lexicon) for lexicon in lexicons)
        or (not wished and _MOMENT.search(plain))
    ):
        return False
    # What holds for everybody, a “from now on” that is no rule, and an instruction: no note is due.
    if not _OWN.search(plain) or _RULING.match(plain) or label(plain) is Label.INSTRUCTION:
        return False
    rest = plain
    for lexicon in lexicons:
        rest = joined(lexicon.remember, lexicon.bounded).sub("", rest)
    bare = plain != fragment.text.strip() or fragment.label is Label.STATEMENT
    return bare and sum(ch.isalnum() for ch in rest) >= _FEWEST_LETTERS


_OWN = compiled(
    r"\b(?:my|our|mine|i|we|i'm|i've|the|me|us|his|her|this|that)\b|\d|[^\x00-\x7f]|(?-i:(?<=\w )[A-Z])"
)
_MOMENT = compiled(r"\b(?:today|tonight|right now|at the moment)\b")
_RULING = compiled(
    r"(?:from (?:now|here) on|going forward|henceforth)\b|.{0,200}\b(?:from (?:now|here) on|going forward)\b"
)


def _marked_by_agent(fragment: Fragment, zone: tzinfo) -> list[Claim]:
    mark = agent_mark(fragment.text)
    if mark is None or PREDICATES[mark[0]].family in _LASTING:
        return []
    predicate, words = mark
    subject = fragment.project or fragment.agent or PROJECT
    draft = _draft(fragment, subject, predicate, shortened(words), zone)
    return [Claim(draft=draft, because=f"agent.{predicate}")]


def _draft(
    fragment: Fragment,
    subject: str,
    predicate: str,
    said: str,
    zone: tzinfo,
    *,
    base: float | None = None,
    sure: float = 1.0,
) -> Draft:
    known = predicate_named(predicate) or PREDICATES[NOTED]
    text = fragment.text
    within = next((one for one in sentences(text) if said.lower() in one.lower()), text)
    sureness = min(confidence(within), sure)
    kind = known.kind if fragment.channel is not Channel.PERSON or known.kind in _PLAIN else Kind.FACT
    return Draft(
        statement=Statement(text=said_plainly(text), subject=subject, predicate=predicate, object=said),
        kind=Kind.BELIEF if sureness < CERTAIN else kind,
        entities=names_of(text, () if subject in {OWNER, PROJECT} else (subject,)),
        tags=(known.family.value,),
        weight=Weight(importance=importance(predicate, text, base=base), confidence=sureness),
        origin=fragment.origin,
        scope=fragment.scope,
        validity=validity_of(text, known.family, fragment.at, zone),
        sources=(fragment.where,) if fragment.where else (),
        idempotency=f"{fragment.id}:{predicate}:{said}"[:480],
    )


def validity_of(text: str, family: Family, said: datetime | None, zone: tzinfo) -> Validity:
    """Since when it holds, and from when on no longer (S2.131).

    An appointment ends with its day, or a few hours after its time; “today” lasts 12 hours, “tomorrow” two days, “this
    week” ten days and “this month” 35. What lasts (a name, an allergy, a habit) never expires because a passing word
    stands in its sentence.
    """
    if said is None:
        return Validity()
    span, since, expires = resolve(text, said, zone), said, None
    if family in _SINCE_ITS_TIME and span is not None and span.first < said and not span.now:
        since = span.first
    if not recurs(text):
        if family is Family.SCHEDULE and span is not None:
            expires = max(span.last, said) + (LATE if names_last_day(text) else GRACE)
        elif family is Family.SCHEDULE or family in _TEMPORARY:
            weighed = [lowest(text, lexicon, lexicon.temporary) for lexicon in lexicons_for(text)]
            hours = min(filter(None, weighed), default=None)
            expires = said + timedelta(hours=hours) if hours else None
    return Validity(since=since, expires=expires)


def confidence(text: str) -> float:
    """1.0 for a plain statement; 0.3 to 0.8 for a hedged one, the weakest hedge deciding."""
    found = [number for lexicon in lexicons_for(text) if (number := lowest(text, lexicon, lexicon.hedges))]
    return min(_MOST, max(_LEAST, min(found))) if found else CERTAIN


def signal(text: str) -> float:
    """The strongest signal in the words; an aside only counts when nothing speaks for keeping."""
    found = []
    for lexicon in lexicons_for(text):
        if has(text, lexicon, lexicon.remember):
            found.append(REMEMBER)
        if has(text, lexicon, lexicon.important):
            found.append(IMPORTANT)
        if has(text, lexicon, lexicon.aside):
            found.append(ASIDE)
    return max(found, key=abs, default=0.0)


def importance(predicate: str, text: str, *, base: float | None = None) -> float:
    """Between 0 and 1: the predicate's worth, or `base`, and the strongest signal."""
    worth = (predicate_named(predicate) or PREDICATES[NOTED]).importance if base is None else base
    if worth >= 1.0:
        return 1.0  # an allergy mentioned by the way is no smaller for it
    return round(min(1.0, max(0.0, worth + signal(text))), 3)


def read_statement(text: str, said: datetime, zone: tzinfo) -> Claim | None:
    """What a typed sentence claims, or None when no pattern fits. That it should be kept is already known."""
    if len(text) > _LONGEST_TYPED:
        return None
    if claim := _read(text, said, zone):
        return claim
    for wording in _in_their_own_words(text.strip()):
        if claim := _read(wording, said, zone):
            draft, statement = claim.draft, claim.draft.statement
            subject = OWNER if statement.subject == _STAND_IN_SUBJECT else statement.subject
            entities = tuple(name for name in draft.entities if name != _STAND_IN_SUBJECT)
            statement = replace(statement, text=text, subject=subject)
            return replace(claim, draft=replace(draft, statement=statement, entities=entities))
    return None


def _read(text: str, said: datetime, zone: tzinfo) -> Claim | None:
    fragment = Fragment(
        ref="typed", ordinal=0, text=text, session="", who="", channel=Channel.OWNER, at=said, where=""
    )
    return next((claim for claim in claims_of(fragment, zone=zone) if claim.because != NOTED), None)


def _in_their_own_words(text: str) -> tuple[str, ...]:
    if compiled(_NOBODY_NAMED).match(text):
        return f"{_STAND_IN} {text}", f"I {text}"
    named = compiled(_OWNER_NAMED).match(text)
    if named is None:
        return ()
    rest = text[named.end() :]
    if named[0].endswith("用户"):
        return (f"我{rest}",)
    return (f"My{rest[2:]}",) if rest.startswith("'s") else (f"{_STAND_IN}{rest}", f"I{rest}")
