"""play, shell: both sides of a practice game, or the orders of an evening, at one terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import LEVELS, PATH, desk_at, home, on_terminal, release, say, say_wrapped, use_home
from kursk_pbem.cli.games import SEEN, complete_games, completion_of, game_argument, pick_path
from kursk_pbem.errors import UsageError, shell_word

if TYPE_CHECKING:
    from kursk_pbem.demo.script import Script
    from kursk_pbem.desk.own.desks import Desk
    from kursk_pbem.desk.seat.room import Room


@cli.command()
@click.argument("scenario", default="", metavar="[SCENARIO]", shell_complete=completion_of("scenarios"))
@click.option("--from", "source", metavar="GAME[/N]", default="", shell_complete=complete_games, help="What if.")
@click.option("--as", "side", default="", metavar="SIDE", help="With --from: your side against the program of --level.")
@click.option("--level", type=click.Choice(LEVELS), help="With --from: the program that plays the other side.")
@click.option("--guess", type=PATH, help="With --from: a file with guesses of what the other side sealed.")
@click.option("--undo", is_flag=True, help="Take back your last message of a what-if game, also over dice.")
@click.option("--board", is_flag=True, help="Play in the browser.")
def play_command(
    scenario: str, source: str, side: str, level: str | None, guess: Path | None, undo: bool, board: bool
) -> None:
    """Play both sides of SCENARIO at this terminal: a hot seat, for practice.

    The program makes two keys for practice, and shows the steps of each message. Without SCENARIO the command goes on
    with your last practice game, or begins the Citadel scenario of Battle for Kursk. 'quit' ends the command; the game
    stays.

    --from GAME/N begins a what-if game: you play on from the position after message N, with other dice. GAME does not
    change. The program guesses the other side's sealed orders. Or write your guess, as under 'seal' in a draft, into a
    file, and name the file with --guess.
    """
    from kursk_pbem.desk.own import register
    from kursk_pbem.desk.seat import bothsides
    from kursk_pbem.game import scenario_files
    from kursk_pbem.practice import partner

    room = open_room(need_terminal=not (board or undo or source))
    room.partner = partner.Partner(room.home, room.changing, patient=not board).bring
    if undo:
        _take_back(room)
        return
    if source:
        game = _start_what_if(room, source, side, level, guess)
        if board or is_typing():
            play_game(room, game, board=board)
        else:
            say(f"the game is in {room.desk(game).folder}")
        return
    latest = (register.find_latest(room.home, room.here, name) for name in (register.HOT_SEAT, register.WHAT_IF))
    game = "" if scenario else next(filter(None, latest), "")
    play_game(
        room,
        game or bothsides.start_practice(room, scenario_files.resolve_id(scenario or bothsides.FIRST)),
        board=board,
    )


def _start_what_if(room: Room, source: str, side: str, level: str | None, guess: Path | None) -> str:
    """Begin a what-if game from a position, and say so."""
    from kursk_pbem.game import folders
    from kursk_pbem.practice import opponent, partner

    path = pick_path(source, SEEN)
    seq = None if path.is_dir() else folders.read_message(path).seq
    start = partner.find_start(path if path.is_dir() else path.parent, room.home, seq, typed=guess)
    played = LEVELS.index(level) if level else opponent.NOBODY
    game = partner.start_what_if(room.home, start, side.lower(), played)
    say_wrapped(start.told, "", "")
    return game


def _take_back(room: Room) -> None:
    """Take back the last message of the newest what-if game."""
    from kursk_pbem.desk.own import register
    from kursk_pbem.desk.trial import what_if
    from kursk_pbem.practice import partner

    game = register.find_latest(room.home, room.here, register.WHAT_IF, over=True)
    if not game:
        raise UsageError("there is no what-if game: 'kursk play --from GAME' begins a what-if game")
    seq = what_if.take_back(room.home, game, program=partner.plays_program(room.find_known(game)))
    say(f"took back message {seq} of game {game[:8]}: 'kursk play' continues the game")


def play_demonstration(script: Script) -> None:
    """Play the first message of a demonstration, and let the player go on with both sides."""
    from kursk_pbem.demo.script import play_messages
    from kursk_pbem.desk.seat import bothsides

    room = open_room(need_terminal=True)
    game = bothsides.start_practice(room, script.scenario)
    play_messages(lambda: room.desk(game), script, 1)
    play_game(room, game)


@cli.command()
@game_argument()
def shell_command(path: Path) -> None:
    """Type the orders of GAME one after the other, completed from the position.

    Type lines without 'kursk order': 'move 24 pz 2219', 'undo'. While you type, a list offers words (Tab takes a word),
    and the bottom line shows the odds, or the mistake. Other commands work too, without GAME: 'map', 'odds', 'check',
    'sign'. 'quit' or Ctrl-D ends the shell.
    """
    from kursk_pbem.cli.orders import dialogue

    if not is_typing():
        how = f"'kursk order {shell_word(path)} -' takes orders from standard input, line by line"
        raise UsageError(f"the shell needs a terminal; {how}")
    desk = desk_at(path)
    desk.record_of_writer()
    dialogue.run_dialogue(desk.folder)


def open_room(*, need_terminal: bool = False) -> Room:
    """Return this player's room (private folder with games). Raises UsageError without a terminal for the orders."""
    from kursk_pbem.desk.seat.room import Room

    if need_terminal and not is_typing():
        raise UsageError("'kursk play' needs a terminal for your orders; 'kursk play --board' uses the browser")
    return Room(home(), Path.cwd())


def is_typing() -> bool:
    """Return whether a player types at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and on_terminal()


def play_game(room: Room, game: str, *, board: bool = False, again: str = "kursk play") -> None:
    """Play a practice game until the end, or until the player quits. ``again``: the command that continues the game."""
    if board:
        from kursk_pbem.cli.views import boarding

        boarding.serve(room, f"game/{game}/?guide=1")
        return
    from kursk_pbem.cli.orders import dialogue

    while not (desk := room.desk(game)).game.over:
        introduce(room, desk)
        with use_home(desk.record_of_writer().home):
            if not dialogue.run_dialogue(desk.folder, once=True):
                say(f"type '{again}' to continue this game")
                return
    print_news(desk)


def introduce(room: Room, desk: Desk) -> None:
    """Print what happened, whose message is due, and the steps of the guide."""
    from kursk_pbem.desk.seat import guides, scene
    from kursk_pbem.game import reports

    game = desk.game
    print_news(desk)
    words = game.ruleset.seen.words(game.setting)
    side = words.side(desk.own_side)
    title = f"== Message {desk.seq}, turn {game.state.turn}: you play the {side} side ({desk.against}) =="
    say(f"\n{click.style(title, bold=True)}", styled=True)
    here = scene.open_scene(room, game.chain.game)
    if here.checked is not None:
        for told in reports.describe_dice(game, here.checked.result):
            say_wrapped(told, "  ", "    ")
    steps = guides.list_typed_steps(here) if here.sheet else []
    for number, (text, typed) in enumerate(steps, 1):
        say_wrapped(text, f"{number}. ", "   ")
        say(f"     {typed}", whole=True)
    looks = "'map --around PLACE' shows the map around a place, and 'moves UNIT' where a unit can go"
    say_wrapped(f"{len(steps) + 1}. 'check' shows your whole message, 'sign' signs it. {looks}.", "", "   ")
    release()


def print_news(desk: Desk) -> None:
    """Print the headlines of the last message."""
    from kursk_pbem.game import reports

    if desk.seq > 1:
        step = desk.history.last_step
        say(f"\nMessage {desk.last.seq} of the {desk.last.sender.capitalize()} side:")
        for told in reports.make_headlines(step.before, step.after, step.message, step.result):
            say_wrapped(told, "  ", "    ")
    release()
