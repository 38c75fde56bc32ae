"""``kursk prepare``: orders for the next message, written while waiting (decision 90)."""

import pytest
from rulesets.battle_for_kursk.first_turn import OPEN_ORDERS, OPENING, ORDERS

from desk.sheets import passes
from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts, ordering
from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.desk.turn import prepared
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders

NEVER = "if posture engage: answer all stand-fast never"


@pytest.fixture
def waiting(begun, monkeypatch):
    """The Russian, who has mailed message 1 and waits for the German's message 2."""
    monkeypatch.setenv("KURSK_HOME", str(begun.russian.home))
    begun.russian.sit()
    return begun


def answered(table, orders=ORDERS):
    """The German's message 2 comes."""
    table.turn(orders)
    return table.russian


@pytest.mark.parametrize(("posture", "order"), [("pause", "2217"), ("engage", "full")])
def test_the_text_of_the_handbook_gives_legal_orders(posture, order, waiting, monkeypatch, capsys):
    """Bug: the example of the handbook attacked a unit of its own side."""
    monkeypatch.chdir(waiting.russian.place)
    assert run(["prepare", prepared.EXAMPLE]) == 0
    german = waiting.german
    if posture == "pause":
        drafts.write_draft(german.desk, force=True)
        ordering.write_orders(ordering.open_draft(german.desk), ordering.split_orders("posture pause"))
        waiting.send()
        desk = waiting.russian.desk
    else:
        desk = answered(waiting).desk
    path = folders.draft_path(desk.folder, desk.seq)
    assert order in path.read_text("ascii")
    drafts.check_draft(desk, drafts.read_draft(desk, folders.read_bytes(path), str(path)))


def test_prepared_orders_are_deleted(waiting, monkeypatch, capsys):
    monkeypatch.chdir(waiting.russian.place)
    assert run(["prepare", prepared.EXAMPLE]) == 0
    assert run(["prepare", "none"]) == 0
    assert "deleted" in capsys.readouterr().out


def test_the_first_branch_that_holds_goes_into_the_draft_once(waiting):
    text = "if posture pause: note one; if posture engage and 70 in 2011: note two; otherwise: note three"
    assert run(["prepare", str(waiting.russian.folder), text]) == 0
    russian = answered(waiting)
    draft = russian.draft().read_text()
    assert 'note: "two"' in draft or "note: two" in draft
    russian.draft().unlink()
    russian.take(folders.message_path(waiting.german.folder, 2))  # the same mail again
    assert "two" not in russian.draft().read_text()


def test_otherwise_holds_if_nothing_else_does_and_is_never_signed(waiting, capsys):
    assert run(["setup", "pass", "yes"]) == 0
    text = "if posture pause: note one; otherwise: note three"
    assert run(["prepare", str(waiting.russian.folder), text, "--sign", "--yes"]) == 0
    russian = answered(waiting)
    assert "three" in russian.draft().read_text()
    assert passes(russian) == []


def test_orders_allowed_word_for_word_are_signed_where_that_is_allowed(waiting):
    assert run(["prepare", str(waiting.russian.folder), NEVER, "--sign", "--yes"]) == 2  # not allowed on this machine
    assert run(["setup", "pass", "yes"]) == 0
    assert run(["prepare", str(waiting.russian.folder), NEVER, "--sign", "--yes"]) == 0
    ((signed, why),) = passes(answered(waiting))
    assert (signed.last.seq, signed.last.sender) == (3, "russian")
    assert "prepared orders" in why


def test_the_binding_message_waits_for_a_person(table):
    """Decision 89: message 2 binds, so nothing signs it unasked, whatever its writer has prepared."""
    prepared.prepare(table.german.sit(), "if 70 in 2011: posture engage", sign=True)
    table.turn(OPENING)
    assert "engage" in table.german.draft().read_text()
    assert passes(table.german) == []


def test_a_draft_changed_afterwards_waits(waiting):
    assert run(["setup", "pass", "yes"]) == 0
    assert run(["prepare", str(waiting.russian.folder), NEVER, "--sign", "--yes"]) == 0
    russian = answered(waiting)
    assert run(["order", str(russian.folder), "note", "hello"]) == 0
    assert passes(russian) == []


def test_orders_against_the_rules_stay_out_of_the_draft_and_are_told(waiting):
    assert run(["prepare", str(waiting.russian.folder), "if posture engage: move 70 1111"]) == 0
    waiting.german.fill(ORDERS)
    got = waiting.russian.adjudicate(waiting.mail(waiting.german.sign(), "russian"))
    assert "not in the draft" in got.prepared[0]


def test_orders_of_another_line_of_play_are_not_used(waiting):
    """A take-back or a restored folder: the last message is another one than when the orders were written."""
    own = waiting.russian.desk.own
    assert run(["prepare", str(waiting.russian.folder), "otherwise: note hello"]) == 0
    held = prepared.load_prepared(own)
    jsonfiles.write_object(own.path / prepared.WAITING, {**vars(held), "head": "0" * 64})
    waiting.german.fill(ORDERS)
    got = waiting.russian.adjudicate(waiting.mail(waiting.german.sign(), "russian"))
    assert "another message" in got.prepared[0]
    assert "hello" not in waiting.russian.draft().read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("attack 1912 all", "no branch"),
        ("if it rains: posture deploy", "no condition"),
        ("if posture engag: posture deploy", "possible: "),
        ("if posture pause: bogus", "no order word"),
        ("if 999 gone: posture deploy", "no unit"),
        ("if enemy in nowhere: posture deploy", "no hex"),
        ("otherwise: posture deploy; if 70 gone: posture deploy", "no branch may follow"),
    ],
)
def test_what_cannot_be_read_is_refused_when_it_is_prepared(waiting, text, why):
    with pytest.raises(UsageError, match=why):
        prepared.prepare(waiting.russian.desk, text)


def test_whose_turn_it_is_orders_at_once(begun):
    with pytest.raises(UsageError, match="yours to write now"):
        prepared.prepare(begun.german.sit(), "otherwise: note hello")


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("enemy in 2011", False),
        ("no enemy in 2011", True),
        ("70 in 2011", True),
        ("70 not in 2011", False),
        ("70 gone", False),
        ("46 pz in 2011", False),
        ("posture engage", True),
        ("posture pause", False),
    ],
)
def test_each_condition(waiting, condition, holds):
    since = waiting.russian.desk.last.seq
    ((branch,),) = ([*prepared.read_branches(waiting.russian.desk, f"if {condition}: note x")],)
    desk = answered(waiting, OPEN_ORDERS).sit()
    assert prepared.holds(desk, branch.conditions[0], since) is holds
