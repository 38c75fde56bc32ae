"""Rules questions with exact answers: our runner answers all, and the answer "legal" alone gains the base rate."""

import json
from collections import Counter

import pytest
from helpers.suites import load_suite

from agents import shapes
from kursk_pbem.arena import ground, quiz
from kursk_pbem.audit import conformance, suite
from kursk_pbem.cli import run
from kursk_pbem.cli.proof import conforming
from kursk_pbem.rulesets import MODULES

NUMBER = 16


@pytest.fixture(scope="module")
def asked():
    return quiz.make_questions(load_suite().cases, NUMBER, "7")


@pytest.fixture
def score(asked, tmp_path, capsys):
    """Return a function: answers, as lines -> the printed lines, of the command."""
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(question) + "\n" for question in asked), encoding="ascii")

    def command(lines):
        answers = tmp_path / "answers.jsonl"
        answers.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        assert run(["conformance", "score", str(answers), "--questions", str(path)]) == 0
        return capsys.readouterr().out.splitlines()

    return command


def test_our_runner_answers_every_question(asked, score):
    """The program's answers, with its greeting, are the answers of ``kursk conformance answer``."""
    lines = [json.dumps(conformance.greet()), *(json.dumps(conformance.answer_question(each)) for each in asked)]
    assert [line.partition(";")[0] for line in score(lines)] == [
        "legal: 8 of 8 right",
        "paragraphs: 4 of 4 right",
        "position: 4 of 4 right",
    ]


def test_the_answer_legal_alone_gains_the_stated_base_rate(asked, score):
    """Half of the yes/no questions are illegal, in every system."""
    said = score(['{"answer": {"legal": true}}'] * NUMBER)
    assert said[0] == "legal: 4 of 8 right; the answer 'legal' alone is right for 4 of 8"
    legal = Counter((each["system"], each["expect"]["legal"]) for each in asked if each["kind"] == "legal")
    assert legal == {(system, value): 1 for system in MODULES for value in (True, False)}


def test_missing_wrong_and_odd_answers_are_not_right(score):
    said = score(['{"answer": {"legal": 1}}', "nonsense", '{"answer": []}', '{"error": "no"}', "[" * 5000])
    assert [line.partition(";")[0] for line in said] == [
        "legal: 0 of 8 right",
        "paragraphs: 0 of 4 right",
        "position: 0 of 4 right",
    ]


def test_a_file_without_questions_is_refused(tmp_path, capsys):
    path = tmp_path / "answers.jsonl"
    for text in ('{"answer": {}}\n', '{"kind": ["legal"], "expect": {}}\n', '{"kind": "legal", "expect": 1}\n'):
        path.write_text(text, encoding="ascii")
        assert run(["conformance", "score", str(path), "--questions", str(path)]) == 2
        assert "a line of the file is no question" in capsys.readouterr().err


def test_equal_seeds_give_equal_questions_of_all_systems(asked, capsys, monkeypatch):
    """The command writes the same bytes as the library; a quarter of the questions is about the suite."""
    cases = load_suite().cases
    monkeypatch.setattr(suite, "read_suite", lambda _place: load_suite())
    assert run(["conformance", "questions", "--count", "4", "--seed", "8"]) == 0
    written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert written == quiz.make_questions(cases, 4, "8")
    assert Counter(each["system"] for each in asked) == dict.fromkeys(MODULES, NUMBER // len(MODULES))
    known = [json.dumps([case["position"], case.get("message")], sort_keys=True) for case in cases]
    found = [json.dumps([each["position"], each["message"]], sort_keys=True) in known for each in asked]
    assert NUMBER // 4 <= found.count(True) < NUMBER // 4 + 8  # random games have some messages of the suite, too
    assert written != quiz.make_questions(cases, 4, "9")


def test_the_words_name_the_position_and_the_message_but_no_answer(asked):
    for each in asked:
        assert f"The {each['message']['from']} side writes message {each['message']['seq']}" in each["text"]
        assert all(unit in each["text"] for unit, now in each["position"]["units"].items() if now["steps"] != "0")
        assert each["text"].endswith(quiz.ASKED[each["kind"]])
        assert not {"title", "rules", "since"} & each.keys()
        assert ("ask" in each) == (each["kind"] == "paragraphs")


def name_shape(part):
    """Return the keys, counts and lengths of a message."""
    if isinstance(part, dict):
        return {key: name_shape(value) for key, value in part.items()}
    return [name_shape(value) for value in part] if isinstance(part, list) else len(part)


def test_the_form_of_a_message_does_not_tell_whether_it_is_legal(asked):
    """Bug: of 600 messages 65 % could be judged by form: a sealed plan was mostly illegal, an empty message legal."""
    pairs = {}
    for each in (each for each in asked if each["kind"] == "legal"):
        assert each["message"].keys() > {"seq", "from", "type"}
        moment = json.dumps([each["system"], each["position"], each["message"]["seq"]], sort_keys=True)
        pairs.setdefault(moment, {})[each["expect"]["legal"]] = each["message"]
    assert len(pairs) == NUMBER // 4
    for pair in pairs.values():
        assert name_shape(pair[True]) == name_shape(pair[False])
        assert pair[True] != pair[False]


@pytest.mark.long("test-all")
@pytest.mark.parametrize("seed", ["101", "202", "303"])
def test_a_classifier_of_shapes_knows_no_more_than_a_coin(seed):
    """A naive Bayes classifier of keys, counts, lengths and seals; it answered 68 to 70 % of the questions before."""
    made = quiz.make_questions(load_suite().cases, 96, seed)
    assert shapes.measure_share([each for each in made if each["kind"] == "legal"]) <= 0.55


def test_the_words_have_the_map_around_the_message_and_the_figures_of_counters(asked):
    """Each hex of the message's units has a line with ground and neighbours; on a table top all ground has corners."""
    for each in (each for each in asked if each["kind"] == "legal"):
        units, plane = each["position"]["units"], each["system"] == "armor-commander"
        lines = each["text"].partition("The map near all units and places")[2].splitlines()[1:]
        assert ("corners" in lines[0]) if plane else ("; beside " in lines[0])
        hexes = {line.partition(":")[0] for line in lines}
        named = {units[word]["place"] for word in ground.find_words(each["message"]) if word in units}
        assert plane or {place for place in named if place[-1].isdigit()} <= hexes
    assert ", steps 2, 6-4, infantry, 4th Panzer Army\n" in "\n".join(each["text"] for each in asked)


def test_models_that_a_deployment_leaves_out_have_the_places_of_the_scenario(asked):
    """Bug: nobody could tell whether a deployed model touches the others (A-44)."""
    tables = [each["text"] for each in asked if each["system"] == "armor-commander" and " off-map" in each["text"]]
    assert tables
    assert all(text.count(" off-map") == text.count(" off-map (usually at ") for text in tables)


def test_the_background_names_paragraphs_tables_and_the_whole_map(capsys):
    assert run(["conformance", "questions", "--background", "juggernauts/july-1943"]) == 0
    told = capsys.readouterr().out
    assert "1.0-least: Below 1:5" in told
    assert "Ground Combat Results Table [1.0]" in told
    assert told.count("; beside ") == 391


def test_questions_need_no_suite(capsys, monkeypatch, tmp_path):
    """As in an installed program. Nobody resigns."""
    monkeypatch.setattr(conforming, "DEFAULT", tmp_path / "none")
    assert run(["conformance", "questions", "--count", "4", "--suite", str(tmp_path / "none")]) == 0
    made = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert Counter(each["kind"] for each in made) == {"legal": 2, "paragraphs": 1, "position": 1}
    assert {each["message"]["type"] for each in made} == {"turn"}
    answers = [json.dumps(conformance.answer_question(each)).encode() for each in made]
    assert {suite.judge_line(each, line) for each, line in zip(made, answers, strict=True)} == {"pass"}
