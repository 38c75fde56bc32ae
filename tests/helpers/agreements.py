"""Games continued by agreement: write a proposal, offer it, accept it, begin the successor game."""

from __future__ import annotations

import shutil

from helpers.signed_play import Player, Table
from kursk_pbem.audit import verify
from kursk_pbem.desk.deals import begin, offers
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.game import folders, successor
from kursk_pbem.game.successor import Terms
from kursk_pbem.trust import keys, messages, sshsig


def propose(player, **terms):
    """Write the proposal of a successor as this player."""
    new_key = terms.pop("new_key", None)
    return offers.propose_successor(player.desk, Terms(**terms), new_key, player.place)


def offered(table, path, new_key=None):
    """Offer the proposal as the side to move; return the proposal as mailed to the opponent."""
    receiver = table.players[table.other(table.due.side)]
    checked, _terms = offers.make_successor_offer(table.due.desk, path, new_key)
    table.post(checked)
    place = receiver.place / "inbox" / "proposal.yaml"
    return shutil.copyfile(path, place) if path.exists() else path


def agreed(table, path, offerer=None):
    """Offer and accept; return the acceptor's copy of the proposal. ``offerer``: the new key of the offerer."""
    letter = offered(table, path, offerer)
    table.post(offers.make_acceptance(table.due.desk, letter)[0])
    return letter


def go_on(table, path, names=("me", "me")):
    """Return the desks of the new game. ``path``: its proposal; ``names``: the key files by side."""
    new = replace_players(table, names)
    first = successor.read(path).chain
    proposer, acceptor = (new.players[first.writer(k)] for k in (0, 1))
    name = folders.folder_name(first.game)
    proposer.desk = desks.open_desk(proposer.place / name, proposer.home)
    letter = new.mail(proposer.folder / "0000.yaml", acceptor.side)
    acceptor.desk = begin.accept_proposal(letter, acceptor.key, acceptor.place, acceptor.home)
    return new


class Again(Player):
    """A player with a second key."""

    name = "me"

    @property
    def key(self):
        return self.place / self.name


def replace_players(table, names):
    new = object.__new__(Table)
    new.root, new.scenario, new.options, new.kit = table.root, table.scenario, table.options, table.kit
    new.players = {}
    for (side, player), name in zip(table.players.items(), names, strict=True):
        new.players[side] = Again(side, player.place)
        new.players[side].name = name
    return new


def send(table, checked=None):
    """Sign as the player to move, deliver to the opponent; return the result."""
    return table.post(checked)[1]


def offer(table):
    return send(table, drafts.make_offer(table.due.desk, "draw"))


def decline(table):
    return send(table, drafts.make_reply(table.due.desk, "decline"))


def same(table):
    """Check that both desks read the same game from their files, and that the audit agrees; return the game."""
    german, russian = table.german.sit().game, table.russian.sit().game
    assert (german.chain, german.state, german.declined) == (russian.chain, russian.state, russian.declined)
    for player in (table.german, table.russian):
        found = verify.verify_game(player.folder, german.chain.head_id)
        assert found.status == 0, found.text
    return german


def forged(table, side, kind, **more):
    """Return a correctly signed next message of an unscrupulous program."""
    game = table.german.desk.game
    chain, own = game.chain, table.players[side].desk.own
    zero = "00" * 32
    content = {
        "kursk-pbem": "1",
        "type": kind,
        "game": chain.game,
        "seq": str(chain.next_seq),
        "from": side,
        "prev": chain.head_id,
        "open": zero,
        "commit": zero,
        "state-in": game.state.sha256(),
        "state-out": game.state.sha256(),
        **more,
    }
    if (opening := desks.compute_opening(table.players[side].desk, own)) is not None:
        content["open"] = opening.hex()
    armour = desks.load_signer(own, None).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    return messages.read_message(messages.emit_message(content, armour).encode("ascii"), "forged.yaml")


def tampered(path, key, change):
    """Write a proposal with a changed content or position to a file next to it, signed again by its sender."""
    message = folders.read_message(path)
    content, state = dict(message.content), dict(message.state or {})
    change(content, state)
    armour = keys.load_key(key).sign("kursk-pbem", messages.signed_bytes(content))
    wrong = path.with_name("wrong.yaml")
    wrong.write_text(messages.emit_message(content, armour, state or None), encoding="ascii")
    return wrong


def hashed(content, state):
    content["state-out"] = messages.sha256_hex(messages.canon(state))
