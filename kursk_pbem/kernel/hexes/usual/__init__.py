"""The usual parts of a small hex system: the system supplies its figures and uses these modules."""
