"""``kursk shell``: lines are orders, completed from the position and judged while they are typed."""

import stat
import sys

import pytest
from helpers.commands import Terminal, refused, well
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kursk_pbem.cli import run
from kursk_pbem.cli.orders import dialogue
from kursk_pbem.desk.draft import preview
from kursk_pbem.formats import strictyaml
from kursk_pbem.kernel.events import Force, Fought
from kursk_pbem.kernel.outlook import Chances


@pytest.fixture
def typed(game, capsys):
    """Return a function that types lines into the shell of the German's game, and returns the output."""

    def type_(*lines):
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text("".join(f"{line}\r" for line in lines))
            pipe.send_text("\x04")
            assert dialogue.run_dialogue(game) == 0
        return capsys.readouterr()

    return type_


def data(draft):
    return strictyaml.read(draft.read_bytes(), "draft").data


def test_lines_are_orders_until_the_end(typed, draft):
    said = typed("posture deploy", "posture pause", "undo", "quit", "posture engage")
    assert "posture of turn 2: deploy\n" in said.out
    assert len(said.out.partition("\n")[0]) < 80  # bug: the greeting broke within its last word
    assert data(draft)["choice"]["posture/turn-2"]["posture"] == "deploy"


def test_what_the_rules_refuse_leaves_no_trace_and_the_shell_goes_on(typed, draft):
    before = draft.read_bytes()
    said = typed("move 24 pz 1111", "atack", "move 24 pz", 'map "', "shell", "")
    assert "not written" in said.err
    assert "type 'quit', then 'kursk shell'" in said.err
    assert "No closing quotation" in said.err
    assert draft.read_bytes() == before


def test_a_slip_is_asked_back(typed, draft):
    said = typed("sing", "sing --yes", "atack 1912 all", "2219")
    assert said.err.count("kursk: 'sing' is no order for message 8;") == 2
    assert "'atack' is no order for message 8; did you mean attack?" in said.err
    assert "'2219' is no order for message 8;" in said.err


def test_other_commands_are_about_this_game(typed, draft):
    said = typed("map --around 2115", "check", "order")
    assert "legal; 'kursk sign" in said.out
    assert "No orders yet" in said.out or "Orders so far" in said.out


def test_help_lists_the_orders_of_this_message(typed):
    """Bug: 'help' listed keygen and propose, and '?' was no order."""
    said = typed("help", "?")
    assert said.out.count("'quit' ends.") == 3
    assert said.out.count("  posture engage  ") == 2
    assert said.err == ""


def test_what_is_advised_is_taken_as_it_is_told(typed, draft, game):
    """Bug: the shell advised 'kursk check' and 'kursk order attack', and refused both: 'kursk' is no order for
    message 8."""
    said = typed("kursk check", "kursk order posture", "kursk posture deploy", "kursk")
    assert "legal; 'kursk sign" in said.out
    assert "now there are\n  pause" in said.err
    assert data(draft)["choice"]["posture/turn-2"]["posture"] == "deploy"
    assert said.err.count("'kursk' is no order") == 1  # alone, no message
    assert dialogue.Dialogue(game).looks("kursk move 24 pz 1111").startswith("cannot reach 1111")


def test_one_message_is_reported_and_not_the_whole_game(typed, game):
    """Bug: the shell refused every name of the message: 'Got unexpected extra argument (4)'."""
    said = typed("report 4", f"report {game.name[5:]}/4", "report 0004.yaml --proof", "report 99")
    assert said.out.count("Report of message 4,") == said.out.count("Report of message") == 3
    assert "message 99 of game" in said.err, said.err


@pytest.mark.parametrize("unpaged", [[], ["--no-pager"]])
def test_a_shell_that_was_opened_without_a_pager_opens_none(game, monkeypatch, unpaged):
    given = []
    monkeypatch.setattr(dialogue, "run", given.append)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, Terminal())
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text("tables\r\x04")
        assert run([*unpaged, "shell", str(game)]) == 0
    assert given == [[*unpaged, "tables", str(game)]]


def test_signing_ends_the_draft_and_not_the_shell(typed, game, german, monkeypatch):
    monkeypatch.setenv("KURSK_KEY", str(german / "me"))
    said = typed("sign --yes", "move 24 pz 2219", "status")
    assert (game / "0008.yaml").exists(), said
    assert "0008" in said.out


def test_a_turn_that_another_window_takes_is_said_at_the_next_line(typed, game, german, monkeypatch):
    """Bug: an order typed for message 8 became an order for the message due by then."""
    monkeypatch.setenv("KURSK_KEY", str(german / "me"))
    given = []
    monkeypatch.setattr(dialogue, "run", given.append)
    ended = iter([lambda: 0, lambda: run(["sign", str(game), "--yes"])])
    asked = dialogue.Dialogue.went_on
    monkeypatch.setattr(dialogue.Dialogue, "went_on", lambda talk: (next(ended, lambda: 0)(), asked(talk))[1])
    said = typed("map", "move 24 pz 2219", "status")
    assert "message 9 is next" in said.err
    assert [words[0] for words in given] == ["map", "status"]


def test_tab_completes_and_the_rest_is_offered(game):
    known = dialogue.Dialogue(game)

    def words(line):
        return [word.text for word in known.words(line)]

    assert words("attack 1912 all le") == ["lead"]
    assert words("posture ") == ["pause", "reposition", "deploy", "engage"]
    assert words("mo") == ["move", "moves"]
    assert words("map --aro") == ["--around"]
    assert words("moves g-24") == ["g-24-pz"]
    assert "shell" not in words("")
    assert {"attack", "undo", "check", "sign"} <= set(words(""))


def test_the_bottom_line_says_odds_and_faults(game):
    known = dialogue.Dialogue(game)
    known.refresh()
    assert known.looks("") == "message 8, turn 2: 3 orders"
    assert "%" in known.looks("attack 1912 all")
    assert known.looks("move 24 pz 1111").startswith("cannot reach 1111 from 2219")
    assert known.looks("move 24 pz zzz") == "there is no hex 'zzz'; a city goes by its name"
    assert known.looks("note hello") == ""
    assert known.looks("map") == ""
    assert [known.looks(end) for end in ("quit", "Exit")] == ["ends the session"] * 2  # a command, not an order


def test_the_bottom_line_says_the_odds_of_the_attack_that_is_typed():
    """Bug: the line showed the first odds with any hex of the line: of a raid on a base, or of 'away 1610'."""
    force, declared = Force("soviet", (), "1"), (("r1", "1607"), ("b1610", "1610"), ("b1607", "1607"))
    fought = [Fought("7.0", name, place, force, force, "", (), "", "1:1") for name, place in declared]
    every = [Chances(each.battle, each, "", (), (), (), ()) for each in fought]
    for line, said, about in (
        ("attack 1607 all retreat away 1610", "b1607: 1607 by s-15t", "b1607"),
        ("raid 1607 with air1", "r1: base of g-air2", "r1"),
        ("answer 1610 retreat away 1607", "1610: retreat away 1607", "b1610"),
    ):
        assert preview.select_chances(every, line.split(), (), [said])[0].subject == about


def test_completion_works_on_keys(game, draft, capsys):
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text("post\t dep\t\rquit\r")
        assert dialogue.run_dialogue(game) == 0
    assert data(draft)["choice"]["posture/turn-2"]["posture"] in ("deploy", "engage")


def test_tab_goes_on_to_the_next_word(game):
    offers = dialogue._LineCompleter(dialogue.Dialogue(game))
    (found,) = offers.get_completions(Document("attack 1912 all le"), CompleteEvent())
    assert (found.text, found.start_position, found.display_text) == ("lead ", -2, "lead")


def test_former_lines_are_kept_for_the_owner_alone(typed, game):
    typed("posture deploy", "keygen nosuch/place", "map")
    kept = dialogue.Dialogue(game).own
    assert kept.read_text().splitlines() == ["posture deploy", "map"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_shell_without_a_terminal_is_refused(capsys, game):
    assert "needs a terminal" in refused(capsys, 2, "shell", game)
    assert well(capsys, "shell", "--help").startswith("Usage: kursk shell")
