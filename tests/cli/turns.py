"""Turns of all four systems as players type turns: without slips and with ten ordinary slips; and the cost in keys.

A key is a character, Enter or Tab, which takes the first offered word; a mail is in the place of the last mail. The
cost of a slip is the number of keys beyond the clean turn: Up brings the line back in the shell, each wrong word is
deleted with one key, each word to its right is passed with one key, and the right words are typed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.signed_play import Player, Table
from rulesets.battle_for_kursk.first_turn import OPENING

from kursk_pbem.cli import order_words, run
from kursk_pbem.cli.orders import dialogue
from kursk_pbem.desk.draft import drafts
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import entropy, games


@dataclass(frozen=True)
class Turn:
    """The lines of a player in the messages of one turn: a list of orders for each message.

    ``first``: the number of the first message. ``slips``: message, number of the intended order, typed line."""

    scenario: str
    first: int
    messages: tuple[tuple[str, ...], ...]
    slips: tuple[tuple[int, int, str], ...]
    opening: tuple[dict[str, Any], ...] = ()


class Played:
    """One typed turn. ``keys``: its keys, ``costs``: the keys of each slip, ``chosen``: the final choices of each
    message."""

    def __init__(self, turn: Turn, root: Path, *, shell: bool, slips: bool) -> None:
        self.turn, self.shell, self.keys = turn, shell, 0
        self.costs: list[int] = []
        self.chosen: list[dict[str, object]] = []
        wrong = turn.slips if slips else ()
        with entropy.fix_random_bytes("turns"):
            table = Table(root, turn.scenario).begin()
            for content in turn.opening:
                table.turn(content)
            while table.game.chain.next_seq < turn.first:
                table.post()
            player = table.due
            for number, orders in enumerate(turn.messages):
                self._message(player, orders, [(order, line) for at, order, line in wrong if at == number])
                self._look(player, first=number == 0)
                self.chosen.append(_chosen(player))
                self._type(player, "sign")
                self.keys += len("y\n")
                table.post()
                if number + 1 < len(turn.messages):
                    table.post()

    def _message(self, player: Player, orders: Iterable[str], wrong: Iterable[tuple[int, str]]) -> None:
        drafts.write_draft(player.desk, force=True)
        self.keys += len("kursk shell\n") + len("\x04") if self.shell else 0
        self._type(player, "inbox")
        for number, order in enumerate(orders):
            for line in [line for at, line in wrong if at == number]:
                self._slip(player, line, order)
            self._type(player, order)
            assert self._run(player, order) == 0, order

    def _look(self, player: Player, *, first: bool) -> None:
        for command in (*(["odds"] if first else []), "check"):
            self._type(player, command)
            assert self._run(player, command) == 0, command

    def _slip(self, player: Player, wrong: str, right: str) -> None:
        """Type a line that is refused; check that the draft is unchanged."""
        was = player.draft().read_bytes()
        assert self._run(player, wrong) != 0, wrong
        assert player.draft().read_bytes() == was, wrong
        self.costs.append(_corrected(wrong, right))

    def _type(self, player: Player, line: str) -> None:
        self.keys += _completed(player, line) if self.shell else len(f"kursk {line}\n")

    def _run(self, player: Player, line: str) -> int:
        os.environ["KURSK_HOME"] = str(player.home)
        if self.shell:
            return run(dialogue.Dialogue(player.folder).arguments(line))
        first, *rest = line.split()
        order = first in order_words()
        arguments = ["order" if order else first, str(player.folder), *(line.split() if order else rest)]
        return run(arguments)


def _completed(player: Player, line: str) -> int:
    """Count the keys of a line in the shell: the letters of each word, or fewer letters and Tab if the first offer
    is the word."""
    os.environ["KURSK_HOME"] = str(player.home)
    talk, keys, before = dialogue.Dialogue(player.folder), 1, ""
    for word in line.split():
        whole = bare = word.rstrip(",")
        for size in range(1, len(bare) - 1):
            if [offer.text for offer in talk.words(before + bare[:size])][:1] == [bare]:
                whole = f"{bare[:size]}\t"
                break
        keys += len(whole) + len(word) - len(bare)
        before += f"{word} "
    return keys + line.count(" ") - line.count(", ")  # no blank is needed after a comma


def _chosen(player: Player) -> dict[str, object]:
    data = strictyaml.read(player.draft().read_bytes(), "draft").data
    return {key: value for key, value in data.items() if key in games.CHOICE_FIELDS}


def _corrected(wrong: str, right: str) -> int:
    """Count the keys that a wrong line costs: Enter, Up, the way back to the mistake, and the right words."""
    typed, meant = wrong.split(), right.split()
    behind = 0
    while behind < min(len(typed), len(meant)) and typed[-1 - behind] == meant[-1 - behind]:
        behind += 1
    typed, meant = typed[: len(typed) - behind], meant[: len(meant) - behind]
    same = 0
    while same < min(len(typed), len(meant)) and typed[same] == meant[same]:
        same += 1
    more = max(0, len(wrong) - len(right))
    way = min(behind, 1 + same)  # back from the end, or forward from the beginning
    return 1 + 1 + way + len(typed[same:]) + sum(len(word) + 1 for word in meant[same:]) + more


TURNS = {
    "battle-for-kursk": Turn(
        "battle-for-kursk/citadel",
        2,
        (
            (
                "attack 2011 41 46 47 lead 41 su 23 re away kursk lo 46 ad 46",
                "attack 2015 all lead 3 su all re away kursk lo 52 ad 48",
                "attack 2218 all re toward 2319 lo 42 ad 57",
            ),
            ("march ss 2016", "march 11 2118", "march esebeck 2109"),
        ),
        (
            (0, 0, "atack 2011 41 46 47 lead 41 su 23 re away kursk lo 46 ad 46"),
            (0, 0, "attack 2011 41 46 47 lead 4 su 23 re away kursk lo 46 ad 46"),
            (0, 0, "attack 2011 41 46 47 lead 41 su 23 re away kurks lo 46 ad 46"),
            (0, 1, "attack 2015 all lead 3 su re away kursk lo 52 ad 48"),
            (0, 1, "attack 2016 all lead 3 su all re away kursk lo 52 ad 48"),
            (0, 2, "attack 2218 all re toward 2319 lo 42 ad 24"),
            (0, 2, "attack 2218 24 re toward 2319 lo 42 ad 57"),
            (1, 0, "march ss"),
            (1, 1, "march 11 2011"),
            (1, 2, "march esebek 2109"),
        ),
        (OPENING,),
    ),
    "kursk-1971": Turn(
        "kursk-1971/july4-historical",
        1,
        (
            (
                "attack 1823 all su air 6 lo gd, 2024 all lo 168",
                "attack 1912 all su air 1 lo 216, 2011 all re away orel",
            ),
            ("motor gd 1725, 2 pz 1609, patrol 1725 with air 4",),
        ),
        (
            (0, 0, "atack 1823 all su air 6 lo gd, 2024 all lo 168"),
            (0, 0, "attack 1823 all su air 1 lo gd, 2024 all lo 168"),
            (0, 0, "attack 1823 all su air 6 lo gd, 2024 all lo 99"),
            (0, 0, "attack 1823 all su air 6 lo gd, 2204 all lo 168"),
            (0, 1, "attack 1912 all su air lo 216, 2011 all re away orel"),
            (0, 1, "attack 1912 all su air 1 lo, 2011 all re away orel"),
            (0, 1, "attack 1912 all su air 1 lo 216, 2011 all re"),
            (1, 0, "motor gd, 2 pz 1609, patrol 1725 with air 4"),
            (1, 0, "motor gd 1725, 2 pz 2609, patrol 1725 with air 4"),
            (1, 0, "motor gd 1725, 2 pz 1609, patrol with air 4"),
        ),
    ),
    "juggernauts": Turn(
        "juggernauts/july-1943",
        1,
        (
            (
                "keil 2 NW, 47 SE, 41 SW",
                "move 4 pz h7, 12 pz h7, 10 bde q7",
                ("attack i8 46 4 12 pu 1 ad 4 12 ca below 3:2, ponyri all lo 656 ad 47 505 br join i8"),
                "attack p7 10 lii exc no, p8 2 48 pr yes pu 2 fo D1 AD adv 48 o8",
            ),
            ("move 10 pzg g9",),
        ),
        (
            (0, 0, "kiel 2 NW, 47 SE, 41 SW"),
            (0, 0, "keil 2 NW, 47 SE, 41"),
            (0, 1, "move 4 pz h7, 12 pz h7, 10 bde"),
            (0, 1, "move 4 pz h7, 12 pz a1, 10 bde q7"),
            (0, 1, "move 4 pz h7, 12 zp h7, 10 bde q7"),
            (0, 3, "attack p7 10 lii exc, p8 2 48 pr yes pu 2 fo D1 AD adv 48 o8"),
            (0, 3, "attack p7 10 lii exc no, p8 2 48 pr yes pu 3 fo D1 AD adv 48 o8"),
            (0, 3, "attack p7 10 lii exc no, p8 2 48 pr yes pu 2 fo D1 AD adv 48 zz"),
            (1, 0, "move 10 pzg"),
            (1, 0, "move 10 pzg z9"),
        ),
    ),
    "armor-commander": Turn(
        "armor-commander/crossroads",
        3,
        (("advance panzer 12 3, fire pak 2 at tank",),),
        (
            (0, 0, "advnce panzer 12 3, fire pak 2 at tank"),
            (0, 0, "advance pz 12 3, fire pak 2 at tank"),
            (0, 0, "advance panzer 13 3, fire pak 2 at tank"),
            (0, 0, "advance panzer 12, fire pak 2 at tank"),
            (0, 0, "advance panzer 12 90, fire pak 2 at tank"),
            (0, 0, "advance panzer 12 3, fire pak 2"),
            (0, 0, "advance panzer 12 3, fire pak 3 at tank"),
            (0, 0, "advance panzer 12 3, fire pak 2 tank"),
            (0, 0, "advance panzer 12 3, fire pak 2 at tnks"),
            (0, 0, "advance panzer 12 3, fier pak 2 at tank"),
        ),
    ),
}
"""A player turn of each system with its orders, as played by strangers."""
