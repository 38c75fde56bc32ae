"""The files of the site: made, written, and compared with a published site."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from kursk_pbem.errors import TrustError, UsageError, Where
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk
from kursk_pbem.game import folders as game_folders
from kursk_pbem.tournament.proof.verify import Proof
from kursk_pbem.tournament.score import listing
from kursk_pbem.tournament.site import archive, feed, layout, pages, view
from kursk_pbem.tournament.site.view import View

MARK = "This folder is written by 'kursk tournament publish'.\n"
MARKED = "made-by.txt"
LARGEST = 1 << 30
"""The maximum size of a site's file in bytes."""
_ADDRESS = re.compile(r"https://[^\s#<>\"']{1,500}|http://(localhost|127\.0\.0\.1)(:[0-9]+)?/", re.ASCII)
_NAME = re.compile(rf".+\.(html|svg|png|gif|atom|ics|zip|json|csv|txt|trf)|{re.escape(disk.PREFIX)}.*")
"""The name of a site's file, or of an unfinished file after a crash."""


@frozen
class Written:
    """The result of writing: new or changed files, and outdated files."""

    changed: tuple[str, ...]
    stale: tuple[str, ...]


def load_view(folder: Path, proof: Proof, app: str = "", address: str = "", *, pictures: bool = False) -> View:
    """Return the public data of a tournament. Raises UsageError unless the ``proof`` and the addresses are valid.

    ``app``: the address of a web page of this program, where readers verify in their browser, or ''. ``address``: the
    future address of the site, or ''. ``pictures``: whether the pages name pictures.
    """
    for page in filter(None, (app, address)):
        if not _ADDRESS.fullmatch(page):
            raise UsageError(
                f"{page!r} is no address of a web page: type an address with https://, but without blanks or '#'"
            )
    if proof.book is None:
        raise UsageError(f"not published, because the tournament is not valid: {proof.text}")
    address = f"{address.removesuffix('/')}/" if address else ""
    return replace(view.make_view(proof.book, folder), app=app, address=address, pictures=pictures)


def build_files(shown: View) -> dict[str, bytes]:
    """Return each file of a site by name, except the pictures."""
    files = {layout.CALENDAR: feed.build_calendar(shown), layout.ARCHIVE: archive.build_archive(shown)}
    files |= {name: text.encode("utf-8") for name, text in _build_texts(shown)}
    return dict(sorted(files.items()))


def _build_texts(shown: View) -> Iterator[tuple[str, str]]:
    yield from pages.build_pages(shown)
    yield layout.FEED, feed.build_feed(shown)
    yield MARKED, MARK
    book, table = shown.book, shown.table
    yield "standings.txt", listing.format_text(book, table)
    yield "standings.csv", listing.format_csv(book, table)
    yield "standings.json", json.dumps(listing.to_json(book, table), indent=1, sort_keys=True) + "\n"
    yield "tournament.trf", listing.format_trf(book, table)


def write_site(out: Path, site: Mapping[str, bytes], pictures: Collection[str] = ()) -> Written:
    """Write each missing or different file, except pictures. Raises UsageError if the folder has other files."""
    if out.is_dir() and any(out.iterdir()) and _read_page(out / MARKED) != site[MARKED]:
        raise UsageError(f"{out} contains files that this command did not write: choose an empty or new folder")
    game_folders.make(out)
    changed = []
    for name in [MARKED, *site]:
        if _read_page(out / name) != site[name]:
            disk.replace(out / name, site[name])
            changed.append(name)
    return Written(tuple(dict.fromkeys(changed)), tuple(_find_stale(out, {*site, *pictures})))


def check_site(out: Path, site: Mapping[str, bytes], pictures: Collection[str] = ()) -> None:
    """Check that a published site has the files of ``site``. Raises TrustError for the first different file.

    ``pictures``: file names of pictures. Their bytes are not compared.
    """
    for name in (*site, *pictures):
        if (there := _read_page(out / name)) is None:
            raise TrustError("chain", "the page is missing", Where(str(out / name)))
        if there != site.get(name, there):
            why = "the page differs from the papers and games of the tournament"
            raise TrustError("chain", why, Where(str(out / name)))
    for name in _find_stale(out, {*site, *pictures}):
        raise TrustError("chain", "the file is no page of the tournament's site", Where(str(out / name)))


def _read_page(path: Path) -> bytes | None:
    """Return the bytes of a site's file, or None."""
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else None
    except OSError:
        return None


def _find_stale(out: Path, site: Collection[str]) -> list[str]:
    """Return the files that look like pages of a site and do not belong to this site."""
    return sorted(path.name for path in out.iterdir() if path.name not in site and _NAME.fullmatch(path.name))
