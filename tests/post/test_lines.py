"""Two machines of one player, or a restored backup: the longer line counts, and nobody is accused (2.6)."""

import shutil

import pytest
from helpers import postal
from helpers.mailbags import letter, turn

from kursk_pbem.trust import sofar


@pytest.fixture
def machines(pair, tmp_path):
    """Return Anna's machine with message 2 signed, an earlier copy of the machine, Boris, and the game."""
    anna, boris, game = pair
    boris.sign(game)
    postal.carried(game, 1, boris, anna)
    second = anna.copy(tmp_path / "second")
    anna.sign(game)
    return anna, second, boris, game


@pytest.fixture
def forked(machines):
    """Return the same after the earlier copy has signed another message 2, and Boris has answered the first one."""
    anna, second, boris, game = machines
    second.kursk("order", game[:8], "note", "another", "one")
    second.kursk("sign", game[:8], "--yes")
    postal.carried(game, 2, anna, boris)
    return machines


def mail(path, *raws):
    path.write_bytes(b"".join(b"From x\n" + letter(raw) + b"\n" for raw in raws))
    return path


def test_2_6_an_own_mail_is_the_journal_and_the_game_goes_on(machines, tmp_path):
    anna, second, boris, game = machines
    second.kursk("inbox", mail(tmp_path / "own", turn(anna, game, 2)), told="your message 2, signed elsewhere, is here")
    postal.carried(game, 2, anna, boris)
    boris.sign(game)
    postal.carried(game, 3, boris, second)
    second.sign(game)
    assert turn(second, game, 2) == turn(anna, game, 2)


def test_2_6_a_second_message_is_void_and_the_answer_brings_the_first(forked, tmp_path):
    """Status 1 and one sentence at each side; afterwards both machines and Boris have equal files."""
    anna, second, boris, game = forked
    for command in ("inbox", "inbox --report"):
        told = "void, and no fraud"
        boris.kursk(*command.split(), mail(tmp_path / "void", turn(second, game, 2)), status=1, told=told)
    boris.sign(game)
    told = " ".join(second.kursk("inbox", mail(tmp_path / "answer", turn(boris, game, 3))).split())
    assert "your message 2, signed elsewhere, is here" in told
    assert "void, and no fraud" in told
    assert turn(second, game, 2) == turn(anna, game, 2)
    second.sign(game)
    for who in (second, boris):
        assert len([*who.folder(game).glob("0002-*.void.yaml")]) == 1
        who.kursk("verify", who.folder(game))
    boris.kursk("prove", boris.folder(game), status=1, told="message 2 was signed 2 times")


def test_2_6_a_line_comes_in_pieces_and_in_any_order(forked, tmp_path):
    """The answer comes alone first, as in an address: it follows an unknown message, and is kept."""
    anna, second, boris, game = forked
    boris.sign(game)
    second.kursk("inbox", mail(tmp_path / "answer", sofar.cut_block(turn(boris, game, 3))), status=1)
    second.kursk("inbox", mail(tmp_path / "first", turn(anna, game, 2)))
    assert second.desk(game).seq == 4
    assert turn(second, game, 2) == turn(anna, game, 2)


def test_2_6_of_two_lost_answers_the_first_of_a_mailbox_counts_for_a_spectator(forked, tmp_path, friends):
    """A folder has no order: without the game at the desk both messages are named, and neither is taken."""
    anna, second, boris, game = forked
    files = [turn(who, game, seq) for who, seq in ((anna, 0), (boris, 1), (anna, 2), (second, 2))]
    boris.kursk("verify", mail(tmp_path / "box", *files))
    for name, raw in zip("abcd", files, strict=True):
        (tmp_path / "loose").mkdir(exist_ok=True)
        (tmp_path / "loose" / f"{name}.yaml").write_bytes(raw)
    (spectator,) = friends("spectator")
    told = "give only the message that came first; the other messages prove no fraud"
    spectator.kursk("verify", tmp_path / "loose", status=2, told=told)


def test_T11_restore_alone_looks_through_the_mailbox(posted):
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    for seq, who in ((0, anna), (1, boris)):
        imap.add(letter(turn(who, game, seq), who.address, f"[kursk {game[:8]}] a turn"))
    folder = anna.folder(game)
    shutil.rmtree(folder)
    shutil.rmtree(next(anna.home.glob("games/*")))
    anna.kursk("restore", folder, "--key", anna.key)
    assert anna.desk(game).seq == 2
    assert anna.desk(game).lock == ""


def test_a_game_that_the_backup_lacks_is_restored_and_not_accepted_again(posted):
    """A second acceptance once led to a second message 1."""
    anna, boris, _game, imap, _smtp = posted
    anna.kursk("post", "--as-sent")
    game = postal.began(boris, anna)
    proposal = letter(turn(boris, game, 0), boris.address, f"[kursk {game[:8]}] I propose a game")
    shutil.copytree(anna.home, anna.place / "backup", ignore=shutil.ignore_patterns(game[:16]))
    anna.sign(game)
    first = turn(anna, game, 1)
    imap.add(letter(first, anna.address, f"[kursk {game[:8]}] message 1"))
    imap.sent[1] = imap.mails.popitem()[1]
    for lost in (anna.home, anna.folder(game)):
        shutil.rmtree(lost)
    (anna.place / "backup").rename(anna.home)
    imap.add(proposal)
    anna.kursk("post", told=f"you have played game {game[:8]} before")
    assert turn(anna, game, 1) == first
    anna.kursk("accept", game[:8], status=2)
