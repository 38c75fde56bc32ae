"""The beginning of a tournament: a form of its rules, then the signed paper 0 (docs/directors.md 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from kursk_pbem import __version__
from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.yamlout import form_lines
from kursk_pbem.frozen import frozen
from kursk_pbem.game import entropy, scenarios
from kursk_pbem.game import folders as game_folders
from kursk_pbem.game import pins as systems
from kursk_pbem.tournament import assistance, chance, private
from kursk_pbem.tournament import rules as rules_
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.rules import KNOCK_OUT, METHODS, PODS, ROUND_ROBIN, SWISS, Rules
from kursk_pbem.trust import keys, sshsig

WIDTH = 110
FORM = "rules.yaml"
"""The form with the unsigned rules, in the tournament's folder."""
BEGIN = 14
"""Days to begin a game: the usual value in a new form."""


@frozen
class RulesOptions:
    """What the director chooses for the rules of a new tournament; other fields of the rules get usual values."""

    title: str
    format: str
    scenarios: Sequence[str]
    rounds: int = 0
    mirror: bool = False
    days: int = 7
    bank: int = 21
    round: int = 90
    refereed: bool = False
    assistants: Sequence[str] = field(default_factory=tuple)
    witness: str = ""
    assistance: str = ""


def make_form(wish: RulesOptions) -> str:
    """Return a tournament's rules as a file to edit, with explanations. Raises UsageError for an unknown scenario."""
    lines = [f"# The rules of the tournament. They never change after you sign.\n# {_HELP}"]
    for name, value in usual_rules(wish).items():
        lines += [f"# {_MEANING[name]}"] if name in _MEANING else []
        lines += form_lines(name, value, 0, WIDTH)
    if wish.format == SWISS:
        lines += [_FINALS, _APART]
    if not wish.witness:
        lines += [f"# {_MEANING['witness']}.", _NOBODY]
    if not wish.assistance:
        lines += [f"# {_MEANING[assistance.FIELD]}", f"# {assistance.FIELD}: {assistance.FORBIDDEN}"]
    return "\n".join(lines) + "\n"


_FINALS = "# 2, 4 or 8: the number of players of a knock-out after the Swiss\n# finals: '4'"
_APART = (
    "# Pairs of keys, such as a family, that do not meet while another pairing exists\n"
    "# apart: [['ssh-ed25519 ...', 'ssh-ed25519 ...']]"
)
_NOBODY = "# Without a witness you could aim the lots by leaving reveals out.\n# witness: 'ssh-ed25519 ...'"


_HELP = "'kursk help directors 6.2' explains each line. Edit the form, then repeat the command to sign it"

_MEANING = {
    "systems": "the games; rounds use the systems in turn",
    "format": f"{ROUND_ROBIN}, {PODS}, {SWISS} or {KNOCK_OUT}",
    "mirror": "yes: two games for each meeting, with exchanged sides",
    "sides": "balance, or bids (sealed prices in victory points, for systems with points)",
    "order": "numbers by lot (draw) or by rating",
    "award": "points of winner and loser by the way to win; win is the default",
    "odd": "bye, or guest: a volunteer outside the ranking plays the last entrant",
    "tie-breaks": "in this order; the last is lot",
    "cap": "the maximum of a counted margin",
    "terms": (
        "in days: for an answer, in the bank, of holidays, to begin a game, for reveals and bids, of a round;\n"
        "# missed: rounds before withdrawal; ends: the methods to decide an unfinished game, in order"
    ),
    "substitutes": "yes: a substitute may take over the number of a withdrawn player",
    "dice-from": "players, or referee: the director rolls",
    "witness": "the key of a person outside the tournament, who reveals the last secret of the lots",
    assistance.FIELD: "help by programs in unfinished games: allowed (without the field), told or forbidden",
    "publish": "games: at-once, after-turn (with turn: 'N') or after-round",
    "late": "until: the last round to join; points for each missed round",
    "pods": "size 3, 4 or 5; places in the finals; final: pod or knock-out",
}


def usual_rules(wish: RulesOptions) -> dict[str, Any]:
    """Return a tournament's rules as plain data: the director's options, otherwise the usual values."""
    said: dict[str, Any] = {
        "title": wish.title,
        "systems": [_pin_system(scenario) for scenario in wish.scenarios],
        "format": wish.format,
        "method": METHODS[wish.format],
    }
    if wish.rounds:
        said["rounds"] = str(wish.rounds)
    if wish.format == PODS:
        said["pods"] = {"size": "4", "places": "4", "final": "pod"}
    said |= {
        "mirror": "yes" if wish.mirror else "no",
        "sides": "balance",
        "order": "draw",
        "award": {"win": ["4", "1"], "draw": ["2", "2"], "forfeit": ["4", "0"], "bye": ["4"], "asked": ["2"]},
        "odd": "bye",
        "tie-breaks": ["direct", "buchholz", "berger", "weak", "lot"],
        "terms": {
            "days": str(wish.days),
            "bank": str(wish.bank),
            "holidays": "21",
            "begin": str(BEGIN),
            "answers": "7",
            "round": str(wish.round),
            "missed": "2",
            "ends": ["agree", "points", "word"],
            "threshold": "0",
            "adjourn": "no",
        },
        "substitutes": "yes",
        "dice-from": "referee" if wish.refereed else "players",
        "publish": {"games": "after-round"},
    }
    if wish.format == SWISS:
        said["late"] = {"until": str(max(1, wish.rounds // 2)), "points": "0"}
    if wish.assistance:
        said[assistance.FIELD] = wish.assistance
    if wish.witness:
        said["witness"] = wish.witness
    if wish.assistants:
        said["assistants"] = list(wish.assistants)
    return said


def _pin_system(scenario: str) -> dict[str, Any]:
    scenarios.list_scenarios(scenario)  # raises UsageError with the known scenarios
    ruleset, version, sha256 = systems.read_pins(scenario)
    pin = systems.pin_ruleset(ruleset, version)
    package = {"package": pin["package"]} if "package" in pin else {}
    return {"ruleset": ruleset, "version": version, **package, "scenario": scenario, "sha256": sha256, "options": {}}


def preview_rules(folder: Path, key: Path) -> Rules:
    """Return the tournament's rules from the director's form file, with the fields that the program adds at signing."""
    path, signer = folder / FORM, keys.load_key(key)
    document = strictyaml.read_edited(game_folders.read_bytes(path), str(path), forms.SCHEMA)
    ours: dict[str, Any] = {
        "kursk-tournament": fields.VERSION,
        "type": fields.RULES,
        "seq": "0",
        "from": fields.DIRECTOR,
        "time": clock.now(),
        "nonce": bytes(32).hex(),
        "key": signer.public,
        "commit": bytes(32).hex(),
        "program": f"kursk-pbem {__version__}",
        "times": "log",
    }
    if clash := sorted(set(document.data) & set(ours)):
        raise FileError(f"the program writes the field {clash[0]}; delete this line", document.where((clash[0],)))
    paper = forms.sign_paper({**ours, **document.data}, signer, str(path), document=document)
    rules = rules_.read_rules(paper)
    _check_systems(rules)
    return rules


def sign_rules(folder: Path, shown: Rules, key: Path, home: Path) -> Rules:
    """Sign the rules that were ``shown`` to the director as paper 0."""
    signer = keys.load_key(key)
    nonce = entropy.random_bytes()
    secret = private.derive_secret(signer, nonce.hex())
    first = chance.compute_commitment(nonce, sshsig.public_key(signer.public), 0, chance.derive_opening(secret, 0))
    own = {"time": clock.now(), "nonce": nonce.hex(), "key": signer.public, "commit": first.hex()}
    paper = forms.sign_paper({**shown.paper.content, **own}, signer, shown.paper.name)
    record = private.create_record(home, paper.id, private.DIRECTOR, key, folder, secret)
    record.enter("0000", forms.emit_paper(paper))
    store.write_paper(store.log_path(folder, 0), paper)
    (folder / FORM).unlink(missing_ok=True)
    return rules_.read_rules(paper)


def _check_systems(rules: Rules) -> None:
    """Raise FileError if this program does not have a system of the rules."""
    for place, system in enumerate(rules.systems):
        where = rules.paper.where("systems", place)
        ruleset, version, sha256 = systems.read_pins(system.scenario)
        if (system.ruleset, system.sha256) != (ruleset, sha256):
            raise FileError(f"this program has other data of {system.scenario}: write sha256: {sha256}", where)
        if int(system.version) > int(version):
            raise FileError(f"this program has version {version} of {ruleset}, not {system.version}", where)
        if why := systems.find_unknown_option(system.scenario, system.options):
            raise FileError(why, where)
    uncounted = [system.scenario for system in rules.systems if not systems.has_margin(system.scenario)]
    if rules.bids and uncounted:
        why = f"bids are prices in victory points, and {uncounted[0]} does not count points to the end"
        raise FileError(why, rules.paper.where("sides"))
