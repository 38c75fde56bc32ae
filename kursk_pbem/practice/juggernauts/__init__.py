"""The practice opponent of Juggernauts."""
