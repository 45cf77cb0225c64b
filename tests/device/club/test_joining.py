"""A board joins the club: both sides commit, then show their keys, and two people compare two words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribd.club.joining import (
    COMPARE_S,
    HEARD_S,
    MOST,
    MOST_OF_CLIENT,
    CommitmentOpening,
    CommitmentSent,
    Comparing,
    JoiningBoard,
    JoiningBoards,
    JoiningEnded,
    JoinRole,
    JoinState,
)
from cribd.club.joining_words import WORDS, words_of_hash

BYTES = st.binary(min_size=32, max_size=32)
ONE, TWO, THREE = (bytes([number]) * 32 for number in (1, 2, 3))


def board_side(key: bytes = ONE, nonce: bytes = ONE) -> CommitmentSent:
    return CommitmentSent(CommitmentOpening(JoinRole.BOARD, key, nonce))


def asks(
    board: CommitmentSent, token: str = "a", *, hub: CommitmentOpening | None = None, client: str = "10.0.0.5"
) -> JoiningBoard:
    own = hub or CommitmentOpening(JoinRole.HUB, TWO, THREE)
    return JoiningBoard(token=token, client=client, commitment=board.own.commitment, own=own)


def compared(hub: JoiningBoards, board: CommitmentSent, token: str = "a", now: float = 0.0) -> Comparing:
    """A board at the hub that both sides compare now."""
    answer = hub.ask_to_join(asks(board, token), now)
    committed = board.committed(answer.own.commitment)
    assert hub.reveal(token, board.own, now).state is JoinState.COMPARING
    return committed.revealed(answer.own)


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(JoiningEnded) as ended:
        act()
    assert ended.value.code == code


# The words


def distance(one: str, other: str) -> int:
    """How many letters must be changed, added or left out to make one word of the other."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        last, row = row, [at]
        for to, wanted in enumerate(other, 1):
            row.append(min(last[to] + 1, row[-1] + 1, last[to - 1] + (letter != wanted)))
    return row[-1]


def test_there_are_256_words_of_plain_letters_that_fit_on_a_screen() -> None:
    assert len(WORDS) == 256 == len(set(WORDS))
    assert all(word.isascii() and word.isalpha() and word.islower() and 4 <= len(word) <= 9 for word in WORDS)


def test_no_two_words_begin_alike_and_all_differ_in_three_letters() -> None:
    assert len({word[:4] for word in WORDS}) == 256
    assert [pair for pair in combinations(WORDS, 2) if distance(*pair) < 3] == []


def test_each_byte_of_the_hash_chooses_a_word() -> None:
    assert words_of_hash(bytes([0, 255])) == ("action", "zoom")


# Board and hub


@given(BYTES, BYTES, BYTES, BYTES)
def test_board_and_hub_show_the_same_words(key: bytes, nonce: bytes, hub_key: bytes, hub_nonce: bytes) -> None:
    board, hub = board_side(key, nonce), JoiningBoards()
    answer = hub.ask_to_join(asks(board, hub=CommitmentOpening(JoinRole.HUB, hub_key, hub_nonce)), 0.0)
    shown = board.committed(answer.own.commitment).revealed(answer.own)
    assert shown.words == hub.reveal("a", board.own, 0.0).words
    assert shown.hub.key == hub_key


@given(BYTES, BYTES, BYTES, BYTES)
def test_who_shows_another_key_or_nonce_than_it_committed_to_is_refused(
    key: bytes, nonce: bytes, other_key: bytes, other_nonce: bytes
) -> None:
    board, hub = board_side(key, nonce), JoiningBoards()
    answer = hub.ask_to_join(asks(board), 0.0)
    if (other_key, other_nonce) != (key, nonce):
        refused("changed", lambda: hub.reveal("a", CommitmentOpening(JoinRole.BOARD, other_key, other_nonce), 0.0))
        refused("gone", lambda: hub.reveal("a", board.own, 0.0))  # one try
    if (other_key, other_nonce) != (answer.own.key, answer.own.nonce):
        committed = board.committed(answer.own.commitment)
        refused("changed", lambda: committed.revealed(CommitmentOpening(JoinRole.HUB, other_key, other_nonce)))


def test_a_board_that_is_sent_its_own_commitment_and_its_own_key_refuses_them() -> None:
    board = board_side()
    committed = board.committed(board.own.commitment)
    refused("changed", lambda: committed.revealed(CommitmentOpening(JoinRole.HUB, board.own.key, board.own.nonce)))


def test_somebody_in_between_with_keys_of_his_own_gets_equal_words_by_luck_alone() -> None:
    """He commits to the board before it shows its nonce, and to the hub before that shows its own."""
    rng, equal = Random(28), 0
    for _ in range(2000):
        board, hub, key = board_side(ONE, rng.randbytes(32)), JoiningBoards(), rng.randbytes(32)
        as_hub, as_board = CommitmentOpening(JoinRole.HUB, key, rng.randbytes(32)), board_side(key, rng.randbytes(32))
        at_board = board.committed(as_hub.commitment).revealed(as_hub)
        hub.ask_to_join(asks(as_board, hub=CommitmentOpening(JoinRole.HUB, TWO, rng.randbytes(32))), 0.0)
        equal += at_board.words == hub.reveal("a", as_board.own, 0.0).words
    assert equal == 0


def test_somebody_in_between_who_has_seen_the_boards_words_cannot_try_until_the_hubs_are_equal() -> None:
    hub, tries = JoiningBoards(), 0
    for second in range(int(COMPARE_S)):  # as long as the board shows its words
        middle = board_side(TWO, second.to_bytes(32))
        hub.ask_to_join(asks(middle, f"{second}"), second)
        tries += hub.reveal(f"{second}", middle.own, second).state is JoinState.COMPARING
        hub.leave(f"{second}", second)
    assert tries == 1


def test_a_board_is_asked_to_wait_while_another_is_compared_and_the_hub_shows_it_nothing() -> None:
    hub, first, second = JoiningBoards(), board_side(), board_side(THREE)
    compared(hub, first)
    hub.ask_to_join(asks(second, "b"), 1.0)
    assert hub.reveal("b", second.own, 1.0).state is JoinState.WAITS
    hub.refuse(ONE.hex(), 2.0)
    assert hub.reveal("b", second.own, 3.0).state is JoinState.COMPARING
    assert (now := hub.compared(3.0)) is not None
    assert now.key == THREE.hex()


# Two confirmations


@pytest.mark.parametrize("desk_first", [True, False], ids=["desk first", "board first"])
def test_both_confirm_in_either_order(desk_first: bool) -> None:
    hub = JoiningBoards()
    compared(hub, board_side())
    if desk_first:
        assert hub.accept(ONE.hex(), 1.0, table=4).table == 4
        assert not hub.hear("a", 1.0, is_confirmed=False).is_confirmed
    joins = hub.hear("a", 2.0, is_confirmed=True)
    if not desk_first:
        assert not joins.is_accepted
        joins = hub.accept(ONE.hex(), 3.0)
    assert joins.is_confirmed
    assert joins.is_accepted
    hub.join(joins, {"name": "Rimouski"}, 4.0)
    again = hub.hear("a", 5.0, is_confirmed=True)  # the answer was lost
    assert (again.state, again.welcome) == (JoinState.JOINED, {"name": "Rimouski"})
    assert hub.compared(5.0) is None


def test_ok_at_the_board_before_it_can_show_words_confirms_nothing() -> None:
    hub, board = JoiningBoards(), board_side()
    hub.ask_to_join(asks(board), 0.0)
    assert not hub.hear("a", 0.0, is_confirmed=True).is_confirmed
    assert not hub.reveal("a", board.own, 0.0).is_confirmed


def test_a_board_that_the_desk_refuses_hears_so() -> None:
    hub = JoiningBoards()
    compared(hub, board_side())
    hub.refuse(ONE.hex(), 1.0)
    assert hub.hear("a", 2.0, is_confirmed=True).state is JoinState.REFUSED


def test_a_board_that_left_is_not_accepted_and_keeps_its_turn_until_the_desk_answers() -> None:
    hub = JoiningBoards()
    compared(hub, board_side())
    hub.leave("a", 1.0)
    refused("left", lambda: hub.accept(ONE.hex(), 2.0))
    assert hub.compared(2.0) is not None
    hub.refuse(ONE.hex(), 3.0)
    assert hub.compared(3.0) is None


def test_the_desk_answers_only_the_board_that_it_sees() -> None:
    hub = JoiningBoards()
    compared(hub, board_side())
    refused("gone", lambda: hub.accept(TWO.hex(), 1.0))
    refused("gone", lambda: hub.refuse(TWO.hex(), 1.0))


# Time and number


def test_words_that_nobody_answers_go_after_two_minutes() -> None:
    hub = JoiningBoards()
    compared(hub, board_side())
    hub.hear("a", COMPARE_S - 1, is_confirmed=True)
    assert hub.compared(COMPARE_S) is None
    refused("gone", lambda: hub.hear("a", COMPARE_S, is_confirmed=True))


def test_a_board_that_waits_and_is_not_heard_goes() -> None:
    hub, second = JoiningBoards(), board_side(THREE)
    compared(hub, board_side())
    hub.ask_to_join(asks(second, "b"), 0.0)
    hub.reveal("b", second.own, HEARD_S - 1)
    assert hub.reveal("b", second.own, 2 * HEARD_S - 2).state is JoinState.WAITS
    refused("gone", lambda: hub.reveal("b", second.own, 3 * HEARD_S))


def test_a_board_that_leaves_while_it_waits_is_gone() -> None:
    hub, second = JoiningBoards(), board_side(THREE)
    compared(hub, board_side())
    hub.ask_to_join(asks(second, "b"), 0.0)
    hub.leave("b", 1.0)
    refused("gone", lambda: hub.reveal("b", second.own, 1.0))


def test_one_address_and_all_together_ask_no_more_often_than_the_bounds() -> None:
    hub = JoiningBoards()
    for number in range(MOST_OF_CLIENT):
        hub.ask_to_join(asks(board_side(), f"a{number}"), 0.0)
    refused("too_many", lambda: hub.ask_to_join(asks(board_side(), "b"), 0.0))
    for number in range(MOST - MOST_OF_CLIENT):
        hub.ask_to_join(asks(board_side(), f"c{number}", client=f"10.0.1.{number}"), 0.0)
    refused("too_many", lambda: hub.ask_to_join(asks(board_side(), "d", client="10.0.2.1"), 0.0))
    hub.ask_to_join(asks(board_side(), "d"), HEARD_S)  # those that are not heard have gone


def test_the_boards_on_this_machine_have_no_bound_for_one_address() -> None:
    hub = JoiningBoards()
    for number in range(12):
        hub.ask_to_join(asks(board_side(), f"{number}", client="here"), 0.0, is_local=True)
