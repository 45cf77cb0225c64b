"""The monotonic clock, without asyncio: for `cribd.clock`, and for `cribd.first_light`, which must start fast."""

from time import monotonic

__all__ = ("monotonic",)
