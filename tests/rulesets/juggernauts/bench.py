"""Rows of the benchmark for Juggernauts: views, moves, attacks, random play, and the heaviest scenario."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from board import seats
from helpers.measure import head, median_ms, row
from helpers.registry import Kit

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.draft import prospects as outlooks
from kursk_pbem.game import folders
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.juggernauts import RULESET, movement
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.trust import messages
from rulesets import toys
from rulesets.juggernauts import heavy
from rulesets.juggernauts.board import Faces
from rulesets.juggernauts.plots import JULY
from rulesets.juggernauts.random_play import Chooser


def main(kit: Kit) -> None:
    """Print all rows."""
    july = kit.setting(JULY)
    state = kit.setup(july)
    view = median_ms(lambda: position(july, state))
    head("rules", f"one view of a position (who stands where), {view:.3f} ms")
    zones = median_ms(lambda: [position(july, state).zone(side) for side in july.sides])
    row("zones of control of both sides", zones, view)
    row("supply of both sides", median_ms(lambda: [position(july, state).supply(side) for side in july.sides]), view)
    pos = position(july, state)
    russian = [uid for uid in sorted(pos.where) if pos.side(uid) == "russian"]
    moves = median_ms(lambda: [movement.find_ends(pos, uid) for uid in russian])
    row(f"legal moves of a side ({len(russian)} units)", moves, view)
    row("all attacks of a side, with odds", median_ms(lambda: list(possible.attacks(pos, "german"))), view)
    orders = Chooser(july, random.Random(1)).content(state, 1)["orders"]
    filing = Filing(1, "german", orders=orders)
    whole = median_ms(lambda: adjudicate(RULESET, july, state, filing, None))
    row("adjudicate the orders of a player turn", whole, view)
    done = adjudicate(RULESET, july, state, filing, None)
    unused = median_ms(lambda: RULESET.seen.unused(july, done.middle, done.events[done.duties :], filing), runs=3)
    row(f"unused possibilities, {len(orders['battles'])} attacks", unused, whole)
    begin = time.perf_counter()
    stages = sum(1 for seed in range(4) for _ in toys.play(kit, july, seed))
    rate = stages / (time.perf_counter() - begin)
    print(f"{'random play, choosing included':<46} {rate:9.0f} stages a second")
    for where in (heavy.front, heavy.depth, heavy.heap):
        with tempfile.TemporaryDirectory() as root, patch.dict("os.environ", KURSK_SCENARIOS=f"{root}/scenarios"):
            measure_heaviest(Path(root), where)


def measure_heaviest(root: Path, where: heavy.Place) -> None:
    """Print the rows of the heaviest legal scenario with all possible attacks: files, odds, pages, dice."""
    heavy.write(root / "scenarios" / heavy.HEAVY, where)
    seat, _other = seats.by_turn(seats.begun(root, heavy.HEAVY))
    desk, path = seat.sit(), seat.draft()
    game, wedges = desk.game, [uid for uid, counter in desk.game.setting.counters.items() if counter.tigers]
    orders = {
        "battles": heavy.make_attacks(game.setting, game.state),
        "panzerkeil": [{"unit": uid, "facing": "NE"} for uid in wedges[:100]],
    }
    written = messages.read_draft(folders.read_bytes(path), str(path))
    folders.write(path, messages.emit_message({**written.content, "orders": orders}), force=True)
    seen = outlooks.open_prospect(path, seat.home, ahead=False)
    empty = median_ms(lambda: position(game.setting, game.state))
    head(f"heaviest scenario, units in {where.__name__}", f"one view of a position, {empty:.3f} ms")

    def check() -> drafts.Checked:
        return drafts.check_draft(desk, drafts.read_draft(desk, folders.read_bytes(path), str(path)))

    moves = outlooks.open_prospect(path, seat.home, ahead=True)
    row("what all units may do", median_ms(lambda: outlooks.compute_outlook(moves, ""), runs=3), empty, "2 s")
    page = median_ms(lambda: seats.Client(seat).enter().get(f"/game/{seat.game}/"), runs=3)
    row("page of the board", page, empty, "2 s")
    if not orders["battles"]:
        return
    row(f"check a draft with {len(orders['battles'])} attacks", median_ms(check, runs=3), empty, "2 s")
    row("odds of the attacks", median_ms(lambda: outlooks.compute_odds(seen), runs=3), empty, "2 s")
    declared = check().result.after
    fought = declared.with_(stage="german-dice", side="german", agenda={**declared.agenda, "answered": "2"})
    order = Filing(3, "german", reveal={"plans/1": check().hidden.get("plans/1", {})})
    dice = median_ms(lambda: adjudicate(RULESET, game.setting, fought, order, Faces(3, "2")), runs=3)
    row("adjudicate the dice", dice, empty, "2 s")
