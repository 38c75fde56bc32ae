"""2.0-x, 2.0-ae: the choice of lost units, in whole factors. Step-by-step sums keep large stacks quick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kursk_pbem.kernel.hexes.fights import named_first, take_losses

Chosen = tuple[str, ...]


def list_totals(worth: Mapping[str, int], order: Sequence[str]) -> dict[int, Chosen]:
    """Return a choice of units for each possible total worth. Units that are early in ``order`` are preferred."""
    reached: dict[int, Chosen] = {0: ()}
    for uid in reversed(order):
        more = {total + worth[uid]: (uid, *chosen) for total, chosen in reached.items()}
        reached = {**reached, **more}  # choices with the earlier unit replace choices without it
    return reached


def choose_payment(worth: Mapping[str, int], due: int, wishes: Sequence[str] = ()) -> Chosen:
    """J-10, J-46: return the cheapest units worth at least ``due`` together. In a tie, wishes decide, then low ids."""
    reached = list_totals(worth, named_first(worth, wishes))
    enough = [total for total in reached if total >= due]
    return reached[min(enough)] if enough else tuple(worth)


def choose_victims(worth: Mapping[str, int], due: int, wishes: Sequence[str]) -> Chosen:
    """J-9: return units worth at least ``due`` together, first those in ``wishes``. None of them is superfluous."""
    if not any(uid in worth for uid in wishes):
        return choose_payment(worth, due)
    chosen = take_losses(worth, due, wishes)
    missing = due - sum(worth[uid] for uid in chosen)
    if missing > 0:
        chosen += choose_payment({uid: number for uid, number in worth.items() if uid not in chosen}, missing)
    for uid in tuple(chosen):
        if sum(worth[other] for other in chosen if other != uid) >= due:
            chosen.remove(uid)
    return tuple(chosen)


def choose_largest(worth: Mapping[str, int], most: int) -> Chosen:
    """J-10, J-46: return the units with the greatest total worth up to ``most``. In a tie the lowest ids win."""
    reached = list_totals(worth, sorted(worth))
    return reached[max(total for total in reached if total <= most)]
