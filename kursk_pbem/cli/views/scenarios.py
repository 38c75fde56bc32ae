"""scenario list, copy, check: the scenarios, a copy of your own, and its check."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, in_json, json_option, note, said_options, say, say_json, say_wrapped
from kursk_pbem.cli.games import completion_of
from kursk_pbem.cli.groups import ListingGroup
from kursk_pbem.errors import UsageError, shell_word
from kursk_pbem.game import scenario_files, scenarios


@cli.group("scenario", cls=ListingGroup)
def scenario_group() -> None:
    """List the scenarios; copy a scenario for changes, and check the copy.

    'kursk scenario' alone lists all, 'kursk scenario citadel' one. With --data the command lists the differences from
    the printed game, and with --vassal it writes the set-up for VASSAL ('kursk scenario list --help').
    """


@scenario_group.command("list")
@click.argument("only", metavar="[SCENARIO | RULESET]", default="", shell_complete=completion_of("scenarios"))
@click.option("--data", is_flag=True, help="List the differences from the printed game.")
@click.option("--vassal", is_flag=True, help="Write the module and the set-up of SCENARIO for VASSAL (.vmod, .vsav).")
@click.option("-o", "--out", type=PATH, default=Path(), help="The folder for the files of --vassal.")
@json_option
def list_all(only: str, data: bool, vassal: bool, out: Path) -> None:
    """List every ruleset and scenario, and the number of attested parts of its data and of ours.

    SCENARIO lists that scenario alone, RULESET the scenarios of one system. The program finds your own scenarios in the
    folders of KURSK_SCENARIOS, each as RULESET/NAME.
    """
    if vassal:
        from kursk_pbem.audit.vassal import log, scenes

        sizes = log.write_files(log.make_module_files(scenes.load_stage(scenario_files.resolve_id(only))), out)
        if in_json():
            say_json("scenario list", {"scenarios": [], "wrote": [str(path) for path in sizes]})
        say("\n".join(f"wrote {path}, {size} bytes" for path, size in sizes.items()))
        return
    from kursk_pbem.rulebook import balance

    by_ruleset = scenarios.list_scenarios(only)
    if in_json():
        told = [
            {
                "ruleset": ruleset.id,
                "version": ruleset.version,
                "scenario": playable.id,
                "title": playable.title,
                "folder": str(playable.folder),
                "standing": dict(playable.standing),
                "fault": playable.fault,
                "wins": balance.find_sentence(playable.id),
                "mails": balance.describe_length(playable.id),
                **({"data": playable.not_printed} if data else {}),
            }
            for ruleset, listed in by_ruleset
            for playable in listed
        ]
        say_json("scenario list", {"scenarios": told})
        return
    for ruleset, listed in by_ruleset:
        say(f"{ruleset.title} ({ruleset.id}), adjudication version {ruleset.version}")
        width = max((len(playable.id) for playable in listed), default=0)
        for playable in listed:
            counts = ", ".join(f"{number} {status}" for status, number in playable.standing.items())
            text = f"cannot be played: {playable.fault}" if playable.fault else f"{playable.title} ({counts})"
            say(f"  {playable.id:<{width}}  {text}")
            for figures in filter(None, (balance.find_sentence(playable.id), balance.describe_length(playable.id))):
                say_wrapped(figures, "    ", "      ")
            for word, parts in playable.told.items() if data else ():
                say_wrapped(f"{word}: {parts}", "    ", "      ")
    for line in () if only else scenarios.describe_packages():
        say(line)
    for word, meaning in scenarios.MEANINGS.items():
        say(f"{word}: {meaning}")
    say("you need no printed copy of a game; the map of a printed copy has other hex numbers")


@scenario_group.command("copy")
@click.argument("scenario", shell_complete=completion_of("scenarios"))
@click.argument("name")
@click.option("--dir", "place", type=PATH, default=Path(), help="The parent folder of RULESET/NAME.")
@click.option("--set-up", type=PATH, help="A position of VASSAL (.vsav): its places become the set-up.")
@said_options
def copy_command(scenario: str, name: str, place: Path, set_up: Path | None, quiet: bool) -> None:
    """Copy the files of SCENARIO as your own scenario NAME, for you to change.

    Both players need the same files: send the files to your opponent.

    --set-up takes the places of units, and nothing else, from a position saved in VASSAL: drag the counters there, in
    the module of 'kursk scenario --vassal SCENARIO'.
    """
    from kursk_pbem.audit.vassal import read

    source = scenario_files.resolve_id(scenario)
    places = read.read_set_up(set_up, source) if set_up else {}
    folder = scenario_files.copy(source, name, place, places)
    note(scenario=f"{folder.parent.name}/{name}", folder=folder)
    say(f"wrote {folder}: change the files, then type 'kursk scenario check {shell_word(folder)}'", quiet=quiet)
    say(f"to play {folder.parent.name}/{name}, set KURSK_SCENARIOS to {place.resolve()}", quiet=quiet)


@scenario_group.command("check")
@click.argument("folder", type=PATH)
@said_options
def check_command(folder: Path, quiet: bool) -> int:
    """Check the four files of the scenario in FOLDER. Each finding names file, line and paragraph.

    A scenario with an error cannot be played. A warning says where the data differ from the rules and their examples.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}; a scenario is a folder with four files")
    scenario, all_findings = scenarios.check(folder)
    errors = sum(finding.severity == "error" for finding in all_findings)
    if in_json():
        findings = [
            {
                "severity": finding.severity,
                "file": finding.where.file if finding.where else "",
                "line": finding.where.line if finding.where else 0,
                "rule": finding.rule,
                "text": finding.text,
            }
            for finding in all_findings
        ]
        counts = {"errors": errors, "warnings": len(all_findings) - errors}
        head = {"scenario": scenario.id, "sha256": scenario.sha256, **counts}
        say_json("scenario check", {**head, "findings": findings})
        return 1 if errors else 0
    for finding in all_findings:
        say(str(finding))
    warnings = len(all_findings) - errors
    counted = f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    say(f"{scenario.id}: {counted}; data {scenario.sha256[:32]}", quiet=quiet)
    return 1 if errors else 0
