"""A director who may have lost log papers asks all entrants and the witness for their logs, and waits for answers.

The desk signs after all answers, or after seven days. The answers are the log papers that the programs of the asked
people mail by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursk_pbem.desk.ground import clock, jsonfiles
from kursk_pbem.formats import times
from kursk_pbem.kernel.words import some
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import Book

NAME = "asked.json"
"""The file in a tournament's private record: the time of the question, and the keys that have answered."""
DAYS = 7
_WAY = (
    "'kursk post' asks for the log; without a mailbox ask for a zip of the tournament's folder, and type "
    "'kursk tournament inbox FILE'"
)
_SINCE, _HEARD, _NAMED = "since", "heard", "named"


def begin(record: Record, named: str = "") -> None:
    """Begin to ask all people for their logs. ``named``: the key of a writer who named a missing log paper, or ''."""
    said = jsonfiles.read_object(record.path / NAME)
    names = [*said.get(_NAMED, ()), *([named] if named else [])]
    jsonfiles.write_object(record.path / NAME, {_SINCE: clock.now(), _HEARD: [], _NAMED: names})


def end(record: Record) -> None:
    """Stop waiting for logs, because all answers have arrived. The program then signs again."""
    said = jsonfiles.read_object(record.path / NAME)
    jsonfiles.write_object(record.path / NAME, {**said, _SINCE: ""})


def may_ask(record: Record, key: str) -> bool:
    """Return whether a paper by a key may start the questions: once for each key, so that a liar stops nothing."""
    said = jsonfiles.read_object(record.path / NAME)
    return not said.get(_SINCE) and key not in said.get(_NAMED, ())


def find_since(record: Record) -> str:
    """Return the time when the director asked for logs, or '' if no question is open."""
    return str(jsonfiles.read_object(record.path / NAME).get(_SINCE, ""))


def hear(record: Record, keys: Iterable[str]) -> None:
    """Record that the owners of some keys have mailed their logs to the director."""
    said = jsonfiles.read_object(record.path / NAME)
    if said.get(_SINCE) and (new := sorted({*keys} - {*said[_HEARD]})):
        jsonfiles.write_object(record.path / NAME, {**said, _HEARD: [*said[_HEARD], *new]})


def list_asked(book: Book) -> dict[str, str]:
    """Return the keys and names of the people who may have log papers of this director."""
    there = {one.key: one.name for one in book.entrants.values() if not one.out and one.left < 0}
    there |= {book.rules.witness: "the witness"} if book.witness else {}
    return {key: name for key, name in there.items() if key != book.rules.key}


def list_silent(record: Record, book: Book) -> dict[str, str]:
    """Return the keys and names of the people who have not sent their logs yet, if the director waits for logs."""
    said = jsonfiles.read_object(record.path / NAME)
    since = said.get(_SINCE, "")
    if not since or not 0 <= times.seconds_between(since, clock.now()) < DAYS * times.DAY:
        return {}
    return {key: name for key, name in list_asked(book).items() if key not in said[_HEARD]}


def explain_wait(record: Record, book: Book) -> str:
    """Return why the director's program signs nothing now, or ''."""
    if not (silent := list_silent(record, book)):
        return ""
    until = times.tell(times.add_days(find_since(record), DAYS))
    return (
        f"papers that you have signed may be missing here, so all entrants are asked for their logs; "
        f"{some([*silent.values()], 8)} did not answer yet. The desk signs when all have answered, or after {until}"
    )


def describe_unknown(book: Book, papers: Iterable[Paper]) -> Iterator[tuple[str, str]]:
    """Yield (key, sentence) for each person with papers that name a log paper missing on this machine."""
    every, told = book.signed_log, set[str]()
    for paper in papers:
        if paper.of_log or paper.said("seen")["id"] in every or paper.sender in told:
            continue
        told.add(paper.sender)
        who = next((one.name for one in book.entrants.values() if one.key == paper.sender), "the writer of a paper")
        who = "the witness" if paper.sender == book.rules.witness else who
        seq, last = int(paper.said("seen")["seq"]), book.head.seq
        another = "" if seq > last else "another "
        yield paper.sender, f"{another}log paper {seq} was seen by {who}; this log ends with {last}: {_WAY}"
