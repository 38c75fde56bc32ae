"""Tournament games by mail: assigned to their tournament, timed by the log."""

from __future__ import annotations

import pytest
from helpers import postal
from helpers.mailbags import letter
from helpers.postmen import text

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.game import folders, receipts
from kursk_pbem.post.mailbox import events
from kursk_pbem.post.round import early_turns
from kursk_pbem.post.tournaments import directing
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.tournament.proof import verify
from kursk_pbem.trust import keys, messages, reader, sshsig
from kursk_pbem.trust.allowance import MAX_MAIL, Allowance
from post.refereed_mail import DAY, HOUR


def test_a_tournament_gives_time_by_its_log_for_an_absence_and_a_pause(relayed):
    """Bug: the messages named 'kursk referee extend', or a refusal of each tournament game."""
    relayed.ref.post()
    player = next(iter(relayed.players.values()))
    mail = f"From: {player.address}\r\nMessage-ID: <a@example.test>\r\n\r\nABSENT 2026-09-10 2026-09-20\r\n"
    relayed.office.put(mail.encode(), relayed.ref.address)
    relayed.ref.post()
    said = " ".join(
        b" ".join(raw for _at, _from, to, raw in relayed.office.mails if to == player.address).decode().split()
    )
    assert "sign 'kursk tournament absent' too" in said
    (told,) = [line for line in relayed.ref.session.referee.list_pending() if "will be away" in line]
    assert "'kursk tournament grant WHO DAYS WHY --holiday'" in told
    (told,) = relayed.ref.session.referee.pause(text(relayed.time.now + 9 * DAY))
    assert "a pause does not extend the deadlines of " in told.partition("; type 'kursk tournament grant WHO DAYS")[0]


def test_a_game_that_is_no_board_does_not_come_among_its_games(relayed):
    """L5: a friendly game with the referee of a tournament stays outside the tournament."""
    wild = postal.propose_game(*(player.friend for player in relayed.players.values()), relay=relayed.ref.friend.public)
    relayed.office.put(b"From: p01@example.test\r\nSubject: a game\r\n\r\n" + wild[0], relayed.ref.address)
    relayed.ref.post()
    (place,) = (relayed.folder / "games").iterdir()
    assert place.name == folders.folder_name(relayed.book().boards["1-1"].game)
    assert wild[1] not in place.name


def test_a_game_that_was_judged_goes_on_no_more(relayed):
    """A judgement is about the newest message; a later message would make the judgement false (6.4)."""
    relayed.ref.post()
    relayed.time.now += 20 * DAY
    board = relayed.book().boards["1-1"]
    side = next(iter(board.sides))
    for player in relayed.players.values():
        player.post()
    relayed.direct("tournament", "judge", "1-1", "silence", side, "--yes")
    for player in relayed.players.values():
        for short in early_turns.list_games(player.friend.home):
            player.friend.kursk("accept", short)  # a player without the judgement continues
            if player.friend.sign(board.game) is not None:
                player.post()
    relayed.time.now += DAY
    day = relayed.ref.post()
    (error,) = [str(outcome.error) for game in day.games for outcome in game.outcomes if outcome.error]
    assert error.startswith("board 1-1 was decided: ")
    assert "its game is over (log paper 8)" in error
    assert not folders.message_path(relayed.folder / "games" / folders.folder_name(board.game), 1).exists()
    relayed.time.now += 20 * DAY
    assert not [line for line in relayed.ref.post().done if "reminded" in line]
    assert verify.verify_tournament(relayed.folder).status == 0


def test_a_reminder_holds_the_pairing_that_may_have_been_lost(relayed):
    relayed.ref.post()
    relayed.time.now += 4 * DAY
    relayed.office.mails.clear()
    day = relayed.ref.post()
    assert [line for line in day.done if "reminded" in line]
    relayed.time.now += HOUR  # the round sent another letter to the reader
    relayed.ref.post()
    (reminder,) = [raw for _at, _by, _to, raw in relayed.office.mails if b"Reminder: your message 1" in raw]
    found, _faults = bundles.parse_papers(reader.read_thing(reminder, "a reminder"), Allowance("a reminder", MAX_MAIL))
    assert "round" in [paper.type for paper in found]


def lose_the_proposal(cup):
    """Deliver the letter with the proposal only to the other player."""
    cup.office.boxes[cup.ref.address].clear()
    cup.ref.post()
    assert cup.book().boards["1-1"].game == ""


def test_a_proposal_that_was_lost_comes_once_more_with_its_answer(relayed):
    """The director needs the proposal first, so every letter contains the proposal until the director answers."""
    lose_the_proposal(relayed)
    other = next(player for player in relayed.players.values() if player.friend.records() == [])
    other.post()
    (short,) = early_turns.list_games(other.friend.home)
    other.friend.kursk("accept", short)
    other.friend.sign(other.friend.records()[0].game)
    other.post()
    relayed.time.now += DAY
    relayed.ref.post()
    board = relayed.book().boards["1-1"]
    place = relayed.folder / "games" / folders.folder_name(board.game)
    assert [path.name for path in folders.message_files(place)] == ["0000.yaml", "0001.yaml"]


def test_whoever_is_to_propose_is_reminded_and_mails_the_proposal_again(relayed):
    lose_the_proposal(relayed)
    relayed.time.now += 8 * DAY
    relayed.office.mails.clear()
    day = relayed.ref.post()
    proposer = next(player for player in relayed.players.values() if player.friend.records())
    (told,) = [line for line in day.done if "reminded" in line]
    assert told.startswith(f"cup: reminded {proposer.friend.name}: board 1-1 must have begun by ")
    (reminder,) = [
        raw for _at, _by, _to, raw in relayed.office.mails if b"Reminder: board 1-1 must have begun by" in raw
    ]
    assert b"'kursk outbox --again GAME'" in reminder
    assert [line for line in relayed.ref.post().done if "reminded" in line] == []
    proposer.friend.kursk("outbox", "--again", proposer.friend.records()[0].game[:8])
    proposer.post()
    relayed.time.now += DAY
    relayed.ref.post()
    assert relayed.book().boards["1-1"].game == proposer.friend.records()[0].game


def test_T42_a_copy_under_a_false_signature_keeps_no_proposal_out(relayed):
    """Bug: the forged copy came an hour earlier in the round, and both copies were refused."""
    ((at, raw),) = relayed.office.boxes[relayed.ref.address]
    (turn,) = reader.read_thing(raw, "a mail").turns
    armour = keys.from_seed(bytes(32)).sign(sshsig.NAMESPACE, turn.signed)
    forged = messages.emit_for_mail(turn.content, armour, turn.state)
    relayed.office.put(letter(forged.encode("ascii"), "thief@example.test"), relayed.ref.address, at - DAY / 24)
    relayed.ref.post()
    assert relayed.book().boards["1-1"].game == turn.id
    place = relayed.folder / "games" / folders.folder_name(turn.id)
    assert receipts.read_file(place / "receipt-0000.yaml").text("received") == text(at)


def test_no_game_is_forfeited_before_the_end_of_what_the_log_has_granted(relayed):
    """6.5: time granted to all before a term applies to the term, without a paper in the game."""
    relayed.direct("tournament", "grant", "all", "20", "flood", "--holiday", "--yes")
    relayed.ref.post()
    (holiday,) = relayed.book().clocks
    player = next(iter(relayed.players.values()))
    relayed.office.put(f"From: {player.address}\r\n\r\nSTATUS\r\n".encode(), relayed.ref.address)
    relayed.ref.post()
    assert f"due {times.tell(holiday.until)}" in " ".join(str(relayed.office.mails).replace("\\n", " ").split())
    board, event = relayed.book().boards["1-1"], next(events.list_directed(relayed.ref.friend.home))
    with pytest.raises(UsageError, match="has time until"):
        directing.forfeit(relayed.ref.friend.home, event, board.game, text(relayed.time.now))
