"""The finished games of tests/games: one for each way in which a game can end, played by directed players.

A folder holds the messages as mailed, without the position, and ``game.txt``. Keys, nonces and so the dice follow from
the name and the seed of a game.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulesets.battle_for_kursk import directed_play
from rulesets.battle_for_kursk.directed_play import FAR, Aim

from helpers import signed_play
from helpers.signed_play import CAMPAIGN, CITADEL, SIDES
from kursk_pbem.audit import verify
from kursk_pbem.desk import desk as desks
from kursk_pbem.desk import drafts
from kursk_pbem.game import entropy
from kursk_pbem.game import folder as folders
from kursk_pbem.game.game import Game
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.trust import keys
from kursk_pbem.trust import message as messages
from kursk_pbem.trust.keys import Signer

ROOT = Path(__file__).parents[1] / "games"
MOST = 120  # messages; no game is so long
WEST = ("2110", "2117", "2422", "1808", "1818", "1404", "1923", "1821", "1103", "1015")  # Major Cities, nearest first
EAST = ("2113", "2713", "2406", "2824")


@dataclass(frozen=True)
class Plot:
    """How a game is to go: ``aims`` by side, ``resigns`` who gives up with his first message from number ``at`` on.

    ``refereed``: a referee rolls the dice; ``offers`` by side: in place of his first message from that number on he
    offers a draw, which is declined.
    """

    title: str
    scenario: str
    german: Aim
    russian: Aim
    options: Mapping[str, str] = field(default_factory=dict)
    resigns: str = ""
    at: int = 0
    seed: int = 1
    refereed: bool = False
    offers: Mapping[str, int] = field(default_factory=dict)


ALERT = {"stand-fast": "full", "exchange-dr": "doomed", "exchange-drl": "never"}

PLOTS = {
    "moscow": Plot(
        "The Russians leave a gap before Moscow, and a panzer corps drives through it.", CAMPAIGN,
        Aim(("deploy",), ("2402",)), Aim(("reposition",), refuge="2713"),
    ),
    "german-strategic": Plot(
        "The Russians leave for the north; the Germans take the objective and every Major City in the east but Moscow.",
        CITADEL,
        Aim(("engage", "engage", "deploy"), EAST, column=4), Aim(("reposition",), refuge="1800", content=-FAR),
    ),
    "german-operational": Plot(
        "The Germans take Kursk and are content. The Russians answer nothing beforehand: the dice stop and ask them.",
        CITADEL,
        Aim(("engage",), EAST, content=3, column=3, waits=("2",)), Aim(("reposition",)), {"uncovered": "ask"},
    ),
    "russian-operational": Plot(
        "The Russians take a few Major Cities and stop.", CITADEL,
        Aim(("engage", "reposition"), column=3, answers=ALERT, waits=("2", "4")),
        Aim(("engage",), WEST, content=3, column=4),
    ),
    "russian-strategic": Plot(
        "The Germans leave for the west; the Russians follow from city to city.", CAMPAIGN,
        Aim(("pause", "pause", "pause", "reposition"), refuge="0618"), Aim(("engage",), WEST, column=3),
    ),
    "draw": Plot(
        "The Germans take Kursk; the Russians take as much as makes it even.", CITADEL,
        Aim(("engage",), EAST[:1], content=2, column=3, waits=("3", "5")),
        Aim(("reposition", "engage"), WEST, content=0, column=4, answers=ALERT), {"weather": "die"},
    ),
    "resignation-german": Plot(
        "The German gives up while his dice are due.", CITADEL,
        Aim(("engage",), EAST, column=2), Aim(("engage",), WEST, column=4, answers=ALERT), resigns="german", at=9,
    ),
    "resignation-russian": Plot(
        "The Russian gives up in the mud of spring.", CAMPAIGN,
        Aim(("engage",), EAST, column=3), Aim(("pause",)), {"weather": "die"}, resigns="russian", at=14,
    ),
    "referee": Plot(
        "A referee rolls. The Germans go for Kursk, the Russians for Orel; who has filed no answers is asked.", CITADEL,
        Aim(("engage",), EAST[:2], content=3, column=3, battles=2, answers=ALERT, waits=("2", "7")),
        Aim(("reposition", "engage"), WEST[:4], column=3, battles=2),
        {"uncovered": "ask", "weather": "die"}, refereed=True, offers={"german": 9, "russian": 30},
    ),
}  # fmt: skip


def play(name: str, root: Path) -> signed_play.Table:
    """Play a game under ``root``, every message verified by all desks."""
    plot = PLOTS[name]
    with entropy.fixed(f"finished game {name} {plot.seed}"):
        kind = signed_play.RefereedTable if plot.refereed else signed_play.Table
        table = kind(root, plot.scenario, plot.options).begin()
        kursk = table.german.desk.game.setting
        minds = {side: directed_play.Player(kursk, side, getattr(plot, side)) for side in SIDES}
        offers = dict(plot.offers)
        while not (game := table.german.desk.game).over:
            writer, seq = table.due, game.chain.next_seq
            assert seq < MOST, f"{name} does not end"
            other = None
            if game.chain.offer:
                other = drafts.reply(writer.desk, "decline")
            elif writer.side == plot.resigns and seq >= plot.at:
                other = drafts.resignation(writer.desk)
            elif seq >= offers.get(writer.side, MOST):
                other = drafts.offer(writer.desk, {"kind": "draw"})
                del offers[writer.side]
            else:
                state = desks.duties(writer.desk, writer.desk.record_of_writer()).middle
                writer.fill({} if state.stage == game.ruleset.over else minds[writer.side].message(state, seq))
            table.send(other)
            first, *others = [player.desk.game for player in table.players.values()]
            assert all((each.chain, each.state) == (first.chain, first.state) for each in others)
    return table


def written(name: str, root: Path) -> dict[str, str]:
    """The files of a game: name -> text. ``root`` is where it is played."""
    table = play(name, root)
    folder = table.russian.folder
    files: dict[str, str] = {}
    for path in folders.message_files(folder):
        message = folders.read_message(path)
        files[path.name] = messages.emit(message.content, message.armour)
    found = verify.verify_game(folder)
    assert found.status == 0, found.text
    files["game.txt"] = summary(PLOTS[name].title, table.russian.desk.game)
    return files


def summary(title: str, game: Game) -> str:
    """What ``game.txt`` says."""
    assert game.verdict is not None
    lines = {
        "how": title, "verdict": game.verdict.text, "head": game.chain.head_id,
        "messages": game.chain.next_seq, "adjudication": game.ruleset.version,
    }  # fmt: skip
    return "".join(f"{key}: {value}\n" for key, value in lines.items())


def differences(name: str, files: Mapping[str, str]) -> list[str]:
    """The names of files that are not as they lie in the folder of a game, or are not there, or should not be."""
    folder = ROOT / "battle-for-kursk" / name
    there = {path.name: path.read_bytes() for path in folder.glob("*")}
    made = {file: text.encode("ascii") for file, text in files.items()}
    return sorted(file for file in {*there, *made} if there.get(file) != made.get(file))


def signers(name: str, folder: Path) -> dict[str, Signer]:
    """The keys of a game's players, made once more in an empty folder: for tests that sign what nobody signed."""
    who = (*SIDES, REFEREE) if PLOTS[name].refereed else SIDES  # as a table makes them
    with entropy.fixed(f"finished game {name} {PLOTS[name].seed}"):
        for side in who:
            keys.generate(folder / side, entropy.fresh())
    return {side: keys.load(folder / side) for side in who}


def save(name: str, files: Mapping[str, str]) -> Path:
    """Put the files of a game in their place, instead of what lies there."""
    folder = ROOT / "battle-for-kursk" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="ascii", newline="\n")
    return folder
