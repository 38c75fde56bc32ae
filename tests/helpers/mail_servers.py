"""Mail servers in this process, for quick tests: SMTP by aiosmtpd, a small IMAP server, a proxy that cuts connections.

Every server listens on a free port of the loopback, with a certificate of a test authority.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import ipaddress
import re
import socket
import ssl
import threading
from email.parser import BytesParser
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kursk_pbem.desk.ground import clock

PASSWORD = "correct horse"


def write_certificates(folder):
    """Write an authority and a certificate for localhost as ca.pem, cert.pem and key.pem; valid for two days."""
    now = datetime.datetime.now(datetime.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _number in range(2)]
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)]) for text in ("Test authority", "localhost")]
    for number, file in enumerate(("ca.pem", "cert.pem")):
        made = x509.CertificateBuilder().subject_name(names[number]).issuer_name(names[0])
        made = made.public_key(keys[number].public_key()).serial_number(x509.random_serial_number())
        made = made.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        made = made.add_extension(x509.BasicConstraints(ca=number == 0, path_length=None), critical=True)
        if number:
            here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
            made = made.add_extension(x509.SubjectAlternativeName(here), critical=False)
        (folder / file).write_bytes(made.sign(keys[0], hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem = keys[1].private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain)
    (folder / "key.pem").write_bytes(pem)
    return folder


def server_context(folder):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


class Post:
    """The mails of an SMTP server: (sender, reader, bytes); ``answers``: replies to a reader, once or always."""

    def __init__(self, *, private):
        self.private = private
        self.mails = []
        self.answers = {}
        self.at_data = []
        self.logins = []

    async def handle_RCPT(self, _server, session, envelope, address, _options):
        if self.private and not session.authenticated:
            return "530 log in first"
        answer = self.answers.get(address)
        if isinstance(answer, list):
            answer = answer.pop(0) if answer else None
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server, _session, envelope):
        if self.at_data and (answer := self.at_data.pop(0)):
            return answer
        for address in envelope.rcpt_tos:
            self.mails.append((envelope.mail_from, address, envelope.content))
        return "250 OK"

    async def auth_XOAUTH2(self, _server, words):
        return AuthResult(success=PASSWORD.encode() in base64.b64decode(words[1]), handled=True)

    def __call__(self, _server, _session, _envelope, mechanism, data):
        login = (data.login or b"").decode(), (data.password or b"").decode()
        self.logins.append((mechanism, login[0]))
        return AuthResult(success=login[1] == PASSWORD, handled=True)


class Smtp:
    """An SMTP server; ``tls``: from the first byte, after STARTTLS, or none."""

    def __init__(self, folder, tls="tls", **more):
        self.post = Post(private=tls != "none")
        context = server_context(folder)
        how = {"ssl_context": context} if tls == "tls" else {}
        how |= {"tls_context": context, "require_starttls": True} if tls == "starttls" else {}
        self.controller = Controller(
            self.post,
            hostname="127.0.0.1",
            port=free_port(),
            authenticator=self.post,
            auth_require_tls=tls == "starttls",
            **how,
            **more,
        )

    def __enter__(self):
        self.controller.start()
        return self

    def __exit__(self, *_error):
        self.controller.stop(no_assert=True)

    @property
    def port(self):
        return self.controller.port


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Imap:
    """A mailbox in a small IMAP server: ``mails`` are {uid: (bytes, internal date)}, ``flags`` {uid: set}.

    ``sent``: the mails of the folder of sent mails, None without the folder; ``full``: the folder takes no mail.
    ``said``: the commands. ``spoilt``: a function that may replace an
    answer, (name, arguments) -> lines or None.
    """

    def __init__(self, folder, *, tls=True, idle=True):
        self.folder, self.tls, self.idle = folder, tls, idle
        self.mails, self.sent, self.flags, self.full = {}, {}, {}, False
        self.moved = None  # the mails of the folder "Games/Kursk", if there is one
        self.shown = self.mails
        self.validity, self.said, self.spoilt, self.decoded = 1, [], None, decode_texts
        self.lock, self.waiting = threading.Lock(), []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.lines = set()

    def add(self, raw, when="", uid=None, mails=None):
        now = datetime.datetime.fromisoformat(clock.now())
        when = when or now.strftime("%d-%b-%Y %H:%M:%S +0000")
        mails = self.mails if mails is None else mails
        with self.lock:
            uid = uid or max(mails, default=0) + 1
            mails[uid] = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), when
            number = len(mails)
        for line in list(self.waiting):
            with contextlib.suppress(OSError):
                line.sendall(b"* %d EXISTS\r\n" % number)
        return uid

    def __enter__(self):
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_error):
        with contextlib.suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)  # otherwise the thread may take a connection of the next server
        self.thread.join(10)
        self.listening.close()
        for line in list(self.lines):
            with contextlib.suppress(OSError):
                line.close()

    def _serve(self):
        context = server_context(self.folder) if self.tls else None
        while True:
            try:
                line, _address = self.listening.accept()
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # no waits of 40 ms
            except OSError:
                return
            threading.Thread(target=self._dialogue, args=(line, context), daemon=True).start()

    def _dialogue(self, line, context):
        with contextlib.suppress(OSError, ValueError, ssl.SSLError):
            if context is not None:
                line = context.wrap_socket(line, server_side=True)
            self.lines.add(line)
            line.sendall(b"* OK ready\r\n")
            reader = line.makefile("rb")
            while (words := reader.readline(65_536)).endswith(b"\n"):  # ignore half a command
                if not self._answer(line, reader, words.rstrip(b"\r\n")):
                    break
        with contextlib.suppress(OSError):
            line.close()

    def _answer(self, line, reader, words):
        """Answer a command; return whether the dialogue continues."""
        tag, _blank, rest = words.partition(b" ")
        while (literal := re.search(rb"\{([0-9]+)\+?\}\Z", rest)) is not None:
            line.sendall(b"+ go on\r\n")
            size = int(literal[1])
            self.literal = reader.read(size)
            rest = rest[: literal.start()] + b'"' + self.literal + b'"' + reader.readline().rstrip(b"\r\n")
        text = rest.decode("latin-1")
        self.said.append(text if "LOGIN" not in text else "LOGIN")
        name = text.upper().split(" ")[0]
        if name == "UID":
            name = "UID " + text.upper().split(" ")[1]
        told = self.spoilt(name, text) if self.spoilt else None
        if told is None and name == "IDLE":
            return self._idle(line, reader, tag)
        if name == "AUTHENTICATE":  # XOAUTH2: the token is in the next line
            line.sendall(b"+ \r\n")
            right = PASSWORD.encode() in base64.b64decode(reader.readline())
            told = [b"OK in"] if right else [b"NO [AUTHENTICATIONFAILED] wrong token"]
        lines = told if told is not None else getattr(self, "_" + name.lower().replace(" ", "_"), self._unknown)(text)
        line.sendall(b"".join(each + b"\r\n" for each in lines[:-1]) + tag + b" " + lines[-1] + b"\r\n")
        return name != "LOGOUT"

    def _idle(self, line, reader, tag):
        self.waiting.append(line)
        line.sendall(b"+ idling\r\n")
        done = reader.readline()
        with contextlib.suppress(ValueError):
            self.waiting.remove(line)
        line.sendall(tag + b" OK done\r\n")
        return bool(done)

    def _unknown(self, text):
        return [b"BAD no such command: " + text.encode("latin-1")[:40]]

    def _capability(self, _text):
        return [b"* CAPABILITY IMAP4rev1 AUTH=PLAIN UIDPLUS" + (b" IDLE" if self.idle else b""), b"OK done"]

    def _login(self, text):
        return [b"OK in"] if PASSWORD in text else [b"NO [AUTHENTICATIONFAILED] wrong: " + text.encode("latin-1")]

    def _logout(self, _text):
        return [b"* BYE", b"OK done"]

    def _noop(self, _text):
        return [b"OK done"]

    def _list(self, _text):
        there = [b'* LIST (\\Sent) "/" "Sent"'] if self.sent is not None else []
        there += [b'* LIST () "/" "INBOX"', b'* LIST () "/" "Games/Kursk"'] if self.moved is not None else []
        return [*there, b"OK done"]

    def _append(self, _text):
        if self.full or self.sent is None:
            return [b"NO [OVERQUOTA] the folder is full"]
        self.add(self.literal, mails=self.sent)
        return [b"OK done"]

    def _uid_expunge(self, text):
        for uid in text.split()[-1].split(","):
            self.shown.pop(int(uid), None)
        return [b"OK done"]

    def _examine(self, text):
        self.shown = self.sent if "Sent" in text else self.moved if "Games" in text else self.mails
        following = max(self.shown, default=0) + 1
        return [
            b"* %d EXISTS" % len(self.shown),
            b"* OK [UIDVALIDITY %d]" % self.validity,
            b"* OK [UIDNEXT %d]" % following,
            b"* OK [PERMANENTFLAGS (\\*)]",
            b"OK [READ-ONLY]",
        ]

    def _select(self, text):
        return [*self._examine(text)[:-1], b"OK [READ-WRITE] done"]

    def _uid_search(self, text):
        found = sorted(self.shown)
        if (span := re.search(r"UID ([0-9]+):([0-9*]+)", text.removeprefix("UID SEARCH "))) is not None:
            last = max(found, default=0)
            first, end = int(span[1]), last if span[2] == "*" else int(span[2])
            first, end = min(first, end), max(first, end)  # n:* without new mails means the last mail (RFC 3501)
            found = [uid for uid in found if first <= uid <= end]
        if "BODY" in text:
            words = [(one or other).encode() for one, other in re.findall(r'BODY (?:"([^"]*)"|(\S+))', text)]
            texts = {uid: self.decoded(self.shown[uid][0]) for uid in found}
            found = [uid for uid in found if any(word in texts[uid] for word in words)]
        if words := re.findall(r'(?:SUBJECT|REFERENCES) "?([^"\r]*[^" \r])(?=["\s]|$)', text, re.IGNORECASE):
            heads = {uid: self.shown[uid][0].partition(b"\n\n")[0].partition(b"\r\n\r\n")[0] for uid in found}
            found = [uid for uid in found if any(word.encode() in heads[uid] for word in words)]
        if (named := re.search(r'HEADER Message-ID "?([^" \r]+)', text, re.IGNORECASE)) is not None:
            found = [uid for uid in found if named[1].encode() in self.shown[uid][0].partition(b"\r\n\r\n")[0]]
        return [b"* SEARCH" + b"".join(b" %d" % uid for uid in found), b"OK done"]

    def _uid_fetch(self, text):
        asked = [int(uid) for uid in re.search(r"UID FETCH ([0-9,]+)", text)[1].split(",")]
        lines, order = [], sorted(self.shown)
        for uid in asked:
            if uid not in self.shown:
                continue
            raw = self.shown[uid][0]
            head = raw[: raw.find(b"\r\n\r\n") + 4]
            parts = [b"UID %d" % uid]
            if "SIZE" in text:
                parts.append(b"RFC822.SIZE %d" % len(raw))
            if "INTERNALDATE" in text:
                parts.append(b'INTERNALDATE "%b"' % self.shown[uid][1].encode())
            if "HEADER" in text:
                head = head[: int(re.search(r"HEADER\]<0\.([0-9]+)>", text)[1])]
                parts.append(b"BODY[HEADER]<0> {%d}\r\n" % len(head) + head)
            if "PEEK[]" in text:
                parts.append(b"BODY[] {%d}\r\n" % len(raw) + raw)
            lines.append(b"* %d FETCH (" % (order.index(uid) + 1) + b" ".join(parts) + b")")
        return [*lines, b"OK done"]

    def _uid_store(self, text):
        for uid in re.search(r"UID STORE ([0-9,]+)", text)[1].split(","):
            self.flags.setdefault(int(uid), set()).add(re.search(r"\((.*)\)", text)[1])
        return [b"OK done"]


def decode_texts(raw):
    """Return the decoded text parts of a mail; servers such as Dovecot search no other parts."""
    parts = (part for part in BytesParser().parsebytes(raw).walk() if part.get_content_maintype() == "text")
    return b"\n".join(part.get_payload(decode=True) or b"" for part in parts)


class Proxy:
    """A connection cut after byte ``at`` in one direction: ``up`` to the server, or down to the client.

    ``passed``: the bytes in this direction.
    """

    def __init__(self, port, at, *, up):
        self.port_behind, self.left, self.up, self.passed = port, at, up, b""
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self.listening.close()

    def _serve(self):
        while True:
            try:
                near, _address = self.listening.accept()
                far = socket.create_connection(("127.0.0.1", self.port_behind))
            except OSError:
                return
            for giver, taker, up in ((near, far, True), (far, near, False)):
                threading.Thread(target=self._pump, args=(giver, taker, up), daemon=True).start()

    def _pump(self, giver, taker, up):
        with contextlib.suppress(OSError):
            while data := giver.recv(65_536):
                self.passed += data if up == self.up else b""
                if up == self.up and self.left is not None:
                    if len(data) > self.left:
                        taker.sendall(data[: self.left])
                        break
                    self.left -= len(data)
                taker.sendall(data)
        for line in (giver, taker):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError):
                line.close()


def account(friend, folder, imap=None, smtp=None, *, tls="tls", more=""):
    """Write a friend's account for these ports; a command prints the password."""
    path = friend.home / "post" / "account.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f'address = "{friend.address}"',
        f'user = "{friend.name}"',
        f'ca-file = "{folder / "ca.pem"}"',
        "days = 3660",
        f'password-command = ["echo", "{PASSWORD}"]',
        f'games = "{friend.place}"',
        more,
    ]
    for key, port in (("imap", imap), ("smtp", smtp)):
        lines += [f"[{key}]", 'host = "localhost"', f"port = {port}", f'tls = "{tls}"'] if port else []
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    path.chmod(0o600)
    return Path(path)
