"""Players at boards: each with a folder, a private folder and a key, as on two machines."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from helpers import intake
from helpers.person import Person
from helpers.signed_play import Table
from rulesets.battle_for_kursk import first_turn

from kursk_pbem.board import app
from kursk_pbem.board.access import BoardAccess
from kursk_pbem.board.once import FIELD as ONCE
from kursk_pbem.board.serve import Board
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.turn import play
from kursk_pbem.game import entropy, folders, scenarios
from kursk_pbem.rulesets import ruleset
from kursk_pbem.trust import keys, sshsig

PORT = 5000
NAMES = ("Anna", "Boris")


@dataclass
class Seat(Person):
    """One player. ``place``: folder of key, mails and games. ``mirror``: fetch the files of a board in the page."""

    side: str
    place: Path
    mirror: Callable[[], None] = lambda: None

    @property
    def room(self) -> Room:
        return Room(self.home, self.place, self.key, self.place)

    @cached_property
    def first(self) -> Path:
        (found,) = (*self.place.glob("game-*"), *self.home.glob("board/game-*"))
        return found

    @property
    def folder(self) -> Path:
        """Return the folder of the first game."""
        self.mirror()
        return self.first

    @property
    def game(self) -> str:
        return self.sit().game.chain.game

    def sit(self) -> desks.Desk:
        return desks.open_desk(self.folder, self.home)

    def draft(self) -> Path:
        return folders.draft_path(self.folder, self.sit().seq)

    @contextmanager
    def served(self) -> Iterator[Board]:
        """Serve the board on a port during a test."""
        board = Board(self.room)
        thread = threading.Thread(target=board.run, daemon=True)
        thread.start()
        try:
            yield board
        finally:
            board.stop()
            thread.join(10)
            assert not thread.is_alive()


def pair(root: Path, scenario: str) -> dict[str, Seat]:
    """Return two players with keys and no game, the proposer first."""
    system = ruleset(scenario.partition("/")[0])
    first = system.proposer(scenarios.make_setting(system, scenarios.load(scenario), {}, "players"))
    seats = {side: Seat(side, root / side) for side in (first, system.other(first))}
    for seat in seats.values():
        seat.make_key()
    return seats


def proposed(root: Path, scenario: str, names: dict[str, str] | None = None) -> dict[str, Seat]:
    """Return the pair after message 0."""
    seats = pair(root, scenario)
    first, second = seats.values()
    named = names or dict(zip(seats, NAMES, strict=True))
    opponent = keys.read_public(second.place / "me.pub")
    begin.propose_game(begin.Proposal(scenario, first.side, opponent, named, {}), first.key, first.place, first.home)
    return seats


def begun(root: Path, scenario: str, names: dict[str, str] | None = None) -> dict[str, Seat]:
    """Return the pair after the acceptance, before message 1 of the second seat."""
    seats = proposed(root, scenario, names)
    first, second = seats.values()
    begin.accept_proposal(folders.message_path(first.folder, 0), second.key, second.place, second.home)
    return seats


def by_turn(seats: Mapping[str, Seat]) -> tuple[Seat, Seat]:
    """Return the seat with the next message, and the other seat."""
    mine, theirs = sorted(seats.values(), key=lambda seat: not seat.sit().mine)
    return mine, theirs


def mails(seat: Seat, last: int) -> list[bytes]:
    """Return the messages in a folder up to a number."""
    return [folders.message_path(seat.folder, seq).read_bytes() for seq in range(last + 1)]


def typed(root: Path, scenario: str, content: Callable[[desks.Desk], Mapping[str, Any]], last: int) -> list[bytes]:
    """Write and sign the messages of a game by drafts, without a board."""
    seats = begun(root, scenario)
    for seq in range(1, last + 1):
        mine, theirs = by_turn(seats)
        desk = mine.sit()
        signed = play.sign_message(desk, drafts.fill_draft(desk, content(desk)), None)
        intake.receive(folders.read_bytes(signed.newest), f"message {seq}", theirs.home, None)
    return mails(theirs, last)


IN_THE_OPEN = {"id": "izyum", "hex": "2218", "attackers": ["g-42"]}
"""An attack whose defender has no choice."""


def fought(root: Path, many: int = 4, *more: Mapping[str, Any]) -> Table:
    """Return citadel after some messages: the opening, an attack on 2011 and ``more``, the answer, the dice."""
    orders = {**first_turn.ORDERS, "orders": {"battles": [first_turn.BATTLE, *more]}}
    with entropy.fix_random_bytes("newcomer"):
        table = Table(root / "fought").begin()
        for choices in (first_turn.OPENING, orders, {}, {})[:many]:
            table.turn(choices)
    return table


class Guest(Seat):
    """A player whose games and keys are all in the private folder, as in a page."""

    @property
    def room(self):
        return Room(self.home, self.home)


class Stranger(Seat):
    """A person without key and games. ``folder``: the game of both sides that the person begins."""

    @cached_property
    def first(self) -> Path:
        (found,) = (self.home / "hot-seat").glob("game-*")
        return found

    @property
    def room(self) -> Room:
        return Room(self.home, self.place)


def sent(mine: Seat, theirs: Seat) -> Seat:
    """Sign the draft and return the other seat after delivery."""
    Client(mine).enter().signs()
    intake.receive(folders.message_path(mine.folder, mine.sit().seq - 1).read_bytes(), "a mail", theirs.home, None)
    return theirs


class Client:
    """Flask's test client with the cookie of a board, on a separate port."""

    def __init__(self, seat: Seat, port: int = PORT) -> None:
        self.seat, self.access = seat, BoardAccess(port)
        self.app = app.create_app(seat.room, self.access)
        self.app.testing = True
        self.http = self.app.test_client()

    def enter(self) -> Client:
        assert self.raw(f"/enter/{self.access.token}").status_code == 200
        return self

    def raw(self, path: str, host: str = "") -> Any:
        """Request an address outside the path of the board."""
        return self.http.get(path, base_url=f"http://{host or self.access.host}", buffered=True)

    def get(self, path: str, host: str = "") -> Any:
        return self.raw(f"{self.access.root}{path}", host)

    def post(self, path: str, data: Any = None, origin: str | None = "own", host: str = "") -> Any:
        headers = {} if origin is None else {"Origin": self.access.address if origin == "own" else origin}
        data = {ONCE: secrets.token_hex(8), **(data or {})}
        base = f"http://{host or self.access.host}"
        return self.http.post(
            f"{self.access.root}{path}", data=data, base_url=base, headers=headers, buffered=True, follow_redirects=True
        )

    def drop(self, data: bytes) -> Any:
        """Drop a file on the page; the test makes the body, because Flask's client leaves large files open."""
        head = 'Content-Disposition: form-data; name="mails"; filename="mail.yaml"'
        once = f'--mark\r\nContent-Disposition: form-data; name="{ONCE}"\r\n\r\n{secrets.token_hex(8)}\r\n'
        body = once.encode() + b"--mark\r\n" + head.encode() + b"\r\n\r\n" + data + b"\r\n--mark--\r\n"
        return self.http.post(
            f"{self.access.root}/take",
            data=body,
            base_url=self.access.address,
            buffered=True,
            content_type="multipart/form-data; boundary=mark",
            headers={"Origin": self.access.address},
            follow_redirects=True,
        )

    def at(self, path: str = "") -> str:
        """Return an address of the only game."""
        return f"/game/{self.seat.game}/{path}"

    def below(self, path: str = "") -> str:
        return f"{self.access.root}/{path}"

    def signs(self, path: str = "sign", **form: str) -> Any:
        """Confirm a shown text, and return the answer."""
        asked = {"stamp": self.stamp(), **form}
        shown = self.post(self.at(path), asked).get_json()["shown"]
        return self.post(self.at(path), {**asked, "really": "yes", "shown": shown})

    @property
    def key(self) -> str:
        """Return the fingerprint of the player's key on a page."""
        return sshsig.fingerprint(keys.read_public(self.seat.place / "me.pub"))

    def accept(self, proposal: bytes, **form: str) -> Any:
        """Drop a proposal and accept the shown terms."""
        page = self.drop(proposal).get_data(as_text=True)
        shown = re.findall('name="shown" value="([0-9a-f]{64})"', page)[0]  # the last drop is first
        return self.post("/accept", {"proposal": proposal.decode("ascii"), "shown": shown, "key": self.key, **form})

    def stamp(self) -> str:
        found = self.get(self.at("stamp")).get_json()
        return str(found["stamp"])

    def order(self, words: str, stamp: str | None = None) -> Any:
        return self.post(self.at("order"), {"words": words, "stamp": self.stamp() if stamp is None else stamp})
