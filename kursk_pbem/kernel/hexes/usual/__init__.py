"""What a small hex system has that does nothing unusual: it fills in its figures, and has the rest from here."""
