"""Several messages described together: a turn of a game, or a story to read aloud. The texts come from events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.game import reports
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel import past
from kursk_pbem.kernel.account.lines import sentence
from kursk_pbem.report.layout import wrap


def select_turn(steps: Sequence[Step], turn: str) -> tuple[Step, ...]:
    """Return the messages written in a turn. Raises UsageError if the turn has no messages."""
    in_turn = tuple(step for step in steps if step.before.state.turn.lower() == turn.lower())
    if not in_turn:
        turns = ", ".join(dict.fromkeys(step.before.state.turn for step in steps))
        raise UsageError(f"no message of turn {turn!r} is here; the game has messages of the turns {turns}")
    return in_turn


def describe_history(step: Step) -> str:
    """Return a line with the historical postures and cities in a message's turn; '' if the scenario has no data."""
    game, seen = step.after, step.after.ruleset.seen
    picture, words = seen.picture(game.setting, game.state), seen.words(game.setting)
    return past.compare_front(game.setting.scenario, game.state.turn, picture, words)


def split_turns(steps: Sequence[Step]) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield the turns of a game in order with their messages."""
    for turn, turn_steps in groupby(steps, key=lambda step: step.before.state.turn):
        yield turn, tuple(turn_steps)


def summarize_turn(steps: Sequence[Step]) -> str:
    """Return a summary of a turn's messages: their headlines, then the player who writes the next message."""
    first, last = steps[0], steps[-1]
    number = f"message {first.message.seq}"
    if len(steps) > 1:
        number = f"messages {first.message.seq} to {last.message.seq}"
    lines = [f"Turn {first.before.state.turn}: {number}"]
    for text in reports.complete_headlines(last.after, _describe_events(steps, "headlines")):
        lines += wrap(text, "  ", "      ")
    return "\n".join((*lines, ""))


def tell_story(steps: Sequence[Step]) -> str:
    """Return messages as prose to read aloud, turn by turn, without ids and paragraphs of the rules."""
    lines: list[str] = []
    for turn, turn_steps in split_turns(steps):
        lines += [f"Turn {turn}", ""]
        idle = [] if turn_steps[-1].after.verdict is not None else ["Nothing happened."]
        for text in [*_write_chapter(turn_steps)] or idle:
            lines += [*wrap(text), ""]
    verdict = steps[-1].after.verdict
    if verdict is not None:
        lines += [*wrap(f"The game was over. {sentence(reports.remove_paragraph(verdict.text))}"), ""]
    return "\n".join(lines)


def write_prose(step: Step) -> list[str]:
    """Return the paragraphs of one message as prose."""
    return list(_write_chapter((step,)))


def _write_chapter(steps: Sequence[Step]) -> Iterator[str]:
    """Yield the paragraphs of a turn. Offers and replies keep their place between the events before and after."""
    for said, group in groupby(steps, key=_describe_offer):
        yield from _describe_events(tuple(group), "story")  # an offer can contain dice that were due
        if said:
            yield said


def _describe_offer(step: Step) -> str:
    """Return a sentence for an offer or a reply; '' for other messages, also for a referee's hand-on."""
    words, sender, after = step.before.ruleset.seen.words(step.before.setting), step.message.sender, step.after.chain
    match step.message.type:
        case "offer":
            what = "to continue in another game" if "game" in after.offer else reports.describe_offer(after.offer)
            return f"The {words.side(sender)} side offered {what}."
        case "reply":
            return f"The {words.side(sender)} side {'accepted' if after.agreed else 'declined'}."
        case _:
            return ""


def _describe_events(steps: Sequence[Step], how: str) -> tuple[str, ...]:
    """Return the ruleset's texts for the events of these messages. ``how``: the name of the ruleset's function."""
    game, events = steps[0].before, [event for step in steps if step.result for event in step.result.events]
    texts: tuple[str, ...] = getattr(game.ruleset.seen, how)(game.setting, game.state, events, steps[-1].after.state)
    return texts


def to_plain(step: Step) -> dict[str, Any]:
    """Return a message as plain data: number, id, headlines and story."""
    message = step.message
    return {
        "game": step.after.chain.game,
        "seq": message.seq,
        "turn": step.before.state.turn,
        "from": message.sender,
        "id": message.id,
        "headlines": list(reports.make_headlines(step.before, step.after, message, step.result)),
        "story": write_prose(step),
    }
