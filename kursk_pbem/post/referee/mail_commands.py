"""Commands in players' mails: collected during a round, and answered in one letter for each reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import KurskError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.post.mailbox import arrival, people, store, task_guard
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.letter import REPLIED
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.referee import requests
from kursk_pbem.post.referee.answers import Asker, File
from kursk_pbem.post.referee.requests import Request
from kursk_pbem.post.round import notes
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.round.notes import Note

_MOST = 10
"""Maximum commands answered for one address in a round."""


@dataclass
class CommandHandler:
    """Answers the commands that players mail to a referee's mailbox. ``own``: the address of this mailbox.

    During a round: ``known``: the addresses of letters; ``came``: the time of each address's last mail; ``asked``: the
    commands of each address, with the first mail's header; ``hosts``: the count of mails by topmost server.
    """

    home: Path
    own: str
    seats: Callable[[], list[GameMail]]
    open: Callable[[GameMail], Desk]
    known: set[str] | None = None
    came: dict[str, str] = field(default_factory=dict)
    asked: dict[str, tuple[Mail, list[Request]]] = field(default_factory=dict)
    hosts: Counter[str] = field(default_factory=Counter)

    def hear(self, mail: Mail) -> None:
        """Collect the commands of a mail. A mail older than ``kursk post rebuild`` was answered before, so skip it."""
        self.hosts.update(arrival.list_hosts(mail)[:1])
        if self.known is None:
            self.known = {person.reached.lower() for person in people.load_people(self.home)}
        address, at = mail.sender.lower(), arrival.best_time(mail.times)
        if not address or address not in self.known:
            return
        if not mail.automatic:
            self.came[address] = at or clock.now()
        if not "" < at < store.load_setting(self.home, "rebuilt") and not requests.is_automatic(mail, self.own):
            for request in requests.read_commands(mail):
                _first, there = self.asked.setdefault(address, (mail.without_body, []))
                if request not in there and len(there) < _MOST:
                    there.append(request)

    def answer_all(self, tell: Callable[[KurskError], object]) -> Iterator[str]:
        """Answer the commands, and save the times of mails; yield lines to print. Raises DiskError.

        The round has accepted all turns before, so the answers include the turns.
        """
        there: dict[str, list[tuple[GameMail, Person]]] = {}
        with task_guard.guard_task(self.home, "commands by mail", b"", tell):
            for seat in self.seats() if self.came else ():
                for side, key in seat.keys.items():
                    person = people.person_of(self.home, key)
                    if side != REFEREE and person.reached:
                        there.setdefault(person.reached.lower(), []).append((seat, person))
        with store.open_writing(self.home) as found:
            heard = [(address, at) for address, at in sorted(self.came.items()) if address in there]
            found.executemany("insert or replace into heard values (?, ?)", heard)
        for address, (mail, asked) in self.asked.items():
            if address not in there:
                continue
            written = list[tuple[Note, str]]()
            with task_guard.guard_task(self.home, mail.name, mail.raw, tell):
                written += self._answer(mail, asked, there[address])
            for note, line in written:  # on a full disk the round ends, and the mails are read again
                notes.write_note(self.home, note, self.own, clock.now()[:10], f"answer {mail.digest}")
                yield line
        if self.hosts:
            store.save_setting(self.home, arrival.SEEN, self.hosts.most_common(1)[0][0])
        self.known, self.came, self.asked, self.hosts = None, {}, {}, Counter()

    def _answer(
        self, mail: Mail, asked: list[Request], players: list[tuple[GameMail, Person]]
    ) -> Iterator[tuple[Note, str]]:
        """Yield the letter to the players at one address, and a line to print; nothing above ten letters a day."""
        person = players[0][1]
        if notes.count_answers(self.home, person.reached, clock.now()[:10]) >= notes.A_DAY:
            return
        games = list({seat.game: seat for seat, _player in players}.values())
        asker = Asker(self.home, games, self.open, frozenset(player.mark for _seat, player in players))
        lines, files = list[str](), dict[File, None]()
        for request in asked:
            told, more = asker.answer(request)
            lines += [*([""] if lines else []), *told]
            files |= dict.fromkeys(more)
        what = ", ".join(dict.fromkeys(request.name.lower() for request in asked))
        subject, game = f"[kursk {games[0].game[:8]}] {what}", games[0].game if len(games) == 1 else ""
        note = Note(person.mark, person.reached, subject, lines, REPLIED, mail.message_id, game, tuple(files))
        yield note, f"answered {person.name or person.reached}: {what}"
