"""Pictures of a table: lines of sight, ranges and arcs, plans, zones; and the choices of an order."""

from dataclasses import replace

import pytest
from helpers import registry

from kursk_pbem.desk.games.views import Subject
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Marked, Moved, Noted, Placed, Removed, StepsLost, apply
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.picture import TERRAIN
from kursk_pbem.kernel.state import Unit
from kursk_pbem.kernel.verbs import OrderContext
from kursk_pbem.report import textmap
from kursk_pbem.report.pictures import svg, svgcounters, svglegend, svgtable
from kursk_pbem.rulesets.armor_commander.fire import SILENT
from kursk_pbem.rulesets.armor_commander.seen import verbs
from kursk_pbem.rulesets.armor_commander.seen.outlook import make_outlook
from kursk_pbem.rulesets.armor_commander.seen.plans import list_plans
from kursk_pbem.rulesets.armor_commander.setup import read_deployment
from rulesets.armor_commander.plots import CROSSROADS
from rulesets.armor_commander.table import begin, box, green, red, world

KIT = registry.kit("armor-commander")
SEEN = KIT.ruleset.seen
POST = {
    "g-pz-1": ("20.00, 10.00", "12"),
    "g-gun-1": ("24.00, 10.00",),
    "s-t-1": ("20.00, 30.00", "6"),
    "s-t-2": ("40.00, 10.00", "9"),
    "s-gun-1": ("20.00, 28.00",),
}
WOOD = {"wood": ("wood", box(30, 8, 32, 12)), "pond": ("water", box(18, 20, 22, 22))}


def sights(setting, state, mid):
    return {
        each.text.split()[2 if " at " in each.text else 4].rstrip(":"): each
        for each in make_outlook(setting, state, mid).sights
        if each.text
    }


def test_5_2_lines_of_sight_are_clear_obscured_or_blocked():
    """5.2, 5.5, 6.5, 6.6: the kind of each line, its die, and its words."""
    setting = world(POST, WOOD)
    found = sights(setting, begin(setting), "g-pz-1")
    assert {foe: (each.kind, each.sign) for foe, each in found.items()} == {
        "s-t-1": ("obscured", "4+"),
        "s-t-2": ("blocked", ""),
        "s-gun-1": ("obscured", "5+"),
    }
    assert found["s-t-1"].text == (
        "g-pz-1 at s-t-1 obscured, front armor: 20.00 inches, effective range: hits at 4 or more"
    )
    assert found["s-t-2"].text == "g-pz-1 does not see s-t-2 because of wood"
    assert (found["s-t-1"].a, found["s-t-1"].b) == ((2000, 1000), (2000, 3000))
    gun = sights(setting, begin(setting), "g-gun-1")
    assert {foe: each.kind for foe, each in gun.items()} == {"s-t-1": "obscured", "s-t-2": "blocked"}  # no gun at guns


def test_5_3_ranges_and_arcs_of_a_chosen_model():
    """5.3, 6.6, 8.1 to 8.3."""
    setting = world(POST)
    found = make_outlook(setting, begin(setting), "g-pz-1")
    assert [(each.far, each.name) for each in found.ranges] == [
        (1200, '12": AP round close 3+, HE round effective 4+'),
        (2400, '24": AP round effective 4+, HE round long 5+'),
        (3600, '36": AP round long 5+'),
    ]
    arcs = [each for each in found.sights if each.kind == "arc"]
    assert [(each.b[0] < 2000, each.b[1] > 1000, each.sign) for each in arcs] == [
        (True, True, "front"),
        (False, True, ""),
        (True, False, ""),
        (False, False, "rear"),
    ]
    gun = make_outlook(setting, begin(setting), "g-gun-1")
    assert [each.far for each in gun.ranges] == [1200, 3600, 4800]
    assert not [each for each in gun.sights if each.kind == "arc"]
    assert not make_outlook(setting, begin(setting), "").sights


def test_3_2_plans_show_what_is_known_and_nothing_else():
    """3.2: open orders for everyone, sealed orders only for their writer; illegal orders too."""
    setting = world(POST, WOOD)
    state = begin(setting)
    state = state.with_(agenda={**state.agenda, "in-the-open": [green("s-tanks", ("s-t-1", "20.00, 33.00", "face 3"))]})
    events, lines = list_plans(setting, state, {})
    assert [(each.unit, each.path) for each in events if isinstance(each, Moved)] == [("s-t-1", ("20.00, 33.00",))]
    assert not lines
    mine = {"orders/turn-1": [red("g-panzer", "s-t-2", "s-t-1"), green("g-gun-1", ("g-gun-1", "24.00, 30.00"))]}
    events, lines = list_plans(setting, state, mine)
    assert [each.unit for each in events if isinstance(each, Moved)] == ["g-gun-1", "s-t-1"]
    assert [each.text for each in lines] == ["g-pz-1 does not see s-t-2 because of wood"]
    assert list_plans(setting, state, {"orders/turn-2": mine["orders/turn-1"]}) == list_plans(setting, state, {})
    assert list_plans(setting, state, {"orders/turn-1": "nonsense"}) == list_plans(setting, state, {})
    (note,) = Subject(KIT.ruleset, setting, state, sealed={}).picture(mailed=False).notes()  # s-t-1 is drawn at 20, 33
    assert "shown after the move or turn; the lines of sight" in note


def test_2_2_a_sealed_deployment_stands_on_its_owners_table_alone():
    setting = KIT.setting(CROSSROADS)
    state = KIT.ruleset.data.setup(setting)
    assert list_plans(setting, state, {}) == ((), ())
    events, _lines = list_plans(setting, state, {"deployment": [{"id": "g-pz-1", "at": "30.00, 9.00"}]})
    placed = {each.unit: each.place for each in events if isinstance(each, Placed)}
    assert placed["g-pz-1"] == "30.00, 9.00"
    assert placed.keys() == read_deployment(setting, "german", [])[0].keys()


def test_2_2_zones_and_who_waits_are_on_the_map_until_all_are_deployed():
    setting = KIT.setting(CROSSROADS)
    before = SEEN.picture(setting, KIT.ruleset.data.setup(setting))
    text = textmap.render_map(before)
    assert "\nA sign is 1.00 inches wide and 2.00 high.\n" in text  # less on a smaller table
    assert "A sign is 0.67 inches wide" in textmap.render_map(replace(before, size=(4800, 4800)))
    assert "+  German deployment zone: 0.00, 0.00; 72.00, 0.00; 72.00, 12.00;" in text
    assert text.splitlines()[0].startswith("++++")
    assert any("g-pz-1 31.00, 9.50" in note for note in before.notes())
    assert svg.render(before, KIT.sides).count('class="start side-') == 2
    after = SEEN.picture(setting, begin(setting))
    assert not [each for each in after.places if each.kind == "zone"]
    assert not after.notes()


def test_2_3_an_orchard_has_a_sign_of_its_own():
    shapes = SEEN.picture(KIT.setting(CROSSROADS), begin(KIT.setting(CROSSROADS)))
    kinds = {each.id: each.terrain for each in shapes.regions}
    assert (kinds["south-orchard"], kinds["west-wood"], kinds["church"]) == ("orchard", "forest", "village")
    text = textmap.render_map(shapes)
    assert "o  south-orchard: orchard" in text
    for shown in (text, " ".join(words for _sign, words in svglegend.list_signs(shapes, KIT.sides, KIT.sides))):
        assert "houses" in shown  # the word of the tables, for any drawing
        assert "village" not in shown
    assert "f  west-wood: wood" in text
    assert len({sign for sign, _word in TERRAIN.values()}) == len(TERRAIN)


def test_lines_of_sight_are_told_apart_by_their_dashes_and_have_a_legend():
    setting = world(POST, WOOD)
    lines = make_outlook(setting, begin(setting), "g-pz-1").sights
    shapes = svg.to_scale(SEEN.picture(setting, begin(setting)))
    drawn = svg.render(svg.replace(shapes, sights=lines), KIT.sides)
    assert ">in sight, obscured</text>" in drawn
    assert ">not in sight</text>" in drawn
    assert 'class="sight blocked"' in svgtable.sights(lines)
    assert "not in sight" not in svg.render(shapes, KIT.sides)


# Choices


def ask(scenario, stage, draft=None, **marks):
    setting = KIT.setting(scenario)
    state = begin(setting, **marks) if stage != "deploy" else KIT.ruleset.data.setup(setting)
    if stage == "plot":
        state = state.with_(stage="ready", side=setting.sealer)
    elif stage == "place":
        state = state.with_(stage="place")
    return OrderContext(setting, state, 3, draft or {}, lambda _draft, _phase: state)


@pytest.mark.parametrize(
    ("hour", "plain"),
    [("6:00", "6"), ("06.00", "6"), ("6h", "6"), ("6 o'clock", "6"), ("1.30", "1:30"), ("1h30", "1:30")],
)
def test_6_6_a_half_hour_is_understood_as_people_write_it(hour, plain):
    asking = ask(CROSSROADS, "plot")
    (edit,) = verbs.face(asking, ["pz", "1", *hour.split()])
    assert edit.value["moves"] == [{"id": "g-pz-1", "face": plain}]
    (edit,) = verbs.advance(asking, ["panzer", *hour.split(), "2", "face", *hour.split()])
    assert {move["face"] for move in edit.value["moves"]} == {plain}
    with pytest.raises(UsageError, match=r"'1\.5' does not fit: type a facing like a clock time"):
        verbs.face(asking, ["pz", "1", "1.5"])
    assert edit.said.startswith(f"towards {plain}, 2.00 inches: g-pz-1 to ")


def test_4_2_a_unit_named_for_a_model_is_told_its_models_and_a_model_its_unit():
    """Bug: 'there is no model 'g-panzer'; did you mean g-pz-5?' and 'there is no unit 'g-pz-1'' did not help."""
    asking = ask(CROSSROADS, "plot")
    with pytest.raises(UsageError, match=r"^g-panzer is a unit: name a model of the unit, g-pz-1, g-pz-2, .*g-pz-5$"):
        verbs.move(asking, ["g-panzer", "31", "12"])
    with pytest.raises(UsageError, match=r"^g-pz-1 is a model: name the unit, g-panzer$"):
        verbs.rest(asking, ["g-pz-1"])


DRAFT = {"orders": {"units": [green("s-tanks", ("s-t-1", "40.00, 38.00", "face 9")), red("s-zis-2", "g-panzer")]}}


def test_what_is_offered_is_what_there_is():
    """3.2, 4.3, 5.2, 6.4, 7.4: no units without a chip, no immobile models, no impossible targets."""
    verbs = {each.name: each for each in SEEN.verbs(None)}
    asking = ask(CROSSROADS, "orders", DRAFT, immobile={"s-t-2": "yes"}, pinned={"s-zis-2": "1"})
    movers = [word for word, _text in verbs["move"].clauses(asking, ())[0].among]
    assert movers == ["s-t-1", "s-t-3", "s-t-4", "s-t-5"]  # s-zis-1 is in an orchard
    way, face = verbs["move"].clauses(asking, ["s-t-1"])
    assert (way.chosen, face.chosen) == (("40.00 38.00",), ("9",))
    assert "s-zis-2" not in dict(verbs["fire"].clauses(asking, ())[0].among)
    assert dict(verbs["face"].clauses(asking, ())[0].among) == {
        "s-t-1": "faces 6, ordered to 9",  # 'faces 9 now'
        **dict.fromkeys(("s-t-3", "s-t-4", "s-t-5"), "faces 6"),
    }
    (at,) = verbs["fire"].clauses(asking, ["s-zis-1"])
    assert {word for word, _text in at.among} == {f"g-pz-{number}" for number in range(1, 6)} | {"g-panzer"}
    assert dict(verbs["rest"].clauses(asking, ())[0].among) == {"s-tanks": "green chip", "s-zis-2": "red chip"}


def test_5_2_who_has_nobody_in_sight_is_named_and_not_offered_to_fire():
    """A typed order may still aim at enemies out of sight.

    If no unit has a visible enemy, the form offers all units.
    """
    fire = {each.name: each for each in SEEN.verbs(None)}["fire"]
    models = {**POST, "g-gun-2": ("99.00, 89.00",)}
    for shown, able in ((models, ["g-gun-1", "g-panzer", "g-pz-1"]), ({"g-gun-2": models["g-gun-2"]}, ["g-gun-2"])):
        setting = world({**shown, "s-t-1": POST["s-t-1"]}, WOOD)
        state = begin(setting).with_(side="german")
        (who,) = fire.clauses(OrderContext(setting, state, 3, {}, lambda _draft, _phase, state=state: state), ())
        assert [word for word, _text in who.among] == able
        assert ["g-gun-2" in note for note in who.notes] == [True] * (len(able) > 1)


def test_3_2_check_tells_sealed_orders_in_words(begun):
    players = begun("armor-commander")
    who = players.due
    players.type(who, "order", players.folder[who], "deploy", "g-pz-1", "30.50", "9.5", "face", "1")
    assert "Panzer IV (g-pz-1) at 30.50, 9.50 facing 1 o'clock" in players.type(who, "check", players.draft(who))
    assert "g-pz-1 at 30.50, 9.50" in players.type(who, "map", players.draft(who))
    assert "g-pz-1" not in players.type(who, "map", players.draft(who), "--svg", "--moves")  # it may be mailed
    players.turn({"seal": {"deployment": []}})
    players.turn({})
    who = players.due
    players.type(who, "order", players.folder[who], "fire", "g-pak-2", "at", "s-t-1")
    told = players.type(who, "check", players.draft(who))
    assert "Pak 40 (g-pak-2), red chip: all at s-t-1" in told
    assert "[{" not in told
    assert "g-pak-2 does not see s-t-1 because of the mill" in players.type(who, "map", players.draft(who))
    assert 'class="sight' not in players.type(who, "map", players.draft(who), "--svg", "--moves")


def test_2_2_who_is_not_deployed_yet_is_counted_and_holds_nothing():
    """Bug: 'mobile tanks: 0' for models with a sealed deployment, and objectives 'held by nobody'."""
    setting = KIT.setting(CROSSROADS)
    state = KIT.ruleset.data.setup(setting)
    begun = SEEN.standing(setting, begin(setting))
    for mid in ("", *read_deployment(setting, "soviet", [])[0]):
        if mid:
            there = setting.models[mid].place
            state = apply(state, Placed("2.2", mid, plane.text(there), state.units[mid].steps, "place"))
        rows = SEEN.standing(setting, state)
        assert rows == begun[: len(rows)]
        assert rows[1] == ("mobile tanks", "5", "5")
        assert rows[-1] == ("tanks and guns lost", "0", "0")
        assert [chart.title for chart in SEEN.track(setting, state)] == ["Turns"]


def test_2_2_who_does_not_deploy_now_is_told_so():
    """Bug: 'No move is possible' for an enemy, and 'no model of yours' to the owner of sealed models."""
    setting = KIT.setting(CROSSROADS)
    state = KIT.ruleset.data.setup(setting)
    with pytest.raises(UsageError, match="s-t-1 is no model of the German side"):
        SEEN.outlook(setting, state, "s-t-1")
    with pytest.raises(UsageError, match="s-t-1 is no single model of the German side"):
        SEEN.why(setting, state, "s-t-1", "20.00, 40.00")


def test_2_2_of_who_is_not_on_the_table_nothing_is_foretold():
    """Bug: 'no move is possible' for sealed models, and 'no model' for a unit with several models."""
    setting = KIT.setting(CROSSROADS)
    shown = KIT.ruleset.data.setup(setting).with_(stage="ready", side="german")
    unseen = SEEN.outlook(setting, shown, "")
    assert (unseen.phases, unseen.notes) == (
        (),
        ("No model of the side is on the table, because the deployment is not shown yet.",),
    )
    with pytest.raises(UsageError, match="g-panzer is not a single model on the table"):
        SEEN.why(setting, begin(setting), "g-panzer", "20.00, 40.00")


def test_5_2_a_shot_that_is_lost_is_a_headline():
    """A model without a visible target appears in the first lines, whatever other enemies are in sight.

    Bug: crew lost with its gun was counted ('four men of the crews lost', of nine).
    """
    setting = KIT.setting(CROSSROADS)
    state = begin(setting)
    lost = Noted("5.2", f"g-pak-1{SILENT}: does not see s-tanks")
    assert "German: Pak 40 did not fire as ordered" in SEEN.headlines(setting, state, (lost,), state)
    fallen = StepsLost("6.8", "s-zis-1", 2, 2, "")
    assert "Soviet: 2 men lost, crews fight on" in SEEN.headlines(setting, state, (fallen,), state)
    gone = (fallen, Marked("7.2", "pinned", "s-zis-1", "1"), Removed("6.8", "s-zis-1", "eliminated", ""))
    assert SEEN.headlines(setting, state, gone, state) == ("Soviet: ZiS-3 destroyed",)
    ordered = state.with_(agenda={**state.agenda, "in-the-open": []})
    assert SEEN.headlines(setting, state, (), ordered) == ("no unit gets a chip",)


def test_7_4_a_pinned_gun_is_said_to_have_no_chip_and_no_targets():
    """Bug: 'What can be fired at' listed targets after 'it has no chip this turn'."""
    setting = world(POST)
    assert make_outlook(setting, begin(setting), "g-gun-1").targets
    assert not make_outlook(setting, begin(setting, pinned={"g-gun-1": "1"}), "g-gun-1").targets


def test_6_4_a_draft_does_not_call_a_unit_immobile_of_which_one_model_is():
    """Bug: 's-tanks: immobile: may fire, but neither move nor turn' above a mobile tank."""
    setting = world(POST)
    for immobile, wanted in (({}, 0), ({"s-t-1": "yes"}, 1), ({"s-t-1": "yes", "s-t-2": "yes"}, 0)):
        state = begin(setting, immobile=immobile)
        lines = SEEN.hints(setting, state, 3)[0].lines
        assert sum(line.startswith("s-tanks, except as noted below: ") for line in lines) == wanted


def test_5_1_targets_for_a_model_that_is_destroyed_are_told_to_be_in_vain():
    """Bug: no warning, and ``odds`` printed fire without a shooter."""
    setting = world({**POST, "g-pz-2": ("26.00, 10.00", "12")}, seals="soviet")
    state = begin(setting).with_(side="german")
    dead = state.with_(units={**state.units, "g-pz-1": Unit("eliminated", 0)})
    order = red("g-panzer", g_pz_1="s-t-1")
    filed = Filing(3, "german", orders={"units": [order]})
    told = [one.text for one in SEEN.unused(setting, dead, (), filed) if one.vain]
    assert told == ["cannot fire, because destroyed: g-pz-1"]


def test_5_2_5_4_a_shot_that_would_be_lost_is_told_by_the_paragraph_by_which_it_is_lost():
    """The report cites the same paragraph. Bug: 'does not see' cited the paragraph of range."""
    setting = world({**POST, "g-pz-2": ("24.00, 5.00", "12"), "s-t-2": ("60.00, 10.00", "9")}, WOOD, seals="soviet")
    state = begin(setting).with_(side="german")
    filed = Filing(3, "german", orders={"units": [red("g-panzer", g_pz_1="s-t-2", g_pz_2="s-t-2")]})
    assert [(one.rule, one.text) for one in SEEN.unused(setting, state, (), filed) if one.vain] == [
        ("5.2", "would be lost from the present places: g-pz-1 (does not see s-t-2)"),
        ("5.4", "would be lost from the present places: g-pz-2 (36.35 inches: out of range, the shot is lost)"),
    ]


def test_6_3_a_wreck_that_stays_is_named_by_the_map_and_by_whom_it_bars():
    """Bug: 'The base of another model, unless the model there moves', without a wreck on any map."""
    setting = world(POST, wrecks="obstacle")
    state = begin(setting, wreck={"s-gun-1": "22.00, 12.00"})
    state = state.with_(units={**state.units, "s-gun-1": Unit("eliminated", 0)})
    assert SEEN.why(setting, state, "g-pz-1", "22.00, 12.50") == ("the move would end on the wreck of s-gun-1 [4.3]",)
    assert {"Wrecks (no move may end on a wreck): s-gun-1 22.00, 12.00."} == {*SEEN.picture(setting, state).notes()} & {
        *SEEN.outlook(setting, state, "g-pz-1").phases[0].notes
    }  # 'anywhere within 6.00 inches'


def test_the_barrel_of_a_gun_points_at_the_nearest_enemy():
    """Guns have no facing in the rules: the direction is only drawn. A tank points where it faces."""
    setting = world(POST, WOOD)
    pieces = {piece.id: piece for piece in SEEN.picture(setting, begin(setting)).pieces}
    assert pieces["s-gun-1"].facing == (0, 0)
    x, y = pieces["s-gun-1"].aim
    assert (x, y < 0) == (0, True)  # at g-pz-1, below
    assert pieces["g-gun-1"].aim[0] > 0
    assert pieces["s-t-1"].aim == (0, 0)
    turned = svgcounters.draw_model(pieces["s-gun-1"], (0, 0), KIT.ruleset.sides)
    assert "matrix(-1.000 " in turned
    assert "facing" not in turned
