"""Choosing the rules in the menu: rules reference, 7.15."""

from __future__ import annotations

from tools.playing.moment import EVERY, TRUST, Chapter, Moment, presses


def _steps(to: int) -> str:
    """MENU, and OK until the rules of that number are played."""
    return " ".join(["menu", *["ok.blue"] * to])


#: The rules after six-card, as a board with three tracks offers them.
_IN_ORDER = (
    "Three players are", "Partners are", "Six players are", "FADOQ is", "Five-card is", "Britannica is", "Jeux 50+ is",
    "ACC is",
)  # fmt: skip

#: Blue has won the first game of a match by a skunk.
_TWO_TO_NOTHING = "ok.blue ok.red blue:121 blue:121 blue:121 ok.red ok.blue"

CHOOSING = Chapter(
    "Choosing the rules",
    "The first line of the menu, while no game is under way. It shows the rules that are chosen, and below them those "
    "that an OK chooses, with what is special about them. Rules that the board has no track for are not shown. The "
    "next lines are the options of the rules, on or off.",
    (
        Moment(
            "The line of the rules",
            "At a board with two tracks three players and six are not offered.",
            TRUST,
            "menu",
            presses("ok.blue"),
        ),
        *(
            Moment(f"{now} chosen", "", TRUST, _steps(number), presses("ok.blue"), board="triple")
            for number, now in enumerate(_IN_ORDER, start=1)
        ),
        Moment(
            "The line of an option",
            "Britannica is played, and it has two options: a short game, and an exact end.",
            EVERY,
            "menu menu",
            presses("""
                ok.blue
                menu
                menu.held
            """),
            rules="britannica",
        ),
        Moment("The option is taken", "", TRUST, "menu menu ok.blue", presses("ok.blue\nmenu"), rules="britannica"),
        Moment("The line of the exact end", "", TRUST, "menu menu menu", presses("ok.blue"), rules="britannica"),
        Moment("The first option of FADOQ", "", TRUST, "menu menu", presses("ok.blue"), rules="fadoq"),
        Moment("The second option of FADOQ", "", TRUST, "menu menu menu", presses("ok.blue"), rules="fadoq"),
        Moment("The first option of five-card", "", TRUST, "menu menu", presses("ok.blue"), rules="five-card"),
        Moment("The second option of five-card", "", TRUST, "menu menu menu", presses("ok.blue"), rules="five-card"),
        Moment(
            "The option of six players", "", TRUST, "menu menu", presses("ok.blue"), rules="six-player", board="triple"
        ),
        Moment(
            "Other rules are chosen",
            "Partners, and the menu is left.",
            TRUST,
            "menu ok.blue menu.held",
            presses("ok.blue"),
        ),
        Moment(
            "Other rules are chosen after a game",
            "Other rules begin a new match: the line said so before the OK. Until a game begins, the match goes on if "
            "its own rules are chosen again.",
            TRUST,
            f"{_TWO_TO_NOTHING} menu ok.blue",
            presses("menu.held"),
        ),
        Moment(
            "The line of a new match",
            "It is there between two games of a match.",
            TRUST,
            f"{_TWO_TO_NOTHING} menu menu menu",
            presses("ok.red"),
        ),
        Moment("A new match is chosen", "", TRUST, f"{_TWO_TO_NOTHING} menu menu menu ok.red", presses("ok.blue")),
    ),
)
