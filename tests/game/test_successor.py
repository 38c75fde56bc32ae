"""Agreed successor games by commands: take-backs, other keys, other options."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from helpers.agreements import agreed, decline, forged, go_on, offered, propose, replace_players, send
from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING, ORDERS, PAUSE

from kursk_pbem.audit import prove, verify
from kursk_pbem.desk.deals import begin, offers
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy, folders, games, histories, successor
from kursk_pbem.trust import keys

pytestmark = pytest.mark.slow


# Take-backs


def test_a_take_back_from_offer_to_the_dice_of_the_new_game(later):
    """Back to message 1: the Russian seals his posture again, and the German gives other orders."""
    path = propose(later.german, at=1)  # the German proposes: the Russian owes the next choice, his seal
    letter = shutil.copyfile(path, later.russian.place / "inbox" / "proposal.yaml")
    checked, terms = offers.make_successor_offer(
        later.russian.desk, letter
    )  # the Russian offers, because the turn is his
    assert terms[0].startswith("position: TAKEN BACK to the position after message 1 (turn 1, german to write")
    assert "messages 2 to 4 are undone" in terms[0]
    assert "keys: as before" in terms
    assert "sealed plans there count no more" in terms
    assert terms[-1].endswith("the russian side writes message 1: the sealed posture if due")
    got = send(later, checked)
    assert f"offers to continue in {path.parent.name}" in got.report
    got = send(later, offers.make_acceptance(later.german.desk, None)[0])  # his own proposal lies beside the old game
    assert f"THE GAME IS OVER. Play continues in another game, {path.parent.name}" in got.report
    assert later.german.desk.game.verdict.how == "successor"
    new = go_on(later, path)
    before = histories.load(later.german.folder).games
    assert new.german.desk.game.state.units == before[1].state.units
    assert new.russian.desk.game.stage.key == "resumed"
    new.turn({"seal": {"posture/turn-1": ENGAGE}})
    assert new.german.desk.game.stage.key == "posture"
    new.turn({**ORDERS, "waive": "posture"})
    new.turn({})
    got = send(new)
    assert got.message.mapping("dice").keys() == {"ponyri/combat"}
    for player in new.players.values():
        found = verify.join([verify.verify_game(each) for each in sorted(player.place.glob("game-*"))])
        assert [each.status for each in found] == [0, 0]
        text = next(each.text for each in found if each.continues)
        assert f"agreed to in {later.german.folder.name}, from its position after message 1" in text


def test_a_take_back_to_ones_own_orders_is_proposed_by_the_other_side(table):
    """The German owes the next choice of his own orders, so the Russian proposes."""
    table.turn(OPENING)
    table.turn({"choice": {"posture/turn-1": ENGAGE}})
    table.turn({})  # the Russian shows his posture; german-orders is next
    table.turn({"orders": {"armor-and-rail": [{"unit": "g-24-pz", "to": "2219"}]}})
    assert table.due.side == "russian"
    with pytest.raises(UsageError, match="the german side makes the first choice"):
        propose(table.german, at=3)
    path = propose(table.russian, at=3)
    letter = agreed(table, path)
    new = go_on(table, path)
    assert letter.exists()
    assert (new.german.desk.game.stage.key, new.due.side) == ("german-orders", "german")
    assert new.german.desk.game.chain.writers == ("russian", "german")
    third = histories.load(table.german.folder).games[3]
    assert new.german.desk.game.state.units["g-24-pz"] == third.state.units["g-24-pz"]
    new.turn({"orders": {"battles": [{"id": "b", "hex": "2011", "attackers": ["g-41-pz"]}]}})
    new.turn({})
    new.turn({})
    assert verify.verify_game(new.german.folder).status == 0


@pytest.mark.parametrize("at", [2, 3])
def test_positions_from_which_no_game_can_go_on(later, at):
    with pytest.raises(UsageError, match=rf"no game can continue after message {at}: .*--at takes 0, 1, 4"):
        propose(later.german, at=at)


def test_only_messages_that_are_there(later):
    for at in (-1, 5, 99):
        with pytest.raises(UsageError, match=f"message {at} does not exist"):
            propose(later.german, at=at)


# Changes of keys and options


def test_a_changed_key_and_option(later):
    """The German has lost his key's passphrase, say: the new game names another, and asks for uncovered decisions."""
    keys.generate_key_pair(later.german.place / "new", entropy.random_bytes())
    public = keys.read_public(later.german.place / "new.pub")
    path = propose(
        later.german, keys={"german": public}, options={"uncovered": "ask"}, new_key=later.german.place / "new"
    )
    terms = offers.describe_proposal(later.russian.desk, path)
    assert terms[0].startswith("position: as now, after message 4")
    assert any(line.startswith("key of german: CHANGES from SHA256:") for line in terms)
    assert "keys: as before" not in terms
    assert not any(line.startswith("key of russian") for line in terms)
    assert "option uncovered: CHANGES from default to ask" in terms
    assert "option weather: script, as before" in terms
    first = "the russian side writes message 1: orders of the Russian player turn"
    assert f"the german side has proposed it, {first}" in terms
    agreed(later, path)
    new = go_on(later, path, ("new", "me"))
    assert new.german.desk.game.chain.keys["german"] == public
    assert new.german.desk.game.setting.ask
    assert new.german.desk.game.state == later.german.desk.game.state  # russian-orders, nothing hidden
    new.turn({"orders": {}, "seal": {"posture/turn-2": PAUSE}})
    new.turn({"choice": {"posture/turn-2": ENGAGE}})
    assert verify.verify_game(new.russian.folder).messages == 3
    assert new.german.desk.game.chain.keys["german"] != later.german.desk.game.chain.keys["german"]


def test_the_acceptor_needs_the_key_that_the_new_game_names(later):
    keys.generate_key_pair(later.russian.place / "new", entropy.random_bytes())
    public = keys.read_public(later.russian.place / "new.pub")
    path = propose(later.german, keys={"russian": public})
    letter = agreed(later, path, offerer=later.russian.place / "new")
    with pytest.raises(UsageError, match="ask for a proposal with your key"):
        begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)
    new = go_on(later, path, ("me", "new"))
    new.turn({"seal": {"posture/turn-2": PAUSE}})


# Nothing counts without the accept


def test_T36_without_the_accept_a_proposal_is_a_piece_of_paper(later):
    path = propose(later.german)
    letter = shutil.copyfile(path, later.russian.place / "inbox" / "proposal.yaml")
    with pytest.raises(UsageError, match="counts only after the offer in"):
        begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)
    offered(later, letter)
    with pytest.raises(UsageError, match="counts only after"):
        begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)
    decline(later)
    with pytest.raises(UsageError, match="counts only after"):
        begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)
    found = verify.join([verify.verify_game(each) for each in (path.parent, later.german.folder)])
    assert [each.status for each in found] == [0, 0]
    assert "a proposal only: not agreed to in" in found[0].text


def test_T36_a_proposal_for_an_earlier_moment_cannot_be_offered(later):
    """A take-back that was on the table when dice were still good is of no use when they were bad."""
    path = propose(later.german)
    letter = shutil.copyfile(path, later.russian.place / "inbox" / "proposal.yaml")
    later.turn({"seal": {"posture/turn-2": PAUSE}})
    with pytest.raises(UsageError, match="the position after message 4, not"):
        offers.make_successor_offer(later.german.desk, letter)


def test_T36_a_proposal_for_an_earlier_moment_is_not_agreed_to_by_a_later_accept(later):
    """The proposal names the message before the offer, and a later offer has another message before."""
    path = propose(later.german)
    letter = shutil.copyfile(path, later.russian.place / "paper.yaml")
    later.turn({"seal": {"posture/turn-2": PAUSE}})
    stale = successor.read(path).chain.game
    send(later, drafts.make_offer(later.german.desk, "successor", game=stale))
    send(later, drafts.make_reply(later.russian.desk, "accept"))
    with pytest.raises(UsageError, match="counts only after"):
        begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)


def test_T36_the_proposer_does_not_bind_a_game_that_was_not_agreed_to(later, monkeypatch):
    """The other side may sign message 1, but message 2 is not signed, and the game is not bound."""
    path = propose(later.german)
    letter = shutil.copyfile(path, later.russian.place / "paper.yaml")
    with monkeypatch.context() as unscrupulous:
        unscrupulous.setattr(successor, "need_agreement", lambda *_: None)
        new = go_on(later, letter)
        new.turn({"seal": {"posture/turn-2": PAUSE}})
    new.german.fill({"choice": {"posture/turn-2": ENGAGE}})
    with pytest.raises(UsageError, match="counts only after"):
        new.german.sign()


def test_T36_a_game_played_on_without_the_accept_is_told(later, monkeypatch, kursk):
    """Two players continue anyway, with other programs. The two folders together show the fault."""
    path = propose(later.german)
    letter = offered(later, shutil.copyfile(path, later.russian.place / "paper.yaml"))
    decline(later)
    monkeypatch.setattr(successor, "need_agreement", lambda *_: None)
    russian, german = later.russian, later.german
    desk = begin.accept_proposal(letter, russian.key, russian.place, russian.home)
    new = replace_players(later, ("me", "me"))
    new.german.desk, new.russian.desk = desks.open_desk(path.parent, german.home), desk
    new.turn({"seal": {"posture/turn-2": PAUSE}})
    told = f"depends on the acceptance in {german.folder.name}: verify both games together"
    kursk(german, "verify", path.parent, ends=0, told=told)
    kursk(german, "verify", path.parent, german.folder, ends=3, told="no offer of the game was accepted")


def test_T36_the_proposer_signs_no_second_message_without_the_accept(later):
    """Message 1 of the new game may come before the reply does; it is answered when the reply is here."""
    path = propose(later.german)
    letter = offered(later, shutil.copyfile(path, later.russian.place / "paper.yaml"))
    reply = later.german.sign(offers.make_acceptance(later.german.desk, letter)[0])
    copy = later.mail(reply, "russian")
    with pytest.raises(UsageError, match="counts only after"):
        begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)
    later.russian.take(copy)
    begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)


# The commands


def test_from_offer_to_new_game_by_commands(later, monkeypatch, kursk):
    german, russian = later.german, later.russian
    monkeypatch.chdir(russian.place)
    kursk(russian, "offer", russian.folder, "successor", "--yes", ends=2, told="so the german side must propose")
    monkeypatch.chdir(german.place)
    terms = ("--at", "1", "--option", "uncovered=ask")
    _status, told = kursk(german, "offer", german.folder, "successor", *terms, ends=0)
    assert "position: TAKEN BACK to the position after message 1" in told
    assert "option uncovered: CHANGES from default to ask" in told
    assert "no effect until the Russian side offers the new game in message 5" in told
    path = next(each for each in german.place.glob("game-*/0000.yaml") if each.parent != german.folder)
    monkeypatch.chdir(russian.place)
    letter = later.mail(path, "russian")
    kursk(russian, "offer", russian.folder, "successor", letter, "--at", "1", "--yes", ends=2)
    kursk(russian, "offer", russian.folder, "successor", letter, "--yes", ends=0)
    sent = later.mail(russian.folder / "0005.yaml", "german")
    kursk(german, "inbox", "--report", sent, ends=0, told="accept 0000.yaml (the proposal")
    _status, told = kursk(german, "reply", german.folder, "accept", "--yes", ends=0, told="TAKEN BACK")
    assert "kursk accept" not in told  # the Russian does
    sent = later.mail(german.folder / "0006.yaml", "russian")
    told = "the writer of message 1 takes the proposal with 'kursk accept'"
    kursk(russian, "inbox", "--report", sent, ends=0, told=told)
    kursk(russian, "accept", letter, "--key", russian.key, ends=0)
    draft = next(russian.place.glob("game-*/0001.draft.yaml"))
    assert "posture/turn-1" in draft.read_text()
    kursk(russian, "sign", draft, "--yes", ends=0)
    kursk(russian, "verify", russian.folder, draft.parent, ends=0, told="agreed to in")


def test_the_one_whose_turn_it_is_proposes_and_offers_in_one_command(table, kursk):
    table.turn(OPENING)
    table.turn({"choice": {"posture/turn-1": ENGAGE}})
    table.turn({})
    german, russian = table.german, table.russian
    offer = ("offer", german.folder, "successor", "--at", "1")
    kursk(german, *offer, ends=2, told="Offer the new game? Message 4 cannot be taken back.")  # no terminal to ask on
    _status, told = kursk(german, *offer, "--yes", ends=0)
    game = folders.read_message(german.folder / "0004.yaml").content["offer"]["game"]
    path = folders.message_path(german.place / folders.folder_name(game), 0)
    assert f"mail {path} with" in told
    kursk(russian, "inbox", "--report", table.mail(german.folder / "0004.yaml", "russian"), ends=0)
    kursk(russian, "reply", russian.folder, "accept", "--yes", ends=2)
    paper = table.mail(path, "russian")
    told = f"type 'kursk accept {paper}' afterwards"
    kursk(russian, "reply", russian.folder, "accept", paper, "--yes", ends=0, told=told)
    kursk(russian, "accept", paper, "--dir", russian.place, ends=0)  # as advised: their key is known here


def test_the_archive_of_a_game_that_continues_another_holds_its_first_position(later, tmp_path, kursk):
    """The position is bound by ``state-out`` and not signed itself, so the archive has it beside message 0."""
    path = propose(later.german, at=1)
    agreed(later, path)
    new = go_on(later, path)
    new.turn({"seal": {"posture/turn-1": ENGAGE}})
    for player, name in ((new.german, "new"), (later.german, "old")):
        kursk(player, "export", player.folder, "-o", tmp_path / name, ends=0)
    kursk(player, "verify", tmp_path / "new", tmp_path / "old", ends=0, told="agreed to in")
    position = tmp_path / "new" / "state-0000.json"
    assert not (tmp_path / "old" / "state-0000.json").exists()
    assert "state-0000.json" in (tmp_path / "new" / "README.txt").read_text()
    text = position.read_text()
    position.write_text(text.replace('"mud":"0"', '"mud":"1"'))
    kursk(player, "verify", tmp_path / "new", ends=3)
    position.unlink()
    kursk(player, "verify", tmp_path / "new", ends=2, told="ask for the whole file")


def test_2_6_two_messages_in_a_game_that_continues_another_convict_nobody(later):
    path = propose(later.german, at=1)
    agreed(later, path)
    new = go_on(later, path)
    new.turn({"seal": {"posture/turn-1": ENGAGE}})
    one, two = (forged(new, "german", "turn", choice={"posture/turn-1": ENGAGE}, note=note) for note in "ab")
    before = new.german.desk.game
    asked = games.filing(one.content)
    result = games.preview(before, desks.compute_opening(new.german.desk, new.german.desk.own), asked)
    states = {"state-in": result.middle.sha256(), "state-out": result.after.sha256()}
    one, two = (forged(new, "german", "turn", choice={"posture/turn-1": ENGAGE}, note=n, **states) for n in "ab")
    files = [folders.read_message(each) for each in folders.message_files(new.german.folder)]
    assert prove.judge_messages([replace(files[0], state=None), *files, one, two]).convictions == ()
