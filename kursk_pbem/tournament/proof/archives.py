"""Archives of games and tournaments that anybody verifies: a zip or a few files, read into a temporary folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from zipfile import BadZipFile, ZipFile, ZipInfo

from kursk_pbem.audit import batch, units
from kursk_pbem.audit.batch import Way
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.errors import DiskError, FileError
from kursk_pbem.formats import zipped
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import histories
from kursk_pbem.tournament import pace
from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.proof.verify import Proof

MAX_BYTES, MAX_FILES = 64 << 20, 20_000
"""Limits of an archive, packed and unpacked."""
_PART = r"[\w+=,@()-][\w+=,@() .-]{0,99}(?<![ .])"
_NAME = re.compile(rf"{_PART}(/{_PART}){{0,7}}")
_HIDDEN = re.compile(r"(.*/)?\.[^./][^/]*(/.*)?", re.DOTALL)
_READ = re.compile(rf"[a-z0-9-]+\.(yaml|json|json\.sig)|{re.escape(pace.FILE)}")
"""Messages, papers and signatures. Other files of an archive, such as its README.txt, are left out."""

_DAMAGED = "the zip is damaged, locked or packed in an unknown way: ask for another copy"


@frozen
class Row:
    """A verified or refused game: board and players as people read them, and the verdict of 'kursk verify'."""

    name: str
    players: str
    text: str
    finding: Finding


@frozen
class Verdict:
    """The verdict on an archive. ``text``: on its tournament, '' without one. ``status``: as of 'kursk verify'."""

    status: int
    head: str
    rows: tuple[Row, ...]
    text: str = ""
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def unpack(uploads: Iterable[tuple[str, IO[bytes]]], place: Path) -> None:
    """Write messages and papers from zips and single files into a folder. Raises FileError, or DiskError."""
    found: dict[str, bytes] = {}
    left = MAX_BYTES
    for name, data in _read_uploads(uploads):
        if name.casefold() in found:
            raise FileError(f"the archive contains {show(name)} twice: ask its author for another copy")
        found[name.casefold()] = data
        left -= len(data)
        if left < 0 or len(found) > MAX_FILES:
            raise FileError(f"the archive is too large: at most {MAX_BYTES >> 20} MB in {MAX_FILES} files")
        if not _READ.fullmatch(name.rpartition("/")[2]):
            continue
        try:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        except OSError as error:
            raise DiskError(f"{show(name)} cannot be unpacked: {error.strerror}") from None
    if not any(place.iterdir()):
        raise FileError("the file has no message and no paper of a tournament: choose an archive, or a game's files")


@contextmanager
def open_archive(path: Path) -> Iterator[Path]:
    """Yield a tournament's folder: ``path`` itself, or for a site's archive a temporary folder with its files."""
    try:
        with ZipFile(path) as archive:
            whole = store.log_path(Path(), 0).as_posix() in archive.namelist()
    except (OSError, ValueError, BadZipFile, NotImplementedError):
        whole = False
    if not whole:
        yield path
        return
    with TemporaryDirectory(prefix="kursk-archive-") as place:
        with path.open("rb") as stream:
            unpack([(path.name, stream)], Path(place))
        yield Path(place)


def verify_archive(path: Path, way: Way, done: Callable[[int], object]) -> Proof:
    """Return the verdict on a tournament, from its folder or from its site's archive."""
    with open_archive(path) as place:
        proof = verify.verify_tournament(place, way, done)
        missing, notes = ([each.replace(str(place), str(path)) for each in one] for one in (proof.missing, proof.notes))
        text = proof.text.replace(str(place), str(path))
        return replace(proof, text=text, missing=tuple(missing), notes=tuple(notes))


def _read_uploads(uploads: Iterable[tuple[str, IO[bytes]]]) -> Iterator[tuple[str, bytes]]:
    for name, stream in uploads:
        data = stream.read(MAX_BYTES + 1)
        if data[:2] == b"PK":
            yield from zipped.read_zip(data, MAX_BYTES, MAX_FILES, _want, _DAMAGED)
        elif not _HIDDEN.fullmatch(name):
            yield _check_name(name), data


def _want(info: ZipInfo) -> bool:
    """Return whether a file of a zip is no hidden one. Raises FileError for a link or an unsafe name."""
    if _HIDDEN.fullmatch(info.orig_filename):
        return False
    if not zipped.is_ordinary(info):
        raise FileError(f"the archive contains a link, {show(info.orig_filename)}: do not trust its author")
    return bool(_check_name(info.orig_filename))


def _check_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise FileError(f"the archive contains an unsafe name, {show(name)[:200]}: do not trust its author")
    return name


def verify_place(place: Path) -> Verdict:
    """Return the verdict on the tournament or the games in a folder, as 'kursk verify' does."""
    logs = sorted(
        log.parent.parent for log in place.rglob(store.log_path(Path(), 0).name) if log.parent.name == store.LOG
    )
    if logs:
        return _verify_tournament(logs[0], place)
    with closing(batch.verify_each(units.list_tasks([place], "", "", None))) as verdicts:
        rows = tuple(Row("", " - ".join(each.names.values()), _cut(each.text, place), each) for each in verdicts)
    heads = {row.finding.head for row in rows}
    return Verdict(max(row.finding.status for row in rows), heads.pop() if len(heads) == 1 else "", rows)


def _verify_tournament(folder: Path, place: Path) -> Verdict:
    proof = verify.verify_tournament(folder)
    rows = []
    for board in proof.book.boards.values() if proof.book else ():
        players = " - ".join(proof.book.entrant(number).called for number in board.numbers) if proof.book else ""
        if (finding := proof.findings.get(board.game)) is not None:
            rows.append(Row(board.name, players, _cut(finding.text, place), finding))
    head = proof.book.head.id if proof.book else ""
    return Verdict(proof.status, head, tuple(rows), _cut(proof.text, place), proof.missing, proof.notes)


def _cut(text: str, place: Path) -> str:
    """Return a text without the name of the temporary folder."""
    return text.replace(f"{place}/", "").replace(f"{place}: ", "").replace(str(place), "the archive")


def render_replay(row: Row, back: str) -> tuple[str, str]:
    """Return a page that replays a game, with luck and proof, and the page's security policy."""
    from kursk_pbem.film.stage import draw_turn  # noqa: PLC0415  a rating draws no page
    from kursk_pbem.game import replay as replays  # noqa: PLC0415
    from kursk_pbem.report import replay as replay_page  # noqa: PLC0415

    history = histories.load(Path(row.finding.path), end=row.finding.messages - 1)
    page = replay_page.render_page(replays.make_replay(history), back, turn=draw_turn(history))
    return page, replay_page.find_policy(page)
