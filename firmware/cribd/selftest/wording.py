"""The texts of the self-test for OLED, terminal and page."""

from __future__ import annotations

from cribd.selftest.results import Results, StepOutcome, StepResult
from cribd.selftest.steps import (
    AllLightsStep,
    Area,
    BoardPart,
    HoleStep,
    KeyStep,
    LightStep,
    ReaderStep,
    ScreenStep,
    SelfTestStep,
    SoundStep,
    part_of,
)
from cribd.selftest.walk import Scene
from cribd.text import Phrases


def name_of(step: SelfTestStep, words: Phrases) -> str:
    """Return the name of what a step tests."""
    match step:
        case KeyStep(key, side):
            name = words.say(f"key.{key}")
            return name if side is None else f"{name} {words.side(side)}"
        case ScreenStep(area):
            return words.say(f"selftest.area.{area}")
        case LightStep(led, gpio=None):
            return words.say("selftest.name.light", place=_place(step, words), number=led)
        case LightStep(gpio=gpio):
            return words.say("selftest.name.light_on_pin", place=_place(step, words), gpio=gpio)
        case AllLightsStep():
            return words.say("selftest.name.all_lights")
        case HoleStep(side, hole):
            return words.say("selftest.place.hole", side=words.side(side), number=hole)
        case SoundStep(sound):
            return words.say(f"selftest.sound.{sound}")
        case ReaderStep(reader):
            return reader


def _place(step: LightStep, words: Phrases) -> str:
    place = step.place
    if place is None:
        return words.say("selftest.place.led", number=step.led)
    return words.say(f"selftest.place.{place.kind}", side=words.side(place.side), number=place.number)


# The OLED


def screen_line(scene: Scene, words: Phrases) -> str:
    """Return the OLED's line that asks for the current step."""
    match scene.step:
        case None:
            return words.say("selftest.screen.over")
        case KeyStep(key, side):
            pressed = words.say(f"key.{key}")
            if side is None:
                return words.say("selftest.screen.key.alone", key=pressed)
            return words.say("selftest.screen.key", side=words.side(side), key=pressed)
        case ScreenStep(Area.ALL):
            return words.say("selftest.screen.all")
        case ScreenStep(area):
            return words.say("selftest.screen.area", area=words.say(f"selftest.area.{area}"))
        case LightStep() as step:
            place = _place(step, words)
            return words.say("selftest.screen.paused", place=place) if scene.paused else place
        case AllLightsStep():
            return words.say("selftest.screen.all_lights")
        case HoleStep(side, hole):
            return words.say("selftest.screen.hole", side=words.side(side), hole=hole)
        case SoundStep() as step:
            return words.say("selftest.screen.sound", sound=name_of(step, words))
        case ReaderStep(reader):
            return words.say("selftest.screen.reader", reader=reader)


def screen_note(scene: Scene, words: Phrases) -> str:
    """Return the OLED's line on what went wrong, or ""."""
    if scene.fault is not None:
        return words.fault(scene.fault)
    if scene.note is None:
        return ""
    match scene.note:
        case StepResult(StepOutcome.UNREADABLE):
            return words.say("selftest.note.unreadable")
        case StepResult(StepOutcome.TOGETHER, None):
            return words.say("selftest.note.keys")
        case StepResult(StepOutcome.TOGETHER, other) if other is not None:
            return words.say("selftest.note.together", other=name_of(other, words))
        case StepResult(_, other) if other is not None:
            return words.say("selftest.note.other", other=name_of(other, words))
    return words.say("selftest.note.unknown")


def screen_hints(scene: Scene, words: Phrases) -> list[str]:
    """Return up to two lines for the OLED that explain the keys."""
    match scene.step:
        case None | KeyStep():
            return []
        case LightStep():
            code = "paused" if scene.paused else "light"
        case ScreenStep() | SoundStep() | AllLightsStep():
            code = "yes"
        case HoleStep():
            code = "press"
        case ReaderStep():
            code = "card"
    return words.say(f"selftest.hint.{code}").split(" | ")


# The terminal and the page


def question(scene: Scene, words: Phrases) -> str:
    """Return the sentence that asks for the current step."""
    match scene.step:
        case None:
            return words.say("selftest.ask.over")
        case KeyStep(key, side):
            pressed = words.say(f"key.{key}")
            if side is None:
                return words.say("selftest.ask.key.alone", key=pressed)
            return words.say("selftest.ask.key", side=words.side(side), key=pressed)
        case ScreenStep() as step:
            return words.say("selftest.ask.screen", area=name_of(step, words))
        case LightStep() as step:
            return words.say(f"selftest.ask.{'paused' if scene.paused else 'light'}", place=name_of(step, words))
        case AllLightsStep():
            return words.say("selftest.ask.all_lights")
        case HoleStep(side, hole):
            return words.say("selftest.ask.hole", side=words.side(side), hole=hole)
        case SoundStep() as step:
            return words.say("selftest.ask.sound", sound=name_of(step, words))
        case ReaderStep(reader):
            return words.say("selftest.ask.reader", reader=reader)


def finding(step: SelfTestStep, result: StepResult, words: Phrases) -> str:
    """Return the result of a step as part of a sentence."""
    part, asked = part_of(step), name_of(step, words)
    other = "" if result.other is None else name_of(result.other, words)
    match result.outcome:
        case StepOutcome.FAULT if result.fault is not None:
            return words.fault(result.fault)
        case StepOutcome.DENIED:
            return words.say(f"selftest.denied.{part}")
        case StepOutcome.MISSED if not isinstance(step, HoleStep | KeyStep | ReaderStep):
            return words.say("selftest.found.unconfirmed")
        case StepOutcome.TOGETHER if not other:
            return words.say("selftest.found.several")
        case StepOutcome.OTHER if not other:
            return words.say("selftest.found.unknown", asked=asked)
        case StepOutcome.OTHER if part is BoardPart.READERS:
            return words.say("selftest.found.other_reader", other=other, asked=asked)
    return words.say(f"selftest.found.{result.outcome}", other=other, asked=asked)


def problem(step: SelfTestStep, result: StepResult, words: Phrases) -> str:
    """Return one line on the result of a step."""
    return words.say("selftest.problem", name=name_of(step, words), found=finding(step, result, words))


def note(scene: Scene, words: Phrases) -> str:
    """Return the sentence on what went wrong, or ""."""
    if scene.step is None:
        return ""
    if scene.fault is not None:
        fault, cause = words.fault(scene.fault), words.cause(scene.fault)
        return words.say("selftest.fault", fault=fault, cause=cause) if cause else fault
    return "" if scene.note is None else finding(scene.step, scene.note, words)


def page_text(scene: Scene, results: Results, words: Phrases) -> dict[str, object]:
    """Return the texts of the self-test's page."""
    bad = [problem(step, result, words) for step, result in results.items() if result.outcome is not StepOutcome.OK]
    return {
        "title": words.say("selftest.page.title"),
        "asked": question(scene, words),
        "note": note(scene, words),
        "count": words.say("selftest.page.count", done=scene.done, total=scene.of),
        "bad": words.say("selftest.page.bad", count=len(bad)),
        "problems": bad,
    }
