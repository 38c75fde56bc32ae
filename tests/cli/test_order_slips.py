"""A slip leaves no trace in a draft, and the removal of an order restores the orders that the order had replaced."""

import shutil
from types import SimpleNamespace

import pytest
from helpers.commands import refused, well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import fought

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import cautions
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import entropy
from kursk_pbem.kernel.events import Force, Fought, Shift
from kursk_pbem.kernel.state import DECLARED


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a game in which the Russian writes message 5, with the sealed posture of turn 2 if no battles are
    declared."""
    with entropy.fix_random_bytes("slips 10"):
        return fought(Table(tmp_path_factory.mktemp("slips 10")).begin()).russian


@pytest.fixture
def russian(played, tmp_path, monkeypatch):
    """Return the game folder in a copy of the game."""
    place = tmp_path / "russian"
    shutil.copytree(played.place, place)
    monkeypatch.setenv("KURSK_HOME", str(place / "private"))
    folder = place / played.folder.name
    assert run(["setup", "draft", str(folder), "--force", "-q"]) == 0
    return folder


def text(folder):
    return (folder / "0005.draft.yaml").read_text(encoding="ascii")


def data(folder):
    return strictyaml.read(text(folder).encode(), "draft").data


def numbers(capsys, folder):
    """Return the listed orders: a mapping of number to words."""
    listed = well(capsys, "order", folder).partition("Orders so far")[2]
    return {int(line.split()[0]): line.split(None, 1)[1] for line in listed.splitlines() if line[:6].strip().isdigit()}


def ordered(capsys, folder, words):
    return well(capsys, "order", folder, *words.split())


def slip(capsys, folder, words):
    """Return the answer to an order that the rules refuse."""
    assert run(["order", str(folder), *words.split()]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def number(capsys, folder, part):
    return next(each for each, words in numbers(capsys, folder).items() if part in words)


def test_what_the_rules_refuse_is_not_written_and_leaves_no_trace(capsys, russian):
    before = text(russian)
    for words in ("attack 2011 all", "move 27 1101", "replace r-3-sh r-70 r-49 r-48", "objective kursk"):
        said = slip(capsys, russian, words)
        assert "not written" in said
        assert "--anyway" in said
        assert "0005.draft.yaml:" not in said  # no line of an unwritten text
        assert text(russian) == before
    assert "legal" in well(capsys, "order", russian, "move", "27", "2213")


def test_a_part_that_is_nearly_spelt_right_is_named(capsys, russian):
    said = refused(capsys, 2, "order", russian, "attack", "1101", "3", "sh", "losess", "3", "sh")
    assert said == "kursk: there is no unit of yours 'losess'; did you mean losses?\n"


def test_of_several_orders_none_is_written_if_one_is_refused(capsys, russian):
    before = text(russian)
    assert "your 2 orders together break" in slip(capsys, russian, "move 27 2213, 49 1101")
    assert text(russian) == before


def test_what_is_refused_is_written_anyway_if_that_is_asked_for(capsys, russian):
    assert run(["order", str(russian), "--anyway", "move", "27", "1101"]) == 1
    assert "the draft breaks the rules in one place" in capsys.readouterr().err
    assert "unit: r-27, to: '1101'" in text(russian)
    # a repeated fault is not new, another fault is new
    said = slip(capsys, russian, "move 49 1101").splitlines()
    assert "r-49" in said[0]
    assert said[1:2] == ["still wrong: 1, see 'kursk check'"]
    assert "not written" in said[-1]
    assert run(["order", str(russian), "move", "60", "2213"]) == 0
    told = capsys.readouterr()
    assert told.err == "still wrong: 1, see 'kursk check'\n"
    assert "0005.draft.yaml: written; it holds" in told.out


@pytest.mark.long("test-all")
def test_an_attack_that_is_taken_out_gives_back_the_posture_that_went_for_it(capsys, russian):
    well(capsys, "order", russian, "posture", "engage", "reaction")
    sealed = data(russian)["seal"]
    assert "is removed: seal it in your next message" in well(capsys, "order", russian, "attack", "1101", "all")
    assert "seal" not in data(russian)
    ordered(capsys, russian, "attack 1101 losses 3 sh")  # the order continues
    well(capsys, "order", russian, "note", "on we go")
    said = well(capsys, "order", russian, "undo", str(number(capsys, russian, "attack 1101")))
    assert "given back: posture engage reaction" in said
    assert data(russian)["seal"] == sealed
    assert not data(russian)["orders"]["battles"]
    assert data(russian)["note"] == "on we go"


def test_an_order_that_says_again_what_was_proposed_and_is_left_out_is_told_so(capsys, russian):
    proposed = data(russian)["seal"]["posture/turn-2"]["posture"]
    ordered(capsys, russian, "attack 1101 all")
    said = ordered(capsys, russian, f"posture {proposed}")
    assert f"but left out because of your orders: posture {proposed}" in said


def test_what_would_be_left_out_is_no_example(capsys, russian):
    ordered(capsys, russian, "attack 1101 all")
    said = " ".join(well(capsys, "order", russian).split())
    assert "posture engage your posture" not in said
    assert "posture ('posture " in said


def test_none_behind_what_an_order_is_about_takes_it_out_as_undo_does(capsys, russian):
    """By its hex, its name or its unit; replaced orders come back. A missing order cannot be removed."""
    ordered(capsys, russian, "posture engage reaction")
    before = data(russian)
    for words in ("attack 1101 none", "attack b1101 with none", "attack 1101 nobody"):
        ordered(capsys, russian, "attack 1101 all losses 4 sh")
        assert "seal" not in data(russian)
        said = ordered(capsys, russian, words)
        assert said.startswith("taken out: attack 1101 ")
        assert "given back: posture engage reaction\n" in said
        assert data(russian) == before
    ordered(capsys, russian, "move 27 2213")
    assert ordered(capsys, russian, "move 27 none").startswith("taken out: ")
    assert data(russian) == before
    for words in ("attack 1101 none", "move 27 none"):
        why = f"no order was removed: the draft contains no {words.split()[0]} '{words.split()[1]}'"
        assert why in refused(capsys, 2, "order", russian, *words.split())


def test_what_was_sealed_anew_since_is_not_given_back_over_it(capsys, russian):
    well(capsys, "order", russian, "attack", "1101", "all")
    assert run(["order", str(russian), "--anyway", "posture", "pause"]) == 1
    capsys.readouterr()
    well(capsys, "order", russian, "undo", str(number(capsys, russian, "attack 1101")))
    assert data(russian)["seal"]["posture/turn-2"]["posture"] == "pause"


def test_what_stands_alone_gets_its_former_value_back(capsys, russian):
    was = data(russian)["seal"]["posture/turn-2"]
    well(capsys, "order", russian, "posture", "deploy")
    well(capsys, "order", russian, "undo", str(number(capsys, russian, "posture ")))
    assert data(russian)["seal"]["posture/turn-2"] == was


def test_each_answer_repeats_the_plan_and_a_clause_can_be_taken_off(capsys, russian):
    said = ordered(
        capsys, russian, "attack 1101 all lead 3 sh support all losses 4 sh advance 3 sh retreat toward 1102"
    )
    assert "; retreat toward 1102; losses r-4-sh; advance r-3-sh\n" in said.replace("\n  ", " ")
    (battle,) = data(russian)["orders"]["battles"]
    assert battle["offensive"]["support"]
    said = ordered(capsys, russian, "attack 1101 support none losses none advance nobody retreat none")
    assert "losses" not in said
    (battle,) = data(russian)["orders"]["battles"]
    assert set(battle) == {"id", "hex", "attackers"}


@pytest.mark.parametrize(
    "clause", ["retreat", "retreat away", "support", "losses", "lead", "advance", "retreat toward"]
)
def test_a_clause_that_says_nothing_is_refused(capsys, russian, clause):
    ordered(capsys, russian, "attack 1101 all losses 4 sh")
    before = text(russian)
    said = refused(capsys, 2, "order", russian, "attack", "1101", *clause.split())
    assert "expected an id" not in said
    assert text(russian) == before


def test_an_attack_without_a_die_is_told_with_its_mails_before_signing(capsys, russian):
    """1202: one army against a corps, below 1:1. As the only attack it costs two mails for nothing."""
    told = "b1202 in 1202 brings no die roll, and costs 2 mails (below 1:1: no attack takes place, no die falls) [9.0]"
    assert f"but {told}\n" in ordered(capsys, russian, "attack 1202 4 sh")
    for command in ("check", "sign"):
        run([command, str(russian)])  # nobody answers the question
        said = capsys.readouterr().out.replace("\n  ", " ")
        assert said.count(f"- {told}\n") == said.count("2 mails") == 1
    assert "cannot bring" not in ordered(capsys, russian, "note said once")
    well(capsys, "order", russian, "undo")
    with_a_die = ordered(capsys, russian, "attack 1101 3 sh")
    assert "b1202 in 1202 is no attack: below 1:1" in with_a_die
    assert "2 mails" not in with_a_die
    well(capsys, "order", russian, "undo")
    well(capsys, "order", russian, "undo")
    assert "no attack" not in ordered(capsys, russian, "attack 1101 all")


def test_support_above_the_last_column_is_said_to_bring_nothing():
    side = Force("russian", (), "24")
    shift = Shift("9.2.1", 2, "Offensive with 2 in support", "column")

    def said(reached, column):
        fought = Fought("9.0", "b1", "2015", side, side, "6:1", (shift,), reached, column)
        return [each.text for each in cautions._warn_of_battle(fought)]

    assert said("7:1", "6:1") == ["b1: 7:1 counts as 6:1; Offensive with 2 in support brings 1 less"]
    assert said("8:1", "6:1") == ["b1: 8:1 counts as 6:1; Offensive with 2 in support brings nothing"]
    assert said("6:1", "6:1") == []


def test_what_the_opponent_declared_is_no_caution_of_an_answer():
    """Bug: the defender's draft had '7:1 counts as 6:1; Offensive with 2 in support brings 1 less' as a caution."""
    after = SimpleNamespace(agenda={DECLARED: "2"})
    checked = SimpleNamespace(result=SimpleNamespace(after=after), declares=True)
    assert cautions._warn_of_battles(SimpleNamespace(seq=3, game=None), checked) == ()


@pytest.mark.long("test-all")
def test_a_draft_that_is_written_anew_numbers_its_orders_anew(capsys, russian):
    ordered(capsys, russian, "move 27 2213, 60 2212")
    before = numbers(capsys, russian)
    well(capsys, "order", russian, "undo", str(min(number for number, words in before.items() if "r-27" in words)))
    well(capsys, "setup", "draft", russian, "--force", "-q")
    ordered(capsys, russian, "move 60 2212")
    assert sorted(numbers(capsys, russian)) == list(range(1, len(numbers(capsys, russian)) + 1))


@pytest.mark.long("test-all")
def test_an_order_that_is_said_again_stays_and_goes_last_after_undo(capsys, russian):
    """Bug: the repeated order became the last order, so the unit that enters the vacated hex was refused."""
    ordered(capsys, russian, "march r-27 2411, march r-53 2412")
    before = text(russian)
    assert "legal" in ordered(capsys, russian, "march r-27 2411")
    assert text(russian) == before
    assert run(["order", str(russian), "undo", str(number(capsys, russian, "march r-27"))]) == 1
    assert run(["order", str(russian), "march", "r-27", "2411"]) == 0  # is after the order of the entering unit
    assert "still wrong: 1" in capsys.readouterr().err
    well(capsys, "order", russian, "undo", str(number(capsys, russian, "march r-53")))
    assert "legal" in ordered(capsys, russian, "march r-53 2412")
