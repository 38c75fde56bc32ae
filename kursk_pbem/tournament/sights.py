"""First sights: when a program first saw a log paper, which then existed. Sights convict nobody (directors.md 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursk_pbem.desk.ground import clock, jsonfiles
from kursk_pbem.formats import times
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament.book.people import find_seen
from kursk_pbem.tournament.papers import fields, lines
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import Book

NAME = "sights.json"
"""The file in a tournament's private record with the first sights, by the id of the log paper."""
TOLD = (fields.MISSING, fields.CLOSED, fields.DRAWN)
"""Types of log papers whose first sights a person's next paper states."""
HOUR = 3600
MAX_SIGHTS = 50


def note_log(own: Record, log: Iterable[Paper]) -> list[str]:
    """Save the hour in which new log papers were first seen. Return a warning if a paper's time is in the future."""
    held, now = jsonfiles.read_object(own.path / NAME), clock.now()
    if new := [paper for paper in log if paper.id not in held]:
        jsonfiles.write_object(own.path / NAME, {**held, **{paper.id: times.end_hour(now) for paper in new}})
    return list(warn_ahead(new, now))


def warn_ahead(log: Iterable[Paper], now: str) -> Iterator[str]:
    """Yield a warning about log papers with a time after the current hour."""
    if ahead := [paper for paper in log if paper.text("time") > times.end_hour(now)]:
        number, first = plural(len(ahead), "log paper"), f"{ahead[0].name} is dated {ahead[0].text('time')}"
        yield f"{number} ahead of your clock: {first}, but the time here is {now}; one of the clocks is wrong"


def list_sights(own: Record, book: Book, key: str) -> list[dict[str, str]]:
    """Return the sights (a log paper, the hour first seen) for a key's next paper: those not acknowledged yet."""
    held, papers = jsonfiles.read_object(own.path / NAME), (book.papers[id_] for id_ in book.received)
    told = {sight["seq"] for paper in papers if paper.sender == key for sight in paper.said("sights") or ()}
    new = ((str(log.seq), str(held.get(log.id))) for log in book.log if log.type in TOLD)
    return [{"seq": seq, "time": at} for seq, at in new if seq not in told and times.is_time(at)][-MAX_SIGHTS:]


def describe_sights(book: Book) -> Iterator[str]:
    """Yield sentences about log papers first seen before the paper's own time, or not seen in time."""
    seen = _collect_sights(book)
    for seq, by in sorted(seen.items()):
        log = book.log[seq]
        early = [f"{who} by {time}" for who, time in sorted(by.items()) if time < log.text("time")]
        alone = "; the clock of a single person may be wrong" if len(early) == 1 else ""
        if early:
            who = " and ".join(early)
            yield f"{log.name} ({log.type}) is dated {log.text('time')}, but was seen earlier: {who}{alone}"
    for draw in book.draws:
        if draw.drawn >= 0 and draw.witness and draw.reveal is None:
            yield from _describe_unseen(book, seen, (draw.closed, draw.drawn), 0)
        if draw.closed >= 0 and draw.missing and draw.warned >= 0:
            yield from _describe_unseen(book, seen, (draw.warned, draw.closed), 48)


def describe_clocks(book: Book) -> Iterator[str]:
    """Yield a sentence for each person about the first paper whose time differs from the log by over an hour."""
    told: set[str] = set()
    for id_, seq in book.received.items():
        paper, time = book.papers[id_], book.papers[id_].text("time")
        seen, log = find_seen(book, paper)[-1], book.log[seq]
        early = times.seconds_between(time, seen.text("time")) > HOUR
        if paper.sender not in told and (early or times.seconds_between(log.text("time"), time) > HOUR):
            told.add(paper.sender)
            other = f"before {seen.name} of {seen.text('time')}" if early else f"after {log.name} of {log.text('time')}"
            yield f"{paper.name}: dated {time} by its writer's clock, {other}"


def _describe_unseen(book: Book, seen: dict[int, dict[str, str]], pair: Sequence[int], hours: int) -> Iterator[str]:
    """Yield a line if nobody saw the first paper of a ``pair`` some hours before the time of the second."""
    one, two = (book.log[seq] for seq in pair)
    by = seen.get(one.seq, {}).values()
    if max((times.seconds_between(at, two.text("time")) for at in by), default=0) < max(hours * HOUR, 1):
        before, first = f"{hours} hours before" if hours else "before", f", the first at {min(by)}" if by else ""
        named = f"{one.name} ({one.type}) {before} {two.name} ({two.type}, {two.text('time')})"
        yield f"nobody saw {named}: {plural(len(by), 'sight')}{first}"


def _collect_sights(book: Book) -> dict[int, dict[str, str]]:
    """Return the first sight of each log paper by each person."""
    names = {key: entrant.name for entrant in book.entrants.values() for _since, key in entrant.keys}
    names |= dict.fromkeys(book.rules.assistants, "an assistant") | {book.rules.witness: "the witness"}
    seen: dict[int, dict[str, str]] = {}
    for paper in (book.papers[id_] for id_ in book.received):
        shared = lines.find_fork(book.log, find_seen(book, paper))
        for sight in paper.said("sights") or () if paper.sender in names else ():
            seq, who = int(sight["seq"]), names[paper.sender]
            known = seq < shared and book.log[seq].type in TOLD
            if known and times.is_time(sight["time"]):
                by = seen.setdefault(seq, {})
                by[who] = min(sight["time"], by.get(who, sight["time"]))
    return seen
