"""Asks a running board for its faults.

The doctor cannot open the parts that the board uses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cribd.causes import Message, cause
from cribd.doctor.findings import CheckGroup, Finding, Installation, fault, not_looked_at, ok, warning
from cribd.doctor.service import UNIT, unit_state
from cribd.inputs import FaultKind
from cribd.storage.open_journal import is_played_on

#: How long the board may take to answer.
_TIMEOUT_S = 10.0
_GROUPS = {
    FaultKind.SCREEN_AWAY: CheckGroup.OLED,
    FaultKind.LIGHTS_AWAY: CheckGroup.STRIP,
    FaultKind.CHAIN_BROKEN: CheckGroup.BUTTONS,
    FaultKind.BUTTON_STUCK: CheckGroup.BUTTONS,
    FaultKind.KEYS_AWAY: CheckGroup.KEYS,
    FaultKind.READER_SILENT: CheckGroup.READERS,
    FaultKind.BUZZER_AWAY: CheckGroup.SOUND,
    FaultKind.VOICE_AWAY: CheckGroup.SOUND,
    FaultKind.UNDERVOLTAGE: CheckGroup.POWER,
    FaultKind.JOURNAL_AWAY: CheckGroup.JOURNAL,
    FaultKind.JOURNAL_HURT: CheckGroup.JOURNAL,
    FaultKind.JOURNAL_REBUILT: CheckGroup.JOURNAL,
    FaultKind.JOURNAL_SET_ASIDE: CheckGroup.JOURNAL,
    FaultKind.JOURNAL_SHORT: CheckGroup.JOURNAL,
    FaultKind.GAME_DAMAGED: CheckGroup.JOURNAL,
    FaultKind.HUB_NEWER: CheckGroup.UPDATE,
    FaultKind.CANNOT_PLAY: CheckGroup.UPDATE,
    FaultKind.NOT_IN_CLUB: CheckGroup.NETWORK,
}
#: Faults with which a game goes on as before.
_WARNED = (
    *(FaultKind.BUTTON_STUCK, FaultKind.VOICE_AWAY, FaultKind.BUZZER_AWAY, FaultKind.JOURNAL_REBUILT),
    *(FaultKind.HUB_NEWER, FaultKind.CANNOT_PLAY, FaultKind.NOT_IN_CLUB),
)


@dataclass(frozen=True, slots=True)
class BoardFault:
    """A fault that the running board reports, in words."""

    kind: FaultKind
    text: str
    cause: str


#: The faults of the running board, or why it could not be asked.
BoardAnswer = Sequence[BoardFault] | Finding


def is_running(at: Installation) -> bool:
    """Whether a board uses this journal, or the service is running or starting."""
    if is_played_on(at.config.journal_path):
        return True
    try:
        return unit_state(at).get("ActiveState") in ("active", "activating", "reloading")
    except OSError:
        return False


def ask_board(at: Installation, language: str) -> BoardAnswer | None:
    """Ask the running board for its faults.

    Returns None if no board is running, and a finding if the board cannot be asked or does not answer."""
    if not is_running(at):
        return None
    import http.client

    page = at.config.page
    if page.port is None:
        return not_looked_at(Message("doctor.board.no_pages", "the board runs and serves no pages"), _stop())
    host = "127.0.0.1" if page.host in ("0.0.0.0", "::", "localhost") else page.host
    connection = http.client.HTTPConnection(host, page.port, timeout=_TIMEOUT_S)
    try:
        connection.request("GET", "/table/faults")
        answer = connection.getresponse()
        if answer.status != 200:
            raise http.client.HTTPException(f"HTTP {answer.status}")
        return [
            BoardFault(FaultKind(reported["kind"]), reported["text"][language], reported["cause"][language])
            for reported in json.loads(answer.read())
        ]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as wrong:
        silent = Message("doctor.board.silent", "the board runs, but does not tell its faults: {why}", why=cause(wrong))
        return not_looked_at(silent, _stop())
    finally:
        connection.close()


def findings_of(answer: BoardAnswer, group: CheckGroup, *, skips_checks: bool) -> Iterator[Finding]:
    """Yield the findings for a group from the board's answer.

    `skips_checks`: the doctor leaves out checks of the group."""
    if isinstance(answer, Finding):
        if skips_checks:
            yield answer
        return
    found = [wrong for wrong in answer if _GROUPS.get(wrong.kind) is group]
    for wrong in found:
        says = (
            Message("doctor.board.fault", "the running board says: {fault} ({why})", fault=wrong.text, why=wrong.cause)
            if wrong.cause
            else Message("doctor.board.fault_alone", "the running board says: {fault}", fault=wrong.text)
        )
        yield warning(says, _stop()) if wrong.kind in _WARNED else fault(says, _stop())
    if skips_checks and group not in _GROUPS.values():
        yield not_looked_at(Message("doctor.board.holds", "the running service uses it"))
    elif skips_checks and not found:
        yield ok(Message("doctor.board.right", "the running board reports no fault of it"))


def _stop() -> Message:
    return Message(
        "doctor.board.stop",
        "Stop the board (`sudo systemctl stop {unit}`) and run the doctor again: then it examines the part itself.",
        unit=UNIT,
    )
