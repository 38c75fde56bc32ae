"""Completion of orders from the position: order words, units, places and postures.

The system shell and ``kursk shell`` share this completion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter

from kursk_pbem.desk.draft import ordering, wording
from kursk_pbem.desk.draft.wording import NOTE, DraftFile
from kursk_pbem.errors import KurskError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import names
from kursk_pbem.kernel.verbs import CHOICE, ORDER, PLACE, UNIT, UNITS, WISHES, Clause, Verb

ALL = "all"
UNDO, REDO = "undo", "redo"
_ONE = (CHOICE, UNIT, PLACE)


@frozen
class Word:
    """A word to complete an order, with the meaning of the word."""

    text: str
    about: str = ""


class Completion:
    """The completions of a draft's orders. The draft after each order of a typed line is cached."""

    def __init__(self, sheet: DraftFile) -> None:
        self._sheet = sheet
        self._later: dict[str, tuple[DraftFile, Verb | None]] = {}

    def of(self, line: str) -> list[Word]:
        """Return the completions of a line's last word. If the line ends with a blank, return possible next words."""
        before, _comma, last = line.rpartition(",")
        words = last.split()
        begun = words.pop() if words and not last[-1:].isspace() else ""
        if (words or [begun])[0].lower() == NOTE and words:
            return []
        with suppress(KurskError):
            sheet, verb = self._read_before(before)
            return filter_words(self._list_next(sheet, words, verb), begun)
        return []

    def _read_before(self, before: str) -> tuple[DraftFile, Verb | None]:
        """Return the draft after the line's earlier orders, and the last verb. Raises KurskError."""
        if not before.strip():
            return self._sheet, None
        if before not in self._later:
            orders = ordering.split_orders(before)
            text = wording.read_orders(self._sheet, orders).text
            sheet = wording.read_draft_file(self._sheet.desk, self._sheet.path, text.encode("utf-8"), self._sheet.state)
            verb: Verb | None = None
            for words in orders:
                verb = wording.find_verb(self._sheet, words, verb)[0] if words[0].lower() != NOTE else verb
            self._later = {before: (sheet, verb)}
        return self._later[before]

    def _list_next(self, sheet: DraftFile, words: Sequence[str], before: Verb | None) -> Iterator[Word]:
        if not words:
            yield from (Word(verb.name, verb.text) for verb in sheet.verbs if wording.is_possible(sheet, verb))
            yield from () if before else _TAKING_BACK
            yield Word(NOTE, "words to your opponent")
            yield from self._continue_order(sheet, before, ()) if before else ()
        elif words[0].lower() == UNDO:
            numbered = enumerate(sheet.orders, 1)
            yield from (Word(str(number), told) for number, (_path, told) in numbered if len(words) == 1)
        elif words[0].lower() != REDO:
            verb, rest = wording.find_verb(sheet, words, before)
            yield from self._continue_order(sheet, verb, rest)

    def _continue_order(self, sheet: DraftFile, verb: Verb, words: Sequence[str]) -> Iterator[Word]:
        if verb.clauses is None:
            return
        ask = wording.make_order_context(sheet, sheet.choices)
        clauses, left = verb.clauses(ask, ()), list(words)
        size, name = _match_longest(left, _list_names(clauses[0])) if clauses and not clauses[0].word else (0, "")
        if size and clauses[0].kind == UNIT:  # the form lists 'zis'; 'zis 2' is another unit
            size, name = max((size, name), _match_longest(left, self._list_own_units(sheet)), key=itemgetter(0))
        if size and (then := verb.clauses(ask, (name,))) != clauses:
            clauses, left = then, left[size:]
        elif clauses and not size and left and clauses[0].kind in _ONE:
            yield from _complete_name(left, _list_names(clauses[0]))
            return
        yield from _complete_clauses(verb, clauses, left)

    @staticmethod
    def _list_own_units(sheet: DraftFile) -> dict[str, tuple[str, ...]]:
        game = sheet.desk.game
        pieces = game.ruleset.seen.picture(game.setting, sheet.state).pieces
        called = game.ruleset.seen.words(game.setting)
        return {piece.id: (called.unit(piece.id),) for piece in pieces if piece.side == sheet.state.side}


_TAKING_BACK = (Word(UNDO, "take back the last command, or an order by number"), Word(REDO, "do it again"))


def filter_words(words: Iterable[Word], begun: str) -> list[Word]:
    """Return the words that begin with ``begun``; if none do, the words with this text inside or in the meaning."""
    low, known = begun.casefold(), {word.text: word for word in reversed([*words])}
    every = list(reversed(known.values()))
    if whole := [word for word in every if word.text.casefold().startswith(low)]:
        return whole
    parts = [word for word in every if f"-{low}" in word.text.casefold()]
    return parts or [word for word in every if len(low) > 1 and word.about.casefold().startswith(low)]


def _complete_clauses(verb: Verb, clauses: Sequence[Clause], words: Sequence[str]) -> Iterator[Word]:
    heads = {clause.word: clause for clause in clauses if clause.word}
    used, head, left = set[str](), "", list[str]()
    named = [word for word in heads if re.search(rf"\b{word}\b", verb.usage)]
    optional = [word for word in heads if f"[{word}]" in verb.usage or word not in named]
    bare = optional[0] if optional and len(heads) == len(clauses) else ""  # its choices may follow without the word
    for word in words:
        begins = [name for name in heads if name == word.lower()]
        begins = begins or [name for name in heads if len(word) > 1 and name.startswith(word.lower())]
        if len(begins) == 1:
            head, left = begins[0], []
            used.add(head)
        else:
            left.append(word)
            used |= {bare} if bare and not head else set()
    others = [
        Word(name, clause.text) for name, clause in heads.items() if name in named and name not in used and clause.among
    ]
    if head:
        yield from _complete_clause(verb, heads[head], left, others)
        return
    for clause in clauses:
        if clause.word:
            continue
        size, _name = _match_longest(left, _list_names(clause)) if clause.kind in _ONE else (0, "")
        if not size:
            yield from _complete_clause(verb, clause, left, others)
            return
        left = left[size:]
    if bare:
        yield from _complete_clause(verb, heads[bare], left, ())
    yield from others


def _complete_clause(verb: Verb, clause: Clause, words: Sequence[str], others: Iterable[Word]) -> Iterator[Word]:
    """Yield the next words of a clause, and the words of ``others`` after a complete clause."""
    known, left, said = _list_names(clause), list(words), list[str]()
    while left and (longest := _match_longest(left, known))[0]:
        said.append(longest[1])
        left = left[longest[0] :]
    if left == [ALL] or (left and clause.kind in (ORDER, WISHES) and said and left[0] in clause.more):
        said, left = [*said, *left], []
    if left and left[0] not in clause.more:
        yield from _complete_name(left, known)
        return
    more = [Word(word) for word in clause.more if (clause.kind == WISHES or said) and not left]
    if clause.kind not in _ONE or not said:
        yield from (Word(word, about) for word, about in clause.among if word not in said and ALL not in said)
        yield from more
        if not said and clause.kind == UNITS and re.search(rf"\b{clause.word or '^'}\b\]? UNITS\|{ALL}\b", verb.usage):
            yield Word(ALL, "everybody who can")
    if said or not clause.word:
        yield from others


def _list_names(clause: Clause) -> dict[str, tuple[str, ...]]:
    return {word: (re.split("[,:;]", about)[0],) for word, about in clause.among}


def _match_longest(words: Sequence[str], known: Mapping[str, Sequence[str]]) -> tuple[int, str]:
    """Return the length of the longest match at the beginning, and the matching id; (0, '') for no match."""
    for size in range(min(len(words), 4), 0, -1):
        if len(matches := names.match(" ".join(words[:size]), known)) == 1:
            return size, matches[0]
    return 0, ""


def _complete_name(words: Sequence[str], known: Mapping[str, Sequence[str]]) -> Iterator[Word]:
    """Yield the next part of names whose first parts are typed, such as 'pz' after '24'."""
    for name in names.match(" ".join(words), known):
        parts = name.split("-")
        at = next((number for number, part in enumerate(parts) if part == words[-1].lower()), len(parts))
        yield from (Word(part, ", ".join((name, *known[name]))) for part in parts[at + 1 : at + 2])
