"""Fast code writes most canonical bytes of a position: the bytes always agree with the canonical form."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.kernel.state import State, Unit, from_plain

names = st.text(max_size=8) | st.sampled_from(["g-48-pz", "2113", '"', "\\", "\x7f", "\u2028", "\u0423", "a\nb"])
units = st.dictionaries(names, st.builds(Unit, names, st.integers(-9, 9)), max_size=6)
words = st.dictionaries(names, names, max_size=3)


@given(units, st.dictionaries(names, words), st.dictionaries(names, st.integers(-99, 99)), words)
@example({}, {}, {}, {})
@example({"a": Unit('","steps":"', 1)}, {}, {}, {})
@example({"b": Unit("x", 1), "a": Unit('"\\', 2)}, {}, {}, {})
def test_it_is_the_canonical_form_of_the_mapping(found, marks, tracks, agenda):
    state = State("1", "german", "opening", found, marks, tracks, agenda)
    assert state.canonical() == canon(state.to_plain())
    assert state.sha256() == state.sha256() == sha256_hex(canon(state.to_plain()))


def test_a_changed_position_has_a_hash_of_its_own():
    state = State("1", "german", "opening", {"a": Unit("2113", 2)})
    before = state.sha256()
    after = state.with_(units={"a": Unit("2113", 1)})
    assert after.sha256() == sha256_hex(canon(after.to_plain())) != before == state.sha256()


@pytest.mark.parametrize("change", [{"more": {}}, {"type": "position"}, {"units": None}])
def test_what_has_another_form_is_no_position(change):
    """A surplus key, a wrong type or a missing key is refused by the form, before reading the position."""
    plain = State("1", "german", "opening", {}).to_plain()
    assert from_plain(plain).to_plain() == plain
    wrong = {key: value for key, value in {**plain, **change}.items() if value is not None}
    with pytest.raises(FileError, match="needs exactly the keys"):
        from_plain(wrong)
