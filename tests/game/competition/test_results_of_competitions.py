"""Results: slips, phones, score cards, disputes, corrections and the check pass."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.competitions import Hall, entered, seated

from cribboard import RULES
from cribboard.competition import FORMATS, RefusedAction
from cribboard.competition.actions import (
    CheckResult,
    CompareCards,
    ConfirmResult,
    CorrectResult,
    DisputeByBoard,
    DisputeResult,
    DrawRound,
    EndPlay,
    EnterResult,
    OpenPlace,
    ReportResult,
    UndoCompetitionAct,
)
from cribboard.competition.medals import Obstacle, obstacles
from cribboard.competition.position import Correction, Result
from cribboard.competition.results import outstanding
from cribboard.competition.scorecard import rule_cards
from cribboard.competition.terms import Advantage, Ending, GameAt, RankingCriterion, ResultSource, ResultState

FADOQ, ACC = FORMATS["fadoq"], FORMATS["acc"]
FIRST = GameAt(1, 1)


def table_of_two(*, form: object = ACC) -> Hall:
    """Entrants 1 and 2 play at table 1, and 3 and 4 at table 2."""
    hall = Hall(FADOQ if form is FADOQ else ACC, 4)
    hall.draw((1, 2), (3, 4))
    return hall


def result(hall: Hall) -> Result:
    return hall.now.rounds[0].encounters[0].results[0]


@pytest.mark.parametrize(
    ("scores", "ending", "code", "values"),
    [
        ((122, 90), Ending.FINISHED, "score_out_of_range", {"entrant": 1, "score": 122, "target": 121}),
        ((121, -1), Ending.FINISHED, "score_out_of_range", {"entrant": 2, "score": -1, "target": 121}),
        ((121, 121), Ending.FINISHED, "both_at_target", {"target": 121}),
        ((120, 119), Ending.FINISHED, "nobody_at_target", {"target": 121, "scores": (120, 119)}),
        ((121, 119), Ending.BROKEN_OFF, "not_broken_off", {"entrant": 1, "target": 121}),
    ],
)
def test_a_score_that_no_game_ends_with_is_refused(
    scores: tuple[int, int], ending: Ending, code: str, values: dict[str, object]
) -> None:
    hall = table_of_two()
    for action in (
        EnterResult(at=FIRST, scores=scores, ending=ending),
        ReportResult(at=FIRST, entrant=1, scores=scores, ending=ending),
    ):
        with pytest.raises(RefusedAction) as refused:
            hall.do(action)
        assert (refused.value.code, refused.value.values) == (code, values)


@pytest.mark.parametrize("at", [GameAt(0, 1), GameAt(2, 1), GameAt(1, 3), GameAt(1, 1, 0), GameAt(1, 1, 2)])
def test_a_game_that_is_not_played_has_no_result(at: GameAt) -> None:
    assert table_of_two().refused(EnterResult(at=at, scores=(121, 90))) == "no_such_game"


def test_one_table_entered_by_two_people_counts_once() -> None:
    hall = table_of_two()
    hall.do(entered(1, 1, 121, 90))
    assert hall.refused(entered(1, 1, 121, 90)) == "result_exists"
    assert hall.refused(ReportResult(at=FIRST, entrant=1, scores=(121, 90))) == "result_exists"
    hall.do(entered(1, 2, 121, 90))
    assert hall.refused(entered(1, 1, 121, 95)) == "round_is_over"


def test_a_broken_off_game_counts_its_pegs_and_has_no_winner() -> None:
    hall = table_of_two()
    hall.do(entered(1, 1, 80, 60, broken=True))
    row = hall.competition.standings()[0]
    amounts = dict(row.amounts)
    assert (
        row.entrant,
        amounts[RankingCriterion.SPREAD],
        amounts[RankingCriterion.GAME_POINTS],
        amounts[RankingCriterion.WINS],
    ) == (
        1,
        20,
        0,
        0,
    )
    assert hall.scorecard(1).plus_points == 0


def test_a_phone_reports_and_the_other_confirms() -> None:
    hall = table_of_two()
    assert hall.refused(ReportResult(at=FIRST, entrant=3, scores=(121, 90))) == "not_at_this_table"
    hall.do(ReportResult(at=FIRST, entrant=1, scores=(121, 99)))
    hall.do(ReportResult(at=FIRST, entrant=1, scores=(121, 90)))
    assert result(hall).state is ResultState.REPORTED
    assert hall.competition.standings()[0].played == 0
    assert hall.refused(ConfirmResult(FIRST, 1)) == "own_report"
    hall.do(ConfirmResult(FIRST, 2))
    assert (result(hall).state, result(hall).scores) == (ResultState.ACCEPTED, (121, 90))
    assert hall.refused(ConfirmResult(FIRST, 2)) == "nothing_to_confirm"
    assert hall.competition.standings()[0].played == 1


def test_the_same_report_of_the_other_side_confirms_it() -> None:
    hall = table_of_two()
    hall.do(
        ReportResult(at=FIRST, entrant=1, scores=(121, 90)),
        ReportResult(at=FIRST, entrant=2, scores=(121, 90)),
    )
    assert (result(hall).state, result(hall).source) == (ResultState.ACCEPTED, ResultSource.PHONE)


def test_another_report_of_the_other_side_disputes_it_and_an_official_settles_it() -> None:
    hall = table_of_two()
    hall.do(
        ReportResult(at=FIRST, entrant=1, scores=(121, 90)),
        ReportResult(at=FIRST, entrant=2, scores=(121, 95)),
    )
    assert (result(hall).state, result(hall).other) == (ResultState.DISPUTED, (121, 95))
    assert hall.refused(entered(1, 1, 121, 90)) == "result_exists"
    assert hall.refused(CorrectResult(at=FIRST, scores=(121, 95), reason="")) == "reason_missing"
    hall.do(CorrectResult(at=FIRST, scores=(121, 95), reason="feuille retrouvée"))
    assert (result(hall).state, result(hall).scores, result(hall).other) == (ResultState.ACCEPTED, (121, 95), None)


def test_a_slip_replaces_the_report_of_one_side() -> None:
    hall = table_of_two()
    hall.do(ReportResult(at=FIRST, entrant=1, scores=(121, 90)), entered(1, 1, 121, 95))
    assert (result(hall).scores, result(hall).source) == ((121, 95), ResultSource.SLIP)


def test_a_corrected_result_is_stored_and_needs_a_new_check() -> None:
    hall = table_of_two()
    assert hall.refused(CorrectResult(at=FIRST, scores=(121, 95), reason="x")) == "no_result"
    hall.do(entered(1, 1, 121, 90), CheckResult(FIRST))
    assert hall.refused(CheckResult(FIRST)) == "not_to_be_checked"
    hall.do(CorrectResult(at=FIRST, scores=(120, 121), reason="inversé"))
    assert result(hall).corrections == (Correction((121, 90), Ending.FINISHED, "inversé"),)
    assert result(hall).state is ResultState.ACCEPTED


@pytest.mark.parametrize("scores", [(87, 121), (98, 121), (121, 97), (121, 0)])
def test_only_the_present_result_can_be_confirmed_disputed_or_checked(scores: tuple[int, int]) -> None:
    hall = table_of_two()
    hall.do(ReportResult(at=FIRST, entrant=1, scores=(121, 98)))
    assert hall.refused(ConfirmResult(FIRST, 2, scores)) == "another_result"
    assert hall.refused(DisputeResult(FIRST, 2, "faux", scores)) == "another_result"
    hall.do(ConfirmResult(FIRST, 2, (121, 98)))
    assert hall.refused(CheckResult(FIRST, scores)) == "another_result"
    hall.do(CheckResult(FIRST, (121, 98)))
    assert result(hall).state is ResultState.CHECKED


def test_a_disputed_result_does_not_count_until_it_is_settled() -> None:
    hall = table_of_two(form=FADOQ)
    hall.do(entered(1, 1, 121, 90), entered(1, 2, 121, 90))
    assert hall.refused(DisputeResult(FIRST, 3, "x")) == "not_at_this_table"
    hall.do(DisputeResult(FIRST, 2, "mal additionné"))
    assert hall.refused(DisputeResult(FIRST, 2, "x")) == "not_to_be_disputed"
    assert result(hall).reason == "mal additionné"
    assert {row.entrant: row.played for row in hall.competition.standings()} == {1: 0, 2: 0, 3: 1, 4: 1}
    assert hall.refused(DrawRound(seated((1, 3), (2, 4)))) == "outstanding"


def by_board() -> Hall:
    """The slip of table 1 says 121 to 90, and the board there 121 to 98."""
    hall = table_of_two()
    hall.do(entered(1, 1, 121, 90), DisputeByBoard(FIRST, (121, 98), "1f0c"))
    return hall


def ruled(first: int, second: int, *, broken: bool = False) -> CorrectResult:
    ending = Ending.BROKEN_OFF if broken else Ending.FINISHED
    return CorrectResult(at=FIRST, scores=(first, second), ending=ending, reason="demandé aux joueurs")


def test_a_different_result_from_the_board_disputes_the_desks_and_both_are_stored() -> None:
    found = result(by_board())
    assert (found.state, found.scores, found.source, found.record) == (
        ResultState.DISPUTED, (121, 90), ResultSource.SLIP, "",
    )  # fmt: skip
    assert found.board is not None
    assert (found.board.scores, found.board.record) == ((121, 98), "1f0c")


@pytest.mark.parametrize(
    ("rulings", "origin"),
    [
        ([ruled(121, 98)], (ResultSource.BOARD, "1f0c")),
        ([ruled(121, 90)], (ResultSource.SLIP, "")),
        ([ruled(121, 97)], (ResultSource.SLIP, "")),
        ([ruled(98, 121)], (ResultSource.SLIP, "")),
        ([ruled(90, 80, broken=True)], (ResultSource.SLIP, "")),
        ([ruled(121, 90), ruled(121, 98)], (ResultSource.BOARD, "1f0c")),
        ([ruled(121, 98), ruled(121, 90)], (ResultSource.SLIP, "")),
        ([ruled(121, 98), UndoCompetitionAct()], (ResultSource.SLIP, "")),
        ([ruled(121, 98), CheckResult(FIRST)], (ResultSource.BOARD, "1f0c")),
        ([UndoCompetitionAct(), ruled(121, 98)], (ResultSource.SLIP, "")),
    ],
)
def test_a_correction_to_the_boards_scores_takes_its_record_and_any_other_the_desks(
    rulings: list[CorrectResult | CheckResult | UndoCompetitionAct], origin: tuple[ResultSource, str]
) -> None:
    hall = by_board()
    hall.do(*rulings)
    assert (result(hall).source, result(hall).record) == origin


def test_a_board_disputes_once_and_only_with_another_possible_score() -> None:
    hall = by_board()
    assert hall.refused(DisputeByBoard(FIRST, (121, 97), "2e")) == "not_to_be_disputed"
    assert hall.refused(DisputeByBoard(GameAt(1, 2), (121, 90), "2e")) == "no_result"
    hall.do(entered(1, 2, 121, 90))
    assert hall.refused(DisputeByBoard(GameAt(1, 2), (121, 90), "2e")) == "result_exists"
    assert hall.refused(DisputeByBoard(GameAt(1, 2), (120, 90), "2e")) == "nobody_at_target"
    hall.do(ruled(121, 98))
    assert hall.refused(DisputeByBoard(FIRST, (121, 97), "2e")) == "not_to_be_disputed"


def test_a_game_that_was_broken_off_is_disputed_by_its_own_record_alone() -> None:
    hall, scores = table_of_two(), (90, 80)
    hall.do(replace(entered(1, 1, *scores, broken=True), source=ResultSource.BOARD, record="1f0c"))
    assert hall.refused(DisputeByBoard(FIRST, scores, "2e")) == "nobody_at_target"
    hall.do(DisputeByBoard(FIRST, scores, "1f0c"))
    assert result(hall).state is ResultState.DISPUTED
    hall.do(ruled(*scores, broken=True))
    found = result(hall)
    assert (found.state, found.source, found.record) == (ResultState.ACCEPTED, ResultSource.BOARD, "1f0c")


def test_in_a_dispute_of_two_phones_the_result_of_the_board_is_recorded_even_if_it_equals_one() -> None:
    hall = table_of_two()
    hall.do(
        ReportResult(at=FIRST, entrant=1, scores=(121, 90)),
        ReportResult(at=FIRST, entrant=2, scores=(121, 95)),
        DisputeByBoard(FIRST, (121, 90), "1f0c"),
    )
    assert (result(hall).scores, result(hall).other) == ((121, 90), (121, 95))
    hall.do(ruled(121, 90))
    assert (result(hall).source, result(hall).record) == (ResultSource.BOARD, "1f0c")
    hall.do(ruled(121, 95))
    assert (result(hall).source, result(hall).record) == (ResultSource.PHONE, "")


def test_outstanding_disputed_and_unchecked_results_block_the_opening() -> None:
    hall = table_of_two(form=FADOQ)
    hall.do(EndPlay())
    assert list(outstanding(hall.now)) == [FIRST, GameAt(1, 2)]
    assert hall.refused(OpenPlace(1)) == "outstanding"
    hall.do(entered(1, 1, 121, 90), entered(1, 2, 120, 121))
    assert obstacles(hall.now) == (Obstacle("not_checked", FIRST), Obstacle("not_checked", GameAt(1, 2)))
    hall.do(CheckResult(FIRST), CheckResult(GameAt(1, 2)), DisputeResult(FIRST, 2, "mal additionné"))
    assert obstacles(hall.now) == (Obstacle("disputed", FIRST),)


def test_a_reason_overrides_the_check_pass_and_is_kept() -> None:
    hall = table_of_two(form=FADOQ)
    hall.do(entered(1, 1, 121, 90), entered(1, 2, 120, 110, broken=True), EndPlay())
    assert hall.refused(OpenPlace(3)) == "not_checked"
    hall.do(OpenPlace(3, "la salle ferme"))
    assert hall.now.overridden == "la salle ferme"
    hall.open(2, 1)


def test_without_a_check_pass_accepted_results_open() -> None:
    hall = table_of_two()
    hall.do(entered(1, 1, 121, 90), entered(1, 2, 121, 95), EndPlay())
    hall.open(3, 2, 1)
    hall.do(CorrectResult(at=FIRST, scores=(90, 121), reason="erreur vue le lendemain"))
    assert hall.places == {2: 1, 3: 2, 4: 3, 1: 4}


def test_a_match_that_is_reported_as_won_waits_for_its_confirmation_and_for_no_further_game() -> None:
    hall = Hall(FORMATS["single-elimination"], 2)
    hall.draw((1, 2))
    hall.do(entered(1, 1, 121, 90), ReportResult(at=GameAt(1, 1, 2), entrant=1, scores=(121, 90)))
    assert list(outstanding(hall.now)) == [GameAt(1, 1, 2)]
    assert not hall.hall().tables[0].is_over
    assert hall.refused(entered(1, 1, 121, 90, game=3)) == "match_is_decided"
    hall.do(DisputeResult(GameAt(1, 1, 2), 2, "faux"))
    hall.do(CorrectResult(at=GameAt(1, 1, 2), scores=(90, 121), reason="inversé"), entered(1, 1, 121, 3, game=3))
    assert hall.hall().tables[0].winner == 1


# Two score cards


@pytest.mark.parametrize(
    ("written", "qualifiers", "counted"),
    [
        ((21, -16), Advantage.FIRST, (16, -16)),
        ((21, -16), Advantage.SECOND, (21, -21)),
        ((17, -16), Advantage.BOTH, (16, -17)),
        ((-16, 21), Advantage.SECOND, (-16, 16)),
        ((16, -21), Advantage.FIRST, (16, -21)),
        ((12, -12), Advantage.NEITHER, (12, -12)),
        ((None, -9), Advantage.NEITHER, (9, -9)),
        ((40, None), Advantage.BOTH, (40, -40)),
    ],
)
def test_the_disadvantage_rule_of_two_cards(
    written: tuple[int | None, int | None], qualifiers: Advantage, counted: tuple[int, int]
) -> None:
    assert rule_cards(written, qualifiers, RULES["acc"].game) == counted


@pytest.mark.parametrize(
    ("written", "qualifiers", "code"),
    [
        ((None, None), Advantage.BOTH, "cards_silent"),
        ((5, 7), Advantage.BOTH, "cards_disagree_on_winner"),
        ((-5, -5), Advantage.BOTH, "cards_disagree_on_winner"),
        ((5, -7), Advantage.NEITHER, "no_qualifier"),
        ((31, -30), Advantage.BOTH, "skunk_disagrees"),
        ((0, -5), Advantage.BOTH, "spread_out_of_range"),
        ((122, -5), Advantage.BOTH, "spread_out_of_range"),
    ],
)
def test_cases_outside_the_two_card_rule_go_to_the_organiser(
    written: tuple[int | None, int | None], qualifiers: Advantage, code: str
) -> None:
    hall = table_of_two()
    assert hall.refused(CompareCards(at=FIRST, spreads=written, qualifiers=qualifiers)) == code


def test_the_spreads_that_were_ruled_count_on_both_cards() -> None:
    hall = table_of_two()
    hall.do(CompareCards(at=FIRST, spreads=(17, -16), qualifiers=Advantage.BOTH))
    assert result(hall).scores == (121, 104)
    assert [hall.scorecard(number).spread for number in (1, 2)] == [16, -17]
    amounts = {row.entrant: dict(row.amounts) for row in hall.competition.standings()}
    assert (amounts[1][RankingCriterion.SPREAD], amounts[1][RankingCriterion.PLUS_POINTS]) == (16, 16)
    assert amounts[2][RankingCriterion.SPREAD] == -17
    assert hall.refused(CompareCards(at=FIRST, spreads=(17, -17))) == "result_exists"


def test_a_grand_slam_is_every_game_won() -> None:
    hall = table_of_two()
    hall.do(entered(1, 1, 121, 90))
    assert hall.scorecard(1).is_grand_slam
    assert not hall.scorecard(2).is_grand_slam
    assert not hall.scorecard(3).is_grand_slam
