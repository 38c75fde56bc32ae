"""Two machines of one player, or a restored backup: no second message for a number, no accusation."""

import copy
import json
import shutil
import sys

import pytest
from helpers import one_place, postal, refereed_mail
from helpers.commands import Terminal
from helpers.mailbags import letter, turn

from kursk_pbem.desk.own import elsewhere
from kursk_pbem.post.mailbox import store
from kursk_pbem.trust import messages


@pytest.fixture
def machines(pair, tmp_path):
    """Return Anna's machine with message 2 signed, an earlier copy of the machine, Boris, and the game."""
    anna, boris, game = pair
    boris.sign(game)
    postal.carried(game, 1, boris, anna)
    shutil.copytree(anna.place, tmp_path / "second" / "anna")
    second = copy.copy(anna)
    second.place = tmp_path / "second" / "anna"
    anna.sign(game)
    return anna, second, boris, game


def said(capsys):
    """Return the whole output as one line."""
    printed = capsys.readouterr()
    return " ".join(f"{printed.out} {printed.err}".split())


def own_mail(machines, tmp_path):
    """Return a copy of the mail with Anna's message 2."""
    anna, _second, _boris, game = machines
    path = tmp_path / "copy.eml"
    path.write_bytes(letter(turn(anna, game, 2)))
    return path


def test_nothing_is_signed_for_a_number_whose_own_message_came_by_mail(machines, tmp_path, capsys):
    _anna, second, _boris, game = machines
    second.kursk("inbox", "--report", own_mail(machines, tmp_path), status=2)
    capsys.readouterr()
    for words in (("sign", game[:8], "--yes"), ("resign", game[:8], "--yes"), ("order", game[:8], "note", "hello")):
        second.kursk(*words, status=2)
        told = said(capsys)
        assert "you have already signed message 2" in told
        assert "no accusation" in told
        assert "kursk restore" in told
    assert not (second.folder(game) / "0002.yaml").exists()
    second.kursk("status", game[:8])
    assert "SIGNING IS LOCKED: you have already signed message 2" in said(capsys)
    second.kursk("restore", game[:8], "--confirm", 0, "--yes", status=2)
    assert "you have already signed message 2" in said(capsys)


def test_a_copy_of_the_mail_puts_it_in_and_the_game_goes_on(machines, tmp_path, capsys):
    anna, second, boris, game = machines
    second.kursk("inbox", own_mail(machines, tmp_path))
    assert "Your own message 2, signed elsewhere, is here again" in said(capsys)
    second.kursk("sign", game[:8], "--yes", status=2)
    second.kursk("restore", game[:8], "--confirm", 2, "--yes")
    postal.carried(game, 2, anna, boris)
    boris.sign(game)
    postal.carried(game, 3, boris, second)
    second.sign(game)
    assert turn(second, game, 2) == turn(anna, game, 2)


def test_T11_an_answer_to_a_missing_message_stops_until_it_is_denied(machines, tmp_path, capsys):
    """A backup lacks message 2. The answer names it; only the player's word or the message ends the lock."""
    anna, second, boris, game = machines
    postal.carried(game, 2, anna, boris)
    boris.sign(game)
    answer = tmp_path / "answer.eml"
    answer.write_bytes(letter(turn(boris, game, 3)))
    second.kursk("inbox", answer)
    second.kursk("status", game[:8])
    told = said(capsys)
    assert f"your message 2 ({anna.desk(game).game.chain.ids[2][:16]}) is missing here, and message 3 of" in told
    assert "no accusation" in told
    second.kursk("sign", game[:8], "--yes", status=2)
    second.kursk("restore", game[:8], "--confirm", 0, "--yes", status=2)
    second.kursk("restore", game[:8], "--never", 4, "--yes", status=2)
    second.kursk("restore", game[:8], "--never", 2, "--yes")
    second.kursk("inbox", answer)
    kept = next(second.home.glob("games/*/elsewhere.json")).read_text(encoding="ascii")
    own = next(iter(second.records()))
    later = elsewhere.Seen(4, "b" * 64, "", "message 5 of violet")
    elsewhere.note_missing(own, later)  # who never signed message 2 has signed no message 4
    assert not second.desk(game).lock
    evidence = messages.read_message(json.loads(kept)["messages"][0]["text"].encode(), "the evidence")
    assert evidence.id == boris.desk(game).last.id
    second.kursk("sign", game[:8], "--yes")


def test_T11_a_restored_machine_goes_on_with_the_message_that_the_answer_names(machines, tmp_path, capsys):
    anna, second, boris, game = machines
    postal.carried(game, 2, anna, boris)
    boris.sign(game)
    answer = tmp_path / "answer.eml"
    answer.write_bytes(letter(turn(boris, game, 3)))
    second.kursk("inbox", answer)
    second.kursk("inbox", own_mail(machines, tmp_path))
    assert second.desk(game).seq == 4
    second.kursk("restore", game[:8], "--confirm", 2, "--yes")
    second.sign(game)


def test_what_the_outbox_mailed_is_not_signed_again_after_a_backup(machines, tmp_path, capsys):
    """The backup contains the games but not the letters."""
    _anna, second, _boris, game = machines
    made = f'{{"items": [{{"kind": "message", "seq": 2, "id": "{"a" * 64}"}}]}}'
    with store.open_writing(second.home) as rows:
        rows.execute("insert into letter values (?, '0002-x-0', 'x', 0, 2, 0, ?)", (game, made))
    second.kursk("sign", game[:8], "--yes", status=2)
    assert "you have already signed message 2 (aaaaaaaaaaaaaaaa; in your outbox)" in said(capsys)


def test_two_own_messages_of_a_number_are_told_in_words_that_accuse_nobody(machines, tmp_path, capsys):
    anna, second, _boris, game = machines
    second.kursk("order", game[:8], "note", "another", "one")
    second.kursk("sign", game[:8], "--yes")
    capsys.readouterr()
    path = own_mail(machines, tmp_path)
    for command in ("inbox", "inbox --report"):
        second.kursk(*command.split(), path, status=3)
        told = said(capsys)
        assert "two different messages 2" in told
        assert "no accusation" in told
        assert "fraud" not in told
        assert "convict" not in told
    second.kursk("status", game[:8])
    assert "two different messages 2" in said(capsys)
    (tmp_path / "0002.yaml").write_bytes(turn(anna, game, 2))
    second.kursk("prove", second.folder(game), tmp_path / "0002.yaml", status=0)
    told = said(capsys)
    assert "two different messages 2" in told
    assert "convicted" not in told
    assert not [*second.place.glob("proof-*")]
    (second.folder(game) / "0002.yaml").write_bytes(turn(anna, game, 2))
    second.kursk("sign", game[:8], "--yes", status=3)
    assert "two different messages 2" in said(capsys)


def test_post_notes_the_own_mails_that_it_fetches_and_when_it_looked(posted, tmp_path, capsys):
    """The other machine had sent a copy to the player's own mailbox."""
    anna, boris, game, imap, smtp = posted
    anna.kursk("post", "--as-sent")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post")
    other = copy.copy(anna)
    other.place = tmp_path / "other" / "anna"
    shutil.copytree(anna.place, other.place)
    other.sign(game)
    imap.add(letter(turn(other, game, 2), anna.address))
    mailed = len(smtp.post.mails)
    anna.kursk("post")
    assert turn(anna, game, 2) == turn(other, game, 2)
    assert "'kursk post', which searches your mailbox" in anna.desk(game).lock
    assert len(smtp.post.mails) == mailed + 1  # the letter with message 2


def test_T11_post_heals_a_home_set_back_by_the_sent_mails_and_one_number(posted, tmp_path, capsys, monkeypatch):
    """The backup lacks Anna's message 2. The server has the mail in the folder of sent mails alone."""
    anna, boris, game, imap, smtp = posted
    anna.kursk("post", "--as-sent")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post")
    one_place.copy_elsewhere(anna.place, tmp_path / "backup")
    anna.sign(game)
    anna.kursk("post")
    imap.sent[1] = smtp.post.mails[-1][2], "27-Nov-2026 08:00:00 +0000"
    signed = turn(anna, game, 2)
    shutil.rmtree(anna.place)
    one_place.copy_elsewhere(tmp_path / "backup", anna.place)
    capsys.readouterr()
    anna.kursk("status", game[:8])
    assert "kursk post', which searches your mailbox and then asks" in said(capsys)
    monkeypatch.setattr(sys, "stdin", Terminal("2\n"))
    anna.kursk("post", "--as-sent")
    told = said(capsys)
    assert "Your own message 2, signed elsewhere, is here again" in told
    assert "the newest here is message 2" in told
    assert turn(anna, game, 2) == signed
    boris.kursk("inbox", boris.folder(game) / "0001.yaml")
    postal.carried(game, 2, anna, boris)
    boris.sign(game)
    imap.add(letter(turn(boris, game, 3), boris.address))
    anna.kursk("post", "--as-sent")
    anna.sign(game)


def test_T11_restore_alone_looks_through_the_mailbox(posted, tmp_path, capsys):
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    for seq, who in ((0, anna), (1, boris)):
        imap.add(letter(turn(who, game, seq), who.address, f"[kursk {game[:8]}] a turn"))
    folder = anna.folder(game)
    shutil.rmtree(folder)
    shutil.rmtree(next(anna.home.glob("games/*")))
    anna.kursk("restore", folder, "--key", anna.key)
    assert anna.desk(game).seq == 2
    assert "the newest here is message 0" in anna.desk(game).lock


def test_T11_a_receipt_for_a_missing_message_stops_and_its_letter_brings_it(world, tmp_path):
    """N-4: a player went back to a backup. The receipt alone proves the message, and the letter carries it."""
    boris, game = world.boris, world.game
    one_place.copy_elsewhere(boris.place, tmp_path / "backup")
    refereed_mail.deliver_message(world, boris, 1)
    receipt = (world.folder / "receipt-0001.yaml").read_bytes()
    shutil.rmtree(boris.place)
    one_place.copy_elsewhere(tmp_path / "backup", boris.place)
    path = tmp_path / "receipt.eml"
    path.write_bytes(letter(receipt, world.ref.address))
    boris.kursk("restore", game[:8], "--confirm", 0, "--yes")
    boris.kursk("inbox", path)
    assert "is missing here, and the receipt of the referee names it" in boris.desk(game).lock
    boris.kursk("sign", game[:8], "--yes", status=2)
    refereed_mail.pass_hours(world, 25, 25)  # a receipt waits a day for another letter
    (mail,) = (raw for _at, _sender, reader, raw in world.office.mails if reader == boris.address and b"receipt" in raw)
    path.write_bytes(mail)
    boris.kursk("inbox", path)
    assert boris.desk(game).seq == 2
    boris.kursk("restore", game[:8], "--confirm", 1, "--yes")


def test_a_game_that_the_backup_lacks_is_restored_and_not_accepted_again(posted, capsys):
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
    anna.kursk("post")
    assert f"you have played game {game[:8]} before" in said(capsys)
    assert turn(anna, game, 1) == first
    anna.kursk("accept", game[:8], status=2)
    anna.kursk("restore", game[:8], "--confirm", 0, "--yes", status=2)
    anna.kursk("restore", game[:8], "--confirm", 1, "--yes")
