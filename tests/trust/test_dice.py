"""Uniform dice (protocol 3.2): a small version of ``make dice``, and dice with a fault, which it must see."""

import math
import sys
from pathlib import Path

import pytest

from kursk_pbem.trust import commit

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import dice

FEW = 60_000
DIGITS = bytes(ord("1") + byte % 6 for byte in range(256))


def stream(seed, label, n, *, skip=b"", block=commit.block):
    """Dice by a map that may be false: bytes in ``skip`` are left out, the others taken modulo 6."""
    found, j = b"", 0
    pieces = []
    while len(found) < n:
        pieces.append(block(seed, label, j).translate(DIGITS, skip))
        j += 1
        found = b"".join(pieces) if len(pieces) * commit.HASH_BYTES >= n else b""
    return found[:n].decode("ascii")


def seen(figures):
    """The tests that say that dice are not fair."""
    return {each.what.split(": ")[1] for each in figures if each.p < dice.SUSPICIOUS}


@pytest.mark.parametrize(
    ("value", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (11.070498, 5, 0.05),
        (20.515006, 5, 0.001),
        (0.554300, 5, 0.99),
        (49.801850, 35, 0.05),
        (293.247835, 255, 0.05),
        (0.0, 5, 1.0),
        (60.0, 2, math.exp(-30)),
        (1.0, 4, 1.5 * math.exp(-0.5)),
    ],
)
def test_the_measuring_stick_gives_the_values_of_printed_tables(value, freedom, p):
    assert dice.tail(value, freedom) == pytest.approx(p, rel=1e-5)


@pytest.mark.slow
def test_faces_pairs_and_bytes_come_equally_often():
    figures = [*dice.one_stream(FEW), *dice.many_games(FEW)]
    assert [each.freedom for each in figures] == [5, 35, 255, 5, 35, 35, 255]
    assert [each.counted for each in figures[:2] + figures[3:]] == [FEW, FEW // 2, FEW, FEW * 2 // 5, FEW // 2, FEW]
    assert all(dice.SUSPICIOUS < each.p < 1 - dice.SUSPICIOUS for each in figures), "\n".join(map(str, figures))


def test_the_false_maps_below_differ_from_the_true_one_in_their_fault_only():
    assert stream(bytes(32), "a/b", 2000, skip=bytes(range(252, 256))) == commit.dice(bytes(32), "a/b", 2000)


def test_bytes_252_to_255_not_skipped_would_be_seen():
    """Four faces would come 43 times of 256, two 42 times: one part in forty, so it takes many dice to see it."""
    assert "faces" in seen(dice.one_stream(600_000, roll=stream))


def test_one_byte_too_many_skipped_would_be_seen():
    def greedy(seed, label, n):
        return stream(seed, label, n, skip=bytes(range(251, 256)))

    assert "faces" in seen(dice.one_stream(800_000, roll=greedy))


def test_one_stream_for_all_labels_would_be_seen():
    def stuck(seed, _label, n):
        return commit.dice(seed, "one/label", n)

    assert "first dice of neighbouring labels" in seen(dice.many_games(8000, roll=stuck))


def test_the_same_seed_in_two_messages_would_be_seen():
    def stuck(_seed, label, n):
        return commit.dice(bytes(32), label, n)

    assert "the same label in the next message" in seen(dice.many_games(8000, roll=stuck))


def test_a_block_that_comes_again_would_be_seen():
    def stuck(seed, label, j):
        return commit.block(seed, label, j % 100)

    def again(seed, label, n):
        return stream(seed, label, n, skip=bytes(range(252, 256)), block=stuck)

    found = seen(dice.one_stream(FEW, roll=again, block=stuck))
    assert {"pairs of one die and the next", "bytes before any is skipped"} <= found


def test_what_is_no_die_is_no_figure():
    with pytest.raises(ValueError, match="7"):
        dice.chi_square("faces", "1234567", dice.FACES)
