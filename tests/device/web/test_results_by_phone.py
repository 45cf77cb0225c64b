"""Results that phones at the tables report, confirm and dispute: each of its own game alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import phrase
from tests.support.journals import tamper
from tests.support.table_phones import FIRST, Hall, Phone, both_sit, hall, phone

from cribboard.competition import read_format
from cribboard.competition.actions import CorrectResult, EnterResult, UndoCompetitionAct
from cribboard.competition.terms import GameAt, ResultState

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_one_side_reports_and_the_other_says_ok(room: Hall, one: Phone, other: Phone) -> None:
    pair = await both_sit(room, one, other)
    payload = await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    assert payload == {"competition": room.now.number}
    assert await one.refused("confirm_result", FIRST, saw=[121, 98]) == "own_report"
    assert await one.refused("dispute_result", FIRST, saw=[121, 98], reason="non") == "own_report"
    shown = (await other.picture())["visit"]["results"][0]
    assert (shown["scores"], shown["by"], shown["state"]) == ([121, 98], pair[0], "reported")
    assert (shown["winner"], shown["skunk"]) == (0, "none")
    await other.ask("confirm_result", FIRST, saw=[121, 98])
    assert room.state() is ResultState.ACCEPTED


async def test_a_request_that_comes_twice_is_done_once(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    report: dict[str, Any] = {"scores": [121, 98], "saw": None}
    for _ in range(2):
        await one.ask("report_result", FIRST, **report)
    events = len(room.now.log)
    await other.ask("confirm_result", FIRST, saw=[121, 98])
    for _ in range(2):
        await other.ask("confirm_result", FIRST, saw=[121, 98])
        await one.ask("report_result", FIRST, **report)
        await one.ask("call_official")
    assert len(room.now.log) == events + 2


async def test_the_sides_disagree_and_an_official_settles_it(room: Hall, one: Phone, other: Phone) -> None:
    pair = await both_sit(room, one, other)
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    await other.ask("report_result", FIRST, scores=[121, 89], saw=[121, 98])
    shown = (await one.picture())["visit"]["results"][0]
    assert (shown["state"], shown["scores"], shown["other"], shown["by"]) == ("disputed", [121, 98], [121, 89], pair[0])
    assert await one.refused("report_result", FIRST, scores=[121, 89], saw=[121, 98]) == "result_exists"
    await room.do(CorrectResult(at=FIRST, scores=(121, 89), reason="planche relue"))
    assert (await one.picture())["visit"]["is_over"]
    assert await other.refused("dispute_result", FIRST, saw=[121, 89], reason="non") == "nothing_to_confirm"


async def test_a_side_that_does_not_know_leaves_it_to_an_official(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    assert await other.refused("dispute_result", FIRST, saw=[121, 98], reason="") == "reason_missing"
    for _ in range(2):
        await other.ask("dispute_result", FIRST, saw=[121, 98], reason="pions tombés")
    assert room.state() is ResultState.DISPUTED


async def test_a_result_can_be_confirmed_or_corrected_only_as_last_seen(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    await one.ask("report_result", FIRST, scores=[121, 89], saw=[121, 98])
    assert await other.refused("confirm_result", FIRST, saw=[121, 98]) == "changed_meanwhile"
    assert await other.refused("dispute_result", FIRST, saw=[121, 98], reason="non") == "changed_meanwhile"
    assert await other.refused("report_result", FIRST, scores=[121, 60], saw=None) == "changed_meanwhile"
    assert room.state() is ResultState.REPORTED
    await other.ask("report_result", FIRST, scores=[121, 89], saw=None)
    assert room.state() is ResultState.ACCEPTED, "both sides said the same"


async def test_a_phone_and_the_desk_at_once_are_refused_with_a_sentence(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    await room.do(EnterResult(at=FIRST, scores=(121, 60)))
    refused = (await one.ask("report_result", FIRST, status=409, scores=[121, 98], saw=None))["refused"]
    scores = phrase("competition.scores", first=121, second=60)
    assert refused["text"]["en"] == phrase("competition.refused.result_exists", scores=scores)
    await one.ask("report_result", FIRST, scores=[121, 60], saw=None)


async def test_an_entrant_acts_for_no_other_and_at_no_other_table(room: Hall, one: Phone, other: Phone) -> None:
    pair = await both_sit(room, one, other)
    report: dict[str, Any] = {"scores": [121, 98], "saw": None}
    assert await one.refused("report_result", FIRST, entrant=pair[1], **report) == "not_your_entrant"
    assert await one.refused("call_official", entrant=pair[1]) == "not_your_entrant"
    await room.do(EnterResult(at=GameAt(1, 2), scores=(121, 60)))
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("report_result", {"scores": [121, 60], "saw": None}),
        ("confirm_result", {"saw": [121, 60]}),
        ("dispute_result", {"saw": [121, 60], "reason": "non"}),
    )
    for do, beside in asked:
        for at in (GameAt(1, 2), GameAt(7, 1), GameAt(1, 1, 0), GameAt(-1, -1, -1)):
            assert await one.refused(do, at, **beside) == "not_your_game"
    for other_act in ("enter_result", "correct_result", "undo", "open_place", "", 7):
        assert await one.refused(other_act, FIRST, status=400, **report) == "not_an_action"
    assert room.state() is None


async def test_a_request_from_before_is_refused_after_its_round(room: Hall, one: Phone, other: Phone) -> None:
    await both_sit(room, one, other)
    late: dict[str, Any] = {"scores": [121, 98], "saw": None}
    await room.do(EnterResult(at=FIRST, scores=(121, 60)), EnterResult(at=GameAt(1, 2), scores=(121, 60)))
    assert await one.refused("report_result", FIRST, **late) == "round_is_over"
    await room.seat()
    assert await one.refused("report_result", FIRST, **late) == "not_your_game"
    number = room.now.number
    await room.begin()
    await one.sit(1, room.pair(1)[0])
    assert await one.refused("report_result", FIRST, competition=number, **late) == "another_competition"
    assert await one.refused("report_result", FIRST, competition=None, **late) == "another_competition"


@pytest.mark.parametrize(
    ("scores", "code"),
    [([122, 98], "score_out_of_range"), ([121, 121], "both_at_target"), ([90, 98], "nobody_at_target")],
)
async def test_scores_that_no_game_ends_with_are_refused(
    room: Hall, one: Phone, other: Phone, scores: list[int], code: str
) -> None:
    await both_sit(room, one, other)
    assert await one.refused("report_result", FIRST, scores=scores, saw=None) == code


async def test_a_report_that_cannot_be_stored_is_refused_with_its_reason(tmp_path: Path) -> None:
    async with hall(tmp_path) as on, phone(on) as own, phone(on) as theirs:
        await both_sit(on, own, theirs)
        full = "CREATE TRIGGER full BEFORE INSERT ON {} BEGIN SELECT RAISE(ABORT, ''); END"
        tamper(tmp_path / "journal.db", full.format("competition_line"))
        assert await own.refused("report_result", FIRST, status=503, scores=[121, 98], saw=None) == "not_kept"
        tamper(tmp_path / "journal.db", "DROP TRIGGER full;" + full.format("setting"))
        refused = await theirs.post("/event/table/sit", {**on.card(1), "entrant": on.pair(1)[1]}, 503)
        assert refused["refused"]["code"] == "not_kept"
        assert (await theirs.picture())["you"]["number"] == on.pair(1)[1]


async def test_two_games_of_one_visit_come_one_after_the_other(room: Hall, one: Phone, other: Phone) -> None:
    form = read_format({"format": "jeux50", "min_entrants": 2, "games": 2})
    await room.begin(form)
    pair = room.pair(1)
    await one.sit(1, pair[0])
    await other.sit(1, pair[1])
    second = GameAt(1, 1, 2)
    assert await one.refused("report_result", second, scores=[121, 98], saw=None) == "earlier_game_first"
    await one.ask("report_result", FIRST, scores=[121, 98], saw=None)
    assert (await one.picture())["visit"]["game"] == 2
    await other.ask("report_result", second, scores=[60, 121], saw=None)
    await other.ask("confirm_result", FIRST, saw=[121, 98])
    await one.ask("confirm_result", second, saw=[60, 121])
    payload = (await one.picture())["visit"]
    assert (payload["is_over"], payload["game"], len(payload["results"])) == (True, None, 2)
    await room.do(UndoCompetitionAct())
    assert (await one.picture())["visit"]["is_over"] is False
