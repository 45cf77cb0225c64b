"""Kept for old commands: `python -m cribd.twin.reader` runs `lay_cards`."""

import runpy

if __name__ == "__main__":
    runpy.run_module("cribd.twin.lay_cards", run_name="__main__")
