"""Where a password comes from: a command, the keyring, or its owner at the terminal. It is never written down here.

It is in no file, no argument and no message of ours (T58): words of a server are shown without it.
"""

from __future__ import annotations

import base64
import binascii
import subprocess
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.post.servers.account import Account, Server

_SECONDS = 60
_MOST = 65_536
_LEAST = 4
"""Letters in a row that betray a secret, at least; of a longer one two thirds."""
_HIDDEN = "***"
SERVICE = "kursk-pbem"


@dataclass(frozen=True)
class Secret:
    """What one logs in with: a password, or an access ``token`` for XOAUTH2."""

    text: str = field(repr=False)
    token: bool = False

    def why(self, error: Exception) -> str:
        """Why nobody could log in, or what else a library fails at, without the secret."""
        if (
            isinstance(error, UnicodeEncodeError) and error.encoding != "idna"
        ):  # it says the letter, and where it stands
            return "the password, or the name, has letters that cannot be said to a server: set one of plain letters"
        return self.washed(str(error)) or type(error).__name__

    def washed(self, words: str) -> str:
        """Words of a server without the secret, in plain letters; nothing of them if they echo it in another form."""
        clean = words.replace(self.text, _HIDDEN) if self.text else words
        said, whole = _bare(clean), _unquoted(self.text)
        echoed = (whole and whole in _unquoted(clean)) or any(piece in said for piece in self._pieces)
        return _HIDDEN if echoed else show(clean)[1:-1]

    @cached_property
    def _pieces(self) -> frozenset[str]:
        """What betrays it: most of it in a row, as it is or encoded, without marks and blanks that may be put in."""
        raw = self.text.encode("utf-8", "surrogateescape")
        forms = [self.text, repr(raw)[2:-1], urllib.parse.quote(raw), raw.hex(), binascii.b2a_qp(raw).decode("ascii")]
        forms += (_in_base64(raw, before) for before in range(3))
        bare = [form for form in map(_bare, forms) if len(form) >= _LEAST]
        return frozenset(
            form[at : at + most]
            for form in bare
            for most in (max(_LEAST, (2 * len(form) + 2) // 3),)
            for at in range(len(form) - most + 1)
        )


def _bare(text: str) -> str:
    """The letters and digits of a text, all small: a server may say them in capitals."""
    return "".join(letter for letter in text if letter.isalnum()).casefold()


def _unquoted(text: str) -> str:
    """A text in one line, without what is put before marks where they are quoted, all small."""
    return "".join(letter for letter in text if letter not in "\\\"'\r\n").casefold()


def _in_base64(raw: bytes, before: int) -> str:
    """What is the same in base64 whatever stands around some bytes, so many others ``before`` them modulo three."""
    coded = base64.b64encode(bytes(before) + raw).decode("ascii").rstrip("=")
    return coded[(0, 2, 3)[before] : len(coded) - ((before + len(raw)) % 3 != 0)]


Ask = Callable[[str], str]
"""Asks the owner at the terminal; UsageError where there is none."""


def of(account: Account, server: Server, ask: Ask) -> Secret:
    """The secret for a server: by the command, from the keyring, or asked. UsageError."""
    if account.token_command:
        return Secret(_said(account.token_command, "token-command"), token=True)
    if account.password_command:
        return Secret(_said(account.password_command, "password-command"))
    return Secret(_kept(server) or ask(f"Password of {server.user} at {server.host}"))


def _said(command: tuple[str, ...], name: str) -> str:
    """The first line that a command prints. It is run without a shell. UsageError, with nothing of what it printed."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=_SECONDS, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{name} ({show(command[0])}) could not be run: {type(error).__name__}") from None
    text = done.stdout[:_MOST].decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if done.returncode != 0 or not text:
        raise UsageError(f"{name} ({show(command[0])}) gave nothing, and ended with status {done.returncode}")
    return text


def _kept(server: Server) -> str:
    """What the keyring of this machine holds, '' if there is none or it cannot be asked."""
    try:
        keyring = import_module("keyring")  # not everybody has it
    except ImportError:
        return ""
    try:
        return str(keyring.get_password(SERVICE, f"{server.user}@{server.host}") or "")
    except Exception:  # noqa: BLE001  each desktop has errors of its own; then it is asked
        return ""
