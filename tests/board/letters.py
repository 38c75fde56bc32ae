"""Three people at boards, and the links that none of them should take: each with its reader and with what is said."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from board.seats import Client, Guest
from kursk_pbem.desk.deals import invitations
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import remembered
from kursk_pbem.game import entropy, folders
from kursk_pbem.trust import invitation, keys, link, messages, sshsig

CITADEL = "battle-for-kursk/citadel"
PAGE = "https://kursk.example/"
LINK = re.compile(rf"{PAGE}#k1\.[\w-]+\.[0-9a-f]{{8}}")
OLD = "2026-01-02T10:00:00Z"
_CLOSED = re.compile("<details>.*?</details>", re.DOTALL)


def text(answer: Any) -> str:
    assert answer.status_code == 200
    return str(answer.get_data(as_text=True))


def seen(page: str) -> str:
    """Return what a page shows before anything is opened."""
    return " ".join(re.sub("<[^>]*>", " ", _CLOSED.sub("", page)).replace("&#39;", "'").split())


def fields(page: str, to: str) -> dict[str, str]:
    """Return the hidden fields of a form."""
    found = re.search(rf'<form method="post" action="[^"]*{to}">(.*?)</form>', page, re.DOTALL)
    assert found, seen(page)
    pairs = re.findall(r'name="(\w+)" value="([^"]*)"', found[1])
    return {name: html.unescape(value) for name, value in pairs if name != "once"}


@dataclass
class Person:
    """A person at a board, without key and games at first, who has named a page."""

    client: Client

    @property
    def seat(self) -> Any:
        return self.client.seat

    def files(self) -> dict[str, bytes]:
        """Return all files of the private folder, without the note of the last page."""
        found = (path for path in self.seat.home.rglob("*") if path.is_file() and path.name != "board-last.txt")
        return {path.relative_to(self.seat.home).as_posix(): path.read_bytes() for path in found}

    def open(self, address: str) -> str:
        """Open an address, which changes nothing; return the page."""
        before = self.files()
        page = text(self.client.post("/link", {"link": address}))
        assert self.files() == before
        return page

    def invite(self, name: str, side: str = "german", **more: str) -> str:
        """Write an invitation; return its address."""
        page = text(self.client.post("/invite", {"game": f"{CITADEL} {side}", "name": name, **more}))
        return str(LINK.findall(page)[0])

    def send(self, address: str, to: str, **more: str) -> str:
        """Send the form of an address; return the next page."""
        return text(self.client.post(to, {**fields(self.open(address), to), **more}))

    def newest(self) -> str:
        """Return the address of the newest message."""
        found = self.client.get(self.client.at("link")).get_json()
        return str(found["address"] + found["fragment"])


def sit(root: Path, number: int) -> Person:
    """Seat a person at an empty board."""
    seat = Guest("", root)
    seat.home.mkdir(parents=True)
    remembered.remember(seat.home, page=PAGE)
    return Person(Client(seat, 5000 + number).enter())


def make_link(data: str | bytes) -> str:
    return link.make_link([data.encode("ascii") if isinstance(data, str) else data], PAGE)


@dataclass
class World:
    """Anna and Boris play since two messages; Carla is a stranger. ``links``: name -> reader, address, said."""

    anna: Person
    boris: Person
    carla: Person
    links: dict[str, tuple[Person, str, str]]


def _sign(content: dict[str, Any], signer: keys.Signer) -> str:
    """Return a signed message with this content."""
    return messages.emit_message(content, signer.sign(sshsig.NAMESPACE, messages.signed_bytes(content)))


def _key_of(person: Person) -> keys.Signer:
    (public,) = (person.seat.home / "keys").glob("*.pub")
    return keys.load_key(public.with_suffix(""))


def build(root: Path) -> World:
    """Play to message 1, and make the links."""
    anna, boris, carla = (sit(root / name, at) for at, name in enumerate(("anna", "boris", "carla")))
    asked = anna.invite("Anna")
    boris.send(asked, "/answer", name="Boris")
    ((done,),) = [invitations.list_answered(boris.seat.home)]
    assert done.answer
    answer = make_link(done.answer.emit())
    anna.send(answer, "/pick")
    proposal = anna.newest()
    boris.send(proposal, "/accept")
    boris.client.signs()
    first = boris.newest()
    anna.send(first, "/take")
    stranger = keys.from_seed(b"m" * 32)
    paper = invitations.list_own(anna.seat.home)[0]
    raw = folders.message_path(boris.seat.folder, 1).read_bytes()
    turn = messages.read_message(raw, "1")
    begun = messages.read_message(folders.message_path(anna.seat.folder, 0).read_bytes(), "0")
    with clock.fix_time(OLD):
        ended = invitations.write_invitation(
            root / "dora", _write_key(root / "dora"), CITADEL, {}, {"name": "Dora", "side": "german"}
        )
    data = {"scenario": {"id": CITADEL, "sha256": "ab" * 32}}
    other = invitation.sign_invitation({**paper.content, **data, "name": "Dora"}, stranger)
    false = invitation.sign_invitation({**paper.content}, stranger)
    elsewhere = replace(turn, content={**turn.content, "game": "cd" * 32})
    late = {**turn.content, "seq": "9"}
    changed = f"{asked[:-20]}{'B' if asked[-20] == 'A' else 'A'}{asked[-19:]}"
    links = {
        "cut": (carla, asked[:-2], "the link is cut off"),
        "changed": (carla, changed, "the link was changed on the way"),
        "ended": (carla, make_link(ended.emit()), "This invitation ended on"),
        "other data": (carla, make_link(other.emit()), "has other data of the scenario than this program"),
        "other kind": (carla, answer, "open the address where the invitation was written"),
        "foreign game": (carla, first, "A game that is not here"),
        "for somebody else": (carla, proposal, "The proposal is for somebody else"),
        "proposal with other data": (
            carla,
            make_link(_sign({**begun.content, **data}, _key_of(anna))),
            "The game has other data of the scenario than this program",
        ),
        "false Anna": (boris, make_link(false.emit()), "You know another Anna"),
        "answered already": (boris, asked, "You have answered this invitation"),
        "own proposal": (anna, proposal, "The game is here already"),
        "own invitation": (anna, asked, "This is your own invitation"),
        "answered twice": (anna, answer, "You have proposed the game to this player"),
        "second version": (
            anna,
            make_link(_sign({**turn.content, "note": "I changed my mind"}, _key_of(boris))),
            "Another message 1 is here already",
        ),
        "false Boris": (anna, make_link(_sign(turn.content, stranger)), "The signature is not by the key of Boris"),
        "here already": (anna, first, "The message is here already"),
        "too early": (anna, make_link(_sign(late, _key_of(boris))), "Message 2 is missing here"),
        "another game": (
            anna,
            make_link(_sign(elsewhere.content, _key_of(boris))),
            "Open the address in the browser, or at the machine, where the game is",
        ),
    }
    return World(anna, boris, carla, links)


def _write_key(folder: Path) -> Path:
    folder.mkdir()
    keys.generate_key_pair(folder / "me", entropy.random_bytes())
    return folder / "me"
