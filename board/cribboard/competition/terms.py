"""The enumerations of competitions, and `GameAt`.

Logs store the values of enumerations, so no value may change.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class GameAt:
    """The round, table and game number of one game.

    Each number begins at 1."""

    round: int
    table: int
    game: int = 1


class CompetitionPhase(StrEnum):
    """The phases of a competition, in order."""

    REGISTRATION = "registration"  # entrants are registered and checked in
    PLAY = "play"  # rounds are drawn and played
    PLAYED = "played"  # no more rounds; results are checked, play-offs played, medals opened
    OPEN = "open"  # every result may be told


class EntrantStatus(StrEnum):
    """The status of an entrant.

    Only present entrants are seated and ranked (3.31)."""

    REGISTERED = "registered"  # not seen yet
    PRESENT = "present"
    ABSENT = "absent"  # did not appear
    LEFT = "left"  # withdrew
    DISQUALIFIED = "disqualified"


class EntrantKind(StrEnum):
    """The kind of an entrant: ranked or guest.

    The games of a guest count only for its opponents."""

    RANKED = "ranked"
    GUEST = "guest"


class Stage(StrEnum):
    """The stage of a round: drawn or started."""

    DRAWN = "drawn"  # the seating is published
    STARTED = "started"


class Ending(StrEnum):
    """How a game ended: finished or broken off.

    A game that was broken off counts as pegged, and has no winner (3.31)."""

    FINISHED = "finished"
    BROKEN_OFF = "broken-off"


class ResultSource(StrEnum):
    """The source of a result."""

    SLIP = "slip"  # a paper slip that the organiser types in
    DESK = "desk"  # said aloud at the desk
    PHONE = "phone"  # both sides, on their phones
    BOARD = "board"  # a board on which the game was played


class ResultState(StrEnum):
    """The state of a result.

    Only accepted or checked results count."""

    REPORTED = "reported"  # by one side; the other has not confirmed it
    DISPUTED = "disputed"  # the sides disagree; a correction settles it
    ACCEPTED = "accepted"
    CHECKED = "checked"  # compared with its slip (FADOQ, 1: « pour fin de vérification »)


class Missing(StrEnum):
    """The rule for games that can no longer be played (3.30)."""

    ZERO = "zero"
    AVERAGE = "average"  # the entrant's own average over the games played


class MeetingFormat(StrEnum):
    """The kind of meeting of two entrants."""

    GAMES = "games"  # a number of games; each counts for itself
    BEST_OF = "best_of"  # a match of at most so many games
    FIRST_TO = "first_to"  # a match to so many games won


class Movement(StrEnum):
    """The method that chooses the pairs of each round."""

    SCHEDULED = "scheduled"  # nobody meets an opponent again before meeting all others
    WINNERS_STAY = "winners_stay"  # winners keep their seats and losers move (3.13)
    SINGLE_ELIMINATION = "single_elimination"  # who loses a match is out
    DOUBLE_ELIMINATION = "double_elimination"  # who loses two matches is out


class RankingCriterion(StrEnum):
    """The criteria that rank entrants and break ties.

    The entrant with the greater amount comes first."""

    POINTS = "points"  # pegged points, 0 to the target each game (3.11)
    SPREAD = "spread"  # points for less points against (3.12); on ACC cards the net spread
    GAME_POINTS = "game_points"  # ACC: 2 a win, 3 a skunk, as the rules of the game say
    WINS = "wins"  # games won
    PLUS_POINTS = "plus_points"  # ACC: the sum of the winning margins (3.30)
    MATCHES = "matches"  # matches won, where a meeting is a match
    HEAD_TO_HEAD = "head_to_head"  # games won against each other; only where exactly two are level (3.30)
    LASTED = "lasted"  # how far an entrant came in an elimination
    PLAY_OFF = "play_off"  # matches won in a play-off for a medal (FADOQ, 11)
    PLAY_OFF_FURTHER = "play_off_further"  # matches won in all play-offs after the first (3.30)
    PLAY_OFF_GAMES = "play_off_games"  # games won less games lost in it, where three beat each other in a circle (3.30)
    PLAY_OFF_POINTS = "play_off_points"  # points pegged in it; only version 1 of the formats compares them


class MedalTie(StrEnum):
    """The way to treat entrants tied for a medal."""

    SHARE = "share"  # they share the place, unless the organiser draws a play-off (3.12)
    PLAY_OFF = "play_off"  # a play-off decides, or the organiser rules a shared medal (3.30; FADOQ, 11)


class Choice(StrEnum):
    """The organiser's choice when not all entrants can play equally often."""

    AS_SET = "as_set"  # nothing: it must fit
    ONE_SHORT = "one_short"  # with odd entrants and odd games one entrant plays a game less, and is marked
    ROUND_ROBIN = "round_robin"  # everyone meets everyone once (3.22)


class Advantage(StrEnum):
    """Which of two sides apparently qualify for a next stage.

    If two score cards differ, a side that seems to qualify takes the value that is worse for it. Rules reference, 3.29;
    ACC 12.2."""

    NEITHER = "neither"
    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
