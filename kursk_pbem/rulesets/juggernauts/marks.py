"""The tables of marks of a position: markers on units, lost lines, captured cities, and past actions."""

DISRUPTED, ENTRENCHED, EMPLACED, KEIL = "disrupted", "entrenched", "emplaced", "panzerkeil"
BREACHED, CONTROL, ACTED, PLACED = "breached", "control", "acted", "placed"
FLOWN, DOWN = "flown", "down"
YES = "yes"
AGAIN = "second-"  # prefix of the factors spent in a Blitzkrieg or Proriv
ALL = (DISRUPTED, ENTRENCHED, EMPLACED, KEIL, BREACHED, CONTROL, ACTED, PLACED, FLOWN, DOWN)
