"""The scenarios that come with the program, read once in a run of the tests: they never change under it."""

from functools import cache

from kursk_pbem.formats import data
from kursk_pbem.game import scenarios
from kursk_pbem.kernel import scenario as kernel
from kursk_pbem.rulesets.battle_for_kursk import setting


def read_once(replace=setattr):
    """From now on each is read once, which is half of opening a game; a player's own is read every time.

    ``replace(module, name, value)`` puts a function in the place of another.
    """
    load, make, shipped = scenarios.load, setting._load, set()
    loaded = cache(load)
    made = cache(lambda found, options: make(found, dict(options)))

    def load_once(scenario_id):
        if not kernel.find(scenario_id).is_relative_to(data.folder("scenarios")):
            return load(scenario_id)
        found = loaded(scenario_id)
        shipped.add(id(found))
        return found

    def make_once(found, options):
        # equal are scenarios of one id and hash; another's file may say other things to people
        return made(found, tuple(sorted(options.items()))) if id(found) in shipped else make(found, options)

    replace(scenarios, "load", load_once)
    replace(setting, "_load", make_once)
