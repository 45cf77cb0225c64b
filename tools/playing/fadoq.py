"""FADOQ, where it is not like partners: rules reference, 3.1."""

from __future__ import annotations

from functools import partial

from tools.playing.moment import AUTO, TRUST, VERIFY, Chapter, Moment, presses
from tools.playing.partners import FOUR, FOUR_CARDS

_of_fadoq = partial(Moment, rules="fadoq")

_BLUE_2_DEALS = "5D KH {jack} 7H 4H KS 5H QC 6H QH 5C KC 6C QS 5S TD 4C"
#: Two deals in which blue counts 29 and 24 for its hands and 12 for its crib, and red says zero for everything.
_TWO_DEALS = (
    f"{FOUR} {FOUR_CARDS} blue:29 ok.red ok.red ok.blue blue:53 ok.red ok.red ok.blue 2C 2D 8C 9D ok.red ok.blue "
    f"{_BLUE_2_DEALS.format(jack='JD')} ok.red ok.blue blue:82 ok.red ok.red ok.blue blue:106 ok.red 7C 7D 8C 8D"
)
_AT_116 = f"{_TWO_DEALS} blue:116 ok.red"
_AT_117 = f"{_TWO_DEALS} blue:117 ok.red"
_GO = "KD TC 9D 7S go.red go.blue go.red go.blue"  # Blue 2 laid the 7♠, and nobody could go on
#: Red 2 deals, and Blue 1 counts first: J♦ 6♣ 2♣ 8♣. With the K♦ his nobs is all, with the 9♦ there is a fifteen too.
_PLAYED = "JD KH 4H 7H 6C KC 5S TH 2C QH 9H TS 8C QC 7S AS"
_BOARD_COUNTS = "ok.blue ok.red ok.blue ok.red ok.blue"
#: On auto the same cards, but for one, bring blue to 120.
_BOARD_AT_120 = (
    f"{FOUR} {FOUR_CARDS} {_BOARD_COUNTS} 2C 2D 8C 9D ok.blue "
    f"{_BLUE_2_DEALS.format(jack='TS')} {_BOARD_COUNTS} 2C 9D 8C 3D ok.blue"
)

FADOQ = Chapter(
    "FADOQ",
    "Partners, to 121. From 116 on no side advances by a single point: such a point is lost. Two or more in one move "
    "count as ever. A count is accepted by the other side’s OK alone, and eight games are added up by their points.",
    (
        _of_fadoq(
            "A count waits for its OK",
            "Blue 2 has let go of its 29. Red 2 counts next, but only after red’s OK.",
            VERIFY,
            f"{FOUR} {FOUR_CARDS} blue:29 ok.blue",
            presses("""
                red:12
                ok.red
                challenge.red
            """),
        ),
        _of_fadoq(
            "A go at 116",
            "Blue stands at 116, and Blue 2 laid last: the point for go would be blue’s.",
            VERIFY,
            f"{_AT_116} {_GO}",
            presses("""
                blue:117
                ok.blue
                9H  Red 2 leads
            """),
        ),
        _of_fadoq(
            "Two points at 116",
            "Blue 2 has made fifteen.",
            VERIFY,
            f"{_AT_116} KD 5S 6D 4D",
            presses("blue:118"),
        ),
        _of_fadoq(
            "A hand of one at 117",
            "Blue 1 counts J♦ 6♣ 2♣ 8♣ with the K♦: his nobs is the only point.",
            VERIFY,
            f"{_AT_117} KD {_PLAYED}",
            presses("""
                blue:118
                ok.blue
            """),
        ),
        _of_fadoq(
            "Zero for a hand of one",
            "The point cannot be taken, so blue says zero.",
            VERIFY,
            f"{_AT_117} KD {_PLAYED} ok.blue",
            presses("ok.red"),
        ),
        _of_fadoq(
            "A go at 120, and the board counts",
            "Blue needs one hole, and a single point is not enough.",
            AUTO,
            f"{_BOARD_AT_120} {_GO.removesuffix(' go.blue')}",
            presses("go.blue"),
        ),
        _of_fadoq(
            "At 117, on trust",
            "Blue stands at 117.",
            TRUST,
            f"{FOUR} blue:117 blue:117 ok.blue",
            presses("""
                blue:118
                blue:119
            """),
        ),
        _of_fadoq(
            "At 120, on trust",
            "One hole is left. The board cannot know what was made, and takes the game hole for two points or more.",
            TRUST,
            f"{FOUR} blue:120 blue:120 ok.blue",
            presses("blue:121"),
        ),
        _of_fadoq(
            "The last hole is in hand, on trust",
            "The board reminds that it takes two.",
            TRUST,
            f"{FOUR} blue:120 blue:120 ok.blue blue:121",
            presses("""
                ok.blue
                blue:120
                challenge.red
            """),
        ),
        _of_fadoq(
            "Every one is barred",
            "The first option is played: a combination of one point is lost, in whatever it stands. Blue 1 counts a "
            "hand of three at 117, one of them his nobs.",
            VERIFY,
            f"menu menu ok.blue menu.held {_AT_117} 9D {_PLAYED}",
            presses("blue:120\nblue:119"),
        ),
        _of_fadoq(
            "Only the way out takes two",
            "The second option is played: a single point counts, but not from 120.",
            TRUST,
            f"menu menu menu ok.blue menu.held {FOUR} blue:117 blue:117 ok.blue",
            presses("blue:118"),
        ),
        _of_fadoq(
            "A game of eight is over",
            "The result is final, and eight games are added up by their points.",
            TRUST,
            f"{FOUR} red:90 red:90 ok.red blue:121 blue:121 blue:121 ok.red ok.blue",
            presses("ok.blue"),
        ),
    ),
)
