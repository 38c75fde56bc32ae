"""report, map, rule: looking at a game and its rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import home, json_option, say, say_json
from kursk_pbem.cli.games import AHEAD, game_argument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.game.game import Game
    from kursk_pbem.game.history import Step


_TERMINAL = 80  # columns of the usual one


@cli.command()
@game_argument()
@click.option("--turn", help="Only this game turn, such as 2: all its messages, with headlines of the whole turn.")
@click.option("--story", is_flag=True, help="Prose to be read aloud instead, without ids and paragraph numbers.")
@click.option("--proof", is_flag=True, help="With every die, how anybody recomputes it.")
@json_option
def report(path: Path, turn: str | None, story: bool, proof: bool, as_json: bool) -> None:
    """Print the report of one message FILE, or of every message of a game folder, or of one game turn."""
    from kursk_pbem.game import chapters, history, reports

    whole = path.is_dir()
    steps: Iterable[Step] = history.walk(path) if whole else history.at(path).steps[0 if turn else -1 :]
    if turn:
        steps = chapters.of_turn(tuple(steps), turn)
    if story:
        say(chapters.story(tuple(steps)).rstrip("\n"))
        return
    if turn and not as_json:
        say(chapters.summary(tuple(steps)))
    told = []
    for step in steps:  # one by one: what is told before a fault is found stands
        say_json(chapters.to_plain(step)) if as_json else say(reports.of_step(step, proof=proof))
        told.append(step)
    if whole and not (turn or as_json):
        found = history.with_papers(path, told)
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
