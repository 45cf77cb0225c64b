"""Connects the game for one person (`cribd.solo`) with the twin.

It is imported only where there is a twin: the strategy of robots is heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cribboard.rules import Rules
from cribd.boards import Board
from cribd.clock import Clock
from cribd.config.config import Config
from cribd.daemon.device import Device
from cribd.robots.press_and_scan import Presser
from cribd.solo.person import Person
from cribd.solo.robot_turns import RobotTurns
from cribd.solo.session import PERSON, Session
from cribd.solo.web import SoloPage
from cribd.table.owner_actions import tidy
from cribd.table.rule_sets import RuleSet, misfits, offered_by_label
from cribd.twin.machine import Twin


@dataclass(frozen=True, slots=True)
class PlayingAlone:
    """The parts of a game for one person.

    Robots act while `turns.run` is awaited."""

    session: Session
    person: Person
    turns: RobotTurns
    page: SoloPage


async def play_alone(
    config: Config,
    board: Board,
    device: Device,
    twin: Twin,
    clock: Clock,
    *,
    offered: Sequence[RuleSet],
    seeds: Callable[[], str],
) -> PlayingAlone:
    """Set up and load the game for one person.

    `offered` are the rules of the board, `seeds` gives the random seed of each game."""
    fits = tuple(rule_set for rule_set in offered if not any(misfits(rule_set, board)))
    own = (config.table.blue, config.table.red, config.table.green)[PERSON]

    def names(rules: Rules, person: bool) -> tuple[str, ...]:
        robots = [side for side in rules.sides if not person or side != PERSON]
        mine = next(iter(device.table.settings.names), "") or tidy(own)
        named = ["Robot"] if len(robots) == 1 else [f"Robot {number}" for number, _ in enumerate(robots, start=1)]
        return tuple(named[robots.index(side)] if side in robots else mine for side in rules.sides)

    session = Session(
        device.table,
        device.competitions.journal,
        clock,
        names=names,
        rules_of=lambda label: offered_by_label(label, fits),
        seeds=seeds,
    )
    presser = Presser(twin, clock, shown=lambda: device.snapshot)
    person, turns = Person(session, presser, clock), RobotTurns(session, presser, clock)
    page = SoloPage(
        session,
        person,
        turns,
        tracks=[track.name for track in board.tracks],
        offered=fits,
        may_play=lambda: device.competitions.board_table is None,
        clock=clock,
    )
    session.see(device.snapshot)
    device.watch(session.see)
    await session.load()
    return PlayingAlone(session, person, turns, page)
