"""Changed files: a change of meaning is refused, and the refusal names the file and the fault."""

import re
from collections import Counter

import pytest
from helpers import mutations, sweeps
from helpers.falsified import (
    add_stop,
    false_die,
    falsified,
    game_folder,
    missing_die,
    no_reveal,
    other_opening,
    other_reveal,
    state_in,
    state_out,
    surplus_die,
)

from kursk_pbem.audit import verify
from kursk_pbem.cli import run
from kursk_pbem.game import games as records
from kursk_pbem.trust import messages


@pytest.fixture(scope="module")
def record(demo, tmp_path_factory):
    return mutations.Record(game_folder(demo), tmp_path_factory.mktemp("changed") / "game")


@pytest.mark.long
@pytest.mark.parametrize("sample", sweeps.sizes(150, 450))
def test_every_sampled_change_of_one_character_is_refused_or_changes_nothing(record, sample):
    statuses = Counter()
    for change in record.sample(sample, seed=7):
        text = record.altered(change)
        judged = record.judge(change.seq, text)
        statuses[judged.status] += 1
        assert not record.fault(change.seq, text, judged), f"{change}: {record.fault(change.seq, text, judged)}"
    assert statuses.total() == sample
    assert statuses[2] > sample // 4  # the reader's part
    assert statuses[3] > sample // 4  # the signature's and the state's part
    assert 0 < statuses[0] < sample // 10  # white space


def test_judging_from_the_changed_message_on_equals_judging_the_whole_folder(record):
    statuses = Counter()
    for change in record.sample(24, seed=8):
        text = record.altered(change)
        judged = record.judge(change.seq, text)
        statuses[judged.status] += 1
        assert record.judge_whole(change.seq, text) == judged, str(change)
    assert len(statuses) > 1


def test_the_judge_would_notice(record):
    """The measuring stick itself: a change of meaning that were accepted, a refusal without a file, a crash."""
    seq, text = 3, record.texts[3]
    changed = text.replace("stand-fast: doomed", "stand-fast: always")
    assert changed != text
    accepted = mutations.Judgement(0, head=record.head)
    assert record.fault(seq, changed, accepted) == "accepted though it means something else"
    assert record.fault(seq, text, accepted) == ""
    assert "another head" in record.fault(seq, text, mutations.Judgement(0, head="0" * 64))
    assert "does not begin with the file" in record.fault(seq, text, mutations.Judgement(2, "somewhere: it is wrong"))
    assert record.fault(seq, text, mutations.Judgement(2, f"{record.paths[3]}:1: it \x1b[31m is all wrong"))
    assert "status 70" in record.fault(seq, text, mutations.Judgement(70, "KeyError"))
    assert not mutations.same_meaning(mutations.parse("a: b"), mutations.parse("a: b"))


@pytest.mark.parametrize("name", sweeps.some(mutations.LAYOUTS, 3))
def test_another_layout_of_a_file_changes_nothing(record, name):
    for seq, text in enumerate(record.texts):
        other = mutations.LAYOUTS[name](text)
        assert other != text
        assert record.judge(seq, other) == mutations.Judgement(0, head=record.head), f"message {seq}"


def test_a_whole_folder_in_other_layouts_keeps_its_head(record, tmp_path):
    layouts = list(mutations.LAYOUTS.values())
    for seq, text in enumerate(record.texts):
        (tmp_path / f"{seq:04d}.yaml").write_text(layouts[seq % len(layouts)](text), encoding="ascii", newline="")
    found = verify.verify_game(tmp_path)
    assert (found.status, found.head, found.messages) == (0, record.head, len(record.texts))


@pytest.mark.parametrize("part", mutations.cut("signature: |\n"))
def test_a_file_cut_short_is_refused(record, part):
    for seq, text in enumerate(record.texts):
        rest = mutations.cut(text)[part]
        judged = record.judge(seq, rest)
        assert judged.status in (2, 3)
        assert not record.fault(seq, rest, judged), f"message {seq}: {judged.text}"


def test_the_position_under_the_signature_may_be_left_out(record):
    for seq, text in enumerate(record.texts):
        assert record.judge(seq, text[: text.index("\nstate:\n") + 1]).status == 0


@pytest.mark.long
@pytest.mark.parametrize("every", sweeps.sizes(3, 1))
def test_messages_dropped_swapped_or_from_another_game_are_named(demo, stranger, tmp_path, every):
    done = []
    for what, folder, file in mutations.folders_gone_wrong(
        game_folder(demo), game_folder(stranger), tmp_path / "wrong"
    ):
        done.append(what)
        if len(done) % every:
            continue
        found = verify.verify_game(folder)
        assert found.status == 3, what
        assert not mutations.complaint_fault(found.text, file), what
    assert len(done) == 7 + 6 + 7 + 7 + 2


def test_a_missing_tail_is_a_shorter_game_unless_the_head_is_known(record, tmp_path, capsys):
    for seq, text in enumerate(record.texts[:5]):
        (tmp_path / f"{seq:04d}.yaml").write_text(text, encoding="ascii", newline="")
    assert run(["verify", str(tmp_path)]) == 0
    shorter = re.search(r"head ([0-9a-f]{32})", capsys.readouterr().out)[1]
    assert shorter == record.games[4].chain.head_id[:32]
    assert run(["verify", str(tmp_path), "--head", shorter]) == 0
    assert run(["verify", str(tmp_path), "--head", record.games[4].chain.head_id]) == 0
    assert run(["verify", str(tmp_path), "--head", record.head[:32]]) == 3
    assert str(tmp_path / "0004.yaml") in capsys.readouterr().err


# Faults found only by the rules: the right key signed a false content.


CHEATS = [
    (4, false_die, ", and must be", "dice"),
    (4, missing_die, "is missing", "dice"),
    (4, surplus_die, "the rules roll no die", "dice"),
    (4, add_stop, "stop", "pending"),
    (4, state_in, "state-in is not", "state-in"),
    (4, state_out, "state-out is not", "state-out"),
    (4, other_opening, "its opening is not what", "open"),
    (4, other_reveal, "differs from the", "reveal"),
    (4, no_reveal, "reveals no plans/2", ""),
    (0, state_out, "differs from the scenario", "state-out"),
]


@pytest.mark.parametrize(("seq", "change", "words", "field"), CHEATS, ids=[cheat[1].__name__ for cheat in CHEATS])
def test_a_lie_with_a_good_signature_is_found_and_its_line_named(demo, record, seq, change, words, field):
    text = falsified(demo, record, seq, change)
    judged = record.judge(seq, text)
    assert judged.status == 3
    assert words in judged.text
    assert not record.fault(seq, text, judged)
    if field and f"\n{field}:" in text:
        line = int(re.match(re.escape(str(record.paths[seq])) + r":([0-9]+): ", judged.text)[1])
        first = text[: text.index(f"\n{field}:")].count("\n") + 2
        assert first <= line <= first + 8


def test_an_illegal_order_with_a_good_signature_names_side_file_and_line(demo, record):
    def too_far(content):
        content["orders"] = {"movement": [{"unit": "g-27", "to": "2713"}]}

    text = falsified(demo, record, 4, too_far, state=False)
    path = record.paths[4]
    message = messages.read_message(text.encode("ascii"), str(path))
    with pytest.raises(records.RulesError) as caught:
        records.extend(record.games[3], message)
    assert caught.value.side == "german"
    line = text.split("\n").index("    to: '2713'") + 1
    assert [(each.where.file, each.where.line, each.rule[:1]) for each in caught.value.violations] == [
        (str(path), line, "8")
    ]


def test_a_proposal_for_what_this_program_has_not_is_refused_with_its_line(demo, record):
    def set_(field, key, value):
        return lambda content: content.update({field: {**content[field], key: value}})

    for change, status in (
        (set_("ruleset", "id", "battle-for-moon"), 2),
        (set_("ruleset", "version", "99"), 2),
        (set_("scenario", "id", "battle-for-kursk/../citadel"), 2),
        (set_("scenario", "id", "battle-for-kursk/elsewhere"), 2),
        (set_("scenario", "sha256", "0" * 64), 2),
        (set_("options", "colour", "grey"), 2),
    ):
        text = falsified(demo, record, 0, change)
        judged = record.judge(0, text)
        assert judged.status == status, judged.text
        assert not record.fault(0, text, judged), judged.text
