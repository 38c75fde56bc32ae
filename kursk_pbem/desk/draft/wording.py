"""The meaning of orders in words: edits of a draft file.

The ruleset's verbs translate words to edits of plain data. The text is edited by path and read again, and must contain
exactly the edited data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import changes, drafts, orderlines
from kursk_pbem.desk.draft.changes import Change
from kursk_pbem.desk.draft.history import DraftHistory
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml, yamledit
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import games
from kursk_pbem.kernel import names
from kursk_pbem.kernel.adjudicate import carry_out, make_filing
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.verbs import Edit, OrderContext, Verb, edit_draft
from kursk_pbem.trust.messages import Message

NOTE = "note"


@frozen
class DraftFile:
    """A draft file: its text, its message, and the position for its orders."""

    desk: Desk
    path: Path
    text: str
    message: Message
    state: State

    @property
    def choices(self) -> dict[str, Any]:
        """The choices in the draft as plain data."""
        fields = (*games.CHOICE_FIELDS, NOTE)
        return {key: value for key, value in self.message.content.items() if key in fields}

    @property
    def orders(self) -> list[tuple[tuple[str | int, ...], str]]:
        """The path of each order in the draft, and the words to type for it."""
        return orderlines.describe_orders(self.choices, self.verbs, self.desk.game.ruleset.seen.command)

    def tell(self, choices: dict[str, Any]) -> list[str]:
        """Return the words to type for each order in ``choices``, of this draft or of an earlier version."""
        return [
            words
            for _path, words in orderlines.describe_orders(choices, self.verbs, self.desk.game.ruleset.seen.command)
        ]

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """The order words (verbs) that the next message can use."""
        game = self.desk.game
        phases = game.stage.phases if self.state.stage == game.state.stage else ()
        fields = {field for phase in phases for field in (phase.key, *phase.reads)}
        return tuple(verb for verb in game.ruleset.seen.verbs(game.setting) if fields.intersection(verb.fields))


def read_draft_file(desk: Desk, path: Path, raw: bytes, state: State) -> DraftFile:
    """Read the draft file for a position. Raises FileError for a malformed draft."""
    message = drafts.read_draft(desk, raw, str(path))
    games.check_choices(message.content, desk.game.ruleset, message.document)
    return DraftFile(desk, path, message.document.raw.decode("utf-8"), message, state)


@frozen
class Understood:
    """The result of reading orders: the new draft (``text``), and for each order a line and its changes."""

    text: str
    said: tuple[str, ...]
    changes: tuple[Change, ...]


def read_orders(sheet: DraftFile, orders: Iterable[Sequence[str]]) -> Understood:
    """Write typed orders into a draft and return the edited draft. A repeated order keeps the old place in the list.

    Raises UsageError or FileError if an order is not understood.
    """
    text, choices = sheet.text, sheet.choices
    said: list[str] = []
    made: list[Change] = []
    verb: Verb | None = None
    for words in orders:
        if words[0].lower() == NOTE:
            edits = _edit_note(str(choices.get(NOTE, "")), " ".join(words[1:]))
        else:
            verb, rest = find_verb(sheet, words, verb)
            if verb.usage and not rest:
                raise UsageError(orderlines.describe_usage(verb, make_order_context(sheet, choices)))
            edits = _write_order(sheet, choices, verb, rest)
        new_text, after = apply_edits(sheet, text, choices, edits)
        made.append(changes.compare_choices(choices, after))
        if any(made[-1].values()):
            text, choices = new_text, after
        said += [edit.said for edit in edits if edit.said]
    return Understood(text, tuple(said), tuple(made))


def _write_order(sheet: DraftFile, choices: dict[str, Any], verb: Verb, words: Sequence[str]) -> tuple[Edit, ...]:
    """Return the edits of an order; 'attack 2015 none' removes an order. Raises UsageError."""
    if len(words) == 1 and words[0].lower() in names.NOTHING and changes.POLICY in verb.fields:
        words = (changes.ALL, words[0])
    part = len(words) > 2 and f"[{words[-2].lower()} " in verb.usage  # 'fire pz 1 with none'
    if len(words) < 2 or words[-1].lower() not in names.NOTHING or part:
        try:
            return verb.write(make_order_context(sheet, choices), words)
        except UsageError as error:
            raise _explain_word(error, sheet, verb, words) from None
    seen, desk = sheet.desk.game.ruleset.seen, sheet.desk
    told = dict(orderlines.describe_orders(choices, sheet.verbs, seen.command))
    if meant := changes.find_named(choices, verb, words[:-1], told, seen.words(desk.game.setting)):
        former = tuple(open_history(sheet).changes())
        return tuple(changes.take_off(choices, meant, told, former, sheet.tell))
    try:
        return verb.write(make_order_context(sheet, choices), words)
    except UsageError as error:
        if orderlines.list_part_words(verb).intersection(words):
            raise
        about = " ".join(word for word in words[:-1] if word.lower() not in changes.BETWEEN)
        why = f"no order was removed: the draft contains no {verb.name} {show(about)}"
        raise UsageError(why, error.where) from None


def _explain_word(error: UsageError, sheet: DraftFile, verb: Verb, words: Sequence[str]) -> UsageError:
    """Return an error about an unknown word with the side of an enemy unit, or a suggestion for a clause word."""
    game = sheet.desk.game
    word = next((word for word in words if error.message.endswith(f" {show(word)}")), "")
    near = names.near(word, dict.fromkeys(orderlines.list_part_words(verb), ())) if word else ""
    told = game.ruleset.seen.words(game.setting)
    if word in game.state.units and (side := told.owner(word)) != sheet.desk.own_side:
        near = f"; {word} is {told.side(side)}"
    return UsageError(f"{error.message}{near}", error.where) if near else error


def _edit_note(there: str, words: str) -> tuple[Edit, ...]:
    """Return the edits for a note: 'none' removes the note, no words show the note."""
    shown = " ".join(there.split())
    if words and words.lower() not in names.NOTHING:
        former = f"; this note replaces: {shown}" if shown not in ("", words) else ""
        return (Edit((NOTE,), words, said=f"note: {words}{former}"),)
    if words and shown:
        return (Edit((NOTE,), said=f"note removed: {shown}"),)
    said = f"note: {shown}; '{NOTE} none' removes the note" if shown else f"no note yet; type '{NOTE} Good luck'"
    return (Edit((), said=said),)


def find_verb(sheet: DraftFile, words: Sequence[str], before: Verb | None) -> tuple[Verb, Sequence[str]]:
    """Return the verb of an order, and the other words. If an order begins without a verb, use the verb ``before``.

    Raises UsageError.
    """
    word, known = words[0].lower(), {verb.name: verb for verb in sheet.verbs}
    matches = [name for name in known if name == word] or [
        name for name in known if len(word) > 1 and name.startswith(word)
    ]
    if len(matches) == 1:
        return known[matches[0]], words[1:]
    if matches:
        raise UsageError(f"{show(words[0])} may be {' or '.join(matches)}")
    near = names.near(word, dict.fromkeys(known, ()))
    game = sheet.desk.game
    all_verbs = game.ruleset.seen.verbs(game.setting)
    if word not in [verb.name for verb in all_verbs]:
        _refuse_part(word, all_verbs, before)
        if before is not None and not near:
            return before, words
    able = [verb.name for verb in sheet.verbs if is_possible(sheet, verb)]
    here = f"possible: {', '.join(able)}, note, undo and redo" if able else "no choices are possible"
    raise UsageError(f"{show(words[0])} is no order for message {sheet.desk.seq}{near or ';'} {here}")


def is_possible(sheet: DraftFile, verb: Verb) -> bool:
    """Return whether an order with this verb can change the draft now. Return True if the verb lists no choices."""
    ask = make_order_context(sheet, sheet.choices)
    if not verb.usage:
        return edit_draft(sheet.choices, verb.write(ask, ())) != sheet.choices
    return verb.clauses is None or any(clause.among for clause in verb.clauses(ask, ()))


def _refuse_part(word: str, verbs: Iterable[Verb], before: Verb | None) -> None:
    """Raise UsageError for a clause word such as 'retreat'."""
    if having := [verb.name for verb in verbs if word in orderlines.list_part_words(verb)]:
        comma = f": leave out the comma before {show(word)}" if before is not None and before.name in having else ""
        raise UsageError(f"{show(word)} begins no order; it is a word inside the order {' or '.join(having)}{comma}")


def make_order_context(sheet: DraftFile, choices: Mapping[str, Any]) -> OrderContext:
    """Return what an order word needs to read typed words: the choices so far, and the position."""
    game, state, seq = sheet.desk.game, sheet.state, sheet.desk.seq

    def at(draft: Mapping[str, Any], phase: str) -> State:
        if state.stage == OVER:  # by the dice of the duties
            return state
        orders = make_filing(game.ruleset, game.setting, draft, state.side, seq)
        return carry_out(game.ruleset, game.setting, state, orders, phase)

    return OrderContext(game.setting, state, seq, choices, at)


def open_history(sheet: DraftFile) -> DraftHistory:
    """Return the saved earlier texts of a draft."""
    return DraftHistory(sheet.desk.record_of_writer().path / "drafts", sheet.desk.seq)


def apply_edits(
    sheet: DraftFile, text: str, choices: dict[str, Any], edits: Sequence[Edit]
) -> tuple[str, dict[str, Any]]:
    """Edit a draft's text and its data alike; return both. Raises UsageError or FileError if text and data disagree."""
    edits = [edit for edit in edits if edit.path]
    for edit in edits:
        if edit.value is None:
            text = yamledit.drop_entry(text, edit.path)
        else:
            text = (yamledit.add_entry if edit.add else yamledit.put_value)(text, edit.path, edit.value)
    after = edit_draft(choices, edits)
    games.check_choices(after, sheet.desk.game.ruleset, Document(after, "this order"))
    head = {key: value for key, value in sheet.message.content.items() if key not in sheet.choices}
    if strictyaml.read_edited(text.encode("utf-8"), str(sheet.path)).data != {**head, **after}:
        raise UsageError("the layout of the draft prevents a safe change; type the order into the file yourself")
    return text, after
