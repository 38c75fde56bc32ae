"""The orders of one message as plain data, before a ruleset reads them. Paths are places in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from kursk_pbem.formats.canonical import ordered
from kursk_pbem.frozen import frozen

Path = tuple[str | int, ...]


@frozen
class Filing:
    """The part of a message that the rules read: choices, orders and reveals."""

    seq: int
    writer: str
    reveal: Mapping[str, Any] = field(default_factory=dict)  # label -> sealed value, revealed now
    choice: Mapping[str, Any] = field(default_factory=dict)
    waive: str = ""
    orders: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    secret: Mapping[str, str] = field(default_factory=dict)  # label -> hash of a new seal
    sealed: Mapping[str, Any] = field(default_factory=dict)  # label -> newly sealed value, only known here
    resigns: bool = False  # a resignation or an offer: duties, but no choices
    decisions: Mapping[str, str] = field(default_factory=dict)

    def order(self, key: str) -> Any:
        """Return the value under ``orders: key``, or () if the value is missing or an empty list."""
        return self.orders.get(key) or ()


def filing(content: Mapping[str, Any], sealed: Mapping[str, Any] | None = None) -> Filing:
    """Return the filing of a signed message: the part that the rules read. The schema has checked the form before."""
    return Filing(
        seq=int(content["seq"]),
        writer=content["from"],
        reveal={label: entry["value"] for label, entry in content.get("reveal", {}).items()},
        choice=content.get("choice", {}),
        waive=content.get("waive", ""),
        orders=content.get("orders", {}),
        policy=content.get("policy", {}),
        decisions=content.get("decisions", {}),
        secret=content.get("secret", {}),
        sealed=sealed or {},
        resigns=content["type"] in ("resign", "offer"),
    )


def in_order(filing: Filing) -> Filing:
    """Return the filing (the part that the rules read) with the keys of every mapping in order: THE LAW OF ORDER.

    Signatures do not cover the order of keys, so rules and reports must not depend on this order. ``adjudicate`` sorts
    every message once. Lists keep their signed order.
    """
    return Filing(**{name: ordered(value) for name, value in vars(filing).items()})
