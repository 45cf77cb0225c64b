"""`cribboard record`: the games of the journal, and a record as an audit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tests.support.catalogues import phrase
from tests.support.kept_games import game_of, game_of_the_docs, keep
from tests.support.typed_commands import READ, TEXT, Terminal

from cribboard import RULES, record
from cribboard.actions import Action, BreakOff
from cribboard.events import ClaimAccepted, ClaimJudged, Pegged
from cribboard.record import Record
from cribboard.rules import Way, changed
from cribd.text.audit import Audit

AUDIT = Audit(READ, record.judge(READ))
SIDES = ("blue", "red")


# The journal


def test_the_games_of_the_journal_are_listed(typed: Terminal, journal: Path) -> None:
    games = typed.json("--journal", journal)
    assert games == typed.json("list", "--journal", journal)
    assert [(game["game"], game["rules"]) for game in games] == [(1, "Rules: six-card/2"), (2, "Rules: six-card/2")]
    assert len(typed("list", "--journal", journal)[1].splitlines()) == 3


EVENING = (
    ("Maude", "Réjean"),
    ("Les Joyeux Brasseurs de Jonquière et de Chicoutimi-Nord", "The Tuesday Club of the Legion Hall in Antigonish"),
)


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A journal with five games: two whole ones, one broken off, one sealed, one under way. It is kept in Halifax."""
    path = tmp_path / "evening.db"
    house = changed(RULES["britannica"], {"target": 61, "skunk_line": 31, "exact_out": "on"})
    games = [
        game_of_the_docs(),
        game_of(*EVENING[1], rules=house, way=Way.TRUST),
        game_of("Zoé", "", seed=2),
        game_of(way=Way.TRUST, seed=4),
        game_of(seed=3),
    ]
    games[2] = left_at(games[2], 120, BreakOff())
    games[4] = left_at(games[4], 60)
    keep(path, games, sealed=(4,))
    monkeypatch.setenv("TZ", "America/Halifax")
    time.tzset()
    yield path
    monkeypatch.undo()
    time.tzset()


def left_at(played: Record, events: int, *acts: Action) -> Record:
    """As much of a game, and what was done then."""
    game = played.heading.begin()
    game.append(played.events[:events])
    for act in acts:
        game.do(act)
    return Record(played.heading, game.log)


HEADS = ("game", "date", "players", "result", "rules")


def test_the_list_has_day_players_result_and_rules_in_fixed_columns(typed: Terminal, evening: Path) -> None:
    code, out, err = typed("--journal", evening)
    assert (code, err) == (0, "")
    assert typed("list", "--journal", evening) == (0, out, "")
    lines = out.splitlines()
    columns = [lines[0].index(phrase(f"command.record.head.{head}")) for head in HEADS]
    assert all(line[at - 1] == " " for line in lines[1:] for at in columns[1:] if len(line) > at)
    rows = [
        [line[a:b].strip() for a, b in pairwise([*columns, None])] for line in lines if line[:4].strip().isdecimal()
    ]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    assert rows[0] == ["1", "2026-01-01", "Maude, Réjean", "121–116", "six-card/2"]
    blue, red = phrase("side.0"), phrase("side.1")
    assert rows[2][2:4] == [f"Zoé, {red}", f"{rows[2][3].split()[0]} {phrase('command.record.broken_off')}"]
    assert rows[3][2:] == [f"{blue}, {red}", phrase("command.record.sealed"), "six-card/2"]
    assert rows[4][2:] == [f"{blue}, {red}", phrase("command.record.under_way"), "six-card/2"]


def test_the_list_is_in_french_too_and_for_programs_the_same(typed: Terminal, evening: Path) -> None:
    lines = typed("--journal", evening, "--lang", "fr")[1].splitlines()
    assert lines[0].split() == " ".join(phrase(f"command.record.head.{head}", "fr_CA") for head in HEADS).split()
    states = [phrase(f"command.record.{state}", "fr_CA") for state in ("broken_off", "sealed", "under_way")]
    assert [state for state in states if state not in "\n".join(lines)] == []
    assert typed.json("--journal", evening, "--lang", "fr") == typed.json("--journal", evening)


@pytest.mark.parametrize(("columns", "at_most"), [(None, 80), ("20", 72), ("72", 72), ("80", 80), ("100", 100)])
def test_the_list_is_no_wider_than_the_terminal(
    typed: Terminal, evening: Path, monkeypatch: pytest.MonkeyPatch, columns: str | None, at_most: int
) -> None:
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    for language in ("en", "fr"):
        lines = typed("--journal", evening, "--lang", language)[1].splitlines()
        assert max(map(len, lines)) <= at_most
        assert " ".join(EVENING[1]).split()[0] in "\n".join(lines)


def test_a_day_is_that_of_the_place_where_the_board_is(
    typed: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()])
    began = typed.json("--journal", tmp_path / "journal.db")[0]["at"]
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        day = datetime.fromisoformat(began).astimezone(ZoneInfo(zone)).date().isoformat()
        assert typed("--journal", tmp_path / "journal.db")[1].splitlines()[1].split()[1] == day
    monkeypatch.undo()
    time.tzset()


def test_a_journal_without_games_is_reported_as_empty(typed: Terminal, tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [])
    for language in ("en", "fr_CA"):
        out = typed("--journal", tmp_path / "journal.db", "--lang", language)[1]
        assert out == f"{phrase('command.record.none', language)}\n"


def test_a_game_of_the_journal_is_written_as_its_record(typed: Terminal, journal: Path, tmp_path: Path) -> None:
    assert typed("export", 1, "--journal", journal) == (0, TEXT, "")
    assert typed("export", 1, "-", "--journal", journal) == (0, TEXT, "")
    assert not Path("-").exists()
    assert typed.json("export", 1, "--journal", journal) == {"game": 1, "record": TEXT}
    file = tmp_path / "exported.txt"
    assert typed("export", 1, file, "--journal", journal) == (0, "", "")
    assert file.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["export", "9"], phrase("record.no_game", game=9, games="1, 2")),
        (
            ["export", "1", "/proc/nowhere/game.txt"],
            phrase("command.unwritable", file="/proc/nowhere/game.txt", why=phrase("problem.file.why.ENOENT")),
        ),
        (["list", "--journal", "nowhere.db"], phrase("command.no_journal", file="nowhere.db")),
    ],
)
def test_a_game_or_journal_that_cannot_be_read_is_named(
    typed: Terminal, journal: Path, arguments: list[str], problem: str
) -> None:
    where = [] if "--journal" in arguments else ["--journal", str(journal)]
    code, out, err = typed(*arguments, *where)
    assert (code, out, err) == (2, "", f"{problem}\n")


# Who claimed what


def test_every_claim_is_listed_with_what_was_due_and_who_accepted(typed: Terminal, page: Path) -> None:
    claims = typed.json("claims", page)
    judged = [(at, event) for at, event in enumerate(READ.events, start=1) if isinstance(event, ClaimJudged)]
    of_cards = [claim for claim in claims if claim["due"] is not None]
    assert [(claim["event"], claim["called"], claim["due"], claim["verdict"]) for claim in of_cards] == [
        (at, event.called, event.due, event.verdict) for at, event in judged
    ]
    assert [claim["side"] for claim in of_cards] == [SIDES[event.side] for _, event in judged]
    for claim in of_cards:
        assert sum(combination["points"] for combination in claim["combinations"]) >= claim["due"] or claim["due"] == 0
        if claim["accepted_at"] is not None:
            accepted = READ.events[claim["accepted_at"] - 1]
            assert isinstance(accepted, ClaimAccepted)
            assert (SIDES[accepted.side], accepted.by) == (claim["side"], claim["accepted_by"])
            assert claim["accepted_at"] > claim["event"]
    assert sum(claim["challenged"] for claim in claims) == TEXT.count("> challenge")
    assert len(typed("claims", page, "--lang", "fr")[1].splitlines()) == len(claims)


# Stepping through it


def test_without_a_terminal_the_position_after_an_event_is_printed(typed: Terminal, page: Path) -> None:
    at, judged = next(
        (at, event) for at, event in enumerate(READ.events, start=1) if isinstance(event, ClaimJudged) and event.due > 8
    )
    event = AUDIT.end_of(at)
    code, out, _ = typed("show", page, "--at", at)
    lines = out.splitlines()
    assert code == 0
    side, dealer = phrase(f"side.{judged.side}"), phrase(f"side.{AUDIT.view(event).dealer}")
    deal = phrase("audit.deal", deal=AUDIT.view(event).deal, seat=dealer)
    assert lines[0] == f"{phrase('audit.event', number=event, last=len(READ.events))}, {deal}"
    pegs = AUDIT.view(event).sides
    blue = f"{phrase('side.0')} (Maude)"
    assert lines[1] == phrase("audit.pegs", n=pegs[0].score, side=blue, back=pegs[0].back)
    hand, too_many = phrase("audit.for.hand"), phrase("audit.verdict.too-many")
    verdict = phrase("audit.judged", side=side, called=judged.called, what=hand, due=judged.due, verdict=too_many)
    assert verdict in out
    assert lines[-1] == phrase("audit.now", ask=phrase("ask.accept", side=phrase(f"side.{1 - judged.side}")))


def test_in_french_every_word_is_french(typed: Terminal, page: Path) -> None:
    number = typed.json("show", page, "--deal", 2)["event"]
    lines = typed("show", page, "--deal", 2, "--lang", "fr")[1].splitlines()
    event = phrase("audit.event", "fr_CA", number=number, last=len(READ.events))
    deal = phrase("audit.deal", "fr_CA", deal=2, seat=phrase(f"side.{AUDIT.view(number).dealer}", "fr_CA"))
    assert lines[0] == f"{event}, {deal}"
    pegs = AUDIT.view(number).sides[0]
    blue = f"{phrase('side.0', 'fr_CA')} (Maude)"
    assert lines[1] == phrase("audit.pegs", "fr_CA", n=pegs.score, side=blue, back=pegs.back)


def test_a_hole_leads_to_the_act_that_put_the_peg_there(typed: Terminal, page: Path) -> None:
    for at, event in enumerate(READ.events, start=1):
        if not isinstance(event, Pegged) or at % 5:
            continue
        answer = typed.json("show", page, "--hole", f"{SIDES[event.side]}:{event.score}")
        assert answer["scores"][event.side] == event.score
        assert any(line.startswith(f"pegged {SIDES[event.side]}") and line.endswith(f"= {event.score}")
                   for line in answer["act"])  # fmt: skip


def test_a_deal_leads_to_where_it_began(typed: Terminal, page: Path) -> None:
    for deal in range(1, AUDIT.view(AUDIT.last).deal + 1):
        answer = typed.json("show", page, "--deal", deal)
        assert answer["deal"] == deal
        assert AUDIT.view(AUDIT.before(answer["event"])).deal == deal - 1


DEALS = AUDIT.view(AUDIT.last).deal
HOLES_OF_BLUE = sorted({0, *(event.score for event in READ.events if isinstance(event, Pegged) and event.side == 0)})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--at", "9999"], phrase("record.no_event", number=9999, last=len(READ.events))),
        (["--deal", "99"], phrase("record.no_deal", number=99, last=DEALS)),
        (["--deal", "99", "--lang", "fr"], phrase("record.no_deal", "fr_CA", number=99, last=DEALS)),
        (["--hole", "green:5"], phrase("record.no_such_place", asked="green:5", sides="blue, red", example="blue:46")),
        (["--hole", "blue"], phrase("record.no_such_place", asked="blue", sides="blue, red", example="blue:46")),
        (
            ["--hole", "blue:1"],
            phrase("record.never_there", hole=1, side=phrase("side.0"), stood=", ".join(map(str, HOLES_OF_BLUE))),
        ),
    ],
)
def test_a_missing_event_number_is_reported(typed: Terminal, page: Path, arguments: list[str], problem: str) -> None:
    assert typed("show", page, *arguments) == (2, "", f"{problem}\n")


# Sealed events


@pytest.mark.parametrize("what", ["export", "verify", "claims", "show"])
def test_a_game_of_a_sealed_event_takes_the_pin(typed: Terminal, evening: Path, tmp_path: Path, what: str) -> None:
    config, right, wrong = tmp_path / "board.toml", tmp_path / "pin", tmp_path / "wrong"
    config.write_text('[page]\npin = "2580"\norganiser_pin = "4711"\n', encoding="utf-8")
    right.write_text("4711\n", encoding="utf-8")
    wrong.write_text("0000\n", encoding="utf-8")
    common = (what, "4", "--journal", evening, "--config", config)
    assert typed(*common, "--lang", "en") == (2, "", f"{phrase('command.record.is_sealed', game=4)}\n")
    assert typed(*common, "--pin-file", wrong)[0] == 2
    assert typed(*common, "--pin-file", right)[0] == 0
    assert typed(what, "1", "--journal", evening, "--config", config)[0] == 0


def test_without_any_pin_in_the_configuration_a_sealed_game_stays_sealed(
    typed: Terminal, evening: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "pin"
    empty.write_text("", encoding="utf-8")
    assert typed("export", "4", "--journal", evening, "--pin-file", empty)[0] == 2
