"""Actions and events that concern results (3.29, 3.31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cribboard.competition import actions, events
from cribboard.competition.checks import must_be, must_be_text, must_have_reason
from cribboard.competition.position import (
    BoardResult,
    CompetitionPosition,
    Correction,
    Encounter,
    Result,
    Round,
    Scores,
    is_over,
    open_game,
    winner_of,
)
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.scorecard import rule_cards
from cribboard.competition.terms import CompetitionPhase, Ending, GameAt, ResultSource, ResultState, Stage


def enter(p: CompetitionPosition, action: actions.EnterResult) -> events.ResultEntered:
    """Enter the result of a game.

    The result replaces a report by one side. An accepted or disputed result needs a correction instead."""
    encounter = _must_be_a_game(p, action.at)
    _must_not_be_settled(p, encounter, action.at)
    _must_be_scores(p, encounter, action.scores, action.ending)
    must_be_text(action.record)
    return events.ResultEntered(action.at, action.scores, action.ending, action.source, action.record)


def report(p: CompetitionPosition, action: actions.ReportResult) -> events.ResultReported:
    """Report a result as one side.

    A side may change its own report until the other side answers."""
    encounter = _must_be_a_game(p, action.at)
    _must_play_here(encounter, action.at, action.entrant)
    _must_not_be_settled(p, encounter, action.at)
    _must_be_scores(p, encounter, action.scores, action.ending)
    return events.ResultReported(action.at, action.entrant, action.scores, action.ending)


def confirm(p: CompetitionPosition, action: actions.ConfirmResult) -> events.ResultConfirmed:
    """Confirm the result that the other side reported."""
    encounter, before = _must_have_result(p, action.at)
    _must_play_here(encounter, action.at, action.entrant)
    if before.state is not ResultState.REPORTED:
        raise RefusedAction("nothing_to_confirm", state=before.state)
    if before.by == action.entrant:
        raise RefusedAction("own_report", entrant=action.entrant)
    _must_be_seen(before, action.scores)
    return events.ResultConfirmed(action.at, action.entrant)


def dispute(p: CompetitionPosition, action: actions.DisputeResult) -> events.ResultDisputed:
    """Dispute a result as one side."""
    encounter, before = _must_have_result(p, action.at)
    _must_play_here(encounter, action.at, action.entrant)
    if before.state is ResultState.DISPUTED:
        raise RefusedAction("not_to_be_disputed")
    _must_be_seen(before, action.scores)
    must_have_reason(action.reason)
    return events.ResultDisputed(action.at, action.entrant, action.reason)


def dispute_by_board(p: CompetitionPosition, action: actions.DisputeByBoard) -> events.DisputedByBoard:
    """Dispute a result, because the board sent another one.

    Refuse a second result from the board, and a result equal to the desk's. An equal result is recorded if the desk's
    result is in dispute, or comes from this record, which then does not bear it out."""
    encounter, before = _must_have_result(p, action.at)
    if before.board is not None:
        raise RefusedAction("not_to_be_disputed")
    is_same = (before.scores, before.ending) == (action.scores, Ending.FINISHED) and before.record != action.record
    if before.state is not ResultState.DISPUTED and is_same:
        raise RefusedAction("result_exists", scores=before.scores)
    is_own = before.record == action.record  # a board that differs from the desk has ended its game
    _must_be_scores(p, encounter, action.scores, before.ending if is_own else Ending.FINISHED)
    must_be_text(action.record)
    return events.DisputedByBoard(action.at, action.scores, action.record)


def correct(p: CompetitionPosition, action: actions.CorrectResult) -> events.ResultCorrected:
    """Correct any result, even after results were opened.

    Seatings that were based on the result stay."""
    encounter, _ = _must_have_result(p, action.at, CompetitionPhase.OPEN)
    _must_be_scores(p, encounter, action.scores, action.ending)
    must_have_reason(action.reason)
    return events.ResultCorrected(action.at, action.scores, action.ending, action.reason)


def compare_cards(p: CompetitionPosition, action: actions.CompareCards) -> events.CardsRuled:
    """Decide a result from the two score cards (3.29)."""
    _must_not_be_settled(p, _must_be_a_game(p, action.at), action.at)
    game = p.format.game_rules.game
    spreads = rule_cards(action.spreads, action.qualifiers, game)
    first_won = spreads[0] > 0
    lost = game.target - abs(spreads[1] if first_won else spreads[0])
    scores = (game.target, lost) if first_won else (lost, game.target)
    return events.CardsRuled(action.at, scores, spreads)


def check(p: CompetitionPosition, action: actions.CheckResult) -> events.ResultChecked:
    """Mark a result as equal to its slip."""
    _, before = _must_have_result(p, action.at)
    if before.state is not ResultState.ACCEPTED:
        raise RefusedAction("not_to_be_checked", state=before.state)
    _must_be_seen(before, action.scores)
    return events.ResultChecked(action.at)


def _must_be_scores(p: CompetitionPosition, encounter: Encounter, scores: Scores, ending: Ending) -> None:
    """Raise `RefusedAction` if no game can end with these scores."""
    target = p.format.game_rules.game.target
    for number, score in zip(encounter.entrants, scores, strict=True):
        if not 0 <= score <= target:
            raise RefusedAction("score_out_of_range", entrant=number, score=score, target=target)
    at_target = [number for number, score in zip(encounter.entrants, scores, strict=True) if score == target]
    if len(at_target) == 2:
        raise RefusedAction("both_at_target", target=target)
    if ending is Ending.FINISHED and not at_target:
        raise RefusedAction("nobody_at_target", target=target, scores=scores)
    if ending is Ending.BROKEN_OFF and at_target:
        raise RefusedAction("not_broken_off", entrant=at_target[0], target=target)


def _must_be_a_game(p: CompetitionPosition, at: GameAt, *later: CompetitionPhase) -> Encounter:
    """Return the encounter of a game that has begun. Raises `RefusedAction`.

    `later` names phases after play in which a result may still change."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED, *later)
    encounter = p.find(at)
    if encounter is None or p.rounds[at.round - 1].stage is Stage.DRAWN or at.game < 1:
        raise RefusedAction("no_such_game", game=at.game, table=at.table, round=at.round)
    played = len(encounter.results)
    if at.game <= played:
        return encounter
    if encounter.games is not None and at.game > encounter.games:
        raise RefusedAction("no_such_game", game=at.game, table=at.table, round=at.round)
    if encounter.games is None and (winner := winner_of(p, encounter, reported=True)) is not None:
        raise RefusedAction("match_is_decided", entrant=winner)
    if at.game > played + 1:
        raise RefusedAction("earlier_game_first", first=played + 1, table=at.table, round=at.round)
    return encounter


def _must_have_result(p: CompetitionPosition, at: GameAt, *later: CompetitionPhase) -> tuple[Encounter, Result]:
    encounter = _must_be_a_game(p, at, *later)
    if (result := encounter.result(at.game)) is None:
        raise RefusedAction("no_result")
    return encounter, result


def _must_not_be_settled(p: CompetitionPosition, encounter: Encounter, at: GameAt) -> None:
    """Raise `RefusedAction` if the result is accepted or disputed."""
    before = encounter.result(at.game)
    if before is None or before.state is ResultState.REPORTED:
        return
    if all(is_over(p, other) for other in p.rounds[at.round - 1].encounters):
        raise RefusedAction("round_is_over", round=at.round)
    raise RefusedAction("result_exists", scores=before.scores)


def _must_play_here(encounter: Encounter, at: GameAt, entrant: int) -> None:
    if entrant not in encounter.entrants:
        raise RefusedAction("not_at_this_table", entrant=entrant, table=at.table, round=at.round)


def _must_be_seen(result: Result, scores: Scores | None) -> None:
    """Raise `RefusedAction` if the sender saw a different result."""
    if scores is not None and scores != result.scores:
        raise RefusedAction("another_result", scores=result.scores, saw=scores)


# Results that need work


def outstanding(p: CompetitionPosition) -> Iterator[GameAt]:
    """Find the games that still need a result.

    They have begun, and have no result or the report of one side only."""
    for round_, encounter in p.encounters(play_off=None):
        yield from _in_state(round_, encounter, ResultState.REPORTED)
        if (under_way := open_game(p, round_, encounter)) is not None:
            yield GameAt(round_.number, encounter.table, under_way)


def in_state(p: CompetitionPosition, state: ResultState) -> Iterator[GameAt]:
    """Find the games whose results are in this state."""
    for round_, encounter in p.encounters(play_off=None):
        yield from _in_state(round_, encounter, state)


def _in_state(round_: Round, encounter: Encounter, state: ResultState) -> Iterator[GameAt]:
    for game, result in enumerate(encounter.results, start=1):
        if result.state is state:
            yield GameAt(round_.number, encounter.table, game)


# How the events change the position


def evolve(p: CompetitionPosition, event: events.ResultEvent) -> CompetitionPosition:
    """Apply an event that changes the result of one game."""
    at = event.at
    encounter = p.find(at)
    assert encounter is not None
    result = _result_after(encounter.result(at.game), event)
    changed = replace(encounter, results=(*encounter.results[: at.game - 1], result, *encounter.results[at.game :]))
    round_ = p.rounds[at.round - 1]
    encounters = tuple(changed if other is encounter else other for other in round_.encounters)
    round_ = replace(round_, encounters=encounters)
    return replace(p, rounds=(*p.rounds[: at.round - 1], round_, *p.rounds[at.round :]))


def _result_after(before: Result | None, event: events.ResultEvent) -> Result:
    match event:
        case events.ResultEntered():
            return Result(
                scores=event.scores,
                ending=event.ending,
                source=event.source,
                state=ResultState.ACCEPTED,
                record=event.record,
            )
        case events.CardsRuled():
            return Result(
                scores=event.scores,
                ending=Ending.FINISHED,
                source=ResultSource.SLIP,
                state=ResultState.ACCEPTED,
                cards=event.spreads,
            )
        case events.ResultReported():
            return _result_after_report(before, event)
    assert before is not None
    match event:
        case events.ResultConfirmed():
            return replace(before, state=ResultState.ACCEPTED)
        case events.ResultDisputed():
            return replace(before, state=ResultState.DISPUTED, reason=event.reason)
        case events.DisputedByBoard():
            sent = BoardResult(
                scores=event.scores, record=event.record, desk_source=before.source, desk_record=before.record
            )
            return replace(before, state=ResultState.DISPUTED, board=sent)
        case events.ResultCorrected():
            return _corrected(before, event)
        case events.ResultChecked():
            return replace(before, state=ResultState.CHECKED)


def _result_after_report(before: Result | None, event: events.ResultReported) -> Result:
    if before is None or before.by == event.entrant:
        return Result(
            scores=event.scores,
            ending=event.ending,
            source=ResultSource.PHONE,
            state=ResultState.REPORTED,
            by=event.entrant,
        )
    if (before.scores, before.ending) != (event.scores, event.ending):
        return replace(before, state=ResultState.DISPUTED, other=event.scores)
    return replace(before, state=ResultState.ACCEPTED)


def _corrected(before: Result, event: events.ResultCorrected) -> Result:
    """Return the result as an official has corrected it.

    Where board and desk differed, the board's scores get the board's record, and other scores get the desk's record."""
    source, record = before.source, before.record
    if (sent := before.board) is not None:
        is_boards = (event.scores, event.ending) == (sent.scores, Ending.FINISHED)
        source, record = (ResultSource.BOARD, sent.record) if is_boards else (sent.desk_source, sent.desk_record)
    return replace(
        before,
        scores=event.scores,
        ending=event.ending,
        source=source,
        record=record,
        state=ResultState.ACCEPTED,
        reason="",
        other=None,
        cards=None,
        corrections=(*before.corrections, Correction(before.scores, before.ending, event.reason)),
    )
