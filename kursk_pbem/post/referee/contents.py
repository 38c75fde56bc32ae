"""What one mail holds of games and of tournaments, and what may have been lost of that on its way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Protocol

from kursk_pbem.errors import FileError, KurskError, Where
from kursk_pbem.game import inbox
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import missed
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.tournament.papers.forms import Paper as EventPaper
from kursk_pbem.trust import mail as mails
from kursk_pbem.trust.allowance import Allowance
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.slip import Slip

_LESS = "the mail has lost something on its way: it is cut off, or a part is damaged. Ask for it again"
_BESIDE = (
    "something in it may be one more turn: changed on its way, taken away, or in something that is not opened. Ask for "
    "it as an attachment"
)
MOST_PROPOSED = 64
"""Proposals of one mail that are looked at: what is signed for nobody in particular costs its writer nothing."""


class Result(Protocol):
    """Where it is put down what is wrong with a mail (post.sorting)."""

    @property
    def concerned(self) -> Callable[[], Collection[str]]:
        """Gives the first digits of the games where it matters whose a mail may be."""

    @property
    def keys(self) -> Callable[[], Mapping[str, Collection[str]]]:
        """Gives the keys of the games that are known here, by their ids."""

    def suspect(self, mail: Mail, fault: FileError | None = None) -> None:
        """That beside what is read of a mail there may be something else."""

    def complain(self, faults: Sequence[KurskError], mail: Mail) -> None:
        """What is wrong with it: something of it may be lost."""

    def tell(self, fault: KurskError, mail: Mail | None = None) -> None:
        """What is to be told of it."""

    def near(self, mail: Mail) -> bool:
        """Whether it says that it is of a game, or is from somebody who plays one here where that matters."""


def game_of(turn: Message | Paper) -> str:
    """The id of the game that a turn is of, as it says itself; '' if it does not."""
    return turn.id if turn.type == "propose" else str(turn.content.get("game", ""))


def papers_of(mail: Mail, result: Result, allowance: Allowance) -> tuple[list[EventPaper], int]:
    """The papers of tournaments in one mail, each once in a run, and how many faults in others are told."""
    if not bundles.holds_any(mail.raw):
        return [], 0
    try:
        papers, faults = bundles.find(mail.raw, mail.name, allowance)
        left = allowance.spent
    except FileError as error:  # too much of everything in it
        papers, faults, left = [], [error], True
    if papers and not (left or mail.written_by_desk):  # a person's may quote damaged copies
        if faults:
            result.suspect(mail, _named(faults[0], mail))
        return papers, 0
    result.complain([_named(fault, mail) for fault in faults], mail)
    return papers, len(faults)


def turns_of(
    mail: Mail, result: Result, allowance: Allowance, papers: Sequence[EventPaper] | None, faults: int
) -> tuple[list[Message | Paper | Slip], bool]:
    """What one mail holds of games, beside ``papers`` of tournaments; what is wrong is put down.

    And whether that is all that it was written with, as far as it is a letter of a desk.
    ``papers`` None: nobody has looked for those; ``faults``: how many in others are told. Each time that a mail is
    looked through may cost a quarter of a second (T27).
    """
    others = None if papers is None else len(papers) + faults
    try:
        survey = mails.survey(mail.raw, mail.name, allowance)
    except FileError as error:  # too much of everything in it
        result.complain([error], mail)
        return [], False
    turns = list(_few_proposed(survey.turns, mail, result))
    if survey.changed:
        result.suspect(mail)
    result.complain([_named(fault, mail) for fault in survey.faults], mail)
    nothing = not (survey.turns or survey.faults or others)
    less = not nothing and mail.named > len(survey.turns) + (others or 0)
    counted = cache(partial(missed.of_tournaments, mail, others, allowance))
    less = less and mail.named > len(survey.turns) + counted()
    found = [("" if isinstance(turn, Slip) else game_of(turn), turn) for turn in survey.turns]
    less = less or (not nothing and missed.lacking(mail, found, counted, result.keys))
    if mail.written_by_desk and (mail.cut_off or less) and not survey.faults:  # what else was in it nobody can tell
        result.complain([FileError(_LESS, Where(mail.name))], mail)
        return turns, False
    near = result.near(mail)
    looked = (survey.turns or papers) and not (survey.faults or faults or mail.replied)
    if looked and missed.beside(mail, found, papers, result.concerned(), near=near):
        result.suspect(mail, FileError(_BESIDE, Where(mail.name)))
    if nothing and ((not mail.replied and missed.alone(mail, near=near)) or missed.emptied(mail, others, allowance)):
        lacks = inbox.lacking(mail.raw, mail.name)
        result.complain([_named(lacks, mail)] if lacks is not None else [], mail)
    return turns, not survey.faults


def _few_proposed(
    turns: Sequence[Message | Paper | Slip], mail: Mail, result: Result
) -> Iterator[Message | Paper | Slip]:
    """What a mail holds, without most of its proposals where there are many: each that waits is written, and safely."""
    proposed = [turn for turn in turns if turn.type == "propose"]
    half = MOST_PROPOSED // 2  # a writer's own stands above or below what they quote
    left = set(map(id, proposed[half : max(half, len(proposed) - half)]))
    yield from (turn for turn in turns if id(turn) not in left)
    if left:
        why = f"of its {len(proposed)} proposals the first and last {half} are looked at; ask for a mail of each other"
        result.tell(FileError(why, Where(mail.name)), mail)


def _named(fault: FileError, mail: Mail) -> FileError:
    """The same fault, with the sender and the subject of the mail."""
    if str(fault).startswith(mail.name):
        return fault
    return FileError(fault.message, Where(mail.name, fault.where.line if fault.where else 0))
