"""From the cut for deal to the last card: rules reference, 7.1 to 7.9."""

from __future__ import annotations

from tools.playing.moment import AT_27, CARDS, DEALT, FIFTEEN, LEAD, PLAYED, TRUST, VERIFY, Chapter, Moment, presses

CUT = Chapter(
    "The cut for deal",
    "The lower card deals. Who has agreed already, or has no reader, says so by the dealer’s own OK.",
    (
        Moment(
            "Who deals?",
            "On trust nobody scans: the dealer presses OK.",
            TRUST,
            "ok.blue",
            presses("""
                ok.red
                ok.blue
                4H
                blue:8
                go.blue
                challenge.blue
                undo
            """),
        ),
        Moment(
            "The first cut",
            "Blue is named first.",
            CARDS,
            "ok.blue",
            presses("""
                9H
                ok.red  red deals, nobody cuts
                “XX”
                “5”
                blue:8
                go.blue
                challenge.blue
            """),
        ),
        Moment(
            "The second cut",
            "Blue has cut the 9♥.",
            CARDS,
            "ok.blue 9H",
            presses("""
                4C  lower
                QC  higher
                9C  as high
                9H  the same card again
                ok.blue  blue deals after all
                undo
            """),
        ),
        Moment("Cut again", "Both cut a nine.", CARDS, "ok.blue 9H 9C", presses("9H\nok.red")),
    ),
)

DEAL = Chapter(
    "Deal and starter",
    "The dealer deals six cards each, both discard two, and the starter is scanned. Nothing else is taken before.",
    (
        Moment(
            "The starter is to be scanned",
            "Red deals.",
            CARDS,
            DEALT,
            presses("""
                6C
                JC  a jack
                blue:2
                ok.blue
                go.blue
                challenge.blue
                undo
            """),
        ),
        Moment(
            "A jack is the starter",
            "His heels are the dealer’s, and to be claimed before his own first card. Blue leads.",
            VERIFY,
            f"{DEALT} JC",
            presses("""
                red:2
                red:3
                TC  blue leads, and red may still claim
                ok.blue
            """),
        ),
        Moment(
            "His heels were forgotten",
            "Blue led, and red, who deals, laid a card; only then did red press the hole 2 ahead.",
            VERIFY,
            f"{DEALT} JC TC 7D red:2",
            presses("ok.red"),
        ),
    ),
)

PLAY = Chapter(
    "The play",
    "Cards are scanned as they are laid. Who scores claims it on his track; the next card accepts it, and no OK is "
    "needed. On auto the board pegs, and a card that makes nothing is laid in silence.",
    (
        Moment(
            "Blue leads",
            "The starter is the 6♣.",
            CARDS,
            LEAD,
            presses("""
                TC
                6C
                “XX”
                go.blue
                go.red
                blue:2
                red:2
                blue:2&blue:3
                ok.blue
                challenge.red
                ok.red&challenge.red&go.red  keys mashed
                menu.held
                undo
            """),
        ),
        Moment(
            "A card lies at ten",
            "Blue has laid the 10♣.",
            CARDS,
            f"{LEAD} TC",
            presses("""
                5D  fifteen
                7D  nothing
                TC
                go.red
                go.blue
            """),
        ),
        Moment(
            "Red has made fifteen",
            "Red laid the 5♦ on the 10♣. Two points are due, and the board says nothing.",
            VERIFY,
            FIFTEEN,
            presses("""
                red:2  what is due
                red:3  one too many
                red:1  one too few
                red:19
                red:26  no count is 26
                red:30  no count is so high
                blue:2
                KD  the next card
                go.blue
                go.red
                ok.blue
                challenge.blue
                blue:2&red:2
            """),
        ),
        Moment(
            "A peg is in hand",
            "Red has pressed the hole 2 ahead, which is due. It can still be moved.",
            VERIFY,
            f"{FIFTEEN} red:2",
            presses("""
                red:2
                ok.red
                ok.blue
                challenge.blue
                challenge.red
                red:4  another hole
                KD  the next card
                blue:2
                undo
                go.blue&ok.blue&challenge.blue&undo&menu&go.red&ok.red&challenge.red  keys mashed
            """),
        ),
        Moment(
            "A peg is in hand, too far",
            "Red has pressed the hole 4 ahead, and 2 are due.",
            VERIFY,
            f"{FIFTEEN} red:4",
            presses("""
                ok.red
                ok.blue
                challenge.blue
                KD
            """),
        ),
        Moment(
            "A peg is in hand, not far enough",
            "Red has pressed the hole 1 ahead, and 2 are due.",
            VERIFY,
            f"{FIFTEEN} red:1",
            presses("""
                ok.red
                ok.blue
            """),
        ),
        Moment(
            "The peg was let go",
            "Red has pegged its 2. From here nothing raises or moves the peg.",
            VERIFY,
            f"{FIFTEEN} red:2 ok.red",
            presses("""
                red:3
                red:2
                ok.red
                ok.blue
                challenge.blue
                KD
                undo
            """),
        ),
        Moment(
            "Further on the track",
            "Red’s front peg is in hole 2, and red has just made thirty-one.",
            VERIFY,
            f"{FIFTEEN} red:2 ok.red KD 6D",
            presses("""
                red:4
                red:1
                red:2
            """),
        ),
        Moment(
            "Further on the track, with a peg in hand",
            "Red’s front peg is in hole 2, and the peg in hand blinks in hole 4.",
            VERIFY,
            f"{FIFTEEN} red:2 ok.red KD 6D red:4",
            presses("""
                red:2
                red:1
            """),
        ),
        Moment(
            "Forgotten points",
            "Red made fifteen and did not claim it; blue has laid the K♦. Until this count ends blue may agree.",
            VERIFY,
            f"{FIFTEEN} KD",
            presses("""
                red:2
                3D  the next card
            """),
        ),
        Moment(
            "Forgotten points are asked for",
            "Red has pressed the hole 2 ahead, one card late.",
            VERIFY,
            f"{FIFTEEN} KD red:2",
            presses("""
                ok.blue
                challenge.blue
                ok.red
                red:2
                red:1
                3D  the next card
            """),
        ),
    ),
)

GO = Chapter(
    "Go, thirty-one, the last card",
    "GO belongs to the seat to play. The others play on, and the last to lay presses GO when he can lay no more. At "
    "31, without cards, and when nobody else holds a card, no GO is needed.",
    (
        Moment(
            "The count is 27",
            "Blue laid the K♦, and red is to play.",
            CARDS,
            AT_27,
            presses("""
                go.red
                go.red.held
                go.blue
                9D
                4S  thirty-one
            """),
        ),
        Moment(
            "Red has said go",
            "Blue plays on at 27.",
            CARDS,
            f"{AT_27} go.red",
            presses("""
                2S
                go.blue
                go.red
                9S
            """),
        ),
        Moment(
            "The go is over",
            "Blue laid last and has said go too. The point is blue’s, and red leads.",
            CARDS,
            f"{AT_27} go.red go.blue",
            presses("""
                blue:1
                red:1
                9D
                go.red
            """),
        ),
        Moment(
            "A go that was none",
            "Red said go at 27, and now lays a card that would have fitted.",
            CARDS,
            f"{AT_27} go.red go.blue",
            presses("4S"),
        ),
        Moment(
            "The last card of all",
            "Red holds the last card, and it makes a pair.",
            CARDS,
            PLAYED.removesuffix(" 5H"),
            presses("5H"),
        ),
    ),
)
