"""Every place of a board that has a light."""

from __future__ import annotations

from cribd.boards import Spot, Track


def spots_of(track: Track) -> tuple[Spot, ...]:
    """Every spot of one side's track."""
    lap = () if track.lap_lamp is None else (track.lap_lamp,)
    return (*track.starts, *track.holes, *track.matches, track.dealer_lamp, *lap)
