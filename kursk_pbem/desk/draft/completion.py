"""What can come next in an order, found in the position: words of orders, units that may act, hexes in reach, postures.

One answer for everybody who completes orders: the shell of the system and ``kursk shell``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter

from kursk_pbem.desk.draft import ordering, prospects, wording
from kursk_pbem.desk.draft.wording import NOTE, Sheet
from kursk_pbem.errors import KurskError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.outlook import Outlook
from kursk_pbem.kernel.verbs import CHOICE, ORDER, PLACE, UNIT, UNITS, WISHES, Clause, Verb

ALL, WITH = "all", "with"
UNDO, REDO = "undo", "redo"
_ONE = (CHOICE, UNIT, PLACE)


@dataclass(frozen=True)
class Word:
    """A word to complete to, and what it means."""

    text: str
    about: str = ""


class Completion:
    """What completes orders of one draft; what several lines need is worked out once."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._later: dict[str, tuple[Sheet, Verb | None]] = {}
        self._ahead: dict[tuple[str, str], Outlook] = {}

    def of(self, line: str) -> list[Word]:
        """What the last word of a line of orders can be; a line that ends with a blank wants another word."""
        before, _comma, last = line.rpartition(",")
        words = last.split()
        begun = words.pop() if words and not last[-1:].isspace() else ""
        if (words or [begun])[0].lower() == NOTE and words:
            return []
        with suppress(KurskError):
            sheet, verb = self._after(before)
            return matching(self._next(sheet, words, verb), begun)
        return []

    def _after(self, before: str) -> tuple[Sheet, Verb | None]:
        """The draft with the orders that stand before in the line, and the word of the last of them. KurskError."""
        if not before.strip():
            return self._sheet, None
        if before not in self._later:
            orders = ordering.split(before)
            text = wording.understood(self._sheet, orders).text
            sheet = wording.sheet_of(self._sheet.desk, self._sheet.path, text.encode("utf-8"), self._sheet.state)
            verb: Verb | None = None
            for words in orders:
                verb = wording.verb_of(self._sheet, words, verb)[0] if words[0].lower() != NOTE else verb
            self._later = {before: (sheet, verb)}
        return self._later[before]

    def _next(self, sheet: Sheet, words: Sequence[str], before: Verb | None) -> Iterator[Word]:
        """What can follow some words of an order. KurskError if they are no order."""
        if not words:
            yield from (Word(verb.name, verb.text) for verb in sheet.verbs if wording.possible(sheet, verb))
            yield from () if before else _TAKING_BACK
            yield Word(NOTE, "words to your opponent")
            yield from self._behind(sheet, before, ()) if before else ()
        elif words[0].lower() == UNDO:
            orders = sheet.orders
            numbered = zip(ordering.numbers(sheet), orders, strict=True)
            yield from (Word(str(number), told) for number, (_path, told) in numbered if len(words) == 1)
        elif words[0].lower() != REDO:
            verb, rest = wording.verb_of(sheet, words, before)
            yield from self._behind(sheet, verb, rest)

    def _behind(self, sheet: Sheet, verb: Verb, words: Sequence[str]) -> Iterator[Word]:
        if verb.clauses is None:
            yield from self._ways(sheet, verb, words)
            return
        ask = wording.asking(sheet, sheet.choices)
        clauses, left = verb.clauses(ask, ()), list(words)
        size, name = _leading(left, clauses[0]) if clauses and not clauses[0].word else (0, "")
        if size and clauses[0].kind == UNIT:  # 'zis' is the only one that is offered, 'zis 2' another one
            size, name = max((size, name), _longest(left, self._mine(sheet)), key=itemgetter(0))
        if size and (then := verb.clauses(ask, (name,))) != clauses:
            clauses, left = then, left[size:]
        elif clauses and not size and left and clauses[0].kind in _ONE:
            yield from _rest(left, _known(clauses[0]))
            return
        yield from _clauses(verb, clauses, left)

    def _ways(self, sheet: Sheet, verb: Verb, words: Sequence[str]) -> Iterator[Word]:
        """Units that may move in the phases of this word, and behind one of them where it can get to."""
        called, mine = sheet.desk.game.ruleset.seen.words(sheet.desk.game.setting), self._mine(sheet)
        size, uid = _longest(words, mine)
        phases = [
            phase
            for phase in self._outlook(sheet, uid if size else "").phases
            if verb.name == phase.verb or f"orders/{phase.key}" in verb.fields
        ]
        if not size:
            movers = {mover.unit: mover for phase in phases for mover in phase.movers if mover.ends or mover.turns}
            known = {unit: mine[unit] for unit in movers if unit in mine}
            yield from (
                _rest(words, known)
                if words
                else (Word(unit, ", ".join((*known[unit], movers[unit].place))) for unit in known)
            )
            return
        movers_of = [(phase, mover) for phase in phases for mover in phase.movers if mover.unit == uid]
        for phase, mover in movers_of:
            for end in mover.ends:
                where = called.place(end.place).removeprefix(end.place).strip()
                cost = f"{end.cost} {phase.points}" if end.cost else ""
                yield Word(end.place, ", ".join(filter(None, (where, cost))))

    @staticmethod
    def _mine(sheet: Sheet) -> dict[str, tuple[str, ...]]:
        """The units of the writer that can be seen, by their names."""
        game = sheet.desk.game
        pieces = game.ruleset.seen.picture(game.setting, sheet.state).pieces
        called = game.ruleset.seen.words(game.setting)
        return {piece.id: (called.unit(piece.id),) for piece in pieces if piece.side == sheet.state.side}

    def _outlook(self, sheet: Sheet, unit: str) -> Outlook:
        """What may be done after the orders of a draft, by all or by one unit as if it had no order."""
        key = (sheet.text, unit)
        if key not in self._ahead:
            seen = prospects.of_draft(sheet.desk, sheet.message, ahead=True, without=unit)
            self._ahead[key] = prospects.outlook(seen, unit)
        return self._ahead[key]


_TAKING_BACK = (Word(UNDO, "take back the last command, or one order by its number"), Word(REDO, "do it again"))


def matching(words: Iterable[Word], begun: str) -> list[Word]:
    """Those that begin like what is typed; otherwise those of which a part or the meaning does. None twice."""
    low, known = begun.casefold(), {word.text: word for word in reversed([*words])}
    every = list(reversed(known.values()))
    if whole := [word for word in every if word.text.casefold().startswith(low)]:
        return whole
    parts = [word for word in every if f"-{low}" in word.text.casefold()]
    return parts or [word for word in every if len(low) > 1 and word.about.casefold().startswith(low)]


def _clauses(verb: Verb, clauses: Sequence[Clause], words: Sequence[str]) -> Iterator[Word]:
    """What can follow in an order of which these parts can be chosen."""
    heads = {clause.word: clause for clause in clauses if clause.word}
    used, head, left = set[str](), "", list[str]()
    open_ = f"[{WITH}]" in verb.usage and all(clause.word for clause in clauses)  # the units may follow without 'with'
    for word in words:
        begins = [name for name in heads if name == word.lower()]
        begins = begins or [name for name in heads if len(word) > 1 and name.startswith(word.lower())]
        if len(begins) == 1:
            head, left = begins[0], []
            used.add(head)
        else:
            left.append(word)
            used |= {WITH} if open_ and not head else set()
    others = [Word(name, clause.text) for name, clause in heads.items() if name not in used and clause.among]
    if head:
        yield from _among(verb, heads[head], left, others)
        return
    for clause in clauses:
        if clause.word:
            continue
        size, _name = _leading(left, clause) if clause.kind in _ONE else (0, "")
        if not size:
            yield from _among(verb, clause, left, others)
            return
        left = left[size:]
    if open_:
        yield from _among(verb, heads[WITH], left, ())
    yield from others


def _among(verb: Verb, clause: Clause, words: Sequence[str], others: Iterable[Word]) -> Iterator[Word]:
    """What can stand in a clause behind the words that stand there, and the heads of others if that is enough."""
    known, left, said = _known(clause), list(words), list[str]()
    while left and (longest := _longest(left, known))[0]:
        said.append(longest[1])
        left = left[longest[0] :]
    if left == [ALL] or (left and clause.kind in (ORDER, WISHES) and said and left[0] in clause.more):
        said, left = [*said, *left], []
    if left and left[0] not in clause.more:
        yield from _rest(left, known)
        return
    more = [Word(word) for word in clause.more if (clause.kind == WISHES or said) and not left]
    if clause.kind not in _ONE or not said:
        yield from (Word(word, about) for word, about in clause.among if word not in said and ALL not in said)
        yield from more
        if not said and clause.kind == UNITS and re.search(rf"\b{clause.word or '^'}\b\]? UNITS\|{ALL}\b", verb.usage):
            yield Word(ALL, "everybody who can")
    if said or not clause.word:
        yield from others


def _known(clause: Clause) -> dict[str, tuple[str, ...]]:
    """What may stand in a clause, by its names."""
    return {word: (re.split("[,:;]", about)[0],) for word, about in clause.among}


def _leading(words: Sequence[str], clause: Clause) -> tuple[int, str]:
    """How many of the words say the one thing that a clause takes, and what that is; 0 if they say none."""
    return _longest(words, _known(clause))


def _longest(words: Sequence[str], known: Mapping[str, Sequence[str]]) -> tuple[int, str]:
    """The longest run of words at the beginning that fits one thing, and this; 0 if none does."""
    for size in range(min(len(words), 4), 0, -1):
        if len(matches := names.match(" ".join(words[:size]), known)) == 1:
            return size, matches[0]
    return 0, ""


def _rest(words: Sequence[str], known: Mapping[str, Sequence[str]]) -> Iterator[Word]:
    """The next word of names of which the first ones are typed: 'pz' behind '24'."""
    for name in names.match(" ".join(words), known):
        parts = name.split("-")
        at = next((number for number, part in enumerate(parts) if part == words[-1].lower()), len(parts))
        yield from (Word(part, ", ".join((name, *known[name]))) for part in parts[at + 1 : at + 2])
