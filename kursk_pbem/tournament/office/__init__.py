"""The director's desk: what the director takes in, decides, signs and sends."""
