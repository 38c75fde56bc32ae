"""Whose a mail may be that cannot be read, by what it says itself: in which games something may have been lost."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

from kursk_pbem.errors import UNFORESEEN, FileError
from kursk_pbem.post.envelope import Mail
from kursk_pbem.trust import leftover

_NAMED = re.compile(rb"(?:\[kursk |kursk-|k1\.game\.|game:[ \t]{0,9}['\"]?)([0-9a-f]{8})")


@dataclass(frozen=True)
class Damage:
    """What a mail that cannot be read says of whose it is: its ``senders``, and which of the ``games`` here it names.

    Neither is believed. It says in which games something may have been lost. ``unseen``: not even its header is known.
    A game goes by the first eight digits of its id.
    """

    senders: frozenset[str]
    games: frozenset[str]
    unseen: bool = False


def damage_of(mail: Mail, games: Collection[str]) -> Damage:
    """What a mail says of whose it is: in its header, its text, and what its parts say.

    ``games``: the first digits of those that matter here. A hostile mail names half a million others, and what is lost
    may stand behind them: so none of these is left out. What a library fails at is no more than left out.
    """
    named, senders, unseen = set[str](), frozenset[str](), True
    with suppress(*UNFORESEEN):
        senders, unseen = mail.senders, not mail.raw
    if games:
        texts = [mail.raw]
        with suppress(*UNFORESEEN):
            texts.append(mail.subject.encode("utf-8", "replace"))
        with suppress(FileError, *UNFORESEEN):
            wholes, parts = leftover.said(mail.raw, mail.name)
            texts += (*wholes, *parts)
        there = {game.encode("ascii") for game in games}
        named = {name.decode("ascii") for text in texts for name in there.intersection(_NAMED.findall(text.lower()))}
    return Damage(senders, frozenset(named), unseen)
