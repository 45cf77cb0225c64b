"""Writes the generated files to the folder in the command line, or to `hardware/`."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.hardware import write

write(Path(sys.argv[1] if len(sys.argv) > 1 else "hardware"))
