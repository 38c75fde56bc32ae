"""A mailbox that ends games by itself: what players signed and the director has not decided holds a board back."""

from datetime import timedelta

import pytest
from helpers import cup_by_mail
from helpers.boards_by_mail import Board
from helpers.cup_by_mail import Cup, enters, paired
from helpers.mailbags import letter, turn
from helpers.postmen import Time
from helpers.refereed_mail import last_calls

from kursk_pbem.cli import run
from kursk_pbem.errors import DiskError
from kursk_pbem.game import folders
from kursk_pbem.post.tournaments import taking
from kursk_pbem.tournament.entrant import games
from kursk_pbem.trust import sshsig


@pytest.fixture
def board(relayed):
    return Board(relayed)


def test_nothing_signed_holds_a_board_back_for_ever(board):
    """The other tests show something: without a paper the board is lost."""
    board.passes(days=13)
    assert (board.folder / "forfeit.yaml").exists()
    assert len(last_calls(board.cup.ref.friend.home, board.folder)) == 3


def test_a_result_that_both_have_signed_is_the_directors_to_judge(board):
    """It stood in no list, and the board was lost against one of the two who had agreed to a draw."""
    board.passes(days=2)  # the players learn which game it is
    for name in (board.late, board.other):
        board.says(name, "agree", "1-1", "draw", "--yes")
    assert (
        "both players of board 1-1 have signed how it ended: judge 1-1 agree, unless it went on since" in board.pending
    )
    board.passes(days=12)
    assert not board.lost
    assert "(both have signed how it ended: judge 1-1 agree, unless it went on since)" in board.pending
    assert not any(b"a reminder: message" in raw for _at, _from, _to, raw in board.cup.office.mails)
    board.directs("judge", "1-1", "agree")
    assert board.cup.book().boards["1-1"].outcome.winner == "draw"


@pytest.mark.parametrize("logged", [False, True])
def test_no_board_is_lost_to_a_player_who_has_withdrawn(board, logged):
    """Whoever withdrew while the other owed a message won by their silence."""
    board.cup.players[board.other].post()
    board.cup.withdraws(board.other)
    board.passes(hours=3)
    if logged:
        board.directs("withdraw", board.cup.book().boards["1-1"].against(board.number))
        assert "tournament pair" in board.pending
        assert "judges 1-1: a player has withdrawn" in board.pending
    board.passes(days=12)
    assert not board.lost
    if not logged:
        board.directs("withdraw", board.cup.book().boards["1-1"].against(board.number))
    board.cup.direct("tournament", "pair")
    played = board.cup.book().boards["1-1"]
    assert played.sides[played.outcome.winner] == board.number


def substituted(board):
    """Whoever is late has withdrawn, and Greta plays their number."""
    board.says(board.late, "withdraw", "--yes")
    board.directs("withdraw", board.number)
    board.cup.stands_in("greta", board.number)
    board.passes(hours=3)
    board.cup.direct("tournament", "inbox")
    board.directs("substitute", board.number, "they have withdrawn")


def test_no_board_is_lost_against_a_substitute_who_was_never_reminded(board):
    """The reminders went to whoever had withdrawn; the director had hours for handing the game on."""
    substituted(board)
    board.passes(days=12)
    assert not board.lost
    assert f"number {board.number} (greta) has another key now than in this game: vacate 1-1" in board.pending


def test_the_withdrawal_of_the_one_before_is_none_of_the_substitutes(board):
    """The list told the director every day to throw the substitute out by it."""
    substituted(board)
    assert "has signed a withdrawal" not in board.pending
    board.cup.direct("tournament", "withdraw", board.number, "--yes", "--in", board.cup.folder, status=2)
    assert board.cup.book().entrant(board.number).left < 0


@pytest.mark.parametrize("words", [("claim", "1-1", "they told me to wait"), ("absent", "2026-09-05", "2026-10-20")])
def test_what_waits_for_the_directors_word_holds_the_board_back(board, words):
    board.says(board.late, *words)
    board.passes(days=12)
    assert not board.lost
    assert "waits for a decision" in board.pending or f"{board.late} is absent" in board.pending


def test_what_was_signed_while_the_term_ran_is_the_directors_to_end(board):
    """A claim that was refused behind the term let the game end within hours, before its player had heard of that."""
    board.says(board.late, "claim", "1-1", "they told me to wait")
    [claim] = board.cup.book().signed["claim", "1-1"]
    board.directs("refuse", claim.id[:8], "nobody did")
    board.passes(days=12)
    assert not board.lost
    assert "came since its term began, and may be about it): 'kursk tournament forfeit 1-1" in board.pending


@pytest.mark.parametrize("cut", [True, False])
def test_T48_what_is_damaged_in_a_mail_that_the_director_saved_loses_no_board(board, tmp_path, cut):
    """'kursk tournament inbox FILE' told of it, and the board was lost by itself all the same."""
    player = board.cup.players[board.late].friend
    player.sign(board.game)
    raw = turn(player, board.game, len(folders.message_files(player.folder(board.game))) - 1)
    spoilt = raw[: len(raw) // 2] if cut else raw.replace(b"type: ", b"note: x\ntype: ", 1)
    mail = tmp_path / "spam.eml"
    mail.write_bytes(letter(spoilt, player.address))
    with board.cup.ref.friend.sitting():
        assert run(["tournament", "inbox", str(mail), "--in", str(board.cup.folder)]) != 0
    board.cup.ref.sits()
    board.passes(days=12)
    assert not board.lost


def test_an_adjourned_board_has_terms_and_reminders(friends, tmp_path, monkeypatch):
    """Nobody signed a receipt in it: an answer was late by a term that no one had been told."""
    assert friends
    cup = Cup(tmp_path, Time().set(monkeypatch), players=2)
    edit = {"adjourn: 'no'": "adjourn: 'yes'", "round: '90'": "round: '20'"}
    cup.new("--round-robin", "--system", "hex-toy/fords", edit=edit)
    for name in cup.players:
        enters(cup, name)
    cup.direct("tournament", "inbox")
    paired(cup)
    cup_by_mail.relayed(cup)
    board = Board(cup)
    for _message in range(3):
        board.passes(days=6)
        board.moves()
    board.directs("judge", "1-1", "adjourned")
    board.moves()
    last = len(folders.message_files(board.folder)) - 1
    assert (board.folder / f"receipt-{last:04d}.yaml").exists()
    board.passes(days=5)
    assert any(f"a reminder: message {last + 1}".encode() in raw for _at, _from, _to, raw in cup.office.mails)


def test_the_director_says_which_of_two_is_to_stand_in(board):
    """Whoever's paper was acknowledged last played, a stranger's too, and the question named nobody."""
    board.says(board.late, "withdraw", "--yes")
    board.directs("withdraw", board.number)
    for name in ("greta", "eve"):
        board.cup.stands_in(name, board.number)
    board.passes(hours=3)
    board.cup.direct("tournament", "inbox")
    wants = f"would stand in for number {board.number}: substitute {board.number} WHY --name NAME"
    assert f"greta, eve {wants}" in board.pending or f"eve, greta {wants}" in board.pending
    said = ("tournament", "substitute", board.number, "they have withdrawn", "--yes", "--in", board.cup.folder)
    board.cup.direct(*said, status=2)
    board.cup.direct(*said, "--name", "Greta")
    assert board.cup.book().entrant(board.number).name == "greta"


def test_a_grant_behind_a_term_that_is_over_frees_nobody_and_ends_nothing(board, capsys):
    """The list said 'grant'; the director did, and the board was lost within hours although time was given."""
    now = board.cup.time.now
    days = [(now + timedelta(days=number)).date().isoformat() for number in (3, 20)]
    board.says(board.late, "absent", *days)
    board.passes(days=9)
    assert "signed an absence, and no grant reaches back: 'kursk referee pass' takes a late turn" in board.pending
    board.directs("grant", board.number, "12", "holiday", "--holiday")
    assert "board 1-1: its term was over" in "".join(capsys.readouterr())
    board.passes(days=3)
    assert not board.lost


def test_an_absence_within_a_term_that_began_later_holds_a_board_back(board):
    """It was over before the term was, and counted for nothing, though nobody had decided it."""
    days = [(board.cup.time.now + timedelta(days=number)).date().isoformat() for number in (1, 3)]
    board.says(board.other, "absent", *days)
    board.moves()
    board.passes(days=10)
    assert not board.lost
    assert "signed an absence, and no grant reaches back" in board.pending


def test_a_substitute_for_the_other_player_ends_no_board(board):
    """Whoever stayed lost within hours of the substitution, having waited for what becomes of the withdrawal."""
    other = board.cup.book().boards["1-1"].against(board.number)
    board.passes(days=5)
    board.says(board.other, "withdraw", "--yes")
    board.directs("withdraw", other)
    board.cup.stands_in("greta", other)
    board.passes(days=6)
    board.cup.direct("tournament", "inbox")
    board.directs("substitute", other, "they have withdrawn")
    board.passes(days=2)
    assert not board.lost
    assert f"number {other} (greta) has another key now than in this game" in board.pending


def test_a_result_that_both_have_signed_is_not_undone_by_a_new_key(board):
    board.passes(days=2)
    for name in (board.late, board.other):
        board.says(name, "agree", "1-1", "draw", "--yes")
    board.cup.players[board.other].friend.kursk("keygen", "second")
    board.says(board.other, "new-key", "second", "--yes")
    board.cup.direct(
        "tournament", "key", board.cup.book().boards["1-1"].against(board.number), "--in", board.cup.folder
    )
    board.cup.ref.sits()
    board.passes(days=12)
    assert not board.lost


def test_a_result_of_an_older_position_is_not_judged(board, monkeypatch):
    """An offer of a draw that was played past could be taken up later; the log then said what no file shows."""
    board.passes(days=2)
    first = board.late
    board.says(first, "agree", "1-1", "draw", "--yes")
    [paper] = board.cup.book().signed["agree", "1-1"]
    for _message in range(4):
        board.moves()
    with monkeypatch.context() as another:  # the command names the newest message
        another.setattr(games, "head_of", lambda _seat, _place: paper.text("head"))
        board.says(next(name for name in board.cup.players if name != first), "agree", "1-1", "draw", "--yes")
    board.cup.direct("tournament", "judge", "1-1", "agree", "--yes", "--in", board.cup.folder, status=2)
    assert not board.cup.book().boards["1-1"].decided
    for name in (board.late, board.other):  # what both sign anew counts
        board.says(name, "agree", "1-1", "draw", "--yes")
    board.directs("judge", "1-1", "agree")
    assert board.cup.book().boards["1-1"].outcome.winner == "draw"
    board.cup.direct("tournament", "verify", board.cup.folder)


def test_a_holiday_answers_an_absence_that_is_longer_than_anybody_may_have(board):
    board.says(board.late, "absent", "2026-09-05", "2099-01-01")
    board.directs("grant", board.number, "20", "that is all you have", "--holiday")
    assert "is absent" not in board.pending


@pytest.mark.parametrize("days", [3, 20])
def test_2_12_a_holiday_answers_the_absences_into_which_it_reaches(board, days):
    """One that was given for the first of two answered the second, too, and the board was lost in that."""
    for first, last in (("2026-09-20", "2026-10-05"), ("2026-09-08", "2026-09-11")):
        board.says(board.late, "absent", first, last)
    board.directs("grant", board.number, days, "the first absence", "--holiday")
    assert "is absent from 2026-09-08" not in board.pending
    assert ("is absent from 2026-09-20" in board.pending) == (days == 3)
    board.passes(days=6)
    board.moves()
    board.moves()
    board.passes(days=18)
    assert board.lost == (days == 20)


def test_of_two_of_one_name_the_print_of_a_key_says_who_stands_in(board):
    board.says(board.late, "withdraw", "--yes")
    board.directs("withdraw", board.number)
    board.cup.stands_in("greta", board.number)
    eve = board.cup.comes("eve")
    eve.friend.kursk("tournament", "stand-in", board.cup.folder, board.number, "Greta")
    eve.post()
    board.passes(hours=3)
    board.cup.direct("tournament", "inbox")
    said = ("tournament", "substitute", board.number, "gone", "--yes", "--in", board.cup.folder, "--name")
    board.cup.direct(*said, "greta", status=2)
    key = board.cup.players["greta"].friend.public
    board.cup.direct(*said, sshsig.fingerprint(key))
    assert board.cup.book().entrant(board.number).key == key


def test_a_paper_that_waits_for_a_file_of_the_director_holds_its_boards_back(board, monkeypatch):
    """A withdrawal that could not be filed was not looked for: the board was lost meanwhile."""

    def full(*_said):
        raise DiskError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(taking, "_acknowledge", full)
        board.says(board.other, "withdraw", "ill", "--yes")
        board.passes(days=12)
        assert not board.lost
    board.passes(days=1)
    assert not board.lost
    assert "has signed a withdrawal" in board.pending


@pytest.mark.parametrize("what", ["log", "papers"])
def test_what_is_signed_while_a_file_of_the_desk_does_not_hold_is_not_lost(board, what):
    """An absence counted as refused, and the board was lost in it."""
    board.passes(days=1)
    path = sorted((board.cup.folder / what).iterdir())[1]
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"U1NIU0lH", b"U1NIU0lI"))
    assert path.read_bytes() != raw
    board.says(board.late, "absent", "2026-09-05", "2026-09-30")
    assert "absent" not in {paper.type for paper in board.cup.book().papers.values()}
    path.write_bytes(raw)
    board.passes(days=12)
    assert "absent" in {paper.type for paper in board.cup.book().papers.values()}
    assert not board.lost
