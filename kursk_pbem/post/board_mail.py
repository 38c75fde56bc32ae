"""The player's mail on the board's pages: results and letters as entries in words, like 'kursk post'.

An entry has ``name``, ``headlines`` and ``lines``; ``bad`` for errors; ``game`` for a link to the game; ``letter`` for
a draft to save instead of sending; ``raw`` for the bytes of a waiting proposal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import inbox
from kursk_pbem.post import inbox_round, mail_session, proposal_search
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.round import delivery, early_turns
from kursk_pbem.post.round.digest import Digest
from kursk_pbem.post.round.fetch import Fetched
from kursk_pbem.post.round.outcome import PROPOSED, GameTaken
from kursk_pbem.post.round.outgoing import Outbox, OutgoingLetter
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.smtp import UnreachableError
from kursk_pbem.trust import messages

Entry = dict[str, Any]


def _refuse_question(question: str) -> str:
    raise UsageError(
        f"{question} is needed, but the board cannot ask for a password: type 'kursk post' in a terminal, or set "
        "password-command or a keyring"
    )


def account_address(home: Path) -> str:
    """Return the address of the mail account, or '' without an account. Raises UsageError."""
    own_account = accounts.load_account(home)
    return own_account.address if own_account is not None else ""


def games_folder(home: Path) -> Path | None:
    """Return the folder for new games that the mail account names, or None without a usable account."""
    with suppress(UsageError):
        own_account = accounts.load_account(home)
        return own_account.games if own_account is not None and own_account.games.is_absolute() else None
    return None


def fetch_entries(home: Path, key: Path | None) -> list[Entry]:
    """Fetch and process mails; return an entry of the page for each game and each error. Raises KurskError."""
    with post_folder.lock_post(home):
        made = mail_session.open_session(home, _refuse_question, key, rounds=True)
        entries = list[Entry]()
        for told in made.run_once():
            if isinstance(told, Digest):
                entries += _digest_entries(made.intake, told)
            elif isinstance(told, Fetched):
                entries += [_fault_entry("A mail was not fetched", fault) for fault in told.faults]
            elif isinstance(told, KurskError):
                entries.append(_fault_entry("The post", told))
    return entries or [_make_entry("Nothing new came")]


def _digest_entries(intake: Intake, digest: Digest) -> Iterator[Entry]:
    for taken in digest.games:
        yield from _game_entries(intake, taken)
    if digest.nothing and digest.talk:
        yield _make_entry("No turn came", [digest.talked])
    if told := [*digest.cards, *digest.returned, *digest.done]:
        yield _make_entry("The post", told)
    for fault in digest.faults:
        yield _fault_entry("A part of the mail could not be processed", fault)
    if digest.more:
        yield {**_make_entry("And more", digest.rest), "bad": True}


def _game_entries(intake: Intake, taken: GameTaken) -> Iterator[Entry]:
    """Yield the news of one game, and the next step of the player."""
    name, next_step = inbox_round.describe_next_step(intake, taken)
    lines = list[str]()
    for outcome in taken.outcomes:
        if outcome.error is not None:
            yield _fault_entry(f"{name}: {outcome.piece.title} is {outcome.state}", outcome.error)
        elif outcome.state == PROPOSED:
            turn = outcome.piece.turn
            text = messages.emit_for_mail(turn.content, turn.armour or "", getattr(turn, "state", None))
            yield {**_make_entry(name, list(outcome.told)), "raw": text.encode("ascii")}
        else:  # an interrupted round may have accepted turns without a report
            lines += outcome.lines
    if lines:
        here = taken.desk is not None and taken.desk.own is not None
        more = [*lines[1:], *filter(None, [next_step])]
        yield {**_make_entry(name, more, lines[0]), "game": taken.game if here else ""}


def send_entries(home: Path, here: Path, key: Path | None, first: str = "", shown: str = "") -> list[Entry]:
    """Send the due letters by the mail account; without SMTP, return the letters as drafts to save. Raises KurskError.

    ``first``: were earlier messages mailed by hand (``sent``) or not (``unsent``); '' to ask at the first sending.
    ``shown``: the digest of the letters shown in the question; other letters need a new question.
    """
    with post_folder.lock_post(home):
        if not account_address(home) or not (made := mail_session.open_session(home, _refuse_question, key)).can_send:
            outbox = Outbox(home, here, key)
            entries, faults = [_draft_entry(outbox, due) for due in outbox.list_letters()], outbox.faults
        else:
            if not delivery.has_begun(home):
                letters = list((outbox := made.open_outbox()).list_letters())
                asks = sha256_hex("".join(due.letter.digest for due in letters).encode("ascii"))
                if letters and (first not in ("sent", "unsent") or shown != asks):
                    lines = [f"{due.label}: {due.letter.subject.partition('] ')[2]}" for due in letters]
                    return [{**_make_entry("Have you mailed these letters yourself?", lines), "first": asks}]
                delivery.begin_sending(outbox, letters if first == "sent" else ())
            entries = list[Entry]()
            for told in made.send():
                entries += _digest_entries(made.intake, told) if isinstance(told, Digest) else ()
                for step in told if isinstance(told, list) else ():
                    to = f"To {made.open_outbox().name(step.reader)}"
                    entries.append({**_make_entry(to, [step.words], step.entry.letter.subject), "bad": step.bad})
            faults = made.faults
    entries += [_fault_entry("The letters of a game cannot be sent", fault) for fault in faults]
    return entries or [_make_entry("No letter is due")]


def _draft_entry(outbox: Outbox, due: OutgoingLetter) -> Entry:
    readers = ", ".join(f"{outbox.name(reader)} <{reader.address or '?'}>" for reader in due.letter.to)
    why = outbox.describe_hindrance(due)
    told = _make_entry(f"To {readers}", [why or "Your mail program opens the letter to send."], due.letter.subject)
    return {**told, "letter": _letter_name(due), "bad": bool(why)}


def _letter_name(due: OutgoingLetter) -> str:
    """Return a unique name of a letter: a reader may have several about one message or log paper."""
    return f"{due.about.short}/{due.letter.name}"


def take_accepted(home: Path, raw: bytes) -> None:
    """Search the later mails of a game and accept them, after the player accepted its proposal. Raises KurskError."""
    message = inbox.read(raw, "the proposal")
    with suppress(UsageError, UnreachableError):  # if not found again, the cards are asked for later
        waits = early_turns.waiting_path(home, message.id, message).exists()
        mails = [] if waits else proposal_search.search_proposal(home, message.id, _refuse_question)[1]
        proposal_search.accept_found(home, None, mails)


def render_draft(home: Path, here: Path, key: Path | None, label: str) -> bytes:
    """Return an unsent letter as a draft for a mail program. ``label``: its name. Raises UsageError if missing."""
    with post_folder.lock_post(home):
        outbox = Outbox(home, here, key)
        due = next((due for due in outbox.list_letters() if _letter_name(due) == label), None)
        if due is None:
            raise UsageError("the letter is no longer in the outbox")
        return outbox.writer.render(due.letter, due.about, draft=True)


def _fault_entry(name: str, fault: KurskError) -> Entry:
    return {**_make_entry(name, [str(fault)]), "bad": True}


def _make_entry(name: str, lines: Sequence[str] = (), headline: str = "") -> Entry:
    return {"name": name, "headlines": [headline] if headline else [], "lines": list(lines)}
