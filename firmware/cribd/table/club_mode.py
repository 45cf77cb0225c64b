"""The mode in which the board joins or leaves a club.

It also has the interface to the club. The table knows no network: `Club` looks for hubs and joins, and the daemon
connects it. OK says yes, UNDO or a held MENU leaves, and MENU shows the next club where there are several.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from cribd.inputs import CardRead, ClubAct, Key, KeyHeld, KeyPressed, Press
from cribd.table.commands import ClubRequest, InputMeaning, Mode, base_of
from cribd.table.snapshot import ClubMode, ClubStep, Refusal

#: The beginning of the text on a table card, which is the address of the hub's pages.
_ADDRESS = "http://"


class Club(Protocol):
    """The interface to join and leave a club.

    Its methods return at once; the result is shown later."""

    @property
    def name(self) -> str:
        """The name of the board's club; "" if there is none."""

    def connect(self, show: Callable[[ClubMode], None]) -> None:
        """Register `show`, which is called on the loop for each change."""

    def open(self) -> None:
        """Search for clubs, or show the board's club."""

    def join(self, address: str) -> None:
        """Ask the hub at this address to admit the board."""

    def answer(self, act: ClubAct) -> None:
        """Carry out the player's answer to the shown question."""

    def close(self) -> None:
        """Stop searching for clubs and joining."""


def interpret(shown: ClubMode, press: Press) -> InputMeaning:
    """Interpret an input in the club mode."""
    match press:
        case KeyPressed(Key.OK):
            return ClubRequest(ClubAct.OK)
        case KeyPressed(Key.MENU) if shown.step is ClubStep.FOUND:
            return ClubRequest(ClubAct.NEXT)
        case KeyPressed(Key.MENU | Key.UNDO) | KeyHeld(Key.MENU):
            return ClubRequest(ClubAct.CLOSE)
        case CardRead(text) if text.startswith(_ADDRESS):
            return ClubRequest(ClubAct.JOIN, text)
    return Refusal("menu_open")


class ClubAtTable:
    """Lets the board of one table join or leave a club.

    `club` is None if this board cannot join a club."""

    def __init__(self, club: Club | None, *, mode: Callable[[], Mode], change: Callable[[Mode], None]) -> None:
        self._club = club
        self._mode = mode
        self._change = change
        if club is not None:
            club.connect(self._show)

    @property
    def name(self) -> str | None:
        """The name of the board's club.

        None if this board cannot join a club."""
        return None if self._club is None else self._club.name

    def open(self) -> None:
        """Show the board's club, or search for clubs."""
        if self._club is not None:
            self._change(ClubMode(ClubStep.SEARCH, covers=base_of(self._mode())))
            self._club.open()

    def take(self, asked: ClubRequest) -> None:
        """Carry out a request about the club."""
        if self._club is None:
            return
        if not isinstance(shown := self._mode(), ClubMode):
            if asked.act not in (ClubAct.OPEN, ClubAct.JOIN):
                return
            self._change(ClubMode(ClubStep.SEARCH, covers=base_of(shown)))
        match asked.act:
            case ClubAct.OPEN:
                self._club.open()
            case ClubAct.JOIN:
                self._club.join(asked.address)
            case ClubAct.OK if isinstance(shown, ClubMode) and shown.is_over:
                self._change(shown.covers)
            case ClubAct.CLOSE if isinstance(shown, ClubMode):
                self._change(shown.covers)
            case act:
                self._club.answer(act)

    def follow(self, mode: Mode) -> None:
        """Stop the search for clubs when the club mode ends."""
        if self._club is not None and isinstance(self._mode(), ClubMode) and not isinstance(mode, ClubMode):
            self._club.close()

    def _show(self, shown: ClubMode) -> None:
        if isinstance(mode := self._mode(), ClubMode):
            self._change(replace(shown, covers=mode.covers))
