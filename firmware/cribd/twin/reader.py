"""The name of `lay_cards` in earlier releases: `python -m cribd.twin.reader` still works."""

import runpy

if __name__ == "__main__":
    runpy.run_module("cribd.twin.lay_cards", run_name="__main__")
