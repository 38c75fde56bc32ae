"""The game so far below a turn: whatever happens to the block, the turn counts, and nothing else (formats.md 3.1)."""

import json
import textwrap
import time
import tracemalloc
import zlib
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import sweeps
from helpers.mails import attached, letter

from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import earlier, messages, reader

OTHER = Path(__file__).parents[1] / "games" / "battle-for-kursk" / "draw"


@pytest.fixture
def begin(turn):
    """Return the place of the block in the turn file."""
    return turn.index(b"# so-far:")


@pytest.fixture
def before(demo):
    """Return the messages before the turn, as in a block."""
    return [plain(messages.read_message(raw, "mail")) for raw in demo]


def plain(message):
    return {**message.content, "signature": message.armour}


def block(lists):
    """Return a block with this content, or with these bytes."""
    raw = lists if isinstance(lists, bytes) else json.dumps(lists, separators=(",", ":")).encode()
    text = b64encode(zlib.compress(raw, 9)).decode()
    rows = [f"# {text[at : at + 74]}" for at in range(0, len(text), 74)]
    return "\n".join(["# so-far: messages 0 to 3, packed for programs", *rows, "# end of so-far", ""]).encode()


def open_turn(raw, turn):
    """Read a file that is the turn with another block; return the turns of the block."""
    wanted, reading = messages.read_message(turn, "turn"), reader.read_thing(raw, "turn")
    assert [found.id for found in reading.turns] == [wanted.id]
    assert (reading.faults, reading.cards, reading.papers) == ((), (), ())
    assert messages.read_message(raw, "turn").id == wanted.id
    return earlier.open_block(reading.turns[0])


def test_the_block_leads_back_to_message_0(turn, demo):
    found = open_turn(turn, turn)
    assert [messages.emit_message(each.content, each.armour) for each in found] == [
        messages.emit_message(each.content, each.armour)
        for each in (messages.read_message(raw, "mail") for raw in demo[:4])
    ]
    assert turn.count(b"# so-far:") == 1
    assert b"so-far" not in demo[0]
    assert max(map(len, turn[turn.index(b"# so-far:") :].splitlines())) <= 76


@pytest.mark.parametrize("part", sweeps.some(range(40), 40))
def test_a_changed_byte_costs_at_most_the_block(turn, begin, part):
    for at in range(begin + part * 5, len(turn), 200):
        for byte in (turn[at] ^ 1, turn[at] ^ 0x80, 0x0A, 0x3A):
            changed = turn[:at] + bytes([byte]) + turn[at + 1 :]
            assert len(open_turn(changed, turn)) in (0, 4), (at, byte)


@pytest.mark.parametrize("step", [389, pytest.param(1, marks=pytest.mark.long("test-all"))])
def test_a_block_that_is_cut_costs_at_most_the_block(turn, begin, step):
    for at in range(begin, len(turn), step):
        assert len(open_turn(turn[:at], turn)) in (0, 4), at
        assert len(open_turn(turn[:at] + b"\n" + turn[at + step :], turn)) in (0, 4), at


def test_a_doubled_block_and_a_quoted_block_count_once(turn, begin):
    assert len(open_turn(turn + turn[begin:], turn)) == 4
    (found,) = reader.read_thing(b"\n".join(b"> " + line for line in turn.split(b"\n")), "mail").turns
    assert len(earlier.open_block(found)) == 4


@pytest.mark.parametrize("hard", [True, False])
def test_lines_wrapped_at_72_characters_keep_each_turn_and_its_game(demo, hard):
    """players.md 6: some mail programs wrap pasted text, at blanks only or anywhere."""
    wrap = textwrap.TextWrapper(72, break_long_words=hard, break_on_hyphens=False, drop_whitespace=False)
    for number, raw in enumerate(demo[1:], 1):
        text = "\n".join("\n".join(wrap.wrap(line)) for line in raw.decode().split("\n"))
        (found,) = reader.read_thing(text.encode(), "mail").turns
        assert found.id == messages.read_message(raw, "turn").id
        assert len(earlier.open_block(found)) == number


def spoilt(before):
    """Yield blocks that do not lead from the turn to message 0, or cannot be read."""
    yield "a later message", {"messages": before[:5], "type": "so-far"}
    yield "too few", {"messages": before[1:4], "type": "so-far"}
    yield "without the last", {"messages": before[:3], "type": "so-far"}
    yield "another order", {"messages": before[3::-1], "type": "so-far"}
    yield "a changed message", {"messages": [*before[:2], {**before[2], "note": "no"}, before[3]], "type": "so-far"}
    others = [messages.read_message(path.read_bytes(), "other") for path in sorted(OTHER.glob("000[0-3].yaml"))]
    yield "another game", {"messages": [*map(plain, others)], "type": "so-far"}
    yield "texts", {"messages": ["x"] * 4, "type": "so-far"}
    yield "no list", {"messages": 4, "type": "so-far"}
    yield "no messages", {"type": "so-far"}
    yield "a list", before[:4]
    yield "many items", {"messages": before[:1] * 1001, "type": "so-far"}
    yield "many braces", b'{"messages":[' + b"{}," * 690_000 + b"{}]}"
    yield "nested", b'{"messages":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    yield "no JSON", b"\xff" * 1000
    yield "a bomb", b'{"messages":[' + b" " * (64 << 20) + b"]}"
    yield "2 MiB in a text", {"messages": [{"note": "A" * 2_000_000}], "type": "so-far"}
    yield "an odd paper", {"messages": before[:4], "papers": [{"signature": "x"}], "type": "so-far"}


def test_a_block_of_something_else_is_ignored(turn, begin, before):
    for what, lists in spoilt(before):
        raw = turn[:begin] + block(lists)
        assert len(raw) <= MAX_BYTES, what
        tracemalloc.start()
        since = time.process_time()
        found = open_turn(raw, turn)
        lasted, peak = time.process_time() - since, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found == (), what
        assert peak < 64 << 20, what
        assert lasted < 2, what  # 0.2 s without the measuring of memory


def test_24_bombs_in_a_mail_cost_half_a_second(turn, begin, before):
    made = letter("Hi")
    for number in range(24):
        lists = {"messages": [{"note": f"{number}{'{' * 63_000}"}], "type": "so-far"}
        attached(made, turn[:begin] + block(lists), name=f"{number}.yaml")
    since = time.process_time()
    reading = reader.read_thing(made.as_bytes(), "mail")
    assert [earlier.open_block(one) for one in reading.turns] == [()]
    assert time.process_time() - since < 0.5


def test_the_blocks_of_a_mail_are_opened_within_its_budget(turn):
    (found,) = reader.read_thing(turn, "mail").turns
    spent = replace(found, below=replace(found.below))
    found.below.allowance.left = 10_000
    assert earlier.open_block(spent) == ()


def test_a_file_that_would_be_too_long_has_no_block(turn, begin, demo):
    before = [messages.read_message(raw, "mail") for raw in demo[:4]]
    long = "x" * (MAX_BYTES - len(turn) + begin)
    assert earlier.attach(long, before) == long + turn[begin:].decode()
    assert earlier.attach(f"{long}x", before) == f"{long}x"


def test_words_in_a_note_are_no_block(turn, demo):
    """Only what stands below the signature counts, so a text of the turn cannot be cut."""
    note = "\n".join(turn[turn.index(b"# so-far:") :].decode().splitlines())
    message = messages.read_message(demo[4], "turn")
    text = messages.emit_message({**message.content, "note": note[:3000]}, message.armour)
    assert messages.read_message(text.encode(), "turn").below is None
