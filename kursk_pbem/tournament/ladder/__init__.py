"""Ratings over years: the archives of a club, and their pages. Everybody with the archives computes the same pages."""
