"""status, report, map, rule: looking at a game and its rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, json_option, say, say_json
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.game.record import Game


def _at(path: Path) -> tuple[Game, Path, int]:
    """The game as of a file (up to and with it) or a folder (whole); its folder; the number of the message meant."""
    from kursk_pbem.game import folder, record, reports

    if path.is_dir():
        game = record.load(path)
        return game, path, game.chain.next_seq - 1
    message = folder.read_message(path)
    game, _report = reports.rebuild(path.parent, message.seq)
    if game.chain.head_id != message.id:
        raise _stranger(path, message.seq)
    return game, path.parent, message.seq


def _stranger(path: Path, seq: int) -> UsageError:
    return UsageError(f"{path} is not message {seq} of the game in {path.parent}; 'kursk adjudicate' takes it")


@cli.command()
@click.argument("path", type=PATH)
@json_option
def status(path: Path, as_json: bool) -> None:
    """Turn, what is owed by whom, mails to come, losses, victory points, and which data are not the printed ones."""
    from kursk_pbem.game import private

    game, folder, seq = _at(path)
    own = private.find(home(), game.chain.game)
    facts = _facts(game, seq)
    facts["you"] = own.side if own else "an auditor"
    if as_json:
        say_json(facts)
        return
    lines = [f"{game.title} ({folder})"]
    if game.verdict:
        lines.append(game.verdict.text)
    else:
        low, high = facts["mails"]["least"], facts["mails"]["most"]
        count = str(low) if low == high else f"{low} to {high}"
        lines += [
            f"turn {game.state.turn}; message {seq + 1} is for the {facts['next']} side: {game.stage.brings}",
            f"this turn will take {count} more mails, this one included; you are {facts['you']}",
        ]
    lines += _table(game)
    lines.append("data that are not attested: " + ", ".join(facts["reconstructed"]))
    lines.append(f"head {game.chain.head_id[:32]}, {seq + 1} messages")
    say("\n".join(lines))


def _facts(game: Game, seq: int) -> dict[str, Any]:
    low, high = (0, 0) if game.over else game.ruleset.mails_to_come(game.state.stage)
    provenance = game.setting.scenario.provenance
    parts = [part for part in provenance if part.status != "attested" and part.part.count("/") < 2]
    doubtful = [f"{part.part} ({part.status})" for part in parts]
    return {
        "game": game.chain.game,
        "head": game.chain.head_id,
        "messages": seq + 1,
        "turn": game.state.turn,
        "stage": game.state.stage,
        "next": "" if game.over else game.chain.writer(game.chain.next_seq),
        "mails": {"least": low, "most": high},
        "verdict": game.verdict.text if game.verdict else "",
        "standing": [list(row) for row in game.ruleset.standing(game.setting, game.state).rows],
        "reconstructed": doubtful,
    }


def _table(game: Game) -> list[str]:
    rows = game.ruleset.standing(game.setting, game.state).rows
    width = max(len(row[0]) for row in rows if len(row) == 3)
    return [
        f"  {row[0]:<{width}}  {row[1]:>14}  {row[2]:>18}" if len(row) == 3 else f"  {row[0]}: {row[1]}" for row in rows
    ]


@cli.command()
@click.argument("path", type=PATH)
def report(path: Path) -> None:
    """Print the report of one message FILE, or of every message of a game folder."""
    from kursk_pbem.game import folder, reports

    if path.is_dir():
        for text in reports.all_of(path):
            say(text)
        return
    message = folder.read_message(path)
    game, text = reports.rebuild(path.parent, message.seq)
    if game.chain.head_id != message.id:
        raise _stranger(path, message.seq)
    say(text)


@cli.command("map")
@click.argument("path", type=PATH)
@click.option("--around", default=None, help="Only the hexes about this one.")
@click.option("--radius", default=3, show_default=True, help="How far around.")
def map_(path: Path, around: str | None, radius: int) -> None:
    """Print the position of a game folder, or after one message FILE, as a text map."""
    from kursk_pbem.report import textmap

    game, _folder, _seq = _at(path)
    cells = game.ruleset.map_cells(game.setting, game.state)
    say(textmap.render(game.setting.board.grid, cells, around=around, radius=radius, legend=game.ruleset.legend))


@cli.command()
@click.argument("ruleset")
@click.argument("paragraph", required=False)
def rule(ruleset: str, paragraph: str | None) -> None:
    """Say what a paragraph of RULESET requires, in our words; without PARAGRAPH, list them all."""
    from kursk_pbem.game import rules

    found = rules.paragraphs(ruleset, paragraph)
    if paragraph is None:
        for each in found:
            say(f"{each.id:30} {each.title} ({each.status})")
        return
    for each in found:
        say(f"[{each.id}] {each.title} ({each.status})")
        say(f"  {each.text}")
        if each.why:
            say(f"  why {each.status}: {each.why}")
        if each.rulings:
            say(f"  rulings: {', '.join(each.rulings)} (docs/rulings/{ruleset}.md)")
