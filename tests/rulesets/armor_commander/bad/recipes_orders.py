"""Drafts with orders and deployments that the form or the rules refuse, after the scenario's deployment."""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import draft

DEPLOYS, ORDERS, SEALS = "soviet 2", "soviet 4", "german 3"


def write_draft(text: str, at: str = ORDERS) -> Bad:
    """Return a draft with this text instead of the proposed one."""
    head = b"seal:" if at == SEALS else b"orders:"
    return draft(lambda raw: raw[: raw.index(head)] + text.encode("ascii") + b"\n", at)


def units(*orders: str) -> Bad:
    """Return a draft with open orders."""
    return write_draft("\n".join(["orders:", "  units:", *(f"  - {each}" for each in orders)]))


def moves(*moves: str) -> Bad:
    """Return a draft with moves of the tanks."""
    return units(f"{{id: s-tanks, chip: green, moves: [{', '.join(moves)}]}}")


def deploy_model(entry: str) -> Bad:
    """Return a draft with a deployment of one model."""
    return write_draft(f"orders:\n  deployment:\n  - {entry}", DEPLOYS)


def to(place: str, model: str = "s-t-1") -> str:
    return f"{{id: {model}, path: ['{place}']}}"


FILES: dict[str, Bad] = {
    "chip-unknown.yaml": units("{id: s-tanks, chip: yellow}"),
    "chip-of-the-enemy.yaml": units("{id: g-panzer, chip: red, at: [s-tanks]}"),
    "chip-for-a-model.yaml": units("{id: s-t-1, chip: red, at: [g-panzer]}"),
    "chip-twice.yaml": units("{id: s-zis-2, chip: red, at: [g-panzer]}", "{id: s-zis-2, chip: red, at: [g-pz-1]}"),
    "chip-moves-and-fires.yaml": units("{id: s-tanks, chip: green, moves: [{id: s-t-1, face: '6'}], at: [g-panzer]}"),
    "fire-at-nobody.yaml": units("{id: s-tanks, chip: red}"),
    "fire-at-friends.yaml": units("{id: s-tanks, chip: red, at: [s-zis-1]}"),
    "fire-gun-at-gun.yaml": units("{id: s-zis-2, chip: red, at: [g-pak-1]}"),
    "fire-rounds-odd.yaml": units("{id: s-tanks, chip: red, at: [g-pak-1], rounds: ap}"),
    "fire-shots-of-another.yaml": units("{id: s-zis-2, chip: red, shots: [{id: s-t-1, at: [g-panzer]}]}"),
    "move-place-odd.yaml": moves("{id: s-t-1, path: ['41, 33']}"),
    "move-nowhere.yaml": moves("{id: s-t-1}"),
    "move-too-long.yaml": moves(to("41.00, 32.25")),
    "move-too-long-by-a-path.yaml": moves("{id: s-t-1, path: ['41.00, 35.00', '44.00, 34.00']}"),
    "move-into-terrain.yaml": units("{id: s-zis-2, chip: green, moves: [{id: s-zis-2, path: ['24.00, 35.00']}]}"),
    "move-off-the-table.yaml": moves(to("41.00, 48.50", "s-t-4")),
    "move-onto-another.yaml": moves(to("39.20, 38.50")),
    "move-out-of-an-orchard.yaml": units("{id: s-zis-1, chip: green, moves: [{id: s-zis-1, path: ['49.50, 40.00']}]}"),
    "move-apart.yaml": moves(to("45.00, 38.00")),
    "move-facing-thirteen.yaml": moves("{id: s-t-1, face: '13'}"),
    "move-facing-of-a-gun.yaml": units("{id: s-zis-2, chip: green, moves: [{id: s-zis-2, face: '6'}]}"),
    "deploy-off-the-zone.yaml": deploy_model("{id: s-t-1, at: '41.00, 35.00'}"),
    "deploy-in-a-wood.yaml": deploy_model("{id: s-t-1, at: '47.50, 37.00'}"),
    "deploy-on-another.yaml": deploy_model("{id: s-t-1, at: '40.00, 40.50'}"),
    "deploy-apart.yaml": deploy_model("{id: s-t-1, at: '10.00, 40.00'}"),
    "deploy-of-the-enemy.yaml": deploy_model("{id: g-pz-1, at: '41.00, 40.00'}"),
    "sealed-chip-twice.yaml": write_draft(
        "seal: {orders/turn-1: [{id: g-pak-2, chip: red, at: [s-tanks]}, {id: g-pak-2, chip: red, at: [s-t-1]}]}", SEALS
    ),
    "sealed-too-long.yaml": write_draft(
        "seal: {orders/turn-1: [{id: g-pak-2, chip: green, moves: [{id: g-pak-2, path: ['43.00, 18.00']}]}]}", SEALS
    ),
    "sealed-no-orders.yaml": write_draft("seal: {orders/turn-2: []}", SEALS),
}
