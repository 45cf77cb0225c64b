"""Players who know the game: they hold hands from a real pack, lay what fits, and claim what is due, or nearly.

Their games come to an end as real ones do. A hand follows from the seed and the number of the deal alone, so that they
hold the same hand again after an undo.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cribboard import PACK, Card, Game, Rules, Way
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    AllPass,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    GoOnUnread,
    LayCard,
    LetLieDead,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakePegInHand,
    TakeZero,
    TurnStarter,
)
from cribboard.deal.claim_comparison import due
from cribboard.deal.claim_windows import covered, play_windows
from cribboard.deal.order_of_points import sides_to_answer_first
from cribboard.deal.press_kind import acceptor, waits_for_answer
from cribboard.deal.show import may_show, waits_for_crib
from cribboard.deal.starter import waits_for_starter
from cribboard.event_terms import Doubt, Occasion, Timing
from cribboard.play import LIMIT
from cribboard.position import Claim, ClaimWindow, PegState, Phase, Position
from cribboard.rules import CRIB_SIZE, Option
from cribboard.scoring import Kind

FIRST_COMES = (Occasion.HEELS, Occasion.GO, Occasion.CARD, Occasion.HAND, Occasion.CRIB)
"""A go before the card that made it known, and the play before the hands."""


def next_to_call(p: Position) -> tuple[ClaimWindow, int] | None:
    """The next call, and how many points it moves the peg. A call of nothing is made only at the show. A go that a card
    ends is called with the card; in a silent game one call is for all that the play left."""
    waiting: list[tuple[ClaimWindow, int]] = []
    for side in p.rules.sides:
        unclaimed = p.unclaimed(side)
        if p.silent and (group := covered(p, side)):
            points = due(p, side, group)
            if points or (p.counting and p.rules.side_of(p.counting[0]) == side):
                waiting.append((group[0], points))
            continue
        for number, window in enumerate(unclaimed, start=1):
            with_it = [other for other in unclaimed[number : number + 1] if other.card_points]
            points = due(p, side, (window, *with_it))
            if points or p.counting == (window.seat, window.occasion):
                waiting.append((window, points))
                break
    return min(waiting, key=lambda call: FIRST_COMES.index(made_by(call[0])), default=None)


def made_by(window: ClaimWindow) -> Occasion:
    """The occasion of a claim window. Where the way out is exact, thirty-one and the last card are claimed as a go is,
    but a card made them."""
    by_card = any(award.kind in (Kind.THIRTY_ONE, Kind.LAST_CARD) for award in window.awards)
    return Occasion.CARD if by_card else window.occasion


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: the hands after the discard, by seat, the crib, and the starter."""

    hands: tuple[tuple[Card, ...], ...]
    crib: tuple[Card, ...]
    starter: Card


def deal(rules: Rules, rng: Random) -> Dealt:
    size = rules.deal_and_play.hand_size
    pack = iter(rng.sample(PACK, len(PACK)))
    hands = tuple(tuple(next(pack) for _ in range(size)) for _ in rules.seats)
    return Dealt(hands, tuple(next(pack) for _ in range(CRIB_SIZE)), next(pack))


class Players:
    """All players at one table. `act` returns the next action; `slips` is the share of wrong or forgotten calls."""

    def __init__(self, seed: object, *, slips: float = 0.0) -> None:
        self._seed = seed
        self._slips = slips
        self._rng = Random(f"{seed}")
        self._latest: tuple[tuple[Rules, int], Dealt] | None = None  # the deal that was asked for last

    def act(self, p: Position) -> Action:
        if p.question is not None:
            waits = next(side for side in p.rules.sides if side not in p.answered)
            gives_up = p.question[0] is Question.BREAK_OFF
            return DropQuestion() if gives_up or self._rng.random() < 0.5 else Agree(waits)
        if answer := self._answers_for(p):
            return answer
        match p.phase:
            case Phase.CUT if p.way is Way.TRUST:
                return NameDealer(self._rng.choice(p.rules.seats))
            case Phase.CUT:
                assert p.to_cut is not None
                cut = [card for _, card in p.cuts]
                return CutForDeal(p.to_cut, self._rng.choice([card for card in PACK if card not in cut]))
            case Phase.DEAL:
                return TurnStarter(self._dealt(p).starter)
            case Phase.PLAY:
                return self._claims(p) or self._lays(p)
            case Phase.SHOW:
                return self._claims(p) or self._counts(p)
            case Phase.PEGGING:
                return self._pegs(p)
            case _:
                return AcceptResult(next(side for side in p.rules.sides if side not in p.agreed))

    def _answers_for(self, p: Position) -> Action | None:
        """The answers of the others to a false go, a claim of the game or a challenge."""
        if p.awaits_false_go_answer and p.false_go is not None:
            other = (p.rules.side_of(p.false_go.seat) + 1) % len(p.pegs)
            return self._rng.choice((Agree(other), LetLieDead(other)))
        if p.open_challenge is not None:
            by = p.open_challenge.by
            if p.open_challenge.points is not None:
                return ReleasePeg(by)
            points = min(self._rng.randint(1, 4), p.left_to_go(by))
            return self._rng.choice((Challenge(by), TakePegInHand(by, points) if points else Challenge(by)))
        if p.game_claimed is not None:
            return Accept((p.game_claimed + 1) % len(p.pegs) if acceptor(p) is None else acceptor(p) or 0)
        return None

    def play(self, game: Game, *, most: int = 5000) -> None:
        """Play to the end."""
        for _ in range(most):
            if game.position.phase is Phase.OVER:
                return
            game.do(self.act(game.position))
        raise AssertionError(f"no end after {most} acts")

    def _slip(self) -> bool:
        return self._rng.random() < self._slips

    def _dealt(self, p: Position) -> Dealt:
        which = p.rules, p.deal
        if self._latest is None or self._latest[0] != which:
            self._latest = which, deal(p.rules, Random(f"{self._seed} {p.deal}"))
        return self._latest[1]

    def _held(self, p: Position, seat: int, *, at_least: int = 0) -> list[Card]:
        """The cards that the seat still holds; where others have shown some of them, any unseen cards."""
        dealt = self._dealt(p)
        dealt_cards = {dealt.starter, *dealt.crib, *(card for hand in dealt.hands for card in hand)}
        own = [card for card in dealt.hands[seat] if not p.seen(card)]
        others = [card for card in PACK if card not in dealt_cards and not p.seen(card)]
        return [*own, *others][: max(at_least, p.cards_left(seat))]

    def _lays(self, p: Position) -> Action:
        assert p.turn is not None
        held, count = self._held(p, p.turn), 0 if p.count_over else p.count
        if fits := [card for card in held if count + card.value <= LIMIT]:
            return LayCard(p.turn, self._rng.choice(fits))
        alone = not any(p.cards_left(seat) for seat in p.rules.seats if seat != p.turn)
        if alone and p.rules.deal_and_play.single_series is Option.OFF:
            return LayCard(p.turn, held[0])
        asked = (seat for seat in p.rules.seats if seat not in p.said_go)
        least = min(card.value for seat in asked for card in self._held(p, seat))
        if len(p.hands) > 2 and count + least > LIMIT and self._rng.random() < 0.5:
            return AllPass(p.stack[-1][0])
        return SayGo(p.turn)

    def _claims(self, p: Position) -> Action | None:
        if p.way is Way.AUTO:
            return None
        if p.claim is not None and (answer := self._answer(p, p.claim)):
            return answer
        call = next_to_call(p)
        if call is None or (p.phase is Phase.PLAY and self._slip()):
            return None
        window, points = call
        side = p.rules.side_of(window.seat)
        if self._slip():
            points = min(max(points + self._rng.choice((-2, -1, 1, 2)), 1), p.left_to_go(side))
        return TakePegInHand(side, points) if points else TakeZero(side)

    def _answer(self, p: Position, claim: Claim) -> Action | None:
        if claim.state is PegState.RELEASED:
            accepts = acceptor(p)
            if waits_for_answer(p, claim.side):
                accepts = (claim.side + 1) % len(p.pegs)
            if accepts is None or claim.timing is Timing.LATE:
                return None
            wrong = p.silent and self._slip()
            return Challenge(accepts) if wrong else Accept(accepts)
        if claim.timing is Timing.LATE or claim.doubt is Doubt.FAR:
            return PutPegBack(claim.side)
        if waiting := sides_to_answer_first(p):
            return self._comes_first(p, waiting[0])
        return ReleasePeg(claim.side)

    def _comes_first(self, p: Position, side: int) -> Action:
        """This side has points that come before a claim of the game: it pegs or waives them."""
        points = due(p, side, play_windows(p, side))
        return TakePegInHand(side, points) if points and not self._slip() else Accept(side)

    def _counts(self, p: Position) -> Action:
        if waits_for_starter(p):
            return TurnStarter(next(card for card in (self._dealt(p).starter, *PACK) if not p.seen(card)))
        if p.to_show is not None:
            shown = (each for each in self._held(p, p.to_show, at_least=len(PACK)) if may_show(p, p.to_show or 0, each))
            card = next(shown, None)  # none where all that fit were read elsewhere: one of those was misread
            return GoOnUnread(p.rules.side_of(p.to_show)) if card is None else ShowCard(p.to_show, card)
        if waits_for_crib(p):
            unseen = [card for card in (*self._dealt(p).crib, *PACK) if not p.seen(card)]
            return ReadCrib(unseen[0])
        if (
            p.claim is not None and p.way is not Way.AUTO
        ):  # before a hand that cannot be read, any other side lets it stand
            return Accept((p.claim.side + 1) % len(p.pegs))
        return OpenCount(self._rng.choice(p.rules.sides))

    def _pegs(self, p: Position) -> Action:
        """In trust: some points, and then the next deal."""
        assert p.dealer is not None
        if p.claim is not None:
            return ReleasePeg(p.claim.side) if p.claim.doubt is not Doubt.FAR else PutPegBack(p.claim.side)
        if self._rng.random() < 0.1:
            return EndDeal(p.rules.side_of(p.dealer))
        side = self._rng.choice(p.rules.sides)
        least = 1 if p.left_to_go(side) == 1 else 2
        return TakePegInHand(side, self._rng.randint(least, min(p.left_to_go(side), 12)))
