"""The customs of a document beside the parameters: its words, and who may speak. House rules keep their preset's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """The customs of one preset."""

    says_lurch: bool = False  # a skunk is called a lurch
    captain_calls: bool = False  # only the captain of a team may speak to an official
    is_abridged: bool = False  # the document says that it is a short form of other rules
    forbids_help: str = ""  # the document that lets nobody help with a count; "" if none does
    score_cards: bool = False  # both sides write a score card, and an official compares them (rules reference, 3.29)


#: By preset; a preset that is not named has none.
CUSTOMS: Mapping[str, Customs] = MappingProxyType(
    {
        "fadoq": Customs(captain_calls=True, is_abridged=True),
        "five-card": Customs(says_lurch=True),
        "britannica": Customs(says_lurch=True),
        "acc": Customs(forbids_help="acc", score_cards=True),
    }
)
