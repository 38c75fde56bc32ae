"""What ``kursk inbox`` does: looks through mails, files what is ours, takes down cards, says what came of it all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Protocol

from kursk_pbem.desk.shelf import overview, register
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import UNFORESEEN, DiskError, FileError, KurskError, Where
from kursk_pbem.formats.text import show
from kursk_pbem.post import arrival, bounces, card, people, place, proposals, sorting, waiting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.outcome import WAITS, GameTaken, Outcome
from kursk_pbem.post.referee.findings import Findings
from kursk_pbem.post.sorting import Sorted
from kursk_pbem.post.told import untold
from kursk_pbem.post.told.day import MOST, Day
from kursk_pbem.post.tournaments import events, held, taking
from kursk_pbem.tournament import any_here
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.slip import Slip

_STAY = 100
"""Mails with cards, and reports of letters that came back, which stay because of files of this desk."""


class Mails(Protocol):
    """Where mails come from: files, or what was fetched from a server."""

    def mails(self) -> Iterator[Mail | FileError]:
        """Every mail that was not dealt with before."""

    def remember(self, held: Collection[str], again: Collection[str]) -> Iterable[FileError]:
        """Put down that all of them are dealt with; ``held``: the digests of those with something of ours.

        ``again``: of those that are to be looked at once more; what is told of each that is not any more.
        """


class Ear(Protocol):
    """Who answers mails in words. ``told``: what came of them, for whoever runs the round."""

    told: list[str]

    def knows(self, mail: Mail) -> bool:
        """Whether a mail may be of somebody who is answered."""

    def settle(self) -> None:
        """Save when mails came."""

    def hear(self, mail: Mail) -> bool:
        """Answer it; whether it is to be heard again."""


@dataclass
class Places:
    """How many mails came in a run that cannot be dealt with now, by what they are and how many of those stay."""

    came: Counter[tuple[str, int]] = field(default_factory=Counter)

    def hold(self, what: str, most: int) -> bool:
        """Whether one more stays: those that came first do."""
        self.came[what, most] += 1
        return self.came[what, most] <= most

    def told(self) -> list[str]:
        """Of what more came than stay."""
        listed = ((number, what, most) for (what, most), number in self.came.items() if number > most)
        lines = [
            f"of {number} {what} the {most} that came first wait; the others are not kept"
            for number, what, most in listed
        ]
        return _few(lines, "games of which not all mails wait")


def work(intake: Intake, boxes: Sequence[Mails], ear: Ear | None = None) -> Day:
    """Take everything from some boxes. KurskError where a box itself cannot be read; then nothing is remembered.

    ``ear``: hears every mail of somebody whom it knows, before it is remembered.
    """
    incoming = chain.from_iterable(box.mails() for box in boxes)
    day = Day(before=untold.before(intake.home), broken=untold.status(intake.home))
    ours, again, places, found = set[str](), set[str](), Places(), Findings()
    players = partial(_players, intake)
    full = True
    while full:  # a stranger's mails may hold more turns than there is memory
        words, events = ear.knows if ear is not None else None, any_here(intake.home)
        sorted_mail = sorting.read(incoming, words=words, events=events, players=players, found=found)
        part, later = _dealt_with(intake, sorted_mail, ear, places)
        ours |= sorted_mail.held
        again |= later
        part.shorten(intake.circle, players)
        day.add(part)
        day.shorten(intake.circle, players)
        full = sorted_mail.room <= 0
    day.done += places.told()
    if day.proposed:
        day.done.append(
            f"and {day.proposed} more proposals came: 'kursk accept' shows one, by how its game's id begins"
        )
    wrong = list[KurskError]()
    for box in boxes:
        try:
            day.faults, day.more = found.told, found.more
            noted = untold.before(intake.home)  # what was put down meanwhile, too
            untold.put(intake.home, (*noted, *day.words), wrong=day.status > 0)
            for fault in box.remember(ours, again):
                found.put(fault)
                untold.add(intake.home, str(fault))
        except (DiskError, OSError) as error:  # they are looked through once more, and twice is no harm
            wrong.append(place.fault(error))
    day.faults, day.more = [*found.told, *wrong], found.more
    day.shorten(intake.circle, players)
    return day


def _dealt_with(intake: Intake, sorted_mail: Sorted, ear: Ear | None, places: Places) -> tuple[Day, set[str]]:
    """Take all that some mails hold; what came of it, and the digests of the mails that are to be looked at again."""
    games = [game for game in intake.take(sorted_mail) if game.outcomes]
    day = Day(games, mails=sorted_mail.mails, foreign=sorted_mail.foreign)
    for told in taking.work(intake.hand, sorted_mail.papers) if any_here(intake.home) else ():
        if isinstance(told, KurskError):
            day.refused.append(told)
        else:
            day.done.append(told)
    later = set[str]()
    day.cards = _cards(intake, sorted_mail.cards)
    later |= _came_back(intake, day, sorted_mail, places)
    later |= _again(day, sorted_mail, places)
    if ear is not None:
        try:
            ear.settle()
        except DiskError as error:
            day.refused.append(error)
        later |= {mail.digest for mail in sorted_mail.silent if _heard(day, ear, mail)}
    return day, later


def _came_back(intake: Intake, day: Day, sorted_mail: Sorted, places: Places) -> set[str]:
    """Note which letters came back; return the digests of the reports that are to be looked at again."""
    later = set[str]()
    for bounce, mail in sorted_mail.returned:
        try:
            day.returned += bounces.take(intake.home, bounce)
        except (DiskError, OSError) as error:
            day.returned.append(f"a letter came back, and that cannot be noted: {place.fault(error)}")
            if places.hold("reports of letters that cannot be noted now", _STAY):
                later.add(mail)
    day.returned = _few(list(dict.fromkeys(day.returned)), "letters that came back")
    return later


def _heard(day: Day, ear: Ear, mail: Mail) -> bool:
    """Whether what a mail asks has to wait; what a library fails at stops no other."""
    try:
        return ear.hear(mail)
    except UNFORESEEN as error:
        day.refused.append(FileError(f"nobody foresaw it ({type(error).__name__}): not answered", Where(mail.name)))
        return False


def _players(intake: Intake) -> Collection[str]:
    """The addresses of those who play here, in small letters, as far as they can be read."""
    with suppress(KurskError, OSError):
        return people.all_known_at(intake.home)
    return ()


def _again(day: Day, sorted_mail: Sorted, places: Places) -> set[str]:
    """The digests of the mails that could not be dealt with because of files of this desk, on a full disk say.

    Anybody can write more of them than a disk holds (T49). What a key of a game has signed leaves room for the other's;
    of a game that cannot be opened nobody can tell who signed, and of others not even whether they are here.
    """
    mails, kinds = dict[str, Mail](), dict[str, set[tuple[str, int]]]()
    for game in day.games:
        for outcome in game.outcomes:
            if outcome.again and (mail := outcome.piece.mail) is not None:
                mails[mail.digest] = mail
                kinds.setdefault(mail.digest, set()).add(_kind(game, outcome))
    if any(isinstance(error, DiskError) for error in day.refused):
        for _paper, mail in sorted_mail.papers:
            mails[mail.digest] = mail
            kinds.setdefault(mail.digest, set()).add(
                ("mails with papers of tournaments that cannot be filed now", held.MOST)
            )
    ordered = sorted(mails.values(), key=_arrived)
    return {mail.digest for mail in ordered if any(places.hold(*kind) for kind in sorted(kinds[mail.digest]))}


def _kind(game: GameTaken, outcome: Outcome) -> tuple[str, int]:
    """As what a mail stays, and how many like it do."""
    turn = outcome.piece.turn
    if isinstance(turn, Message) and outcome.state == WAITS and outcome.again:  # it goes on with a game played here
        whose, elder = sshsig.fingerprint(waiting.signer(turn)), str(turn.mapping("continues")["game"])
        return f"mails with proposals to go on with game {elder[:8]}, of key {whose},", waiting.UNDER_WAY
    if not game.here:
        proposed = turn.type == "propose"
        return (
            f"mails {'with proposals' if proposed else 'of games not known here'} that cannot be filed now",
            waiting.MOST_GAMES,
        )
    signed = f" signed by {turn.sender}" if game.desk is not None else ""
    return f"mails of game {game.game[:8]}{signed} that cannot be filed now", waiting.MOST


def _arrived(mail: Mail) -> str:
    """When a mail came, as far as that is known."""
    return arrival.when(mail.times)


def _cards(intake: Intake, cards: Sequence[tuple[Slip, Mail]]) -> list[str]:
    """Take down the cards of people who are known here; what is said of each that is new. DiskError."""
    if not cards:
        return []
    games = (*register.met(intake.home, intake.here), *(game for game, _key in events.games(intake.home)))
    known = {person.key: person for person in people.every(intake.home, games)}
    return _few(card.taken_down(intake.home, cards, known, _readers(intake)), "cards")


def _readers(intake: Intake) -> set[str]:
    """The keys for which cards are written that are for this desk."""
    used = (event.book.rules.key if event.directed else event.signer().public for event in events.every(intake.home))
    return proposals.own_keys(intake.home, intake.key) | set(used)


def _few(told: Sequence[str], what: str) -> list[str]:
    """No more lines than can be read (T49)."""
    more = len(told) - MOST
    return [*told[:MOST], *([f"and {more} more {what}"] if more > 0 else [])]


def todo(intake: Intake, taken: GameTaken) -> tuple[str, str]:
    """What a game is called, and what its player does next; what is wrong where that cannot be told.

    All that came is told then, too: it is dealt with, and no later round finds it again.
    """
    desk = taken.desk
    if desk is None:
        return f"game {show(taken.game[:16]) if taken.game else 'without a name'}", ""
    desk = replace(desk, folder=register.short(desk.folder))
    known = Known(taken.game, desk.folder, desk.own)
    try:
        among, by_log = register.every(intake.home, intake.here), overview.without_log(intake.home, desk.game)
        return str(known), overview.at(desk, known, among, by_log).todo
    except (KurskError, OSError) as error:
        return str(known), str(place.fault(error))
