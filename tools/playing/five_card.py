"""Five-card: rules reference, 2, 3.3, 3.8, 3.19 and 3.23."""

from __future__ import annotations

from functools import partial

from tools.playing.moment import CARDS, EVERY, NAMED, TRUST, VERIFY, Chapter, Moment, presses

_of_five_card = partial(Moment, rules="five-card")

_FIVE_AT_25 = f"{NAMED} KS 9H 6D TC"
_FIVE_31 = f"{_FIVE_AT_25} 6H"  # blue still holds one card, and red one
_FIVE_HAND = f"{_FIVE_31} 5C"
_FIVE_CRIB = f"{NAMED} 5D 9H 6D TC 6H 7S ok.blue ok.red 7C ok.red ok.blue 5C 5H 5S JD"

FIVE_CARD = Chapter(
    "Five-card",
    "The old game for two, to 61: five cards each, two away, a hand of three. The first pone begins with three holes. "
    "There is one count alone, and at its end the play is over; who still holds cards shows them to the reader before "
    "he counts.",
    (
        _of_five_card(
            "The first dealer is known",
            "Blue is pone, and pegs three for last.",
            EVERY,
            "ok.blue",
            presses("ok.red"),
        ),
        _of_five_card(
            "The count is 25, and it is the only one",
            "9♥ 6♦ 10♣ are laid, and red is to play.",
            CARDS,
            _FIVE_AT_25,
            presses("""
                6H  thirty-one
                7H
                go.red
            """),
        ),
        _of_five_card(
            "Red has said go, and blue is the last",
            "Blue plays on, or says go too.",
            CARDS,
            f"{_FIVE_AT_25} go.red",
            presses("""
                go.blue
                AC
            """),
        ),
        _of_five_card(
            "Blue holds a card that it did not lay",
            "Red made thirty-one.",
            CARDS,
            _FIVE_31,
            presses("""
                5C
                6D
                ok.blue
                go.blue
            """),
        ),
        _of_five_card(
            "The thirty-one is still to be claimed",
            "Blue has not shown its card yet.",
            VERIFY,
            _FIVE_31,
            presses("red:2\nblue:9"),
        ),
        _of_five_card(
            "A false go comes to light",
            "Both said go at 25.",
            CARDS,
            f"{_FIVE_AT_25} go.red go.blue",
            presses("5C"),
        ),
        _of_five_card(
            "Blue could go on, and need not",
            "The option is played that leaves it free to lay a card after the other’s go.",
            CARDS,
            f"menu menu ok.blue menu.held {_FIVE_AT_25} go.red go.blue",
            presses("5C"),
        ),
        _of_five_card(
            "Blue counts its hand of three",
            "9♥ 10♣ 5♣ with the K♠: four are due. Blue’s front peg is in hole 3.",
            VERIFY,
            _FIVE_HAND,
            presses("""
                blue:7
                blue:19  no hand of three is 16
                blue:22
                blue:23
                blue:24  no hand of three counts so much
                ok.blue
            """),
        ),
        _of_five_card(
            "Red counts the crib of five-card",
            "5♣ 5♥ 5♠ J♦ with the 5♦. Four cards: sixteen is possible here.",
            VERIFY,
            _FIVE_CRIB,
            presses("red:16\nred:29\nred:27"),
        ),
        _of_five_card(
            "The way to 61",
            "Blue stands at 50.",
            TRUST,
            f"{NAMED} blue:50 blue:50 ok.blue",
            presses("blue:61\nblue:62"),
        ),
        _of_five_card(
            "A loser below 31",
            "The option is played that the loser of such a game is lurched. Blue’s peg is in hand at hole 61.",
            TRUST,
            f"menu menu menu ok.blue menu.held {NAMED} red:30 red:30 ok.red blue:61 blue:61",
            presses("ok.blue"),
        ),
    ),
)
