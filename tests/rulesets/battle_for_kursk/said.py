"""What a message holds as a player would say it: the orders of ``kursk order`` for plain data."""

from collections.abc import Iterator, Mapping
from typing import Any


def orders(content: Mapping[str, Any]) -> list[str]:
    """The orders that write these choices into an empty draft, one after the other."""
    return [
        *_posture(content),
        *_orders(content.get("orders", {})),
        *_answers(content.get("policy", {})),
        *(f"decide {each}" for each in content.get("decisions", {}).values()),
        *_plans(content),
    ]


def _posture(content: Mapping[str, Any]) -> Iterator[str]:
    for key in ("choice", "seal"):
        for label, value in content.get(key, {}).items():
            if label.startswith("posture/"):
                yield f"posture {value['posture']}{' reaction' if value.get('reaction') == 'yes' else ''}"
    if content.get("waive"):
        yield "waive"


def _orders(held: Mapping[str, Any]) -> Iterator[str]:
    if held.get("distribution"):
        yield f"distribute {' '.join(held['distribution'])}"
    if held.get("objective"):
        yield f"objective {held['objective']}"
    yield from (f"return {each['unit']} {each['hex']}" for each in held.get("returns", ()))
    yield from (f"replace {each['unit']} {each.get('hex', '')}" for each in held.get("replacements", ()))
    if held.get("give-ups"):
        yield f"give-up {' '.join(held['give-ups'])}"
    yield from _moves("rail", held.get("armor-and-rail", ()))
    yield from map(_battle, held.get("battles", ()))
    yield from _moves("march", held.get("movement", ()))


def _moves(verb: str, moves: Any) -> Iterator[str]:
    return (f"{verb} {each['unit']} {each.get('to') or ' '.join(each['path'])}" for each in moves)


def _battle(battle: Mapping[str, Any]) -> str:
    words = ["attack", battle["hex"], "as", battle["id"], "with", *battle["attackers"]]
    if "offensive" in battle:
        words += ["lead", battle["offensive"]["lead"], "support", *battle["offensive"]["support"]]
    for key in ("retreat", "losses", "advance"):
        if battle.get(key):
            words += [key, *battle[key]]
    return " ".join(words)


def _plans(content: Mapping[str, Any]) -> Iterator[str]:
    for label, plans in content.get("seal", {}).items():
        if label.startswith("plans/"):
            for battle, plan in plans.items():
                yield " ".join(["plan", battle, *(word for key, wishes in plan.items() for word in (key, *wishes))])


def _answers(policy: Mapping[str, Any]) -> Iterator[str]:
    for key, value in policy.items():
        if isinstance(value, str):
            yield f"answer {key} {value}"
        else:
            yield from (f"answer {name} {right} {when}" for name, each in value.items() for right, when in each.items())
