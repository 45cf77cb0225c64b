"""The count judge at the table: it has every press and scan while it is open, and none reaches the game."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    CHALLENGE,
    GO,
    LONG,
    MENU,
    MENU_HELD,
    OK,
    RED,
    RED_DEALS,
    UNDO,
    Evening,
    cards,
    evening,
    policy,
    step_to,
)

from cribboard import PACK, RULES, Card, score_show
from cribboard.count_judge import Fits, Judgment
from cribboard.event_terms import Verdict
from cribboard.position import Phase
from cribboard.rules import Rules, changed
from cribd.display.choose_sound import sound_of
from cribd.display.led_colours import led_colours
from cribd.display.screen import screen_image
from cribd.inputs import CardRead, Fault, FaultKind, HolePressed, Input, Key, KeyHeld
from cribd.table import count_judge_mode
from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import CountJudgeMode, JudgeCall, Line, Lobby, Refusal, Snapshot
from cribd.text import languages, load

A01 = "6C 7S 8D 8H 9S"
NOTHING = "2H 4C 6D 8S TC"
HELD_GO = KeyHeld(Key.GO, BLUE)


async def to_the_judge(table: Evening) -> None:
    await step_to(table, Line.JUDGE)
    await table.post(OK[BLUE])
    assert table.now.judging is not None
    assert table.now.menu is None


def judge_of(table: Evening) -> CountJudgeMode:
    assert table.now.judging is not None
    return table.now.judging


def judgement(table: Evening) -> Judgment:
    called = judge_of(table).called
    assert called is not None
    assert isinstance(called.answer, Judgment)
    return called.answer


def said(table: Evening, language: str = "en") -> tuple[str, ...]:
    phrases = load(language)
    return phrases.prompt(table.now), *phrases.hints(table.now)


def step(kind: str, total: int, at: str) -> str:
    """A step of a count, with the cards that it is at."""
    return f"{phrase(f'short.{kind}', total=total)} {at}"


#: The two pages of the count of A01.
FIRST_PAGE = (
    step("fifteen", 2, "6♣ 9♠"),
    step("fifteen", 4, "7♠ 8♦"),
    step("fifteen", 6, "7♠ 8♥"),
    step("pair", 8, "8♦♥"),
    phrase("judge.more", page=1, pages=2),
)
SECOND_PAGE = (
    step("run", 12, "6♣ 7♠ 8♦ 9♠"),
    step("run", 16, "6♣ 7♠ 8♥ 9♠"),
    phrase("judge.more", page=2, pages=2),
)


class TestWithNoGame:
    async def test_a_hand_is_scanned_a_number_called_and_judged(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            asked = [said(table)[0]]
            for card in cards(A01):
                await table.post(card)
                asked.append(said(table)[0])
            assert asked == [
                *(phrase("judge.scan.hand", number=number) for number in (1, 2, 3, 4)),
                phrase("ask.starter"),
                phrase("judge.call"),
            ]
            await table.post(HolePressed(RED, 12))
            assert (judgement(table).verdict, judgement(table).due) == (Verdict.TOO_FEW, 16)
            assert said(table) == (phrase("judge.too_few", called=12, due=16), *FIRST_PAGE)
            await table.post(OK[RED])
            assert said(table)[1:] == SECOND_PAGE
            await table.post(OK[BLUE])
            assert judge_of(table).page == 0
            await table.post(HolePressed(BLUE, 16))
            assert said(table, "fr_CA")[0] == phrase("judge.exact", "fr_CA", called=16)

    async def test_ok_with_all_cards_and_no_number_just_counts(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards(A01))
            assert said(table)[-1] == phrase("judge.count")
            await table.post(OK[BLUE])
            assert said(table) == (phrase("judge.counts", due=16), *FIRST_PAGE)
            assert said(table, "fr_CA")[0] == phrase("judge.counts", "fr_CA", due=16)
            await table.post(OK[RED])
            assert said(table)[1:] == SECOND_PAGE
            await table.post(HolePressed(BLUE, 12))
            assert said(table)[0] == phrase("judge.too_few", called=12, due=16), "a number may still be called"

    async def test_a_worthless_hand_counts_zero_and_may_be_called_nineteen(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards(NOTHING), OK[BLUE])
            assert said(table) == (phrase("judge.counts", due=0), phrase("short.nothing"))
            await table.post(HolePressed(BLUE, 19))
            assert said(table) == (phrase("judge.jest"), phrase("short.nothing"))
            await table.post(HolePressed(BLUE, 27))
            assert said(table)[0] == phrase("judge.impossible", called=27, due=0)

    async def test_go_says_crib_and_hand_again_and_challenge_steps_through_the_rules(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards("2H 6H 9H KH 4S"), HolePressed(BLUE, 8))
            assert judgement(table).verdict is Verdict.EXACT
            await table.post(GO[RED])
            assert judge_of(table).called is None
            await table.post(HolePressed(BLUE, 8))
            assert (judgement(table).verdict, judgement(table).due) == (Verdict.TOO_MANY, 4)
            await table.post(HELD_GO, HolePressed(RED, 8))
            assert judgement(table).verdict is Verdict.EXACT
            seen: list[str] = []
            while not seen or seen[-1] != "six-card":
                await table.post(CHALLENGE[BLUE])
                seen.append(judge_of(table).rules.title)
            assert seen == ["partners", "fadoq", "five-card", "britannica", "jeux50", "acc", "six-card"]
            assert judge_of(table).judge.cards == (), "five cards are too many for a hand of three"

    async def test_three_cards_and_a_starter_are_a_hand_of_the_five_card_game(self, tmp_path: Path) -> None:
        async with evening(tmp_path, rules=RULES["five-card"]) as table:
            await to_the_judge(table)
            await table.post(*cards("3H 8H KH QS"), HolePressed(BLUE, 3))
            assert said(table) == (phrase("judge.exact", called=3), step("flush", 3, "3♥ 8♥ K♥"))
            await table.post(HolePressed(BLUE, 17))
            assert judgement(table).verdict is Verdict.IMPOSSIBLE

    async def test_with_a_card_missing_a_number_asks_what_would_fit(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            before = len(table.shown)
            await table.post(*cards("5H 5C 5S JD"), HolePressed(BLUE, 29))
            called = judge_of(table).called
            assert called is not None
            assert isinstance(called.answer, Fits)
            assert said(table) == (phrase("judge.fits", n=1, called=29, possible=48), "5")
            looking = [each for each in table.shown[before:] if each.judging and each.judging.called]
            weighing = phrase("judge.weighing", called=29)
            assert load("en").prompt(looking[0]) == weighing, "the hole is lit while it is looked for"
            await table.post(HolePressed(BLUE, 27))
            assert said(table) == (phrase("judge.fits_never", called=27),)
            await table.post(HolePressed(BLUE, 2))
            assert said(table) == (phrase("judge.fits_not", called=2),)
            await table.post(UNDO, UNDO, HolePressed(BLUE, 12))
            fitting = phrase("judge.fits.more", called=12, ways=5264, possible=58800)
            assert said(table)[:3] == (fitting, "3 4 + 2 7 10-K", "6 7 + 3 8 10-K")

    async def test_the_next_hand_begins_with_a_card_after_a_verdict(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards(A01), *cards("KS"))
            assert table.now.refusal == Refusal("judge_full", {"wanted": 5})
            await table.post(HolePressed(BLUE, 16), *cards("KS"))
            assert judge_of(table).judge.cards == (Card.parse("KS"),)

    async def test_the_next_hand_may_begin_with_a_card_of_the_last(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards(A01), HolePressed(BLUE, 16), *cards("7S"))
            assert judge_of(table).judge.cards == (Card.parse("7S"),)

    @pytest.mark.parametrize("answer", [HolePressed(BLUE, 16), OK[RED]])
    async def test_after_a_hand_go_and_five_cards_are_the_crib(self, tmp_path: Path, answer: Input) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards(A01), answer, GO[BLUE])
            crib = phrase("judge.as.crib", rules=phrase("rules.six-card"))
            assert said(table)[:3] == (phrase("judge.call"), "6♣ 7♠ 8♦ 8♥ + 9♠", crib), "or the same again"
            await table.post(*cards("2H 6H 9H KH 4S"), HolePressed(RED, 8))
            assert (judgement(table).verdict, judgement(table).due) == (Verdict.TOO_MANY, 4)

    async def test_after_a_hand_of_three_go_leaves_nothing_of_it_in_the_crib(self, tmp_path: Path) -> None:
        async with evening(tmp_path, rules=RULES["five-card"]) as table:
            await to_the_judge(table)
            await table.post(*cards("3H 8H KH QS"), HolePressed(BLUE, 3), GO[RED])
            crib = phrase("judge.as.crib", rules=phrase("rules.five-card"))
            assert said(table)[:2] == (phrase("judge.scan.crib", number=1), crib)
            await table.post(*cards("5H 5C 5S JD 5D"), HolePressed(BLUE, 29))
            assert judgement(table).verdict is Verdict.EXACT

    async def test_before_a_verdict_go_keeps_the_cards_that_were_scanned_as_a_hand(self, tmp_path: Path) -> None:
        async with evening(tmp_path, rules=RULES["five-card"]) as table:
            await to_the_judge(table)
            await table.post(*cards("5H 5C 5S JD"), GO[RED], *cards("5D"), HolePressed(BLUE, 29))
            assert judgement(table).verdict is Verdict.EXACT

    async def test_a_card_that_was_taken_away_is_followed_by_another_of_the_same_hand(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards(A01), HolePressed(BLUE, 16), UNDO, *cards("8S"), *cards("KD"))
            assert table.now.refusal == Refusal("judge_full", {"wanted": 5})
            assert judge_of(table).judge.cards == Card.parse_many("6C 7S 8D 8H 8S")

    async def test_the_judge_refuses_these_cards_and_numbers(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            wanted: list[tuple[Input, str]] = [
                (UNDO, "judge_empty"), (OK[BLUE], "key_means_nothing"), (CardRead("XX"), "no_such_card"),
                (HolePressed(BLUE, 8), "judge_waits"), (CardRead("5H"), ""), (CardRead("5h"), "judge_twice"),
            ]  # fmt: skip
            for given_input, code in wanted:
                await table.post(given_input)
                assert (table.now.refusal.code if table.now.refusal else "") == code
            assert judge_of(table).judge.cards == (Card.parse("5H"),)

    async def test_a_half_legible_card_is_refused_with_the_cards_that_it_may_be(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards("5H 5? ??"))
            assert table.now.refusal == Refusal("no_such_card", {"text": "??"})
            await table.post(*cards("5?"))
            assert table.now.refusal == Refusal("unclear_card", {"half": "5…", "cards": Card.parse_many("5C 5D 5S")})

    async def test_without_a_reader_the_menu_has_no_count_judge(self, tmp_path: Path) -> None:
        async with evening(tmp_path, policy=policy(cards=False)) as table:
            await table.post(MENU)
            assert table.now.menu is not None
            assert Line.JUDGE not in [line.line for line in table.now.menu.lines]

    @pytest.mark.parametrize("leave", [MENU, MENU_HELD])
    async def test_menu_closes_it_and_the_board_shows_what_it_showed_before(self, tmp_path: Path, leave: Input) -> None:
        async with evening(tmp_path) as table:
            before = table.now
            await to_the_judge(table)
            await table.post(*cards("5H"), leave)
            assert table.now == before
            assert table.now.lobby is Lobby.START


class TestInAGame:
    async def test_no_press_reaches_the_game_and_leaving_shows_it_as_it_was(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2))
            before, lines = table.now, table.lines_on_disk()
            await to_the_judge(table)
            presses: list[Input] = [
                *cards(A01), *GO, *CHALLENGE, HolePressed(BLUE, 8), HolePressed(RED, 2), *OK, UNDO, HELD_GO,
            ]  # fmt: skip
            await table.post(*presses, *cards("KD"), MENU)
            assert replace(table.now, refusal=None) == before
            assert table.lines_on_disk() == lines
            assert table.position.claim is not None

    async def test_a_trusted_peg_is_not_released_by_time_while_the_judge_is_open(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "trust") as table:
            await table.post(*BLUE_DEALS, HolePressed(BLUE, 8))
            await to_the_judge(table)
            await table.clock.advance(10)
            assert table.position.pegs[BLUE].front == 0
            await table.post(MENU)
            await table.clock.advance(4)
            await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
            assert table.position.pegs[BLUE].front == 8

    async def test_the_judge_opens_with_the_rules_of_the_game(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify", rules=RULES["acc"]) as table:
            await table.post(*RED_DEALS)
            await to_the_judge(table)
            assert judge_of(table).rules.title == "acc"

    async def test_opening_and_leaving_the_judge_writes_nothing(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            away = Fault(FaultKind.JOURNAL_AWAY, "journal")
            await table.at_once(away)
            await to_the_judge(table)
            await table.post(MENU)
            assert table.now.faults == (away,)

    async def test_the_hole_that_was_called_is_lit_beside_the_pegs(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*RED_DEALS, *cards("TC 5D"), HolePressed(RED, 2), OK[RED])
            before = led_colours(table.now, LONG, 0).colours
            await to_the_judge(table)
            await table.post(*cards(A01), HolePressed(BLUE, 16))
            now = led_colours(table.now, LONG, 0).colours
            hole = LONG.tracks[BLUE].holes[15].led
            assert hole not in before
            assert now[hole].level == 255
            assert {led: light for led, light in now.items() if led != hole} == before

    async def test_right_and_wrong_sound_alike(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await to_the_judge(table)
            await table.post(*cards(A01))
            before = table.now
            sounds = set()
            for hole in (16, 12, 27):
                await table.post(HolePressed(BLUE, hole))
                sounds.add(sound_of(table.now, before))
            assert len(sounds) == 1
            assert sounds != {None}


ACC = RULES["acc"]
#: Blue's ace makes 31, and blue has a peg in hand for it.
AT_31: list[Input] = [*RED_DEALS, *cards("TC KS JH AC"), HolePressed(RED, 2)]
SAME = Card.parse_many("6C TC KS JH AC")


class TestInASilentGame:
    """Design law 9: the judge tells nothing that a silent game keeps silent."""

    async def test_no_card_at_all_is_taken_while_a_deal_is_open(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify", rules=ACC) as table:
            await table.post(*AT_31)
            await to_the_judge(table)
            for card in PACK:
                await table.post(CardRead(str(card)))
                assert table.now.refusal == Refusal("judge_closed")
                assert judge_of(table).judge.cards == ()
            assert load("fr_CA").refusal(Refusal("judge_closed"))[0] == phrase("refusal.judge_closed", "fr_CA")

    @pytest.mark.parametrize(("rules", "quiet"), [(ACC, True), (RULES["six-card"], False)])
    async def test_the_judge_reveals_no_points_that_are_due(self, tmp_path: Path, rules: Rules, quiet: bool) -> None:
        """Two silent games that differ only in what 31 and his nobs are worth show the same dots, lights and sounds
        while the judge is open. Two games that are not silent differ, so the test can fail."""
        holes = [HolePressed(RED, hole) for hole in range(1, 32)]
        presses: list[Input] = [
            *cards("TC KS JC 2D 6C"), *holes, *(CardRead(str(card)) for card in PACK), *holes, *GO, *CHALLENGE, *OK,
            UNDO, HolePressed(BLUE, 2), MENU,
        ]  # fmt: skip
        seen = []
        for number, values in enumerate(({}, {"thirty_one": 3, "his_nobs": 2})):
            (folder := tmp_path / str(number)).mkdir()
            async with evening(folder, "verify", rules=changed(rules, values)) as table:
                await table.post(*AT_31)
                await to_the_judge(table)
                first = len(table.shown) - 1
                await table.post(*presses)
                seen.append([_leaves(now, before) for before, now in pairwise(table.shown[first:])])
        assert (seen[0] == seen[1]) is quiet
        assert len(seen[0]) >= len(presses)

    async def test_before_the_first_card_and_when_the_deal_is_over_it_is_open(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify", rules=ACC) as table:
            await table.post(*RED_DEALS[:-1])
            assert table.position.phase is Phase.DEAL
            await to_the_judge(table)
            await table.post(*cards("5H"))
            assert table.now.refusal is None

    async def test_in_an_open_game_any_hand_can_be_judged(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*AT_31)
            await to_the_judge(table)
            await table.post(*cards("6C TC KS JH AC"), HolePressed(BLUE, 2))
            assert judgement(table).due == judging_due(SAME)


def judging_due(five: tuple[Card, ...]) -> int:
    return score_show(five[:4], five[4]).total


def _leaves(now: Snapshot, before: Snapshot) -> tuple[object, ...]:
    """All that leaves the table: dots, lights, sound, and what is refused."""
    dots = [screen_image(now, load(language)).tobytes() for language in languages()]
    return (*dots, led_colours(now, LONG, 0), sound_of(now, before), now.refusal)


def one_page(called: JudgeCall | None) -> int:
    """The number of pages of an answer without reasons."""
    return 1


class TestPureFunctions:
    """The pure functions: what a press means, and when the judge takes no cards."""

    def test_a_table_without_a_silent_game_is_never_closed(self) -> None:
        assert not count_judge_mode.closed_to(None)

    def test_a_closed_judge_takes_no_card_at_all_but_can_be_left(self) -> None:
        now = count_judge_mode.opened(PRESETS[0])
        for card in ("5H", "KD"):
            refused = count_judge_mode.interpret(now, CardRead(card), closed=True, offered=PRESETS, pages=one_page)
            assert refused == Refusal("judge_closed")
        assert count_judge_mode.interpret(now, MENU, closed=True, offered=PRESETS, pages=one_page) is now.covers

    def test_rules_that_are_not_offered_step_to_the_first(self) -> None:
        now = count_judge_mode.opened(PRESETS[5])
        stepped = count_judge_mode.interpret(now, CHALLENGE[BLUE], closed=False, offered=PRESETS[:2], pages=one_page)
        assert isinstance(stepped, CountJudgeMode)
        assert stepped.rules == PRESETS[0]

    def test_an_answer_is_computed_once(self) -> None:
        now = count_judge_mode.opened(PRESETS[0])
        assert count_judge_mode.with_answer(now) is now
        four = replace(now, judge=now.judge.with_cards(Card.parse_many("5H 5C 5S JD")), called=JudgeCall(29))
        once = count_judge_mode.with_answer(four)
        assert once.called is not None
        assert once.called.answer is not None
        assert count_judge_mode.with_answer(once) is once

    def test_the_judge_is_closed_from_the_play_to_the_win(self) -> None:
        assert set(Phase) - set(count_judge_mode._OPEN) == {Phase.PLAY, Phase.SHOW, Phase.PEGGING, Phase.WON}
