"""Folders of received mails, and valid proposals."""

import shutil

import pytest
from helpers import intake
from helpers.commands import tree
from rulesets.battle_for_kursk.first_turn import ORDERS

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import FileError, NoRecordError, UsageError
from kursk_pbem.game import folders
from kursk_pbem.game import games as record
from kursk_pbem.trust import messages


def test_the_players_own_folder_comes_before_the_one_the_mail_lies_in(begun):
    table, german, russian = begun, begun.german, begun.russian
    german.fill(ORDERS)
    sent = german.sign()  # never mailed: the Russian reads from the German's folder
    before = tree(german.place)
    got = russian.adjudicate(sent, near=sent.parent)
    assert got.desk.folder == russian.folder
    assert folders.message_path(russian.folder, 2).read_bytes() == sent.read_bytes()
    assert folders.draft_path(russian.folder, 3).exists()
    assert tree(german.place) == before
    assert table.due is russian


def test_an_auditor_works_in_the_folder_the_file_lies_in(begun, tmp_path):
    table = begun
    shared = tmp_path / "shared" / table.german.folder.name
    shutil.copytree(table.german.folder, shared, ignore=shutil.ignore_patterns("*.draft*"))
    table.german.fill(ORDERS)
    letter = shared / "new.yaml"
    shutil.copyfile(table.german.sign(), letter)
    got = intake.receive(letter.read_bytes(), str(letter), tmp_path / "nobody", letter.parent)
    assert got.desk.own is None
    assert not got.desk.mine
    assert {path.name for path in got.written} == {"0002.yaml", "report-0002.txt"}
    report = (shared / "report-0002.txt").read_bytes()
    assert report == (table.german.folder / "report-0002.txt").read_bytes()
    assert list(shared.glob("*.draft*")) == []


def test_a_message_of_an_unknown_game_says_what_to_do(begun, tmp_path):
    letter = begun.german.place / "inbox" / "0001.yaml"
    with pytest.raises(NoRecordError, match=r"knows no folder of the game"):
        intake.receive(letter.read_bytes(), str(letter), tmp_path / "nobody", tmp_path)
    proposal = begun.russian.place / "inbox" / "0000.yaml"
    with pytest.raises(UsageError, match="kursk accept"):
        intake.receive(proposal.read_bytes(), str(proposal), tmp_path / "nobody", tmp_path)


def test_who_begins_before_the_proposal_is_taken_hears_how_it_is(begun, tmp_path):
    shutil.copy(begun.russian.place / "inbox" / "0000.yaml", tmp_path)
    with pytest.raises(NoRecordError, match=r"type 'kursk accept .*0000\.yaml --key FILE'"):
        desks.open_desk(tmp_path, tmp_path / "nobody").record_of_writer()
    with pytest.raises(NoRecordError, match=r"makes the record again$"):
        desks.open_desk(begun.german.folder, tmp_path / "nobody").record_of_writer()


def test_accepting_again_is_no_harm_and_another_player_is_refused(begun):
    russian, german = begun.russian, begun.german
    proposal = russian.place / "inbox" / "0000.yaml"
    before = tree(russian.place)
    desk = begin.accept_proposal(proposal, russian.key, russian.place, russian.home)
    assert desk.seq == 2
    assert tree(russian.place) == before
    with pytest.raises(UsageError, match="this is your own proposal"):
        begin.accept_proposal(proposal, german.key, russian.place, russian.home)
    with pytest.raises(UsageError, match="belongs to another game or side"):
        begin.accept_proposal(proposal, russian.key, german.place, german.home)
    with pytest.raises(UsageError, match="is message 1"):
        begin.accept_proposal(german.place / "inbox" / "0001.yaml", german.key, german.place, german.home)


def test_proposals_that_cannot_be(begun, tmp_path):
    german, opponent = begun.german, begun.german.desk.game.chain.keys["russian"]

    def propose(scenario="battle-for-kursk/citadel", side="german", opponent=opponent, options=None):
        proposal = begin.Proposal(scenario, side, opponent, {}, options or {})
        return begin.propose_game(proposal, german.key, tmp_path / "new", tmp_path / "home").newest

    for words, arguments in (
        ("no ruleset", {"scenario": "battle-for-moon/citadel"}),
        ("there is no scenario", {"scenario": "battle-for-kursk/nowhere"}),
        ("the german side proposes", {"side": "russian"}),
        ("the german side proposes", {"side": "soviet"}),
        ("your own key", {"opponent": german.desk.game.chain.keys["german"]}),
        ("option 'colour'", {"options": {"colour": "grey"}}),
        ("option 'weather'", {"options": {"weather": "always"}}),
    ):
        with pytest.raises((UsageError, FileError), match=words):
            propose(**arguments)
    assert not (tmp_path / "new").exists()
    assert messages.read_message(propose().read_bytes(), "0000.yaml").seq == 0


def test_the_same_proposal_needs_fresh_bytes_every_time(begun, tmp_path):
    german = begun.german
    proposal = begin.Proposal("battle-for-kursk/campaign", "german", german.desk.game.chain.keys["russian"], {}, {})
    two = [begin.propose_game(proposal, german.key, tmp_path / "new", tmp_path / "home").newest for _ in range(2)]
    games = [record.begin(folders.read_message(path)) for path in two]
    assert games[0].chain.nonce != games[1].chain.nonce
    assert two[0].parent != two[1].parent
