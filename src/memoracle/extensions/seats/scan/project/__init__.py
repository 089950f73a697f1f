"""What a repository is made of: one module a topic, each with `look`."""
