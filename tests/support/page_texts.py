"""Every text of every page in every phase: what is shown, and what a screen reader is given.

The phases are snapshots of real games, each reached by playing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from playwright.async_api import Page
from tests.support.moments import moments
from tests.support.moments_of_rules import moments_of_rules
from tests.support.organisers_laptop import give_organisers_pin, organise, post
from tests.support.visitors import ORGANISER_PIN, PATIENCE_S, Visit

from cribd.table.snapshot import Snapshot

#: Of the options of rules the pages show only the title.
MOMENTS: dict[str, Snapshot] = moments() | {
    name: snapshot for name, snapshot in moments_of_rules().items() if "-menu" not in name and "-start-" not in name
}

#: A television over the bar, seen from five metres away.
TELEVISION: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}

#: Counts the pictures that a page is sent, and says when it shows one more: two frames have passed since.
_COUNTED = """
  let sent = 0, seen = 0;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  window.shown = async () => {
    while (sent === seen) await frame();
    seen = sent;
    await frame();
    await frame();
  };
  const Source = window.EventSource;
  window.EventSource = class extends Source {
    constructor(...given) { super(...given); this.addEventListener('message', () => { sent += 1; }); }
  };
"""

#: The language of a page, and every text that is to be read or heard, here or in a window of another size, and where:
#: text, and names for screen readers; what the page has told before is left out. What is in a language of its own says
#: so, and is left out too.
_NEW_TEXTS = """() => {
  const told = window.told_texts ??= new Set();
  const found = [];
  const here = document.documentElement.lang;
  const add = (node, how, text) => {
    const own = node.closest('[lang]');
    if (text.trim() && (!own || own.lang === here)) {
      const name = [node.tagName.toLowerCase(), node.id, node.getAttribute('class')].filter(Boolean).join('.');
      found.push([`${name} ${how}`, text.trim()]);
    }
  };
  found.push(['title', document.title]);
  const drawn = 'circle, rect, path, stop';  // the drawn board has a thousand, and no text
  const names = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder'];
  for (const node of document.body.querySelectorAll(`:not(${drawn}, pre, pre *)`)) {
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) add(node, 'text', child.data);
    for (const name of names) if (node.hasAttribute(name)) add(node, name, node.getAttribute(name));
  }
  return [here, found.filter((each) => !told.has(each.join()) && told.add(each.join()))];
}"""


async def watch(visit: Visit, path: str) -> None:
    """Open a page that counts its snapshots, and wait until it shows the first."""
    await visit.page.add_init_script(_COUNTED)
    await visit.open(path)
    await visit.page.evaluate("window.shown()")


async def show(visit: Visit, snapshot: Snapshot) -> None:
    """Publish this snapshot, and wait until the page shows it."""
    visit.board.site.show(snapshot)
    async with asyncio.timeout(PATIENCE_S):
        await visit.page.evaluate("window.shown()")


async def settled(page: Page) -> None:
    """Wait until everything is drawn: a frame has passed, and every fetch has ended."""
    with suppress(TimeoutError):
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def new_texts(page: Page) -> tuple[str, list[tuple[str, str]]]:
    """The language of the page, and every text that it has not told before with where it is."""
    language, texts = await page.evaluate(_NEW_TEXTS)
    return language, [(where, text) for where, text in texts]


# Page by page: each name says what is to be seen. Nothing is looked for by its words, which may be anybody's.


async def every_phase(visit: Visit, phases: dict[str, Snapshot]) -> AsyncIterator[str]:
    """A page that follows the table: at each of these moments, and without the board."""
    for name, snapshot in phases.items():
        await show(visit, snapshot)
        yield name
    await visit.board.go_away()
    await visit.page.wait_for_selector(".gone")
    yield "away"


async def all_of_the_table(visit: Visit) -> AsyncIterator[str]:
    """What `/table` has besides the game: past counts, and the owner's actions."""
    await watch(visit, "/table")
    await show(visit, MOMENTS["next-deal"])
    await visit.part("counts")
    yield "counts"
    await visit.give("0000")
    await visit.page.locator("#told:not(:empty)").wait_for()
    yield "a wrong PIN"
    await visit.give()
    await visit.page.locator("#lock").wait_for()
    yield "owner"
    await visit.part("game")
    yield "game"


async def all_of_the_judge(visit: Visit) -> AsyncIterator[str]:
    """`/verify` without a card, with a card missing, and with right and wrong calls."""
    await visit.open("/verify")
    yield "nothing"
    await visit.tap("4C 5H 6S JD")
    yield "a card is missing"
    await visit.tap("KD")
    await visit.page.locator("[data-number='10']").click()
    await visit.page.locator(".verdict.right").wait_for()
    yield "right"
    await visit.page.locator(".stepper [data-by='1']").click()
    await visit.page.locator(".verdict.wrong").wait_for()
    yield "wrong"


async def all_of_the_games(visit: Visit) -> AsyncIterator[str]:
    """`/games`: the list, one game from beginning to end, and a game that does not exist."""
    await visit.open("/games")
    await visit.page.locator("#days a").first.wait_for()
    yield "games"
    await visit.open("/games/1")
    place = visit.page.locator("#place")
    for part in (0.0, 0.2, 0.55, 1.0):
        last = await place.get_attribute("max")
        await place.fill(str(int(part * int(last or 0))))
        await settled(visit.page)
        yield f"at {part}"
    await visit.page.locator("#chart summary").click()
    yield "table"
    await visit.open("/games/99")
    await visit.page.locator("#broken:not(:empty)").wait_for()
    yield "none"


#: A format whose evening is short, with a seal and a check pass.
SHORT_EVENING = 'format = "acc"\ngames = 1\nsealed = true\ncheck_pass = true\n'


async def all_of_the_desk(visit: Visit) -> AsyncIterator[str]:
    """`/desk`: a short evening of two players, with each part and each dialog."""
    page = visit.page

    async def part(name: str) -> None:
        await page.locator(f"#parts [data-part='{name}']").click()

    async def step() -> None:
        await page.locator("#steps .first").click()

    await visit.open("/desk")
    yield "pin"
    await give_organisers_pin(page)
    await page.locator("#formats label").first.wait_for()
    yield "begin"
    await page.locator("#formats input").last.check()
    await page.locator("#begin-own").fill(SHORT_EVENING)
    await page.locator("#begin-name").fill("Legion Hall")
    yield "own format"
    await page.locator("#begin .first").click()
    await page.locator("#register-name").wait_for()
    yield "nobody"
    await page.locator("#csv summary").click()
    await page.locator("#csv-text").fill("name\nRobot B\nRobot B\n")
    await page.locator("#csv-problems li").wait_for()
    yield "a wrong file"
    await page.locator("#csv-text").fill("name\nRobot B\n")
    await page.locator("#csv-take").click()
    await page.locator("#register-name").fill("Robot R")
    await page.keyboard.press("Enter")
    await page.locator("#entrant-list [data-status='present']").wait_for()
    yield "one is here"
    await page.locator("#entrant-list [data-act='here']").click()
    choices = await _menu(page)
    yield "menu"
    for at in range(choices):
        await page.locator("#sheet .menu button").nth(at).click()
        yield f"choice {at}"
        await page.keyboard.press("Escape")
        await _menu(page)
    await page.keyboard.press("Escape")
    await part("round")
    await page.locator("#round [data-act='seat']").click()
    await page.locator("#sheet select").first.select_option("0")
    await page.locator("#sheet .first").click()
    await page.locator("#sheet .told:not(:empty)").wait_for()
    yield "seated by hand"
    await page.keyboard.press("Escape")
    await step()
    await page.locator("#round .seat").wait_for()
    yield "drawn"
    await page.locator("#round [data-act='cancel']").click()
    yield "cancel"
    await page.keyboard.press("Escape")
    await step()
    await page.locator("#outstanding .seat").wait_for()
    await organise(page, "call_official", entrant=1)
    await page.locator("#calls li").wait_for()
    await page.locator("#entry summary").click()
    await page.locator("#entry-table").fill("9")
    await page.keyboard.press("Enter")
    yield "no such table"
    await page.keyboard.press("Escape")
    await page.keyboard.type("1 60")
    yield "typing"
    await page.locator("#entry-cards").click()
    yield "two cards"
    await page.keyboard.press("Escape")
    await page.locator("#entry-0-0").focus()
    await page.keyboard.press("Enter")
    await page.locator("#settled .seat").click()
    yield "correct"
    await page.locator("#sheet [value='also-1']").click()
    yield "dispute"
    await page.locator("#sheet-reason").fill("–")
    await page.keyboard.press("Enter")
    await page.locator("#outstanding [data-state='disputed']").click()
    yield "settle"
    await page.locator("#sheet-reason").fill("–")
    await page.keyboard.press("Enter")
    await page.locator("#outstanding").wait_for(state="hidden")
    await part("competition")
    yield "competition"
    for what in ("tables", "games", "board", "missing", "pause"):
        await page.locator(f"#settings [data-act='{what}']").click()
        yield what
        await page.keyboard.press("Escape")
    await step()
    await page.locator("#parts [data-part='results'][aria-current]").wait_for()
    await part("standings")
    yield "standings"
    await part("log")
    await page.locator(".lines li").first.wait_for()
    yield "log"
    await part("medals")
    yield "closed medals"
    await page.locator("#medals [data-act='open']").click()
    yield "open unchecked"
    await page.keyboard.press("Escape")
    await step()
    yield "pass"
    await page.locator("#pass [data-act='check']").click()
    await page.locator("#pass li").wait_for(state="detached")
    yield "checked"
    for _ in range(2):
        await step()
        await page.locator("#medals [data-act='open']").click()
        yield "open"
        await page.keyboard.press("Enter")
        await page.locator("#sheet").wait_for(state="hidden")
        yield "opened"
    await part("competition")
    yield "over"
    await post(page, "/desk/begin", {"format": "single-elimination", "name": "Legion Hall"})
    for name in ("Robot B", "Robot R"):
        await organise(page, "register", name=name)
    await part("entrants")
    await page.locator("#seeds button").click()
    yield "seeds"


#: A format in which a captain calls, and two games are one visit.
PHONE_EVENING = {
    "format": "jeux50", "min_entrants": 2, "games": 2, "team_size": 2, "rules": "partners", "captain_only": True,
}  # fmt: skip
_PHONES = "async () => (await fetch('/desk/phones')).json()"


async def all_of_the_phone(visit: Visit) -> AsyncIterator[str]:
    """`/event/table`: an event of two players, whose sides share one phone, from the card to the place."""
    page = visit.page

    async def step(name: str) -> str:
        await page.locator(f"body:not(.waiting)[data-step='{name}']").wait_for()
        return name

    async def tap(*names: str) -> None:
        for name in names:
            await page.locator(f"#{name}").click()

    async def next_side() -> None:
        await tap("leave")
        await page.locator("#sure[open]").wait_for()
        await tap("sure-yes")
        await step("choose")

    await visit.open("/event/table")
    yield await step("none")
    await post(page, "/desk/pin", {"pin": ORGANISER_PIN})
    await post(page, "/desk/begin", {"format": PHONE_EVENING, "name": "Legion Hall", "tables": 2})
    yield await step("scan")
    for number, name, partner in ((1, "Robot B", "Legion Hall"), (2, "Robot R", "Cribboard")):
        await organise(page, "register", name=name, players=[name, partner])
        await organise(page, "check_in", entrant=number)
    payload = await page.evaluate(_PHONES)
    card, code = payload["tables"][0]["path"], {each["entrant"]: each["code"] for each in payload["entrants"]}
    await visit.open("/event/table/1?key=guessed")
    await page.locator("#told:not(:empty)").wait_for()
    yield "a wrong key"
    await visit.open(card)
    yield await step("choose") + " of nobody"
    await organise(page, "begin", choice="one_short")
    await post(page, "/desk/draw", {})
    await page.locator("#sit-1").wait_for()
    yield await step("choose")
    await tap("sit-1")
    yield await step("drawn")
    await organise(page, "start_round")
    yield await step("enter")
    await page.locator("#captain summary").click()
    await page.locator("#code").fill("1-000000")
    await tap("code-do")
    await page.locator("#code-message:not(:empty)").wait_for()
    yield "a wrong code"
    await tap("we", "send")
    await page.locator("#told:not(:empty)").wait_for()
    yield "no points"
    await tap("key-9", "key-0", "send")
    await page.locator("#mend-1").wait_for()
    yield "the second game"
    await tap("broken")
    yield "broken off"
    await tap("back", "leave")
    await page.locator("#sure[open]").wait_for()
    yield "leaving"
    await tap("sure-no")
    await next_side()
    await tap("sit-2")
    yield await step("confirm")
    await tap("yes")
    await step("enter")
    await tap("they", "key-9", "key-1", "send")
    yield await step("wait")
    await page.locator("#captain summary").click()
    await page.locator("#code").fill(code[2])
    await tap("code-do", "official-come")
    await page.locator("#sure[open]").wait_for()
    yield "calling"
    await tap("sure-yes")
    await page.locator("#call .coming").wait_for()
    yield "called"
    await next_side()
    await tap("sit-1")
    await step("confirm")
    await tap("no")
    yield "not so"
    await tap("official")
    yield await step("disputed")
    at = {"round": 1, "table": 1, "game": 2}
    await organise(page, "correct_result", at=at, scores=[121, 91], reason="–")
    yield await step("done")
    await organise(page, "end_play")
    await organise(page, "open_place", place=2, reason="–")
    await organise(page, "open_place", place=1, reason="–")
    await page.locator("#now .rank").wait_for()
    yield "opened"


async def _menu(page: Page) -> int:
    """Open the menu of an entrant; how many choices it has."""
    await page.locator("#entrant-list .dots").first.click()
    return await page.locator("#sheet .menu button").count()


#: The pages of which not everything is seen at once.
async def all_of_the_guide_and_the_figures(visit: Visit) -> AsyncIterator[str]:
    """`/statistics`, and `/help` with the link to one of its parts."""
    await visit.open("/statistics")
    await visit.page.locator("#statistics summary").first.wait_for()
    yield "figures"
    await visit.open("/help#rules")
    await visit.page.locator("#guide details").first.wait_for()
    await visit.page.evaluate("for (const each of document.querySelectorAll('#guide details')) each.open = true")
    if await visit.page.locator("html").get_attribute("lang") in ("en", "fr-CA"):
        yield "guide"  # a language without a guide of its own has the English one


EVERYTHING = (
    all_of_the_table,
    all_of_the_judge,
    all_of_the_games,
    all_of_the_guide_and_the_figures,
    all_of_the_desk,
    all_of_the_phone,
)
