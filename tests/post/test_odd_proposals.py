"""Proposals for boards of a tournament that lack something, and what nobody foresaw, stop nothing but themselves."""

import pytest
from helpers.mailbags import letter

from kursk_pbem.game import folders, keyring
from kursk_pbem.post.tournaments import taking
from kursk_pbem.trust import keys, messages, sshsig


@pytest.mark.parametrize("lacks", ["keys", "dice-from", "ruleset", "scenario", "options"])
def test_a_strangers_proposal_that_lacks_a_field_stops_no_round(relayed, lacks):
    """It was held against its board before it was read: no round ended any more, and nobody had a receipt."""
    cup = relayed
    cup.ref.post()
    game = cup.book().boards["1-1"].game
    first = folders.read_message(cup.folder / "games" / folders.folder_name(game) / "0000.yaml")
    said = {name: value for name, value in first.content.items() if name != lacks}
    armour = keys.from_seed(b"x" * 32).sign(sshsig.NAMESPACE, messages.signed_bytes(said))
    cup.office.put(letter(messages.emit(said, armour, first.state).encode("ascii"), "x@evil.test"), cup.ref.address)
    assert [outcome.state for game in cup.ref.post().games for outcome in game.outcomes] == ["refused"]
    assert cup.ref.post().games == []


def test_what_nobody_foresaw_in_a_game_stops_no_round(relayed, monkeypatch):
    def fails(*_said):
        raise KeyError("keys")

    with monkeypatch.context() as patch:
        patch.setattr(taking, "begin", fails)
        (fault,) = relayed.ref.post().faults
    assert "the program failed at it, and set it aside" in str(fault)


@pytest.mark.parametrize("who", ["a stranger", "a player"])
def test_T49_what_is_proposed_for_a_board_in_vain_opens_no_desk(relayed, monkeypatch, who):
    """To open one reads the whole log, for each of 64 proposals in a mail."""
    cup = relayed
    cup.ref.post()
    game = cup.book().boards["1-1"].game
    first = folders.read_message(cup.folder / "games" / folders.folder_name(game) / "0000.yaml")
    there = first.mapping("keys")
    if who == "a stranger":
        signer, why = keys.from_seed(b"x" * 32), "and another key plays it"
    else:
        player = next(one for one in cup.players.values() if keyring.public_of(one.friend.key) == there[first.sender])
        signer, why = keys.load(player.friend.key), "has its game already"
    said = {**first.content, "keys": {**there, first.sender: signer.public}, "note": "once more"}
    armour = signer.sign(sshsig.NAMESPACE, messages.signed_bytes(said))
    cup.office.put(letter(messages.emit(said, armour, first.state).encode("ascii"), "x@evil.test"), cup.ref.address)
    real = taking.begin

    def begin(home, message):
        with monkeypatch.context() as patch:
            patch.setattr(taking.offices, "sit", None)
            return real(home, message)

    monkeypatch.setattr(taking, "begin", begin)
    (outcome,) = (outcome for game in cup.ref.post().games for outcome in game.outcomes)
    assert why in str(outcome.error)
