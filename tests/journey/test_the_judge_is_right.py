"""The count judge on the simulated board, against a judgement of its own: hands by the reader's bytes, numbers by the
buttons, and the answer from the screen's RAM.

What is due is counted by `by_the_rules`, and what no hand counts stands here as the rules reference has it (section 4,
A16, 3.23): neither has it from the product. The line that is expected is spelled here too.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.bookkeeper.by_the_rules import RANKS, count_hand
from tests.bookkeeper.presets_by_the_rules import PRESETS
from tests.support.catalogues import phrase
from tests.support.seats import RED
from tests.support.watched_board import WatchedBoard

from cribd.display.canvas import Canvas
from cribd.display.fonts import font
from cribd.display.screen import screen_image
from cribd.inputs import Key
from cribd.text import load

PACK = [rank + suit for rank in RANKS for suit in "CDHS"]
HANDS = 16
NEVER = {4: {19, 25, 26, 27}, 3: {16, 17, 18, 19}}
MOST = {4: 29, 3: 20}


def expected(called: int, due: int, size: int) -> str:
    """The main line, in English."""
    if called == 19 and due == 0:
        return phrase("judge.jest")
    if called == due:
        return phrase("judge.exact", called=called)
    if called in NEVER[size] or called > MOST[size]:
        return phrase("judge.impossible", called=called, due=due)
    return phrase("judge.too_many" if called > due else "judge.too_few", called=called, due=due)


def stands_at_the_top(board: WatchedBoard, text: str) -> bool:
    """Whether these dots are the uppermost sixteen rows of the screen."""
    line = font("tall").fit_text(text, 128)
    alone = Canvas(128, 16)
    alone.put(line, min(1, 128 - line.width), 0)
    return board.twin.oled().pixels[: 16 * 16] == alone.image().tobytes()


@pytest.mark.parametrize(("rules", "crib"), [("six-card", False), ("acc", True), ("five-card", False), ("fadoq", True)])
async def test_every_verdict_is_that_of_the_rules(rules: str, crib: bool, tmp_path: Path) -> None:
    rng = Random(f"{rules} {crib}")
    board = WatchedBoard(tmp_path / "board", "his_nobs", 1)
    await board.start()
    fingers = board.fingers
    await board.open_count_judge()
    while fingers.snapshot.judging is not None and fingers.snapshot.judging.rules.title != rules:
        await fingers.key(Key.CHALLENGE, RED)
    if crib:
        await fingers.key(Key.GO, RED)
    played = PRESETS[rules]
    size = 4 if crib else played.cards_dealt - played.discards
    for _ in range(HANDS):
        *hand, starter = rng.sample(PACK, size + 1)
        for card in (*hand, starter):
            await board.scan(card)
            await board.clock.advance(1.2)
        due = sum(count_hand(hand, starter, rules=played, crib=crib).parts)
        for called in {max(1, due), max(1, due + rng.choice((-2, -1, 1, 2))), rng.randint(1, 31), 19}:
            await fingers.press(rng.randrange(2), called)
            await board.clock.advance(0.3)
            prompt = load("en").prompt(fingers.snapshot)
            assert prompt == expected(called, due, size), (hand, starter, called, due)
            assert stands_at_the_top(board, prompt)
            assert board.twin.oled().pixels == screen_image(fingers.snapshot, load("en")).tobytes()
    await board.leave()
