"""status, report, map, rule: looking at a game and its rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, json_option, say, say_json
from kursk_pbem.errors import TrustError

if TYPE_CHECKING:

    from kursk_pbem.game.game import Game
    from kursk_pbem.game.journal import Record


@cli.command()
@click.argument("path", type=PATH)
@json_option
def status(path: Path, as_json: bool) -> None:
    """Say whose turn it is, which message is due, how many mails come, how things stand, and which data are ours."""
    from kursk_pbem.game import history, journal, scenarios
    from kursk_pbem.report.layout import wrap

    found = history.at(path)
    game, folder, seq = found.game, path if path.is_dir() else path.parent, found.last.seq
    own = journal.find(home(), game.chain.game)
    facts = _facts(game, seq)
    facts["you"] = own.side if own else "an auditor"
    facts["locked"] = _lock(folder, game, own)
    if as_json:
        say_json(facts)
        return
    lines = [f"{game.title} ({folder})"]
    if game.verdict:
        lines.append(game.verdict.text)
    else:
        low, high = facts["mails"]["least"], facts["mails"]["most"]
        count = f"{low} to {high} more mails" if low < high else f"{low} more mail{'s' if low > 1 else ''}"
        due = f"the reply to an offer, {facts['offer']}: kursk reply" if facts["offer"] else game.stage.brings
        if game.hands_on:
            due = "to hand on"
        lines += [
            f"turn {game.state.turn}; message {seq + 1} is for {game.due}: {due}",
            f"this turn will take {count}, this one included; you are {facts['you']}",
        ]
        if facts["locked"]:
            lines.append(f"SIGNING IS LOCKED: {facts['locked']}")
        if facts["due"]:
            lines.append(f"message {seq + 1} is due {facts['due']}, by the referee's receipt of message {seq}")
    lines += _table(game)
    for word, parts in scenarios.not_printed(game.setting.scenario).items():
        lines += wrap(f"{word} ({scenarios.MEANINGS[word]}): {', '.join(parts)}", "", "  ")
    lines.append(f"head {game.chain.head_id[:32]}, {seq + 1} messages")
    say("\n".join(lines))


def _lock(folder: Path, game: Game, own: Record | None) -> str:
    """Why this player cannot sign here, '' if they can."""
    from kursk_pbem.desk import desk

    try:
        return desk.compare(folder, game, own) if own else ""
    except TrustError as error:  # to look is allowed all the same
        return str(error)


def _facts(game: Game, seq: int) -> dict[str, Any]:
    from kursk_pbem.game import reports, scenarios

    ours = scenarios.not_printed(game.setting.scenario)
    low, high = game.mails_to_come
    return {
        "game": game.chain.game,
        "head": game.chain.head_id,
        "messages": seq + 1,
        "turn": game.state.turn,
        "stage": game.state.stage,
        "next": "" if game.over else game.chain.writer(game.chain.next_seq),
        "mails": {"least": low, "most": high},
        "due": "" if game.over else game.papers.due(seq),
        "offer": reports.offered(game.chain.offer) if game.chain.offer else "",
        "verdict": game.verdict.text if game.verdict else "",
        "standing": [list(row) for row in game.ruleset.seen.standing(game.setting, game.state)],
        "reconstructed": [f"{part} ({word})" for word, parts in ours.items() for part in parts],
    }


def _table(game: Game) -> list[str]:
    rows = game.ruleset.seen.standing(game.setting, game.state)
    width = max((len(row[0]) for row in rows if len(row) == 3), default=0)
    return [
        f"  {row[0]:<{width}}  {row[1]:>14}  {row[2]:>18}" if len(row) == 3 else f"  {row[0]}: {row[1]}" for row in rows
    ]


@cli.command()
@click.argument("path", type=PATH)
def report(path: Path) -> None:
    """Print the report of one message FILE, or of every message of a game folder."""
    from kursk_pbem.game import history, reports

    if not path.is_dir():
        say(reports.of_step(history.at(path).steps[-1]))
        return
    steps = []
    for step in history.walk(path):
        say(reports.of_step(step))
        steps.append(step)
    found = history.with_papers(path, steps)
    if found.papers.all:
        say(reports.of_papers(found.game))
