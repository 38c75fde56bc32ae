"""Games: their folders, private journals, verified messages and reports."""
