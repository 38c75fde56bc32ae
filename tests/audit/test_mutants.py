"""The conformance suite and the tests find mutants of the rules, which ``make faults`` makes."""

import pytest
from helpers import mutants, survivors
from helpers.suites import list_cases


def test_a_seed_draws_the_same_mutants_of_every_kind():
    drawn = [*mutants.draw_mutants("kursk-1971", "1", 40)]
    assert drawn == [*mutants.draw_mutants("kursk-1971", "1", 40)]
    assert len({mutant.source for mutant in drawn}) == 40
    assert {"comparison", "number", "arguments", "filter", "and, or"} <= {mutant.kind for mutant in drawn}
    assert not {mutant.module for mutant in drawn} & {"check", "setting", "resume"}


def test_a_case_finds_a_mutant_and_the_program_passes():
    """The first change of the movement is shown by the first cases by hand."""
    some = [case for case in list_cases("kursk-1971") if case["id"].startswith("K71-3.0-movement")]
    mutants.load_rules("kursk-1971")
    assert mutants.list_lines("kursk-1971", some).keys() == {case["id"] for case in some}
    assert mutants.find_case(mutants.make_mutant("kursk-1971", "movement", 0), some).startswith("K71-3.0")
    dead = mutants.Mutant("kursk-1971", "movement", "", 1, "", "", "", "raise ValueError")
    assert mutants.find_case(dead, some).startswith(mutants.DEAD)


def test_a_survivor_is_named_by_its_function_and_its_changed_expression():
    """Line numbers move with every change."""
    drawn = [mutants.make_mutant("kursk-1971", "victory", number) for number in range(9)]
    for mutant in mutants.number_mutants([*drawn, drawn[0]]):
        assert mutant.name.startswith(f"victory.{mutant.function}: ")
        assert str(mutant.line) not in mutant.name.split(": ")[0]
    assert mutant.name == f"{drawn[0].name} (2)"


@pytest.mark.parametrize("path", sorted(survivors.FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_every_survivor_has_a_reading(path):
    """``make faults EVERY=1`` compares the names with the mutants; here they only have their form."""
    assert path.stem in mutants.SYSTEMS
    assert survivors.read_readings(path)


@pytest.mark.parametrize("text", ["a.b: 1 -> 2\n", "  equal: a reading\n", "a.b: 1 -> 2\n  nonsense: a reading\n"])
def test_a_name_without_a_reading_is_told_with_its_line(tmp_path, text):
    (tmp_path / "toy.txt").write_text(text)
    with pytest.raises(ValueError, match="toy"):
        survivors.read_readings(tmp_path / "toy.txt")


def test_names_and_survivors_are_compared_both_ways():
    told = [*survivors.compare_readings(["a", "b"], {"b": "", "c": ""})]
    assert told == ["without a reading: a", "no survivor any more: c"]
