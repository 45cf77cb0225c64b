"""`cribboard enroll`: which reader it takes, and why it does not begin. What it does is in `tests/journey`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support.catalogues import phrase

from cribd.__main__ import main
from cribd.cli.enroll import in_words, sentence
from cribd.readers.decks import NEW_PACK
from cribd.readers.enrolment import (
    CardRefusalReason,
    CardRefused,
    CardTakenBack,
    CardTaught,
    EnrolmentAnswer,
    EnrolmentNotice,
)
from cribd.text import languages, load
from cribd.wires import ReaderKind

SCANNER = '[[readers]]\nname = "labels"\nport = "/dev/null"\n'
TAGS = '[[readers]]\nname = "{0}"\nkind = "pn532"\nport = "/dev/cribboard-{0}"\n'


def either(first: str, *others: str) -> str:
    """What is allowed, where it is one of these."""
    for other in others:
        first = phrase("problem.either", one=first, other=other)
    return first


NO_READER = phrase("command.enroll.no_reader", kinds=either("rdm6300", "pn532"))


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
        ("", (), NO_READER),
        (SCANNER, (), NO_READER),
        (TAGS.format("a") + TAGS.format("b"), (), phrase("command.enroll.which_reader", readers="a, b")),
        (SCANNER + TAGS.format("a"), ("--deck", "rouge", "--reader", "labels"),
         phrase("command.enroll.scanner", reader="labels")),
        (TAGS.format("a"), ("--deck", "rouge", "--reader", "c"),
         phrase("command.enroll.no_such_reader", reader="c", readers="a")),
        (TAGS.format("a"), ("--deck", "Le Rouge"), phrase("command.decks.name", name="'Le Rouge'", most=12)),
        ("[[readers]]\nkind = 3\n", (),
         phrase("problem.not_allowed", key="readers[1].kind", value=3,
                allowed=either("scanner", "rdm6300", "pn532"))),
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
    other_name, no_cards = (
        phrase("problem.placed", where=phrase("problem.line", line=1), problem=problem)
        for problem in (phrase("problem.deck.other_name", name="rouge"), phrase("problem.deck.no_cards"))
    )
    mend = phrase("command.enroll.mend", deck="rouge")
    assert err.splitlines() == [
        phrase("problem.deck.in_file", file=file, problem=other_name),
        phrase("problem.deck.in_file", file=file, problem=no_cards),
        mend,
    ]
    assert "cribboard decks forget rouge" in mend
    assert file.read_text() == "name = 3\n"


def test_every_card_has_a_name() -> None:
    english, french = load("en"), load("fr_CA")
    assert [in_words(card, english) for card in ("5H", "TC", "AS")] == ["5 of hearts", "10 of clubs", "ace of spades"]
    assert [in_words(card, french) for card in ("5H", "TC", "QS")] == ["5 de cœur", "10 de trèfle", "dame de pique"]
    assert {len({in_words(card, words) for card in NEW_PACK}) for words in (english, french)} == {52}


@pytest.mark.parametrize("language", languages())
def test_every_answer_has_a_sentence_of_its_own(language: str) -> None:
    answers: list[EnrolmentAnswer] = [
        CardTaught("5H", "04"),
        CardTakenBack("5H", "04"),
        *EnrolmentNotice,
        *(CardRefused(why, "04", "rouge", "5H") for why in CardRefusalReason),
    ]
    sentences = [sentence(answer, load(language)) for answer in answers]
    assert len(set(sentences)) == len(answers)
    assert all(text.endswith(".") for text in sentences)
