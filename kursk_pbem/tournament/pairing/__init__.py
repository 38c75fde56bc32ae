"""Pairings and sides: functions only of numbers, points, meetings and a seed."""
