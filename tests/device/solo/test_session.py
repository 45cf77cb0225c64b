"""Somebody plays alone: what the page deals, what is said and refused, and what nobody learns."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from tests.support.alone import Alone, alone
from tests.support.sweeps import mostly_long
from tests.support.waiting import PATIENCE_S

from cribboard import actions
from cribboard.cards import Card
from cribboard.deal.claim_comparison import due
from cribboard.events import CardCut, ClaimJudged, Undone
from cribboard.position import Phase
from cribboard.rules import RULES, Way
from cribboard.strategy import RobotLevel
from cribd.inputs import Key
from cribd.solo.robot_turns import Pace
from cribd.solo.session import PERSON, NotNow


def cards_in(payload: object) -> set[str]:
    """Every card that a state names."""
    return set(re.findall(r'"([A2-9TJQK][CDHS])"', json.dumps(payload)))


def cut_cards(table: Alone) -> set[str]:
    """The cards that were cut for the deal: everybody saw them."""
    latest = table.device.table.latest
    log = () if latest is None else latest.game.log
    return {str(event.card) for event in log if isinstance(event, CardCut)}


async def test_six_cards_are_dealt_and_two_of_them_go_to_the_crib(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("discard")
        hand = table.state()["hand"]
        assert len(hand) == 6
        await table.together(table.person.discard([Card.parse(card) for card in hand[:2]]))
        assert table.state()["hand"] == hand[2:]
        assert table.state()["crib"] == {"size": 4, "open": []}


async def test_no_state_of_a_deal_names_a_card_that_the_person_has_not_seen(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start(strength=RobotLevel.EASY)
        shown: dict[int, set[str]] = {}

        def shows_only_what_lies_open() -> bool:
            deal, p = table.session.deal, table.position
            own = set() if deal is None else {str(card) for card in deal.hands[PERSON]}
            seen = {str(card) for card in table.device.snapshot.seen} | cut_cards(table)
            lesson = table.session.lesson
            learned = set() if lesson is None else {str(card) for card in lesson.deal.hands[PERSON]}
            shown.setdefault(p.deal, set()).update(seen)
            for hands, known in ((True, own | seen | learned), (False, seen)):
                state = table.state(hands=hands)
                counts = state.pop("counts")
                assert cards_in(state) <= known
                assert cards_in(counts) <= shown[p.deal] | shown.get(p.deal - 1, set()), "the last counts stand"
            return p.deal == 2 and p.phase is Phase.SHOW

        await table.play(shows_only_what_lies_open)


@pytest.mark.parametrize(("rules", "person"), [("six-card", False), ("six-card", True), ("partners", True)])
async def test_only_where_every_seat_is_a_robots_their_hands_lie_open(tmp_path: Path, rules: str, person: bool) -> None:
    async with alone(tmp_path) as table:
        await table.start(rules, person=person)
        await table.play(lambda: table.position.phase is Phase.PLAY and len(table.position.stack) > 0)
        deal = table.session.deal
        assert deal is not None
        for hands in (True, False):
            seats = table.state(hands=hands)["seats"]
            for seat, payload in enumerate(seats):
                held = {str(card) for card in deal.kept(seat) if card not in table.position.hands[seat]}
                assert set(payload["hand"]) == (set() if person else held)
                assert payload["held"] == len(held)
            assert table.state(hands=hands)["crib"]["open"] == [], "the crib stays closed until it is turned"


async def test_an_undo_gives_the_card_back_and_the_robot_agrees(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("lay")
        hand, card = table.state()["hand"], table.card_to_lay()
        await table.done(table.person.lay(card))
        assert str(card) not in table.state()["hand"]
        await table.together(table.fingers.key(Key.UNDO))
        await table.until(lambda: any(isinstance(event, Undone) for event in table.log))
        assert table.state()["hand"] == hand


async def test_an_undo_that_goes_back_to_the_deal_before_comes_to_the_same_cards_again(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        table.turns.set_pace(Pace(speed=8))
        await table.play(lambda: table.position.deal == 2 and table.asked == "discard")
        first, second = table.session.require_solo_game().deals.values()
        await table.together(table.fingers.key(Key.UNDO))
        await table.do(actions.Agree(PERSON))  # it was the robot that accepted the crib
        await table.until(lambda: table.position.deal == 1)
        assert table.session.deal == first
        await table.play(lambda: table.position.deal == 2 and table.asked == "discard")
        assert table.session.deal == second
        lesson = table.session.lesson
        assert lesson is not None
        assert lesson.deal == first


async def test_the_coach_speaks_of_the_cards_that_stand_also_after_a_restart(
    tmp_path: Path,
) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("lay")
        await table.done(table.person.lay(table.card_to_lay()))
        await table.together(table.fingers.key(Key.UNDO))
        await table.until(lambda: any(isinstance(event, Undone) for event in table.log))
        await table.done(table.person.lay(table.card_to_lay()))
        laid = str(table.position.hands[PERSON][0])
    async with alone(tmp_path) as table:
        await table.together(table.fingers.key(Key.OK, 0))  # resume? OK
        await table.play(lambda: table.session.lesson is not None)
        lesson = table.session.lesson
        assert lesson is not None
        assert lesson.discard is not None
        chosen = [str(advice.chosen[0]) for advice in lesson.cards]
        assert chosen[0] == laid
        assert len(chosen) == len(set(chosen)) == 3, "of the fourth there was no choice"


async def test_a_person_with_a_long_name_plays_too(tmp_path: Path) -> None:
    async with alone(tmp_path, name="Marie-Antoinette de Sainte-Croix") as table:
        await table.start()
        assert table.device.snapshot.names == ("Marie-Antoinette de", "Robot")


async def test_an_impossible_act_of_the_person_is_refused_and_loses_nothing(tmp_path: Path) -> None:
    async def refused(doing: object) -> str:
        with pytest.raises(NotNow) as why:
            await table.together(doing)
        return why.value.code

    async with alone(tmp_path) as table:
        assert await refused(table.person.lay(Card.parse("5H"))) == "not_dealt"
        await table.start()
        assert (
            await refused(table.session.start(RULES["acc"].label, Way.AUTO, RobotLevel.EASY, person=True))
            == "unfinished"
        )
        assert await refused(table.session.start("nonsense", Way.AUTO, RobotLevel.EASY, person=True)) == "no_such_rules"
        await table.until_asked("discard")
        hand = [Card.parse(card) for card in table.state()["hand"]]
        strange = next(card for card in Card.parse_many("2C 3C 4C 5C 6C 7C 8C") if card not in hand)
        assert await refused(table.person.discard(hand[:3])) == "how_many"
        assert await refused(table.person.discard([hand[0], hand[0]])) == "how_many"
        assert await refused(table.person.discard([hand[0], strange])) == "not_in_hand"
        assert await refused(table.person.turn_crib()) == "no_crib_now"
        await table.together(table.person.discard(hand[:2]))
        assert await refused(table.person.discard(hand[2:4])) == "discarded"
        await table.until_asked("lay")
        assert await refused(table.person.lay(hand[0])) == "not_in_hand"
        assert await refused(table.person.cut()) == "nothing_to_cut"
        await table.done(table.person.lay(table.card_to_lay()))
        left = [Card.parse(card) for card in table.state()["hand"]]
        assert await refused(table.person.lay(left[0])) == "not_your_turn"


@pytest.mark.parametrize("board", ["continuous", "starter"])
async def test_a_number_that_is_typed_is_pegged_or_refused_with_its_reason(tmp_path: Path, board: str) -> None:
    async def refused(points: int) -> str:
        with pytest.raises(NotNow) as why:
            await table.together(table.person.peg(points))
        return why.value.code

    async with alone(tmp_path, board=board) as table:
        await table.start()
        await table.until_asked("discard")
        assert await refused(2) == "no_points_now"
        await table.until_asked("count_hand")
        p = table.position
        assert [await refused(points) for points in (19, 25, 27, 30, 121)] == ["no_hand_is"] * 4 + ["past_the_end"]
        assert table.position == p, "nothing was pressed"
        made = due(p, PERSON, p.open_windows[PERSON])
        await table.together(table.person.peg(made))
        assert table.position.pegs[0].front == p.pegs[0].front + made
        assert await refused(made) in ("peg_is_down", "no_points_of_yours")
        assert await refused(0) == "no_zero_now"
        await table.until_asked("count_hand")
        front = table.position.pegs[0].front
        await table.together(table.person.peg(0))
        assert table.position.pegs[0].front == front
        assert isinstance(table.position.scores[-1].what, ClaimJudged)


async def test_a_correction_stands_with_what_the_cards_make_until_the_person_does_something_else(
    tmp_path: Path,
) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("count_hand")
        p = table.position
        made = due(p, PERSON, p.open_windows[PERSON])
        assert table.state()["correction"] is None
        assert [each["seat"] for each in table.state()["counts"]] == ([1] if p.dealer == PERSON else [])
        await table.together(table.person.peg(made + 3))
        for _ in range(60):
            payload = table.state()["correction"]
            assert (payload["called"], payload["due"], payload["verdict"]) == (made + 3, made, "too-many")
            assert len(payload["text"]["fr_CA"]["steps"]) == len(payload["steps"])
            await table.pass_time(0.1)
        own = next(each for each in table.state()["counts"] if each["seat"] == PERSON)
        assert sum(each["points"] for each in own["steps"]) == made
        await table.play(lambda: table.position.deal == 2 and bool(table.position.stack))
        assert table.state()["correction"] is None
        assert table.state()["counts"] == []


async def test_go_is_accepted_if_no_card_fits_and_refused_if_one_does(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("lay")
        with pytest.raises(NotNow, match="still_fits"):
            await table.together(table.person.go())
        await table.play(lambda: table.asked == "go")
        gos = len(table.position.binding_gos)
        await table.together(table.person.go())
        assert len(table.position.binding_gos) == gos + 1 or table.position.count_over
        with pytest.raises(NotNow, match="not_your_turn"):
            await table.together(table.person.go())


async def test_the_page_says_what_the_board_waits_for_beside_the_game(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.until_asked("discard")
        await table.together(table.fingers.key(Key.MENU))
        await table.until(lambda: table.asked == "menu")
    async with alone(tmp_path) as table:
        assert table.asked == "resume"
        with pytest.raises(NotNow, match="nothing_to_cut"):
            await table.together(table.person.cut())
        await table.together(table.fingers.key(Key.MENU))
        await table.until(lambda: table.asked == "start")
        await table.together(table.fingers.key(Key.UNDO))
        await table.until(lambda: table.asked == "resume")
        await table.together(table.fingers.key(Key.OK, 0))
        await table.until_asked("lay")
        card, hand = table.card_to_lay(), table.state()["hand"]
        table.twin.unplug("reader")
        with pytest.raises(NotNow, match="not_taken"):
            await table.together(table.person.lay(card))
        await table.together(table.fingers.key(Key.MENU))
        await table.until(lambda: table.asked == "menu")
        with pytest.raises(NotNow, match="not_playing_now"):
            await table.together(table.person.lay(card))
        assert table.state()["hand"] == hand


@pytest.mark.slow
async def test_on_trust_a_card_that_was_not_laid_lies_open_with_its_hand_once_that_is_counted(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start("five-card", Way.TRUST)
        left = False

        def lies_in_one_place() -> bool:
            nonlocal left
            state = table.state()
            mine = state["seats"][PERSON]["open"]
            assert not set(mine) & set(state["hand"])
            play = table.session.trusted_play
            if play is not None and play.shows(PERSON):
                assert len(mine) == 3
                left |= len(play.position.hands[PERSON]) < 3
            return state["deal"] > 1 and left

        await table.play(lies_in_one_place)


async def test_an_ok_at_the_board_begins_the_next_game_alone_until_the_person_leaves(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start("six-card", Way.AUTO)
        await table.play(lambda: table.position.phase is Phase.OVER)
        first = table.session.game
        await table.together(table.fingers.key(Key.OK, 0))
        await table.until(lambda: table.session.game not in (None, first))
        assert table.device.snapshot.names == ("", "Robot")
        assert table.device.snapshot.games != (0, 0), "the match goes on"
        await table.together(table.session.leave())
        await table.pass_time(0.3)
        assert not table.state()["playing"]
        assert table.device.snapshot.players == (), "the match against a robot is closed"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "way"),
    mostly_long(
        [
            ("six-card", Way.VERIFY),
            ("five-card", Way.TRUST),
            ("fadoq", Way.AUTO),
            ("jeux50", Way.VERIFY),
            ("britannica", Way.VERIFY),
        ],
        every=2,
    ),
)
async def test_a_person_plays_a_whole_game_alone(tmp_path: Path, rules: str, way: Way) -> None:
    async with alone(tmp_path) as table:
        await table.start(rules, way)
        table.turns.set_pace(Pace(speed=8))
        await table.play(lambda: table.position.phase is Phase.WON)
        assert table.state()["end"]["game"] is None, "the result is not final"
        await table.play(lambda: table.position.phase is Phase.OVER)
        end, game = table.state()["end"], table.session.game
        assert game is not None
        assert table.position.winner is not None
        assert (end["game"], end["deals"]) == (game.id, table.position.deal)
        assert end["gave_up"] >= 0
        mine = [
            score for score in table.position.scores if score.seat == PERSON and score.cards and way is not Way.TRUST
        ]
        assert (end["hand"] is None) is not any(mine)


@pytest.mark.parametrize("way", [Way.VERIFY, Way.AUTO])
async def test_a_card_that_cannot_be_laid_stays_in_the_hand_and_is_named_on_no_screen(tmp_path: Path, way: Way) -> None:
    """Above 31, laid already, a robot's, the starter, and any card before one's turn: nothing reaches the table."""
    async with alone(tmp_path) as table:
        await table.start(way=way)
        tried: set[str] = set()

        async def is_refused(card: Card, code: str) -> None:
            shown, hand = table.device.snapshot, table.state()["hand"]
            with pytest.raises(NotNow, match=code):
                await asyncio.wait_for(table.person.lay(card), PATIENCE_S)
            assert table.device.snapshot is shown, "no screen, no page and no voice has anything new"
            assert table.state()["hand"] == hand
            tried.add(code)

        def is_done() -> bool:
            return tried == {"past_thirty_one", "not_in_hand", "not_your_turn"} or table.position.deal > 3

        await table.play(lambda: table.position.phase is Phase.PLAY)
        while not is_done():
            p, deal = table.position, table.session.deal
            if p.phase is Phase.PLAY and deal is not None and deal.is_ready:
                hand = [Card.parse(card) for card in table.state()["hand"]]
                strange = [*deal.hands[1], deal.starter, *(card for card in p.hands[PERSON] if card)]
                for card in strange:
                    await is_refused(card, "not_in_hand")
                for card in hand if p.turn != PERSON else []:
                    await is_refused(card, "not_your_turn")
                over = [card for card in hand if p.turn == PERSON and not p.count_over and p.count + card.value > 31]
                alone_holds_cards = not p.cards_left(1)
                for card in over if not alone_holds_cards else []:
                    await is_refused(card, "past_thirty_one")
            if not await table.act_for_the_person():
                await table.pass_time(0.2)
        assert tried == {"past_thirty_one", "not_in_hand", "not_your_turn"}
