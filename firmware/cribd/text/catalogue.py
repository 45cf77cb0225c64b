"""Catalogues: one gettext .po file for each language.

An owner changes a word in a file, and the board says it after a restart: what is compiled is kept for the next start
(`cribd.pycache`), until a file changes. As `msgfmt` does, this leaves out entries that are fuzzy, obsolete or not
translated. It never knows what a phrase is for.
"""

from __future__ import annotations

import marshal
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from cribd import pycache
from cribd.languages import catalogue_path

if TYPE_CHECKING:
    import polib

#: A line with a quoted text. polib does not check that the first and the last character are quotes.
_QUOTED = re.compile(r'(?:(?:msgid|msgid_plural|msgstr)(?:\[\d\])?\s*)?"(?:[^"\\]|\\.)*"')


#: The ending of a code whose phrase is used on boards where points are called with step keys. It replaces the phrase
#: of the code without the ending, which tells somebody to press a hole.
STEP = ".step"


class CatalogueError(ValueError):
    """A .po file cannot be read. The message quotes the invalid line."""


def open_catalogue(language: str) -> NullTranslations:
    """Load the phrases of a language for gettext.

    Missing and invalid phrases are replaced by the English ones, with a report on stderr. Raises ValueError with the
    list of languages if this one does not exist."""
    cache_name, sources = f"catalogue-{language}", _sources(language)
    if (compiled := pycache.read(cache_name, sources)) is not None:
        return GNUTranslations(BytesIO(compiled))
    import polib  # noqa: PLC0415 (mostly, what is compiled is kept)

    english = _english(catalogue_path("en"))
    if language == "en":
        pycache.write(cache_name, english.to_binary(), sources)
        return translations(english)
    problems: Sequence[str]
    try:
        wanted, problems = _valid(language)
        opened: NullTranslations = translations(wanted)
    except (OSError, ValueError, LookupError) as unreadable:
        wanted, problems, opened = polib.POFile(), [str(unreadable)], NullTranslations()
    if missing := len(set(map(_code, english)) - set(map(_code, wanted))):
        path = catalogue_path(language)
        print(f"{path}: {missing} phrases are said in English.", *problems, sep="\n  ", file=sys.stderr)
    else:
        pycache.write(cache_name, wanted.to_binary(), sources)
    opened.add_fallback(translations(english))
    return opened


def _sources(language: str) -> bytes:
    """Return the content of a compiled catalogue's source files.

    A file that cannot be read counts as empty."""
    content = b""
    for file in (Path(__file__), catalogue_path("en"), catalogue_path(language)):
        with suppress(OSError):
            content += file.read_bytes()
    return content


def texts(language: str) -> dict[str, str]:
    """Map each code to its unfilled phrase in a language.

    NUL joins plural forms. As in `open_catalogue`, English replaces missing phrases, and a cache keeps the result."""
    cache_name, sources = f"texts-{language}", _sources(language)
    with suppress(ValueError, EOFError, TypeError):
        if isinstance(cached := marshal.loads(pycache.read(cache_name, sources) or b""), dict):
            return cached
    made = _texts(language)
    pycache.write(cache_name, marshal.dumps(made), sources)
    return made


def _texts(language: str) -> dict[str, str]:
    english = texts_by_code(_english(catalogue_path("en")))
    try:
        spoken = english if language == "en" else texts_by_code(_valid(language)[0])
    except (OSError, ValueError):
        spoken = {}
    own_name = {"page.language": spoken.get("page.language", language)}
    return english | spoken | own_name


@cache
def own_name(language: str) -> str:
    """Return the name of a language in that language."""
    return texts(language)["page.language"]


@cache
def _english(path: Path) -> polib.POFile:
    """Read the English catalogue.

    Do not change the result."""
    return parse(path.read_text(encoding="utf-8"))


def _valid(language: str) -> tuple[polib.POFile, Sequence[str]]:
    """Return a language's valid entries, and complaints about wrong placeholders.

    A valid entry can replace the English entry. Do not change them."""
    return _valid_in(catalogue_path(language).read_text(encoding="utf-8"), catalogue_path("en"))


@lru_cache(maxsize=1)
def _valid_in(text: str, english: Path) -> tuple[polib.POFile, Sequence[str]]:
    """Return a catalogue's valid entries, and complaints about wrong placeholders.

    The last result is cached, because the table reads a language, and then its pages read it again."""
    entries = parse(text)
    return entries, remove_invalid(entries, _english(english))


def parse(text: str) -> polib.POFile:
    """Read the translated entries of a .po file. Raises `CatalogueError`."""
    import polib  # noqa: PLC0415 (as above)

    lines = text.splitlines()
    for line in map(str.strip, lines):
        if line and not line.startswith("#") and not _QUOTED.fullmatch(line):
            raise CatalogueError(f"a catalogue cannot hold the line {line!r}")
    try:
        entries = polib.pofile(text, encoding="utf-8")
    except OSError as wrong:  # "Syntax error in po file (line 3)"
        at = int(re.findall(r"\(line (\d+)\)", str(wrong))[0])
        raise CatalogueError(f"a catalogue cannot hold the line {lines[at - 1]!r}") from wrong
    entries[:] = entries.translated_entries()
    return entries


def texts_by_code(entries: polib.POFile) -> dict[str, str]:
    """Map each code to its text; NUL joins plural forms."""
    return {entry.msgid: "\0".join(_forms(entry)) for entry in entries}


def _forms(entry: polib.POEntry) -> list[str]:
    forms = entry.msgstr_plural
    return [forms[number] for number in sorted(forms)] if forms else [entry.msgstr]


def translations(entries: polib.POFile) -> GNUTranslations:
    """Prepare the entries for gettext. Raises ValueError or LookupError if the header's plural forms are wrong."""
    return GNUTranslations(BytesIO(entries.to_binary()))


def remove_invalid(entries: polib.POFile, model: polib.POFile) -> list[str]:
    """Remove the entries that do not fit their entry in `model`.

    They have unknown codes, different plural forms, or a {placeholder} that the model does not have. Returns a line for
    each of the last kind."""
    allowed = {_code(entry): _placeholders(entry) for entry in model}
    entries[:] = [entry for entry in entries if _code(entry) in allowed]
    problems = {entry.msgid: _placeholder_problem(entry, allowed[_code(entry)]) for entry in entries}
    entries[:] = [entry for entry in entries if not problems[entry.msgid]]
    return [f"{code}: {problem}" for code, problem in problems.items() if problem]


def _code(entry: polib.POEntry) -> tuple[str, str]:
    return entry.msgid, entry.msgid_plural


def _placeholder_problem(entry: polib.POEntry, allowed: set[str]) -> str:
    """Say why an entry cannot be filled in; "" if it can."""
    try:
        strange = _placeholders(entry) - allowed
    except ValueError as unreadable:
        return str(unreadable)
    return f"there is no {', '.join(f'{{{place}}}' for place in sorted(strange))} to fill in" if strange else ""


def _placeholders(entry: polib.POEntry) -> set[str]:
    """Return the placeholders in all forms of the text. Raises ValueError if a brace is not closed."""
    return {place for form in _forms(entry) for _, place, _, _ in Formatter().parse(form) if place is not None}
