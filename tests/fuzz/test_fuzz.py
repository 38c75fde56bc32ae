"""A few seconds of ``make fuzz``, and faulty programs that the fuzzer must detect (T20 to T30)."""

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from helpers import registry, signed_play, sweeps
from helpers.reached import Reached
from rulesets import toys

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import precheck, yamlout
from kursk_pbem.game import games
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.trust import messages, sshsig

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import fuzz
import fuzz_corpus
import fuzz_lines
import fuzz_orders
import fuzz_reached
import fuzzing
from fuzz_adjudicate import Adjudicate
from fuzz_mail import Mail
from fuzz_reader import Reader
from fuzz_schema import Schema

SEED = 11


@pytest.fixture(scope="module")
def reader():
    return Reader(most=8)


@pytest.fixture(scope="module")
def mail():
    return Mail(most=6, huge=0)


@pytest.fixture(scope="module")
def schema():
    return Schema(most=8)


@pytest.fixture(scope="module")
def adjudicate():
    finished = ("resignation-german", "german-operational")
    target = Adjudicate("battle-for-kursk", finished, (3,), most=8, by_command=0.1)
    yield target
    target.close()


def find_findings(target, count):
    """Return the faults found in ``count`` inputs, except slowness, because tests are not timed."""
    return fuzzing.run_target(target, SEED, count=count, slow=False).findings


# A short run


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("name", "count", "wanted"),
    [
        ("reader", 200, {"refused by all", "YAML", "YAML, message"}),
        ("mail", 70, {"a turn", "no turn", "status 2"}),
        ("schema", 50, {"message, accepted", "message, refused", "battle-for-kursk-scenario, refused"}),
        ("adjudicate", 70, {"status 0, posture", "status 1, posture", "status 2", "status 1, by the command"}),
    ],
)
@pytest.mark.parametrize("share", sweeps.sizes(1, 3))
def test_T26_nothing_comes_but_our_own_errors(request, name, count, wanted, share):
    count = count * share // 3
    outcome = fuzzing.run_target(request.getfixturevalue(name), SEED, count=count, slow=False)
    assert not outcome.findings
    assert outcome.inputs == outcome.words.total() == count
    assert share == 1 or wanted <= outcome.words.keys()


@pytest.mark.parametrize("name", ["reader", "mail", "schema", "adjudicate"])
def test_an_input_follows_from_target_seed_and_number(request, name):
    target = request.getfixturevalue(name)
    inputs = [fuzzing.make_input(target, SEED, number) for number in range(4)]
    assert inputs == [fuzzing.make_input(target, SEED, number) for number in range(4)]
    assert inputs != [fuzzing.make_input(target, SEED + 1, number) for number in range(4)]


def test_what_is_written_anyhow_says_the_same():
    """The layouts of the inputs keep their content; otherwise the content is never tested."""
    rng = random.Random(1)
    tree = {"a": "it's", "b": {"c": ["x", {"d": ""}], "e": {}, "f": []}, "0113": 'q"\\', "g": [["y", "z"], "no"]}
    for _ in range(60):
        raw = fuzz_corpus.write_yaml(rng, tree)
        assert fuzz_corpus_read(raw) == tree, raw


def fuzz_corpus_read(raw):
    from kursk_pbem.formats import strictyaml  # noqa: PLC0415

    return strictyaml.read(raw, "x").data


# Detection of faults


class Broken:
    """A target with a given bad action."""

    name, suffix = "reader", ".yaml"

    def __init__(self, does):
        self.does = does

    def make(self, rng):
        return rng.randbytes(3)

    def judge(self, raw, watch):
        with watch.watch_step("a step"):
            self.does(raw)
        return "well"


def test_an_exception_is_kept_with_its_input_and_how_to_repeat_it(tmp_path, monkeypatch, capsys):
    def crash(raw):
        raise KeyError(raw[0])

    outcome = fuzzing.run_target(Broken(crash), SEED, count=9, kept=tmp_path / "reader")
    assert outcome.words == Counter(CRASH=9)
    assert len(outcome.findings) == fuzzing.ALIKE
    path = tmp_path / "reader" / f"{SEED}-0" / "input.yaml"
    assert path.read_bytes() == fuzzing.make_input(Broken(crash), SEED, 0)
    assert "KeyError" in (path.parent / "what.txt").read_text(encoding="utf-8")
    assert f"REPEAT={path}" in outcome.findings[0]
    monkeypatch.setattr(fuzz, "make_target", lambda name, _ruleset: Broken(crash) if name == "reader" else None)
    assert fuzz.repeat_input(path) == 1
    assert "KeyError" in capsys.readouterr().out
    monkeypatch.setattr(fuzz, "make_target", lambda _name, _ruleset: Broken(len))
    assert fuzz.repeat_input(path) == 0
    assert fuzz.repeat_input(tmp_path / "nowhere.yaml") == 2


def test_what_is_written_fetched_or_run_is_seen(tmp_path):
    def reads(_raw):
        return Path(__file__).read_bytes()

    assert not find_findings(Broken(reads), 1)
    for does, words in (
        (lambda _raw: (tmp_path / "x").write_bytes(b""), "for writing"),
        (lambda _raw: (tmp_path / "d").mkdir(), "os.mkdir"),
        (lambda _raw: (tmp_path / "x").unlink(), "os.remove"),
        (lambda _raw: subprocess.run(["true"], check=False), "subprocess.Popen"),
    ):
        assert words in find_findings(Broken(does), 1)[0]
    (tmp_path / "x").write_bytes(b"")  # allowed outside a step


def test_what_takes_too_long_is_seen_and_what_does_not_end_is_broken_off(monkeypatch):
    monkeypatch.setattr(fuzzing, "SLOW", -1.0)
    assert fuzzing.run_target(Broken(len), SEED, count=1).words == Counter(SLOW=1)
    if hasattr(fuzzing.signal, "SIGALRM"):
        monkeypatch.setattr(fuzzing, "HANG", 0.05)
        word, fault = fuzzing.judge_input(Broken(lambda _raw: loop_forever()), b"")
        assert word == "HANG"
        assert "forever" in fault


def loop_forever():
    while True:
        pass


@pytest.mark.parametrize(
    "words",
    [
        "elsewhere:1: this is wrong and that is why",
        "f.yaml:1: bad",
        "f.yaml:1: it holds \x1b[2J and is refused",
        "f.yaml:1: it holds \u0423 and so is refused",
        "f.yaml: it is wrong\nand here is no file",
    ],
)
def test_T29_words_that_may_not_be_shown_are_seen(words):
    with pytest.raises(fuzzing.Wrong):
        fuzzing.check_refusal(FileError(words), "f.yaml")
    assert fuzzing.check_refusal(FileError("what is wrong with it", Where("f.yaml", 3)), "f.yaml") == "status 2"


@pytest.mark.long("test-all")
def test_a_writer_that_loses_something_is_seen(reader, monkeypatch):
    emit = messages.emit_message
    monkeypatch.setattr(messages, "emit_message", lambda content, *rest: emit({**content, "from": "german"}, *rest))
    assert any("emitted and read again" in each for each in find_findings(reader, 30))


def test_a_writer_that_fails_on_apostrophes_is_seen(reader, monkeypatch):
    def folded(text, indent, width=0):
        raise IndexError

    monkeypatch.setattr(yamlout, "_fold_text", folded)
    assert any("IndexError" in each for each in find_findings(reader, 60))


def test_a_signature_that_fits_anything_is_seen(mail, monkeypatch):
    turn = next(each for each in mail.turns if b"from: german" in each)
    forged = b"Hello\n\n" + turn.replace(b"from: german", b"from: russian")
    assert fuzzing.judge_input(mail, forged)[1] == ""
    monkeypatch.setattr(sshsig, "verify", lambda *_what: b"")
    assert "nobody has signed" in fuzzing.judge_input(mail, forged)[1]


def test_a_quick_check_that_lets_something_through_is_seen(schema, monkeypatch):
    held = precheck.is_accepted
    monkeypatch.setattr(precheck, "is_accepted", lambda data, name: held({**data, "seq": "1"}, name))
    assert any("the quick check says" in each for each in find_findings(schema, 40))


def test_a_rule_that_crashes_is_seen(adjudicate, monkeypatch):
    def refuse(*_what):
        raise RuntimeError("no")

    monkeypatch.setattr(Umpire, "refuse", refuse)
    assert any("RuntimeError" in each for each in find_findings(adjudicate, 20))


def test_a_rule_that_puts_a_unit_on_another_is_seen(adjudicate, monkeypatch):
    held = games.extend

    def stacked(game, message):
        after, result = held(game, message)
        first, second = sorted(after.state.units)[:2]
        units = {**after.state.units, first: after.state.units[second]}
        return games.replace(after, state=after.state.with_(units=units)), result

    monkeypatch.setattr(games, "extend", stacked)
    assert any("the position is none" in each for each in find_findings(adjudicate, 30))


def test_a_refusal_that_leaves_a_file_is_seen(adjudicate, monkeypatch):
    held = games.begin

    def careless(message, *rest):
        (Path(os.environ["KURSK_HOME"]) / "left").write_text("", encoding="ascii")
        return held(message, *rest)

    at = next(each.key for each in adjudicate.moments.values() if each.folders is not None)
    void = json.dumps({"at": at, "choices": {}, "over": {"prev": "0" * 64}, "command": True}).encode("ascii")
    assert fuzzing.judge_input(adjudicate, void) == ("status 1, by the command", "")
    monkeypatch.setattr(games, "begin", careless)
    word, fault = fuzzing.judge_input(adjudicate, void)
    assert word == "WRONG"
    assert "changed are" in fault


# Options


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ({}, {"reader", "mail", "schema", "adjudicate"}),
        ({"seconds": 600}, {"reader", "mail", "schema", "adjudicate"}),
        ({"target": "all"}, {"reader", "mail", "schema", "adjudicate"}),
        ({"target": "mail", "seconds": 9}, {"mail"}),
        ({"games": 300}, {"games"}),
        ({"games": 300, "mutations": "all"}, {"games", "changes"}),
        ({"mutations": "0"}, {"reader", "mail", "schema", "adjudicate"}),
        ({"target": "games"}, {"games"}),
    ],
)
def test_what_make_fuzz_does(words, parts):
    asked = argparse.Namespace(**{"target": None, "seconds": None, "games": None, "mutations": None, **words})
    assert fuzz._choose_parts(asked) == parts


def test_a_ruleset_that_there_is_not_is_an_error_and_nothing_is_played(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fuzz.py", "--ruleset", "battle-for-moscow", "--games", "1"])
    monkeypatch.setattr(fuzz, "play_games", None)
    assert fuzz.main() == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "'battle-for-moscow'" in said.err
    assert all(rid in said.err for rid in registry.KITS)


@pytest.mark.parametrize("kit", sweeps.some(registry.kits(), 4), ids=lambda kit: kit.id)
def test_the_ruleset_asked_for_is_played(monkeypatch, capsys, tmp_path, kit):
    """The fuzzer plays ``count`` games from the seed on, of no other ruleset."""
    played = []

    def play(kit, folder, seed):
        folder.mkdir(parents=True)
        played.append((kit.id, seed))
        return signed_play.Played(seed, kit.scenarios[0], {})

    monkeypatch.setattr(signed_play, "play_game", play)
    monkeypatch.setattr(fuzz, "KEPT", tmp_path)
    words = ["--ruleset", kit.id, "--target", "games", "--games", "3", "--seed", "7"]
    monkeypatch.setattr(sys, "argv", ["fuzz.py", *words])
    assert fuzz.main() == 0
    assert played == [(kit.id, 7), (kit.id, 8), (kit.id, 9)]
    assert f"{kit.id}, random games: 3 played" in capsys.readouterr().out


@pytest.mark.parametrize("kit", sweeps.some(registry.kits(), 4), ids=lambda kit: kit.id)
def test_a_system_without_hostile_orders_is_fuzzed_with_its_random_player(kit):
    """A new system has no hostile orders."""
    target = Adjudicate(kit.id, tuple(kit.plots)[:1], (3,), most=4)
    try:
        orders = target.orders[kit.id]
        orders.own = fuzz_orders.Plain(kit)
        outcome = fuzzing.run_target(target, SEED, count=15, slow=False)
        assert not outcome.findings
        assert outcome.words.keys() > {"status 2"}
    finally:
        target.close()


@pytest.mark.long
@pytest.mark.parametrize("rid", sweeps.some(registry.TOYS, 3))
def test_a_system_that_is_as_unlike_as_can_be_is_fuzzed_as_well(rid, monkeypatch):
    toys.plug(monkeypatch)
    target = Adjudicate(rid, seeds=(3,), most=9, by_command=0.2)
    try:
        outcome = fuzzing.run_target(target, SEED, count=40, slow=False)
    finally:
        target.close()
    assert not outcome.findings
    assert any(word.startswith("status 0") for word in outcome.words)
    assert any(word.endswith("by the command") for word in outcome.words)


def test_lines_that_were_not_reached_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz_lines, "RULES", tmp_path)
    path = tmp_path / "rule.py"
    path.write_text("def rule(x):\n    if x:\n        return 1\n    return 2\n", encoding="ascii")
    space = {}
    exec(compile(path.read_text(encoding="ascii"), str(path), "exec"), space)  # noqa: S102
    reached = fuzz_lines.Lines(tmp_path)
    before = sys.gettrace()
    with reached:
        space["rule"](0)
    sys.settrace(before)
    assert str(reached).splitlines() == ["rules: 2 of 3 lines in functions reached", "  rule.py: rule: 3"]


@pytest.mark.parametrize("kit", sweeps.some(registry.kits(), 4), ids=lambda kit: kit.id)
def test_what_was_never_reached_is_listed(kit):
    known = fuzz_reached.replay_finished_games(kit)
    lines = list(fuzz_reached.list_missing(kit, known))
    assert [line.rpartition(": ")[2] for line in lines[:3]] == ["none"] * 3
    nothing = list(fuzz_reached.list_missing(kit, Reached()))
    assert all(rule in nothing[2] for rule in fuzz_reached.paragraphs.list_coded(kit) if rule in known.paragraphs)
    assert nothing[3] == lines[3], "what no event cites does not depend on what was played"
    assert all(kind in nothing[0] for kind in known.decisions)
    assert all(result in nothing[1] for result in known.results)
