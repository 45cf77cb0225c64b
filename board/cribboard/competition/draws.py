"""The documented name of `next_seating` in earlier releases."""

from cribboard.competition.next_seating import next_play_off, next_seating, order_of_draw

__all__ = ["next_play_off", "next_seating", "order_of_draw"]
