"""post: fetch, take and send mail by the mail account."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli, common
from kursk_pbem.cli.common import PATH, ask, home, key_option, may_ask, release, said_options, say, yes_option
from kursk_pbem.cli.groups import Group
from kursk_pbem.cli.mail import rounds
from kursk_pbem.cli.mail.rounds import ask_first_time, ask_yes, print_steps, run_rounds
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk
from kursk_pbem.post import mail_session
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import people, post_folder, store
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire import providers
from kursk_pbem.post.wire.smtp import RefusedError, UnreachableError

if TYPE_CHECKING:
    from kursk_pbem.post.mail_session import MailSession

_HOST = "HOST[:PORT][/starttls]"
_TRIED = "tried account"
"""The setting with the typed values of an account until the account works."""
_WAY = "without an account 'kursk outbox --eml DIR' and 'kursk inbox FILE' use your own mail program"
_BY_COMMAND = (25, 143, 587)
_AS_SENT = click.option("--as-sent", is_flag=True, help="First use: all earlier messages were mailed.")
_UNSENT = click.option("--unsent", is_flag=True, help="First use: no earlier message was mailed; send all.")


def ask_password(question: str) -> str:
    """Ask for a password at the terminal. Raises UsageError without a terminal."""
    if not may_ask():
        raise UsageError(f"{question} is needed, but no terminal can ask for it: use a password-command or a keyring")
    release()
    return str(click.prompt(question, hide_input=True, err=True))


def begin_session(key: Path | None = None, *, rounds: bool = False) -> MailSession:
    """Return a mail session, which can ask for the account's password. Raises UsageError."""
    return mail_session.open_session(home(), ask_password, key, rounds=rounds)


@cli.group(cls=Group, invoke_without_command=True)
@key_option
@_AS_SENT
@_UNSENT
@said_options
@click.pass_context
def post_group(ctx: click.Context, key: Path | None, as_sent: bool, unsent: bool, quiet: bool) -> int:
    """Fetch new mail, take the turns, and send the due letters: one command for all, by your mail account.

    \b
    kursk post setup      write the account file (never a password)
    kursk post            fetch, take and send everything
    kursk post fetch      only fetch; then 'kursk inbox' takes the mails
    kursk post send       only send
    kursk post watch      run 'kursk post' whenever a mail arrives
    kursk post backup     copy the data of the post
    kursk post rebuild    make new data after damage

    The program saves each letter in your folder of sent mails, then sends the letter. On the server the program deletes
    only second copies of its own letters, and leaves mails unread. If other programs fetch and send your mail, kursk
    needs no password: use 'kursk inbox MAILDIR', and write sendmail = "msmtp" into the account file.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    with post_folder.lock_post(home()):
        session = begin_session(key, rounds=True)
        status = print_steps(session, session.run_once(), quiet=quiet)
        rounds.ask_to_enter()
        if session.can_send:
            rounds.ask_new_address(session)
            ask_first_time(session, as_sent=as_sent, unsent=unsent)
        return max(status, print_steps(session, session.send_due(), quiet=quiet))


@post_group.command()
@click.option("--all", "everything", is_flag=True, help="Read every new mail, not only mails of games.")
@said_options
def fetch_command(everything: bool, quiet: bool) -> int:
    """Fetch new mails. Then 'kursk inbox' takes the mails."""
    with post_folder.lock_post(home()):
        session = begin_session()
        with session.mailbox() as client:
            return print_steps(session, [session.fetch(client, everything=everything)], quiet=quiet)


@post_group.command()
@key_option
@_AS_SENT
@_UNSENT
@said_options
def send_command(key: Path | None, as_sent: bool, unsent: bool, quiet: bool) -> int:
    """Send every due letter. If a server defers a letter, the program later sends the same bytes again."""
    with post_folder.lock_post(home()):
        session = begin_session(key)
        ask_first_time(session, as_sent=as_sent, unsent=unsent)
        return print_steps(session, session.send(), quiet=quiet)


@post_group.command()
@key_option
@common.every_option
@click.option("--times", "number", type=click.IntRange(1), default=None, help="End after this number of rounds.")
@said_options
def watch_command(key: Path | None, every: int, number: int | None, quiet: bool) -> int:
    """Run 'kursk post' whenever a mail arrives, until you end it with Ctrl-C."""
    return run_rounds(lambda: begin_session(key, rounds=True), every, number, quiet=quiet, by_owner=True)


@post_group.command()
@click.argument("file", type=PATH)
@said_options
def backup_command(file: Path, quiet: bool) -> None:
    """Copy the store of the post to a new FILE, even while 'kursk post watch' runs. Copy the private folder, too."""
    store.back_up(home(), file)
    say(f"wrote {file}", quiet=quiet, wrote=[file])


@post_group.command()
@yes_option
@said_options
def rebuild_command(yes: bool, quiet: bool) -> None:
    """Set a damaged store of the post aside, and make a new store from files and mailbox.

    You must confirm addresses again. Unanswered letters are sent again with the same bytes, and the whole mailbox is
    read again. Both are harmless.
    """
    ask("Move the old mail store aside, and make a new mail store?", yes=yes)
    with post_folder.lock_post(home()):
        aside = store.rebuild(home())
    told = f"the old mail store is now {aside}" if aside else "there was no mail store"
    say(told, quiet=quiet, aside=[aside] if aside else [])
    say("made a new mail store; confirm the addresses that 'kursk people' lists, then type 'kursk post'", quiet=quiet)


@post_group.command()
@click.option("--address", default="", help="Your address.")
@click.option("--imap", "imap_host", default="", metavar=_HOST, help="The server to fetch mail from.")
@click.option("--smtp", "smtp_host", default="", metavar=_HOST, help="The server to send mail with.")
@click.option("--user", default="", help="The name to log in with, if different from the address.")
@click.option("--password-command", "command", default="", help="A command to print the password: 'pass show mail'.")
@click.option("--token-command", default="", help="A command to print an access token, where passwords are refused.")
@click.option("--sent-folder", default="", help="The folder of your sent mails, if the server names a wrong one.")
@click.option("--ca-file", type=PATH, default=None, help="The certificate file of your own certificate authority.")
@click.option("--games", type=PATH, default=Path(), help="The folder with your game folders; otherwise this folder.")
@click.option("--pictures", type=click.Choice(("yes", "no")), help="Show the turn as a picture in your letters.")
@click.option("--no-check", is_flag=True, help="Do not connect now.")
@yes_option
@said_options
def setup_command(**given: Any) -> None:
    """Write the account file: servers, user, and the source of the password, but never the password.

    For ten large providers you type only your address, and the command says what the provider demands. The command
    writes the file after both servers (for fetching, for sending) have answered. Otherwise the command keeps your
    answers for the next time. If you have an account, '--pictures yes' alone adds a picture of the turn to later
    letters.
    """
    path, quiet = accounts.account_path(home()), given["quiet"]
    if given["pictures"] == "yes":
        from kursk_pbem.post.round import pictures

        pictures.check_libraries()
    if path.exists() and not given["pictures"]:
        raise UsageError(f"{path} exists already: edit this file, or move it away")
    if given["pictures"]:
        _set_pictures(given["pictures"], quiet=quiet)
    if path.exists():
        return
    disk.make_private(post_folder.locate(home()))
    account = _ask_account(given)
    sent = given["sent_folder"]
    account = replace(account, sent=sent) if given["no_check"] else _check_account(account, sent)
    with post_folder.lock_post(home()):
        post_folder.write_file(path, accounts.format_account(account).encode("utf-8"))
    checked = {} if given["no_check"] else {"reached": True}
    told = "" if given["no_check"] else "connected to both servers; "
    say(f"{told}wrote {path}", quiet=quiet, address=account.address, wrote=[path], **checked)
    question = "A card is your signed word on your address. Send a card to every person you write to?"
    people.save_own(home(), account.address, cards=given["yes"] or (may_ask() and ask_yes(question)))
    store.save_setting(home(), _TRIED, "")


def _check_account(account: accounts.Account, sent: str) -> accounts.Account:
    """Return the working account, perhaps with a token command, or with a folder named by the owner.

    Raises UsageError with a working way.
    """
    session = mail_session.MailSession(home(), account, ask_password)
    try:
        found = session.try_out()
    except RefusedError as error:
        asks = may_ask() and not account.token_command
        if asks:
            common.warn(str(error))
        token = _prompt("A command that prints an access token, or nothing", "") if asks else ""
        if token:
            return _check_account(replace(account, token_command=tuple(shlex.split(token)), password_command=()), sent)
        raise UsageError(f"{error}; {_WAY}") from None
    except UnreachableError as error:
        raise UsageError(f"{error}; the next 'kursk post setup' begins with the answers that you typed now") from None
    named = sent or found
    if account.imap is not None and not sent and may_ask():
        named = _prompt("Your folder of sent mails, for the copies of your letters", found)
    return replace(account, sent="" if named == found else named)


def _set_pictures(wanted: str, *, quiet: bool) -> None:
    """Save whether letters show pictures, and say what they show."""
    with post_folder.lock_post(home()):
        store.save_setting(home(), people.PICTURES, "yes" if wanted == "yes" else "")
    shown = "a picture of the turn, without dice that the reader has not seen" if wanted == "yes" else "no picture"
    say(f"your letters have {shown}", quiet=quiet)


def _prompt(question: str, usual: str) -> str:
    """Ask at the terminal; Enter means the usual answer."""
    release()
    return str(click.prompt(question, default=usual, show_default=bool(usual), err=True)).strip()


def _ask_account(given: dict[str, Any]) -> accounts.Account:
    """Return the account, and ask for missing values; keep the typed values until the account works."""
    tried = json.loads(store.load_setting(home(), _TRIED) or "{}")

    def said(key: str, question: str) -> str:
        usual = tried.get(key, "")
        typed = given[key] or (_prompt(question, usual) if may_ask() else usual)
        tried[key] = str(typed)
        return str(typed)

    address = addresses.check_address(said("address", "Your address"))
    provider = providers.find_provider(address)
    if provider is not None:
        say(provider.advice, quiet=given["quiet"])
        if not (tried.get("imap_host") or tried.get("smtp_host")):
            known = {"imap_host": provider.imap, "smtp_host": provider.smtp}
            given = {**given, **{key: given[key] or host for key, host in known.items()}}
    user = given["user"] or tried.get("user") or address
    imap = _read_server(said("imap_host", "IMAP server, for fetching"), 993, user)
    smtp = _read_server(said("smtp_host", "SMTP server, for sending"), 465, user)
    if imap is None and smtp is None:
        raise UsageError("type the servers with --imap HOST and --smtp HOST")
    token = given["token_command"] or tried.get("token_command", "")
    if provider is not None and provider.token and not token and may_ask():
        token = _prompt("A command that prints an access token, or nothing", "")
    ca_file = str(given["ca_file"].resolve()) if given["ca_file"] else tried.get("ca_file", "")
    tried |= {"user": user if user != address else "", "token_command": token, "ca_file": ca_file}
    tried["command"] = given["command"] or tried.get("command", "")
    store.save_setting(home(), _TRIED, json.dumps(tried))
    words = {name: tuple(shlex.split(text)) for name, text in (("pass", tried["command"]), ("token", token))}
    made = accounts.Account(address, imap, smtp, games=given["games"].resolve(), ca_file=ca_file)
    return replace(made, password_command=words["pass"], token_command=words["token"])


def _read_server(text: str, usual: int, user: str) -> accounts.Server | None:
    """Return a server as typed. TLS begins at once, except on ports with STARTTLS."""
    if not text:
        return None
    there, _slash, how = text.partition("/")
    host, _colon, number = there.partition(":")
    if how not in ("", accounts.STARTTLS, accounts.NONE) or (number and not number.isdigit()):
        raise UsageError(f"{text!a} is no server: {_HOST}")
    if how == accounts.NONE and host not in accounts.LOOPBACK:
        raise UsageError(f"{text!a} without TLS shows your password to others; this is allowed only on this machine")
    port = int(number or usual)
    usual_tls = accounts.STARTTLS if port in _BY_COMMAND else accounts.TLS
    return accounts.Server(host, port, how or usual_tls, user)
