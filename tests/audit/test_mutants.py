"""The conformance suite finds mutants of the rules, which ``make faults`` draws."""

from helpers import mutants

from kursk_pbem.audit import suite


def test_a_seed_draws_the_same_mutants_of_every_kind():
    drawn = [*mutants.draw_mutants("kursk-1971", "1", 40)]
    assert drawn == [*mutants.draw_mutants("kursk-1971", "1", 40)]
    assert len({mutant.source for mutant in drawn}) == 40
    assert {"comparison", "number", "arguments", "filter", "and, or"} <= {mutant.kind for mutant in drawn}
    assert not {mutant.module for mutant in drawn} & {"check", "setting", "resume"}


def test_a_case_finds_a_mutant_and_the_program_passes():
    """Of the first three changes of the movement one is shown by the first cases by hand."""
    cases = suite.read_suite(mutants.ROOT / "conformance", "kursk-1971").cases
    some = [case for case in cases if case["id"].startswith("K71-3.0-movement")]
    drawn = [mutants.make_mutant("kursk-1971", "movement", number) for number in range(3)]
    assert any(mutants.find_case(mutant, some).startswith("K71-3.0") for mutant in drawn)
    assert mutants.find_case(None, some) == ""
    dead = mutants.Mutant("kursk-1971", "movement", 1, "", "", "", "raise ValueError")
    assert mutants.find_case(dead, some).startswith(mutants.DEAD)
