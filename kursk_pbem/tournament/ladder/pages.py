"""The pages of a ladder: static files, made from archives alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from statistics import median_low
from typing import Any

from kursk_pbem.audit import ratings
from kursk_pbem.tournament import pace
from kursk_pbem.tournament.ladder import players
from kursk_pbem.tournament.ladder.archives import Archive, to_json
from kursk_pbem.tournament.proof.archives import open_archive
from kursk_pbem.tournament.site import archive as site_archive
from kursk_pbem.tournament.site import layout, publication, view
from kursk_pbem.trust import sshsig

MARK = "This folder is written by 'kursk rating --site'.\n"


def build_ladder(archives: Sequence[Archive]) -> dict[str, bytes]:
    """Return every file of a ladder by file name. Raises KurskError if an archive cannot be read again."""
    copies: dict[str, bytes] = {}
    paces: dict[str, dict[str, pace.Pace]] = {}
    for archive in archives:
        with open_archive(archive.path) as place:
            paces[archive.book.id] = pace.measure_boards(archive.book, place)
            if archive.path.is_file():
                copies[archive.file] = archive.path.read_bytes()
            else:
                copies[archive.file] = site_archive.build_archive(view.make_view(archive.book, place))
    people = players.compute_players(archives, paces)
    established = [player.key for player in people.values() if player.state == players.ESTABLISHED]
    facts: dict[str, Any] = {
        "archives": archives,
        "people": people,
        "places": {key: place for place, key in enumerate(established, 1)},
        "honored": sorted(
            (each for each in people.values() if each.honors), key=lambda each: each.medals, reverse=True
        ),
        "now": max((archive.book.head.text("time") for archive in archives), default=""),
        "hashes": {name: hashlib.sha256(data).hexdigest() for name, data in copies.items()},
        "few": players.FEW,
        "median": median_low,
        "fingerprint": sshsig.fingerprint,
    }
    table = to_json(archives, ratings.rate((archive.event for archive in archives), glicko=True), glicko=True)
    texts = {
        publication.MARKED: MARK,
        "ladder.json": json.dumps(table, indent=1, sort_keys=True) + "\n",
        layout.INDEX: _render_page(layout.INDEX, "index", "Players by rating", **facts),
        "fame.html": _render_page("fame.html", "fame", "Hall of fame", **facts),
        "archives.html": _render_page("archives.html", "archives", "Archives", **facts),
    }
    texts |= {each.page: _render_page(each.page, "player", each.name, player=each, **facts) for each in people.values()}
    return dict(sorted({**copies, **{name: text.encode("utf-8") for name, text in texts.items()}}.items()))


def _render_page(file: str, template: str, title: str, **facts: Any) -> str:
    page: str = layout.load_templates().get_template(f"ladder/{template}.html").render(file=file, title=title, **facts)
    return page
