"""The event sheet, for the wall and the tables: the format in words, and the entrants."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cribboard.competition.terms import EntrantKind
from cribboard.rules import Option, SinglePointRule
from cribd.paper.format_in_words import barred_single_point, what_counts, what_is_played, what_to_know
from cribd.paper.html import Child, document, element, table
from cribd.paper.layout import heading
from cribd.paper.printout import Printout

#: The hole of the peg, what was scored, and the hole afterwards: the reading of 116, as `docs/fadoq-sheet.md` has it.
_AT_116 = (
    (115, "go", 116),
    (116, "go", 116),
    (117, "hand", 120),
    (118, "last", 121),
    (118, "pair", 120),
    (120, "go", 120),
)
#: The rules of these examples: the hole, the target, what counts as one point, whether the way out is exact.
_OF_AT_116 = (116, 121, SinglePointRule.MOVE, Option.OFF)

#: The most entrants of a list that stays on one page.
_ON_ONE_PAGE = 20


def event_sheet(out: Printout) -> str:
    """Make the event sheet."""
    return document(
        out.language,
        "event",
        f"{out.name} — {out.say('title.event')}",
        element("main", heading(out, out.say("title.event")), rules(out), _single_point(out), _entrants(out)),
    )


def rules(out: Printout) -> Element:
    """Describe the format."""
    return element(
        "section",
        _sentences_under(out.say("head.played"), what_is_played(out)),
        _sentences_under(out.say("head.counts"), what_counts(out)),
        _sentences_under(out.say("head.to_know"), what_to_know(out)),
        class_="rules",
    )


def _sentences_under(title: str, sentences: Iterator[str]) -> Element | None:
    items = [element("li", sentence) for sentence in sentences]
    return element("div", element("h2", title), element("ul", items)) if items else None


def _single_point(out: Printout) -> Element | None:
    """Explain the hole from which one point cannot be pegged; for hole 116 of 121 with examples."""
    barred = barred_single_point(out)
    if barred is None:
        return None
    examples = None
    game = out.format.game_rules.game
    if (barred, game.target, game.single_point_rule, game.exact_out) == _OF_AT_116:
        head = [out.say(f"peg.{column}") for column in ("at", "made", "then")]
        rows = [
            element(
                "tr",
                element("td", before, class_="number"),
                element("td", out.say(f"peg.made.{made}")),
                element("td", _peg_afterwards(out, before, after), class_="strong"),
            )
            for before, made, after in _AT_116
        ]
        examples = table(head, rows, class_="pegs")
    said = element("p", element("strong", out.say("says.single_point", hole=barred)), " ", out.say("says.move_counts"))
    return element("section", said, examples, class_="boxed")


def _peg_afterwards(out: Printout, before: int, after: int) -> str:
    """Say where the peg is afterwards."""
    if after == 121:
        return out.say("peg.won", at=after)
    return out.say("peg.stays", at=after) if after == before else str(after)


def _entrants(out: Printout) -> Element | None:
    if not out.view.entrants:
        return None
    items = [
        element(
            "li", element("span", entrant.name, class_="name"), _team(out, entrant.number), _guest(out, entrant.part)
        )
        for entrant in out.view.entrants
    ]
    title = element("h2", out.count(out.sized("head.entrants"), len(items)), " ", element("small", f"· {out.name}"))
    listed = element("td", element("ol", items, class_="entrants"))
    whole = " whole" if len(items) <= _ON_ONE_PAGE else ""
    return table([title], [element("tr", listed)], class_=f"list{whole}")


def _team(out: Printout, number: int) -> Element | None:
    """List the players, the captain first and marked (FADOQ, 4)."""
    players, captain = out.players(number), out.captain(number)
    if not players:
        return None
    mark: Child = [" ", element("i", out.say("captain"))] if out.format.captain_only is Option.ON else None
    return element("span", captain, mark, players.removeprefix(captain), class_="players")


def _guest(out: Printout, part: EntrantKind) -> Element | None:
    return element("span", out.term(part), class_="mark") if part is EntrantKind.GUEST else None
