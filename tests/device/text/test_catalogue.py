"""The file of a language: a .po file, read as gettext means it."""

from __future__ import annotations

import re

import pytest

from cribd.text import CatalogueError
from cribd.text.catalogue import parse, remove_invalid, texts_by_code, translations

PO = r"""
# A note.
msgid ""
msgstr ""
"Language: xx\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\n"

#. for whoever translates
#: somewhere.py:12
msgid "long"
msgstr ""
"He said \"no\",\n"
"and left\\."

msgid "holes"
msgid_plural "holes"
msgstr[0] "{n} trou"
msgstr[1] "{n} trous"

#, fuzzy
msgid "guessed"
msgstr "perhaps"

msgid "untranslated"
msgstr ""

#~ msgid "old"
#~ msgstr "gone"
"""


def test_escapes_plurals_and_fuzzy_entries_are_read_as_gettext_reads_them() -> None:
    words = translations(parse(PO))
    assert words.gettext("long") == 'He said "no",\nand left\\.'
    assert [words.ngettext("holes", "holes", n) for n in (0, 1, 2)] == ["{n} trou", "{n} trou", "{n} trous"]
    for absent in ("guessed", "untranslated", "old"):
        assert words.gettext(absent) == absent


def test_a_catalogue_from_another_system_reads_the_same() -> None:
    assert texts_by_code(parse(PO.replace("\n", "\r\n"))) == texts_by_code(parse(PO))


@pytest.mark.parametrize("line", ['msgid "open', "msgid none", 'msgctxt "menu"', '"before any field"', "nonsense"])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(CatalogueError, match=re.escape(repr(line))):
        parse(line)


def test_a_phrase_whose_forms_do_not_match_the_english_is_left_out() -> None:
    plural = 'msgid "holes"\nmsgid_plural "holes"\nmsgstr[0] "{n} hole"\nmsgstr[1] "{n} holes"\n'
    singular = 'msgid "holes"\nmsgstr "{n} Loch"\n'
    for text, model in ((singular, plural), (plural, singular)):
        entries = parse(text)
        assert remove_invalid(entries, parse(model)) == []
        assert list(entries) == []
