"""Files that a page is made of, handed out as they are.

All of them are read once and kept: there is no way from a name in a request to any other file. A browser that has one
already is told so, by the first half of its SHA-256. Never knows what a file is for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cribd.web.http.security import HEADERS

if TYPE_CHECKING:
    from aiohttp import web

KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


class StaticFiles:
    """The files of one `folder`, and beside them what `make` makes, by name. Nothing is read before it is asked for."""

    def __init__(self, folder: Path, make: Callable[[], Mapping[str, bytes]]) -> None:
        self._folder = folder
        self._make = make

    @cached_property
    def files(self) -> Mapping[str, bytes]:
        """What there is, by name."""
        found = {path.name: path.read_bytes() for path in sorted(self._folder.iterdir()) if path.suffix in KINDS}
        return {**found, **self._make()}

    @cached_property
    def edition(self) -> str:
        """Changes with any file: a page that was drawn from others draws itself anew."""
        return hashlib.sha256(b"".join(self.files.values())).hexdigest()[:16]

    def hand(self, request: web.Request, name: str) -> web.Response:
        """The file of this name, or that it has not changed. Raises HTTPNotFound."""
        from aiohttp import web

        body = self.files.get(name)
        if body is None:
            raise web.HTTPNotFound(headers=HEADERS)
        tag = hashlib.sha256(body).hexdigest()[:16]
        headers = {**HEADERS, "ETag": f'"{tag}"'}
        if tag in {known.value for known in request.if_none_match or ()}:
            return web.Response(status=304, headers=headers)
        return web.Response(body=body, content_type=KINDS[Path(name).suffix], charset="utf-8", headers=headers)
