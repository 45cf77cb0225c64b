"""The entry point of `cribboard`: runs one command of `cribd.cli.main` and returns its exit code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cribd.terminal import OutputLost, complain, flush_last, plain_output

#: asyncio and hashlib work without OpenSSL, which takes 4 MB. A board needs none until it loads its pages.
_OPENSSL = ("ssl", "_hashlib")


@contextmanager
def _without_openssl(*, board: bool) -> Iterator[None]:
    """Let a `board` import nothing of OpenSSL in this block."""
    hidden = [name for name in _OPENSSL if board and name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None means that there is no such module
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code (`cribd.cli.errors.Exit`); 1 for an unexpected error."""
    typed = sys.argv[1:] if arguments is None else arguments
    with _without_openssl(board="run" in typed[:1]):
        from cribd.first_light import first_light

        light = first_light(typed)  # before the imports that take seconds
        from cribd.dataclass_code import reuse_dataclass_code

        keep_code = reuse_dataclass_code()
        from cribd.cli.errors import why
        from cribd.cli.main import parse, run_command, spoken
        from cribd.text import load

        if "run" in typed[:1]:
            import cribd.cli.run  # noqa: F401

    with plain_output():
        language = "en"
        try:
            options = parse(typed)
            options.language = language = spoken(options)
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
