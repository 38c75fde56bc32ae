"""Papers of a tournament that wait while the director's clock is in doubt: nobody's take another's place."""

from datetime import timedelta

import pytest
from helpers.boards_by_mail import Board
from helpers.mailbags import letter
from helpers.postmen import text
from helpers.refereed_mail import fills

from kursk_pbem.desk import clock
from kursk_pbem.game import folders, receipts
from kursk_pbem.post import spool
from kursk_pbem.post.referee import timing
from kursk_pbem.post.tournaments import held, taking
from kursk_pbem.tournament.papers import forms, mails
from kursk_pbem.trust import keys


@pytest.fixture
def board(relayed):
    return Board(relayed)


def absences(board, name, number):
    """As many papers of one entrant, in one mail."""
    signer, book = keys.load(board.cup.players[name].friend.key), board.cup.book()
    head = {"kursk-tournament": "1", "type": "absent", "tournament": book.id, "from": signer.public}
    head["seen"] = {"seq": str(book.head.seq), "id": book.head.id}
    days = {"first": "2027-01-01T00:00:00Z", "last": "2027-01-02T00:00:00Z"}
    papers = [forms.sign({**head, **days, "note": f"n{each}"}, signer, "x") for each in range(number)]
    return letter(mails.bundle(papers).encode(), f"{name}@example.test", "papers")


def in_doubt(board, *names):
    """The director's clock is set back by ten minutes; these mail papers, and the late side a claim."""
    cup = board.cup
    board.passes(days=1)
    cup.time.now -= timedelta(minutes=10)
    for name in names:
        cup.office.put(absences(board, name, 5), cup.ref.address)
    cup.ref.post()
    player = cup.players[board.late]
    player.friend.kursk("tournament", "claim", "1-1", "the umpire erred")
    player.post()
    box = cup.office.boxes[cup.ref.address]
    cup.office.boxes[cup.ref.address] = [(cup.time.now, raw) for _at, raw in box]
    return cup.ref.post()


@pytest.mark.parametrize("whose", ["late", "other"])
def test_T49_papers_of_one_entrant_leave_room_for_another_and_what_is_lost_holds_its_board(board, whose, monkeypatch):
    """An opponent's thousand were all that waited: a claim was lost for good, and its board with it."""
    monkeypatch.setattr(held, "MOST", 2)
    monkeypatch.setattr(held, "OF_ONE", 3, raising=False)
    day = in_doubt(board, getattr(board, whose))
    claims = [paper.type for paper in held.every(board.cup.ref.friend.home, board.cup.book().id)].count("claim")
    assert claims == (whose == "other")
    assert ("papers of theirs wait already" in str(day.refused)) == (whose == "late")
    board.passes(days=12)
    assert not board.lost


def test_2_12_a_board_whose_claim_waits_behind_a_file_of_the_desk_ends_not_by_itself(board, monkeypatch):
    """What had come in an earlier round was forgotten there."""
    in_doubt(board)
    fills(monkeypatch, board.cup.folder / "papers")
    board.cup.time.now += timedelta(minutes=20)
    board.passes(days=12)
    assert not board.lost


def test_T52_a_clock_that_is_set_within_a_round_dates_no_paper_of_a_log(board, monkeypatch):
    """All later ones said 2036, too, and no time that was given reached a term."""
    cup, ahead, admitted = board.cup, [timedelta(0)], taking._admitted

    def meanwhile(*given):
        ahead[0] = timedelta(days=3650)
        return admitted(*given)

    player = cup.players[board.late]
    player.friend.kursk("tournament", "absent", "2026-10-05", "2026-10-06")
    player.post()
    cup.time.now += timedelta(hours=3)
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: text(cup.time.now + ahead[0]))
        patch.setattr(taking, "_admitted", meanwhile)
        cup.ref.post()
    cup.ref.sits()
    board.passes(hours=6)
    assert [paper.type for paper in cup.book().log][-1] == "received"
    assert cup.book().head.text("time") < "2027"


def test_T51_of_copies_of_a_proposal_that_are_fetched_in_doubt_one_that_says_when_it_came_counts(relayed):
    """Its receipt said when the clock was believed again, and whoever answers it had so much longer."""
    cup, ref = relayed, relayed.ref
    mails = [raw for _at, raw in cup.office.boxes.pop(ref.address)]
    ref.sits()
    ref.post()
    cup.time.now -= timedelta(minutes=30)
    arrived, raw = cup.time.now, mails[0].partition(b"\r\n")[2]
    spool.put(ref.friend.home, b"X-Copy: 1\r\n" + raw, folder="x", uid="1", fetched=timing.UNSURE, arrived="")
    ref.post()
    cup.time.now += timedelta(minutes=1)
    cup.office.put(raw, ref.address, arrived)
    ref.post()
    for hours in (20, 1):
        cup.time.now += timedelta(hours=hours)
        ref.post()
    folder = cup.folder / "games" / folders.folder_name(cup.book().boards["1-1"].game)
    assert [receipts.read_file(path).text("received") for path in folder.glob("receipt-0000*")] == [text(arrived)]


@pytest.mark.parametrize("how", ["desk", "plain", "away"])
@pytest.mark.parametrize("sender", ["new", "example"])
def test_2_12_a_damaged_paper_holds_the_boards_of_its_tournament_whoever_mails_it(board, sender, how):
    """From an address that nobody knew it was told, and held nothing: it names no game."""
    cup = board.cup
    signer, book = keys.load(cup.players[board.late].friend.key), cup.book()
    said = {"kursk-tournament": "1", "type": "claim", "tournament": book.id, "from": signer.public, "board": "1-1"}
    said |= {"seen": {"seq": str(book.head.seq), "id": book.head.id}, "note": "please hold on"}
    paper = forms.emit(forms.sign(said, signer, "x")).replace("hold on", "hold in").encode()
    subject = f"[kursk {book.id[:8]}] a claim about board 1-1" if how != "plain" else "my paper"
    paper = b"removed by the scanner" if how == "away" else paper
    raw = letter(paper, f"{board.late}@{sender}.test", subject)
    cup.office.put(raw.replace(b"turn.yaml", f"kursk-{book.id[:8]}-claim-1.yaml".encode()), cup.ref.address)
    board.passes(days=14)
    assert not board.lost
