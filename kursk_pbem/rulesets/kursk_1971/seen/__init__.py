"""What people see of Kursk (1971). No rule imports it, and nothing here decides."""
