"""verify, export: games from their files alone, and their form for auditors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from kursk_pbem.audit import batch, units
from kursk_pbem.audit.one_file import Finding, make_failure
from kursk_pbem.cli import cli, inside, many
from kursk_pbem.cli.common import (
    PATH,
    complain,
    in_json,
    note,
    release,
    rename,
    said_options,
    say,
    say_json,
    seq_option,
)
from kursk_pbem.cli.games import SEEN, completion_of, pick_path, pick_paths
from kursk_pbem.cli.handing import hand_over
from kursk_pbem.errors import EXIT_TRUST, UsageError, shell_word
from kursk_pbem.game import keyring


@cli.command()
@click.argument("typed", metavar="[GAME | PATH]...", nargs=-1, shell_complete=completion_of("games"))
@click.option("--head", default="", help="The id the last message must have (32 or 64 hex digits, from a report).")
@click.option("--key", "key", type=PATH, help="For a single file: the sender's public key.")
@seq_option
@many.many_options
@said_options
def verify_command(
    typed: tuple[str, ...], head: str, key: Path | None, seq: int | None, quiet: bool, **options: Any
) -> int:
    """Verify games: signatures, chain, secrets, dice, legality, every position. Print one line a game.

    For a folder, the command verifies every game in and below the folder. If you name a game and its successor, the
    command compares them. For one file alone, it verifies the signature, the form and the file's own position.
    """
    if head and not re.fullmatch("[0-9a-f]{32}|[0-9a-f]{64}", head.lower()):  # a shorter one could match by chance
        raise UsageError(f"--head {head!r} is no head: type the 32 or 64 hex digits from a report or 'kursk status'")
    found, passed = list[Path | Finding](), list[str]()
    for path in map(inside.save_pasted, pick_paths(typed)):
        places = inside.list_places(path, single=seq is not None or key is not None, passed=passed)
        found += [place if isinstance(place, Path) else make_failure(str(path), place) for place in places]
    work = units.list_tasks(found, head.lower(), keyring.read_public_key(key) if key else "", seq)
    status = 0
    with many.way(**options) as way, many.bar(shown=not (in_json() or quiet)) as step:
        with closing(batch.verify_each(work, way)) as verdicts:
            for finding in verdicts:
                step(len(work), partial(_print_finding, finding, quiet=quiet))
                status = max(status, finding.status)
        for text in passed:
            say(f"passed over: {text}", quiet=quiet or in_json())
        return max(status, EXIT_TRUST if way.results and way.results.lies else 0)


def _print_finding(finding: Finding, *, quiet: bool) -> None:
    """Print the verdict on a game at once, because other games can take hours."""
    finding = replace(finding, path=rename(finding.path), text=rename(finding.text))
    if in_json():
        from kursk_pbem.audit import results

        say_json("verify", results.to_plain(finding))
    elif finding.status:
        complain(finding.text)
    else:
        say(finding.text, quiet=quiet)
    release()


@cli.command()
@click.argument("typed", metavar="[GAME]", default="", shell_complete=completion_of("games"))
@click.option("-o", "--out", type=PATH, help="The folder for the files, created if missing; with --battles the file.")
@click.option("--vassal", is_flag=True, help="Write a module, a saved position and a log for VASSAL, beside the game.")
@click.option("--battles", is_flag=True, help="Write the battles as comma-separated values.")
@said_options
def export_command(typed: str, out: Path | None, vassal: bool, battles: bool, quiet: bool) -> None:
    """Write the archive form of GAME: the signed data as NNNN.json, signatures, keys, and how to check them.

    The command exports only a game that verifies. Standard tools can check the result: sha256sum, ssh-keygen, and the
    script of 'kursk help verify_game.py'. A differing file in the folder is never overwritten.

    With --vassal, real VASSAL shows the game: open GAME.vlog with the module, and step through every message. The files
    are a picture of the game, and VASSAL sends nothing back.

    With --battles, one table has a line for each battle of any system: strengths, odds, column, dice, result, chance,
    and the steps and units lost. GAME may be a folder with games. Without -o the command prints the table.
    """
    if battles:
        _export_battles(typed, out, vassal=vassal, quiet=quiet)
        return
    from kursk_pbem.audit import export as exports  # load the rules, which a single file does not need
    from kursk_pbem.audit.vassal import log

    folder = pick_path(typed, SEEN)
    if vassal:
        place = Path() if inside.is_temporary(folder) else folder.resolve().parent
        game, sizes = log.export_game(folder, out or place)
        written, place = sorted(path.name for path in sizes), next(iter(sizes)).parent
        note(game=game.chain.game, head=game.chain.head_id, messages=game.chain.next_seq, out=place, written=written)
        say("\n".join(f"wrote {path}, {size} bytes" for path, size in sizes.items()), quiet=quiet)
        return
    if out is None:
        raise UsageError(f"choose a new folder for the archive: 'kursk export {shell_word(typed or folder)} -o FOLDER'")
    done = exports.export(folder, out)
    chain = done.game.chain
    what = f"wrote {out}" if done.written else f"{out} was complete"
    count = f"{chain.next_seq} message{'s' if chain.next_seq > 1 else ''}"
    written = sorted(path.name for path in done.written)
    note(game=chain.game, head=chain.head_id, messages=chain.next_seq, out=out, written=written)
    say(f"{what}: {count}, head {chain.head_id[:32]}", quiet=quiet)


def _export_battles(typed: str, out: Path | None, *, vassal: bool, quiet: bool) -> None:
    """Write or print the battles of a game, or of all games below a folder."""
    from kursk_pbem.audit import battles  # load the rules, which a single file does not need
    from kursk_pbem.game import folders, histories
    from kursk_pbem.game.histories import History

    if vassal or (out is None and in_json()):
        raise click.UsageError("--battles writes a table into a file: add -o FILE, and leave --vassal out")
    found = list[Path]()
    for place in inside.list_places(inside.save_pasted(*pick_paths((typed,) if typed else ())), single=False):
        if not isinstance(place, Path):
            raise place
        found += folders.find_games(place)
    loaded: Iterable[History] = map(histories.load, found)
    if len(found) == 1:
        loaded = [*loaded]
        chain = loaded[0].game.chain
        note(game=chain.game, head=chain.head_id, messages=chain.next_seq)
    text, number = battles.format_battles(loaded)
    written = hand_over(text, out, quiet=quiet)
    note(games=len(found), battles=number)
    note(out=out or "-", written=[out.name] if out and written else [])
