"""A catalogue of phrases: a gettext .po file, read as it is.

A language is one file. Nothing need be compiled after a word in it was changed: the file becomes, in memory, what
`msgfmt` would have written, and gettext itself looks the phrases up. Never knows what a phrase is for.

Follows the GNU gettext manual, "The Format of PO Files" and "The Format of GNU MO Files". As `msgfmt` does, this leaves
out what is marked fuzzy, what is not translated, and what begins with `#~`. Contexts (`msgctxt`) are not used here.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from gettext import GNUTranslations
from io import BytesIO

_FIELD = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[(\d)\])?\s*)?"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_MO_MAGIC = 0x950412DE


class CatalogueError(ValueError):
    """A .po file cannot be read; the message says where and what stands there."""


def translations(po: str) -> GNUTranslations:
    """The phrases of a .po file's text, for gettext to look up. Raises `CatalogueError`."""
    return GNUTranslations(BytesIO(_mo(read_po(po))))


def read_po(text: str) -> dict[str, str]:
    """The messages as a .mo file has them: of plural ones the forms are joined by NUL, as are their two names."""
    messages: dict[str, str] = {}
    for entry in re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n").strip("\n")):
        fields = _fields(entry.splitlines())
        forms = [fields[name] for name in sorted(fields) if name.startswith("msgstr")]
        if fields and all(forms):
            plural = f"\0{fields['msgid_plural']}" if "msgid_plural" in fields else ""
            messages[fields["msgid"] + plural] = "\0".join(forms)
    return messages


def _fields(lines: list[str]) -> dict[str, str]:
    """What one entry holds; nothing if it is only notes, or fuzzy."""
    fields: dict[str, str] = {}
    name = ""
    for line in lines:
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                return {}
            continue
        found = _FIELD.fullmatch(line.strip())
        if not found or not (found[1] or name):
            raise CatalogueError(f"a catalogue cannot hold the line {line!r}")
        if found[1]:
            name = found[1] + (found[2] or "")
        fields[name] = fields.get(name, "") + _ESCAPED.sub(lambda at: _ESCAPES.get(at[1], at[0]), found[3])
    return fields


def _mo(messages: Mapping[str, str]) -> bytes:
    """The messages as the bytes of a .mo file: a head, two tables of lengths and places, the texts."""
    pairs = sorted((name.encode(), text.encode()) for name, text in messages.items())
    texts = [name for name, _ in pairs] + [text for _, text in pairs]
    place = tables = 7 * 4
    place += 8 * len(texts)
    places = []
    for text in texts:
        places += [len(text), place]
        place += len(text) + 1
    head = struct.pack("<7I", _MO_MAGIC, 0, len(pairs), tables, tables + 8 * len(pairs), 0, place)
    return head + struct.pack(f"<{len(places)}I", *places) + b"\0".join(texts) + b"\0"
