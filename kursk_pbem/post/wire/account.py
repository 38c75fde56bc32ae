"""The mail account: ``account.toml`` in the post folder, written by ``kursk post setup`` and edited by the owner.

The file names servers, user, folders and the source of the password, never the password. TLS is required, except for a
helper program on this machine.
"""

from __future__ import annotations

import os
import re
import shlex
import ssl
import stat
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.text import show, to_utf8
from kursk_pbem.frozen import frozen

TLS, STARTTLS, NONE = "tls", "starttls", "none"
_MOST = 65_536
_ADDRESS = re.compile(r"[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,189}")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?|::1")
Made = TypeVar("Made")


@frozen
class Server:
    """Host, port, TLS mode and user of a server."""

    host: str
    port: int
    tls: str
    user: str


@frozen
class Account:
    """An account. ``imap`` or ``smtp`` may be missing; ``sendmail`` replaces ``smtp``.

    ``folders``: the mail folders to read, ``days`` back the first time; ``sent``: the folder of sent mails, or
    '' for the server's; ``after``: the treatment of accepted mails on the server. ``arrival``: hosts with trusted
    Received lines; ``games``: the folder of game folders. ``on_turn``: a program that runs when it is the owner's turn.
    """

    address: str
    imap: Server | None
    smtp: Server | None
    sendmail: tuple[str, ...] = ()
    password_command: tuple[str, ...] = ()
    token_command: tuple[str, ...] = ()
    folders: tuple[str, ...] = ("INBOX",)
    sent: str = ""
    days: int = 14
    arrival: tuple[str, ...] = ()
    games: Path = Path()
    ca_file: str = ""
    on_turn: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The account's name in the store."""
        return f"{self.imap.user}.{self.imap.host}".replace("@", "_") if self.imap else self.address

    def tls_context(self) -> ssl.SSLContext:
        """Return a TLS context that checks certificate and host name. Raises UsageError if ``ca_file`` is missing."""
        if self.ca_file and not Path(self.ca_file).is_file():
            raise UsageError(f"the file {self.ca_file}, named as ca-file, does not exist")
        return ssl.create_default_context(cafile=self.ca_file or None)


def account_path(home: Path) -> Path:
    """Return the path of the account file."""
    return home / "post" / "account.toml"


def load_account(home: Path) -> Account | None:
    """Return the account of a private folder, or None without a file. Raises UsageError if the file is unusable."""
    path = account_path(home)
    account = read_settings(path, _read_account)
    if account is None or os.name == "nt":
        return account
    status = path.stat()
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or status.st_uid not in (os.getuid(), 0):
        why = "other users could send and fetch mail in your name"
        raise UsageError(f"other users can change {path} ({why}): 'chmod 600 {path}'")
    return account


def read_settings(path: Path, make: Callable[[Mapping[str, Any]], Made]) -> Made | None:
    """Return what ``make`` makes of the settings in a TOML file, or None without a file. Raises UsageError.

    ``make`` raises ValueError for a wrong setting.
    """
    try:
        return make(tomllib.loads(to_utf8(files.read(path, _MOST)).decode("utf-8")))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


_KEYS = {
    *("address", "user", "folder", "sent-folder", "days", "arrival-hosts", "games", "ca-file"),
    *("sendmail", "password-command", "token-command", "imap", "smtp", "on-turn"),
}


def check_names(given: Collection[str], names: Collection[str]) -> None:
    """Raise ValueError if a setting has none of these names."""
    if unknown := sorted({*given}.difference(names)):
        raise ValueError(f"no setting is called {show(unknown[0])}; use {', '.join(sorted(names))}")


def _read_account(data: Mapping[str, Any]) -> Account:
    """Return the account in the data of its file. Raises ValueError and UsageError."""
    check_names(data.keys() - {"after"}, _KEYS)  # an earlier setting, without effect
    address = _read_text(data, "address")
    if not _ADDRESS.fullmatch(address):
        raise ValueError(f"address is {show(address)}, but must be a mail address like boris@example.org")
    user = _read_text(data, "user", address)
    days, hosts = data.get("days", 14), data.get("arrival-hosts", [])
    if not isinstance(days, int) or not 0 <= days <= 3660:
        raise ValueError("days is a number from 0 to 3660")
    if not isinstance(hosts, list) or not all(isinstance(host, str) for host in hosts):
        raise ValueError('arrival-hosts is a list of names, as in ["mx.example.org"]')
    folders = data.get("folder", "INBOX")
    folders = folders if isinstance(folders, list) and folders else [folders]
    return Account(
        address=address,
        imap=_read_server(data, "imap", user, 993),
        smtp=_read_server(data, "smtp", user, 465),
        sendmail=_read_command(data, "sendmail"),
        password_command=_read_command(data, "password-command"),
        token_command=_read_command(data, "token-command"),
        folders=tuple(_read_text({"folder": each}, "folder") for each in folders),
        sent=_read_text(data, "sent-folder", ""),
        days=days,
        arrival=tuple(host.lower() for host in hosts),
        games=Path(_read_text(data, "games", ".")),
        ca_file=_read_text(data, "ca-file", ""),
        on_turn=_read_command(data, "on-turn"),
    )


def _read_text(data: Mapping[str, Any], key: str, usual: str | None = None) -> str:
    value = data.get(key, usual)
    if not isinstance(value, str) or any(ord(letter) < 32 for letter in value):
        raise ValueError(f"{key} must be given, in quotes")
    return value


def _read_command(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return a command as a list of words. It runs without a shell; a single line is split as a shell would."""
    value = data.get(key, [])
    words = shlex.split(value) if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f'{key} is a command, as in "pass show mail/anna", or a list of its words')
    return tuple(words)


def _read_server(data: Mapping[str, Any], key: str, user: str, port: int) -> Server | None:
    said = data.get(key)
    if said is None:
        return None
    if not isinstance(said, dict) or set(said) - {"host", "port", "tls", "user"}:
        raise ValueError(f"[{key}] has host, port, tls and user")
    host, tls = _read_text(said, "host"), _read_text(said, "tls", TLS)
    number = said.get("port", port)
    if not _HOST.fullmatch(host) or not isinstance(number, int) or not 0 < number < 65_536:
        raise ValueError(f"[{key}] needs the name of a host, and port is a number")
    if tls not in (TLS, STARTTLS, NONE):
        raise ValueError(f"[{key}] tls is {show(tls)}, but must be '{TLS}' or '{STARTTLS}'")
    if tls == NONE and host not in LOOPBACK:
        raise ValueError(f"[{key}] without TLS the password is readable on the way: only allowed on this machine")
    return Server(host, number, tls, _read_text(said, "user", user))


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _format_command(name: str, words: tuple[str, ...], example: str) -> list[str]:
    """Return the line of a command, or a comment with an example."""
    return [f"{name} = {_quote(shlex.join(words))}" if words else f"# {name} = {example}"]


def format_account(account: Account) -> str:
    """Return the text of an account file, with comments for the player."""
    lines = [
        "# The mail account of kursk-pbem. This file contains no password: the password comes from password-command,",
        "# from the keyring, or from you. Other users must not be able to change this file.",
        f"address = {_quote(account.address)}",
        *_format_command("password-command", account.password_command, '"pass show mail/me"'),
        *_format_command("token-command", account.token_command, '"oama access me@example.org"     # for XOAUTH2'),
        f"folder = [{', '.join(map(_quote, account.folders))}]     # the folders to read",
        f"sent-folder = {_quote(account.sent)}     # '' for the folder that the server names",
        f"days = {account.days}          # how far back the first time",
        f"arrival-hosts = [{', '.join(map(_quote, account.arrival))}]     # hosts with a trusted Received line",
        f"games = {_quote(str(account.games))}",
        '# on-turn = ["notify-send", "kursk", "your turn"]     # runs when it is your turn, without a shell',
        *([f"ca-file = {_quote(account.ca_file)}"] if account.ca_file else []),
        *([f"sendmail = {_quote(shlex.join(account.sendmail))}"] if account.sendmail else []),
    ]
    for key, server in (("imap", account.imap), ("smtp", account.smtp)):
        if server is not None:
            lines += ["", f"[{key}]", f"host = {_quote(server.host)}", f"port = {server.port}"]
            lines += [f"tls = {_quote(server.tls)}", f"user = {_quote(server.user)}"]
    return "\n".join([*lines, ""])
