"""What people see of Battle for Kursk. No rule imports it, and nothing here decides."""
