"""All phrases of a language: the interface for the rest of the device.

Each method takes what the table shows and returns lines for the screen; the modules of this room word them. Nothing
here reads a clock, or knows how a line is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cribboard.actions import Action
from cribboard.view import View
from cribd.inputs import Fault
from cribd.table.snapshot import MenuLine, Refusal, Snapshot
from cribd.text import announcements, prompts, refusals
from cribd.text.announcements import Coached
from cribd.text.catalogue import open_catalogue
from cribd.text.events import undone_in_words
from cribd.text.words import Words


@cache
def load(language: str) -> Phrases:
    """The phrases of a language: "en", "fr_CA". English says what the language does not say, or not so that it can be
    filled in; stderr gets a report. Raises ValueError, naming the languages, if there is none such."""
    return Phrases(open_catalogue(language))


@dataclass(frozen=True, slots=True, eq=False)
class Phrases(Words):
    """What the board says in one language, for a number of players and sides."""

    # Who must do what now

    def prompt(self, snapshot: Snapshot) -> str:
        """The main line: who must do what now. In an open menu, the line that OK would choose."""
        return prompts.prompt_line(snapshot, self.seated_for(snapshot.view))

    def hints(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The lines that help to do what is asked: the other answer, or the steps that follow. Often none."""
        return prompts.hints(snapshot, self.seated_for(snapshot.view))

    def called(self, snapshot: Snapshot) -> str:
        """That a game of an event is due while another is played."""
        return "" if snapshot.event is None else prompts.called("lobby.called", snapshot.event, self)

    def menu_line(self, line: MenuLine) -> str:
        """A line of the menu, with the present value of a setting."""
        return prompts.menu_line(line, self)

    def menu_now(self, line: MenuLine) -> str:
        """What stands below a line of the menu: that the match would end; else the value that OK sets, or whose OK an
        act still needs."""
        return prompts.menu_now(line, self)

    def menu_title(self, snapshot: Snapshot) -> str:
        """That the menu is open and the game waits; between games, what the keys do."""
        return prompts.menu_title(snapshot, self)

    # What happened

    def said(self, view: View) -> tuple[str, ...]:
        """The lines of the latest act: what was done, scored and ruled, the most important first. Often none."""
        return announcements.said(view, self.seated_for(view))

    def reasons(self, view: View) -> frozenset[str]:
        """The lines of `said` that say what points are for."""
        return announcements.reasons(view, self.seated_for(view))

    def coached(self, view: View) -> Coached | None:
        """The count that was just closed, step by step, where the board coaches."""
        return announcements.coached(view, self.seated_for(view))

    def undone(self, action: Action) -> str:
        """What was taken back, in a word or two."""
        return undone_in_words(action, self)

    # What did not work

    def refusal(self, refusal: Refusal) -> tuple[str, ...]:
        """Why the latest press or scan did nothing: what was wrong, and what helps where the main line does not. A
        refusal does not know the table: ask the phrases that are `seated_for` it."""
        return refusals.refusal(refusal, self)

    def fault(self, fault: Fault) -> str:
        """A part of the board that went wrong, and where."""
        return refusals.fault(fault, self)
