"""What may be claimed: how it opens as cards are turned, laid and counted, and how it closes.

Like all of evolution it never refuses: it is told what happened. What an opening is worth in the end, and to whom, is
`cribboard.claim_value`; who claims it, `cribboard.claims`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from cribboard import score_log
from cribboard.cards import Card, Rank
from cribboard.claim_value import due, moves
from cribboard.events import CardLaid, ClaimJudged, CountEnded, MugginsRuled, Occasion, Timing, Verdict
from cribboard.play import LIMIT, score_play
from cribboard.play import count as count_of
from cribboard.position import Opening, Pegs, Phase, Position, Standing
from cribboard.rules import HeelsTiming, Option, Way
from cribboard.scoring import Combination, Kind, score_show

if TYPE_CHECKING:  # the same, but the type checker knows the fields
    from dataclasses import replace as updated
else:
    from cribboard.position import updated

T = TypeVar("T")

#: What is counted at the show; all else is of the play.
OF_SHOW = (Occasion.HAND, Occasion.CRIB)

#: So far above what the play left, a call of a told game is still taken to be for the play and not for a hand: the
#: least that scores.
SLIP = 2


def put(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The row with another value in one place."""
    return (*row[:index], value, *row[index + 1 :])


def opened(p: Position, *openings: Opening) -> Position:
    """These may be claimed too."""
    for opening in openings:
        side = p.rules.side_of(opening.seat)
        p = updated(p, open=put(p.open, side, (*p.open[side], opening)))
    return p


def of_starter(p: Position, card: Card | None) -> Iterable[Opening]:
    """His heels."""
    heels = p.rules.deal_and_play.his_heels
    if card is None and heels and p.dealer is not None:
        yield Opening(Occasion.HEELS, p.dealer, (), verified=False)
    elif card is not None and card.rank is Rank.JACK and heels and p.dealer is not None:
        yield Opening(Occasion.HEELS, p.dealer, (Combination(Kind.HEELS, (card,), heels),))


def of_card(p: Position, seat: int, card: Card | None) -> Iterable[Opening]:
    """What a card may be claimed for, though it be nothing. It is one claim with the point for the last card; but where
    the way out is exact, what ends a count is a claim of its own (rules reference, 3.18)."""
    dealing = p.rules.deal_and_play
    if card is None or (p.blind and not p.count_over):
        yield Opening(Occasion.CARD, seat, (), verified=False)
        return
    before = () if p.count_over else p.cards
    awards = score_play(before, card, rules=p.rules)
    last_of_all = sum(map(p.cards_left, p.rules.seats)) == 1
    if last_of_all and count_of((*before, card)) != LIMIT and dealing.last_card:
        awards = (*awards, Combination(Kind.LAST_CARD, (card,), dealing.last_card))
    if p.rules.game.exact_out is Option.OFF:
        yield Opening(Occasion.CARD, seat, awards)
        return
    ends = tuple(award for award in awards if award.kind in (Kind.THIRTY_ONE, Kind.LAST_CARD))
    yield Opening(Occasion.CARD, seat, tuple(award for award in awards if award not in ends))
    if ends:
        yield Opening(Occasion.GO, seat, ends)


def of_go(p: Position, last: int, count: int) -> Iterable[Opening]:
    """The go, where thirty-one was not reached. It may be due with the card, or only after others say go."""
    go = p.rules.deal_and_play.go
    if p.blind:
        yield Opening(Occasion.GO, last, (), verified=False)
        return
    if count == LIMIT or not go:
        return
    *before, card = p.cards
    with_card = any(isinstance(event, CardLaid) for event in p.last)
    beside = sum(award.points for award in score_play(before, card, rules=p.rules)) if with_card else 0
    yield Opening(Occasion.GO, last, (Combination(Kind.GO, (card,), go),), beside=beside)


def of_count(p: Position, seat: int, occasion: Occasion) -> Iterable[Opening]:
    """A hand or the crib, with the starter."""
    cards, crib = (p.crib, True) if occasion is Occasion.CRIB else (p.hands[seat], False)
    if p.starter is None or (seat, occasion) in p.waived:
        yield Opening(occasion, seat, (), verified=False)
        return
    yield Opening(occasion, seat, score_show(cards, p.starter, crib=crib, rules=p.rules).combinations)


def left_behind(p: Position, seat: int) -> Position:
    """What was open when `seat` lays a card is missed now: but heels wait for the dealer's own card, and a go that
    this very card made known (nobody else held any) is still to be claimed with it."""
    just_ended = any(isinstance(event, CountEnded) for event in p.last)
    heels_are_lost = p.rules.deal_and_play.heels_timing is HeelsTiming.BEFORE_DEALER_PLAYS
    still: list[tuple[Opening, ...]] = []
    missed: list[tuple[Opening, ...]] = []
    for mine, before in zip(p.open, p.missed, strict=True):
        kept = tuple(
            opening
            for opening in mine
            if (opening.occasion is Occasion.HEELS and seat != opening.seat and opening.verified)
            or (opening.occasion is Occasion.GO and just_ended)
        )
        lost = tuple(o for o in mine if o not in kept and not (heels_are_lost and o.occasion is Occasion.HEELS))
        still.append(kept)
        over = p.count_over and p.rules.claims.muggins is Option.OFF
        missed.append((() if over else before) + lost)
    return updated(p, open=tuple(still), missed=tuple(missed))


def covered(p: Position, side: int, called: int = 0) -> tuple[Opening, ...]:
    """What one press of the side claims in a silent game: all that the play left it, and only then its hand or crib;
    but a call above all that the play left it is for the hand or crib (rules reference, 3.25)."""
    of_play, of_show = of_the_play(p, side), tuple(o for o in p.open[side] if o.occasion in OF_SHOW)
    above = p.rules.version > 1 and all(o.verified for o in of_play) and called > due(p, side, of_play)
    return of_show if not of_play or (of_show and above) else of_play


def called_for(p: Position, side: int, points: int) -> tuple[Opening, ...]:
    """What a call is about, where the last card and the hand of one side are both open: with little more than the
    play left it is about the play alone, for a slip there must not cost a hand. Only what the play left is looked at.
    The board itself does not slip: on auto it calls all at once, or one by one where each is a claim of its own (3.18).
    """
    openings = p.open[side]
    if p.silent:
        return covered(p, side, points)
    if p.way is Way.AUTO:
        scores = [at for at, opening in enumerate(openings, start=1) if opening.due]
        return openings[: scores[0]] if scores and p.rules.game.exact_out is Option.ON else openings
    return of_the_play(p, side) if is_for_play(p, side, points) else openings


def is_for_play(p: Position, side: int, points: int) -> bool:
    """Whether a call of so many points is for what the play left the side, and for nothing else. All cards of the play
    lie open, so the most that it can be worth is public. In a told game a slip is taken to be for the play too."""
    of_play = of_the_play(p, side)
    if not all(opening.verified for opening in of_play):
        return True
    left = due(p, side, of_play)
    return left > 0 and 0 < points <= (left if p.silent else left + SLIP)


def is_for_forgotten(p: Position, side: int, points: int) -> bool:
    """Whether a call in the play is above what the side may claim in time, and within what it has forgotten."""
    both = (*p.open[side], *p.missed[side])
    if p.rules.version < 2 or p.phase is not Phase.PLAY or not all(opening.verified for opening in both):
        return False
    return bool(p.open[side]) and due(p, side, p.open[side]) < points <= due(p, side, p.missed[side])


def of_the_play(p: Position, side: int) -> tuple[Opening, ...]:
    """What the side may claim of the play, his heels included."""
    return tuple(o for o in p.open[side] if o.occasion not in OF_SHOW)


def stood(p: Position, side: int, called: int) -> Position:
    """In a silent game the side has let go of its peg: what it covers waits for its judgement. The first hand that is
    let go ends what the play left to anybody."""
    late = p.claim is not None and p.claim.timing is Timing.LATE
    covers = p.missed[side] if late else covered(p, side, called)
    standing = (*p.standing, Standing(side, called, covers, p.pegs[side]))
    missed = put(p.missed, side, ())
    if late:
        return updated(p, standing=standing, missed=missed)
    left = put(p.open, side, tuple(o for o in p.open[side] if o not in covers))
    if any(o.occasion in OF_SHOW for o in covers):
        left = tuple(tuple(o for o in openings if o.occasion in OF_SHOW) for openings in left)
        missed = ((),) * len(p.pegs)
    return updated(p, standing=standing, missed=missed, open=left)


def left_open(p: Position, side: int) -> tuple[Opening, ...]:
    """At the show, what the side has made with its last card, and may still claim."""
    return of_the_play(p, side) if p.phase is Phase.SHOW else ()


def taken_over(p: Position, ruled: MugginsRuled) -> Position:
    """Muggins was called on this side: what it forgot is nobody's any more."""
    return updated(p, raised=None, missed=put(p.missed, ruled.against, ()))


def closed(p: Position, judged: ClaimJudged) -> Position:
    """The claim has closed so many openings. Where a peg may be added to, what was not called stays open with them."""
    side, how_many = judged.side, len(judged.occasions)
    if p.silent:
        return _judged_at_last(p, judged)
    late = p.claim is not None and p.claim.timing is Timing.LATE
    p = score_log.judged(p, judged, (p.missed if late else p.open)[side][:how_many])
    if late:
        return updated(p, missed=put(p.missed, side, p.missed[side][how_many:]))
    these, rest = p.open[side][:how_many], p.open[side][how_many:]
    if judged.verdict is Verdict.TOO_FEW and p.rules.claims.peg_release_final is Option.OFF:
        called = judged.called + sum(opening.called or 0 for opening in these)
        rest = (Opening(these[-1].occasion, these[-1].seat, judged.combinations, called), *rest)
    if p.passed and any(opening.occasion is Occasion.GO for opening in these):
        p = updated(p, go_pegged=_for_the_go(p, judged, these))
    return updated(p, open=put(p.open, side, rest))


def _judged_at_last(p: Position, judged: ClaimJudged) -> Position:
    standing = next(each for each in p.standing if each.side == judged.side)
    if p.passed and any(is_go_of_count(p, opening) for opening in standing.openings):
        before = updated(p, pegs=put(p.pegs, standing.side, standing.before))
        p = updated(p, go_pegged=_for_the_go(before, judged, standing.openings))
    p = score_log.judged(p, judged, standing.openings, points=standing.called)
    return updated(p, standing=tuple(each for each in p.standing if each is not standing))


def is_go_of_count(p: Position, opening: Opening) -> bool:
    """Whether this is the go of the count that just ended, and not of one before it."""
    if opening.occasion is not Occasion.GO:
        return False
    return any(card in p.cards for award in opening.awards for card in award.cards) if opening.verified else p.blind


def _for_the_go(p: Position, judged: ClaimJudged, these: tuple[Opening, ...]) -> tuple[int, Pegs]:
    """The points of this claim that are for the go, and where the pegs of the side would stand without them."""
    front, back = p.pegs[judged.side].front, p.pegs[judged.side].back
    others = sum(m.points for m in moves(p, judged.side, these) if m.opening.occasion is not Occasion.GO)
    pegged = min(judged.called, judged.due)
    others = min(others, pegged)
    return pegged - others, Pegs(front + others, front if others else back)


def taken_back(p: Position, seat: int) -> Position:
    """The count goes on with this seat, which passed with the others: what was pegged for a go comes back."""
    side = p.rules.side_of(p.stack[-1][0])
    points, without = p.go_pegged or (0, p.pegs[side])
    now = p.pegs[side]
    if now.front != without.front + points:  # it has pegged something else since
        without = Pegs(now.front - points, min(now.back, now.front - points))
    return updated(
        p,
        pegs=put(p.pegs, side, without),
        open=put(p.open, side, tuple(o for o in p.open[side] if o.occasion is not Occasion.GO)),
        count_over=False,
        turn=seat,
        gone=p.gone_at_end - {seat},
        gos=(*p.gos[: p.gos_before], *(go for go in p.gos[p.gos_before :] if go[0] != seat)),
        passed=tuple(other for other in p.passed if other != seat),
        gone_at_end=frozenset(),
        go_pegged=None,
    )


def still_open(p: Position, seat: int, occasion: Occasion) -> bool:
    """Whether this count has not been claimed."""
    return any(o.occasion is occasion and o.seat == seat for o in p.open[p.rules.side_of(seat)])
