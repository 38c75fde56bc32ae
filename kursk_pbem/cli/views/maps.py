"""map: a position as text, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import (
    PATH,
    colour,
    home,
    in_colour,
    in_json,
    json_option,
    map_columns,
    note,
    on_terminal,
    pairs,
    say,
    say_json,
    wrap_words,
)
from kursk_pbem.cli.games import AHEAD, completion_of, pick_path
from kursk_pbem.cli.handing import force_option, hand_over
from kursk_pbem.desk.games import views
from kursk_pbem.errors import UsageError
from kursk_pbem.report import textmap

if TYPE_CHECKING:
    from kursk_pbem.desk.games.views import Subject

place_argument = click.argument("game", metavar="[GAME | SCENARIO]", default="", shell_complete=completion_of("places"))


option_option = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="A game option of a SCENARIO."
)


def look_at(typed: str, want: str = AHEAD, options: tuple[str, ...] = ()) -> Subject:
    """Return the position of the typed scenario or game. ``want``: see ``cli.games``. Raises KurskError."""
    if (seen := views.view_scenario(typed, pairs(options))) is not None:
        return seen
    if options:
        raise UsageError("the options of a game are fixed: leave --option out, or type a scenario instead of the game")
    return views.view_game(pick_path(typed, want), home())


def of_options(seen: Subject) -> list[str]:
    """Return a line about a scenario's options, with the command for other options; '' for a game."""
    rest = [(option.key, value) for option in seen.ruleset.options for value in option.values]
    other = next((f"{key}={value}" for key, value in rest if seen.options.get(key, value) != value), "")
    held = ", ".join(f"{key}={value}" for key, value in seen.options.items())
    return [f"Shown with {held}; type '--option {other}' for a different value."] if other else []


@cli.command("map")
@place_argument
@option_option
@click.option(
    "--around", default=None, shell_complete=completion_of("pieces"), help="Show only the area of a place or unit."
)
@click.option("--radius", type=click.IntRange(0), help="How far around: in hexes (usually 3), or inches (usually 12).")
@click.option(
    "--color", type=click.Choice(["always", "never", "auto"]), default="auto", help="Colour; auto: on a terminal."
)
@click.option("--zoc", default="", metavar="SIDE", help="Shade the zones of control of a side.")
@click.option("--formations", is_flag=True, help="Name the formations of the units shown.")
@click.option("--legend", is_flag=True, help="Explain the signs.")
@click.option("--svg", is_flag=True, help="A picture in SVG instead of text.")
@click.option("--moves", is_flag=True, help="With --svg: arrows for the last message, or for a draft.")
@click.option("-o", "--output", type=PATH, help="With --svg: the file to write; otherwise print the picture.")
@force_option
@json_option
def map_command(
    game: str,
    around: str | None,
    radius: int | None,
    color: str,
    zoc: str,
    formations: bool,
    legend: bool,
    options: tuple[str, ...],
    **picture: Any,
) -> None:
    """Print a position as a map: of a game, after a signed message, after your own draft, of a scenario.

    On a terminal the map fits the width, if need be in strips, and has colors (not with NO_COLOR). The map of your
    draft (such as 0004.draft.yaml) shows the results of your own dice; the map of the folder does not.
    """
    if not picture["svg"] and (picture["moves"] or picture["output"]):
        raise click.UsageError("--moves and --output need --svg")
    if picture["svg"]:
        _draw_picture(
            (game, options), (zoc, around, radius), picture["output"], moves=picture["moves"], force=picture["force"]
        )
        return
    seen = look_at(game, options=options)
    if in_json():
        _tell_position(seen, around)
        return
    shapes = seen.picture(mailed=False)
    colour(color)
    page = textmap.Page(map_columns(), in_colour(), zoc)
    text = textmap.render_map(shapes, around=around, radius=radius, page=page)
    say(text.rstrip("\n"), styled=True)
    notes = [note for note in (seen.left_out, seen.unshown()) if note]
    notes += textmap.explain_signs(shapes, around, radius, page) if legend else []
    notes += shapes.notes()
    notes += textmap.formations(shapes, around, radius, page) if formations else []
    notes += of_options(seen)
    notes += [] if legend else ["--legend explains the signs. --around PLACE shows a part of the map."]
    say("\n".join(["", *(line for note in notes for line in wrap_words(note, "", "  "))]))


def _draw_picture(
    what: tuple[str, tuple[str, ...]],
    view: tuple[str, str | None, int | None],
    output: Path | None,
    *,
    moves: bool,
    force: bool,
) -> None:
    """Draw a position, and print or write the picture. Raises KurskError."""
    game, options = what
    if moves and views.is_scenario_path(game):
        raise UsageError("a scenario has no moves yet: leave --moves out")
    if output is None and in_json():
        raise UsageError("--json cannot print a picture: add a file for the picture, as in '-o map.svg'")
    if output is None and on_terminal():
        raise UsageError("a terminal cannot show the picture: add a file for the picture, as in '-o map.svg'")
    seen = look_at(game, options=options)
    text = views.draw_view(seen, views.list_events(pick_path(game, AHEAD), home()) if moves else (), *view)
    written = hand_over(text, output, force=force)
    if output is not None:
        note(out=output, wrote=[output] if written else [])


def _tell_position(seen: Subject, around: str | None) -> None:
    """Print the whole position as plain data."""
    if around is not None:
        raise UsageError("--json prints the whole position: leave --around out")
    left = {"left-out": seen.left_out} if seen.left_out else {}
    say_json("map", {"scenario": seen.setting.scenario.id, **left, "position": seen.state.to_plain()})
