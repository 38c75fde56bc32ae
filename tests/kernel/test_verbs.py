"""Changes of a draft as plain data: the text must agree with the result of ``edit_draft``."""

from kursk_pbem.kernel.verbs import Edit, edit_draft

DRAFT = {"choice": {"a": "b"}, "orders": {"moves": [{"unit": "x"}, {"unit": "y"}], "gone": []}}


def test_a_value_is_put_at_its_place_and_what_is_missing_is_made():
    assert edit_draft(DRAFT, [Edit(("choice", "a"), "c")])["choice"] == {"a": "c"}
    assert edit_draft(DRAFT, [Edit(("policy", "units", "x", "y"), "z")])["policy"] == {"units": {"x": {"y": "z"}}}
    assert edit_draft(DRAFT, [Edit(("orders", "moves", 1, "to"), "q")])["orders"]["moves"][1] == {
        "unit": "y",
        "to": "q",
    }


def test_lists_grow_and_shrink():
    after = edit_draft(DRAFT, [Edit(("orders", "moves"), {"unit": "z"}, add=True), Edit(("orders", "moves", 0))])
    assert [each["unit"] for each in after["orders"]["moves"]] == ["y", "z"]
    assert edit_draft(DRAFT, [Edit(("orders", "new"), "n", add=True)])["orders"]["new"] == ["n"]
    assert "choice" not in edit_draft(DRAFT, [Edit(("choice",))])
    assert edit_draft(DRAFT, [Edit(("nothing",))]) == DRAFT


def test_the_draft_itself_does_not_change():
    before = repr(DRAFT)
    edit_draft(DRAFT, [Edit(("orders", "moves", 0)), Edit(("orders", "gone"), "x", add=True), Edit(("choice", "a"))])
    assert repr(DRAFT) == before
