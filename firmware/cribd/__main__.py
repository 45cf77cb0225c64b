"""The command line: `cribboard run`, `count`, `rules`, `record`, `replay`, `demo`.

Each command imports what it needs when it is called, so that counting a hand never waits for a web server.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence

from cribd.terminal import OutputLost, complain, let_go, plain_output


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did what was asked, 2 when it could not be understood, 1 otherwise."""
    from cribd.cli.main import parser, spoken

    with plain_output():
        language = "en"
        try:
            options = parser().parse_args(arguments)
            options.language = language = spoken(options)
            code = int(options.command(options))
            print(end="", flush=True)
        except OutputLost as unheard:
            return _not_written(unheard.__cause__, language)
        except KeyboardInterrupt:
            return 130
        except Exception:
            traceback.print_exc()
            return 1
        finally:
            let_go(sys.stdout)
            let_go(sys.stderr)
        return code


def _not_written(wrong: BaseException | None, language: str) -> int:
    """What was printed went to a file, and its disk takes no more; or whoever read it has gone, and wants no more."""
    from cribd.cli.errors import why
    from cribd.text import load

    if isinstance(wrong, OSError) and not isinstance(wrong, BrokenPipeError):
        words = load(language)
        complain(words.say("command.no_room", why=why(wrong, words)))
    return 1


if __name__ == "__main__":
    sys.exit(main())
