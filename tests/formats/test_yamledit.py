"""Edits of a place in a text: comments, blank lines, order and layout stay."""

import random
from typing import Any

import pytest
import yaml

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml, yamledit

DRAFT = """\
# what it is
kursk-pbem: '1'
seq: '2'

# which posture
choice: {posture/turn-1: {posture: deploy, reaction: 'no'}}  # not sure
orders:
  # who is given up
  give-ups: [g-1, g-2]   # cheap

  movement: []  # later
  battles:
  - {id: a, hex: '2011'}  # the first
  # and now the other
  - id: b
    hex: '2015'   # Oboyan
    attackers: [g-3,
      g-4]
  # the end
policy: {}
# bye
"""


def read_data(text):
    return strictyaml.read(text.encode("ascii"), "draft").data


def compare_lines(before, after):
    """Return the removed lines and the added lines."""
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def test_a_value_is_exchanged_in_its_line_and_its_comment_stays():
    text = yamledit.put_value(DRAFT, ("choice", "posture/turn-1", "posture"), "engage")
    assert compare_lines(DRAFT, text)[1] == ["choice: {posture/turn-1: {posture: engage, reaction: 'no'}}  # not sure"]
    text = yamledit.put_value(DRAFT, ("orders", "battles", 1, "hex"), "2016")
    assert compare_lines(DRAFT, text) == (["    hex: '2015'   # Oboyan"], ["    hex: '2016'   # Oboyan"])


def test_an_empty_list_opens_below_its_key():
    text = yamledit.add_entry(DRAFT, ("orders", "movement"), {"unit": "g-5", "to": "2011"})
    assert "  movement:  # later\n  - {unit: g-5, to: '2011'}\n  battles:" in text
    again = yamledit.add_entry(text, ("orders", "movement"), {"unit": "g-6", "to": "2012"})
    assert "  - {unit: g-5, to: '2011'}\n  - {unit: g-6, to: '2012'}\n  battles:" in again


def test_a_list_grows_behind_its_last_entry():
    text = yamledit.add_entry(DRAFT, ("orders", "battles"), {"id": "c", "hex": "1812"})
    assert "      g-4]\n  - {id: c, hex: '1812'}\n  # the end\n" in text
    text = yamledit.add_entry(DRAFT, ("orders", "give-ups"), "g-3")
    assert "give-ups: [g-1, g-2, g-3]   # cheap\n" in text
    text = yamledit.add_entry(DRAFT, ("orders", "battles", 1, "attackers"), "g-7")
    assert "      g-4, g-7]\n" in text


def test_what_is_missing_on_the_way_is_made():
    text = yamledit.add_entry(DRAFT, ("orders", "returns"), {"unit": "r-1", "hex": "2011"})
    assert read_data(text)["orders"]["returns"] == [{"unit": "r-1", "hex": "2011"}]
    assert compare_lines(DRAFT, text)[0] == []
    text = yamledit.put_value(DRAFT, ("seal", "posture/turn-2"), {"posture": "pause"})
    assert text.endswith("\n# bye\n")
    assert read_data(text)["seal"] == {"posture/turn-2": {"posture": "pause"}}
    text = yamledit.put_value(DRAFT, ("policy", "units", "r-1"), {"stand-fast": "always"})
    assert "policy: {units: {r-1: {stand-fast: always}}}\n# bye\n" in text


def test_an_entry_goes_and_comments_stay():
    text = yamledit.drop_entry(DRAFT, ("orders", "battles", 0))
    assert "  battles:\n  # the first\n  # and now the other\n  - id: b\n" in text
    text = yamledit.drop_entry(text, ("orders", "battles", 0))
    assert "  battles: []\n  # the first\n  # and now the other\n  # Oboyan\n  # the end\n" in text
    text = yamledit.drop_entry(DRAFT, ("orders", "give-ups", 0))
    assert "give-ups: [g-2]   # cheap" in text
    text = yamledit.drop_entry(DRAFT, ("choice",))
    assert "# which posture\n# not sure\norders:\n" in text
    assert yamledit.drop_entry(DRAFT, ("orders", "nothing")) == DRAFT


def test_long_orders_stand_in_lines_of_their_own():
    battle = {"id": "oboyan", "hex": "2015", "attackers": ["g-48-pz", "g-3-pz", "g-52"], "losses": ["g-52", "g-48-pz"]}
    text = yamledit.add_entry(DRAFT, ("orders", "movement"), battle)
    assert "\n  - id: oboyan\n    hex: '2015'\n    attackers: [g-48-pz, g-3-pz, g-52]\n" in text
    assert max(map(len, text.splitlines())) < 80


def test_a_mapping_changes_key_by_key():
    battle = {"id": "b", "hex": "2015", "attackers": ["g-3", "g-4"], "losses": ["g-4"]}
    text = yamledit.put_value(DRAFT, ("orders", "battles", 1), battle)
    assert compare_lines(DRAFT, text) == ([], ["    losses: [g-4]"])


@pytest.mark.parametrize(
    ("path", "value"), [(("orders", "battles"), ["x"]), (("orders",), "x"), (("orders", "battles", 7), {"id": "x"})]
)
def test_what_would_lose_a_comment_is_refused_with_the_line(path, value):
    with pytest.raises(UsageError, match=r"line [0-9]+ of the draft cannot be changed safely: "):
        yamledit.put_value(DRAFT, path, value)


def test_a_comment_between_brackets_is_not_lost():
    text = DRAFT.replace("[g-1, g-2]", "[g-1, # the weak one\n    g-2]")
    with pytest.raises(UsageError, match="a comment is next to the value"):
        yamledit.drop_entry(text, ("orders", "give-ups", 0))


def test_windows_lines_stay_windows_lines():
    text = DRAFT.replace("\n", "\r\n")
    for after in (
        yamledit.add_entry(text, ("orders", "movement"), {"unit": "g-5", "to": "2011"}),
        yamledit.put_value(text, ("seal", "x"), {"posture": "pause"}),
        yamledit.drop_entry(text, ("orders", "battles", 1)),
        yamledit.drop_entry(text, ("choice",)),
    ):
        assert "\r\r" not in after
        assert after.count("\n") == after.count("\r\n")
        read_data(after)


def test_a_file_without_a_last_line_end():
    text = DRAFT.rstrip("\n").removesuffix("\n# bye")
    assert read_data(yamledit.put_value(text, ("note",), "hello"))["note"] == "hello"


@pytest.mark.parametrize("kind", ["CBaseLoader", "BaseLoader"])
def test_both_parsers_find_the_same_places(monkeypatch, kind):
    if not hasattr(yaml, kind):
        pytest.skip("no libyaml here")
    monkeypatch.setattr(yamledit, "event_parser", lambda: getattr(yaml, kind))
    text = yamledit.add_entry(DRAFT, ("orders", "battles"), {"id": "c", "hex": "1812"})
    assert "      g-4]\n  - {id: c, hex: '1812'}\n  # the end\n" in text


@pytest.mark.slow
def test_random_edits_read_back_as_what_was_asked_and_lose_no_comment():
    """The edit is exact or refused; the comments stay equal."""
    rng = random.Random(9)
    comments = sorted(part.split("#")[1].strip() for part in DRAFT.splitlines() if "#" in part)
    refused = 0
    for _each in range(300):
        text = DRAFT
        for _step in range(6):
            before = read_data(text)
            path, value = rng.choice(
                [
                    (("orders", "battles", 0, "hex"), "1111"),
                    (("orders", "movement"), []),
                    (("orders", "give-ups"), ["x"]),
                    (("policy", "units"), {"a": {"b": "c"}}),
                    (("policy",), {}),
                    (("note",), "a: #b 'c'"),
                    (("orders", "battles", 0), {"id": "z", "hex": "2"}),
                    (("choice",), {"k": {"posture": "pause"}}),
                    (("orders", "battles", 0, "losses"), ["g-1"] * 30),
                    (("orders", "battles"), []),
                    (("orders",), "x"),
                ]
            )
            try:
                match rng.randrange(3):
                    case 0:
                        text = yamledit.put_value(text, path, value)
                        here: Any = read_data(text)
                        for step in path:
                            here = here[step]
                        assert here == value
                    case 1:
                        text = yamledit.drop_entry(text, path)
                    case _:
                        text = yamledit.add_entry(text, ("orders", "battles"), {"id": "n", "hex": "9"})
                        assert read_data(text)["orders"]["battles"][-1] == {"id": "n", "hex": "9"}
            except UsageError:
                refused += 1
                assert read_data(text) == before
            found = sorted(part.split("# ")[1].strip() for part in text.splitlines() if "# " in part)
            assert found == comments
    assert refused
