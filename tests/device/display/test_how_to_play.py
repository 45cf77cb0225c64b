"""The guides for players show what the board shows: their pictures are its pictures, their texts its phrases.

`--remake` draws the pictures again, and fails that run. A phrase may change before they are drawn again.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain

import pytest
from babel.messages.pofile import read_po
from PIL import Image
from tests.support.moments import moments
from tests.support.moments_of_count_judge import MOMENTS as MOMENTS_OF_COUNT_JUDGE
from tests.support.places import ROOT

from cribd.display.screen import screen_image
from cribd.text import load

DOCS = ROOT / "docs"
GUIDES = {
    language: (DOCS / name).read_text(encoding="utf-8")
    for language, name in (("en", "how-to-play.md"), ("fr_CA", "comment-jouer.md"))
}
REFERENCE = (DOCS / "rules-reference.md").read_text(encoding="utf-8")

#: The pictures of each guide in their order, by the names of their moments, and the text that stands for each.
PICTURES = {
    language: re.findall(rf"!\[(.+?)\]\(images/{language}/([\w/-]+)\.png\)", guide)
    for language, guide in GUIDES.items()
}
SCALE, LIT = 2, (176, 216, 255)

#: What is said elsewhere than on the screen, by the beginning of its key.
ELSEWHERE = {"page", "command", "audit", "record", "voice", "cadence", "number", "undone", "initial", "problem"}
_CARD = re.compile("(?:10|[2-9AJQKVDR])[♣♦♥♠]")
_NUMBER = re.compile(r"\d+")


MOMENTS = {
    **{f"screen/{name}": snapshot for name, snapshot in moments().items()},
    **{f"count_judge/{name}": snapshot for name, snapshot in MOMENTS_OF_COUNT_JUDGE.items()},
}


def glowing(moment: str, language: str) -> Image.Image:
    """The picture of a moment as the screen glows: two dots wide and high for each of its own."""
    shown = screen_image(MOMENTS[moment], load(language))
    image = Image.new("P", shown.size)
    image.putpalette((0, 0, 0, *LIT))
    image.paste(1, mask=shown)
    return image.resize((image.width * SCALE, image.height * SCALE), Image.Resampling.NEAREST)


@pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language, pictures in PICTURES.items() for _, name in pictures]
)
def test_a_picture_of_a_guide_is_as_large_and_as_bright_as_the_screen_of_its_moment(
    language: str, name: str, request: pytest.FixtureRequest
) -> None:
    file = DOCS / "images" / language / f"{name}.png"
    wanted = glowing(name, language)
    if request.config.getoption("--remake"):
        file.parent.mkdir(parents=True, exist_ok=True)
        wanted.save(file, bits=1, optimize=True)
        pytest.fail(f"{file.name} was made again: look at it before you commit it")
    assert file.exists(), f"docs/images/{language}/{name}.png is missing: --remake makes it"
    with Image.open(file) as shown:
        assert shown.size == wanted.size
        assert {colour for _, colour in shown.convert("RGB").getcolors() or []} == {(0, 0, 0), LIT}


@pytest.mark.parametrize("language", GUIDES)
def test_no_picture_of_the_screen_is_left_over(language: str) -> None:
    folder = DOCS / "images" / language
    there = {str(file.relative_to(folder).with_suffix("")) for file in folder.rglob("*.png")}
    assert there == {name for _, name in PICTURES[language]}
    assert GUIDES[language].count("![") == len(PICTURES[language])


def test_the_guides_show_the_same_pictures_in_the_same_order() -> None:
    assert [name for _, name in PICTURES["en"]] == [name for _, name in PICTURES["fr_CA"]]


@pytest.mark.parametrize("language", GUIDES)
def test_a_guide_fits_on_two_printed_pages_and_its_parts_for_a_club_and_a_starter_board_on_half_of_one_each(
    language: str,
) -> None:
    """At 10 points, with pictures of 34 mm; a picture takes the room of fifty words."""
    *most, club, starter = re.split("(?m)^## ", GUIDES[language])
    assert sum(len(part.split()) for part in most) + 50 * len(PICTURES[language]) < 1750
    assert "club" in club
    assert "starter" in starter
    assert max(len(club.split()), len(starter.split())) < 437


def catalogue(language: str) -> dict[str, list[str]]:
    """The texts of a language by their code: one, or one for each plural."""
    (file,) = (ROOT / "firmware").rglob(f"{language}.po")
    with file.open("rb") as source:
        read = [(message.id, message.string) for message in read_po(source) if message.id]
    return {_all(codes)[0]: _all(texts) for codes, texts in read}


def _all(texts: object) -> list[str]:
    return [str(text) for text in texts] if isinstance(texts, list | tuple) else [str(texts)]


@cache
def templates(language: str) -> tuple[re.Pattern[str], ...]:
    """Every text of the screen; what the board fills in is a group."""
    shown = (texts for code, texts in catalogue(language).items() if code.partition(".")[0] not in ELSEWHERE)
    found = {text for texts in shown for text in texts if text}
    return tuple(re.compile(re.sub(r"\\{\w+\\}", "(.+?)", re.escape(text))) for text in sorted(found))


@cache
def is_said(text: str, language: str = "en") -> bool:
    """Whether the screen can say this: a text of the catalogue, filled in with numbers, cards and other such texts."""
    for template in templates(language):
        if (found := template.fullmatch(text)) and all(
            _NUMBER.fullmatch(value) or _CARD.fullmatch(value) or (len(value) < len(text) and is_said(value, language))
            for value in found.groups()
        ):
            return True
    return False


def quoted(document: str) -> list[str]:
    """What stands in a document in the letters of a screen."""
    return sorted(set(re.findall("`([^`\n]+)`", document)))


@pytest.mark.parametrize("language", GUIDES)
def test_every_text_that_a_guide_quotes_is_one_of_the_screen(language: str) -> None:
    texts = {*quoted(GUIDES[language]), *(text for text, _ in PICTURES[language])}
    assert len(texts) > 30
    assert [text for text in sorted(texts) if not is_said(text, language)] == []


def test_every_text_of_the_screen_that_the_rules_reference_quotes_is_one() -> None:
    at_the_table = REFERENCE[REFERENCE.index("\n## 4. ") : REFERENCE.index("\n## 5. ")]
    at_the_table += REFERENCE[REFERENCE.index("\n## 7. ") : REFERENCE.index("\n## ACC rules")]
    texts = [text for text in quoted(at_the_table) if re.match(r"[A-Z+\d]", text)]
    assert len(texts) >= 15
    assert [text for text in texts if not is_said(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Blue +8 = 46",
        "Red: 19 = zero?",
        "Blue plays 10♣",
        "False go: 3♣ at 22",
        "fifteens 8, pairs 4",
        "Not your turn: Red",
    ],
)
def test_a_text_that_is_filled_in_is_known(text: str) -> None:
    assert is_said(text)


@pytest.mark.parametrize(
    "text", ["Blue: your move", "Blue +x = 46", "Blue plays 11♣", "Purple: your hand", "Blue: your hand!", "Blau: cut"]
)
def test_a_text_that_no_screen_says_is_found(text: str) -> None:
    assert not is_said(text)


def test_the_words_of_the_rules_reference_are_those_of_the_board() -> None:
    section = REFERENCE[REFERENCE.index("\n## 6. ") : REFERENCE.index("\n## 7. ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    for language, column in (("en", 0), ("fr_CA", 1)):
        said = "\n".join(chain.from_iterable(catalogue(language).values())).lower()
        unknown = [row[column] for row in rows[2:] if not re.search(rf"\b{re.escape(row[column].lower())}", said)]
        assert unknown == [], f"no text of {language} has these words"


def test_the_readme_leads_to_the_guide_before_anything_else_about_playing() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert 0 < readme.index("(docs/how-to-play.md)") < readme.index("(docs/presses.md)")
