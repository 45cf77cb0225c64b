"""The entry point of the command `cribboard`.

The first light of a board waits for each import that stands before it. So this module has few at its top.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from cribd import openssl


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code; 130 for Ctrl-C."""
    typed = sys.argv[1:] if arguments is None else arguments
    light = None
    if typed[:1] in (["run"], ["hub"]):
        gc.disable()  # until the board or the hub has started
    if "run" in typed[:1]:
        openssl.hide()
        from cribd.first_light import first_light

        light = first_light(typed)  # before the imports that take seconds
    import traceback

    from cribd.dataclass_code import reuse_dataclass_code
    from cribd.terminal import OutputLost, complain, flush_last, plain_output

    keep_code = reuse_dataclass_code()
    from cribd.cli.errors import why
    from cribd.cli.language import output_language
    from cribd.cli.main import parse, run_command
    from cribd.text import load

    with plain_output():
        language = "en"
        try:
            options = parse(typed)
            options.language = language = output_language(options)
            options.first_light = light
            code = run_command(options)
            print(end="", flush=True)
        except OutputLost as lost:
            wrong = lost.__cause__
            if isinstance(wrong, OSError) and not isinstance(wrong, BrokenPipeError):  # the disk is full
                words = load(language)
                complain(words.say("command.no_room", why=why(wrong, words)))
            return 1
        except KeyboardInterrupt:
            return 130
        except Exception:
            traceback.print_exc()
            return 1
        finally:
            flush_last(sys.stdout)
            flush_last(sys.stderr)
            keep_code()
        return code


if __name__ == "__main__":
    sys.exit(main())
