"""Letters about games in words: the reader's result first, names, board and tournament, day and zone, what to type."""

from __future__ import annotations

import email
import re

from helpers.commands import commands_in
from helpers.cup_by_mail import Cup

from post.boards_by_mail import receipted
from post.refereed_mail import DAY

WITHOUT_POST = re.compile(
    r"Without 'kursk post': save this mail, type 'kursk inbox FILE' and 'kursk (accept [0-9a-f]+)',"
)


def read(cup, reader, about):
    """Return subject and body of the newest mail to a reader with a text in its subject."""
    found = [raw for _at, _by, to, raw in cup.office.mails if to == reader.address]
    mails = [email.message_from_bytes(raw) for raw in found]
    mail = next(mail for mail in reversed(mails) if about in " ".join(str(mail["Subject"]).split()))
    text = next(part for part in mail.walk() if part.get_content_type() == "text/plain").get_payload(decode=True)
    return " ".join(str(mail["Subject"]).split()), text.decode().replace("\r", "")


def begun(cup):
    """Play board 1-1 by mail to message 2; return the game, its proposer and the other player."""
    game, proposer, other = receipted(cup)
    other.friend.kursk("accept", game[:8])
    for writer, reader in ((other, proposer), (proposer, other)):
        writer.friend.sign(game)
        writer.post()
        cup.time.now += DAY / 8
        reader.post()
        cup.ref.post()
        cup.time.now += DAY / 8
        reader.post()
    return game, proposer, other


def test_a_proposal_and_a_receipt_name_players_board_day_zone_and_command(relayed):
    """Bug: neither opponent nor board, and 'the referee had message 0 of german at 2026-11-27T19:54:40Z'."""
    game, proposer, other = begun(relayed)
    subject, body = read(relayed, other, "proposes a game")
    assert f"{proposer.friend.name} (Amber) proposes a game" in subject
    assert f"board 1-1 of cup: you play Violet against {proposer.friend.name} (Amber)." in " ".join(body.split())
    assert ["accept", game[:8]] in commands_in(body)
    _subject, body = read(relayed, other, " due ")
    words = " ".join(body.split())
    assert f"The director had message 2 of {proposer.friend.name} (Amber) on 2026-09-" in words
    assert "Your message 3 is due 2026-09-" in words
    assert "T0" not in words
    assert "@" not in words
    assert words.count("UTC") >= 2
    assert ["status", game[:8]] in commands_in(body)


def test_a_lost_game_says_so_first_and_repeats_no_old_message(relayed):
    """Letter 7: the letter began with the old message, and never said 'you have lost'."""
    _game, proposer, other = begun(relayed)
    relayed.time.now += 30 * DAY
    relayed.direct("tournament", "forfeit", "1-1", "--yes")
    relayed.ref.sits()
    relayed.ref.post()
    for player, result in ((other, "lost"), (proposer, "won")):
        subject, body = read(relayed, player, f"You have {result} this game by time")
        first, second = body.split("\n\n")[:2]
        assert first == f"You have {result} this game by time."
        assert "board 1-1 of cup" in " ".join(second.split())
        assert "Next, message" not in body
        assert subject.startswith("[kursk ")


def test_who_agrees_without_a_mail_account_types_two_commands(time, tmp_path):
    """Bug: the letter named one command, which lacks the messages of the mail, or refuses the mail."""
    cup = Cup(tmp_path, time, players=2)
    cup.new("--swiss", 2, "--system", "hex-toy/fords", "--roll")
    cup.enter()
    cup.ref.post()
    cup.time.now += DAY / 4
    game, mails = cup.book().boards["1-1"].game, cup.office.mails
    asked = next(to for _at, _by, to, raw in mails if b"] Message 1 due " in raw)
    first, other = sorted(cup.players.values(), key=lambda player: player.address != asked)
    first.post()
    first.friend.kursk("accept", game[:8])
    first.friend.sign(game)
    first.post()
    cup.time.now += DAY / 4
    cup.ref.post()
    raw = next(raw for _at, _by, to, raw in reversed(mails) if to == other.address)
    (other.friend.place / "mail.eml").write_bytes(raw)
    words = " ".join(read(cup, other, game[:8])[1].split())
    other.friend.kursk("inbox", "mail.eml")
    other.friend.kursk(*WITHOUT_POST.search(words)[1].split())
    assert other.friend.desk(game).mine
    assert other.friend.desk(game).seq == 3
