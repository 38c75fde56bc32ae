"""A post folder of version 0.2 (commit 288ece9d) continues: no loss, no different letters.

In the stored copy Anna, Boris and a referee's mailbox are in the middle of a game. Boris has written message 5: the
letter to Anna is in doubt, and a fetched copy waits unprocessed in the referee's mailbox.
"""

import hashlib
import json
import tarfile
from datetime import datetime
from pathlib import Path

import pytest
from helpers.postal import Friend
from helpers.postmen import Faults, Member, PostOffice, Time
from helpers.refereed_mail import World
from rulesets import toys

from kursk_pbem.game import entropy
from kursk_pbem.post.mailbox import people, store

WORLD = Path(__file__).parent / "upgraded" / "world.tar.xz"


def made(kind, **of):
    """Return an object with an existing desk."""
    found = object.__new__(kind)
    vars(found).update(of)
    return found


@pytest.fixture
def old(tmp_path, monkeypatch):
    """Return the world of the stored copy; ``said``: the known facts of the world."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with tarfile.open(WORLD) as packed:
        packed.extractall(tmp_path, filter="data")
    said = json.loads((tmp_path / "world.json").read_text())
    time = Time()
    time.now = datetime.fromisoformat(said["now"])
    time.set(monkeypatch)
    (tmp_path / "wire").rmdir()
    office = PostOffice(tmp_path, time, Faults())
    for reader, mails in json.loads((tmp_path / "boxes.json").read_text()).items():
        office.boxes[reader] = [(datetime.fromisoformat(at), raw.encode("latin1")) for at, raw in mails]
    friends = {name: made(Friend, name=name, place=tmp_path / name) for name in ("anna", "boris", "ref")}
    member = {
        name: made(
            Member, friend=one, office=office, director=name == "ref", address=one.address, session=None, days=[]
        )
        for name, one in friends.items()
    }
    world = made(World, time=time, office=office, game=said["game"], member=member, director=member["ref"], **friends)
    world.said = said
    with entropy.fix_random_bytes("upgraded"):
        yield world


def test_what_was_in_doubt_goes_out_with_the_same_bytes_and_the_game_goes_on(old):
    for _round in range(4):
        for one in old.member.values():
            one.post()
        old.time.passes(3 * 3600)
    mids = {}
    for _at, _sender, reader, raw in old.office.mails:
        mids.setdefault((raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0], reader), set()).add(raw)
    assert all(len(raws) == 1 for raws in mids.values())
    again = [raw for _at, sender, _to, raw in old.office.mails if sender == old.boris.address]
    assert [hashlib.sha256(raw).hexdigest() for raw in again] == [old.said["doubt"]]
    assert [who.desk(old.game).seq for who in (old.anna, old.ref)] == [6, 6]
    assert (old.ref.folder(old.game) / "receipt-0005.yaml").exists()
    old.anna.kursk("restore", old.game[:8], "--confirm", 4, "--yes")  # a record of an earlier release asks once
    assert old.anna.sign(old.game) is not None
    old.member["anna"].post()
    old.time.passes(3 * 3600)
    for one in old.member.values():
        one.post()
    assert [who.desk(old.game).seq for who in (old.boris, old.ref)] == [7, 7]


def test_people_cards_and_what_was_dealt_with_are_known(old):
    assert people.load_own(old.anna.home).address == old.anna.address
    assert people.person_of(old.anna.home, old.boris.public).reached == old.boris.address
    with store.open_reading(old.ref.home) as rows:
        states = dict(rows.execute("select state, count(*) from mail group by state").fetchall())
    assert (states["waits"], states["taken"] > 3) == (1, True)
