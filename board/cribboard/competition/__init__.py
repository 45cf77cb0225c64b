"""Competitions: the draw of opponents, the results, the standings and the medals.

Like the game, they use no clock, no random numbers and no files.

`docs/competition.md` has the formats and their sources. A draw is passed in as the order of the entrants.
"""

from cribboard.competition.club_format import FormatError, read_format
from cribboard.competition.competition import Competition
from cribboard.competition.formats import FORMATS, Format
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.standings import standings
from cribboard.competition.view import see

__all__ = [
    "FORMATS",
    "Competition",
    "Format",
    "FormatError",
    "RefusedAction",
    "read_format",
    "see",
    "standings",
]
