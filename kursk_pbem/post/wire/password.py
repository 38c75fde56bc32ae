"""Password sources: a command, the keyring, or a question at the terminal. Passwords are never saved here.

No file, argument or message contains a password (T58). Words of a server are shown without the password.
"""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Callable
from dataclasses import field
from importlib import import_module
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.post.wire import account, providers
from kursk_pbem.post.wire.account import Account, Server

_SECONDS = 60
_MOST, _WORDS = 65_536, 600
_SMTPS = 465
SERVICE = "kursk-pbem"


@frozen
class Secret:
    """A password, or an access ``token`` for XOAUTH2."""

    text: str = field(repr=False)
    token: bool = False

    def describe_refusal(self, server: Server, error: Exception) -> str:
        """Return the error message for a failed login."""
        what, check = ("access token", "token-command") if self.token else ("password", "password-command")
        words = self.why(error)
        return (
            f"{server.host} refuses the {what} of {server.user}: check 'user' and '{check}' in account.toml, or the "
            f"password that you typed. {providers.describe_way(server.user, server.host, words)}. "
            f"The server says: {words}"
        )

    def describe_failure(self, server: Server, error: Exception) -> str:
        """Return why a connection failed, and the setting of the account that may be wrong."""
        hint = ""
        if server.port in (110, 995):
            hint = "; 110 and 995 are ports of POP3, and IMAP has 993, or 143 with /starttls"
        elif getattr(error, "reason", "") == "WRONG_VERSION_NUMBER":
            hint = "; the port begins without TLS: add /starttls to the server"
        elif isinstance(error, ssl.SSLCertVerificationError) and server.host in (*account.LOOPBACK, "0.0.0.0"):  # noqa: S104
            hint = "; for a bridge on this machine type HOST:PORT/none, or name its certificate with --ca-file"
        elif server.port == _SMTPS and isinstance(error, OSError) and not isinstance(error, ssl.SSLError):
            hint = "; perhaps this server sends by port 587: HOST:587"
        return f"{self.why(error)}{hint}"

    def why(self, error: Exception) -> str:
        """Return why a library failed, without the secret. For an encoding error, return only the error's type."""
        if isinstance(error, ssl.SSLCertVerificationError):  # 9 and 10: not valid yet, expired
            dated = "; check the date of this machine" if error.verify_code in (9, 10) else ""
            return f"certificate verify failed: {self.remove_secret(error.verify_message)}{dated}"
        words = "" if isinstance(error, UnicodeError) else self.remove_secret(str(error))
        return words if words not in ("", "None") else type(error).__name__

    def remove_secret(self, words: str) -> str:
        """Return a server's answer in printable letters, without the words that contain the secret."""
        return ascii(words.replace(self.text or "\0", "***")[:_WORDS])[1:-1]


Ask = Callable[[str], str]
"""Ask the owner at the terminal. Raises UsageError without a terminal."""


def load_secret(said: Account, server: Server, ask: Ask) -> Secret:
    """Return the password for a server: from a command, the keyring or the terminal. Raises UsageError."""
    if said.token_command:
        return Secret(_run_command(said.token_command, "token-command"), token=True)
    if said.password_command:
        return Secret(_run_command(said.password_command, "password-command"))
    return Secret(_read_keyring(server) or ask(f"Password of {server.user} at {server.host}"))


def _run_command(command: tuple[str, ...], name: str) -> str:
    """Return the first printed line of a command, run without a shell. Raises UsageError without any output."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=_SECONDS, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{name} ({show(command[0])}) could not be run: {type(error).__name__}") from None
    text = done.stdout[:_MOST].decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if done.returncode != 0 or not text:
        raise UsageError(f"{name} ({show(command[0])}) gave no password, and ended with status {done.returncode}")
    return text


def _read_keyring(server: Server) -> str:
    """Return the password in this machine's keyring, or '' if unavailable."""
    try:
        keyring: Any = import_module("keyring")  # an optional package
    except ImportError:
        return ""
    try:
        return str(keyring.get_password(SERVICE, f"{server.user}@{server.host}") or "")
    except keyring.errors.KeyringError:
        return ""
