"""publish: a tournament as a folder of pages."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.audit.batch import Way
from kursk_pbem.cli.common import PATH, complain, note, said_options, say
from kursk_pbem.cli.many import track
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import folder_argument, found, tell
from kursk_pbem.errors import EXIT_TRUST, EXIT_UNREADABLE
from kursk_pbem.tournament.proof import verify as proofs
from kursk_pbem.tournament.site import publication


@tournament.command()
@folder_argument()
@click.option("-o", "out", type=PATH, required=True, help="The folder of the site.")
@click.option("--check", is_flag=True, help="Only check the site against the papers.")
@click.option("--app", default="", help="The address of the program as a web page ('make app'): readers verify there.")
@click.option("--address", default="", help="The address of the site, for previews of boards in chats.")
@click.option("--pictures/--no-pictures", default=True, help="With or without turns and games as pictures.")
@click.option("--jobs", default=1, type=click.IntRange(min=1), help="The number of processes.")
@said_options
def publish(
    folder: Path | None, out: Path, check: bool, app: str, address: str, pictures: bool, jobs: int, quiet: bool
) -> int:
    """Verify a tournament and write its site: pages without a script, a feed, a calendar, an archive for auditors.

    The same folder gives the same bytes on every machine, so readers can check the pages against the papers with
    --check and equal options. The site hides games until paper 0 allows them. Copy the folder to any web server, or
    open index.html. Pictures need two packages more ('pip install resvg-py pillow'), and their bytes are not checked.
    """
    from kursk_pbem.film.pixels import load_library
    from kursk_pbem.tournament.site import pictures as drawings

    place = found(folder)
    proof = proofs.verify_tournament(place, Way(jobs))
    if proof.status in (EXIT_UNREADABLE, EXIT_TRUST):
        complain(f"not published, because the tournament is invalid: {proof.text}")
        return proof.status
    shown = publication.load_view(place, proof, app, address, pictures=pictures)
    site, drawn = publication.build_files(shown), drawings.list_pictures(shown)
    if check:
        publication.check_site(out, site, drawn)
        note(out=out, files=len(site) + len(drawn))
        say(f"all {len(site) + len(drawn)} files in {out} agree with the tournament's papers and games", quiet=quiet)
        return 0
    if drawn:
        load_library("resvg_py", "a site without the option --no-pictures")  # before the first page
    written = publication.write_site(out, site, drawn)
    new = drawings.draw_missing(out, drawn, lambda names, number: track(names, number, "drawing"))
    changed, number = sorted([*written.changed, *new]), len(site) + len(drawn)
    note(out=out, files=number, wrote=changed)
    say(f"wrote {len(changed)} of {number} files into {out}", quiet=quiet)
    note(stale=list(map(str, written.stale)), missing=list(proof.missing))
    tell((f"{out / name} is an old page of this site: delete the file" for name in written.stale), quiet=quiet)
    tell((f"missing: {missing}" for missing in proof.missing), quiet=quiet)
    return 0
