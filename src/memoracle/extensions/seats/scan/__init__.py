"""Facts about a machine or a repository, read and never executed."""
