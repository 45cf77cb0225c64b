"""Finds the addresses by which a browser reaches this machine.

Where the server listens on all interfaces, it is the address from which this machine sends to the network. It is looked
up each time, because a network may come and go. Sends nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import ipaddress
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
#: The request of ioctl for the address of an interface (netdevice(7)).
_SIOCGIFADDR = 0x8915
#: Addresses for documentation (RFC 5737, RFC 3849): the route to them is the default route.
_ANYWHERE = {4: (socket.AF_INET, "192.0.2.1"), 6: (socket.AF_INET6, "2001:db8::1")}


def reached_by(host: str) -> str | None:
    """Return the address by which others reach a server on `host`.

    None if they cannot."""
    if host == "localhost":
        return None
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        found = _own_address(address.version)
        if found is None:
            return None
        address = found
    if address.is_loopback:
        return None
    return _in_url(address)


def addresses(host: str) -> tuple[str, ...]:
    """List the addresses of a server on `host`, as in a URL.

    For 0.0.0.0 or ::, these are the addresses of this machine, loopback first."""
    if host == "localhost":
        return (host,)
    address = ipaddress.ip_address(host)
    if not address.is_unspecified:
        return (_in_url(address),)
    loopback = ipaddress.ip_address("127.0.0.1" if address.version == 4 else "::1")
    main = _own_address(address.version)
    on_networks = (*(() if main is None else (main,)), *_of_interfaces(address.version))
    return tuple(dict.fromkeys(_in_url(address) for address in (loopback, *on_networks)))


def _in_url(address: _Address) -> str:
    return f"[{address}]" if address.version == 6 else str(address)


def _of_interfaces(version: int) -> Iterator[_Address]:
    """Yield this machine's addresses except loopback and link-local ones (netdevice(7), proc(5))."""
    for address in _of_ipv4() if version == 4 else _of_ipv6():
        if not address.is_loopback and not address.is_link_local:
            yield address


def _of_ipv4() -> Iterator[_Address]:
    # The names are in /proc: `socket.if_nameindex` asks by AF_NETLINK, which the service may not use.
    lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for name in (line.partition(":")[0].strip() for line in lines):
            with contextlib.suppress(OSError):  # an interface without an address
                answer = fcntl.ioctl(asked, _SIOCGIFADDR, struct.pack("256s", name.encode()))
                yield ipaddress.ip_address(answer[20:24])


def _of_ipv6() -> Iterator[_Address]:
    with contextlib.suppress(OSError):  # a kernel without IPv6
        for line in Path("/proc/net/if_inet6").read_text(encoding="ascii").splitlines():
            yield ipaddress.ip_address(bytes.fromhex(line.split()[0]))


def _own_address(version: int) -> _Address | None:
    """Find the source address of this machine's network packets.

    Connecting a datagram socket sends nothing."""
    family, anywhere = _ANYWHERE[version]
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
        way.connect((anywhere, 9))
        return ipaddress.ip_address(way.getsockname()[0])
    return None
