"""The sheet of a competition: its format and entrants."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cribboard.competition.terms import EntrantKind, MedalTie, MeetingFormat, Missing, Movement, RankingCriterion
from cribboard.rules import RULES, Option, SinglePointRule
from cribd.paper.html import Child, element, table
from cribd.paper.layout import heading, number_cells, sheet
from cribd.paper.printout import Printout

#: The hole of the peg, what was scored, and the hole afterwards: the reading of 116, as `docs/fadoq-sheet.md` has it.
_EXAMPLES_AT_116 = (
    (115, "go", 116),
    (116, "go", 116),
    (117, "hand", 120),
    (118, "last", 121),
    (118, "pair", 120),
    (120, "go", 120),
)
#: The rules of these examples: the hole, the target, what counts as one point, whether the way out is exact.
_RULES_OF_EXAMPLES = (116, 121, SinglePointRule.MOVE, Option.OFF)

#: The most entrants of a list that stays on one page.
_ON_ONE_PAGE = 20


def competition_sheet(out: Printout) -> str:
    """Make the sheet with the format and the entrants."""
    return sheet(out, "event", element("main", heading(out, "event"), rules(out), _single_point(out), _entrants(out)))


def rules(out: Printout) -> Element:
    """Describe the format in lists of sentences."""
    parts = (("played", _what_is_played), ("counts", _what_counts), ("to_know", _what_to_know))
    listed = [(out.say(f"head.{head}"), [element("li", text) for text in say(out)]) for head, say in parts]
    lists = [element("div", element("h2", title), element("ul", items)) for title, items in listed if items]
    return element("section", lists, class_="rules")


def _what_is_played(out: Printout) -> Iterator[str]:
    """Yield sentences on the game, the players, and who meets whom."""
    form, rules = out.format, out.format.game_rules
    if form.rules in RULES:
        yield out.say("says.rules", rules=out.words.say(f"rules.{form.rules}"), target=rules.game.target)
    else:
        yield out.say("says.house_rules", rules=form.rules, target=rules.game.target)
    yield out.say(out.sized("says.entrants"))
    yield from _meetings(out)
    if form.movement is not Movement.SCHEDULED:
        yield out.say(f"says.{form.movement}")


def _meetings(out: Printout) -> Iterator[str]:
    form = out.format
    if form.is_match:
        code = "says.best_of" if form.meeting is MeetingFormat.BEST_OF else "says.first_to"
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


def _what_counts(out: Printout) -> Iterator[str]:
    """Yield sentences on the ranking, the medals and the results."""
    form, game = out.format, out.format.game_rules.game
    yield out.say("says.ranking", amounts=" › ".join(map(out.criterion, form.ranking)))
    if RankingCriterion.GAME_POINTS in form.ranking:
        if game.skunk_line is None:
            yield out.say("says.game_points", win=game.win_value)
        else:
            yield out.say("says.skunk_points", win=game.win_value, skunk=game.skunk_value, line=game.skunk_line)
    if form.level_medals is MedalTie.PLAY_OFF and not form.is_elimination:
        yield out.count("says.play_off", form.play_off_games)
    elif not form.is_elimination:
        yield out.say("says.share")
    if form.missing is Missing.AVERAGE:
        yield out.say("says.average")
    if form.sealed is Option.ON:
        yield out.say("says.sealed")


def _what_to_know(out: Printout) -> Iterator[str]:
    """Yield sentences on abridged rules, and on who may call an official."""
    if out.format.game_rules.customs.is_abridged:
        yield out.say("says.abridged")
    if out.format.captain_only is Option.ON:
        yield out.say("says.captain_only")


def _single_point(out: Printout) -> Element | None:
    """Explain the rule that forbids single points near the end (3.1).

    None if the format has no such rule."""
    game = out.format.game_rules.game
    barred = game.no_single_point_from
    if barred is None:
        return None
    examples = None
    if (barred, game.target, game.single_point_rule, game.exact_out) == _RULES_OF_EXAMPLES:
        head = [out.say(f"peg.{column}") for column in ("at", "made", "then")]
        rows = [
            element(
                "tr",
                number_cells(before),
                element("td", out.say(f"peg.made.{made}")),
                element("td", _peg_afterwards(out, before, after), class_="strong"),
            )
            for before, made, after in _EXAMPLES_AT_116
        ]
        examples = table(head, rows, class_="pegs")
    text = element("p", element("strong", out.say("says.single_point", hole=barred)), " ", out.say("says.move_counts"))
    return element("section", text, examples, class_="boxed")


def _peg_afterwards(out: Printout, before: int, after: int) -> str:
    if after == 121:
        return out.say("peg.won", at=after)
    return out.say("peg.stays", at=after) if after == before else str(after)


def _entrants(out: Printout) -> Element | None:
    items = [
        element(
            "li",
            element("span", entrant.name, class_="name"),
            _team(out, entrant.number),
            element("span", out.term(entrant.part), class_="mark") if entrant.part is EntrantKind.GUEST else None,
        )
        for entrant in out.view.entrants
    ]
    if not items:
        return None
    title = element("h2", out.count(out.sized("head.entrants"), len(items)), " ", element("small", f"· {out.name}"))
    listed = element("td", element("ol", items, class_="entrants"))
    whole = " whole" if len(items) <= _ON_ONE_PAGE else ""
    return table([title], [element("tr", listed)], class_=f"list{whole}")


def _team(out: Printout, number: int) -> Element | None:
    """List the players of a team, its captain first.

    The captain has a mark if only captains may call an official (FADOQ, 4)."""
    players, captain = out.players(number), out.captain(number)
    if not players:
        return None
    mark: Child = [" ", element("i", out.say("captain"))] if out.format.captain_only is Option.ON else None
    return element("span", captain, mark, players.removeprefix(captain), class_="players")
