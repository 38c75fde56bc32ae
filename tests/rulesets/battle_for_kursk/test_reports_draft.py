"""Drafts: written drafts read back exactly; the unchanged draft of every stage is a legal message."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.report import draft
from kursk_pbem.rulesets.battle_for_kursk import RULESET, sequence
from rulesets.battle_for_kursk import board

pytestmark = pytest.mark.slow

KEYS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9./-]{0,40}", fullmatch=True)
WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300) | st.sampled_from(
    ["no", "yes", "0113", "~", "null", "1e3", "ab" * 32, "1" * 64, "- x", "# x", "a: b", "'", '"', "\\", " ", "", "{}"]
)


def around(inner):
    return inner | st.lists(inner, max_size=6) | st.dictionaries(KEYS, inner, max_size=4)


VALUES = around(around(around(WORDS)))  # less deep than the strict reader allows


FIELDS = st.dictionaries(KEYS.map(lambda key: f"f{key}"), VALUES, max_size=4)
COMMENTS = st.lists(st.text(max_size=200), max_size=3)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(FIELDS, st.lists(st.tuples(KEYS, VALUES), max_size=3), COMMENTS, st.booleans())
def test_what_is_written_reads_back_exactly(fields, orders, comments, bare):
    fields = {"kursk-pbem": "1", **fields}
    wanted = dict(fields)
    hints = [Hint(("seal",), tuple(comments), {"posture/turn-1": {"posture": "engage", "reaction": "no"}})]
    hints += [Hint(("orders", key), tuple(comments), value) for key, value in dict(orders).items()]
    hints += [Hint(("waive",), tuple(comments), None), Hint(("policy",), (), {})]
    wanted |= {"seal": hints[0].value, "policy": {}}
    if orders:
        wanted["orders"] = dict(orders)
    text = draft.render(fields, hints, comments, bare=bare)
    assert all(len(line) <= draft.WIDTH for line in text.split("\n"))
    assert strictyaml.read(text.encode("ascii"), "x").data == wanted


def test_notes_of_any_letters_read_back():
    note = "J\u00fcrgen\n\n  says: " + "\u6f22" * 80 + " \U0001f600 end "
    text = draft.render({"kursk-pbem": "1", "note": note}, [], [])
    assert strictyaml.read(text.encode("ascii"), "x").data["note"] == note


def test_hashes_and_dangerous_words():
    text = draft.render({"game": "ab" * 32, "state-in": "cd" * 32, "seq": "12", "x": "no"}, [], [])
    assert text == f"game: {'ab' * 32}\nstate-in:\n  {'cd' * 32}\nseq: '12'\nx: 'no'\n"


def test_hints_stand_by_their_keys():
    hints = [
        Hint(("policy",), ("how to answer",), {}),
        Hint(("orders", "movement"), ("one", "  - two"), []),
        Hint(("orders", "battles"), ("none \u2014 today",), None),
        Hint(("choice",), (), {"posture/turn-1": {"posture": "engage", "reaction": "no"}}),
    ]
    assert draft.render({"seq": "1"}, hints, ["hello"]) == (
        "# hello\nseq: '1'\n\nchoice: {posture/turn-1: {posture: engage, reaction: 'no'}}\n\norders:\n"
        "  # one\n  #   - two\n  movement: []\n\n  # none \\u2014 today\n\n# how to answer\npolicy: {}\n"
    )
    assert "#" not in draft.render({"seq": "1"}, hints, ["hello"], bare=True)


def envelope(filing):
    return {
        "kursk-pbem": "1",
        "type": "turn",
        "game": "ab" * 32,
        "seq": str(filing.seq),
        "from": filing.writer,
        "prev": "cd" * 32,
    }


def drafts(played):
    for kursk, game in played:
        for _state, filing, result in game:
            if result.middle.stage != "over":
                yield draft.render(envelope(filing), RULESET.seen.hints(kursk, result.middle, filing.seq), ["a draft"])


@pytest.mark.long
def test_drafts_of_whole_games_are_read_by_the_strict_reader(played):
    for text in drafts(played):
        assert all(len(line) <= draft.WIDTH and line == line.rstrip() for line in text.split("\n"))
        document = strictyaml.read(text.encode("ascii"), "draft")
        known = ("choice", "waive", "orders", "decisions", "policy", "seal")
        choices = {key: value for key, value in document.data.items() if key in known}
        schema.check(choices, "battle-for-kursk", document)


def test_the_draft_of_every_stage_is_legal_as_it_stands(played):
    stages = set()
    for kursk, game in played:
        for state, filing, result in game:
            if result.middle.stage == "over":
                continue
            stages.add(state.stage)
            text = draft.render(envelope(filing), RULESET.seen.hints(kursk, result.middle, filing.seq), [])
            data = strictyaml.read(text.encode("ascii"), "draft").data
            hidden = data.get("seal", {})
            # The duties are done, and by the same rules: the choices alone are tried on the position after them.
            again = Filing(
                filing.seq,
                filing.writer,
                filing.reveal,
                data.get("choice", {}),
                data.get("waive", ""),
                data.get("orders", {}),
                data.get("policy", {}),
                dict.fromkeys(hidden, "0" * 64),
                hidden,
                decisions=data.get("decisions", {}),
            )
            fallen = Fallen(filing.seq, result.dice)
            done = adjudicate(RULESET, kursk, state, again, fallen)
            assert not done.violations, (state.stage, [str(each) for each in done.violations])
    assert stages == set(sequence.STAGES) - {"over"}


class Fallen:
    def __init__(self, seq, dice):
        self.seq, self.dice = seq, dice

    def roll(self, label, n):
        return self.dice[label]


def test_what_the_comments_offer_for_moves_and_battles_is_accepted(played):
    """The examples in the comments are orders that would be taken."""
    tried = 0
    for kursk, game in played[:1]:
        for state, filing, result in game:
            if result.middle.stage not in ("german-orders", "russian-orders", "german-dice", "russian-dice"):
                continue
            hints = RULESET.seen.hints(kursk, result.middle, filing.seq)
            for hint in hints:
                example = _example(hint)
                if not example:
                    continue
                hidden = {}
                for other in hints:
                    if other.path == ("seal",) and hint.path[-1] != "battles":
                        hidden = other.value or {}
                orders = {each.path[1]: each.value for each in hints if each.path[0] == "orders"} | example
                public, plans = RULESET.seal(kursk, orders, filing.seq)
                hidden = hidden | plans
                secret = dict.fromkeys(hidden, "0" * 64)
                again = Filing(filing.seq, filing.writer, filing.reveal, {}, "", public, {}, secret, hidden)
                done = adjudicate(RULESET, kursk, state, again, Fallen(filing.seq, result.dice))
                assert not done.violations, (hint.path, example, [str(each) for each in done.violations])
                tried += 1
    assert tried >= 20


def _example(hint):
    """Read the first lines of a comment that look like YAML."""
    lines = list(hint.lines)
    start = next((n for n, line in enumerate(lines) if line == f"{hint.path[-1]}:"), None)
    if start is None:
        return {}
    block = [lines[start]]
    for line in lines[start + 1 :]:
        if not line.startswith(("- ", "  ")):
            break
        block.append(line)
    return strictyaml.read("\n".join(block).encode("ascii"), "example").data


def told(state, field):
    (hint,) = (each for each in RULESET.seen.hints(board.kursk(), state, 10) if each.path == ("orders", field))
    return hint.lines


def test_8_0_who_moves_before_combat_too_can_move_after_it():
    """Bug: the draft lists armor one phase earlier, so without other units on the map the list was empty."""
    state = board.place("2016: g-48-pz | 2418: r-40")
    assert "No unit but armor can move now." in told(state, "movement")
    assert "g-48-pz (48 Pz, 10-6) in 2016:" in "\n".join(told(state, "armor-and-rail"))


def test_9_3_a_unit_that_returns_takes_what_is_left_when_it_comes():
    """Two units have equal lists, and only one of the units can take the first place."""
    state = board.place("off-map: g-48-pz | off-map: g-52 | 2016: g-3-pz | 2418: r-40; posture german pause; turn 4")
    lines = told(state, "returns")
    assert [line.partition(" to ")[2] for line in lines[2:]] == ["2116 Belgorod, 2117 Kharkov"] * 2
    assert lines[1] == "a unit without an entry takes the first free place."


def test_an_empty_mapping_is_written_so_that_it_parses():
    assert draft.render({"kursk-pbem": "1"}, [Hint(("policy",), (), {})], []).endswith("\npolicy: {}\n")


@pytest.mark.parametrize("lines", [("a\nb: c",), ("\u2028x",), ("x\x1b[2J",)])
def test_a_comment_cannot_end_early(lines):
    text = draft.render({"kursk-pbem": "1"}, [Hint(("policy",), lines, {})], list(lines))
    assert strictyaml.read(text.encode("ascii"), "x").data == {"kursk-pbem": "1", "policy": {}}
