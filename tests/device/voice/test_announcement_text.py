"""What the board says aloud: the words of who calls the game, made from pictures alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from tests.support.catalogues import phrase
from tests.support.moments import BLUE, MENU, RED, SIX_CARD, Story

from cribboard import RULES, Card
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Ask,
    Challenge,
    CutForDeal,
    LayCard,
    NameDealer,
    Question,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.rules import changed
from cribboard.scoring import score_show
from cribd.inputs import Fault, FaultKind
from cribd.storage.outbox import PlayedFor
from cribd.table import count_judge_mode
from cribd.table.organiser_desk import EventGame
from cribd.table.snapshot import PLAYING, JudgeCall, Lobby, OfficialMode, Pending, Refusal, ReviewMode, Snapshot
from cribd.text import load
from cribd.voice.announcement_text import announcement

SILENT = changed(SIX_CARD, {"telling": "tournament"})


def heard(story: Story, *actions: Action, language: str = "en", **manners: object) -> list[str]:
    """What is said as these are done, one after the other."""
    words = []
    for action in actions:
        before = story.shows(**manners)
        words.append(announcement(story.do(action).shows(**manners), before, load(language)))
    return words


def sentence(code: str, language: str = "en", /, **values: object) -> str:
    """A phrase with a capital, and a full stop if it has no other end."""
    text = phrase(code, language, **values)
    return text[0].upper() + text[1:] + ("" if text.endswith(("!", "?")) else ".")


def scored(side: str, score: int, language: str = "en") -> str:
    """That a side has this score."""
    return sentence("voice.score", language, side=side, score=spoken(score, language))


def spoken(number: int, language: str = "en") -> str:
    return phrase(f"number.{number}", language) if number < 30 else str(number)


FIFTEEN = sentence("voice.for.fifteen", points=spoken(2))
YOUR_HAND = sentence("ask.count_hand", seat="Red")


def lay(first: int, cards: str) -> Sequence[Action]:
    return [LayCard((first + n) % 2, card) for n, card in enumerate(Card.parse_many(cards))]


def lets_go(side: int, points: int) -> Sequence[Action]:
    return (TakePegInHand(side, points), ReleasePeg(side)) if points else (TakeZero(side), ReleasePeg(side))


def dealt(starter: str = "9D", *, way: str = "verify", silent: bool = False) -> Story:
    """Red has dealt, and blue is to lead."""
    return Story(way, dealer=RED, rules=SILENT if silent else SIX_CARD).starter(starter)


class TestThePlay:
    def test_a_card_is_called_by_its_running_count(self) -> None:
        for language in ("en", "fr_CA"):
            counts = [sentence(f"number.{count}", language) for count in (7, 17, 21)]
            assert heard(dealt(), *lay(BLUE, "7H TD 4S"), language=language) == counts

    def test_on_verify_points_are_announced_when_the_peg_is_released(self) -> None:
        *_, count, in_hand, scoring = heard(dealt(), *lay(BLUE, "5H TD"), *lets_go(RED, 2))
        assert (count, in_hand, scoring) == (sentence("number.15"), "", f"{FIFTEEN} {scored('Red', 2)}")

    def test_on_auto_count_and_points_are_one_announcement(self) -> None:
        auto = dealt(way="auto")
        assert heard(auto, *lay(BLUE, "5H TD TC 6S")) == [
            sentence("number.5"),
            f"{FIFTEEN} {scored('Red', 2)}",
            f"{sentence('number.25')} {sentence('voice.for.pair', points=spoken(2))} {scored('Blue', 2)}",
            f"{sentence('voice.for.thirty_one', points=spoken(2))} {scored('Red', 4)}",
        ]

    def test_in_french_it_is_quinze_pour_deux(self) -> None:
        assert heard(dealt(way="auto"), *lay(BLUE, "5H TD TC 6S"), language="fr_CA")[1:] == [
            f"Quinze pour deux. {scored('Rouge', 2, 'fr_CA')}",
            f"Vingt-cinq. Une paire pour deux. {scored('Bleu', 2, 'fr_CA')}",
            f"Trente et un pour deux. {scored('Rouge', 4, 'fr_CA')}",
        ]

    def test_after_a_call_that_is_too_high_the_right_points_follow(self) -> None:
        assert heard(dealt(), *lay(BLUE, "5H TD"), *lets_go(RED, 3))[-1] == (
            f"{sentence('said.too_many', points=2)} {FIFTEEN} {scored('Red', 2)}"
        )

    def test_a_call_that_is_too_low_tells_what_was_lost(self) -> None:
        assert heard(dealt(), *lay(BLUE, "5H TD"), *lets_go(RED, 1))[-1] == (
            f"{FIFTEEN} {sentence('said.lost', n=1)} {scored('Red', 1)}"
        )

    def test_go_is_called_and_its_point_too(self) -> None:
        story = dealt(way="auto").lay(BLUE, "TH 9S QC")
        go, point = sentence("voice.go"), sentence("voice.for.go", points=spoken(1))
        assert heard(story, SayGo(RED), SayGo(BLUE)) == [go, f"{go} {point} {scored('Blue', 1)}"]

    def test_a_jack_that_is_cut_is_called_by_its_name_and_as_his_heels(self) -> None:
        for language, red in ("en", "Red"), ("fr_CA", "Rouge"):
            rank, suit = phrase("voice.rank.11", language), phrase("voice.suit.H", language)
            card = phrase("voice.card", language, rank=rank, suit=suit)
            starter = sentence("voice.starter", language, card=card)
            heels = sentence("said.heels", language, side=red)
            turned = TurnStarter(Card.parse("JH"))
            assert heard(Story("verify", dealer=RED), turned, language=language) == [f"{starter} {heels}"]

    def test_two_acts_of_one_press_are_announced_in_order(self) -> None:
        """The next card lets the peg go."""
        assert heard(dealt(), *lay(BLUE, "5H TD"), TakePegInHand(RED, 2), *lay(BLUE, "3C"))[-1] == (
            f"{FIFTEEN} {scored('Red', 2)} {sentence('number.18')}"
        )


def shown(*, silent: bool = False) -> Story:
    """Blue holds 5H 5C JC 4D, red TD 4S 5S JS, the starter is JH; all is pegged that the play gave."""
    story = dealt("JH", silent=silent).lay(BLUE, "5H TD").peg(RED, 4).lay(BLUE, "5C 4S").do(SayGo(BLUE))
    story.do(LayCard(RED, Card.parse("5S")), SayGo(RED)).peg(RED, 1).lay(BLUE, "JC JS").peg(RED, 2).lay(BLUE, "4D")
    return story.peg(BLUE, 1)


def twelve(language: str) -> str:
    """Blue's hand: four fifteens and two pairs."""
    steps = [("fifteen", 2), ("fifteen", 4), ("fifteen", 6), ("fifteen", 8), ("pair", 10), ("pair", 12)]
    *first, last = (phrase(f"cadence.{kind}", language, total=spoken(total, language)) for kind, total in steps)
    said = ", ".join((*first, phrase("cadence.and", language, step=last)))
    return f"{said[0].upper()}{said[1:]}."


TWELVE = twelve("en")


class TestTheShow:
    def test_a_hand_is_announced_in_the_cadence_of_players(self) -> None:
        assert heard(shown(), *lets_go(BLUE, 12), Accept(RED)) == [
            "",
            f"{TWELVE} {scored('Blue', 13)}",
            YOUR_HAND,
        ]

    def test_an_accepted_count_is_announced_in_french(self) -> None:
        assert heard(shown(), *lets_go(BLUE, 12), Accept(RED), language="fr_CA")[1:] == [
            f"{twelve('fr_CA')} {scored('Bleu', 13, 'fr_CA')}",
            sentence("ask.count_hand", "fr_CA", seat="Rouge"),
        ]

    def test_a_hand_of_nothing_is_announced_as_zero(self) -> None:
        story = shown().peg(BLUE, 12).do(Accept(RED)).peg(RED, 17).do(Accept(BLUE)).crib("2H 4C 6D 8S")
        assert heard(story, *lets_go(RED, 0))[-1] == sentence("cadence.nothing")

    def test_nothing_is_announced_before_the_peg_is_released(self) -> None:
        assert heard(shown(), TakePegInHand(BLUE, 10)) == [""]


class TestASilentGame:
    def test_a_released_peg_is_announced_only_with_its_hole(self) -> None:
        for called in (1, 2, 3):
            words = heard(dealt(silent=True), *lay(BLUE, "5H TD"), *lets_go(RED, called))
            assert words[-1] == scored("Red", called)

    def test_an_unchallenged_call_is_not_explained(self) -> None:
        words = heard(dealt(silent=True), *lay(BLUE, "5H TD"), *lets_go(RED, 2), *lay(BLUE, "3C"))
        assert words[-1] == sentence("number.18")

    def test_a_challenge_is_answered_with_the_verdict_and_where_the_peg_stands(self) -> None:
        story = dealt(silent=True)
        words = heard(story, *lay(BLUE, "5H TD"), *lets_go(RED, 3), Challenge(BLUE))
        assert words[-1] == f"{sentence('said.not_so_many', due=2, called=3)} {scored('Red', 2)}"

    def test_a_hand_is_explained_when_the_other_side_has_answered(self) -> None:
        assert heard(shown(silent=True).do(Accept(RED)), *lets_go(BLUE, 12), Accept(RED)) == [
            "",
            scored("Blue", 13),
            f"{TWELVE} {YOUR_HAND}",
        ]
        assert heard(shown(silent=True).do(Accept(RED)), *lets_go(BLUE, 10), Accept(RED))[1:] == [
            scored("Blue", 11),
            f"{TWELVE} {sentence('said.lost', n=2)} {YOUR_HAND}",
        ]


def test_the_dealer_is_announced_and_the_cut_cards_are_not() -> None:
    cut = [CutForDeal(BLUE, Card.parse("4H")), CutForDeal(RED, Card.parse("4C"))]
    again = [CutForDeal(BLUE, Card.parse("9H")), CutForDeal(RED, Card.parse("2C"))]
    assert heard(Story("verify"), *cut, *again) == [
        "",
        sentence("ask.cut_again"),
        "",
        sentence("said.dealer", side="Red"),
    ]
    assert heard(Story("trust"), NameDealer(BLUE)) == [sentence("said.dealer", side="Blue")]


def test_without_cards_the_holes_of_the_pegs_are_announced() -> None:
    assert heard(Story("trust").do(NameDealer(BLUE)), *lets_go(RED, 8), *lets_go(RED, 29), *lets_go(BLUE, 2)) == [
        "",
        scored("Red", 8),
        "",
        scored("Red", 37),
        "",
        scored("Blue", 2),
    ]


def test_a_side_is_called_by_the_name_that_it_was_given() -> None:
    story = Story("trust").do(NameDealer(BLUE))
    assert heard(story, *lets_go(RED, 8), names=("Aline", "Paul"))[-1] == scored("Paul", 8)
    assert heard(story, *lets_go(BLUE, 8), names=("", "Paul"))[-1] == scored("Blue", 8)


def test_a_question_and_its_answer_are_announced() -> None:
    story = dealt().lay(BLUE, "7H TD 4S")
    four = phrase("voice.card", rank=spoken(4), suit=phrase("voice.suit.S"))
    undone = sentence("said.undone_what", what=phrase("undone.LayCard", seat="Blue", card=four))
    assert heard(story, Undo(), Agree(RED)) == [sentence("ask.undo", side="Red"), f"{undone} {sentence('number.17')}"]
    misdeal = [sentence("ask.misdeal", side="Red"), sentence("said.misdeal")]
    assert heard(dealt(), Ask(BLUE, Question.MISDEAL), Agree(RED)) == misdeal


def test_a_win_is_announced_with_its_skunk_and_then_the_match() -> None:
    story = Story("trust").do(NameDealer(BLUE)).peg(BLUE, 20).peg(RED, 29, 29, 29, 29)
    won, skunk = sentence("said.won", side="Red"), sentence("skunk")
    assert heard(story, *lets_go(RED, 5))[-1] == f"{scored('Red', 121)} {won} {skunk}"
    before = story.do(AcceptResult(BLUE)).shows(match=7)
    after = story.do(AcceptResult(RED)).shows(match=7, match_over=True, match_winner=RED, mode=Lobby.AGAIN)
    final, match = sentence("said.final"), sentence("match.won", side="Red")
    assert announcement(after, before, load("en")) == f"{final} {match}"


def test_a_lurch_is_called_a_lurch() -> None:
    story = Story("trust", rules=RULES["britannica"]).do(NameDealer(BLUE)).peg(RED, 29, 29, 29, 29)
    assert heard(story, *lets_go(RED, 5))[-1].endswith(f"{sentence('said.won', side='Red')} {sentence('lurch')}")


@pytest.mark.parametrize(("language", "blue"), [("en", "Blue"), ("fr_CA", "Bleu")])
def test_a_late_claim_says_whose_ok_it_needs(language: str, blue: str) -> None:
    late = dealt()
    heard(late, *lay(BLUE, "7C 8D 9C"))
    (said,) = heard(late, TakePegInHand(RED, 2), language=language)
    assert said.endswith(sentence("voice.late", language, side=blue))
    named = dealt()
    heard(named, *lay(BLUE, "7C 8D 9C"))
    (said,) = heard(named, TakePegInHand(RED, 2), language=language, names=("Aline", "Paul"))
    assert said.endswith(sentence("voice.late", language, side="Aline"))


class TestWhatIsNotSaid:
    """What stands on the screen for who looks there."""

    STORY = dealt().lay(BLUE, "7H")
    NOW = STORY.shows()

    @pytest.mark.parametrize(
        "snapshot",
        [
            replace(NOW, refusal=Refusal("not_your_turn", {"seat": BLUE})),
            replace(NOW, faults=(Fault(FaultKind.VOICE_AWAY, "voice"),)),
            replace(NOW, pending=Pending(BLUE, 8)),
            replace(NOW, mode=MENU),
            replace(NOW, mode=ReviewMode(dealt().shows().view, 3)),  # type: ignore[arg-type]
            replace(NOW, language="fr_CA"),
        ],
        ids=["refusal", "fault", "pending", "menu", "look back", "language"],
    )
    def test_refusals_faults_and_the_menu_are_not_announced(self, snapshot: Snapshot) -> None:
        assert announcement(snapshot, self.NOW, load("en")) == ""

    def test_a_game_loaded_at_the_start_is_not_announced(self) -> None:
        for mode in (Lobby.RESUME, PLAYING):
            assert announcement(replace(self.NOW, mode=mode), Snapshot(), load("en")) == ""

    def test_a_resumed_game_is_not_announced(self) -> None:
        assert announcement(self.NOW, replace(self.NOW, mode=Lobby.RESUME), load("en")) == ""

    def test_a_peg_in_hand_is_not_announced(self) -> None:
        assert heard(dealt().lay(BLUE, "5H TD"), TakePegInHand(RED, 2), TakePegInHand(RED, 3)) == ["", ""]


def test_an_official_is_called_aloud_once() -> None:
    before = dealt().shows()
    called = replace(before, mode=OfficialMode(RED))
    assert announcement(called, before, load("en")) == sentence("ask.official", side="Red")
    assert announcement(called, called, load("en")) == ""


def test_a_game_of_an_event_that_falls_due_is_called_aloud_once_also_during_another() -> None:
    due = EventGame(place=PlayedFor(UUID(int=1), 2, 3, 1), names=("Ann", "Bob"), rules=RULES["fadoq"])
    for before in (dealt().shows(), Snapshot(mode=Lobby.AGAIN)):
        called = replace(before, event=due)
        assert announcement(called, before, load("en")) == sentence("voice.called", round=2)
        assert announcement(called, called, load("en")) == ""


def test_the_count_judge_says_who_is_right_and_why_and_says_it_once() -> None:
    opened = count_judge_mode.opened(Snapshot().rules)
    cards = opened.judge.with_cards(Card.parse_many("5H 5C JC 4D JH"))
    asked = Snapshot(mode=replace(opened, judge=cards, called=JudgeCall(11)))
    assert asked.judging is not None
    answered = Snapshot(mode=count_judge_mode.with_answer(asked.judging))
    assert announcement(asked, Snapshot(mode=opened), load("en")) == ""
    verdict = sentence("judge.too_few", called=11, due=12)
    assert announcement(answered, asked, load("en")) == f"{verdict} {TWELVE}"
    assert answered.judging is not None
    turned = replace(answered, mode=replace(answered.judging, page=1))
    assert announcement(turned, answered, load("en")) == ""


def test_the_count_judge_just_counts_aloud_where_nothing_was_called() -> None:
    before = Snapshot(mode=count_judge_mode.opened(Snapshot().rules))
    assert before.judging is not None
    score = score_show(Card.parse_many("5H 5C JC 4D"), Card.parse("JH"), crib=False)
    counted = Snapshot(mode=replace(before.judging, called=JudgeCall(12, answer=score)))
    assert announcement(counted, before, load("en")) == TWELVE
