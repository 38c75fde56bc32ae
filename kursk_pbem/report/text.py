"""The text report of one message: a pure function of the events, with equal bytes on every computer.

At most 78 columns without drawing characters, for mails and screen readers. Texts of people and files are wrapped, so
that none can begin a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from kursk_pbem.formats.text import isolated
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Event, Fought, Noted, PhaseBegan, Rolled, Tested
from kursk_pbem.kernel.ruleset import Rows, Verdict
from kursk_pbem.kernel.words import Words, party
from kursk_pbem.report.battle import describe_battle, describe_test
from kursk_pbem.report.layout import WIDTH, count_columns, quote_text, wrap
from kursk_pbem.report.lines import list_entries
from kursk_pbem.report.luck import Luck, show_mixed, show_per_cent

HEAD_DIGITS = 32  # protocol 2.1: head ids in reports
_GAME_DIGITS = 16
_RECIPE = (
    "seed = HMAC-SHA256(key: opening of this message, text: 'kursk-pbem/v1/seed', zero byte, id of the message before)",
    "block\u00a0j = HMAC-SHA256(key: seed, text: 'kursk-pbem/v1/dice', zero byte, label, zero byte, j in 4 bytes)",
    "die = next byte of blocks 0, 1 and so on, divided by 6: the remainder plus 1; bytes 252 to 255 are skipped",
    "The label is next to each die; id and opening in bytes, not in hex digits:",
)


@frozen
class Heading:
    """The heading of a report, with the data from which anyone can recompute the dice.

    ``game`` and ``head`` (id of this message; '' in a draft): 64 hex digits. ``kind``: the message type. ``sender``:
    the side. ``sender_name``: a person's name. ``title``: ruleset and scenario. ``opened``: the secret that this
    message reveals, or ''. ``prev``: the id of the message before. ``fresh``: it is the writer's first secret; no
    earlier message fixed it, so no dice may use it. ``said``: an offer or a reply in a sentence. ``headlines``: the
    events, a line each, and the next message. ``recipe``: show how to recompute the dice. ``does``: the scope of a
    draft's report.
    """

    game: str
    seq: int
    kind: str
    sender: str
    sender_name: str
    title: str
    turn: str
    head: str
    note: str
    opened: str
    prev: str
    fresh: bool
    said: str = ""
    headlines: tuple[str, ...] = ()
    recipe: bool = False
    does: str = "will do"


@frozen
class Standing:
    """The situation after a message: the table, the next writer, and the result of a finished game."""

    rows: Rows
    owed: str
    verdict: Verdict | None = None


def write_report(
    heading: Heading,
    events: Sequence[Event],
    words: Words,
    standing: Standing,
    luck: Luck,
    draft: bool = False,  # noqa: FBT001, FBT002
) -> str:
    """Return the report of a message: headlines, orders, results, and the new situation.

    ``luck``: the luck with the dice of this message. The report of a ``draft`` never shows the writer's secret.
    """
    lines = [*_make_head(heading, words, draft=draft)]
    if heading.said:
        lines += ["", *wrap(heading.said, "", "    ")]
    if events or not heading.said:
        lines += list_events(events, words)
    lines += ["", "How things stand", *_make_table(standing.rows)]
    if standing.verdict is not None:
        lines += wrap(f"THE GAME IS OVER. {standing.verdict.text}", "", "    ")
    else:
        lines += wrap(f"Owed next: {standing.owed}", "", "    ")
    lines += ["", *_describe_luck(luck, words), ""]
    if any(isinstance(event, Rolled) for event in events):
        lines += [*_explain_dice(heading, draft=draft), ""]
    if draft:
        lines += wrap(f"Follows message {heading.prev[:HEAD_DIGITS]}; a draft has no id.", "", "    ")
    else:
        lines += wrap(f"Head of the chain: {heading.head[:HEAD_DIGITS]}")
    return isolated("\n".join((*lines, "")))


def _make_head(heading: Heading, words: Words, *, draft: bool) -> Iterator[str]:
    number = f"message {heading.seq}, turn {heading.turn}"
    if draft:
        yield f"DRAFT, NOT SENT: what {number} {heading.does}"
    else:
        yield f"Report of {number}"
    for text in heading.headlines:
        yield from wrap(text, "  ", "      ")
    yield ""
    yield from wrap(heading.title, "", "    ")
    yield from wrap(f"Game {heading.game[:_GAME_DIGITS]}")
    person = f', "{heading.sender_name}"' if heading.sender_name else ""
    yield from wrap(
        f"Type {heading.kind}, from {party(heading.sender, words.side(heading.sender))}{person}", "", "    "
    )
    if heading.note:
        yield "Note of the writer:"
        yield from quote_text(heading.note)


def list_events(events: Sequence[Event], words: Words) -> Iterator[str]:
    """Yield the events as lines in order, every phase below the title of the phase."""
    empty = True
    rolled = {event.label for event in events if isinstance(event, Rolled)}
    for phase, inside in _split_phases(events):
        told = list(_list_phase(inside, words, phase.rule if phase else "", rolled))
        if phase is not None:
            who = f", {words.side(phase.side)}" if phase.side else ""
            yield ""
            yield from wrap(f"Turn {phase.turn}{who}: {words.phase(phase.phase)} [{phase.rule}]", "", "    ")
            yield from told or [f"  {words.describe_idle(phase.phase) if phase.side else 'Nothing changed.'}"]
        elif told:
            yield ""
            yield from told
        empty = empty and phase is None and not told
    if empty:
        yield ""
        yield "No orders, and no scheduled events."


def _split_phases(events: Sequence[Event]) -> list[tuple[PhaseBegan | None, list[Event]]]:
    """Return the events by phase; events before any phase come first, below ``None``."""
    phases: list[tuple[PhaseBegan | None, list[Event]]] = [(None, [])]
    for event in events:
        if isinstance(event, PhaseBegan):
            phases.append((event, []))
        else:
            phases[-1][1].append(event)
    return phases


def _list_phase(events: Sequence[Event], words: Words, paragraph: str, rolled: AbstractSet[str]) -> Iterator[str]:
    """Yield the events of one phase; dice appear at their use, and results below their battle.

    Dice and tests of a battle have labels that begin with the battle's id and a slash.
    """
    counted = {event.label for event in events if isinstance(event, (Fought, Tested))}
    depth, under = 0, ""
    for event in events:
        if isinstance(event, Rolled) and event.label in counted:
            continue
        if isinstance(event, Fought):
            for level, text in describe_battle(event, words, fresh=event.label in rolled):
                yield from wrap(text, "  " * (level + 1), "  " * (level + 3))
            depth, under = 1, event.battle
            continue
        ahead = isinstance(event, Tested) and event.label.partition("/")[0] != under
        if isinstance(event, Rolled) or (isinstance(event, Noted) and event.battle) or ahead:
            depth = 0  # the event is outside the battle before
        yield from _list_entries(event, words, paragraph, depth)


def _list_entries(event: Event, words: Words, paragraph: str, depth: int) -> Iterator[str]:
    """Yield an event as lines, with the paragraph if it differs from the phase's paragraph."""
    cited = "" if event.rule == paragraph else f" [{event.rule}]"
    told = [describe_test(event, words)] if isinstance(event, Tested) else list_entries(event, words)
    for text in told:
        yield from wrap(text + cited, "  " * (depth + 1), "  " * (depth + 3))


def _explain_dice(heading: Heading, *, draft: bool) -> Iterator[str]:
    """Yield how to recompute the dice of this message (docs/auditors.md 3.2), or where the recipe is."""
    if draft:
        yield "The message's opening value is secret until you send it. Then the report shows how to check the dice."
    elif not heading.recipe:
        told = f"How to check the dice: 'kursk report {heading.seq:04d}.yaml --proof' in the game's folder"
        yield from wrap(told, "", "    ")
    else:
        yield "How to check the dice"
        for text in _RECIPE:
            yield from wrap(text, "  ", "      ")
        yield "  opening of this message:"
        yield f"    {heading.opened}"
        yield "  id of the message before:"
        yield f"    {heading.prev}"
    if heading.fresh:
        yield from wrap(
            "Warning: no earlier message had committed to the opening, so the opening may roll no die.", "  ", "      "
        )


def _make_table(rows: Rows) -> Iterator[str]:
    """Yield rows of several values in columns, rows of one value as a sentence."""
    wide = [row for row in rows if len(row) > 2]
    places = range(max(map(len, wide), default=0))
    widths = [max(count_columns(row[place]) for row in wide if place < len(row)) for place in places]
    for row in rows:
        if len(row) > 2:
            padded = (
                " " * (2 + widths[place] - count_columns(row[place])) + row[place] for place in range(1, len(row))
            )
            line = "  " + row[0] + " " * (widths[0] - count_columns(row[0])) + "".join(padded)
            if count_columns(line) <= WIDTH:
                yield line
                continue
        yield from wrap(f"{row[0]}: {', '.join(row[1:])}", "  ", "      ")


def _describe_luck(luck: Luck, words: Words) -> Iterator[str]:
    yield "Luck so far: a high roll counts as lucky"
    for side, throws in sorted(luck.throws.items()):
        number = "1 die" if throws.dice == 1 else f"{throws.dice} dice"
        yield from wrap(
            f"{words.side(side)}: {number}, sum {throws.sum}, expected {show_mixed(throws.expected)}; a sum as high "
            f"or higher has a chance of {show_per_cent(throws.chance)}",
            "  ",
            "      ",
        )
    if not luck.throws:
        yield "  No die of either side has fallen yet."
