"""Two refereed games at one page, by clicks in a real browser on the real program: almost every call is wrong.

The first is a whole game in French, under britannica with muggins, to 61; the second in English under the rules of
the ACC. The scores stand in the script, as section 4 of the rules reference has them, call by call; the bookkeeper,
who knows nothing of the product, comes to the same, and so must the lights; and every verdict in the board's record is
his own. `CRIBBOARD_PICTURES=folder` keeps pictures of what is told.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.support.browser import TURN_TO
from tests.support.catalogues import phrase
from tests.support.people import switched_on
from tests.support.referees import BLUE, RED, Refereed

from cribd.boards import load
from cribd.table.snapshot import Line

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.long, pytest.mark.whole_game]

CONTINUOUS = load("continuous")

ACC_TO_61 = """
preset = "acc"
name = "Club night"
target = 61
skunk_line = 31
double_skunk_line = "off"
"""


def test_a_whole_game_in_french_with_muggins(people_browser: Browser, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with switched_on(people_browser, CONTINUOUS, journal) as page:
        page.evaluate(TURN_TO, "fr")
        table = Refereed(
            page,
            CONTINUOUS,
            rules="britannica/2 target=61 skunk_line=31 muggins=on",
            preset="britannica",
            options=("short", "muggins"),
        )
        table.heard.evaluate(TURN_TO, "fr")
        table.choose("fr_CA")
        table.ok(BLUE)
        table.scans("9H 4C")  # red deals
        points_are_forgotten_and_found(table)
        a_hand_is_doubted_and_a_zero_said_in_jest(table)
        a_reader_is_pulled_out(table)
        muggins_is_taken_back_and_called_again(table)
        the_last_deal(table)
        the_game_is_claimed_wrongly_and_then_rightly(table)
        judged = Counter(table.verdicts(journal))
    assert judged["muggins exact"] == 2
    assert judged["muggins too-many"] == 1
    assert judged["muggins nothing-missed"] == 1
    assert {"play too-late", "play out-of-turn", "play impossible"} < set(judged)
    assert judged["hand too-many"] == 3


def points_are_forgotten_and_found(table: Refereed) -> None:
    """Red's fifteen: too late for red when the next card lies, but not for blue."""
    table.scans("8D 8C 7C")
    table.picture("fifteen-is-made")
    table.scans("9S")
    table.hole(RED, 2)
    table.picture("late-claim-refused")
    table.read(phrase("said.too_late", "fr_CA", side="Rouge"))
    table.stand(0, 0)
    table.challenge(BLUE)
    table.picture("challenge-asks-what-is-wrong")
    table.hole(BLUE, 2)
    table.picture("muggins-in-hand")
    table.ok(BLUE)
    table.picture("muggins-for-the-fifteen")
    table.stand(2, 0)
    table.calls(BLUE, 3)  # its own run
    table.picture("run-let-go")
    table.scans("5C")
    table.go(BLUE)
    table.go(RED)
    table.calls(RED, 1)
    table.scans("7H TD KD 3S")
    table.calls(RED, 1)  # the last card
    table.picture("last-card")
    table.stand(5, 2)


def a_hand_is_doubted_and_a_zero_said_in_jest(table: Refereed) -> None:
    """Blue's hand is 12, red's 6, and red's crib is worth nothing."""
    table.hole(RED, 6)
    table.picture("count-out-of-turn")
    table.read(phrase("said.out_of_turn", "fr_CA", side="Rouge"))
    table.calls(BLUE, 15)
    table.picture("fifteen-called")
    table.stand(20, 2)
    table.challenge(RED)
    table.picture("hand-challenged")
    table.ok(RED)
    table.picture("too-many")
    table.stand(17, 2)
    table.calls(RED, 4)
    table.picture("four-of-six-called")
    table.calls_muggins(BLUE, 2)
    table.picture("muggins-right")
    table.stand(19, 6)
    table.scans("2C 4S JS")
    table.picture("crib-is-read")
    table.scans("KH")
    table.hole(RED, 19)
    table.picture("nineteen")
    table.read(phrase("ask.nineteen", "fr_CA", side="Rouge"))
    table.ok(RED)
    table.picture("nineteen-is-zero")
    table.ok(BLUE)
    table.stand(19, 6)


def a_reader_is_pulled_out(table: Refereed) -> None:
    """Blue deals and turns a jack; in the play the reader misses a card, which is shown late."""
    table.scans("JH")
    table.picture("a-jack-is-turned")
    table.calls(BLUE, 2)
    table.picture("heels-claimed")
    table.scans("TH 9D 5S")
    table.pull("reader")
    table.picture("reader-pulled-out")
    table.page.locator('[data-card="7D"]').dispatch_event("click")  # nobody reads it
    table.page.wait_for_timeout(300)
    table.stand(21, 6)
    table.pull("reader")
    table.picture("reader-put-back")
    table.scans("7D")
    table.picture("card-shown-late")
    table.calls(BLUE, 2)  # thirty-one
    table.scans("QS 8S 5D 6H")
    table.calls(BLUE, 1)
    table.stand(24, 6)


def muggins_is_taken_back_and_called_again(table: Refereed) -> None:
    """Red's hand is 17, blue's 8 and its crib 7. In between somebody asks the count judge."""
    table.hole(RED, 26)
    table.picture("impossible-26")
    table.read(phrase("said.impossible", "fr_CA", points=26))
    table.calls(RED, 20)
    the_judge_stays_closed(table)
    table.ok(BLUE)
    table.picture("too-many-accepted")
    table.stand(24, 26)
    table.calls(BLUE, 5)
    table.challenge(RED)
    table.hole(RED, 2)
    table.challenge(RED)
    table.picture("muggins-taken-back")
    table.stand(29, 26)
    table.calls_muggins(RED, 5)
    table.picture("muggins-too-high")
    table.stand(29, 29)
    table.scans("AS 2D 3C KS")
    table.calls(BLUE, 7)
    table.calls_muggins(RED, 2)
    table.picture("muggins-wrong")
    table.stand(36, 29)


def the_judge_stays_closed(table: Refereed) -> None:
    """A claim is open, and nobody may ask the judge for these cards."""
    table.menu_to(Line.JUDGE)
    table.read("Juge")
    table.picture("menu-at-the-judge")
    table.key("ok", BLUE)
    table.picture("judge-open")
    table.scan_aside("5S")
    table.picture("judge-closed-to-cards")
    table.key("menu")
    table.picture("judge-left")


def the_last_deal(table: Refereed) -> None:
    table.scans("6H TC 5S")
    table.calls(RED, 2)
    table.scans("7S 6D")
    table.calls(RED, 3)
    table.go(BLUE)
    table.picture("blue-says-go")
    table.go(RED)
    table.calls(RED, 1)
    table.scans("8C 4S 8H 5C")
    table.calls(RED, 1)
    table.stand(36, 36)


def the_game_is_claimed_wrongly_and_then_rightly(table: Refereed) -> None:
    """Blue's hand is 12 and not the game; red's is 24, and then one is enough."""
    table.calls(BLUE, 25)
    table.picture("game-claimed")
    table.challenge(RED)
    table.picture("game-doubted")
    table.ok(RED)
    table.picture("game-not-won")
    table.stand(48, 36)
    table.menu_to(Line.LOOK_BACK)
    table.read("Revoir")
    table.picture("menu-at-the-look-back")
    table.key("ok", RED)
    table.picture("look-back")
    table.do('[data-hole="61"][data-track="0"]')
    table.picture("look-back-at-the-disputed-peg")
    table.key("challenge", RED)
    table.picture("one-act-before")
    table.key("go", RED)
    table.key("menu")
    table.picture("back-from-the-look-back")
    table.stand(48, 36)
    table.calls(RED, 24)
    table.ok(BLUE)
    table.stand(48, 60)
    table.scans("9C 9H AD 3D")
    table.calls(RED, 1)
    table.picture("game-claimed-rightly")
    table.ok(BLUE)
    table.picture("won")
    table.stand(48, 61)
    for side in (BLUE, RED):
        table.ok(side)
    table.picture("another-game")


def test_a_game_of_the_acc_in_english_with_two_false_gos(people_browser: Browser, tmp_path: Path) -> None:
    journal, config, rules = tmp_path / "journal.db", tmp_path / "cribboard.toml", tmp_path / "club-night.toml"
    rules.write_text(ACC_TO_61)
    config.write_text(f'[table]\nrules = "{rules}"\n')
    with switched_on(people_browser, CONTINUOUS, journal, "--config", str(config)) as page:
        table = Refereed(page, CONTINUOUS, rules="acc/2 target=61 skunk_line=31 double_skunk_line=off", preset="acc")
        table.ok(BLUE)
        table.scans("QS 3C")  # red deals
        a_false_go_is_rolled_back(table)
        the_excess_is_the_challengers(table)
        a_card_lies_dead(table)
        a_false_game_costs_fifteen_holes(table)
        judged = Counter(table.verdicts(journal))
    assert judged["hand too-many"] == 2


def a_false_go_is_rolled_back(table: Refereed) -> None:
    """Red says go at 29 and holds an ace. Blue's point for the go comes back, and two are blue's."""
    table.scans("5C TC KD 9H")
    table.go(RED)
    table.picture("red-says-go")
    table.go(BLUE)
    table.calls(BLUE, 1)
    table.stand(1, 0)
    table.scans("AC")
    table.picture("false-go-found")
    table.ok(BLUE)
    table.picture("false-go-rolled-back")
    table.stand(2, 0)
    table.scans("AC")
    table.go(BLUE)
    table.go(RED)
    table.calls(RED, 1)
    table.scans("5D QH")
    table.calls(RED, 2)
    table.scans("4S JS")
    table.calls(RED, 1)
    table.stand(2, 4)


def the_excess_is_the_challengers(table: Refereed) -> None:
    """Blue's hand is 6, red's 9, and the crib 12."""
    table.calls(BLUE, 9)
    table.picture("acc-nine-called")
    table.stand(11, 4)
    table.challenge(RED)
    table.picture("excess-to-the-challenger")
    table.stand(8, 7)
    table.calls(RED, 9)
    table.ok(BLUE)
    table.scans("7C 7D 8H 8S")
    table.calls(RED, 12)
    table.ok(BLUE)
    table.stand(8, 28)


def a_card_lies_dead(table: Refereed) -> None:
    """Blue says go at 29 and holds an ace, which red lets lie dead."""
    table.scans("7S KC JD 9C")
    table.go(BLUE)
    table.go(RED)
    table.calls(RED, 1)
    table.scans("AD")
    table.picture("another-false-go")
    table.challenge(RED)
    table.picture("card-lies-dead")
    table.stand(8, 31)


def a_false_game_costs_fifteen_holes(table: Refereed) -> None:
    """Red's hand is 8, and it claims 26 and the game: 18 are blue's, and red goes back. Blue's hand and crib are 4."""
    table.scans("7H 8D")
    table.calls(RED, 2)
    table.scans("QD 6S")
    table.calls(RED, 2)
    table.ok(BLUE)  # nobody accepts his own last card by counting his hand
    table.stand(8, 35)
    table.calls(RED, 26)
    table.picture("acc-game-claimed")
    table.challenge(BLUE)
    table.picture("fifteen-holes-back")
    table.stand(26, 28)
    table.calls(BLUE, 4)
    table.ok(RED)
    table.scans("4H 4D TS JH")
    table.calls(BLUE, 4)
    table.ok(RED)
    table.stand(34, 28)


def test_a_card_that_no_reader_can_read_is_laid_and_shown_late(people_browser: Browser, tmp_path: Path) -> None:
    """In French. The bookkeeper sees the card when it is laid, the board when it is shown."""
    config, rules = tmp_path / "cribboard.toml", tmp_path / "mardi.toml"
    rules.write_text('preset = "britannica"\nname = "Mardi"\nmuggins = "on"\n')
    config.write_text(f'[table]\nrules = "{rules}"\nlanguage = "fr_CA"\n')
    with switched_on(people_browser, CONTINUOUS, tmp_path / "journal.db", "--config", str(config)) as page:
        page.evaluate(TURN_TO, "fr")
        table = Refereed(page, CONTINUOUS, rules="britannica/2 muggins=on", preset="britannica")
        table.heard.evaluate(TURN_TO, "fr")
        table.ok(BLUE)
        table.scans("TS 2D")  # red deals
        table.scans("8D 8C 7C 9S 5C")
        table.go(BLUE)
        table.go(RED)
        table.calls(RED, 1)
        table.scans("7H TD")
        table.menu_to(Line.UNREAD)
        table.read("illisible")
        table.picture("menu-at-the-card")
        table.key("ok", BLUE)
        table.keeper.read({"scan": "KD"})
        table.picture("card-that-cannot-be-read")
        table.read("Illisible")
        table.scans("3S")
        table.calls(RED, 1)
        table.picture("last-card-with-an-unread-card-below")
        table.stand(0, 2)
        table.scan_aside("KD")
        table.picture("card-shown-late")
        table.calls(BLUE, 12)
        table.ok(RED)
        table.picture("hand-accepted")
        table.stand(12, 2)
