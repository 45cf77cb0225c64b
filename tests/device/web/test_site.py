"""The pages at their addresses: the pad behind the PIN, the pictures, and who may come in."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.club_boards import ClubBoards
from tests.support.evenings import BLUE, OK, RED_DEALS, cards, evening
from tests.support.halls import hall
from tests.support.kiosk_rooms import PIN, House, Looker, house
from tests.support.places import ROOT

from cribboard.view import LaidCard, Prompt, PromptKind
from cribd.boards import load as load_board
from cribd.club.board_requests import REQUESTS
from cribd.club.board_status import ClubSnapshot
from cribd.inputs import Key, KeyPressed
from cribd.languages import CATALOGUES
from cribd.table.snapshot import Lobby, OfficialMode
from cribd.text import languages, load
from cribd.web.http.json_body import BODY_BYTES, BODY_S
from cribd.web.http.sse import ALIVE_S, MESSAGE_S
from cribd.web.http.static_files import KINDS
from cribd.web.kiosk.pages import FOLDERS
from cribd.web.kiosk.shared.pin import FIRST_WAIT_S, FREE_TRIES, SESSION_S
from cribd.web.kiosk.shared.snapshot_json import as_json

FILES = sorted(path.name for folder in FOLDERS for path in folder.iterdir() if path.suffix in KINDS)
STARTER = load_board("starter")
POSTS = ("/verify/judge", "/table/pin", "/table/leave", "/table/scan", "/table/owner", "/desk/pin")


# The pages


@pytest.mark.parametrize("path", ["/verify", "/table", *(f"/page/{name}" for name in FILES)])
async def test_every_file_comes_with_a_strict_policy_and_needs_nothing_from_elsewhere(home: House, path: str) -> None:
    answer = await home.client.get(path)
    assert answer.status == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    text = (await answer.text()).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|//[a-z]+\.", text)
    assert "style=" not in text, "the policy allows no style in an attribute"
    assert not re.search(r"\son[a-z]+=", text), "nor a script"
    assert PIN not in text


def test_no_two_files_of_the_pages_have_one_name() -> None:
    """All folders are served at one address."""
    assert len(FILES) == len(set(FILES))


async def test_the_front_door_is_the_scoreboard(home: House) -> None:
    answer = await home.client.get("/", allow_redirects=False)
    assert (answer.status, answer.content_type) == (200, "text/html")
    assert 'src="/page/scoreboard.js"' in await answer.text()


@pytest.mark.parametrize(
    "path", ["/page/site.py", "/page/routes.py", "/page/..%2fsite.py", "/page/", "/page/en.po", "/games/x", "/table/x"]
)
async def test_other_files_are_not_served(home: House, path: str) -> None:
    answer = await home.client.get(path)
    assert answer.status == 404
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_no_file_is_read_after_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are read in a thread, before the first visitor, who would hold up the table."""

    def no_disk(*_: object, **__: object) -> None:
        raise OSError

    load.cache_clear()
    async with house(tmp_path / "home") as home:
        for read in ("read_bytes", "read_text"):
            monkeypatch.setattr(Path, read, no_disk)
        assert (await home.client.get("/page/table.js")).status == 200
        async with home.client.get("/table/events") as answer:
            assert (await Looker(answer).picture())["text"].keys() == set(languages())


@pytest.mark.parametrize("catalogue", ["nonsense", 'msgid "side.0"\nmsgstr "Blau"\n', b"\xff"])
async def test_an_unreadable_language_does_not_stop_the_game(
    catalogue: str | bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = shutil.copytree(CATALOGUES, tmp_path / "phrases", ignore=shutil.ignore_patterns("*.py"))
    (spoken / "xx.po").write_bytes(catalogue if isinstance(catalogue, bytes) else catalogue.encode())
    monkeypatch.setattr("cribd.languages.CATALOGUES", spoken)
    async with house(tmp_path / "home") as home:
        assert (await home.client.get("/games/list")).status == 200
        await home.unlock()


async def test_a_file_that_has_not_changed_is_not_sent_twice(home: House) -> None:
    first = await home.client.get("/page/look.css")
    again = await home.client.get("/page/look.css", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304


async def test_a_file_is_compressed_for_a_browser_that_accepts_it(home: House) -> None:
    for path in ("/", "/page/look.css", "/page/en.json"):
        whole = await home.client.get(path, headers={"Accept-Encoding": "identity"})
        short = await home.client.get(path, headers={"Accept-Encoding": "gzip, deflate, br"})
        assert "Content-Encoding" not in whole.headers
        assert short.headers["Content-Encoding"] == "gzip"
        assert int(short.headers["Content-Length"]) < 0.6 * len(await whole.read())
        assert await short.read() == await whole.read()
        for known in (short, whole):
            headers = {"If-None-Match": known.headers["ETag"], "Accept-Encoding": "gzip"}
            assert (await home.client.get(path, headers=headers)).status == 304
    picture = await home.client.get("/page/en-screen-cut.png", headers={"Accept-Encoding": "gzip"})
    assert (picture.status, picture.headers.get("Content-Encoding")) == (200, None)


def address(path: str) -> str:
    """The path of a route as the document writes it: it lists the requests about boards elsewhere."""
    path = re.sub(rf"^/desk/boards/({'|'.join(REQUESTS)})$", "/desk/boards/NAME", path)
    return path.replace("{name}", "NAME").replace("{number}", "N")


async def test_the_document_has_every_address_and_no_other(home: House, tmp_path: Path) -> None:
    document = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8")
    async with hall(tmp_path / "club", boards=ClubBoards(ClubSnapshot())) as club:
        served = {
            (route.method, address(route.resource.canonical))
            for app in (home.client.app, club.runner.app)
            for route in app.router.routes()
            if route.resource is not None and route.method != "HEAD"
        }
    found = set(re.findall(r"`(GET|POST) (/[\w/]*)`", document))
    assert found | {("GET", "/")} == served
    assert "\n## /\n" in document


# Who may come in


@pytest.mark.parametrize(
    "path", ["/verify", "/table", "/table/events", "/table/pad", "/verify/rules", "/page/look.css"]
)
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "["])
async def test_a_request_by_another_name_is_refused(home: House, path: str, host: str) -> None:
    assert (await home.client.get(path, headers={"Host": host})).status in (400, 403)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "http://[", "", None])
async def test_every_post_from_another_origin_is_refused(home: House, path: str, origin: str | None) -> None:
    headers = {"Content-Type": "application/json"} | ({} if origin is None else {"Origin": origin})
    answer = await home.client.post(path, data="{}", headers=headers)
    assert answer.status == 403
    assert await answer.text() == "This board only listens to its own page.\n"


async def test_another_sites_page_may_not_read_the_event_stream(home: House) -> None:
    answer = await home.client.get("/table/events", headers={"Origin": "http://evil.example"})
    assert answer.status == 403


# The PIN


async def test_with_the_pin_a_phone_reads_cards(home: House) -> None:
    assert await (await home.client.get("/table/pad")).json() == {"pin": "wanted"}
    await home.unlock()
    assert await (await home.client.get("/table/pad")).json() == {"pin": "given"}
    await home.table.post(OK[BLUE])
    await home.tap("9H", "4C", "6C")
    view = home.table.now.view
    assert view is not None
    assert str(view.starter) == "6C"


async def test_a_tap_goes_the_way_of_a_scan(tmp_path: Path) -> None:
    shown = []
    for name, by_hand in (("pad", True), ("reader", False)):
        (tmp_path / name).mkdir()
        async with house(tmp_path / name) as home:
            await home.table.post(OK[BLUE])
            if by_hand:
                await home.unlock()
                await home.tap("9H", "4C", "6C", "6C", "KD")
            else:
                await home.table.post(*cards("9H 4C 6C 6C KD"))
            shown.append(home.table.shown)
    assert shown[0] == shown[1]


@pytest.mark.parametrize("cookie", [{}, {"cribboard-pad": ""}, {"cribboard-pad": "guessed"}])
async def test_without_the_pin_a_tap_does_nothing(home: House, cookie: dict[str, str]) -> None:
    await home.table.post(OK[BLUE])
    before = len(home.table.shown)
    answer = await home.post("/table/scan", {"card": "9H"}, cookies=cookie)
    assert answer.status == 403
    await asyncio.sleep(0)
    assert len(home.table.shown) == before


async def test_the_key_is_for_this_site_alone_and_no_script_can_read_it(home: House) -> None:
    answer = await home.post("/table/pin", {"pin": PIN})
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert PIN not in cookie
    assert await answer.json() == {"pin": "given"}


async def test_wrong_pins_cost_time_and_open_sessions_stay_open(home: House) -> None:
    await home.unlock()
    for left in range(FREE_TRIES - 1, 0, -1):
        answer = await home.post("/table/pin", {"pin": "0000"})
        assert (answer.status, await answer.json()) == (403, {"left": left})
    for tried in ("0000", PIN):
        answer = await home.post("/table/pin", {"pin": tried})
        assert (answer.status, await answer.json()) == (429, {"wait": FIRST_WAIT_S})
        assert answer.headers["Retry-After"] == str(int(FIRST_WAIT_S))
    await home.tap("9H")
    await home.table.clock.advance(FIRST_WAIT_S)
    await home.unlock()


async def test_a_phone_is_forgotten_after_an_evening_or_when_it_asks_for_it(home: House) -> None:
    await home.unlock()
    assert await (await home.post("/table/leave", {})).json() == {"pin": "wanted"}
    assert (await home.post("/table/scan", {"card": "9H"})).status == 403
    await home.unlock()
    await home.table.clock.advance(SESSION_S)
    assert (await home.post("/table/scan", {"card": "9H"})).status == 403


@pytest.mark.parametrize("pin", ["", PIN])
async def test_without_a_pin_of_the_owner_nothing_opens(tmp_path: Path, pin: str) -> None:
    async with house(tmp_path, pin="") as home:
        assert await (await home.client.get("/table/pad")).json() == {"pin": "unset"}
        assert (await home.post("/table/pin", {"pin": pin})).status == 400
        assert (await home.post("/table/scan", {"card": "9H"})).status == 403


# Garbage

GARBAGE = ["", "{", "null", "5", "[]", "{}", "[" * 2000, '{"card": 5}', '{"card": "ZZ"}', '{"pin": 2580}', '"\\ud800"']


@pytest.mark.slow
@pytest.mark.parametrize("body", GARBAGE)
@pytest.mark.parametrize("path", ["/verify/judge", "/table/pin", "/table/scan", "/table/owner"])
async def test_garbage_is_answered_as_garbage(home: House, path: str, body: str) -> None:
    await home.unlock()
    assert (await home.post(path, body)).status == 400
    assert (await home.post(path, b"\xff\xfe")).status == 400


@pytest.mark.parametrize("path", ["/verify/judge", "/table/pin", "/table/scan"])
async def test_a_body_that_is_no_json_or_too_long_is_not_taken(home: House, path: str) -> None:
    await home.unlock()
    assert (await home.post(path, "{}", headers={"Content-Type": "text/plain"})).status == 415
    assert (await home.post(path, " " * (BODY_BYTES + 1))).status == 413


async def test_a_body_that_never_comes_is_not_waited_for(home: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", home.client.port)
    head = f"POST /verify/judge HTTP/1.1\r\nHost: 127.0.0.1:{home.client.port}\r\nOrigin: {home.origin}\r\n"
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
    answer = asyncio.create_task(reader.readline())
    while not answer.done():
        await home.table.clock.advance(BODY_S / 2)
        await asyncio.sleep(0.01)
    assert b" 408 " in await answer
    writer.close()


# The pictures


async def look(home: House) -> Looker:
    answer = await home.client.get("/table/events")
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    return Looker(answer)


async def test_a_viewer_gets_the_whole_picture_first_and_then_changes(home: House) -> None:
    looker = await look(home)
    first = await looker.picture()
    assert (first["lobby"], first["view"]) == (Lobby.START, None)
    assert set(first["text"]) == set(languages())
    await home.table.post(*RED_DEALS)
    await home.table.clock.advance(MESSAGE_S)
    while (now := await looker.picture())["view"] is None or now["view"]["starter"] is None:
        await home.table.clock.advance(MESSAGE_S)
    assert now["view"]["asks"] == {"what": "lead", "side": BLUE}
    assert now["wanted"]
    other = await (await look(home)).picture()
    assert other == now, "a picture is whole, whenever one comes"


async def test_a_refusal_is_sent_in_both_languages(home: House) -> None:
    await home.table.post(*RED_DEALS, *cards("6C"))
    picture = await (await look(home)).picture()
    assert picture["refused"] == home.table.now.refusal.code  # type: ignore[union-attr]
    assert picture["text"]["en"]["refusal"] != picture["text"]["fr_CA"]["refusal"] != []


async def test_a_picture_that_is_not_committed_is_not_sent(home: House) -> None:
    looker = await look(home)
    await looker.picture()
    home.table.clock.free.clear()
    home.table.table.post([OK[BLUE]])
    await asyncio.sleep(0)
    home.table.clock.free.set()
    await home.table.clock.run_ready_tasks(lambda: home.table.table.has_no_input)
    await home.table.clock.advance(MESSAGE_S)
    assert (await looker.picture())["view"]["phase"] == "cut"


async def test_a_stream_without_news_sends_heartbeats(home: House) -> None:
    looker = await look(home)
    await looker.picture()
    payload = asyncio.create_task(looker.picture())
    for _ in range(3):
        await home.table.clock.advance(ALIVE_S)
        await asyncio.sleep(0.01)
    await home.until(lambda: looker.beats >= 2)
    assert not payload.done()
    payload.cancel()


async def test_a_hanging_viewer_blocks_no_other_and_keeps_one_picture_waiting(home: House) -> None:
    """It takes nothing: the kernel's buffers fill, and then nothing more is put into them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", home.client.port, limit=1)
    writer.write(f"GET /table/events HTTP/1.1\r\nHost: 127.0.0.1:{home.client.port}\r\n\r\n".encode())
    stream = home.site._stream
    await home.until(lambda: len(stream._viewers) == 1)
    [hanging] = stream._viewers
    big = 1_000_000
    stream._render = lambda: b"data: " + b"x" * big + b"\n\n"
    while hanging.transport is None or hanging.is_drained:
        stream.change()
        await home.table.clock.advance(MESSAGE_S)
        await asyncio.sleep(0.01)
    waiting = hanging.transport.get_write_buffer_size()
    for _ in range(50):
        stream.change()
        await home.table.clock.advance(MESSAGE_S)
    assert hanging.transport.get_write_buffer_size() == waiting <= big + 100
    stream._render = home.site._snapshot_message
    stream.change()
    other = await look(home)
    first = await other.picture()
    await home.table.post(*RED_DEALS)
    await home.table.clock.advance(MESSAGE_S)
    assert await other.picture() != first, "another sees what comes"
    writer.close()
    del reader


async def test_the_number_of_viewers_is_limited_and_leaving_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribd.web.http.sse.VIEWERS", 8)  # one browser of this test has no more connections than 100
    async with house(tmp_path) as home:
        lookers = [await look(home) for _ in range(8)]
        answer = await home.client.get("/table/events")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        lookers[0].answer.close()
        await home.until(lambda: any(viewer.is_closed for viewer in home.site._stream._viewers))
        assert (await look(home)).answer.status == 200
        assert (await home.client.get("/table/events")).status == 503, "one went, one came"
        for looker in lookers:
            looker.answer.close()


@pytest.mark.parametrize(
    ("what", "side", "code"),
    [
        (PromptKind.ACCEPT, BLUE, "page.ask.accept"),
        (PromptKind.ACCEPT, None, "page.ask.accept_all"),
        (PromptKind.UNDO, BLUE, "page.ask.undo"),
        (PromptKind.UNDO, None, "page.ask.undo_all"),
    ],
)
async def test_a_page_asks_in_whole_words_where_the_screen_has_no_room(
    home: House, what: PromptKind, side: int | None, code: str
) -> None:
    await home.table.post(*RED_DEALS, *cards("5H"))
    view = home.table.now.view
    assert view is not None
    asked = replace(view, prompt=Prompt(what, side, {"points": 2, "total": 2, "claimant": 1}))
    snapshot = replace(home.table.now, view=asked, names=("Maude", "Réjean"))
    text = as_json(snapshot)["text"]
    for language in ("en", "fr_CA"):
        assert text[language]["ask"] == phrase(code, language, side="Maude")
    away = replace(snapshot, mode=OfficialMode(1))
    assert as_json(away)["text"]["en"]["ask"] == load("en").named(away.names).prompt(away)


async def test_where_the_screen_names_the_step_key_a_page_names_it_too(tmp_path: Path) -> None:
    async with evening(tmp_path, board=STARTER) as table:
        await table.post(OK[BLUE], OK[BLUE], KeyPressed(Key.STEP, BLUE))
        texts = as_json(table.now)["text"]
        for language in languages():
            assert texts[language]["hints"] == (phrase("hint.release.step", language),)


async def test_a_card_that_could_not_be_read_has_no_name(home: House) -> None:
    await home.table.post(*RED_DEALS, *cards("5H"))
    view = home.table.now.view
    assert view is not None
    home.site.show(replace(home.table.now, view=replace(view, laid=(*view.laid, LaidCard(1, None)), count=None)))
    picture = (await (await look(home)).picture())["view"]
    assert picture["laid"] == [{"card": "5H", "side": 0, "seat": 0}, {"card": None, "side": 1, "seat": 1}]
    assert picture["count"] is None


async def test_nothing_of_a_position_and_no_secret_is_in_a_picture(home: House) -> None:
    await home.unlock()
    await home.table.post(*RED_DEALS, *cards("5H"))
    text = json.dumps(await (await look(home)).picture())
    assert PIN not in text
    assert "due" not in text
    assert "hands" not in text
