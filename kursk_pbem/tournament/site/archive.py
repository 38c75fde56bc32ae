"""One file for auditors: the log, the acknowledged papers, and the public games. Equal folders give equal bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from kursk_pbem.game import folders as game_folders
from kursk_pbem.game import receipts
from kursk_pbem.tournament import pace
from kursk_pbem.tournament.papers import forms, store
from kursk_pbem.tournament.site.view import View
from kursk_pbem.trust import messages
from kursk_pbem.trust import papers as referees

_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3


def build_archive(view: View) -> bytes:
    """Return the archive of a tournament as the bytes of a ZIP file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, text in sorted(dict(_list_members(view)).items()):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system, info.external_attr = _UNIX, _MODE
            archive.writestr(info, text.encode("ascii"))
    return out.getvalue()


def _list_members(view: View) -> Iterator[tuple[str, str]]:
    """Yield names and texts in the program's own layout."""
    book = view.book
    for paper in book.log:
        yield f"{store.LOG}/{paper.seq:04d}.yaml", forms.emit_paper(paper)
    for id_ in book.received:
        yield f"{store.PAPERS}/{id_[:16]}.yaml", forms.emit_paper(book.papers[id_])
    for paper in store.read_evidence(view.folder):
        yield f"{store.EVIDENCE}/{store.evidence_path(view.folder, paper).name}", forms.emit_paper(paper)
    hidden = {board.name for board in book.boards.values() if board.game and not view.game(board)}
    if hidden:
        yield pace.FILE, pace.emit_paces({name: now for name, now in view.paces.items() if name in hidden})
    for game, history in view.histories.items():
        place = f"{store.GAMES}/{game_folders.folder_name(game)}"
        for step in history.steps:
            message = step.message
            text = messages.emit_for_mail(message.content, message.armour or "", message.state)
            yield f"{place}/{message.seq:04d}.yaml", text
        here = view.folder / store.GAMES / game_folders.folder_name(game)
        for signed in receipts.read_papers(here):
            yield f"{place}/{receipts.paper_path(here, signed).name}", referees.emit_paper(signed)
