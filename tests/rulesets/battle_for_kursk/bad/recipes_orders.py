"""Drafts with choices in a form that the schema of the ruleset forbids."""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import draft, swap


def orders(text: str) -> Bad:
    """Write German orders into a draft, with a part in a form that the schema forbids."""
    return draft(lambda raw: raw[: raw.index(b"orders:")] + text.encode("ascii") + b"\n", "german 2")


def battle(ident: str = "ponyri", hex_: str = "'2011'", attackers: str = "[g-41-pz]", more: str = "") -> Bad:
    """Return the orders of one battle."""
    return orders(f"orders: {{battles: [{{id: {ident}, hex: {hex_}, attackers: {attackers}{more}}}]}}")


FILES: dict[str, Bad] = {
    "orders-unknown.yaml": orders("orders: {attacks: []}"),
    "orders-misspelt.yaml": orders("orders: {batles: []}"),
    "battles-no-list.yaml": orders("orders: {battles: ponyri}"),
    "battle-no-id.yaml": orders("orders: {battles: [{hex: '2011', attackers: [g-41-pz]}]}"),
    "battle-no-attackers.yaml": orders("orders: {battles: [{id: ponyri, hex: '2011'}]}"),
    "battle-id-large.yaml": battle("Ponyri"),
    "battle-id-too-long.yaml": battle("p" * 33),
    "battle-hex-by-name.yaml": battle(hex_="Kursk"),
    "battle-hex-three-digits.yaml": battle(hex_="201"),
    "battle-one-attacker-no-list.yaml": battle(attackers="g-41-pz"),
    "battle-attacker-by-name.yaml": battle(attackers="[41 Pz]"),
    "battle-too-many-attackers.yaml": battle(attackers=f"[{', '.join(['g-3'] * 21)}]"),
    "battle-offensive-no-lead.yaml": battle(more=", offensive: {support: [g-23]}"),
    "battle-offensive-no-list.yaml": battle(more=", offensive: {lead: g-41-pz, support: g-23}"),
    "battle-wish-no-list.yaml": battle(more=", retreat: away 2113"),
    "battle-wish-odd.yaml": battle(more=", losses: ['g-41-pz?']"),
    "battle-unknown.yaml": battle(more=", artillery: g-2"),
    "move-no-unit.yaml": orders("orders: {armor-and-rail: [{to: '2010'}]}"),
    "move-nowhere.yaml": orders("orders: {armor-and-rail: [{unit: g-41-pz}]}"),
    "move-both-ways.yaml": orders("orders: {armor-and-rail: [{unit: g-41-pz, to: '2010', path: ['2010']}]}"),
    "move-empty-path.yaml": orders("orders: {armor-and-rail: [{unit: g-41-pz, path: []}]}"),
    "move-path-no-list.yaml": orders("orders: {armor-and-rail: [{unit: g-41-pz, path: '2010'}]}"),
    "move-path-too-long.yaml": orders(f"orders: {{armor-and-rail: [{{unit: a, path: [{', '.join(['2010'] * 61)}]}}]}}"),
    "move-as-words.yaml": orders("orders: {armor-and-rail: [g-41-pz to 2010]}"),
    "replacement-gain.yaml": orders("orders: {replacements: [{unit: g-41-pz, gain: heal}]}"),
    "replacement-no-gain.yaml": orders("orders: {replacements: [{unit: g-41-pz}]}"),
    "returns-no-hex.yaml": orders("orders: {returns: [{unit: g-41-pz}]}"),
    "objective-by-name.yaml": orders("orders: {objective: Kursk}"),
    "give-ups-no-list.yaml": orders("orders: {give-ups: g-41-pz}"),
    "choice-posture.yaml": draft(swap("posture: engage", "posture: attack"), "german 2"),
    "choice-no-posture.yaml": draft(swap("posture: engage, ", ""), "german 2"),
    "choice-reaction.yaml": draft(swap("reaction: 'no'", "reaction: maybe"), "german 2"),
    "choice-unknown.yaml": draft(swap("reaction: 'no'", "speed: full"), "german 2"),
    "choice-typed.yaml": draft(swap("reaction: 'no'", "reaction: NO"), "german 2"),
    "waive-all.yaml": draft(swap("waive: posture", "waive: everything"), "german 2"),
    "waive-list.yaml": draft(swap("waive: posture", "waive: [posture]"), "german 2"),
    "policy-word.yaml": draft(swap("policy: {}", "policy: {stand-fast: sometimes}"), "russian 3"),
    "policy-unknown.yaml": draft(swap("policy: {}", "policy: {retreat: never}"), "russian 3"),
    "policy-of-a-unit.yaml": draft(swap("policy: {}", "policy: {units: {r-65: always}}"), "russian 3"),
    "policy-of-a-battle.yaml": draft(swap("policy: {}", "policy: {battles: {ponyri: {advance: always}}}"), "russian 3"),
    "decision-word.yaml": draft(swap("policy: {}", "decisions: {ponyri: surrender}"), "russian 3"),
    "seal-no-mapping.yaml": draft(
        swap("seal: {posture/turn-1: {posture: deploy, reaction: 'no'}}", "seal: {posture/turn-1: deploy}")
    ),
}
