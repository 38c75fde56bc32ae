"""Words of strangers in the results of tools: cut, without odd characters, and only in fields of their own.

A language model may take a stranger's words for an order of its owner. So names, talk, titles and errors are values of
the field ``foreign``. A battle's name, which a player has chosen, is replaced by ``label-1`` everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.text import cut_foreign
from kursk_pbem.frozen import frozen

MOST = 500
"""Maximum number of characters of a foreign text."""
FOREIGN = "foreign"
REFUSED = "the program refused the call; the field 'foreign' has the reason, which may quote strangers"
_HARMLESS = re.compile(r"[a-z]?[0-9]{1,4}")
"""Names of battles without a meaning, such as b12."""
_PATH = re.compile(r"(?<![\w.])([A-Za-z]:)?[/\\][^\s'\",;:()]+")


@frozen
class Labels:
    """Labels that replace texts by other people: ``label-1`` -> a battle's name, ``title-system`` -> a title."""

    named: Mapping[str, str]

    def hide(self, data: Any) -> Any:
        """Replace texts by other people in plain data with labels such as 'label-1'; return the new data."""
        return _replace_words(data, {theirs: mine for mine, theirs in self.named.items()})

    def restore(self, text: str) -> str:
        """Replace the labels in an order with the original texts, such as a battle's name; return the new order."""
        return str(_replace_words(text, self.named))


def make_labels(places: Iterable[Any], known: Iterable[str], titles: Mapping[str, str]) -> Labels:
    """Return labels for the battle names found in plain data, such as an agenda. Unit ids (``known``) get no label."""
    found = dict.fromkeys(label for place in places for label in _list_ids(place))
    odd = [label for label in found if not _HARMLESS.fullmatch(label) and label not in {*known}]
    return Labels({**{f"label-{number}": label for number, label in enumerate(odd, 1)}, **titles})


def finish_result(result: Mapping[str, Any], labels: Labels, **foreign: str) -> dict[str, Any]:
    """Return a result with labels for texts by other people. The field ``foreign`` has the texts by label."""
    hidden: dict[str, Any] = labels.hide(result)
    used = str(hidden)
    texts = {**foreign, **{mine: theirs for mine, theirs in labels.named.items() if mine in used}}
    said = {key: cut_foreign(text, MOST) for key, text in texts.items() if text}
    return {**hidden, **({FOREIGN: said} if said else {})}


def refuse_call(error: KurskError) -> dict[str, Any]:
    """Return the result of a call that the program refused. The reason does not show paths of this computer."""
    return finish_result({"refused": REFUSED}, Labels({}), why=_PATH.sub("(a path)", str(error)))


def _list_ids(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        yield from (value for key, value in data.items() if key == "id" and isinstance(value, str))
    inner = data.values() if isinstance(data, Mapping) else data if isinstance(data, list | tuple) else ()
    yield from (label for each in inner for label in _list_ids(each))


def _replace_words(data: Any, names: Mapping[str, str]) -> Any:
    """Return plain data with whole words replaced. Only keys of the agenda change: a battle may be named like a key."""
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])" if names else "(?!)")

    def walk(each: Any, *, keys: bool = False) -> Any:
        if isinstance(each, str):
            return pattern.sub(lambda found: names[found[0]], each)
        if isinstance(each, Mapping):
            inner = {key: walk(value, keys=keys or key == "agenda") for key, value in each.items()}
            return {walk(key): value for key, value in inner.items()} if keys else inner
        return [walk(value) for value in each] if isinstance(each, list | tuple) else each

    return walk(data)
