"""Questions about rules with exact answers, from the conformance suite and from random games of the forms' player."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, repeat, tee
from typing import Any

from kursk_pbem.audit import suite
from kursk_pbem.desk.draft import orderlines
from kursk_pbem.errors import UsageError
from kursk_pbem.game import questions, scenarios
from kursk_pbem.game.questions import JUDGE, PARAGRAPHS, PLAY
from kursk_pbem.kernel.adjudicate import adjudicate, make_filing
from kursk_pbem.kernel.forms import FormPlayer
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OVER
from kursk_pbem.practice.levels import make_draw
from kursk_pbem.practice.play import CHOICES, HashedDice
from kursk_pbem.rulesets import MODULES, ruleset

Case = dict[str, Any]
LEGAL, ILLEGAL, PLAYED = CASES = ("legal", "illegal", "played")
POSITION = "position"
KINDS = ((LEGAL, LEGAL), (LEGAL, ILLEGAL), (PARAGRAPHS, ILLEGAL), (POSITION, PLAYED))
"""The kinds of questions in turn, each with its kind of case: half of the yes/no questions are illegal."""
ASKED = {
    LEGAL: 'Is the message legal? Answer {"legal": true} or {"legal": false}.',
    PARAGRAPHS: 'Which paragraphs does the illegal message break? Answer {"paragraphs": [...]}, each once, sorted.',
    POSITION: 'What is the new position? Answer {"duties": {...}, "choices": {...}, "rolled": [...], "over": false, '
    '"winner": ""}, as in level play of conformance/runner.md.',
}
FIELDS = ("system", "level", "scenario", "options", "dice-from", "position", "message", "reveal", "dice")


def make_questions(cases: Sequence[Case], number: int, seed: str) -> list[Case]:
    """Return questions, equal for equal seeds, of ``cases`` and of random games. Raises UsageError without cases."""
    clear = [case for case in cases if "alternatives" not in case and case["system"] in MODULES]
    if not (systems := sorted({case["system"] for case in clear})):
        raise UsageError("the suite has no cases of our systems; name another suite with --suite")
    made = list[Case]()
    sources = [_open_sources([case for case in clear if case["system"] == system], seed) for system in systems]
    for at in range(number):
        kind, wanted = KINDS[at % len(KINDS)]
        rounds, system = divmod(at // len(KINDS), len(systems))
        made.append(_make_question(kind, next(sources[system][wanted][rounds % 2])))
    return [{**question, "id": f"{at:05}"} for at, question in enumerate(_shuffle_cases(made, seed), 1)]


def _open_sources(cases: Sequence[Case], seed: str) -> dict[str, tuple[Iterator[Case], Iterator[Case]]]:
    """Return kind of case -> the given cases of a system in random order, and endless cases of random games."""
    mixed = _shuffle_cases(cases, seed)
    ids = sorted({(case["scenario"]["id"], case["scenario"]["sha256"]) for case in cases})
    games = (_play_game(*ids[game % len(ids)], f"{seed}/{game}") for game in count())
    drawn = zip(CASES, tee(chain.from_iterable(games), len(CASES)), strict=True)
    endless = {kind: _select_cases(kind, stream) for kind, stream in drawn}
    return {kind: (chain(_select_cases(kind, mixed), endless[kind]), endless[kind]) for kind in CASES}


def _shuffle_cases(cases: Sequence[Case], seed: str) -> list[Case]:
    left, draw = [*cases], make_draw(seed)
    return [left.pop(draw(len(left))) for _case in cases]


def _select_cases(kind: str, cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases of a kind."""
    for case in cases:
        judged = LEGAL if case["expect"].get(LEGAL) else ILLEGAL
        if kind == {JUDGE: judged, PLAY: PLAYED}.get(case["level"]):
            yield case


def _play_game(scenario_id: str, sha256: str, seed: str) -> Iterator[Case]:
    """Yield cases of a random game: of a message the legality or the effect, and the faults of a refused draft."""
    scenario, draw = scenarios.load(scenario_id, sha256), make_draw(seed)
    rules = ruleset(scenario.ruleset)
    setting = scenarios.make_setting(rules, scenario, {}, "players")
    player, sealed = FormPlayer(rules, setting, draw), dict[str, Any]()
    state = scenarios.make_first_position(rules, setting)
    for seq in count(1):
        if state.stage == OVER:
            return
        side, reveal, dice = state.side, sealed.get(state.side, {}), HashedDice(seq, seed)
        duties = adjudicate(rules, setting, state, Filing(seq, side, reveal=reveal, resigns=True), dice)
        about = {"system": rules.id, "scenario": {"id": scenario_id, "sha256": sha256}, "options": {}}
        about |= {"dice-from": "players", "position": state.to_plain(), "reveal": reveal, "dice": duties.dice}
        content = {} if duties.middle.stage == OVER else player.content(duties.middle, seq)
        filing = make_filing(rules, setting, content, side, seq)
        case = _make_case(about, filing, JUDGE if content and not filing.sealed and draw(2) else PLAY)
        yield case
        if content and player.refused:
            refused = make_filing(rules, setting, player.refused, side, seq)
            yield from _select_cases(ILLEGAL, [_make_case(about, refused, JUDGE)])
        state, sealed[side] = questions.adjudicate_case(case).after, filing.sealed


def _make_case(about: Case, filing: Filing, level: str) -> Case:
    parts = {part: getattr(filing, part) for part in (*CHOICES, "orders", "secret") if getattr(filing, part)}
    message = {"seq": str(filing.seq), "from": filing.writer, "type": "turn", **parts}
    case = {**about, "message": message, "level": level}
    return {**case, "expect": questions.decide(case)}


def _make_question(kind: str, case: Case) -> Case:
    """Return a question about a case, in words and as data, with its exact answer."""
    asked, expect = {"ask": kind} if kind == PARAGRAPHS else {}, case["expect"]
    if kind == PARAGRAPHS:
        expect = {PARAGRAPHS: sorted({fault["paragraph"] for fault in expect["faults"]})}
    elif kind == LEGAL:
        expect = {LEGAL: expect[LEGAL]}
    words = "\n".join((*_describe_case(case), ASKED[kind]))
    return {**{key: case[key] for key in FIELDS}, **asked, "kind": kind, "text": words, "expect": expect}


def _describe_case(case: Case) -> Iterator[str]:
    """Yield the lines of a position and a message in words; values without words as data."""
    rules, position, message = ruleset(case["system"]), case["position"], case["message"]
    words = rules.seen.words(questions.load_setting(case))
    yield f"{rules.title}, scenario {case['scenario']['id']}. Turn {position['turn']}, stage {position['stage']}."
    for unit, now in position["units"].items():
        if now["place"] != ELIMINATED:
            yield f"{unit}, {words.unit(unit)}: {words.place(now['place'])}, steps {now['steps']}"
    parts = {key: position[key] for key in ("marks", "tracks", "agenda")}
    parts |= {key: case[key] for key in ("options", "dice-from", "dice", "reveal")}
    yield from (f"{key}: {json.dumps(value, sort_keys=True)}" for key, value in parts.items() if value)
    yield f"The {message['from']} side writes message {message['seq']} ({message['type']}):"
    choices = {key: message[key] for key in (*CHOICES, "orders") if key in message}
    yield from [line for _path, line in orderlines.list_lines(choices)] or ["no orders"]
    yield from (f"sealed: {label}" for label in message.get("secret", ()))


def score_answers(asked: Iterable[bytes], lines: Sequence[bytes]) -> Iterator[str]:
    """Yield a line for each kind of question: right answers, questions, and the base rate of "always legal".

    ``lines``: answers in the order of the questions, as a runner writes answers. Raises UsageError.
    """
    answers = lines[1:] if lines and "conformance" in (suite.read_line(lines[0]) or {}) else lines
    cases = [suite.read_line(line) or {} for line in asked]
    if not all(str(case.get("kind")) in ASKED and isinstance(case.get("expect"), dict) for case in cases):
        raise UsageError("the file has a line that is no question; 'kursk conformance questions' writes questions")
    right, number = Counter[str](), Counter(case["kind"] for case in cases)
    for case, line in zip(cases, chain(answers, repeat(b"")), strict=False):
        right[case["kind"]] += suite.judge_line(case, line) == "pass"
    legal = sum(case["expect"] == {LEGAL: True} for case in cases)
    for kind in sorted(number):
        base = f"; the answer 'legal' alone is right for {legal} of {number[kind]}" if kind == LEGAL else ""
        yield f"{kind}: {right[kind]} of {number[kind]} right{base}"
