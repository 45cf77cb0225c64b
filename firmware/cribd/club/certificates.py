"""The X.509 certificates of a club's hub and boards.

A certificate follows from the keys alone, so making it twice gives the same bytes. It is valid from 1970 to 9999,
because the clock of a Pi may be wrong by years. A board's certificate is for clients only, and certifies nobody.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from datetime import UTC, datetime
from tempfile import NamedTemporaryFile

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from cribboard.validation import Message
from cribd.club.keys import ClubKey

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
#: The date by which X.509 says that a certificate has no end.
LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


class NoCertificate(Exception):  # noqa: N818 (what somebody sent, not an error of the caller)
    """The text is not a certificate of this club."""


def hub_certificate(hub: ClubKey) -> str:
    """Return the hub's own certificate as PEM.

    Boards recognise the hub by this certificate, and it certifies the boards."""
    public = hub.private.public_key()
    usage = _usage(digital_signature=True, key_cert_sign=True, crl_sign=True)
    made = _builder(hub, hub.id, public).add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    made = made.add_extension(usage, critical=True)
    made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    return _pem(made.sign(hub.private, None))


def board_certificate(hub: ClubKey, board: str) -> str:
    """Return the hub's certificate for this board, as PEM."""
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(board))
    client = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
    made = _builder(hub, board, public).add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    made = made.add_extension(_usage(digital_signature=True), critical=True).add_extension(client, critical=True)
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(hub.private.public_key())
    made = made.add_extension(by, critical=False)
    return _pem(made.sign(hub.private, None))


def revocation_list(hub: ClubKey, boards: Iterable[str]) -> str:
    """Return the hub's revocation list of these boards, as PEM."""
    made = x509.CertificateRevocationListBuilder().issuer_name(_name(hub.id)).last_update(FIRST).next_update(LAST)
    for board in sorted(boards):
        gone = x509.RevokedCertificateBuilder().serial_number(_serial(board)).revocation_date(FIRST).build()
        made = made.add_revoked_certificate(gone)
    return made.sign(hub.private, None).public_bytes(Encoding.PEM).decode()


def certified_hub(certificate: str) -> str:
    """Return the identity of the hub in this certificate. Raises `NoCertificate`."""
    return _checked(certificate, certificate)


def certified_board(certificate: str, hub: str) -> str:
    """Return the identity of the board in this certificate.

    `hub` is the hub's own certificate. Raises `NoCertificate`."""
    certified_hub(hub)
    return _checked(certificate, hub)


class _ClosedIfRefused(ssl.SSLSocket):
    """A socket that closes itself if the TLS handshake fails.

    paho would leave the socket open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def tls_to_hub(key: ClubKey, certificate: str, hub: str) -> ssl.SSLContext:
    """Return the TLS context for connections to this hub's broker.

    `key` and `certificate` are those of this machine. `hub` is the hub's certificate. No name or address is checked:
    the hub is known by its key."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.sslsocket_class = _ClosedIfRefused
    made.minimum_version = ssl.TLSVersion.TLSv1_3
    made.check_hostname = False
    made.load_verify_locations(cadata=hub)
    with NamedTemporaryFile("w", suffix=".pem", encoding="ascii") as file:  # OpenSSL reads it from a file alone
        file.write(certificate)
        file.flush()
        made.load_cert_chain(file.name, key.file)
    return made


def _checked(certificate: str, issuer: str) -> str:
    """Check a certificate, and return the name in it. Raises `NoCertificate`."""
    try:
        read, by = (x509.load_pem_x509_certificate(text.encode()) for text in (certificate, issuer))
        read.verify_directly_issued_by(by)
        [name] = read.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        public = read.public_key()
    except (ValueError, TypeError, InvalidSignature) as wrong:
        raise NoCertificate(_none()) from wrong
    if not isinstance(public, Ed25519PublicKey) or name.value != public.public_bytes_raw().hex():
        raise NoCertificate(_none())
    return str(name.value)


def _builder(hub: ClubKey, machine: str, public: Ed25519PublicKey) -> x509.CertificateBuilder:
    made = x509.CertificateBuilder(issuer_name=_name(hub.id), subject_name=_name(machine), public_key=public)
    return made.serial_number(_serial(machine)).not_valid_before(FIRST).not_valid_after(LAST)


def _name(machine: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, machine)])


def _serial(machine: str) -> int:
    """Return the serial number of a machine's certificate.

    The number is the first 19 bytes of the machine's key, plus 1: X.509 allows 20 bytes."""
    return int(machine[:38], 16) + 1


def _usage(*, digital_signature: bool = False, key_cert_sign: bool = False, crl_sign: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        key_cert_sign=key_cert_sign,
        crl_sign=crl_sign,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode()


def _none() -> Message:
    return Message("club.no_certificate", "This is no certificate of a club. Join the club again.")
