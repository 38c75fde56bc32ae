"""The playable scenarios with the origin of their data, and the check of a scenario folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, OutdatedError, UsageError, shell_word
from kursk_pbem.formats import data, schema, strictyaml
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game import scenario_files
from kursk_pbem.game.scenario_files import Contents
from kursk_pbem.kernel.review import ERROR, WARNING, Check, Finding
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.scenario import STATUSES, Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets import every as rulesets
from kursk_pbem.rulesets import find_package, list_faults, list_packages
from kursk_pbem.rulesets import ruleset as find_ruleset

_LETTERS = re.compile(r"\W")

MEANINGS = {
    "attested": "as the rules or their examples say",
    "reconstructed": "derived from the rules with an assumption; the printed game may differ a little",
    "invented": "ours, without a source",
}
"""The words for the origin of a scenario's data, each with its meaning."""


@frozen
class Playable:
    """A scenario in a list. ``standing``: origin of data -> number of parts. ``fault``: why nobody can play it, or ''.

    ``not_printed``: origin -> larger parts that are not attested. ``told``: the same parts in words.
    """

    id: str
    title: str
    folder: Path
    standing: Mapping[str, int]
    not_printed: Mapping[str, list[str]]
    told: Mapping[str, str]
    fault: str = ""


def list_scenarios(wanted: str = "") -> list[tuple[Ruleset, list[Playable]]]:
    """Return each ruleset with its scenarios from the program and the player's folders, sorted by id.

    ``wanted``: the id of one scenario or ruleset, also of another package; '' for all own rulesets. Raises
    UsageError if unknown.
    """
    known = scenario_files.list_ids()
    ids = [sid for sid in known if wanted in ("", sid, sid.partition("/")[0])]
    if wanted and not ids:
        wanted = scenario_files.resolve_id(wanted)
        ids = [wanted]
    named = wanted.partition("/")[0]
    rules = [find_ruleset(named)] if find_package(named) else [each for each in rulesets() if named in ("", each.id)]
    return [
        (ruleset, [_make_playable(ruleset, sid) for sid in ids if sid.partition("/")[0] == ruleset.id])
        for ruleset in rules
    ]


def describe_packages() -> list[str]:
    """Return a line for each ruleset of another package, accepted or refused. No package is imported."""
    found = [
        f"{each.ruleset}: of the package {each.name} {each.release}; 'kursk scenario {each.ruleset}' shows scenarios"
        for each in list_packages()
    ]
    return [*found, *(f"refused: {fault}" for fault in list_faults())]


def _make_playable(ruleset: Ruleset, scenario_id: str) -> Playable:
    folder = scenario_files.find(scenario_id)
    try:
        scenario = load(scenario_id)
        make_setting(ruleset, scenario, {}, PLAYERS)
    except KurskError as error:
        return Playable(scenario_id, "", folder, {}, {}, {}, str(error).partition("\n")[0])
    counted = Counter(part.status for part in scenario.provenance)
    standing = {status: counted[status] for status in STATUSES}
    return Playable(
        scenario_id, scenario.title, folder, standing, find_unattested(scenario), describe_unattested(scenario)
    )


def remove_system(ruleset: Ruleset, title: str) -> str:
    """Return a scenario's title without the system's name in front, such as 'Kursk 1971: '. Punctuation is ignored."""
    system, rest = ruleset.title.split(), title.split()
    begins = [_LETTERS.sub("", word) for word in rest[: len(system)]] == [_LETTERS.sub("", word) for word in system]
    told = " ".join(rest[len(system) :]) if begins else ""
    return told[:1].upper() + told[1:] or title


def full_title(ruleset: Ruleset, title: str) -> str:
    """Return the names of the ruleset and the scenario."""
    return title if title.startswith(ruleset.title) else f"{ruleset.title}: {remove_system(ruleset, title)}"


def find_unattested(scenario: Scenario) -> dict[str, list[str]]:
    """Return the larger parts of a scenario that the printed rules do not attest, as origin -> parts."""
    large = [part for part in scenario.provenance if part.part.count("/") < 2]
    by_word = {word: [part.part for part in large if part.status == word] for word in MEANINGS if word != "attested"}
    return {word: parts for word, parts in by_word.items() if parts}


def describe_unattested(scenario: Scenario) -> dict[str, str]:
    """Return the larger unattested parts of a scenario in words, as origin -> text with the number of smaller parts."""
    large, of_word = find_unattested(scenario), Counter(part.status for part in scenario.provenance)
    more = {word: of_word[word] - len(parts) for word, parts in large.items()}
    return {
        word: ", ".join(parts) + (f", and {plural(more[word], 'smaller part')}" if more[word] else "")
        for word, parts in large.items()
    }


def load(scenario_id: str, sha256: str = "", who: str = "Paper 0 of the tournament") -> Scenario:
    """Load a playable scenario with the data of this hash, or with today's data.

    ``who``: the person to ask for the right release, as named in the error. Raises UsageError for an unknown scenario,
    OutdatedError if the installed data have another hash, and FileError for the first fault in the data.
    """
    fault: FileError | None = None
    for folder in scenario_files.find_versions(scenario_id, sha256, data.scenario_roots()) if sha256 else ():
        try:
            scenario = load_folder(folder)
        except FileError as error:  # another folder may have the data
            fault = fault or error
        else:
            if scenario.sha256 == sha256:
                return scenario
    if fault is not None:
        raise fault
    today = load_folder(scenario_files.find(scenario_id))
    if not sha256 or today.sha256 == sha256:
        return today
    here, there = shorten(today.sha256, sha256)
    raise OutdatedError(
        f"the data of {scenario_id} differ between this program ({here}) and the game ({there}). No message is wrong. "
        f"{who} can name the release with the game's data ('kursk --version'): use that release, or put the old "
        f"scenario, as {scenario_id}, into a folder named in {data.SEARCH_PATH}"
    )


def load_folder(folder: Path) -> Scenario:
    """Return the playable scenario in a folder. Raises FileError for the first fault.

    A player's scenario is checked, because faulty data could stop the rules in the middle of a game. Tests check the
    program's scenarios. The same object is returned while the files have the same bytes.
    """
    if folder.is_relative_to(data.find_folder("scenarios")):
        return scenario_files.load(folder)
    try:
        judged = _judge_folder(folder, scenario_files.read_contents(folder))
    except FileError as error:
        judged = error
    if isinstance(judged, FileError):
        raise FileError(
            f"{judged.message}; 'kursk scenario check {shell_word(folder)}' lists every fault", judged.where
        )
    return judged


@lru_cache(maxsize=64)
def _judge_folder(folder: Path, contents: Contents) -> Scenario | FileError:
    """Return a player's scenario or the first fault. The result is cached, because a check is slow."""
    try:
        scenario, findings = _check(folder, contents)
    except FileError as error:
        return error
    except Exception as error:  # noqa: BLE001  'scenario check' reports it; the list continues
        return FileError(f"the check stops ({type(error).__name__}) because of a fault of the program")
    faults = [finding for finding in findings if finding.severity == ERROR]
    return FileError(faults[0].text, faults[0].where) if faults else scenario


def make_setting(ruleset: Ruleset, scenario: Scenario, options: Mapping[str, str], dice: str) -> Any:
    """Return the typed setting of a scenario with the agreed options, cached in the process. Raises FileError."""
    return _cache_setting(_Same(ruleset), _Same(scenario), tuple(sorted(options.items())), dice)


@frozen
class _Same:
    """An object compared by identity: equal scenarios may have different texts for people."""

    thing: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


@lru_cache(maxsize=64)
def _cache_setting(ruleset: _Same, scenario: _Same, options: tuple[tuple[str, str], ...], dice: str) -> Any:
    return ruleset.thing.data.load(scenario.thing, dict(options), dice)


def make_first_position(ruleset: Ruleset, setting: Any) -> State:
    """Return the first position of a setting, cached with its hash in the process."""
    return _cache_first_position(_Same(ruleset), _Same(setting))


@lru_cache(maxsize=64)
def _cache_first_position(ruleset: _Same, setting: _Same) -> State:
    state: State = ruleset.thing.data.setup(setting.thing)
    return state


def check(folder: Path) -> tuple[Scenario, list[Finding]]:
    """Check the scenario in any folder. Raises FileError if its files cannot be read."""
    return _check(folder, scenario_files.read_contents(folder))


def _check(folder: Path, contents: Contents) -> tuple[Scenario, list[Finding]]:
    parts = scenario_files.parse(contents)
    scenario = scenario_files.assemble(parts)
    try:
        ruleset = find_ruleset(scenario.ruleset)
    except UsageError as error:
        raise FileError(error.message, parts["scenario"].where(("ruleset",))) from None
    findings = review(parts, ruleset.scenario_schema, ruleset.data.check)
    more = _check_place(scenario, folder)
    if not any(finding.severity == ERROR for finding in findings):
        more += _check_set_up(ruleset, scenario)
    return scenario, locate_findings([*findings, *more], parts)


def _check_place(scenario: Scenario, folder: Path) -> list[Finding]:
    """Return a warning if the id will not lead to this scenario: wrong folder, or hidden by another scenario."""
    path = ("scenario", "id")
    here = folder.resolve()
    if (here.parent.name, here.name) != tuple(scenario.id.split("/")):
        text = f"the id {scenario.id} belongs into a folder {scenario.id}, not into {here.parent.name}/{here.name}"
        return [Finding(WARNING, "", text, path)]
    shipped = data.find_folder("scenarios").joinpath(*scenario.id.split("/"))
    if (shipped / "scenario.yaml").is_file() and shipped.resolve() != here:
        text = f"the program has a scenario {scenario.id} already, and uses only that: choose another id"
        return [Finding(WARNING, "", text, path)]
    return []


def _check_set_up(ruleset: Ruleset, scenario: Scenario) -> list[Finding]:
    """Return the faults found by the rules when they load the data and set up a position."""
    try:
        setting = ruleset.data.load(scenario, {}, PLAYERS)
    except FileError as error:
        return [Finding(ERROR, "", error.message, ("scenario",))]
    wrong = ruleset.play.invariants(setting, ruleset.data.setup(setting))
    return [Finding(ERROR, "", f"set-up: {text}", ("scenario",)) for text in wrong]


def review(parts: Mapping[str, strictyaml.Document], schema_name: str, check: Check) -> list[Finding]:
    """Return every fault in the four files of a scenario with its line, sorted by file and line.

    ``check``: the ruleset's own check, which runs if the schema accepts the data.
    """
    data: dict[str, Any] = {part: document.data for part, document in parts.items()}
    findings = [Finding(ERROR, "", words, path) for path, words in schema.find_problems(data, schema_name)]
    return locate_findings(findings or check(data), parts)


def locate_findings(findings: list[Finding], parts: Mapping[str, strictyaml.Document]) -> list[Finding]:
    """Return the faults with their file and line, sorted."""
    order = list(parts)
    keyed = []
    for finding in findings:
        part = str(finding.path[0])
        where = parts[part].where(finding.path[1:])
        keyed.append((order.index(part), where.line, replace(finding, where=where)))
    return [finding for _number, _line, finding in sorted(keyed, key=lambda item: item[:2])]
