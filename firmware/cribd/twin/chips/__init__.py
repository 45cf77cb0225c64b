"""Simulated chips, each written only from its data sheet.

A chip knows no wire, clock, lock or card: `parts` and `readers` connect chips to the twin's wires. Chips of the board
handle the ordinary bytes of a driver in a fast way; tests compare that with a slow one, bit by bit.
"""


class TagReaderChip:
    """The interface of a simulated tag reader.

    A chip overrides the methods for what its data sheet has; the others do nothing."""

    #: The speed that the host has asked for, where the chip can change it.
    new_baud: int | None = None
    #: Seconds from the end of a frame that is sent unasked to the beginning of the next.
    pause_s: float = 0.0

    def power_on(self) -> None:
        """Reset the chip. Only the tags in its field stay."""

    def put_tags_in_field(self, uids: tuple[str, ...]) -> list[bytes]:
        """Put these tags in the field; return what the chip sends at once."""
        raise NotImplementedError

    def receive(self, data: bytes) -> list[bytes]:
        """Accept bytes from the host, and return the answers."""
        return []

    def frame(self) -> bytes:
        """Return the next frame sent without a request, or b""."""
        return b""
