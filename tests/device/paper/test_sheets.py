"""The sheets as documents: what they tell, in both languages, and what they never tell."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from tests.support.catalogues import phrase
from tests.support.competitions import Hall, entered
from tests.support.printouts import NAMES, begun, opened, played, printout, registered

from cribboard.competition import FORMATS, Competition, read_format
from cribboard.competition.actions import CheckResult, Depart, EndPlay, NoteHand, OpenPlace, Register, ShowAs
from cribboard.competition.terms import EntrantKind, EntrantStatus, GameAt, ResultState
from cribboard.competition.view import CompetitionEye, see
from cribd.paper import SHEETS, NothingToPrint, print_sheet
from cribd.text import languages

FADOQ, ACC, JEUX = FORMATS["fadoq"], FORMATS["acc"], FORMATS["jeux50"]
SHORT = read_format({"format": "fadoq", "games": 3})


class Read(HTMLParser):
    """The texts of a document, its tags and what it would load."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()
        self.loads: list[str] = []
        self._style = False
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._style = tag == "style"
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data")]

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._style:
            self.texts.append(data.strip())

    @property
    def text(self) -> str:
        return " ".join(self.texts)


@pytest.fixture(scope="module")
def evening() -> Competition:
    """Eight teams after three games each; play has ended, and nothing is open."""
    return played(SHORT, 8)


@pytest.fixture(scope="module")
def night() -> Competition:
    """Nine players of an ACC club; one has left, and one had a hand of 29."""
    competition = played(ACC, 9)
    competition.do(NoteHand(1, 29))
    competition.do(Depart(4, EntrantStatus.LEFT, "malade"))
    return competition


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_stands_alone_and_shows_names_as_they_are(evening: Competition, sheet: str, language: str) -> None:
    document = print_sheet(sheet, printout(evening, language))
    read = Read(document)
    assert not read.tags & {"script", "link", "iframe"}
    assert all(address.startswith("data:image/svg+xml") for address in read.loads)
    assert "url(" not in document.partition("</style>")[0]
    assert document.startswith("<!doctype html>\n")
    assert f'lang="{language.replace("_", "-")}"' in document
    assert "Tournoi <de> mars" in read.text
    shown = NAMES if sheet in ("event", "standings") else ()
    for name in shown:
        assert name in read.texts, name


def test_the_event_sheet_of_fadoq_says_what_a_player_must_know(evening: Competition) -> None:
    shown = Read(print_sheet("event", printout(evening))).text
    for sentence in (
        phrase("paper.says.single_point", "fr_CA", hole=116),
        phrase("paper.says.abridged", "fr_CA"),
        phrase("paper.says.captain_only", "fr_CA"),
        phrase("paper.says.sealed", "fr_CA"),
        phrase("paper.says.winners_stay", "fr_CA"),
        phrase("paper.says.games.team", "fr_CA", n=3),
        "1er mars 2026",
    ):
        assert sentence in shown
    acc = Read(print_sheet("event", printout(registered(ACC, 4), "en"))).text
    assert "116" not in acc
    assert phrase("paper.says.skunk_points", win=2, skunk=3, line=91) in acc


def test_a_table_card_has_its_number_and_the_code_of_its_address(evening: Competition) -> None:
    read = Read(print_sheet("tables", printout(evening)))
    assert [text for text in read.texts if text.isdigit()] == ["1", "2", "3", "4"]
    assert len(read.loads) == len(set(read.loads)) == 4
    assert "http://192.168.1.24:8080/event/table/4" in read.texts


def test_slips_are_for_the_round_that_was_asked_and_signed_by_the_captains() -> None:
    competition = begun(FADOQ, 6, rounds=2)
    first, last = (Read(print_sheet("slips", printout(competition, round_=at))) for at in (1, 0))
    assert first.texts.count(phrase("competition.round.number", "fr_CA", round=1)) == 3
    assert last.texts.count(phrase("competition.round.number", "fr_CA", round=3)) == 3
    assert phrase("paper.slip.signature.team", "fr_CA", name="Anne <b>Li & Co</b>") in last.texts


def test_a_meeting_of_two_games_has_both_on_its_slip() -> None:
    read = Read(print_sheet("slips", printout(begun(JEUX, 9, rounds=0), "en")))
    for game in (1, 2):
        assert read.texts.count(phrase("paper.slip.game", game=game)) == 4


def test_the_check_list_has_a_box_for_each_game_and_what_was_entered(evening: Competition) -> None:
    tables = [
        (round_.number, table)
        for round_ in see(evening.position, CompetitionEye.ORGANISER).rounds
        for table in round_.tables
    ]
    [(round_, first), *_] = [
        (number, table) for number, table in tables if table.results and table.results[0].state is ResultState.ACCEPTED
    ]
    evening.do(CheckResult(GameAt(round_, first.table, 1)))
    read = Read(print_sheet("check-list", printout(evening)))
    boxes = [text for text in read.texts if text in "☐☑"]
    games = sum(max(len(table.results), table.games or 1) for _, table in tables)
    rounds = len({number for number, _ in tables})
    assert (boxes.count("☑"), len(boxes)) == (1, games + rounds), "a box a game, and one in the head of each round"
    scores = first.results[0].scores
    assert phrase("competition.scores", "fr_CA", first=scores[0], second=scores[1]) in read.texts
    assert phrase("competition.source.slip", "fr_CA") in read.texts
    hall = Read(print_sheet("check-list", printout(evening, eye=CompetitionEye.HALL)))
    scored = phrase("competition.scores", "fr_CA", first=r"\d+", second=r"\d+")
    assert not any(re.fullmatch(scored, text) for text in hall.texts)


def test_before_the_first_draw_the_slips_are_spare() -> None:
    read = Read(print_sheet("slips", printout(registered(FADOQ, 4), "en")))
    assert read.texts.count(phrase("paper.slip.signature.spare.team")) == 8


@pytest.mark.parametrize("language", languages())
def test_a_sheet_that_cannot_be_printed_is_refused_in_words(evening: Competition, language: str) -> None:
    wanted = [("slips", 99, evening), ("slips", -1, evening), ("posters", 0, evening)]
    for sheet, round_, competition in [*wanted, ("certificates", 0, begun(ACC, 4))]:
        out = printout(competition, language, round_=round_)
        with pytest.raises(NothingToPrint) as refused:
            print_sheet(sheet, out)
        assert not set("{}") & set(refused.value.in_words(out.words))
    assert "99" in NothingToPrint("no_such_round", round=99, rounds=3).in_words(out.words)


def test_a_card_has_a_line_for_each_game_and_its_sums() -> None:
    hall = Hall(FORMATS["acc"], 2)
    hall.play((1, 2, 121, 110))
    hall.play((1, 2, 121, 70))
    hall.play((1, 2, 119, 121))
    read = Read(print_sheet("cards", printout(hall.competition, "en")))
    card = read.texts[: read.texts.index("Entrant 2", read.texts.index(phrase("paper.card.initials")) + 20)]
    assert card[card.index(phrase("paper.card.total")) + 1 :][:3] == ["5", "+62", "−2"]
    assert "+60" in card
    blank = Read(print_sheet("blank-cards", printout(hall.competition, "en")))
    assert "+62" not in blank.texts


def test_a_card_without_a_loss_has_a_sum_of_zero_and_no_sign() -> None:
    hall = Hall(FORMATS["acc"], 2)
    hall.play((1, 2, 121, 110))
    texts = Read(print_sheet("cards", printout(hall.competition, "en"))).texts
    first, second = (at for at, text in enumerate(texts) if text == phrase("paper.card.total"))
    assert texts[first + 1 : first + 4] == ["2", "+11", "0"]
    assert texts[second + 1 : second + 4] == ["0", "0", "−11"]


def test_a_grand_slam_is_printed_after_every_game_was_played_and_won() -> None:
    def is_printed() -> bool:
        shown = Read(print_sheet("cards", printout(hall.competition, "en"))).text
        return phrase("paper.card.grand_slam") in shown

    hall = Hall(read_format({"format": "acc", "games": 3}), 2)
    for played_so_far in range(1, 4):
        hall.play((1, 2, 121, 110))
        assert is_printed() == (played_so_far == 3)
    hall = Hall(read_format({"format": "acc", "games": 3}), 2)
    hall.play((1, 2, 121, 110))
    hall.play((1, 2, 121, 110))
    hall.end()
    assert not is_printed()
    hall.open(2, 1)
    assert is_printed(), "no third one is played"


def test_the_event_sheet_of_fadoq_marks_the_captain_of_each_team() -> None:
    competition = registered(FADOQ, 0)
    competition.do(Register(name="Les As", players=("Odile", "Réjean"), captain=1))
    competition.do(Register(name="Les Valets", players=("Luc, fils", "Anne")))
    shown = Read(print_sheet("event", printout(competition))).text
    mark = phrase("paper.captain", "fr_CA")
    assert f"Les As Réjean {mark} , Odile" in shown
    assert f"Les Valets Luc, fils {mark} , Anne" in shown
    free = registered(read_format({"format": "fadoq", "captain_only": False}), 1)
    assert mark not in Read(print_sheet("event", printout(free))).text


def test_a_card_shows_what_a_club_honours(night: Competition) -> None:
    assert phrase("paper.card.hand", "fr_CA", points=29) in Read(print_sheet("cards", printout(night))).texts


def test_the_standings_mark_ties_short_games_guests_and_leavers() -> None:
    hall = Hall(ACC, 4)
    hall.do(Register(name="Invitée", part=EntrantKind.GUEST))
    hall.play((1, 2, 121, 100), (3, 4, 121, 100))
    hall.play((1, 3, 121, 100), byes=[2, 4])
    hall.do(Depart(4, EntrantStatus.DISQUALIFIED, "a triché"))
    read = Read(print_sheet("standings", printout(hall.competition, "en")))
    marks = ("competition.part.guest", "competition.status.disqualified", "paper.head.byes", "paper.note.missing")
    assert set(map(phrase, marks)) <= set(read.texts)
    assert "a triché" not in read.text


def test_level_rows_say_that_they_share_the_place() -> None:
    hall = Hall(FORMATS["round-robin"], 4)
    hall.play((1, 2, 121, 100), (3, 4, 121, 100))
    read = Read(print_sheet("standings", printout(hall.competition, "en")))
    assert read.texts.count("1=") == read.texts.count("3=") == 2
    assert phrase("paper.note.level") in read.texts


def test_a_competition_without_a_name_is_called_by_its_format() -> None:
    read = Read(print_sheet("event", printout(registered(ACC, 2), "en", name="", date="some day in May")))
    assert read.texts.count(phrase("competition.format.acc")) == 1
    assert "some day in May" in read.texts


@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet != "certificates"])
def test_public_sheets_use_the_public_name_of_an_entrant(sheet: str) -> None:
    competition = begun(FADOQ, 4)
    competition.do(ShowAs(2, "Les discrets"))
    shown = Read(print_sheet(sheet, printout(competition, eye=CompetitionEye.HALL))).text
    assert NAMES[1] not in shown
    assert "Les discrets" in shown or sheet == "tables" or sheet == "standings"


# Sealed (design law 10)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet != "certificates"])
def test_two_sealed_evenings_that_differ_in_scores_alone_print_alike_for_the_hall(sheet: str) -> None:
    sheets = []
    for lost in (7, 113):
        hall = Hall(SHORT, 4)
        number = hall.draw((1, 2), (3, 4))
        hall.do(entered(number, 1, 121, lost), entered(number, 2, lost, 121))
        hall.do(EndPlay())
        sheets.append(print_sheet(sheet, printout(hall.competition, eye=CompetitionEye.HALL)))
    assert sheets[0] == sheets[1]


def test_the_organisers_sheets_of_a_sealed_event_are_marked_as_sealed(evening: Competition) -> None:
    for sheet in ("standings", "cards"):
        assert phrase("paper.confidential", "fr_CA") in Read(print_sheet(sheet, printout(evening))).texts
    shown = Read(print_sheet("standings", printout(evening, eye=CompetitionEye.HALL))).texts
    assert phrase("paper.sealed", "fr_CA") in shown
    assert not any(name in shown for name in NAMES)


def test_certificates_of_a_sealed_evening_follow_its_opening() -> None:
    competition = played(SHORT, 8)
    with pytest.raises(NothingToPrint):
        print_sheet("certificates", printout(competition, eye=CompetitionEye.HALL))
    assert print_sheet("certificates", printout(competition)).count("<main") == 3
    competition.do(OpenPlace(3, "vu"))
    assert print_sheet("certificates", printout(competition, eye=CompetitionEye.HALL)).count("<main") == 1
    opened(competition)
    shown = Read(print_sheet("certificates", printout(competition, eye=CompetitionEye.HALL))).texts
    places = [phrase(f"paper.certificate.place.{place}", "fr_CA") for place in (1, 2, 3)]
    assert [text for text in shown if text in places] == places
    assert phrase("paper.confidential", "fr_CA") not in shown
