"""Moving in from other programs, and out again."""
