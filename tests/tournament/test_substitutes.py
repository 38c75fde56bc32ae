"""Protocol 2.10 and docs/directors.md 6.3: somebody takes over a game whose player has fallen silent."""

from __future__ import annotations

import shutil

import pytest
from helpers.tourney import Playing, World

from kursk_pbem.desk import begin, desks
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Opened, Term
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy, folders, histories
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score.counted import count

pytestmark = pytest.mark.slow


def silent_one(world):
    """Who owes the answer on board 1-2: number and side; and the game's folder at the director's."""
    board = world.book().boards["1-2"]
    place = world.folder / "games" / folders.folder_name(board.game)
    game = histories.load(place).game
    side = game.chain.writer(game.chain.next_seq)
    return board.sides[side], side, place


def stand_in(world, number):
    """Greta offers to take over the number; the director has it logged for board 1-2."""
    greta = world.entrants["greta"] = world.person("greta")
    papers = greta.inbox / "papers"
    for kind in ("log", "papers"):
        shutil.copytree(world.folder / kind, papers / kind)
    greta.kursk("tournament", "stand-in", papers, number, "Greta", "--dir", greta.place)
    (greta.tournament,) = greta.place.glob("tournament-*")
    world.post()
    world.inbox()
    world.director.kursk(
        "tournament", "substitute", number, "fell silent", "--board", "1-2", "--yes", "--in", world.folder
    )
    return greta


def catch_up(world):
    world.post()
    world.take()
    for who in world.entrants.values():
        for path in who.inbox.glob("*.eml"):
            path.unlink()


def proposed(world, side, greta, place):
    """Message 0 of the game with which board 1-2 goes on, written by whoever proposes it; who that is."""
    board = world.book().boards["1-2"]
    people = {each: greta if each == side else world.by_number(number) for each, number in board.sides.items()}
    shutil.copytree(place, greta.place / place.name)
    for who in people.values():
        with entropy.fixed("handed on"):
            said = who.kursk("tournament", "propose", "1-2", "--dir", who.place, "--in", who.tournament, status=None)
        if "wrote" in said:
            found = [
                each for each in who.place.glob("game-*/0000.yaml") if "continues" in folders.read_message(each).content
            ]
            return people, who, found[0]
    raise AssertionError(said)


def handed_on(world: World):
    """Board 1-2 after Greta has taken over; her playing of it."""
    number, side, place = silent_one(world)
    world.later(8)
    greta = stand_in(world, number)
    catch_up(world)
    people, proposer, path = proposed(world, side, greta, place)
    shutil.copyfile(path, world.director.inbox / "0000.yaml")
    world.inbox()
    world.director.kursk("tournament", "vacate", "1-2", "--yes", "--in", world.folder)
    if not (greta.place / place.name / "forfeit.yaml").exists():
        shutil.copyfile(place / "forfeit.yaml", greta.place / place.name / "forfeit.yaml")
    playing = Playing(world, world.book().boards["1-2"])
    playing.people = people
    mine = next(each for each, who in people.items() if who is proposer)
    other = next(each for each in people if each != mine)
    acceptor = people[other]
    if acceptor is not greta:  # who was there takes what the referee has signed
        acceptor.kursk("adjudicate", place / "receipt-0003.yaml", place / "forfeit.yaml")
    with acceptor.at_home(), entropy.fixed("accepts"):
        playing.desks[other] = begin.accept(playing._mail(path, acceptor), acceptor.key, acceptor.place, acceptor.home)
    playing.desks[mine] = desks.sit(path.parent, proposer.home)
    return playing, place, side


def test_a_substitute_takes_over_a_game_and_the_points_go_to_the_number(four):
    playing, place, side = handed_on(four)
    assert (place / "forfeit.yaml").is_file()
    old = histories.load(place).game
    assert old.verdict.how == "successor"
    assert "fell silent" in old.verdict.text
    loser = next(each for each in playing.people if each != side)
    playing.go(3, loser)
    four.inbox()
    said = four.pair()
    assert "board 1-2: " in said
    assert "resignation" in said
    four.verify()
    book = four.book()
    assert len(book.boards["1-2"].games) == 2
    number = book.boards["1-2"].sides[side]
    assert book.entrant(number).name == "Greta"
    assert count(book).points(number) == 4


def test_before_the_game_is_handed_on_verify_says_what_is_missing(four):
    number, _side, _place = silent_one(four)
    four.later(8)
    stand_in(four, number)
    proof = verify.verify(four.folder)
    assert proof.status == 1
    assert any("nothing here shows that number" in each for each in proof.missing)


def test_nobody_is_replaced_before_their_term_is_over(four):
    number, side, place = silent_one(four)
    stand_in(four, number)
    catch_up(four)
    _people, _proposer, path = proposed(four, side, four.entrants["greta"], place)
    shutil.copyfile(path, four.director.inbox / "0000.yaml")
    four.inbox()
    said = four.director.kursk("tournament", "vacate", "1-2", "--yes", "--in", four.folder, status=2)
    assert "that is not before" in said


def test_a_game_that_allows_no_substitutes_is_handed_on_to_nobody(four):
    """Protocol 2.10: the referee's word does it only where message 0 says that both sides agree to it."""
    board = four.book().boards["1-2"]
    people = {side: four.by_number(number) for side, number in board.sides.items()}
    game = four.wild(board, people, {}, loser="")
    place = four.folder / "games" / folders.folder_name(game)
    with four.director.at_home():
        timekeeper.receipt(Opened(place, histories.load(place)), four.director.key, Term(days=7))
    four.later(8)
    with four.director.at_home(), pytest.raises(UsageError, match="message 0 allows no substitutes"):
        timekeeper.forfeit(place, four.director.key, "", None, "a" * 64)
    with four.director.at_home():
        timekeeper.forfeit(place, four.director.key)
    assert histories.load(place).game.verdict.how == "forfeit"
