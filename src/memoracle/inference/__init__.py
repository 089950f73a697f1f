"""Models (embedding, language): the bundled encoders on numpy, a model folder, and endpoints behind a ledger."""
