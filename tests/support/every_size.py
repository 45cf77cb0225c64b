"""A visitor whose page is looked through in every window, without being opened and led there for each anew."""

from __future__ import annotations

from tests.support.browser import resize
from tests.support.visitors import DESK, PHONE, SMALL, Visit


async def check_at_every_size(french: Visit) -> None:
    """In every window all is French, in reach and not faint. The visitor goes on with a phone."""
    for size in (DESK, SMALL, PHONE):
        await resize(french.page, **size["viewport"])
        await french.check_french()
