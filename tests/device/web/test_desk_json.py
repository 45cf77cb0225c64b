"""The JSON of the desk: its fields are the documented ones, and what follows from rules is sent."""

from __future__ import annotations

import re

from tests.support.desk_over_http import ask, open_hall, state, unlock
from tests.support.kiosk_rooms import House
from tests.support.places import ROOT


async def test_a_match_says_what_each_losing_score_counts(home: House) -> None:
    await open_hall(home, form="match-play")
    shown = await state(home)
    assert shown["rounds"][0]["match"] == {
        "wins_needed": 7,
        "skunk_wins": 2,
        "losing_scores": [{"most": 89, "wins": 2}, {"most": 120, "wins": 1}],
    }
    assert shown["may_set_games"]


async def test_the_number_of_games_may_not_change_in_a_bracket(home: House) -> None:
    await unlock(home)
    await ask(home, "/desk/begin", {"format": "single-elimination"})
    assert not (await state(home))["may_set_games"]


async def test_one_format_is_offered_first(home: House) -> None:
    await unlock(home)
    formats = await (await home.client.get("/desk/formats")).json()
    assert [form["name"] for form in formats if form["is_default"]] == ["fadoq"]


async def test_the_state_of_the_desk_has_the_documented_fields_and_no_others(home: House) -> None:
    await open_hall(home, form="match-play")
    page = (ROOT / "docs/competition.md").read_text(encoding="utf-8")
    rows = page.partition("### The desk")[2].partition("A result has")[0]
    named = {name for cell in re.findall(r"^\| (`.*?) \|", rows, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)}
    assert {*(await state(home))} == {*named, "damaged"}
