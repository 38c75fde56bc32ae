"""What one mail holds of games and of tournaments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from kursk_pbem.errors import FileError, KurskError, Where
from kursk_pbem.post.envelope import Mail
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.tournament.papers.forms import Paper as EventPaper
from kursk_pbem.trust import mail as mails
from kursk_pbem.trust import mailtext
from kursk_pbem.trust.allowance import Allowance
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.slip import Slip

_ABOUT = re.compile(r"\[kursk ([0-9a-f]{8})\] [^,]{1,200}, (?:papers about )?message ([0-9]{1,4})[,:] ")
"""Which message the subject of a letter says that it carries."""
_LACKING = f"the letter has lost its turn on the way: {mails.AGAIN}"
MOST_PROPOSED = 64
"""Proposals of one mail that are read: proposing costs nothing, and each one that waits is written safely."""


class Result(Protocol):
    """Where the faults of a mail are recorded (post.sorting)."""

    def complain(self, faults: Sequence[KurskError], mail: Mail) -> None:
        """Record what is wrong with a mail."""

    def tell(self, fault: KurskError, mail: Mail | None = None) -> None:
        """Record a remark about a mail."""


def game_of(turn: Message | Paper) -> str:
    """Return the id of the game of a turn, as the turn says itself; '' if it does not."""
    return turn.id if turn.type == "propose" else str(turn.content.get("game", ""))


def read(mail: Mail, result: Result) -> tuple[list[Message | Paper | Slip], list[EventPaper]]:
    """Return the turns and cards of a mail, and the papers of tournaments in it.

    What is wrong is recorded in ``result``. The answers of programs, and mails that quote, may hold remnants.
    """
    allowance = Allowance.of_file(mail.raw, mail.name)
    try:
        opened = mailtext.open_mail(mail.raw, mail.name)
        papers, faults = bundles.find(mail.raw, mail.name, allowance, opened)
        survey = mails.survey(mail.raw, mail.name, allowance, opened)
    except FileError as error:  # too much of everything in it
        result.complain([_named(error, mail)], mail)
        return [], []
    turns = list(_few_proposed(survey.turns, mail, result))
    faults = [] if mail.replied else [*faults, *survey.faults]
    if not faults and _lacks(mail, turns, papers):
        faults = [FileError(_LACKING, Where(mail.name))]
    result.complain([_named(fault, mail) for fault in faults], mail)
    return turns, papers


def _lacks(mail: Mail, turns: Sequence[Message | Paper | Slip], papers: Sequence[EventPaper]) -> bool:
    """Return whether a letter of a desk does not hold the turn that its subject names, or any turn or paper at all."""
    if not mail.written_by_desk or papers:
        return False
    found = [turn for turn in turns if not isinstance(turn, Slip)]
    about = _ABOUT.search(mail.subject)
    if about is None:
        return not turns
    return max((turn.seq for turn in found if game_of(turn)[:8] == about[1]), default=-1) < int(about[2])


def _few_proposed(
    turns: Sequence[Message | Paper | Slip], mail: Mail, result: Result
) -> Iterator[Message | Paper | Slip]:
    """Yield what a mail holds, but of many proposals only the first and the last."""
    proposed = [turn for turn in turns if turn.type == "propose"]
    half = MOST_PROPOSED // 2  # a writer's own are above or below the quoted ones
    left = set(map(id, proposed[half : max(half, len(proposed) - half)]))
    yield from (turn for turn in turns if id(turn) not in left)
    if left:
        why = f"of its {len(proposed)} proposals the first and last {half} are looked at; ask for a mail of each other"
        result.tell(FileError(why, Where(mail.name)), mail)


def _named(fault: FileError, mail: Mail) -> FileError:
    """Return the fault with the sender, subject and date of the mail."""
    if str(fault).startswith(mail.name):
        return fault
    return FileError(fault.message, Where(mail.name, fault.where.line if fault.where else 0))
