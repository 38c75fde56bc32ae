import pytest

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.rulesets.battle_for_kursk import RULESET, setting
from rulesets.battle_for_kursk import random_play

OPTIONS = {"uncovered": "ask", "weather": "die"}
GAMES = (("citadel", 1, {}), ("campaign", 14, OPTIONS))


def load(name, options=None):
    return setting.load(scenario.load(scenario.find(f"battle-for-kursk/{name}")), options or {})


@pytest.fixture(scope="session")
def citadel():
    return load("citadel")


@pytest.fixture(scope="session")
def played():
    """(setting, [(state before, filing, adjudication), ...]) of whole random games."""
    found = []
    for name, seed, options in GAMES:
        kursk = load(name, options)
        found.append((kursk, list(random_play.play(kursk, seed))))
    kursk, (_first, (state, *_rest), *_more) = found[0]
    found.append((kursk, list(random_play.play(kursk, 5, start=RULESET.data.resume(kursk, state)))))
    return found
