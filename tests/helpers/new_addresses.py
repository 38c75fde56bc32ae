"""Cards of a new address on their way to a referee, and what the referee knows and is told of them."""

import re
import shlex
from pathlib import Path

from helpers.mailbags import by_desk, letter
from kursk_pbem.game import folders, journal
from kursk_pbem.post import people
from kursk_pbem.trust import keys, slip

NEW = "boris@new.test"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZ"
"""A key of nobody."""


def raw_card(writer, reader, text, serial):
    return slip.emit(slip.card(reader.public, text, serial, keys.load(writer.key))).encode("ascii")


def cards(writer, reader, *said):
    """A letter of a desk for each of these cards: (address, serial); it goes with message 0 of a game."""
    records, _faults = journal.every(writer.home)
    zero = folders.message_path(Path(records[0].folder), 0).read_bytes() if records else b""
    raws = [zero + raw_card(writer, reader, text, serial) for text, serial in said]
    return [by_desk(letter(raw, writer.address), reader) for raw in raws]


def comes(world, *mails):
    for raw in mails:
        world.office.put(raw, world.ref.address)
        world.time.passes(60)
    return world.director.post()


def pending(world):
    return world.director.errand.chair.pending()


def boris_there(world):
    return people.known(world.ref.home, world.boris.public)


def types(world, line):
    """Type the command that a line tells."""
    (command,) = re.findall(r"'kursk ([^']+)'", line)
    world.ref.kursk(*shlex.split(command), *(["--yes"] if "confirm" in command else []), "-q")
