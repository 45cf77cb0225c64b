"""Puts the verdict on a claim into words.

`VERDICTS` has the code of each phrase; the phrases are under these codes in `en.po` and `fr_CA.po`. On the screen each
ruling is one line and its cost another, with the number of the rule at its end. An open game says what is due as soon
as the peg is let go; a silent game when the claim is closed. Pure: nothing here knows more than the event (design law
9; rules reference, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile

from cribboard.actions import By
from cribboard.count_judge import Counted, Judgment
from cribboard.event_terms import OF_SHOW, Bar, Ground, Occasion, Verdict
from cribboard.events import (
    Awarded,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    Event,
    MugginsRuled,
    Pegged,
    PointsBarred,
    SetBack,
)
from cribboard.rules import Rules, Telling, cited, read_label
from cribboard.scoring import Score
from cribboard.view import PromptKind, View
from cribd.text import count_in_words
from cribd.text.lines import LINE, Priority, WeightedLine, joined_in_lines
from cribd.text.words import PhraseCodes, Style, Words

#: The phrases of each verdict. The screen has other ones, too, where a silent game is closed (`_in_silent_game`).
VERDICTS = {
    Verdict.EXACT: PhraseCodes("said.exact", written="audit.verdict.exact"),
    Verdict.TOO_MANY: PhraseCodes("said.too_many", written="audit.verdict.too-many", page="audit.scores.too_many"),
    Verdict.TOO_FEW: PhraseCodes("said.lost", written="audit.verdict.too-few", page="audit.scores.too_few"),
    Verdict.IMPOSSIBLE: PhraseCodes("said.impossible", written="audit.verdict.impossible"),
    Verdict.OUT_OF_TURN: PhraseCodes("said.out_of_turn", written="audit.verdict.out-of-turn"),
    Verdict.TOO_LATE: PhraseCodes("said.too_late", written="audit.verdict.too-late"),
    Verdict.SINGLE_POINT: PhraseCodes("said.single_point", written="audit.verdict.single-point"),
    Verdict.UNVERIFIED: PhraseCodes(
        "said.unverified", written="audit.verdict.unverified", page="audit.scores.unverified"
    ),
    Verdict.NOTHING_MISSED: PhraseCodes("said.nothing_missed", written="audit.verdict.nothing-missed"),
}
#: The count judge's answers: in a line of the screen, which the voice and `/table` say too, and on its page `/verify`.
ANSWERS = {
    Verdict.EXACT: PhraseCodes("judge.exact", page="page.verify.right"),
    Verdict.TOO_MANY: PhraseCodes("judge.too_many", page="page.verify.wrong"),
    Verdict.TOO_FEW: PhraseCodes("judge.too_few", page="page.verify.wrong"),
    Verdict.IMPOSSIBLE: PhraseCodes("judge.impossible"),  # its page: `no_such_count`
}
JEST = PhraseCodes("judge.jest", page="page.verify.jest")

COUNTS = (PromptKind.COUNT_HAND, PromptKind.COUNT_CRIB)


# In every style


def verdict_in_words(verdict: Verdict, words: Words) -> str:
    """Name a verdict on a claim, such as "too many"."""
    return words.say(VERDICTS[verdict].written)


def answer(judged: Judgment, words: Words) -> str:
    """Say on one line whether the called number is right."""
    return words.say(_codes(judged).screen, called=judged.called, due=judged.due)


def answer_on_page(judged: Judgment, counted: Counted, words: Words) -> tuple[str, str]:
    """Say on `/verify` whether the called number is right, and why."""
    if judged.verdict is Verdict.IMPOSSIBLE:
        return no_such_count(judged.called, counted, words), words.say("page.verify.it_is", due=judged.due)
    headline = words.say(_codes(judged).page, due=judged.due)
    if judged.in_jest:
        return headline, words.say("page.verify.jest.why")
    match judged.verdict:
        case Verdict.TOO_MANY:
            return headline, words.say("page.verify.too_many", n=judged.called - judged.due)
        case Verdict.TOO_FEW:
            return headline, words.say("page.verify.too_few", n=judged.due - judged.called)
    return headline, count_in_words.count_sentence(judged.score, words)


def _codes(judged: Judgment) -> PhraseCodes:
    return JEST if judged.in_jest else ANSWERS[judged.verdict]


def no_such_count(called: int, counted: Counted, words: Words) -> str:
    """State that no hand or crib scores this number."""
    return words.say("page.verify.no_crib" if counted is Counted.CRIB else "page.verify.no_hand", number=called)


def wrong_call(call: ClaimJudged | MugginsRuled, words: Words) -> str:
    """Say what was wrong with a call, or return ""."""
    code, due = VERDICTS[call.verdict].page, points_due(call)
    if call.verdict is Verdict.TOO_FEW:
        return words.count(code, due - call.called, called=call.called, due=due)
    return words.say(code, called=call.called, due=due) if code else ""


def points_due(call: ClaimJudged | MugginsRuled) -> int:
    """Return the right number of points for the call."""
    return call.due if isinstance(call, ClaimJudged) else call.missed


def claim_in_words(event: ClaimJudged | ClaimRuled | MugginsRuled, words: Words) -> str:
    """Put a judged or ruled claim into words.

    It is a sentence for the audit, or a label for the points in a list. "" for the screen, which has `lines`."""
    match words.style:
        case Style.WRITTEN:
            return _sentence(event, words)
        case Style.PAGE:
            return _label(event, words)
    return ""


def _sentence(event: ClaimJudged | ClaimRuled | MugginsRuled, words: Words) -> str:
    said = verdict_in_words(event.verdict, words)
    match event:
        case ClaimJudged(side, occasions, _, called, due, combinations):
            what = occasions_in_words(occasions, words)
            side_name = words.side(side)
            line = words.say("audit.judged", side=side_name, called=called, what=what, due=due, verdict=said)
        case ClaimRuled(side, points):
            return words.say("audit.ruled", side=words.side(side), called=points, verdict=said)
        case MugginsRuled(by, against, called, missed, _, combinations):
            by_name, other = words.side(by), words.side(against)
            line = words.say("audit.muggins", side=by_name, against=other, called=called, missed=missed, verdict=said)
    return f"{line} ({', '.join(count_in_words.count_lines(Score(combinations), words))})" if combinations else line


def _label(event: ClaimJudged | ClaimRuled | MugginsRuled, words: Words) -> str:
    match event:
        case ClaimJudged() if shown := _shown(event):
            return words.say(f"occasion.{shown[-1].value}")
        case ClaimJudged(combinations=made):
            return ", ".join(count_in_words.kind_names(made, words)) or words.say("audit.scores.play")
        case MugginsRuled(combinations=missed):
            return ", ".join((words.say("audit.scores.muggins"), *count_in_words.kind_names(missed, words)))
        case ClaimRuled():
            return ""


def penalty_in_words(event: Awarded | SetBack, words: Words) -> str:
    """Describe the penalty of a ruling."""
    match event:
        case Awarded(side, points):
            codes = PhraseCodes(
                "said.awarded", spoken="voice.awarded", written="audit.awarded", page="audit.scores.award"
            )
            amounts: dict[Style, object] = {Style.SPOKEN: words.number(points), Style.WRITTEN: words.points(points)}
            return words.say_in_style(codes, side=words.side(side), points=amounts.get(words.style, points))
        case SetBack(side, score, back):
            codes = PhraseCodes("said.set_back", written="audit.set_back", page="audit.scores.back")
            return words.say_in_style(codes, side=words.side(side), hole=score, front=score, back=back)


def barred_in_words(event: PointsBarred, words: Words) -> str:
    """Say in the audit why points move no peg.

    "" in another style; the screen has `barred_line`."""
    codes, why = PhraseCodes(written="audit.barred"), words.say(f"audit.bar.{event.bar.value}")
    return words.say_in_style(codes, side=words.side(event.side), points=words.points(event.points), why=why)


def barred_line(event: PointsBarred, view: View, words: Words) -> str:
    """Say on the screen why points are not pegged."""
    if event.bar is Bar.EXACT_OUT:
        return words.say("said.exact_out", points=event.points)
    return no_single_point(view, event.side, words)


def no_single_point(view: View, side: int, words: Words) -> str:
    """Say why a single point is not pegged.

    The line names the first hole where single points are barred, or says that the last hole needs two."""
    if view.sides[side].score + 1 >= view.target:
        return words.say("said.need_two")
    return words.say(VERDICTS[Verdict.SINGLE_POINT].screen, hole=view.no_single_from)


def by_in_words(by: By, words: Words, *, mugged: bool = False) -> str:
    """Say who or what accepted or closed a claim.

    `mugged`: whether muggins closed the claim."""
    return words.say("audit.by.muggins" if mugged else f"audit.by.{by.value}")


def occasions_in_words(occasions: Sequence[Occasion], words: Words) -> str:
    """Name what a claim scores for, such as a go."""
    return " + ".join(words.say(f"audit.for.{occasion.value}") for occasion in occasions) or "–"


def rule_in_words(ground: Ground, words: Words, rules: Rules) -> str:
    """Name the rule behind a judgement or ruling."""
    number = cited(rules, ground)
    said = words.say(f"audit.ground.{ground.value}")
    return f"{said}, {number}" if number else said


def with_rule(text: str, ground: Ground, words: Words, rules: Rules) -> str:
    """Append the rule behind a ruling to its text.

    On the screen it is the rule's number, if it has one; in the audit the rule in words, unless it is the ordinary
    count of the cards."""
    if words.style is Style.WRITTEN:
        return text if ground is Ground.COUNT else f"{text} [{rule_in_words(ground, words, rules)}]"
    number = cited(rules, ground)
    return f"{text} {number}" if number else text


# On the screen


def lines(event: Event, at: int, view: View, words: Words) -> Iterator[WeightedLine] | None:
    """Write the screen lines of a judgement, ruling or penalty.

    None for another event. `at` is the index of the event in `view.said`."""
    match event:
        case ClaimJudged() if view.silent:
            return _in_silent_game(event, view, words)
        case ClaimJudged():
            return _in_open_game(event, at, view, words)
        case ClaimRuled():
            return _ruled_out(event, view, words)
        case MugginsRuled():
            return _muggins(event, view, words)
        case Awarded(ground=ground) | SetBack(ground=Ground.FALSE_GAME as ground):
            line = with_rule(penalty_in_words(event, words), ground, words, _rules(view.rules))
            return iter([(Priority.PENALTY, line)])
        case _:
            return None


def to_be_coached(view: View) -> ClaimJudged | None:
    """Return the claim to be shown step by step, or None."""
    return next((event for event in view.said if isinstance(event, ClaimJudged) and _is_coached(event, view)), None)


def lost(points: int, words: Words) -> str:
    """Say that the missing points of a low call are lost."""
    return words.count(VERDICTS[Verdict.TOO_FEW].screen, points)


def _in_open_game(claim: ClaimJudged, at: int, view: View, words: Words) -> Iterator[WeightedLine]:
    """Write the lines of a call in a game that is not silent.

    They say how many points the call scores, and why. If all points pass the game hole, no line says that the call was
    too high."""
    events = view.said
    stopped = list(takewhile(lambda event: isinstance(event, PointsBarred), events[at + 1 :]))
    caused = events[at + 1 + len(stopped) :][:1]
    pegged = next((event.points for event in caused if isinstance(event, Pegged)), 0)
    too_far = any(isinstance(event, PointsBarred) and event.bar is Bar.EXACT_OUT for event in stopped)
    if claim.verdict is Verdict.TOO_MANY and (pegged or not too_far):
        yield Priority.VERDICT, words.say(VERDICTS[claim.verdict].screen, points=pegged)
    elif claim.verdict is Verdict.EXACT and _challenged(view) and (pegged or not too_far):
        yield Priority.VERDICT, words.say(VERDICTS[claim.verdict].screen)
    score, reasons = _score(claim, pegged, view, words)
    yield Priority.SCORE, score
    if claim.verdict is Verdict.TOO_FEW:
        yield Priority.SCORE, lost(claim.due - claim.called, words)
    for line in reasons:
        yield Priority.WHY, line


def _in_silent_game(claim: ClaimJudged, view: View, words: Words) -> Iterator[WeightedLine]:
    """Write the lines of a call in a silent game.

    The peg stands as called, unless the call was challenged."""
    stands = claim.called
    match claim.verdict:
        case Verdict.TOO_MANY if _challenged(view):
            stands = claim.due
            yield Priority.VERDICT, words.say("said.not_so_many", due=claim.due, called=claim.called)
        case Verdict.TOO_MANY:
            yield Priority.VERDICT, words.say("said.stands_at", due=claim.due, called=claim.called)
        case Verdict.EXACT if _challenged(view):
            yield Priority.VERDICT, words.say(VERDICTS[claim.verdict].screen)
        case Verdict.TOO_FEW if _challenged(view):
            yield Priority.VERDICT, words.say("said.stands")
    score, reasons = _score(claim, stands, view, words)
    yield Priority.CLOSED, score
    if claim.verdict is Verdict.TOO_FEW and not any(isinstance(event, MugginsRuled) for event in view.said):
        rule, points = cited(_rules(view.rules), Ground.UNDER_CLAIM), claim.due - claim.called
        yield Priority.CLOSED, words.count("said.lost_by", points, rule=rule) if rule else lost(points, words)
    for line in reasons:
        yield Priority.WHY, line


def _challenged(view: View) -> bool:
    return any(isinstance(event, ClaimChallenged) for event in view.said)


def _ruled_out(claim: ClaimRuled, view: View, words: Words) -> Iterator[WeightedLine]:
    """Write why a claim moves no peg, and what follows."""
    side, points = claim.side, claim.points
    code = VERDICTS[claim.verdict].screen
    yield Priority.VERDICT, words.say(code, side=words.side(side), points=points, hole=view.no_single_from)
    if claim.verdict is Verdict.SINGLE_POINT and view.prompt.kind in COUNTS and view.prompt.side == side:
        yield Priority.PENALTY, words.say("hint.count")
    elif rule := cited(_rules(view.rules), claim.ground):
        yield Priority.PENALTY, words.say("said.void", points=points, rule=rule)
    else:
        yield Priority.PENALTY, words.say("said.nothing_pegged", points=points)


def _muggins(call: MugginsRuled, view: View, words: Words) -> Iterator[WeightedLine]:
    """Write the answer to a call of muggins.

    The next event says which side gets the points."""
    if call.verdict is Verdict.NOTHING_MISSED:
        yield Priority.VERDICT, words.say(VERDICTS[call.verdict].screen)
        if not any(isinstance(event, Awarded) for event in view.said):
            yield Priority.PENALTY, words.say("said.nothing_pegged", points=call.called)
        return
    if call.verdict is Verdict.EXACT:
        yield Priority.VERDICT, words.count("said.muggins", call.missed)
    else:
        code = "said.muggins_less" if call.verdict is Verdict.TOO_MANY else "said.muggins_more"
        yield Priority.VERDICT, words.say(code, called=call.called, missed=call.missed)
    for line in joined_in_lines(count_in_words.kind_names(call.combinations, words)):
        yield Priority.WHY, line


def _score(claim: ClaimJudged, points: int, view: View, words: Words) -> tuple[str, Sequence[str]]:
    """Write the line with the pegged points, and the reasons.

    If the reason fits, it joins the first line."""
    values = {"side": words.side(claim.side), "points": points}
    if claim.verdict is Verdict.UNVERIFIED:
        return words.say("said.points", **values), [words.say(VERDICTS[claim.verdict].screen)]
    if shown := _shown(claim):
        label = words.say(f"occasion.{shown[-1].value}")
        return words.say("said.scored", why=label, **values), _counted(claim, view, words)
    reasons = count_in_words.kind_names(claim.combinations, words)
    line = words.say("said.scored", why=", ".join(reasons), **values)
    full = claim.verdict is Verdict.EXACT or (claim.verdict is Verdict.TOO_MANY and points == claim.due)
    if reasons and full and len(line) <= LINE:
        return line, []
    return words.say("said.points", **values), joined_in_lines(reasons)


def _is_coached(claim: ClaimJudged, view: View) -> bool:
    """Whether a count is shown step by step.

    A count that includes points of the play is not shown so."""
    a_count = claim.verdict is not Verdict.UNVERIFIED and set(claim.occasions) <= set(OF_SHOW)
    return a_count and view.telling is Telling.COACH and not view.silent


def _shown(claim: ClaimJudged) -> list[Occasion]:
    return [occasion for occasion in claim.occasions if occasion in OF_SHOW]


def _counted(claim: ClaimJudged, view: View, words: Words) -> tuple[str, ...]:
    """Explain the count of a hand, by kind or by step."""
    if _is_coached(claim, view):
        return count_in_words.count_lines(Score(claim.combinations), words)
    return count_in_words.points_by_kind(claim.combinations, words)


@cache
def _rules(label: str) -> Rules:
    return read_label(label)
