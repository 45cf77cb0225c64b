"""Design law 9: the count judges of a page and of a terminal tell nothing of what is due in a silent game.

The tests know all cards of each deal, also those that the board has not seen. The board's own count judge takes no
cards meanwhile: see `test_count_judge_mode`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.evenings import BLUE, OK, RED_DEALS, cards
from tests.support.kiosk_rooms import House, house
from tests.support.players import Dealt, Players, deal
from tests.support.sweeps import examples

from cribboard import PACK, RULES, Card, Game
from cribboard.cards import Suit
from cribboard.count_judge import CountJudge
from cribboard.position import Phase, Position
from cribboard.record import Heading
from cribboard.rules import Way, changed
from cribd.__main__ import main
from cribd.clock import ManualClock
from cribd.storage.journal import StoredGame
from cribd.storage.open_journal import open_or_repair_journal
from cribd.table.count_judge_mode import closed_to, could_tell
from cribd.text import load

SPOKEN = load("en"), load("fr_CA")
SILENT = (
    RULES["acc"],
    *(
        changed(RULES[name], {"telling": "tournament"})
        for name in ("six-card", "five-card", "three-player", "partners")
    ),
    changed(RULES["britannica"], {"muggins": "on"}),
)
SIX_CARD = SILENT[1]


@cache
def silent_moments(number: int, seed: int) -> list[tuple[Position, Dealt]]:
    """The positions of a deal or two by these silent rules in which the judge is closed, and what was dealt."""
    game, players, found = Game.start(SILENT[number], way="verify"), Players(seed), list[tuple[Position, Dealt]]()
    while len(found) < 50 and game.position.phase is not Phase.OVER:
        game.do(players.act(game.position))
        if closed_to(game.position):
            found.append((game.position, deal(SILENT[number], Random(f"{seed} {game.position.deal}"))))
    return found


def whole(p: Position, dealt: Dealt) -> list[tuple[Card, ...]]:
    """Every hand of the deal, and the crib once hands are counted, each with the starter."""
    cribs = () if p.phase is Phase.PLAY else (dealt.crib,)
    return [(*hand, dealt.starter) for hand in (*dealt.hands, *cribs)]


def judge_of(some: Sequence[Card]) -> CountJudge:
    """A count judge with these cards, four or five."""
    return CountJudge(rules=RULES["five-card" if len(some) == 4 else "six-card"]).with_cards(some)


def exchanged(some: Sequence[Card], suits: Sequence[Suit]) -> list[Card]:
    to = dict(zip(Suit, suits, strict=True))
    return [Card(card.rank, to[card.suit]) for card in some]


SEEDS = 6
moments = st.builds(
    lambda number, seed, at: (found := silent_moments(number, seed))[at % len(found)],
    st.integers(0, len(SILENT) - 1),
    st.integers(0, SEEDS - 1),
    st.integers(0, 49),
)
chances = st.randoms(use_true_random=False)


@pytest.mark.sweep
@pytest.mark.slow
@given(moments, st.permutations(list(Suit)), chances)
@settings(max_examples=examples(200), deadline=None)
def test_the_judge_refuses_a_hand_of_the_deal_in_any_suits_and_order(
    moment: tuple[Position, Dealt], suits: list[Suit], rng: Random
) -> None:
    p, dealt = moment
    for hand in whole(p, dealt):
        asked = exchanged(rng.sample(hand, len(hand)), suits)
        assert could_tell(p, judge_of(asked))
        by_itself = [Card(card.rank, rng.choice(list(Suit))) for card in hand]
        if len(set(by_itself)) == len(hand):
            assert could_tell(p, judge_of(by_itself)), "each card of another suit, as it comes"
        for left_out in range(len(asked)):
            part = CountJudge(rules=p.rules).as_crib(len(hand) == 5)
            part = part.with_cards(asked[:left_out] + asked[left_out + 1 :])
            assert could_tell(p, part), "what would fit tells as much"


@pytest.mark.sweep
@given(moments, st.permutations(list(Suit)), chances)
@settings(max_examples=examples(100), deadline=None)
def test_the_judge_refuses_an_open_hand_with_any_one_card_exchanged(
    moment: tuple[Position, Dealt], suits: list[Suit], rng: Random
) -> None:
    """Otherwise the count of the other four cards could be worked out."""
    p, dealt = moment
    for hand in whole(p, dealt):
        if all(p.seen(card) for card in hand):
            asked = exchanged(hand, suits)
            asked[rng.randrange(len(asked))] = rng.choice([card for card in PACK if card not in asked])
            assert could_tell(p, judge_of(asked))


@pytest.mark.slow
def test_most_other_hands_are_judged_meanwhile() -> None:
    rng, shares = Random(1), list[float]()
    for seed in range(SEEDS):
        for p, _ in silent_moments(0, seed):
            hands = [CountJudge().with_cards(rng.sample(PACK, 5)) for _ in range(100)]
            shares.append(sum(could_tell(p, judge) for judge in hands) / len(hands))
    assert sum(shares) / len(shares) < 1 / 3
    assert max(shares) < 0.6


def test_in_a_game_that_tells_the_count_judge_judges_every_hand() -> None:
    game, players = Game.start(RULES["six-card"], way="verify"), Players(1)
    for _ in range(60):
        game.do(players.act(game.position))
        dealt = deal(game.position.rules, Random(f"1 {game.position.deal}"))
        assert not any(could_tell(game.position, judge_of(hand)) for hand in whole(game.position, dealt))


# At the page


async def asked(home: House, *hands: str) -> list[bool]:
    """Whether each of these hands is closed."""
    return [await home.judge(hand) == {"closed": True} for hand in hands]


async def test_a81_suits_exchanged_before_the_judge(tmp_path: Path) -> None:
    async with house(tmp_path, rules=RULES["acc"]) as home:
        await home.table.post(OK[BLUE], *cards("9H 4C 5H"), *cards("TH 2D KS 3D 9C"))
        assert await asked(home, "TH KS 9C JH 5H", "TS KH 9D JS 5S", "5S JS 9D KH TS", "5C TC KC 9C JC") == [True] * 4
        assert await asked(home, "AH 2C 4C 6D 7S", "8H 8C 8D AC AD", "6H 7H 8H QS QC") == [False] * 3


async def test_games_that_differ_only_in_what_is_due_give_equal_answers(tmp_path: Path) -> None:
    rng = Random(9)
    questions = [" ".join(map(str, rng.sample(PACK, rng.choice((2, 3, 4, 5, 5, 5))))) for _ in range(40)]
    questions += ["5H TC 2S 3S 6C", "5C TH 2D 3D 6S", "5H TC 6C", "6S 5D 9S TD"]
    answers: list[list[object]] = []
    for name, worth in (("one", 1), ("other", 2)):
        rules = changed(SIX_CARD, {"his_nobs": worth, "thirty_one": 1 + worth})
        async with house(tmp_path / name, rules=rules) as home:
            await home.table.post(*RED_DEALS, *cards("5H TC JC"))
            answers.append([await home.judge(question, 4) for question in questions])
    assert answers[0] == answers[1]
    assert {"closed": True} in answers[0]
    assert any(answer != {"closed": True} for answer in answers[0])


# At a terminal


@contextmanager
def board_at_show(path: Path) -> Iterator[tuple[Position, Dealt]]:
    """A board at the show with this journal; no count is accepted yet."""
    heading = Heading(rules=RULES["acc"], way=Way.VERIFY)
    game, players = heading.begin(), Players(3)
    while game.position.phase is not Phase.SHOW:
        game.do(players.act(game.position))
    journal, _ = open_or_repair_journal(path, ManualClock())
    stored = StoredGame(journal.begin(heading, 1), 1, heading, heading.begin())
    journal.append(stored, game.log)
    yield game.position, deal(RULES["acc"], Random(f"3 {game.position.deal}"))
    journal.close()


def counted(capsys: pytest.CaptureFixture[str], path: Path, some: Sequence[Card], *more: str) -> tuple[int, str]:
    code = main(["count", *map(str, some), "--journal", str(path), *more])
    out, err = capsys.readouterr()
    return code, out + err


def test_beside_a_silent_game_the_command_counts_no_hand_of_its_deal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    turned = list(Suit)[1:] + list(Suit)[:1]
    with board_at_show(path) as (p, dealt):
        drawn = [Random(number).sample(PACK, 5) for number in range(20)]
        others = [hand for hand in drawn if not could_tell(p, judge_of(hand))]
        for hand in whole(p, dealt):
            for more in ([], ["--json"], ["--called", "8"], ["--lang", "fr"]):
                for some in (hand, exchanged(hand, turned)):
                    code, output = counted(capsys, path, some, *more)
                    assert (code, output.splitlines()) == (2, [SPOKEN["fr" in more].say("command.count.closed")])
        for other in others[:3]:
            assert counted(capsys, path, other)[0] == 0
    assert counted(capsys, path, whole(p, dealt)[0])[0] == 0, "the board is switched off"
    assert counted(capsys, tmp_path / "none.db", whole(p, dealt)[0])[0] == 0
