"""Encodes a long value as JSON without stopping other threads.

`json.dumps` holds Python's lock until its end."""

from __future__ import annotations

import json
from collections.abc import Iterator

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
#: A list with more entries than this has short entries, so each entry is encoded in one piece.
_LONG = 20


def encode_json(value: object) -> bytes:
    """Encode a value as JSON, piece by piece."""
    return "".join(_pieces(value)).encode()


def _pieces(value: object) -> Iterator[str]:
    match value:
        case dict() if value:
            for number, (name, entry) in enumerate(value.items()):
                yield f"{',' if number else '{'}{_dumps(str(name))}:"
                yield from _pieces(entry)
            yield "}"
        case list() | tuple() if value:
            write = _pieces if len(value) <= _LONG else _piece
            for number, entry in enumerate(value):
                yield "," if number else "["
                yield from write(entry)
            yield "]"
        case _:
            yield _dumps(value)


def _piece(value: object) -> tuple[str]:
    return (_dumps(value),)
