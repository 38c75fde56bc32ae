"""map: a position as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import columns, home, in_colour, on_terminal, page_width, say
from kursk_pbem.cli.games import AHEAD, complete_games, completes, pick

if TYPE_CHECKING:
    from kursk_pbem.desk.places import Place

_USUAL = 80  # columns of the usual terminal

place_argument = click.argument("game", metavar="[GAME | SCENARIO]", default="", shell_complete=complete_games)


def look_at(typed: str, want: str = AHEAD) -> Place:
    """The position of the scenario or game that was typed; ``want``: what of a game (``cli.games``). KurskError."""
    from kursk_pbem.desk import places

    return places.of_scenario(typed) or places.of_game(pick(typed, want), home())


@cli.command("map")
@place_argument
@click.option(
    "--around", default=None, shell_complete=completes("pieces"), help="Show only the part around this place or unit."
)
@click.option("--radius", type=click.IntRange(0), help="How far around: in hexes (usually 3), or inches (usually 12).")
@click.option("--zoc", default="", metavar="SIDE", help="Shade the zones of control of this side.")
@click.option("--formations", is_flag=True, help="Name the formations of the units shown.")
@click.option("--legend", is_flag=True, help="Say what the signs mean.")
def map_(game: str, around: str | None, radius: int | None, zoc: str, formations: bool, legend: bool) -> None:
    """Print a position as a text map: of a game, after a signed message, after your own draft, of a scenario.

    On a terminal the map is as wide as that is, and in colour (not with NO_COLOR). What your own dice have done is on
    the map of your draft (such as 0004.draft.yaml), not yet on that of the folder.
    """
    from kursk_pbem.report import textmap
    from kursk_pbem.report.layout import wrap

    seen = look_at(game)
    picture = seen.ruleset.seen.picture(seen.setting, seen.state)
    page = textmap.Page(columns() if on_terminal() else 0, in_colour(), zoc)
    text = textmap.render(picture, around=around, radius=radius, page=page)
    say(text.rstrip("\n"), styled=True)
    notes = [seen.left_out] if seen.left_out else []
    notes += textmap.signs(picture, page, whole=not around) if legend else []
    notes += picture.notes
    notes += textmap.formations(picture, around, radius, page) if formations else []
    notes += [] if legend else [_hint(text, around)]
    say("\n".join(["", *(line for note in notes for line in wrap(note, "", "  ", page_width()))]))


def _hint(text: str, around: str | None) -> str:
    """How to read the map, and how to get a smaller one where it is wide and goes to a file."""
    wide = max(map(len, text.splitlines()), default=0)
    if around or on_terminal() or wide <= _USUAL:
        return "--legend says what the signs mean."
    return (
        f"This map is {wide} columns wide; --around, with a place or a unit, shows a part that fits in {_USUAL}. "
        "--legend says what the signs mean."
    )
