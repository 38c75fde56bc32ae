"""Typed orders: removing an order of one model or its rounds, and the examples of the words."""

import pytest
from helpers import registry
from helpers.signed_play import Table

from kursk_pbem.desk.draft import examples as examples_of
from kursk_pbem.desk.draft import ordering, preview
from kursk_pbem.desk.draft.completion import Completion
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import entropy
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.verbs import OrderContext
from rulesets.armor_commander.desks import orders, play_deployment
from rulesets.armor_commander.table import begin, box, green, play, refused, world
from rulesets.typed import one_line

SEEN = registry.kit("armor-commander").ruleset.seen
HINTS = SEEN.hints
APART = {"s-t-1": ("60.00, 20.00", "9"), "s-t-2": ("60.00, 26.00", "9"), "g-pz-1": ("20.00, 20.00", "3")}
EDGE = {
    "id": "s-tanks",
    "chip": "green",
    "moves": [{"id": "s-t-1", "path": ["24.00, 47.00"]}, {"id": "s-t-2", "path": ["26.50, 47.00"]}],
}
WALL = {"wall": ("wood", box(44, 10, 46, 40))}


def examples(setting, state):
    lines = HINTS(setting, state, 3)[0].lines
    at = lines.index("units:")
    return strictyaml.read("\n".join([*lines[at:], ""]).encode(), "draft").data["units"]


@pytest.mark.parametrize(
    ("models", "ground", "marks", "chips"),
    [
        (APART, {}, {}, ["green"]),  # straight on at 12 s-t-1 is 6.00 nearer, and s-t-2 6.00 farther away
        (APART | {"g-pz-1": ("30.00, 23.00", "3")}, WALL, {}, ["green"]),  # in range, but not visible
        (APART | {"s-gun-1": ("56.00, 20.00",), "g-pz-1": ("30.00, 23.00", "3")}, {}, {}, ["green", "red"]),
        ({"s-t-1": ("60.00, 20.00", "9"), "g-pz-1": ("59.50, 21.00", "3")}, {}, {}, ["green", "red"]),  # only a turn
        (APART | {"g-pz-1": ("30.00, 23.00", "3")}, {}, {"immobile": {"s-t-1": "yes", "s-t-2": "yes"}}, ["red"]),
    ],
)
def test_examples_of_a_draft_are_legal_alone_and_seen(models, ground, marks, chips):
    """Bug: the move of one tank alone broke cohesion; a shot named the first unit even without a target."""
    setting = world(models, ground)
    state = begin(setting, **marks)
    told = examples(setting, state)
    assert [entry["chip"] for entry in told] == chips
    assert [refused(setting, state, "soviet", entry) for entry in told] == [[] for _entry in told]
    filed = [entry for entry in told if entry["chip"] == "red"]
    assert not [left for entry in filed for left in vain(setting, state, entry)]


def test_3_2_examples_of_a_draft_are_of_two_units_or_say_that_one_unit_gets_one_chip():
    """Bug: the examples were a move and a shot of the same tanks, so a copy was refused ('has a chip already')."""
    tanks = {"s-t-1": ("56.00, 20.00", "9"), "s-t-2": ("56.00, 24.00", "9"), "g-pz-1": ("36.00, 20.00", "3")}
    setting = world(tanks | {"s-gun-1": ("58.00, 14.00",)})
    told = examples(setting, begin(setting))
    assert [(entry["id"], entry["chip"]) for entry in told] == [("s-gun-1", "green"), ("s-tanks", "red")]
    assert refused(setting, begin(setting), "soviet", *told) == []
    setting = world(tanks)
    assert [entry["id"] for entry in examples(setting, begin(setting))] == ["s-tanks", "s-tanks"]
    assert (
        "Keep only one of the two examples, because a unit gets a single chip."
        in HINTS(setting, begin(setting), 3)[0].lines
    )


def vain(setting, state, entry):
    filing = Filing(4, "soviet", orders={"units": [entry]})
    told = registry.kit("armor-commander").ruleset.seen.unused(setting, state, (), filing)
    return [left.text for left in told if left.vain and left.rule != "5.1"]


def test_5_7_a_gun_that_a_gun_sees_is_no_target_and_is_not_called_unseen():
    """Bug: 'Nobody is in sight and range now' for guns that saw each other, 25 inches apart."""
    setting = world({"s-gun-1": ("45.00, 20.00",), "g-gun-1": ("20.00, 20.00",)})
    state = begin(setting)
    told = "\n".join(HINTS(setting, state, 3)[0].lines)
    assert "sight" not in told
    assert "No unit has a target now (5.2)." in told
    fire = next(verb for verb in SEEN.verbs(setting) if verb.name == "fire")
    ((_word, text),) = fire.clauses(OrderContext(setting, state, 3, {}, lambda _draft, _phase: state), ())[0].among
    assert text.endswith(", can fire at no enemy now")


def test_a_draft_without_anybody_to_order_shows_an_empty_list():
    """Bug: the key had no line below, which is no list."""
    setting = world({"s-gun-1": ("60.00, 20.00",), "g-pz-1": ("20.00, 20.00", "3")})
    assert examples(setting, begin(setting, pinned={"s-gun-1": "1"})) == []


def test_4_3_inches_that_are_spent_are_rounded_up():
    """Bug: a move of 5.00 inches at half past one was printed as 4.99 inches."""
    setting = world(APART)
    went = play(setting, begin(setting), soviet=[green("s-tanks", ("s-t-1", "63.53, 23.53"))])
    (mp,) = [event.mp for event in went.events if type(event).__name__ == "Moved"]
    assert mp == "5.00"


def test_what_one_model_was_ordered_is_taken_off_by_its_name(begun):
    """3.2: bug: 'no fire of this draft is named t 1' for a draft with such fire; the reply names a remaining facing."""
    players = play_deployment(begun)
    who = players.due

    def told(words):
        return one_line(players.type(who, "order", players.folder[who], *words.split()))

    told("fire panzer at tanks, fire pz 1 at t 1, fire pz 2 at t 2")
    check = one_line(players.type(who, "check", players.folder[who]))
    assert "chip: g-pz-1 at s-t-1; g-pz-2 at s-t-2; all others at s-tanks" in check  # 'all at s-tanks; g-pz-1 at s-t-1'
    assert "[with ap|he] now" in one_line(players.type(who, "order", "fire", status=2))  # '[with ap]', also at guns
    told("fire panzer at tanks with ap")  # bug: 'no rounds are named for g-pz-3', which fires AP with all
    said = one_line(players.type(who, "order", "fire", "pz", "3", "with", "none", status=2))
    assert "the draft chooses no rounds for g-pz-3" in said
    told("rest panzer, fire pz 1 at t 1, fire pz 2 at t 2")
    assert "taken out: fire g-pz-1 at s-t-1" in told("fire pz 1 none")
    assert orders(players, who)[0]["shots"] == [{"id": "g-pz-2", "at": ["s-t-2"]}]
    assert "taken out: fire g-pz-2 at s-t-2; g-panzer gets no chip" in told("fire pz 2 none")
    told("fire pz 2 at t 2 with ap, fire pak 1 at t 1 with ap")
    assert "g-pz-2 fires the usual rounds for the target" in told("fire pz 2 with none, fire pak 1 with none")
    assert not [entry for entry in orders(players, who) if "ap" in str(entry)]
    said = told("undo")  # bug: 'there again: seal orders/turn-1: id g-pak-1, chip red, rounds ap', which is no command
    assert "restored: fire g-pz-2 at s-t-2 with ap" in said
    assert [entry["id"] for entry in orders(players, who)] == ["g-panzer", "g-pak-1"]
    told("fire pz 2 with none, fire pak 1 with none")
    assert "taken out: fire g-pz-2 at s-t-2" in told("fire pz 2 at none")
    assert "taken out: fire g-pak-1 at s-t-1" in told("fire pak 1 at none")
    told("move pz 1 31 11 face 7, face pz 2 1")
    assert "g-pz-1 goes to 31.00, 10.50, facing 7 as ordered before (green chip" in told("move pz 1 31 10.5")
    said = told("advance panzer 12 2")  # bug: 'facing 1 or 7 as ordered before', which was untrue
    assert "11.50, facing 7 as ordered before; g-pz-2 to 33.50, 11.50, facing 1 as ordered before; g-pz-3 to" in said
    assert "g-pz-5 to 35.00, 9.00 (green chip" in said
    said = told("advance panzer 12 2 face none, move pz 1 31 10.5 face none")  # advised and then refused
    assert "g-pz-1 goes to 31.00, 10.50 (green chip" in said
    assert not [move for move in orders(players, who)[0]["moves"] if "face" in move]
    assert [move["id"][-1] for move in orders(players, who)[0]["moves"]] == ["1", "2", "3", "4", "5"]  # none went last
    assert "g-pz-1 keeps the facing" in told("face pz 1 none, move pz 1 none")
    assert [move["id"] for move in orders(players, who)[0]["moves"]] == ["g-pz-2", "g-pz-3", "g-pz-4", "g-pz-5"]
    assert "g-panzer gets no chip" in told("advance panzer none")
    told("fire pak 1 at t 1")
    assert "g-pak-1 (does not see s-t-1)" not in told("fire pak 2 at t 1")  # of another order, with other targets
    assert "standing policy has no use" in players.type(who, "policy", status=2)  # 'the defaults of the rules hold'
    assert "g-pz-1 to 31.00, 10.50, facing 2 (green chip" in told("advance pz 1 12 1 face 2")
    assert "g-pz-1 fires at s-t-1 with ap (red chip" in told("fire pz 1 at t 1 ap")
    players.turn({"seal": {"orders/turn-1": []}})
    fault = one_line(players.type(players.due, "order", "fire", "tanks", "at", "panzer", "with", "he", status=1))
    assert "[5.7] s-tanks: he rounds are not fired at g-panzer, only at guns understood" in fault  # no name is proposed


def test_examples_of_moves_are_of_tanks_and_orders_without_example_are_named(begun):
    """Bug: 'No example was found: move', without the reason that no gun could move."""
    players = begun("armor-commander")
    said = players.type(players.due, "order", "deploy pz 1 31 9 face 3, deploy pz 1 face none")
    assert "g-pz-1 stands facing 12" in said  # bug: 'face none' was advised, and refused
    players.turn({"seal": {"deployment": [{"id": "g-pak-2", "at": "24.50, 11.50"}]}})  # both in the orchard
    players.turn({})
    said = one_line(players.type(players.due, "order"))
    assert "move pz 1 32.00 9.50 a model goes by places" in said
    assert "would be lost from the present places" in said.partition("of no use now: fire (")[2]
    for anew, why in ((), "no command can be taken back"), (("order", "face", "pz", "1", "9"), "was edited after"):
        if anew:  # bug: 'undo N takes out one order' for an empty draft, which was also called edited
            players.type(players.due, *anew)
            players.type(players.due, "setup", "draft", "--force")
        said = one_line(players.type(players.due, "order", "undo", status=2))
        assert why in said
        assert "; the draft contains no orders" in said


def test_an_example_is_found_for_those_who_cannot_go_straight_on(tmp_path):
    """Bug: at the edge of the table or before a house there was no example of 'advance'.

    All examples went to twelve o'clock. A deployment's example has a place. Bug: 'two numbers stand for each place, as
    in deploy pz 1 face 11:30'.
    """
    with entropy.fix_random_bytes("typed"):
        table = Table(tmp_path, "armor-commander/gun-line").begin()
        table.turn({"seal": {"deployment": []}})
        sheet = ordering.open_draft(table.due.desk)
        assert [examples_of.Examples(sheet).of(verb) for verb in sheet.verbs] == ["deploy pz 1 20.00 8.50"]
        for content in ({}, {"seal": {"orders/turn-1": [EDGE]}}, {}):
            table.turn(content)
        sheet = ordering.open_draft(table.due.desk)
    (verb,) = [verb for verb in sheet.verbs if verb.name == "advance"]
    assert (found := examples_of.Examples(sheet).of(verb)).startswith("advance s-tanks ")
    assert ordering.try_orders(sheet, ordering.split_orders(found)).checked.result.legal


def test_4_3_where_nobody_can_move_the_words_of_a_move_say_so():
    """Bug: three guns in their works had 'No example was found' for 'advance' and 'face', and nothing for 'move'."""
    models = {"s-gun-1": ("45.00, 20.00",), "g-pz-1": ("20.00, 20.00", "3")}
    setting = world(models, {"works": ("orchard", box(44, 19, 46, 21))})
    asking = OrderContext(setting, begin(setting), 3, {}, lambda _draft, _phase: begin(setting))
    for verb in SEEN.verbs(setting)[:3]:
        (who,) = verb.clauses(asking, ())
        assert (who.among, who.notes) == ((), (f"No {'tank can turn' if verb.name == 'face' else 'model can move'}.",))


def test_2_2_a_place_may_be_said_before_its_model(begun):
    """Bug: 'say a model, then inches', although the order of kursk-1971 allows this: deploy HEX with UNITS."""
    players = begun("armor-commander")
    who = players.due
    for said in ("31.50 9.50 pz 1", "31.50 9.50 with pz 1 face 12", "pz 1 at 31.50 9.50"):
        told = one_line(players.type(who, "order", players.folder[who], "deploy", *said.split()))
        assert "g-pz-1 stands at 31.50, 9.50" in told
        assert orders(players, who)[0]["at"] == "31.50, 9.50"


def test_what_is_shown_while_one_types_is_true_of_the_one_that_is_typed(tmp_path):
    """Bug: completions of 'fire zis 2 at' had the distances of zis 1, the only gun with a target."""
    with entropy.fix_random_bytes("typed"):
        table = Table(tmp_path, "armor-commander/crossroads").begin()
        table.turn({"seal": {"deployment": []}})
        table.turn({"orders": {"deployment": [{"id": "s-zis-1", "at": "55.00, 36.00"}]}})
        table.turn({"seal": {"orders/turn-1": []}})
        sheet = ordering.open_draft(table.due.desk)
    for typed in ("zis 1", "zis 2"):
        offered = {word.text: word.about for word in Completion(sheet).of(f"fire {typed} at ")}
        assert ("out of sight" in offered["g-pz-3"]) == (typed == "zis 2")
    assert preview.preview_line(sheet, "move t 5").startswith("name the place, as in 'move MODEL X Y ")


def test_4_5_all_of_a_unit_that_can_move_are_those_with_a_way_out():
    """Bug: 'g-panzer (all that can move)' was offered and refused, because g-pz-2 was within an inch of an enemy."""
    near = {"g-pz-2": ("20.00, 29.20", "12"), "g-pz-1": ("20.00, 25.00", "12"), "s-t-1": ("20.00, 30.00", "6")}
    setting = world(near)
    state = begin(setting).with_(side="german")
    asking = OrderContext(setting, state, 3, {}, lambda _draft, _phase: state)
    (edit,) = {each.name: each for each in SEEN.verbs(None)}["advance"].write(asking, ["g-panzer", "12", "0.50"])
    assert edit.said == "towards 12, 0.50 inches: g-pz-1 to 20.00, 25.50 (green chip for g-panzer)"
