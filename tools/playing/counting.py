"""The show, the crib, and a table that trusts: rules reference, 7.1 to 7.4, 7.11 and 7.12."""

from __future__ import annotations

from tools.playing.moment import AUTO, CRIB, CRIB_READ, NAMED, PLAYED, SHOW, TRUST, VERIFY, Chapter, Moment, presses

THE_SHOW = Chapter(
    "The show",
    "The screen names the hand. The other side accepts a count, by its OK or by its own next count; no time limit "
    "ever does. CHALLENGE says that it is too much. On auto the board counts, and any OK goes on.",
    (
        Moment(
            "Blue counts its hand",
            "10♣ K♦ 4♥ 5♠ with the 6♣: nine are due. The board does not say so.",
            VERIFY,
            SHOW,
            presses("""
                blue:9  what is due
                blue:12  too many
                blue:6  too few
                blue:19
                blue:26  no hand counts 26
                blue:30  no hand counts so much
                ok.blue  nothing
                ok.red
                red:11  not red’s turn
                AH
                challenge.red
                go.blue
            """),
        ),
        Moment(
            "Blue’s count is in hand",
            "Nine, which is due.",
            VERIFY,
            f"{SHOW} blue:9",
            presses("""
                blue:9
                ok.blue
                ok.red
                challenge.red
                blue:10
                red:11  red’s own count
                undo
            """),
        ),
        Moment(
            "Blue’s count is in hand, too far",
            "Twelve, and nine are due.",
            VERIFY,
            f"{SHOW} blue:12",
            presses("""
                ok.blue
                ok.red
                challenge.red
            """),
        ),
        Moment(
            "Blue’s count is in hand, not far enough",
            "Six, and nine are due.",
            VERIFY,
            f"{SHOW} blue:6",
            presses("""
                ok.blue
                challenge.red
            """),
        ),
        Moment(
            "Blue’s count was let go",
            "It is red’s to say whether it stands.",
            VERIFY,
            f"{SHOW} blue:9 ok.blue",
            presses("""
                ok.red
                challenge.red
                red:11  red’s own count
                ok.blue
                challenge.blue
                blue:10
            """),
        ),
        Moment(
            "Blue says zero",
            "With no peg in hand, blue’s own OK has taken a zero in hand.",
            VERIFY,
            f"{SHOW} ok.blue",
            presses("""
                ok.blue
                ok.red
                challenge.red
                blue:9
            """),
        ),
        Moment(
            "Blue has pressed 19 ahead",
            "No hand counts nineteen, and players say 19 for nothing.",
            VERIFY,
            f"{SHOW} blue:19",
            presses("""
                ok.blue
                ok.red
                blue:19
                blue:9
            """),
        ),
        Moment(
            "The board counts",
            "The last card is laid, and any OK opens the first hand.",
            AUTO,
            PLAYED,
            presses("""
                ok.blue
                red:11
                AH
                challenge.red
            """),
        ),
        Moment(
            "The board has counted blue’s hand", "It explains the count.", AUTO, f"{PLAYED} ok.red", presses("ok.red")
        ),
    ),
)

THE_CRIB = Chapter(
    "The crib, and the end of a deal",
    "The crib’s four cards are scanned in any order, and the dealer counts it as a hand. When it is accepted the "
    "deal is over, and the other side deals.",
    (
        Moment(
            "The crib is to be scanned",
            "The dealer’s hand is accepted.",
            VERIFY,
            CRIB,
            presses("""
                AH
                6C
                “XX”
                red:13
                ok.red
                ok.blue
            """),
        ),
        Moment("The last card of the crib", "Three are scanned.", VERIFY, f"{CRIB} AH 8C JS", presses("3D")),
        Moment(
            "Red counts the crib",
            "A♥ 8♣ J♠ 3♦ with the 6♣: two are due.",
            VERIFY,
            CRIB_READ,
            presses("""
                red:13
                ok.red
            """),
        ),
        Moment(
            "The crib is counted",
            "Red has let go of its two.",
            VERIFY,
            f"{CRIB_READ} red:13 ok.red",
            presses("""
                ok.blue
                challenge.blue
            """),
        ),
        Moment(
            "The board asks for the crib",
            "Both hands are counted and seen.",
            AUTO,
            f"{PLAYED} ok.red ok.red ok.red",
            presses("""
                AH
                ok.red
            """),
        ),
        Moment(
            "The last card of the crib, on auto",
            "Three are scanned.",
            AUTO,
            f"{PLAYED} ok.red ok.red ok.red AH 8C JS",
            presses("3D"),
        ),
        Moment(
            "The board has counted the crib",
            "It explains the count.",
            AUTO,
            f"{PLAYED} ok.red ok.red ok.red AH 8C JS 3D",
            presses("ok.blue"),
        ),
    ),
)

TRUSTING = Chapter(
    "Scoring on trust",
    "No card is scanned: whatever scores is pegged, and what is pegged is the truth. A peg in hand is let go by "
    "itself after three seconds, unless the configuration says otherwise.",
    (
        Moment(
            "The deal is played",
            "Red deals. Whoever scores presses a hole ahead on his own track.",
            TRUST,
            NAMED,
            presses("""
                blue:8
                blue:8&red:5
                blue:8&blue:9
                blue:19
                blue:40
                ok.blue
                ok.red
                challenge.red
                go.blue
                4H
                undo
            """),
        ),
        Moment(
            "A peg is in hand, on trust",
            "Blue has pressed the hole 8 ahead.",
            TRUST,
            f"{NAMED} blue:8",
            presses("""
                blue:8
                ok.blue
                ok.red
                red:5
                wait:3.1
                blue:9
                challenge.red
                challenge.blue
                undo
            """),
        ),
        Moment(
            "The peg was let go, on trust",
            "Blue’s front peg is in hole 8, its back peg at the start.",
            TRUST,
            f"{NAMED} blue:8 ok.blue",
            presses("""
                blue:12
                blue:5
                blue:8
                challenge.red
                ok.red
                ok.blue
                undo
            """),
        ),
        Moment(
            "A second peg in hand",
            "Blue’s front peg is in hole 8, and the peg in hand blinks in hole 12.",
            TRUST,
            f"{NAMED} blue:8 ok.blue blue:12",
            presses("blue:8"),
        ),
        Moment(
            "Blue has pressed 19 ahead, on trust",
            "It may be a joke for nothing.",
            TRUST,
            f"{NAMED} blue:19",
            presses("""
                ok.blue
                blue:18
                blue:19
                ok.red
                wait:3.1
            """),
        ),
        Moment(
            "Blue has pressed a hole far ahead",
            "No hand counts more than 29.",
            TRUST,
            f"{NAMED} blue:40",
            presses("""
                blue:40
                blue:8
                ok.blue
                wait:3.1
            """),
        ),
    ),
)
