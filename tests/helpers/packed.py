"""Packed, signed and encrypted forms of a text, as other programs make them."""

import io
import re
import tarfile
import zipfile
from datetime import UTC, datetime
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs7

from kursk_pbem.formats import strictyaml

PGP = b"-----BEGIN PGP MESSAGE-----\n\nhQEMA5vJ\n=abcd\n-----END PGP MESSAGE-----\n"
TNEF = b"\x78\x9f\x3e\x22\1\0"
_DAY = datetime(2026, 11, 26, tzinfo=UTC)
_MBOX = b"From boris@example.org Thu Nov 26 10:00:00 2026\n"


def read_plain(text):
    return strictyaml.read(text.encode(), "text").data


def pack_zip(*members):
    there = io.BytesIO()
    with zipfile.ZipFile(there, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members:
            file.writestr(name, data)
    return there.getvalue()


DOCX = pack_zip(("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<w:document/>"))


def lock_zip(data):
    """Return a zip whose only member is marked as encrypted."""
    made = bytearray(pack_zip(("0001.yaml", data)))
    made[6] |= 1
    made[made.rindex(b"PK\1\2") + 8] |= 1
    return bytes(made)


def pack_tar(*members, mode="w"):
    there = io.BytesIO()
    with tarfile.open(fileobj=there, mode=mode) as file:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1.5
            file.addfile(info, io.BytesIO(data))
    return there.getvalue()


def pack_mbox(*mails):
    return b"".join(_MBOX + re.sub(rb"(?m)^(>*From )", rb">\1", mail) + b"\n" for mail in mails)


@cache
def _make_certificate():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Boris")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(_DAY).not_valid_after(_DAY.replace(year=2036))
    return made.sign(key, hashes.SHA256()), key


def sign_smime(data):
    """Return a signed text with its content inside (smime-type=signed-data)."""
    made = pkcs7.PKCS7SignatureBuilder().set_data(data).add_signer(*_make_certificate(), hashes.SHA256())
    return made.sign(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])


def stream_smime(data):
    """Return the same in pieces without lengths, as programs write that do not know the end at the beginning."""
    pieces = b"".join(_field(4, data[at : at + 1000]) for at in range(0, len(data), 1000))
    content = _open(0x30, _field(6, bytes.fromhex("2a864886f70d010701")) + _open(0xA0, _open(0x24, pieces)))
    signed = _open(0x30, _field(2, b"\1") + _field(0x31, b"") + content + _field(0x31, b""))
    return _open(0x30, _field(6, bytes.fromhex("2a864886f70d010702")) + _open(0xA0, signed))


def encrypt_smime(data):
    made = pkcs7.PKCS7EnvelopeBuilder().set_data(data).add_recipient(_make_certificate()[0])
    return made.encrypt(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])


def _field(tag, data):
    size = len(data).to_bytes(2, "big")
    return bytes([tag]) + (b"\x82" + size if len(data) > 127 else size[1:]) + data


def _open(tag, data):
    return bytes([tag, 0x80]) + data + b"\0\0"
