"""Scores that are doubted, ruled, or rest on a card that nobody can read: rules reference, section 4 and 7.2 to 7.4."""

from __future__ import annotations

from functools import partial

from tools.playing.moment import AT_27, CARDS, DEALT, FIFTEEN, LEAD, SHOW, TRUST, VERIFY, Chapter, Moment, presses

_of_acc = partial(Moment, rules="acc", ways=VERIFY)
_of_britannica = partial(Moment, rules="britannica", ways=VERIFY)

_ACC_MUGGINS = "menu menu ok.blue menu.held"
_MUGGINS = "menu menu menu menu ok.blue menu.held"
_HELP = "menu menu menu menu menu menu menu"
_TOURNAMENT = f"{_HELP} ok.blue ok.blue ok.blue menu.held"
_FALSE_GO = f"{LEAD} TC TD 2D go.red 4D go.blue 3C"
#: Blue calls far too much for each card, and nobody doubts it.
_NEARLY = f"{LEAD} TC blue:29 blue:29 7D KD blue:58 blue:58 4S 4H blue:87 blue:87 9D 5S"
_FALSE_GAME = f"{_NEARLY} blue:107 blue:107 5H red:3 red:3 blue:121 blue:121"
_TRUE_GAME = (
    f"{LEAD} TC blue:28 blue:28 7D KD blue:56 blue:56 4S 4H blue:84 blue:84 9D 5S blue:112 blue:112 5H red:3 red:3 "
    "blue:121 blue:121"
)
_UNREAD = f"{LEAD} TC menu ok.blue"
_UNREAD_TO_THE_SHOW = f"{_UNREAD} KD 4S go.blue go.red 4H 9D 5S 5H red:3 ok.red blue:9 ok.blue ok.red"
_UNREAD_AT_27 = f"{AT_27} menu ok.blue go.blue go.red 4H 9D 5S 5H red:3 ok.red blue:9 ok.blue ok.red"
_NO_STARTER = f"{DEALT} menu menu ok.blue"
_STARTER_LAST = f"{_NO_STARTER} TC 7D KD 4S 4H 9D 5S 5H"
_WAITS = "menu menu menu menu menu menu menu menu"

SILENT = Chapter(
    "Where the board keeps silent",
    "With telling set to tournament, with muggins, and by the rules of ACC the board says nothing of a call until the "
    "other side has answered it: the peg stands as called, and right and wrong look and sound alike. In the play the "
    "next card accepts a call, at the show the other side’s OK or its own next count. Then the board judges it: what "
    "was too many and nobody doubted stands, and what was too few is lost. CHALLENGE says that it is too much, and is "
    "answered at once.",
    (
        _of_acc(
            "Four are called for a fifteen",
            "Red has let go.",
            steps=f"{FIFTEEN} red:4 red:4",
            presses=presses("""
            challenge.blue
            KD
            ok.blue
        """),
        ),
        _of_acc(
            "Two are called for a fifteen",
            "Red has let go.",
            steps=f"{FIFTEEN} red:2 red:2",
            presses=presses("""
            challenge.blue
            KD
        """),
        ),
        _of_acc(
            "One is called for a fifteen",
            "Red has let go.",
            steps=f"{FIFTEEN} red:1 red:1",
            presses=presses("""
            challenge.blue
            KD
            red:2
        """),
        ),
        _of_acc("The peg is still in hand", "", steps=f"{FIFTEEN} red:4", presses=presses("challenge.blue")),
        _of_acc(
            "A hand that is exact",
            "Blue’s hand of 9 is called 9.",
            steps=f"{SHOW} blue:9 blue:9",
            presses=presses("ok.red\nchallenge.red\nred:11\nblue:12"),
        ),
        _of_acc(
            "A hand that is too many",
            "Blue’s hand of 9 is called 12.",
            steps=f"{SHOW} blue:12 blue:12",
            presses=presses("ok.red\nchallenge.red\nred:11"),
        ),
        _of_acc(
            "A hand that is too few",
            "Blue’s hand of 9 is called 6.",
            steps=f"{SHOW} blue:6 blue:6",
            presses=presses("ok.red\nchallenge.red"),
        ),
        _of_acc("A count before its turn", "Blue’s hand is to be counted.", steps=SHOW, presses=presses("red:11")),
        _of_acc(
            "A claim of the game that is false",
            "Blue’s hand is 9, and was called 14, to the game hole.",
            steps=_FALSE_GAME,
            presses=presses("ok.red\nchallenge.red\nred:11\nundo"),
        ),
        _of_acc(
            "A claim of the game that is true",
            "Blue’s hand is 9, and 9 is what it needs.",
            steps=_TRUE_GAME,
            presses=presses("ok.red\nchallenge.red"),
        ),
        Moment(
            "A false claim of the game, in a tournament",
            "Six-card has no penalty for it.",
            VERIFY,
            f"{_TOURNAMENT} {_FALSE_GAME}",
            presses("challenge.red"),
        ),
        Moment(
            "A hand that is too many, in a tournament",
            "Blue’s hand of 9 is called 12.",
            VERIFY,
            f"{_TOURNAMENT} {SHOW} blue:12 blue:12",
            presses("ok.red\nchallenge.red"),
        ),
    ),
)

MUGGINS = Chapter(
    "Muggins",
    "An option of Britannica and of ACC: what a call leaves out, or what was never called, the other side may take. "
    "CHALLENGE first asks. Your own OK says too many; a hole on your own track says that so many points were missed; "
    "CHALLENGE again takes it back. The peg for muggins is let go like any other. You get the lesser of what you "
    "called and what was missed. A hole without CHALLENGE is never muggins, and what is late is lost.",
    (
        _of_britannica(
            "A call may be doubted",
            "Blue’s hand of 9 is called 6.",
            steps=f"{_MUGGINS} {SHOW} blue:6 blue:6",
            presses=presses("challenge.red\nok.red\nred:6"),
        ),
        _of_britannica(
            "The board asks what was wrong",
            "Red has pressed CHALLENGE.",
            steps=f"{_MUGGINS} {SHOW} blue:6 blue:6 challenge.red",
            presses=presses("ok.red\nred:6\nchallenge.red\nchallenge.blue\nok.blue\nundo"),
        ),
        _of_britannica(
            "Too many, and doubted",
            "Blue’s hand of 9 is called 12.",
            steps=f"{_MUGGINS} {SHOW} blue:12 blue:12 challenge.red",
            presses=presses("ok.red"),
        ),
        _of_britannica(
            "Muggins in hand",
            "Red says 3, and 3 were missed.",
            steps=f"{_MUGGINS} {SHOW} blue:6 blue:6 challenge.red red:6",
            presses=presses("red:6\nok.red\nok.blue\nred:8\nred:3\nchallenge.red"),
        ),
        _of_britannica(
            "More muggins than were missed",
            "Red says 5, and 3 were missed.",
            steps=f"{_MUGGINS} {SHOW} blue:6 blue:6 challenge.red red:8",
            presses=presses("ok.red"),
        ),
        _of_britannica(
            "Less muggins than were missed",
            "Red says 2, and 3 were missed.",
            steps=f"{_MUGGINS} {SHOW} blue:6 blue:6 challenge.red red:5",
            presses=presses("ok.red"),
        ),
        _of_britannica(
            "Nothing was missed",
            "Red says 3.",
            steps=f"{_MUGGINS} {SHOW} blue:9 blue:9 challenge.red red:6",
            presses=presses("ok.red"),
        ),
        _of_acc(
            "Nothing was missed, as ACC plays",
            "Red says 3, with the option muggins.",
            steps=f"{_ACC_MUGGINS} {SHOW} blue:9 blue:9 challenge.red red:6",
            presses=presses("ok.red"),
        ),
        _of_acc(
            "Three were missed, as ACC plays",
            "Red says 3, with the option muggins.",
            steps=f"{_ACC_MUGGINS} {SHOW} blue:6 blue:6 challenge.red red:6",
            presses=presses("ok.red"),
        ),
        _of_britannica(
            "Points were never called",
            "Red made fifteen and did not claim it; blue has laid the K♦.",
            steps=f"{_MUGGINS} {FIFTEEN} KD",
            presses=presses("red:2\nchallenge.blue"),
        ),
        _of_britannica(
            "Muggins in the play",
            "Blue has pressed CHALLENGE.",
            steps=f"{_MUGGINS} {FIFTEEN} KD challenge.blue",
            presses=presses("blue:2\nok.blue\n4S"),
        ),
        _of_britannica(
            "Muggins in hand in the play",
            "Blue says 2.",
            steps=f"{_MUGGINS} {FIFTEEN} KD challenge.blue blue:2",
            presses=presses("ok.blue\n4S"),
        ),
        _of_britannica(
            "Muggins too late",
            "Red accepted blue’s 6 of 9, and says 3 after that.",
            steps=f"{_MUGGINS} {SHOW} blue:6 blue:6 ok.red challenge.red red:6",
            presses=presses("ok.red"),
        ),
        _of_britannica(
            "Heels were never called",
            "Red, who deals, has laid a card after the jack was turned.",
            steps=f"{_MUGGINS} {DEALT} JC TC 7D KD challenge.blue blue:2",
            presses=presses("ok.blue"),
        ),
        _of_acc(
            "Heels were never called, as ACC plays",
            "Red, who deals, has laid a card.",
            steps=f"{_ACC_MUGGINS} {DEALT} JC TC 7D KD challenge.blue blue:2",
            presses=presses("ok.blue"),
        ),
    ),
)

FALSE_GO = Chapter(
    "A false go",
    "Cards are hidden, so a go can only be seen to have been false when a card comes to light that fitted. The board "
    "says so. By most rules the players agree to go back to it, or play on; by those of ACC the other side has two "
    "points, and says whether the card is played from there or lies dead.",
    (
        Moment(
            "The menu goes back",
            "Red said go at 22, and lays a three.",
            VERIFY,
            f"{_FALSE_GO} menu",
            presses("ok.blue\nmenu"),
        ),
        Moment(
            "Back to the go?",
            "Blue has asked for it.",
            VERIFY,
            f"{_FALSE_GO} menu ok.blue",
            presses("ok.red\nok.blue\nundo"),
        ),
        _of_acc(
            "Played or dead?",
            "Red said go at 22, and lays a three.",
            steps=_FALSE_GO,
            presses=presses("ok.blue\nchallenge.blue\nok.red\n5S\nblue:2"),
        ),
    ),
)

UNREAD = Chapter(
    "A card that cannot be read",
    "A torn label, a dead tag: the table goes on without it, by a line of the menu. The count of such a card is known "
    "to the players alone, so what is called on it stands; at the show it is asked for once more.",
    (
        Moment(
            "The starter cannot be read",
            "The second line of the menu.",
            VERIFY,
            f"{DEALT} menu menu",
            presses("ok.blue"),
        ),
        Moment("A card cannot be laid", "The first line of the menu.", CARDS, f"{LEAD} TC menu", presses("ok.blue")),
        Moment(
            "The count is not known",
            "Red has laid a card that was not read.",
            VERIFY,
            _UNREAD,
            presses("red:2\nKD\ngo.blue"),
        ),
        Moment(
            "A call that nobody can check",
            "Red’s peg is in hand, 2 ahead.",
            VERIFY,
            f"{_UNREAD} red:2",
            presses("ok.red\nKD"),
        ),
        Moment(
            "The card is asked for at the show",
            "Red’s hand comes next.",
            VERIFY,
            _UNREAD_TO_THE_SHOW,
            presses("7D\nmenu"),
        ),
        Moment(
            "A card that could not have been laid",
            "Red’s card was laid at 27, and is asked for.",
            VERIFY,
            _UNREAD_AT_27,
            presses("8D\n4S"),
        ),
        Moment(
            "The card is still not read",
            "The first line of the menu.",
            VERIFY,
            f"{_UNREAD_TO_THE_SHOW} menu",
            presses("ok.red"),
        ),
        Moment("The starter is asked for at the show", "", VERIFY, _STARTER_LAST, presses("6C\nmenu")),
        Moment(
            "The starter is still not read",
            "The first line of the menu.",
            VERIFY,
            f"{_STARTER_LAST} menu",
            presses("ok.red"),
        ),
    ),
)

HELP = Chapter(
    "How much the board tells",
    "A line of the menu between games, where calls are compared with cards. Tournament: nothing before the other side "
    "has answered. Club: the verdict as soon as the peg is let go. Guest: and, while a hand is to be counted, what to "
    "look for, the same for every hand. Coach: and after each count the whole of it, step by step.",
    (
        Moment("The line of help", "", VERIFY, _HELP, presses("ok.blue")),
        Moment("The line of help, as ACC plays", "", VERIFY, f"{_HELP} menu", presses("ok.blue"), rules="acc"),
        Moment("A guest counts a hand", "", VERIFY, f"{_HELP} ok.blue menu.held {SHOW}", presses("blue:9")),
        Moment(
            "A hand is explained",
            "Blue’s peg is in hand, 9 ahead.",
            VERIFY,
            f"{_HELP} ok.blue ok.blue menu.held {SHOW} blue:9",
            presses("ok.blue"),
        ),
        Moment(
            "A hand that was too many is explained",
            "Blue’s peg is in hand, 12 ahead.",
            VERIFY,
            f"{_HELP} ok.blue ok.blue menu.held {SHOW} blue:12",
            presses("ok.red"),
        ),
    ),
)

OFFICIAL = Chapter(
    "An official",
    "Called by the menu, for what the players cannot settle. The game waits, and the screen says for whom, until an OK "
    "says that the official is here. By the rules of FADOQ only a captain speaks to him: the screen says so, and names "
    "who plays there if the board was told. The call is the table’s alone: it is not in the record of the game, and a "
    "board that is switched off meanwhile has forgotten it.",
    (
        Moment("The line for an official", "Red’s 5♦ made fifteen.", VERIFY, f"{FIFTEEN} {_WAITS}", presses("ok.red")),
        Moment(
            "The game waits for the official",
            "Red has called him.",
            VERIFY,
            f"{FIFTEEN} {_WAITS} ok.red",
            presses("ok.blue\nred:2\nKD\nmenu\nundo"),
        ),
        Moment(
            "A captain calls the official",
            "",
            TRUST,
            f"ok.blue ok.red ok.red {_WAITS}",
            presses("ok.red"),
            rules="fadoq",
        ),
    ),
)
