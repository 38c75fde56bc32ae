"""Whole tournaments from entry to the end, by files and by the director's mailbox."""

from __future__ import annotations

import sys

import pytest

from kursk_pbem.audit import batch
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.site import publication
from tournament.campaign import Season, read_files

pytestmark = pytest.mark.long


def test_mirrored_pairs_over_two_systems(tmp_path):
    world, players = Season(tmp_path), 8
    systems = ("--system", "kursk-1971/july4", "--system", "battle-for-kursk/citadel")
    world.new("--swiss", 2, "--mirror", *systems)
    world.enter([f"player-{number:02d}" for number in range(1, players + 1)])
    world.begin()
    world.play_round()
    world.next_round()
    world.play_round()
    world.inbox()
    world.director.kursk("tournament", "end", world.folder)
    proof = verify.verify_tournament(world.folder, batch.Way(2))
    assert (proof.status, proof.missing) == (0, ()), proof.text
    book = world.book()
    assert len(book.boards) == 2 * players
    assert {board.system for board in book.of_round(2)} == {2}
    for board in book.of_round(1):
        twin = book.boards[board.meeting + ("b" if board.name.endswith("a") else "a")]
        assert list(twin.sides.values()) == list(board.sides.values())[::-1]


def played(root, kills):
    world = Season(root, kills)
    world.new("--swiss", 2, "--system", "kursk-1971/july4", "--title", "Spring")
    world.enter([f"player-{number}" for number in range(1, 7)])
    world.begin()
    world.play_round()
    world.director.kursk("tournament", "grant", "all", 2, "flood", "--yes", "--in", world.folder)
    world.next_round()
    world.play_round()
    world.inbox()
    world.director.kursk("tournament", "end", world.folder)
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", root / "site")
    return world


@pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
def test_a_director_who_is_killed_fifty_times_leaves_the_same_tournament(tmp_path):
    """Log, papers, games and pages have the same bytes as without a kill."""
    undisturbed = played(tmp_path / "undisturbed", 0)
    killed = played(tmp_path / "killed", 50)
    assert killed.killed == 50
    for kind in ("log", "papers", "games"):
        assert read_files(undisturbed.folder / kind) == read_files(killed.folder / kind)
    assert read_files(tmp_path / "undisturbed" / "site") == read_files(tmp_path / "killed" / "site")
    proof = verify.verify_tournament(killed.folder)
    assert proof.status == 0
    assert publication.build_files(publication.load_view(killed.folder, proof)) == read_files(
        tmp_path / "killed" / "site"
    )
