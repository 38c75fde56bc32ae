"""The guided turn of the terminal: each line is accepted after the lines above it."""

import pytest
from helpers import registry, sweeps

from kursk_pbem.desk.draft import drafts, ordering
from kursk_pbem.desk.seat import bothsides, guides, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import KurskError
from kursk_pbem.game import scenario_files

pytestmark = pytest.mark.slow

MESSAGES = 8
"""Two turns of each side in the longest sequence of play."""
SCENARIOS = [
    each for each in scenario_files.list_ids() if each.partition("/")[0] in {kit.id for kit in registry.kits()}
]


def type_lines(room, game):
    """Type the order lines of the guide in the printed order; return the refused lines with their reasons."""
    refused = []
    for _text, typed in guides.list_typed_steps(scene.open_scene(room, game)):
        if not typed or typed in guides.TYPED.values():
            continue
        sheet = ordering.open_draft(room.desk(game))
        try:
            done = ordering.write_orders(sheet, ordering.split_orders(typed))
            refused += [(typed, fault.message) for fault in ordering.find_refusals(sheet, done)]
        except KurskError as error:
            refused.append((typed, error.message))
    return refused


@pytest.mark.some(5)
@pytest.mark.parametrize("scenario", sweeps.some(SCENARIOS, 5))
def test_every_line_of_a_guide_is_accepted_in_the_printed_order(tmp_path, scenario):
    """Bug: patrols stood before their dice, and an example spoiled the next."""
    room, refused = Room(tmp_path, tmp_path), []
    game = bothsides.start_practice(room, scenario)
    while (desk := room.desk(game)).seq <= MESSAGES and not desk.game.over:
        seq = desk.seq
        refused += [(seq, *each) for each in type_lines(room, game)]
        sheet = ordering.open_draft(room.desk(game))
        play.sign_shown(room.desk(game), drafts.check_draft(room.desk(game), sheet.message), None)
    assert refused == []
