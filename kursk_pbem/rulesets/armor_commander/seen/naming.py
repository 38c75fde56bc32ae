"""Who is meant by the words of an order (4.2, 5.2): models and units of both sides, and what stands behind a name."""

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


def models(setting: Setting, side: str) -> dict[str, tuple[str, ...]]:
    """Models of a side by id, with the name on the counter, and that with the number of the model: 'Panzer IV 1'."""
    return {
        mid: (model.name, f"{model.name} {mid.rpartition('-')[2]}")
        for mid, model in setting.models.items()
        if model.side == side
    }


def units(setting: Setting, side: str) -> dict[str, tuple[str, ...]]:
    """Units of a side by id, with their names."""
    return {uid: (unit.name,) for uid, unit in setting.units.items() if unit.side == side}


def everybody(setting: Setting, side: str) -> dict[str, tuple[str, ...]]:
    """Units and models of a side; a gun is both."""
    return {**units(setting, side), **models(setting, side)}


def own(ask: OrderContext, said: str, known: Known, what: str, first: Known | None = None) -> str:
    """The id of what is meant among ``known``; UsageError, which says of an enemy that it is one."""
    _other_side(ask, said, known, other(SIDES, ask.state.side), "is the enemy's")
    fits = names.match(said, everybody(ask.setting, ask.state.side))
    if len(fits) == 1 and not names.match(said, known):
        raise UsageError(_other_kind(ask.setting, fits[0]))
    return names.find(said, known, what, first)


def _other_kind(setting: Setting, name: str) -> str:
    """4.2: a unit was named where one of its models is wanted, or a model where its unit is."""
    if name in setting.units:
        return f"{name} is a unit: name one of its models, {', '.join(setting.units[name].models)}"
    return f"{name} is a model: name its unit, {setting.models[name].unit}"


def targets(ask: OrderContext, words: Sequence[str]) -> list[str]:
    """Enemies one after the other, with 'then' between them or without; UsageError says what is one's own."""
    foes = everybody(ask.setting, other(SIDES, ask.state.side))
    for part in " ".join(words).split(" then "):
        _other_side(ask, part, foes, ask.state.side, "is your own")
    return list(names.find_several([word for word in words if word != "then"], foes, "enemy"))


def _other_side(ask: OrderContext, said: str, known: Known, side: str, whose: str) -> None:
    """UsageError: nobody who is known is called so, but somebody of the other side is."""
    theirs = everybody(ask.setting, side)
    if names.match(said, known) or not (fits := names.match(said, theirs)):
        return
    raise UsageError(f"{said!a} {whose}: {', '.join(names.name_with_id(uid, theirs) for uid in fits)}")


def inches(word: str) -> str:
    """A number of inches as files have it, with two decimals, however few were said. ValueError for what is none."""
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"{word!a} is no number of inches such as 31 or 9.50")
    whole, _point, decimals = word.partition(".")
    return f"{whole}.{decimals.ljust(2, '0')}"


def turned(words: Sequence[str]) -> list[str]:
    """2.2: a model before its place, also where the place was said first, or 'at' or 'with' between the two."""
    said = [word for word in words if word.lower() not in ("at", "with")]
    first = all(_NUMBER.fullmatch(word) for word in said[:2]) and len(said) > 2
    return [*said[2:], *said[:2]] if first else said


def placed(ask: OrderContext, words: Sequence[str], example: str) -> tuple[str, list[str]]:
    """A model and the places behind its name, as a file has them: in 'pz 1 31 9' the 1 is of the name.

    A number may belong to the name or to a place: taken is the shortest name that leaves two for each place.
    """
    known = models(ask.setting, ask.state.side)
    if not words or _NUMBER.fullmatch(words[0]):
        raise UsageError(f"say a model, then inches from the left and from the lower edge, as in '{example}'")
    ends = [end for end in range(1, len(words) + 1) if len(names.match(" ".join(words[:end]), known)) == 1]
    for end in ends:
        spots = [word.strip(",") for word in words[end:]]
        if len(spots) % 2 == 0 and all(map(_NUMBER.fullmatch, spots)):
            written = [*map(inches, spots)]
            return names.match(" ".join(words[:end]), known)[0], [
                f"{x}, {y}" for x, y in zip(written[::2], written[1::2], strict=True)
            ]
    if not ends:
        count = next((count for count, word in enumerate(reversed(words)) if not word[:1].isdigit()), 0)
        count -= count % 2 if count > 1 else 0  # 'pz 9 31 12': the first number belongs to the name
        own(ask, " ".join(words[: len(words) - count]), known, "model")
        raise UsageError(f"say a model, then inches from the left and from the lower edge, as in '{example}'")
    raise _unplaced(" ".join(words[: ends[-1]]), words[ends[-1] :], example)


def _unplaced(name: str, words: Sequence[str], example: str) -> UsageError:
    """What is wrong with the words behind the name of a model."""
    behind = f"behind {name} stand two for each place, inches from the left and from the lower edge, as in '{example}'"
    if odd := [word for word in words if not _NUMBER.fullmatch(word.strip(","))]:
        return UsageError(f"{odd[0]!a} is no number of inches such as 31 or 9.50: {behind}")
    few = "is missing" if len(words) == 1 else "is missing, or there is one too many"
    return UsageError(f"a number {few}: {behind}")
