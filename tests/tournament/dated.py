"""Times of a tournament's papers: lying directors, and the verdicts on them."""

from __future__ import annotations

from helpers.tourney import Playing, World

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Opened, Term
from kursk_pbem.formats import times
from kursk_pbem.game import folders, histories
from kursk_pbem.tournament.papers import forms, store
from kursk_pbem.tournament.proof import verify
from kursk_pbem.trust import keys

START = "2027-01-01T12:00:00Z"


def day(number):
    return times.add_days(START, number)


def place_of(world, board="1-2"):
    return world.folder / "games" / folders.folder_name(world.book().boards[board].game)


def head_of(world):
    head = store.load_papers(world.folder).log[-1]
    return {"seq": str(head.seq), "id": head.id}


def lie(world: World, kind: str, said: dict, time: str = ""):
    """Sign the next log paper without checks."""
    contents = store.load_papers(world.folder)
    last = contents.log[-1]
    head = {"kursk-tournament": "2", "type": kind, "tournament": contents.log[0].id, "seq": str(last.seq + 1)}
    head |= {"prev": last.id, "from": "director", "time": time or max(world.time, last.text("time"))}
    paper = forms.sign_paper({**head, **said}, keys.load_key(world.director.key), f"log/{last.seq + 1:04d}.yaml")
    store.write_paper(store.log_path(world.folder, paper.seq), paper)
    return paper


def grant(world):
    """Log a paper of the present day that gives no time to the players of board 1-2."""
    other = world.book().boards["1-1"].numbers[0]
    world.director.kursk("tournament", "grant", other, 1, "a journey", "--yes", "--in", world.folder)


def sign_receipts(world, place, received, key=None, seqs=(3,)):
    """Replace the receipts of messages with receipts of these times, which name the newest log paper."""
    for path in place.glob("receipt-*.yaml"):
        if int(path.name[8:12]) in seqs:
            path.unlink()
    for seq, time in zip(seqs, received, strict=True):
        with clock.fix_time(max(world.time, time)):
            term = Term(received=time, days=7, late=True, log=head_of(world))
            timekeeper.sign_receipt(Opened(place, histories.load(place)), key or world.director.key, term, seq)


def undecided(world, *words):
    """Check that verify ends with 1 and names these papers."""
    proof = verify.verify_tournament(world.folder)
    assert proof.status == 1, proof
    for word in words:
        assert any(word in missing for missing in proof.missing), proof.missing


def draw_with_witness(root):
    """Return a Swiss of four with the witness Wera; all openings of draw 0 are with the director."""
    world = World(root)
    wera = world.person("wera")
    world.new("--swiss", 2, "--system", "battle-for-kursk/citadel", "--witness", wera.place / "me.pub")
    world.enter(["anna", "boris", "carla", "dmitri"])
    wera.kursk("tournament", "enter", world.folder / "log" / "0000.yaml", "--dir", wera.place, "--yes")
    (wera.tournament,) = wera.place.glob("tournament-*")
    world.entrants["wera"] = wera
    world.collect()
    world.director.kursk("tournament", "close", world.folder)
    return world


def sign_next(world, names=("anna", "boris", "carla", "dmitri")):
    """Let people sign their next paper; the director takes all mails."""
    for name in names:
        who = world.entrants[name]
        who.kursk("tournament", "absent", "2027-05-01", "2027-05-02", "--in", who.tournament)
    world.collect()
    return verify.verify_tournament(world.folder)


def told(proof, *words):
    """Check that verify tells a line with these words, and convicts no player."""
    assert proof.status == 0, proof
    assert any(all(word in note for word in words) for note in proof.notes), proof.notes


def at_desks(world, board="1-2"):
    """Return the game of a board at the desks of its players."""
    made = Playing(world, world.book().boards[board])
    for side, who in made.people.items():
        with who.sitting():
            made.desks[side] = desks.open_desk(who.place / folders.folder_name(made.board.game), who.home)
    return made


def write(world, game):
    """Write the next message of a game, and mail it to the opponent alone; return its file."""
    desk = next(iter(game.desks.values()))
    game.go(desk.seq, copy=False)
    return next(iter(game.desks.values())).newest
