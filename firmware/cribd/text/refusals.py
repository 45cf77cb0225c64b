"""Puts refusals and faults into words."""

from __future__ import annotations

from cribd.inputs import ChipPlace, Fault, FaultKind, HolePlace
from cribd.table.snapshot import Refusal
from cribd.text.lines import LINE
from cribd.text.words import Words

#: The name of a reader to which the owner has given none.
_ONE_READER = "reader"

#: Refusals after which only the main line helps: it says what to do, and the room is for the scores.
_MAIN_LINE_SAYS = frozenset(
    {
        "gone_on",
        "key_means_nothing",
        "no_card_now",
        "no_dealer_now",
        "no_renege",
        "no_score_now",
        "no_such_rules",
        "no_such_seat",
        "not_playing",
        "nothing_asked",
        "nothing_to_roll_back",
        "nothing_unread",
        "nothing_to_undo",
    }
)


def refusal(refused: Refusal, words: Words) -> tuple[str, ...]:
    """Say why a press or scan did nothing.

    If the main line does not say what to do instead, a second line does. A refusal does not know the table: `words`
    must be `seated_for` it."""
    wrong = _wrong(refused, words)
    if refused.code in _MAIN_LINE_SAYS:
        return (wrong,)
    return wrong, words.filled(f"instead.{refused.code}", refused.values)


def _wrong(refused: Refusal, words: Words) -> str:
    code, values = f"refusal.{refused.code}", refused.values
    match refused.code:
        case "same_hole_again":
            return words.doubt(values["points"])
        case "past_the_end":
            return words.count(code, values["left"])
    return words.filled(code, values)


def fault(broken: Fault, words: Words) -> str:
    """Say what is wrong with the board."""
    code = f"fault.{broken.kind.value}"
    match broken.where:
        case HolePlace(track, hole):
            return words.say(code, side=words.side(track), hole=hole)
        case ChipPlace(number):
            return words.say("fault.chip", chip=number)
        case str(name) if broken.kind is FaultKind.READER_SILENT and name != _ONE_READER:
            return _of_reader(name, words)
    return words.say(code)


def _of_reader(name: str, words: Words) -> str:
    """Say that the card reader `name` does not answer."""
    for length in range(len(name), 0, -1):
        text = words.say("fault.reader_silent.named", name=name if length == len(name) else f"{name[:length]}…")
        if len(text) <= LINE:
            return text
    return words.say("fault.reader_silent")
