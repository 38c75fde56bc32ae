"""verify, prove, export: checks of a tournament's folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import many
from kursk_pbem.cli.common import PATH, complain, in_json, note, said_options, say, say_json
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import folder_argument, found, tell
from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import EXIT_RULES, EXIT_TRUST, shell_word
from kursk_pbem.game import folders
from kursk_pbem.tournament import sights
from kursk_pbem.tournament.papers import mails
from kursk_pbem.tournament.proof import archives, equivocation
from kursk_pbem.tournament.proof import export as exports

if TYPE_CHECKING:
    from kursk_pbem.tournament.proof.verify import Proof


def _find_place(folder: Path | None) -> Path:
    """Return the tournament's folder, or the archive as typed. Raises UsageError."""
    return folder if folder is not None and folder.is_file() else found(folder)


@tournament.command()
@folder_argument()
@many.many_options
@said_options
def verify(folder: Path | None, quiet: bool, **options: Any) -> int:
    """Prove a tournament from its folder alone: entries, lots, pairings, games, results, standings.

    FOLDER may be the archive.zip of a site. The command names the first difference with its paper and field. Status 0:
    all is right; 1: something is missing, with the person to ask; 2: a file cannot be read; 3: something is false.
    """
    place = _find_place(folder)
    with many.way(**options) as way, many.bar(shown=not (in_json() or quiet)) as step:
        proof = archives.verify_archive(place, way, step)
        lies = way.results is not None and way.results.lies
    if in_json():
        say_json("tournament verify", _plain(proof))
    elif proof.status:
        complain(proof.text)
        tell((f"missing: {missing}" for missing in proof.missing), quiet=quiet)
    else:
        say(proof.text, quiet=quiet)
    if not in_json():
        ahead = sights.warn_ahead(proof.book.log, clock.now()) if proof.book else ()
        tell((f"note: {note}" for note in (*ahead, *proof.notes)), quiet=quiet)
    return max(proof.status, EXIT_TRUST if lies else 0)


def _plain(proof: Proof) -> dict[str, object]:
    return {
        "status": proof.status,
        "text": proof.text,
        "paper": proof.paper,
        "field": proof.place,
        "missing": list(proof.missing),
        "notes": list(proof.notes),
        "tournament": proof.book.id if proof.book else "",
        "head": proof.book.head.id if proof.book else "",
    }


@tournament.command()
@folder_argument()
@click.argument("others", nargs=-1, type=PATH, required=True, metavar="COPY...")
@click.option("-o", "out", type=PATH, help="The folder for the proof.")
@said_options
def prove(folder: Path | None, others: tuple[Path, ...], out: Path | None, quiet: bool) -> int:
    """Compare copies of a tournament's log. Two different signed papers with one number convict the director's key."""
    outcome = equivocation.compare_logs([_find_place(folder), *others])
    if outcome.pair is None:
        complain(outcome.text)
        return EXIT_RULES
    say(outcome.text, quiet=quiet, text=outcome.text)
    path = out or Path(f"proof-tournament-{outcome.pair[0].seq:04d}.yaml")
    folders.write(path, mails.bundle_papers(outcome.proof))
    note(wrote=[path])
    say(f"wrote {path}: 'kursk tournament prove FOLDER {shell_word(path)}' checks the proof", quiet=quiet)
    return 0


@tournament.command()
@folder_argument()
@click.option("-o", "out", type=PATH, required=True, help="The folder to write.")
@said_options
def export(folder: Path | None, out: Path, quiet: bool) -> None:
    """Verify the papers and write the signed bytes with their signatures, for ssh-keygen."""
    number = exports.export_papers(found(folder), out)
    say(f"wrote {number} files into {out}; README.txt tells how to check them", quiet=quiet, out=out, files=number)
