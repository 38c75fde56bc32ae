"""Parts of names identify ids. The program asks about several matches, and suggests similar names without a match."""

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names

KNOWN = {
    "g-24-pz": ("24 Pz", "XXIV Panzer Corps"),
    "g-48-pz": ("48 Pz", "XLVIII Panzer Corps"),
    "g-3-pz": ("3 Pz",),
    "g-2-ss": ("2 SS", "II SS Panzer Corps"),
    "g-52": ("LII", "LII Corps"),
    "2015": (),
    "2116": ("Belgorod",),
    "2113": ("Kursk",),
    "2213": (),
}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("g-24-pz", "g-24-pz"),
        ("24 pz", "g-24-pz"),
        ("24", "g-24-pz"),
        ("24 PZ", "g-24-pz"),
        ("xxiv", "g-24-pz"),
        ("52", "g-52"),
        ("lii", "g-52"),
        ("2 ss", "g-2-ss"),
        ("belgo", "2116"),
        ("KURSK", "2113"),
        ("xlviii panzer", "g-48-pz"),
        ("24pz", "g-24-pz"),
        ("g-24pz", "g-24-pz"),
        ("g24pz", "g-24-pz"),
        ("24 panzer", "g-24-pz"),
    ],
)
def test_a_part_of_a_name_does(said, meant):
    assert names.find(said, KNOWN, "thing") == meant


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("pz", "'pz' may be g-24-pz (24 Pz), g-48-pz (48 Pz), g-3-pz (3 Pz): say which thing you mean"),
        ("g-24px", "there is no thing 'g-24px'; did you mean g-24-pz?"),
        ("g-52-pz", "there is no thing 'g-52-pz'; did you mean g-"),
        ("2313", "did you mean 2113 or 2213?"),
        ("Belgrod", "did you mean 2116?"),
        ("pz 24", "there is no thing 'pz 24'"),
        ("", "say which thing you mean"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("zzzzzzz", "there is no thing 'zzzzzzz'"),
    ],
)
def test_what_is_not_clear_is_asked_back(said, answer):
    with pytest.raises(UsageError) as error:
        names.find(said, KNOWN, "thing")
    assert answer in error.value.message
    assert error.value.message.isprintable()


def test_those_that_can_come_first():
    can = {"g-3-pz": ("3 Pz",)}
    assert names.find("pz", KNOWN, "unit", can) == "g-3-pz"
    assert names.find("52", KNOWN, "unit", can) == "g-52"
    assert names.find_several(["pz", "48"], KNOWN, "unit", can) == ("g-3-pz", "g-48-pz")


SHORT = {"g-503": ("503", "503rd Heavy Panzer (Tiger)"), "g-6pz": ("6 Pz",), "g-t": ("T", "SS Totenkopf")}
"""An id of one letter, with which a word in the name of another begins."""


@pytest.mark.parametrize("said", ["6 pz 503 t", "6 pz t 503", "t 6pz 503"])
def test_an_id_is_no_end_of_another_name(said):
    meant = {"6": "g-6pz", "6pz": "g-6pz", "503": "g-503", "t": "g-t"}
    asked = tuple(meant[word] for word in said.split() if word != "pz")
    assert names.find_several(said.split(), SHORT, "unit") == asked
    beside = {uid: SHORT[uid] for uid in ("g-503", "g-6pz")}  # report that g-t is elsewhere; take no other unit
    assert names.find_several(said.split(), SHORT, "unit", beside) == asked


def test_the_beginning_of_a_name_still_does():
    assert names.find_several(["503", "tig"], SHORT, "unit") == ("g-503",)
    assert names.find("tig", SHORT, "unit") == "g-503"


def test_several_names_one_after_the_other():
    said = ["48", "pz", "3", "pz", "and", "g-52", "2", "ss"]
    assert names.find_several(said, KNOWN, "unit") == ("g-48-pz", "g-3-pz", "g-52", "g-2-ss")
    assert names.find_several(["24", "24", "pz"], KNOWN, "unit") == ("g-24-pz", "g-24-pz")
    with pytest.raises(UsageError, match="'pz' may be"):
        names.find_several(["48", "pz", "pz"], KNOWN, "unit")


def test_hexes_at_the_end_are_found():
    places = {each: KNOWN[each] for each in ("2015", "2116", "2113", "2213")} | {"2414": ("Stary Oskol",)}
    for said, spots in (
        ("24 pz 2015", ("2015",)),
        ("24 pz 2015 2213 kursk", ("2015", "2213", "kursk")),
        ("2 ss belgorod", ("belgorod",)),
        ("2 ss stary oskol", ("stary oskol",)),
        ("2 ss kursk stary oskol 2015", ("kursk", "stary oskol", "2015")),
        ("2 ss stary", ("stary",)),
        ("24 20", ()),
        ("", ()),
    ):
        assert names.find_last(said.split(), places) == spots, said


def test_clauses_and_choices():
    assert names.split_clauses(["a", "b", "With", "c", "le", "d"], ("with", "lead", "as")) == {
        "": ["a", "b"],
        "with": ["c"],
        "lead": ["d"],
    }
    assert names.split_clauses(["x", "re", "y"], ("retreat", "reach")) == {"": ["x", "re", "y"]}
    values = {"forced": ("D1", "AD")}
    assert names.split_clauses(["x", "forced", "d1", "ad", "g"], ("advance", "forced"), values) == {
        "": ["x"],
        "forced": ["D1", "AD", "g"],
    }
    assert names.split_clauses(["ad", "x", "forced", "D1"], ("advance", "forced"), values) == {
        "": [],
        "advance": ["x"],
        "forced": ["D1"],
    }
    with pytest.raises(UsageError, match="'lead' occurs twice"):
        names.split_clauses(["lead", "a", "le", "b"], ("lead",))
    assert names.choose_one("en", ("pause", "engage"), "a posture") == "engage"
    for said in ("", "x", "e"):
        with pytest.raises(UsageError, match="a posture is one of pause, engage, end"):
            names.choose_one(said, ("pause", "engage", "end"), "a posture")


def test_words_of_one_thing_in_another_order_are_no_several_things():
    with pytest.raises(UsageError, match=r"there is no unit .b 1.; did you mean u-1[?]$"):
        names.find("b 1", {"u-1": ("1 B",), "u-2": ("2 C",)}, "unit")
    with pytest.raises(UsageError, match="there is no unit 'c b': say one unit in each order"):
        names.find("c b", {"u-1": ("1 B",), "u-2": ("2 C",)}, "unit")


def test_a_label_in_small_letters_goes_before_names_that_hold_its_parts():
    """Bug: 'attack b8 none' also matched P8, with the attack b-p8, and removed nothing."""
    attacks = {"I9": ("b-i9",), "P8": ("b-p8",), "B8": ("b-b8",)}
    assert names.match("b8", attacks) == names.match("B8", attacks) == ["B8"]
    assert names.match("b-p8", attacks) == ["P8"]


def test_a_whole_name_goes_before_parts_of_others():
    known = {"kg2-1": ("KG 1",), "kg2-2": ("KG 2",), "kg2-3": ("KG 3",), "kg3-2": ("KG 12",)}
    assert names.find("kg 2", known, "unit") == "kg2-2"
    assert names.find("kg 12", known, "unit") == "kg3-2"
    assert names.match("kg", known) == ["kg2-1", "kg2-2", "kg2-3", "kg3-2"]
