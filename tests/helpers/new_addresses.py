"""Cards of a new address on their way to a referee, and what the referee knows and is told of them."""

import re
import shlex

from helpers.mailbags import letter
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.post import people
from kursk_pbem.trust import keys, slip

NEW = "boris@new.test"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZ"
"""A key of nobody."""


def raw_card(writer, reader, text, serial):
    return slip.emit(slip.card(reader.public, text, serial, keys.load(writer.key))).encode("ascii")


def cards(writer, reader, *said):
    """A letter of a desk for each of these cards: (address, serial)."""
    raws = [raw_card(writer, reader, text, serial) for text, serial in said]
    ids = [f"Message-ID: <k1.{sha256_hex(raw)[:32]}.0@example.test>\n".encode() for raw in raws]
    return [id_ + letter(raw, writer.address) for id_, raw in zip(ids, raws, strict=True)]


def comes(world, *mails):
    for raw in mails:
        world.office.put(raw, world.ref.address)
        world.time.passes(60)
    return world.director.post()


def pending(world):
    return world.director.errand.chair.pending()


def boris_there(world):
    return people.load(world.ref.home, world.boris.public)


def types(world, line):
    """Type the command that a line tells."""
    (command,) = re.findall(r"'kursk ([^']+)'", line)
    world.ref.kursk(*shlex.split(command), *(["--yes"] if "confirm" in command else []), "-q")
