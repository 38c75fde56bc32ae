"""Uniform dice (protocol 3.2): a small version of ``make dice``, and dice with a fault, which it must see."""

import sys
from functools import partial
from pathlib import Path

import pytest

from kursk_pbem.trust import commit

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import dice

FEW = 30_000
DIGITS = bytes(ord("1") + byte % 6 for byte in range(256))


def stream(seed, label, n, *, skip=b"", block=commit.derive_block):
    """Dice by a possibly false map: bytes in ``skip`` are skipped, other bytes are taken modulo 6."""
    found, j = b"", 0
    pieces = []
    while len(found) < n:
        pieces.append(block(seed, label, j).translate(DIGITS, skip))
        j += 1
        found = b"".join(pieces) if len(pieces) * commit.HASH_BYTES >= n else b""
    return found[:n].decode("ascii")


@pytest.mark.slow
def test_3_2_faces_pairs_and_bytes_come_equally_often():
    figures = [*dice.check_stream(FEW), *dice.check_many_games(FEW)]
    assert [each.freedom for each in figures] == [5, 35, 255, 5, 35, 35, 255]
    assert [each.counted for each in figures[:2] + figures[3:]] == [FEW, FEW // 2, FEW, FEW * 2 // 5, FEW // 2, FEW]
    assert all(dice.SUSPICIOUS < each.p < 1 - dice.SUSPICIOUS for each in figures), "\n".join(map(str, figures))


def stuck(seed, label, j):
    return commit.derive_block(seed, label, j % 100)


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        # Four faces would fall 43 times in 256, two faces 42 times: the difference of one in forty shows only in many
        # dice.
        (lambda: dice.check_stream(600_000, roll=stream), "faces"),
        (lambda: dice.check_stream(800_000, roll=partial(stream, skip=bytes(range(251, 256)))), "faces"),
        (
            lambda: dice.check_many_games(8000, roll=lambda seed, _label, n: commit.roll_dice(seed, "one/label", n)),
            "first dice of neighbouring labels",
        ),
        (
            lambda: dice.check_many_games(8000, roll=lambda _seed, label, n: commit.roll_dice(bytes(32), label, n)),
            "the same label in the next message",
        ),
        (
            lambda: dice.check_stream(FEW, roll=partial(stream, skip=bytes(range(252, 256)), block=stuck), block=stuck),
            "pairs of one die and the next",
        ),
    ],
    ids=["nothing skipped", "one byte too many skipped", "one stream for all labels", "one seed", "blocks come again"],
)
def test_3_2_false_dice_would_be_seen(figures, expected):
    assert expected in {each.what.split(": ")[1] for each in figures() if each.p < dice.SUSPICIOUS}
