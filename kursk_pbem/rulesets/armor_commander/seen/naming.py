"""Names in typed orders (4.2, 5.2): models and units of both sides, and the places after a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.names import Known
from kursk_pbem.kernel.umpire import other
from kursk_pbem.kernel.verbs import OrderContext
from kursk_pbem.rulesets.armor_commander.setting import SIDES, Setting

_NUMBER = re.compile(r"[0-9]+(\.[0-9]{1,2})?")


def list_models(setting: Setting, side: str) -> dict[str, tuple[str, ...]]:
    """Return the names of a side's models by id, such as 'Panzer IV' and 'Panzer IV 1'."""
    return {
        mid: (model.name, f"{model.name} {mid.rpartition('-')[2]}")
        for mid, model in setting.models.items()
        if model.side == side
    }


def list_units(setting: Setting, side: str) -> dict[str, tuple[str, ...]]:
    """Return the names of a side's units by id."""
    return {uid: (unit.name,) for uid, unit in setting.units.items() if unit.side == side}


def list_all(setting: Setting, side: str) -> dict[str, tuple[str, ...]]:
    """Return the names of a side's units and models by id. A gun counts as a unit and as a model."""
    return {**list_units(setting, side), **list_models(setting, side)}


def find_own(ask: OrderContext, said: str, known: Known, what: str, first: Known | None = None) -> str:
    """Return the id of the player's unit with a typed name. Raises UsageError, with a hint if an enemy has the name."""
    _refuse_other(ask, said, known, other(SIDES, ask.state.side), "is the enemy's")
    fits = names.match(said, list_all(ask.setting, ask.state.side))
    if len(fits) == 1 and not names.match(said, known):
        raise UsageError(_explain_kind(ask.setting, fits[0]))
    return names.find(said, known, what, first)


def _explain_kind(setting: Setting, name: str) -> str:
    """4.2: return a message for a unit instead of a model, or a model instead of its unit."""
    if name in setting.units:
        return f"{name} is a unit: name a model of the unit, {', '.join(setting.units[name].models)}"
    return f"{name} is a model: name the unit, {setting.models[name].unit}"


def find_targets(ask: OrderContext, words: Sequence[str]) -> list[str]:
    """Return the enemies that an order names. 'then' between names is optional. Raises UsageError for own units."""
    foes = list_all(ask.setting, other(SIDES, ask.state.side))
    for part in " ".join(words).split(" then "):
        _refuse_other(ask, part, foes, ask.state.side, "is your own")
    return list(names.find_several([word for word in words if word != "then"], foes, "enemy"))


def _refuse_other(ask: OrderContext, said: str, known: Known, side: str, whose: str) -> None:
    """Raise UsageError if a name fits only the other side."""
    theirs = list_all(ask.setting, side)
    if names.match(said, known) or not (fits := names.match(said, theirs)):
        return
    raise UsageError(f"{said!a} {whose}: {', '.join(names.name_with_id(uid, theirs) for uid in fits)}")


def format_inches(word: str) -> str:
    """Return a typed number of inches with two decimals. Raises ValueError for other text."""
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"{word!a} is no number of inches such as 31 or 9.50")
    whole, _point, decimals = word.partition(".")
    return f"{whole}.{decimals.ljust(2, '0')}"


def turn_words(words: Sequence[str]) -> list[str]:
    """2.2: return the words of an order, with the model before its place. The words 'at' and 'with' are dropped."""
    said = [word for word in words if word.lower() not in ("at", "with")]
    first = all(_NUMBER.fullmatch(word) for word in said[:2]) and len(said) > 2
    return [*said[2:], *said[:2]] if first else said


def split_places(ask: OrderContext, words: Sequence[str], example: str) -> tuple[str, list[str]]:
    """Return a model's name and the places after it. The name ends before the first words that can be places."""
    known = list_models(ask.setting, ask.state.side)
    if not words or _NUMBER.fullmatch(words[0]):
        raise UsageError(f"type a model, then inches from the left and from the lower edge, as in '{example}'")
    ends = [end for end in range(1, len(words) + 1) if len(names.match(" ".join(words[:end]), known)) == 1]
    for end in ends:
        spots = [word.strip(",") for word in words[end:]]
        if len(spots) % 2 == 0 and all(map(_NUMBER.fullmatch, spots)):
            written = [*map(format_inches, spots)]
            return names.match(" ".join(words[:end]), known)[0], [
                f"{x}, {y}" for x, y in zip(written[::2], written[1::2], strict=True)
            ]
    if not ends:
        count = next((count for count, word in enumerate(reversed(words)) if not word[:1].isdigit()), 0)
        count -= count % 2 if count > 1 else 0  # 'pz 9 31 12': the first number belongs to the name
        find_own(ask, " ".join(words[: len(words) - count]), known, "model")
        raise UsageError(f"type a model, then inches from the left and from the lower edge, as in '{example}'")
    raise _explain_places(" ".join(words[: ends[-1]]), words[ends[-1] :], example)


def _explain_places(name: str, words: Sequence[str], example: str) -> UsageError:
    """Return an error for the words after the name of a model."""
    behind = f"a place after {name} needs two, inches from the left and from the lower edge, as in '{example}'"
    if odd := [word for word in words if not _NUMBER.fullmatch(word.strip(","))]:
        return UsageError(f"{odd[0]!a} is no number of inches such as 31 or 9.50: {behind}")
    few = "is missing" if len(words) == 1 else "is missing, or there is one too many"
    return UsageError(f"a number {few}: {behind}")
