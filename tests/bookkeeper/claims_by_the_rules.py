"""The data of a claim, from the first press to the verdict, for `judgement_by_the_rules`.

It must never import anything of the product; it was written from sections 4 and 7 of the rules reference.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.bookkeeper.lights_by_the_rules import Pegs
from tests.bookkeeper.presets_by_the_rules import Opening


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim. `word` is as in a game record; `what` is play, hand, crib or muggins. Of muggins, `side`
    is the caller, and `due` what was missed. Where it is ruled (late, out of turn), nothing was due."""

    word: str
    side: int
    called: int
    due: int = 0
    what: str = "play"

    @property
    def kind(self) -> str:
        """What it is added up under."""
        return f"muggins {self.word}" if self.what == "muggins" else self.word


@dataclass
class Claim:
    """A peg in hand, and after its release the claim until it is closed. `count`: at the show. `in_jest`: 19, which
    asks whether it is a zero. `late`: after the next card. `called`, `due` and `before`, where the pegs were, are set
    at the release. `covered`: the next card is laid. `never`: points that were never claimed. `spared`: points of the
    claim, his heels, that no muggins takes by these rules."""

    side: int
    to: int
    count: bool = False
    released: bool = False
    in_jest: bool = False
    late: bool = False
    covered: bool = False
    never: bool = False
    called: int = 0
    due: int = 0
    before: Pegs = field(default_factory=Pegs)
    spared: int = 0

    @property
    def missed(self) -> int:
        return max(0, self.due - max(self.called, self.spared))


@dataclass(frozen=True)
class Count:
    """An open count at the show: whose it is, who accepts it, and what the cards are worth; None if they are not
    known."""

    side: int
    accepting: int
    due: Opening | None
    crib: bool = False

    @property
    def what(self) -> str:
        return "crib" if self.crib else "hand"


@dataclass(frozen=True)
class Memory:
    """The claims at a moment of the play: what was due, forgotten, let go and by whom."""

    pegs: list[Pegs]
    claims: tuple[list[list[Opening]], list[list[Opening]], list[Claim], set[int]]
    last: int | None
    unclaimed: int | None
