"""What a referee's mailbox hears: mails without a turn, of somebody who is reached at the address they say to be from.

Their questions are answered in words (``answers``), each once, in letters to the address on file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.errors import DiskError, KurskError, OwnWordsError
from kursk_pbem.formats.canonical import REFEREE, sha256_hex
from kursk_pbem.post.mailbox import arrival, people, place, store
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.referee import absent, answers, overdue, requests
from kursk_pbem.post.referee.answers import Asker
from kursk_pbem.post.referee.requests import Request
from kursk_pbem.post.round import notes
from kursk_pbem.post.round.notes import Note
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.post.tournaments import presiding

_MOST_KEPT, _MOST_EACH = 100, 10
"""Questions that wait at a time for files of this desk, and of those from one address.

Those that came first wait: nobody who writes later takes their places.
"""
_REPLIES, _KNOWN = "replies", "known"


@dataclass
class Ear:
    """Whose mailbox it is: the private folder, the ``own`` address; how games are found and opened.

    ``told``: what was answered. As long as a round lasts: ``reached``, who is reached at which address, with their
    games; ``others``, at which addresses somebody is reached whose first game may begin in this round; ``began``,
    whether a game may have begun since that was found out; ``heard``, what has been asked, by the mark of whoever did,
    in replies and otherwise, and by the day on which it came: a thousand mails that ask the same cost no more than one
    (T49); ``kept``, how many questions of an address, or in replies to
    letters of somebody, wait; ``readers``, whose letters can be replied to; ``given``, how many answers of a day there
    are, counted once, for one mail may follow the other by thousands; ``answered``, the hashes of mails that a round
    answered before it was killed; ``came``, when a mail came last from each address of a player; ``hosts``, which
    servers put the topmost line above how many mails.
    """

    home: Path
    own: str
    seats: Callable[[], list[Seat]]
    open: Callable[[Seat], Desk]
    told: list[str] = field(default_factory=list)
    reached: dict[str, list[tuple[Seat, Person]]] | None = None
    others: set[str] | None = None
    began: bool = False
    heard: dict[tuple[str, bool, str], set[tuple[Request, ...]]] = field(default_factory=dict)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)
    readers: dict[str, tuple[str, str]] | None = None
    given: dict[str, notes.Given] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    came: dict[str, str] = field(default_factory=dict)
    hosts: Counter[str] = field(default_factory=Counter)

    def begin(self) -> None:
        """A round begins: who is reached where may have changed."""
        self.reached = self.readers = self.others = None
        self.heard.clear()
        self.given.clear()
        self.answered.clear()
        self.kept.clear()

    def knows(self, mail: Mail) -> bool:
        """Whether a mail says that it is from an address that letters to a player go to, or may go to."""
        self.began = True  # what comes with it may begin a game
        self.hosts.update(arrival.hosts(mail)[:1])
        if not mail.sender or self._at(mail.sender):
            if mail.sender and not mail.automatic:
                self.came[mail.sender.lower()] = arrival.when(mail.times) or clock.now()
            return bool(mail.sender)
        if self.others is None:
            self.others = set()
            with suppress(KurskError, OSError):  # then nobody's first game begins here either
                self.others = {person.reached.lower() for person in people.every(self.home, ()) if person.reached}
        return mail.sender.lower() in self.others

    def settle(self) -> None:
        """Save when mails of players came, and by which server. Raises DiskError."""
        overdue.note_mails(self.home, self.came)
        self.came.clear()
        if self.hosts:
            store.set_setting(self.home, arrival.SEEN, self.hosts.most_common(1)[0][0])

    def hear(self, mail: Mail) -> bool:
        """Answer a mail without a turn that seems to be of a player here; the answer goes to their address on file.

        Of several with one address nobody can tell who wrote: it is answered about the games of all of them. Whether it
        is to be heard again.
        """
        if self.began:  # what came with it is taken: another game of theirs is there, perhaps
            self.reached, self.began = None, False
        asked = self._asked(mail) if mail.sender else ()
        at_address = self._at(mail.sender) if asked else []
        reply = self._replies(mail) if asked else ""
        try:
            if at_address:
                self._answer(mail, asked, at_address, reply)
        except (DiskError, OSError) as error:
            self._tell(f"a question waits: {place.fault(error)}")
            return self._room(mail, reply)
        return False

    def _room(self, mail: Mail, reply: str) -> bool:
        """Whether one more question may wait. Replies have places of their own; the first of each always waits."""
        pool, who = (_REPLIES if reply else _KNOWN), reply or mail.sender.lower()
        there = sum(number for (other, _who), number in self.kept.items() if other == pool)
        first = not self.kept[pool, who]
        room = first or (there < _MOST_KEPT and self.kept[pool, who] < _MOST_EACH)
        if room:
            self.kept[pool, who] += 1
        else:
            most = f"more than {_MOST_KEPT}, or {_MOST_EACH} from one address, such questions"
            self._tell(f"{most}: the others are not kept")
        return room

    def _replies(self, mail: Mail) -> str:
        """How the mark of somebody begins to a letter of whose, in words, a mail is a reply; '' if it is none.

        From the address that it went to: whoever reads another may have been its reader once, or be another player.
        """
        if self.readers is None and mail.words_answered:
            with suppress(DiskError):
                self.readers = notes.readers(self.home)
        known = self.readers or {}
        letters = (known[digest] for digest in dict.fromkeys(mail.words_answered) if digest in known)
        return next((mark for name, mark in letters if notes.went_to(self.home, name, mail.sender)), "")

    def _tell(self, line: str) -> None:
        """Tell the owner of this mailbox something, once a round."""
        self.told += [line] if line not in self.told else []

    def _asked(self, mail: Mail) -> tuple[Request, ...]:
        """What a mail asks, each once; nothing of a program, or of a mail that came before the store was made anew."""
        if "" < arrival.when(mail.times) < store.setting(self.home, "rebuilt"):
            return ()
        return () if requests.machine(mail, (self.own,)) else tuple(dict.fromkeys(requests.read(mail)))

    def _answer(
        self, mail: Mail, asked: tuple[Request, ...], at_address: list[tuple[Seat, Person]], letter: str
    ) -> None:
        person = people.known(self.home, at_address[0][1].key)
        reply = any(player.mark.startswith(letter) for _seat, player in at_address if letter)
        day = (arrival.when(mail.times) or clock.now())[:10]
        heard = self.heard.setdefault((letter or person.mark, reply, day), set())  # several may have one address
        if person.reached != at_address[0][1].reached or asked in heard:
            return  # a letter came back in this round; or the answer is the same
        theirs = list({seat.game: seat for seat, _player in at_address}.values())
        marks = {seat.game: [player.mark for other, player in at_address if other is seat] for seat in theirs}
        if day not in self.given:
            self.given[day], questions = notes.given(self.home, day)
            self.answered |= questions
        question = sha256_hex(mail.raw)
        if question in self.answered:
            return
        if len(heard) >= notes.A_DAY or notes.full(self.given[day], person.mark, person.reached, reply=reply):
            more = "others are not given" if reply else "others are given to replies alone"
            self._tell(f"{person.name or person.reached}: {notes.A_DAY} answers a day are the most; {more}")
            return
        heard.add(asked)
        asker = Asker(
            theirs,
            self.open,
            marks,
            lambda seat, *days: self._away(seat.game, marks[seat.game], letter if reply else "", *days),
            lambda game: presiding.due(self.home, game),
            lambda seat: presiding.elsewhere(self.home, seat),
        )
        lines: list[str] = []
        files: list[tuple[str, str, bytes]] = []
        for request in asked:
            given = answers.answer(request, asker)
            asker = replace(asker, room=asker.room - given.repeated)
            lines += [*([""] if lines else []), *given.lines]
            files += given.files
        game = theirs[0].game if len(theirs) == 1 else ""
        subject = f"[kursk {theirs[0].game[:8]}] {', '.join(request.name.lower() for request in asked)}"
        note = Note(
            person.mark,
            person.reached,
            subject,
            notes.listed(lines),
            notes.REPLIED,
            mail.message_id,
            game,
            reply,
            tuple(dict.fromkeys(files)),
            question,
        )
        if notes.write(self.home, note, self.own, day):
            self.given[day][person.mark[:16], person.reached.lower(), reply] += 1
            line = f"answered {person.name or person.reached}: {subject.partition('] ')[2]}"
            self.told.append(line)

    def _away(self, game: str, marks: list[str], letter: str, *days: str) -> None:
        """Put down that players will be away; as a reply first of all of whoever had the ``letter`` that it replies to.

        Answers to several at one address are letters to the first of them, who may not play in this game. Of another
        one who does the words are anybody's, as long as those have left room.
        """
        replied = [mark for mark in marks if letter and mark.startswith(letter)] or (marks if letter else [])
        note = partial(absent.note, self.home, game, first=days[0], last=days[1])
        if replied:
            note(replied, reply=True)
        others = [mark for mark in marks if mark not in replied]
        try:
            note(others)
        except OwnWordsError:
            if not replied:
                raise
            with suppress(OwnWordsError):  # the reply itself is noted
                note(others, reply=True)

    def _at(self, address: str) -> list[tuple[Seat, Person]]:
        """The games and players whom letters reach there; all of them are gone through once in a round (T49)."""
        if self.reached is None:
            self.reached = {}
            for seat in self.seats():
                for side in seat.keys:
                    if side == REFEREE:
                        continue
                    person = people.known(self.home, seat.keys[side])
                    if person.reached:
                        self.reached.setdefault(person.reached.lower(), []).append((seat, person))
        return self.reached.get(address.lower(), [])
