"""A player with a real key who signs forbidden messages, correct except for the change of the test."""

import copy
from dataclasses import replace

from kursk_pbem.desk.own import desks
from kursk_pbem.errors import KurskError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import folders, games, reports
from kursk_pbem.game.journal import SIGNED, Slot
from kursk_pbem.kernel.orders import filing
from kursk_pbem.trust import commit, keys, messages, sshsig

SALT = b"\x01" * 16


class Cheat:
    """The side to move at a table, signing by hand."""

    def __init__(self, table):
        self.table, self.player = table, table.due
        self.desk = self.player.desk
        self.key = keys.load_key(self.player.key)

    def envelope(self):
        """Return the fields that an honest program writes before the choices."""
        desk, own, chain = self.desk, self.desk.own, self.desk.game.chain
        opened = desks.compute_opening(desk, own)
        content = {
            "kursk-pbem": "1",
            "type": "turn",
            "game": chain.game,
            "seq": str(desk.seq),
            "from": self.player.side,
            "prev": chain.head_id,
            "open": opened.hex(),
            "commit": "",  # follows from all other fields
        }
        revealed = desks.list_reveals(desk, own)
        return {**content, "reveal": copy.deepcopy(dict(revealed))} if revealed else content

    def content(self, choices):
        """Return envelope and choices with the resulting dice and positions."""
        content = {**self.envelope(), **copy.deepcopy(choices)}
        values = {label: entry["value"] for label, entry in content.get("reveal", {}).items()}
        opened = desks.compute_opening(self.desk, self.desk.own)
        done = games.preview(self.desk.game, opened, replace(filing(content), reveal=values))
        if done.dice:
            content["dice"] = dict(sorted(done.dice.items()))
        if "secret" in content:
            content["kept"] = {label: ["AAAA"] for label in content["secret"]}
        content |= {"state-in": done.middle.sha256(), "state-out": done.after.sha256()}
        own, chain = self.desk.own, self.desk.game.chain
        return content | {"commit": desks.commit_to_next(chain, own.secret, bytes.fromhex(content["open"]), content)}

    def seal(self, label, value):
        """Return a ``secret`` for any ``value``."""
        chain = self.desk.game.chain
        return {"secret": {label: commit.choice_hash(chain.nonce, self.desk.seq, label, SALT, value).hex()}}

    def armour(self, content):
        return self.key.sign(sshsig.NAMESPACE, canon(content))

    def text(self, content):
        return messages.emit_message(content, self.armour(content))

    def keep(self, text, sealed):
        """Save the player's own message in folder and journal, as signing does."""
        message = messages.read_message(text.encode(), "own")
        seals = {label: {"salt": SALT.hex(), "value": value} for label, value in sealed.items()}
        self.desk.own.enter(Slot(message.seq, SIGNED, message.id, text, seals))
        folders.write(folders.message_path(self.player.folder, message.seq), text)
        self.player.desk = desks.add_message(self.desk, message)

    @property
    def victim(self):
        return self.table.players[self.table.other(self.player.side)]

    def heard(self, text):
        """Read a text as the opponent without writing; return 0, or the status and words of a refusal."""
        try:
            message = messages.read_message(text.encode(), "letter")
            game, result = games.extend(self.victim.desk.game, message)
            reports.report_message(self.victim.desk.game, game, message, result)
        except KurskError as error:
            return error.exit_status, str(error)
        return 0, ""


def write_text(path, text):
    path.write_text(text, encoding="ascii")
    return path
