"""Papers of tournaments that came by mail and wait: strangers' for the director's word.

Anybody can make a key and mail an entry, and an acknowledgement stands in the log for ever. So an entry, and an offer
to stand in, waits until the director takes it; of one tournament at most so many wait. A proposal for a board waits
until its board is judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from kursk_pbem.errors import FileError, KurskError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import came, people, place, quotas
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.round import waiting
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.tournament.papers.forms import Paper

_NAMED = _DIGITS = 8


def _folder(home: Path, id_: str) -> Path:
    return place.root(home) / "in" / "papers" / id_[:16]


def _names(paper: Paper) -> tuple[str, str]:
    """What the file of a paper is called, and what former releases called it: without a mark of its sender."""
    return f"{paper.id[:32]}{_end(paper.sender)}", f"{paper.id[:32]}.yaml"


def _end(key: str) -> str:
    """How the names of the files of a key's papers end."""
    return f"-{people.mark(key)[:16]}.yaml"


def keep(home: Path, paper: Paper, *, stranger: bool) -> bool:
    """Keep a player's paper; false if there is no room for it. UsageError.

    Whatever one who takes part has signed, there is room for what another signs.
    """
    folder, raw = _folder(home, tournament(paper)), forms.emit(paper).encode("ascii")
    there = place.names(folder)
    if set(_names(paper)).isdisjoint(there):
        theirs = [name for name in there if name.endswith(_end(paper.sender))]
        for kind, names in ((quotas.OF_PLAYER, theirs), *([(quotas.PAPERS, there)] if stranger else [])):
            if quotas.full(kind, len(names) + 1, len(raw) + sum((folder / name).stat().st_size for name in names)):
                return False
        place.once(folder / _names(paper)[0], raw)
    return True


def holds(home: Path, paper: Paper) -> bool:
    """Whether a player's paper waits. DiskError."""
    return not set(_names(paper)).isdisjoint(place.names(_folder(home, tournament(paper))))


def few(
    arrived: Sequence[tuple[Paper, Mail]], received: Container[str]
) -> tuple[list[tuple[Paper, Mail]], list[FileError]]:
    """What came without most of the papers of strangers in a mail of many, and what is told of each such mail.

    A paper that waits is written, and safely. ``received``: the ids of those that are here.
    """
    strange = defaultdict[str, dict[str, str]](dict)
    for paper, mail in arrived:
        if paper.type in fields.STRANGERS and paper.id not in received:
            strange[mail.digest][paper.id] = mail.name
    half, left, faults = quotas.TABLE[quotas.IN_MAIL].number // 2, set[tuple[str, str]](), list[FileError]()
    for digest, ids in strange.items():
        if quotas.full(quotas.IN_MAIL, len(ids)):
            left.update((digest, id_) for id_ in list(ids)[half:-half])  # a writer's own stands above or below quotes
            why = f"of its {len(ids)} papers of strangers the first and last {half} are looked at"
            faults.append(FileError(f"{why}; ask for a mail of each other", Where(next(iter(ids.values())))))
    return [(paper, mail) for paper, mail in arrived if (mail.digest, paper.id) not in left], faults


def once(arrived: Iterable[tuple[Paper, Mail]]) -> list[tuple[Paper, Mail]]:
    """Of each paper the copy that came first."""
    first = dict[tuple[str, str], tuple[Paper, Mail]]()
    for paper, mail in arrived:
        first.setdefault((paper.id, paper.armour), (paper, mail))
    return list(first.values())


def enters(home: Path, id_: str, key: str) -> bool:
    """Whether an entry of this key waits in a tournament. DiskError."""
    return any(paper.type == fields.ENTRY and paper.sender == key for paper in every(home, id_, _end(key)))


def every(home: Path, id_: str, end: str = "") -> Iterator[Paper]:
    """The papers of a tournament that wait, in order of their ids; of those alone whose files' names ``end`` so."""
    folder = _folder(home, id_)
    for name in (name for name in place.names(folder) if name.endswith(end)):
        try:
            yield _read(files.read(folder / name, MAX_BYTES), name)
        except (OSError, FileError):
            continue


_read = files.remembered(forms.read)  # a thousand may wait, for weeks, and are looked through in each round


def note(home: Path, paper: Paper, mail: Mail) -> None:
    """Put down by which mail a paper came, and from where."""
    came.note(home, tournament(paper), 0, paper.id, **mail.said)


def put_away(home: Path, papers: Iterable[Paper], received: Container[str]) -> None:
    """Players' papers wait no longer.

    The director is asked about the address from which one came that was ``received``, by its id. Of others it is
    forgotten from where they came, and when: anybody may send many (T49).
    """
    for paper in papers:
        if paper.of_log:
            continue
        address = came.said(home, tournament(paper), 0, paper.id).get("sender", "")
        if paper.id in received:
            name = paper.text("name")[: people.NAME] if paper.type in fields.STRANGERS else ""
            people.noticed(home, paper.sender, address, f"their {paper.type} came from there", name)
        else:
            came.drop(home, tournament(paper), 0, paper.id)
        for name in _names(paper):
            (_folder(home, tournament(paper)) / name).unlink(missing_ok=True)


def tournament(paper: Paper) -> str:
    """The id of the tournament that a paper is of."""
    return paper.id if paper.type == fields.RULES else str(paper.said("tournament"))


def meant(there: Sequence[Paper], typed: str) -> Paper:
    """The paper of a stranger that is meant by a name, its beginning, or the first 8 digits of its id. UsageError.

    Nobody is taken for another whose digits they have made their name.
    """
    papers, wanted = [paper for paper in there if paper.type in fields.STRANGERS], typed.casefold()
    alike = [paper for paper in papers if paper.text("name").casefold() == wanted]
    alike = alike or [paper for paper in papers if paper.text("name").casefold().startswith(wanted)]
    if len(wanted) >= _DIGITS:
        alike += [paper for paper in papers if paper.id.startswith(wanted) and paper not in alike]
    if not alike:
        raise UsageError(f"{typed}: there is no such file, and nobody who waits is called so: {listed(there)}")
    if len(alike) > 1:
        told = ", ".join(f"{paper.id[:_DIGITS]} {show(paper.text('name'))}" for paper in alike[:_NAMED])
        raise UsageError(f"{typed} may be {told}: give the digits of one")
    return alike[0]


def listed(there: Sequence[Paper]) -> str:
    """Who waits, in words; there may be a thousand."""
    names = [show(paper.text("name")) for paper in there if paper.type in fields.STRANGERS]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more} {'wait' if len(names) > 1 else 'waits'}" if names else "nobody waits"


def wish(paper: Paper, numbers: Container[str]) -> str:
    """What a stranger's paper wants; ``numbers``: those of the entrants."""
    if paper.type == fields.ENTRY:
        return "enters"
    number = paper.text("number")
    return f"offers to stand in for number {number}{'' if number in numbers else ', which nobody has'}"


def idle(home: Path, events_here: Mapping[str, Event]) -> Iterator[str | KurskError]:
    """Proposals wait no longer whose boards have been judged, in one of the tournaments here, by id."""
    for proposal in list(waiting.proposals(home)):
        named = proposal.mapping(boards.FIELD)
        if (event := events_here.get(str(named.get("id")))) is None:
            continue
        try:
            book = Event(event.record).book  # with what came in this round
        except KurskError as error:
            yield error
            continue
        if why := boards.closed(book, "", str(named.get("board"))):
            waiting.forget(home, proposal.id)
            yield f"{book.rules.title}: {why}; what was proposed for it waits no longer"
