"""Lets this board join or leave a club (`cribd.table.club_mode.Club`).

The room of the club is imported when somebody looks for one, or when the board belongs to one: another board needs
nothing of it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cribd import openssl
from cribd.clock import Clock
from cribd.config.config import Config
from cribd.inputs import LONGEST_NAME, ClubAct
from cribd.storage.journal import Journal
from cribd.storage.journal_file import JournalAway
from cribd.table.owner_actions import tidy
from cribd.table.snapshot import ClubMode, ClubStep

if TYPE_CHECKING:
    from cribd.club.hub_place import HubPlace
    from cribd.club.joining_client import JoinProgress
    from cribd.club.membership import Membership

#: The setting with the club; `cribd.club.membership` reads it.
_SETTING = "club"
#: How long the board looks, before it asks the one hub that it has found.
_LOOKS_S = 2.0
#: How many addresses of its hub a board stores.
_MOST_ADDRESSES = 3


def can_join(config: Config, journal: Journal) -> bool:
    """Whether this board may join or leave a club.

    It needs the libraries of the extra, and one of these: a club, the address of a hub, pages open to a network."""
    in_network = config.page.port is not None and config.page.host not in ("127.0.0.1", "::1", "localhost")
    wanted = in_network or bool(config.club.hub or journal.setting(_SETTING))
    return wanted and all(find_spec(name) for name in ("aiomqtt", "cryptography"))


class ClubAtBoard:
    """The club of a board, and how to join or leave."""

    def __init__(self, config: Config, journal: Journal, clock: Clock) -> None:
        self._hub = config.club.hub
        self._path: Path = config.journal_path
        self._journal = journal
        self._clock = clock
        self._watchers: list[Callable[[], None]] = []
        self._show: Callable[[ClubMode], None] = lambda _: None
        self._shown = ClubMode(ClubStep.SEARCH)
        self._found: Sequence[HubPlace] = ()
        self._at = 0
        self._confirmed = asyncio.Event()
        self._joins: HubPlace | None = None
        self._task: asyncio.Task[None] | None = None
        self.membership: Membership | None = None
        if journal.setting(_SETTING):
            from cribd.club.membership import read_membership

            self.membership = read_membership(journal)

    @property
    def name(self) -> str:
        """The name of the club; "" without a club."""
        return "" if self.membership is None else self.membership.name

    def connect(self, show: Callable[[ClubMode], None]) -> None:
        """Call `show` on the loop with each new step."""
        self._show = show

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` on the loop after each change of the membership."""
        self._watchers.append(changed)

    def open(self) -> None:
        """Show the club of the board, or begin to join one."""
        if self.membership is not None:
            self._display(ClubStep.MEMBER, self.name)
        elif self._hub:
            self.join(self._hub)
        else:
            self._start(self._look())

    def join(self, address: str) -> None:
        """Ask the hub at this address to let this board join.

        If the board has a club, look for that club's hub there. If the hub was already asked, the address on a table's
        card only tells it the table."""
        from cribd.club.hub_place import read_place

        place = read_place(address)
        if place is None:
            self._display(ClubStep.ENDED, why="no_address")
        elif self.membership is not None:
            self._start(self._move(place.host))
        elif self._is_card_of_asked_hub(place):
            self._joins = place
        else:
            self._start(self._join(place))

    def answer(self, act: ClubAct) -> None:
        """Apply a person's answer to the shown step."""
        match self._shown.step, act:
            case ClubStep.FOUND, ClubAct.NEXT:
                self._at = (self._at + 1) % len(self._found)
                self._show_found()
            case ClubStep.FOUND, ClubAct.OK:
                self._start(self._join(self._found[self._at]))
            case ClubStep.WORDS, ClubAct.OK:
                self._confirmed.set()
                self._display(ClubStep.DESK, self._shown.name, self._shown.words)
            case ClubStep.MEMBER, ClubAct.OK:
                self._display(ClubStep.LEAVE, self.name)
            case ClubStep.LEAVE, ClubAct.OK:
                self._start(self._leave())

    def close(self) -> None:
        """Cancel the running task, if there is one."""
        if self._task is not None:
            self._task.cancel()

    @property
    def tasks(self) -> Sequence[asyncio.Task[None]]:
        """The task that was started last, even if done."""
        return () if self._task is None else (self._task,)

    async def stop(self) -> None:
        """End the running task, because the board stops."""
        self.close()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    # What is done

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in place of the earlier task."""
        before = self._task
        self.close()
        self._shown, self._confirmed, self._joins = ClubMode(ClubStep.SEARCH), asyncio.Event(), None

        async def after() -> None:
            if before is not None:
                await asyncio.gather(before, return_exceptions=True)
            await work

        self._task = asyncio.create_task(after(), name="club")

    def _is_card_of_asked_hub(self, place: HubPlace) -> bool:
        """Whether `place` was read from a table card of the asked hub."""
        if (asked := self._joins) is None:
            return False
        from cribboard.competition.rounds import MOST_TABLES

        return (place.host, place.port) == (asked.host, asked.port) and 0 < (place.table or 0) <= MOST_TABLES

    async def _look(self) -> None:
        """Search for hubs. Join the only one, or offer several."""
        self._at = 0
        self._note_found(())
        self._display(ClubStep.SEARCH)
        discovery = await self._clock.run_in_thread(partial(import_module, "cribd.club.discovery"))
        looking = asyncio.create_task(discovery.browse(self._note_found, self._clock), name="hubs")
        try:
            await self._clock.sleep(_LOOKS_S)
            while not self._found:
                await self._clock.sleep(_LOOKS_S)
            if len(self._found) > 1:
                self._show_found()
                await looking
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        await self._join(self._found[0])

    def _note_found(self, found: Sequence[HubPlace]) -> None:
        if self._shown.step is ClubStep.FOUND and found:
            here = self._found[self._at]
            self._found = found
            self._at = found.index(here) if here in found else 0
            self._show_found()
        else:
            self._found = found

    async def _join(self, place: HubPlace) -> None:
        self._display(ClubStep.WAITS, place.name)
        openssl.allow()
        # in a thread: what reads certificates takes a Pi Zero a while
        await self._clock.run_in_thread(partial(import_module, "cribd.club.joining_client"))
        from cribd.club.joining import JoiningEnded
        from cribd.club.joining_client import join
        from cribd.club.keys import KeyDamaged, load_or_make
        from cribd.club.membership import keep_membership

        try:
            key = await self._clock.run_in_thread(partial(load_or_make, self._path))
            name = tidy(socket.gethostname().partition(".")[0][:LONGEST_NAME])
            self._joins = place
            joined = await join(
                place,
                key,
                self._clock,
                name=name,
                show=self._show_progress,
                confirmed=self._confirmed,
                card=lambda: None if self._joins is None else self._joins.table,
            )
            await self._clock.run_in_thread(partial(keep_membership, self._journal, joined))
        except JoiningEnded as ended:
            self._shown = ClubMode(ClubStep.ENDED, why=ended.code, values=ended.values)
            self._show(self._shown)
        except (JournalAway, KeyDamaged, OSError):
            self._display(ClubStep.ENDED, why="not_kept")
        else:
            self._set(joined)
            self._display(ClubStep.JOINED, self.name)
        finally:
            self._joins = None

    async def _move(self, host: str) -> None:
        """Store this host as the first address of the hub."""
        from cribd.club.membership import keep_membership, read_membership

        self._display(ClubStep.MEMBER, self.name)
        if (member := read_membership(self._journal)) is None or member.addresses[:1] == (host,):
            return
        others = (other for other in member.addresses if other != host)
        moved = replace(member, addresses=(host, *others)[:_MOST_ADDRESSES])
        try:
            await self._clock.run_in_thread(partial(keep_membership, self._journal, moved))
        except JournalAway:
            self._display(ClubStep.ENDED, why="not_kept")
        else:
            self._set(moved)

    async def _leave(self) -> None:
        from cribd.club.membership import keep_membership

        try:
            await self._clock.run_in_thread(partial(keep_membership, self._journal, None))
        except JournalAway:
            self._display(ClubStep.ENDED, why="not_kept")
        else:
            self._set(None)
            self._display(ClubStep.ENDED, why="left")

    def _set(self, membership: Membership | None) -> None:
        self.membership = membership
        for changed in self._watchers:
            changed()

    # What is shown

    def _show_found(self) -> None:
        place = self._found[self._at]
        self._display(ClubStep.FOUND, place.name or place.url)

    def _show_progress(self, progress: JoinProgress, club: str) -> None:
        words = getattr(progress, "words", ())
        if words:
            self._display(ClubStep.WORDS, club, words)

    def _display(self, step: ClubStep, name: str = "", words: tuple[str, ...] = (), *, why: str = "") -> None:
        self._shown = ClubMode(step, name, words, why)
        self._show(self._shown)
