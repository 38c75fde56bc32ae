"""referee setup, run, pass, pause: a mailbox that referees by itself."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import common, jsonlines
from kursk_pbem.cli.alone import look
from kursk_pbem.cli.common import ask, home, key_option, keyed_options, need_key, said_options, say, sign_options
from kursk_pbem.cli.mail import posting, rounds
from kursk_pbem.cli.referee import referee_group
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import UsageError
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.referee import terms
from kursk_pbem.post.round import deadlines

_GRACE = click.IntRange(0, 720)


@referee_group.command("setup")
@click.option("--days", type=click.IntRange(1, 365), required=True, help="Days for an answer.")
@click.option("--grace", type=_GRACE, default=24, show_default=True, help="Hours of grace after the deadline.")
@click.option("--director", default="", help="An address for a list of your open decisions.")
@said_options
def setup_terms(days: int, grace: int, director: str, quiet: bool) -> None:
    """Write the terms of this mailbox: referee.toml in the post folder, which you can edit."""
    path = terms.terms_path(home())
    said = terms.Terms(days, grace, director=addresses.check_address(director) if director else "")
    with post_folder.lock_post(home()):
        if path.exists():
            raise UsageError(f"{path} exists already: edit this file, or move it away")
        post_folder.write_file(path, terms.format_terms(said).encode("utf-8"))
    say(f"wrote {path}", quiet=quiet, wrote=[path])


@referee_group.command("run")
@key_option
@click.option("--once", is_flag=True, help="End after a single round.")
@common.every_option
@said_options
def run_mailbox(key: Path | None, once: bool, every: int, quiet: bool) -> int:
    """Referee by mail until you end it with Ctrl-C: fetch, take, roll, sign receipts, remind, answer, send.

    A receipt names the time of arrival by your own server's word, or the time of the fetch. Late messages, missed
    deadlines, new addresses and new games wait for you, and 'kursk referee' lists them; nothing costs a player anything
    without your decision.
    """
    jsonlines.switch_log(on=True)
    secret = need_key(key)
    number = 1 if once else None
    return rounds.run_rounds(lambda: posting.begin_session(secret).load_terms(), every, number, quiet=quiet)


@referee_group.command("pass")
@click.argument("game")
@keyed_options
def pass_late(game: str, key: Path | None, quiet: bool) -> None:
    """Accept the next message of a GAME (the first digits of its id) although it came late. The next round takes it."""
    with post_folder.lock_post(home()):
        digits = game.removeprefix("game-")
        meant = [one for one in look(key).refereed_games() if len(game) >= 4 and one.game.startswith(digits)]
        if len(meant) != 1:
            raise UsageError(f"{game!a} is no game that you referee: type the first 4 or more digits of a game's id")
        seq = meant[0].known.newest + 1
        if not (late := deadlines.list_late(home(), meant[0])):
            why = f"no late message {seq} of game {meant[0].game[:8]} waits"
            raise UsageError(f"{why}; before a deadline has passed, 'kursk referee extend' gives more time")
        deadlines.pass_messages(home(), meant[0].game, late)
    say(f"the next round of mail accepts the late message {seq}", quiet=quiet, game=meant[0].game, seq=seq)


@referee_group.command("pause")
@click.argument("day")
@sign_options
def pause_all(day: str, key: Path | None, yes: bool, quiet: bool) -> None:
    """Pause all your games until DAY, such as 2027-01-07: extend each running deadline to that day.

    A deadline that begins later, but before that DAY, includes the pause too. You cannot take back a pause, so the
    command asks once. A longer pause can follow.
    """
    until = day if "T" in day else f"{day}T00:00:00Z"
    timekeeper.check_time("DAY", until)
    ask(f"Extend every deadline of your games before {until} to {until}? You cannot take the time back.", yes=yes)
    with post_folder.lock_post(home()):
        for line in look(key).pause(until):
            say(line, did=[line])
    say("the next round of mail tells the players about the pause", quiet=quiet, until=until)
