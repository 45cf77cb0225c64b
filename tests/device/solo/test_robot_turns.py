"""The robots at the table of somebody who plays alone: what they do, and when."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.alone import BusyClock, alone

from cribboard import RULES, Game, actions
from cribboard.cards import PACK, Card
from cribboard.deal.claim_comparison import due
from cribboard.event_terms import Verdict
from cribboard.events import ClaimChallenged, ClaimJudged, Undone
from cribboard.position import Phase, Position
from cribboard.rules import Way
from cribboard.strategy import RobotLevel
from cribd.inputs import Key
from cribd.solo.robot_turns import LEAVES_TIME_S, MORE_S, READS_S, RESULT_S, THINKS_S, Pace, may_have_scored
from cribd.solo.session import PERSON
from cribd.table.snapshot import Line, Menu


async def test_a_robot_calls_what_is_due_and_answers_a_wrong_call(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start(strength=RobotLevel.STRONG)
        await table.until_asked("count_hand")
        p = table.position
        front = p.pegs[0].front
        await table.do(actions.TakePegInHand(0, 24))
        await table.do(actions.ReleasePeg(0))
        game = table.session.game
        assert game is not None

        def judged() -> list[ClaimJudged]:
            return [event for event in game.game.log if isinstance(event, ClaimJudged)]

        await table.until(lambda: any(each.verdict is Verdict.TOO_MANY for each in judged()))
        assert table.position.pegs[0].front < front + 24
        assert all(each.verdict is Verdict.EXACT for each in judged() if each.side == 1)


async def test_where_the_board_is_silent_a_robot_challenges_a_count_that_is_too_high(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start("acc", strength=RobotLevel.STRONG)
        await table.until_asked("count_hand")
        p = table.position
        await table.do(actions.TakePegInHand(PERSON, due(p, PERSON, p.open_windows[PERSON]) + 2))
        await table.do(actions.ReleasePeg(PERSON))
        await table.until(lambda: any(isinstance(event, ClaimChallenged) for event in table.log))


async def test_a_robot_answers_what_the_person_does_while_it_chooses_a_card(tmp_path: Path) -> None:
    clock = BusyClock()
    async with alone(tmp_path, clock=clock) as table:
        await table.start()
        await table.until_asked("lay")
        clock.busy_s = 1.0
        await table.do(actions.LayCard(PERSON, table.card_to_lay()))
        clock.busy_s = 0.0
        await table.together(table.fingers.key(Key.UNDO))
        await table.until(lambda: any(isinstance(event, Undone) for event in table.log), most_s=3.0)
        assert table.device.snapshot.refusal is None, "it has held no card before the reader"


async def test_robots_play_on_after_a_starter_and_a_card_that_no_reader_could_read(tmp_path: Path) -> None:
    async def go_on_unread() -> None:
        await table.together(table.fingers.key(Key.MENU))
        await table.until(lambda: isinstance(table.device.snapshot.mode, Menu))
        while isinstance(mode := table.device.snapshot.mode, Menu) and mode.current.line is not Line.UNREAD:
            await table.together(table.fingers.key(Key.MENU))
            await table.pass_time(0.2)
        await table.done(table.fingers.key(Key.OK, 0))

    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("starter")
        deal = table.session.dealt()
        await go_on_unread()
        await table.until_asked("lay")
        await go_on_unread()
        assert all(card in map(str, PACK) for _, card in table.state()["laid"])
        await table.play(lambda: table.position.phase is Phase.SHOW)
        await table.until_asked("starter")
        await table.done(table.person.cut())
        assert table.position.starter == deal.starter


@pytest.mark.slow
async def test_a_robot_leaves_the_same_time_after_a_card_that_scores_and_one_that_does_not(tmp_path: Path) -> None:
    async with alone(tmp_path, seed=8) as table:
        await table.start()
        waits: dict[bool, set[float]] = {True: set(), False: set()}
        laid_at: tuple[float, int, bool] | None = None

        def watch() -> bool:
            nonlocal laid_at
            p = table.position
            own = [seat for seat, _ in p.stack]
            if laid_at is None and p.phase is Phase.PLAY and own[1:] and own[-1] == PERSON and p.turn == 1:
                laid_at = table.clock.now(), len(p.stack), bool(sum(each.due for each in p.open_windows[0]))
            elif laid_at is not None and (len(p.stack) != laid_at[1] or p.turn != 1):
                if p.phase is Phase.PLAY:
                    waits[laid_at[2]].add(round(table.clock.now() - laid_at[0]))
                laid_at = None
            return all(waits.values())

        for _ in range(4000):
            if watch():
                break
            if table.asked != "release" and not (laid_at and laid_at[2]) and await table.act_for_the_person():
                continue
            await table.pass_time(0.2)
        assert waits == {True: {round(LEAVES_TIME_S)}, False: {round(LEAVES_TIME_S)}}


def after(*cards: str, starter: str = "5D", dealer: int = 1) -> Position:
    """Where a game stands after this starter and these cards, laid in turn."""
    game = Game.start(RULES["six-card"], way=Way.VERIFY, dealer=dealer)
    game.do(actions.TurnStarter(Card.parse(starter)))
    for card in cards:
        game.do(actions.LayCard(game.position.turn or 0, Card.parse(card)))
    return game.position


@pytest.mark.parametrize(
    ("p", "may"),
    [
        (after(starter="JD", dealer=PERSON), True),
        (after(starter="TD", dealer=PERSON), False),
        (after(starter="JD", dealer=1), False),
        (after("5C"), False),
        (after("9C", dealer=PERSON), False),
        (after("9C", "6C", dealer=PERSON), True),
        (after("9C", "5C", dealer=PERSON), True),
    ],
    ids=["own jack", "no jack", "another's jack", "first card", "another's card", "fifteen", "fourteen"],
)
def test_time_for_points_is_left_where_everybody_sees_that_there_may_be_some(p: Position, may: bool) -> None:
    assert may_have_scored(p) is may


async def test_no_robot_waits_after_a_starter_that_is_no_jack_and_the_first_card_of_a_count(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.play(lambda: table.position.dealer == PERSON and table.position.starter is not None)
        await table.pass_time(3 * THINKS_S)
        assert [seat for seat, _ in table.position.stack] == [1]
        await table.play(lambda: table.asked == "lay" and table.position.count_over)
        await table.do(actions.LayCard(PERSON, table.card_to_lay()))
        await table.pass_time(3 * THINKS_S)
        assert len(table.position.stack) > 1
        assert not table.turns.leaves_time


async def test_robots_do_not_wait_for_a_player_who_has_called_or_passed(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()

        def may_have_points() -> bool:
            return table.turns.leaves_time and table.position.phase is Phase.PLAY

        for _ in range(400):
            if (
                may_have_points()
                and table.position.open_windows[0]
                and not any(each.due for each in table.position.open_windows[0])
            ):
                break
            if table.turns.leaves_time or not await table.act_for_the_person():
                await table.pass_time(0.2)
        number = table.position.number
        await table.pass_time(LEAVES_TIME_S / 4)
        assert table.position.number == number
        await table.together(table.person.peg(2))
        called = table.position.number
        assert called > number
        await table.pass_time(MORE_S + THINKS_S)
        assert table.position.number > called
        await table.play(may_have_points)
        table.turns.step()
        await table.pass_time(THINKS_S)
        assert not table.turns.leaves_time


async def test_a_quick_card_takes_no_robot_the_points_of_the_card_before(tmp_path: Path) -> None:
    async with alone(tmp_path, seed=5) as table:
        await table.start()
        await table.play(lambda: table.asked == "lay" and any(each.due for each in table.position.open_windows[1]))
        await table.together(table.person.lay(table.card_to_lay()))
        called = [event for event in table.log if isinstance(event, ClaimJudged) and event.side == 1]
        assert called[-1].verdict is Verdict.EXACT
        assert not any(each.due for each in table.position.missed_windows[1])


@pytest.mark.parametrize("rules", ["six-card", "partners"])
async def test_robots_wait_until_the_person_has_laid_a_card(tmp_path: Path, rules: str) -> None:
    async with alone(tmp_path, seed=4) as table:
        await table.start(rules)
        for _ in range(8):
            await table.until_asked("lay")
            for _ in range(25):
                assert table.asked == "lay", "while a robot pegs what its card made, too"
                await table.pass_time(0.1)
            await table.done(table.person.lay(table.card_to_lay()))


async def test_the_answer_to_a_challenge_stays_on_the_screen_for_some_time(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.play(lambda: table.asked == "accept" and table.position.dealer == 1)
        await table.do(actions.Challenge(0))
        ruled = table.position.number
        await table.pass_time(READS_S - 1)
        assert table.position.number == ruled
        await table.until(lambda: table.position.number > ruled)


async def test_paused_robots_wait_and_do_one_step_on_request(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start(person=False)
        table.turns.set_pace(Pace(waits=True))
        await table.pass_time(1)
        number = table.position.number
        await table.pass_time(10)
        assert table.position.number == number
        table.turns.step()
        await table.pass_time(1)
        first = table.position.number
        assert first > number
        await table.pass_time(10)
        assert table.position.number == first
        table.turns.set_pace(Pace(speed=8))
        await table.until(lambda: table.position.deal == 2, most_s=120)


@pytest.mark.slow
async def test_robots_alone_begin_the_next_game_and_go_on_after_a_restart(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start("five-card", Way.AUTO, person=False)
        table.turns.set_pace(Pace(speed=8))
        await table.until(lambda: table.position.phase is Phase.OVER, most_s=600)
        first, won_at = table.session.game, table.clock.now()
        assert first is not None
        await table.until(lambda: table.session.game not in (None, first))
        assert table.clock.now() - won_at >= RESULT_S - 0.2, "at every speed a win stands long enough to be seen"
        await table.until(lambda: table.session.deal is not None)
        number = table.position.number
    async with alone(tmp_path) as table:
        await table.until(lambda: table.position.number > number + 4)


async def test_on_a_board_without_holes_robot_and_person_step_to_their_calls(tmp_path: Path) -> None:
    async with alone(tmp_path, board="starter") as table:
        await table.start("five-card")
        await table.play(lambda: all(pegs.front > 10 for pegs in table.position.pegs))
        verdicts = [event.verdict for event in table.log if isinstance(event, ClaimJudged)]
        assert verdicts
        assert set(verdicts) == {Verdict.EXACT}
