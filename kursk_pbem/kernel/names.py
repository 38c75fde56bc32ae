"""What a player says, found among what there is: parts of names do for ids, and what fits several is asked back.

``known`` is always id -> the other names of the thing. Words count in any case, in their order: '24 pz', 'oboyan'.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show

Known = Mapping[str, Sequence[str]]

_CLOSE: Any = Fraction(7, 10)
"""How much of a word must be right."""
MOST = 12
"""Candidates that an answer lists."""
NOTHING = ("none", "nobody")
"""Words that take off what stands there."""
_FILLERS = frozenset(("and", "+", "&"))


def find(said: str, known: Known, what: str, first: Known | None = None) -> str:
    """The id of the one thing that is meant, among the ``first`` if one of them fits, otherwise of all that is known.

    UsageError names the candidates, or what is spelt nearly so.
    """
    if not said.strip():
        raise UsageError(f"say which {what} you mean")
    fits = _among(said, known, first)
    if len(fits) == 1:
        return fits[0]
    if fits:
        listed = ", ".join(named(uid, known) for uid in fits[:MOST])
        more = f" and {len(fits) - MOST} more" if len(fits) > MOST else ""
        raise UsageError(f"{show(said)} may be {listed}{more}: say which {what} you mean")
    apart = {tuple(_among(word, known, first)) for word in said.split()}
    each = f"; did you mean {''.join(min(apart)[:1])}?" if len(apart) == 1 else f": say one {what} in each order"
    raise UsageError(f"there is no {what} {show(said)}{each if {*map(len, apart)} == {1} else near(said, known)}")


def several(words: Sequence[str], known: Known, what: str, first: Known | None = None) -> tuple[str, ...]:
    """Several things one after the other: '48 pz 3 pz g-52'. As many words as fit one thing are taken together."""
    ids, left = list[str](), [word for word in words if word not in _FILLERS]
    longest = max((len(_words(name)) for uid, others in known.items() for name in (uid, *others)), default=1)
    while left:
        runs = [" ".join(left[:size]) for size in range(min(len(left), longest), 0, -1)]
        fits = [run for run in runs if len(_among(run, known, first)) == 1] or runs[-1:]
        # '503 t' is g-503 and g-t, although it also begins the words of a name: 503rd Heavy Panzer (Tiger)
        run = next((one for one in fits if _whole(one, known) and _whole(fits[0][len(one) :] or one, known)), fits[0])
        ids.append(find(run, known, what, first))
        left = left[run.count(" ") + 1 :]
    return tuple(ids)


def last(words: Sequence[str], known: Known) -> tuple[str, ...]:
    """Return the names at the end of ``words``, in order: ('orel', '2219', 'stary oskol').

    A name is an id, a word of at least three letters that fits one thing, or all words of a longer name.
    """
    longest = max((len(_words(name)) for others in known.values() for name in others), default=1)
    found, left = list[str](), list(words)
    while left:
        runs = (left[-size:] for size in range(min(longest, len(left)), 0, -1))
        run = next((run for run in runs if _names_one(run, known)), None)
        if run is None:
            break
        found.append(" ".join(run))
        del left[-len(run) :]
    return tuple(reversed(found))


def count_words(spoken: Iterable[str]) -> int:
    """Return how many words the names have in all."""
    return sum(len(name.split()) for name in spoken)


def _names_one(run: Sequence[str], known: Known) -> bool:
    """Return whether the words name one thing: see `last`."""
    said = " ".join(run)
    if len(run) == 1:
        return said in known or said.upper() in known or (said.isalpha() and len(said) > 2 and _fits_one(said, known))
    spelt = _words(said)
    return _fits_one(said, known) and any(spelt == _words(name) for others in known.values() for name in others)


def _fits_one(said: str, known: Known) -> bool:
    return len(matches(said, known)) == 1


def clauses(
    words: Sequence[str], heads: Iterable[str], values: Known = MappingProxyType({}), bare: Collection[str] = ()
) -> dict[str, list[str]]:
    """The words after each head: {'': [...], 'with': [...]}, '' for those before the first.

    A head may be cut short while no other begins so: 'le' is 'lead'. ``values``: what may stand behind a head, as it is
    written; said there it is no head cut short. 'none' or 'nobody' alone behind a head stands for no words.
    UsageError: a head stands twice, or says nothing, unless it is one of ``bare``.
    """
    known, parts, head = tuple(heads), {"": list[str]()}, ""
    for word in words:
        if value := next((choice for choice in values.get(head, ()) if choice.lower() == word.lower()), ""):
            parts[head].append(value)
            continue
        begins = [option for option in known if option == word.lower()] or [
            option for option in known if len(word) > 1 and option.startswith(word.lower())
        ]
        if len(begins) == 1:
            head = begins[0]
            if head in parts:
                raise UsageError(f"{head!r} stands twice; say it once")
            parts[head] = []
        else:
            parts[head].append(word)
    for key, said in parts.items():
        if key and key not in bare and (not said or (key == "as" and said[0].lower() in NOTHING)):
            # who attacks is not taken off, nor the name of an attack
            off = "" if key in ("with", "as") else f", or '{key} none' to take it off"
            raise UsageError(f"{key!r} says nothing here; say what stands behind it{off}")
    return {key: [] if key and " ".join(said).lower() in NOTHING else said for key, said in parts.items()}


def one_of(said: str, choices: Sequence[str], what: str) -> str:
    """The choice that begins with what is said; UsageError lists them."""
    fits = [choice for choice in choices if choice == said.lower()] or [
        choice for choice in choices if said and choice.startswith(said.lower())
    ]
    if len(fits) != 1:
        raise UsageError(f"{what} is one of {', '.join(choices)}; found {show(said) if said else 'nothing'}")
    return fits[0]


def named(uid: str, known: Known) -> str:
    """'g-48-pz (48 Pz)'."""
    return f"{uid} ({other})" if (other := next(iter(known.get(uid, ())), "")) else uid


def near(said: str, known: Known) -> str:
    """'; did you mean g-3-pz?', or '' where nothing is spelt nearly so."""
    from difflib import get_close_matches  # noqa: PLC0415  only where something is wrong

    spelt = {name.lower(): uid for uid, names in known.items() for name in (*names, uid)}
    close = get_close_matches(said.lower(), spelt, 6, _CLOSE)
    same = [name for name in close if "".join(_words(name)) == "".join(_words(said))]
    one_off = [name for name in spelt if len(name) == len(said) and sum(map(str.__ne__, name, said)) == 1]
    ids = list(dict.fromkeys(spelt[name] for name in same or (one_off if said.isdigit() else close)))[:3]
    return f"; did you mean {' or '.join(ids)}?" if ids else ""


def matches(said: str, known: Known, *, begun: bool = True) -> list[str]:
    """The ids that fit: the very id; the id but for its first word ('20' is r-20, not r-20-tc); all words in a name.

    What fits better shuts out what fits less, a whole name parts of others ('kg 2' is KG 2, not the rest of kg2-1 to
    kg2-4); last of all come names with words that have ``begun`` so.
    """
    words = _words(said)
    if (whole := _whole(said, known)) or not words:
        return whole
    names = {uid: [_words(name) for name in (uid, *others)] for uid, others in known.items()}
    for cut in (False, True)[: 1 + begun]:
        if fits := [uid for uid, spelt in names.items() if any(_within(words, name, begun=cut) for name in spelt)]:
            return [uid for uid in fits if words in names[uid]] or fits
    return _by_both(words, names) if begun else []


def _whole(said: str, known: Known) -> list[str]:
    # 'b8' is B8, not b-p8
    return ([said] if said in known else [uid for low in (said.lower(),) for uid in known if uid.lower() == low]) or [
        uid for words in (_words(said),) if words for uid in known if _words(uid)[1:] == words
    ]


def _by_both(words: Sequence[str], names: Mapping[str, list[tuple[str, ...]]]) -> list[str]:
    """The ids of a number and a word of which each stands in another name: '24 panzer' for 24 Pz, XXIV Panzer Corps."""
    if len(words) != 2 or not words[0].isdigit() or len(words[1]) < 3:
        return []
    parts = {uid: [part for name in spelt for part in name] for uid, spelt in names.items()}
    return [
        uid for uid, pieces in parts.items() if words[0] in pieces and any(one.startswith(words[1]) for one in pieces)
    ]


def _among(said: str, known: Known, first: Known | None) -> list[str]:
    """The same among the first if one of them fits; an id of the others goes before a name that only begins so."""
    return (
        ([] if said in known else matches(said, first or {}, begun=False))
        or _whole(said, known)
        or matches(said, first or {})
        or matches(said, known)
    )


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """The words of a name; digits are parted from letters, so that '24pz' is '24 pz'."""
    return tuple(re.findall(r"\d+|[^\W\d_]+", text.lower()))


def _within(words: Sequence[str], name: Sequence[str], *, begun: bool) -> bool:
    """Whether the words stand in a name in their order, or with ``begun`` words that begin so."""
    rest = iter(name)  # what is asked goes on behind what was found
    # most names are passed over by the first two questions
    return (len(words) <= len(name) and (begun or words[0] in name)) and all(
        any(part.startswith(word) for part in rest) if begun else word in rest for word in words
    )
