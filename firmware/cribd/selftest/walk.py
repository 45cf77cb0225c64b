"""The state machine that leads a person through a self-test.

It reads no clock and opens nothing.
Inputs, answers and time go in; the scene and the results come out. Every step gets one result:

- A hole, key or reader that answers is right. If another one answers, the scene names it, and the walk goes on waiting;
  the second time the same one answers, that is the result.
- A step that nothing answers is missed after `patience_s` seconds, or at the answer YES.
- LEDs are lit one after the other, each for `pace_s` seconds. YES stops at the LED that is lit, or at the one before
  while a finger could not be that quick; then YES calls it dark, GO goes on, NO calls it and all behind it dark.
- A corner or a tone is right at YES, and denied at NO.
- BACK asks the step before once more.
- While a part does not work its steps wait for it for a while, and then have its fault as their result.

A person answers with the keys of the board, except while those are tested, or at the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cribd.inputs import (
    CardRead,
    Fault,
    FaultCleared,
    FaultKind,
    HolePlace,
    HolePressed,
    Input,
    Key,
    KeyHeld,
    KeyPressed,
    KeysTogether,
    MultipleTags,
    ReadFailed,
    TagRead,
)
from cribd.selftest.results import Results, StepOutcome, StepResult
from cribd.selftest.steps import (
    FAULT_OF,
    AllLightsStep,
    HoleStep,
    KeyStep,
    LightStep,
    ReaderStep,
    ScreenStep,
    SelfTestStep,
    SoundStep,
    part_of,
)

#: How long a step waits for a part that does not work.
_FAULT_S = 5.0
#: A finger that answers sooner after an LED was lit meant the LED before.
_REACTION_S = 0.3
#: How often a sound is played until somebody answers.
_SOUND_S = 2.0

_NEVER = float("inf")


class PersonAnswer(StrEnum):
    """The answers that a person can give."""

    YES = "yes"
    GO = "go"
    NO = "no"
    BACK = "back"


ANSWERS = {
    Key.OK: PersonAnswer.YES,
    Key.GO: PersonAnswer.GO,
    Key.CHALLENGE: PersonAnswer.NO,
    Key.UNDO: PersonAnswer.BACK,
}


@dataclass(frozen=True, slots=True)
class Scene:
    """What the board shows of the self-test.

    `of` counts all steps, `done` those with a result, `bad` the failed ones. `note` is what has answered instead.
    `fault` is why the part cannot be tested now. `paused` is true while a person says whether an LED is dark. `plays`
    is how often the sound of this step was begun."""

    step: SelfTestStep | None
    done: int
    of: int
    bad: int
    note: StepResult | None = None
    fault: Fault | None = None
    paused: bool = False
    plays: int = 0


class Walk:
    """The walk through the `steps` of a self-test.

    Call `begin`, then `take`, `answer`, and `due` at `next_due`. `now` is in seconds. Skips the steps in `results`."""

    def __init__(
        self,
        steps: Sequence[SelfTestStep],
        *,
        results: Results | None = None,
        patience_s: float = 30.0,
        pace_s: float = 0.5,
    ) -> None:
        self.steps = tuple(steps)
        self.results: dict[SelfTestStep, StepResult] = {}
        for step in self.steps:
            if results is not None and step in results:
                self.results[step] = results[step]
        self._patience_s = patience_s
        self._pace_s = pace_s
        self._since = 0.0  # when this step was shown, or its last note
        self._note: StepResult | None = None
        self._paused = False
        self._plays = 0
        self._played_at = -_NEVER
        self._faults: dict[Fault, float] = {}
        self._seen: object = None  # the card that the last reader has read: it may lie there still

    @property
    def step(self) -> SelfTestStep | None:
        """The current step; None when every step has a result."""
        return next((step for step in self.steps if step not in self.results), None)

    @property
    def scene(self) -> Scene:
        """The scene to show now."""
        step = self.step
        fault = None if step is None else self._fault_of(step)
        bad = sum(result.outcome is not StepOutcome.OK for result in self.results.values())
        done = len(self.results)
        return Scene(step, done, len(self.steps), bad, self._note, fault, self._paused, self._plays)

    @property
    def next_due(self) -> float:
        """The time to call `due` next; infinite at the end."""
        step = self.step
        if step is None:
            return _NEVER
        if (fault := self._fault_of(step)) is not None:
            return self._faults[fault] + _FAULT_S
        if isinstance(step, LightStep) and not self._paused:
            return self._since + self._pace_s
        missed_at = self._since + self._patience_s
        return min(missed_at, self._played_at + _SOUND_S) if isinstance(step, SoundStep) else missed_at

    def begin(self, now: float) -> None:
        """Show the first step that has no result."""
        self._show(now)

    def due(self, now: float) -> None:
        """If due, end the current step or repeat its sound.

        A late call advances only one step, so that every step is seen."""
        step = self.step
        if step is None or now < self.next_due:
            return
        if (fault := self._fault_of(step)) is not None:
            stuck = fault.kind is FaultKind.BUTTON_STUCK
            self._settle(StepResult(StepOutcome.STUCK) if stuck else StepResult(StepOutcome.FAULT, fault=fault), now)
        elif isinstance(step, LightStep) and not self._paused:
            self._settle(StepResult(StepOutcome.OK), now)
        elif now >= self._since + self._patience_s:
            self._miss(now)
        else:
            self._play(now)

    def take(self, inputs: Sequence[Input], now: float) -> None:
        """Process inputs that a driver or card reader reported together."""
        for given in inputs:
            match given:
                case Fault():
                    self._faults.setdefault(given, now)
                case FaultCleared(kind, where):
                    self._faults.pop(Fault(kind, where), None)
                    self._since = now
        match self.step:
            case HoleStep() as step:
                self._take_holes(step, [given for given in inputs if isinstance(given, HolePressed)], now)
            case KeyStep() as step:
                self._take_keys(step, inputs, now)
                return
            case ReaderStep() as step:
                self._take_cards(step, inputs, now)
        for given in inputs:
            if isinstance(given, KeyPressed) and given.key in ANSWERS:
                self.answer(ANSWERS[given.key], now)

    def answer(self, answer: PersonAnswer, now: float) -> None:
        """Process the answer of a person."""
        if answer is PersonAnswer.BACK:
            self._go_back(now)
            return
        match self.step, answer:
            case LightStep() as step, _:
                self._answer_light(step, answer, now)
            case ((ScreenStep() | SoundStep() | AllLightsStep()), PersonAnswer.YES):
                self._settle(StepResult(StepOutcome.OK), now)
            case ((ScreenStep() | SoundStep() | AllLightsStep()), PersonAnswer.NO):
                self._settle(StepResult(StepOutcome.DENIED), now)
            case ((HoleStep() | KeyStep() | ReaderStep()), PersonAnswer.YES):
                self._miss(now)

    def lit(self, step: SelfTestStep, ms: float) -> None:
        """Note the milliseconds from the press to its light."""
        result = self.results.get(step)
        if result is not None and result.outcome is StepOutcome.OK:
            self.results[step] = replace(result, light_ms=ms)

    # What answers a step

    def _take_holes(self, step: HoleStep, presses: Sequence[HolePressed], now: float) -> None:
        asked = HolePressed(step.side, step.hole)
        others = [press for press in dict.fromkeys(presses) if press != asked]
        if others:
            other = next((hole for hole in self.steps if _is_hole(hole, others[0])), None)
            self._note_other(StepResult(StepOutcome.TOGETHER if asked in presses else StepOutcome.OTHER, other), now)
        elif asked in presses:
            self._settle(StepResult(StepOutcome.OK), now)

    def _take_keys(self, step: KeyStep, inputs: Sequence[Input], now: float) -> None:
        for given in inputs:
            match given:
                case KeyPressed(key, side) | KeyHeld(key, side) if (key, side) == (step.key, step.side):
                    self._settle(StepResult(StepOutcome.OK), now)
                    return
                case KeyPressed(key, side) | KeyHeld(key, side):
                    keys = (other for other in self.steps if isinstance(other, KeyStep))
                    other = next((other for other in keys if (other.key, other.side) == (key, side)), None)
                    self._note_other(StepResult(StepOutcome.OTHER, other), now)
                    return
                case KeysTogether():
                    self._note_other(StepResult(StepOutcome.TOGETHER), now)
                    return

    def _take_cards(self, step: ReaderStep, inputs: Sequence[Input], now: float) -> None:
        for given in inputs:
            match given:
                case CardRead(reader=reader) | TagRead(reader=reader) | MultipleTags(reader=reader):
                    if given == self._seen:
                        continue
                    if reader == step.reader:
                        self._seen = given
                        self._settle(StepResult(StepOutcome.OK), now)
                        return
                    self._note_other(StepResult(StepOutcome.OTHER, ReaderStep(reader)), now)
                    return
                case ReadFailed(reader) if reader == step.reader:
                    self._note_other(StepResult(StepOutcome.UNREADABLE), now)
                    return

    def _note_other(self, note: StepResult, now: float) -> None:
        """Note a wrong answer. The same one again makes the step fail."""
        if note == self._note:
            self._settle(note, now)
        else:
            self._note, self._since = note, now

    def _answer_light(self, step: LightStep, answer: PersonAnswer, now: float) -> None:
        if not self._paused:
            if answer is PersonAnswer.YES:
                at = self.steps.index(step)
                if now < self._since + _REACTION_S and at and isinstance(self.steps[at - 1], LightStep):
                    self.results.pop(self.steps[at - 1], None)
                self._paused, self._since = True, now
            return
        match answer:
            case PersonAnswer.YES:
                self._settle(StepResult(StepOutcome.DARK), now)
            case PersonAnswer.GO:
                self._settle(StepResult(StepOutcome.OK), now)
            case PersonAnswer.NO:
                behind = self.steps[self.steps.index(step) :]
                self.results |= {
                    other: StepResult(StepOutcome.DARK) for other in behind if isinstance(other, LightStep)
                }
                self._show(now)

    # From step to step

    def _miss(self, now: float) -> None:
        self._settle(self._note or StepResult(StepOutcome.MISSED), now)

    def _settle(self, result: StepResult, now: float) -> None:
        step = self.step
        if step is not None:
            self.results[step] = result
            self._show(now)

    def _go_back(self, now: float) -> None:
        step = self.step
        at = len(self.steps) if step is None else self.steps.index(step)
        if step is not None and at:
            self.results.pop(self.steps[at - 1])
            self._show(now)
            self._paused = isinstance(self.step, LightStep)

    def _show(self, now: float) -> None:
        """Show the next step that has no result."""
        self._since, self._note, self._paused, self._plays = now, None, False, 0
        if isinstance(self.step, SoundStep):
            self._play(now)

    def _play(self, now: float) -> None:
        self._plays += 1
        self._played_at = now

    def _fault_of(self, step: SelfTestStep) -> Fault | None:
        """Return the present fault that prevents the test of this step."""
        kind = FAULT_OF[part_of(step)]
        for fault in self._faults:
            if fault.kind is kind and (not isinstance(step, ReaderStep) or fault.where == step.reader):
                return fault
            if fault.kind is FaultKind.BUTTON_STUCK and isinstance(step, HoleStep) and _is_at(fault, step):
                return fault
        return None


def _is_hole(step: SelfTestStep, press: HolePressed) -> bool:
    return isinstance(step, HoleStep) and (step.side, step.hole) == (press.track, press.hole)


def _is_at(fault: Fault, step: HoleStep) -> bool:
    return fault.where == HolePlace(step.side, step.hole)
