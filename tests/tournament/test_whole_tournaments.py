"""Whole tournaments from entry to the end, by files and by the director's mailbox."""

from __future__ import annotations

import os
import sys

import pytest

from kursk_pbem.audit import batch
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.records import BYE
from kursk_pbem.tournament.score.counted import count_games, find_spent
from kursk_pbem.tournament.site import publication
from tournament.campaign import Season, read_files

pytestmark = pytest.mark.long
MOST_COMMANDS = 40
WHOLE = pytest.mark.skipif(not os.environ.get("KURSK_SEASON"), reason="three minutes: make season")


@pytest.mark.parametrize(("players", "rounds"), [(10, 3), pytest.param(32, 5, marks=WHOLE)])
def test_a_swiss_tournament_is_directed_by_forty_commands(tmp_path, players, rounds):
    """Includes a withdrawal, a late entry, a silent player, a board without a game, a correction and a substitute."""
    world = Season(tmp_path)
    world.new("--swiss", rounds, "--system", "battle-for-kursk/citadel", edit={"begin: '14'": "begin: '5'"})
    world.enter([f"player-{number:02d}" for number in range(1, players + 1)])
    world.begin()
    # round 1: a game never begins, and the director first names the wrong player
    last = f"1-{players // 2}"
    never = world.book().boards[last]
    first, second = never.sides
    world.play_round(skip=[last])
    world.later(6)
    world.director.kursk("tournament", "judge", last, "silence", first, "--yes", "--in", world.folder)
    wrong = world.book().head.seq
    said = ("tournament", "correct", wrong, "the other side had written", "--now", f"winner={second}")
    world.director.kursk(*said, "--yes", "--in", world.folder)
    # one entrant leaves, one enters late
    gone = world.by_number("7")
    gone.kursk("tournament", "withdraw", "--why", "no time", "--yes", "--in", gone.tournament)
    leaves = ("tournament", "withdraw", "7", "--yes", "--in", world.folder)
    world.next_round(lambda: world.director.kursk(*leaves))
    book = world.book()
    (alone,) = [n for n in book.numbers if find_spent(book, n, 2) == BYE]
    # round 2: a player falls silent; a substitute joins, so every entrant has an opponent
    silent = next(board.name for board in book.of_round(2))
    world.play_round(skip=[silent])
    world.stands_in("zoe", "7")
    world.players_post()
    world.falls_silent(silent)
    comes = ("tournament", "substitute", "7", "Zoe has a seat", "--yes", "--in", world.folder)
    world.next_round(lambda: world.director.kursk(*comes))
    for number in range(3, rounds + 1):
        if number > 3:
            world.next_round()
        assert len(list(world.book().of_round(number))) == players // 2
        world.play_round()
    world.inbox()
    world.director.kursk("tournament", "end", world.folder)
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", tmp_path / "site")
    typed = world.typed
    proof = verify.verify_tournament(world.folder, batch.Way(2))
    assert (proof.status, proof.missing) == (0, ()), proof.text
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", tmp_path / "site", "--check")
    book = world.book()
    assert book.ended
    assert book.boards[last].outcome.winner == second
    assert book.boards[silent].outcome.how == "forfeit"
    assert count_games(book).lone[alone] == {2: 4}
    assert book.entrant("7").name == "zoe"
    met = [frozenset(board.numbers) for board in book.boards.values()]
    assert len(set(met)) == len(met)
    assert typed <= MOST_COMMANDS, world.commands["director"]


@pytest.mark.parametrize("players", [8, pytest.param(16, marks=WHOLE)])
def test_mirrored_pairs_over_two_systems(tmp_path, players):
    world = Season(tmp_path)
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
