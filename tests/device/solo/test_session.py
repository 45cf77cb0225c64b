"""Somebody plays alone: what the page deals, what robots do, what is kept, and what nobody learns."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.support.alone import Alone, BusyClock, alone

from cribboard import actions
from cribboard.cards import PACK, Card
from cribboard.claim_value import due
from cribboard.event_terms import Verdict
from cribboard.events import CardCut, ClaimChallenged, ClaimJudged, Undone
from cribboard.position import Phase
from cribboard.rules import RULES, Way
from cribboard.strategy import Strength
from cribd.inputs import Key
from cribd.solo import kept
from cribd.solo.robot_turns import LEAVES_TIME_S, READS_S, THINKS_S, Pace
from cribd.solo.session import PERSON, NotNow
from cribd.table.snapshot import Line, Menu


async def until_asked(table: Alone, *kinds: str) -> None:
    """Play on until the page asks the person for one of these."""
    await table.play(lambda: table.asked in kinds)


def cards_in(told: object) -> set[str]:
    """Every card that a state names."""
    return set(re.findall(r'"([A2-9TJQK][CDHS])"', json.dumps(told)))


def cut_cards(table: Alone) -> set[str]:
    """The cards that were cut for the deal: everybody saw them."""
    latest = table.device.table.latest
    log = () if latest is None else latest.game.log
    return {str(event.card) for event in log if isinstance(event, CardCut)}


async def test_six_cards_are_dealt_and_two_of_them_go_to_the_crib(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await until_asked(table, "discard")
        hand = table.state()["hand"]
        assert len(hand) == 6
        await table.together(table.person.discard([Card.parse(card) for card in hand[:2]]))
        assert table.state()["hand"] == hand[2:]
        assert table.state()["crib"] == {"size": 4, "open": []}


async def test_the_hands_are_in_the_journal_before_the_first_press_and_the_game_goes_on_after_a_restart(
    tmp_path: Path,
) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await until_asked(table, "lay")
        before = table.state()
        deal = table.session.deal
    async with alone(tmp_path) as table:
        assert table.session.deal == deal
        await table.together(table.fingers.key(Key.OK, 0))  # resume? OK
        await table.until(lambda: table.asked == "lay")
        assert table.state() == before
        await table.play(lambda: table.position.phase is Phase.SHOW)


async def test_no_state_of_a_deal_names_a_card_that_the_person_has_not_seen(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start(strength=Strength.EASY)

        def shows_only_what_lies_open() -> bool:
            deal, p = table.session.deal, table.position
            own = set() if deal is None else {str(card) for card in deal.dealt.hands[PERSON]}
            seen = {str(card) for card in table.device.snapshot.seen} | cut_cards(table)
            lesson = table.session.lesson
            learned = set() if lesson is None else {str(card) for card in lesson.deal.dealt.hands[PERSON]}
            assert cards_in(table.state()) <= own | seen | learned
            assert cards_in(table.state(hands=False)) <= seen
            return p.deal == 2 and p.phase is Phase.SHOW

        await table.play(shows_only_what_lies_open)


async def test_a_robot_calls_what_is_due_and_answers_a_wrong_call(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start(strength=Strength.STRONG)
        await until_asked(table, "count_hand")
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
        await table.start("acc", strength=Strength.STRONG)
        await until_asked(table, "count_hand")
        p = table.position
        await table.do(actions.TakePegInHand(PERSON, due(p, PERSON, p.open[PERSON]) + 2))
        await table.do(actions.ReleasePeg(PERSON))
        await table.until(lambda: any(isinstance(event, ClaimChallenged) for event in table.log))


async def test_an_undo_gives_the_card_back_and_the_robot_agrees(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await until_asked(table, "lay")
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
        first, second = table.session.kept_plays().deals.values()
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
        await until_asked(table, "lay")
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


async def test_a_robot_answers_what_the_person_does_while_it_chooses_a_card(tmp_path: Path) -> None:
    clock = BusyClock()
    async with alone(tmp_path, clock=clock) as table:
        await table.start()
        await until_asked(table, "lay")
        clock.busy_s = 1.0
        await table.do(actions.LayCard(PERSON, table.card_to_lay()))
        clock.busy_s = 0.0
        await table.together(table.fingers.key(Key.UNDO))
        await table.until(lambda: any(isinstance(event, Undone) for event in table.log), most_s=3.0)
        assert table.device.snapshot.refusal is None, "it has held no card before the reader"


async def test_who_leaves_while_a_deal_is_kept_has_left(tmp_path: Path) -> None:
    async with alone(tmp_path, clock=(clock := BusyClock())) as table:
        await table.start()
        await until_asked(table, "discard")
        clock.busy_s = 0.1
        deal = table.session.deal
        assert deal is not None
        leaving = asyncio.gather(table.session.leave(), table.session.keep_deal(deal, deal), return_exceptions=True)
        await table.together(leaving)
        assert table.session.plays is None
        left = kept.read(table.journal)
        assert left is not None
        assert left.left


async def test_a_person_with_a_long_name_plays_too(tmp_path: Path) -> None:
    async with alone(tmp_path, name="Marie-Antoinette de Sainte-Croix") as table:
        await table.start()
        assert table.device.snapshot.names == ("Marie-Antoinette de", "Robot")


async def test_what_a_person_cannot_do_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    async def refused(doing: object) -> str:
        with pytest.raises(NotNow) as why:
            await table.together(doing)
        return why.value.code

    async with alone(tmp_path) as table:
        assert await refused(table.person.lay(Card.parse("5H"))) == "not_dealt"
        await table.start()
        assert (
            await refused(table.session.start(RULES["acc"].label, Way.AUTO, Strength.EASY, person=True)) == "unfinished"
        )
        assert await refused(table.session.start("nonsense", Way.AUTO, Strength.EASY, person=True)) == "no_such_rules"
        await until_asked(table, "discard")
        hand = [Card.parse(card) for card in table.state()["hand"]]
        strange = next(card for card in Card.parse_many("2C 3C 4C 5C 6C 7C 8C") if card not in hand)
        assert await refused(table.person.discard(hand[:3])) == "how_many"
        assert await refused(table.person.discard([hand[0], hand[0]])) == "how_many"
        assert await refused(table.person.discard([hand[0], strange])) == "not_in_hand"
        assert await refused(table.person.turn_crib()) == "no_crib_now"
        await table.together(table.person.discard(hand[:2]))
        assert await refused(table.person.discard(hand[2:4])) == "discarded"
        await until_asked(table, "lay")
        assert await refused(table.person.lay(hand[0])) == "not_in_hand"
        assert await refused(table.person.cut()) == "nothing_to_cut"
        await table.done(table.person.lay(table.card_to_lay()))
        left = [Card.parse(card) for card in table.state()["hand"]]
        assert await refused(table.person.lay(left[0])) == "not_your_turn"


async def test_the_page_says_what_the_board_waits_for_beside_the_game(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await until_asked(table, "discard")
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
        await until_asked(table, "lay")
        card, hand = table.card_to_lay(), table.state()["hand"]
        table.twin.unplug("reader")
        with pytest.raises(NotNow, match="not_taken"):
            await table.together(table.person.lay(card))
        await table.together(table.fingers.key(Key.MENU))
        await table.until(lambda: table.asked == "menu")
        with pytest.raises(NotNow, match="not_playing_now"):
            await table.together(table.person.lay(card))
        assert table.state()["hand"] == hand


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
        await until_asked(table, "starter")
        deal = table.session.dealt()
        await go_on_unread()
        await until_asked(table, "lay")
        await go_on_unread()
        assert all(card in map(str, PACK) for _, card in table.state()["laid"])
        await table.play(lambda: table.position.phase is Phase.SHOW)
        await until_asked(table, "starter")
        await table.done(table.person.cut())
        assert table.position.starter == deal.dealt.starter


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
            if laid_at is None and p.phase is Phase.PLAY and own and own[-1] == PERSON and p.turn == 1:
                laid_at = table.clock.now(), len(p.stack), bool(sum(each.due for each in p.open[0]))
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


async def test_a_game_that_was_left_is_taken_up_again_also_after_a_restart(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.play(lambda: table.asked == "lay")
        hand = table.state()["hand"]
        await table.together(table.session.leave())
        await table.pass_time(1)
        assert table.state()["left"]
        assert not table.state()["playing"]
    async with alone(tmp_path) as table:
        assert table.state()["left"]
        await table.together(table.session.take_up())
        await table.play(lambda: table.asked is not None)
        if table.asked == "resume":
            await table.done(table.fingers.key(Key.OK, 0))
            await table.until(lambda: table.asked == "lay")
        assert table.state()["hand"] == hand
        await table.play(lambda: table.position.deal == 2)
        await table.together(table.session.leave())
        await table.start(way=Way.AUTO, breaks_off=True)
        with pytest.raises(NotNow, match="not_left"):
            await table.session.take_up()


async def test_a_dealer_may_have_turned_a_jack_and_says_that_he_has_no_points(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.play(lambda: table.position.dealer == PERSON and table.position.starter is not None)
        await table.pass_time(LEAVES_TIME_S / 2)
        assert not table.position.stack
        assert table.turns.leaves_time
        table.turns.step()
        await table.pass_time(THINKS_S)
        assert [seat for seat, _ in table.position.stack] == [1]


async def test_what_the_board_says_to_a_challenge_stands_for_some_time(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await table.play(lambda: table.asked == "accept" and table.position.dealer == 1)
        await table.do(actions.Challenge(0))
        ruled = table.position.number
        await table.pass_time(READS_S - 1)
        assert table.position.number == ruled
        await table.until(lambda: table.position.number > ruled)


async def test_robots_wait_while_they_are_told_to_and_do_one_step_at_a_time(tmp_path: Path) -> None:
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
        first = table.session.game
        assert first is not None
        await table.until(lambda: table.session.game not in (None, first))
        await table.until(lambda: table.session.deal is not None)
        number = table.position.number
    async with alone(tmp_path) as table:
        await table.until(lambda: table.position.number > number + 4)


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
    [
        ("six-card", Way.VERIFY),
        ("five-card", Way.TRUST),
        ("fadoq", Way.AUTO),
        ("jeux50", Way.VERIFY),
        ("britannica", Way.VERIFY),
    ],
)
async def test_a_person_plays_a_whole_game_alone(tmp_path: Path, rules: str, way: Way) -> None:
    async with alone(tmp_path) as table:
        await table.start(rules, way)
        table.turns.set_pace(Pace(speed=8))
        await table.play(lambda: table.position.phase is Phase.OVER)
        assert table.position.winner is not None


#: Values of what is kept, or of its last deal, that cannot be.
WRONG: Sequence[Mapping[str, object]] = [
    {"cuts": ""},
    {"cuts": 5},
    {"game": 1e999},
    {"deals": [[1, 0, {"starter": 5}]]},
    {"hands": 5},
    {"hands": ["5H 5H", ""]},
    {"discarded": [None]},
    {"discarded": ["5H 6H 7H 8H 9H TH JH", None]},
    {"dealer": 7},
    {"buried": [9]},
    {"fronts": [1e999, 0]},
    {"acts": ["5X"]},
]


def with_wrong(text: str, wrong: Mapping[str, object]) -> str:
    """What is kept, with these values instead of its own."""
    plays = json.loads(text)
    *_, deal = plays["deals"][-1]
    for name, value in wrong.items():
        (plays if name in plays else deal)[name] = value
    return json.dumps(plays)


async def test_what_cannot_be_read_any_more_is_no_game(tmp_path: Path) -> None:
    async with alone(tmp_path) as table:
        await table.start()
        await until_asked(table, "discard")
        good = table.journal.setting("solo") or ""
        assert kept.read(table.journal) == table.session.plays
        texts = ["{", "[]", "[" * 100_000, '{"rules": 1}', '{"rules": "x", "way": "y"}']
        for text in (*texts, *(with_wrong(good, wrong) for wrong in WRONG)):
            await asyncio.to_thread(table.journal.write_settings, {"solo": text})
            assert kept.read(table.journal) is None, text
        of_another_game = with_wrong(good, {"fronts": [0, 0, 0]})
        await asyncio.to_thread(table.journal.write_settings, {"solo": of_another_game})
    async with alone(tmp_path) as table:
        await table.together(table.fingers.key(Key.OK, 0))
        await table.pass_time(1.0)
        assert not table.state()["playing"]
