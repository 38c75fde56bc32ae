"""order: orders in words, written into the draft."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli, jsonlines
from kursk_pbem.cli.common import complain, desk_at, in_json, note, said_options, say, say_wrapped
from kursk_pbem.cli.games import completion_of, game_and_more
from kursk_pbem.desk.draft import cautions, drafts, examples, ordering, orderlines, wording
from kursk_pbem.errors import EXIT_RULES, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kursk_pbem.desk.draft.ordering import Written
    from kursk_pbem.desk.draft.wording import DraftFile
    from kursk_pbem.errors import Violation

UNDO, REDO = "undo", "redo"
MOST = 500
"""Maximum number of orders in one command."""
MARGIN = 24
"""Width of the examples column."""


@cli.command(context_settings={"ignore_unknown_options": True})
@game_and_more("[GAME] [ORDER[, ORDER]...]", complete=completion_of("orders"))
@click.option("--anyway", is_flag=True, help="Write orders against the rules, too.")
@click.option("--all", "every", is_flag=True, help="After a first word alone: list every possible object.")
@said_options
def order_command(path: Path, more: tuple[str, ...], anyway: bool, every: bool, quiet: bool) -> int:
    """Write orders in words into your draft, if the rules allow them.

    Without an ORDER the command lists the words of this message, each with an example, and the orders so far with
    numbers. You can type parts of the names of units and places. Commas separate orders; an order without its first
    word repeats the word of the order before. '-' reads orders from standard input, one a line. Orders against the
    rules are not written, unless you give --anyway.

    'undo' takes back the last command and 'redo' repeats the command. 'undo N' removes order N, and restores the orders
    that it had replaced. 'note WORDS' writes a note to your opponent into the message, 'note' alone shows the note, and
    'note none' removes the note.
    """
    sheet = _open_sheet(path)
    if not more:
        _list_words(sheet)
        return 0
    if every:
        return _list_choices(sheet, more)
    if more[0].lower() == UNDO:
        return print_written(sheet, _undo_orders(sheet, more[1:]), quiet=quiet)
    if more[0].lower() == REDO:
        if len(more) > 1:
            raise UsageError("'redo' takes no further words: 'redo' alone restores the order that was undone last")
        return print_written(sheet, ordering.redo_command(sheet), quiet=quiet)
    return _write_orders(sheet, _read_orders(more), anyway=anyway, quiet=quiet)


def _list_choices(sheet: DraftFile, words: tuple[str, ...]) -> int:
    """Print all choices of one order word; as JSON also the form after further words. Raises UsageError."""
    verb, rest = wording.find_verb(sheet, words, None)
    _note_draft(sheet, forms=_describe_forms(sheet, [verb.name], rest))
    if len(words) > 1 and not in_json():
        raise UsageError(f"--all takes only one order word: 'kursk order {words[0]} --all' lists all words that follow")
    say(orderlines.describe_usage(verb, wording.make_order_context(sheet, sheet.choices), most=sys.maxsize))
    return 0


def _read_orders(more: tuple[str, ...]) -> list[list[str]]:
    """Return the orders from the command line or standard input. Raises UsageError."""
    lines = [" ".join(more)]
    if more == ("-",) and sys.stdin is not None:
        lines = sys.stdin.read(1 << 20).removeprefix("\ufeff").splitlines()
    orders = [words for line in lines if not line.lstrip().startswith("#") for words in ordering.split_orders(line)]
    if not orders:
        raise UsageError("standard input contains no order; 'kursk order' alone lists the possible orders")
    if len(orders) > MOST:
        raise UsageError(f"you gave {len(orders)} orders; one command takes at most {MOST} orders")
    return orders


def _write_orders(sheet: DraftFile, orders: list[list[str]], *, anyway: bool, quiet: bool) -> int:
    """Write orders if the orders break no rule, or with ``anyway``."""
    try:
        done = ordering.try_orders(sheet, orders)
    except UsageError as fixed:
        error = examples.Examples(sheet).retold(fixed)
        if len(orders) > 1:
            which = _find_not_understood(sheet, orders)
            raise UsageError(f"{error.message}{which}\nthe {len(orders)} orders are not written") from None
        raise error from None
    if anyway or not ordering.find_refusals(sheet, done):
        return print_written(sheet, ordering.keep_orders(sheet, done), quiet=quiet)
    new, old = ordering.find_faults(sheet, done)
    faults = [replace(violation, where=None) for violation in new]
    _print_violations(faults, old)
    if not quiet:
        complain("\n".join(f"understood: {line}" for line in done.said), named=False, problems=[])
    if not quiet and (former := ordering.find_blocking_orders(sheet, done, new)):
        outs = ", ".join(f"'undo {number}' ({words})" for number, words in former)
        complain(f"earlier orders are in the way; remove orders with {outs}", named=False, problems=[])
    what = "your order breaks" if len(orders) == 1 else f"your {len(orders)} orders together break"
    more = "" if len(orders) > 1 else "; to check several orders together, separate the orders by commas"
    then = f"add --anyway to write the order{'' if len(orders) == 1 else 's'}"
    problems = [jsonlines.problem_of_violation(violation, f"not written; {then}") for violation in faults]
    complain(f"not written: {what} the rules; {then}{more}", problems=problems)
    return EXIT_RULES


def _find_not_understood(sheet: DraftFile, orders: list[list[str]]) -> str:
    """Return which of several orders is not understood."""
    read: list[list[str]] = []

    def one_by_one() -> Iterator[list[str]]:
        for words in orders:
            read.append(words)
            yield words

    with suppress(UsageError):
        wording.read_orders(sheet, one_by_one())
        return ""
    said = " ".join(read[-1])
    return f"\nnot understood: {said!a}, order {len(read)} of {len(orders)}; commas separate orders"


def _open_sheet(path: Path) -> DraftFile:
    """Return the draft of a game, or the named draft."""
    return ordering.open_draft(desk_at(path), None if path.is_dir() else path)


def _undo_orders(sheet: DraftFile, words: tuple[str, ...]) -> Written:
    if not words:
        return ordering.undo_command(sheet)
    if len(words) > 1 or not words[0].isdigit():
        raise UsageError("type 'undo' to take back the last command, or 'undo 3' to remove order 3 of the list")
    return ordering.take_out_order(sheet, int(words[0][:9]))


def _print_violations(new: Sequence[Violation], old: Sequence[Violation]) -> None:
    """Print the new violations, and the number of old violations in one line."""
    if new:
        complain("\n".join(map(str, new)), named=False, problems=[])
    if old:
        complain(f"still wrong: {len(old)}, see 'kursk check'", named=False, problems=[])


def print_written(before: DraftFile, done: Written, *, quiet: bool = False) -> int:
    """Print the orders as understood, and the violations. Return status 1 if a violation is new."""
    caveats = cautions.describe_sequence(done.sheet.desk, done.checked, done.said)
    for line in (*done.said, *caveats):
        say(line, quiet=quiet)
    new, old = ordering.find_faults(before, done)
    if not new and all(violation.waits for violation in old):
        new, old = old, ()  # the repeated order is as unfinished as before
    _print_violations(new, old)
    number = len(orderlines.list_lines(done.sheet.choices))
    held = f"it holds {number} order{'' if number == 1 else 's'}"
    allowed = all(violation.waits for violation in new)
    told = (*done.checked.dropped, *cautions.list_cautions(done.sheet.desk, done.checked)) if allowed else ()
    was = drafts.check_draft(before.desk, before.message) if told else None
    known = (*was.dropped, *cautions.list_cautions(before.desk, was)) if was else ()
    fresh = [
        {"rule": left.rule, "text": left.text}
        for left in told
        if left not in known or cautions.is_about(left, done.said)  # repaired warnings are not printed
    ]
    wrong = list(map(jsonlines.problem_of_violation, new))
    _note_draft(
        done.sheet, understood=done.said, caveats=caveats, violations=wrong, still_wrong=len(old), cautions=fresh
    )
    if allowed:
        for left in fresh:
            say(f"but {left['text']} [{left['rule']}]", quiet=quiet)
        say(f"{done.sheet.path}: {'unfinished' if new else 'written' if old else 'legal'}; {held}", quiet=quiet)
        return 0
    places = "one place" if len(new) == 1 else f"{len(new)} places"
    then = "order again, or type 'kursk order undo'"
    complain(f"written, but the draft breaks the rules in {places}; {then}", problems=[])
    return EXIT_RULES


def _note_draft(sheet: DraftFile, **facts: Any) -> None:
    """Save a draft and its orders as facts for --json."""
    if in_json():
        orders = [{"number": number, "words": words} for number, (_path, words) in enumerate(sheet.orders, 1)]
        head = {"game": sheet.desk.game.chain.game, "seq": sheet.desk.seq, "draft": sheet.path}
        note(**head, orders=orders, **facts)


def _explain_barred(sheet: DraftFile, words: Iterable[str]) -> str:
    """Return the impossible words with reasons: 'move, advance (why)'."""
    reasons: dict[str, list[str]] = {}
    for word in words:
        for why in (why for clause in ordering.list_clauses(sheet, word, ())[1][:1] for why in clause.notes):
            reasons.setdefault(f"{why[:1].lower()}{why[1:]}".rstrip("."), []).append(word)
    return "; ".join(f"{', '.join(names)} ({why})" for why, names in reasons.items())


def _describe_forms(sheet: DraftFile, names: Iterable[str], words: Sequence[str]) -> dict[str, Any]:
    """Return word -> form, for --json; words without a form are left out."""
    forms = {name: ordering.describe_form(sheet, name, words) for name in names} if in_json() else {}
    return {name: form for name, form in forms.items() if form is not None}


def _list_words(sheet: DraftFile) -> None:
    """Print the words of this message with examples, and the orders with numbers."""
    game = sheet.desk.game
    say(f"Message {sheet.desk.seq} of turn {game.state.turn}: {game.brings}")
    more = (
        ("undo [N]", "take back the last command, or take out order N"),
        ("redo", "redo the last undone order"),
        ("note WORDS", "a note to your opponent; 'note' shows the note, 'note none' removes the note"),
    )
    samples = examples.Examples(sheet)
    possible = [verb for verb in sheet.verbs if wording.is_possible(sheet, verb)]
    shown = [(samples.of(verb), verb) for verb in possible]
    ask = wording.make_order_context(sheet, sheet.choices)
    listed = [{"word": verb.name, "example": example, "text": verb.explain(ask)} for example, verb in shown]
    _note_draft(sheet, words=listed, forms=_describe_forms(sheet, [verb.name for verb in possible], ()))
    able = [verb for example, verb in shown if example]
    for example, text in (*((example, verb.explain(ask)) for example, verb in shown if example), *more):
        long = len(example) > MARGIN - 4
        say_wrapped(example, "  ", "    ", quiet=not long)
        say_wrapped(text, " " * MARGIN if long else f"  {example}".ljust(MARGIN), " " * MARGIN)
    if listing := next((verb.name for verb in reversed(able) if verb.clauses), ""):
        alone = f"A first word alone, such as 'kursk order {listing}', lists the possible objects"
        bare = [verb.name for verb in able if verb.usage and not verb.clauses]
        but = f", except for {', '.join(bare)}: 'kursk moves' lists the possible moves" if bare else ""
        say_wrapped(f"{alone}{but}.")
    reasons = [(verb.name, samples.why.get(verb.name, "")) for example, verb in shown if not example]
    if others := "; ".join(f"{name} ({why})" if why else name for name, why in reasons):
        say_wrapped(f"Words of no use now: {others}.")
    if barred := _explain_barred(sheet, [verb.name for verb in sheet.verbs if verb not in possible]):
        say_wrapped(f"Not now: {barred}.")
    say_wrapped("Orders so far:" if sheet.orders else "No orders yet.")
    for number, (_path, words) in enumerate(sheet.orders, 1):
        say_wrapped(words, f"{number:>4}  ", "      ")
