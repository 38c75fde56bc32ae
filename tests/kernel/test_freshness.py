"""The law of freshness (protocol 2.4) in every rule system: dice fall in duties, and no side foresees a seed."""

import pytest
from helpers import finished_games, registry, sweeps
from helpers.adversary import FIRST, find_foresight, replay_mails

from kursk_pbem.game import folders


def test_every_rule_system_is_watched():
    """In the games of each system, every side tries other messages: see ``helpers.watched_play``."""
    for kit in registry.kits():
        assert (kit.tests / "test_freshness.py").exists(), kit.id


@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_dice_fall_among_the_duties_and_no_duty_has_a_field_to_read(kit):
    for stage in kit.ruleset.play.stages(kit.setting(kit.scenarios[0])).values():
        assert not any(phase.rolls for phase in stage.phases), stage.key
        assert not any(phase.reads for phase in stage.duties), stage.key


@pytest.mark.parametrize("folder", sweeps.some(finished_games.list_folders(), 4), ids=lambda folder: folder.name)
def test_in_finished_games_every_seed_came_in_sight_in_time(folder):
    """In games written by the program, the writer of a message can compute its dice only after the previous message,
    and the other side only after this message."""
    chain, watch = replay_mails([folders.read_message(path) for path in folders.message_files(folder)])
    assert chain.next_seq > FIRST
    assert find_foresight(chain, watch) == []
