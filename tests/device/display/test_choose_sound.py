"""Which sound goes with a change of the table."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.support.moments import BLUE, RED, Story
from tests.support.moments_of_rulings import to_the_show

from cribboard import RULES, Card, Rules
from cribboard.actions import Accept, Action, Challenge, LayCard, ReleasePeg, SayGo, TakePegInHand, TakeZero
from cribboard.rules import changed
from cribd.display.choose_sound import sound_of
from cribd.drivers.buzzer import Sound
from cribd.table.snapshot import Line, Lobby, Menu, MenuLine, Pending, Refusal, Snapshot


def heard(before: Snapshot, after: Snapshot) -> Sound | None:
    return sound_of(after, before)


def test_a_card_that_is_laid_ticks_and_a_peg_that_is_let_go_scores() -> None:
    story = Story("verify", dealer=RED).starter("5H")
    turned = story.shows()
    laid = story.lay(BLUE, "5C").shows()
    assert heard(turned, laid) is Sound.TICK
    assert heard(laid, story.lay(RED, "5S").peg(RED, 2).shows()) is Sound.SCORE


def test_go_and_the_win_have_sounds_of_their_own() -> None:
    story = Story("verify", dealer=RED).starter("2H").lay(BLUE, "TC KS")
    story.do(LayCard(BLUE, Card.parse("2C")))
    before = story.shows()
    assert heard(before, story.do(SayGo(RED)).shows()) is Sound.GO
    trusting = Story("trust", dealer=RED)
    before = trusting.shows()
    won = trusting.do(TakePegInHand(BLUE, 121), TakePegInHand(BLUE, 121), ReleasePeg(BLUE)).shows()
    assert heard(before, won) is Sound.WIN


def test_refusals_and_rulings_sound_like_an_error() -> None:
    story = Story("verify", dealer=RED).starter("5H")
    before = story.shows()
    assert heard(before, replace(before, refusal=Refusal("menu_open"))) is Sound.ERROR
    story.lay(BLUE, "9C")
    before = story.shows()
    assert heard(before, story.do(TakePegInHand(RED, 2)).shows()) is Sound.ERROR


@pytest.mark.parametrize("rules", [RULES["acc"], changed(RULES["britannica"], {"muggins": "on"})], ids=lambda r: r.name)
@pytest.mark.parametrize("called", [9, 12, 6, 0], ids=["exact", "too many", "too few", "nothing"])
def test_right_and_wrong_calls_of_a_silent_game_sound_alike_and_so_do_their_verdicts(rules: Rules, called: int) -> None:
    """Blue's hand is 9. What is heard of its call, of the OK to it and of a doubt about it never depends on that."""
    table = f"muggins={rules.claims.muggins}"
    sounds = {}
    for answers in ("accepted", "doubted", "mugged"):
        story = to_the_show(rules)
        acts: list[Action] = [TakePegInHand(BLUE, called) if called else TakeZero(BLUE), ReleasePeg(BLUE)]
        match answers, table:
            case "accepted", _:
                acts += [Accept(RED)]
            case "doubted", "muggins=on":
                acts += [Challenge(RED), Accept(RED)]
            case "mugged", "muggins=on":
                acts += [Challenge(RED), TakePegInHand(RED, 3), ReleasePeg(RED)]
            case _:
                acts += [Challenge(RED)]
        seen = [story.shows(), *(story.do(act).shows() for act in acts)]
        sounds[answers] = [heard(before, after) for before, after in pairwise(seen)]
    let_go = Sound.SCORE if called else Sound.TICK
    assert sounds["accepted"] == [Sound.TICK, let_go, Sound.TICK]
    assert [each[-1] for each in (sounds["doubted"], sounds["mugged"])] == [Sound.SCORE] * 2


def test_menu_and_lobby_tick_and_a_pending_press_is_silent() -> None:
    before = Story("verify", dealer=RED).shows()
    assert heard(before, replace(before, mode=Menu((MenuLine(Line.BREAK_OFF),)))) is Sound.TICK
    assert heard(before, replace(before, mode=Lobby.RESUME)) is Sound.TICK
    assert heard(before, replace(before, pending=Pending(BLUE, 5))) is None
    assert heard(before, before) is None
