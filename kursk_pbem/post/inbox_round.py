"""Process mails, and collect the results: the work of ``kursk inbox`` and of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from kursk_pbem.desk.deals import invitations
from kursk_pbem.desk.games import overview
from kursk_pbem.desk.own import register
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import DiskError, FileError, KurskError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import show
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.mailbox import events, people, store, task_guard
from kursk_pbem.post.mailbox.boxes import Source
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.spool import Spool
from kursk_pbem.post.referee.mail_commands import CommandHandler
from kursk_pbem.post.round import bounces, game_mail, proposals, reading
from kursk_pbem.post.round.digest import Digest
from kursk_pbem.post.round.outcome import GameTaken
from kursk_pbem.post.round.reading import Contents
from kursk_pbem.post.tournaments import acceptance, directing, entries
from kursk_pbem.post.tournaments.acceptance import Accepter, Came
from kursk_pbem.tournament import any_here

_Take = Callable[[Accepter, Sequence[Came]], Iterator[str | KurskError]]

_BATCH = 8 * 1024 * 1024
"""Maximum bytes of mails in a batch, because a stranger's mails may not fit into memory."""


def run_round(
    intake: Intake, boxes: Sequence[Source | Spool], commands: CommandHandler | None = None, found: Iterable[Mail] = ()
) -> Digest:
    """Process all mails of the sources. If a source is unreadable, raises KurskError before recording anything.

    ``found``: more mails, found by a search. They stay in place, and nothing is recorded of them.
    """
    digest, events_here = Digest(), any_here(intake.home)
    debtors = cache(lambda: _list_debtors(intake))
    again = set[str]()
    for batch in _split_batches(chain(found, *(box.mails() for box in boxes)), digest):
        opened = list[Contents]()
        for mail in batch:
            digest.mails += 1
            with task_guard.guard_task(intake.home, mail.name, mail.raw, digest.add_fault):
                opened.append(reading.read_contents(mail, events=events_here))
        if events_here:
            _accept_papers(intake, opened, acceptance.follow, digest, again)
        for taken in intake.take((piece for contents in opened for piece in contents.pieces), digest.add_fault):
            again |= {of.piece.mail.digest for of in taken.outcomes if of.again and of.piece.mail is not None}
            digest.add_game(taken)
        if events_here:
            _accept_papers(intake, opened, acceptance.direct, digest, again)
        for contents in opened:
            mail = contents.mail
            with task_guard.guard_task(intake.home, mail.name, mail.raw, digest.add_fault):
                if not contents.anything and not contents.faults and (commands is None or not contents.words):
                    owed = not mail.asked and not mail.automatic and mail.writer.lower() in debtors()
                    digest.add_talk(contents, owed=owed)
                _process_rest(intake, contents, commands, digest)
    for taken in intake.take_waiting(digest.add_fault):
        digest.add_game(taken)
    digest.name_strange()
    with store.open_writing(intake.home):
        for line in commands.answer_all(digest.add_fault) if commands is not None else ():
            digest.add_line(line)
        for box in boxes:
            box.remember(again)
    return digest


def _list_debtors(intake: Intake) -> set[str]:
    """Return the addresses of the people who owe a message or its delivery, or a paper of a tournament."""
    seats = game_mail.list_games(intake.home, intake.here, intake.key)
    waiting = [seat for seat in seats if seat.known.writer not in ("", seat.side)]
    keys = {seat.keys.get(side) for seat in waiting for side in (seat.known.writer, REFEREE) if side != seat.side}
    keys |= {key for event in events.list_directed(intake.home) for key in directing.list_debtors(event)}
    return set().union(*(person.known_at for person in people.load_people(intake.home) if person.key in keys))


def _split_batches(incoming: Iterable[Mail | FileError], digest: Digest) -> Iterator[list[Mail]]:
    """Yield mails in batches."""
    batch, size = list[Mail](), 0
    for mail in incoming:
        if isinstance(mail, FileError):
            digest.add_fault(mail)
            continue
        batch.append(mail)
        size += len(mail.raw)
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    yield batch


def _accept_papers(intake: Intake, opened: Sequence[Contents], take: _Take, digest: Digest, again: set[str]) -> None:
    """Accept the tournament papers of some mails, at an entrant's or a director's desk."""
    papers = [contents for contents in opened if contents.papers]
    raw = b"\n".join(contents.mail.raw for contents in papers)
    with task_guard.guard_task(intake.home, "papers of tournaments", raw, digest.add_fault):
        came = [(paper, contents.mail.without_body) for contents in papers for paper in contents.papers]
        for told in take(Accepter(intake.home, intake.open, intake.admit), came):
            if isinstance(told, str):
                digest.add_line(told)
                continue
            digest.add_fault(told)
            if isinstance(told, DiskError):
                again |= {contents.mail.digest for contents in papers}


def _process_rest(intake: Intake, contents: Contents, commands: CommandHandler | None, digest: Digest) -> None:
    """Process a mail's contents besides turns: faults, a bounce, invitations, cards, words."""
    for fault in contents.faults:
        digest.add_fault(fault)
    if contents.bounce is not None:
        for line in bounces.record_bounce(intake.home, contents.bounce):
            digest.add_line(line, digest.returned)
        return
    for line in (line for paper in contents.invitations for line in invitations.take(intake.home, paper)):
        digest.add_line(line)
    for line in _accept_cards(intake, contents) if contents.cards else ():
        digest.add_line(line, digest.cards)
    if commands is not None and not contents.mail.letter_id[0]:
        commands.hear(contents.mail)


def _accept_cards(intake: Intake, contents: Contents) -> list[str]:
    """Accept the cards of known people; return a line for each new card."""
    games = (*register.every(intake.home, intake.here), *(game for game, _key in events.list_games(intake.home)))
    directed = events.list_directed(intake.home)
    waiting = (paper for event in directed for paper in entries.list_papers(intake.home, event.game))
    known = {paper.sender: people.person_of(intake.home, paper.sender) for paper in waiting}
    known |= {person.key: person for person in people.list_people(intake.home, games)}
    used = {one.book.rules.key if one.directed else one.signer().public for one in events.list_tournaments(intake.home)}
    mine = proposals.own_keys(intake.home, intake.here, intake.key) | used
    played = (event for event in events.list_tournaments(intake.home) if not event.directed)
    passed = {(event.book.rules.key, key) for event in played for key, _name in event.list_recipients()}
    return people.take_cards(intake.home, contents.mail, contents.cards, known, mine, passed)


def describe_next_step(intake: Intake, taken: GameTaken) -> tuple[str, str]:
    """Return a game's name, and a sentence with the player's next step in the game (or with an error)."""
    desk = taken.desk
    if desk is None:
        return f"game {show(taken.game[:16]) if taken.game else 'without a name'}", ""
    desk = replace(desk, folder=register.shorten_path(desk.folder))
    known = Known(taken.game, desk.folder, desk.own)
    try:
        return str(known), overview.make_desk_stand(desk, intake.home).todo
    except KurskError as error:
        return str(known), str(error)
