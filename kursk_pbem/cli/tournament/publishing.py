"""publish: a tournament as a folder of pages."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.audit.batch import Way
from kursk_pbem.cli.common import PATH, complain, home, note, said_options, say
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
@click.option("--jobs", default=1, type=click.IntRange(min=1), help="The number of processes.")
@said_options
def publish(folder: Path | None, out: Path, check: bool, app: str, jobs: int, quiet: bool) -> int:
    """Verify a tournament and write its site: pages without a script, a feed, a calendar, an archive for auditors.

    The same folder gives the same bytes on every machine, so readers can check the pages against the papers with
    --check. The site hides games until paper 0 allows them. Copy the folder to any web server, or open index.html.
    """
    place = found(folder)
    proof = proofs.verify_tournament(place, Way(jobs), home=home())
    if proof.status in (EXIT_UNREADABLE, EXIT_TRUST):
        complain(f"not published, because the tournament is invalid: {proof.text}")
        return proof.status
    site = publication.build_site(place, proof, app)
    if check:
        publication.check_site(out, site)
        note(out=out, files=len(site))
        say(f"{out} agrees with the papers and games: {len(site)} files", quiet=quiet)
        return 0
    written = publication.write_site(out, site)
    note(out=out, files=written.number, wrote=sorted(map(str, written.changed)))
    say(f"wrote {len(written.changed)} of {written.number} files into {out}", quiet=quiet)
    note(stale=list(map(str, written.stale)), missing=list(proof.missing))
    tell((f"{out / name} is an old page of this site: delete the file" for name in written.stale), quiet=quiet)
    tell((f"missing: {missing}" for missing in proof.missing), quiet=quiet)
    return 0
