"""Somebody falls silent on board 1-2 of a small tournament, and Greta takes over."""

from __future__ import annotations

import shutil

from helpers.tourney import Playing, World
from kursk_pbem.desk import begin, desks
from kursk_pbem.game import entropy, folders, histories


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
