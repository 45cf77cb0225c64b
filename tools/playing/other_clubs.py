"""Britannica, Jeux 50+ and ACC, where they are not like six-card: rules reference, 2, 3.6, 3.16 to 3.18 and 3.22."""

from __future__ import annotations

from functools import partial

from tools.playing.moment import (
    AUTO,
    CARDS,
    DEALT,
    EVERY,
    FIFTEEN,
    NAMED,
    SHOW,
    TRUST,
    VERIFY,
    Chapter,
    Moment,
    presses,
)

_of_britannica = partial(Moment, rules="britannica")
_of_jeux_50 = partial(Moment, rules="jeux50")
_of_acc = partial(Moment, rules="acc")

_EXACT_AND_SHORT = "menu menu ok.blue menu ok.blue menu.held"
_RED_DEALS, _BLUE_DEALS, _CRIB = "5D 5H 6C 5C 6D 5S 4C JD 4D", "5D 6C JD 6D 5H 4C 5C 4D 5S", "7C 7D 8C 8D"
_RED_60_BLUE_58 = (
    f"{_EXACT_AND_SHORT} {NAMED} {_RED_DEALS} blue:29 ok.red red:24 ok.blue {_CRIB} red:36 ok.blue "
    f"{_BLUE_DEALS} red:60 ok.blue blue:58 ok.red {_CRIB}"
)
#: On auto the same cards bring red to 47, and its second hand is 24.
_BOARD_COUNTS_TOO_MUCH = f"{_EXACT_AND_SHORT} {NAMED} {_RED_DEALS} ok.red ok.red ok.red {_CRIB} ok.red {_BLUE_DEALS}"
_RED_60 = f"{_RED_60_BLUE_58} ok.blue ok.red"

BRITANNICA = Chapter(
    "Britannica",
    "Six-card for two, one game at a time, in which the loser below 61 is lurched. Two options: a short game to 61, "
    "lurched below 31, and an exact end. A score that would pass the game hole then counts nothing.",
    (
        _of_britannica(
            "The loser stands at 60",
            "Blue’s peg is in hand at the game hole.",
            TRUST,
            f"{NAMED} red:60 red:60 ok.red blue:121 blue:121",
            presses("blue:121"),
        ),
        _of_britannica(
            "The loser stands at 61",
            "Blue’s peg is in hand at the game hole.",
            TRUST,
            f"{NAMED} red:61 red:61 ok.red blue:121 blue:121",
            presses("blue:121"),
        ),
        _of_britannica(
            "The game stands alone",
            "The result is final. No match goes on from game to game.",
            TRUST,
            f"{NAMED} blue:121 blue:121 blue:121 ok.red ok.blue",
            presses("ok.blue"),
        ),
        _of_britannica(
            "A crib that is too much",
            "The short game with an exact end: blue stands at 58, and counts a crib of twelve.",
            VERIFY,
            _RED_60_BLUE_58,
            presses("blue:61\nok.blue"),
        ),
        _of_britannica(
            "Three of twelve are claimed",
            "Blue’s peg is in hand at the game hole.",
            VERIFY,
            f"{_RED_60_BLUE_58} blue:61",
            presses("ok.red\nchallenge.red"),
        ),
        _of_britannica(
            "A hand that is too much, on auto",
            "Red stands at 47, and the board is about to count its hand of 24.",
            AUTO,
            _BOARD_COUNTS_TOO_MUCH,
            presses("ok.blue"),
        ),
        _of_britannica(
            "A pair that is too much",
            "Red stands at 60, and its peg is in hand at the game hole for a pair.",
            VERIFY,
            f"{_RED_60} 2D TC TD red:61",
            presses("ok.red\nok.blue"),
        ),
        _of_britannica(
            "A go that is enough",
            "Red stands at 60, and its peg is in hand at the game hole for a go.",
            VERIFY,
            f"{_RED_60} 2D TC 9D 2C 9C go.blue go.red red:61",
            presses("ok.red"),
        ),
    ),
)

JEUX_50 = Chapter(
    "Jeux 50+",
    "Six-card for two, as the Jeux des 50 ans et plus play it: two games against each opponent, by their points. A "
    "card that was seen at the cut means a new deal. What is let go stands; what is late is lost; a count is accepted "
    "by the OK of the other side alone; and nothing is taken back without the OK of both.",
    (
        _of_jeux_50(
            "A card was seen at the cut",
            "The second line of the menu, until the first card is laid.",
            EVERY,
            f"{NAMED} menu menu",
            presses("ok.blue\nmenu"),
        ),
        _of_jeux_50(
            "Blue says that a card was seen",
            "Red is to answer.",
            EVERY,
            f"{NAMED} menu menu ok.blue",
            presses("""
                ok.red
                ok.blue
                undo
            """),
        ),
        _of_jeux_50(
            "A card was seen, after his heels",
            "The starter was a jack, and red has pegged 2.",
            VERIFY,
            f"{DEALT} JC red:2 ok.red menu menu ok.blue",
            presses("ok.red"),
        ),
        _of_jeux_50(
            "Forgotten points are lost",
            "Red made fifteen and did not claim it; blue has laid the K♦.",
            VERIFY,
            f"{FIFTEEN} KD",
            presses("red:2"),
        ),
        _of_jeux_50(
            "The next count waits",
            "Blue has let go of its nine.",
            VERIFY,
            f"{SHOW} blue:9 ok.blue",
            presses("""
                red:11
                ok.red
            """),
        ),
        _of_jeux_50(
            "Both must agree to take back",
            "Red laid the 5♦, and UNDO was pressed.",
            CARDS,
            f"{FIFTEEN} undo",
            presses("""
                ok.red
                ok.blue
                undo
            """),
        ),
        _of_jeux_50(
            "One has agreed to take back",
            "Red has said OK.",
            CARDS,
            f"{FIFTEEN} undo ok.red",
            presses("ok.blue\nok.red"),
        ),
        _of_jeux_50(
            "A peg is to be taken back, on trust",
            "Blue has pegged 8.",
            TRUST,
            f"{NAMED} blue:8 ok.blue",
            presses("undo"),
        ),
        _of_jeux_50(
            "The first of two games is over",
            "The result is final.",
            TRUST,
            f"{NAMED} red:90 red:90 ok.red blue:121 blue:121 blue:121 ok.red ok.blue",
            presses("ok.blue"),
        ),
        _of_jeux_50(
            "The second of two games is over",
            "Red has won it, and has more points from both.",
            TRUST,
            f"{NAMED} red:90 red:90 ok.red blue:121 blue:121 blue:121 ok.red ok.blue "
            f"{NAMED} red:121 red:121 red:121 ok.red",
            presses("ok.blue"),
        ),
    ),
)

ACC = Chapter(
    "ACC",
    "Six-card as the American Cribbage Congress plays it: nine games for game points, two for a win and three for a "
    "skunk by 31 or more. What is late is lost, his heels too once the dealer has laid a card; a card that was seen at "
    "the cut changes nothing; and nothing is taken back without the OK of both.",
    (
        _of_acc(
            "A card was seen, and the card on top stands",
            "The second line of the menu.",
            EVERY,
            f"{NAMED} menu menu",
            presses("ok.blue"),
        ),
        _of_acc(
            "His heels in time",
            "The starter is a jack, and blue has led.",
            VERIFY,
            f"{DEALT} JC TC",
            presses("red:2"),
        ),
        _of_acc(
            "His heels are lost",
            "Red, who deals, has laid a card. Its peg is in hand, 2 ahead.",
            VERIFY,
            f"{DEALT} JC TC 7D red:2",
            presses("ok.blue\nchallenge.blue"),
        ),
        _of_acc(
            "Forgotten points are lost, as ACC plays",
            "Red made fifteen and did not claim it; blue has laid the K♦.",
            VERIFY,
            f"{FIFTEEN} KD",
            presses("red:2"),
        ),
        _of_acc(
            "Both must agree, as ACC plays",
            "Blue has pegged 8, and UNDO was pressed.",
            TRUST,
            f"{NAMED} blue:8 ok.blue undo",
            presses("ok.red\nok.blue"),
        ),
        _of_acc(
            "A win by 31",
            "Red stands at 90, and blue’s peg is in hand at the game hole.",
            TRUST,
            f"{NAMED} red:90 red:90 ok.red blue:121 blue:121",
            presses("blue:121"),
        ),
        _of_acc(
            "A win by 30",
            "Red stands at 91, and blue’s peg is in hand at the game hole.",
            TRUST,
            f"{NAMED} red:91 red:91 ok.red blue:121 blue:121",
            presses("blue:121"),
        ),
        _of_acc(
            "A win by 61",
            "Red stands at 60, and blue’s peg is in hand at the game hole.",
            TRUST,
            f"{NAMED} red:60 red:60 ok.red blue:121 blue:121",
            presses("blue:121"),
        ),
        _of_acc(
            "A game of nine is over",
            "Blue has won by 31, for three game points.",
            TRUST,
            f"{NAMED} red:90 red:90 ok.red blue:121 blue:121 blue:121 ok.red",
            presses("ok.blue"),
        ),
        _of_acc(
            "The next of nine",
            "The result is final.",
            TRUST,
            f"{NAMED} red:90 red:90 ok.red blue:121 blue:121 blue:121 ok.red ok.blue",
            presses("ok.blue"),
        ),
    ),
)
