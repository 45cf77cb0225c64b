"""Shows browsers an error page for every failed request.

A browser gets a page with links, in the first of its languages that the board knows. A program gets the plain answer
of HTTP or of the route. The status is the same for both. The page shows the address as text only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from aiohttp import web
from aiohttp.log import server_logger
from aiohttp.typedefs import Handler

from cribd.text import load_all

#: A refused Host: links by that name would not work.
_FORBIDDEN = 403
#: The statuses that have words of their own.
_WITH_WORDS = (_FORBIDDEN, 404)
#: The parts of the page: the text for each of these statuses, and the places to fill in.
_WHY = re.compile(r'<div data-why="(\w+)">.*</div>')
_WORD = re.compile(r'data-word="([\w.]+)"[^<>]*>(?=</)')
_NAME = re.compile(r'data-name="([\w.]+)"')
_ID = re.compile(r'id="(status|address)">(?=</)')
_LINKS = re.compile("<nav.*</nav>", re.DOTALL)
#: The headers of an error that the page keeps.
_HEADERS = ("Allow", "Retry-After")
#: How much of an address is shown, in characters.
_SHOWN_CHARACTERS = 80


class NotFound:
    """Shows the error page for every error, not only 404.

    `page` returns the HTML of the page, in which the places for texts are empty."""

    def __init__(self, page: Callable[[], bytes]) -> None:
        self._page = page

    def install(self, app: web.Application) -> None:
        """Add the middleware, which also shows errors of later middlewares."""

        @web.middleware
        async def show_page(request: web.Request, handler: Handler) -> web.StreamResponse:
            try:
                return await handler(request)
            except web.HTTPError as refused:
                if not _wants_a_page(request):
                    raise
                status = refused.status
                headers = {name: refused.headers[name] for name in _HEADERS if name in refused.headers}
            except Exception:
                if not _wants_a_page(request):
                    raise
                server_logger.exception("Error handling request")
                status, headers = web.HTTPInternalServerError.status_code, {}
            return web.Response(
                text=self._document(request, status), status=status, headers=headers, content_type="text/html"
            )

        app.middlewares.append(show_page)

    def _document(self, request: web.Request, status: int) -> str:
        spoken = load_all()
        wanted = ",".join((request.query.get("language", ""), request.headers.get("Accept-Language", "")))
        language = first_known(wanted, tuple(spoken))
        why = str(status) if status in _WITH_WORDS else "other"
        page = _WHY.sub(lambda found: found[0] if found[1] == why else "", self._page().decode())
        if status == _FORBIDDEN:
            page = _LINKS.sub("", page)
        filled = {"status": str(status), "address": escape(_shown(request.path))}
        say = spoken[language].say  # fills the words in as `words.js` does
        page = _WORD.sub(lambda found: f"{found[0]}{escape(say(found[1]))}", page)
        page = _NAME.sub(lambda found: f'{found[0]} aria-label="{escape(say(found[1]))}"', page)
        page = _ID.sub(lambda found: f"{found[0]}{filled[found[1]]}", page)
        return page.replace('<html lang="en"', f'<html lang="{language.replace("_", "-")}"', 1)


def _wants_a_page(request: web.Request) -> bool:
    accepted = request.headers.get("Accept", "*/*").lower()
    return "text/html" in accepted or (request.match_info.http_exception is not None and "*/*" in accepted)


def _shown(path: str) -> str:
    """Make a path safe to show."""
    readable = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in path)
    return readable if len(readable) <= _SHOWN_CHARACTERS else f"{readable[: _SHOWN_CHARACTERS - 1]}…"


def first_known(accepted: str, known: Sequence[str]) -> str:
    """Choose a language by an `Accept-Language` header (RFC 9110, 12.5.4).

    Languages are compared by tag or primary subtag. If none matches, the first known one is chosen."""
    ranked: list[tuple[float, str]] = []
    for choice in accepted.split(","):
        tag, _, quality = choice.partition(";")
        try:
            rank = float(quality.partition("q=")[2] or 1)
        except ValueError:
            continue
        if rank > 0:
            ranked.append((-rank, tag.strip().replace("-", "_").lower()))
    for _, tag in sorted(ranked, key=lambda choice: choice[0]):
        for name in known:
            if name.lower() == tag:
                return name
        for name in known:
            if tag and name.lower().partition("_")[0] == tag.partition("_")[0]:
                return name
    return known[0]
