"""The command ``kursk``. Each module holds one group of commands; heavy imports live inside the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from kursk_pbem import __version__
from kursk_pbem.errors import EXIT_INTERRUPTED, EXIT_OURS, EXIT_UNREADABLE, KurskError, RulesError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="kursk")
def cli() -> None:
    """Umpire for Kursk board wargames by mail.

    Signed turns, dice that nobody can steer, every rule checked.

    \b
    A game begins:   keygen, propose, accept
    A turn:          adjudicate, check, sign   (mail the file that sign writes)
    Looking around:  status, report, map, rule, draft
    Anyone, later:   verify
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command line; its exit status. Every refusal is printed to standard error, none escapes."""
    try:
        result = cli.main(args=list(arguments), prog_name="kursk", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Abort:
        click.echo("kursk: interrupted; nothing was written by halves", err=True)
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        return EXIT_UNREADABLE
    except KurskError as error:
        _complain(error)
        return error.exit_status
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - lives as long as the process
        return 0
    except Exception as error:  # noqa: BLE001 - a fault of ours must end in a report, not in a traceback
        return _our_fault(error, arguments)


def _complain(error: KurskError) -> None:
    if isinstance(error, RulesError):
        number = len(error.violations)
        whose = f"the {error.side} side's orders break" if error.side else "these orders break"
        places = "one place" if number == 1 else f"{number} places"
        click.echo(f"{error}\nkursk: {whose} the rules in {places}; nothing was done", err=True)
    else:
        click.echo(f"kursk: {error}", err=True)


def _our_fault(error: Exception, arguments: Sequence[str]) -> int:
    """Status 70: say so, and leave a file for a bug report. It holds no file contents, keys or secrets."""
    import tempfile
    import traceback

    frames = traceback.format_tb(error.__traceback__)
    text = f"kursk {__version__}, Python {sys.version}\n{list(arguments)!r}\n{''.join(frames)}{type(error).__name__}\n"
    folder = Path(tempfile.mkdtemp(prefix="kursk-fault-"))
    (folder / "fault.txt").write_text(text, encoding="utf-8")
    click.echo(
        f"kursk: this is a fault of the program ({type(error).__name__}), not of your file; nothing was released. "
        f"Please report it with {folder / 'fault.txt'} and the messages of the game",
        err=True,
    )
    return EXIT_OURS


def main() -> None:
    """Entry point of the installed command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a console without Cyrillic must not stop a report
    sys.exit(run(sys.argv[1:]))


from kursk_pbem.cli import audit, begin, demo, look, turn  # noqa: E402, F401 - they add their commands to the group
