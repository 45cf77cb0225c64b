"""The count judge on a page: the same answers as the judge itself gives, in words of every language."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.support.catalogues import phrase
from tests.support.evenings import BLUE, OK, RED_DEALS, cards
from tests.support.kiosk_rooms import House, house

from cribboard import PACK, RULES, Card
from cribboard.count_judge import CountJudge
from cribboard.rules import changed
from cribd.table.count_judge_mode import closed_to
from cribd.table.rule_sets import PRESETS
from cribd.text import languages
from cribd.web.http.worker import WAITING
from cribd.web.kiosk.count_judge import routes as verify

LANGUAGES = ("en", "fr_CA")
NOTHING = "2H 4C 6D 8S TC"
TEN = "4C 5H 6S JD KD"
#: How TEN is counted: what each step makes, and the total after it.
TEN_STEPS = (("fifteen", 2), ("fifteen", 4), ("fifteen", 6), ("run", 9), ("nobs", 10))

Translations = dict[str, str]
"""What is told in each language."""
NO_WORDS: Translations = dict.fromkeys(LANGUAGES, "")


def wording(code: str, **values: object) -> Translations:
    """A phrase of the page with these values."""
    return {language: phrase(f"page.verify.{code}", language, **values) for language in LANGUAGES}


def aloud(language: str, *steps: tuple[str, int]) -> str:
    """A count as players say it. A run is one of three."""
    three = phrase("number.3", language)
    said = [
        phrase(f"cadence.{made}", language, total=phrase(f"number.{total}", language), size=three)
        for made, total in steps
    ]
    if len(said) > 1:
        said[-1] = phrase("cadence.and", language, step=said[-1])
    return ", ".join(said)


def counted(*steps: tuple[str, int]) -> Translations:
    """A count as a sentence of the page, with a capital."""
    said = {language: aloud(language, *steps) for language in LANGUAGES}
    return {language: text[0].upper() + text[1:] for language, text in said.items()}


async def test_a_right_call_is_answered_step_by_step_with_cards(home: House) -> None:
    answer = await home.judge(TEN, 10)
    assert (answer["verdict"], answer["due"], answer["impossible"]) == ("exact", 10, False)
    assert [(step["cards"], step["total"]) for step in answer["steps"]] == [
        (["5H", "JD"], 2),
        (["5H", "KD"], 4),
        (["4C", "5H", "6S"], 6),
        (["4C", "5H", "6S"], 9),
        (["JD"], 10),
    ]
    assert answer["said"] == {language: aloud(language, *TEN_STEPS) for language in LANGUAGES}


@pytest.mark.parametrize(
    ("called", "verdict", "impossible"),
    [(16, "exact", False), (17, "too_many", False), (12, "too_few", False), (19, "impossible", True)],
)
async def test_a_called_number_is_right_or_wrong(home: House, called: int, verdict: str, impossible: bool) -> None:
    answer = await home.judge("6C 7S 8D 8H 9S", called)
    assert (answer["verdict"], answer["impossible"], answer["due"]) == (verdict, impossible, 16)


async def test_nineteen_for_nothing_is_right(home: House) -> None:
    answer = await home.judge("2H 4C 6D 8S TC", 19)
    assert (answer["verdict"], answer["jest"], answer["due"], answer["steps"]) == ("exact", True, 0, [])


async def test_without_a_call_it_only_counts(home: House) -> None:
    answer = await home.judge("5H 5C 5S JD 5D")
    assert (answer["due"], "verdict" in answer) == (29, False)


async def test_a_crib_has_a_flush_of_its_own_and_five_card_a_shorter_hand(home: House) -> None:
    assert (await home.judge("2H 6H 9H TH KS", crib=False))["due"] == 6
    assert (await home.judge("2H 6H 9H TH KS", crib=True))["due"] == 2
    label = RULES["five-card"].label
    answer = await home.judge("2H 6H TH 5S", 16, rules=label)
    assert (answer["missing"], answer["verdict"]) == (0, "impossible")


async def test_with_fewer_cards_it_lists_what_would_fit(home: House) -> None:
    answer = await home.judge("TD JC QC QD", 17)
    assert (answer["missing"], answer["fits"]["starters"], answer["fits"]["possible"]) == (1, ["5C", "TC"], 48)
    answer = await home.judge("TD JC QC", 17)
    assert answer["missing"] == 2
    fits = CountJudge().with_cards(Card.parse_many("TD JC QC")).fits(17)
    assert (answer["fits"]["ways"], answer["fits"]["left_out"]) == (fits.ways, fits.left_out)
    assert answer["fits"]["leftOut"] == fits.left_out
    assert [each["ways"] for each in answer["fits"]["listed"]] == [fit.ways for fit in fits.listed] != []
    assert (await home.judge("TD", 17))["fits"] is None
    assert (await home.judge("TD JC QC", 19))["fits"]["ways"] == 0


@pytest.mark.parametrize(
    ("cards", "called", "crib", "said", "why"),
    [
        (TEN, 10, False, wording("right", due=10), counted(*TEN_STEPS)),
        (TEN, 12, False, wording("wrong", due=10), wording("too_many", n=2)),
        (TEN, 7, False, wording("wrong", due=10), wording("too_few", n=3)),
        (TEN, 19, False, wording("no_hand", number=19), wording("it_is", due=10)),
        (TEN, 19, True, wording("no_crib", number=19), wording("it_is", due=10)),
        (TEN, None, False, wording("counts", n=10), counted(*TEN_STEPS)),
        (NOTHING, 0, False, wording("right", due=0), counted(("nothing", 0))),
        (NOTHING, 19, False, wording("jest"), wording("jest.why")),
        ("TD JC QC QD", 17, False, wording("fits", called=17), wording("ways", n=2, ways=2, possible=48)),
        (
            "7C 7H 8S", 24, False, wording("fits", called=24),
            {
                "en": phrase("page.verify.ways", "en", n=48, ways=48, possible="2,352"),
                "fr_CA": phrase("page.verify.ways", "fr_CA", n=48, ways=48, possible="2\u00a0352"),
            },
        ),
        ("TD JC QC QD", 28, False, wording("nothing_fits", called=28), NO_WORDS),
        ("TD", 19, True, wording("no_crib", number=19), NO_WORDS),
        ("TD", 17, False, wording("too_early"), wording("too_early.why")),
    ],
)  # fmt: skip
async def test_the_answer_comes_in_words_if_they_are_asked_for(
    home: House, cards: str, called: int | None, crib: bool, said: Translations, why: Translations
) -> None:
    answer = await home.judge(cards, called, crib=crib, words=True)
    words = answer.pop("words")
    assert words.keys() == set(languages())
    for language in LANGUAGES:
        assert words[language] == {"said": said[language], "why": why[language]}
    assert answer == await home.judge(cards, called, crib=crib), "and else it is the same"


@pytest.mark.parametrize(
    "otherwise",
    [
        {"cards": ["5H", "5H"]},
        {"cards": ["ZZ"]},
        {"cards": [5]},
        {"cards": "5H"},
        {"cards": [str(card) for card in PACK[:6]]},
        {"crib": 1},
        {"rules": "whist"},
        {"rules": None},
        {"called": -1},
        {"called": 100},
        {"called": True},
        {"called": "12"},
        {"called": 1.5},
        {"words": "en"},
    ],
)
async def test_cards_and_numbers_that_cannot_be_judged_are_refused(home: House, otherwise: dict[str, Any]) -> None:
    asked = {"cards": ["5H"], "crib": False, "rules": RULES["six-card"].label, "called": 2} | otherwise
    assert (await home.post("/verify/judge", asked)).status == 400
    del asked["called"]
    assert (await home.post("/verify/judge", asked)).status == 400


async def test_the_count_judge_page_does_not_disturb_a_game(home: House) -> None:
    await home.table.post(*RED_DEALS, *cards("5H"))
    before = home.table.now
    assert (await home.judge("5H 5C 5S JD 5D", 29))["verdict"] == "exact"
    assert home.table.now is before


async def test_the_rules_to_choose_say_how_many_cards_and_which_numbers_are_impossible(home: House) -> None:
    payload = await (await home.client.get("/verify/rules")).json()
    assert payload["played"] == RULES["six-card"].label
    by_label = {each["label"]: each for each in payload["rules"]}
    assert len(by_label) == len(RULES)
    five = by_label[RULES["five-card"].label]
    assert five["hand"] == {"cards": 3, "most": 20, "impossible": [16, 17, 18, 19]}
    assert five["crib"] == {"cards": 4, "most": 29, "impossible": [19, 25, 26, 27]}
    assert five["name"]["en"] != five["name"]["fr_CA"]


async def test_when_too_many_ask_at_once_some_must_ask_again(home: House) -> None:
    """Each takes a while: a disk that is busy holds up all work that is done aside."""
    home.table.clock.free.clear()
    asked = {"cards": ["5H", "5C"], "crib": False, "rules": RULES["six-card"].label, "called": 12}
    answers = [asyncio.create_task(home.post("/verify/judge", asked)) for _ in range(WAITING + 2)]
    await home.until(lambda: sum(answer.done() for answer in answers) == 2)
    home.table.clock.free.set()
    assert sorted([(await answer).status for answer in answers]) == [200] * WAITING + [503] * 2


async def test_after_a_long_count_the_next_waits_until_it_has_rested(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, clock = verify.answer, home.table.clock

    def slowly(*given: Any) -> dict[str, Any]:
        clock.wait(0.5)
        return answer(*given)

    monkeypatch.setattr(verify, "answer", slowly)
    begun = clock.now()
    both = asyncio.gather(home.judge("5H 5C 5S JD 5D", 29), home.judge("4C 5H 6S JD KD", 10))
    while not both.done():
        await clock.advance(0.05)
        await asyncio.sleep(0.001)
    assert [verdict["verdict"] for verdict in await both] == ["exact", "exact"]
    assert clock.now() - begun >= 1.5


def test_every_answer_is_json_and_has_every_language() -> None:
    question = verify.read(
        {"cards": ["5H", "5C", "5S", "JD", "5D"], "crib": False, "rules": PRESETS[0].rules.label, "called": None},
        PRESETS,
    )
    answer = verify.answer(question)
    assert set(answer["said"]) == set(languages())
    assert all(set(step["said"]) == set(languages()) for step in answer["steps"])


SILENT = changed(RULES["six-card"], {"telling": "tournament"})


def closed_cards(home: House) -> frozenset[Card]:
    """The cards that the running deal has shown, while its game keeps silent about them."""
    p = home.table.table.position
    return frozenset() if p is None or not closed_to(p) else frozenset(card for card in PACK if p.seen(card))


async def test_the_judge_is_open_while_nothing_of_a_deal_is_shown(tmp_path: Path) -> None:
    async with house(tmp_path, rules=SILENT) as home:
        assert closed_cards(home) == frozenset()
        await home.table.post(OK[BLUE])
        assert closed_cards(home) == frozenset()


@pytest.mark.parametrize("laid", ["5H TC", "9H TC"], ids=["fifteen is due", "nothing is due"])
async def test_a_silent_game_closes_the_cards_that_its_deal_has_shown_whatever_is_due(
    tmp_path: Path, laid: str
) -> None:
    async with house(tmp_path, rules=SILENT) as home:
        await home.table.post(*RED_DEALS, *cards(laid))
        shown = Card.parse_many(f"6C {laid}")
        assert closed_cards(home) == frozenset(shown)
        for card in shown:
            for others in ("2S 3S 4S", "2S 3S 4S 8D"):
                assert await home.judge(f"{card} {others}", 12) == {"closed": True}
        answer = await home.judge("6C 2S 3S 4S", 12, words=True)
        assert answer.pop("words")["en"] == {
            "said": phrase("page.verify.closed"),
            "why": phrase("page.verify.closed.why"),
        }
        assert answer == {"closed": True}
        assert "fits" in await home.judge("2S 3S 4S 8D", 12), "other cards are counted meanwhile"


async def test_in_a_game_that_tells_the_count_judge_page_stays_open(home: House) -> None:
    await home.table.post(*RED_DEALS, *cards("5H TC"))
    assert closed_cards(home) == frozenset()
    assert (await home.judge("6C 5H TC JD 5D", 2))["verdict"]
