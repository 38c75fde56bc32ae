"""The command ``kursk``. Each module holds one group of commands and is imported when one of them is run."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem import __version__
from kursk_pbem.cli import jsonlines
from kursk_pbem.cli.common import advise, begin, complain, end, home, release, warn
from kursk_pbem.cli.groups import LazyGroup
from kursk_pbem.errors import (
    EXIT_INTERRUPTED,
    EXIT_OURS,
    EXIT_UNHEARD,
    EXIT_UNREADABLE,
    ExposedKeyWarning,
    KurskError,
    RulesError,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


COMMANDS = {
    "help": ("helping", "Say how a command is used, or show a section of the handbook."),
    "demo": ("demo", "Play the opening of a game between two keys that it makes."),
    "keygen": ("play.begin", "Make a key pair for playing."),
    "propose": ("play.begin", "Propose a game: writes the first message."),
    "accept": ("play.begin", "Take a proposal: writes the first draft."),
    "adjudicate": ("play.adjudicate", "Take a signed turn file: verify, resolve, report, next draft."),
    "status": ("play.status", "Say where you are, in all your games or in one: what is due, how far the draft is."),
    "order": ("orders.order", "Write orders in words into your draft, which is checked at once."),
    "shell": ("orders.shell", "Type the orders of an evening, completed from the position."),
    "draft": ("play.turn", "Write your next turn file again, with all that you may do."),
    "moves": ("orders.plan", "Say where units may go, and whom they can attack at which odds."),
    "odds": ("orders.plan", "Say the exact chance of every outcome of what is declared."),
    "policy": ("orders.policy", "Show or set what your defenders do in every answer."),
    "completion": ("completing", "Print the script that lets a shell complete commands, games, units and hexes."),
    "schema": ("orders.schema", "Print the form of drafts for editors that complete and check YAML."),
    "check": ("play.turn", "Check a draft: all mistakes at once."),
    "sign": ("play.turn", "Sign a draft: writes the file that you mail."),
    "offer": ("play.offers", "Offer a draw, or another game to go on with (a take-back, other keys or options)."),
    "reply": ("play.offers", "Accept or decline an offer."),
    "resign": ("play.turn", "Resign a game."),
    "post": ("mail.posting", "Fetch what came, take it, send what is due, by your mail account."),
    "inbox": ("mail.inbox", "Take all turns of all games from a mailbox, saved mails, or what was fetched."),
    "outbox": ("mail.outbox", "List what is to be mailed; write it as mails, send it, or say that you did."),
    "people": ("mail.people", "Say who is reached where: names, keys, addresses."),
    "referee": ("referee.mailbox", "For a referee: a mailbox that referees by itself, and what waits for your word."),
    "receipt": ("referee.papers", "For a referee: sign when a message came, and when the answer is due."),
    "extend": ("referee.papers", "For a referee: give a player more time, while their term runs."),
    "forfeit": ("referee.papers", "For a referee: end a game whose side missed its deadline."),
    "restore": ("play.restoring", "Make a lost game folder or private record anew from mails."),
    "verify": ("proof.audit", "Verify games from their files alone."),
    "prove": ("proof.proving", "Say which side messages convict of fraud, and write the proof."),
    "export": ("proof.archive", "Write the archive form of a game, for auditors."),
    "rating": ("proof.rating", "Rate players over several tournaments, from verified results alone."),
    "report": ("views.look", "Print the report of a message or a whole game."),
    "map": ("views.maps", "Print the position as a text map."),
    "tables": ("views.charts", "Print the tables that are printed beside the map."),
    "track": ("views.charts", "Print the turns: what each of them brings, and where the game stands."),
    "board": ("views.boarding", "Open your games in the browser: look, compose a turn, sign."),
    "replay": ("views.replaying", "Write a game as one page to step through in a browser."),
    "tournament": ("tournament", "Enter, direct or verify a tournament."),
    "scenarios": ("views.scenarios", "List every ruleset and scenario that can be played."),
    "scenario": ("views.scenarios", "Copy a scenario to change it; check one, also one of your own."),
    "rule": ("views.rules", "Say what a paragraph of the rules or a ruling says; find them by a word."),
}
"""Command -> (module of this package, one line of help). A module is imported when one of its commands runs."""

PAGED = ("check", "help", "map", "moves", "odds", "order", "report", "rule", "scenarios", "status", "tables", "track")
"""Commands that only show something: what is longer than the terminal goes through the pager."""


def order_words() -> tuple[str, ...]:
    """The words of orders of all systems: 'kursk move ...' stands for 'kursk order move ...'."""
    from kursk_pbem.desk.draft import vocabulary

    return vocabulary.every()


def _order_parts() -> tuple[str, ...]:
    """The words of parts of orders: 'kursk retreat ...' is told behind which order it stands."""
    from kursk_pbem.desk.draft import vocabulary

    return vocabulary.parts()


def _words_here() -> tuple[str, ...]:
    """The words of orders of the game that may be meant; of all systems where there is none."""
    from kursk_pbem.desk.draft import vocabulary
    from kursk_pbem.desk.shelf import lookup

    with suppress(KurskError):
        return vocabulary.every(lookup.systems(home(), Path()))
    return vocabulary.every()


class _Kursk(LazyGroup):
    """All commands; a word of an order stands for 'order' with that word, and a slip is told what may be meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in COMMANDS and word.lower() in (*order_words(), *_order_parts()):
            return "order", self.get_command(ctx, "order"), args
        if word not in COMMANDS and not word.startswith("-") and not ctx.resilient_parsing:
            from kursk_pbem.desk.draft import vocabulary

            more = vocabulary.near(word, (*COMMANDS, *_words_here())) or "; 'kursk --help' lists them"
            ctx.fail(f"No such command {word!a}{more}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands; also the words of orders once one is begun."""
        from click.shell_completion import CompletionItem

        orders = [word for word in order_words() if incomplete and word.startswith(incomplete.lower())]
        return [*super().shell_complete(ctx, incomplete), *map(CompletionItem, orders)]


@click.group(cls=_Kursk, package="kursk_pbem.cli", table=COMMANDS, context_settings=CONTEXT)
@click.version_option(__version__, "-V", "--version", prog_name="kursk")
@click.option("--no-pager", is_flag=True, help="Print what is longer than the terminal at once, without PAGER.")
@click.pass_context
def cli(ctx: click.Context, no_pager: bool) -> None:
    """Umpire for Kursk board wargames by mail.

    Signed turns, dice that nobody can steer, every rule checked.

    \b
    A game begins:   scenarios, keygen, propose, accept
    A turn:          adjudicate, order, check, sign   (then mail what sign wrote)
    An evening:      shell
    Looking around:  status, board, report, replay, map, moves, odds, tables,
                     track, rule
    By mail:         post, inbox, outbox, people
    By agreement:    offer, reply; otherwise resign
    Anyone, later:   verify, prove, export, rating
    After a loss:    restore
    As a referee:    receipt, extend, forfeit, referee
    A tournament:    tournament
    One's own:       scenario, policy, draft, schema, completion

    An order may stand without its 'order': 'kursk move 24 pz 2219', 'kursk undo'.

    What is longer than the terminal goes through your PAGER. FORCE_COLOR colours maps also where they are not
    printed on a terminal, NO_COLOR nowhere.

    GAME is nothing (the game that waits for you), the beginning of the opponent's name or of the id, a folder, or a
    message (boris/3).
    """
    begin(paged=not no_pager and ctx.invoked_subcommand in PAGED)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; its exit status. Every refusal is printed to standard error, none escapes.

    Never 0 where what was to be printed has not found its reader.
    """
    jsonlines.begin(list(arguments))
    with _warning():
        status = _run(arguments)
    end(status)
    try:
        release(last=True)
    except KeyboardInterrupt:
        return status or EXIT_INTERRUPTED
    except BrokenPipeError:
        return status or EXIT_UNHEARD
    except OSError as error:
        complain(f"what was to be printed could not be written: {error.strerror or type(error).__name__}")
        return status or EXIT_UNREADABLE
    return status


@contextmanager
def _warning() -> Iterator[None]:
    """In here a key that others can read is warned of, once; all other warnings are left as they are."""
    told: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *more: Any, **rest: Any) -> None:
            if not issubclass(category, ExposedKeyWarning):
                usual(message, category, *more, **rest)
            elif str(message) not in told:
                told.add(str(message))
                warn(str(message))

        warnings.simplefilter("always", ExposedKeyWarning)
        warnings.showwarning = show
        yield


def _run(arguments: Sequence[str]) -> int:
    try:
        result = cli.main(args=list(arguments), prog_name="kursk", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Abort:
        complain("interrupted; no file is half written, and the same command can be given again")
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        words = io.StringIO()
        error.show(words)
        if isinstance(error, click.UsageError) and error.ctx is not None:
            jsonlines.command(error.ctx)
        problems = [jsonlines.problem(error.format_message())]
        complain(words.getvalue().removesuffix("\n"), named=False, problems=problems)
        return EXIT_UNREADABLE
    except KurskError as error:
        _complain(error)
        return error.exit_status
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except (SystemExit, BrokenPipeError):  # SystemExit: how click ends where the reader of our output has gone away
        return EXIT_UNHEARD
    except OSError as error:  # a full disk, a name too long, a folder that is not ours: no fault of the program
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        complain(f"{place}{error.strerror or type(error).__name__}")
        return EXIT_UNREADABLE
    except Exception as error:  # noqa: BLE001 - a fault of ours must end in a report, not in a traceback
        return _our_fault(error, arguments)


def _complain(error: KurskError) -> None:
    if isinstance(error, RulesError):
        number = len(error.violations)
        whose = f"the {error.side} side's orders break" if error.side else "these orders break"
        places = "one place" if number == 1 else f"{number} places"
        then = jsonlines.VOID if error.received else "nothing was done"
        text = f"{error}\nkursk: {whose} the rules in {places}; {then}"
        complain(text, named=False, problems=jsonlines.of_error(error))
    else:
        complain(error)
        advise(error)


def _our_fault(error: Exception, arguments: Sequence[str]) -> int:
    """Status 70: say so, and leave a file for a bug report. It holds no file contents, keys or secrets."""
    import tempfile
    import traceback

    frames = traceback.format_tb(error.__traceback__)
    text = f"kursk {__version__}, Python {sys.version}\n{list(arguments)!r}\n{''.join(frames)}{type(error).__name__}\n"
    try:
        file = Path(tempfile.mkdtemp(prefix="kursk-fault-")) / "fault.txt"
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
        kept = str(file)
    except OSError:
        kept = "the command that you typed"
    complain(
        f"this is a fault of the program ({type(error).__name__}), not of your file; nothing was released. Please "
        f"report it with {kept} and the messages of the game"
    )
    return EXIT_OURS


def main() -> None:
    """Entry point of the installed command."""
    if "_KURSK_COMPLETE" in os.environ:  # a shell asks what can stand there
        cli.main(prog_name="kursk")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a console without Cyrillic must not stop a report
    sys.exit(run(sys.argv[1:]))
