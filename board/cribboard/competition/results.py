"""Results: enter them from a slip or board, report, dispute, correct and check them (3.29, 3.31)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

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
    with_encounter,
)
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.scorecard import rule_cards
from cribboard.competition.terms import CompetitionPhase, Ending, GameAt, ResultState, Source, Stage


def enter(p: CompetitionPosition, action: actions.EnterResult) -> events.ResultEntered:
    """Enter a result. It replaces a report by one side; an accepted or disputed result needs a correction instead."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    round_, encounter = _must_be_a_game(p, action.at)
    before = _result(encounter, action.at)
    if before is not None and before.state is not ResultState.REPORTED:
        _result_exists(p, round_, before)
    must_be_scores(p, encounter, action.scores, action.ending)
    must_be_text(action.record)
    return events.ResultEntered(action.at, action.scores, action.ending, action.source, action.record)


def report(p: CompetitionPosition, action: actions.ReportResult) -> events.ResultReported:
    """Report a result as one side. A side may change its own report until the other side answers."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    round_, encounter = _must_be_a_game(p, action.at)
    _must_play_here(encounter, action.at, action.entrant)
    before = _result(encounter, action.at)
    if before is not None and before.state is not ResultState.REPORTED:
        _result_exists(p, round_, before)
    must_be_scores(p, encounter, action.scores, action.ending)
    return events.ResultReported(action.at, action.entrant, action.scores, action.ending)


def confirm(p: CompetitionPosition, action: actions.ConfirmResult) -> events.ResultConfirmed:
    """Confirm a result as the side that did not report it."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    _, encounter, before = _must_have_result(p, action.at)
    _must_play_here(encounter, action.at, action.entrant)
    if before.state is not ResultState.REPORTED:
        raise RefusedAction("nothing_to_confirm", state=before.state)
    if before.by == action.entrant:
        raise RefusedAction("own_report", entrant=action.entrant)
    _must_be_seen(before, action.scores)
    return events.ResultConfirmed(action.at, action.entrant)


def dispute(p: CompetitionPosition, action: actions.DisputeResult) -> events.ResultDisputed:
    """Dispute a result, which then does not count until an official corrects it."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    _, encounter, before = _must_have_result(p, action.at)
    _must_play_here(encounter, action.at, action.entrant)
    if before.state is ResultState.DISPUTED:
        raise RefusedAction("not_to_be_disputed")
    _must_be_seen(before, action.scores)
    must_have_reason(action.reason)
    return events.ResultDisputed(action.at, action.entrant, action.reason)


def dispute_by_board(p: CompetitionPosition, action: actions.DisputeByBoard) -> events.DisputedByBoard:
    """Record the board's result, once: in a dispute always, otherwise only if it differs from the desk's."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    _, encounter, before = _must_have_result(p, action.at)
    if before.board is not None:
        raise RefusedAction("not_to_be_disputed")
    if before.state is not ResultState.DISPUTED and (before.scores, before.ending) == (action.scores, Ending.FINISHED):
        raise RefusedAction("result_exists", scores=before.scores)
    must_be_scores(p, encounter, action.scores, Ending.FINISHED)
    must_be_text(action.record)
    return events.DisputedByBoard(action.at, action.scores, action.record)


def correct(p: CompetitionPosition, action: actions.CorrectResult) -> events.ResultCorrected:
    """Correct any result, also after the opening. Seatings that were based on it stay."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED, CompetitionPhase.OPEN)
    _, encounter, _ = _must_have_result(p, action.at)
    must_be_scores(p, encounter, action.scores, action.ending)
    must_have_reason(action.reason)
    return events.ResultCorrected(action.at, action.scores, action.ending, action.reason)


def compare_cards(p: CompetitionPosition, action: actions.CompareCards) -> events.CardsRuled:
    """Rule a result from two score cards, equal or not (3.29)."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    round_, encounter = _must_be_a_game(p, action.at)
    before = _result(encounter, action.at)
    if before is not None and before.state is not ResultState.REPORTED:
        _result_exists(p, round_, before)
    game = p.format.game_rules.game
    spreads = rule_cards(action.spreads, action.qualifiers, game)
    first_won = spreads[0] > 0
    lost = game.target - abs(spreads[1] if first_won else spreads[0])
    scores = (game.target, lost) if first_won else (lost, game.target)
    return events.CardsRuled(action.at, scores, spreads)


def check(p: CompetitionPosition, action: actions.CheckResult) -> events.ResultChecked:
    """Mark a result as compared with its slip."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    _, _, before = _must_have_result(p, action.at)
    if before.state is not ResultState.ACCEPTED:
        raise RefusedAction("not_to_be_checked", state=before.state)
    _must_be_seen(before, action.scores)
    return events.ResultChecked(action.at)


def _must_be_seen(result: Result, scores: Scores | None) -> None:
    """Refuse to change a result if the sender saw other scores."""
    if scores is not None and scores != result.scores:
        raise RefusedAction("another_result", scores=result.scores, saw=scores)


def must_be_scores(p: CompetitionPosition, encounter: Encounter, scores: Scores, ending: Ending) -> None:
    """Raise `RefusedAction` for scores with which no game ends."""
    target = p.target
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


# Results that need work


def outstanding(p: CompetitionPosition) -> Iterator[GameAt]:
    """Find games that have begun and have no accepted result: there is none, or only one side reported it."""
    for round_ in p.rounds:
        for encounter in round_.encounters:
            for game, result in enumerate(encounter.results, start=1):
                if result.state is ResultState.REPORTED:
                    yield GameAt(round_.number, encounter.table, game)
            if (under_way := open_game(p, round_, encounter)) is not None:
                yield GameAt(round_.number, encounter.table, under_way)


def in_state(p: CompetitionPosition, state: ResultState) -> Iterator[GameAt]:
    """Find the games whose results are in this state."""
    for round_ in p.rounds:
        for encounter in round_.encounters:
            for game, result in enumerate(encounter.results, start=1):
                if result.state is state:
                    yield GameAt(round_.number, encounter.table, game)


def _must_be_a_game(p: CompetitionPosition, at: GameAt) -> tuple[Round, Encounter]:
    """Return the round and encounter of a game that has begun, or has a result; refuse others."""
    encounter = p.find(at)
    if encounter is None or p.rounds[at.round - 1].stage is Stage.DRAWN or at.game < 1:
        raise RefusedAction("no_such_game", game=at.game, table=at.table, round=at.round)
    round_ = p.rounds[at.round - 1]
    played = len(encounter.results)
    if at.game <= played:
        return round_, encounter
    if encounter.games is not None and at.game > encounter.games:
        raise RefusedAction("no_such_game", game=at.game, table=at.table, round=at.round)
    if encounter.games is None:
        winner = winner_of(p, encounter, play_off=round_.play_off, reported=True)
        if winner is not None:
            raise RefusedAction("match_is_decided", entrant=winner)
    if at.game > played + 1:
        raise RefusedAction("earlier_game_first", first=played + 1, table=at.table, round=at.round)
    return round_, encounter


def _must_have_result(p: CompetitionPosition, at: GameAt) -> tuple[Round, Encounter, Result]:
    round_, encounter = _must_be_a_game(p, at)
    result = _result(encounter, at)
    if result is None:
        raise RefusedAction("no_result")
    return round_, encounter, result


def _must_play_here(encounter: Encounter, at: GameAt, entrant: int) -> None:
    if entrant not in encounter.entrants:
        raise RefusedAction("not_at_this_table", entrant=entrant, table=at.table, round=at.round)


def _result(encounter: Encounter, at: GameAt) -> Result | None:
    return encounter.results[at.game - 1] if at.game <= len(encounter.results) else None


def _result_exists(p: CompetitionPosition, round_: Round, result: Result) -> None:
    if all(is_over(p, encounter, play_off=round_.play_off) for encounter in round_.encounters):
        raise RefusedAction("round_is_over", round=round_.number)
    raise RefusedAction("result_exists", scores=result.scores)


# How the events change the position


def _with_result(p: CompetitionPosition, at: GameAt, result: Result) -> CompetitionPosition:
    encounter = p.find(at)
    assert encounter is not None
    results = (*encounter.results[: at.game - 1], result, *encounter.results[at.game :])
    return with_encounter(p, at, replace(encounter, results=results))


def _result_at(p: CompetitionPosition, at: GameAt) -> Result | None:
    encounter = p.find(at)
    assert encounter is not None
    return _result(encounter, at)


def _existing_result(p: CompetitionPosition, at: GameAt) -> Result:
    result = _result_at(p, at)
    assert result is not None
    return result


def _entered(p: CompetitionPosition, event: events.ResultEntered) -> CompetitionPosition:
    made = Result(
        scores=event.scores,
        ending=event.ending,
        source=event.source,
        state=ResultState.ACCEPTED,
        record=event.record,
    )
    return _with_result(p, event.at, made)


def _reported(p: CompetitionPosition, event: events.ResultReported) -> CompetitionPosition:
    before = _result_at(p, event.at)
    if before is None or before.by == event.entrant:
        made = Result(
            scores=event.scores,
            ending=event.ending,
            source=Source.PHONE,
            state=ResultState.REPORTED,
            by=event.entrant,
        )
    elif (before.scores, before.ending) == (event.scores, event.ending):
        made = replace(before, state=ResultState.ACCEPTED)
    else:
        made = replace(before, state=ResultState.DISPUTED, other=event.scores)
    return _with_result(p, event.at, made)


def _confirmed(p: CompetitionPosition, event: events.ResultConfirmed) -> CompetitionPosition:
    return _with_result(p, event.at, replace(_existing_result(p, event.at), state=ResultState.ACCEPTED))


def _disputed(p: CompetitionPosition, event: events.ResultDisputed) -> CompetitionPosition:
    made = replace(_existing_result(p, event.at), state=ResultState.DISPUTED, reason=event.reason)
    return _with_result(p, event.at, made)


def _disputed_by_board(p: CompetitionPosition, event: events.DisputedByBoard) -> CompetitionPosition:
    before = _existing_result(p, event.at)
    sent = BoardResult(scores=event.scores, record=event.record, desk_source=before.source, desk_record=before.record)
    return _with_result(p, event.at, replace(before, state=ResultState.DISPUTED, board=sent))


def _corrected(p: CompetitionPosition, event: events.ResultCorrected) -> CompetitionPosition:
    """Correct a result. Scores that the board sent get the board's record; other scores get the desk's."""
    before = _existing_result(p, event.at)
    source, record = before.source, before.record
    if (sent := before.board) is not None:
        is_boards = (event.scores, event.ending) == (sent.scores, Ending.FINISHED)
        source, record = (Source.BOARD, sent.record) if is_boards else (sent.desk_source, sent.desk_record)
    correction = Correction(before.scores, before.ending, event.reason)
    made = replace(
        before,
        scores=event.scores,
        ending=event.ending,
        source=source,
        record=record,
        state=ResultState.ACCEPTED,
        reason="",
        other=None,
        cards=None,
        corrections=(*before.corrections, correction),
    )
    return _with_result(p, event.at, made)


def _cards_ruled(p: CompetitionPosition, event: events.CardsRuled) -> CompetitionPosition:
    made = Result(
        scores=event.scores,
        ending=Ending.FINISHED,
        source=Source.SLIP,
        state=ResultState.ACCEPTED,
        cards=event.spreads,
    )
    return _with_result(p, event.at, made)


def _checked(p: CompetitionPosition, event: events.ResultChecked) -> CompetitionPosition:
    return _with_result(p, event.at, replace(_existing_result(p, event.at), state=ResultState.CHECKED))


HANDLERS: Mapping[type, Callable[[CompetitionPosition, Any], CompetitionPosition]] = MappingProxyType(
    {
        events.ResultEntered: _entered,
        events.ResultReported: _reported,
        events.ResultConfirmed: _confirmed,
        events.ResultDisputed: _disputed,
        events.DisputedByBoard: _disputed_by_board,
        events.ResultCorrected: _corrected,
        events.CardsRuled: _cards_ruled,
        events.ResultChecked: _checked,
    }
)
