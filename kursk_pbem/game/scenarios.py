"""The scenarios that can be played, with the standing of their data, and the check of a scenario folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, OutdatedError, UsageError, shell_word
from kursk_pbem.formats import data, schema, strictyaml
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.game import scenario_files
from kursk_pbem.game.scenario_files import Contents
from kursk_pbem.kernel.review import ERROR, WARNING, Check, Finding
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.scenario import STATUSES, Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets import every as rulesets
from kursk_pbem.rulesets import ruleset as find_ruleset

_LETTERS = re.compile(r"\W")

MEANINGS = {
    "attested": "as the rules or their examples say",
    "reconstructed": "follows from what the rules say, with an assumption; the printed game may differ a little",
    "invented": "ours, because no source says it",
}
"""What the words for the origin of data mean for a player."""


@dataclass(frozen=True)
class Playable:
    """A scenario in the list: ``standing`` counts its parts by status, ``fault`` says why it cannot be played.

    ``not_printed``: its larger parts that are not attested, by the word for their origin; ``told`` says them.
    """

    id: str
    title: str
    folder: Path
    standing: Mapping[str, int]
    not_printed: Mapping[str, list[str]]
    told: Mapping[str, str]
    fault: str = ""


def every(wanted: str = "") -> list[tuple[Ruleset, list[Playable]]]:
    """Each ruleset with its scenarios, the shipped ones and those of the player's own folders, by id.

    ``wanted``: only this scenario, or those of this ruleset. UsageError if there is none.
    """
    known = scenario_files.available()
    ids = [sid for sid in known if wanted in ("", sid, sid.partition("/")[0])]
    if wanted and not ids:
        wanted = scenario_files.meant(wanted)
        ids = [wanted]
    rules = [ruleset for ruleset in rulesets() if not wanted or ruleset.id == wanted.partition("/")[0]]
    return [
        (ruleset, [_playable(ruleset, sid) for sid in ids if sid.partition("/")[0] == ruleset.id]) for ruleset in rules
    ]


def _playable(ruleset: Ruleset, scenario_id: str) -> Playable:
    folder = scenario_files.find(scenario_id)
    try:
        scenario = load(scenario_id)
        setting(ruleset, scenario, {}, PLAYERS)
    except KurskError as error:
        return Playable(scenario_id, "", folder, {}, {}, {}, str(error).partition("\n")[0])
    counted = Counter(part.status for part in scenario.provenance)
    standing = {status: counted[status] for status in STATUSES}
    return Playable(scenario_id, scenario.title, folder, standing, not_printed(scenario), told(scenario))


def alone(ruleset: Ruleset, title: str) -> str:
    """The title of a scenario without the name of its game, which may stand there in other signs: 'Kursk 1971: ...'."""
    system, rest = ruleset.title.split(), title.split()
    begins = [_LETTERS.sub("", word) for word in rest[: len(system)]] == [_LETTERS.sub("", word) for word in system]
    told = " ".join(rest[len(system) :]) if begins else ""
    return told[:1].upper() + told[1:] or title


def full_title(ruleset: Ruleset, title: str) -> str:
    """Return the names of the ruleset and of its scenario, as people say them."""
    return title if title.startswith(ruleset.title) else f"{ruleset.title}: {alone(ruleset, title)}"


def not_printed(scenario: Scenario) -> dict[str, list[str]]:
    """The larger parts of a scenario that are not attested, by the word for their origin."""
    large = [part for part in scenario.provenance if part.part.count("/") < 2]
    by_word = {word: [part.part for part in large if part.status == word] for word in MEANINGS if word != "attested"}
    return {word: parts for word, parts in by_word.items() if parts}


def told(scenario: Scenario) -> dict[str, str]:
    """The same in words, with the number of smaller parts that come to them, so that nobody counts in vain."""
    large, of_word = not_printed(scenario), Counter(part.status for part in scenario.provenance)
    more = {word: of_word[word] - len(parts) for word, parts in large.items()}
    return {
        word: ", ".join(parts) + (f", and {plural(more[word], 'smaller part')}" if more[word] else "")
        for word, parts in large.items()
    }


def load(scenario_id: str, sha256: str = "", who: str = "Paper 0 of the tournament") -> Scenario:
    """Load a scenario, fit to be played: with the data of this hash, or without one with those of today.

    Raises UsageError if there is no such scenario, OutdatedError if it has other data here (``who`` can tell which
    release has them), FileError for the first fault in it.
    """
    fault: FileError | None = None
    for folder in scenario_files.versions(scenario_id, sha256, data.scenario_roots()) if sha256 else ():
        try:
            scenario = in_folder(folder)
        except FileError as error:  # another folder may have them
            fault = fault or error
        else:
            if scenario.sha256 == sha256:
                return scenario
    if fault is not None:
        raise fault
    today = in_folder(scenario_files.find(scenario_id))
    if not sha256 or today.sha256 == sha256:
        return today
    here, there = shorten(today.sha256, sha256)
    raise OutdatedError(
        f"this program has other data of {scenario_id} than the game began with (here {here}, there {there}). No "
        f"message is wrong. {who} can tell which release has those data ('kursk --version'): use that release, or put "
        f"the scenario as it was, as {scenario_id}, into a folder that {data.SEARCH_PATH} names"
    )


def in_folder(folder: Path) -> Scenario:
    """The scenario in a folder, fit to be played. FileError for the first fault in it.

    A player's own may come from anybody, and rules that work on faulty data would stop in the middle of a game; those
    of the program its tests have seen. As long as the files hold the same bytes it is the same object.
    """
    if folder.is_relative_to(data.find_folder("scenarios")):
        return scenario_files.load(folder)
    try:
        judged = _judged(folder, scenario_files.contents(folder))
    except FileError as error:
        judged = error
    if isinstance(judged, FileError):
        raise FileError(
            f"{judged.message}; 'kursk scenario check {shell_word(folder)}' tells all that is wrong", judged.where
        )
    return judged


@lru_cache(maxsize=64)
def _judged(folder: Path, contents: Contents) -> Scenario | FileError:
    """A player's own scenario, or the first fault in it: a check takes a while, and a list asks for each of them."""
    try:
        scenario, findings = _check(folder, contents)
    except FileError as error:
        return error
    except Exception as error:  # noqa: BLE001 - data of a stranger stop no list of others; 'scenario check' reports it
        return FileError(f"the check of it stops ({type(error).__name__}), which is a fault of the program")
    faults = [finding for finding in findings if finding.severity == ERROR]
    return FileError(faults[0].text, faults[0].where) if faults else scenario


def setting(ruleset: Ruleset, scenario: Scenario, options: Mapping[str, str], dice: str) -> Any:
    """The typed setting of a scenario under the options agreed on; made once in a process. FileError."""
    return _setting(_Same(ruleset), _Same(scenario), tuple(sorted(options.items())), dice)


@dataclass(frozen=True)
class _Same:
    """One very object: equal scenarios may say other things to people."""

    thing: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


@lru_cache(maxsize=64)
def _setting(ruleset: _Same, scenario: _Same, options: tuple[tuple[str, str], ...], dice: str) -> Any:
    return ruleset.thing.data.load(scenario.thing, dict(options), dice)


def first(ruleset: Ruleset, setting: Any) -> State:
    """The first position of a setting; made, and hashed, once in a process."""
    return _first(_Same(ruleset), _Same(setting))


@lru_cache(maxsize=64)
def _first(ruleset: _Same, setting: _Same) -> State:
    state: State = ruleset.thing.data.setup(setting.thing)
    return state


def check(folder: Path) -> tuple[Scenario, list[Finding]]:
    """Check the scenario in a folder, wherever it lies. FileError where its files cannot be read at all."""
    return _check(folder, scenario_files.contents(folder))


def _check(folder: Path, contents: Contents) -> tuple[Scenario, list[Finding]]:
    parts = scenario_files.parse(contents)
    scenario = scenario_files.assemble(parts)
    try:
        ruleset = find_ruleset(scenario.ruleset)
    except UsageError as error:
        raise FileError(error.message, parts["scenario"].where(("ruleset",))) from None
    findings = review(parts, ruleset.scenario_schema, ruleset.data.check)
    more = _place(scenario, folder)
    if not any(finding.severity == ERROR for finding in findings):
        more += _playing(ruleset, scenario)
    return scenario, placed([*findings, *more], parts)


def _place(scenario: Scenario, folder: Path) -> list[Finding]:
    """Whether a scenario will be found under its id: by its place, ruleset/name, and behind those of the program."""
    path = ("scenario", "id")
    here = folder.resolve()
    if (here.parent.name, here.name) != tuple(scenario.id.split("/")):
        text = f"the id {scenario.id} is found in a folder {scenario.id}, not in {here.parent.name}/{here.name}"
        return [Finding(WARNING, "", text, path)]
    shipped = data.find_folder("scenarios").joinpath(*scenario.id.split("/"))
    if (shipped / "scenario.yaml").is_file() and shipped.resolve() != here:
        text = f"{scenario.id} comes with the program, which takes its own: choose another id for this one"
        return [Finding(WARNING, "", text, path)]
    return []


def _playing(ruleset: Ruleset, scenario: Scenario) -> list[Finding]:
    """The last word: the rules take the data and set up a position that holds."""
    try:
        setting = ruleset.data.load(scenario, {}, PLAYERS)
    except FileError as error:
        return [Finding(ERROR, "", error.message, ("scenario",))]
    wrong = ruleset.play.invariants(setting, ruleset.data.setup(setting))
    return [Finding(ERROR, "", f"set-up: {text}", ("scenario",)) for text in wrong]


def review(parts: Mapping[str, strictyaml.Document], schema_name: str, check: Check) -> list[Finding]:
    """Every finding about the four files of a scenario, each with its line, in the order of files and lines.

    ``check`` is the ruleset's own; it sees only data whose form the schema has accepted.
    """
    data: dict[str, Any] = {part: document.data for part, document in parts.items()}
    findings = [Finding(ERROR, "", words, path) for path, words in schema.find_problems(data, schema_name)]
    return placed(findings or check(data), parts)


def placed(findings: list[Finding], parts: Mapping[str, strictyaml.Document]) -> list[Finding]:
    """The same findings with file and line, in order."""
    order = list(parts)
    keyed = []
    for finding in findings:
        part = str(finding.path[0])
        where = parts[part].where(finding.path[1:])
        keyed.append((order.index(part), where.line, replace(finding, where=where)))
    return [finding for _number, _line, finding in sorted(keyed, key=lambda item: item[:2])]
