"""Entrants from a CSV: any columns, any program's encoding; every problem by its line, and nothing is half taken."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.catalogues import has_phrase

from cribboard.competition import FORMATS, Competition
from cribboard.competition.actions import Register, SeedEntrants
from cribboard.competition.names import MOST_IN_NAME
from cribboard.competition.terms import EntrantKind
from cribboard.competition.view import CompetitionEye, EntrantView, see
from cribd.competition.registration import (
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_PROBLEMS,
    MOST_ROWS,
    Preview,
    preview,
)
from cribd.text import languages, load
from cribd.text.competitions import problem as said

ENGLISH = load("en")
TEAMS = "Équipe;Joueur 1;Joueur 2;Capitaine\nLes As;Odile Côté;Réjean Lévesque;Réjean Lévesque\nLes Rois;Zoé;Maud;\n"
AS = Register(name="Les As", players=("Odile Côté", "Réjean Lévesque"), captain=1)
ROIS = Register(name="Les Rois", players=("Zoé", "Maud"))


def read(text: str, *, size: int = 1, registered: Sequence[str] = (), encoding: str = "utf-8") -> Preview:
    return preview(text.encode(encoding), team_size=size, registered=entrants(*registered))


def entrants(*names: str) -> tuple[EntrantView, ...]:
    """Entrants who are registered, each of whom plays alone."""
    evening = Competition.start(FORMATS["acc"])
    for name in names:
        evening.do(Register(name=name))
    return see(evening.position, CompetitionEye.ORGANISER).entrants


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_csv_files_of_common_programs_are_read(encoding: str, separator: str, ends: str) -> None:
    found = read(TEAMS.replace(";", separator).replace("\n", ends), size=2, encoding=encoding)
    assert found.problems == ()
    assert found.actions == (AS, ROIS)


def test_columns_stand_in_any_order_under_french_or_english_headers() -> None:
    found = read("CAPTAIN,player_2,Team,Player 1\n2,Réjean Lévesque,Les As,Odile Côté\n", size=2)
    assert found.actions == (AS,)


@pytest.mark.parametrize("language", languages())
def test_the_labels_of_the_desk_and_of_its_files_are_headers_in_every_language(language: str) -> None:
    words = load(language)

    def header(*codes: str) -> str:
        return ";".join(f'"{words.say(code)}"' for code in codes) + "\n"

    form = header("page.desk.team", "page.desk.captain", "page.desk.partner", "page.desk.guest")
    found = read(form + "Les As;Odile;Zoé;\n", size=2)
    assert (found.problems, found.left_out) == ((), ())
    assert found.actions == (Register(name="Les As", players=("Odile", "Zoé")),)
    alone = read(header("page.desk.name", "page.desk.guest.short") + f"Odile;{words.say('page.desk.guest.short')}\n")
    assert (alone.problems, alone.rows[0].register.part) == ((), EntrantKind.GUEST)
    columns = header(*(f"paper.csv.{name}" for name in ("name", "player_1", "player_2", "captain", "guest")))
    assert read(columns + f"Les As;Odile;Zoé;Zoé;{words.say('paper.csv.yes')}\n", size=2).actions == (
        Register(name="Les As", players=("Odile", "Zoé"), captain=1, part=EntrantKind.GUEST),
    )


@pytest.mark.parametrize(
    ("header", "left_out"),
    [
        ("Téléphone;Équipe;Capitaine;Partenaire;Courriel", ("Téléphone", "Courriel")),
        ("phone;name;captain;partner;e-mail", ("phone", "e-mail")),
        ("N°;EQUIPE :;CAPITAINE;Partenaire ;", ("N°", "#5")),
        (
            "Date;\u00a0Nom de l’équipe;capitaine\u202f;PARTENAIRE;Prénom",
            ("Date", "Prénom"),
        ),
        (f"{'z' * 500};team;captain;partner;{'Payé'}", ("z" * 59 + "…", "Payé")),
    ],
)
def test_columns_that_are_not_known_are_left_out_and_named(header: str, left_out: tuple[str, ...]) -> None:
    found = read(f"{header}\n514;Les As;Odile;Zoé;x\n", size=2)
    assert (found.problems, found.left_out) == ((), left_out)
    assert found.actions == (Register(name="Les As", players=("Odile", "Zoé")),)


def test_an_empty_last_column_is_ignored() -> None:
    found = read("nom;invité;\nOdile;;\nZoé\n")
    assert (found.problems, found.left_out, len(found.rows)) == ((), (), 2)


def test_first_and_last_names_in_two_columns_are_one_name() -> None:
    found = read("Nom;Prénom;Ville\nCôté;Odile;Laval\nCôté;;\n")
    assert [row.register.name for row in found.rows] == ["Odile Côté", "Côté"]
    assert found.left_out == ("Ville",)


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u2009", " \u00a0 "])
def test_a_no_break_space_in_a_name_is_a_space(space: str) -> None:
    found = read(f"nom\n{space}Odile{space}Côté{space}\n")
    assert [row.register.name for row in found.rows] == ["Odile Côté"]
    (problem,) = read(f"nom\nOdile{space}Côté\n", registered=["Odile Côté"]).problems
    assert problem.code == "already_registered"
    evening = Competition.start(FORMATS["acc"])
    evening.do(Register(name=f"Odile{space}Côté"))
    assert evening.position.entrants[0].name == "Odile Côté"


def test_a_name_that_is_too_long_is_reported_with_its_line_and_the_limit() -> None:
    (problem,) = read(f"nom;note\nOdile;{'z' * 9999}\nZoé{'é' * 10_237};\n").problems
    assert (problem.line, problem.code, len(problem.value)) == (3, "name_too_long", 60)
    assert has_phrase(said(problem, ENGLISH), "competition.csv.name_too_long", most=MOST_IN_NAME, characters=10240)
    (of_a_player,) = read(f"équipe,joueur 1,joueur 2\nA,Zoé,{'M' * 101}\n", size=2).problems
    assert (of_a_player.line, of_a_player.code) == (2, "name_too_long")
    assert read(f"nom\n{'M' * MOST_IN_NAME}\n").problems == ()
    assert [each.code for each in read(f"nom\n{'M' * 200_000}\n").problems] == ["cell_too_long"]


def test_a_sign_that_does_not_print_is_named() -> None:
    (problem,) = read("nom\nOdile\u200b\n").problems
    assert "U+200B" in said(problem, ENGLISH)


def test_a_line_that_names_the_separator_is_no_row() -> None:
    found = read('sep=,\r\n"Nom"\r\n"Côté; Odile"\r\nZoé\r\nzoe\r\n')
    assert [(problem.line, problem.code) for problem in found.problems] == [(5, "two_with_one_name")]
    assert [row.register.name for row in found.rows] == ["Côté; Odile", "Zoé"]


def test_lines_within_quotes_of_a_column_that_is_left_out_do_no_harm() -> None:
    found = read('Nom,Adresse\r\nOdile,"12, rue A\r\nLaval"\r\n\r\nZoé,""\r\n')
    assert ([row.line for row in found.rows], found.left_out) == ([2, 5], ("Adresse",))


def test_a_file_without_headers_is_reported_with_its_first_row() -> None:
    (problem,) = read("Odile Côté;oui\nZoé;\n").problems
    assert has_phrase(said(problem, ENGLISH), "competition.csv.name_column_missing", value="Odile Côté; oui")


def test_an_individual_entrant_needs_only_a_name() -> None:
    found = read('Nom\n"Côté, Odile"\n\n  Réjean  \n')
    assert [row.register.name for row in found.rows] == ["Côté, Odile", "Réjean"]
    assert [row.line for row in found.rows] == [2, 4]


def test_guests_and_seeds_are_read_and_who_is_not_seeded_comes_last() -> None:
    found = read("nom,tête de série,invité\nOdile,,\nZoé,1,non\nMaud,,oui\nPaul,2,\n", registered=["Luc"])
    assert found.problems == ()
    assert found.rows[2].register.part is EntrantKind.GUEST
    assert found.actions[-1] == SeedEntrants((3, 5, 1, 2, 4))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(1, "file_empty", "")]),
        (" \n\n", [(1, "file_empty", "")]),
        ("\n\nnom;invité\r\n ; \n\n", [(3, "header_alone", "")]),
        ("âge;ville\n", [(1, "name_column_missing", "âge; ville")]),
        ("invité\noui\n", [(1, "name_column_missing", "invité")]),
        ('nom\n"Odile" Côté\n', [(2, "quotes_open", "")]),
        ("nom,équipe,x\nOdile,As,\n", [(1, "column_twice", "équipe")]),
        ('nom\n"Odile\n', [(2, "quotes_open", "")]),
        ("nom,invité\n,oui\n", [(2, "name_missing", "")]),
        ("nom\nOdile\nZoé\nODILE\n", [(4, "two_with_one_name", "ODILE")]),
        ("nom\nBob Smith\nbob  smith\n", [(3, "two_with_one_name", "bob smith")]),
        ("nom\nGüy\n", [(2, "already_registered", "Güy")]),
        ("nom\nGuy\n", [(2, "already_registered", "Guy")]),
        ("nom,seed\nOdile,0\nZoé,un\n", [(2, "not_a_seed", "0"), (3, "not_a_seed", "un")]),
        ("nom,seed\nOdile,1\nZoé,1\n", [(3, "seed_twice", "1")]),
        ("nom,invité\nOdile,peut-être\n", [(2, "not_a_guest", "peut-être")]),
        ("nom\nOd\x07ile\n", [(2, "unprintable", "Od\x07ile")]),
        (f"nom\n{100 * 'z'}\n{101 * 'z'}\n", [(3, "name_too_long", 59 * "z" + "…")]),
        ("nom,joueur 1,joueur 2\nOdile,Zoé,Maud\n", [(2, "wrong_number_of_players", "Odile")]),
        (f"nom{',x' * MOST_COLUMNS}\nOdile\n", [(1, "too_many_columns", "")]),
        ("nom\nOdile,,Zoé,Maud\nLuc,Paul\n", [(2, "too_many_cells", "Zoé"), (3, "too_many_cells", "Paul")]),
        (f"nom\nOdile,{'z' * 500}\n", [(2, "too_many_cells", "z" * 59 + "…")]),
    ],
)
def test_each_problem_names_its_line_and_value(text: str, expected: list[tuple[int, str, str]]) -> None:
    found = read(text, registered=["guy"])
    assert [(problem.line, problem.code, problem.value) for problem in found.problems] == expected
    for problem in found.problems:
        assert "{" not in said(problem, ENGLISH)


def test_a_repeated_name_is_reported_with_both_lines() -> None:
    (problem,) = read("nom\nOdile\n\nodile\n").problems
    assert (problem.line, problem.values["other"]) == (4, 2)


def test_a_team_has_two_players_and_a_captain_among_them() -> None:
    text = "équipe,joueur 1,joueur 2,capitaine\nA,Zoé,,\nB,Zoé,ZOÉ,\nC,Zoé,Maud,Luc\nD,Ana,Paul,3\n"
    codes = [problem.code for problem in read(text, size=2).problems]
    assert codes == ["wrong_number_of_players", "one_player_twice", "no_such_captain", "no_such_captain"]


def test_a_player_of_a_file_plays_for_one_team() -> None:
    found = read("équipe,joueur 1,joueur 2\nA,Zoé,Maud\nB,Luc,ZOE\nC,guy,Paul\n", size=2, registered=["Guy"])
    problems = [(problem.line, problem.code, problem.value, problem.values) for problem in found.problems]
    assert problems == [(3, "plays_in_line", "ZOE", {"other": 2}), (4, "plays_already", "guy", {"entrant": 1})]


def test_after_fifty_problems_only_the_number_of_further_ones_is_reported() -> None:
    fifty = read("nom\n" + "Luc\n" * MOST_PROBLEMS, registered=["Luc"]).problems
    assert {each.code for each in fifty} == {"already_registered"}
    *problems, last = read("nom\n" + "Luc\n" * (MOST_PROBLEMS + 7), registered=["Luc"]).problems
    assert tuple(problems) == fifty
    assert (last.line, last.code, last.values["more"]) == (MOST_PROBLEMS + 2, "more_problems", 7)


def test_a_file_that_is_too_long_or_no_text_is_refused() -> None:
    assert read("nom\n" + "Odile\n" * (MOST_BYTES // 6 + 1)).problems[0].code == "file_too_long"
    assert read("nom\n" + "".join(f"N{n}\n" for n in range(MOST_ROWS))).problems[0].code == "too_many_rows"
    assert preview(b"\x00\x01\x02", team_size=1, registered=()).problems[0].code == "not_text"


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_file_gives_a_traceback(file: bytes) -> None:
    found = preview(b"nom\n" + file, team_size=1, registered=())
    assert not any("competition." in said(problem, ENGLISH) for problem in found.problems)
