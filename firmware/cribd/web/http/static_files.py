"""Serves the static files of pages.

All files are read once and kept in memory, so that no name in a request leads to any other file. A text is compressed
at its first request by a browser. The ETag of a file is half of its SHA-256. Does not know what a file is for.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path

from aiohttp import web

from cribd.web.http.security import HEADERS

KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


class StaticFiles:
    """The files in some folders, and files made by a function.

    They are read, and made by `make`, at the first request."""

    def __init__(self, folders: Iterable[Path], make: Callable[[], Mapping[str, bytes]]) -> None:
        self._folders = tuple(folders)
        self._make = make
        self._compressed: dict[str, bytes] = {}

    @cached_property
    def files(self) -> Mapping[str, bytes]:
        """The bytes of each file, by its name."""
        return {**_read(self._folders), **self._make()}

    @cached_property
    def edition(self) -> str:
        """A hash of all files.

        A page that was loaded with another edition reloads itself."""
        total = hashlib.sha256()
        for body in self.files.values():  # one by one: a hash holds Python's lock, for long if it is of all
            total.update(body)
        return total.hexdigest()[:16]

    def respond(self, request: web.Request, name: str) -> web.Response:
        """Send the file of this name. Raises HTTPNotFound.

        Sends 304 if the browser has the file. A text is compressed if the client accepts gzip."""
        body = self.files.get(name)
        if body is None:
            raise web.HTTPNotFound(headers=HEADERS)
        tag = hashlib.sha256(body).hexdigest()[:16]
        headers = {**HEADERS, "ETag": f'"{tag}"'}
        if tag in {known.value for known in request.if_none_match or ()}:
            return web.Response(status=304, headers=headers)
        if Path(name).suffix != ".png" and "gzip" in request.headers.get("Accept-Encoding", ""):
            headers |= {"Content-Encoding": "gzip", "ETag": f'W/"{tag}"', "Vary": "Accept-Encoding"}
            if name not in self._compressed:
                self._compressed[name] = gzip.compress(body, 6)
            body = self._compressed[name]
        return web.Response(body=body, content_type=KINDS[Path(name).suffix], charset="utf-8", headers=headers)


@cache
def _read(folders: tuple[Path, ...]) -> Mapping[str, bytes]:
    paths = (path for folder in folders for path in sorted(folder.iterdir()))
    return {path.name: path.read_bytes() for path in paths if path.suffix in KINDS}
