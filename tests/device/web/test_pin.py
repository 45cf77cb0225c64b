"""The owner's PIN: what opens it, what does not, and how long a guess must wait."""

from __future__ import annotations

import pytest

from cribd.clock import ManualClock
from cribd.web.http.limits import LOCAL
from cribd.web.kiosk.shared.pin import (
    FIRST_WAIT_S,
    FREE_TRIES,
    FREE_TRIES_TOGETHER,
    LONGEST_WAIT_S,
    OWNERS,
    SESSION_S,
    SESSIONS,
    MustWait,
    PinAuthenticator,
    RightPin,
    WrongGuess,
)


def opened(pin: PinAuthenticator, text: str = "2580") -> str:
    answer = pin.authenticate(text)
    assert isinstance(answer, RightPin)
    return answer.key


def test_only_the_right_pin_gives_a_valid_key() -> None:
    pin = PinAuthenticator("2580", ManualClock())
    one, other = opened(pin), opened(pin)
    assert one != other
    assert pin.has_session(one)
    assert pin.has_session(other)
    assert not pin.has_session("")
    assert not pin.has_session(one[:-1])


@pytest.mark.parametrize("guess", ["", "258", "25800", "2581", " 2580", "２５８０", "\ud800", "0" * 5000])
def test_any_other_text_opens_nothing(guess: str) -> None:
    assert PinAuthenticator("2580", ManualClock()).authenticate(guess) == WrongGuess(FREE_TRIES - 1)


def test_without_a_pin_not_even_an_empty_one_opens() -> None:
    pin = PinAuthenticator("", ManualClock())
    assert not pin.is_set
    assert [pin.authenticate(guess) for guess in ("", "0000")] == [WrongGuess(0), WrongGuess(0)]
    assert not pin.has_session("")


async def test_after_five_wrong_pins_each_wait_is_twice_the_last_and_the_right_one_must_wait_too() -> None:
    clock = ManualClock()
    pin = PinAuthenticator("2580", clock)
    assert [pin.authenticate("1111") for _ in range(FREE_TRIES - 1)] == [WrongGuess(left) for left in (4, 3, 2, 1)]
    wait = FIRST_WAIT_S
    for _ in range(12):
        assert pin.authenticate("1111") == MustWait(wait)
        assert pin.authenticate("2580") == MustWait(wait), "it is not even looked at"
        await clock.advance(wait)
        wait = min(2 * wait, LONGEST_WAIT_S)
    assert isinstance(pin.authenticate("2580"), RightPin)
    assert pin.authenticate("1111") == WrongGuess(FREE_TRIES - 1), "the right one forgives the wrong ones"


async def test_a_guess_during_a_wait_does_not_make_it_longer() -> None:
    clock = ManualClock()
    pin = PinAuthenticator("2580", clock)
    for _ in range(FREE_TRIES):
        pin.authenticate("1111")
    await clock.advance(10)
    assert pin.authenticate("1111") == pin.authenticate("1111") == MustWait(FIRST_WAIT_S - 10)
    await clock.advance(20)
    assert isinstance(pin.authenticate("2580"), RightPin)


async def test_four_digits_last_for_years_of_guessing() -> None:
    clock = ManualClock()
    pin = PinAuthenticator("9999", clock)
    for guess in range(200):
        answer = pin.authenticate(f"{guess:04}")
        if isinstance(answer, MustWait):
            await clock.advance(answer.seconds)
    assert clock.now() > 150 * 3600
    assert 10_000 / (200 / clock.now()) > 300 * 24 * 3600


async def test_a_pin_that_was_given_expires_after_an_evening() -> None:
    clock = ManualClock()
    pin = PinAuthenticator("2580", clock)
    key = opened(pin)
    await clock.advance(SESSION_S - 1)
    assert pin.has_session(key)
    await clock.advance(1)
    assert not pin.has_session(key)


def test_a_restart_ends_all_sessions() -> None:
    clock = ManualClock()
    key = opened(PinAuthenticator("2580", clock))
    assert not PinAuthenticator("2580", clock).has_session(key)


def test_a_key_can_be_given_back() -> None:
    pin = PinAuthenticator("2580", ManualClock())
    key, other = opened(pin), opened(pin)
    pin.close(key)
    pin.close("nobody's")
    assert (pin.has_session(key), pin.has_session(other)) == (False, True)


def test_the_number_of_sessions_is_limited_and_the_oldest_ends() -> None:
    pin = PinAuthenticator("2580", ManualClock())
    keys = [opened(pin) for _ in range(SESSIONS + 1)]
    assert [pin.has_session(key) for key in keys] == [False] + SESSIONS * [True]


async def test_guessing_does_not_lock_the_owner_out() -> None:
    clock = ManualClock()
    pin = PinAuthenticator("2580", clock)
    for _ in range(20):
        answer = pin.authenticate("1111", "192.168.1.66")
        await clock.advance(answer.seconds if isinstance(answer, MustWait) else 0)
    assert isinstance(pin.authenticate("1111", "192.168.1.66"), MustWait)
    assert isinstance(pin.authenticate("2580", "192.168.1.20"), RightPin)


async def test_a_whole_network_of_guesses_lasts_for_years_too() -> None:
    clock = ManualClock()
    pin = PinAuthenticator("9999", clock)
    looked_at = 0
    while clock.now() < 48 * 3600:
        for phone in range(250):
            looked_at += isinstance(pin.authenticate("1111", f"192.168.1.{phone}"), WrongGuess)
        await clock.advance(60)
    assert looked_at < FREE_TRIES_TOGETHER + 48


async def test_however_many_guess_the_board_itself_is_listened_to() -> None:
    pin = PinAuthenticator("2580", ManualClock())
    for phone in range(250):
        pin.authenticate("1111", f"192.168.1.{phone}")
    assert isinstance(pin.authenticate("2580", "192.168.1.251"), MustWait)
    assert isinstance(pin.authenticate("1111", LOCAL), WrongGuess)
    assert isinstance(pin.authenticate("2580", LOCAL), RightPin)


def shut(pin: PinAuthenticator) -> None:
    """So many guess on the network that the board listens to nobody new."""
    for phone in range(100, 200):
        pin.authenticate("1111", f"192.168.1.{phone}")
    assert isinstance(pin.authenticate("2580", "192.168.1.250"), MustWait)


def test_while_others_guess_a_known_owner_is_still_let_in_within_limits() -> None:
    pin = PinAuthenticator("2580", ManualClock())
    assert isinstance(pin.authenticate("2580", "192.168.1.20"), RightPin)
    shut(pin)
    assert isinstance(pin.authenticate("2580", "192.168.1.20"), RightPin)
    shut(pin)
    assert [pin.authenticate("1111", "192.168.1.20") for _ in range(FREE_TRIES - 1)] == [
        WrongGuess(left) for left in (4, 3, 2, 1)
    ]
    assert isinstance(pin.authenticate("1111", "192.168.1.20"), MustWait)
    assert isinstance(pin.authenticate("2580", "192.168.1.20"), MustWait)


def test_the_pin_remembers_a_limited_number_of_the_owners_addresses() -> None:
    pin = PinAuthenticator("2580", ManualClock())
    for phone in range(OWNERS + 1):
        assert isinstance(pin.authenticate("2580", f"192.168.1.{phone}"), RightPin)
    assert isinstance(pin.authenticate("2580", "192.168.1.1"), RightPin), "this one is the last again"
    shut(pin)
    assert isinstance(pin.authenticate("2580", "192.168.1.0"), MustWait), "the first is forgotten"
    assert isinstance(pin.authenticate("2580", "192.168.1.1"), RightPin)
    shut(pin)
    assert isinstance(pin.authenticate("2580", f"192.168.1.{OWNERS}"), RightPin)
    shut(pin)
    assert isinstance(pin.authenticate("2580", LOCAL), RightPin)


def test_the_boards_own_address_is_limited_too() -> None:
    pin = PinAuthenticator("2580", ManualClock())
    answers = [pin.authenticate("1111", LOCAL) for _ in range(6)]
    assert isinstance(answers[-1], MustWait)
    assert isinstance(pin.authenticate("2580", LOCAL), MustWait)
    assert isinstance(pin.authenticate("2580", "192.168.1.20"), RightPin)


# The organiser's PIN, beside which the owner's opens the same door


def pair(clock: ManualClock | None = None) -> tuple[PinAuthenticator, PinAuthenticator]:
    """The organiser's PIN and the owner's."""
    clock = clock or ManualClock()
    owner = PinAuthenticator("2580", clock)
    return PinAuthenticator("1379", clock, other=owner), owner


async def test_knowing_the_organisers_pin_does_not_speed_up_guessing_the_owners() -> None:
    clock = ManualClock()
    desk, owner = pair(clock)
    compared, waited = 0, 0.0
    while compared < 3 * FREE_TRIES:
        assert isinstance(desk.authenticate("1379", "192.168.1.66"), RightPin)
        match desk.authenticate("1111", "192.168.1.66"):
            case MustWait(seconds):
                waited += seconds
                await clock.advance(seconds)
        compared += 1
    assert waited > 10 * FIRST_WAIT_S
    assert owner.authenticate("1111", "192.168.1.66") == MustWait(LONGEST_WAIT_S), "its waits have grown all the time"


def test_wrong_guesses_at_desk_and_owner_page_count_together_for_the_owners_pin() -> None:
    desk, owner = pair()
    assert [owner.authenticate("1111") for _ in range(2)] == [WrongGuess(4), WrongGuess(3)]
    assert [desk.authenticate("1111") for _ in range(2)] == [WrongGuess(2), WrongGuess(1)]
    assert (
        desk.authenticate("1111") == owner.authenticate("2580") == desk.authenticate("2580") == MustWait(FIRST_WAIT_S)
    )
    assert isinstance(desk.authenticate("1379"), RightPin), "the organiser's own PIN has two guesses left"
    assert owner.authenticate("2580") == desk.authenticate("2580") == MustWait(FIRST_WAIT_S), (
        "and forgives none of the owner's"
    )


async def test_the_longer_of_both_waits_is_sent() -> None:
    clock = ManualClock()
    desk, owner = pair(clock)
    for _ in range(FREE_TRIES):
        owner.authenticate("1111")
    await clock.advance(FIRST_WAIT_S)
    owner.authenticate("1111")
    assert desk.authenticate("1111") == MustWait(2 * FIRST_WAIT_S)


def test_the_owners_pin_opens_the_desk_and_is_no_wrong_one_there() -> None:
    desk, owner = pair()
    for _ in range(2 * FREE_TRIES):
        key = opened(desk, "2580")
        assert desk.has_session(key)
    assert [desk.authenticate("1111") for _ in range(2)] == [WrongGuess(FREE_TRIES - 1), WrongGuess(FREE_TRIES - 2)]
    opened(desk, "2580")
    assert desk.authenticate("1111") == WrongGuess(FREE_TRIES - 1), (
        "whoever knows the owner's has no need to guess the other"
    )
    desk.close(key)
    assert not desk.has_session(key)
    assert not owner.has_session(opened(desk, "1379")), "and the organiser's opens nothing of the owner's"


def test_new_sessions_of_the_organiser_end_none_of_the_owners() -> None:
    desk, owner = pair()
    key, at_desk = opened(owner), opened(desk, "2580")
    for _ in range(SESSIONS + 1):
        opened(desk, "1379")
    assert owner.has_session(key)
    assert desk.has_session(at_desk)


def test_one_of_the_two_pins_alone_opens_the_desk() -> None:
    clock = ManualClock()
    for own, other in (("1379", ""), ("", "1379")):
        desk = PinAuthenticator(own, clock, other=PinAuthenticator(other, clock))
        assert desk.is_set
        assert [desk.authenticate("1111") for _ in range(2)] == [WrongGuess(4), WrongGuess(3)]
        opened(desk, "1379")
    neither = PinAuthenticator("", clock, other=PinAuthenticator("", clock))
    assert not neither.is_set
    assert neither.authenticate("") == WrongGuess(0)
