"""The command line: `cribboard run`, `count`, `rules`, `record`, `replay`, `demo`.

Each command imports what it needs when it is called, so that counting a hand never waits for a web server.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did what was asked, 2 when it could not be understood, 1 otherwise."""
    from cribd.commands import parser, spoken

    options = parser().parse_args(arguments)
    options.language = spoken(options)
    try:
        return int(options.command(options))
    except BrokenPipeError:
        sys.stderr.close()  # whoever read us has gone: there is nobody to tell
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
