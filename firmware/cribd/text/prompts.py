"""Writes the main line and the lines of help.

For a question, a deal, a match and the review of a game; `menu` and `count_judge` build their own.
"""

from __future__ import annotations

from textwrap import wrap

from cribboard.play import ANY_CARD_FITS
from cribboard.rules import Way, read_label
from cribboard.view import Prompt, PromptKind, View
from cribd.storage.outbox import OutcomeStatus
from cribd.table.organiser_desk import EventGame
from cribd.table.rule_sets import RuleSet, options_on
from cribd.table.snapshot import (
    ClubMode,
    ClubStep,
    ConfirmOff,
    CountJudgeMode,
    DeskMessage,
    DeskMessageMode,
    Lobby,
    Menu,
    NamingDealer,
    OfficialMode,
    Playing,
    ReviewMode,
    Snapshot,
    SwitchedOff,
)
from cribd.text import count_judge, menu
from cribd.text.act_lines import HELPED
from cribd.text.lines import LINE, joined_in_lines, shortened
from cribd.text.verdicts import COUNTS, no_single_point
from cribd.text.words import Style, Words

#: Questions with other phrases in another style than that of the screen: to one side, and to all.
IN_STYLE = {
    (Style.PAGE, PromptKind.ACCEPT): ("page.ask.accept", "page.ask.accept_all"),
    (Style.PAGE, PromptKind.UNDO): ("page.ask.undo", "page.ask.undo_all"),
    (Style.SPOKEN, PromptKind.LATE): ("voice.late", "ask.late"),
}
_QUESTIONS = frozenset(
    {PromptKind.UNDO, PromptKind.MISDEAL, PromptKind.EXPOSED_CUT, PromptKind.BREAK_OFF, PromptKind.ROLL_BACK}
)
#: The number of lines on the screen for a word of the desk.
WORD_LINES = 3
_HINTS = {
    PromptKind.CUT: "hint.cut",
    PromptKind.CUT_AGAIN: "hint.cut",
    PromptKind.WHO_DEALS: "hint.who_deals",
    PromptKind.PEG: "hint.peg",
    PromptKind.RELEASE: "hint.release",
    PromptKind.ZERO: "hint.zero",
    PromptKind.POINTS_FIRST: "hint.points_first",
    PromptKind.NINETEEN: "hint.nineteen",
    PromptKind.LATE: "hint.late",
    PromptKind.READ_CRIB: "hint.read_crib",
    PromptKind.UNDO: "hint.question",
    PromptKind.MISDEAL: "hint.question",
    PromptKind.EXPOSED_CUT: "hint.question",
    PromptKind.BREAK_OFF: "hint.question",
    PromptKind.ROLL_BACK: "hint.question",
    PromptKind.READ_STARTER: "hint.unread",
    PromptKind.RESULT: "hint.result",
}


def prompt_line(snapshot: Snapshot, words: Words) -> str:
    """Write the main line, usually who must do what now."""
    match snapshot.mode:
        case CountJudgeMode() as judging:
            return count_judge.prompt_line(judging, words)
        case ReviewMode(view, last):
            return words.say("look.place", number=view.number, last=last)
        case Menu() as opened:
            return menu.prompt_line(opened.current, words)
        case OfficialMode(side):
            return words.say("ask.official", side=words.side(side))
        case DeskMessageMode(what):
            return words.say(f"desk.{what}")
        case ClubMode(step):
            return words.say(f"club.{step}")
        case ConfirmOff():
            return words.say("ask.switch_off")
        case SwitchedOff():
            return words.say("off.now")
        case Lobby() as lobby:
            return _lobby_line(snapshot, lobby, words)
        case NamingDealer(seat):
            return words.filled("ask.name_dealer", {"seat": seat})
        case Playing() if snapshot.view is not None:
            return _game_line(snapshot.view, snapshot.waiting, words)
    return _lobby_line(snapshot, Lobby.START, words)


def _lobby_line(snapshot: Snapshot, lobby: Lobby, words: Words) -> str:
    if snapshot.event is not None and lobby is not Lobby.RESUME:
        return game_due("lobby.event", snapshot.event, words)
    if snapshot.waits is not None and lobby is not Lobby.RESUME:
        if snapshot.entered is OutcomeStatus.KEPT:  # what comes next the desk says with its answer
            return words.say("lobby.waits.desk")
        return words.say("lobby.waits", round=snapshot.waits.round)
    if lobby is Lobby.AGAIN and snapshot.match_over and snapshot.match > 1:
        return words.say("lobby.again_match")
    return words.say("lobby.new_match" if snapshot.ends else f"lobby.{lobby.value}")


def game_due(code: str, event: EventGame, words: Words) -> str:
    """Say that a game of a competition is due."""
    return words.say(f"{code}.play_off" if event.is_play_off else code, round=event.place.round)


def _game_line(view: View, waiting: tuple[int, ...], words: Words) -> str:
    prompt = view.prompt
    if (codes := IN_STYLE.get((words.style, prompt.kind))) is not None:
        return _asked(codes[prompt.side is None], prompt, words)
    match prompt.kind:
        case PromptKind.RESULT if prompt.side is not None:
            return _asked("ask.result_one", prompt, words)
        case PromptKind.RESULT if 0 < len(waiting) < words.sides:
            return words.filled("ask.result_some", {"waiting": waiting})
        case kind if kind in COUNTS and _names_the_occasion(view) and prompt.values["of"] == "play":
            return _asked("ask.count_play", prompt, words)
        case PromptKind.CHALLENGE if not prompt.values["waits"]:
            return _asked("ask.challenge_missed", prompt, words)
        case PromptKind.ACCEPT if prompt.side is None:
            return _asked("ask.accept_all", prompt, words)
        case PromptKind.RENEGE if prompt.side is None:
            return _asked("ask.renege_all", prompt, words)
        case PromptKind.STARTER:
            return _asked("ask.deal_short" if prompt.values.get("four") else "ask.deal", prompt, words)
        case PromptKind.LAY if (view.count or 0) > ANY_CARD_FITS:
            return _asked("ask.lay_or_go", prompt, words)
        case kind if kind in _QUESTIONS and prompt.side is None:
            return _asked(f"ask.{kind.value}_all", prompt, words)
    return _asked(f"ask.{prompt.kind.value}", prompt, words)


def hints(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """Write the lines of help below the main line; often none."""
    match snapshot.mode:
        case CountJudgeMode() as judging:
            return count_judge.hints(judging, words)
        case ReviewMode(view):
            return _review_keys(view, words)
        case Menu() as opened:
            return menu.hints(snapshot, opened.current, words)
        case OfficialMode() as called:
            return _official(called, words)
        case DeskMessageMode(DeskMessage.WORD, word) if words.style is Style.PAGE:
            return (word,)
        case DeskMessageMode(DeskMessage.BY_SLIP):
            return (words.say("event.not_taken"),)
        case DeskMessageMode(DeskMessage.ENDED) if snapshot.entered is not None:
            return _entered(snapshot.entered, words)
        case DeskMessageMode(_, word):
            return tuple(wrap(word, LINE, max_lines=WORD_LINES, placeholder="…"))
        case ClubMode() as shown:
            return _at_club(shown, words)
        case ConfirmOff():
            return (words.say("hint.off_yes"), words.say("hint.off_no"), words.say("hint.off_kept"))
        case SwitchedOff():
            return (words.say("off.plug"), words.say("off.light"), words.say("off.dark"))
        case Lobby() as lobby:
            return _lobby_hints(snapshot, lobby, words)
        case NamingDealer():
            return (words.say("hint.next_name"), words.say("hint.question"))
        case Playing() if snapshot.view is not None:
            return _game_hints(snapshot.view, snapshot.waiting, words)
    return _lobby_hints(snapshot, Lobby.START, words)


def _lobby_hints(snapshot: Snapshot, lobby: Lobby, words: Words) -> tuple[str, ...]:
    if lobby is Lobby.RESUME:
        return (words.say("hint.resume"),)
    shows_accepted = snapshot.event is None and not (snapshot.waits and snapshot.waits.moves)
    if snapshot.entered is not None and (shows_accepted or snapshot.entered is not OutcomeStatus.ACCEPTED):
        waits = () if snapshot.waits is None else (words.say("lobby.waits.menu"),)
        return (*_entered(snapshot.entered, words), *waits)
    if snapshot.waits is not None and snapshot.waits.moves:
        return tuple(_move(name, table, words) for name, table in snapshot.waits.moves)
    if snapshot.waits is not None:
        return (words.say("lobby.waits.table", table=snapshot.waits.table), words.say("lobby.waits.menu"))
    if snapshot.event is not None:
        names = tuple(shortened(name, LINE) for name in snapshot.event.names)
        return names if lobby is Lobby.AGAIN else (*names, *_next_game(snapshot, words))
    if snapshot.ends:
        return (menu.match_ends(snapshot.ends, words), *_next_game(snapshot, words))
    if lobby is Lobby.AGAIN and _shows_the_match(snapshot):
        return _match(snapshot, words)
    return _next_game(snapshot, words)


def _move(name: str, table: int | None, words: Words) -> str:
    """Say at which table a player sits next, if any."""

    def said(name: str) -> str:
        if table is None:
            return words.say("lobby.waits.rests", name=name)
        return words.say("lobby.waits.move", name=name, table=table)

    return said(name if words.style is Style.PAGE else shortened(name, LINE - len(said(""))))


def _entered(entered: OutcomeStatus, words: Words) -> tuple[str, ...]:
    """Say whether the desk has entered the last result."""
    said = words.say(f"event.{entered.value}")
    return (said, words.say("event.disputed.then")) if entered is OutcomeStatus.DISPUTED else (said,)


def _official(called: OfficialMode, words: Words) -> tuple[str, ...]:
    """Write the help while the table waits for an official."""
    captain = words.say("hint.captain") if called.captain else ""
    name = shortened(called.name, LINE)
    return (*(line for line in (captain, name) if line), words.say("hint.official"))


def _at_club(shown: ClubMode, words: Words) -> tuple[str, ...]:
    """Write the lines for joining or leaving a club.

    The first line has the two words to compare, the club's name, or why the joining ended; then come the keys."""
    match shown.step:
        case ClubStep.WORDS | ClubStep.DESK:
            first = " ".join(shown.words)
        case ClubStep.ENDED:
            first = words.say(f"club.why.{shown.why}", **shown.values)
        case _:
            first = shortened(shown.name, LINE)
    keys = ("ok",) if shown.is_over else ("ok", "menu")
    return (*(first,) * bool(first), *(words.say(f"club.{shown.step}.{key}") for key in keys))


def _review_keys(view: View, words: Words) -> tuple[str, ...]:
    """Name the keys for the review of a game."""
    keys, leave = words.say("look.keys"), words.say("look.leave")
    return (keys, leave) if view.count is None else (keys,)


def _game_hints(view: View, waiting: tuple[int, ...], words: Words) -> tuple[str, ...]:
    prompt = view.prompt
    match prompt.kind:
        case PromptKind.STARTER:
            return _how_to_deal(prompt, words)
        case PromptKind.SAME_HOLE:
            return (words.doubt(prompt.values["points"]), _asked("hint.same_hole", prompt, words))
        case PromptKind.CUT_AGAIN if words.players > 2:
            return (_asked("ask.cut", prompt, words), _asked("hint.cut", prompt, words))
        case PromptKind.RELEASE if view.way is Way.TRUST and _takes_the_last_single(view):
            return (words.say("hint.need_two"), _asked("hint.release", prompt, words))
        case PromptKind.READ_HAND:
            if unread := prompt.values.get("unread"):
                return (words.count("hint.read_unread", unread),)
            left = read_label(view.rules).deal_and_play.hand_size - prompt.values["read"]
            return (words.count("hint.read_hand", left),)
        case PromptKind.RELEASE | PromptKind.ZERO if _names_the_occasion(view):
            return (words.say(f"of.{prompt.values['of']}"), _asked(_HINTS[prompt.kind], prompt, words))
        case kind if kind in COUNTS and view.telling in HELPED and not view.silent:
            return (*_barred(view, words), words.say("remind.look_for"), words.say("remind.and"))
        case PromptKind.COUNT_HAND | PromptKind.COUNT_CRIB:
            return (words.say("hint.count"), *_barred(view, words))
        case PromptKind.LEAD | PromptKind.LAY | PromptKind.LAY_AFTER_GO if any(laid.card is None for laid in view.laid):
            return (words.say("hint.count_unknown"), *_barred(view, words))
        case PromptKind.LEAD | PromptKind.LAY | PromptKind.LAY_AFTER_GO:
            return _barred(view, words)
        case PromptKind.CHALLENGE:
            return _how_to_challenge(view, words)
        case PromptKind.MUGGINS:
            return (words.say("hint.release"), words.say("hint.no_challenge"))
        case PromptKind.GAME_CLAIMED if prompt.side is None:
            return (words.say("hint.game_claimed"),)
        case PromptKind.GAME_CLAIMED:
            return (_asked("ask.accept", prompt, words),)
        case PromptKind.RENEGE:
            return (words.say("hint.play_on"), words.say("hint.lies_dead"))
    code = _HINTS.get(prompt.kind)
    hints = (_asked(code, prompt, words),) if code else ()
    missing = prompt.kind in _QUESTIONS and prompt.side is None and 0 < len(waiting) < words.sides
    return (words.filled("hint.waiting", {"waiting": waiting}), *hints) if missing else hints


def _names_the_occasion(view: View) -> bool:
    """Whether the screen must say what a call is for.

    At the show of a silent game, a call may be for the play or for the hand."""
    return view.silent and bool(view.counted) and "of" in view.prompt.values


def _how_to_challenge(view: View, words: Words) -> tuple[str, ...]:
    """Write how to claim missed points or withdraw the challenge.

    With three sides the first line says whose call it is, and how to withdraw is left out."""
    whose = (_asked("hint.whose_call", view.prompt, words),) if words.sides > 2 else ()
    return (*whose, words.say("hint.missed"), words.say("hint.no_challenge"))[:2]


def _barred(view: View, words: Words) -> tuple[str, ...]:
    """Write the warning for a side that may not peg single points."""
    side = view.prompt.side
    return () if side is None or not view.sides[side].barred else (no_single_point(view, side, words),)


def _how_to_deal(prompt: Prompt, words: Words) -> tuple[str, ...]:
    """List the steps of a deal."""
    values = prompt.values
    steps = ["step.four", "step.others_discard"] if values.get("four") else ["step.discard"]
    if values.get("buried"):
        steps.append("step.buried")
    if values.get("from_pack"):
        steps.append("step.from_pack")
    steps.append("step.cut" if words.players > 2 else "ask.starter")
    return tuple(_asked(step, prompt, words) for step in steps)


def _shows_the_match(snapshot: Snapshot) -> bool:
    """Whether the offer of another game shows how the match stands.

    It does if the next game has the same rules and scoring, or if a match was just won."""
    last = snapshot.view
    as_before = last is None or (last.rules, last.way) == (snapshot.rules.rules.label, snapshot.way)
    return as_before or (snapshot.match_over and snapshot.match > 1)


def _next_game(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """Name the next game's rules, scoring and options."""
    rules, options = words.rules(snapshot.rules), _options(snapshot.rules, words)
    both = words.say("hint.start_of", rules=rules, way=words.say(f"way_in_short.{snapshot.way}"))
    if len(both) <= LINE:
        return (both, *options)
    way = words.say("hint.start", way=words.way(snapshot.way))
    return (words.say("hint.rules", rules=rules), way, *options)


def _options(rules: RuleSet, words: Words) -> list[str]:
    if rules.title != rules.rules.name:
        return []
    names = [words.say(f"option.{rules.title}.{option}") for option in options_on(rules.rules)]
    if "telling" in rules.rules.changes:
        names.append(words.say("option.telling", telling=words.say(f"telling.{rules.rules.claims.telling}")))
    return [line.capitalize() for line in joined_in_lines(names)]


def _match(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """Say how the match ended or how it is won.

    For a match of one game, name its rules and options or, if these are too long, only the options."""
    if snapshot.match == 1:
        rules, options = (
            words.say("hint.rules", rules=words.rules(snapshot.rules)),
            _options(snapshot.rules, words),
        )
        return (rules, *options) if len(options) < 2 else tuple(options)
    if not snapshot.match_over:
        return (words.say(f"match.{snapshot.standings.value}", games=snapshot.match),)
    if snapshot.match_winner is None:
        return (words.say("match.level"),)
    return (words.say("match.won", side=words.side(snapshot.match_winner)),)


def _asked(code: str, prompt: Prompt, words: Words) -> str:
    return words.filled(code, {"side": prompt.side, **prompt.values})


def _takes_the_last_single(view: View) -> bool:
    """Whether only a forbidden single point would win the game.

    The board only reminds, because it does not know what is counted."""
    claim = view.claim
    if claim is None or claim.points != 1:
        return False
    side = view.sides[claim.side]
    return side.barred and side.score + 1 == view.target
