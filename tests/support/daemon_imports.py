"""Imports all that a daemon imports, and reads both languages. The server that forks daemons has imported this."""

import gc
import importlib
import pkgutil

import cribd
from cribd.text import languages, load

_LIBRARIES = ("gpiozero", "luma.core.interface.serial", "luma.oled.device", "PIL.Image", "serial", "aiohttp.web")

for name in (*_LIBRARIES, *(module.name for module in pkgutil.walk_packages(cribd.__path__, "cribd."))):
    if not name.endswith("__main__"):
        importlib.import_module(name)
for language in languages():
    load(language)
gc.collect()
gc.freeze()
