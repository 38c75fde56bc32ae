"""Maps, counters and sheets as SVG pictures."""
