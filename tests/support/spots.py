"""Every place of a board that has a light."""

from __future__ import annotations

from cribd.boards import NAMES, Spot, Track, load

#: The boards with holes: their names.
HOLED = tuple(name for name in NAMES if load(name).on_spi)


def spots_of(track: Track) -> tuple[Spot, ...]:
    """Every spot of one side's track."""
    lamps = [lamp for lamp in (track.dealer_lamp, track.lap_lamp) if lamp is not None]
    return (*track.starts, *track.holes, *track.matches, *lamps)
