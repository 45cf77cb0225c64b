"""Drivers of the board's inputs and outputs.

The daemon opens them, each on wires that it is given. A driver must never know the game, the table or the twin: driver
and simulated chip are two readings of one data sheet (design law 3).
"""


def pin_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that gpiozero's devices raise.

    An `except` clause calls it, so gpiozero is imported only after an error."""
    from gpiozero import GPIOZeroError

    return OSError, GPIOZeroError
