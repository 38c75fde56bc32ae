"""What people see of Juggernauts. No rule imports it, and nothing here decides."""
