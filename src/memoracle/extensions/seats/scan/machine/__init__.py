"""What this machine has: one module a topic, each with `look`."""
