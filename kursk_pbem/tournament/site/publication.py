"""The whole site as files: made, written where it differs, compared with what somebody else has published."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.errors import TrustError, UsageError, Where
from kursk_pbem.game import disk
from kursk_pbem.game import folders as game_folders
from kursk_pbem.tournament.proof.verify import Proof
from kursk_pbem.tournament.score import listing
from kursk_pbem.tournament.site import archive, feed, layout, pages, view
from kursk_pbem.tournament.site.view import View

MARK = "This folder is written by 'kursk tournament publish'.\n"
_MARKED = "made-by.txt"
LARGEST = 1 << 30
"""Bytes of a file of a site; a larger one is none."""
_PATTERNS = ("*.html", "*.svg", "*.atom", "*.ics", "*.zip", "*.json", "*.csv", "*.txt", "*.trf", f"{disk.PREFIX}*")
"""Files that are pages of a site, or what a program that was killed has left of one."""


@dataclass(frozen=True)
class Written:
    """What came of writing: files that are new or changed, how many there are, and those that are none any more."""

    changed: tuple[str, ...]
    number: int
    stale: tuple[str, ...]


def made(folder: Path, proof: Proof) -> dict[str, bytes]:
    """Every file of the site of a tournament, by name. ``proof``: that its folder holds. UsageError otherwise."""
    if proof.book is None:
        raise UsageError(f"nothing is published that does not hold: {proof.text}")
    shown = view.look(proof.book, folder)
    files: dict[str, bytes] = {layout.CALENDAR: feed.calendar(shown), layout.ARCHIVE: archive.build(shown)}
    files |= {name: text.encode("utf-8") for name, text in _texts(shown)}
    return dict(sorted(files.items()))


def _texts(shown: View) -> Iterator[tuple[str, str]]:
    yield from pages.every(shown)
    yield layout.FEED, feed.atom(shown)
    yield _MARKED, MARK
    book, table = shown.book, shown.table
    yield "standings.txt", listing.text(book, table)
    yield "standings.csv", listing.csv(book, table)
    yield "standings.json", json.dumps(listing.to_json(book, table), indent=1, sort_keys=True) + "\n"
    yield "tournament.trf", listing.trf(book, table)


def write(out: Path, site: Mapping[str, bytes]) -> Written:
    """Write every file that is not there as it must be, whole. UsageError for a folder that holds something else."""
    if out.is_dir() and any(out.iterdir()) and not (out / _MARKED).is_file():
        raise UsageError(
            f"{out} holds files, and no site of a tournament: name a folder that is empty or not there yet"
        )
    game_folders.make(out)
    changed = []
    for name in [_MARKED, *site]:
        if _there(out / name) != site[name]:
            try:
                disk.replace(out / name, site[name])
            except OSError as error:
                raise UsageError(f"{out / name} cannot be written: {error.strerror}") from None
            changed.append(name)
    return Written(tuple(dict.fromkeys(changed)), len(site), tuple(_stale(out, site)))


def check(out: Path, site: Mapping[str, bytes], done: Callable[[], object] = lambda: None) -> None:
    """That a published site says what the tournament's folder says. TrustError names the first file that differs."""
    for name, right in site.items():
        there = _there(out / name)
        if there is None:
            raise TrustError("chain", "this page is missing", Where(str(out / name)))
        if there != right:
            why = "this page says something else than the papers and games of the tournament"
            raise TrustError("chain", why, Where(str(out / name)))
        done()
    for name in _stale(out, site):
        raise TrustError("chain", "this is no page of the tournament", Where(str(out / name)))


def _there(path: Path) -> bytes | None:
    """The bytes of a file of the site, None where there is none."""
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else None
    except OSError:
        return None


def _stale(out: Path, site: Mapping[str, bytes]) -> Iterator[str]:
    """Files that look like pages of a site and are none of this one."""
    for pattern in _PATTERNS:
        yield from sorted(path.name for path in out.glob(pattern) if path.name not in site)
