"""The scenarios that come with the program, read once in a run of the tests: they never change under it."""

from functools import cache

from helpers import registry
from kursk_pbem.formats import data
from kursk_pbem.game import scenarios
from kursk_pbem.kernel import scenario as kernel


def read_once(replace=setattr):
    """From now on each is read once, which is half of opening a game; a player's own is read every time.

    ``replace(module, name, value)`` puts a function in the place of another.
    """
    load, shipped = scenarios.load, set()
    loaded = cache(load)

    def load_once(scenario_id):
        if not kernel.find(scenario_id).is_relative_to(data.folder("scenarios")):
            return load(scenario_id)
        found = loaded(scenario_id)
        shipped.add(id(found))
        return found

    def once(make):
        made = cache(lambda found, options, dice: make(found, dict(options), dice))

        def make_once(found, options, dice):
            # equal are scenarios of one id and hash; another's file may say other things to people
            known = id(found) in shipped
            return made(found, tuple(sorted(options.items())), dice) if known else make(found, options, dice)

        return make_once

    replace(scenarios, "load", load_once)
    for kit in registry.kits():
        for module, name in kit.reads:
            replace(module, name, once(getattr(module, name)))
