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
from string import Formatter

_FIELD = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[(\d)\])?\s*)?"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_MO_MAGIC = 0x950412DE


class CatalogueError(ValueError):
    """A .po file cannot be read; the message says where and what stands there."""


def translations(messages: Mapping[str, str]) -> GNUTranslations:
    """These messages, for gettext to look up. Raises ValueError if their heading tells no plural forms."""
    return GNUTranslations(BytesIO(_mo(messages)))


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


def sound(messages: Mapping[str, str], model: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Of a translation's messages those that can stand for the model's, since they ask for no other place, {such}; and
    a line on each that cannot."""
    kept = {name: text for name, text in messages.items() if name in model}
    wrong = {name: why for name, text in kept.items() if name and (why := _misplaced(text, model[name]))}
    told = [f"{name.partition(chr(0))[0]}: {why}" for name, why in wrong.items()]
    return {name: text for name, text in kept.items() if name not in wrong}, told


def _misplaced(text: str, model: str) -> str:
    """What keeps a text from being filled in as its model is; nothing if it can be."""
    try:
        strange = _places(text) - _places(model)
    except ValueError as unreadable:
        return str(unreadable)
    return f"there is no {', '.join(f'{{{place}}}' for place in sorted(strange))} to fill in" if strange else ""


def _places(text: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


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
