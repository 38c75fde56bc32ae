"""Decision 44: a game of an earlier adjudication continues until a changed decision."""

from dataclasses import replace

import pytest
from helpers import finished_games

from kursk_pbem.audit import gather, verify
from kursk_pbem.errors import FileError, OutdatedError
from kursk_pbem.game import folders, games
from kursk_pbem.kernel.umpire import Umpire

FOLDER = finished_games.ROOT / "battle-for-kursk" / "resignation-german"


@pytest.fixture(autouse=True)
def newer(monkeypatch):
    """The program has adjudication 2; the finished game was begun under 1."""
    found = games.find_ruleset("battle-for-kursk")
    monkeypatch.setattr(games, "find_ruleset", lambda _name: replace(found, version=2))


@pytest.fixture
def met(monkeypatch):
    """Adjudication 2 decides every place with a die otherwise than 1 did."""
    roll = Umpire.roll

    def rolled(self, label, rule, **how):
        self.repaired(2, rule)
        return roll(self, label, rule, **how)

    monkeypatch.setattr(Umpire, "roll", rolled)


def mails():
    return [folders.read_message(path) for path in folders.message_files(FOLDER)]


def first_with_dice():
    return next(mail.seq for mail in mails() if mail.mapping("dice"))


def until(seq):
    first, *others = mails()[:seq]
    game = games.begin(first)
    for message in others:
        game, _result = games.extend(game, message)
    return game


def test_a_game_that_meets_no_repaired_place_verifies_to_the_same_head():
    found = verify.verify_game(FOLDER)
    assert found.status == 0
    assert f"head: {found.head}\n" in (FOLDER / "game.txt").read_text("ascii")
    assert games.begin(mails()[0]).version == 1


def test_a_place_decided_otherwise_is_left_to_the_release_that_began_the_game(met):
    seq = first_with_dice()
    with pytest.raises(OutdatedError) as refused:
        games.extend(until(seq), mails()[seq])
    for words in ("began under adjudication 1 of battle-for-kursk", "Adjudication 2", "no side did wrong", "9.0"):
        assert words in str(refused.value)
    assert verify.verify_game(FOLDER).status == 2


def test_nobody_is_convicted_by_an_adjudication_that_the_game_does_not_pin(met):
    """Neither of false dice or results there, nor of two messages."""
    found = gather.prove_all([FOLDER])
    assert found.convictions == ()
    assert "needs another release" in "\n".join(found.reasons)


def test_its_results_are_not_called_false_there(met, monkeypatch):
    """The refusal comes before dice and positions are compared: a result that is right by 1 is no lie."""
    seq = first_with_dice()
    message = mails()[seq]
    wrong = replace(message, content={**message.content, "state-in": "0" * 64})
    with pytest.raises(OutdatedError):
        games.extend(until(seq), replace(wrong, armour=message.armour))


@pytest.mark.parametrize("version", ["0", "3", "01", "1 ", "-1", "x", ""])
def test_T19_other_adjudications_are_another_programs(version):
    head = mails()[0]
    other = replace(head, content={**head.content, "ruleset": {"id": "battle-for-kursk", "version": version}})
    with pytest.raises(FileError) as refused:
        games._find_ruleset(other, games.begin(head).chain)
    assert "this program has versions up to 2" in str(refused.value)


def test_a_game_of_the_newest_adjudication_is_decided_by_it(met):
    game = until(first_with_dice())
    head = {**game.chain.head, "ruleset": {"id": "battle-for-kursk", "version": "2"}}
    newest = replace(game, chain=replace(game.chain, head=head))
    assert games.extend(newest, mails()[first_with_dice()])[1].since == (2, "9.0-4")
