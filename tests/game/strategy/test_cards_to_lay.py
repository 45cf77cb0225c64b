"""Which card is laid: always one that may be, from what the player sees alone, and a better one than the greedy."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.self_play import deal
from tests.support.sweeps import one_in

from cribboard import PACK, RULES, Card, Game, Rules
from cribboard.actions import LayCard, SayGo, TurnStarter
from cribboard.play import LIMIT, score_play
from cribboard.position import Phase
from cribboard.rules import Option, changed
from cribboard.strategy import Act, PlayerView, RobotLevel, choose_card, choose_discard, ranked_cards
from cribboard.strategy.pegging import Play, made

SIX_CARD = RULES["six-card"]
RULE_SETS = [*RULES.values(), changed(RULES["five-card"], {"cards_dealt": 4, "discards": 1})]


def seen(hand: str, *, laid: str = "", discarded: str = "QH KD", starter: str = "9S", dealer: int = 1) -> PlayerView:
    """What the player in seat 0 sees. The seats lay in turn, a `-` is a go."""
    first = 1 - dealer
    acts = [Act((first + at) % 2, None if word == "-" else Card.parse(word)) for at, word in enumerate(laid.split())]
    return PlayerView(
        SIX_CARD, 0, dealer, (0, 0), Card.parse_many(hand), Card.parse_many(discarded), Card.parse(starter), tuple(acts)
    )


def best(about: PlayerView) -> str:
    return str(ranked_cards(about, Random(1))[0].card.rank.letter)


@given(st.lists(st.sampled_from(PACK), min_size=1, max_size=8, unique=True))
def test_the_points_of_a_laid_card_equal_the_referees_count(cards: list[Card]) -> None:
    stack: list[Card] = []
    for card in cards:
        if sum(each.value for each in stack) + card.value > LIMIT:
            break
        of_31 = 2 if sum(each.value for each in (*stack, card)) == LIMIT else 0
        assert made((*(each.rank for each in stack), card.rank)) + of_31 == sum(
            found.points for found in score_play(stack, card)
        )
        stack.append(card)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(RULE_SETS), st.integers(0, 10_000), st.sampled_from(RobotLevel))
@pytest.mark.slow
def test_a_whole_play_keeps_to_the_rules_and_the_referee_agrees(rules: Rules, seed: int, level: RobotLevel) -> None:
    rng = Random(seed)
    pack = rng.sample(PACK, len(PACK))
    hands = [[pack.pop() for _ in range(rules.deal_and_play.hand_size)] for _ in rules.seats]
    starter, discarded = pack.pop(), tuple(pack.pop() for _ in range(rules.deal_and_play.discards))
    dealer = rules.seats[-1]
    game = Game.start(rules, way="auto", dealer=dealer)
    game.do(TurnStarter(starter))
    begins = tuple(pegs.front for pegs in game.position.pegs)
    play = Play(rules, dealer, begins)
    acts: list[Act] = []
    while not play.over:
        seat = play.turn
        assert game.position.turn == seat
        sees = PlayerView(rules, seat, dealer, begins, tuple(hands[seat]), discarded, starter, tuple(acts))
        card = choose_card(level, sees, rng)
        assert (card is None) == (not sees.fitting)
        acts.append(Act(seat, card))
        if card is None:
            others = [hands[other] for other in rules.seats if other != seat]
            alone = not any(others) and game.position.stack[-1][0] == seat
            if not alone or rules.deal_and_play.single_series is Option.ON:
                game.do(SayGo(seat))  # who alone holds cards says it without a word
            play.say_go()
        else:
            assert card in sees.fitting
            hands[seat].remove(card)
            game.do(LayCard(seat, card))
            play.lay(card.rank)
        assert not any(hands) or [len(hand) for hand in hands] == play.left
    assert game.position.phase is Phase.SHOW
    assert tuple(play.scores) == tuple(pegs.front for pegs in game.position.pegs)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(RobotLevel))
def test_the_same_view_and_seed_give_the_same_card(seed: int, level: RobotLevel) -> None:
    rng = Random(seed)
    pack = rng.sample(PACK, 8)
    about = PlayerView(SIX_CARD, 0, 0, (0, 0), tuple(pack[:4]), tuple(pack[4:6]), pack[6], (Act(1, pack[7]),))
    assert choose_card(level, about, Random(seed)) is choose_card(level, about, Random(seed))


@pytest.mark.parametrize(("hand", "laid", "wanted"), [
    ("5H 5C 9D KC", "", "9K"),  # no five is led: a ten would make fifteen of it
    ("4H 4C 9D KC", "", "4"),  # of a pair of low cards: he cannot make fifteen, and a pair is answered by three
    ("5C QC KD 9D", "JS", "5"),  # fifteen
])  # fmt: skip
def test_the_best_card_is_the_one_a_good_player_lays(hand: str, laid: str, wanted: str) -> None:
    assert best(seen(hand, laid=laid, dealer=0 if laid else 1)) in wanted


def test_after_a_go_the_other_holds_no_card_that_fits() -> None:
    about = seen("AH 2C 6D", laid="KH TS -", dealer=0)
    about = PlayerView(
        SIX_CARD, 0, 1, (0, 0), about.hand, about.discarded, about.starter,
        (Act(0, Card.parse("KH")), Act(1, Card.parse("TS")), Act(0, Card.parse("5S")), Act(1, None)),
    )  # fmt: skip
    assert ranked_cards(about, Random(1))[0].card.rank == 6  # thirty-one


def test_a_count_that_wins_the_game_is_taken_before_a_safe_card() -> None:
    about = PlayerView(
        SIX_CARD, 0, 0, (119, 100), Card.parse_many("7H AC 2D QC"), Card.parse_many("KC KD"), Card.parse("9S"),
        (Act(1, Card.parse("8H")),),
    )  # fmt: skip
    assert ranked_cards(about, Random(1))[0].card.rank == 7


def test_a_player_who_cannot_lay_says_go() -> None:
    about = seen("KH QC", laid="TS JS TD", dealer=0)
    assert about.fitting == ()
    assert ranked_cards(about, Random(1)) == ()
    assert all(choose_card(level, about, Random(1)) is None for level in RobotLevel)


@pytest.mark.parametrize("level", RobotLevel)
def test_a_discard_is_of_the_cards_dealt(level: RobotLevel) -> None:
    for rules in RULES.values():
        dealt = PACK[3 : 3 + 4 * rules.deal_and_play.cards_dealt : 4]
        given_away = choose_discard(level, dealt, rules, is_own_crib=True, scores=None, rng=Random(1))
        assert len(given_away) == rules.deal_and_play.discards
        assert set(given_away) <= set(dealt)


def played(levels: tuple[RobotLevel, RobotLevel], deals: int) -> float:
    """By how many points a deal the first is better, each deal played twice."""
    lead = 0
    for number in range(deals):
        pack = Random(number).sample(PACK, 13)
        for mine in (0, 1):
            seats = levels if mine == 0 else (levels[1], levels[0])
            scored = deal(seats, SIX_CARD, dealer=number % 2, scores=(0, 0), pack=pack, rng=Random(number))
            lead += sum(points if seat == mine else -points for seat, points in scored)
    return lead / deals / 2


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    "levels", [(RobotLevel.STRONG, RobotLevel.MEDIUM), (RobotLevel.MEDIUM, RobotLevel.EASY)], ids=str
)
def test_each_level_makes_more_points_than_the_one_below(levels: tuple[RobotLevel, RobotLevel]) -> None:
    """In two hundred deals; the sample are the first fifty."""
    assert played(levels, 200 // one_in(4)) > 0.2
