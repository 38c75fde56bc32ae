"""invite: find an opponent by an open invitation."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, key_option, need_key, read_input, said_options, say
from kursk_pbem.cli.games import completion_of
from kursk_pbem.cli.play.begin import agree_options, give_option, proposal_facts
from kursk_pbem.desk.deals import invitations
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.game import keyring, scenario_files


@cli.command()
@click.argument("scenario", default="", metavar="[SCENARIO]", shell_complete=completion_of("scenarios"))
@click.option("--answer", type=PATH, metavar="LINK|FILE", help="Answer an invitation with your key.")
@click.option("--pick", metavar="ANSWER", default="", help="Propose the game to the writer of an answer.")
@key_option
@click.option("--as", "side", default="", help="Your side; the default, 'either', is the side that proposes.")
@click.option("--name", default="", help="Your name, for strangers.")
@click.option("--note", default="", help="A note, at most 500 characters.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A game option.")
@give_option
@click.option("--relay", type=PATH, help="The public key of a timekeeping referee, a .pub file.")
@click.option("--days", type=click.IntRange(1, 30), default=30, show_default=True, help="Days the invitation is open.")
@click.option("--dir", "parent", type=PATH, default=Path(), help="The parent folder of the game folder.")
@said_options
def invite_command(**given: Any) -> None:
    """Write an open invitation to SCENARIO, answer an invitation, or pick an answer. None of these binds a player.

    You post the printed link, or the file, in any forum. A stranger types 'kursk inbox LINK' to read the invitation,
    and 'kursk invite --answer LINK' to answer: this prints a link with the stranger's key, to be sent to you. You take
    the answers with 'kursk inbox', list them with 'kursk invite', and propose the game to one stranger with --pick.

    Nobody checks a stranger's name: compare the fingerprints of your keys, for example by telephone.
    """
    asked = SimpleNamespace(**given)
    if not (asked.scenario or asked.answer or asked.pick):
        _list_all(quiet=asked.quiet)
        return
    key = need_key(remembered.find_key(home(), asked.key))
    if asked.pick:
        _tell_proposed(invitations.propose_to(home(), asked.pick, key, asked.parent), quiet=asked.quiet)
        return
    name = asked.name or remembered.recall(home()).name
    if asked.answer:
        raw, file, _near = read_input(asked.answer, mail=True)
        answered = invitations.read_single(raw, file)
        if invitations.needs_proposal(answered):
            remembered.remember(home(), key, name)
            back = invitations.propose_back(home(), answered, key, name, asked.parent)
            _tell_proposed(back, quiet=asked.quiet)
            return
        paper = invitations.write_answer(home(), answered, key, name, asked.note)
        told = "send this link to the inviter; the game begins when you accept a proposal"
    else:
        asked.scenario = scenario_files.resolve_id(asked.scenario)
        said = {"name": name, "side": asked.side.lower(), "note": asked.note}
        said |= {"referee": keyring.read_public_key(asked.relay)} if asked.relay else {}
        paper = invitations.write_invitation(home(), key, asked.scenario, agree_options(asked), said, asked.days)
        told = f"post this link, or the file {invitations.locate(home(), paper)}; 'kursk inbox' takes the answers"
    remembered.remember(home(), key, name)
    say(told, quiet=asked.quiet)
    say(made := invitations.make_link(home(), paper), links=[made])


def _tell_proposed(desk: Desk, *, quiet: bool) -> None:
    then = "mail this file, or the link that 'kursk outbox --link' prints"
    say(f"wrote {desk.newest}: {then}", quiet=quiet, **proposal_facts(desk, desk.own_side))


def _list_all(*, quiet: bool) -> None:
    """Print the own invitations and their answers. Raises UsageError without an invitation."""
    if not (own := invitations.list_own(home())):
        raise UsageError("you have written no invitation: type 'kursk invite SCENARIO'")
    for paper in own:
        answers = invitations.list_answers(home(), paper)
        told = [f"{one.id[:8]}: {invitations.describe_answer(one)}" for one in answers]
        lines = [*invitations.describe(paper), *(told or ["no answer yet"])]
        say("\n  ".join(lines), quiet=quiet, answers=[one.id for one in answers])
