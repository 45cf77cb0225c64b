"""Every place of a board that has a light."""

from __future__ import annotations

from cribd.boards import NAMES, KeyPin, LedPin, Spot, Track, load

#: The boards with holes: their names.
HOLED = tuple(name for name in NAMES if load(name).on_spi)


def spots_of(track: Track) -> tuple[Spot, ...]:
    """Every spot of one side's track."""
    lamps = [lamp for lamp in (track.dealer_lamp, track.lap_lamp) if lamp is not None]
    return (*track.starts, *track.holes, *track.matches, *lamps)


def lamp_of(pin: KeyPin | LedPin) -> Spot:
    """The place of a key or of an LED on a pin."""
    return Spot(led=0, x_mm=pin.x_mm, y_mm=pin.y_mm)
