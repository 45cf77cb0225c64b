"""All table manners in one pure function (being written): who is asked what, and what a press means now."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Why the table itself did nothing; the game's own reasons are in `cribboard.actions.REFUSALS`.
REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "two_holes": "two holes were pressed at once: press one",
        "no_such_card": "{text} is no card: a rank A23456789TJQK and a suit CDHS are wanted",
        "menu_open": "the menu is open: OK takes the line, MENU held leaves",
        "key_means_nothing": "{key} means nothing now",
        "no_game": "no game is under way: OK starts one",
        "answer_the_question": "a question is open: the other side's OK says yes, UNDO drops it",
    }
)
