"""The command line: `cribboard run`, `count`, `rules`, `record`, `replay`, `demo`.

Each command imports what it needs when it is called, so that counting a hand never waits for a web server.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did what was asked, 2 when it could not be understood, 1 otherwise."""
    from cribd.commands import parser, spoken

    options = parser().parse_args(arguments)
    options.language = spoken(options)
    try:
        code = int(options.command(options))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        sys.stderr.close()  # whoever read us has gone: there is nobody to tell
        return 1
    except OSError as wrong:
        if wrong.filename is not None or wrong.errno not in (errno.ENOSPC, errno.EIO):
            raise
        return _not_written(wrong, options.language)
    except KeyboardInterrupt:
        return 130


def _not_written(wrong: OSError, language: str) -> int:
    """What was printed went to a file, and its disk takes no more."""
    from cribd.named_files import why
    from cribd.phrases import load

    words = load(language)
    print(words.say("command.no_room", why=why(wrong, words)), file=sys.stderr)
    with open(os.devnull, "wb") as nothing:  # what is left over is not tried again at the end
        os.dup2(nothing.fileno(), sys.stdout.fileno())
    return 1


if __name__ == "__main__":
    sys.exit(main())
