"""Play programs against each other in every scenario and write docs/balance.md: ``make balance``.

    python tools/balance.py [--games 2000] [--jobs 2] [--scenario ID] [--level 2]
    python tools/balance.py --alike 500 [--scenario ID]    each scenario against itself with other dice: is it found?
    python tools/balance.py --check     plays nothing; status 1 if a row is of other code
    python tools/balance.py --renew     plays nothing and writes the hashes anew, if the code plays as before
    python tools/balance.py --page      only the table of docs/players.md, from the rows
    python tools/balance.py --given SIDE=N [--games 1000] [--seed S]     the share of the first side with points given

Played games are kept in build/balance.jsonl, and a scenario whose row has the present code is not played again, so the
command continues after a stop.
"""

from __future__ import annotations

import argparse
import re
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import deciding

from kursk_pbem.audit import batch
from kursk_pbem.game import scenarios
from kursk_pbem.practice import lab
from kursk_pbem.report.luck import show_per_cent
from kursk_pbem.rulebook import balance
from kursk_pbem.rulesets import ruleset

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "balance.md"
KEPT = ROOT / "build" / "balance.jsonl"
SEED = "1"
PLAYERS = ROOT / "docs" / "players.md"
HEAD = """# Who wins when programs play

In the games of this page, programs of one level played both sides of a scenario. People may get other results, and a
row of few games proves little.

`make balance` plays games of level 1 with seed 1, and writes this page. `make balance LEVEL=2` plays games of level 2.
`kursk lab SCENARIO --seed 2` plays a scenario with other dice.

* Mean margin: the victory points of the first side minus the victory points of the second side at the end of a game, on
  average.
* Even: the victory points that make the game most even, if one side gets them (`kursk propose --give SIDE=N`). If no
  whole number gives both sides 43 to 57 % of the games, the row has two numbers.
* For fewer than 200 games, the column *even* has no number.
* Messages: how many messages a game has: the median, then the range of nine games in ten, then the range of all games.
  Older rows have no such numbers.
* Data: the results depend on the data. Most maps and units, and the tables of Battle for Kursk, are reconstructed or
  invented (`kursk scenario ID` lists these data).
* Code: a hash of the scenario, of the rules, and of the level that played the games.

| scenario | level | games | wins | mean margin | even | messages | code |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
NOT_YET = "Not measured yet: a change of the programs or the rules makes older figures void.\n"
MARGINS = "\n## Margins\n\n| scenario | margin: games |\n| --- | --- |\n"


def read_rows() -> tuple[dict[str, str], dict[str, str]]:
    """Return the rows of both tables by scenario and level, and by scenario."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    first, _line, second = text.partition("## Margins")
    name = r"^\| ([a-z0-9-]+/[a-z0-9-]+{}) \|.*$"
    rows = [re.findall(name.format(more), part, re.MULTILINE) for more, part in ((r" \| [0-9]", first), ("", second))]
    lines = [re.findall(r"^\| [a-z0-9-]+/[a-z0-9-]+ \|.*$", part, re.MULTILINE) for part in (first, second)]
    one, other = (dict(zip(names, told, strict=True)) for names, told in zip(rows, lines, strict=True))
    return one, other


def write_rows(rows: dict[str, str], margins: dict[str, str]) -> None:
    """Write the page with the rows in order."""
    tables = (
        [HEAD, *(f"{rows[name]}\n" for name in sorted(rows))] if rows else [HEAD.partition("| scenario")[0], NOT_YET]
    )
    tables += [MARGINS] if margins else []
    tables += [f"{margins[name]}\n" for name in sorted(margins)]
    PAGE.write_text("".join(tables), encoding="utf-8")


def list_figures() -> str:
    """Return the table of docs/players.md: a line for each scenario, from the rows of docs/balance.md."""
    balance.list_rows.cache_clear()
    lines = ["| scenario | mails, or weeks at the usual term | who wins | even with |", "|---|---|---|---|"]
    for _ruleset, found in scenarios.list_scenarios():
        for each in found:
            row, length = balance.find_row(each.id), balance.find_length(each.id)
            usual, low, high, least, most = length.messages if length else ("?",) * 5
            wins = ", ".join(f"{side} {share}%" for side, share in row.shares) if row else "?"
            even = " or ".join(f"{side} {points}" for side, points in row.even) if row else ""
            lines.append(
                f"| {each.id.partition('/')[2]} | {usual} ({low}-{high}; {least}-{most}) | {wins} | {even or '-'} |"
            )
    return "\n".join(lines) + "\n"


def write_figures() -> None:
    """Write the table of docs/players.md anew."""
    text = PLAYERS.read_text(encoding="utf-8")
    before, head, after = text.partition("| scenario | mails")
    _old, gap, rest = f"{head}{after}".partition("\n\n")
    PLAYERS.write_text(f"{before}{list_figures()}{gap[1:]}{rest}", encoding="utf-8")


def digest_code(scenario: str) -> str:
    """Return a hash of what decides: the data, the rules and ideas of the system, the levels, the play of messages."""
    rules, setting = lab.open_scenario(lab.read_scenario(scenario))
    return deciding.digest(rules.id, setting.scenario.sha256)


def read_kept() -> dict[str, str]:
    """Return the results of the kept games; a stop may have cut the last line."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    return dict(line.split(" ", 1) for line in lines if line.endswith('"}'))


def play(scenario: str, seed: str, games: int, jobs: int, level: int = 1) -> list[lab.Played]:
    """Play the games of a scenario that are not kept, and print the progress."""
    kept, code = read_kept(), digest_code(scenario)
    listed = lab.list_jobs(lab.read_scenario(scenario), level, seed, games)
    keyed = {f"{code}/{level}/{job.seed}": job for job in listed}
    todo = [key for key in keyed if key not in kept]
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a", encoding="utf-8") as file:
        results = batch.run_jobs([keyed[key] for key in todo], batch.Way(jobs))
        for number, (key, line) in enumerate(zip(todo, results, strict=True), 1):
            kept[key] = line
            file.write(f"\n{key} {line}")
            file.flush()
            if number % 100 == 0:
                print(f"{scenario}: {number} of {len(todo)} games", file=sys.stderr, flush=True)
    return [lab.read_result(kept[key]) for key in keyed]


def make_row(named: str, games: list[lab.Played]) -> list[str]:
    """Return the cells about a scenario: games, wins, mean margin, even points, messages, code."""
    rules, setting = lab.open_scenario(lab.read_scenario(named))
    words, sides = rules.seen.words(setting), rules.sides
    wins = [(words.side(side) if side else "draw", sum(game.winner == side for game in games)) for side in (*sides, "")]
    shares = [(name, Fraction(won, len(games))) for name, won in wins if won or name != "draw"]
    told = ", ".join(f"{name} {show_per_cent(part)}" for name, part in shares)
    margins = [game.margin for game in games if game.margin is not None]
    points = lab.find_even(games, sides) if len(games) >= balance.ENOUGH else []
    even = [f"{words.side(sides[by < 0])} {abs(by)}" for by, _part in points]
    mean = f"{sum(margins) / len(margins):.2f}" if margins else "-"
    sizes = sorted(game.messages for game in games)
    tail = len(sizes) // 20
    messages = f"{sizes[len(sizes) // 2]}; {sizes[tail]} to {sizes[-1 - tail]}; {sizes[0]} to {sizes[-1]}"
    return [f"{len(games):,}", told, mean, " or ".join(even) or "-", messages, digest_code(named)]


def list_margins(games: list[lab.Played]) -> str:
    """Return the margins with their numbers of games, in a line; '' without points."""
    return ", ".join(f"{margin}: {number}" for margin, number in lab.count_margins(games))


def measure(names: list[str], games: int, jobs: int, level: int = 1) -> None:
    """Play the scenarios whose row has another code or number of games, and write the page after each."""
    for name in names:
        rows, margins = read_rows()
        code, key = digest_code(name), f"{name} | {level}"
        if f"| {games:,} |" in rows.get(key, "") and rows[key].endswith(f"| {code} |"):
            print(f"{name}: up to date")
            continue
        found = play(name, SEED, games, jobs, level)
        rows[key] = f"| {' | '.join((key, *make_row(name, found)))} |"
        if level == 1 and (told := list_margins(found)):
            margins[name] = f"| {name} | {told} |"
        write_rows(rows, margins)
        write_figures()
        print(rows[key], flush=True)


def try_alike(names: list[str], games: int, pairs: int, jobs: int) -> None:
    """Compare parts of the games of each scenario with other parts, and count how often a change is found."""
    found = []
    for name in names:
        played, sides = play(name, SEED, games, jobs), ruleset(name.partition("/")[0]).sides
        parts = [played[at : at + pairs] for at in range(0, games, pairs)]
        for one, other in zip(parts[::2], parts[1::2], strict=True):
            alike = lab.compare(one, other, sides)
            found.append(lab.is_found(alike))
            print(f"{name}: {', '.join(f'{float(each.chance):.3f}' for each in alike)}", flush=True)
    print(f"a change is found in {sum(found)} of {len(found)} trials of {pairs} pairs")


def main() -> int:
    """Measure all scenarios, or try one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=0, help="2,000 of level 1 and 200 of a higher level if omitted")
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scenario", default="", help="all scenarios of the program if omitted")
    parser.add_argument("--alike", type=int, default=0, metavar="PAIRS")
    parser.add_argument("--check", action="store_true", help="play nothing; status 1 if a row is of other code")
    parser.add_argument("--renew", action="store_true", help="write the hashes anew: the code plays as before")
    parser.add_argument("--page", action="store_true", help="write only the table of docs/players.md")
    parser.add_argument("--given", default="", metavar="SIDE=N")
    parser.add_argument("--seed", default="2", help="with --given: other dice than those that found the number")
    asked = parser.parse_args()
    listed = [each.id for _ruleset, found in scenarios.list_scenarios() for each in found]
    names = [asked.scenario] if asked.scenario else sorted(listed)
    games = asked.games or (2000 if asked.level == 1 else 200)
    if asked.check:
        return deciding.check(PAGE, digest_code, "make balance")
    if asked.renew:
        deciding.renew(PAGE, KEPT, digest_code)
    elif asked.page:
        write_figures()
    elif asked.alike:
        try_alike(names, games, asked.alike, asked.jobs)
    elif asked.given:
        side, _equals, number = asked.given.partition("=")
        sides = ruleset(names[0].partition("/")[0]).sides
        given = int(number) if side == sides[0] else -int(number)
        part = lab.share(play(names[0], asked.seed, games, asked.jobs), sides[0], sides, given)
        print(f"{names[0]}: {sides[0]} {float(part):.1%} of {games} games with {asked.given}, seed {asked.seed}")
    else:
        measure(names, games, asked.jobs, asked.level)
    return 0


if __name__ == "__main__":
    sys.exit(main())
