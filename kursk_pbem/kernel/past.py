"""History for people: historical postures and cities among the drawing data of a scenario.

No rule and no hash reads these data, and a scenario without them shows nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.picture import Picture
from kursk_pbem.kernel.scenario import Scenario, read_decor
from kursk_pbem.kernel.words import Words


def read_past(scenario: Scenario) -> Mapping[str, Any]:
    """Return ``postures``: turn -> side -> word, and ``cities``: side -> place -> turn of capture; {} without data."""
    past: Mapping[str, Any] = read_decor(scenario).get("history", {})
    return past


def cite_source(scenario: Scenario) -> str:
    """Return how reliable the historical data are, and their place in the rulebook."""
    source = read_past(scenario)["provenance"]
    return f"{source['status']}: {source['note']}"


def describe_turns(scenario: Scenario, words: Words) -> dict[str, str]:
    """Return turn -> historical postures in words, with their source."""
    turns = read_past(scenario).get("postures", {})
    source = f" ({cite_source(scenario)})" if turns else ""
    told = {turn: ", ".join(f"{words.side(side)} {word}" for side, word in turns[turn].items()) for turn in turns}
    return {turn: f"{text}{source}" for turn, text in told.items()}


def compare_front(scenario: Scenario, turn: str, picture: Picture, words: Words) -> str:
    """Return the historical postures of a turn, and the cities captured by then in history and in this game; or ''."""
    turns = describe_turns(scenario, words)
    if turn not in turns:
        return ""
    past, told = list(turns)[: list(turns).index(turn) + 1], [f"History, turn {turn}: {turns[turn]}"]
    places = {place.at: place for place in picture.places}
    for side, cities in read_past(scenario).get("cities", {}).items():
        then = [places[at] for at, since in cities.items() if since in past and at in places]
        held, name = [place.name for place in then if place.owner == side], words.side(side)
        listed = ", ".join(place.name for place in then) or "none of the cities in the data"
        told.append(f"by its end the {name} side had taken {listed}; here it holds {', '.join(held) or 'none of them'}")
    return "; ".join(told)
