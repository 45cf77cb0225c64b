"""The look back: a judge, or the players, step through the game at the table; no press reaches it."""

from __future__ import annotations

from tools.playing.moment import CARDS, FIFTEEN, NAMED, TRUST, Chapter, Moment, presses

_IN_A_GAME = "menu menu menu menu menu menu"
_PEGGED = f"{NAMED} red:8 red:8 blue:4 blue:4"

LOOK_BACK = Chapter(
    "A look back",
    "Once something was played the menu offers to look back at the game: while it is under way, when it has ended, "
    "and at the next switching on until another begins. The game waits meanwhile. Any side’s GO is one act forward "
    "and its CHALLENGE one back; a hole is the act that put that side’s front peg there, and pressed again the one "
    "before. MENU leaves. The pegs, the lamps and the screen show the table as it was; so nothing is told of a "
    "claim that was open then and is still. The number is that of the event, as `cribboard record show` has it.",
    (
        Moment("The menu shows it", "Red’s 5♦ made fifteen.", CARDS, f"{FIFTEEN} menu {_IN_A_GAME}", presses("ok.red")),
        Moment(
            "It begins where the game stands",
            "Red’s 5♦ made fifteen.",
            CARDS,
            f"{FIFTEEN} menu {_IN_A_GAME} ok.red",
            presses("""
                challenge.blue
                go.red
                ok.blue
                KD
                menu
            """),
        ),
        Moment(
            "At the beginning",
            "Red was named as the dealer and has a peg in hand.",
            TRUST,
            f"{NAMED} red:8 menu {_IN_A_GAME} ok.red challenge.red challenge.red",
            presses("""
                challenge.red
                go.red
                red:9
            """),
        ),
        Moment(
            "To a peg",
            "Red pegged 8 and then blue 4, and the look back is open.",
            TRUST,
            f"{_PEGGED} {_IN_A_GAME} ok.blue",
            presses("""
                red:8
                blue:4
                red:20
                undo
                menu.held
            """),
        ),
    ),
)
