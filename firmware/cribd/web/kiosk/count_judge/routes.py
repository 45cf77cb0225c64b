"""The count judge of `/verify`, with questions and answers in JSON.

`cribboard.count_judge` judges, and `cribd.text` words it, as for the screen. If the question has `"words": true`, the
answer has the two lines that the page shows. Nothing here knows a game: the table says which questions may be about the
running deal, and those get no answer (design law 9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from aiohttp import web

from cribboard.cards import Card, NotationError, Rank
from cribboard.count_judge import CountJudge, Fits, Judgment, NotJudged
from cribboard.scoring import Score
from cribd.clock import Clock
from cribd.table.rule_sets import RuleSet
from cribd.text import Phrases, count_in_words, count_judge, in_every_language
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.worker import Worker

#: The numbers that may be called.
_CALLED = range(100)
#: The answer to a request that is not a valid question.
_ASK = (
    "A question has cards (as 5H, the starter last), crib (true or false), rules (a label of /verify/rules) and called "
    "(0 to 99, or null), and may have words (true or false).\n"
)


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """A question to the judge: cards, and perhaps a called number.

    `worded`: whether the answer needs words too."""

    judge: CountJudge
    called: int | None
    worded: bool = False


class Verify:
    """The routes of the count judge at `/verify`.

    `closes` says whether a question may be about the running deal, `offered` are the rules to count by, `chosen` gives
    those of the game."""

    def __init__(
        self,
        closes: Callable[[CountJudge], bool],
        *,
        offered: Sequence[RuleSet],
        chosen: Callable[[], RuleSet],
        clock: Clock,
    ) -> None:
        self._closes = closes
        self._offered = offered
        self._chosen = chosen
        self._bodies = JsonBodyReader(clock)
        self._worker = Worker(clock)

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/verify/rules", self._rules)
        app.router.add_post("/verify/judge", self._judge)

    async def _rules(self, _request: web.Request) -> web.Response:
        title = self._chosen().title
        played = next((rule_set.rules.label for rule_set in self._offered if rule_set.title == title), None)
        return web.json_response({"rules": rules_to_choose(self._offered), "played": played})

    async def _judge(self, request: web.Request) -> web.Response:
        """Answer a question, but give no count of the running deal."""
        question = read(await self._bodies.read(request), self._offered)
        if self._closes(question.judge):
            closed: dict[str, Any] = {"closed": True}
            if question.worded:
                closed["words"] = _worded(count_judge.closed_on_page)
            return web.json_response(closed)
        return web.json_response(await self._worker.run(partial(answer, question), request))


def read(payload: object, offered: Sequence[RuleSet]) -> JudgeQuestion:
    """Read a question, with the starter as its last card.

    Raises HTTPBadRequest for invalid cards, rules or an invalid number."""
    match payload:
        case {"cards": list(cards), "crib": bool(crib), "rules": str(label), "called": int() | None as called, **more}:
            worded = more.get("words", False)
        case _:
            raise web.HTTPBadRequest(text=_ASK)
    rules = next((rule_set.rules for rule_set in offered if rule_set.rules.label == label), None)
    is_number = called is None or (not isinstance(called, bool) and called in _CALLED)
    if rules is None or not is_number or not isinstance(worded, bool):
        raise web.HTTPBadRequest(text=_ASK)
    try:
        judge = CountJudge(rules=rules).as_crib(crib).with_cards(Card.parse(card) for card in cards)
    except (NotationError, NotJudged, TypeError):
        raise web.HTTPBadRequest(text=_ASK) from None
    return JudgeQuestion(judge, called, worded)


def answer(question: JudgeQuestion) -> dict[str, Any]:
    """Return the count judge's answer to a question, as JSON values.

    This takes tenths of a second if three cards are missing."""
    judge, called = question.judge, question.called
    payload: dict[str, Any] = {"called": called, "missing": judge.missing}
    if called is not None:
        payload["impossible"] = judge.is_impossible(called)
    try:
        judged = judge.answer(called)
    except NotJudged:
        judged = None
    match judged:
        case Judgment(score=score):
            payload |= _counted(score) | {"verdict": judged.verdict.name.lower(), "jest": judged.in_jest}
        case Score() as score:
            payload |= _counted(score)
        case Fits() as fits:
            payload["fits"] = _fits(fits)
        case None if called is not None:
            payload["fits"] = None
    if question.worded:
        payload["words"] = _worded(partial(count_judge.on_page, judge, called, judged))
    return payload


def _worded(lines: Callable[[Phrases], tuple[str, str]]) -> dict[str, dict[str, str]]:
    """Return the headline and the reason in every language."""
    return in_every_language(lambda phrases: dict(zip(("said", "why"), lines(phrases), strict=True)))


def _counted(score: Score) -> dict[str, Any]:
    steps = [
        {
            "cards": [str(card) for card in step.cards],
            "points": step.points,
            "total": step.total,
            "said": in_every_language(partial(count_in_words.step_in_words, step)),
        }
        for step in count_in_words.steps(score)
    ]
    return {"due": score.total, "steps": steps, "said": in_every_language(partial(count_in_words.count_spoken, score))}


def _fits(fits: Fits) -> dict[str, Any]:
    return {
        "ways": fits.ways,
        "possible": fits.possible,
        "starters": [str(card) for card in fits.starters],
        "listed": [
            {"hand": _ranks(fit.hand), "starters": _ranks(fit.starters), "some": _ranks(fit.some), "ways": fit.ways}
            for fit in fits.listed
        ],
        "left_out": fits.left_out,
        "leftOut": fits.left_out,
    }


def _ranks(ranks: Sequence[Rank]) -> list[str]:
    return [rank.letter for rank in ranks]


def rules_to_choose(offered: Sequence[RuleSet]) -> list[dict[str, Any]]:
    """List the rules to choose from, as JSON values."""
    return [
        {
            "label": rule_set.rules.label,
            "name": in_every_language(partial(title, rule_set)),
            **{name: _made_of(CountJudge(rules=rule_set.rules).as_crib(name == "crib")) for name in ("hand", "crib")},
        }
        for rule_set in offered
    ]


def title(rules: RuleSet, phrases: Phrases) -> str:
    """Return the title that a page shows for these rules.

    A preset has a translated title, house rules have that of their file."""
    return phrases.rules(rules) if rules.is_preset else rules.title


def _made_of(judge: CountJudge) -> dict[str, Any]:
    return {"cards": judge.size, "most": judge.most, "impossible": judge.impossible}
