"""Search for units and places by the player's words. Parts of names suffice; several matches raise an error.

``known`` is always id -> other names of the thing. Case does not matter, but the order of words does: '24 pz',
'oboyan'.
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
"""Required similarity of a misspelt word."""
MOST = 12
"""Maximum number of listed candidates."""
NOTHING = ("none", "nobody")
"""Words that remove the present value."""
_FILLERS = frozenset(("and", "+", "&"))


def find(said: str, known: Known, what: str, first: Known | None = None) -> str:
    """Return the id of the thing that a typed name means. If a name fits several things, a thing in ``first`` wins.

    Raises UsageError with the candidates, or with names of similar spelling.
    """
    if not said.strip():
        raise UsageError(f"say which {what} you mean")
    fits = _find_among(said, known, first)
    if len(fits) == 1:
        return fits[0]
    if fits:
        listed = ", ".join(name_with_id(uid, known) for uid in fits[:MOST])
        more = f" and {len(fits) - MOST} more" if len(fits) > MOST else ""
        raise UsageError(f"{show(said)} may be {listed}{more}: say which {what} you mean")
    apart = {tuple(_find_among(word, known, first)) for word in said.split()}
    each = f"; did you mean {''.join(min(apart)[:1])}?" if len(apart) == 1 else f": say one {what} in each order"
    raise UsageError(f"there is no {what} {show(said)}{each if {*map(len, apart)} == {1} else near(said, known)}")


def find_several(words: Sequence[str], known: Known, what: str, first: Known | None = None) -> tuple[str, ...]:
    """Return the ids of several things typed one after the other: '48 pz 3 pz g-52'. The longest fitting name wins."""
    ids, left = list[str](), [word for word in words if word not in _FILLERS]
    longest = max((len(_split_words(name)) for uid, others in known.items() for name in (uid, *others)), default=1)
    while left:
        runs = [" ".join(left[:size]) for size in range(min(len(left), longest), 0, -1)]
        fits = [run for run in runs if len(_find_among(run, known, first)) == 1] or runs[-1:]
        # '503 t' is g-503 and g-t, although it also begins the words of a name: 503rd Heavy Panzer (Tiger)
        run = next((one for one in fits if _by_id(one, known) and _by_id(fits[0][len(one) :] or one, known)), fits[0])
        ids.append(find(run, known, what, first))
        left = left[run.count(" ") + 1 :]
    return tuple(ids)


def find_last(words: Sequence[str], known: Known) -> tuple[str, ...]:
    """Return the names at the end of ``words``, in order: ('orel', '2219', 'stary oskol').

    A name is an id, a word of at least three letters that fits one thing only, or all words of a longer name.
    """
    longest = max((len(_split_words(name)) for others in known.values() for name in others), default=1)
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
    """Return how many words the names have together."""
    return sum(len(name.split()) for name in spoken)


def _names_one(run: Sequence[str], known: Known) -> bool:
    """Return whether the words name one thing: see `last`."""
    said = " ".join(run)
    if len(run) == 1:
        return said in known or said.upper() in known or (said.isalpha() and len(said) > 2 and _fits_one(said, known))
    spelt = _split_words(said)
    return _fits_one(said, known) and any(spelt == _split_words(name) for others in known.values() for name in others)


def _fits_one(said: str, known: Known) -> bool:
    return len(match(said, known)) == 1


def split_clauses(
    words: Sequence[str], heads: Iterable[str], values: Known = MappingProxyType({}), bare: Collection[str] = ()
) -> dict[str, list[str]]:
    """Return the words after each keyword: {'': [...], 'with': [...]}. The words before the first keyword are under ''.

    ``heads``: the keywords; an unambiguous abbreviation counts, such as 'le' for 'lead'. ``values``: words that may
    follow a keyword and are never read as an abbreviation. 'none' or 'nobody' alone after a keyword means no words.
    Raises UsageError if a keyword occurs twice, or has no words and is not in ``bare``.
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
                raise UsageError(f"{head!r} occurs twice; type it once")
            parts[head] = []
        else:
            parts[head].append(word)
    for key, said in parts.items():
        if key and key not in bare and (not said or (key == "as" and said[0].lower() in NOTHING)):
            # an attack requires units and a name
            off = "" if key in ("with", "as") else f", or '{key} none' to remove the choice"
            raise UsageError(f"{key!r} needs a value{off}")
    return {key: [] if key and " ".join(said).lower() in NOTHING else said for key, said in parts.items()}


def choose_one(said: str, choices: Sequence[str], what: str) -> str:
    """Return the only choice that begins with the typed text. Raises UsageError with the choices."""
    fits = [choice for choice in choices if choice == said.lower()] or [
        choice for choice in choices if said and choice.startswith(said.lower())
    ]
    if len(fits) != 1:
        raise UsageError(f"{what} is one of {', '.join(choices)}; found {show(said) if said else 'nothing'}")
    return fits[0]


def name_with_id(uid: str, known: Known) -> str:
    """Return id and name of a thing, such as 'g-48-pz (48 Pz)'."""
    return f"{uid} ({other})" if (other := next(iter(known.get(uid, ())), "")) else uid


def near(said: str, known: Known) -> str:
    """Return a suggestion such as '; did you mean g-3-pz?', or '' without a similar name."""
    from difflib import get_close_matches  # noqa: PLC0415  needed only after errors

    spelt = {name.lower(): uid for uid, names in known.items() for name in (*names, uid)}
    close = get_close_matches(said.lower(), spelt, 6, _CLOSE)
    same = [name for name in close if "".join(_split_words(name)) == "".join(_split_words(said))]
    one_off = [name for name in spelt if len(name) == len(said) and sum(map(str.__ne__, name, said)) == 1]
    ids = list(dict.fromkeys(spelt[name] for name in same or (one_off if said.isdigit() else close)))[:3]
    return f"; did you mean {' or '.join(ids)}?" if ids else ""


def match(said: str, known: Known, *, begun: bool = True) -> list[str]:
    """Return the ids that fit a typed name: by the id itself, by the id without its first part, or by words of a name.

    Better fits exclude worse fits. A complete name excludes longer names: 'kg 2' is KG 2, not kg2-1 to kg2-4. With
    ``begun``, words that are only beginnings fit worst.
    """
    words = _split_words(said)
    if (whole := _by_id(said, known)) or not words:
        return whole
    names = {uid: [_split_words(name) for name in (uid, *others)] for uid, others in known.items()}
    for cut in (False, True)[: 1 + begun]:
        if fits := [uid for uid, spelt in names.items() if any(_is_within(words, name, begun=cut) for name in spelt)]:
            return [uid for uid in fits if words in names[uid]] or fits
    return _by_both(words, names) if begun else []


def _by_id(said: str, known: Known) -> list[str]:
    # 'b8' is B8, not b-p8
    return ([said] if said in known else [uid for low in (said.lower(),) for uid in known if uid.lower() == low]) or [
        uid for words in (_split_words(said),) if words for uid in known if _split_words(uid)[1:] == words
    ]


def _by_both(words: Sequence[str], names: Mapping[str, list[tuple[str, ...]]]) -> list[str]:
    """Return ids with a number and a word from different names: '24 panzer' for 24 Pz, XXIV Panzer Corps."""
    if len(words) != 2 or not words[0].isdigit() or len(words[1]) < 3:
        return []
    parts = {uid: [part for name in spelt for part in name] for uid, spelt in names.items()}
    return [
        uid for uid, pieces in parts.items() if words[0] in pieces and any(one.startswith(words[1]) for one in pieces)
    ]


def _find_among(said: str, known: Known, first: Known | None) -> list[str]:
    """Return matches among ``first``, otherwise among the rest; ids of the rest precede partial names in ``first``."""
    return (
        ([] if said in known else match(said, first or {}, begun=False))
        or _by_id(said, known)
        or match(said, first or {})
        or match(said, known)
    )


@lru_cache(maxsize=4096)
def _split_words(text: str) -> tuple[str, ...]:
    """Return the words of a name in lower case. Digits and letters separate, so '24pz' is '24 pz'."""
    return tuple(re.findall(r"\d+|[^\W\d_]+", text.lower()))


def _is_within(words: Sequence[str], name: Sequence[str], *, begun: bool) -> bool:
    """Return whether a name contains the words in order; with ``begun``, beginnings of words suffice."""
    rest = iter(name)  # the search continues after the last match
    # the first two conditions exclude most names
    return (len(words) <= len(name) and (begun or words[0] in name)) and all(
        any(part.startswith(word) for part in rest) if begun else word in rest for word in words
    )
