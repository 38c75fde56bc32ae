"""What one message asks for, as plain data, before a ruleset reads it. Paths say where in the file it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kursk_pbem.formats.canonical import ordered

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Filing:
    """The part of a message that the rules see.

    ``reveal``: label -> value of what its writer had sealed and must open now; ``secret``: label -> hash of what they
    seal; ``sealed``: label -> value of the same, known only at their own desk (empty elsewhere). ``resigns``: duties
    only, no choices: a resignation, or an offer.
    """

    seq: int
    writer: str
    reveal: Mapping[str, Any] = field(default_factory=dict)
    choice: Mapping[str, Any] = field(default_factory=dict)
    waive: str = ""
    orders: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    secret: Mapping[str, str] = field(default_factory=dict)
    sealed: Mapping[str, Any] = field(default_factory=dict)
    resigns: bool = False
    decisions: Mapping[str, str] = field(default_factory=dict)

    def order(self, key: str) -> Any:
        """What stands under ``orders: key``; nothing and an empty list mean the same, both come back as ()."""
        return self.orders.get(key) or ()


def filing(content: Mapping[str, Any], sealed: Mapping[str, Any] | None = None) -> Filing:
    """The filing of a message's signed mapping, whose form the schema has checked."""
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
    """THE LAW OF ORDER: the same filing with the keys of every mapping in it ascending.

    What is signed says nothing of the order of keys, so rules and reports must not see one that a file has by chance.
    The spine does this once for every message; the order of lists is signed, and stays.
    """
    return Filing(**{slot.name: ordered(getattr(filing, slot.name)) for slot in fields(filing)})
