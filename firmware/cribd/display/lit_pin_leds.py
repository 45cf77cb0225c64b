"""Computes which LEDs on GPIO pins are lit.

They show what the strip shows elsewhere (`led_colours`), from the same snapshot and in the same rhythm: whose turn it
is, who deals, the games won. The LED of a pending call blinks while the peg is in hand or the press is not committed
(design law 5), and is steady while the call waits to be accepted.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from cribboard.view import View
from cribd.boards import Board, LedPin, Shows
from cribd.display.led_colours import BLINK_S
from cribd.table.snapshot import Snapshot, SwitchedOff


class LitPinLeds(NamedTuple):
    """The GPIO pins of the LEDs that are lit now, and until when."""

    gpios: frozenset[int]
    until: float


def lit_pin_leds(snapshot: Snapshot, board: Board, seconds: float) -> LitPinLeds:
    """Return the lit LEDs `seconds` after the snapshot was first shown."""
    if isinstance(snapshot.mode, SwitchedOff):
        return LitPinLeds(frozenset(), inf)
    view = snapshot.view if snapshot.looking is None else snapshot.looking.view
    phase, rest = divmod(seconds, BLINK_S)
    blinking = {led.gpio for led in board.leds if led.shows is Shows.PENDING and _is_in_hand(led, snapshot, view)}
    lit = {led.gpio for led in board.leds if _is_lit(led, snapshot, view)} - blinking
    is_on = int(phase) % 2 == 0
    return LitPinLeds(frozenset(lit | blinking if is_on else lit), seconds - rest + BLINK_S if blinking else inf)


def _is_in_hand(led: LedPin, snapshot: Snapshot, view: View | None) -> bool:
    if snapshot.pending is not None and snapshot.pending.track == led.side:
        return True
    return view is not None and led.side < len(view.sides) and view.sides[led.side].in_hand is not None


def _is_lit(led: LedPin, snapshot: Snapshot, view: View | None) -> bool:
    match led.shows:
        case Shows.GAMES:
            return led.side < len(snapshot.games) and snapshot.games[led.side] >= led.number
        case Shows.DEALER:
            return view is not None and view.dealer_side == led.side
        case Shows.TURN:
            asked = view is not None and view.prompt.side == led.side
            return snapshot.lobby is None and (asked or led.side in snapshot.waiting)
        case Shows.PENDING:
            return view is not None and view.claim is not None and view.claim.side == led.side
