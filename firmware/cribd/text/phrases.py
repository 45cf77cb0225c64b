"""All phrases of a language, for the whole device.

Each method takes what the table shows and returns lines for the screen; the modules of this room word them. Nothing
here reads a clock, or knows how a line is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from cribboard.actions import Action
from cribboard.view import View
from cribd.inputs import Fault
from cribd.languages import languages
from cribd.table.snapshot import MenuLine, Refusal, Snapshot
from cribd.text import act_lines, menu, prompts, refusals
from cribd.text.act_lines import CountLines
from cribd.text.catalogue import open_catalogue
from cribd.text.events import undone_in_words
from cribd.text.words import Words

T = TypeVar("T")


@cache
def load(language: str) -> Phrases:
    """Load the phrases of a language, such as "fr_CA".

    Missing and invalid phrases are replaced by the English ones, with a report on stderr. Raises ValueError with the
    list of languages if this one does not exist."""
    return Phrases(open_catalogue(language))


def load_all() -> Mapping[str, Phrases]:
    """Load the phrases of every language, English first."""
    return {language: load(language) for language in languages()}


def in_every_language(say: Callable[[Phrases], T]) -> dict[str, T]:
    """Return the result of `say` for each language."""
    return {language: say(phrases) for language, phrases in load_all().items()}


@dataclass(frozen=True, slots=True, eq=False)
class Phrases(Words):
    """All texts of the board in one language."""

    # Who must do what now

    def prompt(self, snapshot: Snapshot) -> str:
        """Write the main line, usually who must do what now."""
        return prompts.prompt_line(snapshot, self.seated_for(snapshot.view))

    def hints(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Write the help lines below the main line; often none.

        They name the other possible answer, or the next steps."""
        return prompts.hints(snapshot, self.seated_for(snapshot.view))

    def game_due(self, snapshot: Snapshot) -> str:
        """Say that a game of a competition is due; else ""."""
        return "" if snapshot.event is None else prompts.game_due("lobby.called", snapshot.event, self)

    def menu_line(self, line: MenuLine) -> str:
        """Write the text of a menu line."""
        return menu.prompt_line(line, self)

    def menu_now(self, line: MenuLine) -> str:
        """Say what OK does on this menu line."""
        return menu.effect_of_ok(line, self)

    def menu_title(self, snapshot: Snapshot) -> str:
        """Write the title of the open menu."""
        return menu.title(snapshot, self)

    # What happened

    def said(self, view: View) -> tuple[str, ...]:
        """Write the lines of the latest act, most important first.

        They name moves, scores and rulings."""
        return act_lines.said(view, self.seated_for(view))

    def reasons(self, view: View) -> frozenset[str]:
        """Return the lines that explain the latest points."""
        return act_lines.reasons(view, self.seated_for(view))

    def coached(self, view: View) -> CountLines | None:
        """Write the steps of the latest judged count, if there is one."""
        return act_lines.coached(view, self.seated_for(view))

    def undone(self, action: Action) -> str:
        """Name the act that was undone."""
        return undone_in_words(action, self)

    # What did not work

    def refusal(self, refusal: Refusal) -> tuple[str, ...]:
        """Say why the latest press or scan did nothing.

        If the main line does not say what to do instead, a second line does. A refusal does not know the table: use the
        phrases that are `seated_for` it."""
        return refusals.refusal(refusal, self)

    def cause(self, fault: Fault) -> str:
        """Return the fault's cause as part of a sentence, or ""."""
        return self.problem(fault.cause)

    def fault(self, fault: Fault) -> str:
        """Say what is wrong with the board."""
        return refusals.fault(fault, self)
