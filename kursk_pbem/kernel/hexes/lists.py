"""Map information in drafts: hexes in short form, and destinations of units, with an example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.hexes.ways import Way

Ends = Mapping[int, Way]


def spans(labels: Iterable[str]) -> str:
    """Return ascending labels in short form: '1517-19 1615'. Four-digit labels of one column are joined."""
    runs: list[list[str]] = []
    for label in labels:
        before = runs[-1][-1] if runs else ""
        if label.isdigit() and before[:2] == label[:2] and int(before) + 1 == int(label):
            runs[-1].append(label)
        else:
            runs.append([label])
    return " ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1][2:]}" for run in runs)


def example_moves(board: Board, key: str, able: Sequence[tuple[str, Ends]]) -> Iterator[str]:
    """Yield two examples of moves: the first unit of ``able`` moves to a hex, the last unit along a path."""
    (uid, ends), (other, ways) = able[0], able[-1]
    yield f"{key}:"
    yield f"- {{unit: {uid}, to: '{board.labels[max(ends)]}'}}"
    if elsewhere := [way for there, way in ways.items() if other != uid and there != max(ends)]:
        way = min(elsewhere, key=lambda way: (len(way.path) != 2, len(way.path), way.path))
        yield f"- {{unit: {other}, path: [{', '.join(repr(board.labels[step]) for step in way.path)}]}}"


def list_ends(board: Board, hexes: Iterable[int], danger: Mask) -> str:
    """Return the hexes in which a move can end, as text: '1517-19; enemy 1615'. Hexes in ``danger`` are last.

    ``hexes``: ascending.
    """
    spots = list(hexes)
    free = spans(board.labels[there] for there in spots if not danger >> there & 1)
    close = spans(board.labels[there] for there in spots if danger >> there & 1)
    return "; ".join(part for part in (free, close and f"enemy {close}") if part)
