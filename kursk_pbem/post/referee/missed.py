"""Whether a mail may hold a turn that was not found in it: then its sender is asked, and no game ends by itself.

Of a stranger's mail only the text is looked at: what they pack or encrypt is no business of this desk. ``near``: a mail
says that it is of a game, or is from somebody who plays one here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations

from kursk_pbem.errors import FileError
from kursk_pbem.post import letter as letters
from kursk_pbem.post import people
from kursk_pbem.post.envelope import Mail
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.tournament.papers.forms import Paper as EventPaper
from kursk_pbem.trust import leftover
from kursk_pbem.trust.allowance import Allowance
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.slip import Slip

_NUMBERED = re.compile(rb"kursk-([0-9a-f]{8})-(?:[a-z]{1,12}-)?([0-9]{4})(?:-[a-z0-9-]{1,20})?\.yaml", re.IGNORECASE)
_ABOUT = re.compile(r"\[kursk ([0-9a-f]{8})\] [^,]{1,200}, (?:papers about )?message ([0-9]{1,4})[,:] ")
"""What the subject of a letter says that it carries."""
_MOST_KEYS = 3
"""Two players and a referee: whatever a stranger's message 0 pins, no more are looked at."""


def alone(mail: Mail, *, near: bool) -> bool:
    """Whether there may be a turn in a mail in which none was found."""
    if mail.attached:
        return True
    if near and (mail.cut_off or leftover.names_turn(mail.raw) or leftover.unopened(mail.raw, mail.name)):
        return True
    return leftover.spoilt(mail.raw, mail.name) or leftover.hidden(mail.raw, mail.name)


def beside(
    mail: Mail,
    found: Iterable[tuple[str, Message | Paper | Slip]],
    papers: Sequence[EventPaper] | None,
    here: Collection[str],
    *,
    near: bool,
) -> bool:
    """Whether there may be another turn in a mail than those that were ``found``, each behind the id of its game.

    Or another paper of a tournament than these ``papers``; None: nobody has looked for those.
    ``here``: how the ids of the games here begin, in eight digits.
    """
    found = list(found)
    turns = [(game, turn) for game, turn in found if not isinstance(turn, Slip)]
    known = {(game[:8].encode("ascii"), b"%04d" % turn.seq) for game, turn in turns}
    messages = {(game, b"%04d" % turn.seq) for game, turn in turns if isinstance(turn, Message)}
    games = {game for game, _seq in known}.union(game.encode("ascii") for game in here)  # a name may be of a tournament
    named = _NUMBERED.findall(mail.raw) + _NUMBERED.findall(leftover.names(mail.raw))
    if not mail.written_by_desk and any(name[0] in games and name not in known for name in named):
        return True
    if near and (mail.cut_off or leftover.emptied(mail.raw)):
        return True
    if near and turns and _files_left(mail, Counter(seq for _game, seq in messages)):
        return True
    whole = leftover.whole((*(turn.document.raw for _game, turn in found), *(one.document.raw for one in papers or ())))
    if (near and leftover.unopened(mail.raw, mail.name, whole)) or leftover.hidden(mail.raw, mail.name, whole):
        return True
    armours = None if papers is None else [paper.armour for paper in papers]
    return leftover.spoilt_beside(mail.raw, mail.name, (turn.armour for _game, turn in found), armours, whole)


def lacking(
    mail: Mail,
    found: Iterable[tuple[str, Message | Paper | Slip]],
    papers: Callable[[], int],
    keys: Callable[[], Mapping[str, Collection[str]]],
) -> bool:
    """Whether a letter of a desk does not hold what it was written with; ``found``: what it holds, as :func:`beside`.

    A server took that away with its name, and left a card, or what went with it. The Message-ID says so, whatever has
    become of the subject: it follows from what a letter carries, beside cards, and from the ``keys`` of its readers,
    which are some of those of its game. Where nobody knows these, or a server has given it another one, what its
    subject names is wanted. Whoever mails a later turn in a letter of old has not lost one. ``papers``: how many of
    tournaments it holds; in the thread of a tournament a letter rests on its words, too.
    """
    turns = [(game, turn) for game, turn in found if not isinstance(turn, Slip)]
    if mail.letter and not turns:
        return papers() == 0
    if mail.letter and (marks := _readers(mail, turns, keys)):
        ids = {turn.id for _game, turn in turns}
        groups = (some for number in range(1, len(marks) + 1) for some in combinations(marks, number))
        return all(letters.digest_of(ids, some) != mail.letter for some in groups)
    about = _ABOUT.search(mail.subject) if mail.written_by_desk else None
    if about is None:
        return False
    numbers = (turn.seq for game, turn in turns if game[:8] == about[1])
    return max(numbers, default=-1) < int(about[2])


def _readers(
    mail: Mail, turns: Sequence[tuple[str, Message | Paper]], keys: Callable[[], Mapping[str, Collection[str]]]
) -> list[str]:
    """The marks of the keys of those to whom a letter about a game may go; none if it is not of one that is known."""
    game = turns[0][0]
    if any(other != game for other, _turn in turns) or (mail.threads and game[:32] not in mail.threads):
        return []
    first = next((turn for _game, turn in turns if turn.id == game), None)
    pinned = people.pinned(first.content).values() if first is not None else keys().get(game, ())
    return sorted(set(map(people.mark, pinned)))[:_MOST_KEYS]


def _files_left(mail: Mail, numbers: Mapping[bytes, int]) -> bool:
    """Whether more files are named by a number, as those of a game folder are, than messages of it were found.

    Several games of one player may be at the same number.
    """
    return any(count > numbers.get(name, 0) for name, count in leftover.numbered(mail.raw).items())


def emptied(mail: Mail, papers: int | None, allowance: Allowance) -> bool:
    """Whether it is a letter of a desk, though nothing of a game is in it: a server took the attachments away, say."""
    return mail.written_by_desk and not of_tournaments(mail, papers, allowance)


def of_tournaments(mail: Mail, papers: int | None, allowance: Allowance) -> int:
    """How many papers of tournaments a letter holds; where none is played nothing else has looked for them.

    What the turns have left of the ``allowance`` bounds that, too: a stranger's mail may be named as a desk's (T49).
    """
    if papers is not None:
        return papers
    with suppress(FileError):
        return len(bundles.find(mail.raw, mail.name, allowance.anew())[0]) if mail.written_by_desk else 0
    return 0
