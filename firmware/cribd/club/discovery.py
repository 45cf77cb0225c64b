"""Finds and advertises hubs in the network.

The protocol is DNS-SD over multicast DNS (RFC 6763, RFC 6762). Avahi does the work where it runs, asked over D-Bus,
because a second program beside it that answers multicast DNS is unreliable. Where there is no Avahi, the library
zeroconf does it in this process. A hub's zeroconf gives way to an Avahi that comes later.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from socket import gethostname
from typing import TYPE_CHECKING, Any, Literal

from cribd.clock import Clock
from cribd.club.hub_place import HubPlace

if TYPE_CHECKING:
    from jeepney.io.asyncio import DBusRouter
    from zeroconf.asyncio import AsyncZeroconf

SERVICE = "_cribboard._tcp"
#: How often a hub looks whether it has another address, and whether Avahi still advertises it, in seconds.
_LOOK_S = 10.0
#: How long a hub may take to send its address.
_RESOLVE_S = 3.0
#: The most hubs that a board offers. More hubs than this would not be real clubs.
_MOST = 16
_BUS_NAME = "org.freedesktop.Avahi"
#: What the bus answers to a call of a program that is not there, or ends meanwhile (D-Bus specification).
_NOBODY_ANSWERS = (
    "org.freedesktop.DBus.Error.ServiceUnknown",
    "org.freedesktop.DBus.Error.NameHasNoOwner",
    "org.freedesktop.DBus.Error.NoReply",
)
#: avahi-common/address.h, defs.h: any interface; IPv4.
_ANY, _IPV4 = -1, 0

#: Takes all hubs that are there now.
Found = Callable[[Sequence[HubPlace]], None]


async def browse(found: Found, clock: Clock) -> None:
    """Browse for hubs until cancelled.

    `found` is called on the loop with each change."""
    await _with_avahi(lambda avahi: avahi.browse(found))
    await _browse_alone(found)
    await _wait_for_ever(clock)


async def advertise(name: str, key: str, port: int, clock: Clock, *, address: Callable[[], str | None]) -> None:
    """Advertise the hub of this club until cancelled.

    `key` is the hub's public key, and `port` the port of its pages. `address` looks up where other machines reach this
    one; each new address is advertised. Avahi finds this machine's addresses itself."""
    instance, says = f"Cribboard {key[:8]}", {"id": key, "name": name}

    async def advertise_at(current: str) -> None:
        def stays() -> bool:
            return address() == current

        answer = await _with_avahi(lambda avahi: avahi.advertise(instance, port, says, clock, stays))
        if answer != "done":
            await _advertise_alone(instance, port, says, clock, current, stays, refuses=answer == "refuses")

    while True:
        try:
            if (current := address()) is not None:
                await advertise_at(current)
                continue
        except OSError:  # the network has gone meanwhile
            pass
        await clock.sleep(_LOOK_S)


async def _wait_for_ever(clock: Clock) -> None:
    while True:
        await clock.sleep(_LOOK_S)


# By Avahi


async def _with_avahi(work: Callable[[_Avahi], Any]) -> Literal["done", "refuses", "absent"]:
    from jeepney import DBusErrorResponse
    from jeepney.io.asyncio import open_dbus_router
    from jeepney.io.common import RouterClosed

    try:
        async with open_dbus_router(bus="SYSTEM") as router:
            avahi = _Avahi(router)
            await avahi.ask("GetVersionString")
            await work(avahi)
    except (OSError, EOFError, RouterClosed):  # no bus
        return "absent"
    except DBusErrorResponse as error:
        return "absent" if error.name in _NOBODY_ANSWERS else "refuses"
    return "done"


async def _is_avahi_there() -> bool:
    """Return whether Avahi is on the bus, without starting Avahi."""
    from jeepney import message_bus
    from jeepney.io.asyncio import open_dbus_router
    from jeepney.io.common import RouterClosed

    try:
        async with open_dbus_router(bus="SYSTEM") as router:
            reply = await router.send_and_get_reply(message_bus.NameHasOwner(_BUS_NAME))
            return bool(reply.body[0] is True)
    except (OSError, EOFError, RouterClosed):  # no bus
        return False


class _Avahi:
    """Avahi's server on the system bus (avahi-daemon/org.freedesktop.Avahi.Server.xml)."""

    def __init__(self, router: DBusRouter) -> None:
        self._router = router

    async def ask(
        self, method: str, signature: str = "", *body: object, at: str = "/", of: str = "Server"
    ) -> tuple[Any, ...]:
        """Call a D-Bus method of Avahi, and return the reply. Raises `DBusErrorResponse`."""
        from jeepney import DBusAddress, new_method_call
        from jeepney.wrappers import unwrap_msg

        where = DBusAddress(at, bus_name=_BUS_NAME, interface=f"org.freedesktop.Avahi.{of}")
        reply = await self._router.send_and_get_reply(new_method_call(where, method, signature or None, body))
        answer: tuple[Any, ...] = unwrap_msg(reply)
        return answer

    async def browse(self, found: Found) -> None:
        """Call `found` with all hubs after each change."""
        from jeepney import DBusErrorResponse, MatchRule, message_bus
        from jeepney.low_level import HeaderFields

        signals = MatchRule(type="signal", interface="org.freedesktop.Avahi.ServiceBrowser")
        places: dict[tuple[int, str], HubPlace] = {}  # a hub is there once for each network
        with self._router.filter(signals, bufsize=64) as queue:
            await self._router.send_and_get_reply(message_bus.AddMatch(signals))
            await self.ask("ServiceBrowserNew", "iissu", _ANY, _IPV4, SERVICE, "local", 0)
            while True:
                signal = await queue.get()
                match signal.header.fields.get(HeaderFields.member):
                    case "ItemNew" if len(places) < _MOST:
                        interface, protocol, name, kind, domain, _ = signal.body
                        try:
                            known = await self.ask(
                                "ResolveService", "iisssiu", interface, protocol, name, kind, domain, _IPV4, 0
                            )
                        except DBusErrorResponse:
                            continue  # it has gone meanwhile
                        says = dict(bytes(entry).partition(b"=")[::2] for entry in known[9])
                        places[interface, name] = HubPlace(
                            known[7], known[8], None, _text(says.get(b"name")), _text(says.get(b"id"))
                        )
                    case "ItemRemove":
                        places.pop((signal.body[0], signal.body[2]), None)
                    case _:
                        continue
                found(tuple({name: place for (_, name), place in places.items()}.values()))

    async def advertise(
        self, instance: str, port: int, says: Mapping[str, str], clock: Clock, stays: Callable[[], bool]
    ) -> None:
        """Advertise this hub until its address changes."""
        from jeepney import DBusErrorResponse

        entries = [f"{name}={value}".encode()[:255] for name, value in says.items()]
        while stays():
            (group,) = await self.ask("EntryGroupNew")
            of_group = {"at": group, "of": "EntryGroup"}
            service = (_ANY, _ANY, 0, instance, SERVICE, "", "", port, entries)
            await self.ask("AddService", "iiussssqaay", *service, **of_group)
            await self.ask("Commit", **of_group)
            try:
                while stays():
                    await clock.sleep(_LOOK_S)
                    await self.ask("GetState", **of_group)
            except DBusErrorResponse:
                await clock.sleep(_LOOK_S)


# Alone


@asynccontextmanager
async def _zeroconf() -> AsyncIterator[AsyncZeroconf]:
    """Run zeroconf inside the `async with` block.

    Cancelling the wait for its start would cancel the start too, and `async_close` would then close no socket. The same
    holds for `async_close`."""
    from zeroconf.asyncio import AsyncZeroconf

    zeroconf = AsyncZeroconf()
    starting = asyncio.create_task(zeroconf.zeroconf.async_wait_for_start())
    try:
        await asyncio.shield(starting)
        yield zeroconf
    finally:
        closing = asyncio.create_task(_close(zeroconf, starting))
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:  # who waits may be cancelled a second time
            await closing
            raise


async def _close(zeroconf: AsyncZeroconf, starting: asyncio.Task[None]) -> None:
    await zeroconf.async_close()
    await asyncio.gather(starting, return_exceptions=True)


async def _browse_alone(found: Found) -> None:
    """Browse for hubs by zeroconf until cancelled."""
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

    changes: asyncio.Queue[tuple[str, bool]] = asyncio.Queue(64)

    def changed(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if not changes.full():
            changes.put_nowait((name, state_change is not ServiceStateChange.Removed))

    kind, places = f"{SERVICE}.local.", dict[str, HubPlace]()
    async with _zeroconf() as zeroconf, AsyncServiceBrowser(zeroconf.zeroconf, kind, handlers=[changed]):
        while True:
            name, is_there = await changes.get()
            info = AsyncServiceInfo(kind, name)
            if not is_there:
                places.pop(name, None)
            elif len(places) < _MOST and await info.async_request(zeroconf.zeroconf, _RESOLVE_S * 1000):
                for address in info.parsed_addresses()[:1]:
                    places[name] = HubPlace(
                        address,
                        info.port or 0,
                        None,
                        _text(info.properties.get(b"name")),
                        _text(info.properties.get(b"id")),
                    )
            found(tuple(places.values()))


async def _advertise_alone(
    instance: str,
    port: int,
    says: Mapping[str, str],
    clock: Clock,
    address: str,
    stays: Callable[[], bool],
    *,
    refuses: bool,
) -> None:
    """Advertise this hub by zeroconf.

    Ends when the hub's address changes or Avahi starts. An Avahi that `refuses` must start again for that."""
    from zeroconf.asyncio import AsyncServiceInfo

    kind = f"{SERVICE}.local."
    info = AsyncServiceInfo(
        kind,
        f"{instance}.{kind}",
        parsed_addresses=[address.strip("[]")],
        port=port,
        properties=dict(says),
        server=f"{gethostname().partition('.')[0]}.local.",
    )
    async with _zeroconf() as zeroconf:
        await (await zeroconf.async_register_service(info, allow_name_change=True))
        while stays():
            await clock.sleep(_LOOK_S)
            is_there = await _is_avahi_there()
            if is_there and not refuses:
                return
            refuses = is_there


def _text(value: bytes | None) -> str:
    """Decode this text, or return "" if it is not printable."""
    read = (value or b"").decode(errors="replace")
    return read if read.isprintable() else ""
