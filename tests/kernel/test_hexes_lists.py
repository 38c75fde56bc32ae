"""Hexes as drafts list them: in short, those in danger last, and an example of moves."""

from kursk_pbem.kernel.hexes import lists, ways
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.hexes.ways import March

BOARD = Board(Grid(14, 16, 17, 20), ())
ENDS = ways.find_reach(March(BOARD.index["1518"], 1, ways.by_land(BOARD, [1] * len(BOARD.labels), lambda _a, _b: 0)))


def test_hexes_in_danger_stand_behind_the_others():
    danger = BOARD.mask(["1517", "1519", "1620"])
    hexes = BOARD.mask(["1517", "1519", "1617", "1618"])
    assert (
        lists.list_ends(BOARD, (hex_ for hex_ in sorted(ENDS) if hexes >> hex_ & 1), danger)
        == "1617-18; enemy 1517 1519"
    )
    assert lists.list_ends(BOARD, [BOARD.index["1517"]], BOARD.all) == "enemy 1517"
    assert lists.list_ends(BOARD, [], BOARD.all) == ""


def test_an_example_is_a_move_to_a_hex_and_one_by_a_path():
    first, other = (
        lists.example_moves(BOARD, "movement", [("a", ENDS)]),
        lists.example_moves(BOARD, "movement", [("a", ENDS)] * 2),
    )
    assert list(first) == list(other) == ["movement:", "- {unit: a, to: '1618'}"]
    (*_same, by) = lists.example_moves(BOARD, "movement", [("a", ENDS), ("b", ENDS)])
    assert by == "- {unit: b, path: ['1417']}"
    first, near = BOARD.index["1417"], {BOARD.index[there]: ENDS[BOARD.index[there]] for there in ("1417", "1517")}
    told = list(lists.example_moves(BOARD, "movement", [("a", {first: ENDS[first]}), ("b", near)]))
    assert told[1:] == ["- {unit: a, to: '1417'}", "- {unit: b, path: ['1517']}"]  # no two end in one hex
    assert (
        len(list(lists.example_moves(BOARD, "movement", [("a", {first: ENDS[first]}), ("b", {first: ENDS[first]})])))
        == 2
    )
