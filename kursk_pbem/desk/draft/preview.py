"""A preview of orders in one line: rule violations or odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursk_pbem.desk.draft import ordering, prospects
from kursk_pbem.desk.draft.ordering import Written
from kursk_pbem.desk.draft.wording import NOTE, DraftFile
from kursk_pbem.errors import KurskError
from kursk_pbem.kernel.outlook import FIRST, Chances
from kursk_pbem.report.battle import explain_odds
from kursk_pbem.report.luck import show_per_cent


def preview_line(sheet: DraftFile, typed: str) -> str:
    """Return a preview of typed orders: the first violation; without a violation, the odds, or else the meaning."""
    orders = ordering.split_orders(typed)
    if not orders or orders[-1][0].lower() in (NOTE, "undo", "redo"):
        return ""
    try:
        done = ordering.try_orders(sheet, orders)
        if new := ordering.find_faults(sheet, done)[0]:
            more = f"; and {len(new) - 1} more" if len(new) > 1 else ""
            return f"{new[0].message} [{new[0].rule}]{more}"
        odds = "; ".join(
            part for chances in list_declared(sheet, done, orders[-1])[:1] for part in summarize_chances(chances)
        )
    except KurskError as error:
        return " ".join(_replace_example(error.message, sheet).split())
    said = done.said[-1].partition("\n")[0] if done.said else ""
    return f"{odds} - {said}" if odds and said else odds or said


def _replace_example(message: str, sheet: DraftFile) -> str:
    """Replace the fixed example in an error by the form, because the example may name enemy units."""
    for verb in sheet.verbs:
        message = message.replace(f"'{verb.example}'", f"'{verb.name} {verb.usage}'")
    return message


def list_declared(sheet: DraftFile, done: Written, words: Sequence[str]) -> list[Chances]:
    """Return the chances of the battle that a typed order declares; [] if the draft is illegal."""
    result = done.checked.result
    if not done.checked.declares or result.violations:
        return []
    seen = prospects.Prospect(sheet.desk.game, result.after, done.checked.hidden, "")
    return select_chances(prospects.compute_odds(seen), words, words[1:2], done.said[-1:])


def summarize_chances(chances: Chances) -> Iterator[str]:
    """Yield the odds and the most important chances of a battle, in words."""
    if chances.fought is not None:
        yield explain_odds(chances.fought) if chances.fought.column else "no attack takes place"
    yield from (f"{what}: {show_per_cent(value)}" for what, value in chances.sums[:2])
    yield from dict.fromkeys(one.figures["why"] for one in chances.outcomes if "why" in one.figures)
    if chances.caveat and chances.caveat != FIRST:
        yield chances.caveat


def select_chances(
    every: Iterable[Chances], words: Sequence[str], who: Sequence[str], said: Iterable[str]
) -> list[Chances]:
    """Return the chances of the battles that an order affects. ``who``: the firing model, if any.

    The order's own battle is first: the battle that begins ``said`` ('r1'), or else the first place in ``words``.
    """
    heads = {line.partition(":")[0] for line in said}
    found = [chances for chances in every if _is_about(chances, set(words), who)]
    return sorted(found, key=lambda chances: (chances.subject not in heads, _find_position(chances, words)))


def _is_about(chances: Chances, words: set[str], who: Sequence[str]) -> bool:
    """Return whether an order names the place or name of an attack, or whether ``who`` fires."""
    if chances.fought is not None:
        return bool(words & {chances.fought.place, chances.subject})
    return not who or who[0] == chances.subject or f" {who[0]} " in f" {chances.title} "


def _find_position(chances: Chances, words: Sequence[str]) -> int:
    """Return the position of an attack's place or name in the words, 0 without a match."""
    about = (chances.subject, chances.fought.place) if chances.fought is not None else ()
    return min((words.index(word) for word in about if word in words), default=0)
