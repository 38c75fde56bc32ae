"""report, map, rule: looking at a game and its rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import home, say
from kursk_pbem.cli.games import AHEAD, game_argument

if TYPE_CHECKING:

    from kursk_pbem.game.game import Game


_TERMINAL = 80  # columns of the usual one


@cli.command()
@game_argument()
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


@cli.command("map")
@game_argument(want=AHEAD)
@click.option("--around", default=None, help="Show only the part around this place or unit.")
@click.option("--radius", type=click.IntRange(0), help="How far around: in hexes (usually 3), or inches (usually 12).")
def map_(path: Path, around: str | None, radius: int | None) -> None:
    """Print a position as a text map: of a game folder, after a signed message, or after your own draft.

    What your own dice have done is on the map of your draft (such as 0004.draft.yaml), not yet on that of the folder.
    """
    from kursk_pbem.report import textmap

    game = _position(path)
    picture = game.ruleset.seen.picture(game.setting, game.state)
    text = textmap.render(picture, around=around, radius=radius)
    say(text.rstrip("\n"))
    wide = max(map(len, text.splitlines()))
    if not around and wide > _TERMINAL:
        part = f"--around, with a place or a unit, shows a part that fits in {_TERMINAL}"
        say(f"This map is {wide} columns wide; {part}.")


def _position(path: Path) -> Game:
    """The game as it is in a folder, after a signed message, or as a draft would leave it."""
    if path.is_file() and path.name.endswith(".draft.yaml"):
        from kursk_pbem.desk import outlook

        seen = outlook.look(path, home(), ahead=False)
        return replace(seen.game, state=seen.state)
    from kursk_pbem.game import history

    return history.at(path).game


@cli.command()
@click.argument("ruleset")
@click.argument("paragraph", required=False)
@click.option("--code", is_flag=True, help="For contributors: also the files and functions that cite the paragraph.")
def rule(ruleset: str, paragraph: str | None, code: bool) -> None:
    """Say what a paragraph of RULESET requires, in our words; without PARAGRAPH, list them all."""
    from kursk_pbem.game import rules
    from kursk_pbem.report.layout import wrap

    found = rules.paragraphs(ruleset, paragraph)
    cited = _cited(ruleset) if code else {}
    for each in found:
        if paragraph is None:
            say(f"{each.id:30} {each.title} ({each.status})")
        else:
            lines = [each.text]
            if each.why:
                lines.append(f"why {each.status}: {each.why}")
            if each.rulings:
                lines.append(f"rulings: {', '.join(each.rulings)} (docs/rulings/{ruleset}.md)")
            say(f"[{each.id}] {each.title} ({each.status})")
            say("\n".join(row for text in lines for row in wrap(text, "  ")))
        if code:
            say("\n".join(f"  {place}" for place in cited.get(each.id, ["no function cites it"])))


def _cited(ruleset: str) -> dict[str, list[str]]:
    """Paragraph id -> the places in the code that cite it. Players never wait for these imports."""
    from kursk_pbem.game import citations

    return {each: list(map(str, places)) for each, places in citations.of_ruleset(ruleset).items()}
