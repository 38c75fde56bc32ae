"""rating: ratings over several tournaments."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.audit import ratings
from kursk_pbem.cli import cli, many
from kursk_pbem.cli.common import PATH, complain, home, in_json, json_option, say, say_json
from kursk_pbem.errors import EXIT_TRUST, UsageError
from kursk_pbem.game import keyring
from kursk_pbem.tournament.proof.archives import verify_archive
from kursk_pbem.tournament.score.rating import make_event

if TYPE_CHECKING:
    from kursk_pbem.audit.ratings import Event, Rated


@cli.command()
@click.argument("archives", nargs=-1, type=PATH, required=True, metavar="ARCHIVE...")
@click.option("--glicko", is_flag=True, help="Glicko-2 instead of Elo.")
@many.many_options
@json_option
def rating_command(archives: tuple[Path, ...], glicko: bool, **options: Any) -> int:
    """Rate players over several tournaments. Tournaments are verified first.

    ARCHIVE is the folder of a tournament, or the archive.zip of its site. Keys identify players. Elo begins at
    1500, with K 20, and counts tournaments in the order of their ends. Glicko-2 begins at 1500, with a deviation of
    350, and counts the results of each quarter together.
    """
    found: dict[str, Event] = {}
    with many.way(**options) as way:
        for archive in archives:
            proof = verify_archive(archive, way, lambda _number: None, home())
            if proof.status or proof.book is None:
                complain(f"{proof.text}; so no player is rated. Details: 'kursk tournament verify {archive}'")
                return proof.status
            if not proof.book.ended:
                raise UsageError(f"{archive}: this tournament has not ended; leave the archive out")
            if proof.book.id in found:
                raise UsageError(f"{archive}: you named this tournament twice; name the archive once")
            found[proof.book.id] = make_event(proof.book, proof.findings)
        if way.results and way.results.lies:
            return EXIT_TRUST
    _print_ratings(ratings.sort_events(found.values()), ratings.rate(found.values(), glicko=glicko), glicko=glicko)
    return 0


def _print_ratings(events: list[Event], rows: list[Rated], *, glicko: bool) -> None:
    if in_json():
        told = [{"tournament": at.id, "title": at.title, "end": at.end, "games": len(at.results)} for at in events]
        players = [{name: value for name, value in asdict(row).items() if value != ""} for row in rows]
        say_json("rating", {"method": "glicko-2" if glicko else "elo", "events": told, "players": players})
        return
    for at in events:
        say(f"{at.title}, ended {at.end}, rated games: {len(at.results)}")
    prints = keyring.make_fingerprints({row.key: row.key for row in rows})
    for place, row in enumerate(rows, 1):
        spread = f"  +-{row.deviation:>6}  volatility {row.volatility}" if glicko else ""
        name = row.name or "(no name)"
        say(f"{place:>3}  {row.rating:>7}{spread}  games {row.games:>3}  {prints[row.key]}  {name}")
