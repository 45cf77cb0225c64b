"""The monotonic clock, without the slow import of asyncio."""

from time import monotonic

__all__ = ("monotonic",)
