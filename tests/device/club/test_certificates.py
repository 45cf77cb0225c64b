"""Certificates of a club: they follow from the keys, and that of a board is for a client and certifies nobody."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest

from cribd.club.certificates import (
    NoCertificate,
    board_certificate,
    certified_board,
    certified_hub,
    hub_certificate,
    tls_to_hub,
)
from cribd.club.keys import ClubKey, load_or_make


def key(folder: Path, name: str) -> ClubKey:
    (folder / name).mkdir(exist_ok=True)
    return load_or_make(folder / name / "journal.db")


@pytest.fixture
def hub(tmp_path: Path) -> ClubKey:
    return key(tmp_path, "hub")


@pytest.fixture
def board(tmp_path: Path) -> ClubKey:
    return key(tmp_path, "board")


def test_a_certificate_names_the_machine_whose_key_it_has(hub: ClubKey, board: ClubKey) -> None:
    assert certified_hub(hub_certificate(hub)) == hub.id
    assert certified_board(board_certificate(hub, board.id), hub_certificate(hub)) == board.id


def test_a_hub_with_the_same_key_makes_the_same_certificates(tmp_path: Path, hub: ClubKey, board: ClubKey) -> None:
    again = key(tmp_path, "hub")
    assert hub_certificate(again) == hub_certificate(hub)
    assert board_certificate(again, board.id) == board_certificate(hub, board.id)


def test_what_another_hub_has_certified_is_refused(tmp_path: Path, hub: ClubKey, board: ClubKey) -> None:
    other = key(tmp_path, "other")
    with pytest.raises(NoCertificate, match="This is no certificate of a club"):
        certified_board(board_certificate(other, board.id), hub_certificate(hub))


def test_a_board_certifies_nobody(tmp_path: Path, hub: ClubKey, board: ClubKey) -> None:
    other = key(tmp_path, "other")
    with pytest.raises(NoCertificate):
        certified_board(board_certificate(board, other.id), board_certificate(hub, board.id))
    with pytest.raises(NoCertificate):
        certified_hub(board_certificate(hub, board.id))


@pytest.mark.parametrize("text", ["", "hub", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "é"])
def test_a_text_that_is_no_certificate_is_refused(text: str, hub: ClubKey) -> None:
    with pytest.raises(NoCertificate):
        certified_hub(text)
    with pytest.raises(NoCertificate):
        certified_board(text, hub_certificate(hub))


def handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> str:
    """Join two ends of TLS in memory. Returns the name in the certificate of the client."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    done = set[ssl.SSLObject]()
    while len(done) < len(ends):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            done.add(end)
    certificate = ends[1].getpeercert()
    assert certificate
    subject: object = certificate["subject"]
    return str(subject)


def server_context(own: ClubKey, certificate: str, hub: str, folder: Path) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    (folder / "own.pem").write_text(certificate, encoding="ascii")
    made.load_cert_chain(folder / "own.pem", own.file)
    made.verify_mode = ssl.CERT_REQUIRED
    made.load_verify_locations(cadata=hub)
    return made


def test_a_board_and_its_hub_know_one_another(tmp_path: Path, hub: ClubKey, board: ClubKey) -> None:
    own = hub_certificate(hub)
    server = server_context(hub, own, own, tmp_path)
    assert board.id in handshake(server, tls_to_hub(board, board_certificate(hub, board.id), own))


def test_the_hub_is_a_client_of_its_broker_by_its_own_certificate(tmp_path: Path, hub: ClubKey) -> None:
    own = hub_certificate(hub)
    assert hub.id in handshake(server_context(hub, own, own, tmp_path), tls_to_hub(hub, own, own))


def test_python_3_13s_strict_checks_take_the_certificates(tmp_path: Path, hub: ClubKey, board: ClubKey) -> None:
    own = hub_certificate(hub)
    server, client = server_context(hub, own, own, tmp_path), tls_to_hub(board, board_certificate(hub, board.id), own)
    for context in (server, client):
        context.verify_flags |= ssl.VERIFY_X509_STRICT
    assert board.id in handshake(server, client)


def test_a_boards_certificate_is_refused_as_a_hubs(tmp_path: Path, hub: ClubKey, board: ClubKey) -> None:
    own, other = hub_certificate(hub), key(tmp_path, "other")
    false_hub = server_context(board, board_certificate(hub, board.id), own, tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError, match="unsuitable certificate purpose"):
        handshake(false_hub, tls_to_hub(other, board_certificate(hub, other.id), own))


def test_a_certificate_with_the_key_of_another_machine_is_not_used(
    tmp_path: Path, hub: ClubKey, board: ClubKey
) -> None:
    thief = key(tmp_path, "thief")
    with pytest.raises(ssl.SSLError, match="KEY_VALUES_MISMATCH"):
        tls_to_hub(thief, board_certificate(hub, board.id), hub_certificate(hub))


def test_a_refused_handshake_leaves_no_socket_open(tmp_path: Path) -> None:
    hub, board = key(tmp_path, "hub"), key(tmp_path, "board")
    tls = tls_to_hub(board, board_certificate(hub, board.id), hub_certificate(hub))
    with socket.create_server(("127.0.0.1", 0)) as broker:
        asks = tls.wrap_socket(socket.create_connection(broker.getsockname()), do_handshake_on_connect=False)
        answers, _ = broker.accept()
        with answers:
            answers.sendall(b"\x15\x03\x03\x00\x02\x02\x2c")  # the alert: certificate revoked
            with pytest.raises(ssl.SSLError):
                asks.do_handshake()
    assert asks.fileno() == -1
