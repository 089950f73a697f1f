"""One question to several seats, projects and roots; each answer names its owner."""
