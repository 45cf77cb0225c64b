"""Joining and leaving a club at the board: the meaning of each key, and the interface of the club.

The table knows no network: `Club` looks for hubs and joins, and the daemon connects it. OK says yes, UNDO or a held
MENU leaves, and MENU shows the next club where there are several.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from cribd.inputs import CardRead, ClubAct, Key, KeyHeld, KeyPressed, Press
from cribd.table.commands import ClubRequest, InputMeaning, Mode, base_of
from cribd.table.snapshot import AtClub, ClubStep, Refusal

#: The beginning of the text on a table card, which is the address of the hub's pages.
_ADDRESS = "http://"


class Club(Protocol):
    """Joins a club and leaves it. Each method returns at once; its result is shown later."""

    @property
    def name(self) -> str:
        """The name of the club to which the board belongs; "" if it belongs to none."""

    def connect(self, show: Callable[[AtClub], None]) -> None:
        """Call `show` on the loop with each change of what is shown."""

    def open(self) -> None:
        """Look for clubs, or show the one to which the board belongs."""

    def join(self, address: str) -> None:
        """Ask the hub at this address, which may be the text of a table card."""

    def answer(self, act: ClubAct) -> None:
        """Do what this answer means for what is shown: yes, or the next one."""

    def close(self) -> None:
        """Stop looking and joining, because nobody sees it any more."""


def interpret(shown: AtClub, press: Press) -> InputMeaning:
    """Interpret a press or a scan while the table shows a club or a step of joining."""
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
    """The club of one table; `club` is None if it can join none. `mode` gives the table's mode, `change` changes it."""

    def __init__(self, club: Club | None, *, mode: Callable[[], Mode], change: Callable[[Mode], None]) -> None:
        self._club = club
        self._mode = mode
        self._change = change
        if club is not None:
            club.connect(self._show)

    @property
    def name(self) -> str | None:
        """The name of the club to which the board belongs, "" if to none; None where it cannot join any."""
        return None if self._club is None else self._club.name

    def open(self) -> None:
        """Show the club, or look for one."""
        if self._club is not None:
            self._change(AtClub(ClubStep.SEARCH, covers=base_of(self._mode())))
            self._club.open()

    def take(self, asked: ClubRequest) -> None:
        """Do what a key, a scan or the owner's page asks."""
        if self._club is None:
            return
        if not isinstance(shown := self._mode(), AtClub):
            if asked.act not in (ClubAct.OPEN, ClubAct.JOIN):
                return
            self._change(AtClub(ClubStep.SEARCH, covers=base_of(shown)))
        match asked.act:
            case ClubAct.OPEN:
                self._club.open()
            case ClubAct.JOIN:
                self._club.join(asked.address)
            case ClubAct.OK if isinstance(shown, AtClub) and shown.is_over:
                self._change(shown.covers)
            case ClubAct.CLOSE if isinstance(shown, AtClub):
                self._change(shown.covers)
            case act:
                self._club.answer(act)

    def follow(self, mode: Mode) -> None:
        """Stop looking for clubs if the table changes to a mode that does not show them."""
        if self._club is not None and isinstance(self._mode(), AtClub) and not isinstance(mode, AtClub):
            self._club.close()

    def _show(self, shown: AtClub) -> None:
        if isinstance(mode := self._mode(), AtClub):
            self._change(replace(shown, covers=mode.covers))
