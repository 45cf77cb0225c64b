"""The look back: the players, or a judge, step through the acts of the game while the game waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.evenings import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
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
    holes,
    policy,
    step_to,
)

from cribboard import RULES
from cribboard.position import Phase
from cribboard.rules import changed
from cribboard.view import see
from cribd.boards import load as load_board
from cribd.display.choose_sound import sound_of
from cribd.display.led_colours import led_colours
from cribd.display.screen import screen_image
from cribd.inputs import HolePressed, Input, Key, KeyHeld
from cribd.table.snapshot import Line, Lobby, Refusal, ReviewMode
from cribd.text import languages, load


async def to_the_look_back(table: Evening) -> None:
    await step_to(table, Line.LOOK_BACK)
    await table.post(OK[BLUE])
    assert table.now.looking is not None
    assert table.now.menu is None


def back_at(table: Evening) -> ReviewMode:
    assert table.now.looking is not None
    return table.now.looking


#: Blue leads a ten, red makes fifteen and claims too much, and blue challenges; then the play goes on.
DISPUTED: list[Input] = [*RED_DEALS, *cards("TC 5D"), *holes(RED, 4), OK[RED], CHALLENGE[BLUE]]


class TestStepping:
    async def test_a_review_begins_at_the_present_act(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            now = table.now.view
            await to_the_look_back(table)
            assert back_at(table) == ReviewMode(see(table.position), table.position.number)
            assert back_at(table).view == now

    async def test_challenge_of_any_side_steps_back_and_go_steps_forward(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            seen = []
            for given_input in DISPUTED:
                if (view := (await table.post(given_input)).view) is not None and view not in seen:
                    seen.append(view)
            await to_the_look_back(table)
            back = [back_at(table).view]
            while (await table.post(CHALLENGE[len(back) % 2])).refusal is None:
                back.append(back_at(table).view)
            assert table.now.refusal == Refusal("look_first")
            assert back == seen[::-1]
            forth = [back_at(table).view]
            while (await table.post(GO[len(forth) % 2])).refusal is None:
                forth.append(back_at(table).view)
            assert table.now.refusal == Refusal("look_last")
            assert forth == seen

    async def test_a_false_go_in_review_names_its_seat_and_offers_no_roll_back(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*RED_DEALS, *cards("TC TD 2D"), GO[RED], *cards("4D"), GO[BLUE], *cards("3C"))
            now = table.now.view
            assert now is not None
            found = phrase("said.false_go", card="3♣", count=22)
            assert load("en").said(now) == (found, phrase("hint.roll_back"))
            await to_the_look_back(table)
            reneged = phrase("said.reneged", side="Red"), phrase("said.would_fit", card="3♣", count=22)
            assert load("en").said(back_at(table).view) == reneged
            await table.post(MENU)
            assert table.now.view == now

    async def test_a_hole_is_the_act_that_put_the_peg_there_and_again_the_one_before(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await table.post(*BLUE_DEALS, *holes(RED, 8, 8), UNDO, *holes(RED, 8, 8), *holes(BLUE, 4, 4))
            await to_the_look_back(table)
            await table.post(HolePressed(RED, 8))
            second = back_at(table).view
            assert [side.score for side in second.sides] == [0, 8]
            await table.post(HolePressed(RED, 8))
            first = back_at(table).view
            assert [side.score for side in first.sides] == [0, 8]
            assert first.number < second.number
            await table.post(HolePressed(RED, 8))
            assert back_at(table).view == second
            await table.post(HolePressed(BLUE, 4))
            assert [side.score for side in back_at(table).view.sides] == [4, 8]
            await table.post(HolePressed(BLUE, 4))
            assert table.now.refusal == Refusal("look_here")
            await table.post(HolePressed(BLUE, 5))
            assert table.now.refusal == Refusal("look_never", {"side": BLUE, "hole": 5})
            assert [side.score for side in back_at(table).view.sides] == [4, 8]

    async def test_on_a_board_of_two_laps_a_hole_is_both_of_its_scores(self, tmp_path: Path) -> None:
        board = load_board("classic")
        async with evening(tmp_path, board=board) as table:
            await table.post(*BLUE_DEALS)
            for hole in (14, 38, 60, 14):
                await table.post(*holes(BLUE, hole, hole))
            await to_the_look_back(table)
            await table.post(*holes(BLUE, 38, 14))
            assert back_at(table).view.sides[BLUE].score == 14
            await table.post(*holes(BLUE, 14))
            assert back_at(table).view.sides[BLUE].score == 74

    async def test_a_hole_of_an_unused_track_moves_the_review_nowhere(self, tmp_path: Path) -> None:
        async with evening(tmp_path, board=load_board("triple")) as table:
            await table.post(*BLUE_DEALS, *holes(RED, 8, 8))
            await to_the_look_back(table)
            await table.post(HolePressed(2, 8))
            assert table.now.refusal == Refusal("not_playing", {"side": 2})


class TestTheGameWaits:
    @pytest.mark.parametrize("leave", [MENU, MENU_HELD])
    async def test_menu_goes_back_to_the_game_as_it_was(self, tmp_path: Path, leave: Input) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            before, lines = table.now, table.lines_on_disk()
            await to_the_look_back(table)
            await table.post(CHALLENGE[RED], CHALLENGE[RED], leave)
            assert table.now == before
            assert table.lines_on_disk() == lines

    @pytest.mark.parametrize("given_input", [OK[BLUE], OK[RED], UNDO, *cards("KD"), *cards("XX")])
    async def test_no_other_press_and_no_scan_does_anything(self, tmp_path: Path, given_input: Input) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            await to_the_look_back(table)
            looking, position = back_at(table), table.position
            await table.post(given_input)
            assert table.now.refusal == Refusal("looking_back")
            assert (back_at(table), table.position) == (looking, position)

    async def test_a_refusal_goes_with_the_next_step(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            await to_the_look_back(table)
            await table.post(OK[BLUE], CHALLENGE[BLUE])
            assert table.now.refusal is None

    async def test_a_trusted_peg_is_released_by_time_only_after_it_ends(self, tmp_path: Path) -> None:
        async with evening(tmp_path, policy=policy(release_after_ms=3000)) as table:
            await table.post(*BLUE_DEALS, *holes(RED, 8))
            await to_the_look_back(table)
            await table.clock.advance(10)
            assert table.scores == (0, 0)
            await table.post(MENU)
            await table.clock.advance(3.1)
            assert table.scores == (0, 8)

    async def test_outside_the_review_everything_shows_the_present_game(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            now = table.now.view
            await to_the_look_back(table)
            await table.post(CHALLENGE[RED], CHALLENGE[RED])
            assert table.now.view == now


class TestWhenThereIsOne:
    async def test_before_the_first_act_the_menu_has_no_review(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await table.post(MENU)
            assert table.now.menu is not None
            assert Line.LOOK_BACK not in [line.line for line in table.now.menu.lines]
            await table.post(MENU_HELD, OK[BLUE], MENU)
            assert Line.LOOK_BACK not in [line.line for line in table.now.menu.lines]

    async def test_a_game_that_has_ended_can_be_looked_at_until_the_next_begins(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            await table.post(*BLUE_DEALS, *BLUE_WINS, OK[BLUE], OK[RED])
            assert table.position.phase is Phase.OVER
            assert table.now.lobby is Lobby.AGAIN
            await to_the_look_back(table)
            await table.post(HolePressed(BLUE, 121))
            assert back_at(table).view.sides[BLUE].score == 121
            await table.post(MENU)
            assert table.now.lobby is Lobby.AGAIN

    async def test_a_game_of_the_last_evening_can_be_looked_at(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            number = table.position.number
        async with evening(tmp_path, "verify") as table:
            await table.post(MENU)
            assert table.now.lobby is Lobby.START
            await to_the_look_back(table)
            assert back_at(table).last == number


class TestItKeepsQuiet:
    """Design law 9: under rules that differ only in what a thirty-one is worth, a look back shows the same until the
    claim is closed. Then it differs, so the test can fail."""

    TO_31 = cards("TC 5D TD 6S")

    async def seen(self, folder: Path, worth: int, *close: Input) -> list[tuple[bytes, object]]:
        rules = changed(RULES["acc"], {"thirty_one": worth})
        shown: list[tuple[bytes, object]] = []
        async with evening(folder, "verify", rules=rules) as table:
            await table.post(*RED_DEALS, *self.TO_31, *holes(RED, 2), OK[RED], *close)
            await to_the_look_back(table)
            while table.now.refusal is None:
                shown.append((screen_image(table.now, load("en")).tobytes(), led_colours(table.now, LONG, 0)))
                await table.post(CHALLENGE[BLUE])
        return shown

    async def test_an_open_claim_shows_nothing_of_what_is_due(self, tmp_path: Path) -> None:
        one, other = [await self.seen(tmp_path / str(worth), worth) for worth in (2, 3)]
        assert one == other
        assert len(one) > 8

    async def test_a_closed_claim_shows_its_verdict(self, tmp_path: Path) -> None:
        one, other = [await self.seen(tmp_path / str(worth), worth, *cards("KD")) for worth in (2, 3)]
        assert [a == b for a, b in zip(one, other, strict=True)] == [False] + [True] * (len(one) - 1)


class TestWhatIsShown:
    async def test_the_pegs_stand_where_they_stood_then(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            then = await table.post(*BLUE_DEALS, *holes(RED, 8, 8))
            await table.post(*holes(RED, 20, 20), *holes(BLUE, 4, 4))
            await to_the_look_back(table)
            await table.post(HolePressed(RED, 8))
            assert led_colours(table.now, LONG, 0) == led_colours(then, LONG, 0)

    async def test_a_peg_that_was_in_hand_then_blinks(self, tmp_path: Path) -> None:
        async with evening(tmp_path) as table:
            then = await table.post(*BLUE_DEALS, *holes(RED, 8))
            await table.post(*holes(RED, 8))
            await to_the_look_back(table)
            await table.post(CHALLENGE[RED])
            for seconds in (0.0, 0.3):
                assert led_colours(table.now, LONG, seconds) == led_colours(then, LONG, seconds)

    @pytest.mark.parametrize("language", languages())
    async def test_the_main_line_shows_the_place_in_the_review(self, tmp_path: Path, language: str) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            last = table.position.number
            await to_the_look_back(table)
            await table.post(CHALLENGE[RED])
            number = back_at(table).view.number
            assert number < last
            assert load(language).prompt(table.now).endswith(f" {number}/{last}")

    async def test_every_step_ticks_and_sounds_like_any_other(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            await to_the_look_back(table)
            heard = set()
            for press in (*CHALLENGE, *CHALLENGE, *GO, MENU):
                before = table.now
                heard.add(sound_of(await table.post(press), before))
            assert len(heard) == 1

    async def test_held_keys_step_as_pressed_ones(self, tmp_path: Path) -> None:
        async with evening(tmp_path, "verify") as table:
            await table.post(*DISPUTED)
            await to_the_look_back(table)
            await table.post(CHALLENGE[RED], CHALLENGE[RED], KeyHeld(Key.GO, BLUE))
            assert table.now.refusal is None
