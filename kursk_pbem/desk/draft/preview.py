"""What orders would bring before they are written: what is wrong with them, what their dice can do; in a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursk_pbem.desk.draft import ordering, prospects
from kursk_pbem.desk.draft.ordering import Written
from kursk_pbem.desk.draft.wording import NOTE, Sheet
from kursk_pbem.errors import KurskError
from kursk_pbem.kernel.outlook import FIRST, Chances
from kursk_pbem.report.luck import per_cent


def line(sheet: Sheet, typed: str) -> str:
    """What a line of orders would bring: the first fault that it makes, otherwise its odds, or what is understood."""
    orders = ordering.split(typed)
    if not orders or orders[-1][0].lower() in (NOTE, "undo", "redo"):
        return ""
    try:
        done = ordering.tried(sheet, orders)
        if new := ordering.faults(sheet, done)[0]:
            more = f"; and {len(new) - 1} more" if len(new) > 1 else ""
            return f"{new[0].message} [{new[0].rule}]{more}"
        odds = "; ".join(part for chances in declared(sheet, done, orders[-1])[:1] for part in brief(chances))
    except KurskError as error:
        return " ".join(_formed(error.message, sheet).split())
    said = done.said[-1].partition("\n")[0] if done.said else ""
    return f"{odds} - {said}" if odds and said else odds or said


def _formed(message: str, sheet: Sheet) -> str:
    """A refusal with the form of an order in place of its fixed example, which may name what the enemy has."""
    for verb in sheet.verbs:
        message = message.replace(f"'{verb.example}'", f"'{verb.name} {verb.usage}'")
    return message


def declared(sheet: Sheet, done: Written, words: Sequence[str]) -> list[Chances]:
    """The chances of what an order declares, as far as its draft is legal."""
    result = done.checked.result
    if not done.checked.declares or result.violations:
        return []
    seen = prospects.Prospect(sheet.desk.game, result.after, done.checked.hidden, "")
    return of_order(prospects.odds(seen), words, words[1:2], done.said[-1:])


def brief(chances: Chances) -> Iterator[str]:
    """The odds and what they come to, for a line that is always in sight."""
    if chances.fought is not None:
        yield chances.fought.column or "no attack takes place"
    yield from (f"{what}: {per_cent(value)}" for what, value in chances.sums[:2])
    if chances.caveat and chances.caveat != FIRST:
        yield chances.caveat


def of_order(every: Iterable[Chances], words: Sequence[str], who: Sequence[str], said: Iterable[str]) -> list[Chances]:
    """The chances that an order may be about, first those that it is about; on a table top ``who`` fires.

    What is ``said`` of it may name its attack ('r1: base of g-air2'), which tells a raid from an attack on that hex.
    Otherwise the place that it names first counts, not that of 'retreat away 1610' behind it.
    """
    heads = {line.partition(":")[0] for line in said}
    found = [chances for chances in every if _is_of(chances, set(words), who)]
    return sorted(found, key=lambda chances: (chances.subject not in heads, _first(chances, words)))


def _is_of(chances: Chances, words: set[str], who: Sequence[str]) -> bool:
    """Whether an order names the place of an attack or its own name; whether ``who`` of it fires."""
    if chances.fought is not None:
        return bool(words & {chances.fought.place, chances.subject})
    return not who or who[0] == chances.subject or f" {who[0]} " in f" {chances.title} "


def _first(chances: Chances, words: Sequence[str]) -> int:
    """Where in an order an attack is named first, 0 where it is not by its place or name."""
    about = (chances.subject, chances.fought.place) if chances.fought is not None else ()
    return min((words.index(word) for word in about if word in words), default=0)
