"""Does long work in a thread, with pauses.

A thread that computes holds Python's lock, and takes the processor from the others where there is little of it. So it
works a third of the time, and stands still while a press is answered. `sys.setprofile` calls back at each call of a
function in the thread, so nothing that is done there need be written for it; that makes the work a third longer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from typing import TypeVar

from cribd.clock import Clock

T = TypeVar("T")

#: How many calls and returns pass between two looks at the clock, and the least time of work between two rests.
_CALLS, _WORK_S = 32, 0.001
#: How long the thread rests, as a multiple of the time that it has worked, so that presses are noticed.
_REST = 2
#: A rest that ends this late shows that there was no processor time for anybody. It goes on this many times as long.
_LATE_S, _LONGER = 0.001, 3
#: How often a waiting thread looks whether it may go on.
_LOOK_S = 0.004
#: The longest wait for a press: a contact that never settles must not keep the work from its end.
_PATIENCE_S = 10.0


def throttled(work: Callable[[], T], *, clock: Clock, is_answering: Callable[[], bool]) -> T:
    """Do `work` in this thread, with pauses."""
    passed = count(1)
    since, patience = clock.now(), _PATIENCE_S

    def rest(seconds: float) -> None:
        ends = clock.now() + seconds
        clock.wait(seconds)
        if clock.now() > ends + _LATE_S:
            clock.wait(_LONGER * seconds)

    def pause(*_: object) -> None:
        nonlocal since, patience
        if next(passed) % _CALLS:
            return
        worked = clock.now() - since
        if not (answering := is_answering()):
            patience = _PATIENCE_S
        if patience <= 0 or not answering:
            if worked < _WORK_S:
                return
            rest(_REST * worked)
        while patience > 0 and is_answering():
            clock.wait(_LOOK_S)
            patience -= _LOOK_S
        since = clock.now()

    before = sys.getprofile()
    sys.setprofile(pause)
    try:
        return work()
    finally:
        sys.setprofile(before)
