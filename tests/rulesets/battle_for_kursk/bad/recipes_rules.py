"""Orders that break the rules, in drafts and signed: a few of every kind. The tests of the rules have all kinds."""

from __future__ import annotations

from typing import Any

from bad.bad_desk import Bad
from bad.bad_text import draft, swap
from bad.recipes_trust import sign

ZERO = "0" * 64
PONYRI = {"id": "ponyri", "hex": "2011", "attackers": ["g-41-pz", "g-46-pz", "g-47-pz"]}


def german(text: str) -> Bad:
    """The orders of message 2, written by hand."""
    return draft(lambda raw: raw[: raw.index(b"orders:")] + b"orders:\n" + text.encode("ascii") + b"\n", "german 2")


def battle(**changes: Any) -> Bad:
    fields = {**PONYRI, **changes}
    lines = "".join(f"    {key}: {_flow(value)}\n" for key, value in fields.items())
    return german("  battles:\n  -" + lines[3:])


def _flow(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    return f"'{value}'"


def rewritten(field: str, value: str, at: str) -> Bad:
    """Write a field of the player at the end of the draft."""
    return draft(lambda raw: raw + f"{field}: {value}\n".encode("ascii"), at)


def _cut(first: str, new: str, at: str) -> Bad:
    return draft(lambda raw: raw[: raw.index(first.encode("ascii"))] + new.encode("ascii"), at)


FILES: dict[str, Bad] = {
    "unit-unknown.yaml": german("  armor-and-rail:\n  - {unit: g-99-pz, to: '2110'}"),
    "unit-of-the-enemy.yaml": german("  armor-and-rail:\n  - {unit: r-70, to: '2012'}"),
    "hex-off-the-map.yaml": german("  armor-and-rail:\n  - {unit: g-esebeck, to: '9999'}"),
    "move-too-far.yaml": german("  armor-and-rail:\n  - {unit: g-esebeck, to: '2612'}"),
    "move-through-a-zone.yaml": german("  armor-and-rail:\n  - {unit: g-esebeck, to: '1612'}"),
    "move-into-the-enemy.yaml": german("  armor-and-rail:\n  - {unit: g-esebeck, to: '2011'}"),
    "move-onto-another.yaml": german("  armor-and-rail:\n  - {unit: g-esebeck, to: '2010'}"),
    "move-path-jumps.yaml": german("  armor-and-rail:\n  - {unit: g-esebeck, path: ['1808']}"),
    "move-nowhere.yaml": german("  armor-and-rail:\n  - {unit: g-esebeck, to: '2009'}"),
    "move-twice.yaml": german(
        "  armor-and-rail:\n  - {unit: g-esebeck, to: '1909'}\n  - {unit: g-esebeck, to: '2009'}"
    ),
    "infantry-off-the-railway.yaml": german("  armor-and-rail:\n  - {unit: g-53, to: '1908'}"),
    "several-slips.yaml": german(
        "  armor-and-rail:\n  - {unit: g-99-pz, to: '2110'}\n  - {unit: r-70, to: '2012'}\n"
        "  give-ups: [g-3-pz]\n  battles:\n  - {id: ponyri, hex: '0101', attackers: []}"
    ),
    "battle-nobody-there.yaml": battle(hex="2110"),
    "battle-not-adjacent.yaml": battle(attackers=["g-2-ss"]),
    "battle-by-nobody.yaml": battle(attackers=[]),
    "battle-by-the-enemy.yaml": battle(attackers=["r-13"]),
    "battle-attacker-twice.yaml": battle(attackers=["g-41-pz", "g-41-pz"]),
    "battle-attacker-in-two.yaml": german(
        "  battles:\n"
        "  - {id: one, hex: '2011', attackers: [g-41-pz, g-46-pz, g-47-pz]}\n"
        "  - {id: two, hex: '2112', attackers: [g-41-pz]}"
    ),
    "battle-same-id.yaml": german(
        "  battles:\n"
        "  - {id: one, hex: '2011', attackers: [g-46-pz, g-47-pz]}\n"
        "  - {id: one, hex: '2112', attackers: [g-41-pz]}"
    ),
    "offensive-led-by-infantry.yaml": battle(offensive={"lead": "g-23", "support": []}),
    "offensive-led-from-afar.yaml": battle(offensive={"lead": "g-2-ss", "support": []}),
    "offensive-support-attacks.yaml": battle(offensive={"lead": "g-41-pz", "support": ["g-46-pz"]}),
    "offensive-support-from-afar.yaml": battle(offensive={"lead": "g-41-pz", "support": ["g-2-ss"]}),
    "plan-loss-of-a-stranger.yaml": battle(losses=["g-2-ss"]),
    "plan-advance-of-a-stranger.yaml": battle(advance=["g-2-ss"]),
    "plan-advance-with-a-word.yaml": battle(advance=["g-41-pz if-lucky"]),
    "plan-retreat-nowhere.yaml": battle(retreat=["toward 9999"]),
    "plan-retreat-in-words.yaml": battle(retreat=["to the east"]),
    "replacement-not-needed.yaml": german("  replacements:\n  - {unit: g-41-pz, gain: flip}"),
    "replacement-on-the-map.yaml": german("  replacements:\n  - {unit: g-41-pz, gain: place, hex: '2110'}"),
    "replacement-without-points.yaml": german("  replacements:\n  - {unit: g-2-lw, gain: flip}"),
    "give-up-too-much.yaml": german("  give-ups: [g-40-pz]"),
    "returns-of-a-unit-that-is-here.yaml": german("  returns:\n  - {unit: g-41-pz, hex: '2110'}"),
    "objective-moved-early.yaml": german("  objective: '1103'"),
    "movement-before-the-dice.yaml": german(
        "  battles:\n  - {id: one, hex: '2011', attackers: [g-46-pz, g-47-pz]}\n"
        "  movement:\n  - {unit: g-esebeck, to: '1909'}"
    ),
    "distribution-of-the-other-side.yaml": german("  distribution: [r-13]"),
    "orders-without-waiving.yaml": draft(
        lambda raw: (
            raw.replace(b"waive: posture\n", b"")[: raw.index(b"orders:") - 15]
            + b"orders:\n  armor-and-rail:\n  - {unit: g-esebeck, to: '1909'}\n"
        ),
        "german 2",
    ),
    "posture-of-another-turn.yaml": draft(swap("posture/turn-1", "posture/turn-2"), "german 2"),
    "posture-twice.yaml": draft(swap("choice: {", "choice: {posture/turn-2: {posture: engage}, "), "german 2"),
    "no-posture.yaml": draft(swap("choice: {posture/turn-1: {posture: engage, reaction: 'no'}}\n", ""), "german 2"),
    "posture-and-reaction-without-reveal.yaml": draft(
        swap("engage, reaction: 'no'", "pause, reaction: 'yes'"), "german 2"
    ),
    "posture-open-and-sealed.yaml": rewritten("seal", "{posture/turn-1: {posture: engage}}", "german 2"),
    "battles-with-deploy.yaml": draft(
        lambda raw: (
            raw.replace(b"engage", b"deploy")[: raw.index(b"orders:")]
            + b"orders:\n  battles:\n  - {id: one, hex: '2011', attackers: [g-46-pz]}\n"
        ),
        "german 2",
    ),
    "policy-of-the-attacker.yaml": rewritten("policy", "{stand-fast: always}", "german 2"),
    "decision-nobody-asked-for.yaml": rewritten("decisions", "{ponyri: accept}", "german 2"),
    # The Russian's first message
    "distribution-too-few.yaml": draft(swap("r-5-gt, r-5-sh]", "r-5-gt]")),
    "distribution-too-many.yaml": draft(swap("r-5-gt, r-5-sh]", "r-5-gt, r-5-sh, r-6]")),
    "distribution-of-an-unknown.yaml": draft(swap("r-5-sh]", "r-999]")),
    "distribution-of-the-enemy.yaml": draft(swap("r-5-sh]", "g-41-pz]")),
    "distribution-twice.yaml": draft(swap("r-5-sh]", "r-4-sh]")),
    "distribution-of-a-full-unit.yaml": draft(swap("r-1-g, r-1-t", "r-1-g, r-70")),
    "nothing-sealed.yaml": draft(swap("seal: {posture/turn-1: {posture: deploy, reaction: 'no'}}\n", "")),
    "sealed-for-another-turn.yaml": draft(swap("posture/turn-1", "posture/turn-b")),
    "sealed-no-posture.yaml": draft(swap("posture: deploy, ", "")),
    "sealed-posture-of-another-name.yaml": draft(swap("posture: deploy", "posture: attack")),
    # Answers
    "answer-with-orders.yaml": _cut("policy:", "orders:\n  movement: [{unit: r-13, to: '2113'}]\n", "russian 3"),
    "answer-for-an-unknown-battle.yaml": _cut(
        "policy:", "policy: {battles: {orel: {stand-fast: always}}}\n", "russian 3"
    ),
    "answer-for-an-unknown-unit.yaml": _cut("policy:", "policy: {units: {r-999: {stand-fast: always}}}\n", "russian 3"),
    "answer-for-the-enemy.yaml": _cut("policy:", "policy: {units: {g-41-pz: {stand-fast: always}}}\n", "russian 3"),
    "answer-for-a-hex-nowhere.yaml": _cut("policy:", "policy: {hexes: {'9999': {stand-fast: always}}}\n", "russian 3"),
    "answer-with-a-choice.yaml": _cut("policy:", "choice: {posture/turn-1: {posture: engage}}\n", "russian 3"),
    # After the dice
    "movement-of-the-dead.yaml": _cut("orders:", "orders:\n  movement: [{unit: r-40, to: '2113'}]\n", "russian 7"),
    "movement-into-the-enemy.yaml": _cut("orders:", "orders:\n  movement: [{unit: g-11, to: '2114'}]\n", "german 4"),
    "battles-after-the-dice.yaml": _cut(
        "orders:", "orders:\n  battles: [{id: b, hex: '2112', attackers: [g-41-pz]}]\n", "german 4"
    ),
    # Signed
    "signed-move-too-far.yaml": sign(
        4, lambda _base, content: content.update(orders={"movement": [{"unit": "g-27", "to": "2612"}]})
    ),
    "signed-three-slips.yaml": sign(
        4,
        lambda _base, content: content.update(
            orders={
                "movement": [
                    {"unit": "g-27", "to": "2612"},
                    {"unit": "g-99", "to": "2012"},
                    {"unit": "r-13", "to": "2113"},
                ]
            }
        ),
    ),
    "signed-battle-not-adjacent.yaml": sign(
        2, lambda _base, content: content["orders"].update(battles=[{**PONYRI, "attackers": ["g-2-ss"]}])
    ),
    "signed-orders-in-an-answer.yaml": sign(
        3, lambda _base, content: content.update(orders={"movement": [{"unit": "r-13", "to": "2113"}]})
    ),
    "signed-policy-of-the-attacker.yaml": sign(
        2, lambda _base, content: content.update(policy={"stand-fast": "always"})
    ),
    "signed-seal-of-a-strange-name.yaml": sign(
        2, lambda _base, content: content.update(secret={"ponyri": ZERO}, kept={"ponyri": ["AAAA"]})
    ),
    "signed-distribution-too-few.yaml": sign(
        1, lambda _base, content: content["orders"].update(distribution=content["orders"]["distribution"][:-1])
    ),
    "signed-nothing-sealed.yaml": sign(1, lambda _base, content: (content.pop("secret"), content.pop("kept"))),
    "signed-form-of-orders.yaml": sign(
        4, lambda _base, content: content.update(orders={"movement": [{"unit": "g-27"}], "march": []})
    ),
    "signed-word-of-a-policy.yaml": sign(3, lambda _base, content: content.update(policy={"stand-fast": "perhaps"})),
    "signed-in-a-folder.yaml": sign(
        4,
        lambda _base, content: content.update(orders={"movement": [{"unit": "g-27", "to": "2612"}]}),
        at="german 5",
        command="verify GAME",
        name="0004.yaml",
    ),
}
