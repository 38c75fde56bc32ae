"""Where a password comes from: a command, the keyring, or its owner at the terminal. It is never written down here.

It is in no file, no argument and no message of ours (T58): words of a server are shown without it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.post.servers.account import Account, Server

_SECONDS = 60
_MOST = 65_536
SERVICE = "kursk-pbem"


@dataclass(frozen=True)
class Secret:
    """What one logs in with: a password, or an access ``token`` for XOAUTH2."""

    text: str = field(repr=False)
    token: bool = False

    def washed(self, words: str) -> str:
        """Words of a server without the secret, in plain letters."""
        clean = words.replace(self.text, "***") if self.text else words
        return show(clean)[1:-1]


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
