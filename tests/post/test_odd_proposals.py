"""Proposals for boards of a tournament that lack something, and what nobody foresaw, stop nothing but themselves."""

import pytest
from helpers.mailbags import letter

from kursk_pbem.game import folders
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
        (outcome,) = (outcome for game in relayed.ref.post().games for outcome in game.outcomes)
    assert "nobody foresaw it (KeyError)" in str(outcome.error)
