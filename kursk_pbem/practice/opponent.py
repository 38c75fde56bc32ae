"""The opponent of a practice game: a separate desk to take a mail, think, sign and answer.

The desk has a private folder (KURSK_HOME), a key and a process of its own. The opponent knows only the mails of the
player. ``python -m kursk_pbem.practice.opponent`` reads a request and writes the answer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts, prospects
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.desk.own import desks, register, remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import disk, folders, inbox, journal, keyring
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import OVER
from kursk_pbem.practice.levels import list_levels, name_level, think
from kursk_pbem.rulesets import has_opponent, ruleset
from kursk_pbem.trust import keys, messages
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

ANY = "practice, any legal orders"
"""The name of an opponent in a system without ideas."""
NOBODY = -1
"""The level of a private folder without an opponent."""
_BOUND = 2
"""The last message that may be the first message of a player after the proposal."""


def name_opponent(level: int, rules: Ruleset) -> str:
    """Return the name of a practice opponent. The opponent writes this name as a note into its first message."""
    return f"practice, {name_level(level)}" if has_opponent(rules) else ANY


def read_level(home: Path) -> int:
    """Return a practice opponent's level, as saved in its private folder. A player's folder gives `NOBODY`."""
    return int(jsonfiles.read_object(home / register.OPPONENT).get("level", NOBODY))


def open_home(home: Path, level: int) -> str:
    """Make or open a practice opponent's private folder; return the opponent's public key. Raises UsageError."""
    if read_level(home) != level:
        if read_level(home) == NOBODY and (journal.load_records(home)[0] or remembered.recall(home).key):
            raise UsageError(
                f"{home} is the private folder of a player: set KURSK_HOME to a new folder for the opponent"
            )
        disk.make_private(home)
        jsonfiles.write_object(home / register.OPPONENT, {"level": level})
    return keys.read_public(keyring.find_or_make(home).with_suffix(".pub"))


def answer_request(home: Path, request: bytes, *, stopped: bool = False) -> bytes:
    """Return the answer to a request: the player's mail, or a wish for a new game (JSON). b'' means no answer.

    The answer is a mail, or a public key if the player must propose the game. ``stopped``: the player has interrupted
    the thinking, so the next lower level answers. Raises KurskError.
    """
    if not request.startswith(b"{"):
        message = inbox.read(request, "the mail")
        if message.seq or journal.find(home, message.id) is not None:
            desk = play.take_message(play.open_for(message, home, None), message).desk
        else:
            desk = accept_proposal(home, message, home)
        desk = write_due(desk, stopped=stopped)
        return b"" if desk.mine or desk.last.sender != desk.own_side else folders.read_bytes(desk.newest)
    wish = json.loads(request)
    public = open_home(home, int(wish["level"]))
    side = begin.find_proposer(wish["scenario"], {})
    if side == wish["side"]:
        return public.encode("ascii")
    rules = ruleset(wish["scenario"].partition("/")[0])
    names = {side: name_opponent(int(wish["level"]), rules), wish["side"]: wish["name"]}
    proposal = begin.Proposal(wish["scenario"], side, wish["key"], names, wish.get("options", {}))
    return folders.read_bytes(begin.propose_game(proposal, home / keyring.KEY, home, home).newest)


def accept_proposal(home: Path, message: Message | Paper, parent: Path) -> Desk:
    """Accept a proposed game into a folder below ``parent``. Raises KurskError, also for a tournament or a referee."""
    if not isinstance(message, Message) or "tournament" in message.content or REFEREE in message.mapping("keys"):
        raise UsageError("a practice opponent plays in no tournament, and in no game with a referee")
    return begin.join(message, home / keyring.KEY, parent, home)


def write_due(desk: Desk, level: int = NOBODY, *, stopped: bool = False) -> Desk:
    """Write and sign the next message if the program must write it; return the game.

    ``level``: if not given, the level saved in the private folder. Raises KurskError.
    """
    if not desk.mine:
        return desk
    if (signed := play.resume_signing(desk)) is not None:
        return signed
    reply = drafts.make_reply(desk, "decline") if desk.game.chain.offer else None
    level = read_level(desk.record_of_writer().home) if level == NOBODY else level
    return play.sign_message(desk, reply or _fill_draft(desk, level, stopped=stopped), None)


def _fill_draft(desk: Desk, level: int, *, stopped: bool) -> Checked:
    """Think, and return the checked draft. If the choices break a rule, the program's own draft counts."""
    own = desk.record_of_writer()
    state = desks.preview_duties(desk, own).middle
    note = {"note": name_opponent(level, desk.game.ruleset)} if desk.seq <= _BOUND else {}
    content: Mapping[str, Any] | None = None
    if state.stage != OVER:
        sealed = prospects.list_sealed(desk.game, state, own)
        seed = sha256(b"practice" + own.secret).hexdigest()
        able = min(level, max(desk.game.ruleset.levels))
        if stopped:
            able = max([each for each in list_levels(desk.game.ruleset.levels) if each < able], default=able)
            note = {"note": f"You stopped the thinking: these are the orders of {name_level(able)}."}
        content = think(desk.game.ruleset, desk.game.setting, state, desk.seq, sealed, able, seed)
    checked = _write_draft(desk, note, content)
    return checked if not checked.result.violations else _write_draft(desk, note, None)


def _write_draft(desk: Desk, note: Mapping[str, Any], content: Mapping[str, Any] | None) -> Checked:
    """Write choices into the due draft and check the draft; None: the proposed choices of every new draft."""
    path = folders.draft_path(desk.folder, desk.seq)
    if content is None or not path.exists():
        drafts.write_draft(desk, force=True)
    if content is None:
        content = messages.read_draft(folders.read_bytes(path), str(path)).content
    return drafts.fill_draft(desk, {**content, **note})


def run_process() -> int:
    """Read one request from standard input; write its answer to standard output."""
    try:
        answer = answer_request(Path(os.environ["KURSK_HOME"]), sys.stdin.buffer.read())
    except KurskError as error:
        sys.stderr.write(ascii(str(error))[1:-1])
        return error.exit_status
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(run_process())
