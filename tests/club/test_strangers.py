"""Who has no key of the club: nobody is let in, and nobody who listens on the wire reads a word."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from tests.support.club import Club, Machine, free_port, line_with, make_key

from cribd.club.broker import configuration
from cribd.club.certificates import board_certificate, hub_certificate, tls_to_hub


def nothing(club: Club) -> None:
    """No certificate at all."""


def self_made(club: Club) -> Machine:
    """A hub's certificate that a stranger makes for himself."""
    key = make_key(club.folder / "stranger")
    return Machine(key, hub_certificate(key))


def of_another_hub(club: Club) -> Machine:
    key = make_key(club.folder / "stranger")
    return Machine(key, board_certificate(make_key(club.folder / "other hub"), key.id))


def made_by_a_board(club: Club) -> Machine:
    """A board certifies a stranger, with its own real certificate as the issuer's."""
    key = make_key(club.folder / "stranger")
    return Machine(key, board_certificate(club.boards["a"].key, key.id) + club.boards["a"].certificate)


def with_the_names_of_the_club(club: Club) -> Machine:
    """It says that the hub of this club has made it, and is signed by the stranger."""
    key = make_key(club.folder / "stranger")
    by, of = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one.id)]) for one in (club.hub, club.boards["b"]))
    made = x509.CertificateBuilder(by, of, key.private.public_key(), 5)
    made = made.not_valid_before(datetime(2020, 1, 1, tzinfo=UTC)).not_valid_after(datetime(2099, 1, 1, tzinfo=UTC))
    text = made.sign(key.private, None).public_bytes(Encoding.PEM).decode()
    return Machine(key, text)


@pytest.mark.parametrize("stranger", [nothing, self_made, of_another_hub, made_by_a_board, with_the_names_of_the_club])
async def test_a_stranger_is_not_let_in(running_club: Club, stranger: Callable[[Club], Machine | None]) -> None:
    club = running_club
    board, machine = club.boards["b"], stranger(club)
    async with club.listening(club.hub, "cribboard/1/#") as heard:
        code, said = await club.publish(machine, board.up, "forged", "-r")
        assert code != 0, said
        assert await club.read(machine, "#", "$SYS/#") == []
        assert (await club.publish(board, board.up, "real"))[0] == 0
        assert "forged" not in await line_with("real", heard)
    assert await club.read(club.hub, "cribboard/1/#") == []


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2])
async def test_an_old_tls_is_refused(running_club: Club, newest: ssl.TLSVersion) -> None:
    board = running_club.boards["a"]
    context = tls_to_hub(board.key, board.certificate, running_club.hub.certificate)
    context.minimum_version, context.maximum_version = newest, newest
    with pytest.raises(ssl.SSLError):
        await asyncio.open_connection("127.0.0.1", running_club.port, ssl=context)


async def test_mqtt_without_tls_is_no_way_in(running_club: Club) -> None:
    process = await asyncio.create_subprocess_exec(
        *("mosquitto_sub", "-h", "127.0.0.1", "-p", str(running_club.port), "-t", "#", "-W", "2"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode != 0, out


async def test_what_strangers_cause_is_said_once(running_club: Club) -> None:
    for _ in range(4):
        await running_club.publish(None, "x", "y")
        await asyncio.sleep(0.05)
    [_] = [line for line in running_club.said if line == "A machine without a certificate of this club is refused."]


async def test_a_board_refuses_a_false_broker_with_a_boards_certificate(club: Club, tmp_path: Path) -> None:
    """Board `a` runs a mosquitto with its own real certificate, at the address of the hub."""
    thief, board = club.boards["a"], club.boards["b"]
    async with club.running():
        port = free_port()
        text = configuration(club.folder / "broker", thief.key.file, port)
        false = tmp_path / "false.conf"
        own = f"certfile {thief.certificate_file()}"
        lines = [own if line.startswith("certfile") else line for line in text.splitlines()]
        false.write_text("\n".join([*lines, ""]), encoding="utf-8")
        process = await asyncio.create_subprocess_exec("/usr/sbin/mosquitto", "-c", false)
        try:
            real, club.port = club.port, port
            await club.answers()
            context = tls_to_hub(board.key, board.certificate, club.hub.certificate)
            with pytest.raises(ssl.SSLCertVerificationError, match="unsuitable certificate purpose"):
                await asyncio.open_connection("127.0.0.1", port, ssl=context)
            code, said = await club.publish(board, board.up, "to the wrong one")
            assert code != 0, said
            _, writer = await asyncio.open_connection("127.0.0.1", real, ssl=context)
            writer.close()
        finally:
            process.terminate()
            await process.wait()


async def test_who_stores_every_byte_on_the_wire_reads_no_name_no_topic_and_no_key(running_club: Club) -> None:
    club, board = running_club, running_club.boards["a"]
    stored = bytearray()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            while data := await reader.read(65536):
                stored.extend(data)
                writer.write(data)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", real)
        await asyncio.gather(pass_on(reader, back), pass_on(there, writer))

    real = club.port
    proxy = await asyncio.start_server(connect, "127.0.0.1", 0)
    async with club.listening(club.hub, board.up) as heard:
        club.port = proxy.sockets[0].getsockname()[1]
        assert (await club.publish(board, board.up, "Rita et Marcel, 121-90"))[0] == 0
        await line_with("Rita et Marcel, 121-90", heard)
    proxy.close()
    assert len(stored) > 1000
    for secret in ("Rita", "121-90", "cribboard", board.id, club.hub.id, "MQTT"):
        assert secret.encode() not in stored
    for key in (board.id, club.hub.id):
        assert bytes.fromhex(key) not in stored
