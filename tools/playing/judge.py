"""The count judge: rules reference, section 4, and 3.23 for what no hand counts."""

from __future__ import annotations

from tools.playing.moment import CARDS, FIFTEEN, TRUST, VERIFY, Chapter, Moment, presses

_OPEN = "menu menu menu ok.blue"
_A01 = f"{_OPEN} 6C 7S 8D 8H 9S"

COUNT_JUDGE = Chapter(
    "The count judge",
    "Two players bring a hand to the board and ask who is right. It is a line of the menu, with a game under way or "
    "none; a game waits meanwhile, and no press reaches it. The hand is scanned first and the starter last. A hole is "
    "the number that was called, on any track; OK asks only what the cards count. GO says hand or crib, CHALLENGE "
    "steps through the rules, UNDO takes the last card away, MENU leaves. Once the cards were judged the next scan is "
    "the first card of another hand. While a deal of a silent game is open the judge takes no cards.",
    (
        Moment("The menu shows the judge", "", TRUST, "menu menu menu", presses("ok.red")),
        Moment(
            "No card is there yet",
            "It stands at a hand, by the rules that would be played.",
            TRUST,
            _OPEN,
            presses("""
                5H
                go.red
                challenge.blue
                blue:8
                undo
                ok.blue
                “XX”
                menu
                menu.held
            """),
        ),
        Moment(
            "All cards are there",
            "6♣ 7♠ 8♦ 8♥ and the starter 9♠ count 16.",
            TRUST,
            _A01,
            presses("""
                blue:16
                red:12
                blue:20
                blue:19
                ok.red
                7S
                KS
                go.blue
                undo
            """),
        ),
        Moment(
            "The reasons have more lines than the screen",
            "Twelve was called.",
            TRUST,
            f"{_A01} red:12",
            presses("""
                ok.blue
                red:16
                KS  a card of the next hand
                menu
            """),
        ),
        Moment(
            "The hand was judged, and now it is the crib",
            "Sixteen was called, and then blue pressed GO.",
            TRUST,
            f"{_A01} red:16 go.blue",
            presses("""
                red:16
                KS  a card of the crib
                go.red
            """),
        ),
        Moment(
            "A hand of nothing",
            "2♥ 4♣ 6♦ 8♠ and the starter 10♣.",
            TRUST,
            f"{_OPEN} 2H 4C 6D 8S TC",
            presses("""
                ok.blue
                blue:19
                blue:2
            """),
        ),
        Moment(
            "The starter is missing",
            "A number asks which starters would make it.",
            TRUST,
            f"{_OPEN} 5H 5C 5S JD",
            presses("""
                blue:29
                blue:22
                blue:27
            """),
        ),
        Moment(
            "Two cards are missing",
            "Ranks of the hand stand before the sign, ranks of starters behind it.",
            TRUST,
            f"{_OPEN} 5H 5C JD",
            presses("blue:14"),
        ),
        Moment(
            "Three cards and a starter",
            "By these rules a hand has three cards.",
            TRUST,
            "menu menu menu menu menu ok.blue 3H 8H KH QS",
            presses("""
                blue:3
                blue:17
                go.blue
            """),
            rules="five-card",
        ),
        Moment(
            "In a game",
            "Red’s 5♦ made fifteen, and the menu was opened at its line.",
            CARDS,
            f"{FIFTEEN} menu menu menu menu menu menu",
            presses("ok.red"),
        ),
        Moment(
            "In a game, with a card",
            "The game waits, and leaving shows it as it was.",
            VERIFY,
            f"{FIFTEEN} menu menu menu menu menu menu ok.red KD",
            presses("""
                red:2
                menu
            """),
        ),
        Moment(
            "In a game that keeps silent",
            "Nobody may be told what is due, so the judge waits until the deal is over.",
            VERIFY,
            f"{FIFTEEN} menu menu menu menu menu menu ok.red",
            presses("""
                5D  of this deal
                KD  it may be of this deal
            """),
            rules="acc",
        ),
    ),
)
