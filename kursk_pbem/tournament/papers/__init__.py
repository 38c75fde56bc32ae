"""The papers of a tournament: their fields, their two written forms, and where they lie."""
