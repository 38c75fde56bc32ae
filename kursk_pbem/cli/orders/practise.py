"""practice: a game against the program, at this terminal or in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, common
from kursk_pbem.cli.common import LEVELS, ask, home, in_json, json_option, note, release, say, say_wrapped, yes_option
from kursk_pbem.cli.games import completion_of
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.desk.own.desks import Desk
    from kursk_pbem.post.mail_session import MailSession, Told


@cli.command()
@click.argument("scenario", default="", metavar="[SCENARIO]", shell_complete=completion_of("scenarios"))
@click.option("--as", "side", default="", metavar="SIDE", help="Your side; the default is the side that writes first.")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="1",
    show_default=True,
    help="The strength of the opponent, if the system offers the level.",
)
@click.option("--board", is_flag=True, help="Play in the browser.")
@click.option("--stop", is_flag=True, help="End your last practice game: resign, or remove the game.")
@click.option("--post", "by_post", is_flag=True, help="Be the opponent at the mailbox of this private folder.")
@common.every_option
@click.option("--times", "number", type=click.IntRange(1), default=None, help="End after this number of rounds.")
@yes_option
@json_option
def practice_command(
    scenario: str,
    side: str,
    level: str,
    board: bool,
    stop: bool,
    by_post: bool,
    every: int,
    number: int | None,
    yes: bool,
) -> int:
    """Play SCENARIO against the program: the opponent takes your message, thinks, signs and answers at once.

    Without SCENARIO the command continues your last practice game, or begins the Citadel scenario of Battle for Kursk.
    'quit' sets the game aside. Practice games count in no tournament and in no rating. 'kursk scenario' says how often
    each side won when programs played.

    The levels: a recruit makes a beginner's mistakes, level 1 draws a plan each turn, levels 2 and 3 search for the
    best places of units. A system offers a level only if the level plays better than the level below.

    The opponent has a private folder, a key and a process of its own, so your sealed orders stay secret. The dice come
    from both of you. With --post the program plays by mail, for example for a club: set KURSK_HOME to a private folder
    with a mail account for the program. It accepts proposals for its public key until you end it with Ctrl-C.
    """
    from kursk_pbem.cli.orders import hotseat
    from kursk_pbem.desk.own import register
    from kursk_pbem.practice import partner

    if by_post:
        return _play_by_post(LEVELS.index(level), every, number)
    room = hotseat.open_room()
    room.partner = partner.Partner(room.home, room.changing, patient=not board, tell=_tell_now).bring
    game = "" if scenario else register.find_latest(room.home, room.home, register.PRACTICE)
    if stop:
        _stop_game(game, yes=yes)
        return 0
    if not game:
        from kursk_pbem.desk.seat import bothsides
        from kursk_pbem.game import scenario_files

        chosen = scenario_files.resolve_id(scenario or bothsides.FIRST)
        desk = partner.start_game(room.home, chosen, side.lower(), LEVELS.index(level))
        game = desk.game.chain.game
        told = f"{desk.game.title}: you play the {desk.own_side.capitalize()} side. {partner.CHANCES}"
        say_wrapped(f"{told} {_describe_chances(chosen)}".rstrip(), "", "")
    if in_json() or not (board or hotseat.is_typing()):
        desk = room.desk(game)
        note(game=game, side=desk.own_side, folder=desk.folder, seq=desk.seq, over=desk.game.over)
        if desk.game.over:
            hotseat.print_news(desk)
            _say_moments(desk)
            return 0
        hotseat.introduce(room, desk)
        say("without a terminal, type 'kursk order' for each order, then 'kursk sign', then 'kursk practice'")
        return 0
    hotseat.play_game(room, game, board=board, again="kursk practice")
    if not board and (desk := room.desk(game)).game.over:
        other = desk.game.ruleset.other(desk.own_side)
        _say_moments(desk)
        say(f"'kursk practice {desk.game.setting.scenario.id} --as {other}' plays the other side")
    return 0


def _say_moments(desk: Desk) -> None:
    """Print the messages of a finished game that gave away most points, each with the better plan."""
    from kursk_pbem.practice import analysis
    from kursk_pbem.practice.systems import find_ideas

    if in_json() or desk.own is None or find_ideas(desk.game.ruleset) is None:
        return
    _tell_now("Your three worst moments, in the opinion of the program; Ctrl-C skips them:")
    for swing in analysis.find_moments(desk.history, home(), desk.folder, desk.own_side):
        first, *more = analysis.describe_moment(swing)
        say_wrapped(first)
        for line in more:
            say_wrapped(line, "  ", "    ")


def _describe_chances(scenario: str) -> str:
    """Return who wins when programs play, by docs/balance.md."""
    from kursk_pbem.rulebook import balance

    found = balance.find_sentence(scenario)
    return f"{found[:1].upper()}{found[1:]}." if found else ""


def _tell_now(text: str) -> None:
    """Print a line before a long wait."""
    say(text)
    release()


def _stop_game(game: str, *, yes: bool) -> None:
    """Resign a game, or remove a game before its binding message."""
    from kursk_pbem.practice import partner

    if not game:
        raise UsageError("no practice game is running")
    note(game=game, over=True)
    checked = partner.make_end(home(), game)
    ask(f"{'Resign' if checked else 'Remove'} your practice game {game[:8]}?", yes=yes)
    ended = partner.end_game(home(), game, checked)
    say(f"game {game[:8]} is over: you resigned" if checked else f"game {game[:8]} is removed")
    if ended is not None:
        _say_moments(ended)


def _play_by_post(level: int, every: int, number: int | None) -> int:
    """Accept proposals and answer turns of the mailbox, round after round. Return the worst status."""
    from kursk_pbem.cli.mail import posting, rounds
    from kursk_pbem.game import keyring
    from kursk_pbem.practice import opponent

    opponent.open_home(home(), level)
    say(f"players propose games to this opponent's key, {home() / keyring.KEY}.pub")
    key = home() / keyring.KEY
    return rounds.run_rounds(lambda: posting.begin_session(key), every, number, quiet=False, work=_answer_mails)


def _answer_mails(session: MailSession, told: Told) -> None:
    """Accept the proposals of a round, then sign every due message."""
    from kursk_pbem.desk.own import desks, register
    from kursk_pbem.post.mailbox import people
    from kursk_pbem.post.mailbox.task_guard import guard_task
    from kursk_pbem.post.round.digest import Digest
    from kursk_pbem.post.round.outcome import PROPOSED
    from kursk_pbem.practice import opponent

    if not isinstance(told, Digest):
        return
    here = session.account.games
    for piece in [out.piece for game in told.games for out in game.outcomes if out.state == PROPOSED]:
        with guard_task(home(), piece.title, b"", told.add_fault):
            keys = opponent.accept_proposal(home(), piece.turn, here).game.chain.keys
            if piece.mail is not None:
                person = people.person_of(home(), keys[piece.turn.sender])
                people.save_person(home(), person.put(piece.mail.writer, people.SAID, "the mail of the proposal"))
    for known in register.list_games(home(), here):
        if known.waits and known.here:
            with guard_task(home(), str(known), b"", told.add_fault):
                desk = desks.open_desk(known.folder, home(), session.intake.open.get(known.game))
                session.intake.open[known.game] = opponent.write_due(desk).history
