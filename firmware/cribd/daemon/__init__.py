"""The daemon: runs one board, from its wires to its pages.

`serve` runs it (`service`): it opens a `Device` (`device`), tells systemd how it does, and serves its pages
(`serve_pages`). The commands `run` and `demo` call it. It holds no rule, no wording and no picture.
"""

from cribd.daemon.device import Device, open_device
from cribd.daemon.service import serve

__all__ = ["Device", "open_device", "serve"]
