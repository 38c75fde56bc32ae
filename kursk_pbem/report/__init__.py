"""Texts and pictures for people: reports from events, drafts from hints, maps from shapes."""
