"""A stand-in for a board, for tests of what happens around one: it says READY and serves one page.

It is a process of its own: its only argument is the configuration.
"""

from __future__ import annotations

import http.server
import os
import socket
import sys
import tomllib
from pathlib import Path


def board(config: Path) -> None:
    """Says READY, and serves a page at the port of the configuration until it is stopped."""
    port = tomllib.loads(config.read_text(encoding="utf-8"))["page"]["port"]

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<title>Cribboard</title>")

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", port), Page) as server:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
        server.serve_forever()


if __name__ == "__main__":
    board(Path(sys.argv[1]))
