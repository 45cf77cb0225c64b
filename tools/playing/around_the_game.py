"""Switching on, the win, undo, misdeal, the menu, two laps: rules reference, 7.10, 7.13 to 7.16, 7.20."""

from __future__ import annotations

from tools.playing.moment import (
    AUTO,
    CARDS,
    DEALT,
    EVERY,
    FIFTEEN,
    LEAD,
    NAMED,
    TRUST,
    VERIFY,
    Chapter,
    Moment,
    presses,
)

SWITCHING_ON = Chapter(
    "Switching on",
    "The board never takes up a game unasked, and never loses one.",
    (
        Moment(
            "No game is under way",
            "A board that is switched on with nothing to take up. The small line says how the next game is scored.",
            EVERY,
            "",
            presses("""
                ok.blue
                menu
                blue:8
                4H
                undo
                ok.blue&menu
            """),
        ),
        Moment(
            "An unfinished game is found",
            "The pegs stand where they stood. Here the power went after the dealer was named.",
            EVERY,
            f"{NAMED} off-on",
            presses("""
                ok.blue
                menu
                menu.held
                blue:8
                undo
            """),
        ),
        Moment(
            "A new game instead",
            "MENU was pressed. The unfinished game is kept until the OK, and then for good as broken off.",
            EVERY,
            f"{NAMED} off-on menu",
            presses("""
                ok.blue
                undo
                menu
                blue:8
            """),
        ),
        Moment(
            "The menu before a new game instead",
            "A language can be chosen first, or how the new game is to be scored.",
            EVERY,
            f"{NAMED} off-on menu menu",
            presses("menu.held"),
        ),
    ),
)

#: Two deals by which both sides come on quickly: the first is dealt by red, the second by blue. Blue counts 29 for its
#: hand, red 24, the dealer 12 for the crib.
_RED_DEALS = "5D 5H 6C 5C 6D 5S 4C JD 4D"
_BLUE_DEALS = "5D 6C JD 6D 5H 4C 5C 4D 5S"
_CRIB = "7C 7D 8C 8D"
#: Red stands at 120 and blue at 99; blue counts its hand of 29, and 22 are left.
_CAN_WIN = (
    f"{NAMED} {_RED_DEALS} blue:29 ok.red red:24 ok.blue {_CRIB} red:36 ok.blue "
    f"{_BLUE_DEALS} red:60 ok.blue blue:58 ok.red {_CRIB} blue:70 ok.red "
    f"{_RED_DEALS} blue:99 ok.red red:84 ok.blue {_CRIB} red:96 ok.blue "
    f"{_BLUE_DEALS} red:120 ok.blue"
)
#: Red counts its hand of 24 to the game hole, and blue, who laid last, has not pegged that yet.
_WINS_TOO_SOON = (
    f"{NAMED} {_RED_DEALS} blue:29 ok.red red:24 ok.blue {_CRIB} red:36 ok.blue "
    f"{_BLUE_DEALS} red:60 ok.blue blue:58 ok.red {_CRIB} blue:70 ok.red "
    f"{_RED_DEALS} red:61 red:61 blue:99 ok.red red:85 ok.blue {_CRIB} red:97 ok.blue "
    f"{_BLUE_DEALS} red:121"
)
_BOARD_COUNTS = f"ok.red ok.red ok.red {_CRIB} ok.red"
#: On auto the same cards bring red to 118, and its hand wins.
_BOARD_CAN_WIN = (
    f"{NAMED} {_RED_DEALS} {_BOARD_COUNTS} {_BLUE_DEALS} {_BOARD_COUNTS} {_RED_DEALS} {_BOARD_COUNTS} {_BLUE_DEALS}"
)
_WON = f"{NAMED} blue:121 blue:121 blue:121"

WIN = Chapter(
    "The win",
    "Whoever reaches the game hole wins at once, whatever was still to be counted. The result is final when both sides "
    "have said OK; until then UNDO works.",
    (
        Moment(
            "Blue can win, on trust",
            "Blue has pressed the game hole twice, for it is far.",
            TRUST,
            f"{NAMED} blue:121 blue:121",
            presses("""
                blue:121
                ok.red
            """),
        ),
        Moment(
            "Blue can win",
            "Red stands at 120 and blue at 99. Blue counts its hand of 29, and 22 holes are left.",
            VERIFY,
            _CAN_WIN,
            presses("blue:121"),
        ),
        Moment(
            "Blue’s peg is in hand at the game hole",
            "Twenty-nine are due, and the game hole is enough.",
            VERIFY,
            f"{_CAN_WIN} blue:121",
            presses("""
                ok.red
                challenge.red
            """),
        ),
        Moment(
            "Red’s peg waits at the game hole",
            "Blue laid the last card and has not pegged it: points of the play come before a hand.",
            VERIFY,
            _WINS_TOO_SOON,
            presses("""
                red:121
                ok.red
                challenge.red
                blue:100
                challenge.blue
                ok.blue
            """),
        ),
        Moment(
            "Red can win, on auto",
            "Red stands at 118, and the board is about to count its hand.",
            AUTO,
            _BOARD_CAN_WIN,
            presses("ok.blue"),
        ),
        Moment(
            "The game is won",
            "Blue has won. Nothing is final yet.",
            TRUST,
            _WON,
            presses("""
                ok.red
                undo
                red:4
                go.red
                menu
            """),
        ),
        Moment(
            "The game is won, and calls are verified",
            "Blue has won.",
            VERIFY,
            f"{_CAN_WIN} blue:121 ok.blue",
            presses("undo"),
        ),
        Moment(
            "One side has agreed to the result",
            "Red has said OK.",
            TRUST,
            f"{_WON} ok.red",
            presses("""
                ok.blue
                ok.red
                undo
            """),
        ),
        Moment(
            "The result is final",
            "A skunk: red stayed below 90, and the game counts two. The loser deals the next.",
            TRUST,
            f"{_WON} ok.red ok.blue",
            presses("""
                ok.red
                menu
                undo
            """),
        ),
    ),
)

UNDO = Chapter(
    "Undo",
    "On trust and on auto UNDO takes the last act back at once. Where calls are verified it asks the other side.",
    (
        Moment(
            "A peg was let go",
            "Blue has pegged 8.",
            TRUST,
            f"{NAMED} blue:8 ok.blue",
            presses("undo"),
        ),
        Moment("A card was laid", "Red’s 5♦ made fifteen.", CARDS, FIFTEEN, presses("undo")),
        Moment(
            "Blue’s card is to be taken back",
            "Blue laid the 10♣, and UNDO was pressed.",
            VERIFY,
            f"{LEAD} TC undo",
            presses("""
                ok.red
                ok.blue
                undo
                5D  play goes on
                “XX”
            """),
        ),
    ),
)

MISDEAL = Chapter(
    "Misdeal",
    "Until the first card is laid it is the first line of the menu, and then the last: a misdeal that is found late "
    "voids the deal too. The same dealer deals again, and what the deal has pegged comes back.",
    (
        Moment(
            "The menu shows it",
            "Red has just dealt.",
            EVERY,
            f"{NAMED} menu",
            presses("ok.red"),
        ),
        Moment(
            "Red asks for a new deal",
            "Blue is to answer.",
            EVERY,
            f"{NAMED} menu ok.red",
            presses("""
                ok.blue
                ok.red
                undo
            """),
        ),
        Moment(
            "Red asks for a new deal after his heels",
            "Red turned a jack and pegged 2.",
            VERIFY,
            f"{DEALT} JC red:2 ok.red menu ok.red",
            presses("ok.blue"),
        ),
        Moment(
            "Red finds a misdeal after the first card",
            "It is the last line of the menu, and blue is to answer.",
            VERIFY,
            f"{LEAD} TC menu menu menu menu menu menu menu menu menu menu ok.red",
            presses("""
                ok.blue
                undo
            """),
        ),
    ),
)

MENU = Chapter(
    "The menu",
    "MENU opens it and steps, any OK takes the line that is shown, MENU held for a second leaves. While it is open no "
    "press and no scan reaches the game. A setting shows what it would change to, and is kept for the next evening.",
    (
        Moment(
            "The menu before a game",
            "The first line says by which rules the next game would be played.",
            EVERY,
            "menu",
            presses("""
                menu
                ok.red
                menu.held
                blue:8
                4H
                undo
                ok.red&challenge.red
            """),
        ),
        Moment("The line of the way to score", "", EVERY, "menu menu", presses("ok.blue")),
        Moment("The line of the language", "", EVERY, "menu menu menu menu", presses("ok.blue")),
        Moment("The line of the sound", "", EVERY, "menu menu menu menu menu", presses("ok.blue")),
        Moment("The line of the light", "", EVERY, "menu menu menu menu menu menu", presses("ok.blue\nmenu")),
        Moment(
            "The menu in a game",
            "A card is laid, so there is no misdeal any more.",
            CARDS,
            f"{LEAD} TC menu",
            presses("""
                menu
                menu.held
                5D
                go.red
            """),
        ),
        Moment("The line of the sound in a game", "", CARDS, f"{LEAD} TC menu menu", presses("ok.blue")),
        Moment(
            "The last line in a game",
            "Whatever cannot be undone stands last.",
            CARDS,
            f"{LEAD} TC menu menu menu menu menu menu menu menu menu",
            presses("ok.blue"),
        ),
        Moment(
            "Blue asks to stop the game",
            "Red is to answer.",
            CARDS,
            f"{LEAD} TC menu menu menu menu menu menu menu menu menu ok.blue",
            presses("""
                ok.red
                ok.blue
                undo
            """),
        ),
    ),
)

_AT_58 = f"{NAMED} blue:24 ok.blue blue:48 ok.blue blue:58 ok.blue"
_AT_110 = f"{_AT_58} blue:22 ok.blue blue:46 ok.blue blue:50 ok.blue"

TWO_LAPS = Chapter(
    "A board that is walked twice",
    "On the `classic` board of 60 holes a press means the next hole of that number, if it is 1 to 29 ahead; any other "
    "is behind. The game hole glows.",
    (
        Moment(
            "Before the game hole",
            "Blue’s front peg is in hole 58, on its first lap.",
            TRUST,
            _AT_58,
            presses("""
                blue:8
                blue:28
                blue:50
                blue:58
                blue:61  the game hole
            """),
            board="classic",
        ),
        Moment(
            "On the second lap",
            "Blue stands at 110, in hole 50.",
            TRUST,
            _AT_110,
            presses("""
                blue:60
                blue:3
                blue:61  the game hole
            """),
            board="classic",
        ),
    ),
)
