"""List what may be ordered in random games, and compare it with another commit: ``make compare OLD=COMMIT``.

    python tools/compare_orders.py COMMIT [--ruleset RULESET] [--games 6] [--messages 20]

For each message of random games the tool lists the forms, the edits of random orders from these forms (also of orders
with slips), the refusals, the commands of the orders in the draft, and the comments of a draft. The other commit is
checked out into a temporary folder, and both trees list the same games. Lines that differ are printed; the exit status
is 1 if a line differs. With ``--list FOLDER`` the tool lists the tree in FOLDER alone.
"""

from __future__ import annotations

import argparse
import difflib
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
ROOT = Path(sys.argv[sys.argv.index("--list") + 1]).resolve() if "--list" in sys.argv else HERE
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
SHOWN = 40
"""Maximum number of printed differences of a system."""


def list_game(kit: Any, seed: int, most: int) -> Iterator[str]:
    """Yield the lines of the random game of a seed: every verb of every message of a player."""
    from kursk_pbem import testing
    from kursk_pbem.kernel.ruleset import REFEREE

    scenario, options = kit.of_seed(seed)
    setting = kit.setting(scenario, options, refereed=seed % 3 == 2)
    for number, (_before, result) in enumerate(testing.play_game(kit.ruleset, kit.chooser, setting, seed), 1):
        if number > most:
            return
        if kit.ruleset.stage(setting, result.middle).writer != REFEREE:
            yield from _list_message(kit.ruleset, setting, result.middle, number, f"{scenario} {seed} {number}")


def _list_message(ruleset: Any, setting: Any, state: Any, seq: int, where: str) -> Iterator[str]:
    seen, draft = ruleset.seen, dict[str, Any]()
    read = {field for phase in ruleset.stage(setting, state).phases for field in (phase.key, *phase.reads)}
    verbs = sorted((verb for verb in seen.verbs(setting) if read & {*verb.fields}), key=lambda verb: verb.name)
    for hint in seen.hints(setting, state, seq) if verbs else ():
        yield f"{where} hint {hint}"
    for turn in range(3):
        for verb in verbs:
            rng = random.Random(f"{where} {turn} {verb.name}")
            for line, after in _list_verb(ruleset, setting, state, seq, draft, verb, rng):
                yield f"{where} {verb.name} {line}"
                draft = draft if after is None else after
    for key in ("orders", "policy", "choice", "seal"):
        for name, entries in draft.get(key, {}).items():
            for at, entry in enumerate(entries) if isinstance(entries, list) else [(None, entries)]:
                path = (key, name) if at is None else (key, name, at)
                yield f"{where} command {seen.command(draft, path, entry)!r}"


def _list_verb(
    ruleset: Any, setting: Any, state: Any, seq: int, draft: dict[str, Any], verb: Any, rng: random.Random
) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield lines about a verb; with the draft after an order that is kept."""
    from kursk_pbem.errors import UsageError
    from kursk_pbem.kernel.adjudicate import carry_out, choose, make_filing
    from kursk_pbem.kernel.verbs import OrderContext, edit_draft

    def file(drafted: Mapping[str, Any]) -> Any:
        return make_filing(ruleset, setting, drafted, state.side, seq)

    def at(drafted: Mapping[str, Any], phase: str) -> Any:
        return carry_out(ruleset, setting, state, file(drafted), phase)

    ask = OrderContext(setting, state, seq, draft, at)
    yield f"explained {verb.explain(ask)!r}", None
    words: list[str] = []
    for clauses in _list_forms(ask, verb, words, rng):
        yield f"{' '.join(words)} offers {[_show(clause) for clause in clauses]}", None
    for said in (words, words[:-1], [*words[:1], *words[1:][::-1]], [*words, "none"]):
        if verb.usage and not said:
            continue
        try:
            edits = verb.write(ask, said)
        except UsageError as error:
            yield f"{' '.join(said)} refused {error.message!r}", None
            continue
        after = edit_draft(draft, edits)
        faults = choose(ruleset, setting, state, file(after))[1]
        legal = said is words and all(fault.waits for fault in faults)
        yield f"{' '.join(said)} edits {edits} faults {[str(fault) for fault in faults]}", after if legal else None


def _list_forms(ask: Any, verb: Any, words: list[str], rng: random.Random) -> Iterator[Any]:
    """Yield the forms of a verb, and append random words to ``words``."""
    if verb.clauses is None:
        return
    clauses = verb.clauses(ask, ())
    yield clauses
    if clauses and not clauses[0].word and clauses[0].among:
        words += rng.choice(clauses[0].among)[0].split()
        then = verb.clauses(ask, words)
        yield then
        clauses = clauses[1:] if then == clauses else then
    for clause in clauses:
        among = [word for word, _text in clause.among if word]
        single = clause.kind in ("unit", "place", "choice")
        if among and rng.random() < 0.7:
            values = rng.sample(among, 1 if single else rng.randint(1, min(3, len(among))))
            values = list(filter(None, clause.chosen)) or values if rng.random() < 0.5 else values
            words += [*([clause.word] if clause.word else []), *" ".join(values).split()]


def _show(clause: Any) -> str:
    """Return the fields of a clause that differ from their defaults, so that a new field changes no line."""
    shown = ((field.name, getattr(clause, field.name), field.default) for field in fields(clause))
    return ", ".join(f"{name}={value!r}" for name, value, usual in shown if usual is MISSING or value != usual)


def print_tree(asked: argparse.Namespace) -> None:
    """Print the lines of this tree for every game of the systems."""
    from helpers import registry

    for kit in registry.kits(asked.ruleset):
        for seed in range(asked.games):
            for line in list_game(kit, seed, asked.messages):
                print(kit.id, line)


def compare_trees(asked: argparse.Namespace, old: Path) -> int:
    """Print the lines in which the tree ``old`` and this tree differ; return 1 if there are any."""
    found = []
    for tree in (old, HERE):
        words = [sys.executable, __file__, "--list", tree, "--ruleset", asked.ruleset]
        words += ["--games", asked.games, "--messages", asked.messages]
        said = subprocess.run([*map(str, words)], check=True, stdout=subprocess.PIPE, text=True)
        found.append(said.stdout.splitlines())
    lines = difflib.unified_diff(found[0], found[1], lineterm="", n=0)
    differ = [line for line in lines if line[:1] in "+-"][2:]
    print("\n".join(differ[:SHOWN]))
    print(f"{len(found[1])} lines, {len(differ)} differ")
    return 1 if differ else 0


def main() -> int:
    """Compare this tree with a commit or a folder, or list a tree."""
    parser = argparse.ArgumentParser(description="What may be ordered, compared with another commit.")
    parser.add_argument("old", nargs="?", default="", metavar="COMMIT|FOLDER")
    parser.add_argument("--list", type=Path, help="only list the tree in this folder")
    parser.add_argument("--ruleset", default="all")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--messages", type=int, default=20)
    asked = parser.parse_args()
    if asked.list:
        print_tree(asked)
        return 0
    if Path(asked.old).is_dir():
        return compare_trees(asked, Path(asked.old))
    with tempfile.TemporaryDirectory() as name:
        old = Path(name) / "old"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "--detach", "--quiet", old, asked.old], check=True)
        try:
            return compare_trees(asked, old)
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", old], check=True)


if __name__ == "__main__":
    sys.exit(main())
