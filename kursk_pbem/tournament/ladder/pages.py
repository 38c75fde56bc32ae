"""The pages of a ladder: static files, made from archives alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.audit import ratings
from kursk_pbem.tournament import pace
from kursk_pbem.tournament.ladder import archives as ladder_archives
from kursk_pbem.tournament.ladder import players as ladder_players
from kursk_pbem.tournament.ladder.archives import Archive
from kursk_pbem.tournament.ladder.players import Paces
from kursk_pbem.tournament.proof.archives import open_archive
from kursk_pbem.tournament.site import archive as site_archive
from kursk_pbem.tournament.site import layout, publication, view

FAME, ARCHIVES = "fame.html", "archives.html"
MARK = "This folder is written by 'kursk rating --site'.\n"


def build_ladder(archives: Sequence[Archive]) -> dict[str, bytes]:
    """Return every file of a ladder by name. Raises KurskError if an archive cannot be read again."""
    copies: dict[str, bytes] = {}
    paces: dict[str, dict[str, pace.Pace]] = {}
    for archive in archives:
        with open_archive(archive.path) as place:
            paces[archive.book.id] = pace.measure_boards(archive.book, place)
            whole = archive.path.is_file()
            shown = None if whole else view.make_view(archive.book, place)
            copies[archive.file] = archive.path.read_bytes() if shown is None else site_archive.build_archive(shown)
    events = [archive.event for archive in archives]
    table = ladder_archives.to_json(archives, ratings.rate(events, glicko=True), glicko=True)
    texts = {
        publication.MARKED: MARK,
        ladder_archives.TABLE: json.dumps(table, indent=1, sort_keys=True) + "\n",
        **dict(_build_pages(archives, paces, copies)),
    }
    return dict(sorted({**copies, **{name: text.encode("utf-8") for name, text in texts.items()}}.items()))


def _build_pages(archives: Sequence[Archive], paces: Paces, copies: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    people = ladder_players.compute_players(archives, paces)
    facts: dict[str, Any] = {"archives": archives, "people": people, "few": ladder_players.FEW}
    facts["now"] = max((archive.book.head.text("time") for archive in archives), default="")
    honored = sorted((player for player in people.values() if player.honors), key=lambda one: one.medals, reverse=True)
    ranked = [player.key for player in people.values() if player.state == ladder_players.ESTABLISHED]
    facts["places"] = {key: place for place, key in enumerate(ranked, 1)}
    facts |= {"honored": honored, "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in copies.items()}}
    yield _render_page(layout.INDEX, "index", "Players by rating", **facts)
    yield _render_page(FAME, "fame", "Hall of fame", **facts)
    yield _render_page(ARCHIVES, "archives", "Archives", **facts)
    for player in people.values():
        yield _render_page(player.page, "player", player.name, player=player, **facts)


def _render_page(file: str, template: str, title: str, **facts: Any) -> tuple[str, str]:
    page = layout.load_templates().get_template(f"ladder/{template}.html")
    return file, page.render(file=file, title=title, **facts)
