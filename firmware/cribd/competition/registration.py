"""Reads the entrants of a CSV file into a preview.

A file has a row of headers, in French or English, in any order, and then a row for each entrant. Columns that are not
known are left out, and named. Commas, semicolons and tabs separate; UTF-8 with or without a mark, UTF-16 with one, and
Windows-1252 are read. `Preview.actions` has what the file would cause. The list of problems is short for any file.
"""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from unicodedata import normalize

from cribboard.competition.actions import CompetitionAction, Register, SeedEntrants
from cribboard.competition.entrants import players_taken
from cribboard.competition.names import MOST_IN_NAME, looks_like, spaced
from cribboard.competition.terms import EntrantKind
from cribboard.competition.view import EntrantView

#: The most bytes, rows and columns of a file.
MOST_BYTES = 262_144
MOST_ROWS = 1024
MOST_COLUMNS = 32
#: The most problems that are listed; the others are counted.
MOST_PROBLEMS = 50
#: The most characters of the file that a problem quotes.
_MOST_QUOTED = 60

#: The first line by which some spreadsheets name the separator.
_SEPARATOR_LINE = re.compile(r"\s*sep=([;,\t])\r?\n?", re.IGNORECASE)

#: The columns, by the headers that name them, without accents and case. The labels of the desk are among them.
_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        header: column
        for column, headers in {
            "name": "name,nom,team,equipe,team name,nom de l'equipe,nom d'equipe,entrant,participant,participante,"
            "player,joueur,joueuse,full name,nom complet,last name,surname,family name,nom de famille",
            "first_name": "first name,given name,prenom",
            "player_1": "player 1,joueur 1,joueuse 1,first player,premier joueur,premiere joueuse",
            "player_2": "player 2,joueur 2,joueuse 2,partner,partenaire,second player,deuxieme joueur,deuxieme joueuse",
            "captain": "captain,capitaine",
            "seed": "seed,seeds,tete de serie,tetes de serie,rang,rank",
            "guest": "guest,invite,invitee,hors classement,not ranked,guest not ranked",
        }.items()
        for header in headers.split(",")
    }
)
_YES = frozenset({"yes", "y", "oui", "o", "1", "true", "vrai", "x", "guest", "invite", "invitee", "hors classement"})
_NO = frozenset({"", "no", "n", "non", "0", "false", "faux"})


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a line of the CSV file.

    The catalogue has its sentence under `competition.csv.CODE`. `line` counts from 1, `value` is the text there,
    shortened if long, and `values` fill the sentence."""

    line: int
    code: str
    value: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegistrationRow:
    """An entrant of the file, as it would be registered."""

    line: int
    register: Register
    seed: int | None


@dataclass(frozen=True, slots=True)
class Preview:
    """The entrants and the problems of a file.

    The entrants are registered only all together, and only if there are no `problems`."""

    rows: tuple[RegistrationRow, ...]
    problems: tuple[Problem, ...]
    registered: int  # entrants before the file
    left_out: tuple[str, ...] = ()  # the headers of columns that are not known; `#4` for the fourth, without a header

    @property
    def actions(self) -> tuple[CompetitionAction, ...]:
        """The actions that register every entrant of the file.

        If the file has seeds, the last action seeds the entrants: unseeded ones last, in the order of registration."""
        registers = tuple(row.register for row in self.rows)
        if not any(row.seed for row in self.rows):
            return registers
        numbered = [(row.seed or MOST_ROWS + 1, number) for number, row in enumerate(self.rows, self.registered + 1)]
        earlier = [(MOST_ROWS + 1, number) for number in range(1, self.registered + 1)]
        return (*registers, SeedEntrants(tuple(number for _, number in sorted([*earlier, *numbered]))))


def preview(file: bytes, *, team_size: int, registered: Sequence[EntrantView]) -> Preview:
    """Preview the entrants and the problems of a CSV file.

    The entrants of the event have `team_size` players each. `registered` are the entrants so far."""
    try:
        header, *body = _table(file)
        columns = _columns(*header, team_size=team_size)
        if not body:
            raise _Unreadable(Problem(header[0], "header_alone"))
    except _Unreadable as wrong:
        return Preview((), _shortened(wrong.problems), len(registered))
    reader = _Reader(columns, team_size, registered)
    rows = tuple(row for line, cells in body if (row := reader.row(line, cells)) is not None)
    left_out = tuple(_quoted(name) for name in _left_out(header[1], columns, [cells for _, cells in body]))
    return Preview(rows, _shortened(reader.problems), len(registered), left_out)


def _shortened(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the first problems of the list, with long values cut.

    If there are more problems, the last entry says how many."""
    shortened = [replace(problem, value=_quoted(problem.value)) for problem in problems[:MOST_PROBLEMS]]
    if more := problems[MOST_PROBLEMS:]:
        shortened.append(Problem(more[0].line, "more_problems", values={"more": len(more)}))
    return tuple(shortened)


def _quoted(value: str) -> str:
    return value if len(value) <= _MOST_QUOTED else f"{value[: _MOST_QUOTED - 1]}…"


class _Unreadable(Exception):  # noqa: N818 (caught here)
    """No entrant can be read from the file."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems


def _table(file: bytes) -> list[tuple[int, list[str]]]:
    """Read the rows, each with the number of its first line."""
    if len(file) > MOST_BYTES:
        raise _Unreadable(Problem(1, "file_too_long", values={"most": MOST_BYTES // 1024}))
    text = _text(file)
    if named := _SEPARATOR_LINE.match(text):
        text = text[named.end() :]
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = named[1] if named else max(";,\t", key=lambda sign: (first.count(sign), text.count(sign)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    above = 1 if named else 0  # lines above those that the reader has
    line = above + 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, [spaced(normalize("NFC", cell)).strip() for cell in cells]))
            line = above + reader.line_num + 1
    except csv.Error:
        open_ = Problem(line, "quotes_open")
        long = Problem(line, "cell_too_long", values={"most": csv.field_size_limit()})
        raise _Unreadable(open_ if '"' in text else long) from None
    if not rows:
        raise _Unreadable(Problem(1, "file_empty"))
    if len(rows) > MOST_ROWS:
        raise _Unreadable(Problem(rows[MOST_ROWS][0], "too_many_rows", values={"most": MOST_ROWS}))
    return rows


def _text(file: bytes) -> str:
    encodings = ["utf-8-sig", "cp1252"]
    if file.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        encodings = ["utf-16"]
    elif file.startswith(BOM_UTF8):
        encodings = ["utf-8-sig"]
    for encoding in encodings:
        try:
            text = file.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise _Unreadable(Problem(1, "not_text"))


def _columns(line: int, headers: Sequence[str], *, team_size: int) -> tuple[str, ...]:
    """Find which column each header names; "" for an unknown header."""
    if len(headers) > MOST_COLUMNS:
        raise _Unreadable(Problem(line, "too_many_columns", values={"columns": len(headers), "most": MOST_COLUMNS}))
    problems: list[Problem] = []
    columns: list[str] = []
    for header in headers:
        column = _HEADERS.get(_plain(header), "")
        if column == "first_name" and team_size > 1:
            column = ""
        elif column and column in columns:
            first = headers[columns.index(column)]
            problems.append(Problem(line, "column_twice", header, {"first": _quoted(first)}))
        columns.append(column)
    if "name" not in columns:
        names = ", ".join(header for header, column in _HEADERS.items() if column == "name")
        problems.append(Problem(line, "name_column_missing", "; ".join(filter(None, headers)), {"allowed": names}))
    if problems:
        raise _Unreadable(*problems)
    if "captain" in columns and "player_2" in columns and "player_1" not in columns:  # as the desk's form has them
        columns[columns.index("captain")] = "player_1"
    return tuple(columns)


def _left_out(headers: Sequence[str], columns: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the name of each unknown column.

    A column without a header is named only if one of its cells is not empty."""
    for at, column in enumerate(columns):
        if not column and (headers[at] or any(cells[at] for cells in body if at < len(cells))):
            yield headers[at] or f"#{at + 1}"


def _plain(header: str) -> str:
    return looks_like(re.sub(r"[_#.:,*()]", " ", header))


class _Reader:
    """Reads rows of the file as entrants, and collects problems."""

    def __init__(self, columns: Sequence[str], team_size: int, registered: Sequence[EntrantView]) -> None:
        self.problems: list[Problem] = []
        self._columns = columns
        self._team_size = team_size
        names = ((name, entrant.number) for entrant in registered for name in (entrant.name, entrant.shown_as) if name)
        self._taken = {looks_like(name): number for name, number in names}
        self._lines: dict[str, int] = {}  # by name
        self._playing = players_taken(registered)
        self._player_lines: dict[str, int] = {}  # by player
        self._seeds: dict[int, int] = {}  # the line, by seed

    def row(self, line: int, cells: Sequence[str]) -> RegistrationRow | None:
        """Read the entrant of a row; None after a problem."""
        before = len(self.problems)
        if beyond := next(filter(None, cells[len(self._columns) :]), ""):
            self._wrong(line, "too_many_cells", beyond)
        by_column = {column: cell for column, cell in zip(self._columns, cells, strict=False) if column}
        name = " ".join(filter(None, (by_column.get("first_name", ""), by_column.get("name", ""))))
        self._check_name(line, name)
        players = self._players(line, by_column, name)
        captain = self._captain(line, by_column.get("captain", ""), players)
        part = self._part(line, by_column.get("guest", ""))
        seed = self._seed(line, by_column.get("seed", ""))
        if len(self.problems) > before:
            return None
        return RegistrationRow(line, Register(name=name, players=players, captain=captain, part=part), seed)

    def _wrong(self, line: int, code: str, value: str = "", **values: object) -> None:
        self.problems.append(Problem(line, code, value, values))

    def _check_name(self, line: int, name: str) -> None:
        if not name:
            self._wrong(line, "name_missing")
        elif not self._is_name(line, name):
            return
        elif (entrant := self._taken.get(looks_like(name))) is not None:
            self._wrong(line, "already_registered", name, entrant=entrant)
        elif (other := self._lines.setdefault(looks_like(name), line)) != line:
            self._wrong(line, "two_with_one_name", name, other=other)

    def _is_name(self, line: int, name: str) -> bool:
        """Whether this name is allowed; if not, add a problem."""
        if len(name) > MOST_IN_NAME:
            self._wrong(line, "name_too_long", name, characters=len(name), most=MOST_IN_NAME)
        elif sign := next((sign for sign in name if not sign.isprintable()), ""):
            self._wrong(line, "unprintable", name, sign=f"U+{ord(sign):04X}")
        else:
            return True
        return False

    def _players(self, line: int, by_column: Mapping[str, str], name: str) -> tuple[str, ...]:
        """Return the players of a team; () for a single player."""
        players = tuple(filter(None, (by_column.get("player_1", ""), by_column.get("player_2", ""))))
        if self._team_size == 1 and players in ((), (name,)):
            return ()
        if {False} & {self._is_name(line, player) for player in players}:
            return players
        if len(players) != self._team_size:
            self._wrong(line, "wrong_number_of_players", name, players=len(players), wanted=self._team_size)
        elif len({*map(looks_like, players)}) < len(players):
            self._wrong(line, "one_player_twice", players[0])
        else:
            for player in players:
                if (entrant := self._playing.get(looks_like(player))) is not None:
                    self._wrong(line, "plays_already", player, entrant=entrant)
                elif (other := self._player_lines.setdefault(looks_like(player), line)) != line:
                    self._wrong(line, "plays_in_line", player, other=other)
        return players

    def _captain(self, line: int, text: str, players: Sequence[str]) -> int:
        """Return the index of the captain; 0 if none is given."""
        numbers = [str(number) for number, _ in enumerate(players, start=1)]
        if text in ("", *numbers[:1]):
            return 0
        named = [index for index, player in enumerate(players) if looks_like(player) == looks_like(text)]
        if not named and text not in numbers:
            self._wrong(line, "no_such_captain", text)
            return 0
        return named[0] if named else numbers.index(text)

    def _part(self, line: int, text: str) -> EntrantKind:
        if (word := _plain(text)) not in _YES | _NO:
            self._wrong(line, "not_a_guest", text)
        return EntrantKind.GUEST if word in _YES else EntrantKind.RANKED

    def _seed(self, line: int, text: str) -> int | None:
        if not text:
            return None
        seed = int(text) if re.fullmatch("[0-9]{1,4}", text) else 0
        if not 0 < seed <= MOST_ROWS:
            self._wrong(line, "not_a_seed", text, most=MOST_ROWS)
            return None
        if (other := self._seeds.setdefault(seed, line)) != line:
            self._wrong(line, "seed_twice", text, other=other)
        return seed
