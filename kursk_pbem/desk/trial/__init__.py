"""Trials: what-if games and studies, which count nowhere."""
