"""Mistakes of a player of Juggernauts, in form and against the rules: changed drafts of the demonstration.

Message 1 contains the first German orders, 2 the Russian answer, 3 the German dice, 4 the first Russian orders.
"""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import draft

DONETS = "hex: R10, attackers: [g-3pzk, g-503]"


def german(text: str, at: str = "german 1") -> Bad:
    """Return a message's orders as written by hand."""
    return draft(lambda raw: raw[: raw.index(b"orders:")] + f"orders:\n{text}\n".encode("ascii"), at)


def russian(text: str) -> Bad:
    return german(text, "russian 4")


def battle(text: str) -> Bad:
    """Return one attack of the first German message."""
    return german(f"  battles:\n  - {{{text}}}")


def answer(text: str) -> Bad:
    """Return the Russian answer to three attacks."""
    return draft(lambda raw: raw[: raw.index(b"policy:")] + f"policy: {text}\n".encode("ascii"), "russian 2")


FILES: dict[str, Bad] = {
    # Step 1: formations
    "keil-without-tigers.yaml": german("  panzerkeil: [{unit: g-48pzk, facing: NE}]"),
    "keil-of-a-battalion.yaml": german("  panzerkeil: [{unit: g-505, facing: NE}]"),
    "keil-to-the-north.yaml": german("  panzerkeil: [{unit: g-2ss, facing: N}]"),
    "keil-in-small-letters.yaml": german("  panzerkeil: [{unit: g-2ss, facing: ne}]"),
    "keil-twice.yaml": german("  panzerkeil: [{unit: g-2ss, facing: NE}, {unit: g-2ss, facing: E}]"),
    "keil-unknown.yaml": german("  panzerkeil: [{unit: g-99pzk, facing: NE}]"),
    "emplaced-already.yaml": russian("  emplace: [r-2ak]"),
    "road-of-a-tank-army.yaml": russian("  road: [r-2ta]"),
    # Movement
    "move-of-the-enemy.yaml": german("  movement: [{unit: r-13a, to: J9}]"),
    "move-too-far.yaml": german("  movement: [{unit: g-10pzg, to: A1}]"),
    "move-into-a-line.yaml": german("  movement: [{unit: g-11k, to: R10}]"),
    "move-into-the-enemy.yaml": german("  movement: [{unit: g-2ss, to: P8}]"),
    "move-between-zones.yaml": german("  movement: [{unit: g-48pzk, path: [P7]}]"),
    "move-path-jumps.yaml": german("  movement: [{unit: g-10pzg, path: [F7, D6]}]"),
    "move-hex-nowhere.yaml": german("  movement: [{unit: g-10pzg, to: Z9}]"),
    "move-hex-in-small-letters.yaml": german("  movement: [{unit: g-10pzg, to: f7}]"),
    "move-to-a-city-by-name.yaml": german("  movement: [{unit: g-10pzg, to: Orel}]"),
    "move-twice.yaml": german("  movement: [{unit: g-10pzg, to: F7}, {unit: g-10pzg, to: F6}]"),
    "move-of-emplaced-artillery.yaml": russian("  movement: [{unit: r-2ak, to: E10}]"),
    "move-of-a-reinforcement.yaml": russian("  movement: [{unit: r-11a, to: A11}]"),
    "move-panther-too-far.yaml": german("  movement: [{unit: g-10bde, to: M2}]"),
    # Attacks
    "attack-not-beside.yaml": battle("id: b1, hex: I9, attackers: [g-2ss]"),
    "attack-on-nobody.yaml": battle("id: b1, hex: H7, attackers: [g-46pzk]"),
    "attack-below-1-5.yaml": battle("id: b1, hex: I9, attackers: [g-505]"),
    "attack-alone-on-what-is-supported.yaml": battle("id: b1, hex: P7, attackers: [g-48pzk]"),
    "attack-after-the-bonus.yaml": german(
        "  movement: [{unit: g-24pzk, to: S10}]\n  battles: [{id: b1, hex: S11, attackers: [g-24pzk]}]"
    ),
    "attack-by-nobody.yaml": battle("id: b1, hex: I9, attackers: []"),
    "attack-by-the-enemy.yaml": battle("id: b1, hex: I9, attackers: [r-48a]"),
    "attack-by-name.yaml": battle("id: b1, hex: I9, attackers: [41 Pz]"),
    "attack-in-two.yaml": german(
        "  battles: [{id: b1, hex: I9, attackers: [g-47pzk]}, {id: b2, hex: I8, attackers: [g-47pzk]}]"
    ),
    "attack-same-id.yaml": german(f"  battles: [{{id: b1, {DONETS}}}, {{id: b1, hex: T10, attackers: [g-42k]}}]"),
    "attack-same-hex.yaml": german(
        "  battles: [{id: b1, hex: I9, attackers: [g-47pzk]}, {id: b2, hex: I9, attackers: [g-41pzk]}]"
    ),
    "attack-by-artillery-on-the-road.yaml": russian(
        "  road: [r-7ak]\n  battles: [{id: b1, hex: E9, attackers: [r-7ak]}]"
    ),
    "attack-pressed-perhaps.yaml": battle(f"id: b1, {DONETS}, pressed: perhaps"),
    "attack-pressed-in-vain.yaml": battle("id: b1, hex: I9, attackers: [g-656], pressed: 'yes'"),
    # Plans
    "plan-push-no-list.yaml": battle(f"id: b1, {DONETS}, push: 2"),
    "plan-push-three.yaml": battle(f"id: b1, {DONETS}, push: ['3']"),
    "plan-losses-of-a-stranger.yaml": battle(f"id: b1, {DONETS}, losses: [g-2ss]"),
    "plan-advance-too-many-words.yaml": battle(f"id: b1, {DONETS}, advance: [g-3pzk into R10]"),
    "plan-advance-nowhere.yaml": battle(f"id: b1, {DONETS}, advance: [g-3pzk Kursk]"),
    "plan-forced-by-a-de.yaml": battle(f"id: b1, {DONETS}, forced: [DE]"),
    "plan-cancel-unless-nothing.yaml": battle(f"id: b1, {DONETS}, cancel: [unless b9]"),
    "plan-cancel-in-words.yaml": battle(f"id: b1, {DONETS}, cancel: [if it rains]"),
    "plan-cancel-below-no-column.yaml": battle(f"id: b1, {DONETS}, cancel: ['below 8:1']"),
    "plan-join-by-hex.yaml": battle(f"id: b1, {DONETS}, breakthrough: [join P9]"),
    "plan-breakthrough-nowhere.yaml": battle(f"id: b1, {DONETS}, breakthrough: [Kursk]"),
    "plan-breakthrough-of-a-russian.yaml": russian(
        "  battles: [{id: b1, hex: B4, attackers: [r-10a, r-50a], breakthrough: [C4]}]"
    ),
    "plan-misspelt.yaml": battle(f"id: b1, {DONETS}, advances: [g-3pzk]"),
    # Misplaced fields
    "strike-without-aircraft.yaml": german("  aircraft: [{id: s1, hex: I9, planes: [g-lf6]}]"),
    "replacement-in-a-german-message.yaml": german("  replacements: [{unit: g-505, hex: F8}]"),
    "replacement-of-who-is-there.yaml": russian("  replacements: [{unit: r-1tc, hex: L15}]"),
    "replacement-before-the-dice.yaml": russian(
        "  battles: [{id: b1, hex: V9, attackers: [r-6a]}]\n  replacements: [{unit: r-1tc, hex: L15}]"
    ),
    "placement-of-a-historical-game.yaml": german("  placement: {g-5pz: E6}"),
    "keil-of-a-russian.yaml": russian("  panzerkeil: [{unit: r-2ta, facing: W}]"),
    # Answers
    "answer-no-retreat-perhaps.yaml": answer("{no-retreat: perhaps}"),
    "answer-withdraw-three.yaml": answer("{withdraw: '3'}"),
    "answer-for-no-attack.yaml": answer("{battles: {kursk: {withdraw: '2'}}}"),
    "answer-for-no-hex.yaml": answer("{hexes: {Z1: {withdraw: '2'}}}"),
    "answer-for-no-unit.yaml": answer("{units: {r-0: {withdraw: '2'}}}"),
    "answer-for-an-enemy-unit.yaml": answer("{units: {g-2ss: {withdraw: '2'}}}"),
    "answer-crowd-of-a-unit.yaml": answer("{units: {r-4ak: {crowd: flee}}}"),
    "answer-way-of-a-unit.yaml": answer("{units: {r-4ak: {retreat: [nowhere]}}}"),
    "answer-retreat-nowhere.yaml": answer("{retreat: [toward Berlin]}"),
    "answer-misspelt.yaml": answer("{no-retreats: 'yes'}"),
    "answer-with-orders.yaml": draft(
        lambda raw: raw[: raw.index(b"policy:")] + b"orders: {road: [r-2ak]}\n", "russian 2"
    ),
    "answer-with-aircraft.yaml": answer("{intercept: [r-2va]}"),
    # Blitzkrieg
    "blitzkrieg-of-who-has-attacked.yaml": german("  movement: [{unit: g-2ss, to: Q8}]", "german 3"),
    "blitzkrieg-attack-of-who-has-attacked.yaml": german(
        "  battles: [{id: b1, hex: P9, attackers: [g-2ss]}]", "german 3"
    ),
    "blitzkrieg-keil.yaml": german("  panzerkeil: [{unit: g-2ss, facing: E}]", "german 3"),
}
