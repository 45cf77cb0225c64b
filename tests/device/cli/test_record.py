"""`cribboard record`: the games of the journal, a record as an audit, and where one that was changed breaks."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.support.kept_games import game_of, game_of_the_docs, keep
from tests.support.places import A_GAME

from cribboard import RULES, record
from cribboard.actions import Action, BreakOff
from cribboard.events import ClaimAccepted, ClaimJudged, Pegged
from cribboard.record import Record
from cribboard.rules import Way, changed
from cribd.__main__ import main
from cribd.clock import ManualClock
from cribd.storage.lock import open_journal
from cribd.text.audit import Audit

PLACE = A_GAME
TEXT = PLACE.read_text(encoding="utf-8")
READ = record.read(TEXT)
HEADING = READ.heading
AUDIT = Audit(READ, record.judge(READ))
SIDES = ("blue", "red")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A whole game of two people who slip, as a record."""
    file = tmp_path / "game.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A journal with that game and one that has only begun."""
    path = tmp_path / "journal.db"
    journal, _ = open_journal(path, ManualClock())
    for events in (READ.events, READ.events[:2]):
        journal.begin(HEADING, journal.next_match())
        latest = journal.latest()
        assert latest is not None
        journal.append(latest, events)
    journal.close()
    return path


class Terminal:
    """Types a command, and reads what came of it."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        code = main(["record", *map(str, arguments)])
        out, err = self._capsys.readouterr()
        return code, out, err

    def told(self, *arguments: object) -> Any:
        code, out, err = self(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


# The journal


def test_the_games_of_the_journal_are_listed(typed: Terminal, kept: Path) -> None:
    games = typed.told("--journal", kept)
    assert games == typed.told("list", "--journal", kept)
    assert [(game["game"], game["rules"]) for game in games] == [(1, "Rules: six-card/2"), (2, "Rules: six-card/2")]
    assert len(typed("list", "--journal", kept)[1].splitlines()) == 3


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
        game_of(rules=changed(RULES["six-card"], {"sealed": "on"}), way=Way.TRUST, seed=4),
        game_of(seed=3),
    ]
    games[2] = left_at(games[2], 120, BreakOff())
    games[4] = left_at(games[4], 60)
    keep(path, games)
    monkeypatch.setenv("TZ", "America/Halifax")
    time.tzset()
    yield path
    monkeypatch.undo()
    time.tzset()


def left_at(played: Record, events: int, *acts: Action) -> Record:
    """As much of a game, and what was done then."""
    game = played.heading.begin()
    game.hear(played.events[:events])
    for act in acts:
        game.do(act)
    return Record(played.heading, game.log)


def test_the_list_has_day_players_result_and_rules_in_fixed_columns(typed: Terminal, evening: Path) -> None:
    code, out, err = typed("--journal", evening)
    assert (code, err) == (0, "")
    assert typed("list", "--journal", evening) == (0, out, "")
    lines = out.splitlines()
    columns = [lines[0].index(head) for head in ("GAME", "DATE", "PLAYERS", "RESULT", "RULES")]
    assert all(line[at - 1] == " " for line in lines[1:] for at in columns[1:] if len(line) > at)
    rows = [
        [line[a:b].strip() for a, b in pairwise([*columns, None])] for line in lines if line[:4].strip().isdecimal()
    ]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    assert rows[0] == ["1", "2026-01-01", "Maude, Réjean", "121–116", "six-card/2"]
    assert rows[2][2:4] == ["Zoé, Red", f"{' '.join(rows[2][3].split()[:1])} broken off"]
    assert rows[3][2:] == ["Blue, Red", "sealed", "six-card/2 sealed=on"]
    assert rows[4][2:] == ["Blue, Red", "under way", "six-card/2"]


def test_the_list_is_in_french_too_and_for_programs_the_same(typed: Terminal, evening: Path) -> None:
    lines = typed("--journal", evening, "--lang", "fr")[1].splitlines()
    assert lines[0].split() == ["PARTIE", "DATE", "JOUEURS", "RÉSULTAT", "RÈGLES"]
    assert [word for word in ("interrompue", "scellé", "en cours") if word not in "\n".join(lines)] == []
    assert typed.told("--journal", evening, "--lang", "fr") == typed.told("--journal", evening)


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
    began = typed.told("--journal", tmp_path / "journal.db")[0]["at"]
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        day = datetime.fromisoformat(began).astimezone(ZoneInfo(zone)).date().isoformat()
        assert typed("--journal", tmp_path / "journal.db")[1].splitlines()[1].split()[1] == day
    monkeypatch.undo()
    time.tzset()


def test_a_journal_without_games_is_said_to_have_none(typed: Terminal, tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [])
    assert typed("--journal", tmp_path / "journal.db")[1] == "The journal has no games yet.\n"
    assert typed("--journal", tmp_path / "journal.db", "--lang", "fr")[1] == "Le journal n’a encore aucune partie.\n"


def test_a_game_of_the_journal_is_written_as_its_record(typed: Terminal, kept: Path, tmp_path: Path) -> None:
    assert typed("export", 1, "--journal", kept) == (0, TEXT, "")
    assert typed.told("export", 1, "--journal", kept) == {"game": 1, "record": TEXT}
    file = tmp_path / "exported.txt"
    assert typed("export", 1, file, "--journal", kept) == (0, "", "")
    assert file.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["export", "9"], "Game 9: the journal has games 1, 2."),
        (["export", "1", "/proc/nowhere/game.txt"], "/proc/nowhere/game.txt cannot be written"),
        (["list", "--journal", "nowhere.db"], "nowhere.db: there is no journal here."),
    ],
)
def test_what_cannot_be_had_of_the_journal_is_said(
    typed: Terminal, kept: Path, arguments: list[str], problem: str
) -> None:
    where = [] if "--journal" in arguments else ["--journal", str(kept)]
    code, out, err = typed(*arguments, *where)
    assert (code, out) == (2, "")
    assert err.startswith(problem)


# Whether it is whole


FORGED = [
    ("Cribboard record 1", "Cribbage record 1", "une partie commence par 'Cribboard record 1'"),
    ("Way: verify", "Way: hope", "la façon de compter est un de trust, verify, auto"),
    ("Dealer: cut", "Dealer: pink", "le donneur est « cut » ou un de blue, red"),
    ("Way: verify", "Weigh: verify", "il faut un de Rules, "),
    ("Way: verify\n", "", "il manque 'Way' dans l’en-tête"),
    ("laid ", "lied ", "ce n’est la ligne d’aucun événement"),
    ("Blue: Maude", "Blue:  Maude", "cela s’écrit autrement : "),
    ("laid blue ", "laid blue X", "il faut : "),
]


@pytest.mark.parametrize(("old", "new", "reason"), FORGED)
def test_what_has_not_the_form_of_a_record_is_said_in_one_language(
    typed: Terminal, page: Path, old: str, new: str, reason: str
) -> None:
    assert old in TEXT
    page.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    code, out, _ = typed("verify", page, "--lang", "fr")
    assert code == 1
    assert reason in out.splitlines()[0]
    english = typed("verify", page)[1]
    assert json.loads(typed("verify", page, "--json", "--lang", "fr")[1])["reason"] in english


def test_a_record_that_is_sound_is_said_to_be(typed: Terminal, page: Path) -> None:
    assert typed("verify", page) == (0, f"{page}: sound, {len(READ.events)} events, six-card/2.\n", "")
    assert typed.told("verify", page) == {
        "sound": True,
        "rules": "six-card/2",
        "way": "verify",
        "events": len(READ.events),
    }


def at_line(wanted: str) -> int:
    """The number of the first line that holds this."""
    return next(at for at, line in enumerate(TEXT.splitlines(), start=1) if wanted in line)


def rechained(text: str) -> str:
    """The text with the chain that its lines would have: what a careful forger does."""
    head, body, _ = text.strip().split("\n\n")
    link = record.first_link(record.read_heading(head))
    for line in body.splitlines():
        link = record.next_link(link, line.split(maxsplit=1)[1])
    return f"{head}\n\n{body}\n\nChain: {link}\n"


def test_a_score_that_was_changed_breaks_the_chain_and_the_rules_say_where(typed: Terminal, page: Path) -> None:
    pegged = re.search(r"pegged blue \+(\d+) = (\d+)", TEXT)
    assert pegged is not None
    more = f"pegged blue +{int(pegged[1]) + 2} = {int(pegged[2]) + 2}"
    page.write_text(TEXT.replace(pegged[0], more, 1), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    last = len(TEXT.splitlines())
    assert out == (
        f"{page}, line {at_line(pegged[0])}: the rules give: {pegged[0]}.\n    {more}\n"
        f"Nor does the chain fit, line {last}: the file was changed after it was written.\n"
    )
    french = typed("verify", page, "--lang", "fr")[1]
    assert french.startswith(f"{page}, ligne {at_line(pegged[0])} : les règles donnent : {pegged[0]}.\n")
    answer = json.loads(typed("verify", page, "--json")[1])
    assert not answer["sound"]
    assert (answer["line"], answer["text"], answer["chain"]["line"]) == (at_line(pegged[0]), more, last)


def test_a_forged_chain_does_not_save_it(typed: Terminal, page: Path) -> None:
    pegged = re.search(r"pegged red \+(\d+) = (\d+)", TEXT)
    assert pegged is not None
    page.write_text(rechained(TEXT.replace(pegged[0], "pegged red +9 = 99", 1)), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert out == f"{page}, line {at_line(pegged[0])}: the rules give: {pegged[0]}.\n    pegged red +9 = 99\n"


def test_a_name_that_was_changed_is_a_change_that_no_rule_sees(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("Blue: Maude", "Blue: Mauve"), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    last = len(TEXT.splitlines())
    assert out.startswith(f"{page}, line {last}: the chain does not fit: the file was changed after it was written.\n")
    assert "Every line is as the rules would have it, and the chain alone cannot say which one was changed" in out
    assert "la chaîne seule ne peut pas dire laquelle" in typed("verify", page, "--lang", "fr")[1]


def without(*numbers: int) -> str:
    """The record without these events."""
    return "\n".join(line for line in TEXT.split("\n") if not re.match(rf" *({'|'.join(map(str, numbers))}) ", line))


def swapped(one: int, other: int) -> str:
    """The record in which these two events stand in each other's place."""
    lines = TEXT.split("\n")
    places = [next(at for at, line in enumerate(lines) if re.match(rf" *{n} ", line)) for n in (one, other)]
    lines[places[0]], lines[places[1]] = lines[places[1]], lines[places[0]]
    return "\n".join(lines)


HEAD = len(HEADING.lines()) + 1


@pytest.mark.parametrize(
    ("spoilt", "line", "reason"),
    [
        (without(23), HEAD + 23, "event 23 is missing"),
        (without(23, 24, 25), HEAD + 23, "events 23 to 25 are missing"),
        (swapped(23, 24), HEAD + 23, "events 23 and 24 are out of order"),
        (swapped(23, 40), HEAD + 23, "events 23 and 40 are out of order"),
        (
            TEXT.replace("\n  23 ", "\n  23 put\n  23 ").replace(" put\n", " > put-back red\n"),
            HEAD + 24,
            "event 23 is there twice",
        ),
        (TEXT.replace("\n   3 ", "\n   4 ", 1), HEAD + 3, "this is event 3, and the line says 4"),
    ],
)
def test_a_line_that_is_not_where_it_should_be_is_said_by_its_event(
    typed: Terminal, page: Path, spoilt: str, line: int, reason: str
) -> None:
    page.write_text(spoilt, encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert out.startswith(f"{page}, line {line}: {reason}.\n")


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (
            TEXT[: TEXT.index("Chain")],
            f"it ends with event {len(READ.events)}, and the chain, its last line, is missing",
        ),
        (TEXT[: TEXT.index("\n  31 ") - 4], "it ends with event 29, and the chain, its last line, is missing"),
        (TEXT[: TEXT.index("\n  31 ")], "it ends with event 30, and the chain, its last line, is missing"),
        (TEXT[:-30], "its last line, the chain, is not whole"),
        (TEXT[:45], "it ends in the heading"),
    ],
)
def test_a_file_that_is_cut_short_is_said_to_be(typed: Terminal, page: Path, spoilt: str, reason: str) -> None:
    page.write_text(spoilt, encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert f": the file is cut short: {reason}.\n" in out
    assert ("Up to there every line is as the rules would have it." in out) == ("it ends with event" in reason)
    assert "le fichier est tronqué" in typed("verify", page, "--lang", "fr")[1]


def test_above_where_a_file_is_cut_short_the_rules_still_see_a_change(typed: Terminal, page: Path) -> None:
    page.write_text(
        TEXT[: TEXT.index("\n 300 ")].replace("pegged red +2 = 2\n", "pegged red +3 = 3\n"), encoding="utf-8"
    )
    out = typed("verify", page)[1]
    assert "the file is cut short" in out
    assert f"line {at_line('pegged red +2 = 2')}: the rules give: pegged red +2 = 2.\n    pegged red +3 = 3" in out


def test_an_empty_file_is_no_record(typed: Terminal, page: Path) -> None:
    page.write_text("", encoding="utf-8")
    assert typed("verify", page) == (1, f"{page}, line 1: a record begins with 'Cribboard record 1'.\n", "")


def test_an_act_that_is_not_allowed_is_said_in_the_words_of_the_table(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("> lay blue 7H", "> lay red 7H", 1), encoding="utf-8")
    out = typed("verify", page)[1]
    assert f"line {at_line('> lay blue 7H')}: the rules do not allow it: Not your turn" in out
    assert "les règles ne le permettent pas" in typed("verify", page, "--lang", "fr")[1]


@pytest.mark.parametrize(
    ("spoil", "line", "reason"),
    [
        (lambda text: text.replace("> cut blue", "> cut  blue", 1), 10, "it is the line of no event"),
        (
            lambda text: text.replace("> cut blue 7C", "> cut blue 7X", 1),
            10,
            "wanted: cut {seat} {card} ('7X' cannot be read",
        ),
        (lambda text: text.split("\n", 1)[1], 1, "a record begins with 'Cribboard record 1'"),
    ],
)
def test_where_the_form_breaks_the_line_is_said(
    typed: Terminal, page: Path, spoil: Any, line: int | None, reason: str
) -> None:
    page.write_text(spoil(TEXT), encoding="utf-8")
    code, out, _ = typed("verify", page)
    assert code == 1
    assert f"line {line or len(spoil(TEXT).splitlines())}: {reason}" in out
    assert not json.loads(typed("verify", page, "--json")[1])["sound"]


@pytest.mark.parametrize("what", ["verify", "claims", "show"])
def test_what_is_no_file_or_no_text_is_no_unsound_record(typed: Terminal, tmp_path: Path, what: str) -> None:
    assert typed(what, "nowhere.txt") == (2, "", "nowhere.txt: there is no such file.\n")
    assert typed(what, "nowhere.txt", "--lang", "fr") == (2, "", "nowhere.txt : ce fichier n’existe pas.\n")
    assert typed(what, tmp_path) == (2, "", f"{tmp_path}: that is a folder, not a record.\n")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff")
    assert typed(what, tmp_path / "picture") == (2, "", f"{tmp_path / 'picture'}: that is no text, so no record.\n")


@pytest.mark.parametrize("what", ["verify", "claims", "show", "export"])
def test_a_game_of_the_journal_is_looked_at_by_its_number(typed: Terminal, page: Path, kept: Path, what: str) -> None:
    by_number = typed(what, 1, "--journal", kept)
    assert by_number[0] == 0
    if what in ("claims", "show"):
        assert by_number == typed(what, page)
    code, out, err = typed(what, 9, "--journal", kept)
    assert (code, out, err) == (2, "", "Game 9: the journal has games 1, 2.\n")


def test_what_is_not_sound_is_not_shown(typed: Terminal, page: Path) -> None:
    page.write_text(TEXT.replace("Blue: Maude", "Blue: Mauve"), encoding="utf-8")
    assert typed("show", page)[0] == typed("claims", page)[0] == 1


# Who claimed what


def test_every_claim_is_listed_with_what_was_due_and_who_accepted(typed: Terminal, page: Path) -> None:
    claims = typed.told("claims", page)
    judged = [(at, event) for at, event in enumerate(READ.events, start=1) if isinstance(event, ClaimJudged)]
    of_cards = [claim for claim in claims if claim["due"] is not None]
    assert [(each["event"], each["called"], each["due"], each["verdict"]) for each in of_cards] == [
        (at, event.called, event.due, event.verdict) for at, event in judged
    ]
    assert [each["side"] for each in of_cards] == [SIDES[event.side] for _, event in judged]
    for claim in of_cards:
        assert sum(each["points"] for each in claim["combinations"]) >= claim["due"] or claim["due"] == 0
        if claim["accepted_at"] is not None:
            accepted = READ.events[claim["accepted_at"] - 1]
            assert isinstance(accepted, ClaimAccepted)
            assert (SIDES[accepted.side], accepted.by) == (claim["side"], claim["accepted_by"])
            assert claim["accepted_at"] > claim["event"]
    assert sum(claim["challenged"] for claim in claims) == TEXT.count("> challenge")
    assert len(typed("claims", page, "--lang", "fr")[1].splitlines()) == len(claims)


# Stepping through it


def test_without_a_terminal_the_position_after_an_event_is_told(typed: Terminal, page: Path) -> None:
    at, judged = next(
        (at, each) for at, each in enumerate(READ.events, start=1) if isinstance(each, ClaimJudged) and each.due > 8
    )
    event = AUDIT.end_of(at)
    code, out, _ = typed("show", page, "--at", at)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith(f"Event {event} of {len(READ.events)}, deal ")
    pegs = AUDIT.view(event).sides
    assert lines[1] == f"Blue (Maude): {pegs[0].score} points, pegs in {pegs[0].score} and {pegs[0].back}"
    assert f"called {judged.called} for the hand; {judged.due} was due: too many" in out
    assert lines[-1].startswith("Now: ")


def test_in_french_every_word_is_french(typed: Terminal, page: Path) -> None:
    out = typed("show", page, "--deal", 2, "--lang", "fr")[1]
    assert re.match(r"Événement \d+ de \d+, donne 2, donneur : (Bleu|Rouge)\n", out)
    assert "points, pions en" in out


def test_a_hole_leads_to_the_act_that_put_the_peg_there(typed: Terminal, page: Path) -> None:
    for at, event in enumerate(READ.events, start=1):
        if not isinstance(event, Pegged) or at % 5:
            continue
        answer = typed.told("show", page, "--hole", f"{SIDES[event.side]}:{event.score}")
        assert answer["scores"][event.side] == event.score
        assert any(line.startswith(f"pegged {SIDES[event.side]}") and line.endswith(f"= {event.score}")
                   for line in answer["act"])  # fmt: skip


def test_a_deal_leads_to_where_it_began(typed: Terminal, page: Path) -> None:
    for deal in range(1, AUDIT.view(AUDIT.last).deal + 1):
        answer = typed.told("show", page, "--deal", deal)
        assert answer["deal"] == deal
        assert AUDIT.view(AUDIT.before(answer["event"])).deal == deal - 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--at", "9999"], "Event 9999: the record has events 1 to "),
        (["--deal", "99"], "Deal 99: the record has deals 1 to "),
        (["--deal", "99", "--lang", "fr"], "Donne 99 : la partie a les donnes 1 à "),
        (["--hole", "green:5"], "Hole green:5: wanted is a side (blue, red), a colon and a hole, such as blue:46."),
        (["--hole", "blue"], "Hole blue: wanted is a side (blue, red), a colon and a hole, such as blue:46."),
        (["--hole", "blue:1"], "Hole 1: the front peg of Blue never came there; it stood in 0, "),
    ],
)
def test_a_place_that_there_is_not_is_said(typed: Terminal, page: Path, arguments: list[str], problem: str) -> None:
    code, out, err = typed("show", page, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(problem)
