"""What a player says, found among what there is: parts of names do for ids, and what fits several is asked back.

``known`` is always id -> the other names of the thing. Words count in any case, in their order: '24 pz', 'oboyan'.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show

Known = Mapping[str, Sequence[str]]

MOST = 12
"""Candidates that an answer lists."""
_FILLERS = frozenset(("and", "+", "&"))


def find(said: str, known: Known, what: str, first: Known | None = None) -> str:
    """The id of the one thing that is meant, among the ``first`` if one of them fits, otherwise of all that is known.

    UsageError names the candidates, or what is spelt nearly so.
    """
    found = _matches(said, first or {}) or _matches(said, known)
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(named(each, known) for each in found[:MOST])
        more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
        raise UsageError(f"{show(said)} may be {listed}{more}: say which {what} you mean")
    raise UsageError(f"there is no {what} {show(said)}{near(said, known)}")


def several(words: Sequence[str], known: Known, what: str, first: Known | None = None) -> tuple[str, ...]:
    """Several things one after the other: '48 pz 3 pz g-52'. As many words as fit one thing are taken together."""
    ids: list[str] = []
    left = [word for word in words if word not in _FILLERS]
    while left:
        runs = [" ".join(left[:size]) for size in range(len(left), 0, -1)]
        fits = [run for run in runs if len(_matches(run, first or {}) or _matches(run, known)) == 1]
        run = (fits or runs[-1:])[0]
        ids.append(find(run, known, what, first))
        left = left[run.count(" ") + 1 :]
    return tuple(ids)


def last(words: Sequence[str], known: Known) -> int:
    """How many words at the end each name one thing, by its id or a word of letters: 2 in '24 pz oboyan 2219'."""
    count = 0
    while count < len(words):
        word = words[-1 - count]
        if word not in known and not (word.isalpha() and len(_matches(word, known)) == 1):
            break
        count += 1
    return count


def clauses(words: Sequence[str], heads: Iterable[str]) -> dict[str, list[str]]:
    """The words after each head: {'': [...], 'with': [...]}, '' for those before the first. UsageError: one twice."""
    known, found = frozenset(heads), {"": list[str]()}
    head = ""
    for word in words:
        if word.lower() in known:
            head = word.lower()
            if head in found:
                raise UsageError(f"{head!r} stands twice; say it once")
            found[head] = []
        else:
            found[head].append(word)
    return found


def one_of(said: str, choices: Sequence[str], what: str) -> str:
    """The choice that begins with what is said; UsageError lists them."""
    found = [each for each in choices if each == said.lower()] or [
        each for each in choices if said and each.startswith(said.lower())
    ]
    if len(found) != 1:
        raise UsageError(f"{what} is one of {', '.join(choices)}; found {show(said) if said else 'nothing'}")
    return found[0]


def named(uid: str, known: Known) -> str:
    """'g-48-pz (48 Pz)'."""
    others = known.get(uid, ())
    return f"{uid} ({others[0]})" if others and others[0] else uid


def near(said: str, known: Known) -> str:
    """'; did you mean g-3-pz?', or '' where nothing is spelt nearly so."""
    from difflib import get_close_matches  # noqa: PLC0415  only where something is wrong

    spelt = {name.lower(): uid for uid, names in known.items() for name in (*names, uid)}
    found = list(dict.fromkeys(spelt[each] for each in get_close_matches(said.lower(), spelt, 6, 0.7)))[:3]
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _matches(said: str, known: Known) -> list[str]:
    """The ids that fit: the very id, otherwise those with all words in a name, otherwise with words that begin so."""
    if said in known:
        return [said]
    words = _words(said)
    if not words:
        return []
    names = {uid: [_words(name) for name in (uid, *others)] for uid, others in known.items()}
    for same in (str.__eq__, str.startswith):
        if found := [uid for uid, each in names.items() if any(_within(words, name, same) for name in each)]:
            return found
    return []


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _within(words: Sequence[str], name: Sequence[str], same: Callable[[str, str], bool]) -> bool:
    """Whether the words stand in a name in their order."""
    rest = iter(name)
    return all(any(same(each, word) for each in rest) for word in words)
