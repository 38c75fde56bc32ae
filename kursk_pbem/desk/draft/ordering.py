"""Orders given in words: each is written into the text of the draft, which stays the one truth, and can be taken back.

What a word means the ruleset says (``verbs``), as changes of plain data. The text is changed by place, read again, and
must say exactly these data; otherwise nothing is written. Former texts lie in the private folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desks, locks
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts, orderlines, undos
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.draft.orderlines import listed
from kursk_pbem.desk.draft.undos import Former
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml, yamledit
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.game import folders, games
from kursk_pbem.kernel import names
from kursk_pbem.kernel.orders import Filing, filing, in_order
from kursk_pbem.kernel.orders import Path as OrderPath
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.kernel.verbs import Asking, Clause, Edit, Verb, edited
from kursk_pbem.trust.messages import Message

NOTE = "note"


@dataclass(frozen=True)
class Sheet:
    """A draft as it lies in its folder: its text, its message, and the position in which its writer orders."""

    desk: Desk
    path: Path
    text: str
    message: Message
    state: State

    @property
    def choices(self) -> dict[str, Any]:
        """What its writer chooses, as plain data."""
        fields = (*games.CHOICE_FIELDS, NOTE)
        return {key: value for key, value in self.message.content.items() if key in fields}

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """The words that have a place in this message."""
        game = self.desk.game
        phases = game.stage.phases if self.state.stage == game.state.stage else ()
        fields = {field for phase in phases for field in (phase.key, *phase.reads)}
        return tuple(verb for verb in game.ruleset.seen.verbs(game.setting) if fields.intersection(verb.fields))


@dataclass(frozen=True)
class Written:
    """What came of orders: what was understood of each, and the draft as it is now, checked."""

    said: tuple[str, ...]
    sheet: Sheet
    checked: Checked


def open_sheet(desk: Desk, path: Path | None = None) -> Sheet:
    """The draft of the message that is due at this desk; written anew where there is none. KurskError."""
    own = desk.unlocked()
    desk.need_unsigned()
    path = path or folders.draft_path(desk.folder, desk.seq)
    ahead = desks.duties(desk, own)
    if not path.exists():
        drafts.write_file(desk, ahead)
    return read_sheet(desk, path, folders.read_bytes(path), ahead.middle)


def read_sheet(desk: Desk, path: Path, raw: bytes, state: State) -> Sheet:
    """A draft from its bytes. KurskError if it cannot be read."""
    message = drafts.read(desk, raw, str(path))
    games.check_choices(message.content, desk.game.ruleset, message.document)
    return Sheet(desk, path, raw.decode("ascii"), message, state)


def split(text: str) -> list[list[str]]:
    """The orders of a line: parted by commas, each in words; a note takes the rest of its line."""
    orders: list[list[str]] = []
    while text.strip():
        if text.split(None, 1)[0].lower() == NOTE:
            return [*orders, [NOTE, text.split(None, 1)[1].strip() if len(text.split(None, 1)) > 1 else ""]]
        order, _comma, text = text.partition(",")
        orders.append(order.split())
    return [order for order in orders if order]


def write(sheet: Sheet, orders: Iterable[Sequence[str]]) -> Written:
    """Write orders into the draft, one after the other, and check it. If one is not understood nothing is written."""
    return put(sheet, *_understood(sheet, orders))


def tried(sheet: Sheet, orders: Iterable[Sequence[str]]) -> Written:
    """What would come of orders; nothing is written."""
    text, said = _understood(sheet, orders)
    after = read_sheet(sheet.desk, sheet.path, text.encode("ascii"), sheet.state)
    return Written(tuple(said), after, drafts.check(sheet.desk, after.message))


def clauses(sheet: Sheet, name: str, words: Sequence[str]) -> tuple[Verb, tuple[Clause, ...]]:
    """A verb by its name, and what can be chosen for its parts; none where it is written in words alone. UsageError."""
    verb, _rest = _verb(sheet, (name,), None)
    if verb.clauses is None:
        return verb, ()
    return verb, verb.clauses(_asking(sheet, sheet.choices), words)


def possible(sheet: Sheet, verb: Verb) -> bool:
    """Whether anything can be chosen for a verb now; True for one that is written in words alone."""
    found = verb.clauses(_asking(sheet, sheet.choices), ()) if verb.clauses else ()
    return verb.clauses is None or any(clause.among for clause in found)


def _understood(sheet: Sheet, orders: Iterable[Sequence[str]]) -> tuple[str, list[str]]:
    """The text of the draft with some orders in it, and what was understood of each."""
    text, choices = sheet.text, sheet.choices
    said: list[str] = []
    verb: Verb | None = None
    for words in orders:
        if words[0].lower() == NOTE:
            edits: tuple[Edit, ...] = (Edit((NOTE,), " ".join(words[1:]), said=f"note: {show(' '.join(words[1:]))}"),)
        else:
            verb, rest = _verb(sheet, words, verb)
            if verb.usage and not rest:
                raise UsageError(orderlines.usage(verb, _asking(sheet, choices)))
            edits = verb.write(_asking(sheet, choices), rest)
        text, choices = changed(sheet, text, choices, edits)
        said += [edit.said for edit in edits if edit.said]
    return text, said


def _verb(sheet: Sheet, words: Sequence[str], before: Verb | None) -> tuple[Verb, Sequence[str]]:
    """The verb of an order and the words behind it; without one it is the verb of the order before. UsageError."""
    word, known = words[0].lower(), {verb.name: verb for verb in sheet.verbs}
    found = [name for name in known if name == word] or [
        name for name in known if len(word) > 1 and name.startswith(word)
    ]
    if len(found) == 1:
        return known[found[0]], words[1:]
    if found:
        raise UsageError(f"{show(words[0])} may be {' or '.join(found)}")
    near = names.near(word, dict.fromkeys(known, ()))
    game = sheet.desk.game
    if before is not None and not near and word not in [each.name for each in game.ruleset.seen.verbs(game.setting)]:
        return before, words
    here = f"it takes {', '.join(known)}, note and undo" if known else "nothing is to be chosen in it"
    raise UsageError(f"{show(words[0])} is no order for message {sheet.desk.seq}{near or ';'} {here}")


def _asking(sheet: Sheet, choices: Mapping[str, Any]) -> Asking:
    def at(draft: Mapping[str, Any], phase: str) -> State:
        return _carried_out(sheet, draft, phase)

    return Asking(sheet.desk.game.setting, sheet.state, sheet.desk.seq, choices, at)


def _carried_out(sheet: Sheet, choices: Mapping[str, Any], until: str) -> State:
    """The position after what a draft orders in the phases of its message up to and with one, as far as it is legal."""
    game, state = sheet.desk.game, sheet.state
    phases = game.stage.phases
    if until not in [phase.key for phase in phases]:
        return state
    orders = _filing(sheet, choices)
    umpire: Umpire[Any] = Umpire(game.setting, state, orders.seq, None)
    with suppress(GameEnded):
        for phase in phases:
            if phase.when is None or phase.when(umpire, orders):
                phase.run(umpire, orders)
            if phase.key == until:
                break
    return umpire.state


def _filing(sheet: Sheet, choices: Mapping[str, Any]) -> Filing:
    game, seq = sheet.desk.game, sheet.desk.seq
    orders, plans = game.ruleset.seal(game.setting, choices.get("orders", {}), seq)
    hidden = {**choices.get("seal", {}), **plans}
    content = {**choices, "orders": orders, "seq": str(seq), "from": sheet.state.side, "type": "turn"}
    return in_order(replace(filing(content, hidden), secret=dict.fromkeys(hidden, "0" * 64)))


def changed(sheet: Sheet, text: str, choices: dict[str, Any], edits: Sequence[Edit]) -> tuple[str, dict[str, Any]]:
    """Text and data after some changes, which must agree. UsageError, FileError (form of what would stand there)."""
    for edit in edits:
        if edit.value is None:
            text = yamledit.drop(text, edit.path)
        else:
            text = (yamledit.add if edit.add else yamledit.put)(text, edit.path, edit.value)
    after = edited(choices, edits)
    games.check_choices(after, sheet.desk.game.ruleset, Document(after, "this order"))
    head = {key: value for key, value in sheet.message.content.items() if key not in sheet.choices}
    if strictyaml.read(text.encode("ascii", "replace"), str(sheet.path)).data != {**head, **after}:
        raise UsageError("the draft is laid out in a way that cannot be changed safely; write this into it yourself")
    return text, after


def put(sheet: Sheet, text: str, said: Iterable[str]) -> Written:
    """Check the new text, keep the former one, and write it."""
    after = read_sheet(sheet.desk, sheet.path, text.encode("ascii"), sheet.state)
    checked = drafts.check(sheet.desk, after.message)
    if text != sheet.text:
        with _alone(sheet):
            step = former(sheet).keep(sheet.text, text)
            try:
                folders.write(sheet.path, text, force=True)
            except UsageError:
                step.unlink(missing_ok=True)  # nothing was ordered, so nothing can be taken back
                raise
    return Written(tuple(said), after, checked)


@contextmanager
def _alone(sheet: Sheet) -> Iterator[None]:
    """Inside this context no other program orders, and the draft is still the one that was read. UsageError.

    An editor knows nothing of the lock: what it has written is found by the comparison.
    """
    with locks.held(sheet.desk.record_of_writer().path):
        sheet.desk.need_unsigned()
        if not sheet.path.exists() or folders.read_bytes(sheet.path) != sheet.text.encode("ascii"):
            raise UsageError(f"{sheet.path} was changed by another program just now; nothing was written, order again")
        yield


# Taking back


def move_up(sheet: Sheet, number: int) -> Written:
    """The draft with one of its orders before the one that stands above it in the same list. UsageError."""
    orders = listed(sheet.choices)
    path, words = orders[number - 1] if 1 <= number <= len(orders) else ((), "")
    at = path[-1] if path else 0
    if not isinstance(at, int) or at < 1:
        raise UsageError("nothing stands above it in its list")
    above: OrderPath = (*path[:-1], at - 1)
    choices: Any = sheet.choices
    held, upper = (reduce(getitem, place, choices) for place in (path, above))
    edits = [Edit(above, held), Edit(path, upper)]
    text, _after = changed(sheet, sheet.text, sheet.choices, edits)
    return put(sheet, text, [f"goes up: {words}"])


def undo(sheet: Sheet) -> Written:
    """The text from before the last command. UsageError if there is none, or if the draft was edited since."""
    steps = former(sheet).steps()
    if not steps:
        raise UsageError(f"nothing was ordered into {sheet.path} by command; edit it, or 'undo N' takes out one order")
    before, after = undos.texts(steps[-1])
    if after != sheet.text:
        raise UsageError(
            f"{sheet.path} was edited since; 'undo N' takes out one order and leaves your edits. "
            f"The former texts are kept in {steps[-1].parent}"
        )
    back = _turned(sheet, before, steps[-1], undos.UNDONE)
    return replace(back, said=_differ(sheet, back.sheet, "taken back"))


def redo(sheet: Sheet) -> Written:
    """The text from before the last undo. UsageError if there is none, or if the draft was changed since."""
    steps = former(sheet).steps(undos.UNDONE)
    before, after = undos.texts(steps[0]) if steps else ("", "")
    if not steps or before != sheet.text:
        raise UsageError(f"there is nothing to do again in {sheet.path}: it was changed since something was taken back")
    again = _turned(sheet, after, steps[0], undos.DONE)
    return replace(again, said=_differ(again.sheet, sheet, "done again"))


def _differ(one: Sheet, other: Sheet, what: str) -> tuple[str, ...]:
    """The orders of one draft that another has not."""
    known = [words for _path, words in listed(other.choices)]
    new = [each for each in listed(one.choices) if each[1] not in known]
    found = [orderlines.less(one.choices, other.choices, path, words) for path, words in new]
    return tuple(f"{what}: {words}" for words in found) or (what,)


def _turned(sheet: Sheet, text: str, step: Path, kind: str) -> Written:
    """The draft with another text, which stood there before; the command that it came from is now of this kind."""
    after = read_sheet(sheet.desk, sheet.path, text.encode("ascii"), sheet.state)
    checked = drafts.check(sheet.desk, after.message)
    with _alone(sheet):
        folders.write(sheet.path, text, force=True)
        step.replace(step.with_suffix(kind))
    return Written((), after, checked)


def edited_since(sheet: Sheet) -> Path | None:
    """Where the text lies that the last command left, if it is not the draft's any more; otherwise None."""
    steps = former(sheet).steps()
    return steps[-1] if steps and undos.texts(steps[-1])[1] != sheet.text else None


def former(sheet: Sheet) -> Former:
    """The former texts of a draft."""
    return Former(sheet.desk.record_of_writer().path / "drafts", sheet.desk.seq)
