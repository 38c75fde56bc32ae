"""Changes of a draft as plain data: what ``edited`` makes of them is what the text must say afterwards."""

from kursk_pbem.kernel.verbs import Edit, edited

DRAFT = {"choice": {"a": "b"}, "orders": {"moves": [{"unit": "x"}, {"unit": "y"}], "gone": []}}


def test_a_value_is_put_at_its_place_and_what_is_missing_is_made():
    assert edited(DRAFT, [Edit(("choice", "a"), "c")])["choice"] == {"a": "c"}
    assert edited(DRAFT, [Edit(("policy", "units", "x", "y"), "z")])["policy"] == {"units": {"x": {"y": "z"}}}
    assert edited(DRAFT, [Edit(("orders", "moves", 1, "to"), "q")])["orders"]["moves"][1] == {"unit": "y", "to": "q"}


def test_lists_grow_and_shrink():
    after = edited(DRAFT, [Edit(("orders", "moves"), {"unit": "z"}, add=True), Edit(("orders", "moves", 0))])
    assert [each["unit"] for each in after["orders"]["moves"]] == ["y", "z"]
    assert edited(DRAFT, [Edit(("orders", "new"), "n", add=True)])["orders"]["new"] == ["n"]
    assert "choice" not in edited(DRAFT, [Edit(("choice",))])
    assert edited(DRAFT, [Edit(("nothing",))]) == DRAFT


def test_the_draft_itself_does_not_change():
    before = repr(DRAFT)
    edited(DRAFT, [Edit(("orders", "moves", 0)), Edit(("orders", "gone"), "x", add=True), Edit(("choice", "a"))])
    assert repr(DRAFT) == before
