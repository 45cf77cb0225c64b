"""A board imports nothing of OpenSSL until it belongs to a club."""

from __future__ import annotations

import subprocess
import sys


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_what_needs_ssl_goes_without_it_while_it_is_hidden() -> None:
    code = "from cribd import openssl; openssl.hide(); import asyncio.sslproto as s, hashlib; print(s.ssl)"
    assert run(code) == "None"


def test_ssl_can_be_imported_again_once_it_is_allowed() -> None:
    code = "from cribd import openssl; openssl.hide(); openssl.allow(); import ssl; print(ssl.HAS_TLSv1_3)"
    assert run(code) == "True"


def test_allowing_ssl_again_keeps_the_module_imported_before() -> None:
    code = (
        "import ssl, sys; from cribd import openssl; openssl.hide(); openssl.allow(); print(sys.modules['ssl'] is ssl)"
    )
    assert run(code) == "True"
