"""mcp: the tools of an assistant for a program that speaks the Model Context Protocol."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import desk_at, home, warn
from kursk_pbem.cli.games import pick_path
from kursk_pbem.errors import MissingError, UsageError


@cli.command()
@click.option("--may-sign", metavar="GAME", default="", help="The assistant may sign in this game.")
def mcp_command(may_sign: str) -> None:
    """Serve tools for an assistant on standard input and output.

    The assistant shows your games, explains rules, and drafts orders. You read and sign. With --may-sign the assistant
    also signs in one game, as long as this command runs. No tool sends mail, accepts, resigns, or changes settings.
    """
    try:
        from kursk_pbem.agents import server
    except ModuleNotFoundError:
        raise MissingError("an assistant", "agents") from None
    from kursk_pbem.agents.assistant import Assistant, require_open_key

    allowed = ""
    if may_sign:
        desk = desk_at(pick_path(may_sign))
        if desk.own_side not in desk.game.ruleset.sides or desk.game.over:
            raise UsageError("--may-sign needs a running game in which you play; 'kursk status' lists your games")
        require_open_key(desk)
        allowed = desk.game.chain.game
        warn(f"the assistant may sign in game {allowed[:8]} until this command ends")
    server.make_server(Assistant(home(), allowed)).run("stdio")
