"""The snapshot of the table as JSON, for every page.

Pure. Made from a `Snapshot`, which holds a view and no position (design law 9). It has the texts of every language, so
that one message serves all pages; a card is written as everywhere, `5H`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import methodcaller
from typing import Any

from cribboard.cards import Card
from cribboard.rules import GameRules, read_label
from cribboard.view import PromptKind, View
from cribd.table.rule_sets import PRESETS, RuleSet, alike, titled
from cribd.table.snapshot import ClubMode, DeskMessageMode, Lobby, NamingDealer, Playing, Snapshot, SwitchedOff
from cribd.text import Phrases, in_every_language
from cribd.text.words import Style
from cribd.web.http.sse import json_message
from cribd.web.kiosk.shared.score_json import latest_count

#: The questions that a card answers.
CARD_WANTED = frozenset(
    {
        PromptKind.CUT,
        PromptKind.CUT_AGAIN,
        PromptKind.STARTER,
        PromptKind.LEAD,
        PromptKind.LAY,
        PromptKind.LAY_AFTER_GO,
        PromptKind.READ_HAND,
        PromptKind.READ_CRIB,
        PromptKind.READ_STARTER,
    }
)


def as_json(snapshot: Snapshot, offered: Sequence[RuleSet] = PRESETS) -> dict[str, Any]:
    """Convert the snapshot to JSON values.

    `offered` are the rules whose titles are known."""
    played = None if snapshot.lobby in (Lobby.START, Lobby.AGAIN) else snapshot.view
    rules = snapshot.rules if played is None else titled(read_label(played.rules), (snapshot.rules, *offered))
    next_sides = len(snapshot.rules.rules.sides)
    return (
        _competition(snapshot)
        | _club(snapshot)
        | {
            "lobby": snapshot.lobby,
            "menu": snapshot.menu is not None,
            "way": snapshot.way if snapshot.view is None or snapshot.lobby is not None else snapshot.view.way,
            "refused": None if snapshot.refusal is None else snapshot.refusal.code,
            "language": snapshot.language,
            "names": _padded(snapshot.names, next_sides if played is None else len(played.sides)),
            "next_names": _padded(snapshot.next_names, next_sides),
            "match": {
                "games": snapshot.games,
                "points": snapshot.points,
                "of": snapshot.match,
                "standings": snapshot.standings,
                "over": snapshot.match_over,
                "winner": snapshot.match_winner,
                "ends": snapshot.ends,
                "players": snapshot.players,
                "rules": next(
                    (known.rules.label for known in offered if alike(known.rules, snapshot.match_rules)), None
                ),
            },
            "ended": snapshot.ended,
            "view": None if snapshot.view is None else _view(snapshot.view),
            "shown": None if snapshot.view is None else latest_count(snapshot.view, snapshot.names),
            "wanted": _wants_card(snapshot),
            "next": snapshot.rules.rules.label,
            "text": in_every_language(
                lambda phrases: _text(snapshot, phrases.named(snapshot.names).stepped(snapshot.steps), rules)
            ),
        }
    )


def _competition(snapshot: Snapshot) -> dict[str, Any]:
    """Return this table's part in the competition.

    Empty outside a competition."""
    payload: dict[str, Any] = {}
    if snapshot.event is not None:
        place = snapshot.event.place
        payload["event"] = {
            "round": place.round,
            "table": place.table,
            "game": place.game,
            "names": snapshot.event.names,
        }
    if snapshot.waits is not None:
        payload["waits"] = {"table": snapshot.waits.table, "round": snapshot.waits.round}
    if snapshot.entered is not None:
        payload["entered"] = snapshot.entered
    return payload


def _club(snapshot: Snapshot) -> dict[str, Any]:
    """Return the club's name and the step of joining.

    Empty if the board can join no club."""
    if snapshot.club is None:
        return {}
    step = snapshot.mode.step if isinstance(snapshot.mode, ClubMode) else None
    return {"club": {"name": snapshot.club, "step": step}}


def message(snapshot: Snapshot, offered: Sequence[RuleSet] = PRESETS, **beside: object) -> bytes:
    """Return the snapshot as one message of an event stream (WHATWG HTML, 9.2).

    `beside` adds values."""
    return json_message(beside | as_json(snapshot, offered))


def faults_json(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Convert the present faults to JSON, in every language."""
    return [
        {
            "kind": fault.kind,
            "where": str(fault.where),
            "text": in_every_language(methodcaller("fault", fault)),
            "cause": in_every_language(methodcaller("cause", fault)),
        }
        for fault in snapshot.faults
    ]


def _wants_card(snapshot: Snapshot) -> bool:
    """Whether the game or the count judge waits for a card."""
    if snapshot.judging is not None:
        return snapshot.judging.judge.missing > 0
    return snapshot.view is not None and not _is_interrupted(snapshot) and snapshot.view.prompt.kind in CARD_WANTED


def _is_interrupted(snapshot: Snapshot) -> bool:
    """Whether the screen shows something other than the game."""
    return not isinstance(snapshot.mode, Playing | NamingDealer)


def _padded(names: Sequence[str], sides: int) -> list[str]:
    """Return the name of each side, or ""."""
    return [*names, *[""] * sides][:sides]


def _view(view: View) -> dict[str, Any]:
    game = read_label(view.rules).game
    turn_side = None if view.turn is None else view.turn % len(view.sides)
    return {
        "number": view.number,
        "rules": view.rules,
        "phase": view.phase,
        "target": view.target,
        **skunk_lines(game),
        "skunk": view.skunk,
        "silent": view.silent,
        "players": view.players,
        "deal": view.deal,
        "dealer": view.dealer_side,
        "dealer_seat": view.dealer,
        "dealerSeat": view.dealer,
        "turn": view.turn,
        "turn_side": turn_side,
        "turnSide": turn_side,
        "asks": {"what": view.prompt.kind, "side": view.prompt.side},
        "sides": pegs(view),
        "count": view.count,
        "laid": [
            {"card": card_json(laid.card), "side": laid.seat % len(view.sides), "seat": laid.seat} for laid in view.laid
        ],
        "starter": card_json(view.starter),
        "counted": [str(card) for card in view.counted],
        "scored": len(view.scores),
        "winner": view.winner,
    }


def skunk_lines(game: GameRules) -> dict[str, int | None]:
    """Return the skunk lines of a game's rules.

    `skunkLine` and `doubleSkunkLine` are older names of the same values."""
    single, double = game.skunk_line, game.double_skunk_line
    return {"skunk_line": single, "double_skunk_line": double, "skunkLine": single, "doubleSkunkLine": double}


def pegs(view: View) -> list[dict[str, int | None]]:
    """Return the pegs of each side.

    `inHand` is the older name of `in_hand`."""
    return [
        {"score": side.score, "back": side.back, "in_hand": side.in_hand, "inHand": side.in_hand} for side in view.sides
    ]


def card_json(card: Card | None) -> str | None:
    """Convert a card to JSON; None for an unread card."""
    return None if card is None else str(card)


def _text(snapshot: Snapshot, phrases: Phrases, rules: RuleSet) -> dict[str, Any]:
    """Return the texts of a snapshot in one language."""
    seated = phrases.seated_for(snapshot.view)
    is_wide = snapshot.waits is not None or isinstance(snapshot.mode, DeskMessageMode)  # names and words are not cut
    hints = (phrases.styled(Style.PAGE) if is_wide else phrases).hints(snapshot)
    if isinstance(snapshot.mode, SwitchedOff):
        hints = (" ".join(hints),)  # one sentence, which the screen has in three lines
    return {
        "ask": phrases.styled(Style.PAGE).prompt(snapshot),
        "hints": (*((phrases.game_due(snapshot),) if snapshot.is_called else ()), *hints),
        "said": () if snapshot.view is None or _is_interrupted(snapshot) else phrases.said(snapshot.view),
        "refusal": () if snapshot.refusal is None else seated.refusal(snapshot.refusal),
        "skunk": "" if snapshot.view is None else phrases.skunk(snapshot.view),
        "undo": "" if snapshot.undoes is None else seated.undone(snapshot.undoes),
        "faults": [phrases.fault(fault) for fault in snapshot.faults],
        "causes": [phrases.cause(fault) for fault in snapshot.faults],
        "rules": phrases.rules(rules),
    }
