"""The fuzzer: ``make fuzz SECONDS=600``. ``TARGET=...`` runs a single part, ``RULESET=...`` a single ruleset.

``reader``, ``mail``, ``schema`` and ``adjudicate`` receive spoiled copies of good inputs and share the seconds (see
fuzz_reader.py and so on; fuzzing.py defines a fault). ``make fuzz REPEAT=FILE`` repeats an input.

``games``: random legal games between two keys and two desks. The opponent verifies every message, and an auditor
verifies both folders at the end. ``TARGET=games SECONDS=28800`` plays all night. The last lines list the results,
decisions and paragraphs that no game reached. A failed game stays in ``build/fuzz/<ruleset>/<seed>/``.

``rules``: reach, supply, sight, odds and retreats in random positions, compared with slow and simple calculations.
``TARGET=rules POSITIONS=100000`` sets the number of positions per ruleset.

``changes``: every character of a game's files is replaced, deleted and doubled. Files are removed, swapped, cut and
formatted differently. The program must refuse an invalid file and name the file.
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
from contextlib import nullcontext
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import fuzz_lines  # noqa: E402
import fuzz_reached  # noqa: E402
import fuzz_rules  # noqa: E402
import fuzzing  # noqa: E402
import pytest  # noqa: E402
from bad import bad_index  # noqa: E402
from bad.bad_desk import Base  # noqa: E402
from helpers import demo_game, mutations, registry, signed_play  # noqa: E402
from helpers.reached import Reached  # noqa: E402
from helpers.registry import Kit  # noqa: E402
from rulesets import toys  # noqa: E402

from kursk_pbem.audit import verify  # noqa: E402
from kursk_pbem.errors import UsageError  # noqa: E402

WHOLE_EVERY = 400  # verify the whole folder too, after this number of changes
SHOWN = 20
KEPT = ROOT / "build" / "fuzz"
FED = ("reader", "mail", "schema", "adjudicate")
"""The default targets."""
SECONDS, GAMES = 600, 300
CHANGED = 8
"""Number of messages of the changed game."""


def main() -> int:
    """Run the requested parts and print the results; return 1 if a fault is found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument(
        "--target", choices=["all", *FED, "rules", "games", "changes"], help="one part; all: the first five"
    )
    parser.add_argument("--seconds", type=int, help=f"for the targets that are fed, together; {SECONDS}")
    parser.add_argument("--seed", type=int, default=1, help="of the inputs; of the first game, the others follow")
    parser.add_argument("--repeat", type=Path, metavar="FILE", help="give an input that was kept once more")
    parser.add_argument("--lines", action="store_true", help="say which lines of the rules were not reached; slow")
    parser.add_argument("--ruleset", default="all", help=f"all, or one of {', '.join(registry.KITS)}")
    parser.add_argument("--games", type=int, help=f"how many games; {GAMES}")
    parser.add_argument(
        "--positions", type=int, default=0, help="for rules: how many of each system, whatever it takes"
    )
    parser.add_argument("--mutations", help="how many changes of one character, or all")
    asked = parser.parse_args()
    try:
        kits = registry.kits(asked.ruleset)
    except UsageError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 2
    if asked.ruleset in registry.TOYS:  # the program does not know the toys before this call
        toys.plug(pytest.MonkeyPatch())
    if asked.repeat is not None:
        return repeat_input(asked.repeat, asked.ruleset)
    parts = _choose_parts(asked)
    good = True
    for name in FED:
        if name in parts:
            seconds = _get_seconds(asked) / len(parts & {*FED})
            good = feed_target(make_target(name, asked.ruleset), asked.seed, seconds, lines=asked.lines) and good
    for kit in kits:
        if "rules" in parts:
            seconds = _get_seconds(asked) / len(kits)
            good = fuzz_rules.compare_rules(kit, seconds, asked.positions, asked.seed, show_progress) and good
        if "games" in parts:
            seconds = _get_seconds(asked) if asked.target == "games" and asked.games is None and asked.seconds else 0
            good = play_games(kit, asked.games or GAMES, seconds / len(kits), asked.seed) and good
        if "changes" in parts:
            changes = None if asked.mutations in ("all", None) else int(asked.mutations)
            with tempfile.TemporaryDirectory() as name:
                good = change_files(kit, Path(name), changes, asked.seed) and good
    return 0 if good else 1


def _choose_parts(asked: argparse.Namespace) -> set[str]:
    """Return the parts to run: the named target, or the parts with a number, or the default targets."""
    if asked.target is not None:
        return {*FED} if asked.target == "all" else {asked.target}
    parts = {"games"} if asked.games else set()
    parts |= {"changes"} if asked.mutations not in (None, "0") else set()
    return parts | ({*FED} if asked.seconds or not parts else set())


def _get_seconds(asked: argparse.Namespace) -> int:
    return SECONDS if asked.seconds is None else int(asked.seconds)


def make_target(name: str, ruleset: str = "all") -> fuzzing.Target:
    """Make a target from the games of a ruleset (or of every ruleset) and the files of the demonstration."""
    import fuzz_adjudicate
    import fuzz_mail
    import fuzz_reader
    import fuzz_schema

    if name == "adjudicate":
        return fuzz_adjudicate.Adjudicate(ruleset)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        played = demo_game.play_demo(root / "demo")
        good = [path.read_bytes() for path in sorted(next((played / "german").glob("game-*")).glob("*.yaml"))]
        base = Base(played, root / "bad")
        recipes = [*bad_index.list_recipes().items()][::12] if name == "reader" else []
        bad = [each.made(base.of(file.partition("/")[0])) for file, each in recipes]
    games = "*" if ruleset == "all" else ruleset
    if name == "reader":
        return fuzz_reader.Reader(good, ruleset=games, bad=bad)
    if name == "mail":
        return fuzz_mail.Mail(good, ruleset=games)
    return fuzz_schema.Schema(good, ruleset=games, kits=registry.kits(ruleset))


def feed_target(target: fuzzing.Target, seed: int, seconds: float, *, lines: bool) -> bool:
    """Run a target; return whether the run found no fault."""
    reached = fuzz_lines.Lines() if lines else None
    with reached or nullcontext():
        outcome = fuzzing.run_target(
            target, seed, seconds=seconds, kept=KEPT / target.name, slow=not lines, progress=show_progress
        )
    show_progress("")
    print(outcome)
    if figures := getattr(target, "line", ""):
        print(figures)
    if reached is not None:
        print(reached)
    for finding in outcome.findings:
        print(finding, file=sys.stderr)
    return not outcome.findings


def repeat_input(path: Path, ruleset: str = "all") -> int:
    """Judge a saved input again. A folder in the path names the target."""
    name = next((part for part in reversed(path.resolve().parts) if part in FED), "")
    if not name:
        print(f"{path} lies in no folder of a target: {', '.join(FED)}", file=sys.stderr)
        return 2
    word, fault = fuzzing.judge_input(make_target(name, ruleset), path.read_bytes())
    print(fault or word)
    return 1 if fault else 0


def show_progress(text: str) -> None:
    """Print a line that overwrites itself, only on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def play_games(kit: Kit, games: int, seconds: float, first: int) -> bool:
    """Play random games of a ruleset; return whether every game was played and verified."""
    done: list[signed_play.Played] = []
    failed: list[int] = []
    began = time.monotonic()
    seed = first
    while time.monotonic() - began < seconds if seconds else seed < first + games:
        show_progress(f"{kit.id}: game {seed}, {len(done)} done, {time.monotonic() - began:.0f} s")
        folder = KEPT / kit.id / str(seed)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            done.append(signed_play.play_game(kit, folder, seed))
            shutil.rmtree(folder)
        except Exception:  # noqa: BLE001  whatever it is, the game is kept and named
            failed.append(seed)
            show_progress("")
            traceback.print_exc()
            print(f"seed {seed} failed; its folders are in {folder}", file=sys.stderr)
        seed += 1
    show_progress("")
    print(
        f"{kit.id}, random games: {len(done)} played and verified, {len(failed)} failed, seeds {first} to "
        f"{seed - 1}, {sum(each.messages for each in done)} messages, {time.monotonic() - began:.0f} s"
    )
    print_counts("options", (f"{name}={value}" for each in done for name, value in each.options.items()))
    print_counts("ends", (each.end for each in done))
    print_counts("results", (result for each in done for result in each.results.elements()))
    together = Reached()
    for played in done:
        together.join(played.reached)
    print_counts("decisions", together.decisions.elements())
    for line in fuzz_reached.list_missing(kit, together):
        print(f"  {line}")
    if failed:
        print(f"failed seeds: {', '.join(map(str, failed))}")
    return not failed


def print_counts(what: str, words: Iterable[str]) -> None:
    """Print the number of occurrences of each word in a line."""
    print(f"  {what}: " + ", ".join(f"{word} {number}" for word, number in Counter(words).most_common()))


def begin_game(kit: Kit, folder: Path, seed: int) -> Path:
    """Play the beginning of a random game; return the game folder of the first player."""
    signed_play.play_game(kit, folder, seed, most=CHANGED)
    return next((folder / kit.sides[0]).glob("game-*"))


def change_files(kit: Kit, root: Path, changes: int | None, seed: int) -> bool:
    """Change the files of a game; return whether every change had the right result."""
    source = begin_game(kit, root / "played", 1)
    record = mutations.Record(source, root / "changed")
    began = time.monotonic()
    print(f"{kit.id}, changes")
    faults = change_characters(record, changes, seed)
    faults += change_whole_files(record)
    faults += change_folders(source, begin_game(kit, root / "stranger", 11), root / "wrong")
    print(f"  {time.monotonic() - began:.0f} s")
    for fault in faults[:SHOWN]:
        print(fault, file=sys.stderr)
    if faults:
        print(
            f"{len(faults)} changes did not come to what they should; the first {SHOWN} stand above"
            if len(faults) > SHOWN
            else f"{len(faults)} changes did not come to what they should",
            file=sys.stderr,
        )
    return not faults


def change_characters(record: mutations.Record, changes: int | None, seed: int) -> list[str]:
    """Change single characters; return the faults."""
    faults: list[str] = []
    statuses: Counter[str] = Counter()
    whole = 0
    total = sum(map(len, record.texts)) * len(mutations.KINDS)
    chosen = record.changes() if changes is None else iter(record.sample(changes, seed))
    for number, change in enumerate(chosen):
        if number % 200 == 0:
            show_progress(f"changes of one character: {number} of {changes or total}")
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
    show_progress("")
    print(f"changes of one character: {statuses.total()} of {total}, {whole} also judged by the whole folder")
    print("  statuses: " + ", ".join(f"{status}: {number}" for status, number in sorted(statuses.items())))
    return faults


def change_whole_files(record: mutations.Record) -> list[str]:
    """Change whole files: a new layout must be accepted, a cut file refused. Return the faults."""
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


def change_folders(source: Path, stranger: Path, scratch: Path) -> list[str]:
    """Drop, swap, double and exchange messages; return the faults."""
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
