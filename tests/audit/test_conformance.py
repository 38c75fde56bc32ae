"""The conformance suite: our runner passes every case, and no asked program can stop or mislead the harness."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import sweeps
from helpers.registry import ROOT
from helpers.suites import list_cases, load_suite
from jsonschema import Draft202012Validator

sys.path.append(str(ROOT / "tools"))  # behind tests, whose folder app has the name of a tool

import conformance_data

from kursk_pbem.audit import conformance as answers
from kursk_pbem.audit import suite as suites
from kursk_pbem.cli import run
from kursk_pbem.errors import KurskError

SYSTEMS = ("armor-commander", "battle-for-kursk", "juggernauts", "kursk-1971")
OURS = [sys.executable, "-m", "kursk_pbem", "conformance", "answer"]
LEVELS = '"levels": ["count", "judge", "play"]'
GREETING = f'{{"conformance": 1, "name": "x", "version": "1", "systems": ["battle-for-kursk"], {LEVELS}}}'
GREETS = f"import sys, time, os\nprint({GREETING!r}, flush=True)\n"
"""The beginning of a program that greets as it should."""


def find_case(level, key=""):
    """Return the first case of a level, with a key in its question."""
    return next(case for case in load_suite().cases if case["level"] == level and key in (*case.get("ask", ()), ""))


def ask(script, number=2):
    cases = tuple(case for case in list_cases("battle-for-kursk") if case["level"] != "count")
    command = [sys.executable, "-c", script]
    suite, greeting = suites.Suite("1", "", cases[:number]), suites.greet_program(command)
    return [*suites.ask_cases(suite, command, greeting).values()]


def test_every_case_has_the_form_of_the_schema_and_its_own_id():
    schema = json.loads((ROOT / "conformance" / "case.schema.json").read_text(encoding="ascii"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert not [error.json_path for case in load_suite().cases[::57] for error in validator.iter_errors(case)]
    assert len({case["id"] for case in load_suite().cases}) == len(load_suite().cases)


def test_every_case_cites_paragraphs_of_its_system():
    known = {
        (path.parent.name, paragraph["id"])
        for path in (ROOT / "conformance").glob("*/paragraphs.json")
        for paragraph in json.loads(path.read_text(encoding="ascii"))
    }
    assert {(case["system"], rule) for case in load_suite().cases for rule in case["rules"]} <= known


def test_no_two_cases_are_equal_up_to_position_and_wording():
    """A person places the units on purpose, so cases by hand may have the same message: their positions differ."""
    met: dict[str, list[str]] = {}
    for case in load_suite().cases:
        asked = {key: value for key, value in case.items() if key not in ("id", "title", "rules", "since")}
        kept = [("position", asked.pop("position"))] if "/" not in case["id"] else []
        met.setdefault(json.dumps(asked, sort_keys=True), []).append(json.dumps(kept, sort_keys=True))
    assert [rest for rest, positions in met.items() if len(set(positions)) < len(positions)] == []
    assert [rest for rest, positions in met.items() if "[]" in positions and len(positions) > 1] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_coded_paragraph_has_a_case_and_150_cases_are_by_hand(system):
    path = ROOT / "conformance" / system / "paragraphs.json"
    paragraphs = json.loads(path.read_text(encoding="ascii"))
    met = {rule for case in list_cases(system) for rule in case["rules"]}
    assert [each["id"] for each in paragraphs if each["status"] == "coded" and each["id"] not in met] == []
    assert len([case for case in list_cases(system) if "/" not in case["id"]]) >= 150


@pytest.mark.some(8)
@pytest.mark.parametrize("part", range(8))
def test_our_engine_passes_every_case(part):
    """``tests/rulesets/test_cards.py`` asks the cases by hand."""
    wrong = {}
    for case in [case for case in load_suite().cases if "/" in case["id"]][part::8]:
        said = answers.answer_question(case)
        verdict = suites.judge_answer(case, said.get("answer"))
        if verdict != "pass":
            wrong[case["id"]] = said.get("error", verdict)
    assert not wrong


def write_suite(folder, cases):
    """Write a suite of some cases."""
    (folder / "all").mkdir(parents=True)
    (folder / "VERSION").write_text("1\n", encoding="ascii")
    (folder / "all" / "a.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases), encoding="ascii")


def test_our_runner_speaks_the_protocol_and_two_statements_are_equal(tmp_path, capsys):
    suite, some = tmp_path / "suite", load_suite().cases[::240]
    write_suite(suite, some)
    for name in ("a", "b"):
        assert run(["conformance", "run", "--suite", str(suite), "-o", str(tmp_path / name), *OURS]) == 0
    assert "fail 0, unsupported 0, error 0" in capsys.readouterr().out
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    statement = json.loads((tmp_path / "a").read_text(encoding="ascii"))
    assert statement["program"]["name"] == "kursk-pbem"
    assert statement["cases"] == {case["id"]: "pass" for case in some}


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (GREETS, "ended without an answer"),
        (GREETS + "sys.stdin.readline(); os._exit(3)", "ended without an answer"),
        (GREETS + "print('[' * 100_000)", "no JSON object"),
        (GREETS + "print('[1]')", "no JSON object"),
        (GREETS + "sys.stdout.buffer.write(bytes([255, 10]))", "no JSON object"),
        (GREETS + "print('{}')", "no known field"),
        (GREETS + 'print(\'{"error": "why"}\')', "the program says 'why'"),
        (GREETS + "print('{\"answer\": 3}')", "the answer is no object"),
    ],
)
def test_a_hostile_program_gets_an_error_with_a_reason(script, reason):
    said = ask(script)
    assert reason in said[0]
    assert said[0].startswith("error: ")
    assert said[1] == "error: the program ended without an answer"


def test_a_silent_program_costs_its_time_and_keeps_its_answers(monkeypatch):
    monkeypatch.setattr(suites, "SECONDS", 2)
    said = ask(GREETS + "print('{\"answer\": {}}', flush=True); sys.stdin.readline() and time.sleep(60)", 3)
    assert said[0].startswith("fail: ")
    assert said[1:] == ["error: the program gave no answer in 2 seconds"] * 2


def test_an_answer_without_an_end_is_cut_off_at_once():
    """Bug: the output of a program was read without a limit for ten minutes."""
    said = ask(GREETS + "while True: sys.stdout.write('x' * 100_000)")
    assert said[0] == f"error: the program wrote more than {suites.MAX_ANSWERS} bytes"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([sys.executable, "-c", "while True: print('x' * 100_000, end='')"], "wrote more than"),
        ([str(ROOT / "no-such-program")], "cannot be started"),
        ([sys.executable, "-c", "print('hello')"], "no JSON object"),
        ([sys.executable, "-c", "pass"], "is no greeting"),
        ([sys.executable, "-c", "print('{}')"], "is no greeting"),
    ],
)
def test_a_program_without_a_greeting_is_refused(tmp_path, capsys, command, reason):
    (tmp_path / "VERSION").write_text("1", "ascii")
    assert run(["conformance", "run", "--suite", str(tmp_path), *command]) == 2
    assert reason in capsys.readouterr().err


CASE = b'{"id": "a", "system": "s", "level": "play", "expect": {}, "scenario": {}, "options": {}'
CASE += b', "dice-from": "players", "position": {}}\n'
BOMBS = {
    "files that are small alone": (("a/a.jsonl.gz", "a/b.jsonl.gz", "b/a.jsonl.gz"), CASE, 400_000),
    "empty lines": (("a/a.jsonl.gz",), b"\n", 60_000_000),
    "one endless line": (("a/a.jsonl.gz",), b" ", 60_000_000),
    "lists in lists": (("a/a.jsonl.gz",), CASE[:-2] + b', "x": [' + b"[]," * 80_000 + b"[]]}\n", 50),
}
"""The files, what they repeat, and how often."""


@pytest.mark.some(8)
@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("scale", sweeps.sizes(10, 1))
def test_T27_a_bomb_of_cases_is_refused_early(tmp_path, bomb, packed, scale):
    """L2: the limit was that of each packed file, so 4 KB cost all memory; lines were counted after the unpacking.

    ``scale``: the divisor of bomb, limits and memory.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("only Linux tells the most memory of a process")
    names, part, number = BOMBS[bomb]
    for name in (*names, "VERSION"):
        path = tmp_path / "suite" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(part * (number // scale), 1) if name in names else b"1")
    place = Path(shutil.make_archive(tmp_path / "suite", "zip", tmp_path, "suite")) if packed else tmp_path / "suite"
    code = (
        "import sys; from kursk_pbem.audit import suite; from kursk_pbem.cli import run; "
        f"suite.MAX_SUITE //= {scale}; suite.MAX_VALUES //= {scale}; done = run(sys.argv[1:]); "
        f"print(open('{status}').read().split('VmHWM:')[1].split()[0]); sys.exit(done)"  # without the parent's memory
    )
    words = [sys.executable, "-c", code, "conformance", "run", "--suite", str(place), "true"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert re.search("too large: at most|is not a test case", done.stderr)
    assert int(done.stdout) < 60_000 + 440_000 // scale


def test_a_wrong_answer_fails_and_an_alternative_is_named():
    case = {"expect": {"over": True, "winner": "german"}, "alternatives": {"S-39=text": {"winner": "russian"}}}
    assert suites.judge_answer(case, {"over": True, "winner": "german", "more": 1}) == "pass"
    assert suites.judge_answer(case, {"over": True, "winner": "russian"}) == "pass with S-39=text"
    assert suites.judge_answer(case, {"over": 1, "winner": "german"}) == "fail: different over"
    assert suites.judge_answer(case, {}) == "fail: different over, winner"


def test_every_alternative_is_a_different_answer_and_is_named():
    read_twice = [case for case in load_suite().cases if case.get("alternatives")]
    assert read_twice
    for case in read_twice:
        for name, other in case["alternatives"].items():
            assert other.keys() <= case["expect"].keys()
            answer = {**case["expect"], **other}
            said = suites.judge_answer(case, answer)
            assert said.startswith("pass with ")
            assert said == f"pass with {name}" or {**case["expect"], **case["alternatives"][said[10:]]} == answer


def test_a_program_with_a_different_reading_passes_with_its_name(tmp_path, capsys):
    case = next(case for case in list_cases("kursk-1971") if case.get("alternatives"))
    name, other = next(iter(case["alternatives"].items()))
    greeting = {"conformance": 1, "name": "x", "version": "1", "systems": ["kursk-1971"], "levels": [case["level"]]}
    lines = {case["id"]: {"answer": {**case["expect"], **other}}}
    script = (
        "import json, sys\n"
        f"print({json.dumps({**greeting, 'preferences': [name]})!r}, flush=True)\n"
        f"answers = json.loads({json.dumps(lines)!r})\n"
        "for line in sys.stdin:\n"
        "    answer = answers.get(json.loads(line)['id'], {'unsupported': 'no answer'})\n"
        "    print(json.dumps(answer), flush=True)\n"
    )
    write_suite(tmp_path / "suite", [case, *list_cases("kursk-1971")[:2]])
    command = ["conformance", "run", "--suite", str(tmp_path / "suite"), "-o", str(tmp_path / "s")]
    assert run([*command, sys.executable, "-c", script]) == 0
    assert "pass 0, pass with 1, fail 0" in capsys.readouterr().out
    statement = json.loads((tmp_path / "s").read_text(encoding="ascii"))
    assert statement["cases"][case["id"]] == f"pass with {name}"
    assert statement["counts"] == {
        "pass": 0,
        "pass with": 1,
        "fail": 0,
        "unsupported": len(statement["cases"]) - 1,
        "error": 0,
    }
    assert statement["preferences"] == [name]
    assert {*statement["cases"].values()} == {f"pass with {name}", "unsupported"}


@pytest.mark.parametrize("key", ["scenario", "options", "dice-from", "position", "message", "reveal", "dice"])
@pytest.mark.parametrize("value", [None, 3, [], {}, "x", {"id": "../..", "sha256": "x"}])
def test_our_runner_answers_a_spoilt_question_with_an_answer_or_an_error(key, value):
    said = answers.answer_question({**find_case("play"), key: value})
    assert list(said) in (["answer"], ["error"])


def test_our_runner_answers_foreign_questions():
    assert "error" in answers.answer_question([])
    assert "unsupported" in answers.answer_question({"system": [], "level": {}})
    assert "unsupported" in answers.answer_question({**load_suite().cases[0], "level": "guess"})


@pytest.mark.parametrize(
    "ask", [None, [], {}, {"reach": "none", "phase": "move"}, {"reach": {}, "phase": []}, {"zone": "x"}]
)
@pytest.mark.parametrize("spoil", [lambda whole: whole, lambda _whole: None, lambda whole: {**whole, "units": {}}])
def test_our_runner_answers_a_spoilt_count_with_an_error(ask, spoil):
    case = find_case("count", "reach")
    assert list(answers.answer_question({**case, "ask": ask, "position": spoil(case["position"])})) == ["error"]


def test_counts_ask_every_kind_of_question_of_every_system():
    asked = {
        (case["system"], *(case["ask"].keys() - {"phase"})) for case in load_suite().cases if case["level"] == "count"
    }
    for system in SYSTEMS:
        assert {(system, "set-up"), (system, "reach"), (system, "targets"), (system, "odds")} <= asked


def test_our_runner_says_that_it_plays_no_illegal_message():
    case = next(case for case in load_suite().cases if case["level"] == "play" and case["message"]["from"] == "german")
    message = {**case["message"], "type": "turn", "orders": {"movement": [{"unit": "none", "path": ["0101"]}]}}
    spoilt = {**case, "message": message}
    assert "error" in answers.answer_question(spoilt)
    assert answers.answer_question({**spoilt, "level": "judge"})["answer"]["legal"] is False


def test_a_broken_suite_is_refused_with_its_line(tmp_path, capsys):
    assert run(["conformance", "run", "--suite", str(tmp_path), "x"]) == 2
    (tmp_path / "VERSION").write_text("1\n", encoding="ascii")
    (tmp_path / "s").mkdir()
    for line in (b"{}", CASE.replace(b'"scenario": {}, ', b"")):
        (tmp_path / "s" / "a.jsonl").write_bytes(line)
        for words in (["run", "--suite", str(tmp_path), "x"], ["questions", "--suite", str(tmp_path)]):
            assert run(["conformance", *words]) == 2
            assert "a.jsonl:1" in capsys.readouterr().err


@pytest.mark.some(2)
@pytest.mark.parametrize("level", ["judge", "play"])
def test_a_case_that_no_rules_fit_is_named(tmp_path, capsys, level):
    """Bug: `kursk conformance questions` ended with KeyError."""
    case = {**json.loads(CASE), "system": "juggernauts", "level": level, "message": {"type": "turn"}}
    write_suite(tmp_path / "suite", [{**case, "expect": {"legal": False}}])
    assert run(["conformance", "questions", "--count", "12", "--suite", str(tmp_path / "suite")]) == 2
    assert "the case 'a' of the suite does not fit the rules" in capsys.readouterr().err


def test_the_archive_is_the_suite_and_equal_files_give_equal_bytes(tmp_path):
    first, second = (conformance_data.write_archive(tmp_path / name) for name in "ab")
    assert first.read_bytes() == second.read_bytes()
    assert suites.read_suite(first) == load_suite()


@pytest.mark.parametrize("raw", [b"", b"PK", b"x" * 1000])
def test_a_broken_archive_is_refused(tmp_path, raw):
    (tmp_path / "x.zip").write_bytes(raw)
    with pytest.raises(KurskError):
        suites.read_suite(tmp_path / "x.zip")


def test_packed_cases_that_are_cut_are_refused(tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "VERSION").write_text("1\n", encoding="ascii")
    (tmp_path / "s" / "a.jsonl.gz").write_bytes(gzip.compress(b"{}" * 1000)[:-12])
    with pytest.raises(KurskError, match=r"a\.jsonl\.gz: .*take the suite again"):
        suites.read_suite(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        "conformance armor-commander",
        *(sweeps.long(f"conformance {system}") for system in SYSTEMS if system != "armor-commander"),
        sweeps.long("conformance_data"),
    ],
)
def test_the_files_of_the_suite_are_up_to_date(words):
    """After a wanted change: ``make conformance``."""
    tool, *systems = words.split()
    command = [sys.executable, f"tools/{tool}.py", "--check", *systems]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
