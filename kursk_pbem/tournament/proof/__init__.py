"""What anybody can prove of a tournament from its folder: everything, or the first thing that is not so."""
