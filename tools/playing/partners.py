"""Partners, and six players: rules reference, 7.7, 7.8 and 7.17."""

from __future__ import annotations

from functools import partial

from tools.playing.moment import CARDS, EVERY, TRUST, VERIFY, Chapter, Moment, presses

_of_four = partial(Moment, rules="partners")
_of_six = partial(Moment, rules="six-player", board="triple")

FOUR = "ok.blue ok.red ok.red"  # Red 1 deals, and Blue 2 leads
_FOUR_AT_28 = f"{FOUR} 6C TC KD 8S"
#: Blue 2's hand is 29 with the 5♦, Red 2's 12, Blue 1's 24, Red 1's 6.
FOUR_CARDS = "5D JD KH 4H 7H 5H KS 6H QC 5C QH 6C KC 5S QS 4C TD"
_FOUR_COUNT = f"{FOUR} {FOUR_CARDS}"

PARTNERS = Chapter(
    "Partners",
    "Two against two: who sit across from each other share a track, its keys and its points. Blue 1, Red 1, Blue 2 and "
    "Red 2 sit clockwise, and the screen names the seat that is meant. Either partner presses for his side.",
    (
        _of_four(
            "Four cut",
            "Blue 1 is named first.",
            CARDS,
            "ok.blue",
            presses("""
                9H
                ok.red
                blue:8
            """),
        ),
        _of_four(
            "The last of four cuts",
            "Blue 1 has cut the 9♥, Red 1 the 10♣, Blue 2 the J♦.",
            CARDS,
            "ok.blue 9H TC JD",
            presses("""
                QS
                9C  as low as the lowest
                AS
            """),
        ),
        _of_four(
            "Who of four deals?",
            "On trust, or where nobody cuts, the dealer’s side says so by its OK.",
            TRUST,
            "ok.blue",
            presses("""
                ok.red
                ok.blue
                go.blue
            """),
        ),
        _of_four(
            "A seat is named",
            "Red’s OK has named Red 1.",
            EVERY,
            "ok.blue ok.red",
            presses("""
                ok.red
                ok.blue
                menu
                undo
                menu.held
                blue:8
            """),
        ),
        _of_four(
            "The next seat is named",
            "MENU has named Blue 2.",
            EVERY,
            "ok.blue ok.red menu",
            presses("""
                menu
                ok.red
            """),
        ),
        _of_four(
            "A seat is named, and cards are read",
            "Red’s OK has named Red 1, and somebody cuts all the same.",
            CARDS,
            "ok.blue ok.red",
            presses("9H"),
        ),
        _of_four(
            "Red 1 deals",
            "Five cards each and one away. Blue 1, on the dealer’s right, cuts the starter.",
            CARDS,
            FOUR,
            presses("""
                6C
                JC
            """),
        ),
        _of_four(
            "The count is 28, and four play",
            "Blue 2 laid the 10♣, Red 2 the K♦, Blue 1 the 8♠. Red 1 is to play.",
            CARDS,
            _FOUR_AT_28,
            presses("""
                go.red  either of the two
                go.blue
                go.blue.held
                2H
            """),
        ),
        _of_four(
            "Red 1 has said go",
            "Blue 2 is to play.",
            CARDS,
            f"{_FOUR_AT_28} go.red",
            presses("""
                go.blue
                go.red
                2H
            """),
        ),
        _of_four(
            "Four play at a board with three tracks",
            "Red 1 has said go, and Blue 2 is to play. Green’s track is dark.",
            CARDS,
            f"{_FOUR_AT_28} go.red",
            presses("go.green"),
            board="triple",
        ),
        _of_four(
            "All four pass",
            "Blue’s GO was held, for Blue 1 laid last.",
            CARDS,
            f"{_FOUR_AT_28} go.blue.held",
            presses("""
                go.red  for Red 1, who comes first
                go.blue  for Blue 2, who comes first
                2H  it fits, and Red 1 is the seat to lead
                9S  it does not fit: Red 1 leads
            """),
        ),
        _of_four(
            "Blue 2 counts its hand",
            "5♥ 5♣ 5♠ J♦ with the 5♦.",
            VERIFY,
            _FOUR_COUNT,
            presses("""
                blue:29
                red:12
                ok.red
            """),
        ),
        _of_four(
            "Blue 2’s count was let go",
            "Red 2 counts next.",
            VERIFY,
            f"{_FOUR_COUNT} blue:29 ok.blue",
            presses("""
                red:12  Red 2’s own count
                ok.red
                ok.blue
            """),
        ),
        _of_four(
            "The crib of Red 1 is to be scanned",
            "Blue 2, Red 2, Blue 1 and Red 1 have counted, in this order.",
            VERIFY,
            f"{_FOUR_COUNT} blue:29 ok.red red:12 ok.blue blue:53 ok.red red:18 ok.blue",
            presses("2C\nred:24"),
        ),
        _of_four(
            "The deal of four is played",
            "Red 1 deals; either partner’s OK ends the deal.",
            TRUST,
            FOUR,
            presses("""
                ok.red
                ok.blue
            """),
        ),
    ),
)

_SIX = "ok.blue ok.green ok.green"  # Green 1 deals, and Blue 2 leads
_BURY = "menu menu ok.blue menu.held"

SIX_PLAYERS = Chapter(
    "Six players",
    "Three sides of two at the board with three tracks, each player across from his partner. The dealer and the player "
    "on his right get four cards and throw nothing away; the option buries two cards instead.",
    (
        _of_six(
            "The last of six cuts",
            "Blue 2 has cut the lowest card so far, a 2.",
            CARDS,
            "ok.blue 9H TC JD 2S KC",
            presses("""
                QD
                2D
            """),
        ),
        _of_six(
            "A seat of six is named",
            "Green’s OK has named Green 1.",
            EVERY,
            "ok.blue ok.green",
            presses("""
                ok.blue
                menu
            """),
        ),
        _of_six(
            "Green 1 deals",
            "Green 1 and Red 1, on the dealer’s right, have four cards from the beginning.",
            CARDS,
            _SIX,
            presses("6C"),
        ),
        _of_six(
            "Green 1 deals, and two cards are buried",
            "The option is played: five cards for all, and what Green 1 and Green 2 throw away lies in no crib.",
            CARDS,
            f"{_BURY} {_SIX}",
            presses("6C"),
        ),
        _of_six(
            "The count is 28, and six play",
            "Blue 2 laid the 10♣, Red 2 the J♦, Green 2 the 8♥.",
            CARDS,
            f"{_SIX} 6C TC JD 8H",
            presses("""
                go.blue
                go.red
                go.green.held
                3H  thirty-one
            """),
        ),
        _of_six(
            "All six pass",
            "Green’s GO was held, for Green 2 laid last.",
            CARDS,
            f"{_SIX} 6C TC JD 8H go.green.held",
            presses("""
                go.red  for Red 1, who comes first
                2H  it fits, and Blue 1 is the seat to lead
            """),
        ),
    ),
)
