"""The page that a Pi serves while it installs Cribboard.

It needs the standard library alone. Everything from outside is escaped, and there is nothing to send to it. The page
asks for itself every two seconds; when the board answers, it leads there. A browser without JavaScript loads it again
every five seconds.
"""

from __future__ import annotations

import re
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from enum import StrEnum
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

_CSS = """\
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 1rem;
  background: #fbfaf6; color: #1d1b16; }
li { list-style: none; padding: .2rem 0; }
li.at { font-weight: bold; }
li.later { color: #6b675c; }
.failed { border-left: .4rem solid #a40000; padding: .5rem 1rem; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; background: #fff; padding: .5rem; }
.away main { opacity: .5; }
#away { display: none; }
.away #away { display: block; }
@media (prefers-color-scheme: dark) { body { background: #1d1b16; color: #fbfaf6; } .failed, pre { background: #000; }
  li.later { color: #a8a397; } a { color: #9cf; } }
"""
#: The script of the page. If the page does not answer, the board may run, so the script looks for it too.
_JS = """\
"use strict";
async function turn() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
    document.body.classList.remove("away");
  } catch {
    document.body.classList.add("away");
  }
  const main = document.querySelector("main");
  if (main.dataset.port && (main.dataset.runs || document.body.classList.contains("away"))) {
    const board = `http://${location.hostname}:${main.dataset.port}/`;
    try {
      await fetch(board, { mode: "no-cors", cache: "no-store" });
      location.replace(board);
      return;
    } catch { /* not yet */ }
  }
  setTimeout(turn, 2000);
}
setTimeout(turn, 2000);
"""
_HTML = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<script src="/page.js" defer></script>
</head>
<body>
<h1>{title}</h1>
<main{state} aria-live="polite">
{body}</main>
<p id="away">{away}</p>
<p>{others}</p>
</body>
</html>
"""
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src http:; base-uri 'none'; "
    "form-action 'none'"
)


class FirstBootStep(StrEnum):
    """The steps of the installation on the Pi, in order."""

    CARD = "card"
    RADIO = "radio"
    FETCH = "fetch"
    INSTALL = "install"
    CONFIG = "config"
    BOARD = "board"


class FirstBootProgress:
    """The progress of the installation steps.

    Several threads may use it. `words` are the texts by language and code."""

    def __init__(self, words: Mapping[str, Mapping[str, str]]) -> None:
        self._words = words
        self._lock = threading.Lock()
        self._host, self._language = "cribboard", next(iter(words))
        self._step: FirstBootStep | None = None
        self._skipped: set[FirstBootStep] = set()
        self._failure: tuple[str, dict[str, Any]] | None = None
        self._note: tuple[str, dict[str, Any]] | None = None
        self._lines: deque[str] = deque(maxlen=15)
        self._port: int | None = None
        self._runs = False

    def names(self, host: str, language: str) -> None:
        """Set the host name and the language of the board."""
        with self._lock:
            self._host, self._language = host, language if language in self._words else self._language

    def begin(self, step: FirstBootStep) -> None:
        """Begin this step, and mark skipped steps as not needed."""
        with self._lock:
            order = [*FirstBootStep]
            if step is FirstBootStep.CARD:
                self._skipped.clear()
            elif self._step is not None:
                self._skipped |= {*order[order.index(self._step) + 1 : order.index(step)]}
            self._step, self._failure, self._note = step, None, None
        self._print(f"step.{step}")

    def say(self, code: str, *, again: bool = False, **values: object) -> None:
        """Set the note of the running step. Prints unless `again`."""
        with self._lock:
            self._note = (code, values)
        if not again:
            self._print(f"note.{code}", **values)

    def fail(self, code: str, *, seconds: int, **values: object) -> None:
        """Report the failure `code`; the next try is in `seconds` seconds."""
        with self._lock:
            self._failure, self._note = (code, values), ("again", {"seconds": seconds})
        self._print(f"failed.{code}", **values)

    def log(self, text: str) -> None:
        """Show a program's output on the page."""
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        with self._lock:
            self._lines += lines
        print(*lines, sep="\n", end="\n" if lines else "", flush=True)

    def finish(self, port: int) -> None:
        """Report that the board runs; `port` 0 means no page."""
        with self._lock:
            self._port, self._runs, self._note = port, True, None
        self._print("runs" if port else "runs_silent", address=self._address(self._host + ".local"))

    def _print(self, code: str, **values: object) -> None:
        print(self._say(self._language, code, **values), file=sys.stderr, flush=True)

    def _say(self, language: str, code: str, **values: object) -> str:
        text = self._words[language].get(code, code)
        return text.format(**values)

    def _address(self, host: str) -> str:
        return f"http://{host}:{self._port}/"

    def page(self, asked: str, host: str) -> str:
        """Return the page in the `asked` language, for a browser."""
        with self._lock:
            language = asked if asked in self._words else self._language
            return self._page(language, host or f"{self._host}.local")

    def _state(self, step: FirstBootStep) -> str:
        order = [*FirstBootStep]
        now = len(order) if self._runs else order.index(self._step) if self._step is not None else 0
        if step in self._skipped:
            return "skipped"
        if order.index(step) == now:
            return "at" if self._failure is None else "wrong"
        return "done" if order.index(step) < now else "later"

    def _page(self, language: str, host: str) -> str:
        def say(code: str, **values: object) -> str:
            return escape(self._say(language, code, **values))

        others = "".join(
            f'<a href="?language={escape(other)}" lang="{escape(other)}">{escape(self._words[other]["language"])}</a> '
            for other in self._words
            if other != language
        )
        port = "" if self._port == 0 else f' data-port="{self._port or 8121}"'
        return _HTML.format(
            language=escape(language.replace("_", "-")),
            title=say("title"),
            state=port + (' data-runs="1"' if self._runs else ""),
            body=self._body(host, say),
            away=say("away"),
            others=others,
        )

    def _body(self, host: str, say: Callable[..., str]) -> str:
        parts = []
        if self._runs and self._port:
            address = escape(self._address(host), quote=True)
            parts.append(f'<p><strong>{say("runs", address="")}</strong> <a href="{address}">{address}</a></p>\n')
        elif self._runs:
            parts.append(f"<p><strong>{say('runs_silent')}</strong></p>\n")
        parts.append("<ol>\n")
        for step in FirstBootStep:
            state = self._state(step)
            parts.append(f'<li class="{state}">{say(f"state.{state}")} {say(f"step.{step}")}</li>\n')
        parts.append("</ol>\n")
        if self._failure is not None:
            code, values = self._failure
            parts.append(f'<p class="failed">{say(f"failed.{code}", **values)}</p>\n')
        if self._note is not None:
            code, values = self._note
            parts.append(f"<p>{say(f'note.{code}', **values)}</p>\n")
        if self._lines:
            parts.append(f"<h2>{say('log')}</h2>\n<pre>{escape(chr(10).join(self._lines))}</pre>\n")
        return "".join(parts)


def serve(progress: FirstBootProgress, ports: tuple[int, ...], host: str = "") -> ThreadingHTTPServer | None:
    """Serve the page on the first free port, or return None."""

    class Handler(_Handler):
        shown = progress

    for port in ports:
        try:
            server = _Server((host, port), Handler)
        except OSError:
            continue
        threading.Thread(target=server.serve_forever, name="page", daemon=True).start()
        return server
    return None


class _Server(ThreadingHTTPServer):
    """An HTTP server that does not look up its own name."""

    daemon_threads = True

    def server_bind(self) -> None:
        """Bind the socket."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "cribboard", self.server_address[1]


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the page and its files."""

    shown: FirstBootProgress
    timeout = 10
    server_version, sys_version = "Cribboard", ""

    def do_GET(self) -> None:
        """Answer one request."""
        asked = urlsplit(self.path)
        match asked.path:
            case "/page.css":
                self._answer(_CSS, "text/css")
            case "/page.js":
                self._answer(_JS, "text/javascript")
            case "/":
                language = parse_qs(asked.query).get("language", [""])[0]
                self._answer(self.shown.page(language, self._host()), "text/html")
            case _:
                self.send_error(HTTPStatus.NOT_FOUND)

    do_HEAD = do_GET  # noqa: N815 (the name that http.server looks for)

    def _host(self) -> str:
        """Return the host name in the request; "" if invalid."""
        name = re.fullmatch(r"([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,45}\])(:\d{1,5})?", self.headers.get("Host", ""))
        return name[1] if name else ""

    def _answer(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(HTTPStatus.OK)
        for header, value in {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(data)),
            "Cache-Control": "no-store",
            "Content-Security-Policy": _POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
        }.items():
            self.send_header(header, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Print nothing for a request."""
