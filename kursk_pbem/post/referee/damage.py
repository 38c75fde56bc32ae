"""Whose a mail may be that cannot be read, by what it says itself: in which games something may have been lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass

from kursk_pbem.errors import UNFORESEEN, FileError
from kursk_pbem.post.envelope import Mail
from kursk_pbem.trust import mailtext

_NAMED = re.compile(rb"(?:kursk|game|tournament)([0-9a-f]{8})")
"""How a game, or a tournament, is named in subjects, names of files, threads and turns.

Of these nothing but letters and digits is left: programs put other blanks, quotes and marks between.
"""

_DIGITS = re.compile(rb"(?:(?<![0-9a-z])|(?<=[\x80-\xff][0-9a-z]))[0-9a-f]{8}")
"""The same where a person writes the digits alone, as those of a second game; behind a letter of two bytes, too."""
_NOT_ALNUM = bytes(code for code in range(256) if not chr(code).isalnum() or code > 127)
_MOST = 1024 * 1024
"""Bytes of a text in which digits that stand alone are looked for."""


@dataclass(frozen=True)
class Damage:
    """What a mail that cannot be read says of whose it is: its ``senders``, and which of the ``games`` here it names.

    Neither is believed. It says in which games something may have been lost. ``unseen``: not even its header is known.
    It names a game by the first eight digits of its id. ``besides``: the whole ids of those of which it brought
    something new, for whoever proposes two can make them begin alike, each with the highest number of that. ``words``:
    it is whole, and a person wrote it (post.referee.wrote).
    """

    senders: frozenset[str]
    games: frozenset[str]
    unseen: bool = False
    besides: frozenset[tuple[str, int]] = frozenset()
    words: bool = False

    def concerns(self, game: str, newest: int, addresses: Collection[str]) -> bool:
        """Whether something may have been lost of a game with this id and newest message, and players reached there."""
        if any(one == game and seq <= newest for one, seq in self.besides):
            return False
        return self.unseen or game[:8] in self.games or not self.senders.isdisjoint(addresses)


@dataclass(frozen=True)
class Concern:
    """Where it matters whose a damaged mail may be, and who is to ``hear`` of it.

    ``games``: the first digits of their ids; ``senders``: the addresses of those who play them, in small letters, or
    ANYBODY, and from where something waits; ``players``: the same without that, if it differs; ``holds``: whether such
    a mail keeps a game that is under way from ending; ``own``: whether a mail is a letter in words of this very desk.
    """

    games: Callable[[], Collection[str]]
    hear: Callable[[Collection[Damage]], None]
    senders: Callable[[], Collection[str]] | None = None
    players: Callable[[], Collection[str]] | None = None
    holds: Callable[[Damage], bool] | None = None
    own: Callable[[Mail], bool] | None = None


def damage_of(mail: Mail, games: Collection[str]) -> Damage:
    """What a mail says of whose it is: in its header, its text, and what its parts say.

    ``games``: the first digits of those that matter here. A hostile mail names half a million others, and what is lost
    may stand behind them: so none of these is left out. What a library fails at is no more than left out.
    """
    said, senders, unseen = set[str](), frozenset[str](), True
    with suppress(*UNFORESEEN):
        senders, unseen = mail.senders, not mail.raw
    if games:
        said = _names(mail.raw, games)
        with suppress(FileError, *UNFORESEEN):
            said |= _about(mail, games)
            for part in mailtext.open_mail(mail.raw, mail.name).parts:
                said |= _said(part.text, games)
    return Damage(senders, frozenset(said), unseen)


def about(mail: Mail, games: Collection[str]) -> bool:
    """Whether the subject, the thread or the name of a file of a mail names one of these games."""
    return bool(games) and bool(_about(mail, games))


def names_one(files: bytes, games: Collection[str]) -> bool:
    """Whether the names of files name one of these games."""
    return bool(games) and bool(_said(files, games))


def _about(mail: Mail, games: Collection[str]) -> set[str]:
    """Which of these games they name."""
    subject, thread = (text.encode("utf-8", "replace") for text in (mail.subject, mail.thread))
    return set[str]().union(*(_said(text, games) for text in (subject, thread, mailtext.file_names(mail.raw))))


def _said(text: bytes, games: Collection[str]) -> set[str]:
    """Which of these games a subject, a thread or the names of files name, by the digits alone too."""
    alone = _DIGITS.findall(text[:_MOST].lower())
    return _names(text, games) | _of(games, alone)


def _names(text: bytes, games: Collection[str]) -> set[str]:
    """Which of these games a text names."""
    plain = text.lower().translate(None, _NOT_ALNUM)
    return _of(games, (found[1] for found in _NAMED.finditer(plain)))


def _of(games: Collection[str], found: Iterable[bytes]) -> set[str]:
    """Those of what was found that are games; there are a thousand games, and few of them in each of 10,000 headers."""
    return {digits for one in found if (digits := one.decode("ascii")) in games}
