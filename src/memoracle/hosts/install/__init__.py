"""Setting a host up, and taking every byte of it back: plans, configuration texts, schedulers."""
