"""A rolling referee: successor games, restored records, crashes (2.6, 2.10, 3.7)."""

from __future__ import annotations

import shutil

import pytest
from helpers.losing import Loser, restored
from helpers.signed_play import RefereedTable
from rulesets.battle_for_kursk.first_turn import BATTLE, ENGAGE, OPENING, ORDERS, PAUSE, SEAL_2, SIDES

from kursk_pbem.audit import verify
from kursk_pbem.desk.deals import begin, director, offers
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import entropy, folders, histories, successor
from kursk_pbem.game.journal import RECEIVED, RESTORED, SIGNED
from kursk_pbem.game.successor import Terms
from kursk_pbem.kernel.ruleset import REFEREE

ALL = (*SIDES, REFEREE)
LENGTH = 9  # messages of the lost game


@pytest.fixture
def later(tmp_path):
    """Return the game before the Russian message 7."""
    with entropy.fix_random_bytes("later with a referee"):
        table = RefereedTable(tmp_path / "later").begin()
        table.turn(OPENING)
        table.turn(ORDERS)
        table.turn({})
        yield table


# By agreement


def agreed(table, path):
    """Offer, pass on and accept the proposal."""
    letter = table.mail(path, table.due.side)
    table.send(offers.make_successor_offer(table.due.desk, letter)[0])
    letter = table.mail(path, table.due.side)
    table.send(offers.make_acceptance(table.due.desk, letter)[0])


def go_on(table, path):
    """Return three desks of the successor game."""
    new = object.__new__(RefereedTable)
    new.root, new.scenario, new.options, new.relay, new.results = table.root, table.scenario, {}, "", []
    new.players = {side: type(player)(side, player.place) for side, player in table.players.items()}
    new.referee = new.players[REFEREE]
    new.referee.desk = desks.open_desk(path.parent, new.referee.home)
    for side in SIDES:
        player = new.players[side]
        shutil.copyfile(path, player.place / "new.yaml")
        player.desk = begin.accept_proposal(player.place / "new.yaml", player.key, player.place, player.home)
    return new


def test_a_take_back_is_proposed_by_the_referee_and_played_to_its_dice(later):
    path = offers.propose_successor(later.referee.desk, Terms(at=2), None, later.referee.place)
    head = folders.read_message(path).content
    assert (head["from"], head["dice-from"], head["next"]) == (REFEREE, REFEREE, "russian")
    assert head["continues"]["seq"] == "6"
    terms = offers.describe_proposal(later.russian.desk, later.mail(path, "russian"))
    assert terms[0].startswith("position: TAKEN BACK to the position after message 2")
    assert "keys: as before" in terms
    assert "the referee has proposed it, the russian side writes message 1: the sealed posture if due" in terms
    agreed(later, path)
    for player in later.players.values():
        assert player.desk.game.verdict.how == "successor"
    new = go_on(later, path)
    assert new.game.state.stage == "resumed"
    assert new.game.state.units == histories.load(later.referee.folder).games[2].state.units
    new.turn({"seal": {"posture/turn-1": ENGAGE}})
    new.turn(ORDERS)
    dice = folders.read_message(new.referee.folder / "0004.yaml").mapping("dice")
    assert dice.keys() == {"ponyri/combat"}
    for player in new.players.values():
        found = verify.join([verify.verify_game(each) for each in sorted(player.place.glob("game-*"))])
        assert [each.status for each in found] == [0, 0]
        assert any(f"agreed to in {later.german.folder.name}" in each.text for each in found if each.continues)


def test_battles_of_the_first_message_wait_until_both_have_accepted(tmp_path):
    """K-88: with open postures; the dice fall in message 4."""
    with entropy.fix_random_bytes("early battles"):
        table = RefereedTable(tmp_path / "table").begin()
        table.turn(OPENING)
        table.turn({"choice": {"posture/turn-1": ENGAGE}})
        table.turn({})
        assert table.game.state.stage == "german-orders"
        path = offers.propose_successor(
            table.referee.desk, Terms(options={"uncovered": "ask"}), None, table.referee.place
        )
        assert "option uncovered: CHANGES from default to ask" in offers.describe_proposal(table.german.desk, path)
        agreed(table, path)
        new = go_on(table, path)
        assert (new.due.side, new.german.desk.game.chain.writers) == ("german", (REFEREE, "german"))
        new.turn({"orders": {"battles": [BATTLE]}})
        assert (new.due.side, new.game.state.stage) == ("russian", "german-answer")
        assert "answer" not in new.game.state.agenda
        new.turn({"policy": {"exchange-dr": "never", "exchange-drl": "never", "stand-fast": "never"}})
    assert folders.read_message(new.referee.folder / "0003.yaml").type == "accept"
    assert folders.read_message(new.referee.folder / "0004.yaml").mapping("dice").keys() == {"ponyri/combat"}
    assert new.game.state.stage == "german-dice"
    assert verify.verify_game(new.russian.folder).status == 0


def test_the_players_do_not_propose_and_the_referee_does_not_offer(later, kursk):
    for player in (later.german, later.russian):
        with pytest.raises(UsageError, match="the referee writes the proposal"):
            offers.propose_successor(player.desk, Terms(at=2), None, player.place)
    assert len(list(later.root.glob("*/game-*"))) == 3
    status, said = kursk(
        later.referee, "offer", later.referee.folder, "successor", "--at", 2, "--dir", later.referee.place
    )
    assert (status, "no effect until the Russian side offers the new game in message 7" in said) == (0, True), said
    (path,) = [each for each in later.referee.place.glob("game-*/0000.yaml") if each.parent != later.referee.folder]
    told = "the russian side writes message 7"
    kursk(later.referee, "offer", later.referee.folder, "successor", path, "--yes", ends=2, told=told)
    russian = later.russian
    told = "TAKEN BACK"
    kursk(russian, "offer", russian.folder, "successor", later.mail(path, "russian"), "--yes", ends=0, told=told)
    russian.sit()
    for player in (later.referee, later.german):
        player.take(later.mail(russian.folder / "0007.yaml", player.side))
    german = later.german
    german.take(later.mail(later.referee.answer(), "german"))
    kursk(german, "reply", german.folder, "accept", later.mail(path, "german"), "--yes", ends=0, told="TAKEN BACK")
    told = "Play continues in another game"
    kursk(later.referee, "inbox", "--report", german.folder / "0009.yaml", ends=0, told=told)


def test_T36_without_the_accept_nobody_signs_in_the_new_game(later):
    path = offers.propose_successor(later.referee.desk, Terms(at=2), None, later.referee.place)
    for side in SIDES:
        player = later.players[side]
        with pytest.raises(UsageError, match="counts only after the offer in"):
            begin.accept_proposal(later.mail(path, side), player.key, player.place, player.home)
    letter = later.mail(path, "russian")
    later.send(offers.make_successor_offer(later.russian.desk, letter)[0])
    later.send(drafts.make_reply(later.due.desk, "decline"))
    with pytest.raises(UsageError, match="counts only after"):
        begin.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home)
    with pytest.raises(UsageError, match="new proposal"):
        offers.make_successor_offer(later.russian.desk, letter)


def test_T36_the_referee_binds_no_game_that_was_not_agreed_to(later, monkeypatch):
    path = offers.propose_successor(later.referee.desk, Terms(at=2), None, later.referee.place)
    with monkeypatch.context() as unscrupulous:
        unscrupulous.setattr(successor, "need_agreement", lambda *_: None)
        new = go_on(later, path)
        new.russian.fill({"seal": {"posture/turn-1": PAUSE}})
        letter = new.mail(new.russian.sign(), REFEREE)
    new.referee.take(letter)
    with pytest.raises(UsageError, match="counts only after"):
        new.referee.answer()


def test_while_the_referee_owes_nothing_is_proposed(later):
    later.russian.fill(SEAL_2)
    later.referee.take(later.mail(later.russian.sign(), REFEREE))
    with pytest.raises(UsageError, match="the referee writes message 8"):
        offers.propose_successor(later.referee.desk, Terms(), None, later.referee.place)


def test_a_referees_game_is_not_continued_with_the_players_dice(later):
    games = histories.load(later.german.folder).games
    _side, pinned, state = successor.plan(games, Terms(at=2))
    keys = {side: key for side, key in pinned["keys"].items() if side != REFEREE}
    changed = {key: value for key, value in pinned.items() if key not in ("next", "dice-from")} | {"keys": keys}
    german = later.german
    path = begin.issue_proposal("german", changed, state, german.key, german.place, german.home).newest
    with pytest.raises(TrustError, match="the dice must come from"):
        offers.describe_proposal(german.desk, path)


# Lost and restored


@pytest.fixture(scope="module")
def lost(tmp_path_factory):
    """Return a game of nine messages with Russian seals in 1 and 7, for reading only."""
    with entropy.fix_random_bytes("lost with a referee"):
        table = RefereedTable(tmp_path_factory.mktemp("lost") / "table").begin()
        table.turn(OPENING)
        table.turn(ORDERS)
        table.turn({})
        table.turn(SEAL_2)
        assert table.game.chain.next_seq == LENGTH
    return table


def lose(lost, side, root, count=LENGTH):
    """Return a player or the referee with only key and mails."""
    return Loser(lost.root, root, side, count)


@pytest.mark.parametrize("side", ALL)
def test_folder_and_record_come_back_from_mails_and_key(lost, tmp_path, kursk, side):
    loser = lose(lost, side, tmp_path)
    said = restored(kursk, loser)
    assert f"{LENGTH} messages, all verified" in said
    assert "LOST" not in said
    assert ("Ask both players for their newest file" in said) == (side == REFEREE)
    for path in lost.players[side].folder.glob("*"):
        if ".draft." not in path.name:
            assert (loser.folder / path.name).read_bytes() == path.read_bytes(), path.name
    was, now = lost.players[side].desk.own, loser.own
    assert (now.secret, now.side) == (was.secret, side)
    for seq in range(LENGTH):
        assert now.read_slot(seq).id == was.read_slot(seq).id
        assert now.read_slot(seq).kind == (RESTORED if was.read_slot(seq).kind == SIGNED else RECEIVED)
    if side != REFEREE:  # the draft contains the choices of the side
        found = [path.name for path in loser.folder.glob("*.draft.yaml")]
        assert found == (["0009.draft.yaml"] if side == "german" else [])


def test_the_sealed_posture_is_found_again(lost, tmp_path, kursk):
    loser = lose(lost, "russian", tmp_path)
    restored(kursk, loser)
    assert loser.own.read_slot(7).seals == lost.russian.desk.own.read_slot(7).seals
    assert list(loser.own.read_slot(7).seals) == ["posture/turn-2"]


def test_a_restored_referee_signs_the_very_message_again(lost, tmp_path, kursk):
    """Nonces follow from the key, so a lost record allows no second roll (T37)."""
    loser = lose(lost, REFEREE, tmp_path, count=4)  # message 3 exists, message 4 is lost
    restored(kursk, loser)
    letter = loser.place / "mails" / "0003.yaml"
    assert kursk(loser, "inbox", "--report", letter)[0] == 0
    assert (loser.folder / "0004.yaml").read_bytes() == (lost.referee.folder / "0004.yaml").read_bytes()


def test_a_restored_player_goes_on(lost, tmp_path, kursk):
    loser = lose(lost, "german", tmp_path)
    restored(kursk, loser)
    draft = loser.folder / "0009.draft.yaml"
    kursk(loser, "check", draft, ends=0)
    assert kursk(loser, "sign", draft, "--yes")[0] == 0


def test_a_player_who_has_written_nothing_yet_takes_the_proposal(lost, tmp_path, kursk):
    loser = lose(lost, "german", tmp_path, count=3)
    told = "you have written no message"
    kursk(loser, "restore", loser.folder, loser.place / "mails", "--key", loser.place / "me", ends=2, told=told)


def test_T11_an_older_record_is_completed(lost, tmp_path, kursk):
    loser = lose(lost, REFEREE, tmp_path)
    loser.backup(LENGTH)
    for path in loser.journal.glob("000[678]*"):
        path.unlink()
    assert kursk(loser, "restore", loser.folder)[0] == 0
    assert {6, 7, 8} <= set(loser.own.seqs)


def test_a_full_disk_leaves_the_journal_and_the_same_command_helps(later, kursk, monkeypatch):
    later.russian.fill(SEAL_2)
    letter = later.mail(later.russian.sign(), REFEREE)
    with monkeypatch.context() as full:
        full.setattr(drafts, "rewrite_files", lambda *_: (_ for _ in ()).throw(UsageError("no space left")))
        assert kursk(later.referee, "inbox", "--report", letter)[0] == 2
    assert later.referee.desk.own.read_slot(8).kind == SIGNED
    assert not (later.referee.folder / "0008.yaml").exists()
    before = later.referee.desk.own.read_slot(8).text
    kursk(later.referee, "inbox", "--report", letter, ends=0, told="0008.yaml to both players")
    assert (later.referee.folder / "0008.yaml").read_text() == before
    assert director.sign_answer(later.referee.sit(), None) is None
