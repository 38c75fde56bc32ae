"""The player's side of a practice game: begin a game, mail to the opponent's process, and take its answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import Any

import kursk_pbem
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.own import desks, lookup, register, remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.own.register import Known
from kursk_pbem.desk.trial import what_if
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk, folders, inbox, keyring
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.practice import opponent
from kursk_pbem.practice.analysis import need_allowed
from kursk_pbem.practice.levels import LEVELS, check_level, name_level
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.rulesets import ruleset
from kursk_pbem.trust import keys

CHANCES = "The sides of a scenario have unequal chances: play each side once, and compare your points."
PATIENCE = 2
"""Seconds for a page to wait for an answer. The page shows a later answer by itself."""


def ask_opponent(home: Path, level: int, request: bytes) -> bytes:
    """Send a request to a practice opponent in a separate process; return its answer. Raises UsageError.

    In a web page the opponent is a worker with storage of its own.
    """
    if machine.get_machine().page:
        status, data = import_module("kursk_practice").ask(level, import_module("pyodide.ffi").to_js(request)).to_py()
        return _read_answer(0 if status == HTTPStatus.OK else status, bytes(data), bytes(data))
    place = home / register.PRACTICE / f"level-{level}"
    disk.make_private(place)
    source = str(Path(kursk_pbem.__file__).parents[1])
    away = {**os.environ, "KURSK_HOME": str(place), "PYTHONPATH": source}
    away.pop("KURSK_KEY", None)
    command = [sys.executable, "-P", "-m", opponent.__name__]
    done = subprocess.run(command, input=request, capture_output=True, check=False, cwd=place, env=away)
    return _read_answer(done.returncode, done.stdout, done.stderr)


def _read_answer(status: int, answer: bytes, why: bytes) -> bytes:
    if status:
        last = (why.decode("ascii", "replace").strip().splitlines() or ["no reason is known"])[-1]
        raise UsageError(f"the practice opponent cannot answer: {last}")
    return answer


def start_game(home: Path, scenario: str, side: str, level: int, options: Mapping[str, str] | None = None) -> Desk:
    """Begin a practice game. ``side``: the player's side, or '' for the side that writes first. Raises KurskError.

    ``options``: options of the game, such as points given to a side.
    """
    place, rules = home / register.PRACTICE, ruleset(scenario.partition("/")[0])
    key = keyring.find_or_make(place)
    proposer = begin.find_proposer(scenario, {})
    side = side or rules.other(proposer)
    if side not in rules.sides:
        raise UsageError(f"choose {' or '.join(rules.sides)}")
    check_level(rules, level)
    name, public = remembered.recall(home).name or f"{side} player", keys.read_public(key.with_suffix(".pub"))
    wish = {"scenario": scenario, "side": side, "level": level, "name": name, "key": public, "options": options or {}}
    told = ask_opponent(home, level, json.dumps(wish).encode("ascii"))
    if side != proposer:
        return begin.join(inbox.read(told, "the proposal"), key, place, home)
    names = {side: name, rules.other(side): opponent.name_opponent(level, rules)}
    return begin.propose_game(
        begin.Proposal(scenario, side, told.decode("ascii"), names, options or {}), key, place, home
    )


def is_practice(known: Known) -> bool:
    """Return whether this is a practice game against the program."""
    return known.own is not None and register.is_inside(known.own.home, known.folder, (register.PRACTICE,))


def _read_level(known: Known) -> int:
    """Return the level of a game's opponent, `opponent.NOBODY` if a person plays both sides."""
    found = next((level for level in LEVELS if f"practice, {name_level(level)}" in known.names), opponent.NOBODY)
    return 1 if opponent.ANY in known.names else found


def plays_program(known: Known) -> bool:
    """Return whether the program is the opponent in a what-if game."""
    return _read_level(known) != opponent.NOBODY


def find_start(folder: Path, home: Path, seq: int | None = None, typed: Path | None = None) -> what_if.Start:
    """Return the start of a what-if game, as `what_if.find_start` does. Guess the sealed values that are unknown."""
    return what_if.find_start(folder, home, seq, typed, _guess_value)


def _guess_value(game: Game, label: str) -> Any:
    ideas = find_ideas(game.ruleset)
    return ideas.guess(game.setting, game.state, label, be_calm) if ideas else what_if.guess_first(game, label)


def start_what_if(home: Path, start: what_if.Start, side: str, level: int) -> str:
    """Begin a what-if game; return its id. The program is the opponent unless ``level`` is `opponent.NOBODY`.

    Raises KurskError, also if the tournament of the original game forbids help now.
    """
    need_allowed(home, start.now, start.folder)
    rules = start.game.ruleset
    if side and side not in rules.sides:
        raise UsageError(f"choose {' or '.join(rules.sides)}")
    side = side or next(who for who in (start.game.state.side, *rules.sides) if who in rules.sides)
    names = {}
    if level != opponent.NOBODY:
        check_level(rules, level)
        names = {rules.other(side): opponent.name_opponent(level, rules)}
    return what_if.start_game(home, start, side, names)


def _ask_for(home: Path, known: Known) -> bytes:
    return ask_opponent(home, _read_level(known), folders.read_bytes(folders.message_path(known.folder, known.newest)))


def _take_answer(home: Path, answer: bytes) -> None:
    message = inbox.read(answer, "the answer of the opponent")
    play.take_message(play.open_for(message, home, None), message)


@dataclass
class Partner:
    """The source of the practice opponents' answers for a player. ``changing``: the lock of the player's desk.

    ``patient``: wait for every answer; otherwise opponents may think in the background. ``tell``: print a line before
    it.
    """

    home: Path
    changing: threading.RLock
    patient: bool = True
    tell: Callable[[str], None] = lambda _text: None
    _asked: dict[tuple[str, int], Future[bytes]] = field(default_factory=dict, repr=False)

    def bring(self, known: Known) -> None:
        """Accept the practice opponent's answer in a game if the opponent must write. Raises KurskError.

        In a what-if game this computer knows every secret, so the program finds the answer in this process.
        """
        if known.own is not None and known.own.what_if is not None and known.here:
            write = partial(opponent.write_due, level=_read_level(known)) if plays_program(known) else None
            with self.changing:
                what_if.pass_on(self.home, known.game, write)
            return
        if not is_practice(known) or not known.here or not known.writer or known.waits:
            return
        if self.patient or machine.get_machine().page:
            name = opponent.ANY if opponent.ANY in known.names else f"practice, {name_level(_read_level(known))}"
            self.tell(f"{name} is thinking ...")
            _take_answer(self.home, _ask_for(self.home, known))
            return
        asked = known.game, known.newest
        with self.changing:
            if asked not in self._asked:
                self._asked[asked] = ThreadPoolExecutor(1).submit(_ask_for, self.home, known)
            thought = self._asked[asked]
        wait([thought], PATIENCE)
        with self.changing:
            if thought.done() and self._asked.pop(asked, None) is not None:
                _take_answer(self.home, thought.result())


def make_end(home: Path, game: str) -> Checked | None:
    """Return the resignation that ends a practice game, or None if the player cannot resign now. Raises KurskError."""
    desk = _open_game(home, game)
    return drafts.make_resignation(desk) if desk.mine and desk.seq > desk.game.chain.bound else None


def end_game(home: Path, game: str, checked: Checked | None) -> Desk | None:
    """Sign the resignation and return the game. Without a resignation, delete the game. Raises KurskError."""
    desk = _open_game(home, game)
    if checked is not None:
        return play.sign_shown(desk, checked, None)
    if desk.own is not None:
        shutil.rmtree(desk.folder)
        desk.own.forget()
    return None


def _open_game(home: Path, game: str) -> Desk:
    known = next(known for known in register.list_games(home, home) if known.game == game)
    return desks.open_desk(lookup.require_folder(known), home)
