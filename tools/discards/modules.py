"""Writes the texts of the modules of `cribboard.strategy.tables_data`."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.discards.deals import DEALS, DealShape
from tools.discards.fixed_point import Tables
from tools.discards.hands import Floats
from tools.discards.near_end import Usual

FOLDER = Path(__file__).parents[2] / "board" / "cribboard" / "strategy" / "tables_data"


def modules(tables: Mapping[str, Tables], usual: Usual, chances: Floats) -> dict[str, str]:
    """Return the text of each module by its name: one for the deal of each preset, and one for the end of a game."""
    written = {name: of_deal(name, DEALS[name], each) for name, each in tables.items()}
    return {**written, "near_end": of_near_end(usual, chances)}


def of_deal(name: str, deal: DealShape, tables: Tables) -> str:
    """Return the text of the module of one deal."""
    head = f'"""The lookup tables for the preset `{name.replace("_", "-")}`. `python -m tools.discards` writes them."""'
    lines = [head, "", "from cribboard.strategy.tables_data import WrittenSide, WrittenTables", "", "# fmt: off", ""]
    lines += ["TABLES = WrittenTables(", f"    discards={deal.discards},", f"    keeps={deal.kept},"]
    sides = ("owner", tables.own, tables.kept_own), ("other", tables.theirs, tables.kept_theirs)
    for side, crib, kept in sides:
        lines += [f"    {side}=WrittenSide(", "        crib=("]
        lines += _wrapped([f"{points:.3f}," for points in crib], 12)
        lines += ["        ),", '        kept="""']
        lines += _base64(bytes(round(share * 255) for share in kept), 8)
        lines += ['        """,', "    ),"]
    return "\n".join([*lines, ")", ""])


def of_near_end(usual: Usual, chances: Floats) -> str:
    """Return the text of the module for the end of a game."""
    lines = [_NEAR_END]
    counters = ("PONE_HAND", usual.pone_hand), ("DEALER_HAND", usual.dealer_hand), ("CRIB", usual.crib)
    for name, counted in (*counters, ("PEGGING", usual.pegging)):
        lines.append(f"{name} = {{")
        lines += _wrapped([f"{points}: {times}," for points, times in sorted(counted.items())], 4)
        lines += ["}", ""]
    lines.append('CHANCES = """')
    lines += _base64(struct.pack(f">{chances.size}H", *(round(chance * 0xFFFF) for chance in chances.flat)), 0)
    return "\n".join([*lines, '"""', ""])


_NEAR_END = '''"""Tables for the end of a six-card game. `python -m tools.discards` writes them.

How often points are counted and pegged, pegging by dealer and pone; and the dealer's chance to win by the holes that
dealer and pone need, 1 to 60 each, in base 64: two bytes a number, in parts of 65535.
"""

# fmt: off
'''


def _base64(written: bytes, indent: int) -> list[str]:
    """Return bytes in base 64, as lines of at most 120 characters."""
    text = b64encode(written).decode()
    return [" " * indent + text[place : place + 120 - indent] for place in range(0, len(text), 120 - indent)]


def _wrapped(words: Sequence[str], indent: int) -> list[str]:
    """Return words as lines of at most 120 characters."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else ""
        if lines and len(longer) <= 120:
            lines[-1] = longer
        else:
            lines.append(" " * indent + word)
    return lines
