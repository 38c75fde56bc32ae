"""A player who sees no map plays a whole turn of each system from the sentences of four commands."""

import re

import pytest
from helpers import registry
from helpers.commands import well
from helpers.signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.game import entropy

TRIES, MESSAGES = 12, 20
"""Orders of a kind that a player tries, and messages of a turn, at most."""


def hear(capsys, command):
    """Return the lines of a command, each with its continuation."""
    return re.sub(r"\n {6,}", " ", well(capsys, command)).splitlines()


def choose_moves(heard):
    """Yield moves toward the enemies."""
    enemies = next(line for line in "\n".join(heard).replace("\n  ", " ").splitlines() if line.startswith("Enemies: "))
    spots = [tuple(map(float, spot)) for spot in re.findall(r" at ([0-9]+[.][0-9]+), ([0-9]+[.][0-9]+)", enemies)]
    for line in heard:
        if found := re.match(r"  (\S+) at ([0-9.]+), ([0-9.]+): anywhere within ([0-9.]+) inches", line):
            x, y, reach = map(float, found.groups()[1:])
            a, b = min(spots, key=lambda spot: abs(spot[0] - x) + abs(spot[1] - y))
            part = reach / 2 / max(abs(a - x), abs(b - y))
            yield f"move {found[1]} {x + part * (a - x):.2f} {y + part * (b - y):.2f}"
        elif found := re.match(r"  (\S+) in \w+[^:]*: (.*)", line):
            near = re.search(r"(\w+)\*", found[2]) or re.search(r"MP (\w+)", found[2])  # *: beside an enemy
            if near:
                yield f"move {found[1]} {near[1]}"


def choose_attacks(heard):
    """Return attacks on the enemies next to own units, those with the best odds first."""
    chances, place = {}, ""
    for line in heard:
        if found := re.match(r"  \S.*\(\S+\) in (\w+)", line):
            place = found[1]
        elif place and line.startswith("    ") and (odds := re.findall(r"([0-9]+):([0-9]+)", line)):
            chances.setdefault(place, int(odds[-1][0]) / int(odds[-1][1]))
    return [f"attack {place} all" for place in sorted(chances, key=chances.get, reverse=True)]


def type_one(capsys, orders):
    """Type orders until the program takes one; return its first word, or ''."""
    for order in list(orders)[:TRIES]:
        taken = run(["order", *order.split()]) == 0
        said = capsys.readouterr()
        assert taken or said.err
        if taken:
            return order.split()[0]
    return ""


def sign(capsys):
    """Sign the message. After a refusal add the attacks that the refusal names, or take the newest order back."""
    heard = set()
    for _try in range(TRIES):
        if run(["sign", "--yes"]) == 0:
            break
        refusal = capsys.readouterr().err
        named = () if refusal in heard else re.findall(r"you must attack (\w+)", refusal)
        heard.add(refusal)
        assert type_one(capsys, [*(f"attack {place} all" for place in named), "undo"]), refusal
    capsys.readouterr()


def play_message(capsys, report):
    """Play the due message by ear; return its turn, and the accepted words."""
    order = hear(capsys, "order")
    _seq, turn, due = re.fullmatch(r"Message (\d+) of turn (\d+): (.*)", order[0]).groups()
    assert due in " ".join(" ".join(report).split())
    words = {line.split()[0]: re.split(" {2,}", line.strip())[0] for line in order if re.match(" {2}[a-z]", line)}
    taken = {type_one(capsys, [words[word]]) for word in ("deploy", "fire") if word in words}
    if "move" in words:
        taken.add(type_one(capsys, choose_moves(hear(capsys, "moves"))))
    if "attack" in words:
        taken.add(type_one(capsys, choose_attacks(hear(capsys, "moves"))))
    if "attack" in taken:
        assert any(re.search("[1-6]/6", line) for line in hear(capsys, "odds"))
    sign(capsys)
    return int(turn), taken


@pytest.mark.some(4)
@pytest.mark.parametrize("system", registry.KITS)
def test_a_whole_turn_is_played_by_ear(capsys, sits, tmp_path, system):
    """A blind player needs places of enemies, due choices, odds and results in words."""
    with entropy.fix_random_bytes("by ear"):
        play_turn(capsys, sits, Table(tmp_path, registry.kit(system).scenarios[0]).begin(), system)


def play_turn(capsys, sits, table, system):
    """Play the first turn at both desks."""
    folder = table.due.folder.name
    sits(table.due)
    turn, heard, orders = 1, [], {side: set() for side in table.players}
    while turn == 1:
        report = hear(capsys, "report")
        heard += report
        seq, side = re.search(r"[Nn]ext, message (\d+) of the (\w+) side", " ".join(report)).groups()
        assert int(seq) < MESSAGES
        here = sits(table.players[side.lower()]).place
        turn, taken = play_message(capsys, hear(capsys, "report"))
        orders[side.lower()] |= taken
        sits(table.players[table.other(side.lower())])
        well(capsys, "inbox", here / folder / f"{int(seq):04d}.yaml")
    assert turn == 2
    assert all("move" in taken for taken in orders.values())
    assert system == "armor-commander" or any("attack" in taken for taken in orders.values())
    assert any(re.search(r"\b(die|dice)\b.* [1-6]\b", line) for line in heard)
