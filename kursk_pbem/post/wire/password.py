"""Where a password comes from: a command, the keyring, or its owner at the terminal. It is never written down here.

It is in no file, no argument and no message of ours (T58): words of a server are shown without it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.post.wire.account import Account, Server

_SECONDS = 60
_MOST = 65_536
SERVICE = "kursk-pbem"


@dataclass(frozen=True)
class Secret:
    """What one logs in with: a password, or an access ``token`` for XOAUTH2."""

    text: str = field(repr=False)
    token: bool = False

    def refused(self, server: Server, error: Exception) -> str:
        """Return the sentence for a login that fails."""
        what, check = ("access token", "token-command") if self.token else ("password", "password-command")
        return (
            f"{server.host} refuses the {what} of {server.user}: check 'user' and '{check}' in account.toml, or the "
            f"password that you typed; many providers want an app password ({self.why(error)})"
        )

    def why(self, error: Exception) -> str:
        """Return in words why a library failed, without the secret. An encoding's error would show its letters."""
        words = "" if isinstance(error, UnicodeError) else self.washed(str(error))
        return words or type(error).__name__

    def washed(self, words: str) -> str:
        """Return words of a server in plain letters, without the secret."""
        return show(words.replace(self.text or "\0", "***"))[1:-1]


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
        keyring: Any = import_module("keyring")  # not everybody has it
    except ImportError:
        return ""
    try:
        return str(keyring.get_password(SERVICE, f"{server.user}@{server.host}") or "")
    except keyring.errors.KeyringError:
        return ""
