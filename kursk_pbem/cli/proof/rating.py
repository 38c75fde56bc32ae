"""rating: ratings over several tournaments, and the ladder as pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.audit import ratings
from kursk_pbem.cli import cli, many
from kursk_pbem.cli.common import PATH, in_json, json_option, say, say_json
from kursk_pbem.errors import EXIT_TRUST, KurskError, UsageError, shell_word
from kursk_pbem.game import keyring
from kursk_pbem.tournament.ladder import archives as ladder_archives
from kursk_pbem.tournament.ladder.archives import Archive
from kursk_pbem.tournament.proof.archives import verify_archive

if TYPE_CHECKING:
    from kursk_pbem.audit.batch import Way
    from kursk_pbem.audit.ratings import Rated


@cli.command()
@click.argument("archives", nargs=-1, type=PATH, required=True, metavar="ARCHIVE...")
@click.option("--glicko", is_flag=True, help="Glicko-2 by quarter instead of Elo.")
@click.option("--site", "out", type=PATH, metavar="OUT", help="Write the ladder as pages into OUT, by Glicko-2.")
@many.many_options
@json_option
def rating_command(archives: tuple[Path, ...], glicko: bool, out: Path | None, **options: Any) -> int:
    """Rate players over several tournaments. Tournaments are verified first.

    ARCHIVE is the folder of a tournament, the archive.zip of its site, or a folder of such zips. Keys identify players.
    Elo begins at 1500, with K 20, and counts tournaments in the order of their ends. Glicko-2 begins at 1500, with a
    deviation of 350, and counts the results of each quarter together. Of two archives of a tournament the newer one
    counts. With --site the archives of an earlier ladder in OUT count, too.
    """
    typed = ladder_archives.list_paths(archives)
    paths = ladder_archives.list_paths([*typed, *(sorted(out.glob("*.zip")) if out is not None else ())])
    with many.way(**options) as way:
        found = [_verify(path, way) for path in many.track(iter(paths), len(paths), "verifying")]
        if way.results and way.results.lies:
            return EXIT_TRUST
    counted = ladder_archives.choose_newest(found)
    rows = ratings.rate((archive.event for archive in counted), glicko=glicko or out is not None)
    pages = {} if out is None else _write_pages(out, counted, typed)
    if in_json():
        told = ladder_archives.to_json(counted, rows, glicko=glicko or out is not None)
        say_json("rating", {**told, **pages})
    else:
        _print_ratings(counted, rows)
    return 0


def _verify(path: Path, way: Way) -> Archive:
    """Return the archive of an ended tournament. Raises KurskError with the status of the verdict."""
    proof = verify_archive(path, way, lambda _number: None)
    if proof.status or proof.book is None:
        error = KurskError(
            f"{proof.text}; so no player is rated. Details: 'kursk tournament verify {shell_word(path)}'"
        )
        error.exit_status = proof.status
        raise error
    if not proof.book.ended:
        raise UsageError(f"the tournament in {path} has not ended; leave this archive out")
    return Archive(path, proof.book, proof.findings)


def _write_pages(out: Path, counted: list[Archive], typed: list[Path]) -> dict[str, Any]:
    """Write the ladder; return the changed files, and notes about archives. ``typed``: the archives of the user."""
    from kursk_pbem.tournament.ladder import pages
    from kursk_pbem.tournament.site import publication

    before = {path.name for path in out.glob("*.zip")}
    notes = [f"{at.event.title}: you named no archive as new as {at.path}" for at in counted if at.path not in typed]
    notes += [f"{at.event.title} is new in {out}" for at in counted if before and at.file not in before]
    written = publication.write_site(out, files := pages.build_ladder(counted))
    notes += [f"{out / name} is an old page of this ladder: delete the file" for name in written.stale]
    if not in_json():
        say("\n".join([*notes, f"wrote {len(written.changed)} of {len(files)} files into {out}"]))
    return {"out": str(out), "wrote": sorted(written.changed), "notes": notes}


def _print_ratings(counted: list[Archive], rows: list[Rated]) -> None:
    for at in (archive.event for archive in counted):
        say(f"{at.title}, ended {at.end}, rated games: {len(at.results)}")
    prints = keyring.make_fingerprints({row.key: row.key for row in rows})
    for place, row in enumerate(rows, 1):
        spread = f"  +-{row.deviation:>6}  volatility {row.volatility}" if row.deviation else ""
        name = row.name or "(no name)"
        say(f"{place:>3}  {row.rating:>7}{spread}  games {row.games:>3}  {prints[row.key]}  {name}")
