"""Random signed games, and changed files: ``make fuzz RULESET=all GAMES=300 SECONDS=0``.

Games: two keys, two desks, random legal turns to the end, every message verified by the other side and both folders at
the end. A game that fails stays in ``build/fuzz/<seed>/``. Changes: every single character of a game's files replaced,
deleted and doubled, and its files dropped, swapped, cut and laid out anew; what may not be accepted must be refused in
words that name the file.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import demo_game  # noqa: E402
import mutations  # noqa: E402
import signed_play  # noqa: E402

from kursk_pbem.game import verify  # noqa: E402
from kursk_pbem.rulesets import RULESETS  # noqa: E402

WHOLE_EVERY = 400  # of so many changes one is also judged by verifying the whole folder
SHOWN = 20


def main() -> int:
    """Play, change, sum up; 1 if anything failed."""
    known = [ruleset.id for ruleset in RULESETS]
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("--ruleset", default="all", choices=["all", *known])
    parser.add_argument("--games", type=int, default=300, help="how many games")
    parser.add_argument("--seconds", type=int, default=0, help="stop playing after so long; 0: GAMES counts")
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--mutations", default="3000", help="how many changes of one character, or all")
    arguments = parser.parse_args()
    changes = None if arguments.mutations == "all" else int(arguments.mutations)
    good = play_games(arguments.games, arguments.seconds, arguments.seed)
    if changes != 0:
        with tempfile.TemporaryDirectory() as name:
            good = change_files(Path(name), changes, arguments.seed) and good
    return 0 if good else 1


def progress(text: str) -> None:
    """One line that overwrites itself, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def play_games(games: int, seconds: int, first: int) -> bool:
    """Part one. True if every game was played and verified."""
    kept = ROOT / "build" / "fuzz"
    done: list[signed_play.Played] = []
    failed: list[int] = []
    began = time.monotonic()
    seed = first
    while time.monotonic() - began < seconds if seconds else seed < first + games:
        progress(f"game {seed}, {len(done)} done, {time.monotonic() - began:.0f} s")
        folder = kept / str(seed)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            done.append(signed_play.play_game(folder, seed))
            shutil.rmtree(folder)
        except Exception:  # noqa: BLE001  whatever it is, the game is kept and named
            failed.append(seed)
            progress("")
            traceback.print_exc()
            print(f"seed {seed} failed; its folders are in {folder}", file=sys.stderr)
        seed += 1
    progress("")
    print(f"random games: {len(done)} played and verified, {len(failed)} failed, seeds {first} to {seed - 1}, "
          f"{sum(each.messages for each in done)} messages, {time.monotonic() - began:.0f} s")
    count("options", (f"{name}={value}" for each in done for name, value in each.options.items()))
    count("ends", (each.end for each in done))
    count("results", (result for each in done for result in each.results.elements()))
    if failed:
        print(f"failed seeds: {', '.join(map(str, failed))}")
    return not failed


def count(what: str, words: Iterable[str]) -> None:
    """One line of how often each word came."""
    print(f"  {what}: " + ", ".join(f"{word} {number}" for word, number in Counter(words).most_common()))


def demo(folder: Path, seed: str) -> Path:
    """The demonstration, played in silence; the game folder of its first player."""
    return next((demo_game.play_demo(folder, seed) / "german").glob("game-*"))


def change_files(root: Path, changes: int | None, seed: int) -> bool:
    """Part two. True if every change came to what it should."""
    source = demo(root / "demo", "citadel")
    record = mutations.Record(source, root / "changed")
    began = time.monotonic()
    faults = one_character(record, changes, seed)
    faults += whole_files(record)
    faults += whole_folders(source, demo(root / "stranger", "stranger"), root / "wrong")
    print(f"  {time.monotonic() - began:.0f} s")
    for fault in faults[:SHOWN]:
        print(fault, file=sys.stderr)
    if faults:
        print(f"{len(faults)} changes did not come to what they should; the first {SHOWN} stand above"
              if len(faults) > SHOWN else f"{len(faults)} changes did not come to what they should", file=sys.stderr)
    return not faults


def one_character(record: mutations.Record, changes: int | None, seed: int) -> list[str]:
    """Single characters; the faults found."""
    faults: list[str] = []
    statuses: Counter[str] = Counter()
    whole = 0
    total = sum(map(len, record.texts)) * len(mutations.KINDS)
    chosen = record.changes() if changes is None else iter(record.sample(changes, seed))
    for number, change in enumerate(chosen):
        if number % 200 == 0:
            progress(f"changes of one character: {number} of {changes or total}")
        text = record.altered(change)
        judged = record.judge(change.seq, text)
        statuses[str(judged.status)] += 1
        fault = record.fault(change.seq, text, judged)
        if not fault and number % WHOLE_EVERY == 0:
            whole += 1
            by_folder = record.judge_whole(change.seq, text)
            fault = "" if by_folder == judged else f"the whole folder is judged otherwise: {by_folder} and {judged}"
        if fault:
            faults.append(f"{change}: {fault}")
    progress("")
    print(f"changes of one character: {statuses.total()} of {total}, {whole} also judged by the whole folder")
    print("  statuses: " + ", ".join(f"{status}: {number}" for status, number in sorted(statuses.items())))
    return faults


def whole_files(record: mutations.Record) -> list[str]:
    """Files laid out anew must stay what they were; files cut short must be refused."""
    faults: list[str] = []
    for seq, text in enumerate(record.texts):
        for name, layout in mutations.LAYOUTS.items():
            judged = record.judge(seq, layout(text))
            if judged != mutations.Judgement(0, head=record.head):
                faults.append(f"message {seq}, {name}: {judged}")
        for name, part in mutations.cut(text).items():
            judged = record.judge(seq, part)
            fault = record.fault(seq, part, judged) or ("" if judged.status else "accepted")
            if fault:
                faults.append(f"message {seq}, {name} left: {fault}")
    print(f"other layouts and cut files: {len(record.texts) * (len(mutations.LAYOUTS) + len(mutations.cut(text)))}")
    return faults


def whole_folders(source: Path, stranger: Path, scratch: Path) -> list[str]:
    """Messages dropped, swapped, doubled, foreign."""
    faults: list[str] = []
    total = 0
    for name, folder, file in mutations.folders_gone_wrong(source, stranger, scratch):
        total += 1
        found = verify.verify_game(folder)
        fault = mutations.complaint_fault(found.text, file)
        if found.status != 3 or fault:
            faults.append(f"{name}: status {found.status}: {fault or found.text}")
    print(f"messages dropped, swapped or foreign: {total}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
