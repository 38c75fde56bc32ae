"""Results, decisions and paragraphs that random games never reached."""

from __future__ import annotations

from collections.abc import Iterator

from helpers import finished_games, paragraphs
from helpers.reached import Reached
from helpers.registry import Kit
from helpers.replays import replayed


def replay_finished_games(kit: Kit) -> Reached:
    """Return the events of the finished games of a ruleset."""
    reached = Reached()
    for name in kit.plots:
        for step in replayed(finished_games.folder_of(kit, name)):
            if step.result is not None:
                reached.add(step.result.events)
    return reached


def list_missing(kit: Kit, reached: Reached) -> Iterator[str]:
    """Yield lines of unreached paragraphs, decisions and results. Finished games give the expected events.

    The last line lists coded paragraphs without an event, for example paragraphs that only refuse orders.
    """
    known = replay_finished_games(kit)
    coded = set(paragraphs.list_coded(kit))
    silent = sorted(coded - {*reached.paragraphs} - {*known.paragraphs})
    for what, names in (
        ("decisions", {*known.decisions} - {*reached.decisions}),
        ("results", {*known.results} - {*reached.results}),
        ("paragraphs", coded & {*known.paragraphs} - {*reached.paragraphs}),
    ):
        yield f"{what} of the finished games that were never reached: {', '.join(sorted(names)) or 'none'}"
    yield f"paragraphs that no event cites, here or there: {', '.join(silent) or 'none'}"
