"""The practice opponent of Battle for Kursk."""
