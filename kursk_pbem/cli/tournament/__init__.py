"""kursk tournament: a group of lazily imported commands."""

from __future__ import annotations

import click

from kursk_pbem.cli import CONTEXT, cli
from kursk_pbem.cli.groups import LazyGroup

COMMANDS = {
    "new": ("beginning", "Director: write the rules into a file to edit; again: sign them."),
    "enter": ("beginning", "Entrant: enter a tournament with the file of the rules."),
    "close": ("beginning", "Director: close the entries before the first lots."),
    "inbox": ("going", "Take papers and turns out of files, mails and mailboxes."),
    "pair": ("going", "Director: log, draw lots, pair and propose as far as possible."),
    "letters": ("going", "List waiting letters; mark letters as sent."),
    "end": ("going", "Director: end the tournament."),
    "status": ("looking", "Show due and late players, holidays, your open decisions and next commands."),
    "standings": ("looking", "Print the table after a round."),
    "times": ("looking", "Print the answer times and the players to move."),
    "grant": ("deciding", "Director: give days, or a holiday until a day."),
    "judge": ("deciding", "Director: decide an unfinished game."),
    "forfeit": ("deciding", "Director: end a game after a missed deadline."),
    "withdraw": ("deciding", "Withdraw; as the director, log a withdrawal."),
    "substitute": ("deciding", "Director: let a substitute play for an entrant."),
    "key": ("deciding", "Director: log the new key of an entrant."),
    "refuse": ("deciding", "Director: refuse an entry or a claim."),
    "correct": ("deciding", "Director: correct a result, or fields of a log paper."),
    "propose": ("playing", "Entrant: propose the game of a board."),
    "plays": ("playing", "Entrant: sign a wish to play or miss the next round."),
    "bid": ("playing", "Entrant: seal a bid for a side."),
    "agree": ("playing", "Entrant: sign how an unfinished game is to count."),
    "absent": ("playing", "Entrant: announce an absence."),
    "claim": ("playing", "Entrant: ask the director for a decision."),
    "stand-in": ("playing", "Offer to play in place of an entrant."),
    "new-key": ("playing", "Entrant: change your key; both keys sign."),
    "rule-on": ("playing", "Assistant: judge a game of the director."),
    "verify": ("auditing", "Prove the standings from the folder alone."),
    "prove": ("auditing", "Compare two copies of a log; convict a director of signing two logs."),
    "export": ("auditing", "Write the signed papers in a form for auditors."),
    "publish": ("publishing", "Write the site: standings, games, feed, calendar, archive."),
    "restore": ("beginning", "Director: continue a log after a loss or from a backup."),
}
"""Command -> (module of this package, one line of help)."""


@cli.group(
    cls=LazyGroup,
    package="kursk_pbem.cli.tournament",
    table=COMMANDS,
    context_settings=CONTEXT,
    invoke_without_command=True,
)
@click.pass_context
def tournament(ctx: click.Context) -> None:
    """Tournaments that prove their own standings: a folder of signed papers and games.

    \b
    A director:   new, close, then inbox and pair again and again, publish, end
    An entrant:   enter, then inbox; propose, bid, agree when asked
    Anybody:      standings, verify, prove, export

    FOLDER is the tournament's folder. If you take part in only one tournament, leave FOLDER out. 'kursk tournament'
    alone is 'kursk tournament status'.
    """
    if ctx.invoked_subcommand is None and (status := tournament.get_command(ctx, "status")) is not None:
        with status.make_context("status", [], parent=ctx) as inner:
            status.invoke(inner)
