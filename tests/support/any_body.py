"""Every body that a route of the board takes, described by example, and what anybody may send instead.

A new route cannot escape: `undescribed` names a route with a body that has no example, and a field that a route reads
and no example has.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from aiohttp import web
from tests.support.places import ROOT

from cribboard.competition.formats import FIELDS, FORMATS, spelled
from cribd.competition.action_json import actions_by_name

#: What may stand in the place of any value of a JSON body, as it is sent: surrogates, NUL, 10 kB, and other types.
VALUES = (*(r'"a\ud800"', r'"a\u0000b"', f'"{10_000 * "x"}"', "5", "1.5", "true", "null", '["x"]', '{"a": 1}'),)
#: A whole body that is none: no JSON, or JSON with what nothing can be made of.
NO_BODY = (
    *(b"", b"{", b"\xff\xfe", b"\x00", b'{"a": \xed\xa0\x80}', 2000 * b"[", b'{"a": 1}}', b"nan", b"NaN", b"-Infinity"),
    *(b"1e999", b"1" + 500 * b"0", 500 * b"[" + 500 * b"]", b'{"\\ud800": 1}', b'{"do": {"do": 1}}', b'"\\udfff"'),
)

_AT = {"round": 1, "table": 1, "game": 1}
_SEEN = {"competition": 1, "events": 0}


def _example(hint: Any) -> Any:
    """A value of this type, with all its fields."""
    if is_dataclass(hint):
        return {field.name: _example(get_type_hints(hint)[field.name]) for field in fields(hint)}
    if get_origin(hint) is UnionType:  # of what may be left out
        return _example(next(arg for arg in get_args(hint) if arg is not NoneType))
    if get_origin(hint) is tuple:
        first, *others = get_args(hint)
        return [_example(first)] * (1 if Ellipsis in others else 1 + len(others))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return next(iter(hint)).value
    return "mot" if hint is str else 1


def _actions() -> Iterator[dict[str, Any]]:
    """An example of every action of a competition, made from its fields."""
    for name, kind in actions_by_name().items():
        yield {"do": name, **_example(kind)}


_ACC = {name: getattr(FORMATS["acc"], name) for name in FIELDS}
#: A club's own format, a field at a time.
_FORMATS = tuple(
    {"format": {"format": "acc", name: value if isinstance(value, int) else spelled(value)}}
    for name, value in _ACC.items()
)
_PHONE = {"competition": 1, "at": _AT, "saw": [121, 98], "entrant": 1}

#: By the path of a route: examples of its body, each with all fields that it may have.
BODIES: Mapping[str, tuple[dict[str, Any], ...]] = {
    "/table/pin": ({"pin": "0000"},),
    "/table/leave": ({},),
    "/table/scan": ({"card": "5H"},),
    "/table/owner": (
        {"do": "names", "names": ["Anne", "Benoît"], "same_players": True},
        {"do": "rules", "rules": "acc/2"},
        {"do": "new_game"},
        {"do": "new_match"},
        {"do": "switch_off"},
        *({"do": "club", "act": act} for act in ("open", "ok", "next", "close")),
        {"do": "club", "act": "join", "address": "192.168.1.20"},
        {"do": "undo", "number": 3},
    ),
    "/table/backup": ({},),
    "/table/doctor": ({"language": "fr_CA"},),
    "/verify/judge": (
        {
            "cards": ["4C", "5H", "6S", "JD", "KD"],
            "crib": False,
            "rules": "six-card/2",
            "called": 10,
            "words": True,
        },
    ),
    "/desk/pin": ({"pin": "0000"},),
    "/desk/leave": ({},),
    "/desk/board": ({"table": None},),
    "/desk/board/say": ({"text": "mot"},),
    "/desk/begin": (
        {"format": "acc", "name": "Mardi", "date": "2026-03-01", "tables": 4, "instead": False},
        {"format": 'format = "acc"\ngames = 5\n'},
        *_FORMATS,
    ),
    "/desk/switch": ({"competition": 1},),
    "/desk/members": (
        {"do": "add", "names": ["Odile", "mot"]},
        {"do": "add_players"},
        {"do": "correct", "member": "mot", "name": "autre mot"},
        {"do": "remove", "member": "autre mot"},
    ),
    "/desk/members/here": ({"names": ["Odile"], "ask": True},),
    "/desk/do": ({"do": "undo", "seen": _SEEN}, *_actions()),
    "/desk/draw": ({"seen": _SEEN},),
    "/event/table/card": ({"table": 1, "key": "KEY"},),
    "/event/table/sit": ({"table": 1, "key": "KEY", "entrant": 1},),
    "/event/table/captain": ({"code": "1-000000"},),
    "/event/table/do": (
        {"do": "report_result", "scores": [121, 98], "ending": "finished", **_PHONE},
        {"do": "confirm_result", **_PHONE},
        {"do": "dispute_result", "reason": "mot", **_PHONE},
        {"do": "call_official", "competition": 1, "entrant": 1, "captain": 0},
    ),
    "/event/table/leave": ({},),
    "/solo/act": (
        {"do": "take_over"},
        {
            "do": "start",
            "rules": "britannica/2",
            "options": ["short", "muggins"],
            "way": "verify",
            "strength": "medium",
            "person": True,
            "breaks_off": True,
        },
        {"do": "discard", "cards": ["5H", "6H"]},
        *({"do": word} for word in ("cut", "crib", "counted", "step", "take_up", "leave")),
        {"do": "lay", "card": "5H"},
        {"do": "go"},
        {"do": "peg", "points": 2},
        {"do": "pace", "speed": 1, "waits": False},
    ),
}
#: Routes whose body is a file and no JSON.
FILES = ("/desk/csv", "/desk/csv/confirm")
#: The modules that read bodies by patterns: each key and each word of `do` of a pattern stands in an example.
_READ_BY_PATTERNS = ("solo/web.py", "web/kiosk/**/*.py")


def undescribed(app: web.Application) -> list[str]:
    """What has no example: routes with a body, and fields that a route reads."""
    posted = {route.resource.canonical for route in app.router.routes() if route.method == "POST" and route.resource}
    known = {name for examples in BODIES.values() for example in examples for name in example} | {"window"}
    words = {example["do"] for examples in BODIES.values() for example in examples if "do" in example}
    missing = sorted(posted - {*BODIES, *FILES})
    for file in (ROOT / "firmware" / "cribd" / "solo" / "web.py", *(ROOT / "firmware/cribd/web/kiosk").rglob("*.py")):
        for key, value in _patterns(file):
            if key not in known and key not in ("competition", "events", "table"):
                missing.append(f"{file.name}: {key}")
            if key == "do" and value is not None and value not in words:
                missing.append(f"{file.name}: do = {value}")
    return missing


def _patterns(file: Path) -> Iterator[tuple[str, object]]:
    """Keys of the patterns of a module, each with the value that it must have; None if any may stand there."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.MatchMapping):
            for key, pattern in zip(node.keys, node.patterns, strict=True):
                value = pattern.value if isinstance(pattern, ast.MatchValue) else None
                if isinstance(key, ast.Constant):
                    yield str(key.value), value.value if isinstance(value, ast.Constant) else None


def variants(example: Mapping[str, Any]) -> Iterator[bytes]:
    """The body of an example with each of its values in turn replaced by each of `VALUES`, and with one field more."""
    for value in VALUES:
        for place in (*_places(example), ("more",)):
            yield json.dumps(_with(example, place, "@@")).replace('"@@"', value).encode()


def _places(value: object, *above: str | int) -> Iterator[tuple[str | int, ...]]:
    """The places of all values in this one, and of the parts of each."""
    pairs = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, below in pairs:
        yield (*above, key)
        yield from _places(below, *above, key)


def _with(value: Any, place: tuple[str | int, ...], instead: object) -> Any:
    """A copy of a value with another one at a place."""
    key, *rest = place
    copied: Any = list(value) if isinstance(value, list) else dict(value)
    copied[key] = _with(copied[key], tuple(rest), instead) if rest else instead
    return copied
