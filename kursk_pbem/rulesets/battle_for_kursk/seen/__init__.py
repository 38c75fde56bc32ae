"""Displays of Battle for Kursk for people. Rules import no module of this package."""
