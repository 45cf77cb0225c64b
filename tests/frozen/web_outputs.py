"""Outputs of the web: status and headers of every address, the owner's requests, the count judge, the twin page."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from aiohttp import ClientResponse, ClientSession, web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.evenings import Evening, evening

from .given import BOARDS, parts
from .product import ManualClock, mount_kiosk, mount_twin, switched_on
from .text import as_json, changes, fingerprint, lines_of, shortened

Client = TestClient[web.Request, web.Application]

PIN = "2580"
#: Headers that differ with the day or the length of a file.
_ANY = frozenset({"date", "content-length"})
#: The answers are frozen as they are, not compressed.
_PLAIN = {"Accept-Encoding": "identity"}
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")


async def of_routes(folder: Path) -> list[str]:
    """The answer of each address: to each method, to another host name, to another page, to a script, to a browser."""
    lines: list[str] = []
    async with evening(folder) as table:
        app = web.Application()
        mount_kiosk(app, table.table, board="classic", journal=table.path, clock=table.clock, pin=PIN)
        twin, _ = mount_twin(app, board="classic", folder=folder / "wires", clock=ManualClock())
        async with TestClient(TestServer(app, host="127.0.0.1"), headers=_PLAIN) as client:
            routes = {(route.method, route.resource.canonical) for route in app.router.routes() if route.resource}
            lines += [f"{method} {path}" for method, path in sorted(routes)]
            for path in sorted({path for _, path in routes} | {"/nowhere", "/page", "/twin/", "/games/0/steps"}):
                script = "main.js" if path.startswith("/twin/") else "paths.js"
                lines += await _of_path(client, path.replace("{number}", "1").replace("{name}", script))
            for name in ("look.css", "icon.svg", "scoreboard.js", "en.json", "fr_CA.json", "board.json", "site.py"):
                lines.append(f"/page/{name}: {await _asked(client, 'GET', f'/page/{name}')}")
            for name in ("page.css", "index.html", "board.json", "board.js"):
                lines.append(f"/twin/{name}: {await _asked(client, 'GET', f'/twin/{name}')}")
        twin.close()
    return lines


async def _of_path(client: Client, path: str) -> list[str]:
    own = f"http://{client.host}:{client.port}"
    by_answer: dict[str, list[str]] = {}
    for method in _METHODS:
        by_answer.setdefault(await _asked(client, method, path, Origin=own), []).append(method)
    others = {
        "by another name": await _asked(client, "GET", path, Host="board.example"),
        "from another page": await _asked(client, "GET", path, Origin="http://elsewhere.example"),
        "from no page": await _asked(client, "POST", path),
        "as a browser": await _asked(client, "GET", path, Accept="text/html"),
    }
    methods = [f"{' '.join(methods)}: {answer}" for answer, methods in by_answer.items()]
    return ["", f"--- {path}", *methods, *(f"{how}: {answer}" for how, answer in others.items())]


async def _asked(client: Client, method: str, path: str, **headers: str) -> str:
    """Status, kind and headers of an answer."""
    async with client.request(method, path, headers=headers, allow_redirects=False) as got:
        return " ".join([str(got.status), *_headers(got)])


#: Headers that every answer should have.
_USUAL = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "Cribboard",
    "X-Content-Type-Options": "nosniff",
}


def _headers(got: ClientResponse) -> list[str]:
    """The headers of an answer, without session keys. "usual" stands for all of `_USUAL`."""
    found = {name: value for name, value in got.headers.items() if name.lower() not in _ANY}
    missing = [f"[no {name}: {value}]" for name, value in _USUAL.items() if found.get(name) != value]
    headers = [f"[{name}: {_masked(value)}]" for name, value in sorted(found.items()) if _USUAL.get(name) != value]
    return [*(missing or ["usual"]), *headers]


def _masked(value: str) -> str:
    """The value without entity tags, session keys and dates."""
    return re.sub(r'"[0-9a-f]{16}"|(?<=pad=)[^;"]+|(?<=expires=)[^;]+', "…", value)


# Requests


async def of_requests(folder: Path) -> list[str]:
    """The answer to each of the given requests, in their order."""
    lines: list[str] = []
    async with evening(folder, "verify") as table:
        app = web.Application()
        show = mount_kiosk(app, table.table, board="classic", journal=table.path, clock=table.clock, pin=PIN)
        table.watchers.append(show)
        show(table.now)
        async with TestClient(TestServer(app, host="127.0.0.1"), headers=_PLAIN) as client:
            for name, requests in parts("requests").items():
                lines += ["", f"--- {name}"]
                for line in requests.splitlines():
                    lines += await _requested(client, table, line)
            for path in ("/page/en.json", "/page/fr_CA.json"):
                lines += [f"> {path}", await _asked(client, "GET", path)]
            lines += await _requested(client, table, "/table/board")
            async with client.get("/table/events") as stream:
                lines += [f"(the stream: {await stream.content.readline()!r}, {await stream.content.readline()!r})"]
    return lines


async def _requested(client: Client, table: Evening, line: str) -> list[str]:
    """The answer to one line: a path and the body of a POST, a path alone for a GET, or "wait" and seconds."""
    path, _, body = line.partition(" ")
    if path == "wait":
        await table.clock.advance(float(body))
        return [f"> {line}"]
    headers = {"Origin": f"http://{client.host}:{client.port}", "Content-Type": "application/json"}
    request: Any = client.post(path, data=body, headers=headers) if body else client.get(path)
    async with request as got:
        text = await got.text()
        lines = [f"> {line}", f"{got.status} {' '.join(_headers(got))}"]
    await table.clock.run_ready_tasks(lambda: table.table.has_no_input)
    if got.status >= 400 or got.content_type == "text/html":
        return lines
    if got.content_type != "application/json":
        return [*lines, text.strip()] if text else lines
    return lines + shortened(as_json(text, whole=6), most=30)


# The twin's page


async def of_wires(folder: Path) -> list[str]:
    """Messages of the twin page for plugs, and the drawing of each given board."""
    lines: list[str] = []
    for board in ("classic", "continuous", "triple"):
        app, clock = web.Application(), ManualClock()
        twin, page = mount_twin(app, board=str(BOARDS / f"{board}.toml"), folder=folder / board, clock=clock)
        async with TestClient(TestServer(app, host="127.0.0.1"), headers=_PLAIN) as client:
            drawn = await (await client.get("/twin/board.json")).text()
            lines += ["", f"--- {board}", *shortened(as_json(drawn, whole=8), most=80 if board == "classic" else 30)]
            page.show({"seen": ["5H"], "language": "fr_CA", "menu": "", "step": None})
            async with client.ws_connect("/twin/wires") as wires:
                lines += ["(at first)", *_news(await wires.receive_json(timeout=10))]
                for act in ({"unplug": "screen"}, {"unplug": "reader"}, {"plug": "screen"}, {"plug": "reader"}):
                    await wires.send_str('{"unplug": "moon"}')
                    await wires.send_str(json.dumps(act))
                    news = asyncio.create_task(wires.receive_json(timeout=10))
                    while not news.done():
                        await clock.advance(0.05)
                    lines += [f"> {json.dumps(act)}", *_news(await news)]
        twin.close()
    return lines


async def of_a_board(folder: Path) -> list[str]:
    """A whole board, as the daemon builds it: what its twin page shows after each press and card of a script."""
    lines: list[str] = []
    for way in ("verify", "auto"):
        (folder / way).mkdir()
        async with switched_on(folder / way, "classic", way) as (address, touch), ClientSession() as session:
            before: dict[str, Any] = {}
            for act in ("wait", *parts("fingers")[way].splitlines()):
                if act != "wait":
                    await touch(act)
                async with session.ws_connect(f"{address.removesuffix('/twin')}/twin/wires") as eye:
                    now = _seen(await eye.receive_json(timeout=20))
                lines += [f"> {act}", *changes(now, before, whole=6)]
                before = now
    return lines


def _seen(payload: dict[str, Any]) -> dict[str, Any]:
    """A message with the lit LEDs by number, and without pixels. It leaves out the buzzer, whose tone is over by
    then."""
    leds = b64decode(payload.pop("leds"))
    each = [tuple(leds[at : at + 4]) for at in range(0, len(leds), 4)]
    glowing = {str(number): list(led) for number, led in enumerate(each) if any(led[:3]) and led[3]}
    return {**_without_pixels(payload), "edition": bool(payload["edition"]), "buzzer": None, "leds": glowing}


def _news(payload: dict[str, Any]) -> list[str]:
    """A message, with a fingerprint for the LEDs, and without pixels and the edition of the page's files."""
    short = {**_without_pixels(payload), **({"edition": True} if "edition" in payload else {})}
    if "leds" in payload:
        short["leds"] = fingerprint(json.dumps(payload["leds"]))
    return lines_of(short, whole=6)


def _without_pixels(payload: dict[str, Any]) -> dict[str, Any]:
    """A message without the words on the screen, of which there are golden pictures elsewhere."""
    if not payload.get("oled"):
        return payload
    return {**payload, "oled": {key: value for key, value in payload["oled"].items() if key != "pixels"}}


def outputs() -> Mapping[str, Callable[[Path], Awaitable[list[str]]]]:
    """What makes each output, by its name."""
    return {"routes": of_routes, "requests": of_requests, "wires": of_wires, "board-at-work": of_a_board}
