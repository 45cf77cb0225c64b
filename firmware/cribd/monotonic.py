"""The monotonic clock of the machine, for `cribd.clock`, and for the first light, which cannot wait for asyncio."""

from time import monotonic

__all__ = ("monotonic",)
