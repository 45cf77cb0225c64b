"""The entry point of `cribboard`: runs one command of `cribd.cli.main` and returns its exit code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence

from cribd.terminal import OutputLost, complain, flush_last, plain_output


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code (`cribd.cli.errors.Exit`); 1 for an unexpected error."""
    from cribd.cli.main import parse, run_command, spoken

    with plain_output():
        language = "en"
        try:
            options = parse(arguments)
            options.language = language = spoken(options)
            code = run_command(options)
            print(end="", flush=True)
        except OutputLost as unheard:
            return _not_written(unheard.__cause__, language)
        except KeyboardInterrupt:
            return 130
        except Exception:
            traceback.print_exc()
            return 1
        finally:
            flush_last(sys.stdout)
            flush_last(sys.stderr)
        return code


def _not_written(wrong: BaseException | None, language: str) -> int:
    """Handle lost output: report a full disk, but nothing if the reader has closed the pipe."""
    from cribd.cli.errors import why
    from cribd.text import load

    if isinstance(wrong, OSError) and not isinstance(wrong, BrokenPipeError):
        words = load(language)
        complain(words.say("command.no_room", why=why(wrong, words)))
    return 1


if __name__ == "__main__":
    sys.exit(main())
