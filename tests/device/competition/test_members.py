"""The club's list of players: added, corrected, removed, found whatever was typed, and registered all at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.journals import opened, tamper
from tests.support.organised import draw_and_start, held, open_hall, organiser

from cribboard.competition import FORMATS, RefusedAction
from cribboard.competition.actions import CheckIn, Depart, Register
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import EntrantStatus
from cribd.clock import ManualClock
from cribd.competition.action_json import NotAnAction
from cribd.competition.members import MOST_MEMBERS, change_members, read_members, registrations
from cribd.competition.organiser import Organiser
from cribd.competition.refusals import RefusedRequest
from cribd.storage.open_journal import open_or_repair_journal

ACC = CompetitionHeading(format=FORMATS["acc"], name="Mardi", tables=9)
CLUB = ["Zoé Bœuf", "odile roy", "André Côté"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def add(path: Path, *names: str) -> list[str]:
    return change(path, do="add", names=[*names])


def change(path: Path, **payload: object) -> list[str]:
    with opened(path) as journal:
        return change_members(journal, payload, None)


def members(path: Path) -> list[str]:
    with opened(path) as journal:
        return read_members(journal)


async def here(path: Path, owner: Organiser, **payload: object) -> None:
    with opened(path) as journal:
        await owner.do_from(lambda state: registrations(journal, payload, state))


def test_the_list_stays_from_evening_to_evening_in_the_order_of_the_alphabet(path: Path) -> None:
    assert members(path) == []
    assert add(path, *CLUB) == CLUB
    assert members(path) == ["André Côté", "odile roy", "Zoé Bœuf"]
    assert change(path, do="correct", member="Odile Roy", name="Odile  Roy-Côté") == ["Odile Roy-Côté"]
    assert change(path, do="remove", member="zoe boeuf") == []
    assert members(path) == ["André Côté", "Odile Roy-Côté"]
    add(path, "Zoé Bœuf")
    assert members(path)[-1] == "Zoé Bœuf", "a name that is gone may come back"


@pytest.mark.parametrize("same", ["andre cote", "ANDRÉ CÔTÉ", " André\u00a0 Côté ", "Andre\u0301 Côté"])
def test_names_that_differ_by_case_accents_and_spaces_are_one_member(path: Path, same: str) -> None:
    add(path, "André Côté")
    with pytest.raises(RefusedRequest) as refused:
        add(path, same)
    assert refused.value.code == "member_taken"
    assert add(path, same, "Odile", "ODILE") == ["Odile"], "of several, who is new is added"
    with pytest.raises(RefusedRequest):
        change(path, do="correct", member="Odile", name=same)
    change(path, do="correct", member=same, name="Andre Cote")
    assert members(path) == ["Andre Cote", "Odile"]


@pytest.mark.parametrize(
    ("same", "as_"), [("Zoe Boeuf", "Zoé Bœuf"), ("laetitia d'amour", "Lætitia d’Amour"), ("STRASSE", "straße")]
)
def test_ligatures_and_apostrophes_are_found_as_a_keyboard_types_them(path: Path, same: str, as_: str) -> None:
    add(path, as_)
    change(path, do="remove", member=same)
    assert members(path) == []


@pytest.mark.parametrize("name", ["", "  ", "a\tb", "a\nb", "\0", "\ud800", "\u202e", "é" * 101, "n" * 10_000])
def test_an_invalid_name_is_refused_and_the_list_stays(path: Path, name: str) -> None:
    add(path, "Odile")
    for payload in ({"do": "add", "names": ["Réjean", name]}, {"do": "correct", "member": "Odile", "name": name}):
        with pytest.raises(RefusedAction):
            change(path, **payload)
    with pytest.raises(RefusedRequest) as refused:
        change(path, do="remove", member=name)
    assert (refused.value.code, len(str(refused.value)) < 200) == ("no_such_member", True)
    assert members(path) == ["Odile"]


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        (None, "request"),
        ([], "request"),
        ({}, "do"),
        ({"do": []}, "do"),
        ({"do": "drop"}, "do"),
        ({"do": "add"}, "names"),
        ({"do": "add", "names": "Odile"}, "names"),
        ({"do": "add", "names": ["Odile", 5]}, "names[2]"),
        ({"do": "add", "names": ["n"] * (MOST_MEMBERS + 1)}, "names"),
        ({"do": "remove"}, "member"),
        ({"do": "remove", "member": 7}, "member"),
        ({"do": "remove", "member": "Odile", "name": "x"}, "name"),
        ({"do": "correct", "member": "Odile", "name": None}, "name"),
        ({"do": "add_players", "names": []}, "names"),
    ],
)
def test_an_invalid_request_names_its_field(path: Path, payload: Any, field: str) -> None:
    add(path, "Odile")
    with opened(path) as journal, pytest.raises(NotAnAction) as wrong:
        change_members(journal, payload, None)
    assert wrong.value.field == field
    assert members(path) == ["Odile"]


def test_a_list_that_is_full_takes_no_more(path: Path) -> None:
    add(path, *(f"Membre {number}" for number in range(MOST_MEMBERS)))
    with pytest.raises(RefusedRequest, match="at most 2000"):
        add(path, "Odile")
    assert len(members(path)) == MOST_MEMBERS


async def test_the_request_all_are_here_registers_and_checks_in_every_member_once(path: Path) -> None:
    add(path, *CLUB, "Luc")
    async with organiser(path) as owner:
        await owner.begin(ACC)
        await owner.do(Register(name="ANDRÉ COTE"), Register(name="Invitée"), Register(name="Luc"))
        await owner.do(CheckIn(3), Depart(3, EntrantStatus.LEFT, "malade"))
        await here(path, owner)
        found = [(entrant.name, entrant.status) for entrant in held(owner).organiser.entrants]
        assert found == [
            ("ANDRÉ COTE", EntrantStatus.PRESENT),
            ("Invitée", EntrantStatus.REGISTERED),
            ("Luc", EntrantStatus.LEFT),
            ("odile roy", EntrantStatus.PRESENT),
            ("Zoé Bœuf", EntrantStatus.PRESENT),
        ]
        before = held(owner)
        await here(path, owner)
        assert held(owner) == before, "twice is once"


async def test_the_consequences_of_late_arrivals_for_resting_entrants_are_asked_once(path: Path) -> None:
    add(path, *CLUB)
    async with organiser(path) as owner:
        await open_hall(owner, 3)
        await draw_and_start(owner)
        with opened(path) as journal, pytest.raises(RefusedRequest) as refused:
            await owner.do_from(lambda state: registrations(journal, {}, state), ask=True)
        assert refused.value.code == "asked"
        said = refused.value.values["consequences"]
        assert isinstance(said, tuple)
        assert [each.code for each in said] == ["rest_in_started_round"]
        await here(path, owner)
        assert len(held(owner).organiser.entrants) == 6


async def test_only_ticked_members_are_registered(path: Path) -> None:
    add(path, *CLUB)
    async with organiser(path) as owner:
        await owner.begin(ACC)
        await here(path, owner, names=["Zoe Boeuf", "Zoé Bœuf"])
        assert [entrant.name for entrant in held(owner).organiser.entrants] == ["Zoé Bœuf"]
        await here(path, owner, names=[])
        with pytest.raises(RefusedRequest, match="Inconnue is not in the list"):
            await here(path, owner, names=["odile roy", "Inconnue"])
        with pytest.raises(NotAnAction):
            await here(path, owner, all=True)
        assert len(held(owner).organiser.entrants) == 1, "all or none"


async def test_teams_are_not_made_of_members_but_their_players_become_members(path: Path) -> None:
    add(path, "Odile")
    async with organiser(path) as owner:
        await owner.begin(CompetitionHeading(format=FORMATS["fadoq"]))
        await owner.do(Register(name="Les As", players=("ODILE", "Réjean")))
        with pytest.raises(RefusedRequest) as refused:
            await here(path, owner)
        assert refused.value.code == "members_in_teams"
        with opened(path) as journal:
            assert change_members(journal, {"do": "add_players"}, owner.state) == ["Réjean"]
            assert change_members(journal, {"do": "add_players"}, owner.state) == []
    assert members(path) == ["Odile", "Réjean"]
    with pytest.raises(RefusedRequest, match="no competition"):
        change(path, do="add_players")


def test_a_change_of_members_that_cannot_be_stored_is_not_made(path: Path) -> None:
    add(path, "Odile")
    for event, request in (
        ("INSERT", {"do": "add", "names": ["Luc"]}),
        ("UPDATE", {"do": "correct", "member": "Odile", "name": "Luc"}),
        ("DELETE", {"do": "remove", "member": "Odile"}),
    ):
        tamper(path, f"CREATE TRIGGER full BEFORE {event} ON member BEGIN SELECT RAISE(ABORT, 'full'); END")
        with pytest.raises(RefusedRequest) as refused:
            change(path, **request)
        assert refused.value.code == "not_kept"
        tamper(path, "DROP TRIGGER full")
    assert members(path) == ["Odile"]


def test_of_a_damaged_page_only_its_members_are_lost(path: Path) -> None:
    add(path, *(f"Membre {number:04}" for number in range(1000)))
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = file.execute("PRAGMA page_size").fetchone()
        (root,) = file.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'member'").fetchone()
    whole = bytearray(path.read_bytes())
    leaf = next(
        at
        for at in range(0, len(whole), size)
        if at != (root - 1) * size and whole[at] == 13 and b"Membre 0500" in whole[at : at + size]
    )
    whole[leaf] = 0
    path.write_bytes(whole)
    left = members(path)
    assert 500 < len(left) < 1000
    assert "Membre 0500" not in left
    change(path, do="correct", member=left[0], name="Odile")
    assert "Odile" in members(path)


def test_the_list_outlives_a_schema_that_rots_before_the_first_event(path: Path) -> None:
    journal, _ = open_or_repair_journal(path, ManualClock())
    change_members(journal, {"do": "add", "names": CLUB}, None)
    journal.close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TRIGGER line_update")
    journal, _ = open_or_repair_journal(path, ManualClock())
    journal.close()
    assert journal.rebuilt is not None
    assert members(path) == ["André Côté", "odile roy", "Zoé Bœuf"]


def test_a_file_without_the_list_has_no_members(path: Path) -> None:
    with opened(path):
        pass
    tamper(path, "DROP TABLE member")
    assert members(path) == []
    with pytest.raises(RefusedRequest):
        add(path, "Odile")
