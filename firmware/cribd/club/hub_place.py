"""The address of a hub's pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

#: The port of a hub's pages, unless its address says another.
PORT = 8121
#: The path of the address on a table card, with the number of the table.
_TABLE = re.compile(r"/event/table/([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class HubPlace:
    """The address of a hub's pages.

    An address on a table card has a `table` too. An address that was found in the network has a `name` and a `key`."""

    host: str
    port: int = PORT
    table: int | None = None
    name: str = ""
    """The name by which it was found; "" if it was not."""
    key: str = ""
    """The public key that it was announced with, which nobody has checked yet; "" if it was not found."""

    @property
    def url(self) -> str:
        """The address as a URL, such as `http://hub.local:8121`."""
        return f"http://{in_url(self.host)}:{self.port}"


def read_place(text: str) -> HubPlace | None:
    """Read a hub's address from this text, or return None.

    >>> read_place("192.168.1.20"), read_place("http://hub.local:8081/event/table/4?key=1").table
    (HubPlace(host='192.168.1.20', port=8121, table=None, name='', key=''), 4)
    """
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port or PORT
    except ValueError:
        return None
    if parts.scheme != "http" or not parts.hostname or parts.username is not None:
        return None
    if re.fullmatch(r"[0-9A-Za-z._:-]+", parts.hostname) is None:
        return None
    table = _TABLE.fullmatch(parts.path)
    return HubPlace(parts.hostname, port, None if table is None else int(table[1]))


def in_url(host: str) -> str:
    """Format a host for a URL: an IPv6 address gets brackets."""
    return f"[{host}]" if ":" in host else host
