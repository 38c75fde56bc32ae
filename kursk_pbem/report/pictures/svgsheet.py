"""Parts of the panel of a printed map: letters, scale, turn track, tables, order of battle, boxes for counters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from kursk_pbem.kernel.brief import Table
from kursk_pbem.kernel.picture import PLANE, Picture
from kursk_pbem.report.pictures.svgtext import attribute, element, fit_letters, write_fitted

_LOOK = 'style="text-anchor:start" fill="#222" font-family="Arial, Liberation Sans, sans-serif"'
LETTERS, _GAP = 44, 4
"""Letters in a line of a table, and between two tables."""
_READING = 52  # letters in a line of the table beside the explained counter
_MAX_BOXES, _SHORT = 8, 10  # boxes in a row of the turn track; a cell with fewer letters stays on one line
_NOW = ">"  # starts the row of the present turn


def list_forces(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> list[Table]:
    """Return each side's order of battle, the longest first: the formations with the units on the map."""
    found = []
    for side, name in zip(sides, names, strict=True):
        units: dict[str, list[str]] = {}
        for piece in picture.pieces:
            if piece.side == side and piece.formation:
                units.setdefault(piece.formation, []).append(piece.name or piece.id)
        rows = tuple((formation, ", ".join(listed)) for formation, listed in sorted(units.items()))
        found += [Table(f"{name} order of battle", "", ("formation", "units"), rows)] if rows else []
    return sorted(found, key=lambda table: -len(str(table.rows)))


def draw_reading(picture: Picture, at: tuple[int, int], size: tuple[int, int]) -> str:
    """Return a panel that explains a hex map: which signs count in the rules, and which are decoration."""
    rows = [("a soft edge", "the ground at a hex's middle"), ("a river", "its hexsides")]
    rows += [("a railway", "the hexes that it joins")] if picture.lines else []
    rows += [("teeth", "the hexes behind them")] if picture.marks else []
    free = ["front", *(["sea"] if picture.sea else []), *(["small towns"] if picture.names else [])]
    rows.append((", ".join(free), "nothing: no rule"))
    table = Table("How to read the map", "", ("drawn", "what counts"), tuple(rows))
    letter = min(size[0] // _READING, size[1] // (2 * len(rows) + 7))
    return _draw_table(table, at, letter, _READING * letter)[0]


def draw_boxes(names: Sequence[str], at: tuple[int, int], room: int, high: int) -> str:
    """Return boxes next to the map: for a side's eliminated counters, and for other counters off the map."""
    boxes = [f"{name}: {what}" for name in names for what in ("eliminated", "off the map")]
    wide, drawn = (room + 300) // len(boxes), ""
    size = min(fit_letters(words, 560, wide - 900)[0] for words in boxes)
    for number, words in enumerate(boxes):
        x, y = at[0] + number * wide, at[1]
        look = attribute(class_="holding", fill="#fff", fill_opacity=".5", stroke="#222", stroke_width=40)
        drawn += f'<rect x="{x}" y="{y}" width="{wide - 300}" height="{high}"{look}/>'
        drawn += write(words, (x + 300, y + 800), size, wide - 900, bold=True)
    return drawn


def draw_scale(picture: Picture, end: tuple[int, int]) -> str:
    """Return a scale bar of five hexes, or of six inches on a table top. ``end``: the point of its right end."""
    words, step, many = ("6 inches", 1_000, 6) if picture.form == PLANE else ("5 hexes", 1_732, 5)
    left = end[0] - many * step
    bars = "".join(
        f'<rect x="{left + step * each}" y="{end[1]}" width="{step}" height="220" stroke="#222" stroke-width="40" '
        f'fill="{"#fff" if each % 2 else "#222"}"/>'
        for each in range(many)
    )
    return bars + write(words, (left, end[1] + 850), 560, many * step)


def write(words: str, at: tuple[int, int], size: int, room: int, *, bold: bool = False) -> str:
    """Return a line of text. If the text is too long for its room, its letters are drawn closer."""
    return write_fitted(words, at, size, room, f'{_LOOK} font-weight="700"' if bold else _LOOK, bold=bold)


def break_lines(words: str, size: int, room: int) -> list[str]:
    """Return a text in lines that fit a room, cut only at blanks."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        fits = fit_letters(longer, size, room, bold=False)[0] == size
        lines = [*lines[:-1], longer] if fits or not lines[-1] else [*lines, word]
    return lines


def draw_tables(
    track: Sequence[Table], tables: Sequence[Table], at: tuple[int, int], room: int, part: int
) -> tuple[str, int]:
    """Return tables below a point, the turn track first, and their total height. ``part``: columns, in tenths."""
    wide = part * (LETTERS + _GAP) // 10 - _GAP
    letter = room // wide
    many = (wide + _GAP) // (LETTERS + _GAP)
    turns, *others = track
    drawn, y = _draw_track(turns, at, room, letter)
    columns, step = [y] * many, (room + _GAP * letter) // many
    room = step - _GAP * letter
    for table in (*tables, *others):
        column = columns.index(min(columns))
        text, columns[column] = _draw_table(table, (at[0] + column * step, columns[column]), letter, room)
        drawn += text
    return drawn, max(columns) - at[1]


def _draw_track(table: Table, at: tuple[int, int], room: int, letter: int) -> tuple[str, int]:
    """Return one box for each turn and the notes; then the lower edge. The box of the present turn is bold."""
    line, (left, top) = 2 * letter, at
    drawn = write(table.title, (left, top + line), 3 * letter, room, bold=True)
    top += 2 * line
    rows = -(-len(table.rows) // _MAX_BOXES)
    many = -(-len(table.rows) // rows)
    wide = room // many
    for first in range(0, len(table.rows), many):
        boxes = [_list_lines(table.head, row, letter, wide) for row in table.rows[first : first + many]]
        high = (max(map(len, boxes)) + 1) * line + line // 2
        for number, (row, lines) in enumerate(zip(table.rows[first : first + many], boxes, strict=True)):
            x, now = left + number * wide, row[0].startswith(_NOW)
            name, fill, border = ("now", "#f7e3a1", letter // 2) if now else ("turn", "#fff", letter // 6)
            look = attribute(class_=name, fill=fill, stroke="#222", stroke_width=border)
            drawn += f'<rect x="{x}" y="{top}" width="{wide}" height="{high}"{look}/>'
            for place, words in enumerate(lines):
                spot = x + letter, top + (place + 1) * line + line // 4
                drawn += write(words, spot, 9 * letter // 5, wide - 3 * letter // 2, bold=not place)
        top += high
    return _add_notes(drawn, table.notes, (left, top), letter, room)


def _list_lines(head: Sequence[str], row: Sequence[str], letter: int, wide: int) -> list[str]:
    """Return the name of a turn, then a line for each event."""
    told = [f"{name} {cell}".strip() for name, cell in zip(head[1:], row[1:], strict=False) if cell.strip("- ")]
    lines = [line for each in told for line in break_lines(each, 9 * letter // 5, wide - 2 * letter)]
    return [row[0].strip(f"{_NOW} "), *lines]


def _draw_table(table: Table, at: tuple[int, int], letter: int, room: int) -> tuple[str, int]:
    """Return a title, rows with stripes, and notes; then the lower edge."""
    line, (left, top) = 2 * letter, at
    drawn = write(table.title, (left, top + 2 * line), 3 * letter, room, bold=True)
    top += 2 * line + line // 2
    size, widths = _fit_columns((table.head, *table.rows), 9 * letter // 5, room - letter)
    for number, row in enumerate((table.head, *table.rows)):
        cells = [break_lines(cell, size, wide) for cell, wide in zip(row, widths, strict=False)]
        high = max(map(len, cells)) * line
        color = "#d9d5c8" if not number else "#efece2" if number % 2 else "#fff"
        drawn += element("rect", x=left, y=top, width=room, height=high, fill=color)
        x = left + letter // 2
        for cell, wide in zip(cells, widths, strict=False):
            for place, words in enumerate(cell):
                drawn += write(words, (x, top + (place + 1) * line - line // 4), size, wide, bold=not number)
            x += wide + size
        top += high
    return _add_notes(drawn, table.notes, (left, top), letter, room)


def _fit_columns(rows: Sequence[Sequence[str]], size: int, room: int) -> tuple[int, list[int]]:
    """Return the letter size of a table and the widths of its columns, which fill the room. No word is cut."""
    columns = [*zip_longest(*rows, fillvalue="")]
    parts = [[part for cell in cells for part in ([cell] if len(cell) < _SHORT else cell.split())] for cells in columns]
    longest = [max(each, key=_measure) for each in parts]
    size = min(size, room * 1_000 // sum(_measure(part) + 1_000 for part in longest))
    free = room - size * (len(columns) - 1)
    whole = [max(map(_measure, cells)) * size // 1_000 + 1 for cells in columns]
    spare = [wide - 1 - _measure(part) * size // 1_000 for wide, part in zip(whole, longest, strict=True)]
    over = max(0, sum(whole) - free)
    widths = [wide - over * more // max(1, sum(spare)) for wide, more in zip(whole, spare, strict=True)]
    return size, [wide + (free - sum(widths)) * wide // sum(widths) for wide in widths]


def _measure(words: str) -> int:
    """Return the length of a line of bold letters of size 1,000."""
    return fit_letters(words, 1_000, 1_000_000)[1]


def _add_notes(drawn: str, notes: Sequence[str], at: tuple[int, int], letter: int, room: int) -> tuple[str, int]:
    """Return a drawing with notes below a point; then the lower edge."""
    line, (left, top), size = 2 * letter, at, letter * 17 // 10
    lines: list[str] = []
    for note in notes:  # a short note stands beside another
        both = break_lines(" ".join((*lines[-1:], note)), size, room)
        lines = [*lines[:-1], *both] if len(both) == 1 else [*lines, *break_lines(note, size, room)]
    for words in lines:
        top += line
        drawn += write(words, (left, top), size, room)
    return drawn, top + line
