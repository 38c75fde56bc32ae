"""A stranger's mail costs at most two seconds and 200 MB, and stops no round (T27, T49)."""

import base64
import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import multiprocessing
import resource
import tarfile
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor

import pytest
from helpers.packed import pack_zip
from helpers.signing_desk import propose, signed

from kursk_pbem.post.mailbox.envelope import MAX_MAIL, Mail
from kursk_pbem.post.round.reading import read_contents
from kursk_pbem.trust import messages

MIB = 1024 * 1024
PACKED = b"Content-Transfer-Encoding: base64\n\n"
HTML = b"Content-Type: text/html\n\nkursk-"
FLOWED = b"Content-Type: text/plain; format=flowed\n\n"


def full(unit, size=MAX_MAIL - 1000):
    return (unit * (size // len(unit) + 1))[:size]


def copies(count, body, below=b""):
    """Return variants of a turn with different signatures."""
    head = b"kursk-pbem: 1\nseq: 1\n" + body + b"signature: |\n  -----BEGIN SSH SIGNATURE-----\n"
    return b"".join(head + b"  %d\n  -----END SSH SIGNATURE-----\n" % k + below for k in range(count))


def forwarded(inner, times):
    for _ in range(times):
        inner = b"Content-Type: message/rfc822\n" + PACKED + base64.encodebytes(inner)
    return inner


def attached(data):
    return b"Content-Type: application/octet-stream; name=a.zip\n" + PACKED + base64.encodebytes(data)


def zipped():
    return pack_zip(*((f"{number}.yaml", bytes(10 * MIB)) for number in range(100)))


def many(count, how=zipfile.ZIP_STORED):
    there = io.BytesIO()
    with zipfile.ZipFile(there, "w", how) as file:
        for number in range(count):
            file.writestr(f"{number}.yaml", b"x")
    return there.getvalue()


def deep(data, times):
    for _ in range(times):
        data = gzip.compress(data)
    return data


def huge_member():
    """Return a tar whose only file is said to have 8 GiB, and one of 60,000 links and files."""
    info, count = tarfile.TarInfo("huge.yaml"), tarfile.TarInfo("x.yaml").tobuf()
    info.size = 8 << 30
    return info.tobuf(tarfile.GNU_FORMAT) + bytes(1024), count * 60_000


def proposals():
    """Return as many valid proposals as fit in two MiB; signing costs a stranger nothing."""
    one = signed(propose(nonce=hashlib.sha256(b"1").hexdigest(), state_out=None, state=None))
    return full(messages.emit_message(one.content, one.armour).encode("ascii") + b"\n", 2 * MIB)


HOSTILE = {
    "line ends": lambda: full(b"\n"),
    "one letter": lambda: full(b"x"),
    "a mailbox of nothing": lambda: b"\n" + full(b"From a 1:1\n\n"),
    "a long header": lambda: b"Subject: " + full(b"x"),
    "parameters": lambda: b"Content-Type: text/plain" + b"; a=b" * 10_000 + b"\n\nx",
    "parts in parts": lambda: b"".join(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" for _ in range(90_000)),
    "many parts": lambda: b"Content-Type: multipart/mixed; boundary=b\n\n" + full(b"--b\n"),
    "mails in mails": lambda: forwarded(full(b"From a\n", 100_000), 10),
    "beginnings of turns": lambda: full(b"kursk-pbem: '1'\n"),
    "turns of nothing": lambda: copies(1900, b"x: y\n" * 600),
    "blank lines below a turn": lambda: copies(3, b"", b"\n" * 2 * MIB),
    "quoted turns of many lines": lambda: full(b"\n> kursk-pbem: 1\n" + b"> x: y\n" * 30_000),
    "good proposals": proposals,
    "base64": lambda: PACKED + full(b"QUFB" * 18 + b"\n"),
    "quoted-printable": lambda: b"Content-Transfer-Encoding: quoted-printable\n\n" + full(b"=\n"),
    "UTF-16": lambda: b"Content-Type: text/plain\n\n" + full(b"\0\xd8"),
    "format=flowed": lambda: FLOWED + full(b"a \n"),
    "a page of marks": lambda: HTML + full(b"<", MIB),
    "a page with one long entity": lambda: HTML + b"&#" + full(b"9", MIB),
    "gzip": lambda: attached(gzip.compress(bytes(500 * MIB), 1)),
    "zip": lambda: attached(zipped()),
    "zip of many files": lambda: attached(many(100_000)),
    "zips in a zip": lambda: attached(many(1) + many(45) * 100),
    "gzip of gzips": lambda: attached(deep(bytes(100 * MIB), 20)),
    "streams of gzip": lambda: attached(full(gzip.compress(b""), 20 * MIB)),
    "xz": lambda: attached(lzma.compress(bytes(200 * MIB), preset=0)),
    "bzip2": lambda: attached(bz2.compress(bytes(100 * MIB))),
    "tar of one file": lambda: attached(huge_member()[0]),
    "tar of many files": lambda: attached(huge_member()[1]),
    "uuencode": lambda: b"\n" + full(codecs.encode(bytes(MIB), "uu")),
    "bare base64": lambda: b"\n" + full(b"QUFB" * 18 + b"\n"),
    "three marks": lambda: full(
        b"".join(mark + b"kursk-pbem: 1\n" for mark in (b"\n> ", b"| ", b"\t")) + b"> x\n" * 999
    ),
    "hard blanks": lambda: b"\n" + full(b"\xa0 -----BEGIN SSH\n" + b"\xc2\xa0" * 2000 + b"\n"),
    "beginnings of keys": lambda: b"\n" + full(b"-----BEGIN PRIVATE KEY-----\n"),
    "fields": lambda: b"Content-Type: application/x-yaml\n\n" + full(b"a:\n "),
}


def measure_reading(what):
    """Return the time of reading a hostile mail in counts of this core to ten million, and its megabytes."""
    raw = b"From: a@example.org\n" + HOSTILE[what]()
    before, times = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, [time.process_time()]
    read_contents(Mail(raw, "INBOX 1"), events=True)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    times.append(time.process_time())
    sum(range(2_500_000))
    times.append(time.process_time())
    return (times[1] - times[0]) / (times[2] - times[1]) / 4, more


@pytest.mark.some(9)
@pytest.mark.parametrize("what", HOSTILE)
def test_T27_hostile_mail_costs_less_than_two_seconds_and_200_mb(what):
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        counts, megabytes = pool.submit(measure_reading, what).result()
    assert counts < 14  # a quiet core counts 14 times in two seconds
    assert megabytes < 200
