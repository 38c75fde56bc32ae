"""Ten large mail providers: their servers, their demands on mail programs, and their help pages."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from kursk_pbem.frozen import frozen


@frozen
class Provider:
    """A provider. ``imap``, ``smtp``: as typed for ``kursk post setup``; ``says``: its demand in words.

    ``token``: the provider takes no passwords, only access tokens.
    """

    name: str
    domains: tuple[str, ...]
    imap: str
    smtp: str
    says: str
    page: str
    token: bool = False

    @property
    def advice(self) -> str:
        """A sentence with the provider's condition for mail programs, and its help page."""
        return f"{self.name} {self.says}: {self.page}"


@cache
def list_providers() -> tuple[Provider, ...]:
    """Return the mail providers of ``providers.toml``."""
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["provider"]
    return tuple(Provider(**{**row, "domains": tuple(row["domains"])}) for row in rows)


def find_provider(address: str, host: str = "") -> Provider | None:
    """Return the provider of a mail address, or None. A company's own address is found by its mail host."""
    domain = address.rpartition("@")[2].lower()
    for provider in list_providers():
        hosts = [there.partition(":")[0] for there in (provider.imap, provider.smtp)]
        if domain in provider.domains or (host in hosts and not host.startswith("127.")):
            return provider
    return None


def describe_way(address: str, host: str, words: str) -> str:
    """Return advice after the server refused the login. ``words``: the server's answer."""
    provider = find_provider(address, host)
    token = any(word in words.lower() for word in ("oauth", "basic auth", "modern auth", "authentication is disabled"))
    demand = provider.advice if provider is not None and provider.token else "This server wants an access token" * token
    if demand:
        return f"{demand}. 'token-command' names a helper such as oama or git-credential-outlook"
    return provider.advice if provider is not None else "Many providers want an app password, made on their pages"
