"""What the records say of each player. The games are told card by card, and what they must come to was added up by
hand, from the cards: nothing here asks the program what a hand is worth."""

from __future__ import annotations

import pytest
from tests.support.places import A_GAME
from tests.support.seats import BLUE, RED, SIX_CARD, Table, card, where_cards_are_read

from cribboard import RULES, Card, Rules, record
from cribboard.actions import (
    Accept,
    AcceptResult,
    Agree,
    AllPass,
    Ask,
    BreakOff,
    Challenge,
    GoOnUnread,
    LayCard,
    Question,
    ReleasePeg,
    TakeBackPass,
    TakePegInHand,
    Undo,
)
from cribboard.figures import PAR, Averages, DealPart, GameKind, Mean, Player, Role, Statistics, game_kind
from cribboard.record import Heading, Record
from cribboard.rules import Way, changed
from cribboard.statistics import statistics_of

TWO_OF_SIX = GameKind(players=2, cards=6, par=True)


def figures(table: Table, *names: str) -> tuple[Player, ...]:
    """The figures of each side of a table at which a story was told; the last seat dealt first."""
    heading = Heading(rules=table.rules, way=table.game.beginning.way, dealer=table.rules.seats[-1], names=names)
    found = statistics_of(Record(heading, table.game.log))
    return tuple(found.players[name.casefold(), -1] for name in names) or tuple(
        found.players["", side] for side in table.rules.sides
    )


def averages(player: Player, role: Role) -> Averages:
    return next((made for _, each, made in player.averages if each is role), Averages())


def a_deal(way: str = "verify", rules: Rules = SIX_CARD) -> Table:
    """Red deals. Blue makes 31 for two with the ace, and holds ten-four-ace for two; red has the last card, and holds
    6-7-8-9 with two fifteens for eight, and a crib with two pairs for four."""
    table = Table(way, rules=rules)
    table.starter("7S")
    if way == "trust":
        table.press(BLUE, 2)
        table.press(RED, 1)
    else:
        table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    table.counts(BLUE, 2)
    table.counts(RED, 8)
    table.counts_crib(RED, "3H 3D QC QS", 4)
    table.end_deal()
    return table


# A whole game


@pytest.fixture(scope="module")
def of_a_game() -> Statistics:
    """Of the game in the docs, eight deals; red dealt the first, and blue won in the last."""
    return statistics_of(record.read(A_GAME.read_text(encoding="utf-8")))


def test_the_winner_of_the_game_in_the_docs_has_these_figures(of_a_game: Statistics) -> None:
    maude = of_a_game.players["maude", -1]
    pone, dealer = averages(maude, Role.PONE), averages(maude, Role.DEALER)
    assert pone.play == Mean(4, 2 + 1 + 0 + 7)
    assert pone.hand == Mean(4, 20 + 14 + 10 + 6)
    assert pone.crib == Mean()
    assert pone.deal == Mean(4, 22 + 15 + 10 + 13)
    assert dealer.play == Mean(4, 3 + 4 + 8 + 3)
    assert dealer.hand == Mean(4, 9 + 6 + 10 + 4)
    assert dealer.crib == Mean(4, 2 + 0 + 9 + 7)  # of the last crib three were enough to win
    assert dealer.deal == Mean(3, 14 + 10 + 27)
    assert (maude.games, maude.won, maude.skunked, maude.skunks_taken) == (1, 1, 0, 0)
    assert (maude.hands, maude.big, maude.perfect) == (12, 1, 0)
    assert maude.left == Mean(8, 0)


def test_the_losers_averages_count_the_hand_that_was_called_too_low(of_a_game: Statistics) -> None:
    rejean = of_a_game.players["réjean", -1]
    pone, dealer = averages(rejean, Role.PONE), averages(rejean, Role.DEALER)
    assert (pone.play, pone.hand) == (Mean(4, 2), Mean(4, 8 + 16 + 8 + 8))
    assert pone.deal == Mean(3, 10 + 14 + 8)
    assert dealer.play == Mean(4, 7 + 5 + 2 + 6)
    assert (dealer.hand, dealer.crib) == (Mean(4, 8 + 4 + 12 + 12), Mean(4, 12 + 0 + 4 + 4))
    assert dealer.deal == Mean(4, 27 + 9 + 18 + 22)
    assert (rejean.games, rejean.won, rejean.big) == (1, 0, 0)
    assert rejean.left == Mean(8, 2)


def test_best_hands_are_listed_with_their_cards(of_a_game: Statistics) -> None:
    best, *_ = of_a_game.players["maude", -1].best
    assert (best.points, best.crib, best.date) == (20, False, "2026-01-17")
    assert (best.cards, best.starter) == (Card.parse_many("5C 5D 5S 7H"), card("5H"))
    assert [hand.points for hand in of_a_game.players["réjean", -1].best] == [16, 12, 12]


# One deal, by hand


@where_cards_are_read
def test_a_deal_is_of_the_pone_and_of_the_dealer(way: str) -> None:
    blue, red = figures(a_deal(way))
    assert averages(blue, Role.PONE) == Averages(play=Mean(1, 2), hand=Mean(1, 2), deal=Mean(1, 4))
    assert averages(red, Role.DEALER) == Averages(Mean(1, 1), Mean(1, 8), Mean(1, 4), Mean(1, 13))
    assert averages(blue, Role.DEALER) == averages(red, Role.PONE) == Averages()


def test_a_trusted_game_has_no_figures_that_need_cards() -> None:
    blue, red = figures(a_deal("trust"))
    assert averages(blue, Role.PONE) == Averages(deal=Mean(1, 4))
    assert averages(red, Role.DEALER) == Averages(deal=Mean(1, 13))
    assert averages(red, Role.DEALER).hand.average is None
    assert (red.hands, red.best, red.left.average) == (0, (), None)


def test_where_the_board_calls_there_is_no_figure_of_points_left() -> None:
    assert [player.left.average for player in figures(a_deal("auto"))] == [None, None]
    assert [player.left.average for player in figures(a_deal("verify"))] == [0, 0]


@where_cards_are_read
def test_his_heels_are_pegged_with_the_play(way: str) -> None:
    table = Table(way)
    table.starter("JH")
    table.claim_all()
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    blue, red = figures(table)
    assert averages(red, Role.DEALER).play == Mean(1, 2 + 1)
    assert averages(blue, Role.PONE).play == Mean(1, 2)


def test_a_play_that_is_not_over_is_no_average() -> None:
    table = Table()
    table.starter("7S")
    table.play("8C 7D+2 7H+2")
    blue, red = figures(table)
    assert averages(blue, Role.PONE) == averages(red, Role.DEALER) == Averages()


def test_heading_without_names_gives_the_sides_of_the_board() -> None:
    assert [(player.name, player.side) for player in figures(a_deal())] == [("", 0), ("", 1)]


# Left on the table


def a_forgotten_pair(rules: Rules = SIX_CARD, *, show: bool = True) -> Table:
    """Red deals, pairs a five and forgets it; later it makes fifteen, and lays the last card. Blue makes 31. Blue holds
    5-9-2-7 of clubs, six with the king that is turned, red 5-3-8-Q of diamonds for eight; the crib is worth eight."""
    table = Table(rules=rules)
    table.starter("KS")
    table.play("5C 5D 2C 3D+2 9C go 7C+2 8D QD+1")
    if show:
        table.counts(BLUE, 6)
        table.counts(RED, 8)
        table.counts_crib(RED, "AH AS 4H 9S", 8)
        table.end_deal()
    return table


def test_an_unclaimed_pair_counts_as_made_and_missed() -> None:
    blue, red = figures(a_forgotten_pair())
    assert averages(red, Role.DEALER) == Averages(Mean(1, 2 + 2 + 1), Mean(1, 8), Mean(1, 8), Mean(1, 19))
    assert averages(blue, Role.PONE) == Averages(Mean(1, 2), Mean(1, 6), deal=Mean(1, 8))
    assert (blue.left, red.left) == (Mean(1, 0), Mean(1, 2))


def test_an_unclaimed_pair_is_left_too_when_the_game_is_broken_off() -> None:
    table = Table()
    table.starter("KS")
    table.play("5C 5D 2C")
    assert figures(table)[RED].left == Mean(1, 2)


def test_a_late_claim_that_was_given_leaves_nothing() -> None:
    table = Table()
    table.starter("KS")
    table.play("5C 5D 2C")
    table.do(TakePegInHand(RED, 2), Accept(BLUE))
    table.play("3D+2 9C go 7C+2 8D QD+1")
    assert figures(table)[RED].left == Mean(1, 0)


def test_a_hand_called_too_low_leaves_the_rest_and_one_called_too_high_leaves_nothing() -> None:
    low, high = (a_forgotten_pair(show=False) for _ in range(2))
    low.count(BLUE, 4)
    high.count(BLUE, 8)
    assert [figures(each)[BLUE].left.points for each in (low, high)] == [2, 0]
    assert [averages(figures(each)[BLUE], Role.PONE).hand for each in (low, high)] == [Mean(1, 6), Mean(1, 6)]


def test_if_a_peg_may_be_added_to_only_the_points_not_added_are_left() -> None:
    rules = changed(SIX_CARD, {"peg_release_final": "off"})
    added, stays = (a_forgotten_pair(rules, show=False) for _ in range(2))
    added.press(BLUE, 4)
    added.press(BLUE, 2)
    stays.press(BLUE, 4)
    for table in (added, stays):
        table.do(Accept(RED))
    assert [figures(each)[BLUE].left.points for each in (added, stays)] == [0, 2]
    assert averages(figures(added)[BLUE], Role.PONE).hand == Mean(1, 6)


@pytest.mark.parametrize("by_blue", [1, 2])
def test_muggins_counts_in_the_points_that_were_left(by_blue: int) -> None:
    table = Table(rules=changed(RULES["britannica"], {"muggins": "on"}))
    table.starter("KS")
    table.play("5C 5D 2C")
    table.do(Challenge(BLUE), TakePegInHand(BLUE, by_blue), ReleasePeg(BLUE))
    blue, red = figures(table)
    assert (red.left, red.mugged) == (Mean(1, 2), by_blue)
    assert (blue.left, blue.mugged) == (Mean(1, 0), 0)


def test_so_it_does_of_a_hand_that_was_called_too_low() -> None:
    table = a_forgotten_pair(changed(RULES["britannica"], {"muggins": "on"}), show=False)
    table.press(BLUE, 4)
    table.do(Challenge(RED), TakePegInHand(RED, 2), ReleasePeg(RED))
    blue, _ = figures(table)
    assert (blue.left, blue.mugged, averages(blue, Role.PONE).hand) == (Mean(1, 2), 2, Mean(1, 6))


def test_no_side_leaves_more_points_than_it_has_holes_to_go() -> None:
    """A game to 31: blue holds the perfect hand, has two holes to go, and forgets a pair royal of six."""
    table = Table(rules=changed(SIX_CARD, {"target": 31, "skunk_line": None}))
    table.starter("5H")
    table.play("5C KD+2 5D QD go go+1 5S 9C JH 2C+1")
    table.counts(BLUE, 29)
    table.counts(RED, 4)
    table.counts_crib(RED, "AC 3S 7D 8S", 4)
    table.end_deal()
    assert (figures(table)[BLUE].perfect, figures(table)[BLUE].left) == (1, Mean(1, 0))
    table.starter("KS")
    table.play("4C 7H 7C+2 7S 4D")
    assert (table.scores[BLUE], figures(table)[BLUE].left) == (29, Mean(2, 2))


# What does not count


def test_a_count_that_was_undone_is_counted_once() -> None:
    table = a_forgotten_pair(show=False)
    table.press(BLUE, 4)
    table.do(Undo(), Agree(RED))
    assert averages(figures(table)[BLUE], Role.PONE).hand == Mean()
    table.count(BLUE, 6)
    blue, _ = figures(table)
    assert (averages(blue, Role.PONE).hand, blue.hands, blue.left.points) == (Mean(1, 6), 1, 0)


def test_a_misdeal_counts_in_no_figure() -> None:
    table = Table()
    table.starter("JH")
    table.claim(RED, 1)
    table.do(Ask(BLUE, Question.MISDEAL), Agree(RED))
    assert figures(table) == figures(Table())
    table.starter("7S")
    table.play("TD 6C 2D 8H 4C go AS+2 KD 9S+1")
    red = figures(table)[RED]
    assert (averages(red, Role.DEALER).play, red.left) == (Mean(1, 1), Mean(1, 0))


def test_play_that_was_rolled_back_counts_in_no_figure() -> None:
    """Red says go with a five that would have fitted. Taken back there, the five makes a pair, and blue's ace no go but
    thirty-one."""
    table = Table()
    table.starter("KS")
    table.play("T Q 5 go A go+1")
    table.do(LayCard(RED, card("5D")), Ask(BLUE, Question.ROLL_BACK), Agree(RED))
    table.play("5D+2 A+2 9S KH 2S+1")
    blue, red = figures(table)
    assert (averages(blue, Role.PONE).play, averages(red, Role.DEALER).play) == (Mean(1, 2), Mean(1, 2 + 1))
    assert (blue.left.points, red.left.points) == (0, 0)


def test_nor_was_a_go_that_was_taken_back_with_a_pass() -> None:
    table = Table(rules=RULES["three-player"])
    table.starter("KS")
    table.play("TD QD 5D")
    table.do(AllPass(2))
    table.press(2, 1)
    table.do(TakeBackPass(BLUE))
    table.play("6D+2 KC 8H 2C JC go go go+1 9H QC 8S 7H")
    table.press(RED, 1)
    table.press(2, 1)
    of_each = figures(table)
    roles = (Role.PONE, Role.PONE, Role.DEALER)
    made = [averages(player, role).play for player, role in zip(of_each, roles, strict=True)]
    assert made == [Mean(1, 2), Mean(1, 1 + 1), Mean(1, 1)]
    assert sum(player.left.points for player in of_each) == 0


def test_a_deal_with_an_unread_card_enters_no_average() -> None:
    table = Table()
    table.starter("KS")
    table.play("7C")
    table.do(GoOnUnread(RED))
    table.play("2C 3C 2D 3D 9S 9H")
    table.press(RED, 1)
    table.count(BLUE, 4)
    assert averages(figures(table)[RED], Role.DEALER).play == Mean()
    table.do(GoOnUnread(RED))
    table.count(RED, 8)
    assert averages(figures(table)[RED], Role.DEALER).hand == Mean()


# Won and lost


def a_trusted_game(*points: int, names: tuple[str, str] = ("Ann", "Bo")) -> tuple[Player, ...]:
    """Blue pegs these; red pegs what wins, and both accept it."""
    table = Table("trust")
    for point in points:
        table.press(BLUE, point)
    for each in (12,) * 10:
        table.press(RED, each)
    table.press(RED, 1)
    table.do(AcceptResult(BLUE), AcceptResult(RED))
    return figures(table, *names)


def test_a_game_is_won_by_one_and_lost_by_the_other() -> None:
    ann, bo = a_trusted_game(*(10,) * 9)
    assert (ann.games, ann.won, ann.skunks_taken) == (1, 0, 0)
    assert (bo.games, bo.won, bo.skunked) == (1, 1, 0)


def test_eighty_nine_is_a_skunk_given_and_taken() -> None:
    ann, bo = a_trusted_game(*(10,) * 8, 9)
    assert (ann.skunks_taken, ann.doubles_taken, ann.skunked) == (1, 0, 0)
    assert (bo.skunked, bo.doubled, bo.skunks_taken) == (1, 0, 0)


def test_a_result_that_is_not_accepted_is_no_win() -> None:
    table = Table("trust")
    for each in (12,) * 10:
        table.press(RED, each)
    table.press(RED, 1)
    assert [(figure.games, figure.won) for figure in figures(table)] == [(0, 0), (0, 0)]


def test_a_broken_off_game_has_no_winner_and_its_deals_count() -> None:
    table = a_deal()
    table.do(BreakOff())
    blue, red = figures(table)
    assert (blue.games, red.won) == (0, 0)
    assert averages(red, Role.DEALER).hand == Mean(1, 8)


# Who is who


def test_a_player_is_known_however_the_name_is_written_and_shown_as_written_last() -> None:
    table = a_deal()
    early, late = (
        Heading(rules=SIX_CARD, way=Way.VERIFY, dealer=1, names=names, date=date)
        for names, date in (
            (("MAUDE", "Réjean"), "2026-01-03"),
            (("réjean", "Maude"), "2026-02-01"),
        )
    )
    found = [statistics_of(Record(heading, table.game.log)) for heading in (early, late)]
    for both in (found[0] + found[1], found[1] + found[0]):
        assert [player.name for player in both.ranked()] == ["Maude", "réjean"]
        maude = both.players["maude", -1]
        assert (averages(maude, Role.PONE).hand, averages(maude, Role.DEALER).hand) == (Mean(1, 2), Mean(1, 8))


def test_partners_have_the_figures_of_their_side() -> None:
    table = Table("auto", rules=RULES["partners"])
    table.starter("KS")
    table.play_out()
    for _ in range(4):
        table.next_count()
    ours, theirs = figures(table)
    assert averages(ours, Role.PONE).hand.times == averages(theirs, Role.DEALER).hand.times == 2


# Par


@pytest.mark.parametrize("name", ["six-card", "britannica", "jeux50", "acc"])
def test_deals_of_two_with_six_cards_have_a_par(name: str) -> None:
    assert game_kind(RULES[name]) == TWO_OF_SIX


@pytest.mark.parametrize("name", ["five-card", "three-player", "partners", "fadoq", "six-player"])
def test_for_other_games_no_par_is_known(name: str) -> None:
    assert not game_kind(RULES[name]).par


def test_nor_for_a_club_that_counts_otherwise() -> None:
    assert not game_kind(changed(SIX_CARD, {"his_nobs": 2})).par
    assert game_kind(changed(SIX_CARD, {"target": 61, "skunk_line": 31})).par


def test_the_parts_of_a_par_come_to_the_whole_of_it() -> None:
    for par in PAR.values():
        assert sum(points for part, points in par.items() if part is not DealPart.DEAL) == pytest.approx(
            par[DealPart.DEAL]
        )
