"""After a killed board, the next board finishes the work and deletes temporary files."""

import fcntl

import pytest

from kursk_pbem.board.serve import Board
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.seat import bothsides, frontpage
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.game import folders, journal
from kursk_pbem.rulesets import ruleset
from kursk_pbem.trust import keys

CITADEL = "battle-for-kursk/citadel"


class Killed(BaseException):
    """The end of the process."""


@pytest.fixture
def room(tmp_path):
    keys.generate_key_pair(tmp_path / "me", bytes(range(32)))
    return Room(tmp_path / "private", tmp_path, tmp_path / "me")


def begin_both(room):
    return bothsides.start_game(room, CITADEL, ruleset("battle-for-kursk"), room.key, {})


def killed_at(monkeypatch, room, module, name):
    """Begin a game of both sides, killed at a function."""

    def die(*_args, **_named):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(module, name, die)
        with pytest.raises(Killed):
            begin_both(room)
    return Room(room.home, room.here, room.key)


@pytest.mark.parametrize(
    ("module", "name"), [(begin, "accept_proposal"), (begin, "_create_record"), (begin.drafts, "write_draft")]
)
def test_a_hot_seat_that_was_cut_off_is_finished_by_a_look_at_its_game(monkeypatch, room, module, name):
    begin_both(room)  # makes the second key: "_create_record" is to fail in the second seat alone
    if name == "_create_record":
        whole, calls = begin._create_record, []

        def second_dies(*args):
            calls.append(args)
            if len(calls) == 2:
                raise Killed
            return whole(*args)

        with monkeypatch.context() as patch:
            patch.setattr(begin, name, second_dies)
            with pytest.raises(Killed):
                begin_both(room)
        again = Room(room.home, room.here, room.key)
    else:
        again = killed_at(monkeypatch, room, module, name)
    (cut,) = [known for known in again.known() if not drafted(again, known.game)]
    desk = again.desk(cut.game)
    assert again.both(cut.game)
    assert desk.seq == 1
    assert desk.mine
    assert drafted(again, cut.game)


def drafted(room, game):
    return folders.draft_path(room.home / "second-seat" / folders.folder_name(game), 1).is_file()


def test_the_home_page_finishes_a_hot_seat_that_was_cut_off(monkeypatch, room):
    again = killed_at(monkeypatch, room, begin, "accept_proposal")
    (row,) = frontpage.make_home_page(again)["games"]
    assert (row["both"], row["mine"], row["fault"]) == (True, True, "")


def test_a_proposal_to_somebody_else_is_left_alone(tmp_path, room):
    begin_both(room)
    keys.generate_key_pair(tmp_path / "boris", bytes(range(1, 33)))
    told = begin.Proposal(CITADEL, "german", keys.read_public(tmp_path / "boris.pub"), {}, {})
    desk = begin.propose_game(told, room.key, room.here, room.home)
    assert not room.desk(desk.game.chain.game).mine
    assert journal.find(room.home / "second-seat", desk.game.chain.game) is None


def test_temporary_files_of_a_killed_board_go_when_the_next_one_starts(room):
    """Fresh files are deleted too, except files of a running process."""
    folder = begin_both(room).folder
    records = [next((home / "games").iterdir()) for home in (room.home, room.home / "second-seat")]
    left = [place / ".kursk-left" for place in (room.home, folder, *records, records[1] / "journal")]
    for path in left:
        path.write_text("half a file", "ascii")
    writing = room.home / ".kursk-writing"
    with writing.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        board = Board(room)
        assert writing.is_file()
    board.stop()
    board.run()
    assert [path for path in left if path.exists()] == []
