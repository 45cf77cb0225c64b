"""The owner's acts from a page: what is asked is read strictly, and nothing is done without the PIN."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from tests.support.catalogues import phrase
from tests.support.evenings import BLUE_DEALS, BLUE_WINS, OK, RED, RED_DEALS, cards
from tests.support.kiosk_rooms import House, house

from cribboard.rules import RULES, Way, changed
from cribd.inputs import (
    LONGEST_NAME,
    ClubAct,
    ClubAsked,
    HolePressed,
    NamesGiven,
    NewGameAsked,
    NewMatchAsked,
    RulesGiven,
    SwitchOffAsked,
    UndoAsked,
)
from cribd.table.rule_sets import PRESETS, RuleSet
from cribd.table.snapshot import Lobby
from cribd.web.http.json_body import BODY_BYTES
from cribd.web.kiosk.shared.snapshot_json import as_json
from cribd.web.kiosk.table import owner_routes

THREE = RULES["three-player"].label
PARTNERS = RULES["partners"].label

WRONG: list[Any] = [
    None,
    [],
    {},
    {"do": "names"},
    {"do": "names", "names": "Aline"},
    {"do": "names", "names": []},
    {"do": "names", "names": ["a", "b", "c"]},
    {"do": "names", "names": ["Aline", 5]},
    {"do": "names", "names": ["Aline", None]},
    {"do": "names", "names": ["Aline", " ALINE "]},
    {"do": "names", "names": ["x" * 21, ""]},
    {"do": "names", "names": ["two\nlines", ""]},
    {"do": "names", "names": ["\u202eback", ""]},
    {"do": "names", "names": ["\ud800", ""]},
    {"do": "names", "names": ["Aline", "Paul"], "rules": PARTNERS},
    {"do": "rules"},
    {"do": "rules", "rules": "no such rules/1"},
    {"do": "rules", "rules": THREE},
    {"do": "rules", "rules": 5},
    {"do": "names", "names": ["Aline", "Paul"], "same_players": "yes"},
    {"do": "names", "names": ["Aline", "Paul"], "same_players": None},
    {"do": "names", "names": ["Aline", " ALINE "], "same_players": True},
    {"do": "names", "same_players": True},
    {"do": "new_game", "now": True},
    {"do": "new_match", "now": True},
    {"do": "new_match", "names": ["Aline", "Paul"]},
    {"do": "undo"},
    {"do": "switch_off", "now": True},
    {"do": "undo", "number": -1},
    {"do": "undo", "number": "5"},
    {"do": "undo", "number": 5.0},
    {"do": "undo", "number": True},
    {"do": "club"},
    {"do": "club", "act": "win"},
    {"do": "club", "act": "join"},
    {"do": "club", "act": "join", "address": 5},
    {"do": "club", "act": "join", "address": "x" * 201},
    {"do": "club", "act": "ok", "address": "192.168.1.4"},
    {"do": "win"},
    {"do": ["undo"]},
]


async def settled(home: House) -> None:
    await home.table.clock.run_ready_tasks(lambda: home.table.table.has_no_input)


async def ask(home: House, act: object, status: int = 204) -> None:
    answer = await home.post("/table/owner", act)
    assert answer.status == status, await answer.text()
    await settled(home)


# What is read


def test_each_act_becomes_its_fact() -> None:
    def read(payload: object) -> object:
        return owner_routes.read_request(payload, PRESETS, tracks=3)

    assert read({"do": "names", "names": [" Aline ", "", "Re\u0301al"]}) == NamesGiven(("Aline", "", "Réal"))
    assert read({"do": "names", "names": ["", ""]}) == NamesGiven(("", ""))
    assert read({"do": "rules", "rules": PARTNERS}) == RulesGiven(PARTNERS)
    assert read({"do": "names", "names": ["Maud", ""], "same_players": True}) == NamesGiven(("Maud", ""), True)
    assert read({"do": "new_game"}) == NewGameAsked()
    assert read({"do": "new_match"}) == NewMatchAsked()
    assert read({"do": "undo", "number": 0}) == UndoAsked(0)
    assert read({"do": "switch_off"}) == SwitchOffAsked()
    assert read({"do": "club", "act": "ok"}) == ClubAsked(ClubAct.OK)
    assert read({"do": "club", "act": "join", "address": "hub.local"}) == ClubAsked(ClubAct.JOIN, "hub.local")


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_an_unknown_request_of_the_owner_is_refused_in_one_line(payload: object) -> None:
    with pytest.raises(web.HTTPBadRequest) as refused:
        owner_routes.read_request({"do": payload}, PRESETS, tracks=2)
    assert (refused.value.text or "").endswith(".\n")


# What is done


@pytest.mark.parametrize("wrong", WRONG, ids=str)
async def test_a_wrong_request_gets_a_reason_and_changes_nothing(home: House, wrong: object) -> None:
    await home.unlock()
    before = len(home.table.shown)
    answer = await home.post("/table/owner", wrong)
    assert (answer.status, answer.content_type) == (400, "text/plain")
    assert (await answer.text()).endswith(".\n")
    await asyncio.sleep(0)
    assert len(home.table.shown) == before


async def test_a_body_that_is_no_json_or_too_long_is_not_taken(home: House) -> None:
    await home.unlock()
    assert (await home.post("/table/owner", "{")).status == 400
    assert (await home.post("/table/owner", "{}", headers={"Content-Type": "text/plain"})).status == 415
    assert (await home.post("/table/owner", " " * (BODY_BYTES + 1))).status == 413


@pytest.mark.parametrize("cookie", [{}, {"cribboard-pad": ""}, {"cribboard-pad": "guessed"}])
@pytest.mark.parametrize("act", [{"do": "new_game"}, {"do": "names", "names": ["Eve", ""]}, {"do": "no such thing"}])
async def test_without_the_pin_nothing_is_done(home: House, act: object, cookie: dict[str, str]) -> None:
    before = len(home.table.shown)
    assert (await home.post("/table/owner", act, cookies=cookie)).status == 403
    await asyncio.sleep(0)
    assert len(home.table.shown) == before


async def test_the_owner_makes_a_copy_and_learns_when_the_last_was_made(home: House) -> None:
    for wrong in (await home.post("/table/backup", {}), await home.client.get("/table/backup")):
        assert wrong.status == 403
    await home.unlock()
    assert (await home.post("/table/backup", {"now": True})).status == 400
    known = await (await home.client.get("/table/backup")).json()
    assert known == {"label": "CRIBBOARD", "there": True, "last": None, "problem": ""}
    made = await (await home.post("/table/backup", {})).json()
    assert made["last"] == "2026-03-14T04:00:07+00:00"
    assert made["problem"]["fr_CA"] == "le disque est plein"


async def test_the_doctor_is_asked_with_the_pin_and_in_a_language_of_the_board(home: House) -> None:
    assert (await home.post("/table/doctor", {"language": "en"})).status == 403
    await home.unlock()
    wrong: object
    for wrong in ({}, {"language": "de"}, {"language": 1}, {"language": "en", "checks": []}, [], None):
        assert (await home.post("/table/doctor", wrong)).status == 400
    answer = await home.post("/table/doctor", {"language": "fr_CA"})
    assert await answer.json() == [{"measured": "fr_CA"}]


async def test_without_a_configured_pin_the_owners_page_is_closed(tmp_path: Path) -> None:
    async with house(tmp_path, pin="") as home:
        assert (await home.post("/table/owner", {"do": "new_game"})).status == 403


async def test_the_owner_gives_names_and_rules_and_begins_a_game(home: House) -> None:
    await home.unlock()
    await ask(home, {"do": "names", "names": ["Aline", "Paul"]})
    assert home.table.now.names[:2] == ("Aline", "Paul")
    await ask(home, {"do": "rules", "rules": PARTNERS})
    assert home.table.now.rules.title == "partners"
    await ask(home, {"do": "new_game"})
    view = home.table.now.view
    assert view is not None
    assert (view.rules, view.players) == (PARTNERS, 4)


async def test_a_picture_has_the_match_its_rules_and_whether_the_next_game_ends_it(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, Way.TRUST) as home:
        await home.unlock()
        await ask(home, {"do": "names", "names": ["Aline", "Paul"]})
        await home.table.post(*BLUE_DEALS, *BLUE_WINS, *OK)

        def match() -> Any:
            payload = as_json(home.table.now)["match"]
            return payload["points"], payload["ends"], payload["players"], payload["rules"]

        six_card = RULES["six-card"].label
        assert match() == ((2, 0), (), ("Aline", "Paul"), six_card)
        await ask(home, {"do": "rules", "rules": PARTNERS})
        assert match() == ((0, 0), (2, 0), ("Aline", "Paul"), six_card)
        await ask(home, {"do": "rules", "rules": six_card})
        await ask(home, {"do": "names", "names": ["Maud", "Paul"], "same_players": True})
        assert match() == ((2, 0), (), ("Maud", "Paul"), six_card)
        await ask(home, {"do": "names", "names": ["Zoé", "Paul"]})
        assert match() == ((0, 0), (2, 0), ("Maud", "Paul"), six_card)
        await ask(home, {"do": "new_match"})
        assert match() == ((0, 0), (), ("Zoé", "Paul"), six_card)


async def test_in_mid_game_the_header_says_the_rules_of_the_game_and_not_those_of_the_next(home: House) -> None:
    await home.unlock()
    await home.table.post(*RED_DEALS, *cards("5H"))
    await ask(home, {"do": "rules", "rules": PARTNERS})
    now = as_json(home.table.now)
    assert (now["text"]["en"]["rules"], now["text"]["fr_CA"]["rules"]) == (
        phrase("rules.six-card"),
        phrase("rules.six-card", "fr_CA"),
    )
    assert now["next"] == PARTNERS, "and the owner's part has those that were chosen"
    assert (await (await home.client.get("/table/rules")).json())["next"] == PARTNERS
    await ask(home, {"do": "new_game"})
    assert as_json(home.table.now)["text"]["en"]["rules"] == phrase("rules.partners")


@pytest.mark.parametrize("lobby", [Lobby.START, Lobby.AGAIN])
async def test_between_games_the_header_says_the_rules_of_the_next(home: House, lobby: Lobby) -> None:
    await home.table.post(*RED_DEALS)
    between = replace(home.table.now, mode=lobby, rules=RuleSet("partners", RULES["partners"]))
    assert as_json(between)["text"]["en"]["rules"] == phrase("rules.partners")
    resumed = replace(between, mode=Lobby.RESUME)
    assert as_json(resumed)["text"]["en"]["rules"] == phrase("rules.six-card")


async def test_house_rules_keep_their_title_in_the_header(home: House) -> None:
    await home.table.post(*RED_DEALS)
    view = home.table.now.view
    assert view is not None
    hall = RuleSet("Legion Hall", changed(RULES["six-card"], {"his_nobs": 2}))
    played = replace(home.table.now, view=replace(view, rules=hall.rules.label))
    assert as_json(replace(played, rules=hall))["text"]["en"]["rules"] == "Legion Hall"
    assert as_json(played, (*PRESETS, hall))["text"]["en"]["rules"] == "Legion Hall"


async def test_the_owner_undoes_what_was_seen_and_nothing_else(home: House) -> None:
    await home.unlock()
    await home.table.post(*RED_DEALS, *cards("5H"))
    seen = home.table.now.view
    assert seen is not None
    await home.table.post(*cards("6D"))
    await ask(home, {"do": "undo", "number": seen.number})
    assert home.table.now.refusal is not None, "the game had gone on"
    assert home.table.now.view is not None
    await ask(home, {"do": "undo", "number": home.table.now.view.number})
    now = home.table.now.view
    assert now is not None
    assert [str(laid.card) for laid in now.laid] == ["5H"]


# What there is to choose from


async def test_the_rules_to_choose_from_are_those_that_this_board_can_play(home: House) -> None:
    payload = await (await home.client.get("/table/rules")).json()
    labels = [each["label"] for each in payload["rules"]]
    assert PARTNERS in labels
    assert THREE not in labels, "this board has two tracks"
    assert payload["next"] == RULES["six-card"].label
    assert all(each["name"]["en"] != "" != each["name"]["fr_CA"] for each in payload["rules"])


# Every count


async def test_every_score_is_sent_with_its_explanation_in_both_languages(tmp_path: Path) -> None:
    async with house(tmp_path, Way.AUTO) as home:
        assert await (await home.client.get("/table/scores")).json() == []
        await home.table.post(*RED_DEALS, *cards("5H TD"))
        [fifteen] = await (await home.client.get("/table/scores")).json()
        assert (fifteen["side"], fifteen["points"], fifteen["score"]) == (RED, 2, 2)
        assert fifteen["steps"] == [{"kind": "fifteen", "cards": ["5H", "TD"], "points": 2, "total": 2}]
        assert fifteen["text"]["en"]["what"] != fifteen["text"]["fr_CA"]["what"]


async def test_an_undone_score_is_no_longer_sent(tmp_path: Path) -> None:
    async with house(tmp_path, Way.AUTO) as home:
        await home.unlock()
        await home.table.post(*RED_DEALS, *cards("5H TD"))
        assert home.table.now.view is not None
        await ask(home, {"do": "undo", "number": home.table.now.view.number})
        assert await (await home.client.get("/table/scores")).json() == []


async def test_scores_are_sent_again_only_after_a_change_of_names(home: House) -> None:
    await home.unlock()
    await home.table.post(*RED_DEALS, *cards("5H TD"), HolePressed(RED, 2), *cards("JC"))
    one = await (await home.client.get("/table/scores")).json()
    again = await (await home.client.get("/table/scores")).json()
    assert one == again != []
    await ask(home, {"do": "names", "names": ["Aline", "Paul"]})
    named = await (await home.client.get("/table/scores")).json()
    assert [each["text"]["en"]["who"] for each in named] == ["Paul"]


def test_a_name_is_as_long_on_the_page_as_at_the_table() -> None:
    typed = re.search(
        r"const LONGEST = (\d+);", Path(owner_routes.__file__).with_name("owner.js").read_text(encoding="utf-8")
    )
    assert typed is not None
    assert int(typed[1]) == LONGEST_NAME
