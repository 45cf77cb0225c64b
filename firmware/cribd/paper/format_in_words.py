"""Describe a format in sentences: what is played, what counts, and what a player must know."""

from __future__ import annotations

from collections.abc import Iterator

from cribboard.competition.terms import Criterion, Level, Meeting, Missing, Movement
from cribboard.rules import RULES, Option
from cribd.paper.printout import Printout


def what_is_played(out: Printout) -> Iterator[str]:
    """Describe the game, who plays, and who meets whom."""
    form, rules = out.format, out.format.game_rules
    if form.rules in RULES:
        yield out.say("says.rules", rules=out.words.say(f"rules.{form.rules}"), target=rules.game.target)
    else:
        yield out.say("says.house_rules", rules=form.rules, target=rules.game.target)
    yield out.say(out.sized("says.entrants"))
    yield from _meetings(out)
    yield from _movement(out)


def _meetings(out: Printout) -> Iterator[str]:
    form = out.format
    if form.is_match:
        code = "says.best_of" if form.meeting is Meeting.BEST_OF else "says.first_to"
        yield out.count(code, form.meeting_games)
        if form.skunk_wins == 2:
            yield out.say("says.skunk_wins", line=form.game_rules.game.skunk_line)
    if form.is_elimination:
        return
    games = out.view.games or form.games
    unit = "matches" if form.is_match else "games"
    if games is None:
        yield out.say(out.sized("says.everyone"))
    else:
        yield out.count(f"says.{out.sized(unit)}", games)
    if form.visit > 1:
        yield out.count("says.visit", form.visit)


def _movement(out: Printout) -> Iterator[str]:
    match out.format.movement:
        case Movement.WINNERS_STAY:
            yield out.say("says.winners_stay")
        case Movement.SINGLE_ELIMINATION:
            yield out.say("says.single_elimination")
        case Movement.DOUBLE_ELIMINATION:
            yield out.say("says.double_elimination")
        case Movement.SCHEDULED:
            pass


def what_counts(out: Printout) -> Iterator[str]:
    """Describe the ranking, the medals, and how results are treated."""
    form, game = out.format, out.format.game_rules.game
    yield out.say("says.ranking", amounts=" › ".join(map(out.criterion, form.ranking)))
    if Criterion.GAME_POINTS in form.ranking:
        if game.skunk_line is None:
            yield out.say("says.game_points", win=game.win_value)
        else:
            yield out.say("says.skunk_points", win=game.win_value, skunk=game.skunk_value, line=game.skunk_line)
    if form.level_medals is Level.PLAY_OFF and not form.is_elimination:
        yield out.count("says.play_off", form.play_off_games)
    elif not form.is_elimination:
        yield out.say("says.share")
    if form.missing is Missing.AVERAGE:
        yield out.say("says.average")
    if form.sealed is Option.ON:
        yield out.say("says.sealed")


def what_to_know(out: Printout) -> Iterator[str]:
    """Say whether the rules are abridged, and who may call an official."""
    if out.format.game_rules.customs.is_abridged:
        yield out.say("says.abridged")
    if out.format.captain_only is Option.ON:
        yield out.say("says.captain_only")


def barred_single_point(out: Printout) -> int | None:
    """The hole from which one point cannot be pegged, or None (3.1)."""
    return out.format.game_rules.game.no_single_point_from
