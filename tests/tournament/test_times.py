"""Chapter 12: reply times and players to move follow from the director's receipts, in the command and on the pages."""

import re

from helpers.four import enter_four
from helpers.tourney import Playing

from kursk_pbem.tournament import pace
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.site import publication


def test_the_command_and_the_pages_show_the_same(tmp_path):
    """Messages 0 to 4 of board 1-1 arrive on days 0, 1, 3, 4 and 9; board 1-2 has not begun."""
    world = enter_four(tmp_path)
    playing = Playing(world, world.book().boards["1-1"])
    for seq, days in enumerate((1, 2, 1, 5, 0)):
        playing.go(seq)
        world.inbox()
        world.pair()
        world.later(days)
    said = world.director.kursk("tournament", "times", world.folder)
    site = publication.build_files(publication.load_view(world.folder, verify.verify_tournament(world.folder)))
    owes = world.book().entrant(pace.measure_boards(world.book(), world.folder)["1-1"].owes).name
    assert f"board 1-1: {owes} is to move since 2027-01-10 12:00 UTC" in said
    assert "is to begin the game since 2027-01-01 12:00 UTC" in said
    assert "2 answers, median 1 day, slowest 1 day" in said
    assert "2 answers, median 2 days, slowest 5 days" in said
    for page in ("index.html", "round-1.html", "board-1-1.html"):
        text = re.sub("<[^>]*>", "", site[page].decode())
        assert f"{owes} is to move since 10 Jan 2027, 12:00 UTC" in text, page
    assert ">2 days</td>" in site["players.html"].decode()
    assert ">5 days</td>" in site["players.html"].decode()
