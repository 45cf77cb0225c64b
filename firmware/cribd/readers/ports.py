"""Finds the ports of card readers, also after they were unplugged.

Linux gives the first free name, `/dev/ttyACM1` after `/dev/ttyACM0`; the names that the installation gives are those of
the sockets, and stay. But udev also keeps a link below `/dev/serial/by-id`, which is named after the device. Which link
leads to a reader is noted when it is opened, and followed when it comes back. Two readers of one kind without serial
numbers have one link between them, and cannot be told apart.
"""

from __future__ import annotations

import re
from pathlib import Path

from cribboard.validation import Message
from cribd.wires import Wires

#: A name that Linux gives in the order in which devices are found.
_IN_ORDER = re.compile(r"tty(ACM|USB)\d+")


class Ports:
    """Finds the serial port of each reader of a board."""

    def __init__(self, wires: Wires) -> None:
        self._wires = wires
        self._links: dict[str, Path] = {}

    def find(self, name: str) -> str:
        """Return the port of the reader with this configured name.

        The port may not exist. Raises OSError if another reader is at this port now."""
        link, port = self._links.get(name), Path(self._wires.serial(name))
        is_in_order = _IN_ORDER.fullmatch(port.name) is not None
        if link is not None and link.exists() and (is_in_order or not port.exists()):
            return str(link.resolve())
        others = {other.resolve() for reader, other in self._links.items() if reader != name and other.exists()}
        if is_in_order and port.resolve() in others:
            raise OSError(Message("reader.port_taken", "another reader is at {port} now", port=port))
        return str(port)

    def note(self, name: str, port: str) -> None:
        """Remember the USB device at this port for the reader."""
        device = Path(port).resolve()
        for link in (self._wires.root / "dev/serial/by-id").glob("*"):
            if link.resolve() == device:
                self._links[name] = link
