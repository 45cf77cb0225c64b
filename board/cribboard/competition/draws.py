"""Kept for old imports: earlier releases documented `next_seating` under this name."""

from cribboard.competition.next_seating import next_play_off, next_seating, order_of_draw

__all__ = ["next_play_off", "next_seating", "order_of_draw"]
