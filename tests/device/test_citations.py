"""Every paragraph, scenario, law and clause that this repository cites stands in `docs/`.

A citation names its document and then numbers: `rules reference, 7.1 to 7.5`, `ACC 8.4c`, `design law 9`,
`RFC 9110, 7.2`, `SSD1306 sheet, 8.5`; or it is a scenario, `A16`. In comments and docstrings a number in brackets, at
the beginning or after a comma needs no name: it belongs to the data sheet that the module's docstring names (in TOML,
the `source` of the table), or else to the rules reference.

`docs/rules-reference.md` holds the rules, the scenarios and the rules of ACC, `docs/hardware-reference.md` the clauses
of data sheets and standards, `docs/architecture.md` the laws.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest
from tests.support.places import ROOT
from tests.support.sources import statements

from cribboard.rules.sources import SOURCES

DOCS = ROOT / "docs"
FOLDERS = ("board", "firmware", "tests", "tools", "bench", "docs", "hardware", "systemd")
TEXTS = {".md", ".py", ".toml", ".js", ".css", ".html", ".po", ".service"}

RULES, LAW, SCENARIO = "rules reference", "law", "scenario"

_TOKEN = re.compile(
    r"""
    (?P<scenario> (?<![\w#.]) A\d\d \b )
  | (?P<rules> \b rules?\s+reference (?:'s)? )
  | (?P<law> \b (?:[Dd]esign\s+)? [Ll]aws? \b )
  | (?P<reading> \b [Rr]eadings? \b )
  | (?P<named> \b (?: ACC | FADOQ | Jeux\ 50\+ | RFC\s+\d+ | [Dd]esign (?=,\s+section) ) )
  | (?P<sheet> \b (?: ISO/IEC\s+\d+-\d+ | WCAG\s+\d\.\d | WHATWG\s+HTML | sqlite\.org/\w+\.html
                     | [A-Z]{2,}[A-Z\d]*\d[\d-]* ) \b )
      (?: _\d+ )? (?: \s+(?:data\s+)?sheet | \s+rev\.\s[\d.]*\d )?
  | (?P<number> (?<![\w.,/:#+*-]) [1-9]\d* (?:\.\d+)* [a-z]? (?! [\w%°/] | \.\d | -\d ) )
  | (?P<section> \b (?: [Ss]ections? | [Pp]aragraphs? | [Rr]ules? ) \b )
  | (?P<begin> [(\[] | \n\s*\n )
  | (?P<comma> [,;] )
  | (?P<chain> \b (?: and | to | or | of | the ) \b )
  | (?P<word> [\w'’]+ | \S )
    """,
    re.VERBOSE,
)
_PYTHON = re.compile(
    r"""\#:?(?P<comment>[^\n]*) | (?P<quote>\"{3}|'{3}|["']) (?P<text>(?:\\.|(?!(?P=quote)).)*) (?P=quote)""",
    re.DOTALL | re.VERBOSE,
)
_UNIT = re.compile(r"\s*(?:[kMGmµ]?(?:V|A|W|F|Hz|B|s|m|Ω)|dots?|seconds?|times)\b")


@dataclass(frozen=True, slots=True)
class Citation:
    """A number of a document, and the line of the text in which it stands."""

    document: str
    number: str
    line: int


class _Place(Enum):
    """What the words before a number make of it: no citation, a citation, or one if a comma or the like comes first."""

    FIGURE = "figure"
    CITATION = "citation"
    AFTER_ONE = "after one"


def cited_in(text: str, *, default: str | None = None, line: int = 1) -> Iterator[Citation]:
    """The citations of a text that begins in this line. With a `default` a number may stand without its document.

    Figures are none: they have a unit, or stand after a word that names no document.
    """
    first = _Place.FIGURE if default is None else _Place.CITATION
    document, place, plain = default, first, False
    for token in _TOKEN.finditer(text) if re.search("[0-9]", text) else ():
        match token.lastgroup:
            case "scenario" | "number" as kind:
                cited = SCENARIO if kind == "scenario" else document
                may_be = kind == "scenario" or (place is _Place.CITATION and (plain or "." in token[0]))
                if cited is None or not may_be or _UNIT.match(text, token.end()):
                    place = _Place.FIGURE
                else:
                    place = _Place.AFTER_ONE
                    yield Citation(cited, token[0], line + text.count("\n", 0, token.start()))
            case "chain":
                place = _Place.FIGURE if place is _Place.FIGURE else _Place.CITATION
            case "section":
                place, plain = first if document is None else _Place.CITATION, document is not None
            case "begin":
                document, place, plain = default, first, False
            case "comma":
                place = first if place is _Place.FIGURE else _Place.CITATION
            case "word":
                document, place, plain = default, _Place.FIGURE, False
            case "rules" | "reading" | "law" | "named" | "sheet" as kind:
                document = {"rules": RULES, "reading": RULES, "law": LAW}.get(kind) or " ".join(token[kind].split())
                place, plain = _Place.CITATION, kind in ("rules", "law", "named")
            case other:
                raise AssertionError(other)


def sheet_named_in(text: str) -> str | None:
    """The data sheet that a text names first."""
    return next((token["sheet"] for token in _TOKEN.finditer(text) if token["sheet"] in SHEETS), None)


def cited_in_python(source: str) -> Iterator[Citation]:
    """The citations of a module: in its comments, its docstrings, its other strings, and the names of its tests."""
    tree = ast.parse(source)
    default = sheet_named_in(ast.get_docstring(tree) or "") or RULES
    docstrings = {
        (node.lineno, node.col_offset)
        for node in statements(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for number, text in enumerate(source.splitlines(), 1):
        if named := re.match(r"\s*(?:async )?def test_(a\d\d)_", text):
            yield Citation(SCENARIO, named[1].upper(), number)
    starts = [0, *(found.end() for found in re.finditer("\n", source))]
    comments: list[tuple[int, str]] = []
    for token in _PYTHON.finditer(source):
        number = bisect_right(starts, token.start())
        if token["comment"] is not None:
            comments.append((number, token["comment"]))
        else:
            is_docstring = (number, token.start() - starts[number - 1]) in docstrings
            yield from cited_in(token["text"], default=default if is_docstring else None, line=number)
    yield from _cited_in_comments(comments, default)


def cited_in_toml(source: str) -> Iterator[Citation]:
    """The citations of a TOML file: a number in a comment belongs to the sheet that the last `source` names."""
    default, comments = RULES, list[tuple[int, str]]()
    for number, text in enumerate(source.splitlines(), 1):
        value, _, comment = text.partition("#")
        yield from cited_in(value, line=number)
        if value.startswith("source"):
            yield from _cited_in_comments(comments, default)
            default, comments = sheet_named_in(value) or RULES, []
        comments.append((number, comment))
    yield from _cited_in_comments(comments, default)


def _cited_in_comments(comments: list[tuple[int, str]], default: str) -> Iterator[Citation]:
    """Comments of lines that follow one another are one text."""
    block, first, last = "", 0, -1
    for number, text in comments:
        if number != last + 1:
            yield from cited_in(block, default=default, line=first)
            block, first = "", number
        block, last = f"{block}{text}\n", number
    yield from cited_in(block, default=default, line=first)


def cited_in_file(file: Path) -> Iterator[Citation]:
    """The citations of a file of this repository."""
    text = file.read_text(encoding="utf-8")
    match file.suffix:
        case ".py":
            return cited_in_python(text)
        case ".toml":
            return cited_in_toml(text)
        case _:
            return cited_in(text)


def cells(name: str) -> Iterator[list[str]]:
    """The rows of all tables of a document."""
    for line in (DOCS / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def headings(name: str, pattern: str) -> list[str]:
    """What the headings of a document have in the place of the pattern's group."""
    return re.findall(rf"(?m)^##+ {pattern}", (DOCS / name).read_text(encoding="utf-8"))


def _sheets() -> Iterator[tuple[str, str]]:
    """The clauses in the first cells of the hardware reference: `UM0701-02, 6.2.1`."""
    for first, *_ in cells("hardware-reference.md"):
        document, comma, number = first.rpartition(", ")
        if comma:
            yield document, number


def _rules() -> Iterator[tuple[str, str]]:
    """The sections and paragraphs of the rules reference, its scenarios, and the rules of ACC."""
    for number in headings("rules-reference.md", r"(\d+(?:\.\d+)?)\.? "):
        yield RULES, number
    for first, second, *_ in cells("rules-reference.md"):
        if re.fullmatch(r"\d\.\d+", first):
            yield RULES, first
        elif re.fullmatch(r"A\d\d", first):
            yield SCENARIO, first
        elif found := re.fullmatch(r"ACC (\S+)", first):
            yield "ACC", found[1]
        elif second.isdigit():
            yield first, second


SHEETS = {document for document, _ in _sheets() if re.fullmatch(r"[A-Z\d-]+", document)}
DEFINED = [*_rules(), *_sheets(), *((LAW, number) for number in headings("architecture.md", r"Law (\d+)"))]


def files() -> list[Path]:
    """Everything that a person writes here, but this file, which makes up citations."""
    found = {file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in TEXTS}
    return sorted({*found, *ROOT.glob("*.md"), ROOT / "pyproject.toml"} - {Path(__file__)})


def missing_in(citations: Iterable[Citation]) -> list[str]:
    """Of these citations, those that no document has: line, document and number."""
    known = set(DEFINED)
    return [f"{c.line}: {c.document}, {c.number}" for c in citations if (c.document, c.number) not in known]


@pytest.mark.slow
def test_every_citation_stands_in_the_documents() -> None:
    missing = [f"{file.relative_to(ROOT)}:{text}" for file in files() for text in missing_in(cited_in_file(file))]
    assert not missing, "\n".join(missing)


def test_the_sources_of_presets_are_sections_of_the_documents() -> None:
    said = "\n".join(source for preset in SOURCES.values() for source in preset.values())
    cited = [*cited_in(said)]
    assert {citation.document for citation in cited} == {"ACC", "FADOQ", "Jeux 50+"}
    assert not missing_in(cited)


def test_every_number_is_defined_once() -> None:
    assert [key for key, times in Counter(DEFINED).items() if times > 1] == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("# A peg is let go (7.99).", "1: rules reference, 7.99"),
        ("# 7.99: a peg is let go.", "1: rules reference, 7.99"),
        ("# First (7.1 to 7.5, 7.99 and 7.2).", "1: rules reference, 7.99"),
        ("# It waits (of the play, 3.99).", "1: rules reference, 3.99"),
        ("# It follows the rules\n# reference, 1.13 to\n# 1.99.", "3: rules reference, 1.99"),
        ("# As section 8 has it.", "1: rules reference, 8"),
        ("# Readings 3.9 and 3.99.", "1: rules reference, 3.99"),
        ('"""What it does.\n\n7.98: it is so."""', "3: rules reference, 7.98"),
        ("x = 1  # design laws 4, 6 and 11", "1: law, 11"),
        ("# Nothing is shown (design\n# law 12; rules reference, 7.22).", "2: law, 12"),
        ("# See A99.", "1: scenario, A99"),
        ("def test_a98_is_played() -> None: ...", "1: scenario, A98"),
        ('lines = ["ACC 8.4z: too many"]', "1: ACC, 8.4z"),
        ('source = "FADOQ, 14"', "1: FADOQ, 14"),
        ("# It is acknowledged (NXP UM0701-02, 6.2.9).", "1: UM0701-02, 6.2.9"),
        ('"""The chip, as UM0701-02 has it."""\n# NACK (6.2.9)', "2: UM0701-02, 6.2.9"),
        ("# A sheet that nobody has (SSD9999 sheet, 8.5).", "1: SSD9999, 8.5"),
        ("# Who asks (RFC 9110, 7.2; RFC 6454, 99).", "1: RFC 6454, 99"),
        ("# The name is public (design, section 5).", "1: design, 5"),
    ],
)
def test_a_citation_of_a_missing_section_is_found(text: str, missing: str) -> None:
    assert missing in missing_in(cited_in_python(text))


@pytest.mark.parametrize(
    "text",
    [
        "# At 3.3 V, or at 2.5 ms, 4.2 MHz.",
        "# glibc 2.36, espeak-ng 1.51 and TOML 1.0.0",
        "# (128 / 255) ** 2.2 is 55.98",
        "rate = 9.99",
        'version = "7.99"',
        "# There are 99 laws of this kind, and 12 rules.",
    ],
)
def test_a_figure_is_no_citation(text: str) -> None:
    assert [*cited_in_python(text)] == []


def test_a_comment_in_toml_cites_the_source_of_its_table() -> None:
    text = '# (7.2)\nsource = "NXP UM0701-02"\n# 7.3.9: none\na = 1 # design law 0\n[b]\n# rules reference, 7.99\n'
    assert missing_in(cited_in_toml(text)) == ["3: UM0701-02, 7.3.9", "6: rules reference, 7.99"]


def test_the_checks_that_the_laws_name_are_there() -> None:
    tests = [*(ROOT / "tests").rglob("test_*.py")]
    there = {file.stem for file in tests}
    for file in tests:
        there |= set(re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8")))
    laws = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(test_\w+)`", laws)) - there == set()
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for number in re.findall(r"import contracts? of Law (\d+)", laws):
        assert f'name = "Law {number}:' in contracts
