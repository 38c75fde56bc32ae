"""A turn or a game as a picture or a film of verified messages: ``stills``, then ``stage``, then ``pixels``."""
