"""2.1 to 2.4: the table, sealed and open deployment, and the contents of a scenario."""

import pytest

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.armor_commander import RULESET, check, setup
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT
from rulesets.armor_commander.table import box, data, findings, notes, world

MODELS = {
    "g-pz-1": ("10.00, 10.00", "12"),
    "g-pz-2": ("12.00, 10.00", "3"),
    "g-gun-1": ("30.00, 10.00",),
    "s-t-1": ("60.00, 60.00", "6"),
}
GROUND = {"orchard": ("orchard", box(20, 20, 25, 25)), "wood": ("wood", box(20, 30, 25, 35))}


def find_mistakes(entries, **more):
    """Return (rule, sentence) of each mistake in a German deployment."""
    return [
        (slip.rule, slip.why) for slip in setup.read_deployment(world(MODELS, GROUND, **more), "german", entries)[1]
    ]


def play_deployment(setting, value):
    """Return the messages with the sealed deployment, the open deployment, and the reveal."""
    first = Filing(1, "german", secret={DEPLOYMENT: "0" * 64}, sealed={DEPLOYMENT: value})
    one = adjudicate(RULESET, setting, setup.make_first_state(setting), first, None)
    two = adjudicate(RULESET, setting, one.after, Filing(2, "soviet"), None)

    class High:
        seq = 3

        def roll(self, label, n):
            return {"german": "6", "soviet": "2"}[label.rpartition("/")[2]]

    third = Filing(3, "german", reveal={DEPLOYMENT: value}, resigns=True)
    return one, two, adjudicate(RULESET, setting, two.after, third, High())


def test_2_2_a_sealed_deployment_that_breaks_a_rule_counts_as_none():
    """A-46: the scenario's places apply, for any sealed text."""
    setting = world(MODELS, GROUND)
    for value in (
        [{"id": "g-pz-1", "at": "70.00, 12.00"}],
        "here",
        [["x"]],
        {"a": "b"},
        [{"id": ["g-pz-1"]}],
        [{"id": "g-pz-1", "at": "11.00, 12.00"}, {"id": "g-pz-1", "at": "11.00, 13.00"}],
    ):
        one, _two, three = play_deployment(setting, value)
        assert one.violations
        assert three.after.units["g-pz-1"].place == "10.00, 10.00"
        assert "illegal" in notes(three)[0]


def test_2_2_a_facing_that_is_none_hides_nothing_else():
    """All mistakes at once: the places are judged too, but an unreadable place causes no further messages."""
    turned, no_facing = {"id": "g-gun-1", "at": "50.00, 10.00", "face": "6"}, "a gun has no facing, and fires all round"
    outside = ("2.2", "g-gun-1 at 50.00, 10.00 is outside the deployment zone")
    apart = ("4.4", "g-pz-1 and g-pz-2 (20.00) of g-panzer are more than 6.00 inches apart")
    assert find_mistakes([turned, {"id": "g-pz-1", "at": "32.00, 10.00"}]) == [("6.6", no_facing), outside, apart]
    assert [rule for rule, _why in find_mistakes([{**turned, "at": "here"}])] == ["2.1", "6.6"]


def test_2_2_zones_of_the_two_sides_do_not_touch():
    """A-45: the zones are so far apart that bases cannot touch."""
    apart = "the deployment zones must be more than 1.00 inches apart"
    assert findings(models=MODELS, zones={"german": box(0, 0, 40, 90), "soviet": box(41, 0, 90, 90)}) == [apart]
    assert findings(models=MODELS, zones={"german": box(0, 0, 40, 90), "soviet": box(42, 0, 90, 90)}) == []


def test_2_3_a_model_stands_on_allowed_ground():
    """A-40: of a deployment and of a scenario. Other sentences are in ``bad/orders.yaml`` and ``bad/scenario.yaml``."""
    found = " ".join(findings(models=MODELS, ground={"x": ("wood", box(9, 9, 13, 13))}))
    assert "g-pz-1 at 10.00, 10.00 is in x, and not allowed for a tank" in found
    ((rule, why), *_more) = find_mistakes([{"id": "g-gun-1", "at": "22.00, 32.00"}])
    assert rule == "2.3"
    assert "not allowed for a gun without cover" in why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            lambda units: units.update(g_more={**units["g-panzer"], "models": {"g-pz-9": {"place": "10.00, 20.00"}}}),
            "a side has a single unit of tanks; german has g-panzer, g_more",
        ),
        (lambda units: units.pop("s-tanks"), "the soviet side has no units"),
    ],
)
def test_4_2_units_of_a_scenario_are_those_of_the_rules(change, why):
    """A-3: one unit of tanks, each gun a unit, unique names."""
    entry = data(MODELS)
    change(entry["units"]["units"])
    assert why in " ".join(each.text for each in check.check_scenario(entry))


def test_5_2_terrain_that_blocks_and_is_cover_is_doubtful():
    """A-53: a gun in such terrain sees no model."""
    entry = data(MODELS)
    thick = {"drawn": "forest", "blocks": "yes", "cover": "yes"}
    entry["tables"] = {**entry["tables"], "terrain": {**entry["tables"]["terrain"], "thick": thick}}
    assert [each.rule for each in check.check_scenario(entry)] == ["5.2"]
