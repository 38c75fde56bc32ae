"""Letters that came back (RFC 3464): told, and the address is no longer used until its owner's desk says so anew.

Anybody can write such a report. It counts only with the Message-ID of a letter that was tried here, and it stops an
address, never a clock (T60). One that is no sure failure of its reader's address (the letter was put off, or was passed
on to another one), or that names no letter of this desk, stops none: it is told once where it names one, and keeps a
game from ending by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import SpoiltError, UsageError
from kursk_pbem.post import address as addresses
from kursk_pbem.post import card, people, place
from kursk_pbem.post import letter as letters
from kursk_pbem.post.letter import Letter, Reader
from kursk_pbem.post.outbox import BOUNCED, DOUBTED, SENT, Box
from kursk_pbem.post.referee import notes
from kursk_pbem.post.servers.reported import WORDS_EDITION, Report
from kursk_pbem.post.told import untold

_DASHES = 2
"""In the name of a letter: number, digest, edition."""

_STOPPED = "Nothing more goes to that address before you say it anew"
_MISTAKEN = "referee.toml says where the director is reached"
_GIVEN_UP = "Nobody is reached there any more"


@dataclass
class Letters:
    """What went out from here. Anybody can mail thousands of reports (T49): all of it is looked through once.

    ``doubts``: what reports said of whose letters may not have arrived, addresses and games (damage.Damage).
    ``waits``: the digests of reports that are to be looked at again, as a letter cannot be read that they name.
    """

    home: Path
    doubts: set[tuple[frozenset[str], frozenset[str]]] = field(default_factory=set)
    waits: set[str] = field(default_factory=set)

    @cached_property
    def own(self) -> str:
        """The address of this mailbox, in small letters, which stands in each letter that comes back; '' if unknown."""
        with suppress(UsageError):
            return card.own(self.home).address.lower()
        return ""

    @cached_property
    def turns(self) -> dict[str, list[Path]]:
        """What describes the letters, by digest and edition. DiskError."""
        root, there = place.root(self.home) / "out", dict[str, list[Path]]()
        for short in place.names(root):
            for name in place.names(root / short) if (root / short).is_dir() else ():
                if name.endswith(".json") and name.count("-") >= _DASHES:
                    there.setdefault("-".join(name[:-5].split("-")[-2:]), []).append(root / short / name)
        return there

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """The names of the letters in words that were tried, by digest. DiskError."""
        return notes.tried(self.home)

    @cached_property
    def to_director(self) -> dict[str, list[Path]]:
        """What is put down of those to the director of which nobody knows whether they arrived, by address."""
        return notes.to_director(self.home, chain.from_iterable(self.words.values()))


def take(there: Letters, report: Report) -> Iterator[str]:
    """Put down that a letter came back, for each of its readers that is named; what is said of that. UsageError.

    Nothing of a letter that was never tried, or came back before. One that is not here may be ours under the name that
    a server has given it, or not ours.
    """
    for digest in sorted(report.words - {report.digest}):  # it may be about any of those that it names
        yield from _may_be_lost(there, report, digest, ())
    if report.edition == WORDS_EDITION:
        yield from _in_words(there, report)
        return
    paths = there.turns.get(f"{report.digest}-{report.edition}", ())
    if not paths:
        yield from _in_doubt(there, report)
    for path in paths:
        try:
            letter = letters.from_plain(place.load(path))
        except (UsageError, KeyError, TypeError, ValueError):
            yield _waits(there, report, path.parent.name, f"{path}, which describes it, cannot be read: move it away")
            continue
        try:
            yield from _with_turn(there, report, letter)
        except SpoiltError as error:
            yield _waits(there, report, letter.game, str(error))


def _waits(there: Letters, report: Report, game: str, why: str) -> str:
    """A file cannot be read that a report needs: it is looked at again, and holds its own game until then; in words."""
    there.doubts.add((report.whose[0], report.games | {game[:8]} - {""}))
    there.waits.add(report.mail)
    return f"a letter came back, and {why}"


def _with_turn(there: Letters, report: Report, letter: Letter) -> Iterator[str]:
    """The same of a letter that is here. Where no reader of it is named it may have reached none of them."""
    home, box, name = there.home, Box(there.home, letter.game), f"{letter.game[:8]}/{letter.seq}"
    failed, late = _among(letter, report.readers), _among(letter, report.late)
    if report.named and not (failed or late):  # what names this letter may stand in another one that came back
        yield from _in_doubt(there, report)
    for reader in letter.to:
        if not box.count(letter, reader.mark, "try") or box.ended(letter, reader.mark) not in ("", SENT):
            continue
        if reader in failed:
            anew = _stop(home, reader.mark, reader.address, report.why)
            next_step = f"{_STOPPED}: {anew}, then" if anew else f"{_GIVEN_UP};"
            yield untold.add(
                home,
                f"the letter {name} to {reader.address} came back: {report.why}. {next_step} 'kursk outbox --again "
                f"{name}'",
            )
            box.note(letter, reader.mark, BOUNCED, words=report.why)
        elif reader in late or not (failed or late):
            senders = frozenset[str]() if letter.of_game else frozenset({reader.address.lower()})
            there.doubts.add((senders, frozenset({letter.game[:8]})))
            if not box.happened(letter, reader.mark, DOUBTED):
                yield untold.add(
                    home,
                    f"the letter {name} to {reader.address} may not have arrived: {report.why}. "
                    f"'kursk outbox --again {name}' makes it anew",
                )
                box.note(letter, reader.mark, DOUBTED, words=report.why)


def _among(letter: Letter, listed: Collection[str]) -> set[Reader]:
    """The readers of a letter who are listed."""
    return {reader for reader in letter.to if any(addresses.same(reader.address, each) for each in listed)}


def _in_words(there: Letters, report: Report) -> Iterator[str]:
    """The same of a letter in words, such as a reminder. It has one reader: nobody else can know who it is about."""
    home, known = there.home, there.words.get(report.digest, ())
    theirs = any(notes.went_to(home, name, each) for name in known for each in report.named)
    if not known or (report.named and not theirs):
        yield from _in_doubt(there, report)
    yield from _may_be_lost(there, report, report.digest, report.readers)


def _may_be_lost(there: Letters, report: Report, digest: str, readers: Collection[str]) -> Iterator[str]:
    """Put down that a letter in words may not have arrived, or that it came back from its reader, if they are named.

    One whose description cannot be read may not have arrived, and the report is looked at again.
    """
    home, why = there.home, report.why
    for name in there.words.get(digest, ()):
        path, mark, address, fault = notes.came_back(home, name, readers)
        if path.exists() and not fault:
            continue
        try:
            anew = _stop(home, mark, address, why) if mark else ""
        except SpoiltError as error:
            path, fault = path.with_suffix(f".{notes.DOUBTED}"), str(error)
        told = f"a letter in words to {address} may not have arrived: {why}. It counts as no reminder"
        if fault:
            told = _waits(there, report, "", fault)
        elif mark:
            next_step = f"{_STOPPED}: {anew}" if anew else _MISTAKEN if notes.NOBODY.startswith(mark) else _GIVEN_UP
            told = f"a letter in words to {address} came back: {why}. {next_step}"
        yield told if path.exists() else untold.add(home, told)
        place.once(path, {"why": why, "at": clock.now()})


def _in_doubt(there: Letters, report: Report) -> Iterator[str]:
    """Put down that a letter may not have arrived, nobody knows which: anybody who is named may own it. UsageError.

    The director plays no game: of all that was written to them it may be any, a last call too.
    """
    named = {address.lower() for address in report.named}
    whose = report.whose[0] - ({there.own} - named)
    there.doubts.add((whose, report.games))
    paths = [
        path for address in (*sorted(whose), "") for path in there.to_director.get(address, ()) if not path.exists()
    ]
    if paths:
        yield untold.add(there.home, f"a letter in words to the director may not have arrived: {report.why}")
    for path in paths:
        place.once(path, {"why": report.why, "at": clock.now()})


def _stop(home: Path, mark: str, address: str, why: str) -> str:
    """An address is not used any more, for anybody; what is typed to say it anew, of each who was reached there.

    Not of whoever was merely asked about, or has given it up: a report can be forged, and what it tells is typed.
    ``mark``: how that of the reader of the letter begins. SpoiltError where the file of that reader cannot be read; a
    file of somebody else stops nothing.

    Before the report is put down as known: whoever is killed between the two reads it again.
    """
    anew, fault = list[str](), None
    for name in people.beginning(home, ""):
        try:
            person = people.marked(home, name)
        except SpoiltError as error:
            fault = error if name.startswith(mark) else fault
            continue
        stopped = person and person.stopped(address, f"a letter came back: {why}")
        if stopped is not None and stopped != person:
            people.save(home, stopped)
        if stopped is not None and stopped.state_of(address) == people.BOUNCED and not stopped.reached:
            anew.append(stopped.command("add", address))
    if fault is not None:
        raise fault
    return " and ".join(anew)
