"""Design law 9 in a silent game, for every channel there is: nothing is told of a claim before it is closed.

As in `test_the_board_keeps_quiet`, two boards play the same cards with the same fingers, under rules that differ only
in what something is worth. Here the board says nothing when a peg is let go, and so it must stay: after the release,
after the next card with muggins on, while a side is asked what is wrong, with a peg in hand for muggins, with the game
claimed; and whatever somebody does meanwhile: a card again, an undo that nobody grants, the menu, the count judge, a
look back. What is heard of a board are its lights, its screen, its buzzer and its voice with their times,
the twin page, the stream of `/table`, every score that it tells, the answers of `/verify`, the lines of its record, and
what a board of a club sends for the hall.
When the claim is closed something of it must differ, or this test could not fail. The rules of a tournament and those
of the ACC, which are silent in the same way, take turns.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.seats import BLUE, RED
from tests.support.sweeps import by_turns, mostly_long
from tests.support.watched_board import (
    BEGIN,
    TO_THE_GO,
    TO_THE_LAST,
    TO_THE_RUN,
    TO_THIRTY_ONE,
    Hit,
    Press,
    Scan,
    Step,
    WatchedBoard,
    scans,
)

from cribd.config.house_rules import load_rules
from cribd.daemon.club_link import game_shown
from cribd.inputs import Key
from cribd.storage.archive import Archive
from cribd.storage.outbox import PlayedFor
from cribd.table.rule_sets import PRESETS, RuleSet
from cribd.table.snapshot import Line, Snapshot
from cribd.twin.web import TwinPage
from cribd.web.kiosk.shared.snapshot_json import message
from cribd.web.kiosk.site import Site

pytestmark = pytest.mark.slow

#: Hands of the deal, of which with its starter /verify must not speak; and five cards of no deal here.
OF_THE_DEAL = ("TH KS JH AC", "TH JH 9H 7D")
OTHERS = "2C 4D 6S 8H TC"

#: Where the game would be played in an event.
IN_THE_HALL = PlayedFor(UUID(int=1), 1, 1, 1)

Rules = dict[str, object]
TOURNAMENT: Rules = {"telling": "tournament"}
MUGGINS: Rules = {"muggins": "on"}
ACC: Rules = {"preset": "acc", "telling": "tournament"}
SILENT = {"tournament": TOURNAMENT, "muggins": MUGGINS, "acc": ACC}
#: What lets blue's call of 26 be the game.
TO_61: Rules = {"target": 61, "skunk_line": "off", "double_skunk_line": "off"}


def lets_go(side: int, points: int) -> list[Step]:
    return [Press(side, points), Hit(Key.OK, side)]


def doubts(side: int) -> list[Step]:
    return [Hit(Key.CHALLENGE, side)]


def muggins(side: int, points: int) -> list[Step]:
    """CHALLENGE, and in hand what the other side missed."""
    return [Hit(Key.CHALLENGE, side), Press(side, points)]


HEELS = [*BEGIN, Scan("JD")]
STARTER = [*BEGIN, Scan("5H")]
THIRTY_ONE = [*STARTER, *TO_THIRTY_ONE]
GO = [*STARTER, *TO_THE_GO]
HAND = [*STARTER, *TO_THE_LAST, *lets_go(BLUE, 1)]
TO_THE_QUEEN = [*STARTER, *TO_THE_RUN, *lets_go(RED, 20), Hit(Key.GO, BLUE), *lets_go(RED, 15), Scan("QC")]
#: Red's hand is eight, or seven if nobs are worth nothing, and it claims 26 and the game, after blue's last card.
GAME = [*TO_THE_QUEEN, *lets_go(BLUE, 1), *lets_go(RED, 26)]


@dataclass(frozen=True)
class Case:
    """By `rules` the `steps`, and each of `then` after them, leave a claim open; nobody may hear of it until `close`.
    `parameter` is worth `one` or `other`."""

    name: str
    rules: Rules
    parameter: str
    worth: tuple[int, int]
    steps: Sequence[Step]
    close: Sequence[Step]
    then: Sequence[Sequence[Step]] = ()

    def __str__(self) -> str:
        table = self.rules.get("preset") or ("muggins" if "muggins" in self.rules else "tournament")
        return f"{self.name}, {table}"


CASES = (
    *(
        replace(case, rules=case.rules | rules)
        for case, rules in by_turns(
            (
                Case("heels let go", {}, "his_heels", (2, 3), [*HEELS, *lets_go(BLUE, 3)], doubts(RED)),
                Case("31 let go", {}, "thirty_one", (2, 3), [*THIRTY_ONE, *lets_go(BLUE, 3)], [Scan("9H")]),
                Case("go let go", {}, "go", (1, 2), [*GO, *lets_go(RED, 4)], [Scan("QC")]),
                Case("last card let go", {}, "last_card", (1, 2), HAND, lets_go(RED, 8)),
                Case("hand let go", {}, "his_nobs", (1, 0), [*HAND, *lets_go(RED, 9)], [Hit(Key.OK, BLUE)]),
                Case("game claimed", TO_61, "his_nobs", (1, 0), GAME, doubts(BLUE)),
            ),
            (TOURNAMENT, ACC),
        )
    ),
    *(
        Case(name, MUGGINS, "thirty_one", (2, 3), [*THIRTY_ONE, *steps], close, then)
        for name, steps, then, close in (
            ("31 let go, then challenged", lets_go(BLUE, 3), [doubts(RED)], [Hit(Key.OK, RED)]),
            ("31 let go, and muggins in hand", [*lets_go(BLUE, 1), *muggins(RED, 1)], (), [Hit(Key.OK, RED)]),
            ("31 under the next card", [*lets_go(BLUE, 1), Scan("9H")], (), [*muggins(RED, 1), Hit(Key.OK, RED)]),
            ("31 that nobody claimed, then muggins in hand", [Scan("9H")], [muggins(RED, 2)], [Hit(Key.OK, RED)]),
        )
    ),
    Case(
        "heels forgotten", MUGGINS, "his_heels", (2, 3), [*HEELS, *scans("TH KS")], [*muggins(RED, 2), Hit(Key.OK, RED)]
    ),
    Case("go under the next card", MUGGINS, "go", (1, 2), [*GO, *lets_go(RED, 4), Scan("QC")], lets_go(RED, 8)),
    Case("last card let go", MUGGINS, "last_card", (1, 2), HAND, lets_go(RED, 8)),
    Case("hand let go", MUGGINS, "his_nobs", (1, 0), [*HAND, *lets_go(RED, 9)], [Hit(Key.OK, BLUE)]),
    Case(
        "hand let go, and challenged",
        *(MUGGINS, "his_nobs", (1, 0), [*HAND, *lets_go(RED, 9), *doubts(BLUE)], [Hit(Key.OK, BLUE)]),
    ),
    Case(
        "hand let go, and muggins in hand",
        *(MUGGINS, "his_nobs", (1, 0), [*HAND, *lets_go(RED, 6), *muggins(BLUE, 1)], [Hit(Key.OK, BLUE)]),
    ),
    Case(
        "game claimed, then challenged",
        *(MUGGINS | TO_61, "his_nobs", (1, 0), GAME, [Hit(Key.OK, BLUE)], [doubts(BLUE)]),
    ),
)


def record(journal: sqlite3.Connection) -> list[str]:
    """The lines of every game in a journal."""
    return [line for (line,) in journal.execute("SELECT line FROM line ORDER BY game, number")]


class Overheard(WatchedBoard):
    """A board and its pages, and all that they say. What each channel said is kept by its name."""

    def __init__(self, folder: Path, case: Case, worth: int) -> None:
        super().__init__(folder, case.parameter, worth, **case.rules)
        self.said: dict[str, list[Any]] = {"board": self.seen, "voice": self.aloud}
        self.played = load_rules(str(self.rules))[1]
        self.starter = next(step for step in case.steps[len(BEGIN) :] if isinstance(step, Scan))
        self.device.watch(self._tell)

    def _tell(self, snapshot: Snapshot) -> None:
        """Whatever is shown but for a moment goes out to `/table`, too."""
        if snapshot.pending is None:
            self._keep("pictures", (self.clock.now(), self._unlabelled(message(snapshot))))
            if (shown := game_shown(snapshot, IN_THE_HALL, snapshot.names, board="classic")) is not None:
                self._keep("club", (self.clock.now(), replace(shown, rules="the rules")))

    def _unlabelled(self, picture: bytes) -> bytes:
        """A picture names the rules by all that they change, and so by the one thing in which the two games differ. It
        did so before the first card."""
        return picture.replace(json.dumps(self.played.label).encode(), b'"the rules"')

    def _keep(self, channel: str, what: object) -> None:
        self.said.setdefault(channel, []).append(what)

    async def serve(self) -> None:
        """Switch it on, and serve its pages as the daemon does."""
        await self.device.start()
        await self.clock.advance(1)
        offered = (*PRESETS, RuleSet("House", self.played))
        site = Site(
            self.device.table,
            board=self.board,
            archive=Archive(self.config.journal_path),
            offered=offered,
            clock=self.clock,
        )
        site.show(self.device.snapshot)
        self.device.watch(site.show)
        app = web.Application()
        site.mount(app)
        TwinPage(self.twin, self.board, clock=self.clock).mount(app)
        self._client = TestClient(TestServer(app, host="127.0.0.1"))
        await self._client.start_server()
        self._reading = sqlite3.connect(self.config.journal_path)

    async def leave(self) -> None:
        self._reading.close()
        await self._client.close()
        await super().leave()

    async def do(self, steps: Sequence[Step]) -> None:
        for step in steps:
            await super().do([step])
            await self.hear()

    async def lead_to(self, steps: Sequence[Step]) -> None:
        """Do all of these, and go to the pages only after the last three: what points are due for, and what is said of
        them, is no earlier. The board and its pictures are watched all the time."""
        await super().do(steps[:-3])
        await self.do(steps[-3:])

    async def hear(self) -> None:
        """What anybody would be told who came to its pages now, or read its record."""
        async with self._client.get("/table/events") as stream:
            lines = [await stream.content.readline() for _ in range(3)]
            self._keep("table", self._unlabelled(lines[-1]))
        async with self._client.get("/table/scores") as scores:
            self._keep("scores", await scores.json())
        async with self._client.ws_connect("/twin/wires") as wires:
            self._keep("twin", await wires.receive_str())
        view = self.fingers.snapshot.view
        if view is not None and view.starter is not None:
            for hand in OF_THE_DEAL:
                self._keep("verify", await self._ask(f"{hand} {self.starter.card}"))
            self._keep("others", await self._ask(OTHERS))
        self._keep("record", record(self._reading))

    async def _ask(self, cards: str) -> Any:
        asked = {"cards": cards.split(), "crib": False, "rules": self.played.label, "called": 8}
        origin = {"Origin": str(self._client.make_url("")).rstrip("/")}
        async with self._client.post("/verify/judge", json=asked, headers=origin) as answer:
            assert answer.status == 200
            return await answer.json()

    # What somebody does who wants to know, and may not

    async def pry(self) -> None:
        """An undo that nobody grants, a card twice, the menu, the judge and a look back."""
        self.fingers.slipping = True
        for key, held in ((Key.UNDO, False), (Key.UNDO, False), (Key.MENU, False), (Key.MENU, True)):
            await self.fingers.key(key, long=held)
            await self.hear()
        await self.do([self.starter])
        self.fingers.slipping = False
        await self.open_count_judge()
        await self.try_count_judge()
        await self.hear()
        await self.look_back()

    async def look_back(self) -> None:
        await self.menu_to(Line.LOOK_BACK)
        await self.do([Hit(Key.OK, RED)])
        assert self.fingers.snapshot.looking is not None
        self.fingers.slipping = True
        await self.do([Hit(Key.CHALLENGE, BLUE)] * 3)
        for side, hole in ((BLUE, 1), (BLUE, 2), (BLUE, 3), (RED, 1), (RED, 61)):
            await self.fingers.press(side, hole)
            await self.hear()
        await self.do([Hit(Key.GO, BLUE)] * 2)
        await self.fingers.key(Key.MENU)
        self.fingers.slipping = False
        assert self.fingers.snapshot.looking is None

    def take(self) -> dict[str, list[Any]]:
        """All that was said until now; from here on it is kept anew."""
        taken = {channel: list(said) for channel, said in self.said.items()}
        for said in self.said.values():
            said.clear()
        return taken


@pytest.mark.sweep
@pytest.mark.parametrize("case", mostly_long(CASES, every=4), ids=str)
async def test_a_silent_table_reveals_no_points_due_on_any_channel_before_the_claim_is_closed(
    case: Case, tmp_path: Path
) -> None:
    quiet: list[dict[str, list[Any]]] = []
    payload: list[dict[str, list[Any]]] = []
    for name, worth in zip(("one", "other"), case.worth, strict=True):
        board = Overheard(tmp_path / name, case, worth)
        await board.serve()
        await board.lead_to(case.steps)
        await board.pry()
        for steps in case.then:
            await board.do(steps)
            await board.pry()
        quiet.append(board.take())
        await board.do(case.close)
        payload.append(board.take())
        await board.leave()
    assert all(len(said) > (5 if channel in ("voice", "scores") else 10) for channel, said in quiet[0].items())
    for channel, said in quiet[0].items():
        assert said == quiet[1][channel], channel
    for channel in ("board", "voice", "pictures", "table", "scores", "twin", "record", "club"):
        assert payload[0][channel] != payload[1][channel], channel
    assert all(answer == {"closed": True} for answer in quiet[0]["verify"])
    assert {answer["due"] for answer in quiet[0]["others"]} == {0}


async def test_an_open_table_shows_points_due_on_every_channel(tmp_path: Path) -> None:
    """Where nothing need be kept quiet, all that is compared above does differ: it would be heard."""
    case = Case("hand let go", {}, "his_nobs", (1, 0), [*HAND, *lets_go(RED, 9)], ())
    payload: list[dict[str, list[Any]]] = []
    for name, worth in zip(("one", "other"), case.worth, strict=True):
        board = Overheard(tmp_path / name, case, worth)
        await board.serve()
        await board.lead_to(case.steps)
        payload.append(board.take())
        await board.leave()
    assert {channel for channel, said in payload[0].items() if said == payload[1][channel]} == {"others"}


PAIR: Mapping[str, tuple[str, Step]] = {
    "at once": ("TH {}", Press(BLUE, 2)),
    "after the next card": ("TH {} JH", Press(BLUE, 2)),
    "in the next count": ("TH {} JH AC 9H", Press(BLUE, 2)),
    "at the show": ("TH {} JH AC 9H 8C 7D QC", Press(BLUE, 2)),
    "by a challenge": ("TH {} JH", Hit(Key.CHALLENGE, RED)),
}


@pytest.mark.sweep
@pytest.mark.parametrize(("when", "rules"), mostly_long(by_turns([*PAIR], [*SILENT]), every=2))
async def test_a_press_gets_the_same_answer_whether_points_were_missed_or_not(
    when: str, rules: str, tmp_path: Path
) -> None:
    """Blue lays a ten or a king on red's ten, and does not call; then somebody presses, in time or not. What the board
    answers must not tell that there was a pair."""
    cards, press = PAIR[when]
    answers = []
    for card in ("TS", "KS"):
        board = WatchedBoard(tmp_path / card, "his_nobs", 1, **SILENT[rules])
        await board.start()
        await board.do([*STARTER, *scans(cards.format(card))])
        board.fingers.slipping = True
        await board.do([press])
        with closing(sqlite3.connect(board.config.journal_path)) as journal:
            lines = [line.replace(card, "XX") for line in record(journal)]
        snapshot = board.fingers.snapshot
        answers.append((lines, snapshot.refusal, None if snapshot.view is None else snapshot.view.prompt))
        await board.leave()
    assert answers[0] == answers[1]


NOTHING_OR: Mapping[str, tuple[str, int, Sequence[Step]]] = {
    "31 now": ("thirty_one", 2, [*THIRTY_ONE, *lets_go(BLUE, 2)]),
    "31, by who has none": ("thirty_one", 2, [*THIRTY_ONE, Press(RED, 2)]),
    "31 forgotten": ("thirty_one", 2, [*THIRTY_ONE, Scan("9H"), Press(BLUE, 2)]),
    "go now": ("go", 1, [*GO, Press(RED, 1)]),
    "go forgotten": ("go", 1, [*GO, Scan("QC"), Press(RED, 1)]),
    "last card now": ("last_card", 1, [*STARTER, *TO_THE_LAST, Press(BLUE, 1)]),
    "last card, and the pone counts": ("last_card", 1, [*STARTER, *TO_THE_LAST, Press(RED, 8)]),
}


@pytest.mark.sweep
@pytest.mark.parametrize(("when", "rules"), mostly_long(by_turns([*NOTHING_OR], [*SILENT]), every=3))
async def test_a_worthless_hand_is_asked_for_like_any_other(when: str, rules: str, tmp_path: Path) -> None:
    parameter, worth, steps = NOTHING_OR[when]
    said: list[dict[str, list[Any]]] = []
    for name, points in (("one", 0), ("other", worth)):
        board = Overheard(tmp_path / name, Case(when, SILENT[rules], parameter, (0, worth), steps, ()), points)
        await board.serve()
        board.fingers.slipping = True
        await board.lead_to(steps)
        said.append(board.take())
        await board.leave()
    for channel, heard in said[0].items():
        assert heard == said[1][channel], channel
