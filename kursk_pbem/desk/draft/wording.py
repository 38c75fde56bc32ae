"""What orders in words mean: a draft as it lies there, and the changes of its text that the words of a ruleset make.

What a word means the ruleset says (``verbs``), as changes of plain data. The text is changed by place, read again, and
must say exactly these data; otherwise nothing comes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import changes, drafts, orderlines, takeoffs, undos
from kursk_pbem.desk.draft.changes import Change
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml, yamledit
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.game import games
from kursk_pbem.kernel import names
from kursk_pbem.kernel.orders import Filing, filing, in_order
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.kernel.verbs import Asking, Edit, Verb, edited
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
    def orders(self) -> list[tuple[tuple[str | int, ...], str]]:
        """Its orders one by one, where each stands, in the words that a player types."""
        return orderlines.told(self.choices, self.verbs, self.desk.game.ruleset.seen.spoken)

    def tell(self, choices: dict[str, Any]) -> list[str]:
        """Orders that are or were in this draft, or parts of them, in the same words."""
        return [words for _path, words in orderlines.told(choices, self.verbs, self.desk.game.ruleset.seen.spoken)]

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """The words that have a place in this message."""
        game = self.desk.game
        phases = game.stage.phases if self.state.stage == game.state.stage else ()
        fields = {field for phase in phases for field in (phase.key, *phase.reads)}
        return tuple(verb for verb in game.ruleset.seen.verbs(game.setting) if fields.intersection(verb.fields))


def sheet_of(desk: Desk, path: Path, raw: bytes, state: State) -> Sheet:
    """A draft for the message that is due, in a position. FileError for its form."""
    message = drafts.read(desk, raw, str(path))
    games.check_choices(message.content, desk.game.ruleset, message.document)
    return Sheet(desk, path, message.document.raw.decode("utf-8"), message, state)


@dataclass(frozen=True)
class Understood:
    """What orders would make of a draft: its ``text``, what was understood of each, and what each changed."""

    text: str
    said: tuple[str, ...]
    changes: tuple[Change, ...]


def understood(sheet: Sheet, orders: Iterable[Sequence[str]], *, stay: bool = False) -> Understood:
    """The draft with some orders in it. UsageError, FileError: one of them is not understood.

    ``stay``: an order that is said again keeps its place in its list, and does not go last.
    """
    text, choices = sheet.text, sheet.choices
    heard: list[_Heard] = []
    made: list[Change] = []
    verb: Verb | None = None
    rest: Sequence[str] = ()
    for words in orders:
        if words[0].lower() == NOTE:
            edits, rest = _noted(str(choices.get(NOTE, "")), " ".join(words[1:])), ()
        else:
            verb, rest = verb_of(sheet, words, verb)
            if verb.usage and not rest:
                raise UsageError(orderlines.usage(verb, asking(sheet, choices)))
            edits = _written(sheet, choices, verb, rest)
        before, former = choices, text
        text, choices = changed(sheet, text, choices, edits)
        made.append(changes.between(before, choices))
        if stay and not any(made[-1].values()):
            text, choices = former, before
        heard.append(_Heard(verb, rest, edits, choices))
    said = (edit.said for order in heard for edit in _echo(sheet, order, choices) if edit.said)
    return Understood(text, tuple(said), tuple(made))


@dataclass(frozen=True)
class _Heard:
    """One order of a line: its verb and words, what it changed, and the choices that it left."""

    verb: Verb | None
    words: Sequence[str]
    edits: tuple[Edit, ...]
    left: dict[str, Any]


def _echo(sheet: Sheet, order: _Heard, choices: dict[str, Any]) -> tuple[Edit, ...]:
    """What an order has changed, as told when all orders of its line stand: a later one may change an attack's odds.

    Told anew is only what can be said twice: other orders tell what they take the place of, and it is gone by then.
    Nor is one that a later order has replaced: it would tell that it took the place of that one.
    """

    def told(draft: dict[str, Any]) -> tuple[Edit, ...]:
        again = order.verb.write(asking(sheet, draft), order.words) if order.verb else ()
        said = [(edit.value, edit.said) for edit in again if _named(edit)]
        return tuple(
            replace(edit, said=next((text for value, text in said if value == edit.value), edit.said))
            for edit in order.edits
        )

    written = [edit.value for edit in order.edits if _named(edit)]
    stands = [value for _path, value in orderlines.entries(choices)] if written else []
    if order.left is not choices and written and all(value in stands for value in written):
        with suppress(UsageError):
            late = told(choices)
            return late if late != order.edits and told(order.left) == order.edits else order.edits
    return order.edits


def _named(edit: Edit) -> bool:
    """Whether an order of its own is written, such as an attack."""
    return isinstance(edit.value, Mapping) and "id" in edit.value


def _written(sheet: Sheet, choices: dict[str, Any], verb: Verb, words: Sequence[str]) -> tuple[Edit, ...]:
    """What an order changes; 'attack 2015 none' takes out what is ordered so already. UsageError."""
    if len(words) == 1 and words[0].lower() in names.NOTHING and takeoffs.POLICY in verb.fields:
        words = (takeoffs.ALL, words[0])
    part = len(words) > 2 and f"[{words[-2].lower()} " in verb.usage  # 'fire pz 1 with none'
    if len(words) < 2 or words[-1].lower() not in names.NOTHING or part:
        try:
            return verb.write(asking(sheet, choices), words)
        except UsageError as error:
            raise _spelt(error, verb, words) from None
    seen, desk = sheet.desk.game.ruleset.seen, sheet.desk
    told = dict(orderlines.told(choices, sheet.verbs, seen.spoken))
    if meant := takeoffs.named(choices, verb, words[:-1], told, seen.words(desk.game.setting)):
        former = undos.Former(desk.record_of_writer().path / "drafts", desk.seq)
        return tuple(takeoffs.off(choices, meant, told, tuple(former.changes()), sheet.tell))
    try:
        return verb.write(asking(sheet, choices), words)
    except UsageError as error:
        if orderlines.parts(verb).intersection(words):
            raise
        about = " ".join(word for word in words[:-1] if word.lower() not in takeoffs.BETWEEN)
        why = f"no {verb.name} of this draft is named {show(about)}, so none is taken out"
        raise UsageError(why, error.where) from None


def _spelt(error: UsageError, verb: Verb, words: Sequence[str]) -> UsageError:
    """A refusal that ends with a word that nobody is called, and with the part of an order that is spelt nearly so."""
    word = next((word for word in words if error.message.endswith(f" {show(word)}")), "")
    near = names.near(word, dict.fromkeys(orderlines.parts(verb), ())) if word else ""
    return UsageError(f"{error.message}{near}", error.where) if near else error


def _noted(there: str, words: str) -> tuple[Edit, ...]:
    """The note to the opponent: 'none' takes it out; without words it is shown as it stands, which changes nothing."""
    shown = " ".join(there.split())
    if words and words.lower() not in names.NOTHING:
        former = f"; it stands in place of: {shown}" if shown not in ("", words) else ""
        return (Edit((NOTE,), words, said=f"note: {words}{former}"),)
    if words and shown:
        return (Edit((NOTE,), said=f"the note is taken out: {shown}"),)
    said = f"note: {shown}; '{NOTE} none' takes it out" if shown else f"there is no note; '{NOTE} Good luck' writes one"
    return (Edit((), said=said),)


def verb_of(sheet: Sheet, words: Sequence[str], before: Verb | None) -> tuple[Verb, Sequence[str]]:
    """The verb of an order and the words behind it; without one it is the verb of the order before. UsageError."""
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
        _no_part(sheet, word, all_verbs, before)
        if before is not None and not near:
            return before, words
    able = [verb.name for verb in sheet.verbs if possible(sheet, verb)]
    here = f"it takes {', '.join(able)}, note, undo and redo" if able else "nothing is to be chosen in it"
    raise UsageError(f"{show(words[0])} is no order for message {sheet.desk.seq}{near or ';'} {here}")


def possible(sheet: Sheet, verb: Verb) -> bool:
    """Whether anything can be chosen for a verb now, or it changes anything if nothing stands behind it.

    True for one that is written in words alone.
    """
    ask = asking(sheet, sheet.choices)
    if not verb.usage:
        return edited(sheet.choices, verb.write(ask, ())) != sheet.choices
    return verb.clauses is None or any(clause.among for clause in verb.clauses(ask, ()))


def _no_part(sheet: Sheet, word: str, verbs: Iterable[Verb], before: Verb | None) -> None:
    """UsageError for a word that begins a part of an order, such as 'retreat': it names the orders that have it."""
    having = [verb for verb in verbs if word in orderlines.parts(verb)]
    here = [verb for verb in having if verb.name in [known.name for known in sheet.verbs]]
    if not having:
        return
    if before in here:
        raise UsageError(f"{show(word)} is a part of {before.name}: leave out the comma before it")
    what = f"{show(word)} begins no order, it is a part of {' and '.join(verb.name for verb in having)}"
    if not here:
        raise UsageError(f"{what}, which message {sheet.desk.seq} does not take")
    raise UsageError(f"{what}: {' or '.join(f'{verb.name} {verb.usage}' for verb in here)}")


def asking(sheet: Sheet, choices: Mapping[str, Any]) -> Asking:
    """What a verb looks at, where the draft holds these choices."""

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
    edits = [edit for edit in edits if edit.path]
    for edit in edits:
        if edit.value is None:
            text = yamledit.drop(text, edit.path)
        else:
            text = (yamledit.add if edit.add else yamledit.put)(text, edit.path, edit.value)
    after = edited(choices, edits)
    games.check_choices(after, sheet.desk.game.ruleset, Document(after, "this order"))
    head = {key: value for key, value in sheet.message.content.items() if key not in sheet.choices}
    if strictyaml.read_edited(text.encode("utf-8"), str(sheet.path)).data != {**head, **after}:
        raise UsageError("the draft is laid out in a way that cannot be changed safely; write this into it yourself")
    return text, after
