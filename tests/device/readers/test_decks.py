"""Decks of tagged cards: one file a deck, a tag is one card of one deck, and a damaged file says where."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.catalogues import has_phrase, phrase
from tests.support.places import ROOT

from cribd.readers.decks import (
    NEW_PACK,
    Deck,
    DeckError,
    Decks,
    DecksBusy,
    delete_deck,
    folder_of,
    is_tag,
    load_decks,
    only_writer,
    read_deck,
    save_deck,
    write_deck,
)
from cribd.readers.labels import CARDS

ROUGE = Deck("rouge", {f"04{number:06X}": card for number, card in enumerate(NEW_PACK)})
BLEUE = Deck("bleue", {f"05{number:06X}": card for number, card in enumerate(NEW_PACK)})

tags = st.binary(min_size=4, max_size=10).map(lambda uid: uid.hex().upper())
decks = st.dictionaries(st.sampled_from(CARDS), tags).map(
    lambda cards: Deck("any", {tag: card for card, tag in cards.items()})
)


def test_a_new_pack_is_the_pack_spades_and_diamonds_up_clubs_and_hearts_down() -> None:
    assert sorted(NEW_PACK) == sorted(CARDS)
    assert NEW_PACK[:13] + NEW_PACK[13:26] == tuple(rank + suit for suit in "SD" for rank in "A23456789TJQK")
    assert NEW_PACK[26:39] + NEW_PACK[39:] == tuple(rank + suit for suit in "CH" for rank in "KQJT98765432A")


def test_the_decks_are_beside_the_journal() -> None:
    assert folder_of(Path("/var/lib/cribboard/journal.db")) == Path("/var/lib/cribboard/decks")


def test_a_tag_is_found_in_whichever_deck_it_is(tmp_path: Path) -> None:
    for deck in (ROUGE, BLEUE):
        save_deck(tmp_path / "decks", deck)
    found = load_decks(tmp_path / "decks")
    assert found == Decks((BLEUE, ROUGE))
    assert found.find("04000000") == ("rouge", "AS")
    assert found.find("05000033") == ("bleue", "AH")
    assert found.find("06000000") is None
    assert found.named("rouge") == ROUGE
    assert found.named("verte") is None


@settings(deadline=None)
@given(decks)
def test_a_deck_reads_back_from_its_file(deck: Deck) -> None:
    assert read_deck(write_deck(deck), "any") == deck
    assert {*deck.missing, *deck.tags} == set(CARDS)
    assert len(deck.missing) + len(deck.tags) == 52


def test_a_deck_can_gain_and_lose_a_card() -> None:
    deck = Deck("rouge").with_card("AS", "04000000").with_card("2S", "04000001")
    assert deck.missing[0] == "3S"
    assert deck.without("AS") == Deck("rouge", {"04000001": "2S"})
    assert deck.without("AS").missing[0] == "AS"


def test_without_a_folder_there_are_no_decks(tmp_path: Path) -> None:
    assert load_decks(tmp_path / "decks") == Decks()


def test_an_unreadable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "decks").write_text("a file")
    assert load_decks(tmp_path / "decks").problems == (
        phrase("problem.file.unreadable", file=tmp_path / "decks", why=phrase("problem.file.why.ENOTDIR")),
    )


GOOD = 'name = "rouge"\n\n[cards]\nAS = "04A3B2C1"\n2S = "04A3B2C2"\n'


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (GOOD[:-8], [(5, "toml", {})]),
        ("", [(1, "other_name", {"name": "rouge"}), (1, "no_cards", {})]),
        (GOOD.replace("rouge", "bleue"), [(1, "other_name", {"name": "rouge"})]),
        (GOOD.replace("AS", "1S"), [(4, "no_card", {"card": "'1S'"})]),
        (GOOD.replace("A3B2C1", "a3b2c1"), [(4, "no_tag", {"tag": "'04a3b2c1'"})]),
        (GOOD.replace('"04A3B2C1"', "4"), [(4, "no_tag", {"tag": 4})]),
        (GOOD.replace("C2", "C1"), [(5, "tag_twice", {"tag": "04A3B2C1", "card": "AS"})]),
        (GOOD.replace("2S", "AS"), [(5, "toml", {})]),
        ("colour = 1\n" + GOOD, [(1, "no_key", {})]),
        (
            GOOD.replace("AS", "1S").replace("2S", "XX"),
            [(4, "no_card", {"card": "'1S'"}), (5, "no_card", {"card": "'XX'"})],
        ),
    ],
)
def test_a_damaged_file_is_named_with_its_lines_and_the_others_load(
    tmp_path: Path, text: str, problems: list[tuple[int, str, dict[str, object]]]
) -> None:
    save_deck(tmp_path, BLEUE)
    (tmp_path / "rouge.toml").write_text(text, encoding="utf-8")
    found = load_decks(tmp_path)
    assert found.decks == (BLEUE,)
    assert len(found.problems) == len(problems)
    for said, (line, code, values) in zip(found.problems, problems, strict=True):
        where = f"{tmp_path}/rouge.toml, {phrase('problem.line', line=line)}"
        assert said.startswith(where)
        assert has_phrase(said.removeprefix(where), f"problem.deck.{code}", **values)


def test_a_file_that_is_no_text_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "rouge.toml").write_bytes(GOOD.encode() + b"\xff\xfe")
    assert load_decks(tmp_path).problems == (
        phrase(
            "problem.deck.in_file",
            file=tmp_path / "rouge.toml",
            problem=phrase(
                "problem.placed", where=phrase("problem.line", line=6), problem=phrase("problem.deck.no_text")
            ),
        ),
    )


def test_a_tag_in_two_decks_is_reported_and_means_one_card(tmp_path: Path) -> None:
    save_deck(tmp_path, BLEUE)
    save_deck(tmp_path, ROUGE.without("AS").with_card("AS", "05000033"))
    found = load_decks(tmp_path)
    assert found.decks == (BLEUE,)
    assert found.find("05000033") == ("bleue", "AH")
    (problem,) = found.problems
    shared = phrase("problem.deck.shared_tag", tag="05000033", card="AS", other="AH", deck="bleue", name="rouge")
    assert problem == phrase("problem.placed", where=tmp_path / "rouge.toml", problem=shared)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_deck_or_is_refused(text: str) -> None:
    with contextlib.suppress(DeckError):
        read_deck(text, "rouge")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("04A3B2C1", True), ("04A3B2C1D0E5F6", True), ("0D003F8E72", True), ("04a3b2c1", False), ("04A3B2C", False)],
)
def test_a_tag_is_four_to_ten_bytes_in_capital_hex(text: str, is_one: bool) -> None:
    assert is_tag(text) is is_one


# On disk


def test_a_deleted_deck_has_no_file(tmp_path: Path) -> None:
    save_deck(tmp_path, ROUGE)
    delete_deck(tmp_path, "rouge")
    assert load_decks(tmp_path) == Decks()
    with pytest.raises(FileNotFoundError):
        delete_deck(tmp_path, "rouge")


@pytest.mark.parametrize("change", [save_deck, lambda folder, deck: delete_deck(folder, deck.name)])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, change: Callable[[Path, Deck], None]) -> None:
    with pytest.raises(ValueError, match="is not a name of a deck"):
        change(tmp_path, Deck("../rouge"))


@pytest.mark.parametrize("stops_at", ["write", "fsync", "replace", "fsync of the folder"])
def test_after_a_power_cut_the_deck_file_is_the_old_or_the_new_one(tmp_path: Path, stops_at: str) -> None:
    """A process of its own is ended at each step of the writing, as by a power cut."""
    old, new = ROUGE.without("AH"), ROUGE
    save_deck(tmp_path, old)
    program = """if True:
        import os, pathlib, sys
        folder, stops_at, syncs = pathlib.Path(sys.argv[1]), sys.argv[2], iter(("fsync", "fsync of the folder"))
        sync = os.fsync
        def fsync(number):
            if next(syncs) == stops_at:
                os._exit(9)
            sync(number)
        os.fsync = fsync
        from cribd.readers import decks
        if stops_at == "write":
            decks.write_deck = lambda deck: os._exit(9)
        if stops_at == "replace":
            pathlib.Path.replace = lambda *_: os._exit(9)
        deck = decks.load_decks(folder).decks[0]
        decks.save_deck(folder, deck.with_card("AH", "04000033"))
    """
    firmware = ROOT / "firmware"
    ran = subprocess.run(
        [sys.executable, "-c", program, tmp_path, stops_at], env=os.environ | {"PYTHONPATH": str(firmware)}
    )
    assert ran.returncode == 9
    assert load_decks(tmp_path) == Decks((new if stops_at == "fsync of the folder" else old,))
    save_deck(tmp_path, new)
    assert load_decks(tmp_path) == Decks((new,))


def test_one_program_at_a_time_changes_decks(tmp_path: Path) -> None:
    with only_writer(tmp_path / "decks"), pytest.raises(DecksBusy), only_writer(tmp_path / "decks"):
        raise AssertionError("two hold it")
    with only_writer(tmp_path / "decks"):
        pass
