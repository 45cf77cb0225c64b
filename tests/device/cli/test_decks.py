"""`cribboard decks`: which decks there are, what is in one, its labels, and how to forget it or a card of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.catalogues import phrase

from cribd.__main__ import main
from cribd.readers.decks import NEW_PACK, Deck, Decks, load_decks, only_writer, save_deck
from cribd.readers.labels import Label, read_label

ROUGE = Deck("rouge", {f"04{number:06X}": card for number, card in enumerate(NEW_PACK)})
BLEUE = Deck("bleue", {"05000000": "AS", "05000001": "2S"})

#: The line of a list for the deck `BLEUE`.
BLEUE_LISTED = f"{phrase('command.decks.taught', taught=2, all=52)}; {phrase('command.decks.next', card='3S')}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "decks"
    for deck in (ROUGE, BLEUE):
        save_deck(folder, deck)
    return folder


class Terminal:
    """Types a command, and reads what came of it."""

    def __init__(self, capsys: pytest.CaptureFixture[str], journal: Path) -> None:
        self._capsys = capsys
        self._journal = journal

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        code = main(["decks", *arguments, "--journal", str(self._journal)])
        out, err = self._capsys.readouterr()
        return code, out, err


@pytest.fixture
def decks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Terminal:
    return Terminal(capsys, tmp_path / "journal.db")


@pytest.mark.usefixtures("folder")
def test_the_decks_are_listed_with_what_is_missing(decks: Terminal) -> None:
    whole = phrase("command.decks.taught", taught=52, all=52)
    assert decks() == decks("list") == (0, f"bleue   {BLEUE_LISTED}\nrouge  {whole}\n", "")
    payload = json.loads(decks("--json")[1])
    assert [(deck["name"], deck["taught"], len(deck["missing"])) for deck in payload["decks"]] == [
        ("bleue", 2, 50),
        ("rouge", 52, 0),
    ]


def test_a_few_that_are_missing_are_named(decks: Terminal, folder: Path) -> None:
    save_deck(folder, ROUGE.without("5H").without("KD"))
    taught, missing = (
        phrase("command.decks.taught", taught=50, all=52),
        phrase("command.decks.missing", cards="KD 5H"),
    )
    assert f"rouge  {taught}; {missing}\n" in decks()[1]


def test_without_decks_the_list_says_how_to_enroll_one(decks: Terminal, tmp_path: Path) -> None:
    none = phrase("command.decks.none", folder=tmp_path / "decks")
    assert decks() == (0, f"{none}\n", "")
    assert "cribboard enroll --deck" in none


def test_a_damaged_deck_is_reported_and_the_others_are_listed(decks: Terminal, folder: Path) -> None:
    (folder / "rouge.toml").write_text('name = "rouge"\n[cards]\nAS = 4\n')
    code, out, err = decks()
    assert code == 1
    problem = phrase(
        "problem.placed", where=phrase("problem.line", line=3), problem=phrase("problem.deck.no_tag", tag=4)
    )
    assert out == f"bleue   {BLEUE_LISTED}\n"
    assert err == f"{phrase('problem.deck.in_file', file=folder / 'rouge.toml', problem=problem)}\n"
    code, out, _ = decks("--json")
    assert code == 1
    assert json.loads(out)["problems"] == [err.rstrip()]
    assert decks("show", "rouge") == (2, "", err)


@pytest.mark.usefixtures("folder")
def test_a_deck_is_shown_tag_by_tag(decks: Terminal) -> None:
    _, out, _ = decks("show", "bleue")
    assert out.splitlines()[:3] == ["AS  05000000", "2S  05000001", f"3S  {phrase('command.decks.not_taught')}"]
    assert len(out.splitlines()) == 52
    assert json.loads(decks("show", "bleue", "--json")[1])["tags"] == {"AS": "05000000", "2S": "05000001"}


def test_the_labels_of_a_deck_are_read_again(decks: Terminal) -> None:
    lines = decks("labels", "verte")[1].splitlines()
    assert [read_label(line) for line in lines] == [Label("verte", card) for card in NEW_PACK]
    assert json.loads(decks("labels", "verte", "--json")[1])["5H"] in lines
    assert decks("labels", "la verte")[0] == 2


def test_the_forget_command_removes_a_deck(decks: Terminal, folder: Path) -> None:
    assert decks("forget", "rouge") == (0, f"{phrase('command.decks.forgotten_whole', deck='rouge')}\n", "")
    assert load_decks(folder) == Decks((BLEUE,))
    no_such = phrase("command.decks.no_such", deck="rouge", folder=folder, decks="bleue")
    assert decks("forget", "rouge") == (2, "", f"{no_such}\n")


def test_cards_of_a_deck_are_forgotten(decks: Terminal, folder: Path) -> None:
    assert decks("forget", "rouge", "5h", "10s", "--json") == (0, '{"deck": "rouge", "forgotten": ["5H", "TS"]}\n', "")
    assert load_decks(folder).named("rouge") == ROUGE.without("5H").without("TS")
    never = phrase("command.decks.never", n=1, cards="5H", deck="rouge")
    assert decks("forget", "rouge", "5H", "6H") == (2, "", f"{never}\n")
    assert decks("forget", "rouge", "5♥️")[2] == f"{never}\n"
    no_card = phrase("command.no_card", text="'5X'")
    assert decks("forget", "rouge", "5X") == (2, "", f"{no_card}\n")
    assert load_decks(folder).named("rouge") == ROUGE.without("5H").without("TS")


def test_a_damaged_deck_can_be_forgotten_as_a_whole(decks: Terminal, folder: Path) -> None:
    (folder / "rouge.toml").write_text("?")
    assert decks("forget", "rouge", "5H")[0] == 2
    assert (folder / "rouge.toml").exists()
    assert decks("forget", "rouge")[0] == 0
    assert load_decks(folder) == Decks((BLEUE,))


@pytest.mark.parametrize("name", ["../journal", "verte", "Rouge"])
def test_forget_refuses_a_name_that_is_no_deck(decks: Terminal, folder: Path, name: str) -> None:
    assert decks("forget", name)[0] == 2
    assert load_decks(folder) == Decks((BLEUE, ROUGE))


def test_no_deck_is_forgotten_during_an_enrolment(decks: Terminal, folder: Path) -> None:
    with only_writer(folder):
        assert decks("forget", "rouge") == (1, "", f"{phrase('command.decks.busy', folder=folder)}\n")


def test_without_decks_there_is_none_to_forget_and_no_folder_is_made(decks: Terminal, tmp_path: Path) -> None:
    code, out, err = decks("forget", "rouge")
    assert (code, out) == (2, "")
    no_decks = phrase("command.decks.no_decks")
    assert err == (f"{phrase('command.decks.no_such', deck='rouge', folder=tmp_path / 'decks', decks=no_decks)}\n")
    assert not (tmp_path / "decks").exists()


def test_a_folder_that_cannot_be_written_is_named(decks: Terminal, tmp_path: Path) -> None:
    (tmp_path / "decks").write_text("no folder")
    unwritable = phrase("command.unwritable", file=tmp_path / "decks", why=phrase("problem.file.why.EEXIST"))
    assert decks("forget", "rouge") == (1, "", f"{unwritable}\n")
