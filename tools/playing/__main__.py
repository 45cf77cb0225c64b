"""Writes the page to the file that is named, or to `docs/playing.md`."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.playing import page
from tools.progress import Progress

written = page(Progress())
Path(sys.argv[1] if len(sys.argv) > 1 else "docs/playing.md").write_text(written, encoding="utf-8")
