"""Chi-square tests of the dice: ``make dice`` (about ten seconds). ``make bench`` prints the same table.

The tool tests a million dice of one long stream, and a million dice from the seeds of many games, with a few labels
per message. Both use the program's own functions. The seeds are fixed, because the figures must be the same everywhere.
The tool signs and adjudicates nothing, so floats are allowed.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kursk_pbem.trust import commit  # noqa: E402

MILLION = 1_000_000
FIRST, MESSAGES = 3, 16
"""The first message with dice in a simulated game, and the number of messages with dice."""
LABELS = ("oboyan/combat", "ponyri/combat", "b1/combat", "b2/combat", "weather/turn-6")
"""The labels of the dice. Adjacent labels are tested as pairs."""
SUSPICIOUS = 1e-6
"""The probability limit of a failed test. Fair dice fail a test once in a million times."""

FACES = "123456"
PAIRS = tuple(a + b for a in FACES for b in FACES)

Roll = Callable[[bytes, str, int], str]
Block = Callable[[bytes, str, int], bytes]


@dataclass(frozen=True)
class Figure:
    """A test with its name, number of counted results, chi-square value, degrees of freedom and probability.

    ``p``: the probability of this value or a higher value with fair dice.
    """

    what: str
    counted: int
    value: float
    freedom: int
    p: float

    def __str__(self) -> str:
        return f"{self.what:<58} {self.counted:>9} {self.value:9.2f} {self.freedom:5} {self.p:8.4f}"


def chi_square(what: str, found: Iterable[Hashable], classes: Sequence[Hashable]) -> Figure:
    """Test whether ``classes`` occur equally often in ``found``. Raises ValueError for an unknown class."""
    counts = Counter(found)
    total = counts.total()
    if strange := counts.keys() - set(classes):
        raise ValueError(f"{what}: {sorted(map(str, strange))[:3]}")
    # whole numbers before the last division
    value = (len(classes) * sum(counts[each] ** 2 for each in classes) - total**2) / total
    freedom = len(classes) - 1
    return Figure(what, total, value, freedom, compute_tail(value, freedom))


def compute_tail(value: float, freedom: int) -> float:
    """Return the probability of a chi-square of at least ``value``: the upper incomplete gamma function Q(a, x)."""
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # the series of P = 1 - Q
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    tiny = 1e-300  # the continued fraction of Q, by Lentz's method
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    result = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        result *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * result


def check_stream(count: int, roll: Roll = commit.roll_dice, block: Block = commit.derive_block) -> list[Figure]:
    """Test the first ``count`` dice of one label: faces, ordered pairs, and the source bytes."""
    seed, label = _hash(b"one stream"), "ponyri/combat"
    dice = roll(seed, label, count)
    blocks = -(-count * 256 // 252 // commit.HASH_BYTES)
    bytes_ = b"".join(block(seed, label, j) for j in range(blocks))
    pairs = (dice[at : at + 2] for at in range(0, len(dice) - 1, 2))
    return [
        chi_square("one stream: faces", dice, FACES),
        chi_square("one stream: pairs of one die and the next", pairs, PAIRS),
        chi_square("one stream: bytes before any is skipped", bytes_, range(256)),
    ]


def check_many_games(count: int, roll: Roll = commit.roll_dice, block: Block = commit.derive_block) -> list[Figure]:
    """Test ``count`` first dice: for every label in every message of enough games.

    Openings, ids and seeds are derived as in a game (protocol 3.2, 3.7).
    """
    rolled: list[list[str]] = []  # a row per message, a column per label
    first_bytes = bytearray()
    for game in range(count // (MESSAGES * len(LABELS))):
        for seed in _make_seeds(game):
            rolled.append([roll(seed, label, 1) for label in LABELS])
            first_bytes += bytes(block(seed, label, 0)[0] for label in LABELS)
    labels = (row[at] + row[at + 1] for row in rolled for at in range(0, len(LABELS) - 1, 2))
    following = (
        one + two for at in range(0, len(rolled), 2) for one, two in zip(rolled[at], rolled[at + 1], strict=True)
    )
    return [
        chi_square("many games: faces", (die for row in rolled for die in row), FACES),
        chi_square("many games: first dice of neighbouring labels", labels, PAIRS),
        chi_square("many games: the same label in the next message", following, PAIRS),
        chi_square("many games: first byte of each label", first_bytes, range(256)),
    ]


def _make_seeds(game: int) -> list[bytes]:
    """Return the seeds of the messages of a simulated game."""
    secrets = [_hash(b"secret %d of game %d" % (side, game)) for side in (0, 1)]
    nonce = _hash(b"nonce of game %d" % game)
    openings = [nonce, _hash(b"r_1 of game %d" % game)]  # a proposal has a nonce instead of an opening
    previous = [commit.NO_PREV, nonce]
    seeds = []
    for k in range(2, FIRST + MESSAGES):
        previous.append(hashlib.sha256(openings[k - 1] + previous[k - 1]).digest())  # stands for the id of a message
        openings.append(commit.next_opening(secrets[k % 2], k, previous[k - 2], openings[k - 2]))
        seeds.append(commit.derive_seed(openings[k], previous[k]))
    return seeds[FIRST - 2 :]


def _hash(text: bytes) -> bytes:
    return hashlib.sha256(b"dice test " + text).digest()


def main(count: int = MILLION) -> int:
    """Print the table; return 1 if a value is very improbable for fair dice."""
    print(f"\n{'dice, chi-square':<58} {'counted':>9} {'value':>9} {'d.f.':>5} {'p':>8}")
    found = [*check_stream(count), *check_many_games(count)]
    for each in found:
        print(each)
    return 0 if all(SUSPICIOUS < each.p < 1 - SUSPICIOUS for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
