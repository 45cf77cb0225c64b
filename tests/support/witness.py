"""The command line, with a check of the LEDs at exit.

    python -m tests.support.witness run --twin --no-browser

It runs the real daemon. When the twin's wires are closed it prints which LEDs still glow. With LIGHTS=left in the
environment the daemon does not darken them, so that the check itself can be tested.
"""

from __future__ import annotations

import json
import os
import sys
from unittest import mock

from cribd.__main__ import main
from cribd.daemon import Device
from cribd.twin.machine import Twin


class Watched(Twin):
    """A twin that prints what it shows when it is closed."""

    def close(self) -> None:
        glowing = sum(bool(led.level and (led.red or led.green or led.blue)) for led in self.leds())
        print(json.dumps({"glowing": glowing, "screen": self.oled().on, "buzzer": self.buzzer_hz()}), flush=True)
        super().close()


class Hurried(Device):
    """A device that does not darken its lights."""

    async def stop(self) -> None:
        return


if __name__ == "__main__":
    with (
        mock.patch("cribd.twin.machine.Twin", Watched),
        mock.patch("cribd.daemon.device.Device", Hurried if os.environ.get("LIGHTS") == "left" else Device),
    ):
        sys.exit(main())
