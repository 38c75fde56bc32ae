"""What people see of Armor Commander. No rule imports it, and nothing here decides."""
