"""Three players: rules reference, 7.2, 7.7 and 7.8."""

from __future__ import annotations

from functools import partial

from tools.playing.moment import CARDS, EVERY, NAMED, TRUST, VERIFY, Chapter, Moment, presses

_of_three = partial(Moment, rules="three-player", board="triple")

_THREE = "ok.blue ok.green"  # green deals, and blue leads
_THREE_AT_26 = f"{_THREE} KS TC 9D 7S"
#: Blue says go at 25 and red makes 31; then cards for 31 again, and blue lays the last of all. Blue's hand is 5,
#: red's 3, green's 7.
_THREE_PLAYED = f"{_THREE} KS TC JD 5H go.blue 6S AC KD QH 2C 8H 7C 3D 9H"
_THREE_SHOW = f"{_THREE_PLAYED} blue:1 ok.green"
_THREE_CRIB = f"{_THREE_SHOW} blue:6 ok.red red:3 ok.green green:7 ok.blue"

THREE_PLAYERS = Chapter(
    "Three players",
    "On the board with three tracks blue, red and green play each for himself, clockwise. What needs the other side’s "
    "OK with two needs that of both others with three; whatever the board asks names who has still to answer.",
    (
        _of_three(
            "Three cut",
            "Blue and red have cut nines.",
            CARDS,
            "ok.blue 9H 9C",
            presses("""
                KD  a tie where it matters
                4D  lower than both
                ok.green  green deals, nobody cuts
            """),
        ),
        _of_three(
            "Green deals to three",
            "Five cards each and one away; the fourth card of the crib comes from the pack.",
            CARDS,
            _THREE,
            presses("""
                KS
                ok.red
                menu
            """),
        ),
        _of_three(
            "Green asks two others for a new deal",
            "Green has taken the first line of the menu.",
            EVERY,
            f"{_THREE} menu ok.green",
            presses("""
                ok.red
                ok.green
                undo
            """),
        ),
        _of_three(
            "One of the two has agreed",
            "Red has said OK.",
            EVERY,
            f"{_THREE} menu ok.green ok.red",
            presses("""
                ok.blue
                ok.red
            """),
        ),
        _of_three(
            "The count is 26, and three play",
            "Green laid the 7♠. Each says go in turn; or green, who laid last, holds GO, and all pass.",
            CARDS,
            _THREE_AT_26,
            presses("""
                go.blue
                go.green
                go.green.held
                go.red.held
                5S  thirty-one
            """),
        ),
        _of_three(
            "Two of three have said go",
            "Green is left, and may still lay a card.",
            CARDS,
            f"{_THREE_AT_26} go.blue go.red",
            presses("""
                go.green
                3S
                go.blue
            """),
        ),
        _of_three(
            "All pass",
            "Green held GO. Until the next card is led, whoever can still lay one takes it back: by his own GO, or by "
            "laying it if he is to lead.",
            CARDS,
            f"{_THREE_AT_26} go.green.held",
            presses("""
                go.red
                go.blue
                go.green
                3S  it fits, and blue is the seat to lead
                9S  it does not fit: blue leads
                green:1
            """),
        ),
        _of_three(
            "All pass, and the go is pegged",
            "Green has pegged its point.",
            VERIFY,
            f"{_THREE_AT_26} go.green.held green:1 ok.green",
            presses("go.red"),
        ),
        _of_three(
            "Red goes on after all",
            "Red has taken its pass back, and is to lay a card.",
            CARDS,
            f"{_THREE_AT_26} go.green.held go.red",
            presses("""
                2H
                go.red
                go.blue
            """),
        ),
        _of_three(
            "Forgotten points are asked for, and three play",
            "Red made fifteen and did not claim it; green has laid a card, and red pressed the hole 2 ahead. It is for "
            "the side to red’s left to agree, or not.",
            VERIFY,
            f"{_THREE} KS TC 5D 8S red:2",
            presses("""
                ok.green
                ok.blue
                challenge.blue
            """),
        ),
        _of_three(
            "A card is to be taken back, and three play",
            "Blue laid the 10♣, and UNDO was pressed.",
            VERIFY,
            f"{_THREE} KS TC undo",
            presses("""
                ok.green
                ok.blue
                undo
            """),
        ),
        _of_three(
            "Blue counts, and three play",
            "10♣ K♦ 8♥ 9♥ with the K♠: five are due.",
            VERIFY,
            _THREE_SHOW,
            presses("""
                blue:6
                ok.green
                green:7
            """),
        ),
        _of_three(
            "Blue’s count was let go, and three play",
            "Red counts next, so red accepts; green may challenge until then.",
            VERIFY,
            f"{_THREE_SHOW} blue:6 ok.blue",
            presses("""
                ok.red
                ok.green
                challenge.green
                challenge.red
                red:3  red’s own count
                green:7
            """),
        ),
        _of_three(
            "Blue’s count is in hand, too far, and three play",
            "Six ahead, and five are due.",
            VERIFY,
            f"{_THREE_SHOW} blue:7",
            presses("""
                ok.green
                ok.red
                challenge.green
            """),
        ),
        _of_three(
            "Green’s crib is counted",
            "A♥ 2♦ 3♥ 4♥ with the K♠: eight are due. It is the last count, so the side to green’s left accepts: blue.",
            VERIFY,
            f"{_THREE_CRIB} AH 2D 3H 4H green:15 ok.green",
            presses("""
                ok.red
                challenge.red
                ok.blue
            """),
        ),
        _of_three(
            "A peg is in hand, and three trust",
            "Blue has pressed the hole 8 ahead.",
            TRUST,
            f"{_THREE} blue:8",
            presses("""
                ok.green
                green:5
                challenge.red
            """),
        ),
        _of_three(
            "The game of three is won",
            "Blue has won.",
            TRUST,
            f"{_THREE} blue:121 blue:121 blue:121",
            presses("""
                ok.red
                green:4
                undo
            """),
        ),
        _of_three(
            "Two of three have agreed to the result",
            "Blue and red have said OK.",
            TRUST,
            f"{_THREE} blue:121 blue:121 blue:121 ok.blue ok.red",
            presses("""
                ok.green
                ok.blue
            """),
        ),
        Moment(
            "Two play at a board with three tracks",
            "Green’s track is dark.",
            TRUST,
            NAMED,
            presses("""
                green:8
                ok.green
                go.green
                challenge.green
            """),
            board="triple",
        ),
    ),
)
