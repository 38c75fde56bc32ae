"""Questions about rules with exact answers, from the conformance suite and from random games of the forms' player."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, count, repeat, tee
from typing import Any

from kursk_pbem.arena import ground
from kursk_pbem.audit import suite
from kursk_pbem.desk.draft import orderlines
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats import data
from kursk_pbem.game import questions, scenarios
from kursk_pbem.game.questions import JUDGE, PARAGRAPHS, PLAY
from kursk_pbem.kernel.adjudicate import adjudicate, make_filing
from kursk_pbem.kernel.forms import Draw, FormPlayer
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, OVER, from_plain
from kursk_pbem.practice.levels import make_draw
from kursk_pbem.practice.play import CHOICES, HashedDice
from kursk_pbem.rulesets import MODULES, ruleset

Case = dict[str, Any]
LEGAL, POSITION = "legal", "position"
KINDS = (LEGAL, LEGAL, PARAGRAPHS, POSITION)
"""The kinds of questions in turn. Two yes/no questions are a pair of one moment, the legal message first."""
SPOILS = 12
"""Maximum number of tries to change a word of a legal message so that the rules refuse the message."""
NO_WORDS = ("id", "face", "facing", "chip", "pressed")
"""Keys whose words stay in a changed message."""
ASKED = {
    LEGAL: 'Is the message legal? Answer {"legal": true} or {"legal": false}.',
    PARAGRAPHS: 'Which paragraphs does the illegal message break? Answer {"paragraphs": [...]}, each once, sorted.',
    POSITION: 'What is the new position? Answer {"duties": {...}, "choices": {...}, "rolled": [...], "over": false, '
    '"winner": ""}, as in level play of conformance/runner.md.',
}
FIELDS = ("system", "level", "scenario", "options", "dice-from", "position", "message", "reveal", "dice")


def make_questions(cases: Sequence[Case], number: int, seed: str) -> list[Case]:
    """Return questions about random games and about conformance cases (``cases``). Equal seeds give equal questions."""
    clear = [case for case in cases if "alternatives" not in case and case.get("message", {}).get("type") == "turn"]
    made, systems = list[Case](), sorted(MODULES)
    sources = [_open_sources(system, [case for case in clear if case["system"] == system], seed) for system in systems]
    for at in range(number):
        kind = KINDS[at % len(KINDS)]
        rounds, system = divmod(at // len(KINDS), len(systems))
        made.append(_make_question(kind, next(sources[system][kind][rounds % 2])))
    return [{**question, "id": f"{at:05}"} for at, question in enumerate(_shuffle_cases(made, seed), 1)]


def _open_sources(system: str, cases: Sequence[Case], seed: str) -> dict[str, tuple[Iterator[Case], Iterator[Case]]]:
    """Return kind of question -> the given cases of a system in random order, and endless cases of random games."""
    mixed = _shuffle_cases(cases, seed)
    ids = [f"{system}/{folder.name}" for folder in sorted(data.find_folder("scenarios").joinpath(system).iterdir())]
    games = (_play_game(ids[game % len(ids)], f"{seed}/{game}") for game in count())
    streams = tee(chain.from_iterable(games), 3)
    kinds = zip((LEGAL, PARAGRAPHS, POSITION), streams, strict=True)
    drawn = {kind: _select_cases(kind, stream) for kind, stream in kinds}
    broken = (case for case in mixed if case["level"] == JUDGE and not case["expect"].get(LEGAL, True))
    played = (case for case in mixed if case["level"] == PLAY)
    return {
        LEGAL: (drawn[LEGAL], drawn[LEGAL]),
        PARAGRAPHS: (chain(broken, drawn[PARAGRAPHS]), drawn[PARAGRAPHS]),
        POSITION: (chain(played, drawn[POSITION]), drawn[POSITION]),
    }


def _shuffle_cases(cases: Sequence[Case], seed: str) -> list[Case]:
    left, draw = [*cases], make_draw(seed)
    return [left.pop(draw(len(left))) for _case in cases]


def _select_cases(kind: str, cases: Iterable[tuple[str, Case]]) -> Iterator[Case]:
    """Yield the cases of a kind of question."""
    return (case for asked, case in cases if asked == kind)


def _play_game(scenario_id: str, seed: str) -> Iterator[tuple[str, Case]]:
    """Yield the cases of a random game, each with its kind of question; a legal message with a spoilt copy."""
    scenario, draw = scenarios.load(scenario_id), make_draw(seed)
    rules = ruleset(scenario.ruleset)
    setting = scenarios.make_setting(rules, scenario, {}, "players")
    player, sealed = FormPlayer(rules, setting, draw), dict[str, Any]()
    state = scenarios.make_first_position(rules, setting)
    for seq in count(1):
        if state.stage == OVER:
            return
        side, reveal, dice = state.side, sealed.get(state.side, {}), HashedDice(seq, seed)
        duties = adjudicate(rules, setting, state, Filing(seq, side, reveal=reveal, resigns=True), dice)
        about = {"system": rules.id, "scenario": {"id": scenario_id, "sha256": scenario.sha256}, "options": {}}
        about |= {"dice-from": "players", "position": state.to_plain(), "reveal": reveal, "dice": duties.dice}
        content = {} if duties.middle.stage == OVER else player.content(duties.middle, seq)
        filing = make_filing(rules, setting, content, side, seq)
        if content and not filing.sealed:
            legal = _make_case(about, filing, JUDGE)
            if spoilt := _spoil_case(legal, draw):
                yield from ((LEGAL, legal), (LEGAL, spoilt))
        if content and player.refused:
            refused = make_filing(rules, setting, player.refused, side, seq)
            if not (case := _make_case(about, refused, JUDGE))["expect"][LEGAL]:
                yield PARAGRAPHS, case
        case = _make_case(about, filing, PLAY)
        if content:
            yield POSITION, case
        state, sealed[side] = questions.adjudicate_case(case).after, filing.sealed


def _spoil_case(legal: Case, draw: Draw) -> Case | None:
    """Return the case with one word changed so that the rules refuse the message; None without luck.

    The new word has the length of the old one, so the form of a message does not tell whether the message is legal.
    """
    words = [*_list_words(legal["message"], ())]
    for _try in range(SPOILS if words else 0):
        path, word = words[draw(len(words))]
        others = sorted({other for _path, other in words if _is_like(other, word)} | {*_list_others(legal, word)})
        if not (others := [other for other in others if other != word and len(other) == len(word)]):
            continue
        message = json.loads(json.dumps(legal["message"]))
        part: Any = message
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = others[draw(len(others))]
        case = {**legal, "message": message}
        with suppress(KurskError):
            if not (expect := questions.decide(case))[LEGAL]:
                return {**case, "expect": expect}
    return None


def _list_words(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield the units and places in the orders and answers of a message, with their paths."""
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in items:
        if isinstance(value, str) and path and key not in NO_WORDS:
            yield (*path, key), value
        elif not isinstance(value, str):
            yield from _list_words(value, (*path, key))


def _is_like(one: str, other: str) -> bool:
    """Return whether two words have digits and letters at the same places."""
    return [sign.isdigit() for sign in one] == [sign.isdigit() for sign in other]


def _list_others(case: Case, word: str) -> Iterator[str]:
    """Yield words for a word: units of the side for a unit, otherwise near places, by a digit more or less."""
    units, board = case["position"]["units"], getattr(questions.load_setting(case), "board", None)
    if word in units:
        yield from (uid for uid in units if uid.partition("-")[0] == word.partition("-")[0])
        return
    near = (
        word[:at] + str((int(sign) + by) % 10) + word[at + 1 :]
        for at, sign in enumerate(word)
        if sign.isdigit()
        for by in (1, 9)
    )
    yield from (other for other in near if board is None or word not in board.index or other in board.index)


def _make_case(about: Case, filing: Filing, level: str) -> Case:
    parts = {part: getattr(filing, part) for part in (*CHOICES, "orders", "secret") if getattr(filing, part)}
    message = {"seq": str(filing.seq), "from": filing.writer, "type": "turn", **parts}
    case = {**about, "message": message, "level": level}
    return {**case, "expect": questions.decide(case)}


def _make_question(kind: str, case: Case) -> Case:
    """Return a question about a case. Raises UsageError for a case of a suite that does not fit the rules."""
    try:
        return _write_question(kind, case)
    except questions.MISFITS as error:
        if "id" not in case:  # of a random game: a bug
            raise
        why = f"{case['id'][:60]!a} of the suite does not fit the rules ({type(error).__name__})"
        raise UsageError(f"the case {why}; conformance/case.schema.json describes the form of a case") from None


def _write_question(kind: str, case: Case) -> Case:
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
    setting = questions.load_setting(case)
    words, picture = rules.seen.words(setting), rules.seen.picture(setting, from_plain(position))
    yield f"{rules.title}, scenario {case['scenario']['id']}. Turn {position['turn']}, stage {position['stage']}."
    pieces = {piece.id: piece for piece in picture.pieces}
    usual = rules.data.arrange(setting).units if rules.data.arrange else {}  # of models that a deployment leaves out
    for unit, now in position["units"].items():
        if now["place"] != ELIMINATED:
            printed = ground.describe_piece(pieces.get(unit))
            where = f" (usually at {usual[unit].place})" if now["place"] == OFF_MAP and unit in usual else ""
            yield f"{unit}, {words.unit(unit)}: {words.place(now['place'])}{where}, steps {now['steps']}{printed}"
    named = ground.find_words([message, position["agenda"]])
    if near := ground.list_near(picture, named):
        yield "The map near all units and places that the message or a waiting attack names:"
        yield from ground.describe_ground(picture, near)
    parts = {key: position[key] for key in ("marks", "tracks", "agenda")}
    parts |= {key: case[key] for key in ("options", "dice-from", "dice", "reveal")}
    yield from (f"{key}: {json.dumps(value, sort_keys=True)}" for key, value in parts.items() if value)
    yield f"The {message['from']} side writes message {message['seq']} ({message['type']}):"
    choices = {key: message[key] for key in (*CHOICES, "orders") if key in message}
    yield from [line for _path, line in orderlines.list_lines(choices)] or ["no orders"]
    yield from (f"sealed: {label}" for label in message.get("secret", ()))


def score_answers(asked: Iterable[bytes], lines: Sequence[bytes]) -> Iterator[str]:
    """Yield a line for every kind of question: the number of right answers, and the number of questions.

    For questions of legality, add how often the answer 'legal' alone is right. ``lines``: the answers, in the order of
    ``asked``. Raises UsageError if a line of ``asked`` is not a question.
    """
    answers = lines[1:] if lines and "conformance" in (suite.read_line(lines[0]) or {}) else lines
    cases = [suite.read_line(line) or {} for line in asked]
    if not all(str(case.get("kind")) in ASKED and isinstance(case.get("expect"), dict) for case in cases):
        raise UsageError("a line of the file is no question; 'kursk conformance questions' writes a file of questions")
    right, number = Counter[str](), Counter(case["kind"] for case in cases)
    for case, line in zip(cases, chain(answers, repeat(b"")), strict=False):
        right[case["kind"]] += suite.judge_line(case, line) == "pass"
    legal = sum(case["expect"] == {LEGAL: True} for case in cases)
    for kind in sorted(number):
        base = f"; the answer 'legal' alone is right for {legal} of {number[kind]}" if kind == LEGAL else ""
        yield f"{kind}: {right[kind]} of {number[kind]} right{base}"
