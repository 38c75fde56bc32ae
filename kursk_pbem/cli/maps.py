"""map: a position as text."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import columns, home, in_colour, on_terminal, page_width, say

_USUAL = 80  # columns of the usual terminal

@cli.command("map")
@click.argument("game", default="")
@click.option("--around", default=None, help="Show only the part around this place or unit.")
@click.option("--radius", type=click.IntRange(0), help="How far around: in hexes (usually 3), or inches (usually 12).")
@click.option("--zoc", default="", metavar="SIDE", help="Shade the zones of control of this side.")
@click.option("--formations", is_flag=True, help="Name the formations of the units shown.")
@click.option("--legend", is_flag=True, help="Say what the signs mean.")
def map_(game: str, around: str | None, radius: int | None, zoc: str, formations: bool, legend: bool) -> None:
    """Print a position as a text map: of a GAME, after a signed message, after your own draft, of a scenario.

    On a terminal the map is as wide as that is, and in colour (not with NO_COLOR). What your own dice have done is on
    the map of your draft (such as 0004.draft.yaml), not yet on that of the folder.
    """
    from kursk_pbem.desk import places
    from kursk_pbem.report import textmap
    from kursk_pbem.report.layout import wrap

    seen = places.seen(game, home())
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
