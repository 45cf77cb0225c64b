"""The report of a self-test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

from cribd.selftest.results import Results, StepOutcome
from cribd.selftest.steps import SelfTestStep, part_of
from cribd.selftest.wording import name_of, problem
from cribd.text import Phrases


def report(steps: tuple[SelfTestStep, ...], results: Results, words: Phrases) -> Iterator[str]:
    """Yield the lines of the report."""
    totals = Counter(map(part_of, steps))
    for part, total in totals.items():
        found = {step: results[step] for step in steps if step in results and part_of(step) is part}
        bad = {step: result for step, result in found.items() if result.outcome is not StepOutcome.OK}
        name = words.say(f"selftest.part.{part}")
        yield words.say("selftest.report.part", part=name, right=len(found) - len(bad), total=total)
        yield from (f"  {problem(step, result, words)}" for step, result in bad.items())
    yield from _exchanged(results, words)
    times = [result.light_ms for result in results.values() if result.light_ms is not None]
    if times:
        yield words.say("selftest.report.light_ms", median=round(median(times)), longest=round(max(times)))
    if any(result.outcome is StepOutcome.FAULT for result in results.values()):
        yield words.say("selftest.report.doctor")
    if left := len(steps) - len(results):
        yield words.count("selftest.report.left", left)
    elif all(result.outcome is StepOutcome.OK for result in results.values()):
        yield words.say("selftest.report.right")


def _exchanged(results: Results, words: Phrases) -> Iterator[str]:
    """Yield a line for each pair of inputs that seem exchanged."""
    answered = {step: result.other for step, result in results.items() if result.outcome is StepOutcome.OTHER}
    said: set[SelfTestStep] = set()
    for step, other in answered.items():
        if other is not None and answered.get(other) == step and step not in said:
            said.add(other)
            yield words.say("selftest.report.exchanged", one=name_of(step, words), other=name_of(other, words))
