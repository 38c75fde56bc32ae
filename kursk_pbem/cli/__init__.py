"""The command ``kursk``. Each module has one group of commands and is imported when a command of the group runs."""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem import __version__
from kursk_pbem.cli import jsonlines
from kursk_pbem.cli.common import begin, complain, end, home, laid_names, print_advice, release, rename_error, say, warn
from kursk_pbem.cli.groups import LazyGroup
from kursk_pbem.errors import (
    EXIT_INTERRUPTED,
    EXIT_OURS,
    EXIT_UNHEARD,
    EXIT_UNREADABLE,
    ExposedKeyWarning,
    KurskError,
    RulesError,
    UsageError,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "The umpire": {
        "adjudicate": ("proof.adjudicating", "Judge turn files, with dice, report and the next turn file."),
        "verify": ("proof.audit", "Verify an opponent's turn or whole games, from the files."),
        "prove": ("proof.proving", "Look for cheating in messages; write a proof of any cheating."),
        "export": ("proof.audit", "Write the archive form of a game, for auditors."),
        "rating": ("proof.rating", "Rate players over several tournaments, from verified results alone."),
        "conformance": ("proof.conforming", "Test any program of these rules against numbered cases."),
    },
    "Play": {
        "play": ("orders.hotseat", "Play both sides of a game at this terminal, for practice."),
        "practice": ("orders.practise", "Play a game against the program."),
        "keygen": ("play.begin", "Make a key pair for playing."),
        "propose": ("play.begin", "Propose a game: write the first message."),
        "invite": ("play.invite", "Find an opponent: write or answer an open invitation."),
        "accept": ("play.begin", "Accept a proposal: write your first draft."),
        "order": ("orders.order", "Write orders in words into your draft."),
        "check": ("play.turn", "Check your draft, and list every mistake."),
        "sign": ("play.turn", "Sign your draft: write the file to mail."),
        "offer": ("play.offers", "Offer a draw, or a successor game (a take-back, other keys or options)."),
        "reply": ("play.offers", "Accept or decline an offer."),
        "resign": ("play.turn", "Resign a game."),
        "shell": ("orders.hotseat", "Type the orders of an evening, completed from the position."),
        "prepare": ("orders.prepare", "Prepare orders for your next message, with conditions."),
        "policy": ("orders.policy", "Show or set your defenders' standing policy for every answer."),
    },
    "Look": {
        "status": ("play.status", "Show your games, or a single game: due messages and latest events."),
        "report": ("views.look", "Print the report of the newest message, or of the whole game."),
        "map": ("views.maps", "Print the position as a text map."),
        "moves": ("orders.plan", "Show possible moves, and possible attacks with odds."),
        "odds": ("orders.plan", "Print the exact chance of every outcome of the declared battles."),
        "hint": ("orders.plan", "Print ideas that your draft leaves out, with odds and gains."),
        "tables": ("views.charts", "Print the rules tables of a game, or the turn track."),
        "rule": ("views.rules", "Print or find a paragraph of the rules or a ruling."),
        "replay": ("views.look", "Write a game as one page to step through in a browser."),
        "picture": ("views.picture", "Write a turn or a game as a picture or a film, for chats and mails."),
        "study": ("views.study", "Write a game with comments and branches in one file."),
    },
    "Mail": {
        "inbox": ("mail.inbox", "Take turns and papers from files, mails and mailboxes."),
        "post": ("mail.posting", "Fetch, take and send mail by your mail account."),
        "outbox": ("mail.outbox", "List the letters to mail; write drafts of mails, or mark letters as sent."),
        "people": ("mail.people", "Address book: names, keys, addresses."),
        "restore": ("play.restoring", "Restore a lost game folder or private record from mails."),
    },
    "Referees and directors": {
        "referee": ("referee", "Referee games: receipts, extensions, forfeits, a mailbox."),
        "tournament": ("tournament", "Enter, direct or verify a tournament."),
    },
    "More": {
        "board": ("views.boarding", "Open your games in the browser, with a guided turn."),
        "app": ("views.boarding", "Serve the program as a web page; the browser keeps the games."),
        "mcp": ("serving", "Serve tools for an assistant program, which drafts orders that you sign."),
        "demo": ("demo", "Play the opening of a game between two new keys."),
        "ruleset": ("views.rulesets", "List the rulesets, also of packages; 'new' writes a package to start from."),
        "scenario": ("views.scenarios", "List the scenarios; copy, change and check a scenario."),
        "lab": ("views.lab", "Let programs play a scenario many times: who wins, and by how much."),
        "save": ("moving", "Save your games and keys in one file, for safe keeping or for a move."),
        "open": ("moving", "Open a saved file: your games continue here."),
        "setup": ("settings", "Write a draft again; schemas for editors, completion for shells."),
        "help": ("helping", "Explain a command or an order word; show the handbook."),
    },
}
"""Group -> command -> (module of this package, line of help). A module is imported when one of its commands runs."""

COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}

FIRST_PAGE = {
    "The umpire": ("adjudicate", "verify", "prove"),
    "Play": ("board", "play", "keygen", "propose", "accept", "order", "check", "sign"),
    "Look": ("status", "report"),
    "Mail and tournaments": ("inbox", "post", "tournament"),
}
"""The umpire, and the commands that a player needs for a whole game. The first page of help has 24 lines."""

NEAR = ("judge", "resolve", "turn", "umpire")
"""Words of people who look for 'adjudicate'."""

PAGED = ("check", "help", "hint", "map", "moves", "odds", "order", "report", "rule", "scenario", "status", "tables")
"""Commands that only show something: output longer than the terminal goes through the pager."""


def order_words() -> tuple[str, ...]:
    """Return the order words of all systems: 'kursk move ...' is short for 'kursk order move ...'."""
    from kursk_pbem.desk.draft import vocabulary

    return vocabulary.list_words()


def _is_order_word(word: str) -> bool:
    """Return whether a word begins an order. Packages are searched only for words that are not ours."""
    from kursk_pbem.desk.draft import vocabulary

    return vocabulary.is_ours(word) or word in order_words()


class _KurskGroup(LazyGroup):
    """All commands; an order word stands for 'order' with that word, and a mistyped command gets a suggestion."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in COMMANDS and _is_order_word(word.lower()):
            if {"-h", "--help"}.intersection(args):
                return "help", self.get_command(ctx, "help"), [word.lower()]
            return "order", self.get_command(ctx, "order"), args
        if word not in COMMANDS and not word.startswith("-") and not ctx.resilient_parsing:
            from kursk_pbem.desk.draft import vocabulary
            from kursk_pbem.desk.own import lookup

            words = vocabulary.list_words()
            with suppress(KurskError):
                words = vocabulary.list_words(lookup.list_systems(home(), Path()))
            umpire = "; did you mean 'kursk adjudicate'?" if word in NEAR else ""
            more = umpire or self._find_part(ctx, word) or vocabulary.suggest(word, (*COMMANDS, *words))
            more = more or "; 'kursk help commands' lists the commands"
            ctx.fail(f"No such command {word!a}{more}")
        return super().resolve_command(ctx, args)

    def _find_part(self, ctx: click.Context, word: str) -> str:
        """Return a suggestion for the name of a command in a group; for other words ''."""
        groups = {name: self.get_command(ctx, name) for name in COMMANDS}
        meant = [
            f"{name} {word}"
            for name, group in groups.items()
            if isinstance(group, click.Group) and word in group.list_commands(ctx)
        ]
        return "; did you mean 'kursk " + "' or 'kursk ".join(meant) + "'?" if meant else ""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the matching commands; also order words after the first letter."""
        from click.shell_completion import CompletionItem

        orders = [word for word in order_words() if incomplete and word.startswith(incomplete.lower())]
        return [*super().shell_complete(ctx, incomplete), *map(CompletionItem, orders)]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first page of help: the commands of a whole game, in one screen."""
        formatter.write("Usage: kursk COMMAND [...]\n")
        formatter.write("Umpire for Kursk board wargames by mail: signed turns, dice with a proof.\n")
        for title, names in FIRST_PAGE.items():
            formatter.write(f"{title}:\n")
            for name in names:
                formatter.write(f"  {name:<11}{COMMANDS[name][1]}\n")
        formatter.write(
            "'kursk help commands' lists all commands, 'kursk help attack' explains an order.\n"
            "Options: --version, --no-pager (print long output without PAGER), --help\n"
        )


@click.group(
    cls=_KurskGroup, package="kursk_pbem.cli", table=COMMANDS, context_settings=CONTEXT, invoke_without_command=True
)
@click.version_option(__version__, "-V", "--version", prog_name="kursk")
@click.option("--no-pager", is_flag=True, is_eager=True, help="Print long output at once, without PAGER.")
@click.pass_context
def cli(ctx: click.Context, no_pager: bool) -> None:
    """Umpire for Kursk board wargames by mail.

    Signed turns, provable dice, every rule checked.

    \b
    A game begins:   scenario, keygen, propose, accept
    A turn:          inbox, order, check, sign   (then mail the file)

    You can leave out the word 'order': 'kursk move 24 pz 2219', 'kursk undo'.

    Long output is shown in your PAGER. NO_COLOR=1 turns colors off, FORCE_COLOR=1 turns colors on in files.

    GAME names a game: the first letters of your opponent's name, the first digits of the game's id, a folder, or a
    message (boris/3). Without GAME, a command uses the game that waits for you.
    """
    begin(paged=not no_pager and ctx.invoked_subcommand in (*PAGED, None))
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return the exit status. Print every refusal to standard error.

    The status is never 0 if the output was not printed.
    """
    jsonlines.begin_results(list(arguments))
    laid_names.clear()
    with _warn_of_exposed_keys():
        status = _run_command(arguments)
    end(status)
    try:
        release(last=True)
    except KeyboardInterrupt:
        return status or EXIT_INTERRUPTED
    except BrokenPipeError:
        return status or EXIT_UNHEARD
    except OSError as error:
        complain(f"the output could not be written: {error.strerror or type(error).__name__}")
        return status or EXIT_UNREADABLE
    return status


@contextmanager
def _warn_of_exposed_keys() -> Iterator[None]:
    """Warn once of each key with open permissions. Leave other warnings unchanged."""
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


def _run_command(arguments: Sequence[str]) -> int:
    try:
        result = cli.main(args=list(arguments), prog_name="kursk", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Abort:
        complain("interrupted; every file is whole, and you can type the same command again")
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        words = io.StringIO()
        number = re.search(r"unexpected extra argument \(([0-9]{1,4})\)", error.message)
        more = f"; message {number[1]} of a game is NAME/{number[1]}" if number else ""
        error.show(words)
        if isinstance(error, click.UsageError) and error.ctx is not None:
            jsonlines.save_command(error.ctx)
        problems = [jsonlines.make_problem(error.format_message() + more)]
        complain(words.getvalue().removesuffix("\n") + more, named=False, problems=problems)
        return EXIT_UNREADABLE
    except KurskError as error:
        refused = rename_error(_explain_error(error))
        _print_refusal(refused)
        return refused.exit_status
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except (SystemExit, BrokenPipeError):  # click raises SystemExit if the output pipe is closed
        return EXIT_UNHEARD
    except OSError as error:  # a full disk, a long name, a foreign folder: no bug
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        complain(f"{place}{error.strerror or type(error).__name__}")
        return EXIT_UNREADABLE
    except Exception as error:  # noqa: BLE001 - a bug must end in a report, not in a traceback
        return _report_own_fault(error, arguments)


def _explain_error(error: KurskError) -> KurskError:
    """Return the error, explained by the player's journal if there is one."""
    if jsonlines.current_results().command == "adjudicate":  # it reads no private folder
        return error
    from kursk_pbem.desk.own import missing

    try:
        return missing.explain_error(error, home())
    except UsageError:  # there is no private folder
        return error


def _print_refusal(error: KurskError) -> None:
    if isinstance(error, RulesError):
        number = len(error.violations)
        whose = f"the {error.side} side's orders break" if error.side else "these orders break"
        places = "one place" if number == 1 else f"{number} places"
        then = jsonlines.VOID if error.received else "nothing was done"
        text = f"{error}\nkursk: {whose} the rules in {places}; {then}"
        complain(text, named=False, problems=jsonlines.problems_of_error(error))
    else:
        complain(error)
        print_advice(error)


def _report_own_fault(error: Exception, arguments: Sequence[str]) -> int:
    """Print status 70 and write a file for a bug report, without file contents, keys or secrets."""
    import tempfile
    import traceback

    frames = traceback.format_tb(error.__traceback__)
    text = f"kursk {__version__}, Python {sys.version}\n{list(arguments)!r}\n{''.join(frames)}{type(error).__name__}\n"
    try:
        file = Path(tempfile.mkdtemp(prefix="kursk-fault-")) / "fault.txt"
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
        kept = str(file)
    except OSError:
        kept = "the typed command"
    complain(
        f"this is an error of the program ({type(error).__name__}), not of your file; nothing was released. Please "
        f"report the error with {kept} and the messages of the game"
    )
    return EXIT_OURS


def main() -> None:
    """Run the installed command."""
    if "_KURSK_COMPLETE" in os.environ:  # a shell asks for completions
        cli.main(prog_name="kursk")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a console without Cyrillic letters must not stop a report
    sys.exit(run(sys.argv[1:]))
