"""`cribboard enroll`: which reader it takes, and why it does not begin. What it does is in `tests/journey`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cribd.__main__ import main
from cribd.cli.enroll import in_words, sentence
from cribd.readers.decks import NEW_PACK
from cribd.readers.enrolment import Answer, Notice, Refused, TakenBack, Taught, Why
from cribd.text import languages, load
from cribd.wires import ReaderKind

SCANNER = '[[readers]]\nname = "labels"\nport = "/dev/null"\n'
TAGS = '[[readers]]\nname = "{0}"\nkind = "pn532"\nport = "/dev/cribboard-{0}"\n'


def said(capsys: pytest.CaptureFixture[str], folder: Path, configuration: str, *arguments: str) -> tuple[int, str]:
    file = folder / "cribboard.toml"
    file.write_text(configuration)
    where = ("--config", str(file), "--journal", str(folder / "journal.db"))
    code = main(["enroll", *(arguments or ("--deck", "rouge")), *where])
    out, err = capsys.readouterr()
    assert out == ""
    return code, err


@pytest.mark.parametrize(
    ("configuration", "arguments", "problem"),
    [
        ("", (), "No reader of tags is configured: [[readers]] with kind rdm6300"),
        (SCANNER, (), "No reader of tags is configured"),
        (TAGS.format("a") + TAGS.format("b"), (), "There are several readers of tags: which one? --reader with"),
        (SCANNER + TAGS.format("a"), ("--deck", "rouge", "--reader", "labels"), "--reader labels: it is a scanner."),
        (TAGS.format("a"), ("--deck", "rouge", "--reader", "c"), "--reader c: there is no such reader"),
        (TAGS.format("a"), ("--deck", "Le Rouge"), "'Le Rouge' is not a name for a deck: allowed are up to 12"),
        ("[[readers]]\nkind = 3\n", (), "readers[1].kind = 3: allowed is"),
    ],
)  # fmt: skip
def test_an_enrolment_that_cannot_begin_says_why_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, configuration: str, arguments: tuple[str, ...], problem: str
) -> None:
    code, err = said(capsys, tmp_path, configuration, *arguments)
    assert code == 2
    assert problem in err
    assert not (tmp_path / "decks").exists()


def test_without_a_reader_of_tags_every_kind_that_reads_them_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, err = said(capsys, tmp_path, SCANNER)
    assert {kind for kind in ReaderKind if re.search(rf"\b{kind}\b", err)} == {
        kind for kind in ReaderKind if kind.reads_tags
    }


def test_a_deck_whose_file_is_damaged_is_not_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    file = tmp_path / "decks" / "rouge.toml"
    file.write_text("name = 3\n")
    code, err = said(capsys, tmp_path, TAGS.format("a"))
    assert code == 2
    assert f"{file}, line 1: " in err
    assert "cribboard decks forget rouge" in err
    assert file.read_text() == "name = 3\n"


def test_every_card_has_a_name() -> None:
    english, french = load("en"), load("fr_CA")
    assert [in_words(card, english) for card in ("5H", "TC", "AS")] == ["5 of hearts", "10 of clubs", "ace of spades"]
    assert [in_words(card, french) for card in ("5H", "TC", "QS")] == ["5 de cœur", "10 de trèfle", "dame de pique"]
    assert {len({in_words(card, words) for card in NEW_PACK}) for words in (english, french)} == {52}


@pytest.mark.parametrize("language", languages())
def test_every_answer_has_a_sentence_of_its_own(language: str) -> None:
    answers: list[Answer] = [
        Taught("5H", "04"),
        TakenBack("5H", "04"),
        *Notice,
        *(Refused(why, "04", "rouge", "5H") for why in Why),
    ]
    sentences = [sentence(answer, load(language)) for answer in answers]
    assert len(set(sentences)) == len(answers)
    assert all(text.endswith(".") for text in sentences)
