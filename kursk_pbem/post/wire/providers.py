"""Ten large mail providers: servers, demands on programs, and help pages."""

from __future__ import annotations

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
        """The provider's demand and page."""
        return f"{self.name} {self.says}: {self.page}"


_APP = "wants an app password, which you make on its pages"
PROVIDERS = (
    Provider(
        "Gmail",
        ("gmail.com", "googlemail.com"),
        "imap.gmail.com",
        "smtp.gmail.com",
        "wants an app password, after you have turned on 2-step verification",
        "https://support.google.com/accounts/answer/185833",
    ),
    Provider(
        "Outlook.com",
        ("outlook.com", "outlook.de", "hotmail.com", "hotmail.de", "hotmail.co.uk", "live.com", "live.de", "msn.com"),
        "outlook.office365.com",
        "smtp-mail.outlook.com:587",
        "takes no passwords and no app passwords, only access tokens, and IMAP must be on in its settings",
        "https://support.microsoft.com/office/c5d65390-9676-4763-b41f-d7986499a90d",
        token=True,
    ),
    Provider(
        "GMX",
        ("gmx.de", "gmx.net", "gmx.at", "gmx.ch"),
        "imap.gmx.net",
        "mail.gmx.net",
        "opens IMAP only after you have allowed it on the web page (with two-factor login, by an app password)",
        "https://hilfe.gmx.net/pop-imap/einschalten.html",
    ),
    Provider(
        "WEB.DE",
        ("web.de",),
        "imap.web.de",
        "smtp.web.de:587",
        "opens IMAP only after you have allowed it on the web page (with two-factor login, by an app password)",
        "https://hilfe.web.de/pop-imap/einschalten.html",
    ),
    Provider(
        "iCloud",
        ("icloud.com", "me.com", "mac.com"),
        "imap.mail.me.com",
        "smtp.mail.me.com:587",
        "wants an app-specific password",
        "https://support.apple.com/102654",
    ),
    Provider(
        "Yahoo",
        ("yahoo.com", "yahoo.de", "yahoo.co.uk", "yahoo.fr", "yahoo.it", "ymail.com", "rocketmail.com"),
        "imap.mail.yahoo.com",
        "smtp.mail.yahoo.com",
        _APP,
        "https://help.yahoo.com/kb/SLN15241.html",
    ),
    Provider(
        "AOL",
        ("aol.com",),
        "imap.aol.com",
        "smtp.aol.com",
        _APP,
        "https://help.aol.com/articles/Create-and-manage-app-password",
    ),
    Provider(
        "Fastmail",
        ("fastmail.com", "fastmail.fm"),
        "imap.fastmail.com",
        "smtp.fastmail.com",
        _APP,
        "https://www.fastmail.help/hc/en-us/articles/360058752854",
    ),
    Provider(
        "Proton",
        ("proton.me", "protonmail.com", "pm.me"),
        "127.0.0.1:1143/none",
        "127.0.0.1:1025/none",
        "wants its Bridge on this machine (for paid accounts), and the password that Bridge shows",
        "https://proton.me/mail/bridge",
    ),
    Provider(
        "T-Online",
        ("t-online.de", "magenta.de"),
        "secureimap.t-online.de",
        "securesmtp.t-online.de",
        "wants the password for mail programs, which you set in its customer centre",
        "https://www.telekom.de/hilfe/apps-dienste/e-mail",
    ),
)


def find_provider(address: str, host: str = "") -> Provider | None:
    """Return the provider of an address, or of a host, because addresses of companies may be there; or None."""
    domain = address.rpartition("@")[2].lower()
    for provider in PROVIDERS:
        hosts = [there.partition(":")[0] for there in (provider.imap, provider.smtp)]
        if domain in provider.domains or (host in hosts and not host.startswith("127.")):
            return provider
    return None


def describe_way(address: str, host: str, words: str) -> str:
    """Return advice after a refused login; ``words``: the server's answer."""
    provider = find_provider(address, host)
    token = any(word in words.lower() for word in ("oauth", "basic auth", "modern auth", "authentication is disabled"))
    if token or (provider is not None and provider.token):
        says = (
            f"{provider.advice}. " if provider is not None and provider.token else "This server wants an access token. "
        )
        return f"{says}'token-command' names a helper such as oama or git-credential-outlook"
    return provider.advice if provider is not None else "Many providers want an app password, made on their pages"
