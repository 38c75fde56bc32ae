"""practice: a game against the program, at this terminal or in the browser."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import ask, home, say, say_wrapped, yes_option
from kursk_pbem.cli.games import completion_of
from kursk_pbem.errors import UsageError

_LEVEL = click.IntRange(1, 3)


@cli.command()
@click.argument("scenario", default="", metavar="[SCENARIO]", shell_complete=completion_of("scenarios"))
@click.option("--as", "side", default="", metavar="SIDE", help="Your side; the default is the side that writes first.")
@click.option("--level", type=_LEVEL, default=1, show_default=True, help="The strength of the opponent.")
@click.option("--board", is_flag=True, help="Play in the browser.")
@click.option("--stop", is_flag=True, help="End your last practice game: resign, or remove the game.")
@yes_option
def practice_command(scenario: str, side: str, level: int, board: bool, stop: bool, yes: bool) -> None:
    """Play SCENARIO against the program: the opponent takes your message, thinks, signs and answers at once.

    Without SCENARIO the command continues your last practice game, or begins the Citadel scenario of Battle for Kursk.
    'quit' sets the game aside. Level 1 follows the usual plan with moods, level 2 compares plans by exact odds, level 3
    plays plans ahead. The opponent has a private folder, a key and a process of its own: it cannot read your sealed
    orders, and both of you make the dice. Practice games count in no tournament and in no rating.

    The sides of a scenario have unequal chances: equal players end Citadel at -10 points for the German.
    """
    from kursk_pbem.cli.orders import hotseat
    from kursk_pbem.practice import partner

    room = hotseat.make_room()
    room.partner = partner.Partner(room.home, room.changing, patient=not board).bring
    game = "" if scenario else partner.find_game(room.home)
    if stop:
        _stop_game(game, yes=yes)
        return
    if not game:
        from kursk_pbem.desk.seat import bothsides
        from kursk_pbem.game import scenario_files

        chosen = scenario_files.resolve_id(scenario or bothsides.FIRST)
        desk = partner.start_game(room.home, chosen, side.lower(), level)
        game = desk.game.chain.game
        say_wrapped(f"{desk.game.title}: you play the {desk.own_side.capitalize()} side. {partner.CHANCES}", "", "")
    if not board and not hotseat.is_typing():
        hotseat.introduce(room, room.desk(game))
        say("without a terminal: write with 'kursk order' and 'kursk sign', then type 'kursk practice' again")
        return
    hotseat.play_game(room, game, board=board, again="kursk practice")


def _stop_game(game: str, *, yes: bool) -> None:
    """Resign a game, or remove a game before its binding message."""
    from kursk_pbem.practice import partner

    if not game:
        raise UsageError("no practice game is running")
    checked = partner.make_end(home(), game)
    ask(f"{'Resign' if checked else 'Remove'} your practice game {game[:8]}?", yes=yes)
    partner.end_game(home(), game, checked)
    say(f"game {game[:8]} is over: you resigned" if checked else f"game {game[:8]} is removed")
