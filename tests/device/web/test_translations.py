"""What the pages say: every word that they ask for is in every language, and none is there in vain."""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.catalogues import phrases_of

from cribd.languages import CATALOGUES, languages
from cribd.solo.web import PAGE as SOLO
from cribd.text import load
from cribd.text.catalogue import STEP
from cribd.twin.web import PAGE as TWIN
from cribd.web.kiosk.help import guide
from cribd.web.kiosk.pages import FOLDERS, LIVE, documents
from cribd.web.kiosk.shared import translations

#: The scripts of the kiosk's pages, of the simulated board and of the game alone, and the documents.
SCRIPTS = [path for folder in (*FOLDERS, TWIN, SOLO) for path in folder.glob("*.js")]
SOURCES = {f"{path.parent.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in SCRIPTS} | {
    "twin/index.html": (TWIN / "index.html").read_text(encoding="utf-8"),
    **{name: page.decode() for name, page in documents(twin=True).items()},
    **{f"live/{name}": page.decode() for name, page in documents((LIVE,)).items()},
}
#: And the modules that word for them what happens at the table, and what the count judge answers.
WORDING = {path.name: path.read_text(encoding="utf-8") for path in (*CATALOGUES.glob("*.py"), Path(guide.__file__))}
ASKED = {
    code
    for text in (*SOURCES.values(), *WORDING.values())
    for code in re.findall(r"['\"`](page\.[\w.]+(?:\$\{)?)", text)
}
#: Codes that are put together of a beginning and what is at hand, by their beginning.
MADE = {code.removesuffix("${") for code in ASKED if code.endswith(("${", "."))}
PLAIN = {code for code in ASKED if not code.endswith(("${", "."))}


@pytest.mark.parametrize("language", languages())
def test_no_word_of_a_page_is_missing_or_unused(language: str) -> None:
    there = {code for code in phrases_of(language) if code.startswith("page.")}
    assert PLAIN | {"page.language"} <= there
    there -= {f"{code}{STEP}" for code in there if f"{code}{STEP}" in there}
    made = {code for code in there - PLAIN - {"page.language"} if not code.startswith(tuple(MADE))}
    assert made == set()


def test_the_pages_ask_for_words_at_all() -> None:
    assert len(PLAIN) > 60
    statistics = {f"page.statistics.{what}." for what in ("head", "of", "part", "role", "tally")}
    phone = {f"page.phone.{what}." for what in ("badge", "state", "status")}
    event = {"page.hall.place.", "page.hall.title."}
    solo = {
        f"page.solo.{what}."
        for what in ("ask", "bubble", "corrected", "errors", "figures", "skunk", "strengths", "ways")
    }
    twin = {f"page.twin.{what}." for what in ("fault", "faulty", "part")}
    desk = {"page.desk.record.", "page.desk.late.", "page.desk.boards.swap.", "page.desk.boards.taken."}
    parts = {*desk, *twin, *statistics, *phone, *event, *solo}
    assert {"page.rank.", "page.suit.", "page.rules.", "page.rules.value."} | parts == MADE


def test_all_languages_have_the_same_codes_and_placeholders() -> None:
    english, french = translations.words("en"), translations.words("fr_CA")
    assert list(english) == list(french)
    for language, spoken in (("en", english), ("fr_CA", french)):
        file = phrases_of(language)
        own = {code for code in file if code.startswith(translations.OF_GUIDE)}
        own |= {f"{code}{STEP}" for code in file if f"{code}{STEP}" in file}
        assert spoken.keys() == {code for code in file if code.startswith(translations.SPOKEN)} - own
        assert all("\0".join(_forms(text)) == file[code] for code, text in spoken.items())
    for code, said in english.items():
        other = french[code]
        assert isinstance(said, str) == isinstance(other, str), code
        places = [set(re.findall(r"\{\w+\}", form)) for form in (*_forms(said), *_forms(other))]
        assert all(place == places[0] for place in places), code


@pytest.mark.parametrize("language", languages())
def test_the_pages_of_a_board_with_step_keys_say_the_words_for_these_by_the_same_codes(language: str) -> None:
    file = phrases_of(language)
    of_holes, of_steps = translations.words(language), translations.words(language, steps=True)
    assert list(of_holes) == list(of_steps)
    changed = {code: said for code, said in of_steps.items() if said != of_holes[code]}
    assert changed == {code: file[f"{code}{STEP}"] for code in of_holes if f"{code}{STEP}" in file}
    assert {"page.twin.hint", "page.solo.score"} <= changed.keys()
    assert json.loads(translations.files(steps=True)[f"twin.{language}.json"]).items() >= changed.items()


def _forms(said: str | list[str]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said)


def test_french_has_its_spaces_and_they_do_not_break() -> None:
    for code, said in translations.words("fr_CA").items():
        for form in _forms(said):
            if code.startswith("page."):
                assert not re.search(r"[^\u00a0][:%](\s|$)", form), f"{code}: {form}"
                assert "'" not in form, f"{code}: {form}"


#: What other words there are for a board, a record, a deal, the starter, a run, a peg and his heels, beside planche,
#: registre, donne, retourne, suite, pion and valet retourné. To shuffle is brasser, and départ is the start hole.
OTHER_WORDS = re.compile(
    r"\b(tabliers?|feuilles?|(re)?brass(es?|ez|ée?s?)|rebrasser|départs?|séquences?|chevilles?|valet coupé)\b",
    re.IGNORECASE,
)


def test_french_pages_use_one_word_for_each_thing() -> None:
    for other in (
        "Brasse {number}",
        "sur le disque du tablier",
        "Rebrassez",
        "carte de départ",
        "Valet coupé : {side}",
    ):
        assert OTHER_WORDS.search(other)
    found = {code for code, text in phrases_of("fr_CA").items() if OTHER_WORDS.search(text)}
    assert found == {"page.twin.start", "selftest.place.start"}


def test_no_page_contains_words_of_its_own() -> None:
    """Whatever is to be read comes from the catalogue, but for the product's name and signs."""
    for name, text in SOURCES.items():
        if name.endswith(".html"):
            body = re.sub(r"<title>.*?</title>", "", text)
            seen = re.sub(r"<[^>]*>", " ", body).split()
            assert [word for word in seen if word not in ("Cribboard", "/", "?")] == [], name
            assert not re.search(r"\b(aria-label|title|alt|placeholder)=", body), name


def test_no_page_asks_for_the_words_that_the_guide_has_in_its_html() -> None:
    assert [name for name, text in SOURCES.items() if translations.OF_GUIDE in text] == []


def test_each_language_has_a_file_for_all_pages_and_others_for_some() -> None:
    files, parts = translations.files(), ("", *(f"{name}." for name in translations.OF_SOME))
    assert set(files) == {"languages.json", *(f"{part}{language}.json" for language in languages() for part in parts)}
    apart = [json.loads(files[f"{part}en.json"]) for part in parts]
    assert dict(ChainMap(*apart)) == translations.words("en")
    assert sum(map(len, apart)) == len(translations.words("en"))
    named = json.loads(files["languages.json"])
    assert tuple(named) == languages()
    assert (named["en"], named["fr_CA"]) == ("English", "Français")


def test_a_third_language_is_one_file_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in CATALOGUES.glob("*.po"):
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    english = (tmp_path / "en.po").read_text(encoding="utf-8")
    (tmp_path / "de.po").write_text(english.replace('msgstr "English"', 'msgstr "Deutsch"'), encoding="utf-8")
    monkeypatch.setattr("cribd.languages.CATALOGUES", tmp_path)
    assert json.loads(translations.files()["languages.json"])["de"] == "Deutsch"


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file for a third language that somebody is at work on."""
    for file in CATALOGUES.glob("*.po"):
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr("cribd.languages.CATALOGUES", tmp_path)
    load.cache_clear()
    yield tmp_path / "de.po"
    load.cache_clear()


BEGUN = """msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "page.language"
msgstr "Deutsch"

msgid "side.0"
msgstr "Blau"

msgid "page.counts.deal"
msgstr "Blatt {Nummer}"

msgid "page.score.phone"
msgstr "Telefon {"

msgid "points"
msgid_plural "points"
msgstr[0] "{n} Punkt"
msgstr[1] "{zahl} Punkte"
"""


def test_a_missing_translation_falls_back_to_english(german: Path, capsys: pytest.CaptureFixture[str]) -> None:
    german.write_text(BEGUN, encoding="utf-8")
    english, begun = load("en"), load("de")
    assert begun.side(0) == "Blau"
    assert begun.side(1) == english.side(1) == "Red"
    assert begun.say("page.counts.deal", number=3) == english.say("page.counts.deal", number=3)
    assert begun.points(7) == "7 points"
    said = capsys.readouterr().err
    assert f"{german}: " in said
    assert "phrases are said in English" in said
    assert "page.counts.deal: there is no {Nummer} to fill in" in said
    assert "points: there is no {zahl} to fill in" in said
    assert "page.score.phone: " in said

    served = {name: json.loads(text) for name, text in translations.files().items()}
    assert served["languages.json"]["de"] == "Deutsch"
    assert served["de.json"]["side.0"] == "Blau"
    assert served["de.json"]["page.counts.deal"] == served["en.json"]["page.counts.deal"]
    assert served["de.json"].keys() == served["en.json"].keys()


@pytest.mark.parametrize("file", [b"nonsense", b"\xff", b'msgid ""\nmsgstr ""\n"Plural-Forms: x; y;\\n"\n'])
def test_an_unreadable_catalogue_falls_back_to_english(
    german: Path, file: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    german.write_bytes(file)
    assert load("de").side(1) == "Red"
    assert f"{german}: " in capsys.readouterr().err
    served = {name: json.loads(text) for name, text in translations.files().items()}
    assert served["languages.json"]["de"] == "de"
    assert served["de.json"] == served["en.json"] | {"page.language": "de"}
